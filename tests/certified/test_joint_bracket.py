"""The search for a bracket in two dimensions: coordinates, digits, complements, budgets and refusals."""

from __future__ import annotations

import random

import pytest

from exactperm import Budget, f1_difference
from exactperm.arithmetic.enclosure import Enclosure
from exactperm.certified import joint_bracket
from exactperm.certified.joint_bracket import JointSearch
from exactperm.certified.joint_damping import TooMany
from exactperm.errors import BudgetExceeded
from exactperm.null.joint_tails import JointTails
from exactperm.null.region import region
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.lattice import lattice
from joint_cases import Slab, columns, random_regions

AMPLE = Budget(seconds=60)


def regions_of(n, better, t=None, seed=1):
    u, v = columns(random.Random(seed), f1_difference, n, better)
    tails = JointTails(swaps=lattice(swap_effects(u, v, f1_difference)), rule=f1_difference)
    t = tails.statistic if t is None else t
    return [region(one, f1_difference, (t, True, False)) for one in tails.coordinates]


def test_random_tails():
    cases = 0
    for seed in range(25):
        for found, p in random_regions(random.Random(seed)):
            bracket = JointSearch([found], AMPLE)
            try:
                low, high = bracket.bracket(3).ends()
            except BudgetExceeded as refusal:  # tails of a few assignments
                low, high = refusal.bracket.ends()
            assert low <= p <= high
            cases += 1
    assert cases > 60


@pytest.mark.parametrize("digits", [1, 6, 12, 17, 30])
def test_the_width_is_met(digits):
    assert JointSearch(regions_of(300, 0.02), AMPLE).bracket(digits).relative_width <= 10.0**-digits


def test_the_default_is_a_double_where_that_is_soon(monkeypatch):
    search = JointSearch(regions_of(60, 0.02), AMPLE)
    assert search.bracket(None).relative_width <= 1e-17
    monkeypatch.setattr(joint_bracket, "SOON", 0.0)
    assert 1e-12 < search.bracket(None).relative_width <= 1e-4


def test_the_cheapest_coordinates_are_taken():
    regions = regions_of(200, 0.05)
    search = JointSearch(regions, AMPLE)
    times = {id(one): joint_bracket.shape(joint_bracket.Border(one))[1] for one in regions}
    assert times[id(search.border.region)] == min(times.values())


def test_complements_are_as_narrow():
    # P near 1 has the relative width of 1 - P, times 1 - P.
    t = -abs(regions_of(300, 0.2)[0].side[0])
    bracket = JointSearch(regions_of(300, 0.2, t=t), AMPLE).bracket(4)
    low, high = bracket.ends()
    assert 0 < 1 - high <= 1 - low < 1e-3
    assert high - low <= (1 - high) / 10**4


class TestRefusals:
    def test_too_many_effects(self):
        with pytest.raises(
            BudgetExceeded, match=r"swap units with .* distinct effects would take about"
        ) as raised:
            JointSearch(regions_of(40, 0.0, seed=3), Budget(seconds=1e-6))
        assert raised.value.bracket is None

    def test_the_estimate_is_over_the_budget(self):
        search = JointSearch(regions_of(300, 0.0), Budget(seconds=0.02))
        with pytest.raises(BudgetExceeded) as raised:
            search.bracket(17)
        assert raised.value.seconds == search.estimate(17).seconds > 0.02
        search = JointSearch(regions_of(300, 0.0), Budget(bytes=10))
        with pytest.raises(BudgetExceeded):
            search.bracket(4)

    def test_periods_beyond_the_budget(self):
        # Rows are few, but the border is so steep that sums along it spread far.
        steep = Slab(
            {(1, 0): 64, (0, 1): 64}, {x: 10**9 * (x - 28) for x in range(65)}, -(10**12), 10**12
        )
        with pytest.raises(BudgetExceeded):
            JointSearch([steep], Budget(bytes=10**6)).bracket(4)

    def test_no_certain_digit(self, monkeypatch):
        def crowded(*_):
            raise TooMany("more")

        monkeypatch.setattr(JointSearch, "_round", crowded)
        with pytest.raises(BudgetExceeded) as raised:
            JointSearch(regions_of(300, 0.02), AMPLE).bracket(4)
        assert raised.value.bracket.ends() == (0, 1)

    def test_a_hopeless_tail_is_not_tried_again(self):
        rare = Slab({(1, 0): 64, (0, 1): 64}, {x: 64 if x == 64 else 99 for x in range(65)})
        with pytest.raises(BudgetExceeded) as raised:
            JointSearch([rare], AMPLE).bracket(4)
        low, high = raised.value.bracket.ends()
        assert low <= 2**-128 <= high


def test_rounds_go_on_until_the_width_is_met(monkeypatch):
    calls = []

    def coarse(_self, _window, bits, *_):
        calls.append(bits)
        return Enclosure(10 ** (3 * len(calls)), 10 ** (3 * len(calls)) + 1, -40), 0.1

    monkeypatch.setattr(JointSearch, "_round", coarse)
    assert JointSearch(regions_of(300, 0.02), AMPLE).bracket(9) == (10**9, 10**9 + 1, -40)
    assert calls == [calls[0], calls[0] + 4, calls[0] + 8]
    # the best of three
    assert JointSearch(regions_of(300, 0.02), AMPLE).bracket(30) == (10**18, 10**18 + 1, -40)


def test_a_complement_may_be_wide_next_to_0(monkeypatch):
    monkeypatch.setattr(JointSearch, "_round", lambda *_: (Enclosure(0, 1, -40), 0.1))
    t = -abs(regions_of(300, 0.2)[0].side[0])
    assert JointSearch(regions_of(300, 0.2, t=t), AMPLE).bracket(4).ends()[1] == 1
