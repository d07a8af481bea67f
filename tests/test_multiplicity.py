"""Adjusted p-values: known answers, the definitions by brute force, and the order relations between the methods."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from complaint import check_refusals, complaint
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded
from exactperm.multiplicity import METHODS, AdjustedPValues, adjust_pvalues

FREE = tuple(name for name in METHODS if name != "tarone")
probabilities = st.one_of(
    st.integers(0, 16).map(lambda k: Fraction(k, 16)),  # ties, 0 and 1
    st.fractions(0, 1, max_denominator=1000),
)
columns = st.lists(probabilities, min_size=1, max_size=7)


def adjusted(pvalues, method, **options):
    return list(adjust_pvalues(pvalues, method, **options).adjusted)


def numbers(text):
    return list(map(Fraction, text.split()))


def simes(ps):
    return min(Fraction(len(ps) * p, k) for k, p in enumerate(sorted(ps), 1))


GLOBAL = {
    "holm": lambda ps: min(Fraction(1), len(ps) * min(ps)),
    "holm-sidak": lambda ps: 1 - (1 - min(ps)) ** len(ps),
    "hommel": simes,
}
"""Tests of a set of hypotheses, of which these methods are the closed tests."""


def by_definition(pvalues, method):
    """Adjusted p-values from the definitions, one hypothesis at a time, without ranks or running extremes."""
    m = len(pvalues)
    if method == "bonferroni":
        return [min(Fraction(1), m * p) for p in pvalues]
    if method == "sidak":
        return [1 - (1 - p) ** m for p in pvalues]
    if method not in GLOBAL:
        return [least_level(pvalues, p, method) for p in pvalues]
    sets = [s for size in range(1, m + 1) for s in combinations(range(m), size)]
    return [max(GLOBAL[method]([pvalues[j] for j in s]) for s in sets if i in s) for i in range(m)]


def least_level(pvalues, p, method):
    """The least level at which the step-up procedure rejects, found among all critical levels."""
    m, ranks = len(pvalues), range(1, len(pvalues) + 1)
    harmonic = sum(Fraction(1, j) for j in ranks)
    share = {
        "fdr_bh": lambda j: Fraction(j, m),
        "fdr_by": lambda j: j / harmonic / m,
        "hochberg": lambda j: Fraction(1, m - j + 1),
    }[method]
    for level in sorted(x / share(j) for x in pvalues for j in ranks):
        passing = [x for j, x in zip(ranks, sorted(pvalues)) if x <= level * share(j)]
        if passing and p <= max(passing):
            return min(level, Fraction(1))
    return Fraction(1)


@pytest.mark.slow
@pytest.mark.parametrize("method", FREE)
@given(pvalues=columns)
@settings(max_examples=25)
def test_adjusted_values_are_those_of_the_definition(method, pvalues):
    """Holm, Holm-Sidak and Hommel as closed tests over all subsets; step-up methods as the least rejecting level."""
    assert adjusted(pvalues, method) == by_definition(pvalues, method)


@pytest.mark.slow
@given(pvalues=columns, data=st.data())
def test_every_adjustment_rises_with_every_pvalue(pvalues, data):
    """So brackets are adjusted outward. And the more powerful method never gives the larger value."""
    raised = [max(p, data.draw(probabilities)) for p in pvalues]
    values = {method: adjusted(pvalues, method) for method in FREE}
    pairs = [(values[method], adjusted(raised, method)) for method in FREE]
    for less, more in (
        *(("holm", "bonferroni"), ("sidak", "bonferroni"), ("holm-sidak", "holm")),
        *(("holm-sidak", "sidak"), ("hochberg", "holm"), ("hommel", "hochberg")),
        ("fdr_bh", "hommel"),
    ):
        pairs.append((values[less], values[more]))
    assert all(a <= b for less, more in pairs for a, b in zip(less, more))


def test_two_of_three_pairs_can_be_exchangeable():
    """Shaffer's logical adjustment supposes that it cannot be: B is independent of A and of C = A + 1 modulo 3."""
    outcomes = [(a, b, (a + 1) % 3) for a in range(3) for b in range(3)]
    laws = {(i, j): Counter((x[i], x[j]) for x in outcomes) for i in range(3) for j in range(3)}
    assert laws[0, 1] == laws[1, 0]
    assert laws[1, 2] == laws[2, 1]
    assert laws[0, 2] != laws[2, 0]
    # so after the first rejection Holm's method has two hypotheses left, Shaffer's would have one
    assert adjusted(["1/1000", "1/30", "1/25"], "holm")[1:] == [Fraction(1, 15)] * 2


