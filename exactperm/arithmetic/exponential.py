"""exp(-z) for real z >= 0 in integers, with a bound for every rounding.

exp(-z) = 2**-n exp(-f) with z = n ln 2 + f. Two tables hold exp(-i/2**7) and exp(-j/2**14); the
rest r < 2**-14 of f is left to the Taylor polynomial. A unit is 2**-places, ``places`` being the
wanted bits and 32 more.

Source: spec/note.md#note-arithmetic.
"""

from __future__ import annotations

from .enclosure import Enclosure, logarithm_of_two

_GUARD = 32
_STEP = 7  # bits of f that one table decides
_ERROR = 1 << 17
"""Units by which a mantissa may be off, apart from 2 n for the rounding of n ln 2.

The Taylor polynomial is off by at most 4. An entry j of the fine table is a product of j steps, so
off by 5 j <= 640; an entry of the coarse table by (640 + 1) i <= 57,049 for i <= 89. Two products
add 2, the argument 2.
"""


class Exponential:
    """The functions exp(-z) and (1 - exp(-z)) / z of numbers z in fixed point, to about ``bits`` bits.

    Arguments are integers: z lies in [x, x + 1] * 2**-places for the argument x.

    >>> exponential = Exponential(20)
    >>> low, high = exponential(3 << exponential.places).floats()
    >>> low < 0.0497870683678639 < high < 1.0001 * low
    True
    """

    def __init__(self, bits: int) -> None:
        self.places = places = bits + _GUARD
        self._ln2 = logarithm_of_two(places + _GUARD)[0] >> _GUARD
        self._series = _coefficients(places)
        step = self._taylor(1 << (places - 2 * _STEP))
        self._fine = _powers(step, places, 1 << _STEP)
        self._coarse = _powers(self._fine.pop(), places, 89)

    def __call__(self, x: int) -> Enclosure:
        """Enclose exp(-z)."""
        mantissa, n = self.mantissa(x)
        error = _ERROR + 2 * n
        return Enclosure(max(0, mantissa - error), mantissa + error, -self.places - n)

    def argument(self, x: int, scale: int) -> int:
        """Return the argument of z = x * 2**-scale, for x >= 0: rounded down."""
        shift = scale - self.places
        return x >> shift if shift >= 0 else x << -shift

    def mantissa(self, x: int) -> tuple[int, int]:
        """Return (m, n) with exp(-z) = m * 2**-n in units, up to ``_ERROR + 2 * n`` units of m."""
        places = self.places
        n, f = divmod(x, self._ln2)
        rest = self._taylor(f & ((1 << (places - 2 * _STEP)) - 1))
        fine = self._fine[f >> (places - 2 * _STEP) & ((1 << _STEP) - 1)]
        return ((self._coarse[f >> (places - _STEP)] * fine >> places) * rest) >> places, n

    def fixed(self, x: int, width: int) -> tuple[int, int]:
        """Return integers around exp(-z) * 2**width, for width <= places."""
        mantissa, n = self.mantissa(x)
        error = _ERROR + 2 * n
        shift = self.places - width + n
        return max(0, mantissa - error) >> shift, ((mantissa + error) >> shift) + 1

    def mean(self, x: int) -> Enclosure:
        """Enclose (1 - exp(-z)) / z, the mean of exp(-s) over 0 <= s <= z; 1 for z = 0.

        Its slope lies between -1/2 and 0. Below z = 1/4 it is the Taylor series, whose terms
        alternate and fall.
        """
        places = self.places
        one = 1 << places
        if 4 * x >= one:
            low, high = self(x).fixed(places)
            return Enclosure(
                ((one - high) << places) // (x + 1), -((-(one - low) << places) // x), -places
            )
        value, term, i = 0, one, 1
        while term:
            value, term, i = (
                value + term if i & 1 else value - term,
                (term * x >> places) // (i + 1),
                i + 1,
            )
        # each term is off by less than 3 units, the argument and the terms left out by 1
        error = 3 * i + 1
        return Enclosure(value - error, min(one, value + error), -places)

    def _taylor(self, r: int) -> int:
        """Return exp(-r) for 0 <= r <= 2**-14, to within 4 units: a step rounds by 2 and shrinks the error before."""
        value = 0
        for coefficient in self._series:
            value = coefficient - (value * r >> self.places)
        return value


def _coefficients(places: int) -> list[int]:
    """Return 1/i! in units, the last first, as many as the Taylor polynomial needs for r <= 2**-14."""
    series, term, i = [1 << places], 1 << places, 1
    while term >> (2 * _STEP * i):
        term //= i
        series.append(term)
        i += 1
    return series[::-1]


def _powers(base: int, places: int, count: int) -> list[int]:
    """Return [1, base, ..., base**count], rounded down."""
    powers = [1 << places]
    for _ in range(count):
        powers.append(powers[-1] * base >> places)
    return powers
