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

from exactperm.counting import dp
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType

values = st.one_of(st.integers(-6, 6), st.integers(-(10**40), 10**40))
mappings = st.lists(st.dictionaries(values, st.integers(0, 3), min_size=1, max_size=3), max_size=6)


def by_definition(pmfs: list[dict[int, int]]) -> dict[int, int]:
    """One choice of a value in every mapping at a time, weighted with the product of its counts."""
    found: dict[int, int] = {}
    for choice in product(*(pmf.items() for pmf in pmfs)):
        x = sum(value for value, _ in choice)
        found[x] = found.get(x, 0) + math.prod(times for _, times in choice)
    return {x: found[x] for x in sorted(found) if found[x]}


# -------------------------------------------------------------------------------------- convolve_dp


@pytest.mark.slow
@given(mappings)
def test_convolution_by_definition(pmfs):
    copies = [dict(pmf) for pmf in pmfs]
    assert list(dp.convolve_dp(pmfs).items()) == list(by_definition(pmfs).items())
    assert pmfs == copies


def test_known_answers():
    # By hand. An empty sum is 0 in one way; a tie doubles; a sum over disjoint values keeps the
    # product's order.
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
    assert dp.convolve_dp(MappingProxyType(pmf) for pmf in [{True: 1}, {Index(2): Index(3)}]) == {
        3: 3
    }


INTS = "values and numbers of swaps are ints, not probabilities"


@pytest.mark.parametrize(
    ("pmfs", "error", "message"),
    [
        (5, WrongType, None),
        ({3: 1}, WrongType, None),
        (
            [{1: 1}, [1, 2]],
            WrongType,
            "pmfs[1] is [1, 2]: it must be a mapping {value: number of swaps}",
        ),
        ([{1: 1}, {0.5: 1}], WrongType, f"pmfs[1] has the entry 0.5: 1: {INTS}"),
        ([{"1": 1}], WrongType, f"pmfs[0] has the entry '1': 1: {INTS}"),
        ([{1: 0.5, 2: 0.5}], WrongType, f"pmfs[0] has the entry 1: 0.5: {INTS}"),
        ([{1: Fraction(1, 2)}], WrongType, f"pmfs[0] has the entry 1: Fraction(1, 2): {INTS}"),
        ([{1: None}], WrongType, f"pmfs[0] has the entry 1: None: {INTS}"),
        (
            [{1: 1}, {1: 1, -4: -2}],
            ExactPermError,
            "pmfs[1][-4] is -2: a number of swaps is not negative",
        ),
        ([{10**9999: -(10**9999)}], ExactPermError, None),
    ],
)
def test_errors_name_the_entry(pmfs, error, message):
    with pytest.raises(error) as raised:
        dp.convolve_dp(pmfs)
    said = str(raised.value)
    if message:
        assert said == message
    elif error is WrongType:
        assert said.startswith(f"pmfs is {pmfs}")
    else:
        assert said.startswith("pmfs[0][100000...000000 (10000 digits)] is -100000")
    assert len(said) < 300


# --------------------------------------------------------------------------------------- the engine


def test_sparse_sums_of_gigantic_differences():
    # 40 pairs, 21 * 21 sums: neither 2**40 assignments nor 10**3000 integers are visited.
    far = 10**3000
    counted = dp.counts({1: 20, far: 20})
    expected = {
        i + j * far: math.comb(20, i) * math.comb(20, j) for j in range(21) for i in range(21)
    }
    assert counted == expected, "the counts are not products of binomial numbers"
    assert dp.count_at_most({1: 20, far: 20}, far + 1) == 2**20 + 20 * 21


# --------------------------------------------------------------------------- work before it is done


@pytest.mark.slow
@pytest.mark.parametrize(
    "pmfs",
    [
        [{random.Random(n).getrandbits(60): 1, -n: 1} for n in range(300)],  # sums that double
        [{0: 1, 1: 1}] * 2 + [{0: 1, 3: 1, 10**30: 1}] * 200_000,  # too many pairs
        [{1: 10**100000, 0: 1}] * 2000,  # counts too long
    ],
    ids=["sums", "pairs", "counts"],
)
def test_long_work_is_refused_before_it_starts(pmfs):
    with pytest.raises(BudgetExceeded) as raised:
        dp.convolve_dp(pmfs)
    assert raised.value.what == f"convolving {len(pmfs)} mappings"
    assert "convolve_ntt" in raised.value.cure.words
    assert (raised.value.needs is None) == ("1e+11" in raised.value.detail)


def test_equal_pairs_have_few_sums_however_far_apart():
    pmfs = [{1: 1, -1: 1}] * 30 + [{10**30: 1, 0: 1, -(10**30): 1}] * 30
    assert len(dp.convolve_dp(pmfs)) == 31 * 61
