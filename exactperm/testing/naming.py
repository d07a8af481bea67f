"""Name a mistake by a formula of the exact values, only where it gives every answer to a call.

A formula gives another number than the p-value, from the p-values of the alternatives, the probability of a tie and the
number of assignments. It is named where all wrong answers, at least three, are its numbers, and no right answer of the
same alternatives contradicts it. Otherwise nothing is said: a wrong name costs an author more than none.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from fractions import Fraction

from .._types import Optional
from .numbers import Numbers, Truth, double

LEAST = 3
"""Wrong answers that a formula must give to be named."""

Truths = dict[str, Truth]
"""The exact values of a record by alternative."""

Answered = tuple[Optional[Numbers], bool, list[Truths], str]
"""An answer, whether it is wrong, the exact values in each reading of its record, the alternative."""

Formula = Callable[[Fraction, Truths, str], bool]
"""Whether a formula gives a number as the answer for an alternative."""

ONE_MINUS_CDF = "subtracts the distribution function from 1 in doubles"
_GRID = Fraction(1, 2**53)


def _equal(value: Fraction, expected: Fraction) -> bool:
    return abs(value - expected) <= abs(expected) / 10**9 or value == double(expected)


def _each(number: Callable[[Fraction, Fraction, Fraction], Fraction]) -> Formula:
    """Return the formula of p, the probability of a tie, and that of one assignment."""

    def gives(value: Fraction, truths: Truths, side: str) -> bool:
        p, atom, total = truths[side]
        known = atom is not None and total is not None
        return known and _equal(value, number(p, atom or p, Fraction(1, total or 1)))

    return gives


def _of_p(number: Callable[[Fraction], Fraction]) -> Formula:
    return lambda value, truths, side: _equal(value, number(truths[side].p))


def _two_sided(number: Callable[[Fraction, Fraction], Fraction]) -> Formula:
    """Return the formula of both tails for the two-sided p-value; the tails themselves are right."""

    def gives(value: Fraction, truths: Truths, side: str) -> bool:
        if side != "two-sided":
            return _equal(value, truths[side].p)
        return _equal(value, number(truths["greater"].p, truths["less"].p))

    return gives


def _exchanged(value: Fraction, truths: Truths, side: str) -> bool:
    return _equal(value, truths[{"greater": "less", "less": "greater"}.get(side, side)].p)


def _one_minus_cdf(value: Fraction, truths: Truths, side: str) -> bool:
    """Return whether a number is on the grid of 1 - x for doubles x near 1, next to the p-value."""
    return not value % _GRID and abs(value - truths[side].p) <= 32 * _GRID


def _single(p: Fraction) -> Fraction:
    return Fraction(struct.unpack("f", struct.pack("f", double(p)))[0])


FORMULAS: dict[str, Formula] = {
    "counts > in place of >=": _each(lambda p, atom, _one: p - atom),
    "answers the mid-p value": _each(lambda p, atom, _one: p - atom / 2),
    "leaves the observed assignment out of the count": _each(lambda p, _atom, one: p - one),
    "adds one to count and total": _each(lambda p, _atom, one: (p + one) / (1 + one)),
    "halves p": _of_p(lambda p: p / 2),
    "doubles p": _of_p(lambda p: p * 2),
    "answers 1 - p": _of_p(lambda p: 1 - p),
    "exchanges greater and less": _exchanged,
    "answers the upper tail as two-sided": _two_sided(lambda greater, _less: greater),
    "doubles the upper tail for two-sided": _two_sided(lambda greater, _less: 2 * greater),
    "doubles the smaller tail without capping": _two_sided(lambda *tails: 2 * min(tails)),
    "rounds p to single precision": _of_p(_single),
    ONE_MINUS_CDF: _one_minus_cdf,
}


def named(answers: Iterable[Answered]) -> list[str]:
    """Return the formulas that give all answers to a call, in words, or all of some alternatives."""
    every = list(answers)
    wrong = [answer for answer in every if answer[1]]
    if len(wrong) < LEAST or not all(isinstance(value, Fraction) for value, *_ in wrong):
        return []
    same = [answer for answer in every if answer[-1] in {each[-1] for each in wrong}]
    found = _giving(every) or _giving(same)
    seen = any(truths[side].p >= 8 * _GRID for *_, readings, side in wrong for truths in readings)
    return [words for words in found if words != ONE_MINUS_CDF or seen]


def _giving(answers: list[Answered]) -> list[str]:
    return [
        words for words, gives in FORMULAS.items() if all(_given(gives, *each) for each in answers)
    ]


def _given(
    gives: Formula, value: Numbers | None, wrong: bool, readings: list[Truths], side: str
) -> bool:
    return not isinstance(value, Fraction) or any(
        gives(value, truths, side) and not (wrong and _equal(value, truths[side].p))
        for truths in readings
    )
