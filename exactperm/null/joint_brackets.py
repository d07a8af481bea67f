"""Certified tails of statistics with several components: brackets of p-values where T is monotone along rows.

Source: spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

from math import inf

from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..arithmetic.quoting import short_text
from ..budget import Options
from ..certified.bracket import tail_bracket
from ..certified.joint_bracket import region_tail
from ..certified.search import Counting, Meter, narrowed
from ..counting import plane
from ..errors import BudgetExceeded
from .alternative import Alternative
from .joint import JointTails, tails
from .region import Side, region

_SECONDS_ROW = 3e-5  # of an exact count, for the ends of one row


def brackets(
    source: JointTails,
    alternative: Alternative,
    digits: int | None,
    options: Options,
    *,
    strict: bool,
) -> tuple[int, list[Enclosure]]:
    """Return (factor, brackets of tails) of the values at least as extreme as the observed one, or more extreme.

    The p-value is min(1, factor * the least of these). Raises ``BudgetExceeded`` where the budget
    buys neither a certain digit nor a count.
    Source: Eq. 2; spec/ratio-inversion.md#ratio-results.
    """
    if not source.known(alternative):
        return 1, [_counted(source, alternative, options, strict=strict)]
    factor, sides = source.sides(source.statistic, alternative, strict=strict)
    return factor, [_bracket(source, side, digits, options) for side in sides]


def _bracket(source: JointTails, side: Side, digits: int | None, options: Options) -> Enclosure:
    """Enclose P(T >= t), P(T > t), P(T <= t) or P(T < t)."""
    swaps, budget = source.swaps, options.budget
    if swaps.rank < 2:
        tail = region(swaps, source.rule, side)
        low, high = tail.row(0)
        if not 0 <= tail.depth < high - low:
            return ZERO if tail.depth < 0 else ONE
        return tail_bracket(swaps.line(), tail.depth, digits, budget=budget)

    def counted() -> Enclosure:
        return _exactly(source, source.count(side, options)[0])

    count = Counting(seconds=seconds_of_count(source, budget.bytes), made=counted)
    regions = [region(one, source.rule, side) for one in source.coordinates]
    return narrowed(region_tail(lambda: regions, count, Meter(budget, options.progress)), digits)


def seconds_of_count(source: JointTails, most: float) -> float:
    """Estimate the seconds of an exact count of one tail, to two digits; infinite where it needs more memory."""
    tally = source.best.tally
    cost = plane.estimate(tally, False)
    rows = min(plane.box(tally).right + 1, plane.ENDLESS)
    return float(f"{cost.seconds + rows * _SECONDS_ROW:.1e}") if cost.bytes <= most else inf


def _counted(
    source: JointTails, alternative: Alternative, options: Options, *, strict: bool
) -> Enclosure:
    """Count a tail that has no bracket; what is doubled is counted twice."""
    try:
        found = tails(source.swaps, source.rule, alternative, options).extremes(
            alternative, options
        )
    except BudgetExceeded as refusal:
        detail = (
            f"the statistic {short_text(source.rule.name)} has no certified bracket, since it does not promise to "
            "be monotone along one of two sums, and antisymmetric for two-sided tails"
        )
        raise BudgetExceeded(
            refusal.what, refusal.needs, refusal.limit, detail=detail, cure=refusal.cure
        ) from None
    return _exactly(source, found.more if strict else found.more + found.tied)


def _exactly(source: JointTails, count: int) -> Enclosure:
    return Enclosure(count, count, -source.n_units)
