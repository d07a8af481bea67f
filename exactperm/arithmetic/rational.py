"""Small functions of exact rationals: common denominators and logarithms."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction

from ..errors import BudgetExceeded, ExactPermError
from .quoting import short_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Union

    Exact = Union[int, Fraction]


def log10(value: Exact) -> float:
    """Base-10 logarithm of a positive number: right far below the smallest float and right next to 1.

    >>> log10(Fraction(1, 10**5000)), log10(Fraction(10**20 - 1, 10**20))
    (-5000.0, -4.342944819032518e-21)
    """
    numerator, denominator = value.numerator, value.denominator
    if numerator <= 0:
        raise ExactPermError(f"log10 needs a positive number, not {short_text(value)}")
    if denominator < 2 * numerator < 4 * denominator:  # between 1/2 and 2: relative to the distance from 1
        return math.log1p((numerator - denominator) / denominator) / math.log(10)
    # value = m * 2**e, 1/2 < m < 2: both terms have the sign of the result or are small beside it.
    exponent = numerator.bit_length() - denominator.bit_length()
    up, down = max(0, -exponent), max(0, exponent)
    return math.log10((numerator << up) / (denominator << down)) + exponent * math.log10(2)


_MOST_SCALED_BITS = 2**31
"""Bits that all distinct effects may take together once they are scaled to integers: 256 MiB."""


def common_denominator(values: Iterable[Exact], how_many: int) -> int:
    """Least common denominator of exact numbers; ``BudgetExceeded`` before the scaled numbers could fill the memory."""
    denominators = {value.denominator for value in values}
    scale = 1
    for denominator in denominators:
        scale = math.lcm(scale, denominator)
        if scale.bit_length() * how_many > _MOST_SCALED_BITS:
            raise BudgetExceeded(
                f"{how_many} numbers have no common denominator below 2**{scale.bit_length()}. "
                "Instead: round them (decimals=), or estimate with monte_carlo_test"
            )
    return scale


def scaled(value: Exact, scale: int) -> int:
    """``value * scale`` as an int; ``scale`` is a multiple of the denominator."""
    return value.numerator * (scale // value.denominator)
