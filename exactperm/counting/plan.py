"""The choice of the engine: one table of engines, their estimates, and the cheapest within the budget.

Before an engine is chosen, every threshold is folded into the lower half of the values that it does
not exclude (:func:`~exactperm.counting.tally.folded`). The tally {1: 2, 3: 1} has the degree 5, so #{X <= 3} = 2^3 - #{X <= 1}; the difference
3 is above 1, and without it #{X <= 1} = 2^2 - #{X <= 0}. For two units of 1 + 2x, #{X <= 1} = 9 -
#{2 - X <= 0}, and 2 - X is the sum of two units of 2 + x, of which 2 of 3 choices stay below 1: 9 -
2 * 2.

Source: spec/09-own-theorems.md#own-plan, spec/15-runs.md#own-step-recurrence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from importlib import import_module
from math import inf

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_integer
from ..budget import DEFAULTS, Budget, Count, Estimate, Options, Progress, Unfit
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..swaps.units import Tally, Units, compact, degree, draws_of, mirrored, pairs_of, steps_of
from .methods import ENGINES, check_method, first_of
from .short import SOON
from .tally import folded

if TYPE_CHECKING:
    from typing import Protocol

    class Engine(Protocol):
        """The three functions of an engine module; see :mod:`exactperm.counting`."""

        def estimate(self, units: Units, k: int | None) -> Estimate | Unfit:
            """Return seconds and bytes, or why the engine does not apply."""

        def count_at_most(self, units: Units, k: int, *, progress: Progress | None = None) -> int:
            """Return the number of choices that sum to at most k."""

        def counts(self, units: Units, *, progress: Progress | None = None) -> dict[int, int]:
            """Return the whole distribution."""


_SHARED = {"packed": 1.0}
"""Engines whose count an executor shares, and the seconds above which that pays."""

INSTANT = 1e-3  # an exact count that takes less is as good as a decision by brackets
_READABLE_STEPS = 10**6
"""A larger number of steps says nothing to a reader."""

WAYS_OUT = (
    "fast_permutation_test for certified digits (of a plain difference), monte_carlo_test for an estimate, or more "
    "with budget=Budget(seconds=, bytes=). Rounding the scores (decimals=) is cheaper but asks another question, with "
    "another p-value: .0549 in place of .0566, or 1 in place of 1/16"
)
_INSTEAD_OF_STEPS = (
    "fast_permutation_test_runs for certified digits, or more with budget=Budget(seconds=, bytes=). Rounding the "
    "scores (decimals=) is cheaper but asks another question, with another p-value"
)


@lru_cache
def engine(name: str) -> Engine:
    """Return the module of an engine, loaded when it is first used."""
    module: Any = import_module(f".{ENGINES[name][0]}", __package__)
    return module  # type: ignore[no-any-return]


class _Count:
    """One threshold count: folded, with the engine that is chosen for what is left."""

    def __init__(self, units: Units, k: int, options: Options) -> None:
        self.name, self.cost = first_of(options.method), Estimate(seconds=0, bytes=0)
        self._layers, self._kept, self._near = folded(units, k) if k >= 0 else ([], {}, 0)
        if self._kept:
            found = costs(self._kept, self._near, options)
            self.name, self.cost = pick(found, partial(described, units), options, instead(units))

    def made(self, options: Options) -> int:
        """Return the number of choices; the way to it that its estimate found is taken."""
        found = _made(self._kept, self._near, self.name, self.cost, options) if self._kept else 0
        for whole, times in reversed(self._layers):
            found = whole + times * found
        return found


def count_at_most(units: Units, k: int, options: Options = DEFAULTS) -> tuple[int, str]:
    """Count the choices of units whose values sum to at most k; return the count and the engine's name.

    ``units`` are canonical, k any int. Thresholds outside the support need no engine. Raises
    ``BudgetExceeded`` before any work.

    >>> count_at_most({1: 2, 3: 1}, 1), count_at_most({((0, 1), (1, 2)): 2}, 1)
    ((3, 'recurrence'), (5, 'recurrence'))
    """
    found, _none, name = tail_counts(units, k, None, options)
    return found, name


def tail_counts(
    units: Units, low: int | None, high: int | None, options: Options = DEFAULTS
) -> tuple[int, int, str]:
    """Count the choices whose values sum to at most ``low``, and those with at least ``high``; name the engine.

    None stands for a tail that is not needed, whose count is 0. Where both are mirror images one is
    counted. Raises ``BudgetExceeded`` before any work.

    >>> tail_counts({((0, 1), (1, 2)): 2}, 0, 1)
    (1, 8, 'recurrence')
    """
    check_method(options.method)
    draws = draws_of(units)
    if draws is not None:
        from . import rows

        return rows.tail_counts(draws, low, high, options)
    tails = [] if low is None else [(units, low)]
    if high is not None:
        tails.append((mirrored(units), degree(units) - high))
    if len(tails) == 2 and tails[0] == tails[1]:
        del tails[1]
    planned = [_Count(*tail, options) for tail in tails]
    if len(planned) == 2:
        seconds = sum([part.cost.seconds for part in planned])
        both = Estimate(seconds=seconds, bytes=max([part.cost.bytes for part in planned]))
        options.budget.check(both, f"counting {described(units)}", instead(units))
    counts = [part.made(options) for part in planned]
    name = (
        max(planned, key=lambda part: part.cost.seconds).name
        if planned
        else first_of(options.method)
    )
    return 0 if low is None else counts[0], 0 if high is None else counts[-1], name


def expected(units: Units, k: int | None, options: Options = DEFAULTS) -> Estimate:
    """Return the estimate of :func:`count_at_most`, for k = None of :func:`counts`, and raise what these raise first.

    >>> expected({1: 2, 3: 1}, 1).seconds < 1e-3
    True
    """
    if k is None:
        return choose(units, None, options)[1]
    return _Count(units, max(0, k), options).cost


def counted(
    units: Units,
    k: int,
    costs: Mapping[str, Estimate | Unfit],
    what: Callable[[], str],
    options: Options = DEFAULTS,
) -> tuple[int, str]:
    """Count for a folded k, with the :func:`costs` known; else as :func:`count_at_most`. ``what`` as for :func:`pick`.

    The way to the count that an estimate found is taken, and a long count is shared by the executor
    of ``options``.
    """
    name, cost = pick(costs, what, options)
    return _made(units, k, name, cost, options), name


def _made(units: Units, k: int, name: str, cost: Estimate, options: Options) -> int:
    count: Count = cost._count or partial(engine(name).count_at_most, units, k)
    if options.executor is not None and cost.seconds > _SHARED.get(name, inf):
        count = partial(count, executor=options.executor)
    return count(progress=options.progress)


def counts(units: Units, options: Options = DEFAULTS) -> tuple[dict[int, int], str]:
    """Return the whole distribution {sum: number of choices}, ascending, zeros left out, and the engine's name."""
    check_method(options.method)
    draws = draws_of(units)
    if draws is not None:
        from . import rows

        return rows.distribution(draws, options), "rows"
    units = compact(units)
    name, _cost = choose(units, None, options)
    return engine(name).counts(units, progress=options.progress), name


