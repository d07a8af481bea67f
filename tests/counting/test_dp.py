"""The dictionary dynamic program, on the paper's mappings (Alg. 3) and on tallies."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import product
from types import MappingProxyType

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from exactperm.budget import Budget
from exactperm.counting import dp
from exactperm.counting.pmfs import checked_pmfs
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


@pytest.mark.slow
@given(mappings, st.randoms(use_true_random=False))
def test_order_of_the_pairs_does_not_matter_and_mass_multiplies(pmfs, random):
    convolved = dp.convolve_dp(pmfs)
    assert sum(convolved.values()) == math.prod(sum(pmf.values()) for pmf in pmfs)
    random.shuffle(pmfs)
    assert dp.convolve_dp(pmfs) == convolved


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


def test_estimate_counts_only_the_sums_that_are_kept():
    # 30 pairs reach 2**30 sums, but with k below the smallest difference only the sum 0 is ever
    # kept.
    tally = {10**9 + d**3: 1 for d in range(30)}
    assert dp.estimate(tally, None).bytes > 10**11
    assert dp.estimate(tally, 10).bytes < 10**5


# --------------------------------------------------------------------------- work before it is done


def met(pmfs, most=math.inf):
    """By sets: how many sums there are after the last mapping, and how often a sum met a value on the way."""
    sums, visits = {0}, 0
    for pmf in pmfs:
        visits += len(sums) * len(pmf)
        sums = {x + value for x in sums for value in pmf if x + value <= most}
    return len(sums), visits


def in_units_of(monkeypatch, **units):
    """Costs in which one kind of work counts 1 and all others nothing, whatever was measured."""
    for name in ("START", "PAIR", "CELL", "DIGIT", "SORTED"):
        monkeypatch.setattr(dp, f"_SECONDS_{name}", units.get(name.lower(), 0))
    monkeypatch.setattr(dp, "_CACHED_CELLS", units.get("cached", math.inf))


EXACTLY_BOUNDED = [
    pytest.param([{4: 1, -1: 1}] * 100, id="one step"),
    pytest.param([{12: 1, 2: 1}] * 6 + [{3: 1, 8: 1}] * 5, id="two steps"),
    pytest.param([{1: 1, 0: 1, -1: 1}] * 7, id="three values"),
    pytest.param([{4**i: 1, 0: 1} for i in range(8)], id="sums that double"),
    pytest.param([{0: 1, 7: 1, 10**40: 1}] * 9, id="equal pairs far apart"),
    pytest.param([{5: 2}] * 4 + [{0: 1, 3: 1}], id="ties"),
]


@pytest.mark.parametrize("pmfs", EXACTLY_BOUNDED)
def test_the_bound_of_the_sums_is_sharp(pmfs, monkeypatch):
    sums, visits = met(pmfs)
    assert len(dp.convolve_dp(pmfs)) == sums
    in_units_of(monkeypatch, cell=1)
    monkeypatch.setattr(dp, "_LIMIT", Budget(seconds=visits))
    dp.convolve_dp(pmfs)
    monkeypatch.setattr(dp, "_LIMIT", Budget(seconds=visits - 0.5))
    with pytest.raises(BudgetExceeded) as raised:
        dp.convolve_dp(pmfs)
    assert raised.value.what == f"meeting up to {sums} sums at once in convolve_dp"
    assert raised.value.needs.least
    assert raised.value.seconds == visits
    assert raised.value.bytes >= sums


@pytest.mark.slow
@given(mappings)
def test_the_bound_of_the_sums_is_one(pmfs):
    _sums, visits = met(filter(None, checked_pmfs(pmfs)))
    assume(visits)
    with pytest.MonkeyPatch.context() as patch:
        in_units_of(patch, cell=1)
        patch.setattr(dp, "_LIMIT", Budget(seconds=visits - 0.5))
        with pytest.raises(BudgetExceeded):
            dp.convolve_dp(pmfs)


def test_long_counts_take_longer(monkeypatch):
    # 100 pairs of 2 assignments: counts of up to 2 bits a pair, each met as often as its sum.
    pmfs = [{1: 1, 0: 1}] * 100
    bits = sum(2 * n * 2 * (n + 1) for n in range(100))
    in_units_of(monkeypatch, digit=30)
    monkeypatch.setattr(dp, "_LIMIT", Budget(seconds=bits + 1))
    dp.convolve_dp(pmfs)
    monkeypatch.setattr(dp, "_LIMIT", Budget(seconds=bits - 1))
    with pytest.raises(BudgetExceeded) as raised:
        dp.convolve_dp(pmfs)
    assert raised.value.seconds == pytest.approx(bits, rel=1e-9)


def test_memory_is_refused_as_well(monkeypatch):
    # 21 sums; counts of 20 pairs, 2 bits for each, take 5 bytes.
    pmfs = [{5: 1, -5: 1}] * 20
    monkeypatch.setattr(dp, "_BYTES_CELL", 7)
    monkeypatch.setattr(dp, "_LIMIT", Budget(bytes=21 * (7 + 5)))
    dp.convolve_dp(pmfs)
    monkeypatch.setattr(dp, "_LIMIT", Budget(bytes=21 * (7 + 5) - 1))
    with pytest.raises(BudgetExceeded, match="up to 21 sums") as raised:
        dp.convolve_dp(pmfs)
    assert raised.value.bytes == 21 * (7 + 5)
    monkeypatch.setattr(dp, "_LIMIT", Budget(bytes=1))
    with pytest.raises(BudgetExceeded) as raised:
        dp.convolve_dp([{2: 1}])
    assert isinstance(raised.value.bytes, int)


@pytest.mark.slow
@pytest.mark.parametrize(
    "pmfs",
    [
        pytest.param(
            [{random.Random(n).getrandbits(60): 1, -n: 1} for n in range(300)],
            id="sums that double",
        ),
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
