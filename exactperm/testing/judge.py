"""Compare the answer of another implementation with the exact p-value."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import log10 as logarithm
from ..errors import ExactPermError
from ..record import Record
from .numbers import (
    LEAST_NORMAL,
    TOLERANCE,
    Numbers,
    Value,
    double,
    fault,
    number,
    numbers,
    right_answer,
)
from .vectors import Vector

Message = dict[str, Any]
"""A JSON object of the protocol."""

RIGHT = (
    *("exact", "correctly rounded", "within tolerance"),
    *("other reading", "acceptable", "refused"),
)
"""Kinds of verdicts that are no fault."""

FAULTS = ("wrong", "impossible", "error")

LOST = "no answer"
"""Fault of a question that was not answered at all; it does not count for flags."""


class Verdict(NamedTuple):
    """Verdict on an answer: a kind, of RIGHT, FAULTS, LOST, "skipped" or "not declared", and details."""

    kind: str
    detail: str = ""


class Implementation(Record):
    """Description that an implementation gives of itself."""

    name: str = "unnamed"
    version: str = ""
    language: str = ""
    calls: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()
    numbers: str | None = None
    conventions: tuple[str, ...] = ()

    def answers(self, call: str, alternative: str | None) -> bool:
        """Return whether it says that it answers such questions; without a list it answers all."""
        asked = not (alternative and self.alternatives) or alternative in self.alternatives
        return asked and (not self.calls or call in self.calls)


def compared(value: Value, right: Value, tolerance: Fraction = TOLERANCE) -> Verdict | None:
    """Return the verdict of a value that is right or near enough; None where it is wrong."""
    if value == right:
        return Verdict("exact")
    if isinstance(value, float) or isinstance(right, float) or value * right <= 0:
        return None
    if double(value) == double(right) != 0:
        return Verdict("correctly rounded")
    least = 2**-1074 if tolerance and LEAST_NORMAL > abs(right) >= 2**-1074 else 0
    near = abs(value - right) <= max(least, tolerance * abs(right))
    return Verdict("within tolerance") if near else None


def judged(
    vector: Vector,
    alternative: str | None,
    reply: Message,
    *,
    other: Vector | None = None,
    by: Implementation | None = None,
    tolerance: Fraction = TOLERANCE,
) -> Verdict:
    """Return the verdict on a reply {"p"}, {"log10"}, {"error"} or {"skipped"} to a question.

    ``other`` is the same input in its other reading, ``by`` the implementation.
    """
    unanswered = _unanswered(vector, reply)
    if unanswered is not None:
        return unanswered
    try:
        value, log10 = value_of(reply), reply.get("log10")
        log10 = None if log10 is None else number(log10)
    except ExactPermError as problem:
        return Verdict("error", f"no number: {str(problem)[:120]}")
    if value is None and log10 is None:
        return Verdict("error", "no number: the answer has neither p nor log10")
    nan = isinstance(value, float) and math.isnan(value)
    for entry in vector.acceptable or ():
        right = entry.get(str(alternative))
        agrees = (
            right is not None
            and isinstance(value, Fraction)
            and compared(value, number(right), tolerance)
        )
        listed = vector.result == "error" and alternative is None
        if listed or agrees or (nan and entry.get("nan")):
            return Verdict("acceptable", entry["convention"])
    if vector.result == "error":
        kind = "acceptable" if nan else "wrong"
        return Verdict(kind, f"answers {fault(value, math.nan)}")
    found = _against(vector, alternative, value, log10, tolerance)
    if found.kind in RIGHT:
        return found
    by = by or Implementation()
    if vector.truths and isinstance(value, Fraction):
        truth = vector.truths[str(alternative)]
        if not value and not double(truth.p):
            return Verdict("acceptable", "0 is the nearest double; log10 or text would tell more")
        strict = truth.p - (truth.atom or 0)
        if "strict" in by.conventions and compared(value, strict, tolerance):
            return Verdict("acceptable", "counts > in place of >=, as it declares")
    if other is None or by.numbers == vector.reading == "decimal":
        return found
    if _against(other, alternative, value, log10, tolerance).kind in RIGHT:
        told = f"right for {other.id}, the same numbers as {other.reading}"
        return Verdict("other reading", told)
    return found


def _unanswered(vector: Vector, reply: Message) -> Verdict | None:
    """Return the verdict on a reply that skips the question or tells an error; None for any other."""
    if reply.get("skipped") is not None:
        return Verdict("skipped", str(reply["skipped"]))
    if reply.get("error") is None:
        return None
    for entry in vector.acceptable or ():
        if entry.get("error"):
            return Verdict("acceptable", entry["convention"])
    kind = "refused" if vector.result == "error" else "error"
    return Verdict(kind, short_text(reply["error"], 200))


def value_of(reply: Message) -> Numbers | None:
    """Return the number of a reply, or the list of its numbers; None where it has none."""
    return None if reply.get("p") is None else numbers(reply["p"])


def _against(
    vector: Vector,
    alternative: str | None,
    value: Numbers | None,
    log10: Value | None,
    tolerance: Fraction,
) -> Verdict:
    """Return the verdict by the answer of a record alone."""
    truth = vector.truths.get(str(alternative))
    if log10 is not None and truth and (value is None or truth.p < LEAST_NORMAL):
        if -1 <= (log10 - Fraction(logarithm(truth.p))) * 10**9 <= 1:
            return Verdict("within tolerance", "its logarithm")
        return Verdict("wrong" if -math.inf < log10 <= 0 else "impossible", "its logarithm")
    right = right_answer(vector.answer(alternative))
    return _worst(vector.call, value, right, tolerance, "p")


def _worst(
    call: str, value: Numbers | None, right: Numbers, tolerance: Fraction, place: str
) -> Verdict:
    """Return the verdict on a number, or the worst one on the entries of a list."""
    if not isinstance(right, list):
        if not isinstance(value, (Fraction, float)):
            return Verdict("error", f"{place} must be a number")
        possible = isinstance(value, Fraction) or not math.isnan(value)
        if call not in ("interval", "null-distribution"):
            possible = 0 <= value <= 1 and (value > 0 or not right)  # 0 may be adjusted
        kind = "wrong" if possible else "impossible"
        return compared(value, right, tolerance) or Verdict(kind, f"{place}: {fault(value, right)}")
    if not isinstance(value, list):
        return Verdict("error", f"{place} must be a list")
    if len(value) != len(right):
        return Verdict("wrong", f"{place} has {len(value)} entries, {len(right)} are right")
    pairs = enumerate(zip(value, right))
    each = (_worst(call, x, y, tolerance, f"{place}[{i}]") for i, (x, y) in pairs)
    return max(each, key=lambda verdict: (*RIGHT, *FAULTS).index(verdict.kind))