def choose(units: Units, k: int | None, options: Options = DEFAULTS) -> tuple[str, Estimate]:
    """Return name and estimate of the engine with the least estimated time among those within the budget.

    k as for the engines, ``None`` for the whole distribution. Raises as :func:`pick`.
    """
    return pick(costs(units, k, options), partial(described, units), options, instead(units))


def costs(units: Units, k: int | None, options: Options = DEFAULTS) -> dict[str, Estimate | Unfit]:
    """Return the estimate of the named engine, or of those that "auto" considers, up to the first quick one."""
    if options.method != "auto":
        return {options.method: engine(options.method).estimate(units, k)}
    found: dict[str, Estimate | Unfit] = {}
    column = 3 if k is None else 1 if pairs_of(units) is not None else 2
    for name, row in ENGINES.items():
        if row[column]:
            found[name] = cost = engine(name).estimate(units, k)
            if isinstance(cost, Estimate) and cost.seconds < SOON and options.budget.admits(cost):
                break
    return found


def pick(
    costs: Mapping[str, Estimate | Unfit],
    what: Callable[[], str],
    options: Options = DEFAULTS,
    instead: str = WAYS_OUT,
) -> tuple[str, Estimate]:
    """Return name and estimate of the engine with the least estimated time within the budget.

    For messages ``what`` returns what is counted, and ``instead`` says what to do where none fits.

    Raises ``BudgetExceeded`` with the estimate where none fits, and ``ExactPermError`` where the
    engine named by ``options`` does not apply.
    """
    budget = options.budget
    known = [(name, cost) for name, cost in costs.items() if isinstance(cost, Estimate)]
    fits = [each for each in known if budget.admits(each[1])]
    if fits:
        return min(fits, key=lambda each: each[1].seconds)
    cure = Cure(words=instead)
    if not known:
        unfit = [(name, cost) for name, cost in costs.items() if isinstance(cost, Unfit)]
        reasons = "; ".join([f"{name} {cost.reason}" for name, cost in unfit])
        if options.method != "auto":
            raise ExactPermError(f"no exact count of {what()}: {reasons}", code="method", cure=cure)
        text = f"{what()} have too many sums for an exact count"
        raise BudgetExceeded(text, detail=reasons, cure=cure)

    def excess(each: tuple[str, Estimate]) -> float:
        return max(each[1].seconds / budget.seconds, each[1].bytes / budget.bytes)

    name, best = min(known, key=excess)
    detail = f"the best engine is {name}"
    raise BudgetExceeded(f"counting {what()}", best, budget, detail=detail, cure=cure)


