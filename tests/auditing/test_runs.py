"""Audits of several runs on each item: all designs that a claim leaves open, and the tests they are confused with."""

from fractions import Fraction
from functools import partial
from itertools import chain

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactperm import audit_claim, decimal_string, permutation_test_runs
from exactperm.auditing import facts
from exactperm.auditing import sample as runs
from exactperm.auditing.axes import Way
from exactperm.auditing.claim import Claim
from exactperm.auditing.data import content
from exactperm.auditing.data import sample_of as read_sample
from exactperm.auditing.facts import two_samples
from exactperm.auditing.rounding import rounded
from exactperm.auditing.sample import t_of
from exactperm.budget import Allowance
from exactperm.certified import bracket
from exactperm.errors import BudgetExceeded
from runs_by_definition import every_pvalue, statistic, values

THREE = ("within", "items", "systems")
U, V = [
    [[*map(int, runs_of_item)] for runs_of_item in side.split()]
    for side in ("1101 1011 0111 1111 1010 1110", "0010 0100 0001 1001 0010 1010")
]


def sample_of(u, v, **fields):
    return read_sample(Claim(p="1", data=[u, v], **fields))


def way(unit, law="exact", tail="less", **about):
    about = {"law": law, "tail": tail, "unit": Fraction(unit), **about}
    return Way(statistic="difference", data="rounded", **about)


def judged(p, u=U, v=V, **fields):
    return audit_claim({"p": p, "data": [u, v], **fields})


def by_definition(design, u, v):
    """Every p-value by enumeration."""
    if design == "pooled":
        items, design = [(list(chain(*u)), list(chain(*v)))], "within"
    elif design == "epochs":
        items, design = [([a], [b]) for a, b in zip(chain(*u), chain(*v))], "items"
    else:
        items = list(zip(u, v))
    return every_pvalue(values(items, design), statistic(items))


WHOLE = st.integers(0, 3)
SHAPES = st.sampled_from([(2, 2, 2), (3, 2, 2), (2, 2, 1), (3, 1, 2), (1, 3, 3), (2, 1, 1)])


@st.composite
def tables(draw, scores=WHOLE):
    n, *sizes = draw(SHAPES)
    return [
        [draw(st.lists(scores, min_size=size, max_size=size)) for _ in range(n)] for size in sizes
    ]


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(data=tables(), design=st.sampled_from([*THREE, "pooled", "epochs"]))
def test_every_tail_and_boundary_by_the_definition(data, design):
    sample = sample_of(*data)
    assume(design in sample.designs)
    known = sample.under(design).facts("difference", "", Allowance())
    for (tail, boundary), expected in by_definition(design, *data).items():
        assert known.value("exact", tail, boundary) == (expected, expected), (tail, boundary)


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
    fields = {"design": design} if said in ("all", "design") else {}
    fields |= {"alternative": tail} if said in ("all", "tail") else {}
    fields |= {"stated": "all"} if said == "all" else {}
    found = judged(f"p = {decimal_string(p, digits)}", *data, **fields)
    surely = said in ("all", "tail") or tail == "two-sided"
    assert found.heap == "fine" or (found.heap == "question" and not surely), found.line()


def test_wrong_claims_with_the_design_stated_are_refuted():
    for design in THREE:
        p = permutation_test_runs(U, V, design=design).pvalue
        text = decimal_string(p * Fraction(6, 5) if 2 * p < 1 else p / 2, 3)
        assert judged(f"p = {text}", design=design, stated="all").heap == "wrong"


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(data=tables(), moves=st.lists(st.integers(-5, 5), min_size=36, max_size=36))
def test_bounds_hold_for_all_runs_that_round_to_the_given_ones(data, moves):
    places = iter(moves)
    behind = [[[10 * x + next(places) for x in item] for item in side] for side in data]
    sample = sample_of(*[[[10 * x for x in item] for item in side] for side in data])
    for design in {"within", "systems"} & {*sample.designs}:
        under = sample.under(design)
        if under is sample:
            continue
        for (tail, boundary), p in by_definition(design, *behind).items():
            if tail not in ("two-sided", "2min"):
                found = rounded(way(10, tail=tail, boundary=boundary), under, Allowance())
                assert found[0][0] <= p <= found[0][1], (tail, boundary)


def test_rounded_runs_without_proved_bounds_stay_open():
    unequal = [item[:2] for item in V]
    about = {"rounded": "1", "alternative": "two-sided"}
    assert judged("p = .9", U, unequal, design="within", **about).heap == "undecided"
    assert judged("p = .9", design="systems", law="t", **about).heap == "undecided"
    for law, fields in (("exact", {"decimals": 1}), ("normal", {})):
        under = sample_of(U, V, **fields).under("within")
        assert rounded(way(1, law=law), under, Allowance()) == ()


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


def test_long_tests_of_runs_have_brackets_first(monkeypatch, refuse):
    u, v = [[[x + i / 7 for i, x in enumerate(item)] for item in side] for side in (U, V)]
    exact = permutation_test_runs(u, v, design="within").pvalue
    monkeypatch.setattr(facts, "SOON", 1e-9)
    known = sample_of(u, v).under("within").facts("difference", "", Allowance())
    low, high = known.value("exact", "two-sided")
    assert low <= exact <= high
    finer = known.finer(8, Allowance())
    assert finer.value("exact", "two-sided") >= (low, low)
    text = f"{exact.numerator}/{exact.denominator}"
    assert judged(text, u, v, design="within", stated="all").heap == "fine"
    less = permutation_test_runs(U, V, design="within", alternative="less").pvalue
    ((low, high),) = rounded(way(1), sample_of(U, V).under("within"), Allowance())
    assert 0 < low <= less <= high <= 1
    refuse(bracket, "tail_bracket")
    refused = sample_of(u, v).under("within").facts("difference", "", Allowance())
    assert (refused.tails, refused.refusal) == ({}, "too dear")
    refuse(facts.plan, "expected")
    assert judged("p = .9", design="within", stated="all").heap == "undecided"


def test_pooled_runs_that_nobody_counts(refuse):
    refuse(runs, "exchange")
    sample = sample_of(U, V)
    assert sample.under("pooled").steps is None
    assert judged("p = .5").heap == "undecided"
    with pytest.raises(BudgetExceeded):
        sample.under("within")
    assert facts.Facts(n=1).digits == 0


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
    heaps = [judged("p < .05", n=n).heap for n in (6, 24, 48, 7)]
    assert heaps == ["fine", "fine", "fine", "wrong"]


def test_ranks_of_item_means_and_of_all_runs():
    found = judged("p = .0312", statistic="wilcoxon", law="exact")
    words = "exact Wilcoxon signed-rank test (zeros dropped), blocks of runs swapped within items"
    assert found.taken == f"{words}, two-sided"
    known = sample_of(U, V).under("epochs").facts("wilcoxon", "wilcox", Allowance())
    p = decimal_string(known.value("exact", "two-sided")[0], 4)
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
    read = partial(content, tmp_path, tmp_path)
    sample = read_sample(Claim(p="1", **about), read)
    assert ("systems" in sample.designs) == named
    assert read_sample(Claim(p="1", design="within", **about), read).runs == sample.runs
