"""Pairs left out against a dictionary; the split forms against the plain one, bit for bit."""

import math
from itertools import accumulate

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from complaint import check_progress
from counting.test_every_engine import TOKENS
from exactperm.counting import dp, recurrence, short, split, terms
from exactperm.swaps.units import degree


def tallies(pairs=10, longest=30, distinct=5):
    sizes = st.dictionaries(
        st.integers(1, longest), st.integers(1, pairs), min_size=1, max_size=distinct
    )
    return sizes.map(lambda tally: dict(sorted(tally.items())))


# ----------------------------------------------------------------------------------- the recurrence


def test_a_short_count_needs_no_split(monkeypatch):
    limit = short.MOST_WORK // 10**2 - 1
    tally = {limit // 4: 5, limit // 3: 5}
    expected = split.cheapest(tally, limit + 1)
    monkeypatch.setattr(split, "cheapest", None)
    assert recurrence.count_at_most(tally, limit) == dp.count_at_most(tally, limit)
    assert recurrence.estimate(tally, limit).seconds < 2e-4
    monkeypatch.setattr(split, "cheapest", lambda tally, k: expected)
    assert recurrence.estimate(tally, limit + 1) == expected


@pytest.mark.slow
@given(tallies(4, 20), st.data())
def test_leave_one_out_counts(tally, data):
    cases = [(d, data.draw(st.integers(0, degree(tally) + 5))) for d in (0, *tally, *tally)]
    found = recurrence.leave_one_out_counts(tally, cases)
    for (d, limit), count in zip(cases, found):
        without = {**tally, d: tally[d] - 1} if d else tally
        assert count == dp.count_at_most(without, limit)
    assert recurrence.leave_one_out_counts(tally, []) == []


def test_leave_one_out_counts_report_as_one_prefix():
    cases = [(1, 400), (5, 600)]
    _counts, told = check_progress(
        lambda progress: recurrence.leave_one_out_counts({1: 900, 5: 300}, cases, progress=progress)
    )
    assert told == [(256, 601), (512, 601), (601, 601)]


# ---------------------------------------------------------------------------------------- the split


@pytest.mark.slow
@given(tallies(7, 9), st.data())
def test_every_split_is_the_plain_recurrence(tally, data):
    # W or R empty, one difference, many; DW even and odd; k below and above DW/2; blocks from one
    # term on.
    of_w = data.draw(st.sets(st.sampled_from(list(tally))))
    frequent = {d: c for d, c in tally.items() if d in of_w}
    rest = {d: c for d, c in tally.items() if d not in of_w}
    sums = list(accumulate(recurrence.prefix_counts(tally, (degree(tally) - 1) // 2)))
    block = data.draw(st.sampled_from([0, 1, 2, 5, 100]))
    assert [split.count_at_most(frequent, rest, k, block) for k in range(len(sums))] == sums


@pytest.mark.parametrize("taken", range(10))
@pytest.mark.parametrize("block", [0, 1, 17, 1000])
def test_long_splits(taken, block):
    items = list(TOKENS.items())
    frequent, rest = dict(items[:taken]), dict(items[taken:])
    sums = list(accumulate(recurrence.prefix_counts(TOKENS, degree(TOKENS) // 2)))
    for k in (0, 7, 130, 400, 530, (degree(TOKENS) - 1) // 2):
        assert hex(split.count_at_most(frequent, rest, k, block)) == hex(sums[k])


@pytest.mark.slow
@given(
    tallies(8, 8, 3),
    st.integers(1, 30),
    st.lists(st.integers(-(10**12), 10**12), min_size=1, max_size=9),
)
def test_folded_weights_give_the_weighted_sum(tally, start, weights):
    counts = recurrence.prefix_counts(tally, start + len(weights))
    law = terms.equation(tally)
    combination, denominator = split.folded(law, start, weights)
    before = [counts[start - j] if j <= start else 0 for j in range(1, len(law) + 1)]
    value = sum(c * w for c, w in zip(combination, before))
    assert value == denominator * sum(w * n for w, n in zip(weights, counts[start:]))
    assert denominator == math.prod(range(start, start + len(weights)))


@pytest.mark.slow
@given(tallies(3000, 60, 12), st.data())
def test_the_chosen_split_is_a_partition(tally, data):
    assume(len(tally) > 1)
    chosen = split.cheapest(tally, data.draw(st.integers(0, (degree(tally) - 1) // 2)))
    assert dict(sorted({**chosen.frequent, **chosen.rest}.items())) == tally
    assert len(chosen.frequent) + len(chosen.rest) == len(tally)
    assert chosen.frequent
    assert chosen.block >= 0
    assert list(chosen.frequent) == sorted(chosen.frequent)


def test_the_chosen_split_is_the_one_that_counts(monkeypatch):
    many = {d: 100 * c for d, c in TOKENS.items()}
    chosen, calls = split.cheapest(many, 54_000), []
    assert chosen.block and chosen.rest
    monkeypatch.setattr(
        split, "count_at_most", lambda *asked, progress: calls.append((asked, progress)) or 17
    )
    assert recurrence.count_at_most(many, 54_000, progress=print) == 17
    assert calls == [((chosen.frequent, chosen.rest, 54_000, chosen.block), print)]
