"""Bounds of the characteristic function: every elementary bound is on its side, and intervals mean each frequency."""

from __future__ import annotations

import cmath
import math
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bracket_cases import dampers_of
from exactperm.arithmetic.enclosure import ONE, Enclosure
from exactperm.certified.damping import (
    Damping,
    _products,
    enough,
    merged,
    minus_log,
    sine_square,
    step_dampers,
    strength_of,
)

UNIT = 2.0**-32


def power(tilt, d):
    """tilt**d, for quarters."""
    return Enclosure(int(tilt * 4) ** d, int(tilt * 4) ** d, -2 * d)


def random_damping(rng, most=30, few=4):
    """A Damping, its groups, tilt and period, and bits to ask for."""
    groups = sorted({rng.randint(1, most): rng.randint(1, 30) for _ in range(few)}.items())
    tilt = rng.choice([1.0, 0.75, 0.5])
    powers = [power(tilt, d) for d, _ in groups]
    period = rng.choice([8, 64, 320, 1537])
    bits = rng.randint(1, 30)
    return Damping(dampers_of(groups, powers), period), groups, tilt, period, bits


def size(groups, tilt, period, j):
    """|phi(t_j)| in floats, right to 1e-12 here."""
    value = 1.0
    for d, pairs in groups:
        p = tilt**d / (1 + tilt**d)
        value *= abs(1 - p + p * cmath.exp(2j * math.pi * d * j / period)) ** pairs
    return value


