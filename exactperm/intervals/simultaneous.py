"""Simultaneous confidence intervals for the shifts between all pairs of systems.

Each of the m intervals has a level at which all of them together hold with the wanted probability:
by Bonferroni 1 - (1 - confidence) / m, whatever the dependence; by Sidak confidence**(1/m) for
independent intervals.

Source: multiple comparisons of the lecture; spec/13-intervals.md#own-simultaneous-intervals.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import combinations
from operator import sub

from .._types import Any, Executor, Literal
from ..arithmetic.rational import Exact
from ..arithmetic.reading import choice, exact, level
from ..arithmetic.writing import decimal_string, exact_text, readable
from ..budget import Budget, Progress, answers
from ..null.alternative import Alternative, check_alternative
from ..record import Record, Result
from ..swaps.columns import read_columns, systems_of, unit_numbers
from ..swaps.statistic import difference
from .confidence import ConfidenceInterval, grouped, interval_of
from .search import End, UnitSum

_PLACES = 64  # of Sidak's level, which is irrational and rounded up


class PairInterval(Record):
    """Interval for the shift of ``first`` against ``second``."""

    first: str
    second: str
    interval: ConfidenceInterval

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {"first": self.first, "second": self.second, **self.interval.to_dict()}


class SimultaneousIntervals(Result):
    """All intervals of :func:`simultaneous_intervals`: iterable, one for each pair of systems in the order given.

    ``confidence`` is the level of all together, ``adjust`` the method that gives each its level.
    """

    intervals: tuple[PairInterval, ...]
    confidence: Exact
    adjust: str
    alternative: Alternative

    def __iter__(self) -> Iterator[PairInterval]:
        return iter(self.intervals)

    def __len__(self) -> int:
        return len(self.intervals)

    @property
    def exact(self) -> bool:
        """Whether all ends are known exactly."""
        return all(row.interval.exact for row in self.intervals)

    @property
    def heading(self) -> str:
        """The level and the method; "~" marks an end that is shown about where it is."""
        percent = readable(exact(Fraction(100 * self.confidence)))
        return f"{percent}% simultaneous intervals ({self.adjust}, {self.alternative}); ~ about"

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        return "first", "second", "mean difference", "lower", "upper"

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return a row of texts for each pair of systems."""
        return tuple(
            (
                row.first,
                row.second,
                readable(row.interval.estimate),
                *map(_end_text, (row.interval.lower, row.interval.upper)),
            )
            for row in self
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {
            "confidence": exact_text(self.confidence),
            "adjust": self.adjust,
            "alternative": self.alternative,
            "rows": [row.to_dict() for row in self.intervals],
        }


def _end_text(end: End | None) -> str:
    """Write an end: ten digits of an exact one, and about four of one that is enclosed, after a tilde."""
    if end is None:
        return "infinite"
    low, high = end
    return readable(low) if low == high else f"~{decimal_string(Fraction(low + high) / 2, 4)}"


def simultaneous_intervals(
    scores: Mapping[str, object],
    confidence: object = "0.95",
    *,
    adjust: Literal["bonferroni", "sidak"] = "bonferroni",
    alternative: Alternative = "two-sided",
    groups: object = None,
    decimals: int | None = None,
    precision: object = "0.01",
    budget: Budget | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> SimultaneousIntervals:
    """Return intervals for the shifts between all pairs of systems that hold together with a level ``confidence``.

    An interval leaves out 0 where the Bonferroni (or Sidak) adjusted p-value is at most 1 -
    confidence; Holm's method may reject more. ``adjust`` "sidak" is for independent intervals.
    ``scores``, ``executor`` and ``progress`` are those of :func:`exactperm.compare_all`, the others
    those of :func:`exactperm.confidence_interval`.

    Raises as these do, and errors name the system. Cost: 190 intervals of 200 pairs, 2 decimals,
    take 15 s.
    Source: multiple comparisons of the lecture; spec/13-intervals.md#own-simultaneous-intervals.

    >>> scores = {"a": [3, 4, 6, 8, 9], "b": [1, 1, 2, 3, 3], "c": [3, 4, 6, 8, 8]}
    >>> [(row.first, row.second, row.interval.lower) for row in simultaneous_intervals(scores, "0.7")]
    [('a', 'b', (2, 2)), ('a', 'c', (0, 0)), ('b', 'c', (-5, -5))]
    """
    systems = systems_of(scores, {"groups": groups})
    check_alternative(alternative)
    wanted = level(confidence, "confidence")
    named = {f"scores[{name!r}]": column for name, column in systems.items()}
    columns, scale = read_columns(named, difference, decimals)
    read = dict(zip(systems, columns))
    pairs = list(combinations(read, 2))
    choice(adjust, "adjust", tuple(_LEVELS))
    each = _LEVELS[adjust](wanted, len(pairs))
    labels = unit_numbers(groups, len(columns[0]))

    def task(a: str, b: str) -> tuple[list[UnitSum], int]:
        return grouped(list(map(sub, read[a], read[b])), labels), scale

    one = partial(
        interval_of, confidence=each, alternative=alternative, precision=precision, budget=budget
    )
    rows: list[PairInterval] = []
    for (first, second), interval in zip(
        pairs, answers(one, (task(*pair) for pair in pairs), executor)
    ):
        rows.append(PairInterval(first=first, second=second, interval=interval))
        if progress is not None:
            progress(len(rows), len(pairs))
    return SimultaneousIntervals(
        intervals=tuple(rows), confidence=wanted, adjust=adjust, alternative=alternative
    )


def _bonferroni(confidence: Exact, m: int) -> Fraction:
    return 1 - (1 - Fraction(confidence)) / m


def _sidak(confidence: Exact, m: int) -> Fraction:
    """Return the least multiple a of 2**-64 with a**m >= confidence.

    >>> _sidak(Fraction(1, 4), 2)
    Fraction(1, 2)
    """
    from ..montecarlo.sampling import least_where

    one = 1 << _PLACES
    return Fraction(least_where(lambda a: Fraction(a, one) ** m >= confidence, one), one)


_LEVELS = {"bonferroni": _bonferroni, "sidak": _sidak}
