"""Compare the answer of another implementation with the exact p-value."""

from __future__ import annotations

import math
from fractions import Fraction

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact
from ..errors import ExactPermError
from ..record import Record, replaced
from .numbers import (
    DEFAULT,
    LEAST_NORMAL,
    Tolerance,
    Truth,
    Value,
    double,
    fault,
    number,
    numbers,
    right_answer,
    ulps_between,
)
from .vectors import LISTS, Vector

RIGHT = (
    "exact",
    "correctly rounded",
    "ulp",
    "within tolerance",
    "other reading",
    "acceptable",
    "refused",
)
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


def compared(value: Value, right: Value, tolerance: Tolerance) -> Verdict | None:
    """Return the verdict of a value that is right or near enough; None where it is wrong."""
    if value == right:
        return _verdict("exact")
    if isinstance(value, float) or isinstance(right, float) or value * right <= 0:
        return None
    value, p = abs(value), abs(right)
    ulps = ulps_between(value, p)
    if ulps == 0 and double(p):
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
        return known and (
            alternative is None or self.alternatives is None or alternative in self.alternatives
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
    by = by or Implementation()
    exact_decimals = by.numbers == "decimal" and vector.reading == "decimal"
    other = None if exact_decimals else other
    if vector.call in LISTS:
        return _judged_list(vector, alternative, reply, other, tolerance)
    try:
        value, log10 = _value(reply)
    except ExactPermError as error:
        return _verdict("error", f"no number: {str(error)[:120]}")
    if vector.result == "error":
        return _judged_invalid(vector, alternative, value)
    truth = Truth.of(vector.expect[str(alternative)])
    verdict = _near(value, log10, truth, tolerance) or _convention(
        vector, alternative, value, by, tolerance
    )
    if verdict:
        return verdict
    if not _possible(value, log10):
        return _verdict("impossible", fault(value, truth.p))
    if other is not None and _near(
        value, log10, Truth.of(other.expect[str(alternative)]), tolerance
    ):
        return _other_reading(other)
    return _verdict("wrong", fault(value, truth.p))


def _other_reading(other: Vector) -> Verdict:
    return _verdict("other reading", f"right for {other.id}, the same numbers as {other.reading}")


def _value(reply: dict[str, Any]) -> tuple[Value | None, float | None]:
    """Return the p-value and the logarithm of a reply."""
    if reply.get("p") is None and reply.get("log10") is None:
        raise ExactPermError("the answer has neither p nor log10")
    log10 = None if reply.get("log10") is None else _as_float(number(reply["log10"]))
    return (None if reply.get("p") is None else number(reply["p"])), log10


def _is_nan(value: Value | None) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _as_float(value: Value) -> float:
    return double(value) if isinstance(value, Fraction) else value


def _near(
    value: Value | None, log10: float | None, truth: Truth, tolerance: Tolerance
) -> Verdict | None:
    if log10 is not None and (value is None or truth.p < LEAST_NORMAL):
        from ..arithmetic.rational import log10 as logarithm

        close = math.isclose(log10, logarithm(truth.p), rel_tol=1e-12, abs_tol=_LOG10_ERROR)
        return _verdict("within tolerance", "its logarithm") if close else None
    return compared(value, truth.p, tolerance) if isinstance(value, Fraction) else None


def _possible(value: Value | None, log10: float | None) -> bool:
    if value is None:
        return log10 is not None and -math.inf < log10 <= 0
    return isinstance(value, Fraction) and 0 < value <= 1


def _convention(
    vector: Vector,
    alternative: str | None,
    value: Value | None,
    by: Implementation,
    tolerance: Tolerance,
) -> Verdict | None:
    """Return the verdict of an answer by another convention, which it declares or the vector names."""
    if not isinstance(value, Fraction):
        nan = _is_nan(value)
        named = next((entry for entry in vector.acceptable or () if nan and entry.get("nan")), None)
        return _verdict("acceptable", named["convention"]) if named else None
    truth = Truth.of(vector.expect[str(alternative)])
    if not value and not double(truth.p):
        return _verdict("acceptable", "0 is the nearest double; log10 or text would tell more")
    if (
        "strict" in by.conventions
        and truth.atom is not None
        and compared(value, truth.p - truth.atom, tolerance)
    ):
        return _verdict("acceptable", "counts > in place of >=, as it declares")
    for entry in vector.acceptable or ():
        if alternative in entry and compared(
            value, Fraction(exact(entry[str(alternative)])), tolerance
        ):
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
        if alternative is None or (
            alternative in entry and value == Fraction(exact(entry[alternative]))
        ):
            return _verdict("acceptable", entry["convention"])
    if _is_nan(value):
        return _verdict("acceptable", "answers NaN for invalid input")
    return _verdict("wrong", "answers a number where the input has no answer")


def _judged_list(
    vector: Vector,
    alternative: str | None,
    reply: dict[str, Any],
    other: Vector | None,
    tolerance: Tolerance,
) -> Verdict:
    """Return the verdict on a list of numbers, such as adjusted p-values, or of rows of numbers."""
    if vector.result == "error":
        return _judged_invalid(vector, None, None)
    try:
        values = numbers(reply.get("p"))
    except ExactPermError as error:
        return _verdict("error", f"no number: {str(error)[:120]}")
    right = right_answer(vector.answer(alternative))
    found = _worst(values, right, tolerance)
    if found.kind not in FAULTS:
        return found
    if (
        other is not None
        and _worst(values, right_answer(other.answer(alternative)), tolerance).kind not in FAULTS
    ):
        return _other_reading(other)
    if vector.call == "adjust" and found.kind == "wrong" and not all(map(_probable, values, right)):
        return replaced(found, kind="impossible", words="impossible")
    return found


def _worst(value: Any, right: Any, tolerance: Tolerance, place: str = "p") -> Verdict:
    """Return the verdict on a number, or the worst one on the entries of a list."""
    if not isinstance(right, list):
        if isinstance(value, list):
            return _verdict("error", f"{place} must be a number")
        found = compared(value, right, tolerance)
        kind = "impossible" if _is_nan(value) else "wrong"
        return found or _verdict(kind, f"{place}: {fault(value, right)}")
    rows = isinstance(right[0], list)
    if not isinstance(value, list) or (len(value) != len(right) and not rows):
        return _verdict(
            "error", f"{place} must be a list of {'rows' if rows else f'{len(right)} numbers'}"
        )
    if len(value) != len(right):
        return _verdict("wrong", f"{place} has {len(value)} rows, {len(right)} are right")
    each = (_worst(x, y, tolerance, f"{place}[{i}]") for i, (x, y) in enumerate(zip(value, right)))
    return max(each, key=lambda verdict: (*RIGHT, *FAULTS).index(verdict.kind))


def value_of(reply: dict[str, Any]) -> Any:
    """Return the number of a reply, or the list of its numbers; None where it has none."""
    try:
        return None if reply.get("p") is None else numbers(reply["p"])
    except ExactPermError:
        return None


def _probable(value: Value, right: Value) -> bool:
    """Return whether a value can be an adjusted p-value; 0 only where that is the right one."""
    return 0 <= value <= 1 and (value > 0 or not right)
