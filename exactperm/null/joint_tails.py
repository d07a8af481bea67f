"""Certified tails of statistics with several components: brackets of p-values where T is monotone along rows.

Source: spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

from functools import cached_property
from math import inf

from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..arithmetic.quoting import short_text
from ..budget import Budget, Estimate, Options, Progress
from ..certified.bracket import tail_bracket
from ..certified.joint_bracket import region_tail
from ..certified.search import Counting, Meter, narrowed
from ..counting import plane
from ..errors import BudgetExceeded
from ..swaps.lattice import Lattice
from .alternative import Alternative, centred, regions
from .joint import Combined, MonotoneTails, cheapest, tails
from .region import Region, Side, coordinates, region, side_of

_SECONDS_ROW = 3e-5  # of an exact count, for the ends of one row


class JointTails(Combined):
    """Certified tails of a statistic of several components: brackets where it is monotone along rows, else counts."""

    @property
    def n_units(self) -> int:
        """The number of swap units."""
        return self.swaps.n_units

    @property
    def ties(self) -> int:
        """The number of units that change nothing."""
        return self.swaps.ties

    def least(
        self,
        alternative: Alternative,
        digits: int | None,
        budget: Budget,
        *,
        strict: bool = False,
        progress: Progress | None = None,
    ) -> tuple[int, Enclosure]:
        """Return (factor, bracket of the least extreme region of t), without its boundary if ``strict``.

        The p-value is min(1, factor * P). Raises ``BudgetExceeded`` where the budget buys neither a
        certain digit nor a count.
        Source: Eq. 2; spec/ratio-inversion.md#ratio-results.
        """
        reason = self._uncertain(alternative)
        if reason:
            options = Options(budget=budget, progress=progress)
            return 1, self._counted_tail(alternative, options, reason, strict=strict)
        t = self.statistic
        factor, found = regions(alternative, t, lambda: -t, symmetric=self.rule.antisymmetric)
        options = Options(budget=budget, progress=progress)
        parts = [self._tail(side_of(ends, strict=strict), digits, options) for ends in found]
        scale = max(-part.exponent for part in parts)
        lower, most = zip(*(part.fixed(scale) for part in parts))
        return factor, Enclosure(min(lower), min(most), -scale)

    def _tail(self, side: Side, digits: int | None, options: Options) -> Enclosure:
        """Enclose P(T >= t), P(T > t), P(T <= t) or P(T < t)."""
        budget = options.budget
        if self.swaps.rank < 2:
            return self._on_a_line(side, digits, budget)
        fits = self._cost.bytes <= budget.bytes
        count = Counting(
            seconds=self._counted if fits else inf, made=lambda: self._count(side, options)
        )

        def found() -> list[Region]:
            return [region(one, self.rule, side) for one in self.coordinates]

        return narrowed(region_tail(found, count, Meter(budget, options.progress)), digits)

    def _uncertain(self, alternative: Alternative) -> str:
        """Say why the statistic has no certified bracket; nothing where it has one.

        Two-sided tails need a statistic that is antisymmetric, so that its mean is known.
        """
        swaps, rule = self.swaps, self.rule
        if rule.monotone is None:
            return "it does not promise to be monotone"
        if swaps.rank > 2:
            return f"its sums have {swaps.rank} free coordinates, and a bracket takes two at most"
        if centred(alternative) and not rule.antisymmetric:
            return "it does not promise to be antisymmetric, and the mean that two-sided tails lie about is not known"
        if not self.coordinates:
            return "it is monotone along no direction of its sums"
        return ""

    def _counted_tail(
        self, alternative: Alternative, options: Options, reason: str, *, strict: bool
    ) -> Enclosure:
        """Count a tail that has no bracket, for this ``reason``; what is doubled is counted twice."""
        try:
            found = tails(self.swaps, self.rule, alternative, options).extremes(
                alternative, options
            )
        except BudgetExceeded as refusal:
            name = short_text(self.rule.name)
            detail = f"the statistic {name} has no certified bracket, since {reason}"
            raise BudgetExceeded(
                refusal.what, refusal.needs, refusal.limit, detail=detail, cure=refusal.cure
            ) from None
        count = found.more if strict else found.more + found.tied
        return Enclosure(count, count, -self.n_units)

    @cached_property
    def coordinates(self) -> list[Lattice]:
        """The lattice in coordinates along whose last one T is monotone."""
        return coordinates(self.swaps, self.rule)

    @cached_property
    def _cost(self) -> Estimate:
        return plane.estimate(cheapest(self.coordinates, whole=False).tally, False)

    @property
    def _counted(self) -> float:
        """Estimate the seconds of an exact count of one tail, to two digits."""
        rows = plane.box(cheapest(self.coordinates, whole=False).tally).right + 1
        return float(f"{self._cost.seconds + min(rows, plane.ENDLESS) * _SECONDS_ROW:.1e}")

    def _count(self, side: Side, options: Options) -> Enclosure:
        rows = MonotoneTails(swaps=cheapest(self.coordinates, whole=False), rule=self.rule)
        count, _ = rows.count(side, options)
        return Enclosure(count, count, -self.n_units)

    def _on_a_line(self, side: Side, digits: int | None, budget: Budget) -> Enclosure:
        """Enclose a tail where all sums lie on one line, along which T is monotone: one tail of the swap sum."""
        tail, line = region(self.swaps, self.rule, side), self.swaps.line()
        low, high = tail.row(0)
        last = high - tail.first(0)
        if last >= high - low:
            return ONE
        return tail_bracket(line, last, digits, budget=budget) if last >= 0 else ZERO
