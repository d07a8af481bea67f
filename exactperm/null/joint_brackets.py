"""Certified tails of statistics with several components: brackets of p-values where T is monotone along rows.

Source: spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

from math import inf

from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..arithmetic.quoting import short_text
from ..budget import Estimate, Options
from ..certified.bracket import tail_bracket
from ..certified.joint_bracket import region_tail
from ..certified.search import Counting, Meter, narrowed, refusing
from ..counting import plane
from ..errors import BudgetExceeded
from .alternative import Alternative
from .joint import JointTails, costs, laid_out, tails
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

    def outer(tail: Enclosure) -> Enclosure:
        """Bound the p-value by one of its tails, only from above where there are two."""
        low = tail.lower if len(sides) == 1 else 0
        return Enclosure(low, tail.upper, tail.exponent).scaled(factor - 1).at_most(0)

    with refusing(outer):
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

    name, seconds = _quickest(source, options)

    def counted() -> Enclosure:
        if name == "recurrence":
            return _exactly(source, source.count(side, options)[0])
        t, upper, strict = side
        null = laid_out(swaps, source.rule.combine, options).null
        _factor, count = null.least(t, "greater" if upper else "less", strict=strict)
        return _exactly(source, count)

    count = Counting(seconds=seconds, made=counted)
    regions = [region(one, source.rule, side) for one in source.coordinates]
    return narrowed(region_tail(lambda: regions, count, Meter(budget, options.progress)), digits)


def _quickest(source: JointTails, options: Options) -> tuple[str, float]:
    """Return the quickest engine for one tail within the memory and its seconds, to two digits; infinite for none."""
    swaps = source.best
    rows = min(plane.box(swaps.tally).right + 1, plane.ENDLESS)
    seconds = {
        name: cost.seconds + (rows * _SECONDS_ROW if name == "recurrence" else 0.0)
        for name, cost in costs(swaps, Options(budget=options.budget), whole=False).items()
        if isinstance(cost, Estimate) and cost.bytes <= options.budget.bytes
    }
    name = min(seconds, key=seconds.__getitem__, default="recurrence")
    return name, float(f"{seconds.get(name, inf):.1e}")


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
