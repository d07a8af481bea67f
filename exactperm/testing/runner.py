"""Put the vectors to an implementation and judge its answers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from fnmatch import fnmatchcase
from fractions import Fraction

from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from . import vectors as source
from .judge import Verdict, judged, value_of
from .naming import Answered, named
from .program import NoAnswer, Program
from .report import OUTSIDE, SHARE, Outcome, Report
from .vectors import Vector

PATIENCE = 12
"""After so many questions in a row without an answer the others are not put."""


def verify(
    command: Sequence[str],
    *,
    only: Iterable[str] = (),
    calls: Sequence[str] | None = None,
    tolerance: float = 1e-9,
    share: float = SHARE,
    known: Sequence[str] = (),
    seconds: float = 10.0,
    folder: str | None = None,
) -> Report:
    """Put vectors to the program that a command starts, and return the report.

    - ``only``: patterns of ids, calls or flags; ``calls``: put only these, and require answers to each.
    - ``tolerance``: the relative error that a right answer may have; 0 for the nearest double alone.
    - ``share``: the least share of each call that must be answered.
    - ``known``: patterns of known failures. ``seconds``: the limit for each answer. ``folder``: other vectors.

    A question without a proper answer is an error, and the run goes on. ``ExactPermError`` where the program cannot be
    started, or declares unknown calls.
    """
    for name, number in (("share", share), ("tolerance", tolerance)):
        if not 0 <= number <= 1:
            raise ExactPermError(f"{name} is {number}: it must lie between 0 and 1")
    every, put = source.load(folder), source.picked(only, folder)
    known_calls = {vector.call: None for vector in every.values()}
    with closing(Program(command, seconds)) as program:
        for call in (*program.told.calls, *(calls or ())):
            if call not in known_calls:
                choice = ", ".join(known_calls)
                raise ExactPermError(f"there is no call {short_text(call)}: choose from {choice}")
        put = [vector for vector in put if calls is None or vector.call in calls]
        outcomes = tuple(_outcomes(every, put, program, Fraction(tolerance), known))
    return Report(
        by=program.told,
        outcomes=outcomes,
        named=explained(outcomes, every),
        required=calls is not None,
        share=share,
    )


def _outcomes(
    every: Mapping[str, Vector],
    chosen: Iterable[Vector],
    program: Program,
    near: Fraction,
    known: Sequence[str],
) -> Iterator[Outcome]:
    by, lost = program.told, 0
    for vector in chosen:
        for alternative in vector.questions:
            name, value = vector.question_id(alternative), None
            question = {"call": vector.call, "alternative": alternative, "input": vector.input}
            if not by.answers(vector.call, alternative):
                verdict = Verdict(OUTSIDE, "not among its calls")
            elif lost == PATIENCE:
                verdict = Verdict(
                    "no answer", "not asked, after too many questions without an answer"
                )
            else:
                try:
                    reply = program.ask(name, question)
                    other = every.get(vector.other or "")
                    verdict = judged(vector, alternative, reply, other=other, by=by, tolerance=near)
                    value = None if verdict.kind == "error" else value_of(reply)
                    lost = 0
                except NoAnswer as problem:
                    verdict = Verdict("no answer", str(problem))
                    lost += 1
            expected = any(fnmatchcase(word, each) for each in known for word in (vector.id, name))
            yield Outcome(name, vector, alternative, *verdict, expected, value)


def explained(outcomes: Iterable[Outcome], every: Mapping[str, Vector]) -> dict[str, list[str]]:
    """Return what formulas the answers to each call with wrong ones have, in words."""
    calls: dict[str, list[Answered]] = {}
    for outcome in outcomes:
        vector = outcome.vector
        readings = [
            vector.truths,
            *(each.truths for each in (every.get(vector.other or ""),) if each),
        ]
        if vector.truths and outcome.kind not in ("skipped", "acceptable"):
            answer = (outcome.value, outcome.is_fault, readings, str(outcome.alternative))
            calls.setdefault(vector.call, []).append(answer)
    return {call: names for call, answers in calls.items() if (names := named(answers))}
