"""Meet in the middle: against enumeration and the dictionary program, with weights, ties and pairs left outside."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactperm.budget import Estimate, Unfit
from exactperm.counting import dp, enumeration, meet_in_the_middle, packed
from exactperm.errors import ExactPermError
from memory import peak_of

differences = st.one_of(st.integers(1, 8), st.integers(1, 10**30))


def tallies(most_pairs: int = 11) -> st.SearchStrategy[dict[int, int]]:
    pairs = st.lists(differences, max_size=most_pairs)
    return pairs.map(lambda ds: {d: ds.count(d) for d in sorted(set(ds))})


def reach_of(tally: dict[int, int]) -> int:
    return sum(d * c for d, c in tally.items())


@given(tallies(), st.data())
def test_agrees_with_enumeration(tally, data):
    k = data.draw(st.one_of(st.integers(0, reach_of(tally)), st.sampled_from(list(dp.counts(tally)))))
    assert meet_in_the_middle.count_at_most(tally, k) == enumeration.count_at_most(tally, k)


@given(tallies(7), st.integers(0, 3), st.data())
def test_pairs_left_outside_change_nothing(tally, half_bits, data):
    # Halves of 2**22 sums are too slow for a test: with shorter ones most pairs stay outside.
    k = data.draw(st.integers(0, reach_of(tally)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meet_in_the_middle, "_HALF_BITS", half_bits)
        assert meet_in_the_middle.count_at_most(tally, k) == enumeration.count_at_most(tally, k)


def test_weights_of_sums_beside_pairs_left_outside(monkeypatch):
    # Halves {0, 1, 2, 3} and {0, 2, 4, 6}, both with the weights 1, 3, 3, 1; beyond them the sums 0, 7, 14.
    tally = {1: 3, 2: 3, 7: 2}
    monkeypatch.setattr(meet_in_the_middle, "_HALF_BITS", 2)
    assert [set(part) for part in meet_in_the_middle._deal(tally)] == [{7}, {1}, {2}]
    for k in range(24):
        assert meet_in_the_middle.count_at_most(tally, k) == enumeration.count_at_most(tally, k)


def test_ranks():
    assert list(meet_in_the_middle.ranks_below([3, 4, 9], iter([5, 3, 2, 0]), 6)) == [0, 1, 2, 2]


@settings(max_examples=25)
@given(st.lists(st.integers(1, 300), min_size=20, max_size=26), st.data())
def test_agrees_with_the_other_engines_on_more_pairs(ds, data):
    tally = {d: ds.count(d) for d in sorted(set(ds))}
    k = data.draw(st.integers(0, reach_of(tally) // 2))
    counted = meet_in_the_middle.count_at_most(tally, k)
    assert counted == dp.count_at_most(tally, k)
    assert counted == packed.count_at_most(tally, k)


@pytest.mark.parametrize("tally", [{1: 1}, {2: 3}, {1: 1, 2: 1, 3: 1}, {1: 2, 10**40: 2}])
def test_both_ends_of_the_range(tally):
    reach = reach_of(tally)
    assert meet_in_the_middle.count_at_most(tally, 0) == 1
    assert meet_in_the_middle.count_at_most(tally, reach - 1) == 2 ** sum(tally.values()) - 1
    assert meet_in_the_middle.count_at_most(tally, reach) == 2 ** sum(tally.values())


def test_equal_sums_count_as_often_as_they_occur():
    # 1 + 2 = 3: the sum 3 occurs in both halves and across them. By hand: 0, 1, 2, 3, 3, 4, 5, 6.
    assert [meet_in_the_middle.count_at_most({1: 1, 2: 1, 3: 1}, k) for k in range(7)] == [1, 2, 3, 5, 6, 7, 8]
    assert meet_in_the_middle.count_at_most({}, 0) == 1


def test_powers_of_two_make_every_sum_once():
    # The subsets of 2**0, ..., 2**27 are the numbers below 2**28, in units of 10**50 + 1.
    unit = 10**50 + 1
    tally = {unit << i: 1 for i in range(28)}
    assert meet_in_the_middle.count_at_most(tally, unit * 123_456_789) == 123_456_790
    assert meet_in_the_middle.count_at_most(tally, unit * 123_456_789 - 1) == 123_456_789


def test_many_equal_pairs_are_few_weighted_sums():
    # 2**180 assignments, 31**6 sums. Sums are told apart by their digits in base 10**9: a product of binomial numbers.
    tally = {10 ** (9 * i): 30 for i in range(6)}
    below = meet_in_the_middle.count_at_most(tally, 10**45 * 11 - 1)
    assert hex(below) == hex(2**150 * sum(math.comb(30, j) for j in range(11)))


def test_halves_are_balanced_and_the_largest_differences_stay_outside():
    tally = dict.fromkeys(range(1, 61), 1)
    outer, first, second = meet_in_the_middle._deal(tally)
    assert sorted(outer) == list(range(45, 61))
    assert (len(first), len(second)) == (22, 22)
    assert {**outer, **first, **second} == tally
    # One group is never split: c pairs have c + 1 sums in one half, but (c/2 + 1)**2 in two.
    assert meet_in_the_middle._deal({5: 10**20}) == ({}, {5: 10**20}, {})


def test_sums_above_the_threshold_are_not_listed():
    values, weights = meet_in_the_middle._subset_sums({3: 2, 10: 1, 11: 1}, 13, True)
    assert list(zip(values, weights)) == [(0, 1), (3, 2), (6, 1), (10, 1), (11, 1), (13, 2)]
    assert meet_in_the_middle._subset_sums({3: 1, 10: 1, 11: 1}, 13, False) == ([0, 3, 10, 11, 13], [])


def test_there_is_no_whole_distribution():
    with pytest.raises(ExactPermError) as raised:
        meet_in_the_middle.counts({1: 2})
    assert str(raised.value) == "a meet in the middle counts up to one sum: it has no whole distribution"
    refused = meet_in_the_middle.estimate({1: 2}, None)
    assert refused == Unfit(reason="counts up to one sum and has no whole distribution")


def test_progress_counts_the_passes():
    calls: list[tuple[int, int]] = []
    meet_in_the_middle.count_at_most({1: 1, 2: 2}, 2, progress=lambda *call: calls.append(call))
    assert calls == [(1, 1)]
    calls.clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(meet_in_the_middle, "_HALF_BITS", 0)
        meet_in_the_middle.count_at_most({1: 1, 4: 1, 9: 1}, 6, progress=lambda *call: calls.append(call))
    assert calls == [(1, 2), (2, 2)]


@given(tallies(40).filter(bool), st.data())
def test_estimate_grows_with_the_threshold(tally, data):
    reach = reach_of(tally)
    low = data.draw(st.integers(0, reach // 2))
    some, more = meet_in_the_middle.estimate(tally, low), meet_in_the_middle.estimate(tally, reach // 2)
    assert isinstance(some, Estimate)
    assert isinstance(more, Estimate)
    assert 0 < some.seconds <= more.seconds
    assert 0 < some.bytes <= more.bytes


def test_44_pairs_fit_into_two_gibibytes():
    tally = {10**15 + i**5: 1 for i in range(44)}
    assert meet_in_the_middle.estimate(tally, reach_of(tally) // 2).bytes < 2**30
    more = {10**15 + i**5: 1 for i in range(52)}
    cost = meet_in_the_middle.estimate(more, reach_of(more) // 2)
    assert isinstance(cost, Estimate)
    assert cost.bytes < 2**30
    assert cost.seconds > 20


def test_estimate_is_safe_for_hostile_tallies():
    assert isinstance(meet_in_the_middle.estimate(dict.fromkeys(range(1, 100_000), 1), 10**9), Unfit)
    assert isinstance(meet_in_the_middle.estimate(dict.fromkeys(range(1, 200), 1), 9000), Unfit)
    assert isinstance(meet_in_the_middle.estimate({1: 10**400, 2: 10**400}, 10**100), Unfit)
    assert isinstance(meet_in_the_middle.estimate({1: 1, 2**80: 1}, 1), Estimate)
    assert isinstance(meet_in_the_middle.estimate({}, 0), Estimate)
    assert meet_in_the_middle.estimate({10**100_000: 2, 3 * 10**100_000: 1}, 2 * 10**100_000).seconds < 0.01


def test_estimate_refuses_above_its_limits(monkeypatch):
    def estimated(**limits):
        with pytest.MonkeyPatch.context() as patch:
            for name, limit in limits.items():
                patch.setattr(meet_in_the_middle, f"_MOST_{name}", limit)
            return meet_in_the_middle.estimate(tally, 9)

    tally = {1: 1, 2: 1, 3: 4}
    assert isinstance(estimated(GROUPS=3, PAIRS=6), Estimate)
    assert estimated(GROUPS=2) == Unfit(reason="is for at most 2 different differences and 1e+09 pairs")
    assert estimated(PAIRS=5) == Unfit(reason="is for at most 200 different differences and 5e+00 pairs")
    assert estimated(STEPS=5) == Unfit(reason="would take more than 5e+00 steps through sorted sums")
    assert isinstance(estimated(STEPS=40), Estimate)


SHAPES = [
    ({10**9 + i**5: 1 for i in range(18)}, 8, 22),
    ({10**9 + i**5: 1 for i in range(18)}, 4, 22),
    ({10**9 + i**5: 1 for i in range(12)}, 5, 4),  # four pairs stay outside
    ({10**9 + i**5: 2 + i % 2 for i in range(9)}, 10, 22),
    ({10**9 + i**5: 2 + i % 2 for i in range(6)}, 7, 3),
    ({1: 40, 10**9: 60}, 20, 22),
    ({1: 40, 10**600: 60}, 0, 22),
    ({10**9 + i**5: 2 for i in range(10)}, 7, 22),
    ({10**600 + i**5: 1 for i in range(14)}, 6, 22),
    ({10**600 + i**5: 3 for i in range(8)}, 9, 22),
]


@pytest.fixture(name="walked", params=SHAPES, ids=range(len(SHAPES)))
def _walked(request, monkeypatch):
    """A tally, a threshold, and what a count met: (sum, weight) of the three lists, sums of first and second walked."""
    tally, large, half_bits = request.param
    monkeypatch.setattr(meet_in_the_middle, "_HALF_BITS", half_bits)
    k = large * max(tally) + 10**7
    weighted = max(tally.values()) > 1
    lists = [meet_in_the_middle._subset_sums(part, k, weighted) for part in meet_in_the_middle._deal(tally)]
    walks = [[y for x in lists[0][0] for y in half[0] if x + y <= k] for half in lists[1:]]
    return tally, k, lists, walks


def test_estimate_counts_what_is_done(walked, monkeypatch):
    tally, k, lists, walks = walked
    listed, steps = sum(len(sums) for sums, _weights in lists), sum(map(len, walks))
    weighted = max(tally.values()) > 1
    outer, first, second = meet_in_the_middle._deal(tally)

    def seconds(**costs):
        names = ("START", "MULTIPLE", "SUM", "STEP", "WEIGHT", "DIGIT", "PRODUCT", "BYTE")
        for name in names:
            monkeypatch.setattr(meet_in_the_middle, f"_SECONDS_{name}", costs.get(name, 0))
        return meet_in_the_middle.estimate(tally, k).seconds

    def about(number, tolerance=0.35):
        return pytest.approx(number, rel=tolerance)

    assert seconds(START=7) == 7
    multiples = sum(j * d <= k for d, c in tally.items() for j in range(1, c + 1))
    assert seconds(MULTIPLE=1) == about(multiples + len(lists[0][0]), 0.15 if outer else 1e-9)
    assert seconds(SUM=1) == about(listed)
    assert seconds(STEP=1) == about(steps)
    assert seconds(WEIGHT=1) == about(weighted * (listed + steps / 2))
    long = k.bit_length() / 30 + (sum(tally.values()) / 30 if weighted else 0)
    assert seconds(DIGIT=1) == about((2 * listed + steps) * long)
    products = weighted * len(walks[1]) * sum(first.values()) * sum(second.values()) / 900
    assert seconds(PRODUCT=1) == about(products)
    assert int(seconds(BYTE=1)) == meet_in_the_middle.estimate(tally, k).bytes - meet_in_the_middle._BYTES_START


def test_estimate_counts_passes_up_to_the_threshold_only(monkeypatch):
    # Outside the halves lie the pairs of 10^9 and more, which no subset up to 45 has, and that of 9: two passes.
    monkeypatch.setattr(meet_in_the_middle, "_HALF_BITS", 4)
    tally = dict.fromkeys([*range(1, 10), *range(10**9, 10**9 + 4)], 1)
    assert list(meet_in_the_middle._deal(tally)[0]) == [*range(10**9 + 3, 10**9 - 1, -1), 9]
    for name in ("START", "MULTIPLE", "SUM", "STEP", "WEIGHT", "DIGIT", "PRODUCT", "BYTE"):
        monkeypatch.setattr(meet_in_the_middle, f"_SECONDS_{name}", name == "MULTIPLE")
    assert 9 + 1 <= meet_in_the_middle.estimate(tally, 45).seconds <= 9 + 3


@pytest.mark.parametrize(("tally", "large", "half_bits"), SHAPES)
def test_estimate_of_memory_holds(tally, large, half_bits, monkeypatch):
    monkeypatch.setattr(meet_in_the_middle, "_HALF_BITS", half_bits)
    k = large * max(tally) + 10**7
    expected = meet_in_the_middle.estimate(tally, k).bytes
    peak = peak_of(lambda: meet_in_the_middle.count_at_most(tally, k))
    assert expected / 3 < peak < 2 * expected + 4000
