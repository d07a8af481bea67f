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
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import cached_property
from itertools import count as numbers

from .arithmetic.quoting import short_integer
from .arithmetic.reading import exact, level, scaled_column, whole_number
from .arithmetic.writing import decimal_string, exact_text, number_text, placed_text, readable, value_text
from .budget import Budget, Options
from .certified.bracket import Tails, exact_seconds
from .counting import plan
from .errors import BudgetExceeded, ExactPermError
from .fast import decision
from .null.alternative import sides
from .null.result import units_text
from .record import Result
from .swaps.canonical import Swaps, canonical
from .swaps.columns import score_differences, unit_numbers
from .swaps.effects import Flips

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .arithmetic.rational import Exact
    from .budget import Progress
    from .null.alternative import Alternative

    End = tuple[Exact, Exact]
    Unit = tuple[int, int]
    """Sum of the differences of a swap unit, and its number of pairs."""

_COUNTS = 100  # so many exact counts find an end
_FEW_COUNTS = 4  # so many enclose it closely
_QUICK_SECONDS = 0.02  # of a test, where a precision is met
_FINE = Fraction(1, 10**6)  # of a standard error: an end that cannot be exact is enclosed so closely
_FEW = 64  # candidates among which an exact end is looked for
_LEAST = 56  # pairs from which on an inversion is faster than tests
_MOST_BITS = 900  # of differences, so that floats hold them
_WIDENINGS = 5
_MOST_PLACES = 4000
PATIENCE = Budget(seconds=6.0)
"""What an interval may take by default, by estimates that count work."""


class ConfidenceInterval(Result):
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
            f"Mean difference {estimate}, {known} {self._percent}% {interval} "
            f"(paired permutation test inverted, {self.n} pairs{groups}{rounded})"
        )

    @property
    def heading(self) -> str:
        """The level and the alternative."""
        return f"{self._percent}% confidence interval of a mean difference, {self.alternative}"

    def rows(self, *, words: str = "") -> tuple[tuple[str, str], ...]:
        """Return the interval as rows (label, text); ``words`` say what the estimate is."""
        known = "exact" if self.exact else "enclosed, certain but not exact"
        coverage = placed_text(int(self.coverage * 10**4), 2)
        return (
            ("estimate", value_text(self.estimate) + f" ({words})" * bool(words)),
            ("interval", f"{' to '.join(self.decimal_ends())}, rounded outward; both ends {known}"),
            ("lower end", end_text(self.lower)),
            ("upper end", end_text(self.upper)),
            ("coverage", f"at least {coverage}% of such intervals hold the true difference, if errors are symmetric"),
            ("pairs", units_text(self.n, self.n_units)),
        )

    @property
    def _percent(self) -> str:
        return readable(exact(100 * Fraction(self.confidence)))

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
    progress: Progress | None = None,
) -> ConfidenceInterval:
    """Return the shifts theta of u against v that the exact test does not reject at level 1 - confidence.

    theta is in the interval where the sign-flip test of u - v - theta has p > 1 - confidence; finite ends belong to it.
    ``v`` is None where ``u`` holds differences. ``alternative`` "greater" gives a lower limit, "less" an upper one;
    an end is infinite where no p-value is small enough. Scores, ``groups`` and ``decimals`` are those of
    :func:`exactperm.permutation_test`; with groups the means are sums over unions of groups by their numbers of pairs.

    Where the ``budget`` (6 seconds by default) reaches no exact end, the end is enclosed, to 10**-6 standard errors if
    the budget allows, and ``exact`` is False. ``precision`` is a part of a standard error, such as "0.001": an end that
    is enclosed so closely is made exact only where that takes milliseconds. ``progress`` is called with (done, total).

    Raises ``ExactPermError`` and ``WrongType`` for bad input. Cost: one or two inversions for each end, some more for
    exact ones. Exact ends of 1,000 pairs with 3 decimals take 3 s; ends of 1,000 doubles take 0.5 s.
    Source: spec/13-intervals.md.

    >>> interval = confidence_interval([1, 2, 6], confidence="0.75")
    >>> interval.lower, interval.upper, interval.estimate
    ((1, 1), (6, 6), 3)
    """
    wanted = level(confidence, "confidence")
    units, scale = _units(u, v, groups, decimals)
    return interval_of(units, scale, wanted, alternative, precision=precision, budget=budget, progress=progress)


