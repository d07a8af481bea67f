"""Exact confidence intervals for a shift: all theta that the sign-flip test of d - theta does not reject.

Source: Hartigan 1969, "Using subsample values as typical values"; spec/13-intervals.md.

With N swap units, the test of d - theta against "greater" has the p-value (1 + #{means <= theta}) / 2^N over the means
of the 2^N - 1 non-empty subsets of the differences. So the ends of the interval are order statistics of these means,
and each comparison p(theta) <= alpha tells on which side of theta an end lies. Every mean is a / (s q), where 1/q is
the lattice of the scores and s at most the number n of pairs: two different ones are at least 1 / (q n^2) apart. An end
in a shorter interval is the fraction with the least denominator in it. The three differences 1, 2, 6 have the means
1, 3/2, 2, 3, 7/2, 4, 6; the median is 3.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import cached_property

from .arithmetic.reading import exact, level, scaled_column
from .arithmetic.writing import exact_text
from .budget import Budget
from .errors import BudgetExceeded, ExactPermError
from .fast import decision
from .null.alternative import sides
from .record import Record
from .swaps.canonical import canonical
from .swaps.columns import score_differences, unit_numbers
from .swaps.effects import Flips

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .arithmetic.rational import Exact
    from .null.alternative import Alternative

    End = tuple[Exact, Exact]

_FINE = 10**6  # of a standard error: an end enclosed so closely is worth only quick tests
_QUICK_SECONDS = 0.1
_NEAR = 2**10  # candidates that may be left for an exact end to be worth its tests
_TESTS = 64  # that share the budget
_PATIENCE = Budget(seconds=64.0)


class ConfidenceInterval(Record):
    """Confidence interval for a shift, with its point estimate; None is an infinite end.

    ``lower`` and ``upper`` are pairs of exact numbers that enclose the end, equal where it is exact; ``estimate``
    encloses the median of the means of all subsets in the same way. ``confidence`` is the level that was wished,
    ``n`` the number of pairs, ``n_units`` that of swap units.
    Source: spec/13-intervals.md.
    """

    lower: End | None
    upper: End | None
    estimate: End
    confidence: Exact
    alternative: Alternative
    n: int
    n_units: int

    @property
    def exact(self) -> bool:
        """Whether both ends and the estimate are known exactly."""
        return all(width == 0 for width in self.widths)

    @cached_property
    def widths(self) -> tuple[Exact, Exact, Exact]:
        """Widths of the enclosures of the lower end, the upper end and the estimate."""
        lower, upper, estimate = [0 if end is None else end[1] - end[0] for end in self._ends]
        return lower, upper, estimate

    @property
    def coverage(self) -> Fraction:
        """Probability of covering the shift under continuous symmetric errors; with ties it is at least that."""
        tails, rank = _ranked(self.confidence, self.alternative, self.n_units)
        return 1 - Fraction(tails * rank, 1 << self.n_units)

    @property
    def _ends(self) -> tuple[End | None, End | None, End]:
        return self.lower, self.upper, self.estimate

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form: exact numbers as text, each end as [low, high] or None."""
        lower, upper, estimate = [None if end is None else [exact_text(x) for x in end] for end in self._ends]
        return {
            "lower": lower,
            "upper": upper,
            "estimate": estimate,
            "exact": self.exact,
            "confidence": exact_text(self.confidence),
            "coverage": exact_text(self.coverage),
            "alternative": self.alternative,
            "n": self.n,
            "n_units": self.n_units,
        }


def confidence_interval(
    u: Any,
    v: Any = None,
    confidence: Any = "0.95",
    *,
    alternative: Alternative = "two-sided",
    groups: Any = None,
    decimals: int | None = None,
    budget: Budget | None = None,
) -> ConfidenceInterval:
    """Return the shifts theta of u against v that the exact test does not reject at level 1 - confidence.

    theta is in the interval where the sign-flip test of u - v - theta has p > 1 - confidence; finite ends belong to it.
    ``v`` is None where ``u`` holds differences. ``alternative`` "greater" gives a lower limit, "less" an upper one;
    an end is infinite where no p-value is small enough. Scores, ``groups`` and ``decimals`` are those of
    :func:`exactperm.permutation_test`; with groups the means are sums over unions of groups by their numbers of pairs.

    Where the ``budget`` (64 seconds by default) reaches no exact end, the end is enclosed and ``exact`` is False.
    Raises ``ExactPermError`` and ``WrongType`` for bad input. Cost: some 30 tests for each end.
    Source: spec/13-intervals.md.

    >>> interval = confidence_interval([1, 2, 6], confidence="0.75")
    >>> interval.lower, interval.upper, interval.estimate
    ((1, 1), (6, 6), (3, 3))
    """
    wanted = level(confidence, "confidence")
    low, high = sides(alternative)
    limit = _PATIENCE if budget is None else Budget.of(budget)
    search = _Search(*_units(u, v, groups, decimals), limit)
    _tails, rank = _ranked(wanted, alternative, len(search.units))
    assignments = 1 << len(search.units)
    return ConfidenceInterval(
        lower=search.mean(rank) if rank and high else None,
        upper=search.mean(assignments - rank) if rank and low else None,
        estimate=search.mean(assignments >> 1),
        confidence=wanted,
        alternative=alternative,
        n=search.n,
        n_units=len(search.units),
    )


