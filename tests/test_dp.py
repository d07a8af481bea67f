"""The dictionary dynamic program, on the paper's mappings (Alg. 3) and on tallies."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.counting import dp, enumeration
from exactperm.counting.cost import Estimate, Unfit
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType

values = st.one_of(st.integers(-6, 6), st.integers(-(10**40), 10**40))
mappings = st.lists(st.dictionaries(values, st.integers(0, 3), min_size=1, max_size=3), max_size=6)


def tallies(most_pairs: int = 10, largest: int = 12) -> st.SearchStrategy[dict[int, int]]:
    differences = st.lists(st.integers(1, largest), min_size=1, max_size=most_pairs)
    return differences.map(lambda ds: {d: ds.count(d) for d in sorted(set(ds))})


def by_definition(pmfs: list[dict[int, int]]) -> dict[int, int]:
    """One choice of a value in every mapping at a time, weighted with the product of its counts."""
    found: dict[int, int] = {}
    for choice in product(*(pmf.items() for pmf in pmfs)):
        x = sum(value for value, _ in choice)
        found[x] = found.get(x, 0) + math.prod(times for _, times in choice)
    return {x: found[x] for x in sorted(found) if found[x]}


# ------------------------------------------------------------------------------------------ convolve_dp


@given(mappings)
def test_convolution_by_definition(pmfs):
    copies = [dict(pmf) for pmf in pmfs]
    assert list(dp.convolve_dp(pmfs).items()) == list(by_definition(pmfs).items())
    assert pmfs == copies


@given(mappings, st.randoms(use_true_random=False))
def test_order_of_the_pairs_does_not_matter_and_mass_multiplies(pmfs, random):
    convolved = dp.convolve_dp(pmfs)
    assert sum(convolved.values()) == math.prod(sum(pmf.values()) for pmf in pmfs)
    random.shuffle(pmfs)
    assert dp.convolve_dp(pmfs) == convolved


def test_known_answers():
    # By hand. An empty sum is 0 in one way; a tie doubles; a sum over disjoint values keeps the product's order.
    assert dp.convolve_dp([]) == {0: 1}
    assert dp.convolve_dp([{0: 2}]) == {0: 2}
    assert dp.convolve_dp([{3: 1, -3: 1}, {0: 2}, {3: 1, -3: 1}]) == {-6: 2, 0: 4, 6: 2}
    # A zero count is no assignment: neither a key of its own nor, without others, anything at all.
    assert dp.convolve_dp([{1: 1, 2: 0}]) == {1: 1}
    assert dp.convolve_dp([{1: 1}, {5: 0}]) == {}
    assert dp.convolve_dp([{1: 1}, {}]) == {}


def test_many_pairs_are_a_binomial_distribution():
    # 300 pairs of +-1: counts above 2**64, where a machine word would wrap around.
    convolved = dp.convolve_dp([{1: 1, -1: 1}] * 300)
    assert convolved == {2 * j - 300: math.comb(300, j) for j in range(301)}


class Index:
    """An integer scalar of an array library: no int, but usable as one."""

    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n


def test_any_iterable_of_any_mapping_of_integers():
    assert dp.convolve_dp(MappingProxyType(pmf) for pmf in [{True: 1}, {Index(2): Index(3)}]) == {3: 3}
    assert dp.checked_pmfs(({1: 1, 2: 0},)) == [{1: 1}]


@pytest.mark.parametrize(
    ("pmfs", "error", "words"),
    [
        (5, WrongType, ["pmfs is 5"]),
        ({3: 1}, WrongType, ["pmfs is {3: 1}"]),
        ([{1: 1}, [1, 2]], WrongType, ["pmfs[1] is [1, 2]", "mapping"]),
        ([{1: 1}, {0.5: 1}], WrongType, ["pmfs[1] has the entry 0.5: 1"]),
        ([{"1": 1}], WrongType, ["pmfs[0] has the entry '1': 1"]),
        ([{1: 0.5, 2: 0.5}], WrongType, ["pmfs[0] has the entry 1: 0.5", "not probabilities"]),
        ([{1: Fraction(1, 2)}], WrongType, ["1: Fraction(1, 2)"]),
        ([{1: None}], WrongType, ["1: None"]),
        ([{1: 1}, {1: 1, -4: -2}], ExactPermError, ["pmfs[1][-4] is -2", "not negative"]),
        ([{10**9999: -(10**9999)}], ExactPermError, ["pmfs[0][100000...000000 (10000 digits)] is -100000"]),
    ],
)
def test_errors_name_the_entry(pmfs, error, words):
    with pytest.raises(error) as raised:
        dp.convolve_dp(pmfs)
    assert all(word in str(raised.value) for word in words), str(raised.value)
    assert len(str(raised.value)) < 300


# --------------------------------------------------------------------------------------------- the engine


@given(tallies())
def test_counts_agree_with_enumeration(tally):
    counted = dp.counts(tally)
    assert list(counted.items()) == list(enumeration.counts(tally).items())
    reach = sum(d * c for d, c in tally.items())
    assert all(counted[reach - x] == n for x, n in counted.items())


@given(tallies(9, 10**25), st.data())
def test_count_at_most_agrees_with_enumeration(tally, data):
    reach = sum(d * c for d, c in tally.items())
    k = data.draw(st.one_of(st.integers(0, reach), st.sampled_from(list(dp.counts(tally)))))
    assert dp.count_at_most(tally, k) == enumeration.count_at_most(tally, k)


@given(tallies())
def test_counts_are_those_of_the_mappings(tally):
    pmfs = [{0: 1, d: 1} for d, c in tally.items() for _ in range(c)]
    assert dp.convolve_dp(pmfs) == dp.counts(tally)


def test_both_ends_of_the_range():
    tally = {2: 3, 5: 1}
    assert dp.count_at_most(tally, 0) == 1
    assert dp.count_at_most(tally, 1) == 1
    assert dp.count_at_most(tally, 5) == 1 + 3 + 3 + 1
    assert dp.count_at_most(tally, 11) == 2**4
    assert dp.counts({}) == {0: 1}
    assert dp.count_at_most({}, 0) == 1


def test_sparse_sums_of_gigantic_differences():
    # 40 pairs, 21 * 21 sums: neither 2**40 assignments nor 10**3000 integers are visited.
    far = 10**3000
    counted = dp.counts({1: 20, far: 20})
    expected = {i + j * far: math.comb(20, i) * math.comb(20, j) for j in range(21) for i in range(21)}
    assert counted == expected, "the counts are not products of binomial numbers"
    assert dp.count_at_most({1: 20, far: 20}, far + 1) == 2**20 + 20 * 21


def test_progress_counts_pairs():
    calls: list[tuple[int, int]] = []
    dp.count_at_most({1: 2, 4: 1}, 3, progress=lambda *call: calls.append(call))
    assert calls == [(1, 3), (2, 3), (3, 3)]


@given(tallies(30, 10**12), st.data())
def test_estimate_grows_with_what_is_asked(tally, data):
    reach = sum(d * c for d, c in tally.items())
    low = data.draw(st.integers(0, reach // 2))
    costs = [dp.estimate(tally, k) for k in (low, reach // 2, None)]
    assert all(isinstance(cost, Estimate) for cost in costs)
    assert 0 < costs[0].seconds <= costs[1].seconds < costs[2].seconds
    assert 0 < costs[0].bytes <= costs[1].bytes <= costs[2].bytes


def test_estimate_is_safe_for_hostile_tallies():
    assert isinstance(dp.estimate(dict.fromkeys(range(1, 20000), 1), 10**8), Unfit)
    assert isinstance(dp.estimate({3**i: 1 for i in range(100_000, 100_060)}, None), Unfit)
    assert isinstance(dp.estimate({1: 10**400}, 10**100), Unfit)
    assert isinstance(dp.estimate({1: 1, 2**80: 1}, 1), Estimate)
    # Two sums of 10**5 digits each are small work, however far they lie apart.
    assert dp.estimate({10**100_000: 2}, 10**100_000).seconds < 0.01


def test_estimate_counts_only_the_sums_that_are_kept():
    # 30 pairs reach 2**30 sums, but with k below the smallest difference only the sum 0 is ever kept.
    tally = {10**9 + d**3: 1 for d in range(30)}
    assert dp.estimate(tally, None).bytes > 10**11
    assert dp.estimate(tally, 10).bytes < 10**5


@pytest.mark.parametrize(
    "pmfs",
    [
        pytest.param([{random.Random(n).getrandbits(60): 1, -n: 1} for n in range(300)], id="sums that double"),
        pytest.param([{1: 1, 0: 1}] * 200_000, id="too many pairs"),
        pytest.param([{1: 10**100000, 0: 1}] * 2000, id="counts too long"),
    ],
)
def test_long_work_is_refused_before_it_starts(pmfs):
    with pytest.raises(BudgetExceeded, match="convolve_ntt"):
        dp.convolve_dp(pmfs)


def test_equal_pairs_have_few_sums_however_far_apart():
    pmfs = [{1: 1, -1: 1}] * 30 + [{10**30: 1, 0: 1, -(10**30): 1}] * 30
    assert len(dp.convolve_dp(pmfs)) == 31 * 61


def test_far_apart_sums_of_one_step_are_few():
    assert dp.convolve_dp([{0: 1, 10**12: 1}] * 100) == {10**12 * k: math.comb(100, k) for k in range(101)}
