"""Bounds of p-values over all data that round to a printed table.

A linear statistic flips the signs of f_1, ..., f_n: differences, signed ranks, or signs. Where each
f_i is known to lie in [low_i, high_i], the exact one-sided p-value P(sum of the flipped f_i <= 0)
falls in each f_i, so it lies between those of the two corners. The laws of the normal and of
Student's test depend on (T - s) / sqrt(Q) only, T the sum of the f_i, Q that of their squares, s
the continuity correction; :func:`_greatest` and :func:`_least` bound it.
Source: spec/10-audit.md.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property, partial

from .._types import TYPE_CHECKING
from ..arithmetic.enclosure import ZERO, Enclosure
from ..arithmetic.rational import Exact
from ..record import Record
from .laws import normal_tail, t_tail

if TYPE_CHECKING:
    from typing import Protocol

    from .conventions import Facts, Value

    class Ranges(Protocol):
        """All data that round to the given ones; ``refused`` where a corner is not counted, or was not allowed."""

        @property
        def refused(self) -> bool:
            """Whether a corner is not counted, or was more than was allowed."""

        def value(self, law: str, tail: str, boundary: str) -> Value | None:
            """Return bounds of the p-value of a convention; None where there are none."""


Column = Sequence[Exact]
Ends = tuple[Fraction, Fraction]


_MOST_DECIMALS = 4
"""A table with more decimals in a score is no printed one."""


def unit_of(scores: Column) -> Fraction | None:
    """Return the unit of the last digit of scores in decimals, at least 1 for integers; None where one has no few.

    >>> unit_of([Fraction(931, 10), 92, Fraction(9225, 100)])
    Fraction(1, 100)
    """
    unit = Fraction(1)
    for score in scores:
        while (score / unit).denominator > 1:
            unit /= 10
            if unit < Fraction(1, 10**_MOST_DECIMALS):
                return None
    while unit >= 1 and any(scores) and all(score % (10 * unit) == 0 for score in scores):
        unit *= 10
    return unit


def box_of(flips: str, differences: Column, half: Column) -> tuple[list[Exact], list[Exact]]:
    """Return (low, high) of what a test flips: "sum", "signed-rank" or "sign" of differences known to +-half.

    The rank of a difference is at least 1 + the number of others that are surely smaller and surely
    not 0, and at most 1 + the number of those that may be smaller: whatever the ties, and the rule
    for zeros.
    """
    low = [d - h for d, h in zip(differences, half)]
    high = [d + h for d, h in zip(differences, half)]
    if flips == "sum":
        return low, high
    if flips == "sign":
        most, least = [1] * len(low), [1] * len(low)
    else:
        sizes = [(max(a, -b, 0), max(-a, b)) for a, b in zip(low, high)]
        may = sorted(least for least, _most in sizes)
        sure = sorted(most for least, most in sizes if least > 0)
        most = [bisect_right(may, size) for _, size in sizes]
        least = [1 + bisect_left(sure, size) for size, _ in sizes]
    return (
        [r if a > 0 else -s if a < 0 else 0 for a, r, s in zip(low, least, most)],
        [-r if b < 0 else s if b > 0 else 0 for b, r, s in zip(high, least, most)],
    )


class Box(Record):
    """All columns of flips between two corners; ``n`` pairs, ``count`` counts the test that flips one column."""

    low: tuple[Exact, ...]
    high: tuple[Exact, ...]
    n: int
    count: Callable[[Column], Facts]

    @property
    def refused(self) -> bool:
        """Whether a corner is not counted, or was more than was allowed."""
        return "_corners" not in self.__dict__ or any(facts.refused for facts in self._corners)

    @cached_property
    def _corners(self) -> tuple[Facts, Facts]:
        return self.count(self.low), self.count(self.high)

    def value(self, law: str, tail: str, boundary: str) -> Value | None:
        """Return bounds of the p-value of a convention in the box; None where a count is refused.

        The lower bound of an exact test counts the observed assignment, and else only those beyond
        it: a program that adds in floating point may lose ties of the scores before they were
            rounded.
        """
        if law in ("exact", "monte-carlo"):
            above = "mid" if boundary == "mid" else ">="
            itself = Fraction({">=": 2, "mid": 1, ">": 0}[boundary], 2 << len(self.low))
            first, last = self._corners
            up, up_most = _end(last, "greater", ">", 0), _end(first, "greater", above, 1)
            down, down_most = _end(first, "less", ">", 0), _end(last, "less", above, 1)
            if up is None or up_most is None or down is None or down_most is None:
                return None
            ends = [up + itself, up_most, down + itself, down_most]
        else:
            ends = [
                *self._tails(law, self.low, self.high),
                *self._tails(law, *_negated(self.low, self.high)),
            ]
        return range_of(tail, *ends)

    def _tails(self, law: str, low: Column, high: Column) -> Ends:
        """Return the least and the greatest upper tail of a law."""
        step = 1 if law == "normal-cc" else 0
        upper = partial(_student, n=self.n) if law == "t" else normal_tail
        least, most = signed_squares(low, high, step)
        return _tail(most, upper)[0], _tail(least, upper)[1]


def signed_squares(low: Column, high: Column, step: Exact) -> Ends:
    """Return bounds of (T - step) / sqrt(Q) over a box, as squares with their signs; of one point they are equal.

    >>> signed_squares([2, -1], [2, -1], 0)
    (Fraction(1, 5), Fraction(1, 5))
    """
    return -_greatest(*_negated(low, high), -step), _greatest(low, high, step)


def _negated(low: Column, high: Column) -> tuple[list[Exact], list[Exact]]:
    return [-f for f in high], [-f for f in low]


def _end(facts: Facts, tail: str, boundary: str, i: int) -> Fraction | None:
    value = facts.value("exact", tail, boundary)
    return value[i] if isinstance(value, tuple) else value


def range_of(
    tail: str, up: Fraction, up_most: Fraction, down: Fraction, down_most: Fraction
) -> Ends:
    """Return the range of a tail from those of the two one-sided p-values: the smaller one is twice the two-sided."""
    if tail == "greater":
        return up, up_most
    if tail == "less":
        return down, down_most
    times = 1 if tail == "min" else 2
    least, most = times * min(up, down), times * min(up_most, down_most)
    return (least, most) if tail == "2min" else (min(least, Fraction(1)), min(most, Fraction(1)))


def _tail(ratio: Fraction, upper: Callable[[Exact], Enclosure]) -> Ends:
    """Return bounds of the upper tail from sign(ratio) * sqrt(abs(ratio)) on."""
    value = upper(abs(ratio))
    return (value if ratio >= 0 else value.complement()).ends()


def _student(square: Exact, n: int) -> Enclosure:
    """Enclose the tail of Student's test by T**2 / Q: t**2 = (n - 1) (T**2 / Q) / (n - T**2 / Q)."""
    return (
        ZERO if square >= n else t_tail(Fraction((n - 1) * square) / (n - Fraction(square)), n - 1)
    )


