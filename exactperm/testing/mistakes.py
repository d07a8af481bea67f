"""Name the mistake that explains a wrong answer."""

from __future__ import annotations

from fractions import Fraction

from ..arithmetic.quoting import short_text
from ..arithmetic.writing import decimal_string, exact_text
from .numbers import LEAST_NORMAL, Truth, ulps_between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .numbers import Value
    from .vectors import Vector

_STRICT = "counts > in place of >=: the observed assignment and its ties are missing"
_NO_OBSERVED = "leaves the observed assignment out of the count"
_NONE_OBSERVED = "leaves the observed assignment out of count and total"
_ADD_ONE = "adds one to count and total of a full enumeration"
_SMALLER = "doubles the smaller tail without capping at 1"
_UPPER = "doubles the upper tail"
_NO_ABS = "is the upper tail only"
_FAR_ATOM = "leaves the atom of the far tail out"
_NO_CAP = "doubles a tail without capping at 1"
_MID_P = "is the mid-p value"
_ROUNDED = "rounds p to 4 decimals"
_UNDERFLOW = "drops small probabilities, or underflows"
_APPROXIMATE = "is no multiple of 1 / 2^n: an approximation, a random sample, or other permutations"

BY_VALUE = {
    "strict": (_STRICT,),
    "strict-lower": (_STRICT,),
    "no-observed": (_NO_OBSERVED, _STRICT),
    "no-observed-at-all": (_NONE_OBSERVED,),
    "add-one": (_ADD_ONE,),
    "uncapped": (_SMALLER,),
    "twice-greater": (_UPPER, _SMALLER),
    "no-abs": (_NO_ABS,),
    "far-tail-atom": (f"{_MID_P}, or {_FAR_ATOM}", _NO_OBSERVED),
    "rounded-p": (_ROUNDED, _UNDERFLOW, _APPROXIMATE),
    "underflow": (_UNDERFLOW,),
    "normal-approximation": (_APPROXIMATE,),
    "no-tie-correction": (_APPROXIMATE,),
    "monte-carlo": (_APPROXIMATE,),
}
"""Wrong implementations of the vectors whose answers follow from the right ones, and the words for such answers."""


def fault(value: Value | None, truth: Truth) -> str:
    """Return what is wrong with an answer: the exact value and the distance, in words."""
    if value is None:
        return f"its logarithm is not that of {exact_words(truth.p)}"
    told = short_text(value) if not isinstance(value, Fraction) else _decimal(value)
    words = f"{told}, exact {exact_words(truth.p)}"
    if isinstance(value, Fraction) and value > 0 and float(truth.p):
        ulps = ulps_between(float(value), float(truth.p))
        words += f", {ulps} ulp away" if ulps < 10**6 else f", {_decimal(value / truth.p)} times the exact value"
    return words


def exact_words(p: Fraction) -> str:
    """Return a fraction and its decimal, for messages.

    >>> exact_words(Fraction(3, 8))
    '3/8 = 0.375000'
    """
    text = exact_text(p) if p.denominator.bit_length() < 80 else f"a fraction of {p.denominator.bit_length() - 1} bits"
    return f"{text} = {_decimal(p)}"


def _decimal(p: Fraction) -> str:
    return decimal_string(p, 6)


def mistake(value: Value | None, truth: Truth, vector: Vector | None = None, alternative: str | None = None) -> str:
    """Return the mistake that explains an answer, in words; "" where none does."""
    if not isinstance(value, Fraction):
        return "is no number"
    if not value and truth.p < LEAST_NORMAL:
        return _UNDERFLOW
    near = [words for words, wrong in _mistakes(truth, vector, alternative) if _like(value, wrong)]
    if not near and value > 1:
        return _NO_CAP
    if not near and truth.bits is not None and truth.bits <= 16:
        count = round(value * 2**truth.bits)
        near = [] if _like(value, Fraction(count, 2**truth.bits)) else [_APPROXIMATE]
    return near[0] if near else ""


def _like(value: Fraction, wrong: Fraction) -> bool:
    return abs(value - wrong) <= abs(wrong) / 10**6


def _mistakes(truth: Truth, vector: Vector | None, alternative: str | None) -> list[tuple[str, Fraction]]:
    """Return answers of wrong programs that follow from the right ones, each with its words."""
    p, atom = truth.p, truth.atom
    found = []
    if atom is not None and truth.bits is not None:
        one = Fraction(1, 2**truth.bits)
        found += [
            (_STRICT, p - atom),
            (_NO_OBSERVED, p - one),
            (_ADD_ONE, (p + one) / (1 + one)),
            (_MID_P if alternative != "two-sided" else f"{_MID_P}, or {_FAR_ATOM}", p - atom / 2),
        ]
        if truth.bits:
            found.append((_NONE_OBSERVED, (p - one) / (1 - one)))
    if vector is not None and alternative is not None:
        tails = {name: Truth.of(vector.expect[name]) for name in ("greater", "less")}
        found += _mixed_tails(tails, alternative)
    found += [("is half of the p-value", p / 2), ("is twice the p-value" if 2 * p <= 1 else _NO_CAP, 2 * p)]
    if 10**4 % p.denominator:
        found.append((_ROUNDED, Fraction(round(p * 10**4), 10**4)))
    if p < Fraction(1, 10**6):
        found.append((_UNDERFLOW, Fraction(0)))
    return found


def _mixed_tails(tails: dict[str, Truth], alternative: str) -> list[tuple[str, Fraction]]:
    greater, less = tails["greater"].p, tails["less"].p
    if alternative != "two-sided":
        other = "less" if alternative == "greater" else "greater"
        return [(f"is the p-value of {other}", tails[other].p), ("is the two-sided p-value", 2 * min(greater, less))]
    smaller = min(tails.values(), key=lambda truth: truth.p)
    return [
        (_SMALLER, 2 * smaller.p),
        (_UPPER, 2 * greater),
        (_NO_ABS, greater),
        ("is the lower tail only", less),
    ]