def exact_seconds(tally: Tally, k: int, budget: Budget) -> float:
    """Estimate the seconds of the exact count #{X <= k}; infinite where its memory exceeds the budget."""
    if k < 0:
        return 0.0
    _, kept, k = folded(tally, k)
    return least_seconds(costs(kept, k, Options(budget=budget)), budget) if kept else 0.0


def least_seconds(costs: Mapping[str, Estimate | Unfit], budget: Budget) -> float:
    """Estimate the fastest exact count that fits the memory, to two digits, not below; infinite for none.

    It decides who answers, the bracket or the count. Estimates take logarithms of the C library,
    whose last bits differ between platforms, and sums of floats, which Python 3.12 rounds otherwise
    than 3.11; two digits rarely differ.
    """
    fits = [
        cost.seconds
        for cost in costs.values()
        if isinstance(cost, Estimate) and cost.bytes <= budget.bytes
    ]
    least = min(fits or [inf])
    return least if least < INSTANT / 2 else float(f"{1.06 * least:.1e}")


def check_size(units: int, budget: Budget = DEFAULTS.budget) -> None:
    """Raise ``BudgetExceeded`` where the number of assignments, 2**units, is too long an integer for the memory.

    Source: spec/09-own-theorems.md#own-errors.
    """
    size = 4 * (units // 8)  # the total, the count, and what makes a p-value of them
    what = f"writing down the number of the 2**{short_integer(units)} assignments"
    budget.check(Estimate(seconds=0, bytes=size), what, WAYS_OUT)


def instead(units: Units) -> str:
    """Return what to do where the units are too many to be counted."""
    return _INSTEAD_OF_STEPS if pairs_of(units) is None else WAYS_OUT


def described(units: Units) -> str:
    """Return what a count is of, for messages; numbers of steps that say nothing to a reader are left out.

    >>> described({1: 2, 3: 1}), described({((0, 1), (1, 2)): 2})
    ('3 pairs with 2 distinct differences of up to 3 steps', '2 items with 1 different steps, of up to 2 values')
    """
    number, kinds, tally = sum(units.values()), len(units), pairs_of(units)
    if tally is None:
        most = max(map(len, steps_of(units)))
        return f"{number} items with {kinds} different steps, of up to {most} values"
    largest = max(tally, default=0)
    steps = f" of up to {largest} steps" if largest < _READABLE_STEPS else ""
    return f"{number} pairs with {kinds} distinct differences{steps}"
