"""Name the mistakes of an implementation by evidence: its answers equal those of a known wrong implementation.

The file wrong-answers.json of the vectors holds what each known mistake answers to each record that
it changes. A mistake is named only if it explains every answer to a call: each question that it
changes is answered as it would answer, and every other one is answered rightly. An implementation
that no mistake explains has an unknown one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import permutations

from .._types import Any
from ..errors import ExactPermError
from ..record import replaced
from .numbers import number, numbers, right_answer
from .outcomes import Finding, Outcome, Report
from .vectors import Mistake, Vector

LEAST = 3
"""Answers that a mistake must explain to be named."""

_SAME = Fraction(1, 10**6)
_EQUAL = Fraction(1, 10**9)
# an answer is that of a mistake where it is so many times nearer to it than the right one is
_NEARER = 16

_AS, _RIGHT, _OPEN, _ELSE, _NOT = "as", "right", "open", "else", "not"
"""An answer is that of the mistake; it is right, and so is the mistake; the mistake is not simulated; the answer is
wrong where the mistake is right; it is not that of the mistake."""


def findings(
    report: Report, vectors: Mapping[str, Vector], mistakes: Iterable[Mistake]
) -> list[Finding]:
    """Return what the wrong answers of a report show, by call."""
    calls: dict[str, list[Outcome]] = {}
    for outcome in report.outcomes:
        if outcome.value is not None and outcome.vector.result != "error":
            calls.setdefault(outcome.vector.call, []).append(outcome)
    known: dict[str, list[Mistake]] = {}
    for mistake in mistakes:
        known.setdefault(mistake.call, []).append(mistake)
    decimal = report.by.numbers == "decimal"
    return [
        _Call(call, outcomes, {} if decimal else vectors, known.get(call, [])).finding()
        for call, outcomes in calls.items()
        if any(outcome.is_fault for outcome in outcomes)
    ]


class _Call:
    """The answers to one call, compared with those of its mistakes."""

    def __init__(
        self,
        call: str,
        outcomes: list[Outcome],
        partners: Mapping[str, Vector],
        mistakes: list[Mistake],
    ) -> None:
        self.call, self.outcomes = call, outcomes
        self.wrong = [i for i, outcome in enumerate(outcomes) if outcome.is_fault]
        self.mistakes = {mistake.name: mistake for mistake in mistakes}
        self.states = {
            name: [_state(outcome, mistake, partners) for outcome in outcomes]
            for name, mistake in self.mistakes.items()
        }
        floats = [mistake for mistake in mistakes if mistake.may]
        self.rounded = {
            i
            for i, outcome in enumerate(outcomes)
            if any(outcome.vector.id in mistake.answers for mistake in floats)
        }

    def finding(self) -> Finding:
        """Return the simplest explanation: one mistake, one from some size on, two, or one apart from rounded sums."""
        smallest = min((self.outcomes[i] for i in self.wrong), key=_size)
        found = Finding(call=self.call, wrong=len(self.wrong), smallest=smallest)
        everywhere = set(range(len(self.outcomes)))
        if named := self._best(everywhere):
            return replaced(found, named=self._named(named))
        for name in self.states:
            if least := self._from_size(name):
                return replaced(found, named=self._named([name]), least=least)
        if pair := self._pair():
            return replaced(found, named=self._named(pair), together=True)
        if self.rounded and (named := self._best(everywhere - self.rounded)):
            return replaced(
                found, named=self._named(named), rounded=len(self.rounded.intersection(self.wrong))
            )
        return found

    def _named(self, names: Iterable[str]) -> tuple[Mistake, ...]:
        return tuple(self.mistakes[name] for name in names)

    def _explained(self, name: str, where: set[int]) -> int:
        """Count the wrong answers that are those of a mistake; 0 where it does not explain all answers."""
        states = self.states[name]
        if any(states[i] in (_NOT, _ELSE) for i in where):
            return 0
        return sum(states[i] == _AS for i in where)

    def _best(self, where: set[int]) -> list[str]:
        """Return the mistakes that explain most answers; those of fixed answers come before others."""
        counts = {name: self._explained(name, where) for name in self.states}
        counts = {name: count for name, count in counts.items() if count >= LEAST}
        fixed = {
            name: count for name, count in counts.items() if not self.mistakes[name].may
        } or counts
        most = max(fixed.values(), default=0)
        return [name for name, count in fixed.items() if count == most]

    def _from_size(self, name: str) -> int:
        """Return the number of swap units from which on a mistake explains all answers, or 0."""
        states = self.states[name]
        sizes = [_units(outcome) for outcome in self.outcomes]
        explained = [sizes[i] for i in self.wrong if states[i] == _AS]
        least = min(explained, default=0)
        others = [i for i, state in enumerate(states) if state in (_NOT, _ELSE)]
        fits = all(sizes[i] < least and not self.outcomes[i].is_fault for i in others)
        return least if fits and len(explained) >= LEAST else 0

    def _pair(self) -> tuple[str, ...]:
        """Return two mistakes that explain all answers together, the first of them all those that it changes."""
        likely = [name for name, states in self.states.items() if states.count(_AS) >= LEAST]
        for one, other in permutations(likely, 2):
            if _NOT not in self.states[one] and all(
                map(_together, self.states[one], self.states[other])
            ):
                return one, other
        return ()


def _together(one: str, other: str) -> bool:
    """Return whether an answer is explained by one of two mistakes, or is right by both."""
    return _AS in (one, other) or (_NOT not in (one, other) and (one, other) != (_ELSE, _ELSE))


def _units(outcome: Outcome) -> int:
    expect = outcome.vector.expect.get(str(outcome.alternative))
    return int(expect.get("bits", 0)) if isinstance(expect, dict) else 0


def _size(outcome: Outcome) -> tuple[int, int, str]:
    return _units(outcome), len(str(outcome.vector.input)), outcome.id


def _state(outcome: Outcome, mistake: Mistake, partners: Mapping[str, Vector]) -> str:
    """Return how an answer compares with a mistake, in the reading of its record or in the other one."""
    readings = [outcome.vector, partners.get(outcome.vector.other or "")]
    states = {_state_in(vector, outcome, mistake) for vector in readings if vector is not None}
    return next(state for state in (_AS, _RIGHT, _OPEN, _ELSE, _NOT) if state in states)


def _state_in(vector: Vector, outcome: Outcome, mistake: Mistake) -> str:
    if vector.id in mistake.unknown:
        return _OPEN
    answers = mistake.answers.get(vector.id)
    answer = answers[vector.questions.index(outcome.alternative)] if answers else None
    if answer is None:
        return _ELSE if outcome.is_fault else _RIGHT
    if _same(outcome.value, answer, right_answer(vector.answer(outcome.alternative))):
        return _AS
    return _RIGHT if mistake.may and not outcome.is_fault else _NOT


def _same(value: Any, answer: Any, truth: Any) -> bool:
    """Return whether a value is the answer of a mistake: for lists each one; for {"from", "to"} a wrong one between.

    ``truth`` is the right value; None where lists are of other lengths, so that an entry has none.
    """
    if isinstance(answer, list):
        truths = (
            truth if isinstance(truth, list) and len(truth) == len(answer) else [None] * len(answer)
        )
        return (
            isinstance(value, list)
            and len(value) == len(answer)
            and all(map(_same, value, answer, truths))
        )
    if isinstance(answer, dict):
        low, high = [Fraction(number(answer[end])) for end in ("from", "to")]
        step = Fraction(number(answer.get("step", 0)))
        between = isinstance(value, Fraction) and low <= value <= high
        return between and not (step and value % step) and abs(value - truth) > truth * _EQUAL
    wrong = number(answer)
    if not (isinstance(value, Fraction) and isinstance(wrong, Fraction)):
        return type(value) is type(wrong) and str(value) == str(wrong)
    if not isinstance(truth, Fraction):
        return bool(abs(value - wrong) <= abs(wrong) * _SAME)
    if abs(wrong - truth) <= abs(truth) * _EQUAL:  # an entry of a list that is right
        return bool(abs(value - truth) <= abs(truth) * _EQUAL)
    return bool(abs(value - wrong) <= min(abs(wrong) * _SAME, abs(wrong - truth) / _NEARER))


def value_of(reply: Mapping[str, Any]) -> Any:
    """Return the number of a reply, or the list of its numbers; None where it has none."""
    try:
        return None if reply.get("p") is None else numbers(reply["p"])
    except ExactPermError:
        return None
