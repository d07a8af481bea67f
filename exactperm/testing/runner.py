"""Put the vectors to an implementation, judge its answers, and report them."""

from __future__ import annotations

import time
from collections import Counter
from fnmatch import fnmatchcase

from ..arithmetic.quoting import printable
from ..record import Record
from .judge import FAULTS, RIGHT, Implementation, Verdict, judged
from .mistakes import BY_VALUE
from .numbers import DEFAULT, Tolerance
from .program import Late, NoAnswer, Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from .vectors import Vector

PATIENCE = 20
"""After so many times the limit of seconds without an answer the other questions are not put."""

LOST = ("no answer", "not asked")
"""Words of the verdicts on questions that were not answered at all; they do not count for flags."""

MOST_SHOWN = 60
"""Faults that the report lists in full."""


class Outcome(Record):
    """The verdict on one question: a vector and an alternative."""

    vector: Vector
    alternative: str | None
    verdict: Verdict
    expected: bool = False

    @property
    def id(self) -> str:
        """The id of the question, such as "P0201:greater"."""
        return question_id(self.vector, self.alternative)

    @property
    def line(self) -> str:
        """The verdict in a line."""
        verdict = self.verdict
        return f"{self.id} {verdict.words}: {verdict.detail}{f'; perhaps it {verdict.likely}' * bool(verdict.likely)}"

    @property
    def is_fault(self) -> bool:
        """Whether it is a fault, expected or not."""
        return self.verdict.kind in FAULTS


class Report(Record):
    """All outcomes of a run, and what the implementation says of itself."""

    by: Implementation
    outcomes: tuple[Outcome, ...]

    @property
    def faults(self) -> list[Outcome]:
        """Faults that were not expected, first those with an answer."""
        found = [outcome for outcome in self.outcomes if outcome.is_fault and not outcome.expected]
        return sorted(found, key=lambda outcome: outcome.verdict.words in LOST)

    @property
    def answered(self) -> int:
        """Number of questions that were not skipped."""
        return sum(outcome.verdict.kind != "skipped" for outcome in self.outcomes)

    @property
    def status(self) -> int:
        """Exit status: 0 where there are answers and no unexpected fault among them, else 1."""
        return int(bool(self.faults) or not self.answered)


def question_id(vector: Vector, alternative: str | None) -> str:
    """Return the id of a question: that of the vector and the alternative."""
    return vector.id if alternative is None else f"{vector.id}:{alternative}"


def run(
    vectors: Mapping[str, Vector],
    chosen: Iterable[Vector],
    program: Program,
    *,
    tolerance: Tolerance = DEFAULT,
    known: Sequence[str] = (),
    seconds: float = 10.0,
) -> Report:
    """Put the chosen vectors to a program and return the report.

    A question without a proper answer is an error, and the run goes on. Where an input has no answer in time, its other
    alternatives are not put. ``vectors`` are all, by id; ``known`` are patterns of known failures; ``seconds`` is the
    limit for each answer.
    """
    outcomes = []
    by, lost = program.told, 0.0
    for vector in chosen:
        late = ""
        for alternative in vector.questions:
            name = question_id(vector, alternative)
            if not by.answers(vector.call, alternative):
                verdict = Verdict(kind="skipped", words="skipped", detail="not among its calls")
            elif late:
                verdict = Verdict(kind="error", words="not asked", detail=f"{late} had no answer in time")
            elif lost > PATIENCE * seconds:
                verdict = Verdict(kind="error", words="not asked", detail="too many questions had no answer")
            else:
                start = time.monotonic()
                question = {"call": vector.call, "alternative": alternative, "input": vector.input}
                try:
                    reply = program.ask(name, question)
                    other = vectors.get(vector.other or "")
                    verdict = judged(vector, alternative, reply, other=other, by=by, tolerance=tolerance)
                    lost = 0.0
                except NoAnswer as problem:
                    verdict = Verdict(kind="error", words="no answer", detail=str(problem))
                    lost += time.monotonic() - start
                    late = name if isinstance(problem, Late) else ""
            expected = any(fnmatchcase(word, pattern) for word in (vector.id, name) for pattern in known)
            outcomes.append(Outcome(vector=vector, alternative=alternative, verdict=verdict, expected=expected))
    return Report(by=by, outcomes=tuple(outcomes))


# ---------------------------------------------------------------------------------------------- in words


