"""Packed dynamic programming: against enumeration and the dictionary program, at the edges of slots and halves."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import Future
from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.slots import unpacked
from exactperm.budget import Estimate, Unfit
from exactperm.counting import dp, enumeration, packed
from memory import peak_of

BINOMIAL_PAIRS = [1, 2, 9, 10, 20, 63, 64, 65, 66, 67, 68, 96, 97, 145, 146, 300, 330]


def tallies(most_pairs: int = 10, largest: int = 40) -> st.SearchStrategy[dict[int, int]]:
    differences = st.lists(st.integers(1, largest), max_size=most_pairs)
    return differences.map(lambda ds: {d: ds.count(d) for d in sorted(set(ds))})


@given(tallies())
def test_counts_agree_with_enumeration(tally):
    counted = packed.counts(tally)
    assert list(counted.items()) == list(enumeration.counts(tally).items())
    reach = sum(d * c for d, c in tally.items())
    assert sum(counted.values()) == 2 ** sum(tally.values())
    assert all(counted[reach - x] == n for x, n in counted.items())


@given(tallies(10, 2000), st.data())
def test_count_at_most_agrees_with_enumeration(tally, data):
    reach = sum(d * c for d, c in tally.items())
    k = data.draw(st.one_of(st.integers(0, reach), st.integers(0, max(tally, default=0))))
    assert packed.count_at_most(tally, k) == enumeration.count_at_most(tally, k)


@given(tallies(60, 30), st.data())
def test_count_at_most_agrees_with_the_dictionary_program(tally, data):
    reach = sum(d * c for d, c in tally.items())
    k = data.draw(st.integers(0, reach))
    assert packed.count_at_most(tally, k) == dp.count_at_most(tally, k)


@pytest.mark.parametrize(
    "tally", [{1: 1}, {3: 2}, {1: 1, 2: 1}, {1: 2, 7: 1}, {1: 5, 40: 2}, {2: 3, 3: 3}]
)
def test_every_threshold(tally):
    # Even and odd degrees of the halves, a half that is empty, differences beyond the middle of
    # their half.
    reach = sum(d * c for d, c in tally.items())
    expected = [enumeration.count_at_most(tally, k) for k in range(reach + 1)]
    assert [packed.count_at_most(tally, k) for k in range(reach + 1)] == expected


@pytest.mark.parametrize("pairs", BINOMIAL_PAIRS)
def test_equal_differences_fill_the_slots(pairs):
    # (1 + x)**n has the largest counts of all, C(n, n/2): a slot of one bit less than Sperner's
    # bound would overflow where that number fills whole bytes (252 = C(10, 5) does). Slots for 324
    # pairs are full to the last bit, so that a widening that comes one pair late shows.
    assert packed.counts({1: pairs}) == {j: math.comb(pairs, j) for j in range(pairs + 1)}, (
        "not binomial numbers"
    )
    for k in (pairs // 3, pairs - 1):
        assert packed.count_at_most({1: 2 * pairs}, k) == sum(
            math.comb(2 * pairs, j) for j in range(k + 1)
        )


def test_slot_width_is_the_least_that_holds_the_largest_count():
    assert math.comb(10, 5).bit_length() == 8
    assert packed._slot_bytes(10, 10) == 1
    assert math.comb(11, 5).bit_length() == 9
    assert packed._slot_bytes(11, 11) == 2
    # Subsets of at most two of 20 pairs: C(20, 2) = 190 in one byte, where C(20, 10) = 184756 needs
    # three.
    assert packed._slot_bytes(20, 2) == 1
    assert packed._slot_bytes(20, 20) == 3
    assert packed._slot_bytes(0, 0) == 1


@given(tallies(14, 6), st.data())
def test_no_count_exceeds_the_bound_of_its_slot(tally, data):
    reach = sum(d * c for d, c in tally.items())
    length = data.draw(st.integers(0, reach))
    pairs = [d for d, c in tally.items() for _ in range(c) if d <= length]
    most = sum(sum(pairs[:n]) <= length for n in range(1, len(pairs) + 1))
    largest = max(n for x, n in enumeration.counts(tally).items() if x <= length)
    assert largest <= math.comb(len(pairs), min(most, len(pairs) // 2))


def test_few_pairs_below_a_small_threshold():
    # 200 pairs of which at most three fit below k: C(200, 3) in three bytes, where all counts would
    # need 25.
    tally = {100: 200}
    assert packed.count_at_most(tally, 350) == sum(math.comb(200, j) for j in range(4))
    calls: list[tuple[int, int]] = []
    packed.count_at_most({100: 4, 10**30: 2}, 350, progress=lambda *call: calls.append(call))
    assert calls[-1] == (7, 7)


@given(tallies(12, 30), st.integers(-5, 50), st.integers(0, 60))
def test_low_counts_answer_for_the_whole_polynomial(tally, start, length):
    counted = enumeration.counts(tally)
    slots = unpacked(*packed._packed_half((tally, reach_of(tally) // 2)))
    low = packed._LowCounts(tally, slots[::-1])
    assert low.between(start, start + length) == [
        counted.get(j, 0) for j in range(start, start + length)
    ]
    assert low.at_most(start) == sum(n for j, n in counted.items() if j <= start)


def reach_of(tally: dict[int, int]) -> int:
    return sum(d * c for d, c in tally.items())


class Remote:
    """An executor that sends tasks and answers as bytes, and keeps the lengths of those."""

    def __init__(self):
        self.sent, self.received = [], []

    def submit(self, function, task):
        self.sent.append(pickle.dumps((function, task)))
        future = Future()
        work, argument = pickle.loads(self.sent[-1])
        self.received.append(pickle.dumps(work(argument)))
        future.set_result(pickle.loads(self.received[-1]))
        return future


@given(tallies(30, 40).filter(bool), st.data())
def test_an_executor_changes_no_count(tally, data):
    k = data.draw(st.integers(0, reach_of(tally)))
    assert packed.count_at_most(tally, k, executor=Remote()) == packed.count_at_most(tally, k)


def test_a_task_carries_half_of_the_tally():
    tally, executor, calls = {1: 10**6, 2: 1}, Remote(), []
    small = dict.fromkeys(range(1, 40), 3)
    count = packed.count_at_most(
        small, 900, progress=lambda *call: calls.append(call), executor=executor
    )
    assert count == packed.count_at_most(small, 900)
    assert calls == [(117, 118), (118, 118)]
    assert len(executor.sent) == 2
    assert max(map(len, executor.sent)) < 400
    assert len(pickle.dumps((packed._packed_half, packed._halves(tally)))) < 200, (
        "pairs cost nothing, differences do"
    )


@given(tallies())
def test_halves_share_the_pairs(tally):
    first, second = packed._halves(tally)
    assert {d: first.get(d, 0) + second.get(d, 0) for d in tally} == tally
    assert abs(sum(first.values()) - sum(second.values())) <= 1
    assert list(first) == sorted(first)
    assert list(second) == sorted(second)


def test_progress_counts_pairs_and_the_sum():
    calls: list[tuple[int, int]] = []
    packed.count_at_most({1: 3, 2: 2}, 3, progress=lambda *call: calls.append(call))
    assert list(dict.fromkeys(calls)) == [(n, 6) for n in range(1, 7)]
    calls.clear()
    packed.counts({1: 3, 2: 2}, progress=lambda *call: calls.append(call))
    assert list(dict.fromkeys(calls)) == [(n, 6) for n in range(1, 7)]


@given(tallies(40, 10**5).filter(bool), st.data())
def test_estimate_grows_with_what_is_asked(tally, data):
    reach = sum(d * c for d, c in tally.items())
    low = data.draw(st.integers(0, reach // 2))
    some, more = packed.estimate(tally, low), packed.estimate(tally, reach // 2)
    assert isinstance(some, Estimate)
    assert isinstance(more, Estimate)
    assert 0 < some.seconds <= more.seconds
    assert 0 < some.bytes <= more.bytes
    assert isinstance(packed.estimate(tally, None), Estimate)


def test_estimate_is_safe_for_hostile_tallies():
    assert isinstance(packed.estimate({1: 1, 2**80: 4}, 2**81), Unfit)
    assert isinstance(packed.estimate({10**100_000: 2}, 10**100_000), Unfit)
    assert isinstance(packed.estimate({1: 10**400}, None), Unfit)
    assert isinstance(packed.estimate(dict.fromkeys(range(1, 20_000), 1), 10**8), Estimate)
    # Differences above k take no part: a small threshold keeps the work small.
    assert packed.estimate({1: 3, 2**80: 2}, 2).seconds < 0.01
    assert isinstance(packed.estimate({}, None), Estimate)
    assert isinstance(packed.estimate({1: 10**400}, 3), Unfit)


def test_estimate_widens_slots_as_the_engine_does():
    assert packed._slot_bytes_about(1000, 1000) == packed._slot_bytes(1000, 1000)
    few, many = (packed.estimate({1: c}, c // 2) for c in (60, 6000))
    assert few.seconds < many.seconds


SHAPES = [
    ({1: 40}, None),
    ({1: 300}, None),
    ({1: 300}, 100),
    ({3: 50, 5: 50, 8: 20}, None),
    ({3: 50, 5: 50, 8: 20}, 50),
    (dict.fromkeys(range(100, 250), 1), 1000),
    (dict.fromkeys(range(100, 250), 1), 3000),
    (dict.fromkeys(range(100, 250), 1), None),
    ({100: 200}, 350),
    ({1: 200, 500: 200}, 5000),
    ({1000: 1, 2000: 1, 4000: 1}, None),
    ({1000: 1, 2000: 1, 4000: 1}, 3000),
    ({7: 1}, 3),
]


def units(monkeypatch, **costs):
    """Costs in which one kind of work counts and all others are nothing, whatever was measured."""
    nothing = {
        "START": 0,
        "PAIR": 0,
        "STEP": 0,
        "RESPACED": 0,
        "ENTRY": 0,
        "UNPACKED": (0, 0),
        "WEIGHTED": (0, 0, 0),
    }
    for name, cost in {**nothing, **costs}.items():
        monkeypatch.setattr(packed, f"_SECONDS_{name}", cost)


def built(tally, length):
    """Of one packed polynomial: the pairs in it, the bytes shifted and added, the slots, their width."""
    pairs = [d for d, c in tally.items() for _ in range(c) if d <= length]
    most = sum(reach <= length for reach in accumulate(pairs))
    stepped, room = 0.0, min(len(pairs), 64)
    for n, (d, reach) in enumerate(zip(pairs, accumulate(pairs)), 1):
        room = room if n <= room else min(len(pairs), room * 3 // 2)
        # while it grows by d
        stepped += (min(reach - d / 2, length) + 1) * packed._slot_bytes(room, most)
    integer, width = packed._packed_counts(tally, length, lambda units: None)
    return len(pairs), stepped, -(-integer.bit_length() // (8 * width)), width


@pytest.mark.parametrize(("tally", "k"), SHAPES)
def test_estimate_counts_bytes(tally, k, monkeypatch):
    parts = [tally] if k is None else sorted(packed._halves(tally), key=reach_of)
    work = [
        built(part, reach_of(part) // 2 if k is None else min(k, reach_of(part) // 2))
        for part in parts
    ]
    pairs, stepped, slots, _width = (sum(each) for each in zip(*work))

    def seconds(**costs):
        units(monkeypatch, **costs)
        return packed.estimate(tally, k).seconds

    assert seconds(START=9) == 9
    assert seconds(PAIR=9) == 9 * pairs
    assert stepped * 0.85 <= seconds(STEP=1) <= stepped * 2
    assert seconds(UNPACKED=(1, 0)) == slots
    assert seconds(UNPACKED=(0, 1)) == pytest.approx(
        sum(n * width for _pairs, _bytes, n, width in work), rel=0.2
    )
    if k is None:
        assert seconds(WEIGHTED=(1, 1, 1)) == 0
        listed = packed.counts(tally)
        assert (
            len(listed) * 2 / 3
            < seconds(ENTRY=1)
            <= min(max(listed) + 2, 2 * 2 ** sum(tally.values()))
        )
    else:
        assert seconds(ENTRY=1) == 0
        (_pairs, _bytes, slots, width), _second = work
        assert seconds(WEIGHTED=(1, 0, 0)) == slots, (
            "terms of the sum: the slots of the shorter half"
        )
        assert seconds(WEIGHTED=(0, 1, 0)) == pytest.approx(slots * width, rel=0.2)
        assert seconds(WEIGHTED=(0, 0, 1)) == pytest.approx(slots * width**2, rel=0.4)


def test_estimate_of_the_bytes_that_are_widened(monkeypatch):
    widened = []
    wider = packed.widened
    monkeypatch.setattr(
        packed, "widened", lambda *asked: widened.append(asked[1] * asked[3]) or wider(*asked)
    )
    packed._packed_counts(dict.fromkeys(range(100, 400), 1), 9000, lambda units: None)
    units(monkeypatch, RESPACED=1)
    seconds, _slots, _width = packed._build_cost(dict.fromkeys(range(100, 400), 1), 9000)
    assert len(widened) > 1
    assert seconds == pytest.approx(sum(widened), rel=0.1)
    widened.clear()
    packed._packed_counts(dict.fromkeys(range(100, 164), 1), 9000, lambda units: None)
    seconds, _slots, _width = packed._build_cost(dict.fromkeys(range(100, 164), 1), 9000)
    assert seconds == len(widened) == 0


@pytest.mark.parametrize(
    ("tally", "k"), [*SHAPES, ({50: 300}, 7000), ({1000 << i: 1 for i in range(6)}, 28_000)]
)
def test_estimate_of_memory_holds(tally, k):
    assert 1 / 3 < measured(tally, k) < 2


@pytest.mark.parametrize(
    ("tally", "k"),
    [
        ({1: 1000}, None),
        ({1: 2000}, 990),
        (dict.fromkeys(range(1, 150), 1), None),
        (dict.fromkeys(range(1, 150), 1), 5000),
    ],
)
def test_estimate_of_memory_is_close_where_sums_are_dense(tally, k):
    assert 0.6 < measured(tally, k) < 1.2


def measured(tally, k):
    """The peak of memory, as a share of what was expected; beyond a few small objects."""
    expected = packed.estimate(tally, k).bytes
    peak = peak_of(lambda: packed.counts(tally) if k is None else packed.count_at_most(tally, k))
    return peak / expected if peak > 6000 else 1


@pytest.mark.parametrize(("tally", "k"), [({1: 30}, None), ({1: 8, 7: 2}, 10), ({1: 60}, 29)])
def test_estimate_refuses_above_its_limit(tally, k, monkeypatch):
    # The longest half's slots, and the pairs: D/2 = 15, min(k, 11 // 2) = 5 and 10 pairs, 15 and 60
    # pairs.
    limit = {30: 30, 10: 10, 60: 60}[sum(tally.values())]
    monkeypatch.setattr(packed, "_MOST_SLOTS", limit)
    assert isinstance(packed.estimate(tally, k), Estimate)
    monkeypatch.setattr(packed, "_MOST_SLOTS", limit - 1)
    assert packed.estimate(tally, k) == Unfit(reason=packed._TOO_LONG)
