"""What a run of the vectors finds: an outcome for each question, and the report of all, as text and as JSON."""

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

UNITS = {"adjust": "p-values", "two-sample": "scores", "sum": "terms"}
"""What a call has many of; elsewhere pairs."""


class Outcome(Record):
    """The verdict on one question: a vector and an alternative. ``value`` is the number of the answer, or a list."""

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
    def line(self) -> str:
        """The verdict in a line."""
        return f"{self.id} {self.verdict.words}: {self.verdict.detail}"

    @property
    def is_fault(self) -> bool:
        """Whether it is a fault, expected or not."""
        return self.verdict.kind in FAULTS

    @property
    def is_answer(self) -> bool:
        """Whether the program answered, rightly or not."""
        return self.verdict.kind != "skipped" and self.verdict.words not in LOST


class Coverage(Record):
    """How far a call was asked: questions, answers, wrong ones, the largest input and the least p-value answered.

    ``outside`` are questions that the program does not declare to answer, ``reasons`` why others were skipped,
    ``largest`` and ``least`` those of the answers, each None where the set has nothing beyond it.
    """

    call: str
    asked: int
    answered: int
    wrong: int
    outside: int
    reasons: tuple[tuple[str, int], ...]
    enough: bool
    largest: int | None
    least: str | None

    @property
    def line(self) -> str:
        """The coverage in words, such as "wilcoxon: every one of 42 answers is right; nothing above 36 pairs"."""
        if not self.answered:
            words = "no question was answered"
        else:
            many = (
                "the only answer is"
                if self.answered == 1
                else f"every one of {self.answered} answers is"
            )
            words = (
                f"{self.wrong} of {self.answered} answered wrong" if self.wrong else f"{many} right"
            )
        beyond = [f"nothing above {self.largest} {UNITS.get(self.call, 'pairs')}"] * (
            self.largest is not None
        )
        beyond += [f"nothing below p = {self.least}"] * (self.least is not None)
        words += f"; {' and '.join(beyond)} was asked" * bool(beyond)
        if self.reasons:
            why = "; ".join(
                f"{short_text(reason, 60)} ({count})" for reason, count in self.reasons[:3]
            )
            words += f"; {sum(count for _, count in self.reasons)} of {self.asked} questions skipped: {why}"
        words += f"; {self.outside} of {self.asked} questions not declared" * bool(self.outside)
        return f"{self.call}: {words}{'; fewer answers than required' * (not self.enough)}"


class Flag(Record):
    """Answers to the vectors of a flag, the wrong ones, and the smallest vector among these."""

    name: str
    description: str
    wrong: int
    answered: int
    smallest: Outcome

    @property
    def line(self) -> str:
        """The flag in words."""
        return f"  {self.name:<11} {self.wrong} of {self.answered} wrong: {self.description}"