def _ranked(confidence: Exact, alternative: Alternative, n_units: int) -> tuple[int, int]:
    """Return (tails, k): the ends are the k-th mean from below and from above; k = 0 makes them infinite."""
    tails = sum(sides(alternative))
    return tails, math.floor((1 - Fraction(confidence)) * (1 << n_units) / tails)


def _units(u: Any, v: Any, groups: Any, decimals: int | None) -> tuple[list[tuple[int, int]], int]:
    """Return (units, q): for each swap unit the sum of its differences in units of 1/q and its number of pairs."""
    if v is not None:
        column, scale = score_differences(u, v, decimals)
    else:
        column, scale = scaled_column(u, "u", decimals)
        if not column:
            raise ExactPermError("u is empty: an interval needs at least one pair")
    sums: Counter[int] = Counter()
    labels = unit_numbers(groups, len(column))
    for label, x in zip(labels, column):
        sums[label] += x
    sizes = Counter(labels)
    return [(sums[label], sizes[label]) for label in sizes], scale


class _Search:
    """Search for order statistics of the subset means; positions are means times q, so that the means are a / s."""

    def __init__(self, units: list[tuple[int, int]], scale: int, budget: Budget) -> None:
        self.units, self.scale, self.budget = units, scale, budget
        self.tally = Counter(units)
        self.n = sum(size for _, size in units)
        self.least = min(Fraction(z, size) for z, size in self.tally)
        self.most = max(Fraction(z, size) for z, size in self.tally)
        self.middle = Fraction(sum(z for z, _ in units), self.n)

    def mean(self, rank: int) -> End:
        """Enclose the mean of the given rank, from 1, among those of the non-empty subsets."""
        share = Fraction(rank, 1 << len(self.units))
        low, high = self.least - 1, self.most  # fewer than rank means are <= low, at least rank are <= high
        guess, error = self._guess(share)
        step = error / 1024
        try:
            while high - low >= Fraction(1, self.n**2):
                if low < self.least <= guess - step and high > guess:
                    x = _simplest(guess - step, guess - step / 2)
                elif high == self.most and guess + step < high:
                    x = _simplest(guess + step / 2, guess + step)
                else:
                    x = _simplest(low + (high - low) * 3 / 8, low + (high - low) * 5 / 8)
                seconds = self.budget.seconds / _TESTS
                fine = (high - low) * _FINE <= error and (high - low) * self.n**2 > _NEAR
                if self._reaches(x, share, min(seconds, _QUICK_SECONDS) if fine else seconds):
                    high = min(high, x)
                else:
                    low = max(low, x)
                if not low < guess < high:
                    guess = low if guess <= low else high
                step *= 4
            low = high = _simplest(low + Fraction(1, 2 * self.n * low.denominator), high)
        except BudgetExceeded:
            low = max(low, self.least)
        return exact(low / self.scale), exact(high / self.scale)

    def _reaches(self, x: Fraction, share: Fraction, seconds: float) -> bool:
        """Return whether at least rank means are <= x, where rank is ``share`` of the assignments.

        Those means and the empty subset are the assignments with a sum of at least that of the d - x.
        """
        differences: Counter[int] = Counter()
        for (z, size), count in self.tally.items():
            differences[z * x.denominator - x.numerator * size] += count
        swaps = canonical(Flips(differences=differences, n=self.n))
        limit = Budget(seconds=seconds, bytes=self.budget.bytes)
        return not decision(swaps, share, "greater", budget=limit)

    def _guess(self, share: Fraction) -> tuple[Fraction, Fraction]:
        """Return a normal approximation of the mean of a rank, and a standard error: floats that decide nothing."""
        from statistics import NormalDist

        score = Fraction(NormalDist().inv_cdf(min(max(float(share), 1e-300), 1 - 1e-16)))
        error = Fraction(0)
        guess = self.middle
        for _ in range(2):
            square = sum((z - guess * size) ** 2 * count for (z, size), count in self.tally.items())
            bits = max(0, 64 - math.floor(square).bit_length())
            error = Fraction(math.isqrt(math.floor(square * 4**bits)), 2**bits) / self.n
            guess = Fraction(round((self.middle + score * error) * 2**64), 2**64)
        return min(max(guess, self.least), self.most), max(error, Fraction(1, 2 * self.n))


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