class TestNegligible:
    @pytest.mark.parametrize("seed", range(40))
    def test_negligible_means_small(self, seed):
        # The bound must hold at every frequency of the interval.
        rng = random.Random(seed)
        damping, groups, tilt, period, bits = random_damping(rng, few=rng.choice([4, 4, 200]))
        for _ in range(40):
            a = rng.randint(1, period // 2)
            b = min(period // 2, a + rng.choice([0, 1, 2, 5, 40]))
            if damping.negligible(a, b, enough(bits)):
                assert all(
                    size(groups, tilt, period, j) <= 2.0**-bits + 1e-12 for j in range(a, b + 1)
                )

    @pytest.mark.parametrize("seed", range(40))
    def test_it_is_the_sum_over_all_groups(self, seed):
        # By the definition: each group at the frequency where its distance from the multiples of P
        # is least, and not at all if a multiple lies between; no order, no early end. What is
        # enough is decided to the last unit.
        rng = random.Random(seed)
        damping, groups, tilt, period, _ = random_damping(rng, rng.choice([3, 30, 300]))
        damping._quadratic = 0
        for _ in range(150):
            a = rng.randint(1, period // 2)
            b = min(period // 2, a + rng.choice([0, 0, 1, 2, 5, 40]))
            total = 0
            for d, pairs in groups:
                if d * a // period == d * b // period and d * a % period:
                    nearest = min(min(d * j % period, -d * j % period) for j in (a, b))
                    sine = sine_square((nearest << 32) // period)
                    total += pairs * minus_log(strength_of(power(tilt, d)) * sine >> 32)
            if total:
                needed = total + rng.randint(0, 1)
                assert damping.negligible(a, b, needed) == (total == needed)

    @pytest.mark.parametrize("seed", range(30))
    def test_the_moments_are_below_the_sum(self, seed):
        # E >= sum c s (x**2 - x**4 / 3), x = pi d j / P, in fractions of pi to 12 digits: from
        # below, and hardly less.
        rng = random.Random(seed)
        damping, groups, _tilt, period, _ = random_damping(rng)
        for j in range(1, period // 2 + 1):
            bound = 0.0
            for d, pairs, strength in damping.some(range(len(groups))):
                x = math.pi * d * j / period
                bound += pairs * strength * UNIT * (x * x - x**4 / 3)
                assert math.sin(x) ** 2 >= x * x - x**4 / 3 - 1e-12
            found = damping._moments(j) * UNIT
            assert found <= bound + 1e-12 * abs(bound)
            curvature = sum(pairs * d * d for d, pairs in groups) * (math.pi * j / period) ** 2
            assert found >= bound - 1e-4 * abs(bound) - 1e-4 * curvature - 1e-3 * curvature**2

    def test_moments_settle_a_whole_interval(self, monkeypatch):
        # 1,000 pairs of difference 1: from the first sure frequencies to far beyond, without
        # looking at a group.
        damping = Damping(dampers_of([(1, 1000)], [ONE]), 512)
        monkeypatch.setattr(damping, "_strengths", None)
        sure = damping.surely_needed(20)
        assert damping.negligible(sure + 2, 4 * sure, enough(20))

    def test_a_hopeless_interval_is_given_up(self, monkeypatch):
        # 600 differences, all but the smallest near a multiple of the period over the interval: 64
        # are tried, not all.
        groups = [(1 + 1000 * i, 1) for i in range(600)]
        damping = Damping(dampers_of(groups, [ONE] * 600), 1000 * 600 * 64)
        damping._quadratic = 0
        tried = []
        monkeypatch.setattr("exactperm.certified.damping.minus_log", lambda y: tried.append(y) or 1)
        assert not damping.negligible(1, 3, enough(90))
        assert len(tried) == 64
        tried.clear()
        monkeypatch.setattr(
            "exactperm.certified.damping.minus_log", lambda y: tried.append(y) or enough(90) // 500
        )
        assert not damping.negligible(1, 3, enough(90))
        assert len(tried) == 401

    @pytest.mark.parametrize("bits", [1, 2, 77, 4000])
    def test_the_goal_is_not_below_its_bits(self, bits):
        # ln 2 = 0.693147180559945309417232...: E >= 2 bits ln 2, in units of 2**-32, and hardly
        # more is needed.
        goal = 2 * bits * Fraction(693147180559945309417233, 10**24) * 2**32
        assert goal <= enough(bits) <= goal * (1 + Fraction(2, 10**6))


class TestElementaryBounds:
    def test_sine_from_below(self):
        # Small v, where each rounding shows; the change of formula at 0.36; the top, where it is 1
        # less a unit.
        switch = 36 * 2**32 // 100
        top = range(2**31 - 99999, 2**31 + 1, 101)
        drawn = random.Random(1).choices(range(2**31), k=300)
        for v in (*range(300), *range(switch - 9, switch + 9), *top, 2**31, *drawn):
            truth = math.sin(math.pi * v * UNIT) ** 2
            found = sine_square(v) * UNIT
            assert 0 <= found <= truth + 1e-15
            assert found >= truth * 0.96 - 9 * UNIT * math.sqrt(truth) - UNIT
        assert sine_square(2**31) >= 2**32 - 1

    def test_logarithm_from_below(self):
        # -log(1 - g) = g + g**2 / 2 + ..., g < 1/2: what is left out is below g**3 / 3 (1 + g +
        # ...) = 2 g**3 / 3.
        near = {2**32 - 2**n + i for n in range(33) for i in range(-3, 4)}
        octaves = [y for y in near if 0 <= y < 2**32]
        drawn = random.Random(1).choices(range(2**32), k=300)
        for y in (*octaves, *range(2**32 - 40, 2**32), *drawn):
            truth = -math.log1p(-y * UNIT)
            left = 1 - y * UNIT
            g = 1 - left * 2.0 ** -math.ceil(math.log2(left))
            found = minus_log(y) * UNIT
            assert truth - 2 * g**3 / 3 - 1e-5 * truth - 2 * UNIT <= found <= truth + 1e-14

    @given(st.integers(0, 2**70), st.integers(70, 200), st.integers(0, 99))
    def test_strength_from_below(self, mantissa, places, more):
        # 4 p (1 - p) = 4 x / (1 + x)**2 at the lower end of x; 64 places of x are read.
        x = Fraction(mantissa, 2**places)
        truth = 4 * x / (1 + x) ** 2
        strength = strength_of(Enclosure(mantissa, mantissa + more, -places))
        assert 0 <= truth * 2**32 - strength < 1 + Fraction(1, 2**29)


class TestStepUnits:
    @pytest.mark.parametrize("n", [2, 7, 8, 30])
    def test_products_of_dense_and_of_sparse_values(self, n):
        # Dense values by one product of integers, others pair by pair: both are the definition.
        rng = random.Random(n)
        for largest in (n, 3 * n, 10**6):
            values = [0, *sorted(rng.sample(range(1, largest + 1), n - 1))]
            weights = [rng.randint(1, 2**32) for _ in values]
            sums = {}
            for a, w in zip(values, weights):
                for b, other in zip(values, weights):
                    if b > a:
                        sums[b - a] = sums.get(b - a, 0) + w * other
            assert dict(_products(values, weights)) == sums

    @pytest.mark.parametrize("seed", range(30))
    def test_the_product_of_the_units_is_above(self, seed):
        # Catches Weierstrass' inequality the wrong way round, and strengths that are rounded up.
        rng = random.Random(seed)
        groups = []
        found = []
        for _ in range(rng.randint(1, 5)):
            values = [0, *sorted(rng.sample(range(1, 60), rng.randint(1, 12)))]
            weights = [rng.randint(1, 20) for _ in values]
            count = rng.randint(1, 4)
            groups.append((tuple(zip(values, weights)), count))
            shares = [(w << 32) // sum(weights) for w in weights]
            found += [(e, strength, count) for e, strength in step_dampers(values, shares)]
        units = merged(found)
        assert units == sorted(units)
        for i in range(1, 200):
            t = i * math.pi / 200
            size = bound = 1.0
            for step, count in groups:
                whole = sum(g for _, g in step)
                size *= abs(sum(g * cmath.exp(1j * a * t) for a, g in step) / whole) ** (2 * count)
            for e, count, strength in units:
                bound *= (1 - strength * UNIT * math.sin(e * t / 2) ** 2) ** count
            assert size <= bound * (1 + 1e-9) + 1e-12
