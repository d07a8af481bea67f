"""Exact null distribution of a statistic: every attainable value and its number of assignments."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import accumulate, takewhile

from ..arithmetic.quoting import short_integer
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact, probability
from ..arithmetic.writing import decimal_string, fraction_text, readable
from ..record import Result
from .alternative import Alternative, Extremes, TailEnds, extremes, sides, tail_ends, tail_words

_MOST_DRAWN = 10**5
"""Number of values up to which notebooks draw a distribution, in about half a second."""
_LONG = 2**48
"""Least denominator of a fraction that is too long for a picture."""


class NullDistribution(Result):
    """Distribution of the statistic T over all equally likely swap assignments, in T's own units; all exact.

    ``support`` holds the attainable values in ascending order, ``counts`` the number of assignments
    of each. Built by :attr:`PermutationTestResult.null_distribution`. Source: the distribution of
    h(S) of Thm. 1; spec/01-null-distribution.md#def-reject.

    >>> d = NullDistribution.of({-1: 1, 0: 2, 1: 1})
    >>> d.pmf(0), d.cdf(0), d.sf(0), d.pvalue(1, "two-sided")
    (Fraction(1, 2), Fraction(3, 4), Fraction(1, 4), Fraction(1, 2))
    """

    support: tuple[Exact, ...]
    counts: tuple[int, ...]

    @classmethod
    def of(cls, counts: Mapping[Exact, int]) -> NullDistribution:
        """Return the distribution with the given number of assignments for each value; zero counts are left out."""
        support = tuple(sorted(value for value, count in counts.items() if count))
        return cls(support=support, counts=tuple(counts[value] for value in support))

    @cached_property
    def total(self) -> int:
        """Number of swap assignments."""
        return sum(self.counts)

    @cached_property
    def mean(self) -> Exact:
        """Mean of T: the middle of a symmetric one, as its fractions may have too many denominators for a sum."""
        values, counts = self.support, self.counts
        twice = values[0] + values[-1]
        if counts == counts[::-1] and all(x + y == twice for x, y in zip(values, values[::-1])):
            return exact(Fraction(twice) / 2)
        return exact(Fraction(sum(x * count for x, count in self.items())) / self.total)

    @cached_property
    def variance(self) -> Exact:
        """Variance of T."""
        return exact(
            Fraction(sum((x - self.mean) ** 2 * count for x, count in self.items())) / self.total
        )

    @cached_property
    def _below(self) -> list[int]:
        """Number of assignments with T < support[i], for i = 0..len(support)."""
        return list(accumulate(self.counts, initial=0))

    @property
    def heading(self) -> str:
        """What it is, in one line."""
        return "Null distribution of the statistic, exact"

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return the number of values, their ends and, of up to 100,000, their moments as rows (label, text)."""
        ends = " to ".join(readable(x) for x in dict.fromkeys((self.support[0], self.support[-1])))
        sizes = (
            ("values", f"{len(self.support)}, from {ends}"),
            ("assignments", short_integer(self.total)),
        )
        if len(self.support) > _MOST_DRAWN:
            return sizes
        return *sizes, ("mean", readable(self.mean)), ("variance", readable(self.variance))

    def items(self) -> Iterable[tuple[Exact, int]]:
        """Return pairs (value, number of assignments), ascending."""
        return zip(self.support, self.counts)

    def pmf(self, x: object) -> Fraction:
        """Return P(T = x)."""
        x = exact(x, "x")
        return Fraction(self._at_most(x) - self._less_than(x), self.total)

    def cdf(self, x: object) -> Fraction:
        """Return P(T <= x)."""
        return Fraction(self._at_most(exact(x, "x")), self.total)

    def sf(self, x: object) -> Fraction:
        """Return P(T > x)."""
        return 1 - self.cdf(x)

    def pvalue(self, x: object, alternative: Alternative = "two-sided") -> Fraction:
        """Return the p-value that x would have as the observed value.

        Source: Eq. 2; spec/08-lecture-and-course-page.md#lecture-right-tail.
        """
        return Fraction(self.extreme_count(exact(x, "x"), alternative), self.total)

    def extreme_count(self, x: Exact, alternative: Alternative) -> int:
        """Count the assignments at least as extreme as x."""
        return self.extremes(x, alternative).count

    def extremes(self, x: Exact, alternative: Alternative) -> Extremes:
        """Count the assignments more extreme than x and those exactly as extreme."""
        factor, weak = self.least(x, alternative)
        _, strict = self.least(x, alternative, strict=True)
        return extremes(alternative, self.total, factor, weak, strict)

    def least(self, x: Exact, alternative: Alternative, *, strict: bool = False) -> tuple[int, int]:
        """Return (factor, count) of the least region of values at least as extreme as x, or more extreme."""
        factor, _ends, masses = self._tails(x, alternative, strict=strict)
        return factor, min(masses) if factor == 2 else sum(masses)

    def extreme_region(self, x: Exact, alternative: Alternative) -> TailEnds:
        """Return (low, high): the values T <= low and T >= high are at least as extreme as x; None for no such tail."""
        factor, (low, high), (below, above) = self._tails(x, alternative)
        if factor == 1:
            return low, high
        return (low, None) if below <= above else (None, high)

    def quantile(self, q: object) -> Exact:
        """Return the least attainable x with P(T <= x) >= q, for 0 <= q <= 1."""
        q = probability(q, "q")
        i = bisect_left(self._below, q * self.total, 1) - 1
        return self.support[i]

    def critical_value(
        self, alpha: object, alternative: Alternative = "two-sided"
    ) -> Exact | tuple[Exact | None, Exact | None] | None:
        """Return the least extreme attainable values whose p-value is at most ``alpha``.

        For "less" and "greater" one value t, or None where no value is that extreme: reject where T
        <= t or T >= t. For "two-sided" and "doubled" (lower, upper), either of them None: reject
        where T <= lower or T >= upper.
        Cost: a binary search for each rejected value. Source: the significance level;
        spec/08-lecture-and-course-page.md#lecture-hypotheses.

        >>> null = NullDistribution.of({-2: 1, 0: 2, 2: 1})
        >>> null.critical_value("1/4", "greater"), null.critical_value("1/2"), null.critical_value("1/4")
        (2, (-2, 2), (None, None))
        """
        low, high = sides(alternative)
        limit = probability(alpha, "alpha") * self.total

        def last_rejected(values: Iterable[Exact]) -> Exact | None:
            rejected = takewhile(lambda t: self.extreme_count(t, alternative) <= limit, values)
            return next(iter(deque(rejected, maxlen=1)), None)

        if low and high:
            return last_rejected(self.support), last_rejected(reversed(self.support))
        return last_rejected(self.support if low else reversed(self.support))

    def _repr_html_(self) -> str:
        """Return the table and the picture that notebooks show."""
        return f"{super()._repr_html_()}{self._repr_svg_() or ''}"

    def _repr_svg_(self) -> str | None:
        """Return the picture that notebooks show; None for more than 100,000 values, whose text they show."""
        if len(self.support) > _MOST_DRAWN:
            return None
        from ..display.distribution import svg

        note = f"mean {readable(self.mean)}, variance {readable(self.variance)}"
        return svg(
            self.support, self.counts, title="Null distribution", label="statistic", note=note
        )

    def _tails(
        self, x: Exact, alternative: Alternative, *, strict: bool = False
    ) -> tuple[int, TailEnds, tuple[int, int]]:
        """Return (factor, ends, numbers of assignments beyond them); ``strict`` leaves out the ends themselves."""
        factor, (low, high) = tail_ends(alternative, x, lambda: exact(2 * self.mean - x))
        below, above = (
            (self._less_than, self._at_most) if strict else (self._at_most, self._less_than)
        )
        masses = 0 if low is None else below(low), 0 if high is None else self.total - above(high)
        return factor, (low, high), masses

    def _at_most(self, x: Exact) -> int:
        return self._below[bisect_right(self.support, x)]

    def _less_than(self, x: Exact) -> int:
        return self._below[bisect_left(self.support, x)]


def tail_picture(
    null: NullDistribution,
    statistic: Exact,
    alternative: Alternative,
    p: Fraction,
    *,
    title: str,
    label: str,
) -> str:
    """Return a distribution as SVG: the observed value marked, the tail behind the p-value shaded."""
    from ..display.distribution import svg

    low, high = null.extreme_region(statistic, alternative)
    exact = f" ({fraction_text(p)})" if 1 < p.denominator < _LONG else ""
    return svg(
        null.support,
        null.counts,
        observed=statistic,
        low=low,
        high=high,
        title=title,
        label=label.replace(" - ", " \N{MINUS SIGN} "),
        note=f"{tail_words(alternative)} p = {decimal_string(p, 3)}{exact}",
    )
