"""Tails of the normal and of Student's t distribution, between certified bounds.

All sums have positive terms and are taken twice in integer fixed point, once rounded down and once
up. With y = z**2 rational, Q the upper tail of the normal law and phi its density,

    1/2 - Q(z) = phi(z) z sum_k y**k / (1 3 5 ... (2k + 1)),       phi(z) = exp(-y / 2) / sqrt(2 pi),
    Q(z) = phi(z) / v_0,   v_k = z + (k + 1) / v_(k+1),            z <= v_k <= z + (k + 1) / z       (Laplace).

For Student's t with n degrees of freedom let c = n / (n + t**2) and s = 1 - c, the squares of cos
and sin of theta = arctan(t / sqrt(n)): both rational. Then P(|T| <= t) is (Abramowitz and Stegun
26.7.3 and 26.7.4)

    odd n:   2/pi (theta + sqrt(s c) sum_{k < (n-1)/2} a_k c**k),      a_k = (2 4 ... 2k) / (3 5 ... (2k + 1)),
    even n:  sqrt(s) sum_{k < n/2} b_k c**k,                           b_k = (1 3 ... (2k - 1)) / (2 4 ... 2k).

The same a_k give theta = sqrt(s c) sum_{k >= 0} a_k s**k and pi = 2 sum_{k >= 0} a_k / 2**k
(Euler).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import count
from math import isqrt, log2

from ..arithmetic.enclosure import Enclosure
from ..arithmetic.rational import Exact

Bounds = tuple[int, int]
"""Integers around a number, in units of 2**-width."""
Ratio = Callable[[int], tuple[int, int]]
"""(numerator, denominator) of the k-th coefficient of a series over the one before, k = 1, 2,
..."""


_BITS = 96
"""Bits of relative precision to aim at: far more than the 53 of a double."""

_SERIES_BELOW = 64
"""Squares from which the continued fraction serves."""

_LEVELS = 400

_MOST_BITS = 4000
"""Bits more for a small tail; one below 2**-4000 may have the lower bound 0."""


def normal_tail(square: Exact) -> Enclosure:
    """Enclose P(Z >= z) of a standard normal Z for z = sqrt(square) >= 0, to a relative width below 2**-64.

    Cost: some hundred operations on integers of 200 bits. Source: the expansions at the top of this
        module.

    >>> normal_tail(4).floats()
    (0.022750131948179205, 0.02275013194817921)
    """
    width = _BITS + 64  # Q(8) is about 2**-50
    z = _root(Fraction(square), width)
    density, shift = _density(Fraction(square), width)
    if square >= _SERIES_BELOW:
        low, high = _quotient(density, _laplace(z, width), width)
        return Enclosure(low, high, -width - shift)
    series = _series(_fixed(Fraction(square), width), lambda k: (1, 2 * k + 1), width)
    low, high = _product(_product(density, z, width), series, width)
    half = 1 << width - 1 + shift
    return Enclosure(max(0, half - high), half - low, -width - shift)


def _laplace(z: Bounds, width: int) -> Bounds:
    """Return bounds of v_0 of the continued fraction, from those of v_400 inward; each level narrows them."""
    square = 1 << 2 * width
    low, high = z[0], z[1] - (-(_LEVELS + 1) * square // z[0])
    for k in range(_LEVELS, 0, -1):
        low, high = z[0] + k * square // high, z[1] - (-k * square // low)
    return low, high


def t_tail(square: Exact, n: int) -> Enclosure:
    """Enclose P(T >= t) of Student's t with n >= 1 degrees of freedom for t = sqrt(square) >= 0, as normal_tail does.

    Cost: n / 2 operations on integers of 200 bits and those that a small tail needs.

    >>> t_tail(4, 9).floats()
    (0.03827641188535052, 0.038276411885350525)
    """
    cosine, sine = Fraction(n) / (n + square), Fraction(square) / (n + square)
    gap = cosine.denominator.bit_length() - cosine.numerator.bit_length()
    steps = log2(cosine.denominator / cosine.numerator) if gap < 1000 else gap + 1
    width = _BITS + 16 + 2 * n.bit_length() + min(_MOST_BITS, int(n / 2 * steps))
    terms, step = (n - 1) // 2, (_odd_step if n % 2 else _even_step)
    body = _series(_fixed(cosine, width), step, width, terms if n % 2 else n // 2)
    if n % 2 == 0:
        inside = _product(_root(sine, width), body, width)
    else:
        both = _root(sine * cosine, width)
        if not terms:
            body = (0, 0)
        inside = _angle(sine, cosine, _product(both, body, width), both, width)
    one = 1 << width
    return Enclosure(max(0, one - inside[1]), max(0, one - inside[0]), -width - 1)


def _angle(sine: Fraction, cosine: Fraction, inner: Bounds, both: Bounds, width: int) -> Bounds:
    """Return 2/pi (theta + inner) from the squares of sine and cosine of theta."""
    half = _half_pi(width)
    pi = 2 * half[0], 2 * half[1]
    arc = _product(both, _series(_fixed(min(sine, cosine), width), _odd_step, width), width)
    if sine <= cosine:
        low, high = arc[0] + inner[0], arc[1] + inner[1]
    else:  # theta = pi/2 - arctan(sqrt(n) / t)
        low, high = pi[0] // 2 - arc[1] + inner[0], -(-pi[1] // 2) - arc[0] + inner[1]
    return _quotient((2 * low, 2 * high), (pi[0], pi[1]), width)


def _odd_step(k: int) -> tuple[int, int]:
    return 2 * k, 2 * k + 1


def _even_step(k: int) -> tuple[int, int]:
    return 2 * k - 1, 2 * k


# -------------------------------------------------------------------------------------- fixed point


def _fixed(x: Fraction, width: int) -> Bounds:
    """Return integers around x >= 0 in units of 2**-width."""
    low = (x.numerator << width) // x.denominator
    return low, low + (low * x.denominator != x.numerator << width)


def _root(x: Fraction, width: int) -> Bounds:
    """Return integers around the square root of x >= 0."""
    low, high = _fixed(x, 2 * width)
    return isqrt(low), isqrt(high - 1) + 1 if high else 0


def _product(a: Bounds, b: Bounds, width: int) -> Bounds:
    return a[0] * b[0] >> width, -(-a[1] * b[1] >> width)


def _quotient(a: Bounds, b: Bounds, width: int) -> Bounds:
    return (a[0] << width) // b[1], -((-a[1] << width) // b[0])


def _series(factor: Bounds, step: Ratio, width: int, terms: int | None = None) -> Bounds:
    """Return bounds of the sum of ``terms`` >= 1 terms, or of all: t_0 = 1, t_k / t_(k-1) = factor * step(k).

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
            return total_below, total_above + above
    return total_below, total_above


