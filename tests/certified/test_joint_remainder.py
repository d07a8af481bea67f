"""Chernoff bounds of what is not summed, or summed twice: at least the truth, and hardly more than the bound itself."""

from __future__ import annotations

import math
import random

import pytest

from exactperm.arithmetic.enclosure import ONE
from exactperm.certified.joint_inversion import JointInversion
from exactperm.certified.joint_remainder import Remainder
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
        assert (
            outside / factor
            <= inversion.remainder.outside() * 2.0**-inversion.width * (1 + 1e-9) + 1e-12
        )

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
        assert wrong <= inversion.remainder.aliases() * 2.0**-inversion.width * (1 + 1e-9) + 1e-12


class TestParts:
    """Each part by itself: a bound that is left out of the sum would not show above where another is large."""

    @pytest.mark.parametrize("seed", SEEDS)
    def test_each_part_has_its_slope_and_its_points(self, seed, monkeypatch):
        region, inversion, _, _, _ = setting(seed)
        (first, last), height, period = (
            inversion.window.rows,
            inversion.window.height,
            inversion.window.period,
        )
        remainder, rows = inversion.remainder, dict(inversion.rows.points)
        seen = []
        monkeypatch.setattr(
            Remainder, "_part", lambda _self, slope, points: seen.append((slope, points)) or 1000
        )
        monkeypatch.setattr(
            Remainder, "_alias", lambda _self, slope, points: seen.append((slope, points)) or 1000
        )
        least = max(0, min(inversion.window.outer[0], first))
        most = min(region.right, max(inversion.window.outer[1], last))
        far = (least > 0) + (most < region.right)
        assert remainder.outside() == 1000 * (3 + far)
        assert remainder.aliases() == min(4000, 1 << inversion.width)
        parts, (left, right, below, above) = seen[:-4], seen[-4:]
        up = [(x, s + height) for x, s in rows.items() if s + height <= region.row(x)[1]]
        low, high = region.row(0)
        known = [
            [(x, region.first(x)) for x in rows]
            for rows in (range(least, first), range(last + 1, most + 1))
        ]
        assert [points for _, points in parts[:3]] == [
            *[[(x, s) for x, s in points if s <= high] for points in known],
            up,
        ]
        assert [slope for slope, _ in parts[:3]] == remainder.slopes[:3]
        assert [points for _, points in parts[3:]] == [[(least - 1, 0)]] * (least > 0) + [
            [(most + 1, 0)]
        ] * (most < region.right)
        assert [slope for slope, _ in (left, right, above, below)] == remainder.slopes
        assert left[1] == [(first - 1, 0)] * (first > 0)
        assert right[1] == [(last + 1, 0)] * (last < region.right)
        assert below[1] == [
            (x, s + height - period - 1) for x, s in rows.items() if s + height - period - 1 >= low
        ]
        assert above[1] == [(x, s + period) for x, s in rows.items() if s + period <= high]

    @pytest.mark.parametrize("seed", SEEDS)
    def test_slopes_have_the_signs_that_the_proofs_need(self, seed):
        _, inversion, _, _, _ = setting(seed)
        theta = [x / 2**inversion.tilt.scale for x in inversion.tilt.slope[:2]]
        changes = [
            [x / 2**one.scale - here for x, here in zip(one.slope[:2], theta)]
            for one in inversion.remainder.slopes
        ]
        assert theta[1] >= 0
        assert changes[0][0] <= 0 == changes[0][1]
        assert changes[1][0] >= 0 == changes[1][1]
        assert changes[2][1] >= 0
        assert changes[3][1] <= 0

    @pytest.mark.parametrize("seed", SEEDS)
    def test_a_bound_is_the_chernoff_factor(self, seed):
        # M(other) / M(theta) exp(-z), at most 1.
        region, inversion, _, _, _ = setting(seed)
        points = distribution(region.deltas)
        logs = []
        for one in (inversion.remainder.slopes[seed % 4], inversion.tilt):
            logs.append(tilted(points, [x / 2**one.scale for x in one.slope[:2]])[1])
        z = random.Random(seed).randint(-99, 99)
        found = inversion.remainder._bound(
            inversion.remainder.slopes[seed % 4], [(z, 5), (2 * z, 6)], ONE
        )
        expected = min(1.0, math.exp(logs[0] - logs[1] - z / 16))
        assert math.isclose(
            found * 2.0**-inversion.width,
            expected,
            rel_tol=1e-9,
            abs_tol=2.0 ** (1 - inversion.width),
        )

    @pytest.mark.parametrize("seed", SEEDS)
    def test_least_values_of_linear_functions(self, seed, monkeypatch):
        # A part's exponent is the least slope (x, y) - m, an alias's the least (slope - theta) (x,
        # y).
        rng = random.Random(seed)
        _, inversion, _, _, _ = setting(seed)
        slope = inversion.remainder.slopes[rng.randrange(4)]
        points = [(rng.randint(-9, 9), rng.randint(-9, 9)) for _ in range(5)]
        seen = []
        monkeypatch.setattr(Remainder, "_bound", lambda _self, *given: seen.append(given) or 7)
        assert (
            inversion.remainder._part(slope, points)
            == inversion.remainder._alias(slope, points)
            == 7
        )
        assert inversion.remainder._part(slope, []) == inversion.remainder._alias(slope, []) == 0
        values = [sum(x / 2**scale for x, scale in exponent) for _, exponent, _ in seen]
        tilt = inversion.tilt
        dots = [slope.dot(x, y) / 2**slope.scale for x, y in points]
        moved = [dot - tilt.dot(x, y) / 2**tilt.scale for dot, (x, y) in zip(dots, points)]
        assert math.isclose(
            values[0], min(dots) - inversion.rows.level / 2**tilt.scale, abs_tol=1e-9
        )
        assert math.isclose(values[1], min(moved), abs_tol=1e-9)
        low, high = seen[0][2].ends()
        factor, _ = inversion.factor.ends()
        assert low <= 1 / factor
        assert high >= 1 / inversion.factor.ends()[1]
