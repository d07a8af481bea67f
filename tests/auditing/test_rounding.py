"""P-values of scores that were rounded before they were printed: the bounds hold for all scores behind the table."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exactperm import decimal_string
from exactperm.auditing.audit import audit_claim
from exactperm.auditing.axes import AXES, Way
from exactperm.auditing.claim import Claim
from exactperm.auditing.data import sample_of as read_sample
from exactperm.auditing.facts import of_flips
from exactperm.auditing.readings import values
from exactperm.auditing.rounding import _greatest, _least, rounded, signed_squares
from exactperm.auditing.sample import unit_of
from exactperm.budget import Allowance
from exactperm.classical.paired import signed_ranks

F = Fraction
LAWS = {
    "difference": ("exact", "normal", "t"),
    "wilcoxon": ("exact", "normal", "normal-cc"),
    "sign": ("exact", "normal"),
}


TAILS, BOUNDARIES = tuple(AXES["tail"]), tuple(AXES["boundary"])


def box_of(d, statistic, unit):
    """Bounds of the p-value of each law, tail and boundary."""
    sample = read_sample(Claim(p="1", data=list(d)))

    def value(law, tail, boundary):
        about = {"law": law, "tail": tail, "boundary": boundary, "unit": unit}
        way = Way(statistic=statistic, data="rounded", **about)
        return rounded(way, sample, Allowance())[0]

    return value


def facts_of(statistic, zeros, d):
    flips = list(d) if statistic == "difference" else [(x > 0) - (x < 0) for x in d]
    flips = signed_ranks(list(d), zeros) if statistic == "wilcoxon" else flips
    return of_flips(flips, len(d), 2 if statistic == "wilcoxon" else None, Allowance())


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.integers(-6, 6), st.integers(-2, 2)), min_size=2, max_size=7),
    st.sampled_from(["difference", "wilcoxon", "sign"]),
    st.sampled_from(["wilcox", "pratt"]),
)
# both are 6: a tie of two sizes whose ranges meet in one point
@example([(1, 2), (2, -2)], "wilcoxon", "wilcox")
def test_the_bounds_hold_for_all_data_behind_the_table(pairs, statistic, zeros):
    """Printed differences 4 d and true ones 4 d + e: with ties and zeros, under every law, tail and boundary."""
    printed = [4 * d for d, _ in pairs]
    true = [4 * d + e for d, e in pairs]
    box = box_of(printed, statistic, F(4))  # one column: off by half a unit
    known = facts_of(statistic, zeros, true)
    for law, tail, boundary in product(LAWS[statistic], TAILS, BOUNDARIES):
        value = known.value(law, tail, boundary)
        if value is None or (law != "exact" and boundary != ">="):
            continue
        low, high = box(law, tail, boundary)
        least, most = value
        assert low <= most
        assert least <= high or (law == "normal-cc" and known.side == 0)


@pytest.mark.slow
@given(st.lists(st.integers(-9, 9), min_size=1, max_size=8))
def test_the_corners_attain_the_bounds_of_sums(d):
    """The greatest p-value counts all ties of a corner; the least what lies beyond the observed sum, and itself."""
    printed = [2 * x for x in d]
    box = box_of(printed, "difference", F(2))
    down, up = [facts_of("difference", None, [x + e for x in printed]) for e in (-1, 1)]
    itself = F(1, 2 ** len(d))
    for tail, first, last in (("greater", up, down), ("less", down, up)):
        low, high = first.value("exact", tail, ">")[0] + itself, last.value("exact", tail)[1]
        assert box("exact", tail, ">=") == (low, high)


@given(
    st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 3)), min_size=1, max_size=5),
    st.sampled_from([0, F(1, 2), 1]),
)
def test_the_extreme_ratios_against_a_grid(ends_, step):
    """(T - s) / sqrt(Q) on a grid of the box lies within the bounds, and some point comes near the greatest one."""
    low, high = [a for a, _ in ends_], [a + w for a, w in ends_]
    grids = [[a + F(w * k, 6) for k in range(7)] if w else [a] for a, w in ends_]
    ratios = []
    for f in (
        product(*grids)
        if len(ends_) < 4
        else product(low[:1], *([a, b] for a, b in zip(low[1:], high[1:])))
    ):
        T, Q = sum(f) - step, sum(x * x for x in f)
        if Q and (step == 0 or Q >= 1):
            ratios.append((1 if T > 0 else -1) * F(T * T) / Q)
    if not ratios:
        return
    least, most = signed_squares(low, high, step)
    assert least <= min(ratios) <= max(ratios) <= most


def test_the_greatest_ratio_is_attained():
    """Equal differences can be behind the table: t is infinite there, and its p-value 0."""
    box = box_of([3, 3, 4], "difference", F(1))
    assert box("t", "greater", ">=")[0] == 0
    assert _greatest([1, 1], [3, 2], 0) == 2
    assert _least([0, 0], [0, 0], 0) == 0


def test_ties_that_doubles_may_lose():
    """Of 8 sums 3 are above 0 and 2 are 0, one of them the observed one."""
    sample = read_sample(Claim(p="1", data=["0.1", "0.2", "-0.3"]))
    about = {"statistic": "difference", "zeros": None, "law": "exact", "tail": "greater"}
    for boundary, least in ((">=", 4), (">", 3)):
        way = Way(boundary=boundary, data="doubles", **about)
        assert values(way, sample, Allowance()) == ((F(least, 8), F(least + 1, 8)),)


def test_the_unit_of_scores():
    assert unit_of([F(1, 10), 3, F(1, 4)]) == F(1, 20)
    assert unit_of([1, 2]) == unit_of([0, 0]) == 1
    assert unit_of([F(1, 3)]) is None
    assert unit_of([F(1, 10**5)]) is None


def test_rounding_to_whole_numbers_and_tens_is_open_unless_the_scores_are_said_to_be_raw():
    about = {"statistic": "t-test", "alternative": "two-tailed"}
    tens = [[70, 80, 90, 70, 60, 80, 90, 110], [60, 90, 70, 70, 50, 70, 90, 100]]
    maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    for data, p, unit in (
        (tens, "p = .06", "multiples of 10"),
        (maize, "p = .052", "whole numbers"),
    ):
        (only,) = audit_claim({"p": p, "data": data, **about}).conditions
        assert only.only_if == f"the scores were rounded to {unit}"
        assert only.question == f"Were the scores rounded to {unit}?"
        assert audit_claim({"p": p, "data": data, "rounded": "no", **about}).heap == "wrong"
    answers = [[1, 2, 3, 5, 4, 4, 5, 2], [2, 1, 1, 4, 4, 2, 3, 1]]
    assert audit_claim({"p": "p = .04", "data": answers, **about}).heap == "wrong"


@given(
    st.sampled_from([F(1, 20), F(1, 4), F(1, 2), F(1), F(5), F(25)]),
    st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 4000)), min_size=6, max_size=12),
    st.booleans(),
)
def test_scores_may_be_rounded_to_any_unit(unit, scores, alone):
    """Multiples of 1/4 or 5, two columns or one of differences: also a few whole numbers."""
    raw = [[unit * F(x, 600 if alone else 200) for x in column] for column in zip(*scores)]
    u, v = ([a - b for a, b in zip(*raw)], [0] * len(scores)) if alone else raw
    rounded_ = [[round(x / unit) * unit for x in column] for column in (u, v)]
    for stated in ({"law": "t"}, {"statistic": "sign", "law": "exact"}):
        given_ = audit_claim({"p": "1", "data": [u, v], **stated, "rounded": "no"}).given
        if given_ is not None:
            p = given_[0] if isinstance(given_, tuple) else given_
            found = audit_claim({"p": decimal_string(p, 4), "data": rounded_, **stated})
            assert found.heap != "wrong", found.line()


def test_whatever_the_rounding_an_exact_pvalue_is_a_multiple():
    """Of 1/32 for five pairs, of 1/64 for mid-p-values."""
    about = {"data": [3, 1, 2, -1, 4], "rounded": "1", "stated": "all"}
    for stated, total in (({}, 32), ({"alternative": "greater"}, 32), ({"boundary": "mid"}, 64)):
        found = set()
        for p in range(100, 200, 3):
            heap = audit_claim({"p": f"p = .{p}", **about, **stated}).heap
            near = [F(k, total) - F(p, 1000) for k in range(total)]
            assert heap == "wrong" or any(F(-1, 2000) <= x < F(1, 1000) for x in near), p
            found.add(heap)
        assert "wrong" in found > {"wrong"}