@cache
def _half_pi(width: int) -> Bounds:
    return _series((1 << width - 1, 1 << width - 1), _odd_step, width)


@cache
def _ln2(width: int) -> Bounds:
    half = 1 << width - 1
    low, high = _series((half, half), lambda k: (k, k + 1), width)
    return low // 2, high // 2 + 1


def _density(square: Fraction, width: int) -> tuple[Bounds, int]:
    """Return ((low, high), n): the normal density exp(-square / 2) / sqrt(2 pi) is between them times 2**-n.

    exp(-x) = 2**-n / exp(f) with x = n ln 2 + f, 0 <= f < 0.7; ln 2 = sum_{k >= 1} 1 / (k 2**k).
    """
    x = square / 2
    fine = width + (x.numerator // x.denominator).bit_length() + 8
    ln2 = _ln2(fine)
    low, high = _fixed(x, fine)
    n = low // ln2[1]
    f = (max(0, low - n * ln2[1]) >> fine - width, -(-(high - n * ln2[0]) >> fine - width))
    growth = _series(f, lambda k: (1, k), width)
    pi = _half_pi(width)
    two_pi = (pi[0] << width + 2, pi[1] << width + 2)
    root = isqrt(two_pi[0]), isqrt(two_pi[1]) + 1
    one = 1 << width
    return _quotient(_quotient((one, one), root, width), growth, width), n
