"""Read the numbers of answers and of vectors, and say how near they are."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from .._types import Any, Union
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact
from ..arithmetic.writing import decimal_string, exact_text
from ..errors import ExactPermError

Value = Union[Fraction, float]
"""A number of an answer: exact, or NaN or an infinity."""

Numbers = Union[Value, "list[Numbers]"]
"""An answer: a number, a list of numbers, or a list of such lists."""


MOST_DIGITS = 10**5
"""Length of a fraction in hexadecimal that is still read."""

LEAST_NORMAL = Fraction(1, 2**1022)


def number(answer: object) -> Value:
    """Return the number of an answer: an int, a float, or text such as "3/8", "1/2^199", "0x1.0p-3" or "0.375".

    >>> number("1/2^3"), number("0x1.0p-3"), number(0.125)
    (Fraction(1, 8), Fraction(1, 8), Fraction(1, 8))
    """
    if isinstance(answer, float):
        return Fraction(answer) if math.isfinite(answer) else float(answer)
    if isinstance(answer, bool):
        raise ExactPermError(f"{answer} is no number")
    if not isinstance(answer, str):
        return Fraction(exact(answer))
    text = answer.strip().lower()
    if text.lstrip("+-") in ("nan", "na", "inf", "infinity"):
        return math.nan if "a" in text else float(text)
    try:
        if "p" in text:
            return Fraction(float.fromhex(text))
        if "0x" in text and len(text) < MOST_DIGITS:
            numerator, _, denominator = text.partition("/")
            return Fraction(int(numerator, 16), int(denominator or "1", 16))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ExactPermError(f"{short_text(answer)} is no hexadecimal number") from None
    numerator, slash, power = text.partition("/2^")
    two = 1 << int(power) if slash and power.isdecimal() and len(power) < 6 else 0
    return Fraction(exact(numerator)) / two if two else Fraction(exact(text))


def numbers(answer: object) -> Numbers:
    """Return the number of an answer, or of a list each one, in lists of lists, too.

    >>> numbers([["-1", 2], ["1/2", 1]])
    [[Fraction(-1, 1), Fraction(2, 1)], [Fraction(1, 2), Fraction(1, 1)]]
    """
    return [numbers(x) for x in answer] if isinstance(answer, list) else number(answer)


def double(x: Fraction) -> float:
    """Return the nearest double, infinite beyond the largest one.

    >>> double(Fraction(3, 8)), double(Fraction(-(10**400)))
    (0.375, -inf)
    """
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


TOLERANCE = Fraction(1, 10**9)
"""Relative error that a right answer may have."""


class Truth(NamedTuple):
    """The exact p-value of a question, the probability of a tie with the observed value, the number of assignments."""

    p: Fraction
    atom: Fraction | None = None
    total: int | None = None

    @classmethod
    def of(cls, expect: dict[str, Any]) -> Truth:
        """Return the truth that a vector holds for one alternative, or for one adjusted p-value."""
        if "p" in expect:
            return cls(Fraction(exact(expect["p"])))
        total = int(expect["total"]) if "total" in expect else 1 << expect["bits"]
        count, atom = [Fraction(int(expect[name]), total) for name in ("count", "atom")]
        return cls(count, atom, total)


def right_answer(expect: object) -> Numbers:
    """Return the number that a vector expects, or the list of numbers, or of such lists."""
    if isinstance(expect, list):
        return [right_answer(entry) for entry in expect]
    return Truth.of(expect).p if isinstance(expect, dict) else number(expect)


def fault(value: Numbers | None, right: Value) -> str:
    """Return what is wrong with an answer: the exact value and the distance, in words.

    >>> fault(Fraction(1, 4), Fraction(3, 8))
    '0.250000, exact 3/8 = 0.375000'
    """
    told = decimal_string(value, 6) if isinstance(value, Fraction) else str(value)
    if not (isinstance(value, Fraction) and isinstance(right, Fraction)):
        return f"{told}, exact {right}"
    short = 2 <= right.denominator < 2**80
    return f"{told}, exact " + f"{exact_text(right)} = " * short + decimal_string(right, 6)
