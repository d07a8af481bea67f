"""Joint null distribution of several components: every attainable sum and its number of assignments.

Alg. 5 for any h: the points of the lattice are counted one by one, and h is called on the sums of
each.

Source: Alg. 5, Thm. 5; spec/05-higher-order.md#thm-5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from .._types import Any
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..budget import DEFAULTS, Estimate, Options, Unfit
from ..counting import plan, plane
from ..counting.methods import check_method
from ..record import Record
from ..swaps.effects import Effect
from ..swaps.lattice import Lattice, axes
from ..swaps.statistic import Statistic, exactly_ordered
from .distribution import NullDistribution
from .tails import LaidOutTails

# Measured on CPython 3.11, for each point.
_SECONDS_UNPACKED = 1.2e-6
_SECONDS_VALUE = 4e-6


def joint(swaps: Lattice, options: Options = DEFAULTS) -> tuple[Iterator[tuple[Effect, int]], str]:
    """Return the attainable sums, as pairs ((s_1, ..., s_m), number of assignments), and the name of the engine.

    In no particular order, each once; ``dict`` makes the joint null distribution of them. Raises
    ``BudgetExceeded`` before any work. Cost: that of the engine and, for each point, a sum of r
    vectors of m numbers.
    Source: the convolution of m-tuples in Alg. 5; spec/05-higher-order.md#alg-5.

    >>> from exactperm.swaps.lattice import lattice
    >>> from exactperm.swaps.effects import Effects
    >>> sums, engine = joint(lattice(Effects(units={((1, 0), (0, 1)): 2}, n=2)))
    >>> sorted(sums)
    [((0, 2), 1), ((1, 1), 2), ((2, 0), 1)]
    """
    if swaps.rank == 2:
        best = cheapest([swaps.turned(matrix) for matrix in axes(swaps.tally)], whole=True)
        method = engine(best, options, whole=True)
        if method == "recurrence":
            points = plane.items(best.tally, progress=options.progress)
            return ((best.sums(z), count << best.ties) for z, count in points), method
        options = Options(method=method, budget=options.budget, progress=options.progress)
    line, method = plan.counts(swaps.line(), options)
    return ((swaps.sums(swaps.point(x)), count << swaps.ties) for x, count in line.items()), method


def laid_out(
    swaps: Lattice, combine: Callable[..., object] | None, options: Options = DEFAULTS
) -> LaidOutTails:
    """Return the tails of a statistic with any h, from its whole distribution.

    Cost: that of :func:`joint` and one call of h for each point.
    """
    # what h returns is read before any counting
    observed = exact(value_of(combine, swaps.sums(swaps.observed)), "h")
    merged: dict[Exact, int] = {}
    points, method = joint(swaps, options)
    for sums, count in points:
        t = exact(value_of(combine, sums), "h")
        merged[t] = merged.get(t, 0) + count
    return LaidOutTails(statistic=observed, null=NullDistribution.of(merged), method=method)


class Combined(Record):
    """A statistic of several components: its ``swaps``, and the ``rule`` that combines their sums."""

    swaps: Lattice
    rule: Statistic

    @cached_property
    def statistic(self) -> Exact:
        """The observed value of T."""
        return exact(value_of(self.rule.combine, self.swaps.sums(self.swaps.observed)))


def value_of(combine: Callable[..., object] | None, sums: Sequence[Exact]) -> Any:
    """Return the value of h on the m exact sums; ``WrongType`` for a float, whose rounding would break ties."""
    return exactly_ordered(combine(*sums) if combine else sums[0], "h")


def cheapest(candidates: Sequence[Lattice], *, whole: bool) -> Lattice:
    """Return the coordinates in which packed rows take the least time, for the whole distribution or for a count."""
    return min(candidates, key=lambda one: plane.estimate(one.tally, whole).seconds)


def engine(swaps: Lattice, options: Options = DEFAULTS, *, whole: bool) -> str:
    """Return the name of the engine for a lattice of rank 2.

    "recurrence" means packed rows in two dimensions; every other engine counts the points packed on
    a line. Raises ``BudgetExceeded`` where none fits.
    """
    check_method(options.method)
    line = swaps.line()
    # Points on a line must be unpacked, and h called on each where rows would need a count only.
    each = _SECONDS_UNPACKED if whole else _SECONDS_UNPACKED + _SECONDS_VALUE
    more = each * min(1 << sum(line.values()), plane.points(swaps.tally), plane.ENDLESS)
    costs = {name: _dearer(cost, more) for name, cost in plan.costs(line, None, options).items()}
    if options.method in ("auto", "recurrence"):
        costs["recurrence"] = plane.estimate(swaps.tally, whole)
    what = f"{sum(line.values())} pairs with {len(line)} distinct effects in two dimensions"
    return plan.pick(costs, lambda: what, options)[0]


def _dearer(cost: Estimate | Unfit, seconds: float) -> Estimate | Unfit:
    return (
        Estimate(seconds=cost.seconds + seconds, bytes=cost.bytes)
        if isinstance(cost, Estimate)
        else cost
    )
