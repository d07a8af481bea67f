"""The free parameters: their functions are what they say, and the choice is near the best there is."""

from __future__ import annotations

import math
import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bracket_cases
from exactperm.certified.factors import PairFactors
from exactperm.certified.parameters import (
    choose,
    condensed,
    exponential,
    log_one_plus,
    upper_normal,
)


class TestFunctions:
    def test_exponential(self):
        assert exponential(0.0) == 1.0
        # from octave to octave, at their borders and between, and beyond what is not clamped
        for x in (i / 16 * math.log(2) + e for i in range(-16000, 16001) for e in (-1e-9, 0, 1e-9)):
            truth = math.exp(max(-700.0, min(700.0, x)))
            assert math.isclose(exponential(x), truth, rel_tol=1e-11)

    @given(st.floats(0, 1))
    def test_logarithm(self, x):
        assert abs(log_one_plus(x) - math.log1p(x)) <= 2e-9 * x + 5e-324


def moments(groups, slope):
    """Log of prod (1 + exp(slope d))**c, and the mean and variance of the tilted sum, by the C library."""
    shares = [(d, count, (1 + math.tanh(slope * d / 2)) / 2) for d, count in groups]
    return (
        sum(
            count * (max(0.0, slope * d) + math.log1p(math.exp(-abs(slope * d))))
            for d, count in groups
        ),
        sum(d * count * p for d, count, p in shares),
        sum(d * d * count * p * (1 - p) for d, count, p in shares),
    )


GROUPS = [
    [(1, 300)],
    [(1, 3000), (2, 900), (7, 40)],
    [(2, 50), (3, 60), (40, 7)],
    [(1, 10**7), (5, 10**6)],
    [(d, 1 + d % 3) for d in range(100, 400, 7)],
]


class TestCumulants:
    @pytest.mark.parametrize("groups", GROUPS, ids=lambda groups: f"{len(groups)} differences")
    @pytest.mark.parametrize("slope", [0.0, 1e-9, -1e-3, 0.02, -0.02, 0.5, -0.7, 1.5, -3.0])
    def test_log_mean_and_variance(self, groups, slope):
        # To the 9 digits of the logarithm and the exponential. Catches a share of the wrong side of
        # a half.
        found = PairFactors(groups).cumulants(1)(slope)
        for one, truth in zip(found, moments(groups, slope)):
            assert math.isclose(one, truth, rel_tol=1e-8, abs_tol=1e-12)


class TestChoice:
    @pytest.mark.parametrize("groups", GROUPS, ids=lambda groups: f"{len(groups)} differences")
    @pytest.mark.parametrize("distance", [0.0, 0.9, 1.1, 3.0, 9.0, 15.0])
    @pytest.mark.parametrize("bits", [30, 70, 170])
    def test_near_the_best(self, groups, distance, bits):
        growth, mean, variance = moments(groups, 0.0)
        k = int(mean - distance * math.sqrt(variance))
        if k < max(d for d, _ in groups):
            return
        choice = choose(PairFactors(groups), k, bits)
        assert choice.shift == 0
        slope = -choice.tilt
        growth, mean, variance = moments(groups, slope)
        assert choice.tilt == 0.0 if distance < 1 else abs(mean - k) <= 0.03 * math.sqrt(variance)
        # S is sum r**m q(k - m): about half if r is 1, else about the sum of a Gaussian's top
        # against r**m.
        total = sum(
            math.exp(slope * m - m * m / (2 * variance)) / math.sqrt(2 * math.pi * variance)
            for m in range(int(20 * math.sqrt(variance)))
        )
        assert 0.3 / total <= choice.scarcity <= 3 / total
        assert math.isclose(choice.deviation, math.sqrt(variance), rel_tol=1e-6)
        nats = math.log(2) * bits + math.log(choice.scarcity)

        def tail(step):
            """Log of the Chernoff factor exp(K(s)), K(s) = log E_q[exp(s (X - k))], for s of either sign."""
            return moments(groups, slope + step)[0] - growth - step * k

        up = -choice.above - slope
        down = slope + choice.below
        # Beyond the window and the reach, the bounds of what is aliased are as small as asked for.
        assert tail(up) - up * choice.reach <= -nats + 1e-6 * nats
        assert tail(-down) - (down - slope) * choice.window <= -nats + 1e-6 * nats
        # The bounds of q reach that size nearly as soon as those of any other tilt.
        scales = [1.03**i / math.sqrt(variance) for i in range(-100, 150)]
        assert choice.reach <= 1.02 * min((tail(s) + nats) / s for s in scales) + 2
        best = min(scales, key=lambda s: (tail(-s) + nats) / s)
        assert choice.window <= 1.1 * (tail(-best) + nats) / (best - slope) + 2

    def test_a_saddle_too_far_away(self):
        # One step of the search lowers the mean by a factor of e at most: it ends after 100, short
        # of the saddle.
        choice = choose(PairFactors([(1, 10**45)]), 1, 60)
        assert 1e-45 < math.exp(-math.ldexp(choice.tilt, -choice.shift)) < 1e-43


class TestCondensed:
    def test_few_groups_stay(self):
        groups = [(d, 1) for d in range(1, 201)]
        assert condensed(groups) is groups

    @pytest.mark.parametrize("kind", ["gauss", "cauchy", "integers"])
    def test_it_majorizes(self, kind):
        # As many pairs, the same sum, and no convex function falls: here |d - c| for every c, which
        # is enough (Hardy, Littlewood and Polya), and some exponentials.
        rng = random.Random(kind)
        tally = Counter(bracket_cases.drawn(rng, kind, 1500))
        tally.update(range(1, 300))
        groups = sorted(tally.items())
        few = condensed(groups)
        assert len(few) <= 400
        assert few == sorted(few)
        assert all(count > 0 and d > 0 for d, count in few)
        for weight in (lambda _: 1, lambda d: d):
            assert sum(c * weight(d) for d, c in few) == sum(c * weight(d) for d, c in groups)
        for at in {d for d, _ in groups[:: len(groups) // 60]} | {d for d, _ in few}:
            assert sum(c * abs(d - at) for d, c in few) >= sum(c * abs(d - at) for d, c in groups)
        mean = sum(d * c for d, c in groups) / sum(tally.values())
        for slope in (-2.0, -0.3, 0.3):
            before, after = (
                sum(c * math.log1p(math.exp(slope * d / mean)) for d, c in each)
                for each in (groups, few)
            )
            assert before * (1 - 1e-12) <= after <= before * 1.2


def test_the_upper_tail_of_the_normal_law():
    for x in (i / 8 for i in range(-40, 41)):
        assert abs(upper_normal(x) - math.erfc(x / math.sqrt(2)) / 2) < 3e-4
        assert upper_normal(x + 1 / 128) <= upper_normal(x) <= upper_normal(x - 1 / 128)
