"""Chernoff bounds of what is not summed, or summed twice: at least the truth, and hardly more than the bound itself."""

from __future__ import annotations

import math
import random

import pytest

from exactperm.certified.joint_inversion import JointInversion, slopes_of
from exactperm.certified.joint_sum import dyadics
from exactperm.record import replaced
from joint_cases import distribution, random_window, slab, tilted

SEEDS = range(80)


def setting(seed):
    """(region, border, inversion, P of all points, q of all points, level) with parameters at random."""
    rng = random.Random(seed)
    region, border = slab(rng, 4)
    window = random_window(rng, region.right)
    if not region.right > window.rows[1] and rng.random() < 0.7:  # rows are left on the right, too
        window = replaced(window, rows=(window.rows[0], window.rows[0]))
    inversion = JointInversion(border, window, 20)
    points = distribution(region.deltas)
    total = sum(points.values())
    slope = window.tilt[0], max(0.0, window.tilt[1])
    q, growth = tilted(points, slope)
    level = min((slope[0] * x + slope[1] * s for x, s in inversion.rows.points), default=0.0)
    return region, inversion, {z: n / total for z, n in points.items()}, q, math.exp(growth - level)


class TestTheBoundsHold:
    @pytest.mark.parametrize("seed", SEEDS)
    def test_what_lies_outside(self, seed):
        region, inversion, p, _, factor = setting(seed)
        (first, last), height = inversion.window.rows, inversion.window.height
        outside = sum(
            share
            for (x, y), share in p.items()
            if y >= region.first(x) and not (first <= x <= last and y < region.first(x) + height)
        )
        assert outside / factor <= inversion.outside() * 2.0**-inversion.width * (1 + 1e-9) + 1e-12

    @pytest.mark.parametrize("seed", SEEDS)
    def test_aliases(self, seed):
        _, inversion, _, q, _ = setting(seed)
        (first, last), height, period = (
            inversion.window.rows,
            inversion.window.height,
            inversion.window.period,
        )
        rows = dict(inversion.rows.points)
        wrong = sum(
            share
            for (x, y), share in q.items()
            if not first <= x <= last
            or (x in rows and not rows[x] + height - period <= y < rows[x] + period)
        )
        assert wrong <= inversion.aliases() * 2.0**-inversion.width * (1 + 1e-9) + 1e-12


class TestParts:
    """Each part by itself: a bound that is left out of the sum would not show above where another is large."""

    @pytest.mark.parametrize("seed", SEEDS)
    def test_each_part_has_its_slope_and_its_points(self, seed, monkeypatch):
        region, inversion, _, _, _ = setting(seed)
        window = inversion.window
        (first, last), height, period = window.rows, window.height, window.period
        rows, seen = inversion.rows.points, []

        def watched(_self, slope, points, *, tilted):
            seen.append((slope, points, tilted))
            return 1000

        monkeypatch.setattr(JointInversion, "bound", watched)
        assert inversion.outside() == 5000
        assert inversion.aliases() == min(4000, 1 << inversion.width)
        left, right, above, below, far_left, far_right = inversion.slopes
        least = max(0, min(window.outer[0], first))
        most = min(region.right, max(window.outer[1], last))
        low, high = region.row(0)
        beside = [
            [(x, region.first(x)) for x in between if region.first(x) <= high]
            for between in (range(least, first), range(last + 1, most + 1))
        ]
        tops = [(x, s + height) for x, s in rows if s + height <= high]
        ends = [(x, s + height - period - 1) for x, s in rows]
        assert seen == [
            (left, beside[0], False),
            (right, beside[1], False),
            (above, tops, False),
            (far_left, [(least - 1, 0)] * (least > 0), False),
            (far_right, [(most + 1, 0)] * (most < region.right), False),
            (left, [(first - 1, 0)] * (first > 0), True),
            (right, [(last + 1, 0)] * (last < region.right), True),
            (below, [(x, y) for x, y in ends if y >= low], True),
            (above, [(x, s + period) for x, s in rows if s + period <= high], True),
        ]

    @pytest.mark.parametrize("seed", SEEDS)
    def test_slopes_have_the_signs_that_the_proofs_need(self, seed):
        _, inversion, _, _, _ = setting(seed)
        alpha, beta = inversion.tilt.slope
        changes = [(a - alpha, b - beta) for a, b in inversion.slopes[:4]]
        assert beta >= 0
        assert changes[0][0] <= 0 == changes[0][1]
        assert changes[1][0] >= 0 == changes[1][1]
        assert changes[2][1] >= 0 >= changes[3][1]
        (far_left, flat), (far_right, level) = inversion.slopes[4:]
        assert far_left <= 0 == flat == level <= far_right

    @pytest.mark.parametrize("seed", SEEDS)
    @pytest.mark.parametrize("weighted", [False, True])
    def test_a_bound_is_the_chernoff_factor(self, seed, weighted):
        # M(other) exp(-c) / F, at most 1 / F, or M(other) / M(theta) exp(-c), at most 1: c is the
        # least value of a linear function.
        region, inversion, _, _, factor = setting(seed)
        rng = random.Random(seed)
        points = distribution(region.deltas)
        _, scale = dyadics(slopes_of(inversion.window))
        slope = inversion.slopes[seed % 4]
        other, theta = [[x / 2**scale for x in each] for each in (slope, inversion.tilt.slope)]
        places = [(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in range(5)]
        log = tilted(points, other)[1]
        if weighted:
            log -= tilted(points, theta)[1]
            other, factor = [a - b for a, b in zip(other, theta)], 1.0
        least = min(other[0] * x + other[1] * y for x, y in places)
        expected = min(1.0, math.exp(min(0.0, log - least))) / factor
        assert inversion.bound(slope, [], tilted=weighted) == 0
        assert math.isclose(
            inversion.bound(slope, places, tilted=weighted) * 2.0**-inversion.width,
            expected,
            rel_tol=1e-6,
            abs_tol=2.0 ** (1 - inversion.width),
        )
