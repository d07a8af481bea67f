"""Tails of a sum of steps: the null distribution of exchangeable runs.

T = low + unit * X has the mean 0 where runs are exchanged, since every run of an item has each
label with the same probability; other sums of steps have any mean. T need not be symmetric: with
unequal numbers of runs the two tails are counted one by one.

Source: spec/15-runs.md.
"""

from __future__ import annotations

import math
from fractions import Fraction

from .._types import TYPE_CHECKING, Union
from ..budget import DEFAULTS, Options
from ..counting import plan
from ..swaps.draws import Drawn
from ..swaps.pool import Pool
from ..swaps.steps import Steps
from .alternative import Alternative, Extremes, centred, extremes, sides
from .tails import SumTails

if TYPE_CHECKING:
    from .distribution import NullDistribution


Sums = Union[Steps, Pool, Drawn]
"""Canonical forms of sums that need not be symmetric."""
SUMS = Steps, Pool, Drawn
Thresholds = tuple[Union[int, None], Union[int, None]]
"""(a, b): the values X <= a and X >= b; None for a tail that has no value or does not count."""


def thresholds(
    swaps: Sums, alternative: Alternative, *, strict: bool = False, x: int | None = None
) -> tuple[int, Thresholds]:
    """Return (factor, (a, b)): the values X <= a or X >= b are at least as extreme as ``x``, by default the observed.

    Where the smaller tail is doubled the factor is 2, and the one of the two tails with fewer
    labelings counts; else it is 1. ``strict`` leaves out the values exactly as extreme. For
    "two-sided" the distance from the mean of T decides. Where all values are extreme a is the span.
    Source: Eq. 2; spec/15-runs.md.

    >>> from exactperm.swaps.steps import canonical_steps
    >>> steps = canonical_steps({(2, 1, (0, 0, 1)): 2}, -4, 4)
    >>> [thresholds(steps, word)[1] for word in ("two-sided", "less", "greater")]
    [(0, None), (0, None), (None, 0)]
    """
    x, span = swaps.observed if x is None else x, swaps.span
    low, high = sides(alternative)
    if not centred(alternative):
        a, b = x - strict, x + strict
    else:
        centre = Fraction(swaps.middle - swaps.low) / swaps.unit
        lower, upper = sorted((Fraction(x), 2 * centre - x))
        a, b = (
            (math.ceil(lower) - 1, math.floor(upper) + 1)
            if strict
            else (math.floor(lower), math.ceil(upper))
        )
        if b <= a + 1:
            a, b = span, span + 1
    kept = (a if low and a >= 0 else None, b if high and b <= span else None)
    return 2 if low and high and not centred(alternative) else 1, kept


class StepTails(SumTails):
    """Tails of T = low + unit * X for a sum X of independent steps, or of chosen observations of a pool."""

    swaps: Steps | Pool

    @property
    def total(self) -> int:
        """Number of labelings."""
        return self.swaps.total

    def extreme_count(
        self, alternative: Alternative, options: Options = DEFAULTS
    ) -> tuple[int, str]:
        """Count the labelings at least as extreme as the observed one; name the engine that counted them."""
        factor, (a, b) = thresholds(self.swaps, alternative)
        count, method = self._count(factor, a, b, options)
        return min(self.total, factor * count), method

    def extremes(self, alternative: Alternative, options: Options = DEFAULTS) -> Extremes:
        """Count the labelings more extreme than the observed one and those exactly as extreme."""
        factor, (a, b) = thresholds(self.swaps, alternative)
        if factor == 1:
            weak, _ = self._count(1, a, b, options)
            _, (a, b) = thresholds(self.swaps, alternative, strict=True)
            strict, _ = self._count(1, a, b, options)
            return extremes(alternative, self.total, 1, weak, strict)
        low, high = self._count(1, a, None, options)[0], self._count(1, None, b, options)[0]
        _, (a, b) = thresholds(self.swaps, alternative, strict=True)
        strict, _ = (
            self._count(1, a, None, options) if low <= high else self._count(1, None, b, options)
        )
        return extremes(alternative, self.total, factor, min(low, high), strict)

    def least_count(self, alternative: Alternative, options: Options = DEFAULTS) -> int:
        """Return the least number of labelings at least as extreme as any attainable value: at an end."""
        found = []
        for x in (0, self.swaps.span):
            factor, (a, b) = thresholds(self.swaps, alternative, x=x)
            found.append(min(self.total, factor * self._count(factor, a, b, options)[0]))
        return min(found)

    def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        from .distribution import NullDistribution

        if isinstance(self.swaps, Pool):
            from ..counting import rows

            counts = rows.distribution(self.swaps, options)
        else:
            counts, _method = plan.counts(self.swaps.types, options)
        return NullDistribution(
            support=tuple(map(self.swaps.value, counts)),
            counts=tuple(count * self.swaps.common for count in counts.values()),
        )

    def _count(
        self, factor: int, a: int | None, b: int | None, options: Options
    ) -> tuple[int, str]:
        """Count the labelings with X <= a or X >= b, or where the factor is 2 those of the tail with fewer."""
        if isinstance(self.swaps, Pool):
            from ..counting import rows

            below, above, method = rows.tail_counts(self.swaps, a, b, options)
        else:
            below, above, method = plan.tail_counts(self.swaps.types, a, b, options)
        count = min(below, above) if factor == 2 else below + above
        return count * self.swaps.common, method
