"""Tails of the null distribution: counts of the assignments at least as extreme as the observed one.

A test needs one such count, not the whole distribution. Where the statistic is the sum itself,
T = low + unit * X, threshold counts of X give it for every alternative. T need not be symmetric: with
unequal numbers of runs the two tails are counted one by one. For any other h the distribution of
h(S) is laid out first.

Source: spec/01-null-distribution.md#eq-7, spec/15-runs.md#own-designs.
"""

from __future__ import annotations

import math

from .._types import TYPE_CHECKING, Union
from ..arithmetic.rational import Exact
from ..budget import DEFAULTS, Options
from ..counting import plan
from ..record import Record
from ..swaps.canonical import Swaps
from .alternative import Alternative, Extremes, extremes, tail_ends

if TYPE_CHECKING:
    from .distribution import NullDistribution

Thresholds = tuple[Union[int, None], Union[int, None]]
"""(a, b): the values X <= a and X >= b; None for a tail that has no value or does not count."""


def thresholds(
    swaps: Swaps, alternative: Alternative, *, strict: bool = False, x: int | None = None
) -> tuple[int, Thresholds]:
    """Return (factor, (a, b)): the values X <= a or X >= b are at least as extreme as ``x``, by default the observed.

    Where the smaller tail is doubled the factor is 2, and the one of the two tails with fewer
    labelings counts; else it is 1. ``strict`` leaves out the values exactly as extreme. For
    "two-sided" the distance from the mean of T decides. Where all values are extreme a is the span.
    Source: Eq. 2; spec/15-runs.md#own-designs.

    >>> from exactperm.swaps.draws import canonical_items
    >>> steps = canonical_items({(2, 1, (0, 0, 1)): 2}, -4, 4)
    >>> [thresholds(steps, word)[1] for word in ("two-sided", "less", "greater")]
    [(0, None), (0, None), (None, 0)]
    """
    x, span = swaps.observed if x is None else x, swaps.span
    factor, (low, high) = tail_ends(alternative, x, lambda: _mirrored(swaps, x))
    a = None if low is None else math.ceil(low) - 1 if strict else math.floor(low)
    b = None if high is None else math.floor(high) + 1 if strict else math.ceil(high)
    if factor == 1 and a is not None and b is not None and b <= a + 1:
        return factor, (span, None)
    return factor, (
        a if a is not None and a >= 0 else None,
        b if b is not None and b <= span else None,
    )


def _mirrored(swaps: Swaps, x: int) -> Exact:
    """Return the value as far from the mean of X as x, on the other side."""
    return swaps.span - x if swaps.symmetric else 2 * swaps.expected - x


class ExactTails(Record):
    """Counts that a test needs of the null distribution of its statistic, whose observed value is ``statistic``.

    ``total`` is the number of assignments, ``ends`` the least and the greatest attainable value.
    """

    if TYPE_CHECKING:

        @property
        def statistic(self) -> Exact:
            """The observed value of T."""

        @property
        def total(self) -> int:
            """Number of assignments."""

        @property
        def ends(self) -> tuple[Exact, Exact]:
            """The least and the greatest attainable value."""

        def least(
            self, x: Exact, alternative: Alternative, options: Options, *, strict: bool = False
        ) -> tuple[int, int, str]:
            """Return (factor, count, engine) of the least region of values at least as extreme as x, or more extreme."""

        def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
            """Return the whole distribution of T."""

    def extreme_count(
        self, alternative: Alternative, options: Options = DEFAULTS, *, x: Exact | None = None
    ) -> tuple[int, str]:
        """Count the assignments at least as extreme as x, by default the observed value; name the engine.

        Source: Eq. 2 and 7; spec/01-null-distribution.md#eq-7.
        """
        x = self.statistic if x is None else x
        factor, least, engine = self.least(x, alternative, options)
        return min(self.total, factor * least), engine

    def extremes(self, alternative: Alternative, options: Options = DEFAULTS) -> Extremes:
        """Count the assignments more extreme than the observed one and those exactly as extreme."""
        factor, weak, _ = self.least(self.statistic, alternative, options)
        _, strict, _ = self.least(self.statistic, alternative, options, strict=True)
        return extremes(alternative, self.total, factor, weak, strict)

    def least_count(self, alternative: Alternative, options: Options = DEFAULTS) -> int:
        """Return the least number of assignments at least as extreme as any attainable value: at an end."""
        return min([self.extreme_count(alternative, options, x=x)[0] for x in {*self.ends}])


class SumTails(ExactTails):
    """Tails of a statistic that is the sum itself, T = low + unit * X, with its canonical form."""

    swaps: Swaps

    @property
    def statistic(self) -> Exact:
        """The observed value of T."""
        return self.swaps.statistic

    @property
    def total(self) -> int:
        """Number of assignments."""
        return self.swaps.total

    @property
    def ends(self) -> tuple[Exact, Exact]:
        """The least and the greatest T."""
        return self.swaps.value(0), self.swaps.value(self.swaps.span)

    def least(
        self, x: Exact, alternative: Alternative, options: Options, *, strict: bool = False
    ) -> tuple[int, int, str]:
        """Return (factor, count, engine) of the values at least as extreme as T = x, or more extreme."""
        swaps = self.swaps
        place = int((x - swaps.low) // swaps.unit)
        factor, ends = thresholds(swaps, alternative, strict=strict, x=place)
        one = factor == 2 and swaps.symmetric
        if one:
            ends = (ends[0], None) if 2 * place <= swaps.span else (None, ends[1])
        below, above, method = plan.tail_counts(swaps.tally, *ends, options)
        count = below + above if one or factor == 1 else min(below, above)
        return factor, count * swaps.common, method

    def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        from .distribution import NullDistribution

        counts, _method = plan.counts(self.swaps.tally, options)
        return NullDistribution(
            support=tuple(map(self.swaps.value, counts)),
            counts=tuple([count * self.swaps.common for count in counts.values()]),
        )


class LaidOutTails(ExactTails):
    """Tails of a statistic T = h(S) for any h, from its whole distribution.

    Source: Thm. 1; spec/01-null-distribution.md#eq-2.
    """

    statistic: Exact
    null: NullDistribution
    method: str

    @property
    def total(self) -> int:
        """Number of assignments."""
        return self.null.total

    @property
    def ends(self) -> tuple[Exact, Exact]:
        """The least and the greatest attainable value."""
        return self.null.support[0], self.null.support[-1]

    def least(
        self, x: Exact, alternative: Alternative, _options: Options, *, strict: bool = False
    ) -> tuple[int, int, str]:
        """Return (factor, count, engine) of the values at least as extreme as x, or more extreme."""
        return (*self.null.least(x, alternative, strict=strict), self.method)

    def distribution(self, _options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        return self.null
