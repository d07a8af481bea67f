"""Sums of drawn values: brackets hold the exact probability for any parameters, and units bound the modulus."""

from __future__ import annotations

import cmath
import random
from fractions import Fraction
from itertools import combinations
from math import comb, cos, exp, pi, sin

import pytest

from bracket_cases import contains, exactly, random_draws
from exactperm.arithmetic.enclosure import HALF, ONE, Enclosure
from exactperm.arithmetic.exponential import Exponential
from exactperm.budget import Budget
from exactperm.certified import draws as drawing
from exactperm.certified import parameters
from exactperm.certified.bracket import draw_bracket
from exactperm.certified.factors import UnitFactors
from exactperm.certified.inversion import Inversion
from exactperm.certified.parameters import balanced, choose
from exactperm.certified.powers import Powers
from exactperm.certified.search import Counting
from exactperm.certified.tables import Bounded
from exactperm.errors import BudgetExceeded
from exactperm.swaps.units import degree, mean, mirrored

FLAT = Powers(Exponential(80), (0, 1))


class TestTheBracketHolds:
    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(8))
    def test_any_draws_and_any_threshold(self, seed):
        rng = random.Random(seed)
        draws = random_draws(rng)
        factor = rng.choice([1, 7])
        scaled = {(m, tuple(3 + factor * x for x in values)): c for (m, values), c in draws.items()}
        truth = exactly(draws)
        assert len(truth) == degree(draws) + 1
        assert mean(draws) == sum(1 - p for p in truth[:-1])
        for k in {0, len(truth) - 2, rng.randrange(len(truth)), rng.randrange(len(truth))}:
            found = draw_bracket(scaled, factor * k + rng.randrange(factor), 6)
            assert contains(found, truth[k]), (draws, k)
            assert found.relative_width <= 1e-6
            others = draw_bracket(mirrored(scaled), factor * (degree(draws) - k) - 1, 6)
            assert contains(others, 1 - truth[k])


def tilted(draw, slope):
    """The tilt of a draw by so many 1024ths, and |phi| at an angle, by all choices."""
    m, values = draw
    sums = [sum(chosen) for chosen in combinations(values, m)]
    weights = [exp(-slope / 1024 * x) for x in sums]

    def modulus(t):
        turned = sum(w * cmath.exp(1j * t * x) for w, x in zip(weights, sums))
        return abs(turned) / sum(weights)

    return UnitFactors({draw: 1}).tilted(Powers(Exponential(80), (slope, 10)), 80), modulus


class TestDamping:
    @pytest.mark.parametrize("seed", range(6))
    def test_units_bound_the_modulus(self, seed):
        rng = random.Random(seed)
        draw = (3, (0, 1, 3, 7, 12, 20, 31, 40, 45 + seed))
        tilt, modulus = tilted(draw, rng.choice([0, 1, 40]))
        for t in (0.03, 0.1, 0.7, 2.0, 3.1, *(3.14159 / d for d, _, _ in tilt.dampers)):
            bound = 1.0
            for d, count, strength in tilt.dampers:
                sine = cmath.sin(d * t / 2).real
                bound *= (1 - strength / 2**32 * sine * sine) ** count
            assert modulus(t) ** 2 <= bound + 1e-9

    @pytest.mark.parametrize("seed", range(6))
    def test_circles_bound_the_modulus(self, seed):
        """At every frequency of a period, by all choices; nearly as small in the mean where phases are at random."""
        rng = random.Random(seed)
        n = rng.choice([9, 10])
        period = 211
        m = rng.randint(3, 6)
        draw = (m, (0, *sorted(rng.randrange(1, 2 * period) for _ in range(n - 1))))
        tilt, modulus = tilted(draw, rng.choice([0, 4]))
        (circle,) = tilt.circles
        assert circle.number > max(m, n - m)
        bounded = Bounded(circle, period)
        total = [0.0, 0.0]
        for j in range(period):
            truth = modulus(2 * pi * j / period)
            bound = bounded.bound(j) / 2.0**128
            assert truth <= bound + 1e-9
            total = [total[0] + truth, total[1] + min(1.0, bound)]
        assert total[1] < 6 * total[0]

    def test_many_values_bound_the_modulus(self):
        """Of 170 of as many 0 as 1, whose sum is hypergeometric: phi is nearly as large as what is proved of A."""
        n = 170
        tilt = UnitFactors({(n, (0,) * n + (1,) * n): 1}).tilted(FLAT, 80)
        ((d, count, strength),) = tilt.dampers
        assert (d, count, tilt.lost) == (1, n, 5)
        for t in (0.1, 0.5, 0.8, 1.2):
            terms = [comb(n, i) ** 2 * cmath.exp(1j * t * i) for i in range(n + 1)]
            truth = abs(sum(terms)) / comb(2 * n, n)
            bound = (1 - strength / 2**32 * cmath.sin(t / 2).real ** 2) ** count
            assert truth**2 <= 4**tilt.lost * bound

    @pytest.mark.parametrize("seed", range(4))
    def test_windows_of_the_number_chosen(self, seed, monkeypatch):
        """However narrow they are, B and the quotient stay within what is known of them."""
        rng = random.Random(seed)
        chosen = parameters.numbers_kept
        known = 0
        for _ in range(10):
            n = rng.randint(20, 60)
            m = rng.randint(10, n - 10)
            values = (0, *sorted(rng.randint(1, 40) for _ in range(n - 1)))
            powers = Powers(Exponential(300), (rng.choice([0, 20]), 10))
            draw = drawing.DrawUnit((m, values), powers, 130)
            roots = [[int(f(0.7 * x) * 2**53) for x in values] for f in (cos, sin)]
            products = []
            for width, nats in ((300, 1e9), (90, rng.uniform(0.1, 3.0))):
                monkeypatch.setattr(
                    drawing, "numbers_kept", lambda m, p, _, to=nats: chosen(m, p, to)
                )
                product = drawing._Product(draw, width, 0)
                found = product(*[[x << width - 53 for x in axis] for axis in roots])
                products.append((product.chance.ends(), found, width, product.error))
            ((least, most), whole, fine, _), ((low, high), part, width, error) = products
            assert low <= least
            assert most <= high
            if error < 1 << width:
                known += 1
                for x, y in zip(whole, part):
                    assert abs((x >> fine - width) - y) <= error + 1
        assert known

    def test_a_window_that_misses_the_number_is_none(self):
        """Odds that are all far from those of m values, as of values 10**15 nats apart, leave it no way to follow."""
        assert parameters.numbers_kept(30, [0.0] * 50, 18.0) == (31, [0] * 50)
        values = (0,) * 10 + tuple(10**18 + i for i in range(30))
        _, average, _ = parameters.draw_cumulants((20, values), 1)(-1e-3)
        assert average >= 0

    @pytest.mark.slow
    def test_a_thousand_of_two_thousand_observations(self):
        rng = random.Random(4)
        values = tuple(sorted(rng.choices(range(3), k=2000)))
        draw = {(1000, values): 1}
        value = draw_bracket(draw, int(mean(draw)) - 30, 1, budget=Budget(seconds=5))
        assert value.relative_width < 0.1

    def test_no_circle(self):
        """Of several hundred values, or where nothing is known of the number that is chosen."""
        assert not UnitFactors({(2, tuple(range(300))): 1}).tilted(FLAT, 80).circles
        assert not UnitFactors({(2, (0, 1, 5, 6)): 1}).tilted(FLAT, 4).circles

    @pytest.mark.slow
    def test_real_numbers_of_few_items_are_narrow(self):
        """Twenty items of 8 + 8 doubles; the work is counted, not timed."""
        rng = random.Random(1)
        draws = {(8, tuple(sorted(rng.getrandbits(53) for _ in range(16)))): 1 for _ in range(20)}
        k = int(mean(draws)) - 4 * 2**53
        assert draw_bracket(draws, k, 2, budget=Budget(seconds=1)).relative_width <= 1e-2


