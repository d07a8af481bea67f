"""Null distributions and tails of statistics with several components.

Alg. 5 for any h: the points of the lattice are counted one by one, and h is called on the sums of
each. A :class:`~exactperm.swaps.statistic.Statistic` that promises to be monotone needs far fewer
calls: its tails are regions of :mod:`exactperm.null.region`. Rank 0 or 1 then needs a threshold count
on a line, rank 2 the weights of :mod:`exactperm.counting.plane`.

Source: Alg. 5, Thm. 5; spec/05-higher-order.md#thm-5, spec/09-own-theorems.md#own-monotone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..budget import DEFAULTS, Estimate, Options, Unfit
from ..counting import plan, plane
from ..counting.methods import check_method
from ..record import replaced
from ..swaps.effects import Effect
from ..swaps.lattice import Lattice, axes
from ..swaps.statistic import Statistic, value_of
from .alternative import Alternative, centred, tail_ends
from .distribution import NullDistribution
from .region import Side, coordinates, region, sides_of
from .tails import ExactTails, LaidOutTails

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


def cheapest(candidates: Sequence[Lattice], *, whole: bool) -> Lattice:
    """Return the coordinates in which packed rows take the least time, for the whole distribution or for a count."""
    return min(candidates, key=lambda one: plane.estimate(one.tally, whole).seconds)


def engine(swaps: Lattice, options: Options = DEFAULTS, *, whole: bool) -> str:
    """Return the name of the engine for a lattice of rank 2.

    "recurrence" means packed rows in two dimensions; every other engine counts the points packed on
    a line. Raises ``BudgetExceeded`` where none fits.
    """
    line = swaps.line()
    what = f"{sum(line.values())} pairs with {len(line)} distinct effects in two dimensions"
    return plan.pick(costs(swaps, options, whole=whole), lambda: what, options)[0]


def costs(swaps: Lattice, options: Options, *, whole: bool) -> dict[str, Estimate | Unfit]:
    """Return the estimates of engines for a lattice of rank 2: of packed rows, and of points packed on a line."""
    check_method(options.method)
    line = swaps.line()
    # Points on a line must be unpacked, and h called on each where rows would need a count only.
    each = _SECONDS_UNPACKED if whole else _SECONDS_UNPACKED + _SECONDS_VALUE
    more = each * min(1 << sum(line.values()), plane.points(swaps.tally), plane.ENDLESS)
    found = plan.costs(line, None, options)
    for name, cost in found.items():
        if isinstance(cost, Estimate):
            found[name] = replaced(cost, seconds=cost.seconds + more)
    if options.method in ("auto", "recurrence"):
        found["recurrence"] = plane.estimate(swaps.tally, whole)
    return found


class JointTails(ExactTails):
    """Tails of a statistic of several components: ``rule`` combines the sums of the ``swaps``.

    They are counted where T is monotone along the rows of a lattice of rank at most 2, two-sided
    only where it is antisymmetric, so that its mean is 0. Cost: some five calls of h for each row,
    and one count on a line or in the plane for each tail.
    Source: Alg. 5, Thm. 5, Eq. 2; spec/05-higher-order.md#thm-5.
    """

    swaps: Lattice
    rule: Statistic

    @cached_property
    def statistic(self) -> Exact:
        """The observed value."""
        return exact(value_of(self.rule.combine, self.swaps.sums(self.swaps.observed)))

    @property
    def n_units(self) -> int:
        """Number of swap units."""
        return self.swaps.n_units

    @property
    def ties(self) -> int:
        """Number of units that change nothing."""
        return self.swaps.ties

    @property
    def total(self) -> int:
        """Number of assignments."""
        return 1 << self.n_units

    @cached_property
    def coordinates(self) -> list[Lattice]:
        """The lattice in coordinates along whose last one T is monotone."""
        return coordinates(self.swaps, self.rule)

    @cached_property
    def best(self) -> Lattice:
        """The lattice in the coordinates in which a count is cheapest."""
        return self.swaps if self.swaps.rank < 2 else cheapest(self.coordinates, whole=False)

    def known(self, alternative: Alternative) -> bool:
        """Return whether tails are regions of monotone rows, about a mean that is known where it matters."""
        about = self.rule.antisymmetric or not centred(alternative)
        return about and bool(self.coordinates)

    @property
    def ends(self) -> tuple[Exact, Exact]:
        """The least and the greatest attainable value: T is monotone along each row of attainable points."""
        swaps = self.best
        points: list[Sequence[int]] = [(0,) * swaps.rank, swaps.corner]
        if swaps.rank == 2:
            bottom = plane.box(swaps.tally).bottom - 1
            points = [
                (x, bottom + end)
                for x, row in enumerate(plane.attainable(swaps.tally))
                if row
                for end in ((row & -row).bit_length(), row.bit_length())
            ]
        values = [exact(value_of(self.rule.combine, swaps.sums(point))) for point in points]
        return min(values), max(values)

    def least(
        self, x: Exact, alternative: Alternative, options: Options, *, strict: bool = False
    ) -> tuple[int, int, str]:
        """Return (factor, count, engine) of the least tail of values at least as extreme as x, or more extreme.

        The options choose among the engines of a line; in two dimensions :func:`tails` has chosen.
        """
        factor, sides = self.sides(x, alternative, strict=strict)
        return (factor, *min(self.count(side, options) for side in sides))

    def sides(self, x: Exact, alternative: Alternative, *, strict: bool) -> tuple[int, list[Side]]:
        """Return (factor, tails) of the values at least as extreme as x, of which the least counts, or more extreme."""
        # An antisymmetric T is symmetric about 0: exchange the systems in every assignment.
        symmetric = self.rule.antisymmetric
        factor, ends = tail_ends(alternative, x, lambda: -x, symmetric=symmetric)
        return factor, sides_of(ends, strict=strict)

    def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        return laid_out(self.swaps, self.rule.combine, options).null

    def count(self, side: Side, options: Options) -> tuple[int, str]:
        """Count the assignments with T in a tail; name the engine that counted them."""
        swaps = self.best
        tail = region(swaps, self.rule, side)
        if swaps.rank < 2:
            count, method = plan.count_at_most(swaps.line(), tail.depth, options)
            return count << swaps.ties, method
        bottom, first = plane.box(swaps.tally).bottom, 0
        rows: list[int] = []
        for x in range(tail.right + 1):
            first, (_, last) = tail.first(x, first), tail.row(x)
            start, stop = (-last, 1 - first) if tail.flipped else (first, last + 1)
            rows.append((1 << stop - bottom) - (1 << start - bottom))
        count = plane.count_points(swaps.tally, rows, progress=options.progress)
        return count << swaps.ties, "recurrence"


def tails(
    swaps: Lattice,
    statistic: Statistic,
    alternative: Alternative = "two-sided",
    options: Options = DEFAULTS,
) -> JointTails | LaidOutTails:
    """Return the tails of a statistic of any number of components, by the engine with the least estimated time.

    Two-sided tails lie about the mean of T, which is known without the whole distribution only
    where the statistic is antisymmetric. Raises ``BudgetExceeded``, before any work, where no
    engine fits. Source: Alg. 5; spec/05-higher-order.md#alg-5.
    """
    found = JointTails(swaps=swaps, rule=statistic)
    by_rows = found.known(alternative) and (
        swaps.rank < 2 or engine(found.best, options, whole=False) == "recurrence"
    )
    return found if by_rows else laid_out(swaps, statistic.combine, options)