def _greatest(low: Column, high: Column, step: Exact) -> Fraction:
    """Return the greatest (T - step) / sqrt(Q) over the box, as its square with its sign.

    Where T > step somewhere, the ratio is quasi-concave there, and at its maximum each f_i is c = Q
    / (T - step), put into [low_i, high_i]. Between two ends of intervals k of them are free: T -
    step = k c + A, Q = k c**2 + B, with the maximum at c = B / A. Where Q may be 0, ranks and signs
    have Q >= 1 all the same, and (sqrt(n) + 1)**2 <= 2 n + 2.
    """
    if sum(high) <= step:
        return -_least(*_negated(low, high), -step)
    events = sorted([(a, 1, a) for a in low] + [(b, -1, b) for b in high])
    k, A, B = 0, sum(low) - step, sum(f * f for f in low)
    best = Fraction(0)
    for i, (c, change, f) in enumerate(events):
        k += change
        A, B = A - change * f, B - change * f * f
        until = events[i + 1][0] if i + 1 < len(events) else c
        stationary = [Fraction(B) / A] if A > 0 and c <= Fraction(B) / A <= until else []
        for x in (c, *stationary):
            T, Q = k * x + A, k * x * x + B
            if T > 0:
                best = max(best, Fraction(T * T) / Q if Q else Fraction(2 * len(low) + 2))
    return best


def _least(low: Column, high: Column, step: Exact) -> Fraction:
    """Return a lower bound of (T - step)**2 / Q over a box where T >= step everywhere.

    Q is at most its chord between the ends, so (T, Q) lies in a zonotope. Its boundary of greatest
    Q for each T takes the f_i from low_i to high_i in descending order of low_i + high_i; on each
    piece the bound is quasi-convex.
    """
    T, Q = sum(low) - step, sum(f * f for f in low)
    least = Fraction(T * T) / Q if Q else Fraction(0)
    for a, b in sorted(zip(low, high), key=lambda ends: -(ends[0] + ends[1])):
        dT, dQ = b - a, b * b - a * a
        w = Fraction(dQ * T - 2 * dT * Q) / (dT * dQ) if dT * dQ else Fraction(1)
        for x in {min(max(w, Fraction(0)), Fraction(1)), Fraction(1)}:
            if Q + x * dQ > 0:
                least = min(least, (T + x * dT) ** 2 / (Q + x * dQ))
        T, Q = T + dT, Q + dQ
    return least
