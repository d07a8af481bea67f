"""Counts of the tails of statistics with several components.

For any h the points are laid out one by one and h is called on each. A
:class:`~exactperm.swaps.statistic.Statistic` that promises to be monotone needs far fewer calls:
its tails are regions of :mod:`exactperm.null.region`. Rank 0 or 1 then needs a threshold count on a
line, rank 2 the weights of :mod:`exactperm.counting.plane`.

Source: Alg. 5; spec/05-higher-order.md#alg-5, spec/09-own-theorems.md#own-monotone.
"""

from __future__ import annotations

from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..budget import DEFAULTS, Options
from ..counting import plan, plane
from ..swaps.lattice import Lattice
from ..swaps.statistic import Statistic
from .alternative import Alternative, centred, regions
from .distribution import NullDistribution
from .joint import Combined, cheapest, engine, laid_out, value_of
from .region import Side, coordinates, region, side_of
from .tails import ExactTails, LaidOutTails


class MonotoneTails(Combined, ExactTails):
    """Tails of a monotone statistic in a lattice of rank at most 2 whose rows are monotone.

    Two-sided only where it is antisymmetric (:func:`tails` sees to it), so that its mean is 0.
    Cost: some five calls of h for each row, and one count on a line or in the plane for each tail.
    Source: Alg. 5, Thm. 5, Eq. 2; spec/05-higher-order.md#thm-5.
    """

    @property
    def seen(self) -> Exact:
        """The observed value."""
        return self.statistic

    @property
    def total(self) -> int:
        """Number of assignments."""
        return 1 << self.swaps.n_units

    @property
    def ends(self) -> tuple[Exact, Exact]:
        """The least and the greatest attainable value: T is monotone along each row of attainable points."""
        swaps = self.swaps
        points: list[tuple[int, ...]] = [(0,) * swaps.rank, swaps.corner]
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
        # An antisymmetric T is symmetric about 0: exchange the systems in every assignment.
        factor, found = regions(alternative, x, lambda: -x, symmetric=self.rule.antisymmetric)
        count, method = min(self.count(side_of(ends, strict=strict), options) for ends in found)
        return factor, count, method

    def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        return laid_out(self.swaps, self.rule.combine, options).null

    def count(self, side: Side, options: Options) -> tuple[int, str]:
        """Count the assignments with T in a tail; name the engine that counted them."""
        swaps = self.swaps
        tail = region(swaps, self.rule, side)
        if swaps.rank < 2:
            count, method = plan.count_at_most(
                swaps.line(), tail.row(0)[1] - tail.first(0), options
            )
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
) -> MonotoneTails | LaidOutTails:
    """Return the tails of a statistic of any number of components, by the engine with the least estimated time.

    Two-sided tails lie about the mean of T, which is known without the whole distribution only
    where the statistic is antisymmetric. Raises ``BudgetExceeded``, before any work, where no
    engine fits. Source: Alg. 5; spec/05-higher-order.md#alg-5.
    """
    monotone: list[Lattice] = []
    if statistic.antisymmetric or not centred(alternative):
        monotone = coordinates(swaps, statistic)
    if monotone:
        best = monotone[0] if swaps.rank < 2 else cheapest(monotone, whole=False)
        if swaps.rank < 2 or engine(best, options, whole=False) == "recurrence":
            return MonotoneTails(swaps=best, rule=statistic)
    return laid_out(swaps, statistic.combine, options)
