"""Exact confidence intervals, held against the means of all subsets."""

import math
import random
from collections import Counter
from fractions import Fraction

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from complaint import check_progress, complaint
from exactperm import ConfidenceInterval, confidence_interval, fast_sign_flip_test, sign_flip_test
from exactperm.arithmetic.rational import simplest
from exactperm.budget import Budget
from exactperm.errors import ExactPermError
from exactperm.intervals.confidence import coarse_step, ranked
from exactperm.intervals.search import Means, RankSearch, ShiftedSums
from exactperm.null.alternative import ALTERNATIVES


def counted_means(d, groups):
    """[(mean, number of subsets)], ascending, of the non-empty unions of groups, by their sums and sizes."""
    counts = Counter({(0, 0): 1})
    for group in dict.fromkeys(groups):
        unit = [x for x, label in zip(d, groups) if label == group]
        for (z, size), count in list(counts.items()):
            counts[z + sum(unit), size + len(unit)] += count
    del counts[0, 0]
    found = Counter()
    for (z, size), count in counts.items():
        found[Fraction(z, size)] += count
    return sorted(found.items())


def of_rank(ordered, rank):
    for mean, count in ordered:
        rank -= count
        if rank <= 0:
            return mean
    raise AssertionError


def by_definition(d, groups, confidence, alternative):
    """(lower, upper, estimate) from the ordered means; None is infinite."""
    ordered, total = counted_means(d, groups), 2 ** len({*groups})
    alpha = 1 - confidence
    k = int(alpha * total / (1 if alternative in ("less", "greater") else 2))
    lower = of_rank(ordered, k) if k and alternative != "less" else None
    upper = of_rank(ordered, total - k) if k and alternative != "greater" else None
    return lower, upper, of_rank(ordered, total // 2)


def ends(interval):
    assert interval.exact
    return (
        interval.lower and interval.lower[0],
        interval.upper and interval.upper[0],
        interval.estimate,
    )


def search_of(d, share=Fraction(1, 40)):
    """The search for the mean of a rank among those of the subsets of single pairs."""
    return RankSearch(Means([(x, 1) for x in d], 1, None, Budget(seconds=2)), share)


# --------------------------------------------------------------------------------------- by subsets


@pytest.mark.slow
@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("grouped", [False, True])
def test_random_differences(alternative, grouped):
    """With ties, zeros and groups of several sizes."""
    rng = random.Random(f"{alternative} {grouped}")
    for _ in range(15):
        n, reach = rng.randint(1, 9), rng.choice([1, 5, 1000])
        d = [Fraction(rng.randint(-reach, reach), rng.choice([1, 4])) for _ in range(n)]
        groups = [rng.randint(0, n) for _ in d] if grouped else list(range(n))
        confidence = Fraction(rng.randint(5, 99), 100)
        interval = confidence_interval(d, None, confidence, alternative=alternative, groups=groups)
        assert ends(interval) == by_definition(d, groups, confidence, alternative)


def test_the_ends_belong_to_it_and_nothing_beyond():
    rng = random.Random(7)
    d = [Fraction(rng.randint(-30, 60)) for _ in range(11)]
    interval = confidence_interval(d)
    for end, outward in ((interval.lower[0], -1), (interval.upper[0], 1)):
        shifted = [
            sign_flip_test([x - end - move for x in d]).pvalue
            for move in (0, Fraction(outward, 10**6))
        ]
        assert shifted[0] > Fraction(1, 20) >= shifted[1]


# --------------------------------------------------------------------------------------- large data


@pytest.mark.slow
def test_out_of_budget_the_ends_are_enclosed():
    rng = random.Random(9)
    d = [rng.gauss(0, 1) for _ in range(60)]
    interval = confidence_interval(d, budget=Budget(seconds=2))
    assert not interval.exact
    assert max(interval.widths) < 1
    ordered = [*interval.lower, interval.estimate, *interval.upper]
    assert ordered == sorted({*ordered})
    assert interval.to_dict()["exact"] is False


def test_no_budget_at_all():
    rng = random.Random(15)
    for n in (50, 70):
        d = [rng.randint(1, 10**16) for _ in range(n)]
        interval = confidence_interval(d, budget=Budget(seconds=1e-9))
        mean = Fraction(sum(d), n)
        assert (interval.lower, interval.upper) == ((min(d), mean), (mean, max(d)))


@pytest.mark.slow
def test_rounded_sums_enclose_by_less_than_a_step():
    # The median is known exactly, whatever the budget; all other means of 60 sums move down by
    # less than a step.
    rng = random.Random(18)
    units = [(rng.randint(-(10**6), 10**6), rng.randint(1, 3)) for _ in range(60)]
    means = Means(units, 1, Fraction(1, 10**6), Budget(seconds=1e-3))
    step = coarse_step(means)
    assert step >= 2 * 10**6 // 16
    half = means.assignments // 2
    assert ranked(means, half, lambda _: None) == (means.middle, means.middle)
    low, high = ranked(means, half // 4, lambda _: None)
    known = ranked(
        Means(units, 1, Fraction(1, 10**4), Budget(seconds=5)), half // 4, lambda _: None
    )
    assert low <= known[0] <= known[1] <= high


def test_a_test_that_needs_the_count_pays_for_it():
    rng = random.Random(20)
    means = Means([(rng.randint(1, 10**15), 1) for _ in range(30)], 1, None, Budget(seconds=60))
    share = means.counted_share(means.middle, 60.0)
    reached, spent = means.reach(means.middle, share, 60.0)
    within, less = means.reach(means.middle, share * 2 / 3, 60.0)
    assert (reached, within) == (False, True)
    assert spent > 2 * less


@pytest.mark.parametrize("cost", [0.5, 10.0])
def test_few_counts_or_tests_reach_exact_ends_on_a_lattice(cost, monkeypatch):
    rng = random.Random(22)
    d = [rng.randint(-20, 40) for _ in range(18)]
    known = ends(confidence_interval(d))
    monkeypatch.setattr(RankSearch, "_counted", lambda _search: (False, cost))
    assert ends(confidence_interval(d, budget=Budget(seconds=60))) == known


def test_counts_end_with_the_budget(monkeypatch):
    """Four of the counts that are paid for enclose the ends, which are those of all subsets."""
    rng = random.Random(12)
    d = [rng.random() for _ in range(12)]
    known = confidence_interval(d)
    monkeypatch.setattr(RankSearch, "_counted", lambda _search: (False, 7.0))
    found = confidence_interval(d, budget=Budget(seconds=60))
    assert min(found.widths) > 0
    for (exact, same), (low, high) in ((known.lower, found.lower), (known.upper, found.upper)):
        assert low <= exact == same <= high


def test_an_undecided_step_narrows_nothing(monkeypatch):
    class Undecided:
        step = usual = Fraction(1)

        def __init__(self, *_args):
            self.tails = self
            self.seconds = 0

        def at(self, j):
            return (0.04, 0.05) if j else (0.06, 0.07)

        def crossing(self):
            return 0, 0

        def bounds(self, *_guess):
            return None, None

    search = search_of(range(70), Fraction(9, 200))
    monkeypatch.setattr("exactperm.intervals.search.ShiftedSums", Undecided)
    low = search.low
    search._approach(Fraction(30), 0)
    assert (search.low, search.high) == (low, 30)


# --------------------------------------------------------------------------------------- inversions
# Ends of more pairs than exact counts serve, held against counts of all sums and sizes.


@pytest.mark.slow
def test_the_ends_are_those_of_all_subsets(monkeypatch):
    # no counts in place of inversions
    monkeypatch.setattr("exactperm.intervals.search._COUNTS", 1e9)
    rng = random.Random(21)
    sizes = [rng.choice([1, 1, 2]) for _ in range(68)]
    d = [rng.randint(-3, 4) for _ in sizes]
    labels = [i for i, size in enumerate(sizes) for _ in range(size)]
    spread = [part for x, size in zip(d, sizes) for part in (x, *[0] * (size - 1))]
    want = by_definition(spread, labels, Fraction(19, 20), "two-sided")
    assert want[2] == Fraction(sum(d), sum(sizes))
    assert ends(confidence_interval(spread, groups=labels)) == want


@pytest.mark.slow
def test_an_inversion_anywhere_encloses_the_end():
    rng = random.Random(22)
    d = [rng.randint(-2, 3) for _ in range(80)]
    ordered = counted_means(d, range(80))
    progress = 0
    for _ in range(10):
        rank = int(2**79 * rng.choice([0.5, 0.05, 1e-4, 1 - 2.0**-50]))
        end, share = of_rank(ordered, rank), Fraction(rank, 2**80)
        search = search_of(d, share)
        start = search.low, search.high
        x = end + Fraction(rng.randint(-9, 9), rng.choice([10, 50]))
        search._approach(x, rng.choice([0, search.error / 100]))
        assert search.low < end <= search.high
        progress += (search.low, search.high) != start
    assert progress > 5


@given(st.integers(0, 10**6), st.sampled_from([-1, 1]))
@settings(max_examples=3)
def test_an_inversion_on_one_side_of_the_end_is_a_bound(seed, side):
    rng = random.Random(seed)
    d = [rng.randint(-2, 3) for _ in range(68)]
    search = search_of(d)
    x = search.guess + side * search.error
    search._approach(x, search.error)
    assert search.low >= x if side < 0 else search.high <= x


def test_an_inversion_next_to_the_end_may_not_decide_its_side():
    rng = random.Random(24)
    d = [rng.randint(-(10**12), 10**12) for _ in range(70)]
    search = search_of(d)
    x = search.guess
    sums = ShiftedSums(search, x, search.error)
    for search.share in (sum(sums.at(0)) / 2, (sums.at(-1)[0] + sums.at(0)[0]) / 2):
        search._approach(x, search.error)
        assert search.low < x <= search.high < search.low + search.error
    search.guess = search.high + search.error
    assert search.low < search._next() < search.high


@pytest.mark.slow
def test_doubles_are_enclosed():
    rng = random.Random(23)
    d = [rng.gauss(0.3, 1) for _ in range(700)]
    for precision, part in (("0.00001", 1e-5), ("0.01", 0.01)):
        interval = confidence_interval(d, precision=precision)
        assert 0 < max(interval.widths) < part * 1.3 / 700**0.5
        for end, side in ((interval.lower, 0), (interval.upper, 1)):
            for theta, inside in ((end[side], False), (end[1 - side], True)):
                p = fast_sign_flip_test(
                    [Fraction(repr(x)) - theta for x in d], digits=6, budget=Budget(seconds=2)
                )
                assert (p.upper > 0.05) if inside else (p.lower <= 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("reach", [1, 10**400])
def test_equal_differences_and_giants(reach):
    d = [reach] * 30 + [2 * reach] * 40 + [10**6 * reach]
    assert ends(confidence_interval([7 * reach] * 70)) == (7 * reach, 7 * reach, 7 * reach)
    interval = confidence_interval(d, budget=Budget(seconds=1))
    ordered = [*interval.lower, interval.estimate, *interval.upper]
    assert ordered == sorted(ordered)


# --------------------------------------------------------------------------------------------- form


def test_infinite_ends_and_coverage():
    """1 - floor(alpha 2^N) / 2^N one-sided, 1 - floor(alpha 2^(N-1)) / 2^(N-1) two-sided."""
    interval = confidence_interval([1, 2, 3])
    assert (interval.lower, interval.upper, interval.coverage) == (None, None, 1)
    one, both = [
        confidence_interval(range(1, 8), confidence="0.9", alternative=word)
        for word in ("less", "doubled")
    ]
    assert (one.lower, one.coverage, both.coverage) == (
        None,
        Fraction(29, 32),
        Fraction(29, 32),
    )


def test_json():
    data = confidence_interval([1, 2, 6], confidence="0.75").to_dict()
    assert data == {
        "lower": ["1", "1"],
        "upper": ["6", "6"],
        "estimate": "3",
        "exact": True,
        "confidence": "3/4",
        "coverage": "3/4",
        "alternative": "two-sided",
        "n": 3,
        "n_units": 3,
    }
    assert isinstance(confidence_interval([1]), ConfidenceInterval)


@pytest.mark.slow
def test_decimals_are_rounded_outward():
    rng = random.Random(14)
    for _ in range(100):
        d = [rng.randint(-99, 99) for _ in range(rng.randint(3, 9))]
        interval = confidence_interval(d, None, "0.7", alternative=rng.choice(ALTERNATIVES))
        for places in (0, 2):
            step = Fraction(1, 10**places)
            lower, upper = interval.decimal_ends(places)
            if interval.lower is None:
                assert lower == "-infinity"
            else:
                assert 0 <= interval.lower[0] - Fraction(lower) < step
            if interval.upper is None:
                assert upper == "infinity"
            else:
                assert 0 <= Fraction(upper) - interval.upper[1] < step
    told = "places is -1: it must be between 0 and 4000"
    assert complaint(ExactPermError, lambda: interval.decimal_ends(-1)) == told


def test_an_enclosed_end_in_words():
    fields = {
        **vars(confidence_interval([1, 2, 6], confidence="0.75")),
        "lower": (1, Fraction(11, 10)),
    }
    interval = ConfidenceInterval(**fields)
    assert "between 1.00 and 1.10, 0.10 apart" in interval._repr_html_()
    assert str(interval.sentence()).startswith(
        "Mean difference 3.00, certified 75% interval [1.00, 6.00] ("
    )
    assert "scores rounded to 1 decimal" in interval.sentence(decimals=1)


def test_too_few_pairs_have_no_interval():
    for size, side, least in ((5, "two-sided", 6), (4, "less", 5), (6, "two-sided", 0)):
        few = least and f"{size} pairs cannot exclude any difference at 95%; {least} can"
        interval = confidence_interval(list(range(1, size + 1)), alternative=side)
        assert interval.none == (few or "")
        assert (f"no interval: {few}" in interval.sentence()) is bool(few)
        assert (dict(interval.rows())["interval"] == f"none: {few}") is bool(few)


def test_ends_that_are_no_decimals():
    rows = dict(confidence_interval(["1/3"] * 6).rows())
    assert rows["lower end"] == rows["upper end"] == "0.3333333333, exactly 1/3"


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_progress(alternative):
    d = [3, 5, 9, 2, 8, 13, -4, 1]
    _found, told = check_progress(
        lambda progress: confidence_interval(d, alternative=alternative, progress=progress)
    )
    ends = 1 if alternative in ("less", "greater") else 2
    assert {total for _, total in told} == {1000 * ends}


def test_simplest_fractions():
    rng = random.Random(10)
    for _ in range(200):
        low = Fraction(rng.randint(-99, 99), rng.randint(1, 99))
        high = low + Fraction(rng.randint(0, 9), rng.randint(1, 99))
        found = simplest(low, high)
        assert low <= found <= high
        for s in range(1, found.denominator):
            assert (high * s).__floor__() < (low * s).__ceil__()


def test_differences_beyond_all_floats_are_refused():
    with pytest.raises(ExactPermError, match="too many digits for an interval"):
        confidence_interval([(10**160 + k) * (-1) ** (k % 3) for k in range(60)])


def test_several_runs_of_an_item_have_no_interval():
    table = numpy.zeros((2, 2))
    for u, v in (([[1, 0], [1]], [[0], [0]]), ([(1, 2)], None), (table, table)):
        with pytest.raises(ExactPermError, match=r"^u has several runs of an item"):
            confidence_interval(u, v)
    with pytest.raises(ExactPermError, match=r"^u is empty"):
        confidence_interval([])


@pytest.mark.parametrize(
    ("seed", "n", "precision"), [(6, 90, "1e-3"), (2, 80, "1e-2"), (14, 56, "1e-4")]
)
def test_ends_by_few_inversions(seed, n, precision):
    """Likely ends are tried by inversions: the end is the one that tests find."""
    rng = random.Random(seed)
    d = [round(rng.gauss(0.1, 1), 2) for _ in range(n)]
    (low, high) = confidence_interval(d, precision=precision, alternative="greater").lower
    assert low <= high
    for shift, rejected in ((math.floor(100 * low) - 1, True), (math.ceil(100 * high) + 1, False)):
        moved = [round(100 * x) - shift for x in d]
        assert (sign_flip_test(moved, alternative="greater").pvalue <= Fraction(1, 20)) is rejected
