"""Which frequencies matter: certified upper bounds of |phi| over whole intervals of frequencies.

|1 - p + p exp(i d t)|**2 = 1 - y,  y = 4 p (1 - p) sin(d t / 2)**2,  and -log(1 - y) >= y + y**2 / 2, so

    |phi(t)|**2 <= exp(-E),   E = sum_d c_d (y_d + y_d**2 / 2) for any lower bounds y_d.

With t = 2 pi j / L the sine is that of pi u / L, u the distance of d j from the multiples of L; over an interval of
frequencies u is least at one of the ends, unless a multiple lies between. So bisection finds every interval that
matters without visiting the others, whatever the differences have in common.
"""

from __future__ import annotations

from math import isqrt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from exactperm.enclosure import Enclosure
    from exactperm.tilt import Groups

_BITS = 32
_PI = 31415 * 2**_BITS // 10**4
_CUBIC = 5168 * 2**_BITS // 10**3 + 1


class Damping:
    """Bounds of |phi| for frequencies j of a transform of the given length.

    ``powers`` encloses r**d for each group (d, c_d); a frequency is negligible where |phi| <= 2**-bits is proved.
    """

    def __init__(self, groups: Groups, powers: list[Enclosure], length: int, bits: int) -> None:
        self._length = length
        # |phi| <= 2**-bits where E >= 2 bits ln 2; ln 2 < 0.693148.
        self._enough = (2 * bits * 693148 << _BITS) // 10**6 + 1
        strengths = []
        for (d, count), power in zip(groups, powers):
            # 4 p (1 - p) = 4 x / (1 + x)**2 grows with x = r**d <= 1; rounded down.
            x, _ = power.fixed(2 * _BITS)
            strengths.append((d, count, (x << 3 * _BITS + 2) // ((1 << 2 * _BITS) + x) ** 2))
        self._groups = sorted(strengths, key=lambda group: group[0] ** 2 * group[1] * group[2], reverse=True)

    def surely_needed(self) -> int:
        """Frequencies up to here are not worth a bound: E is about pi**2 (j / L)**2 sum c_d 4 p (1 - p) d**2 there."""
        curvature = 10 * sum(count * strength * d * d for d, count, strength in self._groups)
        return isqrt(self._enough * self._length**2 // (curvature + 1))

    def negligible(self, a: int, b: int) -> bool:
        """Whether |phi(2 pi j / L)| <= 2**-bits is proved for all integers j in a..b.

        sin(pi v) >= pi v - (pi v)**3 / 6 > v (3.1415 - 5.168 v**2) for 0 < v <= 1/2; pi - 3.1415 covers the shift.
        """
        length, enough, damped = self._length, self._enough, 0
        for d, count, strength in self._groups:
            start = d * a % length
            end = start + d * (b - a)
            if end >= length:
                continue
            v = (min(start, length - end) << _BITS) // length
            sine = v * (_PI - (_CUBIC * v * v >> 2 * _BITS)) >> _BITS
            y = strength * (sine * sine >> _BITS) >> _BITS
            damped += count * (y + (y * y >> _BITS + 1))
            if damped >= enough:
                return True
        return False
