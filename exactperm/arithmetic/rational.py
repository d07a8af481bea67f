"""Compute common denominators and logarithms of exact rationals, and make those over a power of two."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from .._types import Any, Union
from ..errors import BudgetExceeded, Cure, ExactPermError
from .quoting import short_text

Exact = Union[int, Fraction]


def lowest(value: Exact) -> Exact:
    """Return the same number as an int where it is integral.

    >>> lowest(Fraction(6, 2)), lowest(Fraction(1, 2))
    (3, Fraction(1, 2))
    """
    return value.numerator if value.denominator == 1 else value


def ratio(numerator: int, denominator: int) -> Exact:
    """Return numerator / denominator, an int where it is integral.

    >>> ratio(6, 2), ratio(1, 2)
    (3, Fraction(1, 2))
    """
    return Fraction(numerator, denominator) if numerator % denominator else numerator // denominator


def dyadic(numerator: int, power: int) -> Fraction:
    """Return ``Fraction(numerator, 2**power)`` for numerator > 0, reduced by shifts.

    ``Fraction`` itself takes the greatest common divisor, which costs more than the count at a
    million bits (1.2 s). Here the two slots of its instances are set.

    >>> dyadic(12, 4)
    Fraction(3, 4)
    """
    total = 1 << power
    both = numerator | total
    twos = (both & -both).bit_length() - 1  # the last bit of either
    fraction: Any = object.__new__(Fraction)
    fraction._numerator = numerator >> twos
    fraction._denominator = total >> twos
    return fraction  # type: ignore[no-any-return]


def log10(value: Exact) -> float:
    """Return the base-10 logarithm of a positive number, also below the smallest float and next to 1.

    >>> log10(Fraction(1, 10**5000)), log10(Fraction(10**20 - 1, 10**20))
    (-5000.0, -4.342944819032518e-21)
    """
    numerator, denominator = value.numerator, value.denominator
    if numerator <= 0:
        raise ExactPermError(f"log10 needs a positive number, not {short_text(value)}")
    # between 1/2 and 2: relative to the distance from 1
    if denominator < 2 * numerator < 4 * denominator:
        return math.log1p((numerator - denominator) / denominator) / math.log(10)
    # value = m * 2**e, 1/2 < m < 2: both terms have the sign of the result or are small beside it.
    exponent = numerator.bit_length() - denominator.bit_length()
    up, down = max(0, -exponent), max(0, exponent)
    return math.log10((numerator << up) / (denominator << down)) + exponent * math.log10(2)


_MOST_SCALED_BITS = 2**31
"""Greatest size in bits of all scaled numbers together: 256 MiB."""


def common_denominator(values: Iterable[Exact], how_many: int) -> int:
    """Return the least common denominator of exact numbers.

    Raises ``BudgetExceeded`` where ``how_many`` numbers of its size would fill the memory.
    """
    return common_multiple({value.denominator for value in values}, how_many)


def common_multiple(denominators: Iterable[int], how_many: int) -> int:
    """Return the least common multiple of denominators; errors as for :func:`common_denominator`."""
    scale = 1
    for denominator in denominators:
        scale = math.lcm(scale, denominator)
        if scale.bit_length() * how_many > _MOST_SCALED_BITS:
            raise BudgetExceeded(
                f"{how_many} numbers have no common denominator below 2**{scale.bit_length()}",
                cure=Cure(
                    words="estimate with monte_carlo_test, or round them (decimals=), which changes the question"
                ),
            )
    return scale


def scaled(value: Exact, scale: int) -> int:
    """Return ``value * scale``; ``scale`` is a multiple of the denominator."""
    return value.numerator * (scale // value.denominator)


def rescaled(numbers: list[int], factor: int) -> list[int]:
    """Return integers in units smaller by ``factor``; the same list for a factor of 1."""
    return numbers if factor == 1 else [x * factor for x in numbers]


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator in [low, high], by the tree of Stern and Brocot.

    >>> simplest(Fraction(31, 100), Fraction(34, 100))
    Fraction(1, 3)
    """
    quotients = []
    while math.ceil(low) > high:
        quotients.append(math.floor(low))
        low, high = 1 / (high - quotients[-1]), 1 / (low - quotients[-1])
    found = Fraction(math.ceil(low))
    for quotient in reversed(quotients):
        found = quotient + 1 / found
    return found
