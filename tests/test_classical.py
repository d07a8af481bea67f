"""The classical tests against their definitions, SciPy where it is exact, and published values."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import brute
from complaint import check_refusals, refused
from exactperm.budget import Budget
from exactperm.classical import paired as classical
from exactperm.classical.paired import (
    ZERO_METHODS,
    fast_wilcoxon_signed_rank_test,
    mcnemar_test,
    sign_test,
    wilcoxon_signed_rank_test,
)
from exactperm.cli.demo import DARWIN_MAIZE
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from peers import peer

scores = st.lists(st.tuples(st.integers(-3, 4), st.integers(-3, 4)), min_size=1, max_size=8)
alternatives = st.sampled_from(ALTERNATIVES)


def signed_ranks(zero_method):
    """W+ by counting, for each pair, the sizes below and equal: independent of any sorting."""

    def statistic(u, v):
        kept = [a - b for a, b in zip(u, v) if a != b or zero_method != "wilcox"]
        total = Fraction(0)
        for x in kept:
            below = sum(abs(y) < abs(x) for y in kept)
            equal = sum(abs(y) == abs(x) for y in kept)
            share = (x > 0) + Fraction(x == 0 and zero_method == "zsplit") / 2
            total += share * (below + Fraction(equal + 1, 2))
        return total

    return statistic


@pytest.mark.slow
@given(scores, alternatives)
def test_sign_test(pairs, alternative):
    u, v = zip(*pairs)
    result = sign_test(u, v, alternative=alternative)
    wins = brute.pvalue(
        u, v, lambda u, v: sum((a > b) - (a < b) for a, b in zip(u, v)), alternative
    )
    assert result.pvalue == wins
    assert (result.n, result.n_nonzero) == (len(u), sum(a != b for a, b in pairs))


@pytest.mark.slow
@given(scores, alternatives, st.sampled_from(ZERO_METHODS))
def test_wilcoxon(pairs, alternative, zero_method):
    u, v = zip(*pairs)
    result = wilcoxon_signed_rank_test(u, v, alternative=alternative, zero_method=zero_method)
    statistic = signed_ranks(zero_method)
    assert result.statistic == statistic(u, v)
    assert result.pvalue == brute.pvalue(u, v, statistic, alternative)


@pytest.mark.slow
@given(st.integers(0, 5), st.integers(0, 5), alternatives)
def test_mcnemar(b, c, alternative):
    result = mcnemar_test(b, c, alternative=alternative)
    u, v = [1] * b + [0] * c, [0] * b + [1] * c
    assert result.pvalue == brute.pvalue(u, v, brute.sum_of_differences, alternative)
    assert (result.n, result.statistic) == (b + c, b - c)
    tables = [[[8, b], [c, 1]], ((8, b), iter([c, 1])), peer("numpy").array([[8, b], [c, 1]])]
    assert {mcnemar_test(table, alternative=alternative) for table in tables} == {result}


def test_wilcoxon_on_darwins_maize():
    """V = 96 for 15 pairs without ties in rank: two-sided .04126 in R's wilcox.test(exact = TRUE); here as a count."""
    result = wilcoxon_signed_rank_test(DARWIN_MAIZE, [0] * 15)
    assert (result.statistic, result.count, result.total) == (96, 1352, 32768)


REFUSED = """
-1, 2 | b is -1
'x', 1 | b is 'x'
[[80, 9, 1], [1, 10]], | table is [[80, 9, 1]
1, 2.5 | c is 2.5 | WrongType
1, None | c is None | WrongType
"""


def test_bad_input():
    check_refusals(mcnemar_test, REFUSED)
    calls = {
        "zero_method is 'drop'": lambda: wilcoxon_signed_rank_test([1], [2], zero_method="drop"),
        "alternative is 'x'": lambda: mcnemar_test(1, 2, alternative="x"),
    }
    refused(ExactPermError, calls)


def test_budgets_are_kept():
    for call, arguments in (
        (sign_test, ([1, 2, 3, 4, -9], [0] * 5)),
        (mcnemar_test, (4, 1)),
        (wilcoxon_signed_rank_test, ([-4, 3, 2, 5, 1], [0] * 5)),
    ):
        assert call(*arguments, budget=Budget(seconds=60)).total == 32
        with pytest.raises(BudgetExceeded):
            call(*arguments, budget=Budget(seconds=1e-12))


@pytest.mark.slow
@pytest.mark.parametrize("zero_method", ZERO_METHODS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_the_certified_signed_ranks(zero_method, alternative):
    """The exact p-value lies in the bracket, for few ranks and for 300 with ties."""
    rng = random.Random(1)
    for n in (5, 300):
        u, v = ([rng.randint(0, n) for _ in range(n)] for _ in range(2))
        options = {"zero_method": zero_method, "alternative": alternative}
        exact = wilcoxon_signed_rank_test(u, v, **options)
        found = fast_wilcoxon_signed_rank_test(u, v, **options)
        assert found.lower <= exact.pvalue <= found.upper
        assert (found.statistic, found.pvalue) == (exact.statistic, float(exact.pvalue))


def test_ranks_of_fractions_without_a_bearable_common_denominator(monkeypatch):
    """They are ranked as they are: the same ranks, more slowly."""
    differences = [Fraction(1, 3), 0, Fraction(-1, 2), 2, Fraction(1, 2), Fraction(-7, 5)]
    known = [classical.signed_ranks(differences, method) for method in ZERO_METHODS]
    assert known[0] == [1, 0, Fraction(-5, 2), 5, Fraction(5, 2), -4]

    def too_long(*_):
        raise BudgetExceeded("numbers")

    monkeypatch.setattr(classical, "common_denominator", too_long)
    assert [classical.signed_ranks(differences, method) for method in ZERO_METHODS] == known


def test_forms_of_arguments():
    assert sign_test([3, 1], [1, "0.5"], mu="1/2") == sign_test([1.5, 0], [0, 0])
    assert mcnemar_test("9.0", "2/2").pvalue == mcnemar_test([[3, 9], [1, 5]]).pvalue
