"""The front door to the engines: one table, their estimates, and the choice. Source: ids own-plan, own-symmetry."""

from __future__ import annotations

from collections.abc import Mapping

from ..arithmetic.quoting import short_integer, short_text
from ..budget import Budget, Estimate, Progress, Unfit, shown_bytes
from ..errors import BudgetExceeded, ExactPermError
from . import dp, enumeration, meet_in_the_middle, ntt, packed, recurrence
from .tally import Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Engine(Protocol):
        """The three functions of an engine module; see :mod:`exactperm.counting`."""

        def estimate(self, tally: Tally, k: int | None) -> Estimate | Unfit:
            """Seconds and bytes, or why not."""

        def count_at_most(self, tally: Tally, k: int, *, progress: Progress | None = None) -> int:
            """Number of subsets that sum to at most k."""

        def counts(self, tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
            """The whole distribution."""


ENGINES: dict[str, Engine] = {
    "recurrence": recurrence,
    "packed": packed,
    "ntt": ntt,
    "meet-in-the-middle": meet_in_the_middle,
    "dp": dp,
    "enumeration": enumeration,
}
METHODS = ("auto", *ENGINES)

_WAYS_OUT = (
    "round the scores (decimals=), use fast_permutation_test for a certified float bracket of a plain difference, "
    "estimate with monte_carlo_test, or allow more with budget=Budget(seconds=, bytes=)"
)


def count_at_most(
    tally: Tally, k: int, *, method: str = "auto", budget: Budget | None = None, progress: Progress | None = None
) -> tuple[int, str]:
    """The number of subsets of the pairs whose differences sum to at most k, and the engine that counted them.

    ``tally`` is canonical, k any int. Thresholds outside the support need no engine; past the middle the complement is
    counted, since X and D - X have the same distribution. Raises ``BudgetExceeded`` before any work.
    """
    check_method(method)
    pairs, span = sum(tally.values()), sum(d * count for d, count in tally.items())
    if k < 0 or k >= span:
        return (0 if k < 0 else 1 << pairs), ("recurrence" if method == "auto" else method)
    if k >= span - k:
        above, name = count_at_most(tally, span - k - 1, method=method, budget=budget, progress=progress)
        return (1 << pairs) - above, name
    name = choose(tally, k, method=method, budget=budget)
    return ENGINES[name].count_at_most(tally, k, progress=progress), name


def counts(
    tally: Tally, *, method: str = "auto", budget: Budget | None = None, progress: Progress | None = None
) -> tuple[dict[int, int], str]:
    """The whole distribution {sum: number of subsets}, ascending, zeros left out, and the engine that counted it."""
    check_method(method)
    name = choose(tally, None, method=method, budget=budget)
    return ENGINES[name].counts(tally, progress=progress), name


def check_method(method: object) -> None:
    """Raise ``ExactPermError`` unless ``method`` is "auto" or the name of an engine."""
    if method not in METHODS:
        raise ExactPermError(f"method is {short_text(method)}: it must be one of {', '.join(METHODS)}")


def choose(tally: Tally, k: int | None, *, method: str = "auto", budget: Budget | None = None) -> str:
    """The name of the engine with the least estimated time among those within the budget.

    ``k=None`` asks for the whole distribution. Raises as :func:`pick`.
    """
    return pick(costs(tally, k, method), _described(tally), method=method, budget=budget)


def costs(tally: Tally, k: int | None, method: str = "auto") -> dict[str, Estimate | Unfit]:
    """The estimate of every engine, or of the one asked for."""
    names = tuple(ENGINES) if method == "auto" else (method,)
    return {name: ENGINES[name].estimate(tally, k) for name in names}


def pick(
    costs: Mapping[str, Estimate | Unfit], what: str, *, method: str = "auto", budget: Budget | None = None
) -> str:
    """The name with the least estimated time among those within the budget; ``what`` is counted, for the message.

    Raises ``BudgetExceeded`` with the estimate where none fits, and ``ExactPermError`` where the engine asked for
    cannot do it at all.
    """
    budget = Budget.of(budget)
    known = {name: cost for name, cost in costs.items() if isinstance(cost, Estimate)}
    fits = [name for name, cost in known.items() if budget.admits(cost)]
    if not known:
        reasons = "; ".join(f"{name} {cost.reason}" for name, cost in costs.items() if isinstance(cost, Unfit))
        error = ExactPermError if method != "auto" else BudgetExceeded
        raise error(f"no exact count of {what}: {reasons}. Instead: {_WAYS_OUT}")
    if fits:
        return min(fits, key=lambda name: known[name].seconds)
    name = min(known, key=lambda name: max(known[name].seconds / budget.seconds, known[name].bytes / budget.bytes))
    raise budget.exceeded(known[name], f"counting {what}", _WAYS_OUT, f" (engine {name})")


def check_size(units: int, budget: Budget | None = None) -> None:
    """Raise ``BudgetExceeded`` where 2**units, the number of assignments, does not fit the memory by itself.

    Source: id own-plan.
    """
    limit = Budget.of(budget)
    size = 4 * (units // 8)  # the total, the count, and what makes a p-value of them
    if size > limit.bytes:
        raise BudgetExceeded(
            f"the 2**{short_integer(units)} assignments would take {shown_bytes(size)} to write down; the budget is "
            f"{shown_bytes(limit.bytes)}. Instead: {_WAYS_OUT}",
            None,
            size,
        )


def _described(tally: Tally) -> str:
    return (
        f"{sum(tally.values())} pairs with {len(tally)} distinct differences of up to "
        f"{short_integer(max(tally, default=0))} steps"
    )
