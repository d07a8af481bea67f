"""Exact confidence intervals for a shift: all theta that the sign-flip test of d - theta does not reject.

With N swap units, the test of d - theta against "greater" has the p-value (1 + #{means <= theta}) /
2^N over the means of the 2^N - 1 non-empty subsets of the differences. So the ends of the interval
are order statistics of these means, and each comparison p(theta) <= alpha tells on which side of
theta an end lies. Every mean is a / (s q), where 1/q is the lattice of the scores and s at most the
number n of pairs. The median of the means is the mean of all differences.

The three differences 1, 2, 6 have the means 1, 3/2, 2, 3, 7/2, 4, 6; the median is 3.

Source: Hartigan 1969, "Using subsample values as typical values"; spec/13-intervals.md#own-intervals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cached_property, partial
from itertools import count as numbers

from .._types import Any
from ..arithmetic.quoting import short_integer
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact, is_sequence, level, scaled_column, whole_number
from ..arithmetic.writing import (
    decimal_string,
    exact_text,
    number_text,
    placed_text,
    readable,
    value_text,
)
from ..budget import Budget, Options, Progress
from ..errors import BudgetExceeded, ExactPermError
from ..null.alternative import Alternative, sides
from ..null.result import units_text
from ..record import Result
from ..swaps.columns import check_alignment, score_differences, unit_numbers
from .search import SECONDS_LEAST, End, Means, RankSearch, UnitSum

_MOST_PLACES = 4000
PATIENCE = Budget(seconds=6.0)
"""What an interval may take by default, by estimates that count work."""


class ConfidenceInterval(Result):
    """Confidence interval for a shift, with its point estimate; None is an infinite end.

    ``lower`` and ``upper`` are pairs of exact numbers that enclose the end, equal where it is
    exact. ``estimate`` is the mean of the differences, which is the median of the means of all
    subsets. ``confidence`` is the nominal level; ``n`` is the number of pairs, ``n_units`` the
    number of swap units.
    Source: spec/13-intervals.md#own-intervals.
    """

    lower: End | None
    upper: End | None
    estimate: Exact
    confidence: Exact
    alternative: Alternative
    n: int
    n_units: int

    @property
    def exact(self) -> bool:
        """Whether both ends are known exactly."""
        return self.widths == (0, 0)

    @cached_property
    def widths(self) -> tuple[Exact, Exact]:
        """Widths of the enclosures of the lower and the upper end; 0 for an infinite end."""
        lower, upper = [0 if end is None else end[1] - end[0] for end in (self.lower, self.upper)]
        return lower, upper

    @property
    def coverage(self) -> Fraction:
        """Probability of covering the shift under continuous symmetric errors; with ties it is at least that.

        Scores of 0 and 1 have no such errors: only a difference of 0 is then covered as often. At
        another mean difference an upper 95% limit may miss it in 34.9% of all samples of 10 pairs,
        18.4% of 30, 6.2% of 100 (difference .1, at the worst rates computed), and a two-sided 95%
        interval misses .05 in 12.3% of those of 100.
        """
        tails, rank = _ranked(self.confidence, self.alternative, self.n_units)
        return 1 - Fraction(tails * rank, 1 << self.n_units)

    def decimal_ends(self, places: int | None = None) -> tuple[str, str]:
        """Return both ends as decimals, rounded outward to so many places; "infinity" for an infinite end.

        The default shows at least two digits of the interval's length. Raises ``ExactPermError``
        for ``places`` below 0 or above 4,000.

        >>> confidence_interval([1, 2, 6, 9], confidence="0.7").decimal_ends(1)
        ('1.5', '7.5')
        """
        places = self._places if places is None else whole_number(places, "places", 0, _MOST_PLACES)
        lower = "-infinity" if self.lower is None else _floored(self.lower[0], places)
        return lower, "infinity" if self.upper is None else _ceiled(self.upper[1], places)

    @property
    def none(self) -> str:
        """Say how many pairs would exclude a difference where this interval excludes none, else "".

        >>> confidence_interval([1, 2, 6, 9]).none
        '4 pairs cannot exclude any difference at 95%; 6 can'
        """
        if self.lower is not None or self.upper is not None:
            return ""
        ends, units = sum(sides(self.alternative)), "pairs" if self.n == self.n_units else "groups"
        least = next(n for n in numbers(1) if ends <= 2**n * (1 - self.confidence))
        return (
            f"{self.n_units} {units} cannot exclude any difference at {self._percent}%; {least} can"
        )

    @property
    def _places(self) -> int:
        """The least number of decimal places that are 1% of the interval's length, or of what is finite of it."""
        low, high = self.estimate, self.estimate
        low = low if self.lower is None else min(low, self.lower[0])
        high = high if self.upper is None else max(high, self.upper[1])
        return _places_below((high - low or 1) / Fraction(100))

    def sentence(self, *, decimals: int | None = None) -> str:
        """Return the sentence for a paper; ``decimals`` are those that the scores were rounded to.

        >>> print(confidence_interval([1, 2, 6, 9], confidence="0.7").sentence())
        Mean difference 4.50, exact 70% interval [1.50, 7.50] (paired permutation test inverted, 4 pairs)
        """
        if self.none:
            return f"Mean difference {number_text(self.estimate)}, no interval: {self.none}"
        ends, known = self.decimal_ends(), "exact" if self.exact else "certified"
        estimate = placed_text(round(Fraction(self.estimate) * 10**self._places), self._places)
        low, high = sides(self.alternative)
        limit = f"{'upper' if low else 'lower'} limit {ends[low]}"
        interval = f"interval [{', '.join(ends)}]" if low and high else limit
        groups = f" in {self.n_units} groups" if self.n_units != self.n else ""
        rounded = ""
        if decimals is not None:
            places = whole_number(decimals, "decimals", 0, _MOST_PLACES)
            rounded = f", scores rounded to {places} decimal{'s' * (places != 1)}"
        return (
            f"Mean difference {estimate}, {known} {self._percent}% {interval} "
            f"(paired permutation test inverted, {self.n} pairs{groups}{rounded})"
        )

    @property
    def heading(self) -> str:
        """The level and the alternative."""
        return f"{self._percent}% confidence interval of a mean difference, {self.alternative}"

    def rows(self, *, words: str = "") -> tuple[tuple[str, str], ...]:
        """Return the interval as rows (label, text); ``words`` say what the estimate is."""
        estimate = "estimate", value_text(self.estimate) + f" ({words})" * bool(words)
        if self.none:
            return estimate, ("interval", f"none: {self.none}")
        known = "exact" if self.exact else "enclosed, certain but not exact"
        coverage = placed_text(int(self.coverage * 10**4), 2)
        return (
            estimate,
            ("interval", f"{' to '.join(self.decimal_ends())}, rounded outward; both ends {known}"),
            ("lower end", end_text(self.lower)),
            ("upper end", end_text(self.upper)),
            (
                "coverage",
                f"at least {coverage}% of such intervals hold the true difference, if errors are symmetric",
            ),
            ("pairs", units_text(self.n, self.n_units)),
        )

    @property
    def _percent(self) -> str:
        return readable(exact(100 * Fraction(self.confidence)))

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form: exact numbers as text, each end as [low, high] or None."""
        lower, upper = [
            None if end is None else [exact_text(x) for x in end]
            for end in (self.lower, self.upper)
        ]
        return {
            "lower": lower,
            "upper": upper,
            "estimate": exact_text(self.estimate),
            "exact": self.exact,
            "confidence": exact_text(self.confidence),
            "coverage": exact_text(self.coverage),
            "alternative": self.alternative,
            "n": self.n,
            "n_units": self.n_units,
        }


def end_text(end: End | None) -> str:
    """Write an end with its exact value, the middle of long ones left out, or with its bounds, rounded outward.

    >>> end_text((Fraction(1, 3), Fraction(1, 3))), end_text((Fraction(1, 3), Fraction(1001, 3000)))
    ('0.3333333333, exactly 1/3', 'between 0.33333 and 0.33367, 0.00033 apart')
    """
    if end is None:
        return "infinite"
    low, high = map(Fraction, end)
    if low < high:
        places = _places_below((high - low) / 10)
        return f"between {_floored(low, places)} and {_ceiled(high, places)}, {decimal_string(high - low, 2)} apart"
    number = readable(low)
    if number == number_text(low):
        return number
    over, under = short_integer(low.numerator, 24), short_integer(low.denominator, 24)
    return f"{number}, exactly {over}/{under}"


def _places_below(step: Fraction) -> int:
    """Return the least number p >= 0 of decimal places with 10**-p <= step."""
    return next(p for p in numbers() if step * 10**p >= 1)


def _floored(x: Exact, places: int) -> str:
    return placed_text(math.floor(Fraction(x) * 10**places), places)


def _ceiled(x: Exact, places: int) -> str:
    return placed_text(math.ceil(Fraction(x) * 10**places), places)


def confidence_interval(
    u: object,
    v: object = None,
    confidence: object = "0.95",
    *,
    alternative: Alternative = "two-sided",
    groups: object = None,
    decimals: int | None = None,
    precision: object = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> ConfidenceInterval:
    """Return the exact confidence interval of the difference of means: all shifts that the exact test does not reject.

    theta is in the interval where the sign-flip test of u - v - theta has p > 1 - confidence;
    finite ends belong to it. ``v`` is None where ``u`` holds differences. ``alternative`` "greater"
    gives a lower limit, "less" an upper one; an end is infinite where no p-value is small enough.
    Scores, ``groups`` and ``decimals`` are those of :func:`exactperm.permutation_test`; with groups
    the means are sums over unions of groups by their numbers of pairs.

    Where the ``budget`` (6 seconds by default) reaches no exact end, the end is enclosed, to 10**-4
    standard errors if the budget allows, and ``exact`` is False. ``precision`` is another part of a
    standard error, such as "1e-6": an end that is enclosed so closely is made exact only where that
    takes milliseconds. ``progress`` is called with (done, total).

    Raises ``ExactPermError`` and ``WrongType`` for bad input. Cost: one or two inversions for each
    end, some more for exact ones. Exact ends of 1,000 pairs with 3 decimals take 3 s; ends of 60 to
    1,000 doubles take 0.3 s.
    Source: spec/13-intervals.md#own-intervals.

    >>> interval = confidence_interval([1, 2, 6], confidence="0.75")
    >>> interval.lower, interval.upper, interval.estimate
    ((1, 1), (6, 6), 3)
    """
    wanted = level(confidence, "confidence")
    _check_single("u", u)
    _check_single("v", v)
    check_alignment((u, v, groups))
    if v is not None:
        column, scale = score_differences(u, v, decimals)
    else:
        column, scale = scaled_column(u, "u", decimals)
        if not column:
            raise ExactPermError("u is empty: an interval needs at least one pair")
    units = grouped(column, unit_numbers(groups, len(column)))
    return interval_of(
        (units, scale), wanted, alternative, precision=precision, budget=budget, progress=progress
    )


def interval_of(
    sums: tuple[list[UnitSum], int],
    confidence: Exact,
    alternative: Alternative,
    *,
    precision: object = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> ConfidenceInterval:
    """Return the interval of swap units and a scale: sums of differences in units of 1/scale, with their numbers of pairs."""
    units, scale = sums
    low, high = sides(alternative)
    part = None if precision is None else level(precision, "precision")
    options = Options(budget=PATIENCE if budget is None else Budget.of(budget), progress=progress)
    means = Means(units, scale, part, options.budget)
    tails, rank = _ranked(confidence, alternative, len(units))
    tell = [partial(_told, options.progress, tails, end) for end in range(tails)]
    return ConfidenceInterval(
        lower=ranked(means, rank, tell[0]) if rank and high else None,
        upper=ranked(means, means.assignments - rank, tell[-1]) if rank and low else None,
        estimate=exact(means.middle / scale),
        confidence=confidence,
        alternative=alternative,
        n=means.n,
        n_units=len(units),
    )


def ranked(means: Means, rank: int, tell: Callable[[float], object]) -> End:
    """Enclose the mean of a rank, counted from 1, by the mean of -d of the mirrored rank where that is lower.

    Sums that are too many for an inversion are rounded down to steps: means fall by less than one,
    since each unit has a pair at least.
    """

    def of(units: list[UnitSum], rank: int, scale: int) -> End:
        return ranked(Means(units, scale, means.precision, means.budget), rank, tell)

    if 2 * rank > means.assignments:
        mirrored = [(-z, size) for z, size in means.units]
        low, high = of(mirrored, means.assignments - rank, means.scale)
        return -high, -low
    step = coarse_step(means)
    if step > 1 and means.smooth and 2 * rank < means.assignments:
        low, high = of([(z // step, size) for z, size in means.units], rank, 1)
        low = max(Fraction(low * step), means.least)
        high = min(Fraction((high + 1) * step), means.middle)
    else:
        search = RankSearch(means, Fraction(rank, means.assignments))
        with suppress(BudgetExceeded):
            search.run(tell)
        tell(1)
        low, high = max(search.low, means.least), search.high
    return exact(low / means.scale), exact(high / means.scale)


def coarse_step(means: Means) -> int:
    """Return the step that sums are rounded down to, 1 for none."""
    most = max(16, int(means.budget.seconds / 2 / SECONDS_LEAST))
    if len(means.tally) <= 1.2 * most:
        return 1
    sums = [z for z, _ in means.tally]
    return max(1, -(-(max(sums) - min(sums)) // (most // 2)))


def _told(progress: Progress | None, ends: int, done: int, part: float) -> None:
    """Call ``progress`` with thousandths of all ends, of which so many are done, and a part from 0 to 1 of the next."""
    if progress is not None:
        progress(1000 * done + int(1000 * part), 1000 * ends)


def _ranked(confidence: Exact, alternative: Alternative, n_units: int) -> tuple[int, int]:
    """Return (tails, k): the ends are the k-th mean from below and from above, infinite for k = 0."""
    tails = sum(sides(alternative))
    return tails, math.floor((1 - Fraction(confidence)) * (1 << n_units) / tails)


def _check_single(name: str, column: object) -> None:
    """Raise ``ExactPermError`` for a column with several runs of an item."""
    listed = isinstance(column, (list, tuple)) and any(map(is_sequence, column[:1]))
    if listed or getattr(column, "ndim", 1) == 2:
        raise ExactPermError(
            f"{name} has several runs of an item: an interval needs one score for each. Instead: give the mean of "
            "the runs of each item, for an interval whose test swaps the runs of an item together"
        )


def grouped(column: list[int], labels: list[int]) -> list[UnitSum]:
    """Return for each swap unit the sum of its differences and its number of pairs.

    >>> grouped([5, 1, 2], [0, 1, 0])
    [(7, 2), (1, 1)]
    """
    sums: Counter[int] = Counter()
    for label, x in zip(labels, column):
        sums[label] += x
    return [(sums[label], size) for label, size in Counter(labels).items()]
