"""The exact null distribution of a statistic, laid out value by value."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import accumulate

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact, parse_exact, probability
from ..arithmetic.writing import exact_text
from ..errors import ExactPermError
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact

ALTERNATIVES = ("two-sided", "greater", "less", "doubled")


def check_alternative(alternative: object) -> None:
    """Raise ``ExactPermError`` unless ``alternative`` is one of the four names."""
    if alternative not in ALTERNATIVES:
        raise ExactPermError(f"alternative is {short_text(alternative)}: it must be one of {', '.join(ALTERNATIVES)}")


class NullDistribution(Record):
    """Distribution of the statistic T over all equally likely swap assignments, in T's own units; all exact.

    ``support`` holds the attainable values in ascending order, ``counts`` how many assignments attain each. Built by
    :attr:`PermutationTestResult.null_distribution`. Source: the distribution of h(S) of Thm. 1; ids thm-1, eq-5, fig-2.

    >>> d = NullDistribution.of({-1: 1, 0: 2, 1: 1})
    >>> d.pmf(0), d.cdf(0), d.sf(0), d.pvalue(1, "two-sided")
    (Fraction(1, 2), Fraction(3, 4), Fraction(1, 4), Fraction(1, 2))
    """

    support: tuple[Exact, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, counts: Mapping[Exact, int]) -> NullDistribution:
        """The distribution with the given number of assignments for each value; zero counts are left out."""
        support = tuple(sorted(value for value, count in counts.items() if count))
        return cls(support=support, counts=tuple(counts[value] for value in support))

    @cached_property
    def total(self) -> int:
        """Number of swap assignments."""
        return sum(self.counts)

    @cached_property
    def mean(self) -> Exact:
        """Mean of T."""
        return exact(Fraction(sum(x * count for x, count in self.items())) / self.total)

    @cached_property
    def variance(self) -> Exact:
        """Variance of T."""
        return exact(Fraction(sum((x - self.mean) ** 2 * count for x, count in self.items())) / self.total)

    @cached_property
    def _below(self) -> list[int]:
        """Number of assignments with T < support[i], for i = 0..len(support)."""
        return list(accumulate(self.counts, initial=0))

    def items(self) -> Iterable[tuple[Exact, int]]:
        """Pairs (value, number of assignments), ascending."""
        return zip(self.support, self.counts)

    def pmf(self, x: Any) -> Fraction:
        """P(T = x)."""
        x = exact(x, "x")
        return Fraction(self._at_most(x) - self._less_than(x), self.total)

    def cdf(self, x: Any) -> Fraction:
        """P(T <= x)."""
        return Fraction(self._at_most(exact(x, "x")), self.total)

    def sf(self, x: Any) -> Fraction:
        """P(T > x)."""
        return 1 - self.cdf(x)

    def pvalue(self, x: Any, alternative: str = "two-sided") -> Fraction:
        """The p-value that x would have, were it the observed value.

        Source: Eq. 2; ids eq-2, lecture-p-value, lecture-right-tail, lecture-left-tail.
        """
        return Fraction(self.extreme_count(exact(x, "x"), alternative), self.total)

    def extreme_count(self, x: Exact, alternative: str) -> int:
        """Number of assignments at least as extreme as x, as :meth:`pvalue` has it. Source: id lecture-two-sided."""
        check_alternative(alternative)
        if alternative == "greater":
            return self.total - self._less_than(x)
        if alternative == "less":
            return self._at_most(x)
        if alternative == "doubled":
            return min(self.total, 2 * min(self._at_most(x), self.total - self._less_than(x)))
        near, far = sorted((x, 2 * self.mean - x))
        return self.total if near == far else self._at_most(near) + self.total - self._less_than(far)

    def tied_count(self, x: Exact, alternative: str) -> int:
        """Number of assignments exactly as extreme as x.

        Two-sided: at x and at its mirror image in the mean. Doubled: those at x count twice, as in the p-value, unless
        that is capped at 1.
        """
        check_alternative(alternative)
        here = self._at_most(x) - self._less_than(x)
        if alternative == "doubled":
            return 2 * here if 2 * min(self._at_most(x), self.total - self._less_than(x)) <= self.total else here
        mirror = 2 * self.mean - x
        if alternative == "two-sided" and mirror != x:
            return here + self._at_most(mirror) - self._less_than(mirror)
        return here

    def least_count(self, alternative: str) -> int:
        """The least number of assignments at least as extreme as any attainable value."""
        return min(self.extreme_count(x, alternative) for x in (self.support[0], self.support[-1]))

    def quantile(self, q: Any) -> Exact:
        """The least attainable x with P(T <= x) >= q, for 0 <= q <= 1."""
        q = probability(q, "q")
        i = bisect_left(self._below, q * self.total, 1) - 1
        return self.support[i]

    def critical_value(self, alpha: Any, alternative: str = "two-sided") -> Exact | None:
        """The least extreme attainable t with p <= alpha, or None where no value is that extreme.

        Of two equally extreme values the greater is returned. Cost: a binary search for each attainable value.
        Source: the significance level; id lecture-errors.
        """
        limit = probability(alpha, "alpha") * self.total
        extremes = ((self.extreme_count(t, alternative), t) for t in self.support)
        return max((pair for pair in extremes if pair[0] <= limit), default=(0, None))[1]

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready form; :meth:`from_dict` reads it back on every Python, however long the integers are."""
        return {"support": list(map(exact_text, self.support)), "counts": list(map(exact_text, self.counts))}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> NullDistribution:
        """The distribution that :meth:`to_dict` wrote; ``ExactPermError`` for anything else."""
        try:
            support, counts = [tuple(map(parse_exact, data[key])) for key in ("support", "counts")]
        except (KeyError, TypeError, AttributeError):
            raise ExactPermError("the data is not that of a null distribution: it needs support and counts") from None
        if (
            not any(counts)
            or not len(set(support)) == len(support) == len(counts)
            or any(not isinstance(count, int) or count < 0 for count in counts)
        ):
            raise ExactPermError("the data is not that of a null distribution: counts do not fit the support")
        return cls.of(dict(zip(support, counts)))  # type: ignore[arg-type]

    def _at_most(self, x: Exact) -> int:
        return self._below[bisect_right(self.support, x)]

    def _less_than(self, x: Exact) -> int:
        return self._below[bisect_left(self.support, x)]
