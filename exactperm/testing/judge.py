"""Compare the answer of another implementation with the exact p-value."""

from __future__ import annotations

import math
from fractions import Fraction

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact
from ..errors import ExactPermError
from ..record import Record
from .mistakes import fault
from .numbers import DEFAULT, LEAST_NORMAL, Tolerance, Truth, number, ulps_between

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .numbers import Value
    from .vectors import Vector

RIGHT = ("exact", "correctly rounded", "ulp", "within tolerance", "other reading", "acceptable", "refused")
"""Kinds of verdicts that are no fault."""

FAULTS = ("wrong", "impossible", "error")

_LOG10_ERROR = 1e-9


class Verdict(Record):
    """Verdict on an answer: ``kind``, one of RIGHT, FAULTS or "skipped", its words, and for a fault details."""

    kind: str
    words: str
    detail: str = ""


def _verdict(kind: str, detail: str = "", words: str = "") -> Verdict:
    return Verdict(kind=kind, words=words or kind, detail=detail)


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
    if not _possible(value, log10):
        return _verdict("impossible", fault(value, truth))
    exact_decimals = by.numbers == "decimal" and vector.reading == "decimal"
    if other is not None and not exact_decimals and _near(value, log10, Truth.of(other.expect[alternative]), tolerance):
        return _verdict("other reading", f"right for {other.id}, the same numbers as {other.reading}")
    return _verdict("wrong", fault(value, truth))


def _value(reply: dict[str, Any]) -> tuple[Value | None, float | None]:
    """Return the p-value and the logarithm of a reply."""
    if reply.get("p") is None and reply.get("log10") is None:
        raise ExactPermError("the answer has neither p nor log10")
    log10 = None if reply.get("log10") is None else float(number(reply["log10"]))
    return (None if reply.get("p") is None else number(reply["p"])), log10


def _near(value: Value | None, log10: float | None, truth: Truth, tolerance: Tolerance) -> Verdict | None:
    if log10 is not None and (value is None or truth.p < LEAST_NORMAL):
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
