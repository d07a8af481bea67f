"""All engines for items whose values have weights count the same integers, and estimate before they count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting.test_every_engine import steps
from counting.test_terms import sent
from exactperm.budget import Unfit
from exactperm.counting import dp, meet_in_the_middle, packed, recurrence, terms
from exactperm.swaps.units import degree


@given(steps(items=3), st.integers(0, 9))
def test_both_ways_of_the_recurrence(types, first):
    whole, span = dp.counts(types), degree(types)
    expected = [whole.get(x, 0) for x in range(span + 4)]
    for way in (terms._neighbours, terms._left_out):
        assert sent(way(types), first, 0, span + 4 - first % (span + 4))[: span + 4] == expected


@pytest.mark.slow
def test_many_items_of_one_step_are_a_power():
    types = {((0, 2), (1, 3), (3, 1)): 400}
    half = recurrence.count_at_most(types, 500)
    assert half == packed.count_at_most(types, 500) == dp.count_at_most(types, 500)
    assert 0 < half < 6**400


REAL = {((0, 1), (10**17 + i, 1), (10**18 + i * i, 1)): 1 for i in range(100)}


def test_a_meet_in_the_middle_refuses_halves_too_long_to_list():
    wide = {tuple((10**6 * i + j, 1) for i in range(400)): 1 for j in range(1, 13)}
    wide = {((0, 1), *step[1:]): 1 for step in wide}
    assert isinstance(meet_in_the_middle.estimate(wide, degree(wide) // 2), Unfit)
    many = meet_in_the_middle.estimate({((0, 1), (7, 2)): 10**6}, 10**5)
    assert many == Unfit(reason="is for at most 64 items")
