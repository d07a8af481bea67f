"""The sum over frequencies: it is that of the folded distribution, and every rounding is within its bound."""

from __future__ import annotations

import cmath
import math
import random
from fractions import Fraction

import pytest

from exactperm.arithmetic.exponential import Exponential
from exactperm.certified import joint_sum
from exactperm.certified.joint_damping import Found
from exactperm.certified.joint_sum import JointSum, JointTilt, Rows, dyadics
from exactperm.certified.powers import Powers
from exactperm.certified.sums import Kernel
from joint_cases import distribution, slab, tilted


def tilt_of(deltas, slope, width):
    (exact,), scale = dyadics([slope])
    return JointTilt(deltas, exact, Powers(Exponential(width), (1, scale)), width)


def setting(rng, width):
    """(deltas, slope, joint sum) of random rows and windows."""
    region, border = slab(rng, 3)
    deltas = [(a, b, count) for (a, b), count in region.deltas.items()]
    slope = rng.choice([(0.0, 0.0), (rng.uniform(-1, 1), rng.uniform(0, 1))])
    tilt = tilt_of(deltas, slope, width)
    first = rng.randint(0, region.right)
    count = rng.choice([1, 3, 5, 7])
    present = range(first, min(first + count, region.right + 1))
    rows = Rows(tilt, [(x, border(x)) for x in present if border.holds(x)], width)
    if not rows.points:  # nothing is summed
        return setting(rng, width)
    height = rng.randint(1, 5)
    period = height + rng.randint(0, 5)
    return region.deltas, slope, JointSum(tilt, rows, (count, period + 1 - period % 2), height)


def all_frequencies(periods):
    half = periods[0] // 2
    top = periods[1] // 2
    rows = {k: list(range(-half, half + 1)) for k in range(1, top + 1)}
    return Found(rows={0: list(range(1, half + 1)), **rows} if half else rows, skipped=0)


@pytest.mark.parametrize("width", [14, 20, 60])
@pytest.mark.parametrize("seed", range(60))
def test_the_sum_is_that_of_the_folded_distribution(seed, width):
    # L1 L2 sum over x, i < w of w(x) exp(-beta i) q(points that are (x, s(x) + i) modulo the
    # periods), from all frequencies; in 14 bits a rounding that is not counted shows.
    deltas, slope, joint = setting(random.Random(seed), width)
    q, _ = tilted(distribution(deltas), slope)
    first, second = joint.periods
    folded = {}
    for (x, y), p in q.items():
        folded[x % first, y % second] = folded.get((x % first, y % second), 0.0) + p
    level = min((slope[0] * x + slope[1] * s for x, s in joint.rows.points), default=0.0)
    exact = sum(
        math.exp(level - slope[0] * x - slope[1] * (s + i))
        * folded.get((x % first, (s + i) % second), 0.0)
        for x, s in joint.rows.points
        for i in range(joint.height)
    )
    exact *= first * second / 2**joint.rows.halvings
    low, high = joint.bounds(all_frequencies(joint.periods), lambda _number: None)
    unit = 2.0**-width
    assert low * unit <= exact + 1e-9
    assert high * unit >= exact - 1e-9
    assert (high - low) * unit < 2.0 ** (18 - width)


class TestErrors:
    """Bounds of errors are at least what their derivation adds up, which is more than any example shows."""

    @pytest.mark.parametrize("seed", range(20))
    def test_of_the_factors(self, seed, monkeypatch):
        rng = random.Random(seed)
        _, _, joint = setting(rng, 20)
        joint.errors = e1, e2 = rng.randint(0, 500), rng.randint(0, 500)
        seen = []
        monkeypatch.setattr(
            joint_sum, "power_product_error", lambda errors, *_: seen.extend(errors) or 1
        )
        joint.characteristic()
        for error, power in zip(seen, joint.tilt.pairs.powers):
            low, high = [x / (1 + x) for x in power.ends()]
            share = Fraction(
                int(power.fixed(20)[0] << 20) // ((1 << 20) + power.fixed(20)[0]), 1 << 20
            )
            least = Fraction(e2, 2) + 2 + Fraction(e1, 2) + Fraction(e1 * e2, 2 << 20) + 2
            assert error >= least + 2 * max(low - share, high - share) * (1 << 20)
            assert error <= least + 20

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(20))
    def test_of_the_rows(self, seed):
        rng = random.Random(seed)
        _, _, joint = setting(rng, 20)
        joint.errors = e1, e2 = rng.randint(0, 500), rng.randint(0, 500)
        rows = sum(high - low for low, high in joint.rows.weights) + e2 + 2 * len(joint.rows.points)
        least = rows + e1 + Fraction(rows * e1, 1 << 20) + 2
        assert least <= joint.transform(all_frequencies(joint.periods))[1] <= least + 10


def kernel_of(joint):
    second = joint.periods[1]
    beta = joint.tilt.slope[1]
    about = joint.errors[1], joint.width
    return Kernel(joint.tilt.exp, beta, joint.height, lambda n: joint.up[n % second], about)


class TestKernel:
    @pytest.mark.parametrize("seed", range(40))
    def test_every_truth_that_the_errors_allow(self, seed):
        # K(k) times any sum within ``number`` errors of the one given, by |K| at the corners.
        rng = random.Random(seed)
        width = rng.choice([14, 20])
        _, slope, joint = setting(rng, width)
        second = joint.periods[1]
        number = rng.randint(1, 5)
        error = rng.randint(0, 30)
        rho = math.exp(-slope[1])
        for k in range(1, second // 2 + 1):
            kernel = sum(
                (rho * cmath.exp(-2j * math.pi * k / second)) ** i for i in range(joint.height)
            )
            a, b = [rng.randint(-(1 << width), 1 << width) for _ in range(2)]
            value, bound = kernel_of(joint).times(-k, (a, b), number, error)
            exact = (kernel * complex(a, b)).real
            assert abs(value - exact) + number * error * abs(kernel) <= bound + 1e-6

    @pytest.mark.parametrize("ends", [(5, 9), (-5, 9), (-9, -5)])
    def test_the_first_kernel_times_an_interval(self, ends):
        for seed in range(20):
            _, slope, joint = setting(random.Random(seed), 30)
            kernel = sum(math.exp(-slope[1] * i) for i in range(joint.height))
            low, high = kernel_of(joint).first(tuple(x << 20 for x in ends))
            for end, found in zip(ends, (low, high)):
                assert math.isclose(found, end * kernel * 2**20, rel_tol=1e-6)
            assert low <= ends[0] * kernel * 2**20 + 1e-3
            assert high >= ends[1] * kernel * 2**20 - 1e-3
