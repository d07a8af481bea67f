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

from .._types import TYPE_CHECKING, Union
from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..budget import Budget, Estimate, Options, Progress
from ..certified.bracket import draw_bracket, rational, step_counting, tail_bracket
from ..certified.search import NO_COUNT, Counting
from ..errors import BudgetExceeded
from ..record import Record
from ..swaps.canonical import Swaps
from ..swaps.draws import listed
from ..swaps.units import AnyUnits, Draws, draws_of, mirrored, steps_of
from .alternative import Alternative, centred, fold, sides
from .tails import Thresholds, thresholds

if TYPE_CHECKING:
    from .joint_tails import JointTails

Enclosable = Union["Swaps", "JointTails"]
"""What a bracket is computed from."""


def pvalue_bracket(
    source: Enclosable,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    *,
    decided: Callable[[Enclosure], bool] | None = None,
    progress: Progress | None = None,
) -> Enclosure:
    """Enclose a p-value to ``digits``: of both tails where they differ, of pairs until a bracket is ``decided``.

    >>> from exactperm.swaps.draws import canonical_items
    >>> steps = canonical_items({(2, 1, (0, 0, 1)): 2}, -4, 4)
    >>> pvalue_bracket(steps, "less", None, Budget()).floats()
    (0.1111111111111111, 0.11111111111111112)
    """
    factor, tail = _least(source, alternative, digits, budget, decided=decided, progress=progress)
    return tail.scaled(factor - 1).at_most(0)


class TailPair(Record):
    """Brackets of the probabilities of the extreme values and of those more extreme; "doubled" has both twice.

    ``whole`` is the sum of both where that is known: of two tails that meet in the centre.
    """

    weak: Enclosure
    strict: Enclosure
    whole: int | None = None

    @property
    def midp(self) -> Enclosure:
        """The mid-p value."""
        if self.whole is not None:
            return Enclosure(self.whole, self.whole, -1)
        return _sum(self.weak, self.strict).scaled(-1)

    @property
    def point(self) -> Enclosure:
        """The probability of being exactly as extreme; its lower end is 0 where the two brackets overlap."""
        scale = max(-self.weak.exponent, -self.strict.exponent)
        (low, high), (least, most) = self.weak.fixed(scale), self.strict.fixed(scale)
        return Enclosure(max(0, low - most), high - least, -scale)


def tail_pair(
    source: Enclosable,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    known: Enclosure,
) -> TailPair:
    """Enclose the values at least as extreme and those more extreme; ``known`` is the bracket of the p-value."""
    factor, tail = _least(source, alternative, digits, budget, strict=True)
    strict = tail.scaled(factor - 1)
    if isinstance(source, Swaps) and source.tied is None:
        if 2 * source.observed != source.span or centred(alternative):
            return TailPair(weak=known, strict=strict)
        return TailPair(weak=tail.complement().scaled(factor - 1), strict=strict, whole=factor)
    weak = known
    if all(sides(alternative)) and not centred(alternative):  # twice a tail may be above 1
        factor, tail = _least(source, alternative, digits, budget)
        weak = tail.scaled(factor - 1)
    return TailPair(weak=weak, strict=strict)


def _least(
    source: Enclosable,
    alternative: Alternative,
    digits: int | None,
    budget: Budget,
    *,
    strict: bool = False,
    decided: Callable[[Enclosure], bool] | None = None,
    progress: Progress | None = None,
) -> tuple[int, Enclosure]:
    """Return (factor, bracket) of the least region of values at least as extreme as the observed, or more extreme.

    Every alternative of pairs is a multiple of one tail of X; see
    :func:`exactperm.null.alternative.fold`.
    """
    if not isinstance(source, Swaps):
        return source.least(alternative, digits, budget, strict=strict, progress=progress)
    if source.tied is not None:
        factor, ends = thresholds(source, alternative, strict=strict)
        low, high = _tails(source, ends, digits, budget, progress)
        return factor, _smaller(low, high) if factor == 2 else _sum(low, high)
    k, factor = fold(alternative, source.observed, source.span, strict=strict)
    settled = None if decided is None else (lambda tail: decided(tail.scaled(factor - 1)))
    tail = tail_bracket(source.tally, k, digits, budget=budget, settled=settled, progress=progress)
    return factor, tail


def _tails(
    swaps: Swaps,
    ends: Thresholds,
    digits: int | None,
    budget: Budget,
    progress: Progress | None,
) -> tuple[Enclosure, Enclosure]:
    """Enclose P(X <= a) and P(X >= b), 0 for a tail that does not count; two brackets have half of the budget each."""
    a, b = ends
    if a == swaps.span and b is None:
        return ONE, ZERO
    both = a is not None and b is not None
    mirror = both and swaps.symmetric and a + b == swaps.span  # type: ignore[operator]
    half = Budget(seconds=budget.seconds / 2, bytes=budget.bytes)
    limit = half if both and not mirror else budget
    low = high = ZERO
    try:
        if a is not None:
            low = _below(swaps.tally, a, digits, limit, progress)
        if mirror:
            high = low
        elif b is not None:
            high = _below(mirrored(swaps.tally), swaps.span - b, digits, limit, progress)
    except BudgetExceeded as refusal:
        raise _of_both(refusal) if limit is half else refusal from None
    return low, high


def _below(
    units: AnyUnits, k: int, digits: int | None, budget: Budget, progress: Progress | None
) -> Enclosure:
    """Enclose P(X <= k): of draws by an inversion that lists no sum, or by their count."""
    draws = draws_of(units)
    if draws is None:
        return tail_bracket(steps_of(units), k, digits, budget=budget, progress=progress)
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


def _smaller(x: Enclosure, y: Enclosure) -> Enclosure:
    """Return the smaller of two numbers."""
    scale = max(-x.exponent, -y.exponent)
    (a, b), (c, d) = x.fixed(scale), y.fixed(scale)
    return Enclosure(min(a, c), min(b, d), -scale)
