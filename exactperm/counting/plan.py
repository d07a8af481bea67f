"""The choice of the engine: one table of engines, their estimates, and the cheapest within the budget.

Before an engine is chosen, every threshold is folded into the lower half of the differences that it
does not exclude. The tally {1: 2, 3: 1} has the degree 5, so #{X <= 3} = 2^3 - #{X <= 1}; the
difference 3 is above 1, and without it #{X <= 1} = 2^2 - #{X <= 0}.

Source: spec/09-own-theorems.md.
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
from ..swaps.units import Tally
from .methods import ENGINES, check_method, first_of
from .short import SOON
from .tally import reduced, unfolded

if TYPE_CHECKING:
    from typing import Protocol

    from ..swaps.canonical import Outline

    class Engine(Protocol):
        """The three functions of an engine module; see :mod:`exactperm.counting`."""

        def estimate(self, tally: Tally, k: int | None) -> Estimate | Unfit:
            """Return seconds and bytes, or why the engine does not apply."""

        def count_at_most(self, tally: Tally, k: int, *, progress: Progress | None = None) -> int:
            """Return the number of subsets that sum to at most k."""

        def counts(self, tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
            """Return the whole distribution."""


_MOST_NEAR = 10**8
"""Threshold above which only packed counts of more than 200 differences are within the limits of
the engines."""

_SHARED = {"packed": 1.0}
"""Engines whose count an executor shares, and the seconds above which that pays."""

_READABLE_STEPS = 10**6
"""A larger number of steps says nothing to a reader."""

WAYS_OUT = (
    "fast_permutation_test for certified digits (of a plain difference), monte_carlo_test for an estimate, or more "
    "with budget=Budget(seconds=, bytes=). Rounding the scores (decimals=) is cheaper but asks another question, with "
    "another p-value: .0549 in place of .0566, or 1 in place of 1/16"
)


@lru_cache
def engine(name: str) -> Engine:
    """Return the module of an engine, loaded when it is first used."""
    module: Any = import_module(f".{ENGINES[name][0]}", __package__)
    return module  # type: ignore[no-any-return]


def count_at_most(tally: Tally, k: int, options: Options = DEFAULTS) -> tuple[int, str]:
    """Count the subsets of the pairs whose differences sum to at most k; return the count and the engine's name.

    ``tally`` is canonical, k any int. Thresholds outside the support need no engine. Raises
    ``BudgetExceeded`` before any work.

    >>> count_at_most({1: 2, 3: 1}, 1)
    (3, 'recurrence')
    """
    check_method(options.method)
    if k < 0:
        return 0, first_of(options.method)
    whole, kept, near = reduced(tally, k)
    if not kept:
        return unfolded(whole, 0), first_of(options.method)
    count, name = counted(
        kept, near, costs(kept, near, options), partial(described, tally), options
    )
    return unfolded(whole, count), name


def expected(tally: Tally, k: int | None, options: Options = DEFAULTS) -> Estimate:
    """Return the estimate of :func:`count_at_most`, for k = None of :func:`counts`, and raise what these raise first.

    >>> expected({1: 2, 3: 1}, 1).seconds < 1e-3
    True
    """
    _whole, kept, near = ([], tally, None) if k is None else reduced(tally, max(0, k))
    if not kept:
        return Estimate(seconds=0, bytes=0)
    found = costs(kept, near, options)
    best = found[pick(found, partial(described, tally), options)]
    return best if isinstance(best, Estimate) else Estimate(seconds=0, bytes=0)


def counted(
    tally: Tally,
    k: int,
    costs: Mapping[str, Any],
    what: Callable[[], str],
    options: Options = DEFAULTS,
) -> tuple[int, str]:
    """Count for a folded k, with the :func:`costs` known; else as :func:`count_at_most`. ``what`` as for :func:`pick`.

    The way to the count that an estimate found is taken, and a long count is shared by the executor
    of ``options``.
    """
    name = pick(costs, what, options)
    count: Count = costs[name]._count or partial(engine(name).count_at_most, tally, k)
    if options.executor is not None and costs[name].seconds > _SHARED.get(name, inf):
        count = partial(count, executor=options.executor)
    return count(progress=options.progress), name


def counts(tally: Tally, options: Options = DEFAULTS) -> tuple[dict[int, int], str]:
    """Return the whole distribution {sum: number of subsets}, ascending, zeros left out, and the engine's name."""
    check_method(options.method)
    name = choose(tally, None, options)
    return engine(name).counts(tally, progress=options.progress), name


