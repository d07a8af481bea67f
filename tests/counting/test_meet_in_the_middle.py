"""Meet in the middle: against the dictionary program, with weights, ties and pairs left outside."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import check_progress, complaint
from counting.test_every_engine import at_most, steps
from exactperm.counting import dp, meet_in_the_middle
from exactperm.errors import ExactPermError
from exactperm.swaps.units import degree

differences = st.one_of(st.integers(1, 8), st.integers(1, 10**30))


def agrees(units, ends, **lengths):
    """With lists and blocks of these lengths each count is that of the dictionary program."""
    whole = dp.counts(units)
    with pytest.MonkeyPatch.context() as patch:
        for name, length in lengths.items():
            patch.setattr(meet_in_the_middle, name, length)
        for k in ends:
            assert meet_in_the_middle.count_at_most(units, k) == at_most(whole, k)


def ends_of(units):
    """A threshold: any, or a sum."""
    return st.one_of(st.integers(0, degree(units)), st.sampled_from([*dp.counts(units)]))


tallies = st.lists(differences, max_size=12).map(lambda ds: {d: ds.count(d) for d in sorted({*ds})})


SHORT = {
    "_FEW": st.sampled_from([0, 1 << 10]),
    "_LISTED": st.sampled_from([0, 1 << 22]),
    "_MERGED_BITS": st.integers(0, 4),
    "_SHIFT_BITS": st.integers(0, 4),
    "_BLOCK": st.sampled_from([2, 5, 16, 64]),
    "_SLICE": st.integers(1, 3),
    "_SAMPLED": st.integers(1, 2),
}


@pytest.mark.parametrize("any_units", [tallies, steps(differences, types=5)])
@given(lengths=st.just({}) | st.fixed_dictionaries(SHORT), data=st.data())
def test_short_lists_and_many_blocks_change_nothing(any_units, lengths, data):
    # Lists of 2**20 sums and blocks of 2**14 are too slow for a test: with few sums each, many
    # shifts and blocks.
    units = data.draw(any_units)
    agrees(units, [data.draw(ends_of(units))], **lengths)


@pytest.mark.slow
@pytest.mark.parametrize("few", [0, 1 << 10])
def test_every_threshold_in_many_blocks(few):
    # Lists of four sums, shifted 32 times in one half and 16 times in the other, in some blocks of
    # a few values.
    tally = dict.fromkeys([1, 2, 3, 5, 8, 13, 21, 34, 40, 41, 43, 50, 60], 1)
    agrees(tally, dp.counts(tally), _FEW=few, _MERGED_BITS=2, _BLOCK=8, _SLICE=1, _SAMPLED=2)


@given(st.lists(st.integers(2**59, 2**67), min_size=11, max_size=13, unique=True), st.data())
def test_sums_longer_than_fields(ds, data):
    # Sums of 64 to 70 bits are fields modulo 2**63 in blocks of at most 2**61 values, which many
    # blocks are cut to.
    tally = dict.fromkeys(sorted(ds), 1)
    k, block = data.draw(ends_of(tally)), 1 << data.draw(st.integers(0, 4))
    agrees(tally, [k], _FEW=0, _BLOCK=block, _SAMPLED=1)


def test_fields_tell_where_the_sums_are():
    # In the header of the module: a = 0, 1, 4, 5 and k - b = 5, 7. Then one b is met by a = 3, 3, 4
    # and by 5 before.
    def fields(*values):
        return b"".join((2**62 + value).to_bytes(8, sys.byteorder) for value in values)

    assert meet_in_the_middle._merged(fields(0, 2, 8, 10), fields(15, 11), 0) == (8, 4)
    assert meet_in_the_middle._merged(fields(6, 6, 8, 10), fields(9), 5) == (5 + 3, 5 + 4)
    assert meet_in_the_middle._merged(fields(6), b"", 5) == (0, 6)
    assert meet_in_the_middle._merged(b"", fields(7, 9), 5) == (10, 5)


@given(st.integers(0, 2**200))
def test_places(number):
    expected = sum(place for place in range(201) if number >> place & 1)
    assert meet_in_the_middle._places(number, 201) == expected


def test_halves_are_balanced_and_the_largest_differences_shift():
    tally = dict.fromkeys(range(1, 61), 1)
    halves, bits = meet_in_the_middle._plan(tally, 900)
    assert bits is None
    listed, shifts = zip(*map(meet_in_the_middle._divided, halves))
    assert sorted(d for more in shifts for d, _ in more) == list(range(41, 61))
    assert [*map(len, listed), *map(len, shifts)] == [20, 20, 10, 10]
    # One group is never split: c pairs have c + 1 sums in one half, but (c/2 + 1)**2 in two.
    assert meet_in_the_middle._plan({5: 10**20}, 5 * 10**19)[0] == [[(5, 10**20)], []]


@pytest.mark.parametrize(
    ("tally", "bits"),
    [
        (dict.fromkeys(range(1, 19), 1), None),
        (dict.fromkeys(range(1, 18), 1), 0),  # too few sums
        (dict.fromkeys(range(2**59, 2**59 + 18), 1), 0),  # too wide
        (dict.fromkeys(range(2**59, 2**59 + 30), 1), None),  # but not for more sums
        (dict.fromkeys(range(1, 19), 2), 37),
        ({**dict.fromkeys(range(1, 50), 1), 50: 2}, None),  # too many sums to list them
        ({((0, 1), (1, 2)): 3}, 5),
    ],
)
def test_where_fields_are_merged(tally, bits):
    assert meet_in_the_middle._plan(tally, degree(tally) // 2)[1] == bits


def test_sums_above_the_threshold_are_not_listed():
    assert meet_in_the_middle._sums([(3, 2), (10, 1), (11, 1)], 13, 5) == [
        sum_ << 5 | weight for sum_, weight in ((0, 1), (3, 2), (6, 1), (10, 1), (11, 1), (13, 2))
    ]
    assert meet_in_the_middle._sums([(3, 1), (10, 1), (11, 1)], 13, 0) == [0, 3, 10, 11, 13]


def test_there_is_no_whole_distribution():
    told = complaint(ExactPermError, lambda: meet_in_the_middle.counts({1: 2}))
    assert told == "meet in the middle counts up to one sum, not the whole distribution"


def test_progress_counts_the_blocks(monkeypatch):
    def reports(tally, k):
        return check_progress(
            lambda progress: meet_in_the_middle.count_at_most(tally, k, progress=progress)
        )[1]

    assert reports({1: 1, 2: 2}, 2) == [(1, 1)]
    for name, length in {"_FEW": 0, "_BLOCK": 1, "_SLICE": 1, "_SAMPLED": 1}.items():
        monkeypatch.setattr(meet_in_the_middle, name, length)
    told = reports(dict.fromkeys(range(1, 17), 1), 60)
    assert len(told) > 1
    assert told == [(done, len(told)) for done in range(1, len(told) + 1)]
