"""Leaderboards: an exact test for each pair of systems, adjusted for the number of tests.

Source: id lecture-multiple-comparisons.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations

from .arithmetic.quoting import short_text
from .arithmetic.reading import choice
from .arithmetic.writing import decimal_string, exact_text
from .errors import ExactPermError, WrongType
from .multiplicity import METHODS, adjust_pvalues
from .null.alternative import check_alternative
from .null.result import PermutationTestResult
from .permutation import checked, result_of
from .record import Record
from .swaps.columns import read_column
from .swaps.effects import paired_effects
from .swaps.statistic import Statistic, difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Any

    from .arithmetic.rational import Exact
    from .budget import Budget, Method, Options, Progress
    from .null.alternative import Alternative
    from .swaps.effects import SwapUnits


class Comparison(Record):
    """One row of a leaderboard: the exact test of ``first`` against ``second``, and its p-value after adjustment."""

    first: str
    second: str
    result: PermutationTestResult
    adjusted: Fraction

    @property
    def pvalue(self) -> Fraction:
        """The exact p-value of this pair alone."""
        return self.result.pvalue

    @property
    def statistic(self) -> Exact:
        """The observed value of the statistic, ``first`` against ``second``."""
        return self.result.statistic

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form of the row; fractions as text."""
        return {
            "first": self.first,
            "second": self.second,
            "statistic": exact_text(self.statistic),
            "pvalue": exact_text(self.pvalue),
            "pvalue_decimal": decimal_string(self.pvalue, 17),
            "adjusted": exact_text(self.adjusted),
            "adjusted_decimal": decimal_string(self.adjusted, 17),
        }


class Leaderboard(Record):
    """All comparisons of :func:`compare_all`: iterable, one row for each pair of systems in the order given."""

    rows: tuple[Comparison, ...]
    adjust: str
    alternative: Alternative

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form."""
        return {
            "adjust": self.adjust,
            "alternative": self.alternative,
            "rows": [row.to_dict() for row in self.rows],
        }


def compare_all(
    scores: Mapping[str, Any],
    *,
    adjust: str = "holm",
    statistic: Statistic = difference,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    groups: Any = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Leaderboard:
    """Exact tests of every pair of systems, adjusted for their number.

    ``scores`` maps the name of each of at least two systems to its column of entries, all of one length. ``adjust`` is
    a method of :func:`~exactperm.multiplicity.adjust_pvalues`; its bound is not proven for "tarone" here, where all
    tests share one test set. ``executor`` is any ``concurrent.futures.Executor``: a task gets one pair's tally of
    effects, not its scores, and results do not depend on it (for processes the statistic must be picklable).
    ``progress`` is called with (tests done, tests). All else as in
    :func:`~exactperm.permutation.permutation_test`, the budget for each test; errors name the system.
    Cost: that of the tests. Source: id lecture-multiple-comparisons.

    >>> rows = compare_all({"a": [1, 2, 3, 4], "b": [0, 1, 1, 2], "c": [1, 2, 3, 5]})
    >>> [(row.first, row.second, row.pvalue, row.adjusted) for row in rows][0]
    ('a', 'b', Fraction(1, 8), Fraction(3, 8))
    """
    _check(scores, adjust, alternative)
    read = {name: read_column(column, f"scores[{name!r}]", statistic, decimals) for name, column in scores.items()}
    pairs = list(combinations(read, 2))
    effects = [
        paired_effects(read[a], read[b], statistic, groups=groups, names=(f"scores[{a!r}]", f"scores[{b!r}]"))
        for a, b in pairs
    ]
    options = checked(method, budget, None)
    results = []
    for result in _results(effects, statistic, alternative, executor, options):
        results.append(result)
        if progress is not None:
            progress(len(results), len(pairs))
    least = [result.min_attainable for result in results] if adjust == "tarone" else None
    adjusted = adjust_pvalues([result.pvalue for result in results], adjust, min_attainable=least).adjusted
    rows = (
        Comparison(first=a, second=b, result=result, adjusted=p) for (a, b), result, p in zip(pairs, results, adjusted)
    )
    return Leaderboard(rows=tuple(rows), adjust=adjust, alternative=alternative)


def _check(scores: object, adjust: object, alternative: object) -> None:
    if not isinstance(scores, Mapping):
        raise WrongType(f"scores is {short_text(scores)}: it must map names of systems to columns of scores")
    if len(scores) < 2:
        raise ExactPermError(f"scores has {len(scores)} systems: a comparison needs at least two")
    choice(adjust, "adjust", METHODS)
    check_alternative(alternative)


def _results(
    effects: list[SwapUnits],
    statistic: Statistic,
    alternative: Alternative,
    executor: Executor | None,
    options: Options,
) -> Iterator[PermutationTestResult]:
    if executor is None:
        return (result_of(one, statistic, alternative, options) for one in effects)
    futures = [executor.submit(result_of, one, statistic, alternative, options) for one in effects]
    return (future.result() for future in futures)
