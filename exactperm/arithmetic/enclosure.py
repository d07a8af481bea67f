"""Enclosed non-negative numbers: integer mantissas around the truth, a power of two, and outward rounding only.

lower * 2**exponent <= x <= upper * 2**exponent. Each operation rounds the lower mantissa down and
the upper one up, so an enclosure is a theorem about x whatever the precision, and nothing
underflows: 2**-20000 is an ordinary value.

Source: spec/note.md#note-arithmetic.
"""

from __future__ import annotations

import math
from collections import namedtuple
from fractions import Fraction

from .._types import TYPE_CHECKING
from .quoting import short_text
from .rational import Exact, dyadic

if TYPE_CHECKING:
    from typing import NamedTuple

    class _Ends(NamedTuple):
        lower: int
        upper: int
        exponent: int
else:
    _Ends = namedtuple("Enclosure", ("lower", "upper", "exponent"))


_MOST_PLACES = 1 << 16  # binary places of 1 - x: beyond, no float and no decimal tells it from 1
_LOG_BITS = 128  # of a logarithm beyond its leading zeros: far more than the 53 that are kept


class Enclosure(_Ends):
    """A number x with ``lower * 2**exponent <= x <= upper * 2**exponent``, 0 <= lower <= upper.

    >>> third = Enclosure(1, 1, 0).over(Enclosure(3, 3, 0), 8)
    >>> third, third.floats()
    (Enclosure(lower=170, upper=171, exponent=-9), (0.33203125, 0.333984375))
    """

    __slots__ = ()

    # ----------------------------------------------------------------------------------- arithmetic

    def times(self, other: Enclosure, bits: int) -> Enclosure:
        """Return the product, in mantissas of about ``bits`` bits."""
        return self._rounded(
            self.lower * other.lower, self.upper * other.upper, self.exponent + other.exponent, bits
        )

    def over(self, other: Enclosure, bits: int) -> Enclosure:
        """Return the quotient by a number whose lower end is positive."""
        shift = max(0, bits + 1 + other.upper.bit_length() - self.lower.bit_length())
        lower = (self.lower << shift) // other.upper
        upper = -((-self.upper << shift) // other.lower)
        return self._rounded(lower, upper, self.exponent - other.exponent - shift, bits)

    def power(self, n: int, bits: int) -> Enclosure:
        """Return x**n for n >= 0: rounding widens the relative width to about n times (that of x + 2**-bits)."""
        result = ONE
        for bit in bin(n)[2:]:
            result = result.times(result, bits)
            if bit == "1":
                result = result.times(self, bits)
        return result

    def plus_one(self, bits: int) -> Enclosure:
        """Return x + 1, in mantissas of about ``bits`` bits."""
        if self.exponent > 0:  # one is less than a unit of the mantissa
            return self._rounded(self.lower, self.upper + 1, self.exponent, bits)
        scale = min(-self.exponent, bits)
        lower, upper = self.fixed(scale)
        return self._rounded(lower + (1 << scale), upper + (1 << scale), -scale, bits)

    def complement(self) -> Enclosure:
        """Return 1 - x for x <= 1: exact, or rounded outward to 65,536 binary places."""
        if self.upper == 0:
            return ONE
        scale = min(-self.exponent, _MOST_PLACES)
        lower, upper = self.fixed(scale)
        return Enclosure((1 << scale) - upper, (1 << scale) - lower, -scale)

    def scaled(self, power: int) -> Enclosure:
        """Return x * 2**power, exactly."""
        return Enclosure(self.lower, self.upper, self.exponent + power) if power else self

    def at_most(self, power: int) -> Enclosure:
        """Return the same number, where it is known to be at most 2**power, power <= 0."""
        if not self.upper or self.upper.bit_length() + self.exponent <= power:
            return self
        scale = max(-power, -self.exponent)
        most = 1 << scale + power
        # an end above the limit may be much too long to be written out
        above = self.lower and self.lower.bit_length() + self.exponent > power
        return Enclosure(most if above else self.lower << self.exponent + scale, most, -scale)

    def fixed(self, scale: int) -> tuple[int, int]:
        """Return integers around x * 2**scale."""
        shift = self.exponent + scale
        if shift >= 0:
            return self.lower << shift, self.upper << shift
        return self.lower >> -shift, -(-self.upper >> -shift)

    @staticmethod
    def _rounded(lower: int, upper: int, exponent: int, bits: int) -> Enclosure:
        shift = upper.bit_length() - bits
        if shift <= 0:
            return Enclosure(lower, upper, exponent)
        return Enclosure(lower >> shift, -(-upper >> shift), exponent + shift)

    # -------------------------------------------------------------------------------------- reading

    @property
    def middle(self) -> tuple[int, int]:
        """Return (m, e): the value m * 2**e half-way between the ends."""
        return self.lower + self.upper, self.exponent - 1

    @property
    def relative_width(self) -> float:
        """(upper - lower) / lower as a float; 0 for a number known exactly, infinite for a lower end of 0."""
        if self.lower == self.upper:
            return 0.0
        return (
            (self.upper - self.lower) / self.lower if self.lower << 1000 > self.upper else math.inf
        )

    def ends(self) -> tuple[Fraction, Fraction]:
        """Return both ends as fractions."""
        return _fraction(self.lower, self.exponent), _fraction(self.upper, self.exponent)

    def floats(self) -> tuple[float, float]:
        """Return the greatest float below and the least float above: (0.0, 5e-324) around what no float can hold."""
        return rounded(self.lower, self.exponent, -1), rounded(self.upper, self.exponent, 1)

    def log10_floats(self) -> tuple[float, float]:
        """Return floats below and above log10(x), for x > 0; minus infinity below a lower end of 0."""
        _, high, scale = log10_bounds(self.upper, self.exponent)
        above = rounded(high, -scale, 1)
        if self.lower == 0:
            return -math.inf, above
        low, _, scale = log10_bounds(self.lower, self.exponent)
        return rounded(low, -scale, -1), above

    def decimals(self, digits: int) -> tuple[str, str]:
        """Return both ends as decimals of ``digits`` significant digits, rounded outward.

        >>> Enclosure(170, 171, -9).decimals(4)
        ('3.320e-01', '3.340e-01')
        """
        return _decimal(self.lower, self.exponent, digits, False), _decimal(
            self.upper, self.exponent, digits, True
        )

    def __repr__(self) -> str:
        lower, upper = short_text(self.lower), short_text(self.upper)
        return f"Enclosure(lower={lower}, upper={upper}, exponent={self.exponent})"


ZERO = Enclosure(0, 0, 0)
ONE = Enclosure(1, 1, 0)
HALF = Enclosure(1, 1, -1)


def enclosed(x: Exact, bits: int) -> Enclosure:
    """Enclose a rational x >= 0 of any length, in mantissas of about ``bits`` bits.

    >>> enclosed(Fraction(1, 3), 8)
    Enclosure(lower=170, upper=171, exponent=-9)
    """
    return Enclosure(x.numerator, x.numerator, 0).over(
        Enclosure(x.denominator, x.denominator, 0), bits
    )


def rounded(mantissa: int, exponent: int, direction: int) -> float:
    """Round mantissa * 2**exponent to a float: below (-1), above (1), or nearest with ties to even (0).

    Rounds once, also among the subnormal floats, and only in integers: ``ldexp`` is given what it
    holds exactly.
    """
    sign = -1 if mantissa < 0 else 1
    size = abs(mantissa)
    drop = max(size.bit_length() - 53, -1074 - exponent, 0)
    cut = min(drop, size.bit_length() + 1)  # the places beyond are zero
    kept, rest = size >> cut, size & ((1 << cut) - 1)
    if direction == 0:
        half = (1 << cut) >> 1
        up = rest > half or (rest == half and drop > 0 and kept & 1)
    else:
        up = rest > 0 and direction == sign
    return math.ldexp(sign * (kept + bool(up)), exponent + drop)


def compare(mantissa: int, exponent: int, fraction: Exact) -> int:
    """Return the sign of mantissa * 2**exponent - fraction, for mantissa >= 0 and fraction > 0.

    Bit lengths tell values apart that differ by a factor of 4, so that no long shift is made for
    them.
    """
    numerator, denominator = fraction.numerator, fraction.denominator
    apart = mantissa.bit_length() + exponent - numerator.bit_length() + denominator.bit_length()
    if mantissa == 0 or apart < 0:
        return -1
    if apart > 1:
        return 1
    left, right = mantissa * denominator << max(0, exponent), numerator << max(0, -exponent)
    return (left > right) - (left < right)


def log10_bounds(mantissa: int, exponent: int) -> tuple[int, int, int]:
    """Return (low, high, scale), low <= log10(mantissa * 2**exponent) * 2**scale <= high, for mantissa > 0.

    log10 x = ln x / ln 10 with ln 10 = 3 ln 2 + 2 atanh(1/9). The relative error stays below
    2**-100.
    """
    low, high, scale = _half_logarithm(mantissa, exponent)
    ln2, ln2_error = _atanh(1, 3, _LOG_BITS)
    ln10, ln10_error = _atanh(1, 9, _LOG_BITS)
    ln10, ln10_error = ln10 + 3 * ln2, ln10_error + 3 * ln2_error
    # low / ln10 is least for the least ln10 where low < 0, for the greatest where low >= 0; high
    # the other way round.
    low_by = ln10 if low < 0 else ln10 + ln10_error
    high_by = ln10 + ln10_error if high < 0 else ln10
    return (low << _LOG_BITS) // low_by, -((-high << _LOG_BITS) // high_by), scale


def _half_logarithm(mantissa: int, exponent: int) -> tuple[int, int, int]:
    """Return (low, high, scale), low <= ln(mantissa * 2**exponent) / 2 * 2**scale <= high, for mantissa > 0.

    With x = y * 2**n, 2/3 < y < 4/3: ln x = n ln 2 + ln y, ln y = 2 atanh((y - 1) / (y + 1)), ln 2
    = 2 atanh(1/3). Next to x = 1, where n = 0, the scale grows by the zeros that x - 1 begins with,
    and the relative error does not.
    """
    bits = mantissa.bit_length()
    n = bits + exponent
    one = 1 << bits
    if 3 * mantissa < 2 * one:
        n, one = n - 1, one >> 1
    above = mantissa - one
    scale = _LOG_BITS + (0 if n else bits - abs(above).bit_length())
    ln2, ln2_error = _atanh(1, 3, _LOG_BITS)
    size, error = _atanh(abs(above), mantissa + one, scale)
    low = (n * ln2 + min(0, n) * ln2_error) + (size if above >= 0 else -size - error)
    high = (n * ln2 + max(0, n) * ln2_error) + (size + error if above >= 0 else -size)
    return low, high, scale


def logarithm_of_two(scale: int) -> tuple[int, int]:
    """Return (value, error) with value <= ln 2 * 2**scale <= value + error: ln 2 = 2 atanh(1/3)."""
    value, error = _atanh(1, 3, scale)
    return 2 * value, 2 * error


def _atanh(numerator: int, denominator: int, scale: int) -> tuple[int, int]:
    """Return (value, error), value <= atanh(z) * 2**scale <= value + error, z = numerator / denominator in [0, 1/3].

    All terms of sum z**(2i+1) / (2i+1) are rounded down. A power is low by less than 2 units (each
    step multiplies the error before by z**2 <= 1/9, adds z * 2 for z**2 and 1 for the shift), so a
    term by less than 3, and the terms left out, once a power is 0 and so its truth below 2 units,
    sum to less than 3.
    """
    z = (numerator << scale) // denominator
    square = z * z >> scale
    power, total, odd, error = z, 0, 1, 3 if numerator else 0
    while power:
        total += power // odd
        power = power * square >> scale
        odd += 2
        error += 3
    return total, error


def _fraction(mantissa: int, exponent: int) -> Fraction:
    if mantissa == 0 or exponent >= 0:
        return Fraction(mantissa << max(0, exponent))
    return dyadic(mantissa, -exponent)


def _decimal(mantissa: int, exponent: int, digits: int, up: bool) -> str:
    """Write mantissa * 2**exponent in scientific notation, rounded down or up to ``digits`` significant digits.

    The power of ten is enclosed, not written out, so that any exponent is cheap; where it is too
    long to be exact, the last digit may be one further out than need be.
    """
    if mantissa == 0:
        return "0"
    low, _, scale = log10_bounds(mantissa, exponent)
    power = low >> scale
    bits = 4 * digits + 64
    while True:
        places = digits - 1 - power
        ten = Enclosure(10, 10, 0).power(abs(places), bits + places.bit_length())
        value = Enclosure(mantissa, mantissa, exponent)
        lower, upper = (value.times(ten, bits) if places >= 0 else value.over(ten, bits)).fixed(0)
        whole = upper if up else lower
        if whole < 10**digits:
            break
        power += 1
    text = str(whole)
    return f"{text[0]}{'.' if digits > 1 else ''}{text[1:]}e{power:+03d}"
