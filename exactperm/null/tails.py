"""Tails of the null distribution: counts of the assignments at least as extreme as the observed one.

A test needs one such count, not the whole distribution. Where the statistic is the sum itself, one
threshold count on the tally gives it for every alternative. For any other h the distribution of
h(S) is laid out first.
"""

from __future__ import annotations

from .._types import TYPE_CHECKING
from ..arithmetic.rational import Exact
from ..budget import DEFAULTS, Options
from ..counting import plan
from ..record import Record
from ..swaps.canonical import Swaps
from .alternative import Alternative, Extremes, extremes, fold

if TYPE_CHECKING:
    from typing import Protocol

    from ..swaps.pool import Pool
    from ..swaps.steps import Steps
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


class SumTails(Record):
    """Tails of a statistic that is the sum itself, T = low + unit * X, with its canonical form."""

    swaps: Swaps | Steps | Pool

    @property
    def statistic(self) -> Exact:
        """The observed value of T."""
        return self.swaps.value(self.swaps.observed)


class LinearTails(SumTails):
    """Tails of a sum over swap units.

    X is symmetric about D/2, so every p-value is a multiple of one P(X <= k); see
    :func:`exactperm.null.alternative.fold`.
    """

    swaps: Swaps

    def extreme_count(
        self, alternative: Alternative, options: Options = DEFAULTS
    ) -> tuple[int, str]:
        """Count the assignments at least as extreme as the observed one; name the engine that counted them.

        Source: Eq. 2 and 7; spec/03-exact-test.md.
        """
        k, factor = fold(alternative, self.swaps.observed, self.swaps.span)
        count, method = self._at_most(k, options)
        return factor * count, method

    def extremes(self, alternative: Alternative, options: Options = DEFAULTS) -> Extremes:
        """Count the assignments more extreme than the observed one and those exactly as extreme."""
        k, factor = fold(alternative, self.swaps.observed, self.swaps.span, strict=True)
        weak, strict, total = [self._at_most(x, options)[0] for x in (k + 1, k, self.swaps.span)]
        return extremes(alternative, total, factor, weak, strict)

    def least_count(self, alternative: Alternative, options: Options = DEFAULTS) -> int:
        """Return the least number of assignments at least as extreme as any attainable value: at an end."""
        folds = [fold(alternative, x, self.swaps.span) for x in (0, self.swaps.span)]
        return min(factor * self._at_most(k, options)[0] for k, factor in folds)

    def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        from .distribution import NullDistribution

        counts, _method = plan.counts(self.swaps.tally, options)
        return NullDistribution(
            support=tuple(map(self.swaps.value, counts)),
            counts=tuple(count << self.swaps.ties for count in counts.values()),
        )

    def _at_most(self, x: int, options: Options) -> tuple[int, str]:
        count, method = plan.count_at_most(self.swaps.tally, x, options)
        return count << self.swaps.ties, method


class LaidOutTails(Record):
    """Tails of a statistic T = h(S) for any h, from its whole distribution.

    Source: Thm. 1; spec/01-null-distribution.md.
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
