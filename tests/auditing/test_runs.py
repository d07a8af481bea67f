"""Audits of several runs on each item: all designs that a claim leaves open, and the tests they are confused with."""

from fractions import Fraction
from itertools import chain, combinations, product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactperm import audit_claim, decimal_string, permutation_test_runs
from exactperm.auditing import facts
from exactperm.auditing import sample as runs
from exactperm.auditing.axes import AXES, Way
from exactperm.auditing.claim import Claim
from exactperm.auditing.data import contents
from exactperm.auditing.data import sample_of as read_sample
from exactperm.auditing.facts import Allowance, ends_of, two_samples
from exactperm.auditing.rounding import rounded
from exactperm.auditing.sample import t_of
from exactperm.certified import bracket
from exactperm.errors import BudgetExceeded

THREE = ("within", "items", "systems")
U = [[1, 1, 0, 1], [1, 0, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1], [1, 0, 1, 0], [1, 1, 1, 0]]
V = [[0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1], [1, 0, 0, 1], [0, 0, 1, 0], [1, 0, 1, 0]]
TAILS, BOUNDARIES = tuple(AXES["tail"]), tuple(AXES["boundary"])


def sample_of(u, v, **fields):
    return read_sample(Claim(p="1", data=[u, v], **fields))


def way(unit, law="exact", tail="less", **about):
    about = {"law": law, "tail": tail, "unit": Fraction(unit), **about}
    return Way(statistic="difference", zeros=None, data="rounded", **about)


def judged(p, u=U, v=V, **fields):
    return audit_claim({"p": p, "data": [u, v], **fields})


def mean(column):
    return Fraction(sum(column), len(column))


def dealt(u, v):
    """Yield all labelings of the runs of one item as the difference of their means."""
    every = [*u, *v]
    for chosen in combinations(range(len(every)), len(u)):
        first = [every[i] for i in chosen]
        yield mean(first) - mean([x for i, x in enumerate(every) if i not in chosen])


def statistics(u, v, design):
    """Return the statistic of every labeling, by the definition."""
    if design == "within":
        return [
            sum(parts) / len(u) for parts in product(*(list(dealt(a, b)) for a, b in zip(u, v)))
        ]
    if design == "systems":
        return list(dealt([mean(run) for run in zip(*u)], [mean(run) for run in zip(*v)]))
    if design == "pooled":
        return list(dealt(list(chain(*u)), list(chain(*v))))
    pairs = zip(chain(*u), chain(*v)) if design == "epochs" else zip(map(mean, u), map(mean, v))
    return [mean(parts) for parts in product(*((a - b, b - a) for a, b in pairs))]


def share(design, u, v, tail, boundary):
    """Return the p-value by enumeration."""
    found = statistics(u, v, design)
    t = mean([mean(a) - mean(b) for a, b in zip(u, v)])
    if design == "pooled":
        t = mean(list(chain(*u))) - mean(list(chain(*v)))
    weak = {"less": [x <= t for x in found], "greater": [x >= t for x in found]}
    weak["two-sided"] = [abs(x) >= abs(t) for x in found]
    strict = {"less": [x < t for x in found], "greater": [x > t for x in found]}
    strict["two-sided"] = [abs(x) > abs(t) for x in found]
    if tail not in weak:
        least = min(share(design, u, v, side, boundary) for side in ("less", "greater"))
        return {"min": least, "doubled": min(Fraction(1), 2 * least), "2min": 2 * least}[tail]
    parts = {">=": mean(weak[tail]), ">": mean(strict[tail])}
    return {**parts, "mid": (parts[">="] + parts[">"]) / 2}[boundary]


SHAPES = st.sampled_from([(2, 2, 2), (3, 2, 2), (2, 2, 1), (3, 1, 2), (1, 3, 3), (2, 1, 1)])


WHOLE = st.integers(0, 3)


@st.composite
def tables(draw, scores=WHOLE):
    n, m, k = draw(SHAPES)
    sides = [
        [draw(st.lists(scores, min_size=size, max_size=size)) for _ in range(n)] for size in (m, k)
    ]
    return sides[0], sides[1]


