"""The choice of the engine for sums of steps: items whose values have weights, where a pair has two states.

Every threshold is folded first: with a span D, #{X <= k} = S - #{D - X <= D - k - 1}, where S is
the number of all choices and D - X is the sum of the mirrored steps. For two items of 1 + 2x, #{X
<= 1} = 9 - #{2 - X <= 0} = 9 - 4.

Source: spec/15-runs.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from importlib import import_module

from .._types import TYPE_CHECKING, Any
from ..budget import DEFAULTS, Estimate, Options, Progress, Unfit
from ..errors import ExactPermError
from ..swaps.units import Step, choices, degree, mirrored
from .methods import check_method
from .plan import pick

if TYPE_CHECKING:
    from typing import Protocol

    class Engine(Protocol):
        """The three functions of an engine module; as for pairs, with {step: number of items} for the tally."""

        def estimate(self, types: Types, k: int | None) -> Estimate | Unfit:
            """Return seconds and bytes, or why the engine does not apply."""

        def count_at_most(self, types: Types, k: int, *, progress: Progress | None = None) -> int:
            """Return the number of choices that sum to at most k."""

        def counts(self, types: Types, *, progress: Progress | None = None) -> dict[int, int]:
            """Return the whole distribution."""


Types = Mapping[Step, int]


ENGINES = {
    "recurrence": "recurrence",
    "dp": "dp",
    "packed": "packed",
    "meet-in-the-middle": "meet_in_the_middle",
}
"""The module of each engine, in the order in which "auto" considers them."""

_INSTEAD = (
    "fast_permutation_test_runs for certified digits, or more with budget=Budget(seconds=, bytes=). Rounding the "
    "scores (decimals=) is cheaper but asks another question, with another p-value"
)


@lru_cache
def engine(name: str) -> Engine:
    """Return the module of an engine, loaded when it is first used."""
    module: Any = import_module(f".{ENGINES[name]}", __package__)
    return module  # type: ignore[no-any-return]


class _Part:
    """One threshold count, folded into the half with fewer sums."""

    def __init__(self, types: Types, k: int) -> None:
        span = degree(types)
        self.inverted = 2 * k >= span
        self.types = mirrored(types) if self.inverted else types
        self.k = span - k - 1 if self.inverted else k

    def costs(self, name: str) -> Estimate | Unfit:
        """Return the estimate of one engine."""
        return (
            Estimate(seconds=0, bytes=0)
            if self.k < 0
            else engine(name).estimate(self.types, self.k)
        )

    def count(self, name: str, options: Options) -> int:
        """Return the count by one engine."""
        found = (
            0
            if self.k < 0
            else engine(name).count_at_most(self.types, self.k, progress=options.progress)
        )
        return choices(self.types) - found if self.inverted else found


def tail_counts(
    types: Types, low: int | None, high: int | None, options: Options = DEFAULTS
) -> tuple[int, int, str]:
    """Count the choices whose values sum to at most ``low``, and those with at least ``high``; name the engine.

    None stands for a tail that is not needed, whose count is 0. Raises ``BudgetExceeded`` before
    any work.

    >>> tail_counts({((0, 1), (1, 2)): 2}, 0, 1)
    (1, 8, 'dp')
    """
    check_method(options.method)
    back = types if high is None else mirrored(types)
    span = degree(types)
    parts = [
        None if k is None else _Part(of, k)
        for of, k in ((types, low), (back, high if high is None else span - high))
    ]
    same = low is not None and high is not None and low == span - high and back == types
    wanted = [part for part in parts[: 1 if same else 2] if part is not None]
    costs = {
        name: _together([part.costs(name) for part in wanted]) for name in _considered(options)
    }
    name = pick(costs, lambda: described(types), options, _INSTEAD)
    found = [0 if part is None else part.count(name, options) for part in parts[: 1 if same else 2]]
    return found[0], found[-1], name


def counts(types: Types, options: Options = DEFAULTS) -> tuple[dict[int, int], str]:
    """Return the whole distribution {sum: number of choices}, ascending, zeros left out, and the engine's name."""
    check_method(options.method)
    costs = {name: engine(name).estimate(types, None) for name in _considered(options)}
    name = pick(costs, lambda: described(types), options, _INSTEAD)
    return engine(name).counts(types, progress=options.progress), name


def _considered(options: Options) -> Iterator[str]:
    """Yield the engines that may count; ``ExactPermError`` for one that counts pairs only."""
    if options.method == "auto":
        return iter(ENGINES)
    if options.method not in ENGINES:
        others = ", ".join(ENGINES)
        raise ExactPermError(
            f"method is {options.method!r}: it counts pairs; several runs are counted by {others}"
        )
    return iter((options.method,))


def _together(costs: list[Estimate | Unfit]) -> Estimate | Unfit:
    """Return the estimate of several counts, one after the other."""
    fits = [cost for cost in costs if isinstance(cost, Estimate)]
    if len(fits) < len(costs):
        return next(cost for cost in costs if isinstance(cost, Unfit))
    return Estimate(
        seconds=sum(cost.seconds for cost in fits),
        bytes=max((cost.bytes for cost in fits), default=0),
    )


def described(types: Types) -> str:
    """Return what a count is of, for messages.

    >>> described({((0, 1), (1, 2)): 2})
    '2 items with 1 different steps, of up to 2 values'
    """
    most = max(map(len, types), default=1)
    return f"{sum(types.values())} items with {len(types)} different steps, of up to {most} values"
