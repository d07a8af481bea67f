"""Leaderboards: a test for each pair of systems, exact or certified, adjusted for the number of tests.

All adjustments but Tarone's are monotone in every p-value. So the adjusted lower ends of certified
brackets are lower bounds of the adjusted p-values, and the adjusted upper ends are upper bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations, islice

from ._types import TYPE_CHECKING, Any, Executor, Literal
from .arithmetic.enclosure import enclosed
from .arithmetic.quoting import short_text
from .arithmetic.rational import Exact
from .arithmetic.reading import level
from .arithmetic.writing import decimal_string, exact_text, plain, readable
from .budget import Budget, Estimate, Method, Options, Progress, pairwise
from .counting.short import MOST_UNITS
from .errors import BudgetExceeded, Cure, ExactPermError
from .multiplicity import Adjustment, adjust_pvalues, adjustment
from .null.alternative import Alternative, check_alternative
from .null.result import PermutationTestResult
from .permutation import checked, expected, result_of
from .record import Record, Result, replaced
from .swaps.columns import Entries, systems_of, unit_numbers
from .swaps.effects import SwapUnits, paired_effects
from .swaps.statistic import Statistic, difference
from .swaps.weights import weighted_columns

if TYPE_CHECKING:
    from .null.float_result import FloatResult
    from .swaps.runs import Design


_SECONDS_SUBSET = 1e-6
"""Of a test of M pairs for each of 2**(M/2) sums of half of them, or 2**(M-24) beyond 48: above its
estimate."""

_SAMPLE = 8
"""Tests that are estimated for the sum of all."""


class Comparison(Result):
    """One row of a leaderboard: the test of ``first`` against ``second``, and its p-value after adjustment.

    ``adjusted`` is exact where ``result`` is; for a certified result it is an upper bound, and
    ``adjusted_lower`` a lower one.
    """

    first: str
    second: str
    result: PermutationTestResult | FloatResult
    adjusted: Fraction
    adjusted_lower: Fraction | None = None

    @property
    def pvalue(self) -> Fraction | float:
        """The p-value of this pair alone: exact, or the float in the middle of its certified bracket."""
        return self.result.pvalue

    @property
    def statistic(self) -> Exact:
        """The observed value of the statistic, ``first`` against ``second``."""
        return self.result.statistic

    def significant(self, alpha: object) -> bool | None:
        """Return whether the adjusted p-value is at most ``alpha``; None where its certified bracket holds both."""
        limit = level(alpha)
        if self.adjusted <= limit:
            return True
        return None if self.adjusted_lower is not None and self.adjusted_lower <= limit else False

    @property
    def heading(self) -> str:
        """The two systems and the test, in one line."""
        return f"{self.first} against {self.second}: {self.result.heading}"

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return the rows of the test, and the adjusted p-value, as (label, text)."""
        return (*self.result.rows(), ("adjusted p", bounded_text(self)))

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form of the row: fractions as text, or certified bounds as decimals."""
        names = {
            "first": self.first,
            "second": self.second,
            "statistic": exact_text(self.statistic),
        }
        if self.adjusted_lower is not None:
            lower, upper = self.result.decimal_bracket(17)  # type: ignore[union-attr]  # the result is a FloatResult
            return {
                **names,
                "pvalue_lower": lower,
                "pvalue_upper": upper,
                "adjusted_lower": enclosed(self.adjusted_lower, 128).decimals(17)[0],
                "adjusted_upper": enclosed(self.adjusted, 128).decimals(17)[1],
            }
        return {
            **names,
            "pvalue": exact_text(self.pvalue),  # type: ignore[arg-type]  # the result is exact
            "pvalue_decimal": decimal_string(self.pvalue, 17),
            "adjusted": exact_text(self.adjusted),
            "adjusted_decimal": decimal_string(self.adjusted, 17),
        }


def bounded_text(row: Comparison) -> str:
    """Write an adjusted p-value to four digits; an upper bound is rounded up, and named so."""
    if row.adjusted_lower is None:
        return decimal_string(row.adjusted, 4)
    return f"at most {plain(enclosed(row.adjusted, 128).decimals(4)[1])}"


class Leaderboard(Result):
    """All comparisons of :func:`compare_all`: iterable, one row for each pair of systems in the order given.

    ``design`` says what was exchanged of several runs, None for paired tests.
    """

    comparisons: tuple[Comparison, ...]
    adjust: str
    alternative: Alternative
    design: Design | None = None

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.comparisons)

    def __len__(self) -> int:
        return len(self.comparisons)

    @property
    def heading(self) -> str:
        """The number of tests, and what they are."""
        counted = all(row.adjusted_lower is None for row in self)
        what = "paired-permutation" if self.design is None else "permutation"
        tests = (
            f"{len(self)} {'exact' if counted else 'certified'} {what} test{'s' * (len(self) > 1)}"
        )
        runs = "" if self.design is None else f" of several runs ({self.design})"
        return f"{tests}{runs}, {self.alternative}"

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the columns."""
        name = self.comparisons[0].result.statistic_name
        shown = "sum of differences" if name == "difference" else name
        return "first", "second", shown, "p", f"adjusted ({self.adjust})"

    def rows(self) -> tuple[tuple[str, ...], ...]:
        """Return a row of texts for each pair of systems; adjusted p-values of certified tests are upper bounds."""
        return tuple(
            (
                row.first,
                row.second,
                readable(row.statistic),
                decimal_string(row.pvalue, 4),
                bounded_text(row),
            )
            for row in self
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return {
            "adjust": self.adjust,
            "alternative": self.alternative,
            **({} if self.design is None else {"design": self.design}),
            "rows": [row.to_dict() for row in self.comparisons],
        }


def compare_all(
    scores: Mapping[str, object],
    *,
    adjust: Adjustment = "holm",
    statistic: Statistic = difference,
    alternative: Alternative = "two-sided",
    method: Method | Literal["certified"] = "auto",
    groups: object = None,
    weights: object = None,
    tasks: object = None,
    design: Design | None = None,
    decimals: int | None = None,
    budget: Budget | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Leaderboard:
    """Test every pair of systems, and adjust the p-values for the number of tests.

    - ``scores``: maps each of at least two names to a column of entries, all of one length.
    - ``adjust``: a method of :func:`~exactperm.multiplicity.adjust_pvalues` but "tarone", whose
      least attainable p-values must not depend on the data.
    - ``method``: an exact engine, or "certified": brackets of at least 4 digits, adjusted outward.
    - ``executor``: any ``concurrent.futures.Executor``, or the client of a Dask cluster. For
      processes the statistic must be picklable. Results do not depend on it.
    - ``budget``: for all tests together. ``progress``: called with (tests done, tests).
    - ``design``: what is exchanged where each system has several runs of each item; see
      :func:`~exactperm.samples.permutation_test_runs`.

    All else as in :func:`~exactperm.permutation.permutation_test`. Errors name the system. Cost:
    that of the tests. Source: spec/08-lecture-and-course-page.md#lecture-multiple-comparisons.

    >>> rows = compare_all({"a": [1, 2, 3, 4], "b": [0, 1, 1, 2], "c": [1, 2, 3, 5]})
    >>> [(row.first, row.second, row.pvalue, row.adjusted) for row in rows][0]
    ('a', 'b', Fraction(1, 8), Fraction(3, 8))
    """
    said = {"groups": groups, "weights": weights, "tasks": tasks, "decimals": decimals}
    systems = systems_of(scores, said)
    asked = _Asked(
        adjust=adjust,
        alternative=alternative,
        method=method,
        budget=budget,
        executor=executor,
        progress=progress,
        design=design,
    )
    return _leaderboard(systems, statistic, said, asked)


class _Asked(Record):
    """What is asked of all comparisons."""

    adjust: Adjustment
    alternative: Alternative
    method: Method | Literal["certified"]
    budget: Budget | None
    executor: Executor | None
    progress: Progress | None
    design: Design | None

    @property
    def certified(self) -> bool:
        """Whether p-values are bracketed."""
        return isinstance(self.method, str) and self.method == "certified"

    @cached_property
    def options(self) -> Options:
        """Options of all counts."""
        return checked("auto" if self.certified else self.method, self.budget, None)  # type: ignore[arg-type]


def _leaderboard(
    systems: Mapping[str, object],
    statistic: Statistic,
    said: Mapping[str, Any],
    asked: _Asked,
) -> Leaderboard:
    """Return the leaderboard of systems; ``said`` is what holds for all of them."""
    _check(asked.adjust, asked.alternative)
    _check_size(len(systems), 1, asked.options.budget)
    if asked.design is not None:
        _check_of_runs(statistic, said)
        return _of_all_runs(systems, said, asked)
    names = {f"scores[{name!r}]": column for name, column in systems.items()}
    read, scale, statistic = weighted_columns(
        names, statistic, said["weights"], said["tasks"], said["decimals"]
    )
    n = len(read[0])
    _check_size(len(read), n, asked.options.budget)
    # an iterator is read once
    units = None if said["groups"] is None else unit_numbers(said["groups"], n)
    rule = _Rule(statistic=statistic, units=units, scale=scale, alternative=asked.alternative)
    return _compared(dict(zip(systems, read)), rule, asked)


class _Rule(Record):
    """What each test does with its columns: the statistic, the swap unit of each pair, the scale, and the alternative."""

    statistic: Statistic
    units: list[int] | None
    scale: int
    alternative: Alternative

    def effects(self, first: Entries, second: Entries) -> SwapUnits:
        """Return the effects of all swap units of two systems."""
        return paired_effects(first, second, self.scale, self.statistic, self.units)


def _of_all_runs(
    systems: Mapping[str, object], said: Mapping[str, Any], asked: _Asked
) -> Leaderboard:
    """Return the leaderboard of systems with several runs of each item."""
    from . import samples

    options, method = asked.options, asked.method
    run: Callable[..., PermutationTestResult | FloatResult]
    if method == "certified":
        run = partial(samples.fast_permutation_test_runs, digits=4)
    else:
        run = partial(samples.permutation_test_runs, method=method)
    of_two = partial(
        run,
        design=asked.design,
        alternative=asked.alternative,
        weights=said["weights"],
        decimals=said["decimals"],
        budget=_shared(options.budget, len(systems)),
    )
    test = partial(_of_runs, test=of_two)
    with _for_all(len(systems), options.budget):
        results = pairwise(test, list(systems.items()), asked.executor, asked.progress)
    return _board(list(systems), results, asked)


def _compared(read: Mapping[str, Entries], rule: _Rule, asked: _Asked) -> Leaderboard:
    """Return the leaderboard of columns that are read."""
    certified, options, executor = asked.certified, asked.options, asked.executor
    systems = list(read.values())
    sums = not certified and rule.statistic.combine is None
    if sums:
        _check_sum(systems, rule, options)
    apart = sums and executor is not None and rule.scale > 0
    own = None if asked.budget is None else _shared(asked.budget, len(read))
    test: Callable[..., Any] = partial(_tested, rule=rule, options=options, apart=apart)
    if certified:
        test = partial(_certified, rule=rule, budget=own)
    limited = certified and own is not None
    with _for_all(len(read), options.budget) if limited else nullcontext():
        results = pairwise(test, systems, executor, asked.progress)
    if apart:
        plain = replaced(rule, statistic=difference)
        results = [
            PermutationTestResult(
                **known, _budget=options.budget, _tails=partial(plain.effects, first, second)
            )
            for known, (first, second) in zip(results, combinations(systems, 2))
        ]
    return _board(list(read), results, asked)


def _board(
    systems: Sequence[str],
    results: Sequence[Any],
    asked: _Asked,
) -> Leaderboard:
    """Return the leaderboard of the results of all pairs of systems, with adjusted p-values."""
    certified = asked.certified
    ends = zip(*(result.bracket.ends() if certified else (result.pvalue,) for result in results))
    bounds = [
        adjust_pvalues([min(p, Fraction(1)) for p in column], asked.adjust).adjusted
        for column in ends
    ]
    lower: Sequence[Any] = bounds[0] if certified else [None] * len(results)
    rows = (
        Comparison(first=a, second=b, result=result, adjusted=most, adjusted_lower=least)
        for (a, b), result, most, least in zip(combinations(systems, 2), results, bounds[-1], lower)
    )
    return Leaderboard(
        comparisons=tuple(rows),
        adjust=adjustment(asked.adjust, "adjust"),
        alternative=asked.alternative,
        design=asked.design,
    )


def _check(adjust: Adjustment, alternative: Alternative) -> None:
    """Raise ``ExactPermError`` for an adjustment or an alternative that is none here."""
    check_alternative(alternative)
    if adjustment(adjust, "adjust") == "tarone":
        raise ExactPermError(
            "adjust is 'tarone', which needs least attainable p-values that do not depend on the data. These do: all "
            "tests share one test set, and two such tests can reject a true hypothesis at level 1/64 with "
            "probability 2/65. Instead: adjust='holm'"
        )


def _check_of_runs(statistic: Statistic, said: Mapping[str, object]) -> None:
    """Raise ``ExactPermError`` for arguments that have no meaning where systems ran several times on each item."""
    if statistic.name not in ("difference", "difference of means"):
        raise ExactPermError(
            f"statistic is {short_text(statistic.name)}: with a design, means of runs are compared. Instead: give each "
            "item its counts summed over its runs, and no design"
        )
    for name in ("groups", "tasks"):
        if said[name] is not None:
            raise ExactPermError(
                f"{name} and design exclude each other: the runs of an item belong together"
            )


def _shared(budget: Budget, systems: int) -> Budget:
    """Return the part of a budget for one of the tests of all pairs of systems."""
    return Budget(seconds=budget.seconds / math.comb(systems, 2), bytes=budget.bytes)


@contextmanager
def _for_all(systems: int, budget: Budget) -> Iterator[None]:
    """Make the refusal of one test, which has its part of the budget, that of all: such tests take as much each."""
    try:
        yield
    except BudgetExceeded as refusal:
        if refusal.needs is None:
            raise
        tests = math.comb(systems, 2)
        needs = Estimate(seconds=refusal.needs.seconds * tests, bytes=int(refusal.needs.bytes))
        words = "compare fewer systems, or allow more with budget=Budget(seconds=, bytes=)"
        raise BudgetExceeded(
            f"{tests} tests, of which one is {refusal.what.rstrip(',')},",
            needs,
            budget,
            cure=Cure(words=words),
        ) from None


def _of_runs(
    first: tuple[str, object],
    second: tuple[str, object],
    *,
    test: Callable[[object, object], PermutationTestResult | FloatResult],
) -> PermutationTestResult | FloatResult:
    """Return the test of the runs of two named systems; errors name them."""
    (a, u), (b, v) = first, second
    try:
        return test(u, v)
    except BudgetExceeded:
        raise
    except ExactPermError as error:
        names = f"u is scores[{a!r}] and v is scores[{b!r}]"
        raise type(error)(f"{error}; {names}", code=error.code, cure=error.cure) from None


def _check_size(systems: int, pairs: int, budget: Budget) -> None:
    """Raise ``BudgetExceeded`` where so many tests alone take too much, whatever each of them counts."""
    tests = math.comb(systems, 2)
    budget.check(
        Estimate(seconds=tests * (2e-5 + 6e-7 * pairs), bytes=tests * (1500 + 2 * pairs)),
        f"the {tests} tests of {systems} systems",
        "compare fewer systems, or allow more with budget=Budget(seconds=, bytes=)",
    )


def _check_sum(systems: Sequence[Entries], rule: _Rule, options: Options) -> None:
    """Raise ``BudgetExceeded`` where all counts together are above the budget, by the estimates of a few of them."""
    tests = math.comb(len(systems), 2)
    n = len(systems[0])
    most = _SECONDS_SUBSET * 2.0 ** max(n / 2, n - 24) if n <= MOST_UNITS else math.inf
    if options.method == "auto" and most * tests <= options.budget.seconds:
        return
    step = max(1, tests // _SAMPLE)
    drawn = list(islice(combinations(systems, 2), step // 2, None, step))[:_SAMPLE]
    costs = [expected(rule.effects(*both), rule.alternative, options) for both in drawn]
    options.budget.check(
        Estimate(
            seconds=sum(x.seconds for x in costs) / len(costs) * tests,
            bytes=max(x.bytes for x in costs),
        ),
        f"the counts of {tests} tests",
        "compare fewer systems, or allow more with budget=Budget(seconds=, bytes=)",
    )


def _tested(
    first: Entries, second: Entries, *, rule: _Rule, options: Options, apart: bool
) -> PermutationTestResult | dict[str, object]:
    """Return the test of two columns, of another process the fields that nobody knows without counting."""
    result = result_of(rule.effects(first, second), rule.statistic, rule.alternative, options)
    names = [name for name in result._fields if name not in ("_tails", "_budget")]
    return {name: getattr(result, name) for name in names} if apart else result


def _certified(
    first: Entries, second: Entries, *, rule: _Rule, budget: Budget | None
) -> FloatResult:
    """Return the certified test of two columns."""
    from .fast import float_result

    effects = rule.effects(first, second)
    return float_result(effects, rule.alternative, 4, budget, statistic=rule.statistic)
