"""Tails of statistics with several components: which points of the lattice are extreme, and how many swaps reach them.

For any h the points are laid out one by one and h is called on each. A :class:`MonotoneStatistic` needs far fewer
calls: where h rises (or falls) along a row of points, the points with low <= T <= high are one run of the row, whose
ends are found by bisection on exact values. Rank 0 or 1 then needs threshold counts on a line only, rank 2 the
weights of :mod:`exactperm.counting.plane`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from exactperm.counting import plan, plane
from exactperm.counting.cost import Budget
from exactperm.distribution import NullDistribution, check_alternative
from exactperm.errors import WrongType
from exactperm.exact import exact, short_text
from exactperm.lattice import Lattice
from exactperm.metrics import MonotoneStatistic
from exactperm.record import Record
from exactperm.statistic import Statistic
from exactperm.tails import LaidOutTails

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from exactperm.counting.cost import Progress
    from exactperm.exact import Exact
    from exactperm.lattice import Vector
    from exactperm.swaps import Effect

    Interval = tuple[Union[Exact, None], Union[Exact, None]]
    """Values low <= T <= high; None is unbounded."""
    Run = tuple[int, int]
    Test = Callable[[Exact], bool]

_SECONDS_VALUE = 5e-6  # one call of h on Fractions, and adding its count to what is there


class MonotoneTails(Record):
    """Tails of a monotone statistic in a lattice of rank at most 2 whose rows are monotone."""

    swaps: Lattice
    rule: MonotoneStatistic

    @cached_property
    def statistic(self) -> Exact:
        """The observed value of T."""
        return self._value(self.swaps.sums(self.swaps.observed))

    @cached_property
    def center(self) -> Exact:
        """The mean of T under the null."""
        return 0 if self.rule.antisymmetric else self.distribution().mean

    def extreme_count(
        self, alternative: str, *, method: str = "auto", budget: Budget | None = None, progress: Progress | None = None
    ) -> tuple[int, str]:
        """The number of assignments at least as extreme as the observed one, and the engine that counted them.

        Source: Alg. 5, Thm. 5, Eq. 2; ids alg-5, thm-5, eq-2.
        """
        options = {"method": method, "budget": budget, "progress": progress}
        return self._extreme_count(self.statistic, alternative, **options)

    def _extreme_count(self, t: Exact, alternative: str, **options: Any) -> tuple[int, str]:
        check_alternative(alternative)
        if alternative == "greater":
            return self._count([(t, None)], **options)
        if alternative == "less":
            return self._count([(None, t)], **options)
        if alternative == "doubled":
            least, method = min(self._count([(t, None)], **options), self._count([(None, t)], **options))
            return min(2 * least, self._total), method
        near, far = sorted((t, exact(2 * self.center - t)))
        return self._count([(None, None)] if near == far else [(None, near), (far, None)], **options)

    def tied_count(self, alternative: str) -> int:
        """The number of assignments exactly as extreme as the observed one."""
        check_alternative(alternative)
        t = self.statistic
        here = self._count([(t, t)])[0]
        if alternative == "doubled":
            least = min(self._count([(t, None)])[0], self._count([(None, t)])[0])
            return 2 * here if 2 * least <= self._total else here
        mirror = exact(2 * self.center - t) if alternative == "two-sided" else t
        return here if mirror == t else here + self._count([(mirror, mirror)])[0]

    def least_count(self, alternative: str) -> int:
        """The least number of assignments at least as extreme as any attainable value."""
        ends = [self._at(x, y) for x, first, last in self._rows for y in (first, last)]
        return min(self._extreme_count(t, alternative)[0] for t in {min(ends), max(ends)})

    def distribution(self, *, budget: Budget | None = None, progress: Progress | None = None) -> NullDistribution:
        """The whole distribution of T."""
        return laid_out(self.swaps, self.rule.combine, budget=budget, progress=progress).null

    @cached_property
    def _total(self) -> int:
        return 1 << self.swaps.ties + sum(self.swaps.tally.values())

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

    def _at(self, x: int, y: int) -> Exact:
        return self._value(self.swaps.sums((x, y)[2 - self.swaps.rank :]))

    def _value(self, sums: Effect) -> Exact:
        value: Exact = value_of(self.rule.combine, sums)
        return value

    def _count(self, intervals: Sequence[Interval], **options: Any) -> tuple[int, str]:
        """The number of assignments with T in one of the disjoint intervals, and the engine that counted them."""
        runs = self._runs(intervals)
        if self.swaps.rank < 2:
            count, method = _count_on_line(self.swaps.line(), next(runs)[1], **options)
        else:
            around = plane.box(self.swaps.tally)
            bottom, region = around.bottom, [0] * (around.right + 1)
            for x, spans in runs:
                region[x] = sum((1 << stop - bottom) - (1 << start - bottom) for start, stop in spans)
            count = plane.count_points(self.swaps.tally, region, progress=options.get("progress"))
            method = "recurrence"
        return count << self.swaps.ties, method

    def _runs(self, intervals: Sequence[Interval]) -> Iterator[tuple[int, list[Run]]]:
        """For each row x, for each interval, the run start..stop-1 of points with T in it.

        Both ends of every row are evaluated, whatever the search needs: the corners of the set of all points are among
        them, and h has no value somewhere only if it has none at a corner.
        """
        rises = not self.swaps.basis or direction(self.rule, self.swaps.basis[-1]) == 1
        tests = [_bounds(low, high, rises) for low, high in intervals]
        runs: list[Run] = [(0, 0)] * len(intervals)
        for x, first, last in self._rows:
            row = _Row(self._at, x, first, last)
            runs = [row.run(*bounds, guess) for bounds, guess in zip(tests, runs)]
            yield x, runs


class _Row:
    """T along the points y = first..last of row x, each value computed once."""

    def __init__(self, at: Callable[[int, int], Exact], x: int, first: int, last: int) -> None:
        self.at, self.x, self.first, self.last = at, x, first, last
        self.known = {y: at(x, y) for y in (first, last)}

    def value(self, y: int) -> Exact:
        if y not in self.known:
            self.known[y] = self.at(self.x, y)
        return self.known[y]

    def run(self, before: Test, after: Test, guess: Run) -> Run:
        """The points that are neither before nor after; runs move little from row to row, so guess the last one."""
        start = first_where(lambda y: not before(self.value(y)), self.first, self.last + 1, guess[0])
        return start, first_where(lambda y: after(self.value(y)), start, self.last + 1, guess[1])


def _bounds(low: Exact | None, high: Exact | None, rises: bool) -> tuple[Test, Test]:
    """What holds before, and what holds after the points with low <= T <= high, along a row."""

    def below(t: Exact) -> bool:
        return low is not None and t < low

    def above(t: Exact) -> bool:
        return high is not None and t > high

    return (below, above) if rises else (above, below)


def first_where(holds: Callable[[int], bool], start: int, stop: int, guess: int) -> int:
    """The first k in start..stop-1 from which on ``holds(k)`` is true, or stop; doubling steps from a guess.

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


