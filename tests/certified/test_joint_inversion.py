"""One inversion in two dimensions: the exact probability lies inside for any parameters, and every term is needed."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from bracket_cases import contains
from exactperm.arithmetic.enclosure import Enclosure
from exactperm.certified import joint_inversion
from exactperm.certified.joint_damping import SCALE, Found
from exactperm.certified.joint_inversion import JointInversion, slopes_of
from exactperm.certified.joint_parameters import Border, choose
from exactperm.certified.joint_sum import dyadics
from exactperm.record import replaced
from joint_cases import distribution, random_regions, random_window, slab, tilted

LIMIT = 10**7


def enclosed(region, bits, window=None):
    border = Border(region)
    return bracket(JointInversion(border, window or choose(border, bits), bits))


def bracket(inversion):
    return inversion.enclosure(inversion.found(LIMIT), lambda _number: None)


def hold(seeds, windows=0.5):
    """The number of cases in which the exact probability lies in the bracket, and that of all cases."""
    inside = cases = 0
    for seed in seeds:
        rng = random.Random(seed)
        for region, p in random_regions(rng):
            window = random_window(rng, region.right) if rng.random() < windows else None
            cases += 1
            inside += contains(enclosed(region, rng.choice([2, 5, 10, 20, 60]), window), p)
    return inside, cases


@pytest.mark.slow
class TestTheBracketHolds:
    def test_random_cases(self, sampled):
        # Four statistics, both tails, with groups, complements, every coordinates; half with
        # parameters at random. ``hold(range(2000, 4000))``, 6,000 cases, takes three minutes.
        inside, cases = hold(range(40 + sampled(80)))
        assert inside == cases > 100


def sparing(inversion, limit, found=JointInversion.found):
    """Leave out half of the frequencies that matter, each with |phi| <= 1 and the bound of its coefficient."""
    whole = found(inversion, limit)
    rows = whole.rows
    skipped = whole.skipped
    rng = random.Random(len(rows))
    kept = {}
    for k, places in rows.items():
        for j in places:
            if rng.random() < 0.5:
                skipped += inversion.coefficient(k) << SCALE
            else:
                kept.setdefault(k, []).append(j)
    return Found(rows=kept, skipped=skipped)


@pytest.mark.slow
def test_any_frequencies_may_be_left_out(monkeypatch):
    monkeypatch.setattr(JointInversion, "found", sparing)
    inside, cases = hold(range(25))
    assert inside == cases


class TestTerms:
    @pytest.mark.parametrize("seed", range(60))
    def test_the_bracket_is_made_of_its_parts(self, seed, monkeypatch):
        # F (2**h low / (L1 L2) - skipped - aliases) and F (2**h high / (L1 L2) + skipped +
        # outside), whatever they are.
        rng = random.Random(seed)
        _, border = slab(rng)
        inversion = JointInversion(border, random_window(rng, border.region.right), 20)
        inversion.rows.halvings = h = rng.randint(0, 3)
        inversion.rows.points = inversion.rows.points or [(0, 0)]
        inversion.rows.factor = Enclosure(3, 3, -5)
        unit = 1 << inversion.width
        first, second = inversion.periods
        low = rng.randint(1, unit >> 2)
        high = low + rng.randint(0, 999)
        skipped, aliases, outside = [rng.randint(0, unit >> 8) for _ in range(3)]
        monkeypatch.setattr(joint_inversion.JointSum, "bounds", lambda *_: (low, high))
        monkeypatch.setattr(inversion, "aliases", lambda: aliases)
        monkeypatch.setattr(inversion, "outside", lambda: outside)
        monkeypatch.setattr(JointInversion, "skipped", lambda _self, _amount: skipped)
        lower, upper = bracket(inversion).ends()
        least = Fraction(3, 32) * (Fraction(low << h, first * second) - skipped - aliases) / unit
        most = Fraction(3, 32) * (Fraction(high << h, first * second) + skipped + outside) / unit
        room = Fraction(3, unit)
        assert max(0, least) - room <= lower <= max(0, least)
        assert min(1, most) <= upper <= min(1, most + room)

    @pytest.mark.parametrize("seed", range(40))
    def test_coefficients_bound_kernels(self, seed):
        # |K(k')| = |sum of rho**i omega**(-k' i), i < w| for all k' from k on.
        rng = random.Random(seed)
        _, border = slab(rng)
        window = random_window(rng, border.region.right)
        inversion = JointInversion(border, window, 20)
        rho = math.exp(-max(0.0, window.tilt[1]))
        period = window.period
        kernels = [
            abs(sum((rho * complex(math.cos(a), -math.sin(a))) ** i for i in range(window.height)))
            for a in (2 * math.pi * k / period for k in range(period // 2 + 1))
        ]
        for k in range(len(kernels)):
            assert max(kernels[k:]) <= inversion.coefficient(k) + 1e-9
            assert inversion.coefficient(k) <= window.height

    def test_what_is_skipped_is_doubled_and_spread(self):
        # 2 sum |K D phi| / (L1 L2), with |D| <= 2**h, in units rounded up.
        _, border = slab(random.Random(1))
        inversion = JointInversion(border, random_window(random.Random(2), border.region.right), 20)
        amount = 12345 << SCALE
        h = inversion.rows.halvings
        exact = Fraction(
            2 * 12345 << h + inversion.width, inversion.periods[0] * inversion.periods[1]
        )
        assert exact <= inversion.skipped(amount) <= exact + 2

    def test_no_rows_of_the_region(self):
        region, _ = slab(random.Random(3))
        region._firsts = dict.fromkeys(range(region.right + 1), region.row(0)[1] + 1)
        border = Border(region)
        window = replaced(
            random_window(random.Random(4), region.right), rows=(0, 2), outer=(0, region.right)
        )
        assert bracket(JointInversion(border, window, 20)).ends()[1] == 0


# ------------------------------------------------------------------------ what is not summed

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
        first, last = inversion.window.rows
        height = inversion.window.height
        outside = sum(
            share
            for (x, y), share in p.items()
            if y >= region.first(x) and not (first <= x <= last and y < region.first(x) + height)
        )
        assert outside / factor <= inversion.outside() * 2.0**-inversion.width * (1 + 1e-9) + 1e-12

    @pytest.mark.parametrize("seed", SEEDS)
    def test_aliases(self, seed):
        _, inversion, _, q, _ = setting(seed)
        first, last = inversion.window.rows
        height = inversion.window.height
        period = inversion.window.period
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
        first, last = window.rows
        height = window.height
        period = window.period
        rows = inversion.rows.points
        seen = []

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
            other = [a - b for a, b in zip(other, theta)]
            factor = 1.0
        least = min(other[0] * x + other[1] * y for x, y in places)
        expected = min(1.0, math.exp(min(0.0, log - least))) / factor
        assert inversion.bound(slope, [], tilted=weighted) == 0
        assert math.isclose(
            inversion.bound(slope, places, tilted=weighted) * 2.0**-inversion.width,
            expected,
            rel_tol=1e-6,
            abs_tol=2.0 ** (1 - inversion.width),
        )
