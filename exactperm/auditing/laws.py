"""Tails of the normal and of Student's t distribution, between certified bounds.

All series have positive terms and are summed twice in integer fixed point, once rounded down and
once up. With y = z**2 rational, Q the upper tail of the normal law and phi its density,

    1/2 - Q(z) = phi(z) z sum_k y**k / (1 3 5 ... (2k + 1)),       phi(z) = exp(-y / 2) / sqrt(2 pi),
    Q(z) = phi(z) / v_0,   v_k = z + (k + 1) / v_(k+1),            z <= v_k <= z + (k + 1) / z       (Laplace).

For Student's t with n degrees of freedom let s = t**2 / (n + t**2) and c = 1 - s, the squares of sin
and cos of theta = arctan(t / sqrt(n)): both rational, and s = 1 where t is infinite. Then
P(|T| <= t) is (Abramowitz and Stegun 26.7.3 and 26.7.4)

    odd n:   2/pi (theta + sqrt(s c) sum_{k < (n-1)/2} a_k c**k),      a_k = (2 4 ... 2k) / (3 5 ... (2k + 1)),
    even n:  sqrt(s) sum_{k < n/2} b_k c**k,                           b_k = (1 3 ... (2k - 1)) / (2 4 ... 2k).

The same a_k give theta = sqrt(s c) sum_{k >= 0} a_k s**k and pi = 2 sum_{k >= 0} a_k / 2**k
(Euler).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, lru_cache
from itertools import count
from math import floor, isqrt, log2

from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..arithmetic.rational import Exact

Ratio = Callable[[int], tuple[int, int]]
"""(numerator, denominator) of the k-th coefficient of a series over the one before, k = 1, 2, ..."""

_BITS = 96
"""Bits of relative precision to aim at: far more than the 53 of a double."""

_NORMAL = _BITS + 64  # bits of the normal law by its series: Q(8) is about 2**-50

_SERIES_BELOW = 64
"""Squares from which the continued fraction serves."""

_KEPT = 1000
"""Tails that are kept: readings that differ in their tail or order have the same."""

_LEVELS = 400

_MOST_BITS = 4000
"""Bits more for a small tail; one below 2**-4000 may have the lower bound 0."""


@lru_cache(_KEPT)
def normal_tail(square: Exact) -> Enclosure:
    """Enclose P(Z >= z) of a standard normal Z for z = sqrt(square) >= 0, to a relative width below 2**-64.

    Cost: some hundred operations on integers of 200 bits. Source: the expansions at the top of this
        module.

    >>> normal_tail(4).floats()
    (0.022750131948179205, 0.02275013194817921)
    """
    y = Fraction(square)
    parts = floor(y / 2) + 1
    bits = _NORMAL + parts.bit_length()
    growth = _series(_fixed(y / 2 / parts, bits), lambda k: (1, k), bits).power(parts, bits)
    density = ONE.over(growth.times(_root_of_two_pi(), bits), bits)
    z = _root(y, _NORMAL)
    if y >= _SERIES_BELOW:
        return density.over(_laplace(z), _NORMAL)
    series = _series(_fixed(y, _NORMAL), lambda k: (1, 2 * k + 1), _NORMAL)
    inside = density.times(z, _NORMAL).times(series, _NORMAL)
    return inside.scaled(1).complement().scaled(-1)


def _laplace(z: Enclosure) -> Enclosure:
    """Return v_0 of the continued fraction, from v_400 inward; each level narrows its bounds."""
    square = 1 << 2 * _NORMAL
    least, most = z.fixed(_NORMAL)
    low, high = least, most - (-(_LEVELS + 1) * square // least)
    for k in range(_LEVELS, 0, -1):
        low, high = least + k * square // high, most - (-k * square // low)
    return Enclosure(low, high, -_NORMAL)


@lru_cache(_KEPT)
def t_tail(sine: Exact, n: int) -> Enclosure:
    """Enclose P(T >= t) of Student's t with n >= 1 degrees of freedom, t >= 0, for ``sine`` = t**2 / (n + t**2).

    Cost: n / 2 operations on integers of 200 bits and those that a small tail needs.

    >>> t_tail(Fraction(4, 13), 9).floats()  # t = 2
    (0.03827641188535052, 0.038276411885350525)
    """
    sine, cosine = Fraction(sine), 1 - Fraction(sine)
    if not cosine:
        return ZERO
    gap = cosine.denominator.bit_length() - cosine.numerator.bit_length()
    steps = log2(cosine.denominator / cosine.numerator) if gap < 1000 else gap + 1
    width = _BITS + 16 + 2 * n.bit_length() + min(_MOST_BITS, int(n / 2 * steps))
    if n % 2 == 0:
        body = _series(_fixed(cosine, width), _even_step, width, n // 2)
        inside = body.times(_root(sine, width), width)
    else:
        body = _series(_fixed(cosine, width), _odd_step, width, (n - 1) // 2) if n > 1 else ZERO
        root = _root(sine * cosine, width).over(_half_pi(width), width)
        arc = _series(_fixed(min(sine, cosine), width), _odd_step, width).times(root, width)
        if sine > cosine:  # theta = pi/2 - arctan(sqrt(n) / t)
            arc = arc.complement()
        ends = zip(arc.fixed(width), body.times(root, width).fixed(width))
        low, high = [one + other for one, other in ends]
        inside = Enclosure(low, high, -width)
    return inside.at_most(0).complement().scaled(-1)


def _odd_step(k: int) -> tuple[int, int]:
    return 2 * k, 2 * k + 1


def _even_step(k: int) -> tuple[int, int]:
    return 2 * k - 1, 2 * k


# -------------------------------------------------------------------------------------- fixed point


def _fixed(x: Fraction, width: int) -> tuple[int, int]:
    """Return integers around x >= 0 in units of 2**-width."""
    low = (x.numerator << width) // x.denominator
    return low, low + (low * x.denominator != x.numerator << width)


def _root(x: Fraction, width: int) -> Enclosure:
    """Enclose the square root of x >= 0."""
    low, high = _fixed(x, 2 * width)
    return Enclosure(isqrt(low), isqrt(high - 1) + 1 if high else 0, -width)


def _series(
    factor: tuple[int, int], step: Ratio, width: int, terms: int | None = None
) -> Enclosure:
    """Enclose the sum of ``terms`` >= 1 terms, or of all: t_0 = 1, t_k / t_(k-1) = factor * step(k).

    Of all: ratios must fall below 1/2 in the end; where they are, the rest is at most the last
    term.
    """
    below = above = total_below = total_above = 1 << width
    for k in count(1) if terms is None else range(1, terms):
        numerator, denominator = step(k)
        below = (below * factor[0] >> width) * numerator // denominator
        above = -(-(-(-above * factor[1] >> width) * numerator) // denominator)
        total_below += below
        total_above += above
        if terms is None and above <= 1 and 2 * factor[1] * numerator <= denominator << width:
            total_above += above
            break
    return Enclosure(total_below, total_above, -width)


@cache
def _half_pi(width: int) -> Enclosure:
    return _series((1 << width - 1, 1 << width - 1), _odd_step, width)


@cache
def _root_of_two_pi() -> Enclosure:
    low, high = _half_pi(_NORMAL).scaled(2).ends()
    return Enclosure(_root(low, _NORMAL).lower, _root(high, _NORMAL).upper, -_NORMAL)
