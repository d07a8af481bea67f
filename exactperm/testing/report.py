"""What a run of the vectors finds: an outcome for each question, and the report of all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..arithmetic.quoting import printable, short_text
from ..arithmetic.writing import decimal_string
from ..record import Record
from .judge import FAULTS, LOST, RIGHT, Implementation
from .numbers import Numbers
from .vectors import Vector

OUTSIDE = "not declared"
"""The kind of verdict on questions that the implementation does not declare to answer."""

SHARE = 0.5
"""Share of the questions of each call that must be answered."""

MOST_SHOWN = 60
"""Faults that the report lists in full."""


class Outcome(NamedTuple):
    """The verdict on one question; ``value`` is the number of the answer, or a list."""

    id: str
    vector: Vector
    alternative: str | None
    kind: str
    detail: str = ""
    expected: bool = False
    value: Numbers | None = None

    @property
    def is_fault(self) -> bool:
        """Whether it is a fault, expected or not."""
        return self.kind in (*FAULTS, LOST)


class Coverage(NamedTuple):
    """How far a call was asked: how many questions were put, answered, answered wrong, and in words."""

    asked: int
    answered: int
    wrong: int
    enough: bool
    words: str


def _coverage(outcomes: list[Outcome], share: float, *, required: bool) -> Coverage:
    """Return the coverage of a call; what is not declared counts only where it is required."""
    put = [each for each in outcomes if required or each.kind != OUTSIDE]
    answers = [each for each in put if each.kind not in ("skipped", OUTSIDE)]
    wrong, enough = sum(each.is_fault for each in answers), len(answers) >= share * len(put)
    words = [f"{wrong} of {len(answers)} answered wrong" if wrong else _right(len(answers))]
    words += _beyond(answers, outcomes) if answers else []
    skipped = Counter(each.detail for each in outcomes if each.kind in ("skipped", OUTSIDE))
    if skipped:
        why = "; ".join(f"{short_text(why, 60)} ({n})" for why, n in skipped.most_common(3))
        words.append(f"{sum(skipped.values())} of {len(outcomes)} questions skipped: {why}")
    words += ["fewer answers than required"] * (not enough)
    return Coverage(len(outcomes), len(answers), wrong, enough, "; ".join(words))


def _right(many: int) -> str:
    if many < 2:
        return "the only answer is right" if many else "no question was answered"
    return f"every one of {many} answers is right"


def _beyond(answers: list[Outcome], outcomes: list[Outcome]) -> list[str]:
    """Return what the set has beyond the answers, in words: larger inputs and smaller p-values."""
    largest = max(each.vector.size for each in answers)
    least = min(each.vector.least for each in answers)
    things = "p-values" if answers[0].vector.call == "adjust" else "pairs"
    found = [f"nothing above {largest} {things}"] * any(
        each.vector.size > largest for each in outcomes
    )
    if any(each.vector.least < least for each in outcomes):
        found.append(f"nothing below p = {decimal_string(least, 2)}")
    return [f"{' and '.join(found)} was asked"] * bool(found)


class Report(Record):
    """All outcomes of a run, and what the implementation says of itself.

    ``named`` are the formulas that give all answers to a call, by call. ``required`` says whether
    all calls must be answered, not only those that are declared, and ``share`` the least share of each.
    """

    by: Implementation
    outcomes: tuple[Outcome, ...]
    named: dict[str, list[str]]
    required: bool = False
    share: float = SHARE

    @property
    def faults(self) -> list[Outcome]:
        """Faults that were not expected."""
        return [each for each in self.outcomes if each.is_fault and not each.expected]

    @property
    def coverage(self) -> dict[str, Coverage]:
        """How far each call was asked; one that is not declared counts only where it is required."""
        calls: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            calls.setdefault(outcome.vector.call, []).append(outcome)
        return {
            call: _coverage(each, self.share, required=self.required)
            for call, each in calls.items()
            if self.required or any(outcome.kind != OUTSIDE for outcome in each)
        }

    @property
    def flags(self) -> list[tuple[str, list[Outcome], int]]:
        """Each flag with its wrong answers, smallest first, and all; the greatest share first."""
        answers: dict[str, list[Outcome]] = {}
        for outcome in sorted(self.outcomes, key=lambda each: (each.vector.size, each.id)):
            for flag in outcome.vector.flags if outcome.kind in (*RIGHT, *FAULTS) else ():
                answers.setdefault(flag, []).append(outcome)
        found = [
            (flag, [each for each in outcomes if each.is_fault], len(outcomes))
            for flag, outcomes in answers.items()
        ]
        wrong = [row for row in found if row[1]]
        return sorted(wrong, key=lambda row: (-len(row[1]) / row[2], -len(row[1]), row[0]))

    @property
    def kinds(self) -> dict[str, int]:
        """How often each kind of verdict occurs."""
        return dict(Counter(outcome.kind for outcome in self.outcomes).most_common())

    @property
    def status(self) -> int:
        """Exit status: 0 where enough was answered and nothing is unexpectedly wrong, else 1."""
        coverage = self.coverage.values()
        enough = all(each.enough for each in coverage) and any(each.answered for each in coverage)
        return int(bool(self.faults) or not enough)


def _flag_lines(report: Report) -> Iterator[str]:
    """Yield a line for each flag, and one for its smallest wrong answer unless it stands there."""
    shown = set()
    for flag, (smallest, *more), answered in report.flags:
        vector = smallest.vector
        about = vector.notes[flag]["description"]
        yield f"flag {flag}: {1 + len(more)} of {answered} wrong: {about}"
        if smallest.id not in shown:
            shown.add(smallest.id)
            told = " ".join((f"{smallest.detail}. {vector.comment}.", *(vector.links or ())))
            yield f"    the smallest: {smallest.id} {short_text(vector.input, 120)}: {told}"


def text(report: Report) -> str:
    """Write a report as plain text: what is wrong first, and last the range that was asked."""
    by, faults, coverage = report.by, report.faults, report.coverage
    name = " ".join(filter(None, (by.name, by.version, by.language and f"({by.language})")))
    lines = [f"{name}: {len(report.outcomes)} questions"]
    lines += [f"  {count:>5}  {kind}" for kind, count in report.kinds.items()]
    lines += _flag_lines(report)
    for call, words in report.named.items():
        told = ", or that ".join(words)
        lines.append(f"the wrong answers to {call} are those of a program that {told}")
    lines += [f"{each.id} {each.kind}: {each.detail}" for each in faults[:MOST_SHOWN]]
    if len(faults) > MOST_SHOWN:
        lines.append(f"and {len(faults) - MOST_SHOWN} more; the report as JSON has all")
    passed = [each.id for each in report.outcomes if each.expected and not each.is_fault]
    lines += [f"known failures that did not fail: {', '.join(passed)}"] * bool(passed)
    lines += [f"{call}: {each.words}" for call, each in coverage.items()]
    return "\n".join(map(printable, [*lines, _end([*coverage.values()])]))


def _end(coverage: list[Coverage]) -> str:
    asked, many, wrong = [
        sum(column) for column in zip((0, 0, 0), *(each[:3] for each in coverage))
    ]
    if not many:
        return "nothing was answered, so nothing is verified"
    words = f"{wrong} of {many} answers are wrong" if wrong else _right(many)
    rest = f"; {asked - many} of {asked} questions ({1 - many / asked:.0%}) are not verified"
    return words + rest * (many < asked)


def json_dict(report: Report) -> dict[str, object]:
    """Return a report as JSON can hold it."""
    return {
        "implementation": dict(vars(report.by)),
        "status": report.status,
        "verdicts": report.kinds,
        "coverage": {call: each._asdict() for call, each in report.coverage.items()},
        "flags": {flag: [each.id for each in wrong] for flag, wrong, _all in report.flags},
        "named": report.named,
        "outcomes": [
            {"id": each.id, "verdict": each.kind, "detail": each.detail, "expected": each.expected}
            for each in report.outcomes
        ],
    }
