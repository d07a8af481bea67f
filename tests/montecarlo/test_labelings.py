"""Random labelings of several runs: all are equally likely, and estimates enclose the exact p-value."""

import random
from collections import Counter
from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import refused
from exactperm import Budget, monte_carlo_test, permutation_test_runs
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.montecarlo.labelings import DEALS, difference_of_means

U = [[1, 1, 0], [1, 1, 1], [0, 1, 1], [1, 0, 1], [0, 0, 1]]
V = [[0, 0, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0], [1, 0, 0]]
RAGGED_U, RAGGED_V = [[3, 1], [2], ["0.5", 1, 4]], [[1], [0, 1, 1], [2, 0]]
DESIGNS = ("within", "items", "systems")


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_estimates_enclose_the_exact_p_value(design, alternative):
    """One in a million such intervals fails: a labeling that is not uniform, or another statistic, would be noticed."""
    data = [(U, V)] if design == "systems" else [(U, V), (RAGGED_U, RAGGED_V)]
    for u, v in data:
        exact = permutation_test_runs(u, v, design=design, alternative=alternative)
        estimate = monte_carlo_test(u, v, K=6000, design=design, alternative=alternative, rng=5)
        low, high = estimate.interval("0.999999")
        assert low <= exact.pvalue <= high
        assert estimate.statistic == exact.statistic
        assert estimate.pvalue == Fraction(estimate.count + 1, 6001)


def test_all_labelings_of_an_item_are_equally_likely():
    """Six labelings, 6,000 draws: each count is within six standard deviations of 1,000, which are 29 each."""
    source = random.Random(1)
    found = Counter()
    for _ in range(6000):
        (a,), _b = DEALS["within"]([[1, 2]], [[3, 4]], source)
        found[frozenset(a)] += 1
    assert len(found) == 6
    assert all(abs(count - 1000) < 180 for count in found.values())


RUNS = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=1, max_size=4)


@pytest.mark.slow
@given(RUNS, RUNS, st.sampled_from(["within", "items"]), st.integers(0, 2**32))
def test_runs_stay_with_their_item(u, v, design, seed):
    u, v = list(zip(*zip(u, v)))
    first, second = DEALS[design](u, v, random.Random(seed))
    assert [sorted(a + b) for a, b in zip(first, second)] == [sorted(a + b) for a, b in zip(u, v)]
    if design == "within":
        assert [len(a) for a in first] == [len(a) for a in u]
    else:
        assert all(
            [a, b] in ([list(c), list(d)], [list(d), list(c)])
            for a, b, c, d in zip(first, second, u, v)
        )


def test_whole_runs_stay_together():
    u, v = [[1, 2], [11, 12]], [[3], [13]]
    seen = set()
    for seed in range(60):
        first, second = DEALS["systems"](u, v, random.Random(seed))
        assert [[x - 10 for x in runs] for runs in (first[1], second[1])] == [first[0], second[0]]
        seen.add(frozenset(first[0]))
    assert seen == {frozenset(pair) for pair in ((1, 2), (1, 3), (2, 3))}


def best_of(first, second):
    """Return the difference of the mean best runs, as of pass@k."""
    return sum(map(max, first)) - sum(map(max, second))


def test_any_statistic_of_runs():
    """The best of an item's runs: blocks are exchanged, so that each item has two labelings."""
    found = monte_carlo_test(U, V, best_of, 999, design="items", rng=1)
    assert found.statistic == best_of(U, V)
    low, high = found.interval("0.999999")
    assert low <= Fraction(2, 2**1) <= high  # one item differs
    mean = monte_carlo_test(U, V, K=9, design="within", rng=1).statistic
    assert mean == permutation_test_runs(U, V, design="within").statistic


@pytest.mark.slow
@given(RUNS)
def test_the_statistic_is_the_mean_over_items(u):
    v = [[*runs[::-1], 1] for runs in u]
    means = [Fraction(sum(a), len(a)) - Fraction(sum(b), len(b)) for a, b in zip(u, v)]
    assert difference_of_means(u, v) == sum(means) / len(means)


def test_refused():
    within = partial(monte_carlo_test, design="within")
    refused(
        ExactPermError,
        {
            "groups and design exclude each other": lambda: within(U, V, groups=[1] * 5),
            "design is 'hierarchical': it must say what is exchangeable (runs and items that are both random": (
                lambda: monte_carlo_test(U, V, design="hierarchical")
            ),
            "u has 5 items and v has 4": lambda: within(U, V[:-1]),
        },
    )
    refused(WrongType, {"u[0] is 1: it must have the runs": lambda: within([1, 2], [1, 2])})
    long = partial(within, U, V, K=10**6, budget=Budget(seconds=1))
    refused(BudgetExceeded, {"1000000 samples would take about 22.5 s": long})


def test_runs_in_every_form_and_number():
    """Mappings are joined, and items whose sums are too many to be listed are estimated."""
    named = monte_carlo_test(dict(zip("ab", U)), dict(zip("ab", V)), K=9, design="within", rng=1)
    assert named == monte_carlo_test(U[:2], V[:2], K=9, design="within", rng=1)
    wide = [[i**3 for i in range(100)]], [[i**5 for i in range(100)]]
    assert monte_carlo_test(*wide, K=9, design="within", rng=1).samples == 9
