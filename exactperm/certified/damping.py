"""Bound the modulus of a characteristic function from above, over whole intervals of frequencies.

|1 - p + p exp(i d t)|**2 = 1 - y,  y = 4 p (1 - p) sin(d t / 2)**2, so for any lower bounds y_d

    |phi(t)|**2 <= exp(-E),   E = sum_d c_d (-log(1 - y_d)).

With t = 2 pi j / L the sine is that of pi u / L, u the distance of d j from the multiples of L;
over an interval of frequencies u is least at one of the ends, unless a multiple lies between. So
bisection finds every interval that matters without visiting the others, whatever the differences
have in common.

Source: spec/note.md#note-damping, spec/note-appendix.md#own-step-brackets.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from math import isqrt
from operator import itemgetter, mul

from .._types import TYPE_CHECKING
from ..arithmetic.slots import byte_length, packed, unpacked

if TYPE_CHECKING:
    from ..arithmetic.enclosure import Enclosure


Damper = tuple[int, int, int]
"""(difference, count, strength): |phi|**2 is at most a product of (1 - strength * sin(d t / 2)**2)**count."""


# Numbers below are in units of 2**-32; constants are rounded to the safe side.
BITS = 32
_ONE = 1 << BITS
_PI = 31415 * _ONE // 10**4
_CUBIC = 5168 * _ONE // 10**3 + 1
_SQUARE = 98697 * _ONE // 10**4 + 1
_LN2 = 693147 * _ONE // 10**6
_SWITCH = 36 * _ONE // 100

_MOST_DIFFERENCES = 15  # of one step that become dampers
_PATIENCE = 400  # dampers that are tried on an interval
_TRIAL = 64  # dampers after which a hopeless interval is given up


class Damping:
    """Bounds of |phi(2 pi j / period)| over intervals of frequencies j.

    ``dampers`` are (d, count, strength), ascending in d: |phi|**2 is at most the product of (1 -
    y)**count over all of them, y = strength * sin(d t / 2)**2, with the strength in units of
    2**-32. That may bound 2**-``lost`` |phi| only; all bits that are asked for are those of |phi|.
    """

    def __init__(self, dampers: Iterable[Damper], period: int, lost: int = 0) -> None:
        self.period = period
        self.lost = lost
        self.differences: list[int] = []
        self._counts: list[int] = []
        self._strengths = array("Q")  # of a million pairs they take a fifth of a list
        squares = fourths = 0
        for d, count, strength in dampers:
            self.differences.append(d)
            self._counts.append(count)
            self._strengths.append(strength)
            square = d * d
            squares += count * strength * square
            fourths += count * strength * square * square
        self.number = len(self.differences)
        # The greatest possible share of each damper and those before it in a bound.
        shares = map(mul, self._counts, map(minus_log, self._strengths))
        self._most = array("d", accumulate(shares))
        # sin(x)**2 >= x**2 - x**4 / 3, so E >= quadratic j**2 - quartic j**4, the coefficients in
        # units of 2**-96 and 2**-160: pi**2 > 9.8696, pi**4 < 97.4092.
        self._quadratic = (squares * 98696 << 64) // (10**4 * period**2)
        self._quartic = (fourths * 974092 << 128) // (3 * 10**4 * period**4) + 1

    def some(self, indices: Iterable[int]) -> list[Damper]:
        """Return the dampers at some places."""
        return [(self.differences[i], self._counts[i], self._strengths[i]) for i in indices]

    def surely_needed(self, bits: int) -> int:
        """Return a frequency up to which no bound pays: E is about pi**2 (j / period)**2 sum c_d 4 p (1 - p) d**2."""
        return isqrt((enough(bits + self.lost) << 64) // (self._quadratic + 1))

    def negligible(self, a: int, b: int, needed: int) -> bool:
        """Return whether E >= ``needed`` is proved for all integers j in a..b, so |phi|**2 <= exp(-E).

        The polynomial of :meth:`_moments` is concave in j**2, so least at an end. Failing that,
        differences d with d (b - a) >= period meet a multiple of the period and say nothing; of the
        others the greatest come first.
        """
        needed += enough(self.lost)
        if self._moments(a) >= needed and self._moments(b) >= needed:
            return True
        period = self.period
        most = self._most
        differences = self.differences
        counts = self._counts
        strengths = self._strengths
        useful = self.number
        if b > a:
            useful = bisect_right(differences, (period - 1) // (b - a))
        damped = 0
        for tried, i in enumerate(range(useful - 1, -1, -1), 1):
            if damped + most[i] < needed:
                return False
            d = differences[i]
            start = d * a % period
            end = start + d * (b - a)
            if end < period:
                nearest = min(start, period - end)
                damped += counts[i] * loss(strengths[i], nearest, period)
                if damped >= needed:
                    return True
            if tried >= _TRIAL and (tried > _PATIENCE or damped * 12 * _TRIAL < needed * tried):
                return False
        return False

    def _moments(self, j: int) -> int:
        """Return the lower bound quadratic j**2 - quartic j**4 of E."""
        square = j * j
        return (self._quadratic * square >> 64) - (self._quartic * square * square >> 128) - 1


def enough(bits: int) -> int:
    """Return the E that proves |phi| <= 2**-bits: 0.693148 > ln 2 covers the rounding."""
    return (2 * bits * 693148 << BITS) // 10**6


def step_dampers(values: list[int], chances: list[int]) -> list[tuple[int, int]]:
    """Return (difference, strength) of the strongest differences of a step; ``chances`` are lower bounds, in units.

    |phi_i|**2 = 1 - sum_e S_e sin(e t / 2)**2, S_e = 4 sum w_a w_b over b - a = e. As 1 - sum x <= prod (1 - x) for x
    in 0..1 (Weierstrass), each e is a damper of its own, and those that are left out only weaken the
    bound.

    >>> step_dampers([0, 1, 2], [1 << 30, 1 << 31, 1 << 30])
    [(1, 4294967295), (2, 1073741824)]
    """
    products = _products(values, chances)
    if len(products) > _MOST_DIFFERENCES:
        products = sorted(products, key=itemgetter(1), reverse=True)[:_MOST_DIFFERENCES]
    return [(e, min(total >> BITS - 2, _ONE - 1)) for e, total in products]


def merged(dampers: list[tuple[int, int, int]]) -> list[Damper]:
    """Return one damper for all (difference, strength, count) of one difference: with the mean strength.

    As -log(1 - S y) is convex in S, that proves no more than they do (Jensen).
    """
    found: dict[int, tuple[int, int]] = {}
    for d, strength, count in dampers:
        if strength:
            number, total = found.get(d, (0, 0))
            found[d] = number + count, total + count * strength
    return [(d, number, total // number) for d, (number, total) in sorted(found.items())]


def _products(values: list[int], chances: list[int]) -> list[tuple[int, int]]:
    """Return [(e, sum of w_a w_b over b - a = e > 0)], by one product of integers where the values are dense."""
    span = values[-1]
    n = len(values)
    if span > 4 * n or n < 8:
        sums: dict[int, int] = {}
        for i, (a, w) in enumerate(zip(values, chances)):
            for b, other in zip(values[i + 1 :], chances[i + 1 :]):
                sums[b - a] = sums.get(b - a, 0) + w * other
        return list(sums.items())
    dense = [0] * (span + 1)
    for a, w in zip(values, chances):
        dense[a] = w
    size = byte_length(2 * BITS + n.bit_length())
    found = unpacked(packed(dense, size) * packed(dense[::-1], size), size)
    return [(e, total) for e, total in enumerate(found[span:]) if e and total]


def strength_of(power: Enclosure) -> int:
    """Return 4 p (1 - p) = 4 x / (1 + x)**2 for x = r**d <= 1, rounded down: it grows with x, and falls beyond 1."""
    x = power.at_most(0).fixed(2 * BITS)[0]
    return (x << 3 * BITS + 2) // ((1 << 2 * BITS) + x) ** 2


def loss(strength: int, distance: int, period: int) -> int:
    """Bound -log(1 - y) from below for turns that are this distance, in 1/``period``, from the nearest whole one."""
    v = (distance << BITS) // period
    return minus_log(strength * sine_square(v) >> BITS)


def sine_square(v: int) -> int:
    """Return a lower bound of sin(pi v)**2 for 0 <= v <= 1/2.

    sin(pi v) >= pi v - (pi v)**3 / 6 > v (3.1415 - 5.168 v**2), where pi - 3.1415 covers the
    rounding of the cubic term; near 1/2 rather cos(x)**2 >= 1 - x**2 with x = pi (1/2 - v).
    """
    if v > _SWITCH:
        x = _ONE // 2 - v
        return _ONE - 1 - (_SQUARE * x * x >> 2 * BITS)
    sine = v * (_PI - (_CUBIC * v * v >> 2 * BITS)) >> BITS
    return sine * sine >> BITS


def minus_log(y: int) -> int:
    """Bound -log(1 - y) from below, 0 <= y < 1: with 1 - y = 2**-n (1 - g), 0 <= g < 1/2, n ln 2 + g + g**2 / 2."""
    left = _ONE - y
    n = BITS - (left - 1).bit_length()
    g = _ONE - (left << n)
    return n * _LN2 + g + (g * g >> BITS + 1)
