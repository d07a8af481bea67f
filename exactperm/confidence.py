"""Exact confidence intervals for a shift: all theta that the sign-flip test of d - theta does not reject.

With N swap units, the test of d - theta against "greater" has the p-value (1 + #{means <= theta}) / 2^N over the means
of the 2^N - 1 non-empty subsets of the differences. So the ends of the interval are order statistics of these means,
and each comparison p(theta) <= alpha tells on which side of theta an end lies. Every mean is a / (s q), where 1/q is
the lattice of the scores and s at most the number n of pairs. The median of the means is the mean of all differences.

The three differences 1, 2, 6 have the means 1, 3/2, 2, 3, 7/2, 4, 6; the median is 3.

Source: Hartigan 1969, "Using subsample values as typical values"; spec/13-intervals.md.
"""

from __future__ import annotations

import math
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from itertools import count as numbers

from .arithmetic.enclosure import rounded
from .arithmetic.quoting import short_integer
from .arithmetic.reading import exact, level, scaled_column, whole_number
from .arithmetic.writing import decimal_string, exact_text, number_text, placed_text, readable
from .budget import Budget
from .errors import BudgetExceeded, ExactPermError
from .fast import decision, pvalue_bracket
from .null.alternative import sides
from .record import Record
from .swaps.canonical import Swaps, canonical
from .swaps.columns import score_differences, unit_numbers
from .swaps.effects import Flips

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .arithmetic.rational import Exact
    from .null.alternative import Alternative

    End = tuple[Exact, Exact]
    Unit = tuple[int, int]
    """Sum of the differences of a swap unit, and its number of pairs."""

_TESTS, _HARD_TESTS = 64, 16  # that share the budget
_QUICK_SECONDS = 0.02
_FINE = Fraction(1, 10**6)  # of a standard error: an end enclosed so closely is worth only quick tests
_FEW = 64  # candidates among which an exact end is worth hard tests
_SECANTS = 4
_MOST_PLACES = 4000
_PATIENCE = Budget(seconds=64.0)


class ConfidenceInterval(Record):
    """Confidence interval for a shift, with its point estimate; None is an infinite end.

    ``lower`` and ``upper`` are pairs of exact numbers that enclose the end, equal where it is exact. ``estimate`` is
    the mean of the differences, which is the median of the means of all subsets. ``confidence`` is the nominal level;
    ``n`` is the number of pairs, ``n_units`` the number of swap units.
    Source: spec/13-intervals.md.
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
        """Probability of covering the shift under continuous symmetric errors; with ties it is at least that."""
        tails, rank = _ranked(self.confidence, self.alternative, self.n_units)
        return 1 - Fraction(tails * rank, 1 << self.n_units)

    def decimal_ends(self, places: int | None = None) -> tuple[str, str]:
        """Return both ends as decimals, rounded outward to so many places; "infinity" for an infinite end.

        The default shows at least two digits of the interval's length. Raises ``ExactPermError`` for ``places`` below 0
        or above 4,000.

        >>> confidence_interval([1, 2, 6, 9], confidence="0.7").decimal_ends(1)
        ('1.5', '7.5')
        """
        places = self._places if places is None else whole_number(places, "places", 0, _MOST_PLACES)
        lower = "-infinity" if self.lower is None else _floored(self.lower[0], places)
        return lower, "infinity" if self.upper is None else _ceiled(self.upper[1], places)

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
            f"Mean difference {estimate}, {known} {readable(exact(100 * Fraction(self.confidence)))}% {interval} "
            f"(paired permutation test inverted, {self.n} pairs{groups}{rounded})"
        )

    def _repr_html_(self) -> str:
        """Return the table that notebooks show."""
        from .display.table import table

        rows = (
            ("estimate", readable(self.estimate)),
            ("lower end", end_text(self.lower)),
            ("upper end", end_text(self.upper)),
            ("confidence", readable(self.confidence)),
            ("coverage", f"at least {readable(self.coverage)}"),
            ("pairs", f"{self.n}{f' in {self.n_units} groups' * (self.n_units != self.n)}"),
        )
        return table(f"Confidence interval for a shift, {self.alternative}", rows)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form: exact numbers as text, each end as [low, high] or None."""
        lower, upper = [None if end is None else [exact_text(x) for x in end] for end in (self.lower, self.upper)]
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
    number, fraction = readable(low), f"{short_integer(low.numerator, 24)}/{short_integer(low.denominator, 24)}"
    return number if number == number_text(low) else f"{number}, exactly {fraction}"


