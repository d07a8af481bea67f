"""Leave-one-out p-values against tests of the data with that pair left out."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import check_refusals, complaint
from exactperm.budget import Budget
from exactperm.classical.influence import influence
from exactperm.cli.demo import DARWIN_MAIZE
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.null.alternative import ALTERNATIVES
from exactperm.permutation import permutation_test, sign_flip_test

scores = st.one_of(st.integers(-4, 4), st.fractions(-2, 2, max_denominator=3))
columns = st.lists(st.tuples(scores, scores), min_size=2, max_size=7)
alternatives = st.sampled_from(ALTERNATIVES)


def without(pairs, alternative):
    """The p-values without each pair."""
    tests = ([*pairs[:i], *pairs[i + 1 :]] for i in range(len(pairs)))
    return [permutation_test(*zip(*kept), alternative=alternative).pvalue for kept in tests]


@pytest.mark.slow
@given(columns, alternatives)
def test_each_pair_left_out(pairs, alternative):
    assert list(influence(*zip(*pairs), alternative=alternative).pvalues) == without(
        pairs, alternative
    )


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_larger_data(alternative):
    """And few pairs over a wide support: one pass is above the budget, so each is left out of a test of its own."""
    rng = random.Random(3)
    pairs = [(rng.randint(0, 12), rng.randint(0, 12)) for _ in range(40)]
    wide = ["0.123456789", "-0.987654321", "0.555555557", "0.123456789", "0.2"]
    for some in (pairs, [(x, 0) for x in wide]):
        found = influence(*zip(*some), alternative=alternative, budget=Budget(seconds=5))
        assert list(found.pvalues) == without(some, alternative)


@pytest.mark.slow
@given(columns, alternatives, st.sampled_from(["1/2", "1/4", "3/4", 1]), st.booleans())
def test_greedy_removals(pairs, alternative, alpha, strict):
    def rejected(p):
        return p < Fraction(alpha) if strict else p <= Fraction(alpha)

    options = {"strict": True} if strict else {}
    found = influence(*zip(*pairs), alternative=alternative).greedy_removals(alpha, **options)
    start = rejected(permutation_test(*zip(*pairs), alternative=alternative).pvalue)
    positions, taken = list(range(len(pairs))), []
    while len(positions) > 1:
        left = without([pairs[i] for i in positions], alternative)
        best = left.index((max if start else min)(left))
        taken.append(positions.pop(best))
        if rejected(left[best]) != start:
            assert found == tuple(taken)
            return
    assert found is None


LEVELS = """
0, | alpha is 0
-1, | alpha is -1
'1.5', | alpha is '1.5'
'0.5', 1 | strict is 1 | WrongType
"""


def test_bad_input():
    found = influence([1, 2], [3, 5])
    check_refusals(lambda a, strict=False: found.greedy_removals(a, strict=strict), LEVELS)
    assert complaint(ExactPermError, lambda: influence([1], [2])).startswith(
        "u and v have one pair"
    )


def refusal(call):
    return complaint(BudgetExceeded, call)


def test_budgets():
    """The greedy search is refused where the test of all pairs is; one test is cheaper than one without each pair."""
    u, v, nothing = [1, 2, 5, 7, 2, 9], [3, 5, 1, 2, 3, 4], Budget(seconds=1e-12)
    found = influence(u, v, budget=nothing)
    assert refusal(lambda: found.pvalues).startswith("counting 6 pairs ")
    expected = refusal(lambda: permutation_test(u, v, budget=nothing))
    assert refusal(lambda: found.greedy_removals("0.05")) == expected
    d, budget = [(-1) ** i * (10**7 + 7 * i**5) for i in range(24)], Budget(seconds=0.01)
    assert sign_flip_test(d, budget=budget).total == 2**24
    found = influence(d, [0] * 24, budget=budget)
    for call in (lambda: found.pvalues, lambda: found.greedy_removals("0.01")):
        assert refusal(call).startswith("no exact count of 24 pairs ")
    # removing a pair from each of n tallies takes n^2 steps, also where each test is cheap
    cheap = [2**i for i in range(300)]
    told = refusal(lambda: influence(cheap, [0] * 300, budget=Budget(seconds=1e-3)).pvalues)
    assert "removing a pair from each tally would take about 0.018 s" in told
    assert influence(cheap, [0] * 300).pvalues[0] == Fraction(1, 2**298)


def test_rows_name_the_pairs_that_matter_most():
    rows = dict(influence(DARWIN_MAIZE, [0] * 15).rows())
    assert rows["least"] == "0.00646973, exactly 53/8192, without pair 2 (difference -67)"
    assert rows["greatest"] == "0.101318, exactly 415/4096, without pair 13 (difference 75)"
    assert "without pair 1 and 1 more (difference 1)" in str(influence([1, 1], [0, 0]))
    assert influence([9, 9, 9, 9, 9, 1], [0, 0, 0, 0, 0, 2]).greedy_removals("0.07") == (0,)
    assert influence([1, 0], [0, 1]).greedy_removals("0.01", strict=True) is None