@pytest.mark.slow
@pytest.mark.parametrize("method", FREE)
@given(pvalues=columns, alpha=probabilities)
@settings(max_examples=25)
def test_reject_agrees_with_the_adjusted_values(method, pvalues, alpha):
    """Also at levels that equal an adjusted value, where < and <= part."""
    result = adjust_pvalues(pvalues, method)
    for level in (alpha, *result.adjusted):
        assert result.reject(level) == tuple(a <= level for a in result.adjusted)
        assert result.reject(level, strict=True) == tuple(a < level for a in result.adjusted)


# Fifteen p-values of Benjamini and Hochberg (1995, section 4), of which Bonferroni and Holm reject
# three at 0.05, Benjamini and Hochberg four. The adjusted values are worked from the formulas and
# confirmed with statsmodels; each catches a wrong factor or a running extreme in the wrong direction.
TREATMENT = "0.0001 0.0004 0.0019 0.0095 0.0201 0.0278 0.0298 0.0344 0.0459 0.3240 0.4262 0.5719 0.6528 0.7590 1"
KNOWN = {
    "bonferroni": "0.0015 0.006 0.0285 0.1425 0.3015 0.417 0.447 0.516 0.6885 1 1 1 1 1 1",
    "holm": "0.0015 0.0056 0.0247 0.114 0.2211 0.278 0.278 0.278 0.3213 1 1 1 1 1 1",
    "hommel": "0.0015 0.0056 0.0247 0.095 0.1608 0.1946 0.2086 0.2408 0.3213 1 1 1 1 1 1",
    "hochberg": "0.0015 0.0056 0.0247 0.114 0.2211 0.2682 0.2682 0.2752 0.3213 1 1 1 1 1 1",
    "fdr_bh": "3/2000 3/1000 19/2000 57/1600 603/10000 447/7000 447/7000 129/2000 153/2000 "
    "243/500 6393/11000 57190/80000 97920/130000 11385/14000 1",
}


def test_known_answers_of_a_published_example():
    for method, text in KNOWN.items():
        assert adjusted(TREATMENT.split(), method) == numbers(text), method
    # by hand: Simes over {2, 3, 4} is min(3 * .02, 3/2 * .03, .9) = .045 for the second
    assert adjusted(numbers("0.01 0.02 0.03 0.9"), "hommel") == numbers("0.04 0.045 0.06 0.9")
    # as R: p.adjust(c(0.01, 0.04), "BH", n = 5); and a million tests need no million terms
    assert adjusted(["0.01", "0.04"], "BH", n=5) == numbers("0.05 0.1")
    assert adjusted(["1e-8"], "holm", n=10**6) == numbers("0.01")


@pytest.mark.slow
@given(tops=st.lists(st.integers(0, 40), max_size=40), n=st.integers(0, 10))
def test_hommel_is_the_maximum_over_the_sizes_of_the_least_favourable_set(tops, n):
    """In n**2 steps for each hypothesis: i with the s - 1 largest others, among the p-values and n ones."""
    pvalues = [Fraction(top, 40) for top in tops]

    def largest(i):
        others = sorted(pvalues[:i] + pvalues[i + 1 :] + [Fraction(1)] * n)
        sizes = range(len(others) + 1)
        return max(simes([pvalues[i], *others[len(others) - s :]]) for s in sizes)

    assert adjusted(pvalues, "hommel", n=len(tops) + n) == list(map(largest, range(len(tops))))


@pytest.mark.slow
def test_hommel_of_ten_thousand_values():
    """Squares lie on a convex curve, so that all points are on the hull; n**2 steps would take minutes."""
    pvalues = [Fraction(k * k, 10**9) for k in range(1, 10001)]
    hommel, hochberg = (adjusted(pvalues, name) for name in ("hommel", "hochberg"))
    assert all(p <= a <= b for p, a, b in zip(pvalues, hommel, hochberg))


@pytest.mark.parametrize(
    ("names", "method"),
    [
        ("BH, fdr, FDR, fdr-bh, Benjamini-Hochberg", "fdr_bh"),
        ("BY, by, Benjamini Yekutieli", "fdr_by"),
        ("bonf, Bonferroni", "bonferroni"),
        ("holm-bonferroni, Holm", "holm"),
        ("holm_sidak, holm-sidak", "holm-sidak"),
        ("simes-hochberg, Hochberg", "hochberg"),
    ],
)
def test_names_that_people_know(names, method):
    assert {adjust_pvalues([1], name).method for name in names.split(", ")} == {method}


