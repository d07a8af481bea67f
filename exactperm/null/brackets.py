"""Certified brackets of p-values of sums, from brackets of their tails.

A sum of pairs is symmetric, so one tail is enough. A sum of steps need not be: its p-value is that
of both tails, each enclosed for itself. Where every step is its own mirror image one bracket serves
both.

Source: spec/15-runs.md#own-designs, spec/note-appendix.md#own-step-brackets.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial, reduce
from math import comb, inf
from operator import add

from .._types import TYPE_CHECKING, Union
from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..budget import Budget, Estimate, Options, Progress
from ..certified.bracket import draw_bracket, rational, step_counting, tail_bracket
from ..certified.search import NO_COUNT, Counting, refusing
from ..errors import BudgetExceeded
from ..record import Record
from ..swaps.canonical import Swaps
from ..swaps.units import AnyUnits, Draws, draws_of, mirrored, steps_of
from .alternative import Alternative, centred, fold, sides
from .tails import Thresholds, thresholds

if TYPE_CHECKING:
    from .joint import JointTails

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
    factor, tail = least_bracket(
        source, alternative, digits, budget, decided=decided, progress=progress
    )
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
        return _both(add, self.weak, self.strict).scaled(-1)

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
    factor, tail = least_bracket(source, alternative, digits, budget, strict=True)
    strict = tail.scaled(factor - 1)
    if isinstance(source, Swaps) and source.tied is None:
        if 2 * source.observed != source.span or centred(alternative):
            return TailPair(weak=known, strict=strict)
        return TailPair(weak=tail.complement().scaled(factor - 1), strict=strict, whole=factor)
    weak = known
    if all(sides(alternative)) and not centred(alternative):  # twice a tail may be above 1
        factor, tail = least_bracket(source, alternative, digits, budget)
        weak = tail.scaled(factor - 1)
    return TailPair(weak=weak, strict=strict)


def least_bracket(
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

    The p-value is min(1, factor * P). Every alternative of pairs is a multiple of one tail of X;
    see :func:`exactperm.null.alternative.fold`.
    """
    options = Options(budget=budget, progress=progress)
    if not isinstance(source, Swaps):
        from .joint_brackets import brackets

        factor, parts = brackets(source, alternative, digits, options, strict=strict)
        return factor, reduce(partial(_both, min), parts)
    if source.tied is not None:
        factor, ends = thresholds(source, alternative, strict=strict)
        times = factor if None in ends else 2  # one tail stands for its mirror image, too
        with refusing(lambda tail: tail.scaled(times - 1).at_most(0)):
            low, high = _tails(source, ends, digits, options)
        return factor, _both(min if factor == 2 else add, low, high)
    k, factor = fold(alternative, source.observed, source.span, strict=strict)
    settled = None if decided is None else (lambda tail: decided(tail.scaled(factor - 1)))
    with refusing(lambda tail: tail.scaled(factor - 1).at_most(0)):
        tail = tail_bracket(
            source.tally, k, digits, budget=budget, settled=settled, progress=progress
        )
    return factor, tail


def _tails(
    swaps: Swaps, ends: Thresholds, digits: int | None, options: Options
) -> tuple[Enclosure, Enclosure]:
    """Enclose P(X <= a) and P(X >= b), 0 for a tail that does not count; two brackets have half of the budget each."""
    a, b = ends
    if a == swaps.span and b is None:
        return ONE, ZERO
    both = a is not None and b is not None
    mirror = both and swaps.symmetric and a + b == swaps.span  # type: ignore[operator]
    two = both and not mirror
    if two:
        whole = options.budget
        half = Budget(seconds=whole.seconds / 2, bytes=whole.bytes)
        options = Options(budget=half, progress=options.progress)
    low = high = ZERO
    try:
        if a is not None:
            low = _below(swaps.tally, a, digits, options)
        if mirror:
            high = low
        elif b is not None:
            high = _below(mirrored(swaps.tally), swaps.span - b, digits, options)
    except BudgetExceeded as refusal:
        if not two:
            raise
        needs = Estimate(seconds=2 * (refusal.seconds or 0.0), bytes=int(refusal.bytes or 0))
        limit, detail = refusal.limit, refusal.detail
        raise BudgetExceeded(refusal.what, needs, limit, detail=detail, cure=refusal.cure) from None
    return low, high


def _below(units: AnyUnits, k: int, digits: int | None, options: Options) -> Enclosure:
    """Enclose P(X <= k): of draws by an inversion that lists no sum, or by their count."""
    draws = draws_of(units)
    budget, progress = options.budget, options.progress
    if draws is None:
        return tail_bracket(steps_of(units), k, digits, budget=budget, progress=progress)
    count = _counting(draws, k, options)
    return draw_bracket(draws, k, digits, budget=budget, progress=progress, count=count)


def _counting(draws: Draws, k: int, options: Options) -> Counting:
    """Return the count of P(X <= k): of one draw by rows, of several from their sums where these are few."""
    if sum(draws.values()) > 1:
        from ..counting.strata import listed

        types = listed(draws, options)
        return NO_COUNT if types is None else step_counting(types, k, options)
    from ..counting import rows

    ((m, values),) = draws
    cost = rows.estimate(values, m)

    def made() -> Enclosure:
        count = rows.count_at_most(values, m, [k], progress=options.progress)[0]
        return rational(Fraction(count, comb(len(values), m)))

    fits = cost.bytes <= options.budget.bytes
    return Counting(seconds=cost.seconds if fits else inf, made=made)


def _both(combine: Callable[[int, int], int], x: Enclosure, y: Enclosure) -> Enclosure:
    """Return the sum, or the smaller, of two numbers, exactly."""
    scale = max(-x.exponent, -y.exponent)
    (a, b), (c, d) = x.fixed(scale), y.fixed(scale)
    return Enclosure(combine(a, c), combine(b, d), -scale)
