"""Compare the answer of another implementation with the exact p-value, and name the likely mistake."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact
from ..arithmetic.writing import decimal_string, exact_text
from ..errors import ExactPermError
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from .vectors import Vector

    Value = Union[Fraction, float]
    """A number of an answer: exact, or NaN or an infinity."""

RIGHT = ("exact", "correctly rounded", "ulp", "within tolerance", "other reading", "acceptable", "refused")
"""Kinds of verdicts that are no fault."""

FAULTS = ("wrong", "impossible", "error")

_LEAST_NORMAL = Fraction(1, 2**1022)

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
_LOG10_ERROR = 1e-9


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
        """Return whether an answer is near enough; below the normal doubles one unit in the last place always is."""
        if self.relative is None:
            return self.ulp is not None and ulps <= self.ulp
        return abs(value - p) <= self.relative * p or (ulps <= 1 and 2**-1074 <= p < _LEAST_NORMAL)


DEFAULT = Tolerance(relative=Fraction(1, 10**9))


class Verdict(Record):
    """Verdict on an answer: ``kind``, one of RIGHT, FAULTS or "skipped", its words, and for a fault details.

    ``likely`` is the mistake that explains a wrong number, in words.
    """

    kind: str
    words: str
    detail: str = ""
    likely: str = ""


def _verdict(kind: str, detail: str = "", words: str = "", likely: str = "") -> Verdict:
    return Verdict(kind=kind, words=words or kind, detail=detail, likely=likely)


# ---------------------------------------------------------------------------------------------- numbers


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
    if text.lstrip("+-") in ("nan", "na", "inf", "infinity"):
        return math.nan if "n" in text[:3] and "i" not in text else math.inf
    if "p" in text:
        try:
            return Fraction(float.fromhex(text))
        except (ValueError, OverflowError):
            raise ExactPermError(f"{short_text(answer)} is no hexadecimal floating-point number") from None
    numerator, slash, power = text.partition("/2^")
    if slash and power.isdecimal() and len(power) < 6:
        return Fraction(exact(numerator)) / (1 << int(power))
    return Fraction(exact(text))


def ulps_between(x: float, y: float) -> int:
    """Count the steps from one non-negative double to another, each to the next double.

    >>> ulps_between(1.0, 1.0000000000000002)
    1
    """
    return abs(_bits(x) - _bits(y))


def _bits(x: float) -> int:
    return int(struct.unpack("<q", struct.pack("<d", x))[0])


def compared(value: Fraction, p: Fraction, tolerance: Tolerance) -> Verdict | None:
    """Return the verdict of a value that is right or near enough; None where it is wrong."""
    if value == p:
        return _verdict("exact")
    if value <= 0:
        return None
    ulps = ulps_between(float(value), float(p))
    if ulps == 0 and float(p):
        return _verdict("correctly rounded")
    if not tolerance.admits(value, p, ulps):
        return None
    return _verdict("ulp", words=f"{ulps} ulp") if ulps < 1000 else _verdict("within tolerance")


# ---------------------------------------------------------------------------------------------- one question


class Implementation(Record):
    """Description that an implementation gives of itself."""

    name: str = "unnamed"
    version: str = ""
    language: str = ""
    calls: tuple[str, ...] | None = None
    alternatives: tuple[str, ...] | None = None
    numbers: str | None = None
    conventions: tuple[str, ...] = ()

    def answers(self, call: str, alternative: str | None) -> bool:
        """Return whether it says that it answers such questions."""
        known = self.calls is None or call in self.calls
        return known and (alternative is None or self.alternatives is None or alternative in self.alternatives)


class Truth(Record):
    """The exact p-value of a question, the probability of a tie with the observed value, and the number of bits."""

    p: Fraction
    atom: Fraction | None = None
    bits: int | None = None

    @classmethod
    def of(cls, expect: dict[str, Any]) -> Truth:
        """Return the truth that a vector holds for one alternative, or for one adjusted p-value."""
        if "p" in expect:
            return cls(p=Fraction(exact(expect["p"])))
        total = 1 << expect["bits"]
        return cls(
            p=Fraction(int(expect["count"]), total), atom=Fraction(int(expect["atom"]), total), bits=expect["bits"]
        )


def judged(
    vector: Vector,
    alternative: str | None,
    reply: dict[str, Any],
    *,
    other: Vector | None = None,
    by: Implementation | None = None,
    tolerance: Tolerance = DEFAULT,
) -> Verdict:
    """Return the verdict on a reply {"p"}, {"log10"}, {"error"} or {"skipped"} to a question.

    ``other`` is the same input in its other reading, ``by`` the implementation.
    """
    if reply.get("skipped") is not None:
        return _verdict("skipped", str(reply["skipped"]))
    if reply.get("error") is not None:
        return _refusal(vector, str(reply["error"]))
    if alternative is None:
        return _judged_list(vector, reply, tolerance)
    try:
        value, log10 = _value(reply)
    except ExactPermError as error:
        return _verdict("error", f"no number: {str(error)[:120]}")
    if vector.result == "error":
        return _judged_invalid(vector, alternative, value)
    by = by or Implementation()
    truth = Truth.of(vector.expect[alternative])
    verdict = _near(value, log10, truth, tolerance) or _convention(vector, alternative, value, by, tolerance)
    if verdict:
        return verdict
    likely = mistake(value, truth, vector, alternative)
    if not _possible(value, log10):
        return _verdict("impossible", fault(value, truth), likely=likely)
    exact_decimals = by.numbers == "decimal" and vector.reading == "decimal"
    if other is not None and not exact_decimals and _near(value, log10, Truth.of(other.expect[alternative]), tolerance):
        return _verdict("other reading", f"right for {other.id}, the same numbers as {other.reading}")
    return _verdict("wrong", fault(value, truth), likely=likely)


def _value(reply: dict[str, Any]) -> tuple[Value | None, float | None]:
    """Return the p-value and the logarithm of a reply."""
    if reply.get("p") is None and reply.get("log10") is None:
        raise ExactPermError("the answer has neither p nor log10")
    log10 = None if reply.get("log10") is None else float(number(reply["log10"]))
    return (None if reply.get("p") is None else number(reply["p"])), log10


def _near(value: Value | None, log10: float | None, truth: Truth, tolerance: Tolerance) -> Verdict | None:
    if log10 is not None and (value is None or truth.p < _LEAST_NORMAL):
        from ..arithmetic.rational import log10 as logarithm

        close = math.isclose(log10, logarithm(truth.p), rel_tol=1e-12, abs_tol=_LOG10_ERROR)
        return _verdict("within tolerance", "its logarithm") if close else None
    return compared(value, truth.p, tolerance) if isinstance(value, Fraction) else None


def _possible(value: Value | None, log10: float | None) -> bool:
    if value is None:
        return log10 is not None and log10 <= 0
    return isinstance(value, Fraction) and 0 < value <= 1


def _convention(
    vector: Vector, alternative: str, value: Value | None, by: Implementation, tolerance: Tolerance
) -> Verdict | None:
    """Return the verdict of an answer by another convention, which it declares or the vector names."""
    if not isinstance(value, Fraction):
        named = next((entry for entry in vector.acceptable or () if entry.get("nan")), None)
        return _verdict("acceptable", named["convention"]) if named else None
    truth = Truth.of(vector.expect[alternative])
    if not value and not float(truth.p):
        return _verdict("acceptable", "0 is the nearest double; log10 or text would tell more")
    if "strict" in by.conventions and truth.atom is not None and compared(value, truth.p - truth.atom, tolerance):
        return _verdict("acceptable", "counts > in place of >=, as it declares")
    for entry in vector.acceptable or ():
        if alternative in entry and compared(value, Fraction(exact(entry[alternative])), tolerance):
            return _verdict("acceptable", entry["convention"])
    return None


def _refusal(vector: Vector, message: str) -> Verdict:
    if vector.result == "error":
        return _verdict("refused", message)
    for entry in vector.acceptable or ():
        if entry.get("error"):
            return _verdict("acceptable", entry["convention"])
    return _verdict("error", short_text(message, 200))


def _judged_invalid(vector: Vector, alternative: str | None, value: Value | None) -> Verdict:
    for entry in vector.acceptable or ():
        if alternative is None or (alternative in entry and value == Fraction(exact(entry[alternative]))):
            return _verdict("acceptable", entry["convention"])
    if isinstance(value, float):
        return _verdict("acceptable", "answers NaN for invalid input")
    return _verdict("wrong", "answers a number where the input has no answer")


def _judged_list(vector: Vector, reply: dict[str, Any], tolerance: Tolerance) -> Verdict:
    """Return the worst verdict of a list of adjusted p-values."""
    answers = reply.get("p")
    if vector.result == "error":
        return _judged_invalid(vector, None, None)
    truths = [Truth.of(expect) for expect in vector.expect["adjusted"]]
    if not isinstance(answers, list) or len(answers) != len(truths):
        return _verdict("error", f"p must be a list of {len(truths)} numbers")
    try:
        values = [number(answer) for answer in answers]
    except ExactPermError as error:
        return _verdict("error", f"no number: {str(error)[:120]}")
    verdicts = []
    for i, (value, truth) in enumerate(zip(values, truths)):
        found = _near(value, None, truth, tolerance)
        possible = isinstance(value, Fraction) and 0 <= value <= 1 and (value > 0 or not truth.p)
        worst = _verdict("wrong" if possible else "impossible", f"p[{i}]: {fault(value, truth)}")
        verdicts.append(found or worst)
    return max(verdicts, key=lambda verdict: (*RIGHT, *FAULTS).index(verdict.kind))


# ---------------------------------------------------------------------------------------------- the likely mistake


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
    if not value and truth.p < _LEAST_NORMAL:
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
