"""What a run of the vectors finds: an outcome for each question, and the report of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from .._types import Any
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.writing import decimal_string
from ..record import Record
from .judge import FAULTS, RIGHT, Implementation, Verdict
from .vectors import Vector

LOST = ("no answer", "not asked")
"""Words of the verdicts on questions that were not answered at all; they do not count for flags."""

OUTSIDE = "not declared"
"""Words of the verdicts on questions that the implementation does not declare to answer."""

SHARE = 0.5
"""Share of the questions of each call that must be answered."""

MOST_SHOWN = 60
"""Faults that the report lists in full."""


class Outcome(Record):
    """The verdict on one question; ``value`` is the number of the answer, or a list."""

    vector: Vector
    alternative: str | None
    verdict: Verdict
    expected: bool = False
    value: Any = None

    @property
    def id(self) -> str:
        """The id of the question, such as "P0201:greater"."""
        return question_id(self.vector, self.alternative)

    @property
    def is_fault(self) -> bool:
        """Whether it is a fault, expected or not."""
        return self.verdict.kind in FAULTS

    @property
    def words(self) -> str:
        """The words of the verdict on a question that was not answered, else its kind."""
        lost = self.verdict.words in (*LOST, OUTSIDE)
        return self.verdict.words if lost else self.verdict.kind


class Coverage:
    """How far a call was asked: which questions were put, answered, skipped, or not declared."""

    def __init__(self, call: str, outcomes: list[Outcome], share: float, *, required: bool) -> None:
        self.call, self.asked = call, len(outcomes)
        put = [each for each in outcomes if required or each.words != OUTSIDE]
        skipped = [each for each in put if each.verdict.kind == "skipped"]
        answers = [each for each in put if each.verdict.kind != "skipped"]
        self.answered, self.outside = len(answers), len(outcomes) - len(put)
        self.wrong = sum(each.is_fault for each in answers)
        self.skipped = Counter(each.verdict.detail for each in skipped)
        self.enough = len(answers) >= share * len(put)
        self.beyond = _beyond(answers, outcomes)

    @property
    def line(self) -> str:
        """The coverage in words: "sign: every one of 9 answers is right; nothing above 5 pairs"."""
        wrong = f"{self.wrong} of {self.answered} answered wrong"
        words = wrong if self.wrong else _right(self.answered)
        parts = [words if self.answered else "no question was answered"]
        if self.beyond:
            parts.append(f"{' and '.join(self.beyond)} was asked")
        if self.skipped:
            each = (f"{short_text(why, 60)} ({n})" for why, n in self.skipped.most_common(3))
            total = sum(self.skipped.values())
            parts.append(f"{total} of {self.asked} questions skipped: {'; '.join(each)}")
        if self.outside:
            parts.append(f"{self.outside} of {self.asked} questions not declared")
        parts += ["fewer answers than required"] * (not self.enough)
        return f"{self.call}: {'; '.join(parts)}"


def _beyond(answers: list[Outcome], outcomes: list[Outcome]) -> list[str]:
    """Return what the set has beyond the answers, in words: larger inputs and smaller p-values."""
    if not answers:
        return []
    found, rest = [], [each.vector for each in outcomes if each.vector.result != "error"]
    valid = [each.vector for each in answers if each.vector.result != "error"]
    largest = max((vector.size for vector in valid), default=0)
    if any(vector.size > largest for vector in rest):
        found.append(
            f"nothing above {largest} {'p-values' if rest[0].call == 'adjust' else 'pairs'}"
        )
    least = min((vector.least for vector in valid), default=1)
    if any(vector.least < least for vector in rest):
        found.append(f"nothing below p = {decimal_string(least, 2)}")
    return found


class Report(Record):
    """All outcomes of a run, and what the implementation says of itself.

    ``named`` are the formulas that give all answers to a call, by call. ``required`` are the calls
    that must be answered, None for those that are declared, and ``share`` the least share of each.
    """

    by: Implementation
    outcomes: tuple[Outcome, ...]
    named: dict[str, list[str]]
    required: tuple[str, ...] | None = None
    share: float = SHARE

    @property
    def faults(self) -> list[Outcome]:
        """Faults that were not expected, first those with an answer."""
        found = [outcome for outcome in self.outcomes if outcome.is_fault and not outcome.expected]
        return sorted(found, key=lambda outcome: outcome.words in LOST)

    @property
    def answered(self) -> int:
        """Number of questions that were not skipped."""
        return sum(outcome.verdict.kind != "skipped" for outcome in self.outcomes)

    @property
    def coverage(self) -> list[Coverage]:
        """How far each call was asked; one that is not declared counts only where it is required."""
        calls: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            calls.setdefault(outcome.vector.call, []).append(outcome)
        needed = self.required is not None
        return [
            Coverage(call, each, self.share, required=needed)
            for call, each in calls.items()
            if needed or any(outcome.words != OUTSIDE for outcome in each)
        ]

    @property
    def flags(self) -> list[tuple[str, list[Outcome], int]]:
        """Each flag with its wrong answers, smallest first, and all; the greatest share first."""
        answers: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            for flag in outcome.vector.flags if outcome.words in (*RIGHT, *FAULTS) else ():
                answers.setdefault(flag, []).append(outcome)
        wrong = {
            flag: sorted((each for each in outcomes if each.is_fault), key=_size)
            for flag, outcomes in answers.items()
        }
        found = [(flag, wrong[flag], len(answers[flag])) for flag in answers if wrong[flag]]
        return sorted(found, key=lambda row: (-len(row[1]) / row[2], -len(row[1]), row[0]))

    @property
    def kinds(self) -> dict[str, int]:
        """How often each kind of verdict occurs, in the order of the description."""
        counts = Counter(outcome.words for outcome in self.outcomes)
        kinds = (*RIGHT, *FAULTS, *LOST, "skipped", OUTSIDE)
        return {kind: counts[kind] for kind in kinds if counts[kind]}

    @property
    def status(self) -> int:
        """Exit status: 0 where enough was answered and nothing is unexpectedly wrong, else 1."""
        enough = all(coverage.enough for coverage in self.coverage)
        return int(bool(self.faults) or not self.answered or not enough)


def question_id(vector: Vector, alternative: str | None) -> str:
    """Return the id of a question: that of the vector and the alternative."""
    return vector.id if alternative is None else f"{vector.id}:{alternative}"


def _size(outcome: Outcome) -> tuple[int, int, str]:
    return outcome.vector.size, len(str(outcome.vector.input)), outcome.id


def _readings(report: Report) -> Iterator[str]:
    """Yield a line on the answers that are right for the other reading of their numbers."""
    others = [each for each in report.outcomes if each.verdict.kind == "other reading"]
    names = {"decimal": "decimals", "binary64": "doubles (binary64)"}
    for means, taken in (("decimal", "binary64"), ("binary64", "decimal")):
        count = sum(outcome.vector.reading == means for outcome in others)
        if count:
            many = "1 answer is" if count == 1 else f"{count} answers are"
            told = ", as it declares" if report.by.numbers == taken else ""
            yield f"{many} right for numbers read as {names[taken]}{told}; the records mean {names[means]}"


def _flag_lines(report: Report) -> Iterator[str]:
    """Yield a line for each flag, and one for its smallest wrong answer unless it stands there."""
    shown = set()
    for flag, wrong, answered in report.flags:
        about = wrong[0].vector.notes[flag]["description"]
        yield f"  {flag:<11} {len(wrong)} of {answered} wrong: {about}"
        if wrong[0].id not in shown:
            shown.add(wrong[0].id)
            vector, given = wrong[0].vector, short_text(wrong[0].vector.input, 120)
            links = " ".join(("", *(vector.links or ())))
            told = f"{wrong[0].verdict.detail}. {vector.comment}.{links}"
            yield f"    the smallest: {wrong[0].id} {given}: {told}"


def text(report: Report) -> str:
    """Write a report as plain text: what is wrong first, and last the range that was asked."""
    by = report.by
    name = " ".join(filter(None, (by.name, by.version, by.language and f"({by.language})")))
    lines = [f"{name}: {len(report.outcomes)} questions"]
    lines += [f"  {count:>5}  {kind}" for kind, count in report.kinds.items()]
    flags = [*_flag_lines(report)]
    lines += [*["flags, by the share of wrong answers"] * bool(flags), *flags]
    for call, words in report.named.items():
        told = ", or that ".join(words)
        lines.append(f"the wrong answers to {call} are those of a program that {told}")
    lines += _readings(report)
    faults = [f"{each.id} {each.verdict.words}: {each.verdict.detail}" for each in report.faults]
    lines += faults[:MOST_SHOWN]
    if len(faults) > MOST_SHOWN:
        lines.append(f"and {len(faults) - MOST_SHOWN} more; the report as JSON has all")
    passed = sorted({each.id for each in report.outcomes if each.expected and not each.is_fault})
    if passed:
        lines.append(f"known failures that did not fail: {', '.join(passed)}")
    lines += [coverage.line for coverage in report.coverage]
    return "\n".join(map(printable, [*lines, _end(report)]))


def _right(many: int) -> str:
    return "the only answer is right" if many == 1 else f"every one of {many} answers is right"


def _end(report: Report) -> str:
    many, wrong = report.answered, sum(outcome.is_fault for outcome in report.outcomes)
    if not many:
        return "nothing was answered, so nothing is verified"
    words = f"{wrong} of {many} answers are wrong" if wrong else _right(many)
    asked = sum(each.asked for each in report.coverage)
    rest = asked - sum(each.answered for each in report.coverage)
    share = f"; {rest} of {asked} questions ({100 * rest // max(asked, 1)}%) are not verified"
    return words + share * bool(rest)


def json_dict(report: Report) -> dict[str, Any]:
    """Return a report as JSON can hold it."""
    by = report.by
    return {
        "implementation": {"name": by.name, "version": by.version, "language": by.language},
        "status": report.status,
        "verdicts": report.kinds,
        "coverage": {each.call: _coverage_dict(each) for each in report.coverage},
        "flags": {
            flag: {"faults": len(wrong), "answered": answered, "smallest": wrong[0].id}
            for flag, wrong, answered in report.flags
        },
        "named": report.named,
        "outcomes": [_outcome_dict(outcome) for outcome in report.outcomes],
    }


def _coverage_dict(each: Coverage) -> dict[str, Any]:
    names = ("asked", "answered", "wrong", "enough", "skipped")
    return {**{name: getattr(each, name) for name in names}, "words": each.line}


def _outcome_dict(outcome: Outcome) -> dict[str, Any]:
    verdict, expected = outcome.verdict, outcome.expected
    about = {"verdict": verdict.words, "detail": verdict.detail, "expected": expected}
    return {"id": outcome.id, **about}
