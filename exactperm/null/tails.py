"""Tails of the null distribution: how many assignments are at least as extreme as the observed one.

A test needs one such number, not the whole distribution. Where the statistic is the sum itself, one threshold count on
the tally gives it for every alternative; for any other h the distribution of h(S) is laid out first.
"""

from __future__ import annotations

from ..counting import plan
from ..record import Record
from ..swaps.canonical import Swaps
from .distribution import NullDistribution, check_alternative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    from ..arithmetic.rational import Exact
    from ..budget import Budget, Progress

    class Tails(Protocol):
        """What a test asks of the null distribution of its statistic."""

        @property
        def statistic(self) -> Exact:
            """The observed value."""

        def extreme_count(
            self,
            alternative: str,
            *,
            method: str = "auto",
            budget: Budget | None = None,
            progress: Progress | None = None,
        ) -> tuple[int, str]:
            """Assignments at least as extreme as the observed one, and the engine that counted them."""

        def tied_count(self, alternative: str) -> int:
            """Assignments exactly as extreme as the observed one."""

        def least_count(self, alternative: str) -> int:
            """The least number of assignments at least as extreme as any attainable value."""

        def distribution(self, *, budget: Budget | None = None, progress: Progress | None = None) -> NullDistribution:
            """The whole distribution."""


class LinearTails(Record):
    """Tails of T = low + unit * X, the sum itself.

    X is symmetric about D/2 (exchange every subset for its complement), so each tail is one prefix of X, and with
    x the less of the observed X and D - X: P(|T - c| >= |t - c|) = 2 P(X <= x), or 1 where x = D/2.
    Source: id own-symmetry.
    """

    swaps: Swaps

    @property
    def statistic(self) -> Exact:
        """The observed value of T."""
        return self.swaps.value(self.swaps.observed)

    def extreme_count(self, alternative: str, **options: Any) -> tuple[int, str]:
        """The number of assignments at least as extreme as the observed one, and the engine that counted them.

        Source: Eq. 2 and 7; ids eq-2, eq-7, lecture-two-sided-abs.
        """
        check_alternative(alternative)
        x, span = self.swaps.observed, self.swaps.span
        if alternative == "less":
            return self._at_most(x, **options)
        if alternative == "greater":
            return self._at_most(span - x, **options)
        if 2 * x == span:
            return self._at_most(span, **options)
        tail, method = self._at_most(min(x, span - x), **options)
        return 2 * tail, method

    def tied_count(self, alternative: str) -> int:
        """The number of assignments exactly as extreme as the observed one."""
        x, span = self.swaps.observed, self.swaps.span
        here = self._at_most(x)[0] - self._at_most(x - 1)[0]
        return 2 * here if alternative in ("two-sided", "doubled") and 2 * x != span else here

    def least_count(self, alternative: str) -> int:
        """The least number of assignments at least as extreme as any attainable value: at an end of the support."""
        both = alternative in ("two-sided", "doubled") and self.swaps.span > 0
        return (2 if both else 1) << self.swaps.ties

    def distribution(self, *, budget: Budget | None = None, progress: Progress | None = None) -> NullDistribution:
        """The whole distribution of T."""
        counts, _method = plan.counts(self.swaps.tally, budget=budget, progress=progress)
        return NullDistribution(
            support=tuple(map(self.swaps.value, counts)),
            counts=tuple(count << self.swaps.ties for count in counts.values()),
        )

    def _at_most(self, x: int, **options: Any) -> tuple[int, str]:
        count, method = plan.count_at_most(self.swaps.tally, x, **options)
        return count << self.swaps.ties, method


class LaidOutTails(Record):
    """Tails of a statistic T = h(S) for any h, from its whole distribution. Source: Thm. 1; ids thm-1, eq-5."""

    statistic: Exact
    null: NullDistribution
    method: str

    def extreme_count(self, alternative: str, **_options: Any) -> tuple[int, str]:
        """The number of assignments at least as extreme as the observed one, and the engine that counted them."""
        return self.null.extreme_count(self.statistic, alternative), self.method

    def tied_count(self, alternative: str) -> int:
        """The number of assignments exactly as extreme as the observed one."""
        return self.null.tied_count(self.statistic, alternative)

    def least_count(self, alternative: str) -> int:
        """The least number of assignments at least as extreme as any attainable value."""
        return self.null.least_count(alternative)

    def distribution(self, **_options: Any) -> NullDistribution:
        """The whole distribution of T."""
        return self.null
