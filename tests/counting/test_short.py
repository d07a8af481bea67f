"""Short counts against the subsets written out, and against the recurrence."""

import random
from itertools import accumulate, combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.budget import DEFAULTS, Budget, Options
from exactperm.counting.short import MOST_WORK, allows_short, short_count, short_count_at_most

sizes = st.lists(st.integers(0, 12), min_size=1, max_size=9)


def sums(differences):
    """The sum of each subset of the differences that are not 0."""
    pairs = [d for d in differences if d]
    return [sum(subset) for n in range(len(pairs) + 1) for subset in combinations(pairs, n)]


@pytest.mark.slow
@given(sizes.filter(any), st.integers(0, 120))
def test_a_short_count_is_that_of_the_subsets(differences, k):
    """In any order, with zeros, and with differences above k."""
    assert short_count(differences, sum(map(bool, differences)), k) == sum(
        s <= k for s in sums(differences)
    )


def test_slots_hold_all_subsets():
    """All 2^M subsets in one sum, or in a slot: one bit less, and the last digit of the sum is lost."""
    for pairs in range(1, 6):
        assert short_count([1] * pairs, pairs, pairs) == 2**pairs
        assert short_count([3] * pairs, pairs, 2) == 1


@pytest.mark.slow
@pytest.mark.parametrize("far", [[], [10**30]])
@given(sizes, st.sampled_from([1, 1, 7, 10**9]), st.data())
def test_any_threshold(far, differences, step, data):
    """Either side of the middle, in steps of a common divisor, and far below differences that have no slots."""
    differences = [d * step for d in differences]
    reach = sum(differences)
    k = data.draw(st.one_of(st.integers(0, reach), st.sampled_from([0, reach // 2, reach])))
    differences = [*far, *differences, *far]
    pairs = sum(map(bool, differences))
    found = short_count_at_most(differences, pairs, sum(differences), k)
    assert found == sum(s <= k for s in sums(differences))


@pytest.mark.parametrize("pairs", [1, 2, 30, 31, 200])
@pytest.mark.parametrize("step", [1, 3])
def test_equal_differences_are_binomial(pairs, step):
    """Binomial coefficients in place of slots: every threshold of the sign test, ties among the differences."""
    below = list(accumulate(comb(pairs, i) for i in range(pairs + 1)))
    reach = pairs * step
    found = [short_count_at_most([step, 0] * pairs, pairs, reach, k) for k in range(reach + 1)]
    assert found == [below[k // step] for k in range(reach + 1)]


@pytest.mark.parametrize("step", [1, 10, 10**12])
def test_a_common_divisor_is_found_also_behind_the_first_few(step):
    rng = random.Random(step)
    differences = [rng.randint(1, 9) * step for _ in range(60)]
    k = sum(differences) // 3
    one = [d // step for d in differences]
    expected = short_count(one, 60, k // step)
    assert short_count_at_most(differences, 60, sum(differences), k) == expected
    odd = [*differences[:-1], differences[-1] + 1]
    assert (short_count_at_most(odd, 60, sum(odd), k) is None) == (step > 10)


def test_what_is_not_short():
    limit = MOST_WORK // 4 - 1
    reach = 4 * limit + 3
    assert short_count_at_most([2 * limit + 1, 2 * limit + 2], 2, reach, limit) == 1
    assert short_count_at_most([2 * limit + 1, 2 * limit + 2], 2, reach, limit + 1) is None


@pytest.mark.parametrize(
    ("options", "allowed"),
    [
        (DEFAULTS, True),
        (Options(), True),
        (Options(method="recurrence"), True),
        (Options(method="packed"), False),
        (Options(budget=Budget(seconds=1e-4)), False),
        (Options(budget=Budget(bytes=2**20)), False),
    ],
)
def test_a_budget_or_another_engine_needs_an_estimate(options, allowed):
    assert allows_short(options) == allowed


@given(st.lists(st.integers(-1, 1), min_size=1, max_size=200), st.data())
def test_signs_of_equal_differences_do_not_matter(signs, data):
    sizes = list(map(abs, signs))
    pairs = sum(sizes)
    k = data.draw(st.integers(0, pairs))
    assert short_count_at_most(signs, pairs, pairs, k) == short_count_at_most(
        sizes, pairs, pairs, k
    )
