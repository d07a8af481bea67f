"""Choose the free parameters of an inversion in floats: the tilt, the window, and the frequencies that are summed.

Nothing here enters a bound: a bad choice only widens the bracket or costs time. Only +, -, *, / and
sqrt of floats are used, which IEEE 754 rounds the same way everywhere; the exponential of the C
library is not (its last bit differs between platforms). So the choices, and with them the bits of
an inversion, are those of IEEE 754 on every interpreter; whether an inversion or an exact count
answers is decided elsewhere, by estimates without that promise.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, partial

from .._types import TYPE_CHECKING
from ..record import Record

if TYPE_CHECKING:
    from ..swaps.units import Step

    StepGroups = list[tuple[Step, int]]
    """[(step, number of items with it)]."""


Groups = list[tuple[int, int]]
"""[(difference d, number of pairs with it)]."""
_FloatStep = tuple[list[tuple[float, float]], float]
Cumulants = Callable[[float], tuple[float, float, float]]
"""slope -> log E exp(slope X) up to a constant, and mean and variance of X under the weights
exp(slope X)."""


_LN2 = 0.6931471805599453
_FARTHEST = 700.0
"""exp(700) is about the greatest float."""


_SMALL = 200
"""So few groups are taken as they are."""

_LEAST_VARIANCE = 1e-300
_STEEPEST = 800.0
"""Beyond such a slope exp(-slope) is 0 in floats: of steps whose variance vanishes nothing else
limits it."""


class Choice(Record):
    """Free parameters of one inversion.

    Slopes are floats in units of 2**-shift: ``tilt`` lambda >= 0, ``above`` and ``below`` the
    slopes whose Chernoff bounds serve the upper and the lower tail. ``window`` is the length that
    is summed below the threshold, ``reach`` how far above it aliases must stay. ``scarcity`` is a
    rough 1 / S: how much smaller than 1 the sum S will be; ``deviation`` the standard deviation of
    the tilted sum, a float in units of 2**shift.
    """

    shift: int
    tilt: float
    above: float
    below: float
    window: int
    reach: int
    scarcity: float
    deviation: float


def choose(groups: Groups, k: int, bits: int) -> Choice:
    """Choose parameters for P(X <= k), 0 <= k < D / 2, with errors of about S * 2**-bits."""
    shift = max(0, groups[-1][0].bit_length() - 64)
    scale = 1 << shift
    floats = [(d / scale, float(count)) for d, count in groups]
    return _chosen(partial(_cumulants, floats), k, bits, shift)


def choose_steps(groups: StepGroups, k: int, bits: int) -> Choice:
    """Choose parameters for P(X <= k) of a sum of steps, 0 <= k <= E X, as :func:`choose`."""
    largest = max(step[-1][0] for step, _ in groups)
    shift = max(0, largest.bit_length() - 64)
    scale = 1 << shift
    floats: list[_FloatStep] = []
    for step, count in groups:
        most = max(weight for _, weight in step)
        floats.append(([(a / scale, weight / most) for a, weight in step], float(count)))
    return _chosen(partial(_step_cumulants, floats), k, bits, shift)


def _chosen(cumulants: Cumulants, k: int, bits: int, shift: int) -> Choice:
    """Choose parameters from cumulants in units of 2**shift."""
    threshold = k / (1 << shift)
    steepest = math.ldexp(_STEEPEST, min(shift, 900))
    slope = _saddle(cumulants, threshold, -steepest)
    growth, _, variance = cumulants(slope)
    variance = max(variance, _LEAST_VARIANCE)
    origin = slope, growth, variance
    deviation = math.sqrt(variance)
    scarcity = 1.0 + 2.5 * min(-slope * deviation, deviation)
    nats = _LN2 * (bits + math.frexp(scarcity)[1])
    up, up_growth = _chernoff_step(cumulants, origin, threshold, nats, steepest)
    down, down_growth = _chernoff_step(cumulants, origin, threshold, nats, -steepest)
    # Below, the weight exp(slope h) at a distance h helps the tail q(X <= k - h): exp(K - (down -
    # slope) h) in all.
    return Choice(
        shift=shift,
        tilt=-slope,
        above=-slope - up,
        below=-slope + down,
        window=_length((down_growth + nats) / (down - slope), shift),
        reach=_length((up_growth + nats) / up, shift),
        scarcity=scarcity,
        deviation=deviation,
    )


def condensed(groups: Groups) -> Groups:
    """Move ascending differences that are close together apart, to a few places: as many pairs, the same sum D.

    Between the least and the greatest difference of a bucket all pairs but one go to the ends. So
    the new differences majorize the old ones, and sum c_d g(d) does not fall for any convex g
    (Karamata): G(r) = prod (1 + r**d)**c_d does not for any r > 0, as log(1 + exp(s d)) is convex
    in d.
    """
    if len(groups) <= _SMALL:
        return groups
    pairs = sum(count for _, count in groups)
    narrow = 1 + math.isqrt(sum(d * d * count for d, count in groups) // pairs) // 8
    buckets: dict[int, list[tuple[int, int]]] = {}
    # eight buckets up to the root mean square of all differences, then eight an octave
    for d, count in groups:
        x = d // narrow
        drop = max(0, x.bit_length() - 4)
        buckets.setdefault((x >> drop) + 8 * drop, []).append((d, count))
    spread: dict[int, int] = {}
    for bucket in buckets.values():
        low, high, count = bucket[0][0], bucket[-1][0], sum(c for _, c in bucket)
        if low == high:
            spread[low] = spread.get(low, 0) + count
            continue
        at_high, rest = divmod(sum(d * c for d, c in bucket) - count * low, high - low)
        for d, c in ((low, count - at_high - 1), (low + rest, 1), (high, at_high)):
            spread[d] = spread.get(d, 0) + c
    return sorted((d, count) for d, count in spread.items() if count)


def _length(x: float, shift: int) -> int:
    """Return x * 2**shift as an int, and one more."""
    return (int(x * (1 << 30)) << shift >> 30) + 1


def upper_normal(x: float) -> float:
    """Approximate the probability that a standard normal variable exceeds x, in 64ths, by a logistic function."""
    return _upper_normal(int(64.0 * max(-16.0, min(16.0, x))))


@lru_cache(4096)
def _upper_normal(i: int) -> float:
    x = i / 64.0
    return 1.0 / (1.0 + exponential(x * (1.5976 + 0.070566 * x * x)))


def exponential(x: float) -> float:
    """Return exp(x) to about 11 digits for |x| <= 700, clamped there; the same bits on every platform.

    x = n ln 2 + f with |f| < 0.35, and the Taylor polynomial of degree 9 in f.
    """
    x = max(-_FARTHEST, min(_FARTHEST, x))
    n = int(x / _LN2 + (0.5 if x > 0 else -0.5))
    f = x - n * _LN2
    value = 1.0
    for i in range(9, 0, -1):
        value = 1.0 + f * value / i
    return math.ldexp(value, n)


def log_one_plus(x: float) -> float:
    """Return log(1 + x) for 0 <= x <= 1 to about 9 digits: 2 atanh(z), z = x / (2 + x) <= 1/3."""
    z = x / (2.0 + x)
    square = z * z
    value = 0.0
    for i in range(15, 0, -2):
        value = 1.0 / i + value * square
    return 2.0 * z * value


def _cumulants(floats: list[tuple[float, float]], slope: float) -> tuple[float, float, float]:
    """Return log prod (1 + exp(slope d))**c and its derivatives, mean and variance of X tilted by exp(slope).

    Each pair counts with p = 1 / (1 + exp(-slope d)); only exp(-|slope| d) is formed.
    """
    growth = mean = variance = 0.0
    for d, count in floats:
        x = exponential(-abs(slope * d))
        share = d * count / (1.0 + x)
        growth += count * (log_one_plus(x) + max(0.0, slope * d))
        mean += share if slope > 0.0 else share * x
        variance += share * d * x / (1.0 + x)
    return growth, mean, variance


def _step_cumulants(floats: list[_FloatStep], slope: float) -> tuple[float, float, float]:
    """Return the same for X a sum of steps: log prod (sum of g exp(slope a))**c, mean and variance."""
    growth = mean = variance = 0.0
    for terms, count in floats:
        top = max(0.0, slope * terms[-1][0])
        total = first = second = 0.0
        for a, g in terms:
            share = g * exponential(slope * a - top)
            total, first, second = total + share, first + share * a, second + share * a * a
        first, second = first / total, second / total
        mantissa, n = math.frexp(total)
        growth += count * (log_one_plus(2.0 * mantissa - 1.0) + (n - 1) * _LN2 + top)
        mean += count * first
        variance += count * max(0.0, second - first * first)
    return growth, mean, variance


def _saddle(cumulants: Cumulants, k: float, low: float) -> float:
    """Return the slope above ``low`` at which the tilted mean is k; 0 where k is within one deviation of the mean.

    The mean of pairs is convex and increasing for slopes below 0, so Newton's steps from 0 approach
    from the right. That of steps is increasing; where a step goes too far, halves of the interval
    take over.
    """
    _, mean, variance = cumulants(0.0)
    slope = 0.0
    if (mean - k) * (mean - k) <= variance:
        return slope
    high = slope
    for _ in range(100):
        low, high = (slope, high) if mean < k else (low, slope)
        following = slope + (k - mean) / max(variance, _LEAST_VARIANCE)
        slope = following if low < following < high else 0.5 * (low + high)
        _, mean, variance = cumulants(slope)
        if (mean - k) * (mean - k) <= 0.0004 * variance:
            break
    return slope


def _chernoff_step(
    cumulants: Cumulants, origin: tuple[float, float, float], k: float, nats: float, most: float
) -> tuple[float, float]:
    """Return (s, K(s)), K(s) = log E_q[exp(sign s (X - k))]: the tail beyond k + sign h is at most exp(K(s) - s h).

    The least h = (K(s) + nats) / s is where s K'(s) - K(s) = nats: Newton in s, from the solution
    for a Gaussian. ``origin`` holds the slope of q, log G and the variance there; s is at most
    |most|, and its sign is that of most.
    """
    slope, growth_there, variance = origin
    sign = 1 if most > 0.0 else -1
    following = min(math.sqrt(2.0 * nats / variance), sign * most)
    step = growth = 0.0
    for _ in range(12):
        step = following
        total, mean, variance = cumulants(slope + sign * step)
        growth = total - growth_there - sign * step * k
        excess = step * sign * (mean - k) - growth - nats
        if abs(excess) <= 0.1 * nats:
            break
        following = max(
            0.25 * step, min(4.0 * step, sign * most, step - excess / (step * variance + 1e-300))
        )
    return step, growth
