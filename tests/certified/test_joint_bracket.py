"""The search for a bracket in two dimensions: coordinates, digits, complements, budgets and refusals."""

from __future__ import annotations

import random

import pytest

from exactperm import Budget
from exactperm.arithmetic.enclosure import Enclosure
from exactperm.certified import joint_bracket, search
from exactperm.certified.joint_bracket import JointSearch, region_tail
from exactperm.certified.joint_parameters import Border, shape
from exactperm.certified.search import NO_COUNT, Meter, narrowed
from exactperm.errors import BudgetExceeded
from joint_cases import Slab, random_regions, regions_of

AMPLE = Budget(seconds=60)


def most_of_all():
    """Regions of a probability near 1."""
    return regions_of(300, 0.2, t=-abs(regions_of(300, 0.2)[0].side[0]))


def enclosed(regions, digits, budget=AMPLE, progress=None):
    """The bracket of a region that nothing counts."""
    tail = region_tail(lambda: regions, NO_COUNT, Meter(budget, progress))
    return narrowed(tail, digits)


@pytest.mark.slow
def test_random_tails():
    cases = 0
    for seed in range(25):
        for found, p in random_regions(random.Random(seed)):
            try:
                low, high = enclosed([found], 3).ends()
            except BudgetExceeded as refusal:  # tails of a few assignments
                low, high = refusal.bracket.ends()
            assert low <= p <= high
            cases += 1
    assert cases > 60


@pytest.mark.slow
@pytest.mark.parametrize("digits", [1, 6, 12, 17, 30])
def test_the_width_is_met(digits):
    assert enclosed(regions_of(300, 0.02), digits).relative_width <= 10.0**-digits


@pytest.mark.slow
def test_the_default_is_a_double_where_that_is_soon(monkeypatch):
    regions = regions_of(60, 0.02)
    assert enclosed(regions, None).relative_width <= 1e-17
    monkeypatch.setattr(search, "SOON", 0.0)
    assert 1e-12 < enclosed(regions, None).relative_width <= 1e-4


def test_the_cheapest_coordinates_are_taken():
    regions = regions_of(200, 0.05)
    border = JointSearch(regions, 4, 1.0, Meter(AMPLE)).border
    works = {id(one): shape(Border(one))[1] for one in regions}
    assert works[id(border.region)] == min(works.values())


def test_complements_are_as_narrow():
    # P near 1 has the relative width of 1 - P, times 1 - P.
    low, high = enclosed(most_of_all(), 4).ends()
    assert 0 < 1 - high <= 1 - low < 1e-3
    assert high - low <= (1 - high) / 10**4


def test_progress_ends_with_all_work():
    seen = []
    enclosed(regions_of(60, 0.02), 4, progress=lambda *told: seen.append(told))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] > 0


RARE = Slab({(1, 0): 64, (0, 1): 64}, {x: 64 if x == 64 else 99 for x in range(65)})
STEEP = Slab({(1, 0): 64, (0, 1): 64}, {x: 10**9 * (x - 28) for x in range(65)}, -(10**12), 10**12)


class TestRefusals:
    """Every refusal names its limit, and the seconds or bytes that are more than the budget."""

    @pytest.mark.parametrize(
        ("regions", "digits", "budget", "reason"),
        [
            (lambda: regions_of(40, 0.0, seed=3), 4, {"seconds": 1e-6}, "distinct effects"),
            (lambda: regions_of(300, 0.0), 17, {"seconds": 0.02}, "too many sums"),
            (lambda: regions_of(300, 0.0), 4, {"bytes": 10}, "period"),
            # Rows are few, but the border is so steep that sums along it spread far.
            (lambda: [STEEP], 4, {"bytes": 10**6}, "period"),
            (lambda: regions_of(60, 0.0, most=1000), 4, {"seconds": 5}, "too many frequencies"),
        ],
    )
    def test_beyond_the_budget(self, regions, digits, budget, reason):
        budget = Budget(**budget)
        with pytest.raises(BudgetExceeded) as raised:
            enclosed(regions(), digits, budget)
        refused = raised.value
        assert reason in refused.detail
        assert (refused.seconds or 0) > budget.seconds or (refused.bytes or 0) > budget.bytes
        assert refused.bracket is None or refused.bracket.relative_width > 0.1

    def test_a_search_that_takes_longer_than_expected(self, monkeypatch):
        monkeypatch.setattr(joint_bracket, "_TRIALS", 0.0)
        with pytest.raises(BudgetExceeded, match="rectangles") as raised:
            enclosed(regions_of(60, 0.0, most=60), 4, Budget(seconds=0.15))
        assert raised.value.seconds > 0.15

    def test_a_hopeless_tail_is_not_tried_again(self):
        with pytest.raises(BudgetExceeded) as raised:
            enclosed([RARE], 4)
        low, high = raised.value.bracket.ends()
        assert low <= 2**-128 <= high
        assert "width" in raised.value.detail


def test_rounds_go_on_until_the_width_is_met(monkeypatch):
    calls = []

    def coarse(_self, bits):
        calls.append(bits)
        return Enclosure(10 ** (3 * len(calls)), 10 ** (3 * len(calls)) + 1, -40)

    monkeypatch.setattr(JointSearch, "_round", coarse)
    assert enclosed(regions_of(300, 0.02), 9) == (10**9, 10**9 + 1, -40)
    assert calls == [calls[0], calls[0] + 4, calls[0] + 8]
    # the best of three
    assert enclosed(regions_of(300, 0.02), 30) == (10**18, 10**18 + 1, -40)


def test_a_complement_may_be_wide_next_to_0(monkeypatch):
    monkeypatch.setattr(JointSearch, "_round", lambda *_: Enclosure(0, 1, -40))
    assert enclosed(most_of_all(), 4).ends()[1] == 1
