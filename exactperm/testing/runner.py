"""Put the vectors to an implementation and judge its answers."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from .._types import Any
from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from ..record import replaced
from . import vectors as source
from .judge import Implementation, Verdict, judged, value_of
from .naming import Answered, Truths, named
from .numbers import Tolerance, Truth
from .program import Late, NoAnswer, Program
from .report import OUTSIDE, SHARE, Outcome, Report, json_dict, question_id, text
from .vectors import LISTS, Vector

__all__ = ["json_dict", "text", "verify"]

PATIENCE = 20
"""After so many times the limit of seconds without an answer the other questions are not put."""


def verify(
    command: Sequence[str],
    *,
    only: Iterable[str] = (),
    calls: Sequence[str] | None = None,
    tolerance: str = "rel=1e-9",
    share: float = SHARE,
    known: Sequence[str] = (),
    seconds: float = 10.0,
    folder: str | None = None,
) -> Report:
    """Put vectors to the program that a command starts, and return the report.

    - ``only``: patterns of ids, calls or flags; ``calls``: put only these, and require answers to each.
    - ``tolerance``: "exact", "ulp=N" or "rel=X". ``share``: the least share of each call that must be answered.
    - ``known``: patterns of known failures. ``seconds``: the limit for each answer. ``folder``: other vectors.

    A question without a proper answer is an error, and the run goes on. Where an input has no answer in time, its other
    alternatives are not put. ``ExactPermError`` where the program cannot be started, or declares unknown calls.
    """
    if not 0 <= share <= 1:
        raise ExactPermError(f"share is {share}: it must lie between 0 and 1")
    every, near, chosen = (
        source.load(folder),
        Tolerance.read(tolerance),
        source.picked(only, folder),
    )
    with Program(command, seconds) as program:
        known_calls = list(dict.fromkeys(vector.call for vector in every.values()))
        for call in (*(program.told.calls or ()), *(calls or ())):
            if call not in known_calls:
                choice = ", ".join(known_calls)
                raise ExactPermError(
                    f"there is no call {short_text(call)} in the vectors: choose from {choice}"
                )
        put = [vector for vector in chosen if calls is None or vector.call in calls]
        outcomes = tuple(_outcomes(every, put, program, near, seconds))
    expected = tuple(replaced(each, expected=_matches(each, known)) for each in outcomes)
    names = explained(program.told, expected, every)
    return Report(
        by=program.told,
        outcomes=expected,
        named=names,
        required=None if calls is None else tuple(calls),
        share=share,
    )


def _matches(outcome: Outcome, patterns: Sequence[str]) -> bool:
    return any(
        fnmatchcase(word, pattern)
        for word in (outcome.vector.id, outcome.id)
        for pattern in patterns
    )


def _outcomes(
    every: Mapping[str, Vector],
    chosen: Iterable[Vector],
    program: Program,
    near: Tolerance,
    seconds: float,
) -> Iterator[Outcome]:
    by, lost = program.told, 0.0
    for vector in chosen:
        late = ""
        for alternative in vector.questions:
            name, value = question_id(vector, alternative), None
            if not by.answers(vector.call, alternative):
                verdict = Verdict(kind="skipped", words=OUTSIDE, detail="not among its calls")
            elif late:
                verdict = Verdict(
                    kind="error", words="not asked", detail=f"{late} had no answer in time"
                )
            elif lost > PATIENCE * seconds:
                verdict = Verdict(
                    kind="error", words="not asked", detail="too many questions had no answer"
                )
            else:
                start = time.monotonic()
                try:
                    reply = program.ask(name, _question(vector, alternative))
                    other = every.get(vector.other or "")
                    verdict = judged(vector, alternative, reply, other=other, by=by, tolerance=near)
                    value, lost = value_of(reply), 0.0
                except NoAnswer as problem:
                    verdict = Verdict(kind="error", words="no answer", detail=str(problem))
                    lost += time.monotonic() - start
                    late = name if isinstance(problem, Late) else ""
            yield Outcome(vector=vector, alternative=alternative, verdict=verdict, value=value)


def _question(vector: Vector, alternative: str | None) -> dict[str, Any]:
    return {"call": vector.call, "alternative": alternative, "input": vector.input}


def explained(
    by: Implementation, outcomes: Iterable[Outcome], every: Mapping[str, Vector]
) -> dict[str, list[str]]:
    """Return what formulas the answers to each call with wrong ones have, in words."""
    calls: dict[str, list[Answered]] = {}
    for outcome in outcomes:
        vector, kind = outcome.vector, outcome.verdict.kind
        if vector.call in LISTS or vector.result == "error" or kind in ("skipped", "acceptable"):
            continue
        partner = every.get(vector.other or "")
        exact_decimals = by.numbers == "decimal" and vector.reading == "decimal"
        readings = [vector] if partner is None or exact_decimals else [vector, partner]
        truths: list[Truths] = [
            {side: Truth.of(answer) for side, answer in each.expect.items()} for each in readings
        ]
        answer = (outcome.value, outcome.is_fault, truths, str(outcome.alternative))
        calls.setdefault(vector.call, []).append(answer)
    return {call: names for call, answers in calls.items() if (names := named(answers))}
