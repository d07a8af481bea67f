"""Meet in the middle: against enumeration and the dictionary program, with weights, ties and pairs left outside."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactperm.counting import dp, enumeration, packed, subsets
from exactperm.counting.cost import Estimate, Unfit
from exactperm.errors import ExactPermError

differences = st.one_of(st.integers(1, 8), st.integers(1, 10**30))


def tallies(most_pairs: int = 11) -> st.SearchStrategy[dict[int, int]]:
    pairs = st.lists(differences, max_size=most_pairs)
    return pairs.map(lambda ds: {d: ds.count(d) for d in sorted(set(ds))})


def reach_of(tally: dict[int, int]) -> int:
    return sum(d * c for d, c in tally.items())


@given(tallies(), st.data())
def test_agrees_with_enumeration(tally, data):
    k = data.draw(st.one_of(st.integers(0, reach_of(tally)), st.sampled_from(list(dp.counts(tally)))))
    assert subsets.count_at_most(tally, k) == enumeration.count_at_most(tally, k)


@given(tallies(7), st.integers(0, 3), st.data())
def test_pairs_left_outside_change_nothing(tally, half_bits, data):
    # Halves of 2**22 sums are too slow for a test: with shorter ones most pairs stay outside.
    k = data.draw(st.integers(0, reach_of(tally)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subsets, "_HALF_BITS", half_bits)
        assert subsets.count_at_most(tally, k) == enumeration.count_at_most(tally, k)


@settings(max_examples=25)
@given(st.lists(st.integers(1, 300), min_size=20, max_size=26), st.data())
def test_agrees_with_the_other_engines_on_more_pairs(ds, data):
    tally = {d: ds.count(d) for d in sorted(set(ds))}
    k = data.draw(st.integers(0, reach_of(tally) // 2))
    counted = subsets.count_at_most(tally, k)
    assert counted == dp.count_at_most(tally, k)
    assert counted == packed.count_at_most(tally, k)


@pytest.mark.parametrize("tally", [{1: 1}, {2: 3}, {1: 1, 2: 1, 3: 1}, {1: 2, 10**40: 2}])
def test_both_ends_of_the_range(tally):
    reach = reach_of(tally)
    assert subsets.count_at_most(tally, 0) == 1
    assert subsets.count_at_most(tally, reach - 1) == 2 ** sum(tally.values()) - 1
    assert subsets.count_at_most(tally, reach) == 2 ** sum(tally.values())


def test_equal_sums_count_as_often_as_they_occur():
    # 1 + 2 = 3: the sum 3 occurs in both halves and across them. By hand: 0, 1, 2, 3, 3, 4, 5, 6.
    assert [subsets.count_at_most({1: 1, 2: 1, 3: 1}, k) for k in range(7)] == [1, 2, 3, 5, 6, 7, 8]
    assert subsets.count_at_most({}, 0) == 1


def test_powers_of_two_make_every_sum_once():
    # The subsets of 2**0, ..., 2**27 are the numbers below 2**28, in units of 10**50 + 1.
    unit = 10**50 + 1
    tally = {unit << i: 1 for i in range(28)}
    assert subsets.count_at_most(tally, unit * 123_456_789) == 123_456_790
    assert subsets.count_at_most(tally, unit * 123_456_789 - 1) == 123_456_789


def test_many_equal_pairs_are_few_weighted_sums():
    # 2**180 assignments, 31**6 sums. Sums are told apart by their digits in base 10**9: a product of binomial numbers.
    tally = {10 ** (9 * i): 30 for i in range(6)}
    below = subsets.count_at_most(tally, 10**45 * 11 - 1)
    assert hex(below) == hex(2**150 * sum(math.comb(30, j) for j in range(11)))


def test_halves_are_balanced_and_the_largest_differences_stay_outside():
    tally = dict.fromkeys(range(1, 61), 1)
    outer, first, second = subsets._deal(tally)
    assert sorted(outer) == list(range(45, 61))
    assert (len(first), len(second)) == (22, 22)
    assert {**outer, **first, **second} == tally
    # One group is never split: c pairs have c + 1 sums in one half, but (c/2 + 1)**2 in two.
    assert subsets._deal({5: 10**20}) == ({}, {5: 10**20}, {})


def test_sums_above_the_threshold_are_not_listed():
    values, weights = subsets._subset_sums({3: 2, 10: 1, 11: 1}, 13, True)
    assert list(zip(values, weights)) == [(0, 1), (3, 2), (6, 1), (10, 1), (11, 1), (13, 2)]
    assert subsets._subset_sums({3: 1, 10: 1, 11: 1}, 13, False) == ([0, 3, 10, 11, 13], [])


def test_there_is_no_whole_distribution():
    with pytest.raises(ExactPermError, match="no whole distribution"):
        subsets.counts({1: 2})
    assert isinstance(subsets.estimate({1: 2}, None), Unfit)


def test_progress_counts_the_passes():
    calls: list[tuple[int, int]] = []
    subsets.count_at_most({1: 1, 2: 2}, 2, progress=lambda *call: calls.append(call))
    assert calls == [(1, 1)]
    calls.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(subsets, "_HALF_BITS", 0)
        subsets.count_at_most({1: 1, 4: 1, 9: 1}, 6, progress=lambda *call: calls.append(call))
    assert calls == [(1, 2), (2, 2)]


@given(tallies(40).filter(bool), st.data())
def test_estimate_grows_with_the_threshold(tally, data):
    reach = reach_of(tally)
    low = data.draw(st.integers(0, reach // 2))
    some, more = subsets.estimate(tally, low), subsets.estimate(tally, reach // 2)
    assert isinstance(some, Estimate)
    assert isinstance(more, Estimate)
    assert 0 < some.seconds <= more.seconds
    assert 0 < some.bytes <= more.bytes


def test_44_pairs_fit_into_two_gibibytes():
    tally = {10**15 + i**5: 1 for i in range(44)}
    assert subsets.estimate(tally, reach_of(tally) // 2).bytes < 2**30
    more = {10**15 + i**5: 1 for i in range(52)}
    cost = subsets.estimate(more, reach_of(more) // 2)
    assert isinstance(cost, Estimate)
    assert cost.bytes < 2**30
    assert cost.seconds > 20


def test_estimate_is_safe_for_hostile_tallies():
    assert isinstance(subsets.estimate(dict.fromkeys(range(1, 100_000), 1), 10**9), Unfit)
    assert isinstance(subsets.estimate(dict.fromkeys(range(1, 200), 1), 9000), Unfit)
    assert isinstance(subsets.estimate({1: 10**400, 2: 10**400}, 10**100), Unfit)
    assert isinstance(subsets.estimate({1: 1, 2**80: 1}, 1), Estimate)
    assert subsets.estimate({10**100_000: 2, 3 * 10**100_000: 1}, 2 * 10**100_000).seconds < 0.01
