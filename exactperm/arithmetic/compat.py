"""Hide the differences between Python versions."""

from __future__ import annotations

import sys
from fractions import Fraction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Python 3.10 has int.bit_count; 3.9 counts the ones of the text.
if sys.version_info >= (3, 10):
    bit_count = int.bit_count
else:

    def bit_count(n: int) -> int:
        """Return the number of one bits of ``abs(n)``."""
        return bin(n).count("1")


def dyadic(numerator: int, power: int) -> Fraction:
    """Return ``Fraction(numerator, 2**power)`` for numerator > 0, reduced by shifts.

    ``Fraction`` itself takes the greatest common divisor, which costs more than the count at a million bits (1.2 s).
    Python 3.12 offers a constructor for coprime integers; before it the two slots are set, as ``fractions`` does.

    >>> dyadic(12, 4)
    Fraction(3, 4)
    """
    twos = min((numerator & -numerator).bit_length() - 1, power)
    return _coprime(numerator >> twos, 1 << (power - twos))


if sys.version_info >= (3, 12):
    _coprime: Any = Fraction._from_coprime_ints  # type: ignore[attr-defined]
else:

    def _coprime(numerator: int, denominator: int) -> Fraction:
        fraction: Any = object.__new__(Fraction)
        fraction._numerator = numerator
        fraction._denominator = denominator
        return fraction  # type: ignore[no-any-return]
