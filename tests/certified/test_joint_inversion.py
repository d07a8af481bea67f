"""One inversion in two dimensions: the exact probability lies inside for any parameters, and every term is needed."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from exactperm.arithmetic.enclosure import Enclosure
from exactperm.certified import joint_inversion
from exactperm.certified.joint_damping import SCALE, Found
from exactperm.certified.joint_inversion import JointInversion
from exactperm.certified.joint_parameters import Border, choose
from exactperm.record import replaced
from joint_cases import distribution, random_regions, random_window, slab, tilted

LIMIT = 10**7


def contains(bracket, p):
    low, high = bracket.ends()
    return low <= p <= high


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
    def test_random_cases(self):
        # Four statistics, both tails, with groups, complements, every coordinates; half with
        # parameters at random.
        inside, cases = hold(range(40))
        assert inside == cases > 100

    def test_further_random_cases(self, sampled):
        # ``hold(range(2000, 4000))``, 6,000 cases, takes three minutes.
        inside, cases = hold(range(1000, 1000 + sampled(80)))
        assert inside == cases > 2 * sampled(80)

    def test_widths_are_met(self):
        # Of the chosen parameters, at 30 bits: some 2**-24 relative, where tails are not
        # degenerate.
        widths = []
        for seed in range(30):
            for region, p in random_regions(random.Random(seed), 18):
                if 1e-12 < p < 0.6:
                    widths.append(enclosed(region, 30).relative_width)
        widths.sort()
        assert len(widths) > 30
        assert widths[len(widths) * 3 // 4] < 1e-6


def wrong(monkeypatch, name, value):
    """The share of brackets that still hold where one term is left out."""
    monkeypatch.setattr(JointInversion, name, value)
    inside, cases = hold(range(25), windows=0.8)
    return cases - inside


def sparing(inversion, limit, found=JointInversion.found):
    """Leave out half of the frequencies that matter, each with |phi| <= 1 and the bound of its coefficient."""
    whole = found(inversion, limit)
    rows, skipped = whole.rows, whole.skipped
    rng, kept = random.Random(len(rows)), {}
    for k, places in rows.items():
        for j in places:
            if rng.random() < 0.5:
                skipped += inversion.coefficient(k) << SCALE
            else:
                kept.setdefault(k, []).append(j)
    return Found(rows=kept, skipped=skipped)


@pytest.mark.slow
class TestWrongPrograms:
    """Each term of the error is needed: without it some brackets miss."""

    def test_any_frequencies_may_be_left_out(self, monkeypatch):
        monkeypatch.setattr(JointInversion, "found", sparing)
        inside, cases = hold(range(25))
        assert inside == cases

    def test_what_is_left_out(self, monkeypatch):
        monkeypatch.setattr(JointInversion, "found", sparing)
        assert wrong(monkeypatch, "skipped", lambda _self, _amount: 0) > 5

    def test_what_lies_outside(self, monkeypatch):
        assert wrong(monkeypatch, "outside", lambda _self: 0) > 5

    def test_aliases(self, monkeypatch):
        assert wrong(monkeypatch, "aliases", lambda _self: 0) > 5

    def test_coefficients(self, monkeypatch):
        monkeypatch.setattr(JointInversion, "found", sparing)
        assert wrong(monkeypatch, "coefficient", lambda _self, _k: 0) > 5


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
        unit, (first, second) = 1 << inversion.width, inversion.periods
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
    def test_the_factor_is_that_of_the_level(self, seed):
        # F = E exp(theta X) exp(-m), m the least theta (x, s(x)).
        rng = random.Random(seed)
        region, border = slab(rng)
        window = random_window(rng, region.right)
        inversion = JointInversion(border, window, 30)
        slope = window.tilt[0], max(0.0, window.tilt[1])
        _, growth = tilted(distribution(region.deltas), slope)
        least = min((slope[0] * x + slope[1] * s for x, s in inversion.rows.points), default=0.0)
        low, high = inversion.rows.factor.ends()
        assert math.isclose(low, math.exp(growth - least), rel_tol=1e-9)
        assert low <= high <= low * (1 + Fraction(1, 10**9))
        assert inversion.rows.points == [
            (x, region.first(x))
            for x in range(window.rows[0], min(window.rows[1], region.right) + 1)
            if region.first(x) <= region.row(x)[1]
        ]

    @pytest.mark.parametrize("seed", range(40))
    def test_coefficients_bound_kernels(self, seed):
        # |K(k')| = |sum of rho**i omega**(-k' i), i < w| for all k' from k on.
        rng = random.Random(seed)
        _, border = slab(rng)
        window = random_window(rng, border.region.right)
        inversion = JointInversion(border, window, 20)
        rho, period = math.exp(-max(0.0, window.tilt[1])), window.period
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
        amount, h = 12345 << SCALE, inversion.rows.halvings
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
