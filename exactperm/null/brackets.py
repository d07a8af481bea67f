"""Certified brackets of p-values of sums, from brackets of their tails.

A sum of pairs is symmetric, so one tail is enough. A sum of steps need not be: its p-value is that
of both tails, each enclosed for itself. Where every step is its own mirror image one bracket serves
both.

Source: spec/15-runs.md#own-designs, spec/note-appendix.md#own-step-brackets.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import comb, inf

from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..budget import Budget, Estimate, Options, Progress
from ..certified.bracket import tail_bracket
from ..certified.search import NO_COUNT, Counting
from ..certified.steps import draw_bracket, rational, step_bracket, step_counting
from ..errors import BudgetExceeded
from ..record import Record, replaced
from ..swaps.canonical import Canonical, Steps, Swaps
from ..swaps.draws import Drawn, Draws, OfDraws, listed
from ..swaps.draws import mirrored as draw_mirrored
from ..swaps.units import mirrored, steps_of
from .alternative import Alternative, Extremes, extremes, fold
from .tails import Thresholds, thresholds

Bound = Callable[[int, int], int]


def pvalue_bracket(
    swaps: Canonical,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    *,
    decided: Callable[[Enclosure], bool] | None = None,
    progress: Progress | None = None,
) -> Enclosure:
    """Enclose the p-value of a sum to ``digits``, those of each tail, or of pairs until a bracket is ``decided``.

    Every alternative of pairs is a multiple of one tail of X; see
    :func:`exactperm.null.alternative.fold`.

    >>> from exactperm.swaps.draws import canonical_items
    >>> steps = canonical_items({(2, 1, (0, 0, 1)): 2}, -4, 4)
    >>> pvalue_bracket(steps, "less", None, Budget()).floats()
    (0.1111111111111111, 0.11111111111111112)
    """
    if isinstance(swaps, Swaps):
        k, factor = fold(alternative, swaps.observed, swaps.span)
        until = None if decided is None else (lambda tail: decided(tail.scaled(factor - 1)))
        tail = tail_bracket(swaps.tally, k, digits, budget=budget, settled=until, progress=progress)
        return tail.scaled(factor - 1)
    factor, ends = thresholds(swaps, alternative)
    low, high = _tails(swaps, ends, digits, budget, progress)
    return (_least(low, high).scaled(1) if factor == 2 else _sum(low, high)).at_most(0)


class TailPair(Record):
    """Brackets of the probabilities of the extreme values and of those more extreme.

    ``factor`` is that of the p-value; ``at_centre`` says that the observed value of a symmetric sum
    is in the middle, where one of the two follows from the other.
    """

    weak: Enclosure
    strict: Enclosure
    alternative: Alternative
    factor: int
    at_centre: bool = False

    @property
    def midp(self) -> Enclosure:
        """The mid-p value."""
        ends = sorted(part.halves for part in self._parts(crossed=self.at_centre))
        return Enclosure(ends[0], ends[1], -self._scale - 1)

    @property
    def point(self) -> Enclosure:
        """The probability of being exactly as extreme; its lower end is 0 where the two brackets overlap."""
        low, high = [part.tied for part in self._parts(crossed=True)]
        return Enclosure(max(0, low), high, -self._scale)

    @property
    def _scale(self) -> int:
        return max(-self.weak.exponent, -self.strict.exponent)

    def _parts(self, *, crossed: bool) -> list[Extremes]:
        """Return the two parts of the p-value at both lower and both upper ends, or at a lower with an upper one."""
        scale = self._scale
        weak, strict = self.weak.fixed(scale), self.strict.fixed(scale)
        return [
            extremes(self.alternative, 1 << scale, self.factor, mine, other)
            for mine, other in zip(weak, reversed(strict) if crossed else strict)
        ]


def tail_pair(
    swaps: Canonical, alternative: Alternative, digits: int | None, budget: Budget, known: Enclosure
) -> TailPair:
    """Enclose both tails of a sum, with its observed value and without; ``known`` is the bracket of the p-value.

    Where the smaller tail is doubled, it is that of the extreme values; where brackets do not tell
    which is smaller, the values more extreme are enclosed on both sides.
    """
    if isinstance(swaps, Swaps):
        k, factor = fold(alternative, swaps.observed, swaps.span, strict=True)
        strict = tail_bracket(swaps.tally, k, digits, budget=budget)
        at_centre = 2 * (k + 1) == swaps.span
        weak = strict.complement() if at_centre else known.scaled(1 - factor)
        return TailPair(
            weak=weak, strict=strict, alternative=alternative, factor=factor, at_centre=at_centre
        )
    factor, ends = thresholds(swaps, alternative)
    low, high = _tails(swaps, ends, digits, budget)
    below, above = _tails(swaps, thresholds(swaps, alternative, strict=True)[1], digits, budget)
    weak = _least(low, high) if factor == 2 else _sum(low, high)
    if factor == 1:
        strict = _sum(below, above)
    elif low.ends()[1] < high.ends()[0]:
        strict = below
    elif high.ends()[1] < low.ends()[0]:
        strict = above
    else:
        strict = _joined(below, above, min, max)
    return TailPair(weak=weak, strict=strict, alternative=alternative, factor=factor)


def _tails(
    swaps: Canonical,
    ends: Thresholds,
    digits: int | None,
    budget: Budget,
    progress: Progress | None = None,
) -> tuple[Enclosure, Enclosure]:
    """Enclose P(X <= a) and P(X >= b), 0 for a tail that does not count; two brackets have half of the budget each."""
    a, b = ends
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


def _mirrored(swaps: Canonical) -> Canonical:
    """Return the swaps of the greatest X less X; of two samples only what is drawn."""
    if isinstance(swaps, Steps):
        return replaced(swaps, tally=mirrored(swaps.tally))
    if isinstance(swaps, Drawn):
        return replaced(swaps, draws=draw_mirrored(swaps.draws))
    values: tuple[int, ...] = swaps.values  # type: ignore[attr-defined]  # of a pool
    return replaced(swaps, values=tuple([values[-1] - value for value in reversed(values)]))


def _below(
    swaps: Canonical, k: int, digits: int | None, budget: Budget, progress: Progress | None
) -> Enclosure:
    """Enclose P(X <= k): of draws by an inversion that lists no sum, or by their count."""
    if not isinstance(swaps, OfDraws):
        types = steps_of(swaps.tally)
        return step_bracket(types, k, digits, budget=budget, progress=progress)
    count = _counting(swaps.draws, k, Options(budget=budget, progress=progress))
    return draw_bracket(swaps.draws, k, digits, budget=budget, progress=progress, count=count)


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


def _joined(x: Enclosure, y: Enclosure, low: Bound, high: Bound) -> Enclosure:
    """Return the enclosure whose ends are chosen from those of two others."""
    scale = max(-x.exponent, -y.exponent)
    (a, b), (c, d) = x.fixed(scale), y.fixed(scale)
    return Enclosure(low(a, c), high(b, d), -scale)