def direction(rule: MonotoneStatistic, step: Vector) -> int | None:
    """1 where T never falls along the step, -1 where it never rises, None where the promises do not tell.

    >>> from exactperm.metrics import f1_difference
    >>> direction(f1_difference, (0, 1, 0, -1)), direction(f1_difference, (1, 1, -1, -1))
    (-1, None)
    """
    if any(x and not sign for x, sign in zip(step, rule.monotone)):
        return None
    changes = [x * sign for x, sign in zip(step, rule.monotone)]
    return 1 if min(changes) >= 0 else -1 if max(changes) <= 0 else None


def _count_on_line(tally: Mapping[int, int], spans: list[Run], **options: Any) -> tuple[int, str]:
    """The number of subsets whose sum lies in one of the spans start..stop-1, and the engine that counted them."""
    pairs, span = sum(tally.values()), sum(d * count for d, count in tally.items())
    known: dict[int, int] = {}
    method = "recurrence"

    def below(k: int) -> int:
        """The subsets that sum to less than k; k and its mirror image in the middle are one count."""
        nonlocal method
        near = min(k, span + 1 - k)
        if near not in known:
            known[near], method = plan.count_at_most(tally, near - 1, **options)
        return known[near] if near == k else (1 << pairs) - known[near]

    return sum(below(stop) - below(start) for start, stop in spans), method


