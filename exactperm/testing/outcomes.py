"""What a run of the vectors finds: an outcome for each question, findings about wrong ones, and the report of all."""

from __future__ import annotations

from collections import Counter

from .._types import Any
from ..record import Record
from .judge import FAULTS, Implementation, Verdict
from .vectors import Mistake, Vector

LOST = ("no answer", "not asked")
"""Words of the verdicts on questions that were not answered at all; they do not count for flags."""

OUTSIDE = "not declared"
"""Words of the verdicts on questions that the implementation does not declare to answer."""

SHARE = 0.5
"""Share of the questions of each call that must be answered."""


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


class Coverage(Record):
    """Numbers of questions of a call that were put and answered, and of the reasons why others were not."""

    call: str
    asked: int
    answered: int
    reasons: tuple[tuple[str, int], ...]
    enough: bool


class Finding(Record):
    """What is known of the wrong answers to a call: the mistakes that explain them, if any, and one to begin with.

    ``named`` has several descriptions where several mistakes give the same answers, or where
    ``together`` they do. ``least`` is the least number of swap units with wrong answers where
    smaller records are answered rightly.
    """

    call: str
    wrong: int
    smallest: Outcome
    named: tuple[Mistake, ...] = ()
    together: bool = False
    least: int = 0
    rounded: int = 0

    @property
    def words(self) -> str:
        """The finding in words; "" where no mistake is named."""
        told = (" And: " if self.together else " Or, which the answers do not tell apart: ").join(
            mistake.words for mistake in self.named
        )
        told += f" From {self.least} swap units on." * bool(self.least)
        return (
            told
            + f" Apart from {self.rounded} answers where sums of floats are rounded."
            * bool(self.rounded)
        )


class Report(Record):
    """All outcomes of a run, and what the implementation says of itself.

    ``findings`` name the mistakes. ``required`` are the calls that must be answered, None for those
    that are declared, and ``share`` is the least share of the questions of each.
    """

    by: Implementation
    outcomes: tuple[Outcome, ...]
    findings: tuple[Finding, ...] = ()
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
        """How much of each call was answered; what is not declared counts only where it is required."""
        calls: dict[str, list[Verdict]] = {}
        for outcome in self.outcomes:
            if outcome.verdict.words != OUTSIDE or self.required is not None:
                calls.setdefault(outcome.vector.call, []).append(outcome.verdict)
        return [self._coverage(call, verdicts) for call, verdicts in calls.items()]

    def _coverage(self, call: str, verdicts: list[Verdict]) -> Coverage:
        skipped = Counter(verdict.detail for verdict in verdicts if verdict.kind == "skipped")
        answered = len(verdicts) - sum(skipped.values())
        enough = answered >= self.share * len(verdicts)
        reasons = tuple(skipped.most_common())
        return Coverage(
            call=call, asked=len(verdicts), answered=answered, reasons=reasons, enough=enough
        )

    @property
    def status(self) -> int:
        """Exit status: 0 where enough was answered and no unexpected fault is among it, else 1."""
        enough = all(coverage.enough for coverage in self.coverage)
        return int(bool(self.faults) or not self.answered or not enough)


def question_id(vector: Vector, alternative: str | None) -> str:
    """Return the id of a question: that of the vector and the alternative."""
    return vector.id if alternative is None else f"{vector.id}:{alternative}"
