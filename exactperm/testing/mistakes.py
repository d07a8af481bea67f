"""Say what is wrong with an answer."""

from __future__ import annotations

from fractions import Fraction

from ..arithmetic.quoting import short_text
from ..arithmetic.writing import decimal_string, exact_text
from .numbers import Truth, Value, ulps_between


def fault(value: Value | None, right: Value) -> str:
    """Return what is wrong with an answer: the exact value and the distance, in words."""
    if value is None:
        return f"its logarithm is not that of {exact_words(right)}"
    told = short_text(value) if not isinstance(value, Fraction) else _decimal(value)
    words = f"{told}, exact {exact_words(right)}"
    if (
        isinstance(value, Fraction)
        and isinstance(right, Fraction)
        and value * right > 0
        and float(right)
    ):
        ulps = ulps_between(abs(float(value)), abs(float(right)))
        words += (
            f", {ulps} ulp away"
            if ulps < 10**6
            else f", {_decimal(value / right)} times the exact value"
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
    text = (
        exact_text(p)
        if p.denominator.bit_length() < 80
        else f"a fraction of {p.denominator.bit_length() - 1} bits"
    )
    return f"{text} = {_decimal(p)}"


def _decimal(p: Fraction) -> str:
    return decimal_string(p, 6)


def coincidences(value: Value | None, truth: Truth) -> list[str]:
    """Return what else has the number of a wrong answer, in words.

    >>> coincidences(Fraction(1, 4), Truth(p=Fraction(3, 8), atom=Fraction(1, 8), total=8))
    ['counting > in place of >=', 'leaving the observed assignment out']
    """
    if not isinstance(value, Fraction):
        return []
    p, atom, found = truth.p, truth.atom, {"halving p": truth.p / 2, "doubling p": 2 * truth.p}
    if atom is not None and truth.total is not None:
        one = Fraction(1, truth.total)
        found = {
            "counting > in place of >=": p - atom,
            "leaving the observed assignment out": p - one,
            "adding one to count and total": (p + one) / (1 + one),
            "the mid-p value": p - atom / 2,
            **found,
        }
    return [words for words, wrong in found.items() if abs(value - wrong) <= abs(wrong) / 10**6]