def refuse(*_arguments, **_options):
    raise BudgetExceeded("too dear")


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(data=tables(), design=st.sampled_from([*THREE, "pooled", "epochs"]))
def test_every_tail_and_boundary_by_the_definition(data, design):
    sample = sample_of(*data)
    assume(design in sample.designs)
    known = sample.under(design).facts("difference", None, Allowance())
    for tail, boundary in product(TAILS, BOUNDARIES):
        expected = share(design, *data, tail, boundary)
        assert known.value("exact", tail, boundary) == expected, (tail, boundary)


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(
    data=tables(st.sampled_from(["0.1", "0.2", "0.3", "0.7"])),
    design=st.sampled_from(THREE),
    tail=st.sampled_from(["two-sided", "greater", "less"]),
    digits=st.integers(1, 6),
    said=st.sampled_from(["all", "design", "tail", "nothing"]),
)
def test_true_claims_of_every_design_are_never_accused(data, design, tail, digits, said):
    p = permutation_test_runs(*data, design=design, alternative=tail).pvalue
    fields = {"design": design, "alternative": tail, "stated": "all"} if said == "all" else {}
    fields = {"design": {"design": design}, "tail": {"alternative": tail}}.get(said, fields)
    found = judged(f"p = {decimal_string(p, digits)}", *data, **fields)
    surely = said in ("all", "tail") or tail == "two-sided"
    assert found.heap in ("fine", "question"), found.line()
    assert not surely or found.heap == "fine", found.line()


def test_wrong_claims_with_the_design_stated_are_refuted():
    for design in THREE:
        p = permutation_test_runs(U, V, design=design).pvalue
        text = decimal_string(p * Fraction(6, 5) if 2 * p < 1 else p / 2, 3)
        assert judged(f"p = {text}", design=design, stated="all").heap == "wrong"


@settings(max_examples=15, deadline=None)
@given(data=tables(), moves=st.lists(st.integers(-5, 5), min_size=36, max_size=36))
def test_bounds_hold_for_all_runs_that_round_to_the_given_ones(data, moves):
    places = iter(moves)
    behind = [[[10 * x + next(places) for x in item] for item in side] for side in data]
    table = [[[10 * x for x in item] for item in side] for side in data]
    for design in ("within", "systems"):
        sample = sample_of(*table)
        if design not in sample.designs:
            continue
        under = sample.under(design)
        if under is sample:
            continue
        for tail, boundary in product(("less", "greater", "min", "doubled"), BOUNDARIES):
            ((low, high),) = rounded(way(10, tail=tail, boundary=boundary), under, Allowance())
            assert low <= share(design, *behind, tail, boundary) <= high, (tail, boundary)


def test_rounded_runs_without_proved_bounds_stay_open():
    unequal = [item[:2] for item in V]
    about = {"rounded": "1", "alternative": "two-sided"}
    assert judged("p = .9", U, unequal, design="within", **about).heap == "undecided"
    assert judged("p = .9", design="systems", law="t", **about).heap == "undecided"
    raw = sample_of(U, V, decimals=1).under("within")
    assert rounded(way(1), raw, Allowance()) == ()
    assert rounded(way(1, law="normal"), sample_of(U, V).under("within"), Allowance()) == ()


def test_two_samples_of_runs():
    """t of 1, 2, 3 and 4, 5, 6: R gives 0.02131 for both tests, with 4 degrees of freedom."""
    for equal in (True, False):
        low, high = two_samples(t_of([1, 2, 3], [4, 5, 6], equal=equal), "two-sided")
        assert decimal_string(low, 4) == decimal_string(high, 4) == "0.02131"
    low, high = two_samples(t_of([1, 2, 3], [4, 5, 9], equal=False), "less")
    assert low < high  # 2.5 degrees of freedom
    assert t_of([1], [2], equal=True) is t_of([1], [2, 3], equal=False) is None
    assert t_of([1, 1], [1, 1], equal=True) is None
    assert two_samples(t_of([2, 2], [1, 1], equal=False), "greater") == (0, 0)
    assert two_samples(None, "less") is None
    assert judged("p = .001", design="systems", law="t", alternative="two-sided").given