class Report(Record):
    """All outcomes of a run, and what the implementation says of itself.

    ``named`` are the formulas that give all answers to a call, by call. ``required`` are the calls that must be
    answered, None for those that are declared, and ``share`` is the least share of the questions of each.
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
        return sorted(found, key=lambda outcome: outcome.verdict.words in LOST)

    @property
    def answered(self) -> int:
        """Number of questions that were not skipped."""
        return sum(outcome.verdict.kind != "skipped" for outcome in self.outcomes)

    @property
    def coverage(self) -> list[Coverage]:
        """How far each call was asked; what is not declared at all counts only where it is required."""
        calls: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            calls.setdefault(outcome.vector.call, []).append(outcome)
        declared = {each.vector.call for each in self.outcomes if each.verdict.words != OUTSIDE}
        wanted = declared if self.required is None else calls
        return [self._coverage(call, each) for call, each in calls.items() if call in wanted]

    def _coverage(self, call: str, outcomes: list[Outcome]) -> Coverage:
        put = [
            each for each in outcomes if each.verdict.words != OUTSIDE or self.required is not None
        ]
        answered = [each for each in put if each.verdict.kind != "skipped"]
        skipped = Counter(each.verdict.detail for each in put if each.verdict.kind == "skipped")
        valid = [each for each in answered if each.vector.result != "error"]
        largest = max((each.vector.size for each in valid), default=0)
        least = min((p for each in valid if (p := each.vector.least) is not None), default=None)
        further = [
            p
            for each in outcomes
            if (p := each.vector.least) is not None and least is not None and p < least
        ]
        larger = any(
            each.vector.size > largest for each in outcomes if each.vector.result != "error"
        )
        return Coverage(
            call=call,
            asked=len(outcomes),
            answered=len(answered),
            wrong=sum(each.is_fault for each in answered),
            outside=len(outcomes) - len(put),
            reasons=tuple(skipped.most_common()),
            enough=len(answered) >= self.share * len(put),
            largest=largest if larger and answered else None,
            least=decimal_string(least, 2) if further and least is not None else None,
        )

    @property
    def flags(self) -> list[Flag]:
        """The flags with wrong answers, the greatest share of them first."""
        answers: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            for flag in outcome.vector.flags if outcome.is_answer else ():
                answers.setdefault(flag, []).append(outcome)
        found = []
        for name, outcomes in answers.items():
            wrong = sorted((each for each in outcomes if each.is_fault), key=_size)
            if wrong:
                about = wrong[0].vector.notes[name]["description"]
                counts = {"wrong": len(wrong), "answered": len(outcomes)}
                found.append(Flag(name=name, description=about, smallest=wrong[0], **counts))
        return sorted(found, key=lambda flag: (-flag.wrong / flag.answered, -flag.wrong, flag.name))

    @property
    def kinds(self) -> dict[str, int]:
        """How often each kind of verdict occurs, in the order of the description."""
        verdicts = [outcome.verdict for outcome in self.outcomes]
        counts = Counter(
            verdict.words if verdict.words in LOST else verdict.kind for verdict in verdicts
        )
        return {kind: counts[kind] for kind in (*RIGHT, *FAULTS, *LOST, "skipped") if counts[kind]}

    @property
    def status(self) -> int:
        """Exit status: 0 where enough was answered and no unexpected fault is among it, else 1."""
        enough = all(coverage.enough for coverage in self.coverage)
        return int(bool(self.faults) or not self.answered or not enough)


def question_id(vector: Vector, alternative: str | None) -> str:
    """Return the id of a question: that of the vector and the alternative."""
    return vector.id if alternative is None else f"{vector.id}:{alternative}"


def _size(outcome: Outcome) -> tuple[int, int, str]:
    return outcome.vector.size, len(str(outcome.vector.input)), outcome.id


def _readings(report: Report) -> Iterator[str]:
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


def text(report: Report) -> str:
    """Write a report as plain text: what is wrong first, and at the end the range that was asked."""
    by = report.by
    name = " ".join(filter(None, (by.name, by.version)))
    lines = [
        f"{name}{f' ({by.language})' if by.language else ''}: {len(report.outcomes)} questions"
    ]
    lines += [f"  {count:>5}  {kind}" for kind, count in report.kinds.items()]
    flags = report.flags
    lines += ["flags, by the share of wrong answers"] * bool(flags)
    for flag in flags:
        lines += [flag.line, *_smallest(flag.smallest, lines)]
    lines += [
        f"the wrong answers to {call} are those of a program that {_joined(each)}"
        for call, each in report.named.items()
    ]
    lines += [*_readings(report)]
    lines += [outcome.line for outcome in report.faults[:MOST_SHOWN]]
    if len(report.faults) > MOST_SHOWN:
        lines.append(f"and {len(report.faults) - MOST_SHOWN} more; the report as JSON has all")
    passed = sorted(
        {outcome.id for outcome in report.outcomes if outcome.expected and not outcome.is_fault}
    )
    if passed:
        lines.append(f"known failures that did not fail: {', '.join(passed)}")
    lines += [coverage.line for coverage in report.coverage]
    return "\n".join(map(printable, [*lines, _end(report)]))


def _smallest(outcome: Outcome, before: list[str]) -> Iterator[str]:
    """Yield the line of the smallest wrong answer, with its links, unless it stands there already."""
    links = " ".join(("", *(outcome.vector.links or ())))
    given = short_text(outcome.vector.input, 120)
    line = f"    the smallest: {outcome.id} {given}: {outcome.verdict.detail}. {outcome.vector.comment}.{links}"
    if line not in before:
        yield line


def _joined(words: list[str]) -> str:
    return ", or that ".join(words)


def _end(report: Report) -> str:
    wrong = sum(outcome.is_fault for outcome in report.outcomes)
    if not report.answered:
        return "nothing was answered, so nothing is verified"
    asked = sum(coverage.asked for coverage in report.coverage)
    unasked = asked - sum(coverage.answered for coverage in report.coverage)
    words = (
        f"{wrong} of {report.answered} answers are wrong"
        if wrong
        else f"every one of {report.answered} answers is right"
    )
    return (
        f"{words}; {unasked} of {asked} questions ({100 * unasked // asked}%) are not verified"
        if unasked
        else words
    )


def json_dict(report: Report) -> dict[str, Any]:
    """Return a report as JSON can hold it."""
    by = report.by
    return {
        "implementation": {"name": by.name, "version": by.version, "language": by.language},
        "status": report.status,
        "verdicts": report.kinds,
        "coverage": {
            each.call: {
                "asked": each.asked,
                "answered": each.answered,
                "wrong": each.wrong,
                "enough": each.enough,
                "skipped": dict(each.reasons),
                "words": each.line,
            }
            for each in report.coverage
        },
        "flags": {
            flag.name: {
                "description": flag.description,
                "faults": flag.wrong,
                "answered": flag.answered,
                "smallest": flag.smallest.id,
            }
            for flag in report.flags
        },
        "named": report.named,
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
