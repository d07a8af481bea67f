"""Read the numbers of answers and of vectors, and say how near they are."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from .._types import Any, Union
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact
from ..arithmetic.writing import decimal_string, exact_text
from ..errors import ExactPermError
from ..record import Record

Value = Union[Fraction, float]
"""A number of an answer: exact, or NaN or an infinity."""


LEAST_NORMAL = Fraction(1, 2**1022)


def number(answer: Any) -> Value:
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
    if text.lstrip("+-") in ("nan", "na"):
        return math.nan
    if text.lstrip("+-") in ("inf", "infinity"):
        return -math.inf if text[0] == "-" else math.inf
    if "p" in text:
        try:
            return Fraction(float.fromhex(text))
        except (ValueError, OverflowError):
            raise ExactPermError(
                f"{short_text(answer)} is no hexadecimal floating-point number"
            ) from None
    numerator, slash, power = text.partition("/2^")
    if slash and power.isdecimal() and len(power) < 6:
        return Fraction(exact(numerator)) / (1 << int(power))
    return Fraction(exact(text))


def numbers(answer: Any, depth: int = 2) -> Any:
    """Return the number of an answer, or of a list each one, in lists of lists, too.

    >>> numbers([["-1", 2], ["1/2", 1]])
    [[Fraction(-1, 1), Fraction(2, 1)], [Fraction(1, 2), Fraction(1, 1)]]
    """
    return (
        [numbers(x, depth - 1) for x in answer]
        if isinstance(answer, list) and depth
        else number(answer)
    )


def double(x: Fraction) -> float:
    """Return the nearest double, infinite beyond the largest one.

    >>> double(Fraction(3, 8)), double(Fraction(-(10**400)))
    (0.375, -inf)
    """
    try:
        return float(x)
    except OverflowError:
        return math.inf if x > 0 else -math.inf


def ulps_between(x: Fraction, y: Fraction) -> int:
    """Count the steps between the doubles nearest to two non-negative numbers, each to the next double.

    >>> ulps_between(Fraction(1), 1 + Fraction(1, 2**52))
    1
    """
    return abs(_bits(double(x)) - _bits(double(y)))


def _bits(x: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


class Tolerance(Record):
    """Greatest distance of an answer from the exact p-value: so many units in the last place, or a relative error."""

    ulp: int | None = None
    relative: Fraction | None = None

    @classmethod
    def read(cls, text: str) -> Tolerance:
        """Return the tolerance that a text means: "exact", "ulp=4" or "rel=1e-9".

        >>> Tolerance.read("ulp=4")
        Tolerance(ulp=4, relative=None)
        """
        kind, _, size = text.partition("=")
        try:
            if text == "exact":
                return cls(ulp=0)
            if kind == "ulp" and int(size) >= 0:
                return cls(ulp=int(size))
            if kind == "rel" and 0 <= exact(size) < 1:
                return cls(relative=Fraction(exact(size)))
        except ValueError:
            pass
        raise ExactPermError(f"{short_text(text)} is no tolerance such as exact, ulp=4 or rel=1e-9")

    def admits(self, value: Fraction, p: Fraction, ulps: int) -> bool:
        """Return whether an answer is near enough; below the normal doubles one unit in the last place is."""
        if self.relative is None:
            return self.ulp is not None and ulps <= self.ulp
        return abs(value - p) <= self.relative * p or (ulps <= 1 and 2**-1074 <= p < LEAST_NORMAL)


DEFAULT = Tolerance(relative=Fraction(1, 10**9))


class Truth(Record):
    """The exact p-value of a question, the probability of a tie with the observed value, the number of assignments."""

    p: Fraction
    atom: Fraction | None = None
    total: int | None = None

    @classmethod
    def of(cls, expect: dict[str, Any]) -> Truth:
        """Return the truth that a vector holds for one alternative, or for one adjusted p-value."""
        if "p" in expect:
            return cls(p=Fraction(exact(expect["p"])))
        total = int(expect["total"]) if "total" in expect else 1 << expect["bits"]
        count, atom = [Fraction(int(expect[name]), total) for name in ("count", "atom")]
        return cls(p=count, atom=atom, total=total)


def right_answer(expect: Any) -> Any:
    """Return the number that a vector expects, or the list of numbers, or of such lists."""
    if isinstance(expect, list):
        return [right_answer(entry) for entry in expect]
    return Truth.of(expect).p if isinstance(expect, dict) else number(expect)


def fault(value: Value | None, right: Value) -> str:
    """Return what is wrong with an answer: the exact value and the distance, in words.

    >>> fault(Fraction(1, 4), Fraction(3, 8))
    '0.250000, exact 3/8 = 0.375000, 0.666667 times the exact value'
    """
    if value is None:
        return f"its logarithm is not that of {exact_words(right)}"
    told = short_text(value) if not isinstance(value, Fraction) else decimal_string(value, 6)
    words = f"{told}, exact {exact_words(right)}"
    if isinstance(value, Fraction) and isinstance(right, Fraction) and value * right > 0:
        ulps = ulps_between(abs(value), abs(right))
        near = ulps < 10**6 and double(right)
        words += (
            f", {ulps} ulp away"
            if near
            else f", {decimal_string(value / right, 6)} times the exact value"
        )
    return words


def exact_words(p: Value) -> str:
    """Return a fraction and its decimal, for messages; an infinite value as it is.

    >>> exact_words(Fraction(3, 8))
    '3/8 = 0.375000'
    """
    if not isinstance(p, Fraction):
        return str(p)
    if p.denominator == 1 and abs(p) < 10**15:
        return str(p)
    bits = p.denominator.bit_length()
    text = exact_text(p) if bits < 80 else f"a fraction of {bits - 1} bits"
    return f"{text} = {decimal_string(p, 6)}"