def _places_below(step: Fraction) -> int:
    """Return the least number p >= 0 of decimal places with 10**-p <= step."""
    return next(p for p in numbers() if step * 10**p >= 1)


def _floored(x: Exact, places: int) -> str:
    return placed_text(math.floor(Fraction(x) * 10**places), places)


def _ceiled(x: Exact, places: int) -> str:
    return placed_text(math.ceil(Fraction(x) * 10**places), places)


def confidence_interval(
    u: Any,
    v: Any = None,
    confidence: Any = "0.95",
    *,
    alternative: Alternative = "two-sided",
    groups: Any = None,
    decimals: int | None = None,
    precision: Any = None,
    budget: Budget | None = None,
) -> ConfidenceInterval:
    """Return the shifts theta of u against v that the exact test does not reject at level 1 - confidence.

    theta is in the interval where the sign-flip test of u - v - theta has p > 1 - confidence; finite ends belong to it.
    ``v`` is None where ``u`` holds differences. ``alternative`` "greater" gives a lower limit, "less" an upper one;
    an end is infinite where no p-value is small enough. Scores, ``groups`` and ``decimals`` are those of
    :func:`exactperm.permutation_test`; with groups the means are sums over unions of groups by their numbers of pairs.

    Where the ``budget`` (64 seconds by default) reaches no exact end, the end is enclosed, to 10**-6 standard errors if
    the budget allows, and ``exact`` is False. ``precision`` is a part of a standard error, such as "0.001": an end that
    is enclosed so closely is made exact only where that takes milliseconds.

    Raises ``ExactPermError`` and ``WrongType`` for bad input. Cost: some ten certified tests for each end. Exact ends
    of 1,000 pairs with 3 decimals take 7 s; ends of doubles take 2 s, or 0.5 s with a ``precision`` of 0.001.
    Source: spec/13-intervals.md.

    >>> interval = confidence_interval([1, 2, 6], confidence="0.75")
    >>> interval.lower, interval.upper, interval.estimate
    ((1, 1), (6, 6), 3)
    """
    wanted = level(confidence, "confidence")
    units, scale = _units(u, v, groups, decimals)
    return interval_of(units, scale, wanted, alternative, precision=precision, budget=budget)


def interval_of(
    units: list[Unit],
    scale: int,
    confidence: Exact,
    alternative: Alternative,
    *,
    precision: Any = None,
    budget: Budget | None = None,
) -> ConfidenceInterval:
    """Return the interval of swap units, each a sum of differences in units of 1/``scale`` with its number of pairs."""
    low, high = sides(alternative)
    part = None if precision is None else level(precision, "precision")
    means = _Means(units, scale, part, _PATIENCE if budget is None else Budget.of(budget))
    _tails, rank = _ranked(confidence, alternative, len(units))
    return ConfidenceInterval(
        lower=means.ranked(rank) if rank and high else None,
        upper=means.ranked(means.assignments - rank) if rank and low else None,
        estimate=exact(means.middle / scale),
        confidence=confidence,
        alternative=alternative,
        n=means.n,
        n_units=len(units),
    )


def _ranked(confidence: Exact, alternative: Alternative, n_units: int) -> tuple[int, int]:
    """Return (tails, k): the ends are the k-th mean from below and from above, infinite for k = 0."""
    tails = sum(sides(alternative))
    return tails, math.floor((1 - Fraction(confidence)) * (1 << n_units) / tails)


def _units(u: Any, v: Any, groups: Any, decimals: int | None) -> tuple[list[Unit], int]:
    if v is not None:
        column, scale = score_differences(u, v, decimals)
    else:
        column, scale = scaled_column(u, "u", decimals)
        if not column:
            raise ExactPermError("u is empty: an interval needs at least one pair")
    return grouped(column, unit_numbers(groups, len(column))), scale


