"""Tails of the null distribution: counts of the assignments at least as extreme as the observed one.

A test needs one such count, not the whole distribution. Where the statistic is the sum itself,
T = low + unit * X, threshold counts of X give it for every alternative. T need not be symmetric: with
unequal numbers of runs the two tails are counted one by one. For any other h the distribution of
h(S) is laid out first.

Source: spec/03-exact-test.md#eq-7, spec/15-runs.md#own-designs.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from .._types import TYPE_CHECKING, Union
from ..arithmetic.rational import Exact
from ..budget import DEFAULTS, Options
from ..counting import plan
from ..record import Record
from ..swaps.canonical import Canonical, Steps, Swaps
from ..swaps.pool import Pool
from .alternative import Alternative, Extremes, centred, extremes, sides

if TYPE_CHECKING:
    from typing import Protocol

    from .distribution import NullDistribution

    class Tails(Protocol):
        """Counts that a test needs of the null distribution of its statistic."""

        @property
        def statistic(self) -> Exact:
            """The observed value."""

        def extreme_count(
            self, alternative: Alternative, options: Options = DEFAULTS
        ) -> tuple[int, str]:
            """Count the assignments at least as extreme as the observed one; name the engine that counted them."""

        def extremes(self, alternative: Alternative, options: Options = DEFAULTS) -> Extremes:
            """Count the assignments more extreme than the observed one and those exactly as extreme."""

        def least_count(self, alternative: Alternative, options: Options = DEFAULTS) -> int:
            """Return the least number of assignments at least as extreme as any attainable value."""

        def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
            """Return the whole distribution."""


Linear = Union[Swaps, Steps, Pool]
"""Canonical forms that can be counted."""

Thresholds = tuple[Union[int, None], Union[int, None]]
"""(a, b): the values X <= a and X >= b; None for a tail that has no value or does not count."""


def thresholds(
    swaps: Canonical, alternative: Alternative, *, strict: bool = False, x: int | None = None
) -> tuple[int, Thresholds]:
    """Return (factor, (a, b)): the values X <= a or X >= b are at least as extreme as ``x``, by default the observed.

    Where the smaller tail is doubled the factor is 2, and the one of the two tails with fewer
    labelings counts; else it is 1. ``strict`` leaves out the values exactly as extreme. For
    "two-sided" the distance from the mean of T decides. Where all values are extreme a is the span.
    Source: Eq. 2; spec/15-runs.md#own-designs.

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
        lower, upper = sorted((Fraction(x), 2 * swaps.expected - x))
        a, b = (
            (math.ceil(lower) - 1, math.floor(upper) + 1)
            if strict
            else (math.floor(lower), math.ceil(upper))
        )
        if b <= a + 1:
            a, b = span, span + 1
    kept = (a if low and a >= 0 else None, b if high and b <= span else None)
    return 2 if low and high and not centred(alternative) else 1, kept


class SumTails(Record):
    """Tails of a statistic that is the sum itself, T = low + unit * X, with its canonical form."""

    swaps: Linear

    @property
    def statistic(self) -> Exact:
        """The observed value of T."""
        return self.swaps.value(self.swaps.observed)

    def extreme_count(
        self, alternative: Alternative, options: Options = DEFAULTS
    ) -> tuple[int, str]:
        """Count the assignments at least as extreme as the observed one; name the engine that counted them.

        Source: Eq. 2 and 7; spec/03-exact-test.md#eq-7.
        """
        return self._extreme(self.swaps.observed, alternative, options)

    def extremes(self, alternative: Alternative, options: Options = DEFAULTS) -> Extremes:
        """Count the assignments more extreme than the observed one and those exactly as extreme."""
        x = self.swaps.observed
        factor, ends = thresholds(self.swaps, alternative)
        _, inner = thresholds(self.swaps, alternative, strict=True)
        below, above, _ = self._counts(self._smaller(factor, x, ends), options)
        weak = below + above
        if factor == 2:
            weak = _least(below, above)
            inner = (inner[0], None) if weak == below else (None, inner[1])
        below, above, _ = self._counts(inner, options)
        return extremes(alternative, self.swaps.total, factor, weak, below + above)

    def least_count(self, alternative: Alternative, options: Options = DEFAULTS) -> int:
        """Return the least number of assignments at least as extreme as any attainable value: at an end."""
        ends = (0, self.swaps.span)
        return min([self._extreme(x, alternative, options)[0] for x in ends])

    def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        from .distribution import NullDistribution

        counts: Mapping[int, int]
        if isinstance(self.swaps, Pool):
            from ..counting import rows

            counts = rows.distribution(self.swaps, options)
        else:
            counts, _method = plan.counts(self.swaps.tally, options)
        return NullDistribution(
            support=tuple(map(self.swaps.value, counts)),
            counts=tuple([count * self.swaps.common for count in counts.values()]),
        )

    def _extreme(self, x: int, alternative: Alternative, options: Options) -> tuple[int, str]:
        """Count the assignments at least as extreme as X = x."""
        factor, ends = thresholds(self.swaps, alternative, x=x)
        below, above, method = self._counts(self._smaller(factor, x, ends), options)
        if factor == 1:
            return below + above, method
        return min(self.swaps.total, 2 * _least(below, above)), method

    def _smaller(self, factor: int, x: int, ends: Thresholds) -> Thresholds:
        """Return the one of two tails that is doubled, where the distribution is symmetric; else both."""
        if factor == 1 or not self.swaps.symmetric:
            return ends
        return (ends[0], None) if 2 * x <= self.swaps.span else (None, ends[1])

    def _counts(self, ends: Thresholds, options: Options) -> tuple[int, int, str]:
        """Count the assignments with X <= a and with X >= b, 0 for a tail that does not count; name the engine."""
        if isinstance(self.swaps, Pool):
            from ..counting import rows

            below, above, method = rows.tail_counts(self.swaps, *ends, options)
        else:
            below, above, method = plan.tail_counts(self.swaps.tally, *ends, options)
        common = self.swaps.common
        return below * common, above * common, method


def _least(below: int, above: int) -> int:
    """Return the smaller count of two tails; one that is not counted is 0, and no other is."""
    return min(below or above, above or below)


class LaidOutTails(Record):
    """Tails of a statistic T = h(S) for any h, from its whole distribution.

    Source: Thm. 1; spec/01-null-distribution.md#eq-2.
    """

    statistic: Exact
    null: NullDistribution
    method: str

    def extreme_count(
        self, alternative: Alternative, _options: Options = DEFAULTS
    ) -> tuple[int, str]:
        """Count the assignments at least as extreme as the observed one; name the engine that counted them."""
        return self.null.extreme_count(self.statistic, alternative), self.method

    def extremes(self, alternative: Alternative, _options: Options = DEFAULTS) -> Extremes:
        """Count the assignments more extreme than the observed one and those exactly as extreme."""
        return self.null.extremes(self.statistic, alternative)

    def least_count(self, alternative: Alternative, _options: Options = DEFAULTS) -> int:
        """Return the least number of assignments at least as extreme as any attainable value."""
        return self.null.least_count(alternative)

    def distribution(self, _options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        return self.null
