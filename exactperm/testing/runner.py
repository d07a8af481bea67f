"""Put the vectors to an implementation, judge its answers, and report them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase

from .._types import Any
from ..arithmetic.quoting import printable, short_text
from ..errors import ExactPermError
from ..record import replaced
from .evidence import findings, value_of
from .judge import FAULTS, RIGHT, Verdict, judged
from .numbers import DEFAULT, Tolerance
from .outcomes import LOST, OUTSIDE, SHARE, Finding, Outcome, Report, question_id
from .program import Late, NoAnswer, Program
from .vectors import Vector, mistakes

PATIENCE = 20
"""After so many times the limit of seconds without an answer the other questions are not put."""

MOST_SHOWN = 60
"""Faults that the report lists in full."""


def run(
    vectors: Mapping[str, Vector],
    chosen: Iterable[Vector],
    program: Program,
    *,
    tolerance: Tolerance = DEFAULT,
    known: Sequence[str] = (),
    seconds: float = 10.0,
    required: tuple[str, ...] | None = None,
    share: float = SHARE,
    folder: str | None = None,
) -> Report:
    """Put the chosen vectors to a program and return the report.

    A question without a proper answer is an error, and the run goes on. Where an input has no
    answer in time, its other alternatives are not put. ``vectors`` are all, by id; ``known`` are
    patterns of known failures; ``seconds`` is the limit for each answer. ``required`` are the calls
    to put, and ``share`` what must be answered of each; ``folder`` is that of the vectors.
    ``ExactPermError`` where the program declares calls that do not exist.
    """
    by = program.told
    if not 0 <= share <= 1:
        raise ExactPermError(f"share is {share}: it must lie between 0 and 1")
    calls = list(dict.fromkeys(vector.call for vector in vectors.values()))
    for call in (*(by.calls or ()), *(required or ())):
        if call not in calls:
            raise ExactPermError(
                f"there is no call {short_text(call)} in the vectors: choose from {', '.join(calls)}"
            )
    asked = [vector for vector in chosen if required is None or vector.call in required]
    outcomes = tuple(
        _outcomes(vectors, asked, program, tolerance=tolerance, known=known, seconds=seconds)
    )
    report = Report(by=by, outcomes=outcomes, required=required, share=share)
    return explained(report, vectors, folder)


def explained(report: Report, vectors: Mapping[str, Vector], folder: str | None = None) -> Report:
    """Return a report with the mistakes that its wrong answers show."""
    if not any(outcome.is_fault for outcome in report.outcomes):
        return report
    return replaced(report, findings=tuple(findings(report, vectors, mistakes(folder))))


def _outcomes(
    vectors: Mapping[str, Vector],
    chosen: Iterable[Vector],
    program: Program,
    *,
    tolerance: Tolerance,
    known: Sequence[str],
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
                question = {"call": vector.call, "alternative": alternative, "input": vector.input}
                try:
                    reply = program.ask(name, question)
                    other = vectors.get(vector.other or "")
                    verdict = judged(
                        vector, alternative, reply, other=other, by=by, tolerance=tolerance
                    )
                    value = value_of(reply)
                    lost = 0.0
                except NoAnswer as problem:
                    verdict = Verdict(kind="error", words="no answer", detail=str(problem))
                    lost += time.monotonic() - start
                    late = name if isinstance(problem, Late) else ""
            expected = any(
                fnmatchcase(word, pattern) for word in (vector.id, name) for pattern in known
            )
            yield Outcome(
                vector=vector,
                alternative=alternative,
                verdict=verdict,
                expected=expected,
                value=value,
            )


# ----------------------------------------------------------------------------------------- in words


def flag_counts(report: Report) -> Iterator[tuple[str, str, int, int]]:
    """Yield (flag, description, faults, answered) of each flag with a fault."""
    answered: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    notes: dict[str, str] = {}
    for outcome in report.outcomes:
        for flag, note in outcome.vector.notes.items():
            notes[flag] = note["description"]
            answered[flag] += (
                outcome.verdict.kind != "skipped" and outcome.verdict.words not in LOST
            )
            faults[flag] += outcome.is_fault and outcome.verdict.words not in LOST
    for flag in sorted(notes, key=lambda flag: (-faults[flag], flag)):
        if faults[flag]:
            yield flag, notes[flag], faults[flag], answered[flag]


def kinds(report: Report) -> dict[str, int]:
    """Return how often each kind of verdict occurs, in the order of the description."""
    verdicts = [outcome.verdict for outcome in report.outcomes]
    counts = Counter(
        verdict.words if verdict.words in LOST else verdict.kind for verdict in verdicts
    )
    return {kind: counts[kind] for kind in (*RIGHT, *FAULTS, *LOST, "skipped") if counts[kind]}


def readings(report: Report) -> Iterator[str]:
    """Yield a line on the answers that are right for the other reading of their numbers."""
    meant = Counter(
        outcome.vector.reading
        for outcome in report.outcomes
        if outcome.verdict.kind == "other reading"
    )
    taken = {
        "decimal": ("doubles (binary64)", "decimals"),
        "binary64": ("decimals", "doubles (binary64)"),
    }
    for reading, count in meant.items():
        answers = "1 answer is" if count == 1 else f"{count} answers are"
        declared = ", as it declares" if report.by.numbers not in (None, reading) else ""
        yield f"{answers} right for numbers read as {taken[reading][0]}{declared}; the records mean {taken[reading][1]}"


def naming(finding: Finding) -> list[str]:
    """Return what a finding says: the mistake, or that none is known, and the smallest record with a wrong answer."""
    outcome, many = (
        finding.smallest,
        "1 answer" if finding.wrong == 1 else f"{finding.wrong} answers",
    )
    if finding.named:
        lines = [f"mistake: {finding.words} ({many} of {finding.call})"]
    else:
        lines = [f"no known mistake: {many} of {finding.call} differ, in no way that is known"]
    given = short_text(outcome.vector.input, 200)
    about = ", ".join(filter(None, (outcome.vector.comment, *outcome.vector.flags)))
    return [
        *lines,
        f"  the smallest: {outcome.id} {given}: {outcome.verdict.detail}. It is about: {about}",
    ]


def coverage_lines(report: Report) -> Iterator[str]:
    """Yield a line on each call with skipped questions, and say where too few were answered."""
    for call in report.coverage:
        if call.reasons:
            why = "; ".join(
                f"{short_text(reason, 60)} ({count})" for reason, count in call.reasons[:3]
            )
            few = f", fewer than the required share of {report.share:g}" * (not call.enough)
            yield f"{call.call}: {call.answered} of {call.asked} questions answered{few}; skipped: {why}"


def text(report: Report) -> str:
    """Write a report as plain text."""
    by = report.by
    name = " ".join(filter(None, (by.name, by.version)))
    lines = [
        f"{name}{f' ({by.language})' if by.language else ''}: {len(report.outcomes)} questions"
    ]
    lines += [f"  {count:>5}  {kind}" for kind, count in kinds(report).items()]
    lines += [*readings(report), *coverage_lines(report)]
    lines += [line for finding in report.findings for line in naming(finding)]
    flags = list(flag_counts(report))
    if flags:
        lines.append("by flag")
    for flag, description, faults, answered in flags:
        lines.append(f"  {flag:<11} {faults} faults of {answered}: {description}")
    lines += [outcome.line for outcome in report.faults[:MOST_SHOWN]]
    if len(report.faults) > MOST_SHOWN:
        lines.append(f"and {len(report.faults) - MOST_SHOWN} more; the report as JSON has all")
    passed = sorted(
        {outcome.id for outcome in report.outcomes if outcome.expected and not outcome.is_fault}
    )
    if passed:
        lines.append(f"known failures that did not fail: {', '.join(passed)}")
    if not report.answered:
        lines.append("nothing was answered, so nothing is verified")
    elif not any(outcome.is_fault for outcome in report.outcomes):
        lines.append("every answer is right")
    return "\n".join(map(printable, lines))


def json_dict(report: Report) -> dict[str, Any]:
    """Return a report as JSON can hold it."""
    by = report.by
    return {
        "implementation": {"name": by.name, "version": by.version, "language": by.language},
        "status": report.status,
        "verdicts": kinds(report),
        "coverage": {
            call.call: {
                "asked": call.asked,
                "answered": call.answered,
                "enough": call.enough,
                "skipped": dict(call.reasons),
            }
            for call in report.coverage
        },
        "flags": {
            flag: {"description": description, "faults": faults, "answered": answered}
            for flag, description, faults, answered in flag_counts(report)
        },
        "findings": [
            {
                "call": finding.call,
                "wrong": finding.wrong,
                "mistakes": [mistake.name for mistake in finding.named],
                "words": finding.words,
                "smallest": finding.smallest.id,
            }
            for finding in report.findings
        ],
        "outcomes": [
            {
                "id": outcome.id,
                "verdict": outcome.verdict.words,
                "detail": outcome.verdict.detail,
                "expected": outcome.expected,
            }
            for outcome in report.outcomes
        ],
    }
