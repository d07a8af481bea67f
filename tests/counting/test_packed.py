"""Packed dynamic programming: at the edges of slots and halves."""

from __future__ import annotations

import math
import pickle
from concurrent.futures import Future

import pytest

from complaint import check_progress
from exactperm.counting import packed


@pytest.mark.parametrize(
    "pairs", [1, 2, 9, 10, 20, 63, 64, 65, 66, 67, 68, 96, 97, 145, 146, 300, 330]
)
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


def test_few_pairs_below_a_small_threshold():
    # 200 pairs of which at most three fit below k: C(200, 3) in three bytes, where all counts would
    # need 25.
    tally = {100: 200}
    assert packed.count_at_most(tally, 350) == sum(math.comb(200, j) for j in range(4))
    _count, told = check_progress(
        lambda progress: packed.count_at_most({100: 4, 10**30: 2}, 350, progress=progress)
    )
    assert told[-1] == (7, 7)


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


def test_a_task_carries_half_of_the_tally():
    tally, executor = {1: 10**6, 2: 1}, Remote()
    small = dict.fromkeys(range(1, 40), 3)
    count, told = check_progress(
        lambda progress: packed.count_at_most(small, 900, progress=progress, executor=executor)
    )
    assert count == packed.count_at_most(small, 900)
    assert told == [(117, 118), (118, 118)]
    assert len(executor.sent) == 2 * 2
    assert max(map(len, executor.sent)) < 400
    assert len(pickle.dumps((packed._packed_half, packed._halves(tally)))) < 200, (
        "pairs cost nothing, differences do"
    )
