"""Leaderboards: an exact test for each pair of systems, adjusted for the number of tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations

from .arithmetic.quoting import short_text
from .arithmetic.writing import decimal_string, exact_text
from .budget import Estimate
from .errors import ExactPermError, WrongType
from .multiplicity import adjust_pvalues, adjustment
from .null.alternative import check_alternative
from .null.result import PermutationTestResult
from .permutation import checked, result_of
from .record import Record
from .swaps.columns import check_paired, read_column, unit_numbers
from .swaps.effects import paired_effects
from .swaps.statistic import Statistic, difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Any

    from .arithmetic.rational import Exact
    from .budget import Budget, Method, Options, Progress
    from .multiplicity import Adjustment
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
        """Return the JSON-ready form of the row; fractions as text."""
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
        """Return the JSON-ready form."""
        return {
            "adjust": self.adjust,
            "alternative": self.alternative,
            "rows": [row.to_dict() for row in self.rows],
        }


def compare_all(
    scores: Mapping[str, Any],
    *,
    adjust: Adjustment = "holm",
    statistic: Statistic = difference,
    alternative: Alternative = "two-sided",
    method: Method = "auto",
    groups: Any = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Leaderboard:
    """Test every pair of systems exactly, and adjust the p-values for the number of tests.

    - ``scores``: maps the name of each of at least two systems to its column of entries, all of one length.
    - ``adjust``: a method of :func:`~exactperm.multiplicity.adjust_pvalues` but "tarone", which is false here: all
      tests share one test set, so their least attainable p-values depend on the data.
    - ``executor``: any ``concurrent.futures.Executor``. A task gets one pair's tally of effects, not its scores; for
      processes the statistic must be picklable. Results do not depend on the executor.
    - ``budget``: for each test, and for the time and memory that so many tests need at least.
    - ``progress``: called with (tests done, tests). All else as in :func:`~exactperm.permutation.permutation_test`.

    Raises as :func:`~exactperm.permutation.permutation_test`, and errors name the system. Cost: that of the tests.
    Source: multiple comparisons of the lecture; spec/08-lecture-and-course-page.md.

    >>> rows = compare_all({"a": [1, 2, 3, 4], "b": [0, 1, 1, 2], "c": [1, 2, 3, 5]})
    >>> [(row.first, row.second, row.pvalue, row.adjusted) for row in rows][0]
    ('a', 'b', Fraction(1, 8), Fraction(3, 8))
    """
    adjusted_by = _check(scores, adjust, alternative)
    options = checked(method, budget, None)
    _check_size(len(scores), 1, options.budget)
    read = {name: read_column(column, f"scores[{name!r}]", statistic, decimals) for name, column in scores.items()}
    first, *others = read
    for other in others:
        check_paired(read[first].entries, read[other].entries, (f"scores[{first!r}]", f"scores[{other!r}]"))
    n = len(read[first].entries)
    _check_size(len(read), n, options.budget)
    groups = None if groups is None else unit_numbers(groups, n)  # an iterator is read once
    pairs = list(combinations(read, 2))
    effects = [
        paired_effects(read[a], read[b], statistic, groups=groups, names=(f"scores[{a!r}]", f"scores[{b!r}]"))
        for a, b in pairs
    ]
    results = []
    for result in _results(effects, statistic, alternative, executor, options):
        results.append(result)
        if progress is not None:
            progress(len(results), len(pairs))
    adjusted = adjust_pvalues([result.pvalue for result in results], adjust).adjusted
    rows = (
        Comparison(first=a, second=b, result=result, adjusted=p) for (a, b), result, p in zip(pairs, results, adjusted)
    )
    return Leaderboard(rows=tuple(rows), adjust=adjusted_by, alternative=alternative)


def _check(scores: object, adjust: Adjustment, alternative: Alternative) -> str:
    """Return the adjustment by its first name."""
    if not isinstance(scores, Mapping):
        raise WrongType(f"scores is {short_text(scores)}: it must map names of systems to columns of scores")
    if len(scores) < 2:
        raise ExactPermError(f"scores has {len(scores)} systems: a comparison needs at least two")
    check_alternative(alternative)
    method = adjustment(adjust, "adjust")
    if method == "tarone":
        raise ExactPermError(
            "adjust is 'tarone', which needs least attainable p-values that do not depend on the data. These do: all "
            "tests share one test set, and two such tests can reject a true hypothesis at level 1/64 with "
            "probability 2/65. Instead: adjust='holm'"
        )
    return method


def _check_size(systems: int, pairs: int, budget: Budget) -> None:
    """Raise ``BudgetExceeded`` where so many tests alone take too much, whatever each of them counts."""
    tests = systems * (systems - 1) // 2
    budget.check(
        Estimate(seconds=tests * (2e-5 + 6e-7 * pairs), bytes=tests * (1500 + 2 * pairs)),
        f"the {tests} tests of {systems} systems",
        "compare fewer systems, or allow more with budget=Budget(seconds=, bytes=)",
    )


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
