"""Where to tilt and how far to look: the free parameters of the inversion, chosen in floats.

Nothing here enters a bound: a bad choice only widens the bracket or costs time. Only +, -, *, / and sqrt of floats are
used, which IEEE 754 rounds the same way everywhere; the exponential of the C library is not (its last bit differs
between platforms). So the choices, and with them the bits of an inversion, are those of IEEE 754 on every interpreter;
whether an inversion or an exact count answers is decided elsewhere, by estimates without that promise.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

import math
from collections import namedtuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    Groups = list[tuple[int, int]]
    """[(difference d, number of pairs with it)]."""

_LN2 = 0.6931471805599453
_FARTHEST = 700.0
"""exp(700) is about the greatest float."""


class Choice(namedtuple("Choice", ("tilt", "above", "below", "window", "reach", "scarcity"))):
    """Free parameters of one inversion.

    ``tilt`` r in (0, 1]; ``above`` and ``below`` the tilts whose Chernoff bounds serve the upper and the lower tail;
    ``window`` the number of points that are summed below the threshold, ``reach`` how far above it aliases must stay;
    ``scarcity`` a rough 1 / S: how much smaller than 1 the sum S will be.
    """

    __slots__ = ()

    tilt: float
    above: float
    below: float
    window: int
    reach: int
    scarcity: float


def choose(groups: Groups, k: int, bits: int) -> Choice:
    """Parameters for P(X <= k), 0 <= k < D / 2, with errors of about S * 2**-bits."""
    floats = [(float(d), float(count)) for d, count in groups]
    slope = _saddle(floats, k)
    growth, _, variance = _cumulants(floats, slope)
    origin = slope, growth, variance
    deviation = math.sqrt(variance)
    scarcity = 1.0 + 2.5 * min(-slope * deviation, deviation)
    nats = _LN2 * (bits + math.frexp(scarcity)[1])
    up, up_growth = _chernoff_step(floats, origin, k, nats, 1)
    down, down_growth = _chernoff_step(floats, origin, k, nats, -1)
    # Below, the weight r**m of the m-th point helps the tail: r**w q(X <= k - w) <= exp(K - (down - slope) w).
    return Choice(
        tilt=exponential(slope),
        above=exponential(slope + up),
        below=exponential(slope - down),
        window=int((down_growth + nats) / (down - slope)) + 1,
        reach=int((up_growth + nats) / up) + 1,
        scarcity=scarcity,
    )


def exponential(x: float) -> float:
    """The exponential to about 11 digits for |x| <= 700, clamped there; the same bits on every platform.

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
    """Logarithm of 1 + x for 0 <= x <= 1 to about 9 digits: 2 atanh(z), z = x / (2 + x) <= 1/3."""
    z = x / (2.0 + x)
    square = z * z
    value = 0.0
    for i in range(15, 0, -2):
        value = 1.0 / i + value * square
    return 2.0 * z * value


def _cumulants(floats: list[tuple[float, float]], slope: float) -> tuple[float, float, float]:
    """The log of prod (1 + exp(slope d))**c, and the mean and variance of X tilted by exp(slope), its derivatives.

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


def _saddle(floats: list[tuple[float, float]], k: int) -> float:
    """The slope at which the tilted mean is k; 0 where k lies within one standard deviation of the mean.

    The mean is convex and increasing for slopes below 0, so Newton's steps from 0 approach from the right.
    """
    _, mean, variance = _cumulants(floats, 0.0)
    slope = 0.0
    if (mean - k) * (mean - k) <= variance:
        return slope
    for _ in range(100):
        slope += (k - mean) / variance
        _, mean, variance = _cumulants(floats, slope)
        if (mean - k) * (mean - k) <= 0.0004 * variance:
            break
    return slope


def _chernoff_step(
    floats: list[tuple[float, float]], origin: tuple[float, float, float], k: int, nats: float, sign: int
) -> tuple[float, float]:
    """(s, K(s)) with K(s) = log E_q[exp(sign s (X - k))]: the tail of q beyond k + sign h is at most exp(K(s) - s h).

    The least h = (K(s) + nats) / s is where s K'(s) - K(s) = nats: Newton in s, from the solution for a Gaussian.
    ``origin`` holds the slope of q, log G and the variance there.
    """
    slope, growth_there, variance = origin
    following = math.sqrt(2.0 * nats / variance)
    step = growth = 0.0
    for _ in range(12):
        step = following
        total, mean, variance = _cumulants(floats, slope + sign * step)
        growth = total - growth_there - sign * step * k
        excess = step * sign * (mean - k) - growth - nats
        if abs(excess) <= 0.1 * nats:
            break
        following = max(0.25 * step, min(4.0 * step, step - excess / (step * variance + 1e-300)))
    return step, growth
