"""Products of the paper's mappings (Alg. 3), and the dictionary dynamic program on tallies."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import check_refusals, complaint
from counting.test_every_engine import convolved
from exactperm.counting import dp
from exactperm.counting.dp import convolve_dp
from exactperm.counting.ntt import convolve_ntt
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType

far = st.one_of(st.integers(-6, 6), st.integers(-(10**40), 10**40))
near = st.integers(-9, 9)


# ---------------------------------------------------------------------------------- both programs


@pytest.mark.slow
@pytest.mark.parametrize(
    ("convolve", "values"),
    [(convolve_dp, far), (convolve_ntt, near), (convolve_ntt, near.map((10**30).__mul__))],
)
@given(st.data())
def test_convolution_by_definition(convolve, values, data):
    """One choice of a value in every mapping at a time, weighted with the product of its counts."""
    pmfs = data.draw(st.lists(st.dictionaries(values, st.integers(0, 4), max_size=4), max_size=6))
    before = [dict(pmf) for pmf in pmfs]
    assert list(convolve(pmfs).items()) == list(convolved(pmfs).items())
    assert pmfs == before


@pytest.mark.parametrize("convolve", [convolve_dp, convolve_ntt])
@pytest.mark.parametrize(
    ("pmfs", "expected"),
    [
        ([], {0: 1}),  # the empty product
        ([{}], {}),  # nothing can happen
        ([{1: 1, 2: 0}, {5: 0}], {}),  # a zero count is no assignment
        ([{3: 1, -3: 1}, {0: 2}, {3: 1, -3: 1}], {-6: 2, 0: 4, 6: 2}),  # ties double every count
        ([{True: 1, False: 1}], {0: 1, 1: 1}),  # a bool is an int
        ([{0: 10**12, 10**12: 10**12}], {0: 10**12, 10**12: 10**12}),
        ([{0: 1, 2: 2, 6: 1}] * 2, {0: 1, 2: 4, 4: 4, 6: 2, 8: 4, 12: 1}),
    ],
)
def test_small_cases_worked_by_hand(convolve, pmfs, expected):
    found = convolve(pmfs)
    assert found == expected
    assert all(type(x) is int and type(n) is int for x, n in found.items())


# -------------------------------------------------------------------------------------- convolve_dp


def test_many_pairs_are_a_binomial_distribution():
    # 300 pairs of +-1: counts above 2**64, where a machine word would wrap around.
    convolved = convolve_dp([{1: 1, -1: 1}] * 300)
    assert convolved == {2 * j - 300: math.comb(300, j) for j in range(301)}


class Index:
    """An integer scalar of an array library: no int, but usable as one."""

    def __init__(self, n):
        self.n = n

    def __index__(self):
        return self.n


def test_any_iterable_of_any_mapping_of_integers():
    assert convolve_dp(MappingProxyType(pmf) for pmf in [{True: 1}, {Index(2): Index(3)}]) == {3: 3}


BAD = """
5, | pmfs is 5 | WrongType
{3: 1}, | pmfs is {3: 1} | WrongType
[{1: 1}, [1, 2]], | pmfs[1] is [1, 2]: it must be a mapping {value: number of swaps} | WrongType
[{1: 1}, {0.5: 1}], | pmfs[1] has the entry 0.5: 1: values and numbers of swaps are ints, not prob | WrongType
[{"1": 1}], | pmfs[0] has the entry '1': 1: values and numbers of swaps are ints | WrongType
[{1: 0.5, 2: 0.5}], | pmfs[0] has the entry 1: 0.5: values and numbers of swaps are ints | WrongType
[{1: None}], | pmfs[0] has the entry 1: None: values and numbers of swaps are ints | WrongType
[{1: 1}, {1: 1, -4: -2}], | pmfs[1][-4] is -2: a number of swaps is not negative
"""


def test_errors_name_the_entry():
    check_refusals(convolve_dp, BAD)
    told = complaint(WrongType, lambda: convolve_dp([{1: Fraction(1, 2)}]))
    assert told.startswith("pmfs[0] has the entry 1: Fraction(1, 2): ")
    told = complaint(ExactPermError, lambda: convolve_dp([{10**9999: -(10**9999)}]))
    assert told.startswith("pmfs[0][100000...000000 (10000 digits)] is -100000")
    assert len(told) < 300


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
        convolve_dp(pmfs)
    assert raised.value.what == f"convolving {len(pmfs)} mappings"
    assert "convolve_ntt" in raised.value.cure.words
    assert (raised.value.needs is None) == ("1e+11" in raised.value.detail)


def test_equal_pairs_have_few_sums_however_far_apart():
    pmfs = [{1: 1, -1: 1}] * 30 + [{10**30: 1, 0: 1, -(10**30): 1}] * 30
    assert len(convolve_dp(pmfs)) == 31 * 61
