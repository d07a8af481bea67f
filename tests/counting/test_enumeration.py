"""Enumeration, the oracle: checked against subsets written out by their size, and against binomial numbers."""

from __future__ import annotations

import math

import pytest

from complaint import check_progress
from counting.test_every_engine import counted
from exactperm.counting import enumeration


def test_one_difference_gives_binomial_numbers():
    # (1 + x)**17: two blocks of assignments, so a block that is lost or counted twice shows.
    assert enumeration.counts({1: 17}) == {j: math.comb(17, j) for j in range(18)}


@pytest.mark.parametrize("pairs", [3, 17])
@pytest.mark.parametrize("k", [None, 1])
def test_progress_ends_at_the_total(pairs, k):
    _found, told = check_progress(
        lambda progress: counted(enumeration, {1: pairs}, k, progress=progress)
    )
    total = 2**pairs
    assert told == [(min(done + 2**16, total), total) for done in range(0, total, 2**16)]


def test_assignments_come_in_blocks():
    # So that progress is reported while they are summed, not at the end.
    assert [len(list(block)) for block in enumeration._sums({1: 17}, None)] == [2**16, 2**16]