class TestEnds:
    def test_a_growth_of_which_nothing_is_known(self):
        """As slopes without any sense may bring about: tails are then at most 1."""
        law = UnitFactors({(2, (0, 1, 5, 6)): 1})
        tilted = Inversion(law, 3, 20, choose(law, 3, 20)).tilted
        tilted.factors.growth = Enclosure(0, 1, 0)
        assert tilted.above(4) == ONE

    def test_values_of_which_one_is_far_away(self):
        """Odds of 10**10 nats and more are not written out, nor is a bound that is as great."""
        far = *(1, 1, 1, 2, 3, 10, 10, 10, 1000, 1000, 10**8), *(10**10,) * 3, *(10**11,) * 2
        far = (0,) * 21 + (*far, 10**14, 10**18, 10**19)
        draws = {(1, far): 1, (4, (2, 4, 10, 12, 26, 45, 50, 54)): 2}
        with pytest.raises(BudgetExceeded):
            draw_bracket(draws, 10**19 + 293, 2, budget=Budget(seconds=0.01))

    def test_more_bits_than_a_float_has(self):
        law = UnitFactors({(2, (0, 1, 5, 6)): 1})
        assert Inversion(law, 3, 1200, choose(law, 3, 1200)).width > 1200

    @pytest.mark.parametrize("k", [18 * 10**11, 3 * 10**12])
    def test_a_refusal_knows_the_probability(self, k):
        """Below the mean and above it, where that of the mirrored draws is inverted."""
        values = (0, 10**11, 10**11 + 1, 3 * 10**11, 5 * 10**11 + 7, 10**12)
        sums = [sum(x) - sum(values[:3]) for x in combinations(values, 3)]
        truth = Fraction(sum(a + b + c <= k for a in sums for b in sums for c in sums), 20**3)
        with pytest.raises(BudgetExceeded) as caught:
            draw_bracket({(3, values): 3}, k, 3, budget=Budget(seconds=0.005))
        assert contains(caught.value.bracket, truth)
        assert caught.value.bracket != Enclosure(0, 1, 0)

    def test_a_level_that_is_far_away(self):
        """Two of four values, three of them 10**9 nats away: the level is next to these, where the search ends."""
        assert 1 - 2e-9 < balanced(2, [0.0, 1e9, 1e9, 1e9]) < 1
        assert 0 < balanced(1, [0.0] * 10 + [1e13]) < 1e-9  # after the last of all rounds

    def test_a_count_that_is_quick_answers(self):
        draws = {(1, (0, 1)): 4}
        count = Counting(seconds=1e-6, made=lambda: HALF)
        assert draw_bracket(draws, 1, count=count) == HALF
        assert draw_bracket(draws, 3, count=count) == HALF

    def test_a_root_of_which_nothing_is_known(self):
        """An error above the probability of m values leaves a factor of which only |phi| <= 1 is known."""
        law = UnitFactors({(2, (0, 1, 5, 6)): 1})
        errors, make = law.tilted(Powers(Exponential(80), (0, 1)), 80).factors(1 << 60, 60)
        assert errors == [1 << 60]
        assert make(lambda _: [(0, 0)] * 4) == [(0, 0)]