def likely_mistakes(report: Report) -> list[str]:
    """Return the likely mistakes in words: one that explains most wrong numbers, else those that fail on like vectors.

    Vectors alike means: the failed vectors, and those answered ones that tell the mistake from the truth, have at least
    half of their union in common. Where the wrong number follows from the mistake, half of them must show it, too.
    """
    wrong = [outcome for outcome in report.outcomes if outcome.verdict.kind in ("wrong", "impossible")]
    for words, count in Counter(outcome.verdict.likely for outcome in wrong).most_common(1):
        if words and 2 * count > len(wrong):
            return [f"{words} ({count} of {len(wrong)} wrong answers)"]
    said: dict[str, set[str]] = {}
    for outcome in wrong:
        said.setdefault(outcome.vector.id, set()).add(outcome.verdict.likely)
    alike = []
    for name, (words, ids) in _revealing(report, said).items():
        failed = ids & set(said)
        shown = (
            sum(not said[vector].isdisjoint(BY_VALUE[name]) for vector in failed) if name in BY_VALUE else len(failed)
        )
        if 2 * shown >= len(failed):
            told = f"{words} ({len(failed)} of the {len(ids)} vectors that reveal it fail)"
            alike.append((len(failed) / len(ids | set(said)), told))
    most = max([likeness for likeness, _told in alike], default=0)
    return sorted(told for likeness, told in alike if likeness == most >= 0.5)[:2]


def _revealing(report: Report, failed: Iterable[str]) -> dict[str, tuple[str, set[str]]]:
    """Return, by name of a mistake, its description and the ids of the answered vectors that reveal it.

    Vectors that are right in the other reading do not count.
    """
    readings = {outcome.vector.id for outcome in report.outcomes if outcome.verdict.kind == "other reading"}
    silent = readings.difference(failed)
    revealing: dict[str, tuple[str, set[str]]] = {}
    for outcome in report.outcomes:
        if outcome.verdict.kind != "skipped" and outcome.verdict.words not in LOST and outcome.vector.id not in silent:
            for name, words in outcome.vector.mistakes.items():
                revealing.setdefault(name, (words, set()))[1].add(outcome.vector.id)
    return revealing


def flag_counts(report: Report) -> Iterator[tuple[str, str, int, int, int]]:
    """Yield (flag, effect, faults, other readings, answered) of each flag with a fault or another reading."""
    answered: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    readings: Counter[str] = Counter()
    effects: dict[str, str] = {}
    for outcome in report.outcomes:
        for flag, note in outcome.vector.notes.items():
            effects[flag] = note["effect"]
            answered[flag] += outcome.verdict.kind != "skipped" and outcome.verdict.words not in LOST
            faults[flag] += outcome.is_fault and outcome.verdict.words not in LOST
            readings[flag] += outcome.verdict.kind == "other reading"
    for flag in sorted(effects, key=lambda flag: (-faults[flag], flag)):
        if faults[flag] or readings[flag]:
            yield flag, effects[flag], faults[flag], readings[flag], answered[flag]


def kinds(report: Report) -> dict[str, int]:
    """Return how often each kind of verdict occurs, in the order of the description."""
    verdicts = [outcome.verdict for outcome in report.outcomes]
    counts = Counter(verdict.words if verdict.words in LOST else verdict.kind for verdict in verdicts)
    return {kind: counts[kind] for kind in (*RIGHT, *FAULTS, *LOST, "skipped") if counts[kind]}


def text(report: Report) -> str:
    """Write a report as plain text."""
    by = report.by
    name = " ".join(filter(None, (by.name, by.version)))
    lines = [f"{name}{f' ({by.language})' if by.language else ''}: {len(report.outcomes)} questions"]
    lines += [f"  {count:>5}  {kind}" for kind, count in kinds(report).items()]
    flags = list(flag_counts(report))
    if flags:
        lines.append("by flag")
    for flag, effect, faults, readings, answered in flags:
        counts = [f"{faults} faults"] * bool(faults) + [f"{readings} in the other reading"] * bool(readings)
        lines.append(f"  {flag:<11} {' and '.join(counts)} of {answered}: {effect}")
    lines += [f"likely: {words}" for words in likely_mistakes(report)]
    lines += [outcome.line for outcome in report.faults[:MOST_SHOWN]]
    if len(report.faults) > MOST_SHOWN:
        lines.append(f"and {len(report.faults) - MOST_SHOWN} more; --json has all")
    passed = sorted({outcome.id for outcome in report.outcomes if outcome.expected and not outcome.is_fault})
    if passed:
        lines.append(f"known failures that did not fail: {', '.join(passed)}")
    if not report.answered:
        lines.append("nothing was answered, so nothing is verified")
    return "\n".join(map(printable, lines))


def json_dict(report: Report) -> dict[str, Any]:
    """Return a report as JSON can hold it."""
    by = report.by
    return {
        "implementation": {"name": by.name, "version": by.version, "language": by.language},
        "status": report.status,
        "verdicts": kinds(report),
        "flags": {
            flag: {"effect": effect, "faults": faults, "other reading": readings, "answered": answered}
            for flag, effect, faults, readings, answered in flag_counts(report)
        },
        "likely": likely_mistakes(report),
        "outcomes": [
            {
                "id": outcome.id,
                "verdict": outcome.verdict.words,
                "detail": outcome.verdict.detail,
                "likely": outcome.verdict.likely,
                "expected": outcome.expected,
            }
            for outcome in report.outcomes
        ],
    }