@pytest.mark.parametrize("method", METHODS)
@given(pvalues=columns, others=st.integers(0, 4))
@settings(max_examples=15)
def test_more_tests_than_pvalues(method, pvalues, others):
    """The p-values that are not given count as 1; each test can attain any of them."""
    n = len(pvalues)
    least = {"min_attainable": [0] * (n + others)} if method == "tarone" else {}
    padded = adjust_pvalues([*pvalues, *[1] * others], method, **least)
    some = adjust_pvalues(pvalues, method, n=n + others, **least)
    assert some.adjusted == padded.adjusted[:n]
    assert some.reject("0.3") == padded.reject("0.3")[:n]


# ------------------------------------------------------------------------------------------- Tarone


def tarone_rejects(pvalues, least, level):
    """Tarone's procedure at one level, as published: the least K with #{p* <= level / K} <= K."""
    k = next(k for k in range(1, len(pvalues) + 1) if sum(x <= level / k for x in least) <= k)
    return [p <= level / k for p in pvalues]


fortieths = st.integers(1, 40).map(lambda k: Fraction(k, 40))
discrete = st.tuples(fortieths, st.fractions(0, 1, max_denominator=80))


@pytest.mark.slow
@given(st.lists(discrete, min_size=1, max_size=6))
def test_tarone_is_the_least_level_at_which_the_published_procedure_rejects(tests):
    least, pvalues = zip(*((x, max(x, p)) for x, p in tests))
    found = adjusted(pvalues, "tarone", min_attainable=least)
    levels = {min(Fraction(1), k * p) for k in range(1, len(tests) + 1) for p in pvalues}
    rejects = {level: tarone_rejects(pvalues, least, level) for level in sorted(levels)}
    for i, a in enumerate(found):
        assert a == next((level for level, rejected in rejects.items() if rejected[i]), 1)
    assert all(p <= a <= b for p, a, b in zip(pvalues, found, adjusted(pvalues, "bonferroni")))


@pytest.mark.slow
@given(least=st.lists(st.integers(1, 12), min_size=1, max_size=4), alpha=st.integers(1, 12))
def test_tarone_holds_the_level_exactly(least, alpha):
    """Independent p-values uniform on {k/12, ..., 1}: the probability of any rejection, enumerated, is <= alpha."""
    attainable = [Fraction(x, 12) for x in least]

    def is_rejected(i, p):
        """Whatever the other p-values are, since an adjusted value depends on its own p only."""
        pvalues = [*attainable[:i], Fraction(p, 12), *attainable[i + 1 :]]
        return adjusted(pvalues, "tarone", min_attainable=attainable)[i] <= Fraction(alpha, 12)

    kept = [
        1 - Fraction(max((p for p in range(x, 13) if is_rejected(i, p)), default=0), 12)
        for i, x in enumerate(least)
    ]
    assert 1 - prod(kept) <= Fraction(alpha, 12)


# ----------------------------------------------------------------------------- long numbers, errors


@pytest.mark.parametrize("method", ["sidak", "holm-sidak"])
def test_levels_are_decided_where_no_short_enclosure_can(method):
    """p of 5,000 digits and a level equal to the adjusted value, one unit below it, and one above."""
    p = Fraction(10**4999 + 7, 10**5003)
    result = adjust_pvalues([p, Fraction(1, 2), Fraction(1, 3)], method)
    exact, *_ = result.adjusted
    tiny = Fraction(1, exact.denominator)
    for shift, strict in product((-1, 0, 1), (False, True)):
        rejected = shift > 0 or (shift == 0 and not strict)
        assert result.reject(exact + shift * tiny, strict=strict) == (rejected, False, False)
    assert repr(result).startswith("AdjustedPValues(")


def test_long_numbers():
    """Powers that meet in one point whichever way they are written; numbers that no float can hold."""
    result, level = adjust_pvalues([Fraction(1, 2)] * 200, "sidak"), 1 - Fraction(1, 2**200)
    assert all(result.reject(level)) and not any(result.reject(level, strict=True))
    tiny, half = Fraction(1, 2**3000), Fraction(1, 2)
    assert adjusted([3 * tiny, half], "tarone", min_attainable=[tiny, half]) == [3 * tiny, 1]
    # m = 190 with 2**10000 below the line: powers of 1.9 million bits are compared unwritten
    pvalues = [Fraction(3**k + 1, 2**10000) + Fraction(k, 1024) for k in range(190)]
    for method in ("sidak", "holm-sidak"):
        assert adjust_pvalues(pvalues, method).reject("0.05") == (True, *[False] * 189)
    assert adjusted(pvalues, "holm")[:2] == [190 * pvalues[0], 189 * pvalues[1]]


