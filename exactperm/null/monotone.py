"""Tails of statistics with several components: find the extreme sums, and count the assignments that have them.

For any h the points are laid out one by one and h is called on each. A
:class:`~exactperm.swaps.statistic.Statistic` that promises to be monotone needs far fewer calls.
Where h rises (or falls) along a row of points, the points with low <= T <= high are one run of the
row, and bisection on exact values finds its ends. Rank 0 or 1 then needs threshold counts on a line
only, rank 2 the weights of :mod:`exactperm.counting.plane`.

Source: Alg. 5; spec/05-higher-order.md#alg-5, spec/09-own-theorems.md#own-monotone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, cached_property

from .._types import Union
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..budget import DEFAULTS, Options
from ..counting import plan, plane
from ..swaps.lattice import Lattice, Vector, axes, combination
from ..swaps.statistic import Statistic
from .alternative import Alternative, Extremes, centred, extremes, regions
from .distribution import NullDistribution
from .joint import Combined, cheapest, engine, laid_out, value_of
from .tails import LaidOutTails

Interval = tuple[Union[Exact, None], Union[Exact, None]]
"""Values low <= T <= high; None is unbounded."""
Run = tuple[int, int]
Ratio = Callable[[int], tuple[int, int]]


class MonotoneTails(Combined):
    """Tails of a monotone statistic in a lattice of rank at most 2 whose rows are monotone.

    Two-sided only where it is antisymmetric (:func:`tails` sees to it), so that its mean is 0.
    Cost: some ten calls of h for each row, and one count on a line or in the plane for each tail.
    """

    def extreme_count(
        self, alternative: Alternative, options: Options = DEFAULTS
    ) -> tuple[int, str]:
        """Count the assignments at least as extreme as the observed one; name the engine that counted them.

        The options choose among the engines of a line; in two dimensions :func:`tails` has chosen.
        Source: Alg. 5, Thm. 5, Eq. 2; spec/05-higher-order.md#thm-5.
        """
        return self._extreme_count(self.statistic, alternative, options)

    def extremes(self, alternative: Alternative, options: Options = DEFAULTS) -> Extremes:
        """Count the assignments more extreme than the observed one and those exactly as extreme."""
        t = self.statistic
        factor, weak, _engine = self._least(t, alternative, options)
        return extremes(
            alternative, self._total, factor, weak, weak - self.count((t, t), options)[0]
        )

    def least_count(self, alternative: Alternative, options: Options = DEFAULTS) -> int:
        """Return the least number of assignments at least as extreme as any attainable value."""
        ends = [self._at(x, y) for x, first, last in self._rows for y in (first, last)]
        return min(self._extreme_count(t, alternative, options)[0] for t in {min(ends), max(ends)})

    def _extreme_count(
        self, t: Exact, alternative: Alternative, options: Options
    ) -> tuple[int, str]:
        factor, least, engine = self._least(t, alternative, options)
        return min(self._total, factor * least), engine

    def _least(self, t: Exact, alternative: Alternative, options: Options) -> tuple[int, int, str]:
        """Return the factor, the count of the least extreme region of t, and the engine that counted it."""
        # An antisymmetric T is symmetric about 0: exchange the systems in every assignment.
        factor, found = regions(alternative, t, lambda: -t, symmetric=self.rule.antisymmetric)
        # one of them is None
        least, engine = min(self.count((high, low), options) for low, high in found)
        return factor, least, engine

    def distribution(self, options: Options = DEFAULTS) -> NullDistribution:
        """Return the whole distribution of T."""
        return laid_out(self.swaps, self.rule.combine, options).null

    @cached_property
    def _total(self) -> int:
        return 1 << self.swaps.n_units

    @cached_property
    def _rows(self) -> list[tuple[int, int, int]]:
        """Rows (x, least attainable y, greatest) of the points; a lattice of rank 0 or 1 is one row."""
        if self.swaps.rank < 2:
            return [(0, 0, sum(self.swaps.corner))]
        bottom = plane.box(self.swaps.tally).bottom
        return [
            (x, bottom + (row & -row).bit_length() - 1, bottom + row.bit_length() - 1)
            for x, row in enumerate(plane.attainable(self.swaps.tally))
            if row
        ]

    def _at(self, *point: int) -> Exact:
        return exact(value_of(self.rule.combine, self.swaps.sums(point[2 - self.swaps.rank :])))

    def count(self, interval: Interval, options: Options) -> tuple[int, str]:
        """Count the assignments with T in the interval; name the engine that counted them."""
        runs = self._runs(interval)
        if self.swaps.rank < 2:
            line, (_x, (start, stop)) = self.swaps.line(), next(runs)
            (low, below), (high, above) = [
                plan.count_at_most(line, k - 1, options) for k in (start, stop)
            ]
            # At an end of the support nothing is counted: the engine is that of the other
            # threshold.
            count, method = high - low, below if start > 0 else above
        else:
            around = plane.box(self.swaps.tally)
            bottom, region = around.bottom, [0] * (around.right + 1)
            for x, (start, stop) in runs:
                region[x] = (1 << stop - bottom) - (1 << start - bottom)
            count = plane.count_points(self.swaps.tally, region, progress=options.progress)
            method = "recurrence"
        return count << self.swaps.ties, method

    def _runs(self, interval: Interval) -> Iterator[tuple[int, Run]]:
        """Yield for each row x the run start..stop-1 of points with T in the interval.

        Both ends of every row are evaluated, whatever the search needs, so that a positive number
        over 0 is refused wherever it is. Denominators are sums >= 0, so the points with denominator
        0 are a face of the convex hull of all points. The numerator is linear; on that face its
        maximum, which is positive, is taken at a corner, and every corner is the end of a row.
        """
        # Where T falls along the rows, -T rises, and -high <= -T <= -low.
        if self._sign == -1:
            interval = _negative(interval[1]), _negative(interval[0])
        run: Run = (0, 0)
        for x, first, last in self._rows:
            ratio = cache(self._along(x))
            ratio(first), ratio(last)
            run = _run(ratio, first, last, interval, run)
            yield x, run

    @cached_property
    def _sign(self) -> int:
        """1 where T rises along the rows, -1 where it falls."""
        return (direction(self.rule, self.swaps.basis[-1]) or 1) if self.swaps.basis else 1

    def _along(self, x: int) -> Ratio:
        """Return the numerator and denominator of T, or of -T where T falls, as a function of y along row x."""
        swaps, sign, combine = self.swaps, self._sign, self.rule.combine
        start = combination((x,), swaps.basis, swaps.low)  # in rank 0 or 1 the only x is 0
        step = swaps.basis[-1] if swaps.basis else swaps.low

        def ratio(y: int) -> tuple[int, int]:
            sums: list[Exact] = [a + y * b for a, b in zip(start, step)]
            if swaps.scale > 1:
                sums = [Fraction(total, swaps.scale) for total in sums]
            t = value_of(combine, sums)
            return sign * t.numerator, t.denominator

        return ratio


def _run(ratio: Ratio, first: int, last: int, interval: Interval, guess: Run) -> Run:
    """Return the points with low <= T <= high, searched from the run of the row before: runs move little."""
    start, stop = first, last + 1
    low, high = interval
    if low is not None:
        n, d = low.numerator, low.denominator
        start = first_where(lambda y: ratio(y)[0] * d >= n * ratio(y)[1], start, stop, guess[0])
    if high is not None:
        n, d = high.numerator, high.denominator
        stop = first_where(lambda y: ratio(y)[0] * d > n * ratio(y)[1], start, stop, guess[1])
    return start, stop


def _negative(value: Exact | None) -> Exact | None:
    return None if value is None else -value


def first_where(holds: Callable[[int], bool], start: int, stop: int, guess: int) -> int:
    """Return the first k in start..stop-1 from which on ``holds(k)`` is true, or stop; doubling steps from a guess.

    >>> first_where(lambda k: k * k > 50, 0, 100, 6)
    8
    """
    probe = min(max(guess, start), stop - 1)
    step = 1
    while start < stop:
        if holds(probe):
            stop, probe = probe, probe - step
        else:
            start, probe = probe + 1, probe + step
        step *= 2
        if not start <= probe < stop:
            probe = (start + stop) // 2
    return start


def direction(rule: Statistic, step: Vector) -> int | None:
    """Return 1 where T never falls along the step, -1 where it never rises, None where the promises do not tell.

    >>> from exactperm.swaps.metrics import f1_difference
    >>> direction(f1_difference, (0, 1, 0, -1)), direction(f1_difference, (1, 1, -1, -1))
    (-1, None)
    """
    if rule.monotone is None or any(x and not sign for x, sign in zip(step, rule.monotone)):
        return None
    changes = [x * sign for x, sign in zip(step, rule.monotone)]
    return 1 if min(changes) >= 0 else -1 if max(changes) <= 0 else None


def tails(
    swaps: Lattice,
    statistic: Statistic,
    alternative: Alternative = "two-sided",
    options: Options = DEFAULTS,
) -> MonotoneTails | LaidOutTails:
    """Return the tails of a statistic of any number of components, by the engine with the least estimated time.

    Two-sided tails lie about the mean of T, which is known without the whole distribution only
    where the statistic is antisymmetric. Raises ``BudgetExceeded``, before any work, where no
    engine fits. Source: Alg. 5; spec/05-higher-order.md#alg-5.
    """
    mean_known = statistic.antisymmetric or not centred(alternative)
    if statistic.monotone is not None and swaps.rank <= 2 and mean_known:
        candidates = (
            [swaps.turned(matrix) for matrix in axes(swaps.tally)] if swaps.rank == 2 else [swaps]
        )
        monotone = [
            one for one in candidates if not one.basis or direction(statistic, one.basis[-1])
        ]
        if monotone and swaps.rank < 2:
            return MonotoneTails(swaps=swaps, rule=statistic)
        if monotone:
            best = cheapest(monotone, whole=False)
            if engine(best, options, whole=False) == "recurrence":
                return MonotoneTails(swaps=best, rule=statistic)
    return laid_out(swaps, statistic.combine, options)
