"""Tails from one threshold count against tails from the whole distribution."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.budget import Options
from exactperm.counting.methods import METHODS
from exactperm.null.alternative import ALTERNATIVES
from exactperm.null.tails import LaidOutTails, SumTails
from exactperm.swaps.canonical import canonical
from exactperm.swaps.effects import flip_effects

differences = st.lists(st.integers(-5, 5), min_size=1, max_size=7)


@pytest.mark.slow
@given(differences, st.sampled_from(ALTERNATIVES), st.sampled_from(METHODS))
def test_both_ways_agree(d, alternative, method):
    one = SumTails(swaps=canonical(flip_effects(d)))
    options = Options(method=method)
    whole = LaidOutTails(statistic=one.statistic, null=one.distribution(), method="any")
    assert one.statistic == sum(d)
    assert whole.distribution() is whole.null
    assert one.extreme_count(alternative, options)[0] == whole.extreme_count(alternative)[0]
    assert one.extremes(alternative, options) == whole.extremes(alternative)
    assert one.least_count(alternative, options) == whole.least_count(alternative)
    assert whole.null.total == 2 ** len(d)


def test_the_engine_is_named():
    tails = SumTails(swaps=canonical(flip_effects([1, 1, 2, 5])))
    for method in METHODS[1:]:
        assert tails.extreme_count("greater", Options(method=method)) == (1, method)
    assert (
        LaidOutTails(statistic=0, null=tails.distribution(), method="dp").extreme_count("less")[1]
        == "dp"
    )
