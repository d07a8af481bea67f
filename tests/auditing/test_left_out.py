"""Where the stated n is smaller by one or two than the data, the pairs whose absence prints the text are named."""

import math
from itertools import combinations

import pytest

from exactperm import Budget, audit_claim, sign_flip_test, sign_test, wilcoxon_signed_rank_test

MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def without(*places):
    return [d for i, d in enumerate(MAIZE, 1) if i not in places]


def audited(p, **fields):
    return audit_claim({"p": p, "data": MAIZE, "stated": "all", **fields})


@pytest.mark.parametrize("places", [(2,), (15,), (2, 15), (7, 13)])
def test_the_pairs_that_explain_the_number(places):
    p = sign_flip_test(without(*places)).pvalue
    finding = audited(f"p = {float(p):.6f}", n=15 - len(places))
    assert finding.reason == "n-differs"
    names = " and ".join(
        f"pair {i} (difference {MAIZE[i - 1]})" for i in sorted(places, key=lambda i: MAIZE[i - 1])
    )
    assert (
        finding.fits[0].convention == f"exact paired permutation test, two-sided, without {names}"
    )
    assert finding.fits[0].value == p
    assert finding.chance < 0.05
    assert f"without {names} the p-value prints so; so many choices print " in finding.notes[-1]
    assert "chance that a wrong text is explained as well" in "\n".join(finding.details())


def test_all_choices_are_tried():
    """By brute force over all pairs and all two pairs: those that print the text, and no others."""
    for number in (1, 2):
        values = {
            left: sign_flip_test(without(*left)).pvalue
            for left in combinations(range(1, 16), number)
        }
        for text in (".02", ".05", ".09", ".12"):
            finding = audited(f"p = {text}", n=15 - number)
            fitting = [left for left, p in values.items() if round(float(p), 2) == float(text)]
            if not finding.fits:
                assert not fitting or finding.notes[-1].startswith("no p-value")
            else:
                assert {fit.value for fit in finding.fits} >= {values[left] for left in fitting}
    assert audited("p = .77", n=14).notes[-1] == "no p-value without one pair prints so"
    assert audited("p = .77", n=13).notes[-1] == "no p-value without two pairs prints so"


@pytest.mark.parametrize(
    ("fields", "p"),
    [
        ({"statistic": "signed-rank"}, wilcoxon_signed_rank_test(without(2)).pvalue),
        ({"statistic": "sign"}, sign_test(without(2)).pvalue),
        ({"alternative": "min"}, sign_flip_test(without(2)).pvalue / 2),
    ],
)
def test_other_statistics(fields, p):
    finding = audited(f"p = {float(p):.6f}", n=14, **fields)
    assert any("pair 2 (difference -67)" in fit.convention for fit in finding.fits)


def test_pairs_alike_are_named_once_and_many_are_counted():
    data = [5, 5, 5, -2, 3, 1, 7, 4]
    p = sign_flip_test([5, 5, -2, 3, 1, 7, 4]).pvalue
    finding = audit_claim({"p": f"p = {float(p):.6f}", "data": data, "n": 7, "stated": "all"})
    assert "pair 1 (difference 5) (or another of 3 alike)" in finding.notes[-1]
    two = sign_flip_test([5, -2, 3, 1, 7, 4]).pvalue
    finding = audit_claim({"p": f"p = {float(two):.6f}", "data": data, "n": 6, "stated": "all"})
    assert any(
        "pair 1 (difference 5) (or another of 3 alike) and pair 2" in fit.convention
        for fit in finding.fits
    )
    equal = audit_claim(
        {"p": "p = .016", "data": [1, 2, 3, 4, 5, 6, 7, 8], "n": 7, "stated": "all"}
    )
    assert "; or 5 more the p-value prints so" in equal.notes[-1]


def test_groups_are_named_so():
    data = {"d": [3, 1, 2, 5, -1, 2, 4], "g": ["a", "b", "c", "d", "e", "f", "h"]}
    p = sign_flip_test([3, 1, 2, 5, 2, 4]).pvalue
    claim = {
        "p": f"p = {float(p):.5f}",
        "data": data,
        "columns": "d",
        "groups": "g",
        "n": 6,
        "stated": "all",
    }
    assert "group 5 (difference -1)" in audit_claim(claim).notes[-1]


def test_nothing_is_searched():
    """For other numbers of pairs, an inequality, an estimate, an adjusted p-value, and where all pairs print it."""
    for fields in (
        {"p": "p = .02", "n": 12},
        {"p": "p < .02", "n": 14},
        {"p": "p = .000", "n": 14},
        {"p": "p = .2", "n": 14, "law": "monte-carlo", "samples": 100},
        {"p": "p = .2", "n": 14, "adjustment": "bonferroni", "tests": 2},
        {"p": "p = .053", "n": 14},
    ):
        finding = audited(**fields)
        assert finding.reason == "n-differs"
        assert not any("without" in note for note in finding.notes)


def test_a_search_beyond_the_budget_is_not_made():
    """40 doubles: a bracket takes a tenth of a second, the p-values without two pairs hundreds of counts."""
    data = [repr(math.sin(i) + 0.3) for i in range(40)]
    finding = audit_claim(
        {"p": "p = .9", "data": data, "n": 38, "stated": "all"}, budget=Budget(seconds=60)
    )
    assert (
        finding.notes[-1]
        == "which two pairs may have been left out takes longer than the budget to find"
    )


def test_the_law_of_a_t_test_has_none_for_equal_differences():
    finding = audit_claim({"p": "p = .5", "data": [1, -1], "n": 1, "law": "t", "stated": "all"})
    assert finding.notes[-1] == "no p-value without one pair prints so"