def test_long_tests_of_runs_have_brackets_first(monkeypatch):
    u, v = [[[x + i / 7 for i, x in enumerate(item)] for item in side] for side in (U, V)]
    exact = permutation_test_runs(u, v, design="within").pvalue
    monkeypatch.setattr(facts, "SOON", 1e-9)
    known = sample_of(u, v).under("within").facts("difference", None, Allowance())
    low, high = known.value("exact", "two-sided")
    assert low <= exact <= high
    finer = known.finer(8, Allowance())
    assert ends_of(finer.value("exact", "two-sided")) >= (low, low)
    text = f"{exact.numerator}/{exact.denominator}"
    assert judged(text, u, v, design="within", stated="all").heap == "fine"
    monkeypatch.setattr(bracket, "tail_bracket", refuse)
    refused = sample_of(u, v).under("within").facts("difference", None, Allowance())
    assert (refused.tails, refused.refusal) == ({}, "too dear")


def test_pooled_runs_that_nobody_counts(monkeypatch):
    monkeypatch.setattr(runs, "exchange", refuse)
    sample = sample_of(U, V)
    assert sample.under("pooled").steps is None
    assert judged("p = .5").heap == "undecided"
    with pytest.raises(BudgetExceeded):
        sample.under("within")
    assert facts.Facts(n=1, total=1).digits == 0


def test_what_a_sample_of_runs_is():
    sample = sample_of(U, V)
    designs = ("items", "within", "systems", "pooled", "epochs")
    assert (sample.n, sample.units, sample.designs) == (6, "items", designs)
    assert sample.sizes == (6, 6, 24, 24, 48)
    assert sample.under("within") is sample.under("within")
    assert sample.under("items") is sample
    assert (sample.unit, sample_of(U, V, decimals=2).unit) == (1, None)
    assert not sample.may_lose_ties
    assert sample_of([[1, 0, 0]], [[1, 1, 1]]).may_lose_ties
    assert sample_of([[1, 0], [1]], [[0], [1]]).designs == ("items", "within", "pooled")
    one = sample_of([[1], [2]], [[0], [5]])
    assert one.under("within") is one
    shifted = sample_of(U, V, mu="0.5", orientation="second-first")
    assert shifted.runs[0][0] == tuple(x - Fraction(1, 2) for x in V[0])
    for n in (6, 24, 48):
        assert judged("p < .05", n=n).heap == "fine"
    assert judged("p < .05", n=7).reason == "data"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"design": "within", "statistic": "wilcoxon"}, "a design of single runs is given"),
        ({"design": "items", "statistic": "accuracy"}, "runs is given"),
        ({"statistic": "mcnemar"}, "data has several runs of each item"),
        ({"data": [[[1, 0], []], [[0], [1]]]}, "the item has runs of one system only"),
        ({"data": [[[1, 0], ["x"]], [[0], [1]]]}, "u[1][0]"),
    ],
)
def test_what_cannot_be_read_is_named(fields, message):
    found = audit_claim({"p": "p = .5", "data": [U, V], **fields})
    assert (found.heap, message in found.notes[-1]) == ("unreadable", True), found.notes


def test_ranks_of_item_means_and_of_all_runs():
    found = judged("p = .0312", statistic="wilcoxon", law="exact")
    words = "exact Wilcoxon signed-rank test (zeros dropped), two-sided"
    assert found.taken == f"{words}, blocks of runs swapped within items"
    known = sample_of(U, V).under("epochs").facts("wilcoxon", "wilcox", Allowance())
    p = decimal_string(known.value("exact", "two-sided"), 4)
    found = judged(f"p = {p}", statistic="wilcoxon", law="exact", zeros="wilcox", rounded="no")
    assert found.conditions[0].only_if == "runs were taken for pairs"


@pytest.mark.parametrize("named", [True, False])
def test_files_of_runs(tmp_path, named):
    """Runs with ids may be whole runs; without them, or where one is missing on an item, they are not."""
    for name, side in (("a", U), ("b", V)):
        rows = [f"q{i},{j},{x}" for i, item in enumerate(side) for j, x in enumerate(item)]
        text = "\n".join(["item,seed,acc", *(rows if named else rows[:-1])])
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    about = {"data": "a.csv", "second": "b.csv", "columns": "acc", "join": "item", "run": "seed"}
    sample = read_sample(Claim(p="1", **about), contents(tmp_path, tmp_path))
    assert ("systems" in sample.designs) == named
    stated = read_sample(Claim(p="1", design="within", **about), contents(tmp_path, tmp_path))
    assert stated.runs == sample.runs
