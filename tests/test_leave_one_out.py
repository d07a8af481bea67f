"""Leave-one-out p-values against tests of the data with that pair left out."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.budget import Budget
from exactperm.classical.influence import influence
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.null.alternative import ALTERNATIVES
from exactperm.permutation import permutation_test, sign_flip_test

scores = st.one_of(st.integers(-4, 4), st.fractions(-2, 2, max_denominator=3))
columns = st.integers(2, 7).flatmap(
    lambda n: st.tuples(
        st.lists(scores, min_size=n, max_size=n), st.lists(scores, min_size=n, max_size=n)
    )
)


def without(column, position):
    return [*column[:position], *column[position + 1 :]]


@pytest.mark.slow
@given(columns, st.sampled_from(ALTERNATIVES))
def test_each_pair_left_out(data, alternative):
    u, v = data
    found = influence(u, v, alternative=alternative).pvalues
    assert len(found) == len(u)
    for i, pvalue in enumerate(found):
        assert (
            pvalue == permutation_test(without(u, i), without(v, i), alternative=alternative).pvalue
        )


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_larger_data(alternative):
    rng = random.Random(3)
    u, v = ([rng.randint(0, 12) for _ in range(150)] for _ in "uv")
    found = influence(u, v, alternative=alternative).pvalues
    for i in range(0, 150, 15):
        assert (
            found[i]
            == permutation_test(without(u, i), without(v, i), alternative=alternative).pvalue
        )


@pytest.mark.slow
@given(
    columns,
    st.sampled_from(ALTERNATIVES),
    st.sampled_from([Fraction(1, 2), Fraction(1, 4), Fraction(3, 4), 1]),
    st.booleans(),
)
def test_greedy_removals(data, alternative, alpha, strict):
    u, v = data

    def rejected(p):
        return p < alpha if strict else p <= alpha

    def pvalue(u, v):
        return permutation_test(u, v, alternative=alternative).pvalue

    options = {"strict": True} if strict else {}
    removed = influence(u, v, alternative=alternative).greedy_removals(alpha, **options)
    left_u, left_v, positions = list(u), list(v), list(range(len(u)))
    start = rejected(pvalue(u, v))
    taken = []
    while len(left_u) > 1:
        left = [pvalue(without(left_u, i), without(left_v, i)) for i in range(len(left_u))]
        best = left.index((max if start else min)(left))
        taken.append(positions.pop(best))
        left_u, left_v = without(left_u, best), without(left_v, best)
        if rejected(left[best]) != start:
            assert removed == tuple(taken)
            return
    assert removed is None


NO_NUMBER = "not a finite number such as '0.93', '3/7' or '1e-3'"


@pytest.mark.parametrize(
    ("u", "v", "options", "message"),
    [
        ([1], [2], {}, "u and v have one pair: without it no test is left"),
        ([], [], {}, "u and v are empty: a test needs at least one pair"),
        ([1, 2], [1], {}, "u has 2 entries and v has 1: they must be paired"),
        ([1, "x"], [1, 2], {}, f"u[1] is 'x': {NO_NUMBER}"),
        (["1", 1], ["x", 2], {}, f"v[0] is 'x': {NO_NUMBER}"),
        (
            [1, 2],
            [1, 2],
            {"alternative": "x"},
            "alternative is 'x': it must be one of two-sided, greater, less, doubled",
        ),
    ],
)
def test_bad_input(u, v, options, message):
    with pytest.raises(ExactPermError) as caught:
        influence(u, v, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize("alpha", [0, -1, "1.5"])
def test_alpha_is_checked(alpha):
    with pytest.raises(ExactPermError, match="alpha is"):
        influence([1, 2], [3, 5]).greedy_removals(alpha)


def test_columns_are_rounded_where_asked():
    found = influence(["0.14", "0.26", "0.3"], ["0.04", "0.3", "0.2"], decimals=1)
    assert found.differences == (Fraction(1, 10), 0, Fraction(1, 10))
    assert found.pvalues == (1, Fraction(1, 2), 1)


def refusal(call):
    with pytest.raises(BudgetExceeded) as caught:
        call()
    return str(caught.value)


def test_a_budget_of_nothing():
    """The greedy search is refused where the test of all pairs is, in the same words."""
    u, v, budget = [1, 2, 5, 7, 2, 9], [3, 5, 1, 2, 3, 4], Budget(seconds=1e-12)
    assert refusal(lambda: influence(u, v, budget=budget).pvalues).startswith("counting 6 pairs ")
    expected = refusal(lambda: permutation_test(u, v, budget=budget))
    assert refusal(lambda: influence(u, v, budget=budget).greedy_removals("0.05")) == expected


def test_a_budget_for_the_test_alone():
    """Enough for one test, but not for one without each pair, by one pass or one by one."""
    d, budget = [(-1) ** i * (10**7 + 7 * i**5) for i in range(24)], Budget(seconds=0.01)
    assert sign_flip_test(d, budget=budget).total == 2**24
    found = influence(d, [0] * 24, budget=budget)
    for call in (lambda: found.pvalues, lambda: found.greedy_removals("0.01")):
        message = refusal(call)
        assert message.startswith("no exact count of 24 pairs ")
        assert "one test for each of 24 differences is no way out: counting " in message


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_few_pairs_over_a_wide_support(alternative):
    """Where one pass is above the budget, each pair is left out of a test of its own."""
    d = ["0.123456789", "-0.987654321", "0.555555557", "0.123456789", "0.2"]
    found = influence(d, [0] * 5, alternative=alternative, budget=Budget(seconds=5)).pvalues
    for i, pvalue in enumerate(found):
        assert pvalue == sign_flip_test(without(d, i), alternative=alternative).pvalue
    assert influence(["0.123456789", "0.987654321", "-0.5"], [0] * 3).pvalues == (
        1,
        1,
        Fraction(1, 2),
    )


def test_strict_is_true_or_false():
    with pytest.raises(WrongType, match="strict is 1: it must be True or False"):
        influence([3, 5], [1, 2]).greedy_removals("0.5", strict=1)


def test_one_test_for_each_difference_is_priced_before_any_tally_of_its_own():
    """Removing a pair from each of n tallies takes n^2 steps, also where each test is cheap or hopeless."""
    cheap = [2**i for i in range(300)]
    text = refusal(lambda: influence(cheap, [0] * 300, budget=Budget(seconds=1e-3)).pvalues)
    assert "no way out: removing a pair from each tally would take about 0.018 s" in text
    assert influence(cheap, [0] * 300).pvalues[0] == Fraction(1, 2**298)


def test_rows_name_the_pairs_that_matter_most():
    darwin = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert str(influence(darwin, [0] * 15)).splitlines() == [
        "Paired-permutation test with single pairs left out, two-sided",
        "  all pairs    0.0526733, exactly 863/16384",
        "  least        0.00646973, exactly 53/8192, without pair 2 (difference -67)",
        "  greatest     0.101318, exactly 415/4096, without pair 13 (difference 75)",
        "  pairs        15",
    ]
    assert "without pair 1 and 1 more (difference 1)" in str(influence([1, 1], [0, 0]))


def test_pairs_are_left_out_until_the_decision_changes():
    found = influence([9, 9, 9, 9, 9, 1], [0, 0, 0, 0, 0, 2])
    (first, *_rest) = found.greedy_removals("0.07")
    assert found.differences[first] == 9
    assert influence([1, 0], [0, 1]).greedy_removals("0.01", strict=True) is None