# ---------------------------------------------------------------------------------------------- the choice


def tails(swaps: Lattice, statistic: Statistic, **options: Any) -> MonotoneTails | LaidOutTails:
    """The tails of a statistic with a combine h, by the engine with the least estimated time.

    ``options`` are ``method``, ``budget`` and ``progress`` of the test. Raises ``BudgetExceeded`` before any work.
    """
    if isinstance(statistic, MonotoneStatistic) and swaps.rank <= 2:
        found = _monotone(swaps, statistic)
        if found is not None:
            return found
    return laid_out(swaps, statistic.combine, **options)


def _monotone(swaps: Lattice, rule: MonotoneStatistic) -> MonotoneTails | None:
    """Monotone tails in the coordinates that are cheapest to count in, where some have monotone rows."""
    turned = [swaps.turned(matrix) for matrix in plane.axes(swaps.tally)] if swaps.rank == 2 else [swaps]
    fits = [one for one in turned if not one.basis or direction(rule, one.basis[-1])]
    if not fits:
        return None
    return MonotoneTails(swaps=min(fits, key=lambda one: plane.estimate(one.tally, False).seconds), rule=rule)


def laid_out(swaps: Lattice, combine: Callable[..., Any] | None, **options: Any) -> LaidOutTails:
    """Tails of any h, from the number of assignments of every attainable value. Cost: one call of h for each point."""
    merged: dict[Exact, int] = {}
    sums, method = joint(swaps, **options)
    for point, count in sums:
        t = value_of(combine, point)
        merged[t] = merged.get(t, 0) + count
    observed = value_of(combine, swaps.sums(swaps.observed))
    return LaidOutTails(statistic=observed, null=NullDistribution.of(merged), method=method)


def joint(
    swaps: Lattice, *, method: str = "auto", budget: Budget | None = None, progress: Progress | None = None
) -> tuple[Iterator[tuple[Effect, int]], str]:
    """The attainable sums one by one: pairs ((s_1, ..., s_m), number of assignments), and the engine that counts them.

    In no particular order, each once; with ``dict`` the joint null distribution of the m components. Any rank: points
    are packed on a line for the engines of :mod:`exactperm.counting.plan`, or laid out row by row in two dimensions.
    Source: the convolution of Alg. 5, line 7; ids alg-5, thm-5.

    >>> from exactperm.lattice import lattice
    >>> from exactperm.swaps import Effects
    >>> dict(joint(lattice(Effects(units={((1, 0), (0, 1)): 2}, n=2)))[0])
    {(2, 0): 1, (1, 1): 2, (0, 2): 1}
    """
    if swaps.rank == 2 and method in ("auto", "recurrence"):
        counts: Any = plane.items(swaps.tally, progress=progress)
        return ((swaps.sums(z), count << swaps.ties) for z, count in counts), "recurrence"
    line, name = plan.counts(swaps.line(), method=method, budget=budget, progress=progress)
    return ((swaps.sums(swaps.point(x)), count << swaps.ties) for x, count in line.items()), name


def value_of(combine: Callable[..., Any] | None, sums: Effect) -> Any:
    """The value of h on the m exact sums; ``WrongType`` where it is a float, which would break ties by rounding."""
    value = combine(*sums) if combine else sums[0]
    if isinstance(value, (float, complex)) or "float" in str(getattr(value, "dtype", "")):
        raise WrongType(f"h returned {short_text(value)}: a float breaks ties by rounding; return int or Fraction")
    return value
