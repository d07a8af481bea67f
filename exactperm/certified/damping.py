"""Which frequencies matter: certified upper bounds of |phi| over whole intervals of frequencies.

|1 - p + p exp(i d t)|**2 = 1 - y,  y = 4 p (1 - p) sin(d t / 2)**2, so for any lower bounds y_d

    |phi(t)|**2 <= exp(-E),   E = sum_d c_d (-log(1 - y_d)).

With t = 2 pi j / L the sine is that of pi u / L, u the distance of d j from the multiples of L; over an interval of
frequencies u is least at one of the ends, unless a multiple lies between. So bisection finds every interval that
matters without visiting the others, whatever the differences have in common.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from math import isqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arithmetic.enclosure import Enclosure
    from .parameters import Groups

# Numbers below are in units of 2**-32; constants are rounded to the safe side.
_BITS = 32
_ONE = 1 << _BITS
_PI = 31415 * _ONE // 10**4
_CUBIC = 5168 * _ONE // 10**3 + 1
_SQUARE = 98697 * _ONE // 10**4 + 1
_LN2 = 693147 * _ONE // 10**6
_SWITCH = 36 * _ONE // 100


class Damping:
    """Bounds of |phi| for frequencies j of a transform of the given length.

    ``groups`` are ascending in d, ``powers`` encloses r**d <= 1 for each; a frequency is negligible where
    |phi| <= 2**-bits is proved.
    """

    def __init__(self, groups: Groups, powers: list[Enclosure], length: int, bits: int) -> None:
        self._length = length
        self._enough = (2 * bits * 693148 << _BITS) // 10**6  # E >= 2 bits ln 2: 0.693148 - ln 2 covers the rounding
        self._groups = [(d, count, _strength(power)) for (d, count), power in zip(groups, powers)]
        self._differences = [d for d, _ in groups]
        # What each group and those before it could give at the very best.
        self._most = list(accumulate(count * _minus_log(strength) for _, count, strength in self._groups))

    def surely_needed(self) -> int:
        """Frequencies up to here are not worth a bound: E is about pi**2 (j / L)**2 sum c_d 4 p (1 - p) d**2 there."""
        curvature = 10 * sum(count * strength * d * d for d, count, strength in self._groups)
        return isqrt(self._enough * self._length**2 // (curvature + 1))

    def negligible(self, a: int, b: int) -> bool:
        """Whether |phi(2 pi j / L)| <= 2**-bits is proved for all integers j in a..b.

        Differences d with d (b - a) >= L meet a multiple of L and say nothing; of the others the greatest come first.
        """
        length, enough, most, groups = self._length, self._enough, self._most, self._groups
        useful = bisect_right(self._differences, (length - 1) // (b - a)) if b > a else len(groups)
        damped = 0
        for i in range(useful - 1, -1, -1):
            if damped + most[i] < enough:
                return False
            d, count, strength = groups[i]
            start = d * a % length
            end = start + d * (b - a)
            if end < length:
                v = (min(start, length - end) << _BITS) // length
                damped += count * _minus_log(strength * _sine_square(v) >> _BITS)
                if damped >= enough:
                    return True
        return False


def _strength(power: Enclosure) -> int:
    """4 p (1 - p) = 4 x / (1 + x)**2 for x = r**d, rounded down: it grows with x <= 1."""
    x, _ = power.fixed(2 * _BITS)
    return (x << 3 * _BITS + 2) // ((1 << 2 * _BITS) + x) ** 2


def _sine_square(v: int) -> int:
    """A lower bound of sin(pi v)**2 for 0 <= v <= 1/2.

    sin(pi v) >= pi v - (pi v)**3 / 6 > v (3.1415 - 5.168 v**2), where pi - 3.1415 covers the rounding of the cubic
    term; near 1/2 rather cos(x)**2 >= 1 - x**2 with x = pi (1/2 - v).
    """
    if v > _SWITCH:
        x = _ONE // 2 - v
        return _ONE - 1 - (_SQUARE * x * x >> 2 * _BITS)
    sine = v * (_PI - (_CUBIC * v * v >> 2 * _BITS)) >> _BITS
    return sine * sine >> _BITS


def _minus_log(y: int) -> int:
    """A lower bound of -log(1 - y) for 0 <= y < 1: with 1 - y = 2**-n (1 - g), 0 <= g < 1/2, n ln 2 + g + g**2 / 2."""
    left = _ONE - y
    n = _BITS - (left - 1).bit_length()
    g = _ONE - (left << n)
    return n * _LN2 + g + (g * g >> _BITS + 1)
