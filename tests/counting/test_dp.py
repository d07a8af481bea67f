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

from exactperm.budget import Budget, Estimate, Unfit
from exactperm.counting import dp, enumeration
from exactperm.counting.pmfs import checked_pmfs
from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from memory import peak_of

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


# -------------------------------------------------------------------------------------- convolve_dp


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
    expected = {
        i + j * far: math.comb(20, i) * math.comb(20, j) for j in range(21) for i in range(21)
    }
    assert counted == expected, "the counts are not products of binomial numbers"
    assert dp.count_at_most({1: 20, far: 20}, far + 1) == 2**20 + 20 * 21


def test_progress_counts_pairs():
    calls: list[tuple[int, int]] = []
    dp.count_at_most({1: 2, 4: 1}, 3, progress=lambda *call: calls.append(call))
    assert calls == [(1, 3), (2, 3), (3, 3)]
    dp.counts({1: 2, 4: 1}, progress=lambda *call: calls.append(call))
    assert calls == [(1, 3), (2, 3), (3, 3)] * 2


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
    assert isinstance(dp.estimate({}, None), Estimate)
    # Two sums of 10**5 digits each are small work, however far they lie apart.
    assert dp.estimate({10**100_000: 2}, 10**100_000).seconds < 0.01


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


def test_far_apart_sums_of_one_step_are_few():
    assert dp.convolve_dp([{0: 1, 10**12: 1}] * 100) == {
        10**12 * k: math.comb(100, k) for k in range(101)
    }


# Sums that coincide as often as they can (few differences, or all small), and sums that never do.
WORK = [
    pytest.param({1: 300}, None, id="one difference"),
    pytest.param({1: 60}, 25, id="one difference, a small threshold"),
    pytest.param({1: 30, 10**9: 30}, None, id="two differences far apart"),
    pytest.param({1: 30, 10**9: 30}, 7 * 10**9, id="two differences far apart, a small threshold"),
    pytest.param(dict.fromkeys(range(1, 60), 1), None, id="dense"),
    pytest.param(dict.fromkeys(range(1, 60), 1), 500, id="dense, below the middle"),
    pytest.param({2**i: 1 for i in range(13)}, None, id="sums that double"),
    pytest.param(
        {10**6 + 2**i: 1 for i in range(16)}, 4 * 10**6 + 5000, id="at most four of sixteen"
    ),
    pytest.param({1: 12, 2**80: 1}, None, id="one far away"),
]


@pytest.mark.parametrize(("tally", "k"), WORK)
def test_estimate_is_about_the_number_of_visits(tally, k, monkeypatch):
    pmfs = [{0: 1, d: 1} for d, c in tally.items() for _ in range(c)]
    sums, visits = met(pmfs, math.inf if k is None else k)
    in_units_of(monkeypatch, cell=1)
    # each pair has two values: one is free
    assert visits / 2 / 2 < dp.estimate(tally, k).seconds < 1.6 * visits / 2
    in_units_of(monkeypatch, start=7, pair=100)
    assert dp.estimate(tally, k).seconds == 7 + 100 * len(pmfs)
    in_units_of(monkeypatch, sorted=1)
    assert dp.estimate(tally, k).seconds == pytest.approx(
        0 if k else sums * math.log2(sums), rel=0.6
    )


@pytest.mark.parametrize(("tally", "k"), WORK)
def test_estimate_of_memory_holds(tally, k):
    peak = peak_of(lambda: dp.counts(tally) if k is None else dp.count_at_most(tally, k))
    assert dp.estimate(tally, k).bytes / 4 < peak < 1.5 * dp.estimate(tally, k).bytes + 4000


def test_far_sums_and_long_counts_take_longer(monkeypatch):
    # A visit in digits of 30 bits, of the sum and of its count: differences of 3,000 bits, counts
    # of up to 60.
    tally = {2**3000: 30, 2**3000 + 1: 30}
    in_units_of(monkeypatch, cell=1)
    visits = dp.estimate(tally, None).seconds
    in_units_of(monkeypatch, digit=1)
    assert dp.estimate(tally, None).seconds == pytest.approx(visits * (3000 + 60) / 30, rel=0.01)
    assert dp.estimate(tally, None).bytes > visits / 60 * 3060 / 8


def test_many_sums_leave_the_cache(monkeypatch):
    tally = {1: 300}  # 301 sums
    in_units_of(monkeypatch, cell=1)
    visits = dp.estimate(tally, None).seconds
    for cells, times in ((1, 2), (300, 2), (602, 1.5), (10**9, 1)):
        in_units_of(monkeypatch, cell=1, cached=cells)
        assert dp.estimate(tally, None).seconds == pytest.approx(times * visits, rel=1e-6)


def test_estimate_of_the_empty_set_alone(monkeypatch):
    in_units_of(monkeypatch, cell=1)
    assert dp.estimate({5: 400}, 0).seconds == pytest.approx(400, rel=0.05), (
        "each of 400 pairs meets the sum 0"
    )


def test_estimate_says_what_is_too_much():
    refused = Unfit(reason="would visit more than 1e+11 sums in a dictionary")
    assert dp.estimate({3**i: 1 for i in range(60)}, None) == refused
    assert dp.estimate({1: 10**400}, 1) == refused