def interval_of(
    units: list[Unit],
    scale: int,
    confidence: Exact,
    alternative: Alternative,
    *,
    precision: Any = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> ConfidenceInterval:
    """Return the interval of swap units, each a sum of differences in units of 1/``scale`` with its number of pairs."""
    low, high = sides(alternative)
    part = None if precision is None else level(precision, "precision")
    options = Options(budget=PATIENCE if budget is None else Budget.of(budget), progress=progress)
    means = _Means(units, scale, part, options.budget)
    tails, rank = _ranked(confidence, alternative, len(units))
    tell = _told(options.progress, tails)
    return ConfidenceInterval(
        lower=means.ranked(rank, tell) if rank and high else None,
        upper=means.ranked(means.assignments - rank, tell) if rank and low else None,
        estimate=exact(means.middle / scale),
        confidence=confidence,
        alternative=alternative,
        n=means.n,
        n_units=len(units),
    )


def _told(progress: Progress | None, ends: int) -> Callable[[float], object]:
    """Return a function of the part that is done of an end: it reports thousandths of all ends, 1.0 once for each."""
    known = 0

    def tell(part: float) -> None:
        nonlocal known
        if progress is not None:
            progress(1000 * known + int(1000 * part), 1000 * ends)
        known += part == 1

    return tell


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
        self.units, self.counted = units, False
        self.tally = Counter(units)
        self.assignments = 1 << len(units)
        self.n = sum(size for _, size in units)
        self.least = min(Fraction(z, size) for z, size in self.tally)
        total = sum(z for z, _ in units)
        self.middle = Fraction(total, self.n)
        self.centred = [(z * self.n - total * size, size, count) for (z, size), count in self.tally.items()]
        self.squares = sum(size * size for _, size in units)
        # Few pairs have subsets of all sizes, which an inversion does not tell apart; floats guess where it is made.
        self.smooth = self.n >= _LEAST and max(abs(z).bit_length() for z, _ in self.tally) < _MOST_BITS
        self.far = 2 * math.isqrt(self.squares) + 2  # four standard deviations of the number of pairs
        self.usual_sizes = range(max(1, self.n // 2 - self.far), min(self.n, self.n // 2 + self.far) + 1)

    def ranked(self, rank: int, tell: Callable[[float], object]) -> End:
        """Enclose the mean of a rank, counted from 1, by the mean of -d of the mirrored rank where that is lower."""
        if 2 * rank > self.assignments:
            mirrored = _Means([(-z, size) for z, size in self.units], self.scale, self.precision, self.budget)
            low, high = mirrored.ranked(self.assignments - rank, tell)
            return -high, -low
        search = _Search(self, Fraction(rank, self.assignments))
        with suppress(BudgetExceeded):
            search.run(tell)
        tell(1)
        return exact(max(search.low, self.least) / self.scale), exact(search.high / self.scale)

    def reach(self, x: Fraction, share: Fraction, seconds: float, *, strict: bool = False) -> bool:
        """Return whether rank = ``share`` * assignments is reached by the means <= x, or by those < x if ``strict``.

        A mean is <= x where the sum of the d - x is <= 0. The empty subset has such a sum, too, so more than rank of
        them are needed; it has no sum < 0.
        """
        if self.counted:
            return self.counted_share(x, seconds, strict=strict) > share - Fraction(strict, self.assignments)
        swaps = self.swaps(x)
        swaps = Swaps(**{**vars(swaps), "observed": swaps.observed + strict})
        return not decision(swaps, share, "greater", strict=strict, budget=self.limit(seconds))

    def counted_share(self, x: Fraction, seconds: float, *, strict: bool = False) -> Fraction:
        """Count the subsets, the empty one among them, with sum of the d - x <= 0, or < 0 if ``strict``, over all."""
        swaps, options = self.swaps(x), Options(budget=self.limit(seconds))
        at_most, _ = plan.count_at_most(swaps.tally, swaps.span - swaps.observed - strict, options)
        return Fraction(at_most, 1 << sum(swaps.tally.values()))

    def error(self) -> Fraction:
        """Return the standard error of the mean of all differences; never 0."""
        square = sum(z * z * count for z, _, count in self.centred) // self.n**2
        bits = max(0, 64 - square.bit_length())
        return max(Fraction(math.isqrt(square * 4**bits), 2**bits), Fraction(1, 2)) / self.n

    def guess(self, score: float) -> Fraction:
        """Return about where the share of the means <= x has the normal quantile ``score``.

        The sum of the d - x over a random subset has the cumulants sum(d - x) / 2, sum(d - x)^2 / 4, 0 and
        -sum(d - x)^4 / 8. Its quantile follows by the series of Cornish and Fisher; x is where that is 0.
        """
        n = self.n
        shift = max(0, max(abs(z) for z, _, _ in self.centred).bit_length() - 200)
        floats = [(float(z >> shift), size, count) for z, size, count in self.centred]
        x = 0.0
        for _ in range(8):
            seconds = fourths = 0.0
            for z, size, count in floats:
                square = (z - x * size) ** 2
                seconds += count * square
                fourths += count * square * square
            excess = fourths / (seconds * seconds or 1.0)
            x = (score - (score**3 - 3.0 * score) * excess / 12.0) * math.sqrt(seconds) / n
        return self.middle + Fraction(x) * (1 << shift) / n

    def swaps(self, x: Fraction) -> Swaps:
        """Return the swaps of the d - x."""
        differences: Counter[int] = Counter()
        for (z, size), count in self.tally.items():
            differences[z * x.denominator - x.numerator * size] += count
        return canonical(Flips(column=differences, n=self.n))

    def limit(self, seconds: float) -> Budget:
        """Return the budget of one test."""
        return Budget(seconds=max(seconds, 1e-9), bytes=self.budget.bytes)


class _Search:
    """Search for the mean of one rank: fewer than rank means are <= low, at least rank are <= high."""

    def __init__(self, means: _Means, share: Fraction) -> None:
        self.means, self.share = means, share
        self.closest = Fraction(1, means.n**2)  # two different means are at least so far apart
        self.low, self.high = means.least - self.closest / 2, means.middle
        self.error = means.error()
        self.fine = self.error * Fraction(means.precision or _FINE)
        self.score = _normal_quantile(float(share))
        self.guess = means.guess(self.score)
        self.last, self.around = (means.middle, 0.0), self.error / 99
        self.aim = self.fine * max(1, 1000 // means.n) ** 2  # at first: the guess is worse for few pairs
        self.seconds = means.budget.seconds / 2
        # Shifts so far apart are told apart by the numbers of pairs alone; a coarse lattice is worth a detour.
        coarse = self.fine * sum(means.usual_sizes) <= _FEW
        self.near = (8 if coarse else Fraction(1, 4)) * self.fine * means.n / means.far

    def run(self, tell: Callable[[float], object]) -> None:
        """Narrow (low, high] to the mean. Raises ``BudgetExceeded`` where a test would take too long."""
        if self.share == Fraction(1, 2):
            self.low = self.high
            return
        counted, cost = self._counted()
        tested, stuck = counted or not self.means.smooth, False
        few = tested and not counted and cost <= self.seconds / _FEW_COUNTS
        self.means.counted = counted or few
        whole = _halvings((self.high - self.low) / self.closest) + 1
        while self.high - self.low >= self.closest:
            width, likely = self.high - self.low, self._likely()
            tell(1 - _halvings(width / self.closest) / whole)
            if self.means.precision and width <= self.fine:
                self.seconds = min(self.seconds, _QUICK_SECONDS)
            simple = _simplest(self.low + width / 8, self.high - width / 8)
            if likely and not tested and not stuck and simple.denominator < self.means.n // 4:
                self._approach(simple, 0)
            elif likely:
                self._try_as_end(min(likely, key=lambda x: abs(x - self.guess)), tested)
            elif few and width > self.fine:
                self._count()
            elif counted or (tested and width > self.fine):
                self._try(_simplest(self.low + width * 3 / 8, self.high - width * 3 / 8))
            elif width > self.fine:
                self._approach(self._next(), self.aim)
                self.aim = self.fine
                tested = self.high - self.low > width * Fraction(7, 8)
            else:
                return
            stuck = self.high - self.low > width / 2
            self.seconds -= cost if few else 0
            if self.seconds <= 0:
                return
        self.low = self.high = _simplest(self.low + Fraction(1, 2 * self.means.n * self.low.denominator), self.high)

    def _counted(self) -> tuple[bool, float]:
        """Return whether exact counts take so little time that they find the end, and the seconds of one."""
        swaps = self.means.swaps(_simplest(self.guess - self.error / 99, self.guess))
        patience = min(_QUICK_SECONDS / 10, self.seconds) if self.means.precision else self.seconds / _COUNTS
        seconds = exact_seconds(swaps.tally, swaps.span - swaps.observed, self.means.limit(self.seconds))
        return seconds <= patience, seconds

    def _count(self) -> None:
        """Count at the guess, and guess again: a sixteenth of the step beyond where the share should be met."""
        low, high = max(self.low, self.means.least), self.high
        x = _simplest(self.guess - self.around, self.guess + self.around)
        x = x if low < x < high else _simplest(low + (high - low) * 3 / 8, low + (high - low) * 5 / 8)
        share = self.means.counted_share(x, self.seconds)
        if share > self.share:
            self.high = x
        else:
            self.low = x
        score = _normal_quantile(float(share))
        before, there = self.last
        slope = self.error if score == there else abs(x - before) / Fraction(abs(score - there))
        self.last = x, score
        step = Fraction(self.score - score) * slope
        self.guess, self.around = x + step * 17 / 16, abs(step) / 32

    def _next(self) -> Fraction:
        """Return a simple fraction next to the guess, or in the middle where the guess is outside."""
        low, high = max(self.low, self.means.least), self.high
        if not low < self.guess < high:
            self.guess = (low + high) / 2
        self.near /= 8
        return _simplest(self.guess - self.near, self.guess + self.near)

    def _likely(self) -> list[Fraction]:
        """Return the candidates of (low, high] with the usual numbers of pairs, where these are few; else nothing.

        Nearly all subsets have such numbers, so that one of these candidates is nearly always the end.
        """
        sizes = self.means.usual_sizes
        if (self.high - self.low) * sum(sizes) > _FEW:
            return []
        ranges = ((s, range(math.floor(self.low * s) + 1, math.floor(self.high * s) + 1)) for s in sizes)
        return [Fraction(a, s) for s, numerators in ranges for a in numerators]

    def _try(self, x: Fraction) -> None:
        if self.means.reach(x, self.share, self.seconds / 16):
            self.high = min(self.high, x)
        else:
            self.low = max(self.low, x)

    def _try_as_end(self, x: Fraction, tested: bool) -> None:
        """Test x = a / s, and where it reaches the rank, whether the means up to x - 1 / (s n) do already."""
        if not tested:
            self._approach(x, 0)
        if self.low < x < self.high:
            self._try(x)
        if x == self.high and self.high - self.low >= self.closest:
            if self.means.reach(x, self.share, self.seconds / 8, strict=True):
                self.high = x - Fraction(1, x.denominator * self.means.n)
            else:
                self.low = self.high - self.closest / 2

    def _approach(self, x: Fraction, aim: Exact) -> None:
        """Enclose the mean by one inversion at x, whose thresholds j steps away belong to shifts near x.

        A subset of w pairs has its mean <= x + j step / w exactly where its sum of the d - x is <= j step. All but a
        share ``rare`` of the subsets have between n - most and most pairs. So a share of sums <= j step that is below
        share - rare, or above share + rare, bounds the end.
        """
        sums = _Sums(self, x, aim)
        self.seconds -= sums.tails.seconds
        below, above = sums.at(0)
        if below > self.share:
            self.high = min(self.high, x)
            under, over = sums.at(-1)
            if under >= self.share:
                self.high = min(self.high, x - Fraction(1, x.denominator * self.means.n))
            elif over < self.share:
                self.low = max(self.low, x - self.closest / 2)
        elif above <= self.share:
            self.low = max(self.low, x)
        if self.high - self.low < self.closest:
            return
        near, apart = sums.crossing()
        self.guess = x + Fraction(near) * sums.step / sums.usual
        low, high = sums.bounds(near, apart)
        self.low = self.low if low is None else max(self.low, low)
        self.high = self.high if high is None else min(self.high, high)


class _Sums:
    """Sums of the d - x over random subsets, in steps: certified shares of the sums <= j for any j near 0."""

    def __init__(self, search: _Search, x: Fraction, aim: Exact) -> None:
        means, share, score = search.means, search.share, search.score
        swaps = means.swaps(x)
        self.x, self.share, self.score = x, share, score
        self.zero = swaps.span - swaps.observed
        self.deviation = math.sqrt(sum(d * d * count for d, count in swaps.tally.items())) / 2 or 1.0
        self.step = Fraction(swaps.unit) / 2 / x.denominator
        self.hazard = abs(score) + 1 / (1 + abs(score))  # roughly the density at the quantile over the share
        width, few = 1e-9, means.n
        for _ in range(2):
            steps = max(0.2, 0.6 * float(aim * few / self.step))
            width = min(1 / 16, max(1e-40, steps * self.hazard / self.deviation))
            bits = 6 - math.frexp(width)[1] + share.denominator.bit_length() - share.numerator.bit_length() + 1
            far = math.isqrt(34658 * bits * means.squares // 10**5) + 1  # ln 2 / 2 < 0.34658
            few = max(1, means.n // 2 - far)
        self.rare = Fraction(1, 1 << bits)
        self.few = max(0, (means.n - 2 * far) // 2)
        self.most = means.n - self.few
        self.usual = Fraction((means.n - score**2 * means.squares / means.n) / 2)
        self.tails = Tails(swaps.tally, self.zero, width, means.limit(search.seconds * 3 / 4))

    def at(self, j: int) -> tuple[Fraction, Fraction]:
        """Return bounds of the share of the sums <= j."""
        return self.tails(self.zero + j).ends()

    def crossing(self) -> tuple[float, float]:
        """Return about where the share of the sums <= j is the wanted one, and how uncertain that is."""
        below, above = self.at(0)
        last, score = 0.0, _normal_quantile(float(below + above) / 2)
        j, slope = (self.score - score) * self.deviation, self.deviation
        for _ in range(2):
            there = _normal_quantile(float(sum(self.at(math.floor(j)))) / 2)
            if there == score or abs(j - last) < 1:
                break
            slope = min(2 * self.deviation, max(self.deviation / 2, (j - last) / (there - score)))
            last, score, j = j, there, j + (self.score - there) * slope
        return j, float((above - below) / self.share) / self.hazard * self.deviation

    def bounds(self, near: float, apart: float) -> tuple[Fraction | None, Fraction | None]:
        """Return bounds of the mean of the rank, (low, high], from sums on both sides of the crossing."""
        j, k = None, None
        for i in range(_WIDENINGS):
            margin = 0.55 * apart * 2**i + 16**i - 1
            below, above = math.floor(near - margin), math.ceil(near + margin)
            if i:  # a jump of the share next to 0 leads guesses astray
                below, above = min(below, -above), max(above, -below)
            j = below if j is None and self._side(below) < 0 else j
            k = above if k is None and self._side(above) > 0 else k
        while j is not None and k is not None and k - j > max(1.0, 1.5 * apart):
            middle = (j + k) // 2
            side = self._side(middle)
            if side == 0:
                break
            j, k = (middle, k) if side < 0 else (j, middle)
        low = None if j is None else self._mean(j, self.most, self.few)
        return low, None if k is None else self._mean(k, self.few, self.most)

    def _side(self, j: int) -> int:
        """Return -1 where the share of sums <= j is certainly below the wanted one, 1 where it is above, else 0."""
        low, high = self.at(j)
        return (low - self.rare > self.share) - (high + self.rare < self.share)

    def _mean(self, j: int, positive: int, negative: int) -> Fraction | None:
        """Return the mean x + j step / w with so many pairs w for either sign of j; None for none."""
        pairs = positive if j > 0 else negative
        return self.x + j * self.step / pairs if pairs else self.x if j == 0 else None


def _halvings(ratio: Fraction) -> int:
    """Return about how many halvings make a ratio >= 1 less than 1."""
    return math.floor(ratio).bit_length()


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
