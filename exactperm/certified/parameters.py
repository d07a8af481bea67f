"""Choose the free parameters of an inversion in floats: the tilt, the window, and the frequencies that are summed.

Nothing here enters a bound: a bad choice only widens the bracket or costs time. Only +, -, *, / and
sqrt of floats are used, which IEEE 754 rounds the same way everywhere; the exponential of the C
library is not (its last bit differs between platforms). So the choices, and with them the bits of
an inversion, are those of IEEE 754 on every interpreter; whether an inversion or an exact count
answers is decided elsewhere, by estimates without that promise.

Source: spec/note.md#note-tails.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from .._types import TYPE_CHECKING
from ..record import Record

if TYPE_CHECKING:
    from typing import Protocol

    from ..swaps.units import Draw, Step

    class Law(Protocol):
        """A sum of independent units: its greatest difference, and its cumulants in units of ``scale``."""

        largest: int

        def cumulants(self, scale: int) -> Cumulants:
            """Return the function slope -> (log E exp(slope X) up to a constant, mean, variance)."""


Groups = list[tuple[int, int]]
"""[(difference d, number of pairs with it)]."""
Triple = tuple[float, float, float]
Cumulants = Callable[[float], Triple]
"""slope -> log E exp(slope X) up to a constant, and mean and variance of X under the weights
exp(slope X)."""


LN2 = 0.6931471805599453
_FARTHEST = 700.0
"""exp(700) is about the greatest float."""


_SMALL = 200
"""So few groups are taken as they are."""

_LEAST_VARIANCE = 1e-300
_MOMENT_NATS = 18.0  # of the numbers chosen that moments leave out
_LEAST_WINDOW = 8  # numbers chosen
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


def choose(law: Law, k: int, bits: int) -> Choice:
    """Choose parameters for P(X <= k), k from 0 to the mean of X, with errors of about S * 2**-bits."""
    shift = max(0, law.largest.bit_length() - 64)
    cumulants = law.cumulants(1 << shift)
    threshold = k / (1 << shift)
    steepest = math.ldexp(_STEEPEST, min(shift, 900))
    slope = saddle(cumulants, threshold, -steepest)
    growth, _, variance = cumulants(slope)
    variance = max(variance, _LEAST_VARIANCE)
    origin = slope, growth, variance
    deviation = math.sqrt(variance)
    scarcity = 1.0 + 2.5 * min(-slope * deviation, deviation)
    nats = LN2 * (bits + math.frexp(scarcity)[1])
    up, up_growth = chernoff_step(cumulants, origin, threshold, nats, steepest)
    down, down_growth = chernoff_step(cumulants, origin, threshold, nats, -steepest)
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


def condensed(units: Groups) -> Groups:
    """Move ascending differences that are close together apart, to a few places: as many pairs, the same sum D.

    Between the least and the greatest difference of a bucket all pairs but one go to the ends. So
    the new differences majorize the old ones, and sum c_d g(d) does not fall for any convex g
    (Karamata): G(r) = prod (1 + r**d)**c_d does not for any r > 0, as log(1 + exp(s d)) is convex
    in d.
    """
    if len(units) <= _SMALL:
        return units
    pairs = sum(count for _, count in units)
    narrow = 1 + math.isqrt(sum(d * d * count for d, count in units) // pairs) // 8
    buckets: dict[int, list[tuple[int, int]]] = {}
    # eight buckets up to the root mean square of all differences, then eight an octave
    for d, count in units:
        x = d // narrow
        drop = max(0, x.bit_length() - 4)
        buckets.setdefault((x >> drop) + 8 * drop, []).append((d, count))
    spread: dict[int, int] = {}
    for bucket in buckets.values():
        low = bucket[0][0]
        high = bucket[-1][0]
        count = sum(c for _, c in bucket)
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
    n = int(x / LN2 + (0.5 if x > 0 else -0.5))
    f = x - n * LN2
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


def pair_cumulants(units: Iterable[tuple[float, float, float]]) -> Cumulants:
    """Return log prod (1 + exp(offset + slope d))**c and its derivatives, for units (offset, d, c).

    Each counts with p = 1 / (1 + exp(-offset - slope d)); only exp(-|offset + slope d|) is formed.
    """
    known = list(units)

    def cumulants(slope: float) -> Triple:
        growth = mean = variance = 0.0
        for offset, d, count in known:
            u = offset + slope * d
            x = exponential(-abs(u))
            share = d * count / (1.0 + x)
            growth += count * (log_one_plus(x) + max(0.0, u))
            mean += share if u > 0.0 else share * x
            variance += share * d * x / (1.0 + x)
        return growth, mean, variance

    return cumulants


def summed(parts: list[tuple[Cumulants, int]]) -> Cumulants:
    """Return the cumulants of a sum of independent parts, each so many times."""

    def cumulants(slope: float) -> Triple:
        growth = mean = variance = 0.0
        for part, count in parts:
            log, first, second = part(slope)
            growth += count * log
            mean += count * first
            variance += count * max(0.0, second)
        return growth, mean, variance

    return cumulants


def step_cumulants(step: Step, scale: int) -> Cumulants:
    """Return log sum of g exp(slope a), mean and variance of a step, its values in units of ``scale``."""
    most = max(weight for _, weight in step)
    terms = [(a / scale, weight / most) for a, weight in step]

    def cumulants(slope: float) -> Triple:
        top = max(0.0, slope * terms[-1][0])
        total = first = second = 0.0
        for a, g in terms:
            share = g * exponential(slope * a - top)
            total = total + share
            first = first + share * a
            second = second + share * a * a
        mean = first / total
        return _log(total) + top, mean, second / total - mean * mean

    return cumulants


def draw_cumulants(draw: Draw, scale: int) -> Cumulants:
    """Return the same for the sum of m of n values, by the moments of each number of values chosen, value by value.

    They are chosen one by one with the odds of :func:`balanced`, so that no moment is far from
    those of m values.
    """
    m = draw[0]
    values = [value / scale for value in draw[1]]
    low = values[0]
    high = values[-1]

    def cumulants(slope: float) -> Triple:
        start = low if slope <= 0.0 else high
        level = balanced(m, [abs(slope) * abs(value - start) for value in values])
        centre = start + level * (high + low - 2.0 * start)
        growth, mean, square = _moments(m, [value - centre for value in values], slope)
        return growth + slope * m * centre, mean + m * centre, square - mean * mean

    return cumulants


def _moments(m: int, values: list[float], slope: float) -> Triple:
    """Return log e_m of exp(slope value), and the first two moments of the sum of m values chosen with these weights."""
    even = _log(m / (len(values) - m))
    growth = 0.0
    shares = []
    for x in values:
        z = slope * x + even
        odds = exponential(-abs(z))
        growth += log_one_plus(odds) + max(0.0, z)
        shares.append((1.0 if z > 0.0 else odds) / (1.0 + odds))
    size, risen = numbers_kept(m, shares, _MOMENT_NATS)
    chances = [1.0] + [0.0] * (size - 1)
    firsts = [0.0] * size
    seconds = [0.0] * size
    for x, p, up in zip(values, shares, risen):
        q = 1.0 - p
        rows = seconds, firsts, chances
        stay = [[*row[1:], 0.0] for row in rows] if up else rows
        s, f, c = rows if up else [[0.0, *row] for row in rows]
        seconds = [q * a + p * (b + x * (2.0 * c + x * d)) for a, b, c, d in zip(stay[0], s, f, c)]
        firsts = [q * a + p * (b + x * c) for a, b, c in zip(stay[1], f, c)]
        chances = [q * a + p * b for a, b in zip(stay[2], c)]
    place = m - sum(risen)
    chance = max(chances[place], _LEAST_VARIANCE)
    return growth + _log(chance) - m * even, firsts[place] / chance, seconds[place] / chance


def numbers_kept(m: int, shares: Sequence[float], nats: float) -> tuple[int, list[int]]:
    """Choose which numbers of independent choices are followed, value by value, where m are taken in the end.

    ``shares`` are their probabilities. Return (size, for each value 1 where the least of the
    ``size`` numbers rises, else 0): all from 0 to m, or a window about their mean, given m in all,
    outside of which they are with a probability of about exp(-``nats``).
    """
    spread = mean = 0.0
    if m >= 2 * _LEAST_WINDOW:
        for p in shares:
            spread += p * (1.0 - p)
            mean += p
    # given m in all they vary most in the middle, with a quarter of the variance
    size = int(math.sqrt(2.0 * nats * spread)) + _LEAST_WINDOW
    if 2 * size > m:
        return m + 1, [0] * len(shares)
    pull = (m - mean) / max(spread, _LEAST_VARIANCE)
    least, centre = 0, 0.5 * size - 0.5
    risen = []
    for p in shares:
        centre -= p + p * (1.0 - p) * pull
        up = int(centre < 0.0 and least + size <= m)
        centre += up
        least += up
        risen.append(up)
    if least + size <= m:  # m is above the window: all odds are far from those of m values
        return m + 1, [0] * len(shares)
    return size, risen


def balanced(m: int, nats: list[float]) -> float:
    """Return the level 0..1 of the farthest value at which m of n independent choices are taken in the mean.

    Values at the distances ``nats`` from the first have the odds m / (n - m) exp(level * farthest -
    distance).
    """
    n = len(nats)
    farthest = max(nats)
    even = m / (n - m)
    low = 0.0
    high = min(farthest, 1e9)
    level = min(sum(nats) / n, high)
    for _ in range(30):
        taken = spread = 0.0
        for distance in nats:
            odds = even * exponential(level - distance)
            p = odds / (1.0 + odds)
            taken = taken + p
            spread = spread + p / (1.0 + odds)
        missing = m - taken
        if missing * missing <= 0.01 * spread or high - low <= 0.01:
            break
        low, high = (level, high) if missing > 0.0 else (low, level)
        level += missing / max(spread, 1e-9)
        level = level if low < level < high else 0.5 * (low + high)
    return level / farthest if farthest > 0.0 else 0.0


def _log(x: float) -> float:
    """Return log(x) for x > 0 to about 9 digits, the same bits on every platform."""
    mantissa, n = math.frexp(x)
    return log_one_plus(2.0 * mantissa - 1.0) + (n - 1) * LN2


def saddle(cumulants: Cumulants, k: float, low: float) -> float:
    """Return the slope above ``low`` at which the tilted mean is k; 0 where k is above the mean less one deviation.

    The mean of pairs is convex and increasing for slopes below 0, so Newton's steps from 0 approach
    from the right. That of steps is increasing; where a step goes too far, halves of the interval
    take over.
    """
    _, mean, variance = cumulants(0.0)
    slope = high = 0.0
    if mean <= k or (mean - k) * (mean - k) <= variance:
        return slope
    for _ in range(100):
        low, high = (slope, high) if mean < k else (low, slope)
        following = slope + (k - mean) / max(variance, _LEAST_VARIANCE)
        slope = following if low < following < high else 0.5 * (low + high)
        _, mean, variance = cumulants(slope)
        if (mean - k) * (mean - k) <= 0.0004 * variance:
            break
    return slope


def chernoff_step(
    cumulants: Cumulants, origin: Triple, k: float, nats: float, most: float
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
