"""Enumeration, the oracle: checked against subsets written out by their size, and against binomial numbers."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.budget import Estimate, Unfit
from exactperm.counting import enumeration


def tallies(most_pairs: int = 9, largest: int = 12) -> st.SearchStrategy[dict[int, int]]:
    differences = st.lists(st.integers(1, largest), min_size=1, max_size=most_pairs)
    return differences.map(lambda ds: {d: ds.count(d) for d in sorted(set(ds))})


def by_size_of_subset(tally: dict[int, int]) -> dict[int, int]:
    """The distribution from the subsets of each size, without signs or products."""
    pairs = [d for d, c in tally.items() for _ in range(c)]
    found: dict[int, int] = {}
    for size in range(len(pairs) + 1):
        for subset in combinations(pairs, size):
            found[sum(subset)] = found.get(sum(subset), 0) + 1
    return dict(sorted(found.items()))


@pytest.mark.slow
@given(tallies())
def test_counts_are_those_of_the_subsets(tally):
    counted = enumeration.counts(tally)
    assert list(counted.items()) == list(by_size_of_subset(tally).items())
    assert sum(counted.values()) == 2 ** sum(tally.values())


@pytest.mark.slow
@given(tallies(), st.data())
def test_count_at_most_is_a_prefix_of_the_counts(tally, data):
    reach = sum(d * c for d, c in tally.items())
    k = data.draw(st.integers(0, reach))
    expected = sum(n for x, n in by_size_of_subset(tally).items() if x <= k)
    assert enumeration.count_at_most(tally, k) == expected


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
