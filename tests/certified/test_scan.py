"""The scan: every table, phase and count is a bound by itself, and what is left out is at most what is added up."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest

from bracket_cases import dampers_of
from exactperm.arithmetic.enclosure import ONE, Enclosure
from exactperm.certified import scan as scan_module
from exactperm.certified.damping import BITS, Damping
from exactperm.certified.scan import SCALE, Aim, Plan, Scan, _bound
from exactperm.certified.tables import (
    COARSE,
    MARGIN,
    PhaseBlock,
    Points,
    class_of,
    laid_out,
    master,
    phase,
    sharpness_of,
)


def bits_of(phase, strength):
    """-log2 |1 - p + p exp(2 pi i phase)|, 4 p (1 - p) = strength in units of 2**-32."""
    return -0.5 * math.log2(max(1e-300, 1 - strength / 2**BITS * math.sin(math.pi * phase) ** 2))


def real_scan(seed=1, n=60, largest=10**12, count=1):
    """A scan of n differences without a common step, some of them tilted."""
    rng = random.Random(seed)
    groups = [(d, count) for d in sorted(rng.randint(1, largest) for _ in range(n))]
    powers = [Enclosure(2**60 - (2**58 * i // n), 2**60 - (2**58 * i // n), -60) for i in range(n)]
    period = int(5 * math.sqrt(sum(d * d * c for d, c in groups)))
    return Scan(Damping(dampers_of(groups, powers), period), 4 * n)


def weak_scan(seed=1, n=1500, share=0.2):
    """A scan of n differences of which each damps little, as those of steps do; period and tables are fine."""
    rng = random.Random(seed)
    units = [
        (d, 1, int(share * rng.uniform(0.5, 1) * 2**BITS))
        for d in sorted(rng.randint(1, 10**12) for _ in range(n))
    ]
    period = int(5 * math.sqrt(share * sum(d * d for d, _, _ in units)))
    return Scan(Damping(units, period), 4 * n, sharpness=sharpness_of(units))


def dampers_in(scan):
    return scan.damping.some(range(scan.damping.number))


def exact_bits(scan, j):
    """-log2 |phi(t_j)|."""
    return sum(
        c * bits_of(d * j % scan.damping.period / scan.damping.period, s)
        for d, c, s in dampers_in(scan)
    )


class TestTables:
    @pytest.mark.parametrize("q", [0, 1, 2, 3, 17, 100, 231, 400])
    @pytest.mark.parametrize("count", [1, 3, 70])
    def test_an_entry_is_below_every_phase_of_its_cell(self, q, count):
        # From any phase of the cell, and the margin around it, on through q/512 of a turn.
        for strength in (2**32, 2**31, 2**28):
            table = laid_out(
                master(*class_of(strength, count, COARSE), MARGIN, 63, 16),
                q,
            )
            assert len(table) == 256
            assert max(table) <= 63
            for c, entry in enumerate(table):
                low = c / 256 - 2**-12
                high = (c + 1) / 256 + 2**-12 + q / 512
                inside = low <= 0 or high >= 1
                least = (
                    0.0
                    if inside
                    else min(count, 64) * min(bits_of(low, strength), bits_of(high, strength))
                )
                assert entry <= 16 * least + 1e-9
                # not much less: a step of the distance, and one
                if not inside and count == 1 and strength == 2**31:
                    nearer = min(
                        bits_of(max(0, low - 2**-8), strength),
                        bits_of(min(1, high + 2**-8), strength),
                    )
                    assert entry >= min(63, 16 * nearer * 0.95 - 1.5)

    def test_classes_are_rounded_down(self):
        for strength in (0, 1, 2**26, 2**31 + 5, 2**32 - 1, 2**32):
            for count in (0, 1, 2, 3, 5, 9, 63, 64, 10**9):
                s, c = class_of(strength, count, COARSE)
                assert s <= strength
                assert c <= count
                assert s > strength - 2**26 - 1
                assert c >= min(count, 64) * 2 // 3

    def test_bounds_are_rounded_up(self):
        for j in (1, 3, 1000, 10**9):
            for bits in (1, 7, 90, 400):
                exact = Fraction(2**SCALE, j * 2**bits)
                assert exact <= _bound(j, bits) <= exact + 1


class TestPhases:
    @pytest.mark.parametrize("count", [128, 1024])
    def test_patterns(self, count):
        # Each field within 10 halves of 2**-15 of a turn, and a start another half: the margin is
        # 8.
        scan = real_scan()
        units = dampers_in(scan)[:5]
        block = PhaseBlock(units, 37, 20, count, period=scan.damping.period, sharpness=COARSE)
        for (d, pattern, _), first in zip(block.dampers, (1, 2, 77, 10**6, 10**9)):
            start = phase(d * first, scan.damping.period)
            for i in range(count):
                field = ((pattern >> 16 * i & 0xFFFF) + start) & 0xFFFE
                truth = d * (first + 37 * i) % scan.damping.period / scan.damping.period
                off = (field / 2**16 - truth + 0.5) % 1 - 0.5
                assert abs(off) <= 5.5 / 2**15 + 1e-12

    @pytest.mark.parametrize("seed", range(6))
    def test_blocks(self, seed):
        # Sums are those of the tables' entries, counted by level; and accepted intervals are as
        # small as they say.
        rng = random.Random(seed)
        scan = real_scan(seed)
        first = rng.randint(100, 3000)
        length = rng.choice([1, 2, 5])
        bits = rng.choice([3, 6, 9])
        units = [unit for unit in dampers_in(scan) if unit[0] * first > 0.6 * scan.damping.period][
            : rng.randint(9, 40)
        ]
        count = rng.choice([128, 256])
        block = PhaseBlock(units, length, bits, count, period=scan.damping.period, sharpness=COARSE)
        amounts, failed = block.tried(first)
        sums = [0] * count
        for d, pattern, table in block.dampers:
            start = phase(d * first, scan.damping.period)
            for i in range(count):
                sums[i] += table[((pattern >> 16 * i & 0xFFFF) + start & 0xFFFE) >> 8]
        assert sorted(failed) == [i for i, total in enumerate(sums) if total < 16 * bits]
        levels = [bits, bits + 2, bits + 4, bits + 8, 10**6]
        assert amounts == [
            (low, sum(16 * low <= total < 16 * high for total in sums))
            for low, high in zip(levels, levels[1:])
        ]
        for i, total in enumerate(sums):
            for j in range(first + i * length, first + (i + 1) * length):
                assert (
                    total
                    <= 16
                    * sum(
                        c * bits_of(d * j % scan.damping.period / scan.damping.period, s)
                        for d, c, s in units
                    )
                    + 1e-6
                )

    @pytest.mark.parametrize("count", [1, 5])
    def test_points(self, count):
        scan = real_scan(count=count)
        points = Points(dampers_in(scan), scan.damping.period, scan.sharpness)
        loss = 0.0
        for j in [*range(1, 400), *(3**i for i in range(25))]:
            exact = exact_bits(scan, j)
            assert points.bits(j) <= exact
            loss += min(exact, 200) - points.bits(j)
        assert loss / 425 < 0.2 * count * len(dampers_in(scan))


class TestSettle:
    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(8))
    @pytest.mark.parametrize("early", [False, True])
    def test_all_is_found_or_added_up(self, seed, early, monkeypatch):
        # Every j is found, or its |phi| / j is in the sum: in floats, right to 1e-9. With scans
        # forced on.
        monkeypatch.setattr(scan_module, "_WORK_CONFIGURATION", 0)
        rng = random.Random(seed)
        scan = real_scan(seed, n=rng.choice([40, 90, 150]))
        aim = Aim(
            top=rng.randint(3000, 9000),
            bits=rng.choice([4, 8, 12]),
            spare=rng.choice([0, 1 << SCALE - 12]),
        )
        settled = scan.settle(aim, 6_000 * (1 + seed) if early else 10**9)
        assert settled.reached == aim.top or early
        assert settled.found == sorted(set(settled.found)) or set(settled.found) <= set(
            range(1, settled.reached + 1)
        )
        left_out = set(range(1, settled.reached + 1)).difference(settled.found)
        total = math.fsum(2.0 ** -exact_bits(scan, j) / j for j in left_out)
        assert total <= settled.skipped / 2**SCALE * (1 + 1e-9) + 1e-12

    def test_a_sample_bounds_no_more_than_all_units(self):
        scan = weak_scan()
        for j in range(50, 5000, 500):
            scan._aim = Aim(top=5000, bits=10, spare=0)
            assert scan._point_bits(j) <= exact_bits(scan, j)
            scan._aim = Aim(top=5000, bits=2000, spare=0)  # out of reach: all units
            assert scan._point_bits(j) == scan._points[-1].bits(j)

    @pytest.mark.slow
    def test_a_limit_is_kept(self):
        scan = real_scan(n=50)
        aim = Aim(top=10**6, bits=12, spare=1 << SCALE - 12)
        reached = []
        for limit in (0, 100, 1000, 10**4, 10**5, 10**6):
            settled = scan.settle(aim, limit)
            assert settled.work <= limit + 10**4
            reached.append(settled.reached)
        assert reached == sorted(reached)
        assert reached[0] == 0
        assert reached[-1] > 1000

    @pytest.mark.parametrize(
        ("limit", "whole", "end"), [(10**9, True, 5000), (10**9, False, 99), (0, True, 99)]
    )
    def test_intervals_that_fail_are_bisected_to_their_ends(self, limit, whole, end, monkeypatch):
        # No interval is accepted. Nothing of a block is settled where the bisection of its first
        # ends before its end, or where there is no work left.
        scan = real_scan()
        seen = []
        scan._aim = Aim(top=10**6, bits=8, spare=0)
        scan._limit = limit
        monkeypatch.setattr(
            scan, "_bisect", lambda a, b: seen.append((a, b)) or (b if whole else a)
        )
        plan = Plan(dampers=dampers_in(scan)[:5], length=20, bits=1000, rate=0.0)
        assert scan._scan(100, 5000, plan) == end
        if end == 5000:
            assert [j for a, b in sorted(seen) for j in range(a, b + 1)] == list(range(100, 5001))

    @pytest.mark.parametrize("spent", [0, 1])
    def test_the_threshold_follows_what_is_spent(self, spent):
        # Below an even share of the spare sum it rises, above it falls.
        scan = real_scan()
        scan._aim = Aim(top=1000, bits=60, spare=1 << SCALE + 7)
        scan._threshold = 1 << SCALE + 1
        scan._spent = spent << SCALE + 7
        scan._settle_one(1)
        assert scan._found == []
        assert (scan._threshold < 1 << SCALE + 1) == bool(spent)

    @pytest.mark.parametrize("n", [80, 150, 500])
    def test_the_cost_is_about_right(self, n):
        scan = real_scan(n=n)
        aim = Aim(top=500_000, bits=16, spare=1 << SCALE - 15)
        predicted = scan.cost(aim)
        assert 0.2 < scan.settle(aim, 10**9).work / predicted < 5

    def test_many_units_are_evenly_apart(self):
        # Of 3,000 units that turn, at most 220 are tried, from the least of them to four times as
        # much.
        scan = real_scan(n=4000)
        units = scan.planner.turning(1500)
        least = 3 * scan.damping.period // 7500
        assert units == sorted(units)
        assert 50 < len(units) <= 220
        assert least <= units[0][0] < 1.3 * least
        assert 3 * least < units[-1][0] < 4.1 * least
        assert max(b[0] - a[0] for a, b in zip(units, units[1:])) < least / 5
        assert scan.planner.turning(10**12) == dampers_in(scan)[:220]

    def test_the_length_is_climbed_to_from_either_side(self):
        scan = real_scan()
        low = scan.planner.plan(4000, 90_000, 8)
        scan.planner._climbed = 10**6
        high = scan.planner.plan(4000, 90_000, 8)
        assert 1 <= low.length <= high.length < 90_000 // 128

    def test_nothing_turns_yet(self):
        scan = real_scan()
        scan._aim = Aim(top=10, bits=5, spare=0)
        assert scan._plan(1, 10) is None
        assert scan.cost(Aim(top=10, bits=5, spare=0)) > 0
        few = Scan(Damping(dampers_of([(1, 1)], [ONE]), 10**9), 4)
        assert few.cost(Aim(top=10**6, bits=30, spare=0)) > 10**6  # all of them one by one
