"""All engines for items whose values have weights count the same integers, and estimate before they count."""

from itertools import product
from math import comb, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import complaint
from counting.test_terms import sent
from exactperm.budget import Estimate, Unfit
from exactperm.counting import dp, meet_in_the_middle, packed, recurrence, terms
from exactperm.errors import ExactPermError
from exactperm.swaps.units import choices, degree

ENGINES = (dp, meet_in_the_middle, packed, recurrence)
WHOLE = (dp, packed, recurrence)


@st.composite
def tallies(draw, largest=12, items=3):
    """{step: number of items} with values up to ``largest``."""
    found = {}
    for _ in range(draw(st.integers(1, 3))):
        values = sorted(draw(st.sets(st.integers(1, largest), min_size=1, max_size=3)))
        weights = draw(
            st.lists(st.integers(1, 5), min_size=len(values) + 1, max_size=len(values) + 1)
        )
        found[tuple(zip([0, *values], weights))] = draw(st.integers(1, items))
    return dict(sorted(found.items()))


def by_definition(types):
    """{sum: number of choices}: one term of every item, with the product of the weights."""
    steps = [step for step, number in types.items() for _ in range(number)]
    found = {}
    for chosen in product(*steps):
        total = sum(value for value, _weight in chosen)
        found[total] = found.get(total, 0) + prod(weight for _value, weight in chosen)
    return dict(sorted(found.items()))


@given(tallies(items=2), st.data())
def test_every_engine_counts_by_the_definition(types, data):
    whole = by_definition(types)
    assert sum(whole.values()) == choices(types)
    assert max(whole) == degree(types)
    for engine in WHOLE:
        assert engine.counts(types) == whole, engine.__name__
    k = data.draw(st.integers(0, degree(types)))
    for engine in ENGINES:
        assert engine.count_at_most(types, k) == sum(
            count for x, count in whole.items() if x <= k
        ), engine.__name__


@given(st.dictionaries(st.integers(1, 9), st.integers(1, 4), min_size=1, max_size=3))
def test_pairs_are_the_step_of_two_equal_weights(tally):
    types = {((0, 1), (d, 1)): count for d, count in sorted(tally.items())}
    ordered = dict(sorted(tally.items()))
    for engine in WHOLE:
        assert engine.counts(types) == recurrence.counts(ordered)


@given(tallies(), st.integers(0, 9))
def test_both_ways_of_the_recurrence(types, first):
    whole, span = dp.counts(types), degree(types)
    expected = [whole.get(x, 0) for x in range(span + 4)]
    for way in (terms._neighbours, terms._left_out):
        assert sent(way(types), first, 0, span + 4 - first % (span + 4))[: span + 4] == expected


def test_many_items_of_one_step_are_a_power():
    types = {((0, 2), (1, 3), (3, 1)): 400}
    half = recurrence.count_at_most(types, 500)
    assert half == packed.count_at_most(types, 500) == dp.count_at_most(types, 500)
    assert 0 < half < 6**400


def test_progress_ends_at_its_total():
    for engine, types, k in (
        (recurrence, {((0, 1), (1, 2)): 600}, 511),
        (dp, {((0, 1), (1, 2)): 5}, 3),
        (packed, {((0, 1), (1, 2)): 5}, 3),
        (meet_in_the_middle, {((0, 1), (1, 2)): 5}, 3),
    ):
        calls = []
        engine.count_at_most(types, k, progress=lambda *call, calls=calls: calls.append(call))
        assert calls, engine.__name__
        assert calls[-1][0] == calls[-1][1], engine.__name__


def test_a_meet_in_the_middle_has_no_whole_distribution():
    types = {((0, 1), (1, 2)): 2}
    assert "no whole distribution" in complaint(
        ExactPermError, lambda: meet_in_the_middle.counts(types)
    )
    assert meet_in_the_middle.estimate(types, None) == Unfit(
        reason="counts up to one sum and has no whole distribution"
    )


REAL = {((0, 1), (10**17 + i, 1), (10**18 + i * i, 1)): 1 for i in range(100)}


@pytest.mark.parametrize("engine", ENGINES)
def test_estimates_grow_and_end(engine):
    few, more = (
        {((0, 1), (3, 2), (5, 1)): 2},
        {((0, 1), (3, 2), (5, 1)): 9, ((0, 1), (4, 2), (7, 1)): 9},
    )
    small, large = engine.estimate(few, 3), engine.estimate(more, 20)
    assert isinstance(small, Estimate)
    assert isinstance(large, Estimate)
    assert (small.seconds, small.bytes) < (large.seconds, large.bytes)
    assert isinstance(engine.estimate(REAL, 10**18), Unfit)


@pytest.mark.parametrize(
    "engine", [engine for engine in ENGINES if engine is not meet_in_the_middle]
)
def test_long_weights_are_estimated(engine):
    """Many runs of an item have weights of many digits: a product with one takes as many times as long."""
    step = tuple((i, comb(2000, i + 400)) for i in range(1000))
    short = ((0, sum(weight for _value, weight in step)), *((i, 1) for i in range(1, 1000)))
    assert engine.estimate({step: 5}, 2400).seconds > 4 * engine.estimate({short: 5}, 2400).seconds


@pytest.mark.parametrize("engine", WHOLE)
def test_estimates_of_whole_distributions(engine):
    types = {((0, 1), (3, 2), (5, 1)): 9}
    assert engine.estimate(types, None).seconds >= engine.estimate(types, 10).seconds


def test_a_meet_in_the_middle_refuses_halves_too_long_to_list():
    wide = {tuple((10**6 * i + j, 1) for i in range(400)): 1 for j in range(1, 13)}
    wide = {((0, 1), *step[1:]): 1 for step in wide}
    assert isinstance(meet_in_the_middle.estimate(wide, degree(wide) // 2), Unfit)
    many = meet_in_the_middle.estimate({((0, 1), (7, 2)): 10**6}, 10**5)
    assert many == Unfit(reason="is for at most 64 items")
