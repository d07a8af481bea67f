"""Enumeration, the oracle: checked against subsets written out by their size, and against binomial numbers."""

from __future__ import annotations

import math

import pytest

from exactperm.budget import Estimate, Unfit
from exactperm.counting import enumeration


def test_one_difference_gives_binomial_numbers():
    # (1 + x)**17: two blocks of assignments, so a block that is lost or counted twice shows.
    assert enumeration.counts({1: 17}) == {j: math.comb(17, j) for j in range(18)}


@pytest.mark.parametrize("pairs", [3, 17])
def test_progress_ends_at_the_total(pairs):
    calls: list[tuple[int, int]] = []
    enumeration.count_at_most({1: pairs}, 1, progress=lambda *call: calls.append(call))
    assert calls == [(done, 2**pairs) for done in range(2**16, 2**pairs, 2**16)] + [
        (2**pairs, 2**pairs)
    ]
    seen = len(calls)
    enumeration.counts({1: pairs}, progress=lambda *call: calls.append(call))
    assert calls[seen:] == calls[:seen]


def test_estimate_refuses_more_than_22_pairs():
    assert isinstance(enumeration.estimate({1: 22}, 3), Estimate)
    refused = enumeration.estimate({1: 20, 7: 3}, 3)
    assert isinstance(refused, Unfit)
    assert refused.reason.startswith("would visit 2**23 swap assignments")


def test_assignments_come_in_blocks():
    # So that progress is reported while they are summed, not at the end.
    assert [len(list(block)) for block in enumeration._sums({1: 17}, None)] == [2**16, 2**16]