def coprime(m, bits):
    """m p-values without a common divisor of their denominators: their common denominator has m times the bits."""
    return [Fraction(1, 2**bits + 2 * k + 1) for k in range(m)]


@pytest.mark.slow
def test_long_work_is_refused_before_it_starts():
    """Powers only where they are written out; the least p-values need an interval beyond their leading zeros."""
    long, halves = coprime(9000, 9000), [Fraction(1, 2)] * 20
    deep = [Fraction(2 * k + 1, 2**60000) for k in range(1500)]
    for pvalues, method, n in (
        *((long, "holm", None), (long, "fdr_bh", None), (halves, "hommel", 10**9)),
        *((halves, "fdr_by", 10**9), (halves, "fdr_by", 10**400), (halves[:1], "sidak", 10**70)),
        *((deep, "sidak", None), (deep, "holm-sidak", None)),
    ):
        told = complaint(BudgetExceeded, partial(adjusted, pvalues, method, n=n))
        assert told.startswith(f"{method} of {len(pvalues)} p-values"), method
    assert all(adjust_pvalues(deep, "sidak").reject("0.05"))
    with pytest.raises(BudgetExceeded):
        adjust_pvalues(deep, "holm-sidak").reject("0.05")


def test_a_budget_of_the_caller():
    pvalues, small, large = numbers("1/3 1/7"), Budget(seconds=1e-9), Budget(seconds=60)
    for method in ("holm", "hommel", "fdr_by"):
        with pytest.raises(BudgetExceeded) as caught:
            adjust_pvalues(pvalues, method, budget=small)
        assert caught.value.limit == small
        assert adjust_pvalues(pvalues, method, budget=large) == adjust_pvalues(pvalues, method)
    powers = adjust_pvalues(coprime(2, 200), "sidak", budget=small)
    assert powers.reject("0.5") == (True, True)
    with pytest.raises(BudgetExceeded):
        _ = powers.adjusted


def test_reading_order_and_empty():
    assert adjusted([0.1, "1/10", Fraction(1, 10)], "bonferroni") == [Fraction(3, 10)] * 3
    assert adjusted([], "fdr_by") == adjusted([], "sidak") == []
    result = adjust_pvalues([0.5, 0.25])
    assert result == AdjustedPValues(pvalues=(Fraction(1, 2), Fraction(1, 4)), method="holm")
    assert (list(result), len(result)) == ([Fraction(1, 2)] * 2, 2)
    assert all(type(p) is Fraction for p in adjusted([0, 1], "sidak"))


REFUSED = """
[0.5, 1.5], {} | pvalues[1] is Fraction(3, 2)
[-1], {} | pvalues[0] is -1
[0.5], {'method': 'fdr_tsbh'} | method is 'fdr_tsbh'
[0.5], {'method': 5} | method is 5
[0.5, 0.1], {'n': 1} | n is 1
[0.5], {'method': 'tarone'} | min_attainable is for the method 'tarone'
[0.5], {'min_attainable': [0.1]} | min_attainable is for the method 'tarone', which
[0.5], {'method': 'tarone', 'min_attainable': [0.1], 'n': 3} | min_attainable has 1 entries for 3
[0.5], {'method': 'tarone', 'min_attainable': [0.1, 0.2]} | min_attainable has 2 entries for 1
[1], {'method': 'tarone', 'min_attainable': [2]} | min_attainable[0] is 2
[1, 0.1], {'method': 'tarone', 'min_attainable': [1, 0.2]} | pvalues[1] is Fraction(1, 10), below
[0.5, None], {} | pvalues[1] is None | WrongType
0.5, {} | pvalues is 0.5 | WrongType
[0.5], {'n': 2.0} | n is 2.0 | WrongType
[1], {'method': 'tarone', 'min_attainable': [None]} | min_attainable[0] is None | WrongType
"""
LEVELS = """
-1, {} | alpha is -1
'1.01', {} | alpha is '1.01'
1e999, {} | alpha is inf
'0.05', {'strict': 'no'} | strict is 'no' | WrongType
"""


def test_errors_name_the_place():
    check_refusals(lambda pvalues, about: adjust_pvalues(pvalues, **about), REFUSED)
    check_refusals(lambda alpha, about: adjust_pvalues([0.5]).reject(alpha, **about), LEVELS)
