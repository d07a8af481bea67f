"""Certified brackets of p-values of sums of steps, from brackets of their two tails.

A sum of steps need not be symmetric, so the p-value is that of both tails, each enclosed for
itself. Where every step is its own mirror image one bracket serves both.

Source: spec/15-runs.md, spec/tilted-inversion.md.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, inf

from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..budget import Budget, Estimate, Options, Progress
from ..certified.search import Counting
from ..certified.steps import NO_COUNT, draw_bracket, rational, step_bracket, step_counting
from ..errors import BudgetExceeded
from ..record import replaced
from ..swaps.draws import Drawn, Draws, listed
from ..swaps.draws import mirrored as draw_mirrored
from ..swaps.steps import Steps
from ..swaps.units import mirrored
from .alternative import Alternative
from .step_tails import Sums, Thresholds, thresholds


def step_pvalue(
    swaps: Sums,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    progress: Progress | None = None,
) -> Enclosure:
    """Enclose the p-value of steps; ``digits`` are those of each tail.

    >>> from exactperm.budget import Budget
    >>> from exactperm.swaps.steps import canonical_steps
    >>> steps = canonical_steps({(2, 1, (0, 0, 1)): 2}, -4, 4)
    >>> step_pvalue(steps, "less", None, Budget()).floats()
    (0.1111111111111111, 0.11111111111111112)
    """
    factor, ends = thresholds(swaps, alternative)
    low, high = _tails(swaps, ends, digits, budget, progress)
    return _least(low, high).scaled(1).at_most(0) if factor == 2 else _sum(low, high).at_most(0)


def step_tails(
    swaps: Sums, alternative: Alternative, digits: int | None, budget: Budget
) -> tuple[int, Enclosure, Enclosure]:
    """Return (factor, the extreme values, those more extreme): brackets of the probabilities of both.

    Where the smaller tail is doubled, it is that of the extreme values; where brackets do not tell
    which is smaller, the values more extreme are enclosed on both sides.
    """
    factor, region = thresholds(swaps, alternative)
    low, high = _tails(swaps, region, digits, budget)
    below, above = _tails(swaps, thresholds(swaps, alternative, strict=True)[1], digits, budget)
    if factor == 1:
        return 1, _sum(low, high), _sum(below, above)
    ends, others = low.ends(), high.ends()
    if ends[1] < others[0]:
        strict = below
    elif others[1] < ends[0]:
        strict = above
    else:
        strict = _joined(below, above, min, max)
    return factor, _least(low, high), strict


def _tails(
    swaps: Sums,
    region: Thresholds,
    digits: int | None,
    budget: Budget,
    progress: Progress | None = None,
) -> tuple[Enclosure, Enclosure]:
    """Enclose P(X <= a) and P(X >= b), 0 for a tail that does not count; two brackets have half of the budget each."""
    a, b = region
    if a == swaps.span and b is None:
        return ONE, ZERO
    same = swaps.symmetric and b is not None and a == swaps.span - b
    if same or b is None:
        low = ZERO if a is None else _below(swaps, a, digits, budget, progress)
        return low, (low if same else ZERO)
    back = _mirrored(swaps)
    if a is None:
        return ZERO, _below(back, swaps.span - b, digits, budget, progress)
    half = Budget(seconds=budget.seconds / 2, bytes=budget.bytes)
    try:
        low = _below(swaps, a, digits, half, progress)
        return low, _below(back, swaps.span - b, digits, half, progress)
    except BudgetExceeded as refusal:
        raise _of_both(refusal) from None


def _mirrored(swaps: Sums) -> Sums:
    """Return the swaps of the greatest X less X; of two samples only what is drawn."""
    if isinstance(swaps, Steps):
        return replaced(swaps, types=mirrored(swaps.types))
    if isinstance(swaps, Drawn):
        return replaced(swaps, draws=draw_mirrored(swaps.draws))
    top = swaps.values[-1]
    return replaced(swaps, values=tuple([top - value for value in reversed(swaps.values)]))


def _below(
    swaps: Sums, k: int, digits: int | None, budget: Budget, progress: Progress | None
) -> Enclosure:
    """Enclose P(X <= k): of draws by an inversion that lists no sum, or by their count."""
    if isinstance(swaps, Steps):
        return step_bracket(swaps.types, k, digits, budget=budget, progress=progress)
    draws = swaps.draws
    count = _counting(draws, k, Options(budget=budget, progress=progress))
    return draw_bracket(draws, k, digits, budget=budget, progress=progress, count=count)


def _counting(draws: Draws, k: int, options: Options) -> Counting:
    """Return the count of P(X <= k): of one draw by rows, of several from their sums where these are few."""
    if sum(draws.values()) > 1:
        types = listed(draws)
        return NO_COUNT if types is None else step_counting(types, k, options)
    from ..counting import rows

    ((m, values),) = draws
    cost = rows.estimate(values, m)

    def made() -> Enclosure:
        count = rows.count_at_most(values, m, [k], progress=options.progress)[0]
        return rational(Fraction(count, comb(len(values), m)))

    fits = cost.bytes <= options.budget.bytes
    return Counting(seconds=cost.seconds if fits else inf, made=made)


def _of_both(refusal: BudgetExceeded) -> BudgetExceeded:
    """Return the refusal of two brackets for that of one of them, which was allowed half of the seconds."""
    needs = Estimate(seconds=2 * (refusal.seconds or 0.0), bytes=int(refusal.bytes or 0))
    return BudgetExceeded(
        refusal.what, needs, refusal.limit, detail=refusal.detail, cure=refusal.cure
    )


def _sum(x: Enclosure, y: Enclosure) -> Enclosure:
    """Return x + y, exactly."""
    if ZERO in (x, y):
        return x if y == ZERO else y
    scale = max(-x.exponent, -y.exponent)
    (a, b), (c, d) = x.fixed(scale), y.fixed(scale)
    return Enclosure(a + c, b + d, -scale)


def _least(x: Enclosure, y: Enclosure) -> Enclosure:
    """Return the smaller of two numbers."""
    return _joined(x, y, min, min)


def _joined(
    x: Enclosure, y: Enclosure, low: Callable[[int, int], int], high: Callable[[int, int], int]
) -> Enclosure:
    """Return the enclosure whose ends are chosen from those of two others."""
    scale = max(-x.exponent, -y.exponent)
    (a, b), (c, d) = x.fixed(scale), y.fixed(scale)
    return Enclosure(low(a, c), high(b, d), -scale)