def choose(tally: Tally, k: int | None, options: Options = DEFAULTS) -> str:
    """Return the name of the engine with the least estimated time among those within the budget.

    k as for the engines, ``None`` for the whole distribution. Raises as :func:`pick`.
    """
    return pick(costs(tally, k, options), partial(described, tally), options)


def costs(tally: Tally, k: int | None, options: Options = DEFAULTS) -> dict[str, Estimate | Unfit]:
    """Return the estimate of the named engine, or of those that "auto" considers, up to the first quick one."""
    if options.method != "auto":
        return {options.method: engine(options.method).estimate(tally, k)}
    found: dict[str, Estimate | Unfit] = {}
    for name, (_module, one, whole) in ENGINES.items():
        if whole if k is None else one:
            found[name] = cost = engine(name).estimate(tally, k)
            if isinstance(cost, Estimate) and cost.seconds < SOON and options.budget.admits(cost):
                break
    return found


def pick(
    costs: Mapping[str, Estimate | Unfit],
    what: Callable[[], str],
    options: Options = DEFAULTS,
    instead: str = WAYS_OUT,
) -> str:
    """Return the name with the least estimated time within the budget; ``what`` returns what is counted, for messages.

    ``instead`` says what to do where none fits.

    Raises ``BudgetExceeded`` with the estimate where none fits, and ``ExactPermError`` where the
    engine named by ``options`` does not apply.
    """
    budget = options.budget
    fits = {
        name: x.seconds for name, x in costs.items() if isinstance(x, Estimate) and budget.admits(x)
    }
    if fits:
        return min(fits, key=fits.__getitem__)
    known = {name: cost for name, cost in costs.items() if isinstance(cost, Estimate)}
    if not known:
        reasons = "; ".join(
            f"{name} {cost.reason}" for name, cost in costs.items() if isinstance(cost, Unfit)
        )
        if options.method == "auto":
            text = f"{what()} have too many sums for an exact count"
            raise BudgetExceeded(text, detail=reasons, cure=Cure(words=instead))
        raise ExactPermError(
            f"no exact count of {what()}: {reasons}", code="method", cure=Cure(words=instead)
        )
    name = min(
        known,
        key=lambda name: max(
            known[name].seconds / budget.seconds, known[name].bytes / budget.bytes
        ),
    )
    raise BudgetExceeded(
        f"counting {what()}",
        known[name],
        budget,
        detail=f"the best engine is {name}",
        cure=Cure(words=instead),
    )


def check_size(units: int, budget: Budget = DEFAULTS.budget) -> None:
    """Raise ``BudgetExceeded`` where the number of assignments, 2**units, is too long an integer for the memory.

    Source: spec/09-own-theorems.md.
    """
    size = 4 * (units // 8)  # the total, the count, and what makes a p-value of them
    if size > budget.bytes:
        what = f"writing down the number of the 2**{short_integer(units)} assignments"
        raise BudgetExceeded(
            what, Estimate(seconds=0, bytes=size), budget, cure=Cure(words=WAYS_OUT)
        )


def hopeless(outline: Outline | None, budget: Budget) -> bool:
    """Return whether "auto" would refuse a count, by bounds that need no sorted differences.

    The recurrence would have too many terms, and a meet in the middle too many differences. A
    packed count keeps at least near / 4 slots of eight bytes: the degree of each half is about D /
    2 >= near, and its estimate, from groups of a thousandth of the differences, is off by less than
    a group of the largest ones, here at most near / 8.
    """
    if outline is None or outline.near <= _MOST_NEAR or 2 * outline.near <= budget.bytes:
        return False
    return 16 * outline.largest * (outline.most // 1000 + 1) <= outline.near


def check_outline(outline: Outline | None, options: Options) -> None:
    """Raise ``BudgetExceeded`` where a count by "auto" is :func:`hopeless`, with a lower bound of its memory."""
    if outline is not None and options.method == "auto" and hopeless(outline, options.budget):
        what = (
            f"counting {outline.pairs} pairs with {outline.distinct} or more distinct differences"
        )
        needs = Estimate(seconds=0, bytes=2 * outline.near, least=True)
        raise BudgetExceeded(what, needs, options.budget, cure=Cure(words=WAYS_OUT))


def described(tally: Tally) -> str:
    """Return what a count is of, for messages; numbers of steps that say nothing to a reader are left out."""
    largest = max(tally, default=0)
    steps = f" of up to {largest} steps" if largest < _READABLE_STEPS else ""
    return f"{sum(tally.values())} pairs with {len(tally)} distinct differences{steps}"