def grouped(column: list[int], labels: list[int]) -> list[Unit]:
    """Return for each swap unit the sum of its differences and its number of pairs.

    >>> grouped([5, 1, 2], [0, 1, 0])
    [(7, 2), (1, 1)]
    """
    sums: Counter[int] = Counter()
    for label, x in zip(labels, column):
        sums[label] += x
    return [(sums[label], size) for label, size in Counter(labels).items()]


class _Means:
    """The means of all non-empty subsets, in units of 1/q, where each is a / s for s pairs; counted, never listed."""

    def __init__(self, units: list[Unit], scale: int, precision: Exact | None, budget: Budget) -> None:
        self.scale, self.precision, self.budget = scale, precision, budget
        self.tally = Counter(units)
        self.assignments = 1 << len(units)
        self.n = sum(size for _, size in units)
        self.least = min(Fraction(z, size) for z, size in self.tally)
        self.most = max(Fraction(z, size) for z, size in self.tally)
        self.middle = Fraction(sum(z for z, _ in units), self.n)
        far = 2 * math.isqrt(sum(size * size for _, size in units)) + 2  # four standard deviations
        self.usual_sizes = range(max(1, self.n // 2 - far), min(self.n, self.n // 2 + far) + 1)

    def ranked(self, rank: int) -> End:
        """Enclose the mean of a rank, counted from 1."""
        search = _Search(self, Fraction(rank, self.assignments))
        with suppress(BudgetExceeded):
            search.run()
        return exact(max(search.low, self.least) / self.scale), exact(search.high / self.scale)

    def reach(self, x: Fraction, share: Fraction, seconds: float, *, strict: bool = False) -> bool:
        """Return whether rank = ``share`` * assignments is reached by the means <= x, or by those < x if ``strict``.

        A mean is <= x where the sum of the d - x is <= 0. The empty subset has such a sum, too, so more than rank of
        them are needed; it has no sum < 0.
        """
        return not decision(self._swaps(x, strict), share, "greater", strict=strict, budget=self._limit(seconds))

    def quantile(self, x: Fraction, seconds: float) -> float:
        """Return the normal quantile of the share of means <= x, roughly: it decides nothing."""
        digits = 2 if self.precision else 4
        bracket = pvalue_bracket(self._swaps(x), "greater", digits, self._limit(seconds))
        return _normal_quantile(rounded(*bracket.middle, 0))

    def error(self) -> Fraction:
        """Return the standard error of the mean of all differences; never 0."""
        square = sum((z - self.middle * size) ** 2 * count for (z, size), count in self.tally.items())
        bits = max(0, 64 - math.floor(square).bit_length())
        return max(Fraction(math.isqrt(math.floor(square * 4**bits)), 2**bits), Fraction(1, 2)) / self.n

    def _swaps(self, x: Fraction, strict: bool = False) -> Swaps:
        """Return the swaps of the d - x; if ``strict``, with an observed sum one step higher."""
        differences: Counter[int] = Counter()
        for (z, size), count in self.tally.items():
            differences[z * x.denominator - x.numerator * size] += count
        swaps = canonical(Flips(differences=differences, n=self.n))
        return Swaps(**{**vars(swaps), "observed": swaps.observed + strict})

    def _limit(self, seconds: float) -> Budget:
        return Budget(seconds=seconds, bytes=self.budget.bytes)


class _Search:
    """Search for the mean of one rank: fewer than rank means are <= low, at least rank are <= high."""

    def __init__(self, means: _Means, share: Fraction) -> None:
        self.means, self.share = means, share
        self.closest = Fraction(1, means.n**2)  # two different means are at least so far apart
        self.low, self.high = means.least - self.closest / 2, means.most
        self.error = means.error()
        self.fine = self.error * Fraction(means.precision or _FINE)
        self.step = max(self.fine / 3, Fraction(_FEW, 8 * sum(means.usual_sizes)))
        self.score = _normal_quantile(float(share))
        self.guess = self._inside(means.middle + self.error * Fraction(self.score))

    def run(self) -> None:
        """Narrow (low, high] to the mean. Raises ``BudgetExceeded`` where a test would take too long."""
        self._improve()
        self._surround()
        while self.high - self.low >= self.closest:
            likely = self._likely()
            if likely:
                self._try_as_end(min(likely, key=lambda x: abs(x - self.guess)))
            else:
                self._try_between()
            self.guess = self._inside(self.guess)
        self.low = self.high = _simplest(self.low + Fraction(1, 2 * self.means.n * self.low.denominator), self.high)

    def _improve(self) -> None:
        """Take secants of the normal quantile of the share of means <= x, which is nearly linear, and 0 at the mean."""
        x, score = self.means.middle, 0.0
        with suppress(BudgetExceeded):
            for _ in range(_SECANTS):
                before, x, last = x, _simplest(self.guess - self.step, self.guess), score
                score = self.means.quantile(x, self.means.budget.seconds / _TESTS)
                if score == last:
                    break
                move = (x - before) * Fraction((self.score - score) / (score - last))
                self.guess = self._inside(x + move)
                if 10 * move**2 < self.fine * self.error:  # the next one would be that close
                    break

    def _inside(self, x: Fraction) -> Fraction:
        """Return x, to 64 places; outside (low, high) the nearer end, or the middle where both ends come of tests."""
        low, high = max(self.low, self.means.least), self.high
        if low < x < high:
            return Fraction(round(x * 2**64), 2**64)
        if self.low < self.means.least or high == self.means.most:
            return low if x <= low else high
        return (low + high) / 2

    def _likely(self) -> list[Fraction]:
        """Return the candidates of (low, high] with the usual numbers of pairs, where these are few; else nothing.

        Nearly all subsets have such numbers, so that one of these candidates is nearly always the end.
        """
        sizes = self.means.usual_sizes
        if (self.high - self.low) * sum(sizes) > _FEW:
            return []
        ranges = ((s, range(math.floor(self.low * s) + 1, math.floor(self.high * s) + 1)) for s in sizes)
        return [Fraction(a, s) for s, numerators in ranges for a in numerators]

    def _surround(self) -> None:
        """Test below the guess and then above, farther away where a test is too hard or finds the end beyond."""
        step, seconds = self.step, self.means.budget.seconds / _TESTS
        while True:
            if self.low < self.means.least < self.guess - step:
                x = _simplest(self.guess - step, self.guess - step / 2)
            elif self.high == self.means.most > self.guess + step:
                x = _simplest(self.guess + step / 2, self.guess + step)
            else:
                break
            with suppress(BudgetExceeded):
                self._try(x, seconds)
                if self.low < self.guess < self.high:
                    continue
                self.guess = self._inside(self.guess)
            step *= 4

    def _try_between(self) -> None:
        width = self.high - self.low
        self._try(_simplest(self.low + width * 3 / 8, self.high - width * 3 / 8), self._patience(_TESTS, width))

    def _patience(self, tests: int, width: Fraction) -> float:
        """Return the seconds of a test: of so many that share the budget, or a few where the end is known closely."""
        seconds = self.means.budget.seconds / tests
        return min(seconds, _QUICK_SECONDS) if width <= self.fine else seconds

    def _try(self, x: Fraction, seconds: float) -> None:
        if self.means.reach(x, self.share, seconds):
            self.high = min(self.high, x)
        else:
            self.low = max(self.low, x)

    def _try_as_end(self, x: Fraction) -> None:
        """Test x = a / s, and where it reaches the rank, whether the means up to x - 1 / (s n) do already."""
        seconds = self._patience(_HARD_TESTS, self.high - self.low if self.means.precision else self.error)
        if x < self.high:
            self._try(x, seconds)
        if x == self.high:
            if self.means.reach(x, self.share, seconds, strict=True):
                self.high -= Fraction(1, x.denominator * self.means.n)
            else:
                self.low = self.high - self.closest / 2


def _normal_quantile(share: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(min(max(share, 1e-300), 1 - 1e-16))


def _simplest(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator in [low, high], by the tree of Stern and Brocot.

    >>> _simplest(Fraction(31, 100), Fraction(34, 100))
    Fraction(1, 3)
    """
    quotients = []
    while math.ceil(low) > high:
        quotients.append(math.floor(low))
        low, high = 1 / (high - quotients[-1]), 1 / (low - quotients[-1])
    found = Fraction(math.ceil(low))
    for quotient in reversed(quotients):
        found = quotient + 1 / found
    return found
