"""Bounds of p-values over all data that round to a printed table.

A linear statistic flips the signs of f_1, ..., f_n: differences, signed ranks, or signs. Where each
f_i is known to lie in [low_i, high_i], the exact one-sided p-value P(sum of the flipped f_i <= 0)
falls in each f_i, so it lies between those of the two corners. The laws of the normal and of
Student's test depend on (T - s) / sqrt(Q) only, T the sum of the f_i, Q that of their squares, s
the continuity correction; :func:`_greatest` and :func:`_least` bound it.
Source: spec/10-audit.md#audit-rounding.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import isqrt

from .._types import TYPE_CHECKING, TypeVar
from ..arithmetic.rational import Exact, common_denominator, scaled
from ..budget import Allowance
from ..errors import BudgetExceeded
from ..swaps.runs import Design, exchange
from .axes import DIFFERENCES, SINGLE
from .facts import Ends, Facts, by_law, hull, of_flips, of_sum, tail_of

if TYPE_CHECKING:
    from .axes import Way
    from .sample import Sample

Number = TypeVar("Number", int, Exact)
Whole = Sequence[int]
"""A corner of a box, in units that make it whole numbers."""

_MOST_RANKED = 50  # pairs up to which perm.test is exact
_MOST_ZEROS = 12  # whose signs before rounding are tried one by one
_LIKELY = 25
"""Square of the standard deviations that the mean of rounding errors exceeds with a probability below 1e-5."""


def box(reading: Way, sample: Sample) -> tuple[list[Exact], list[Exact]]:
    """Return the corners of what is flipped by scores that round to these: differences, signed ranks, or signs.

    The mean of n errors has a standard deviation of a bound of one over sqrt(3 n), where each is of
    one score, and over sqrt(6 n) where it is of two. The rank of a difference is at least 1 + the
    number of others that are surely smaller and surely not 0, and at most 1 + the number of those
    that may be smaller: whatever the ties, and the rule for zeros.
    """
    unit = reading.unit or Fraction(1)
    if reading.data == "tabled":
        scores = 3 if sample.half[0] < 1 else 6
        share = Fraction(isqrt(_LIKELY * 10**6 // (scores * sample.n)), 1000)
        unit *= min(Fraction(1), share)
    pairs = list(zip(sample.differences or (), sample.half))
    low: list[Exact] = [d - unit * half for d, half in pairs]
    high: list[Exact] = [d + unit * half for d, half in pairs]
    if reading.statistic == "difference":
        return low, high
    least = most = [1] * len(low)
    if reading.statistic == "wilcoxon":
        sizes = [(max(a, -b, 0), max(-a, b)) for a, b in zip(low, high)]
        may = sorted(small for small, _ in sizes)
        sure = sorted(large for small, large in sizes if small > 0)
        most = [bisect_right(may, size) for _, size in sizes]
        least = [1 + bisect_left(sure, size) for size, _ in sizes]
    return (
        [r if a > 0 else -s if a < 0 else 0 for a, r, s in zip(low, least, most)],
        [-r if b < 0 else s if b > 0 else 0 for b, r, s in zip(high, least, most)],
    )


def between(reading: Way, corners: Sequence[Facts], itself: Fraction) -> Ends:
    """Return the range of an exact p-value between two corners, that of the least flips first; of one, where ties may be lost.

    The bounds count the observed assignment, of probability ``itself``, as the boundary has it; the
    lower one else only those beyond it: a program that adds in floating point may lose ties of the scores before they were
    rounded. Raises ``BudgetExceeded`` where nothing is known of a corner.
    Source: spec/10-audit.md#audit-rounding.
    """
    own = itself * Fraction({">=": 2, "mid": 1, ">": 0}[reading.boundary], 2)
    weak = "mid" if reading.boundary == "mid" else ">="

    def ends(tail: str, least: Facts, most: Facts) -> Ends:
        """Return the range of a tail between two corners."""
        low, high = least.value("exact", tail, ">"), most.value("exact", tail, weak)
        if low is None or high is None:
            raise BudgetExceeded(least.refusal or most.refusal)
        times = 1 if tail in ("greater", "less", "min") else 2
        greatest = high[1] - times * itself * (reading.boundary == ">")
        return min(low[0] + times * own, greatest), greatest

    first, last = corners[0], corners[-1]
    if first is last:
        return ends(reading.side, first, last)
    return tail_of(reading.side, ends("less", first, last), ends("greater", last, first))


def two_sides(low: Sequence[Exact], high: Sequence[Exact], step: Exact) -> tuple[Ends, Ends]:
    """Return the bounds of :func:`signed_squares` below and above."""
    return signed_squares(*_negated(low, high), step), signed_squares(low, high, step)


def signed_squares(low: Sequence[Exact], high: Sequence[Exact], step: Exact) -> Ends:
    """Return bounds of (T - step) / sqrt(Q) over a box, as squares with their signs; of one point they are equal.

    >>> signed_squares([2, -1], [2, -1], 0)
    (Fraction(1, 5), Fraction(1, 5))
    """
    unit = common_denominator((*low, *high, step), 2 * len(low))
    a, b = [[scaled(f, unit) for f in corner] for corner in (low, high)]
    less = scaled(step, unit)
    return -_greatest(*_negated(a, b), -less), _greatest(a, b, less)


def _negated(low: Sequence[Number], high: Sequence[Number]) -> tuple[list[Number], list[Number]]:
    return [-f for f in high], [-f for f in low]


def _greatest(low: Whole, high: Whole, step: int) -> Fraction:
    """Return the greatest (T - step) / sqrt(Q) over the box, as its square with its sign.

    Where T > step somewhere, the ratio is quasi-concave there, and at its maximum each f_i is c = Q
    / (T - step), put into [low_i, high_i]. Between two ends of intervals k of them are free: T -
    step = k c + A, Q = k c**2 + B, with the maximum k + A**2 / B at c = B / A. Where Q may be 0,
    ranks and signs have Q >= 1 all the same, and (sqrt(n) + 1)**2 <= 2 n + 2.
    """
    if sum(high) <= step:
        return -_least(*_negated(low, high), -step)
    events = sorted([(a, 1, a) for a in low] + [(b, -1, b) for b in high])
    k, A, B = 0, sum(low) - step, sum(f * f for f in low)
    best = Fraction(0)
    for i, (c, change, f) in enumerate(events):
        k += change
        A, B = A - change * f, B - change * f * f
        T, Q = k * c + A, k * c * c + B
        if T > 0:
            best = max(best, Fraction(T * T, Q) if Q else Fraction(2 * len(low) + 2))
        until = events[i + 1][0] if i + 1 < len(events) else c
        if A > 0 and B > 0 and c * A <= B <= until * A:
            best = max(best, k + Fraction(A * A, B))
    return best


def _least(low: Whole, high: Whole, step: int) -> Fraction:
    """Return a lower bound of (T - step)**2 / Q over a box where T >= step everywhere.

    Q is at most its chord between the ends, so (T, Q) lies in a zonotope. Its boundary of greatest
    Q for each T takes the f_i from low_i to high_i in descending order of low_i + high_i; on each
    piece the bound is quasi-convex, and least inside at the share w of it.
    """
    T, Q = sum(low) - step, sum(f * f for f in low)
    best = Fraction(T * T, Q) if Q else Fraction(0)
    for a, b in sorted(zip(low, high), key=lambda ends: -(ends[0] + ends[1])):
        dT, dQ = b - a, b * b - a * a
        inside = Fraction(dQ * T - 2 * dT * Q, dT * dQ) if dT * dQ else 1
        for share in (1, inside) if 0 < inside < 1 else (1,):
            x, y = T + share * dT, Q + share * dQ
            if y > 0:
                best = min(best, Fraction(x * x) / y)
        T, Q = T + dT, Q + dQ
    return best


# ------------------------------------------------------------------ p-values of rounded scores


def rounded(reading: Way, sample: Sample, allowance: Allowance) -> tuple[Ends, ...]:
    """Return bounds of a p-value over all scores that round to these, or all that it may be; none without such scores.

    Scores that only may have been rounded have errors whose sum is within five standard deviations.
    Raises ``BudgetExceeded`` where the allowance buys no bounds.
    """
    if not sample.half or reading.statistic not in DIFFERENCES:
        return ()
    if reading.source == "ranked scores":
        return of_columns(reading, sample, ranks(reading, sample), allowance)
    few = sample.n - sample.n_nonzero <= _MOST_ZEROS
    if few and (reading.data, reading.statistic) == ("tabled", "sign"):
        return of_columns(reading, sample, _signs(sample), allowance)
    key, law = (reading.statistic, reading.data, reading.unit), reading.law
    finds: list[Callable[[], Facts]]
    if sample.design in SINGLE:
        if sample.steps is None or not (law == "exact" or law in sample.t_tests):
            return ()
        if law != "exact" or (reading.tail == "two-sided" and not sample.steps.symmetric):
            raise BudgetExceeded("bounds of this test of rounded runs")
        half = (reading.unit or Fraction(1)) / 2
        finds = [partial(_moved, sample, by, allowance) for by in (-half, half)]
    else:
        low, high = sample.once(("box", key), partial(box, reading, sample))
        if law != "exact":
            step = 1 if law == "normal-cc" else 0
            find = partial(two_sides, low, high, step)
            below, above = sample.once(("sides", key, step), find)
            sizes = {sample.n, max(2, sample.n_nonzero)} if law == "student" else {sample.n}
            return (hull([by_law(law, n, below, above, reading.side) for n in sizes]),)
        finds = [partial(of_flips, flips, sample.n, None, allowance) for flips in (low, high)]
    corners = [sample.paid((key, i), find, allowance) for i, find in enumerate(finds)]
    return (between(reading, corners, Fraction(1, sample.total)),)


def of_columns(
    reading: Way, sample: Sample, columns: Iterable[Mapping[Exact, int]], allowance: Allowance
) -> tuple[Ends, ...]:
    """Return the p-values of tests that flip the signs of one of some tallies."""
    found = []
    for column in columns:
        find = partial(of_flips, column, sample.n, None, allowance)
        facts = sample.paid(("column", *sorted(column.items())), find, allowance)
        found.append(facts.value(reading.law, reading.side, reading.boundary))
    return tuple(filter(None, found))


def _signs(sample: Sample) -> Iterator[Mapping[Exact, int]]:
    """Yield the signs of differences before rounding: each of 0 had any sign, or was 0."""
    above = sum(d > 0 for d in sample.differences or ())
    zeros = sample.n - sample.n_nonzero
    for ups in range(zeros + 1):
        for downs in range(zeros - ups + 1):
            yield {1: above + ups, -1: sample.n_nonzero - above + downs}


def ranks(reading: Way, sample: Sample) -> Iterator[Mapping[Exact, int]]:
    """Yield -k, ..., m - k - 1 for each number k of the m differences that may be at most 0: what perm.test takes.

    It takes ranks for scores that are no integers.
    """
    column, unit = sample.differences or (), reading.unit
    if unit is not None:
        ends = [(d, unit * half) for d, half in zip(column, sample.half)]
        ks = range(sum(d < -reach for d, reach in ends), 1 + sum(d <= reach for d, reach in ends))
    else:
        column = sample.in_doubles or column
        k = sum(d <= 0 for d in column)
        ks = range(k, k + any(Fraction(d).denominator > 1 for d in column))
    m = len(column)
    if m <= _MOST_RANKED and not sample.labels:
        for k in ks:
            yield dict.fromkeys(range(-k, m - k), 1)


def _moved(sample: Sample, by: Fraction, allowance: Allowance) -> Facts:
    """Return the facts where the scores of the first system are greater by so much, the others less.

    A labeling moves a run of the first system or leaves it: as its score grows, T' - T falls or
    stays, and as one of the second system's grows it rises or stays. So one-sided p-values lie
    between those of two corners. Nothing is proved of t-tests, and of two tails that differ.
    """
    u, v = [
        [[x + more for x in item] for item in side]
        for side, more in zip(sample.runs or (), (by, -by))
    ]
    design: Design = "systems" if sample.design == "systems" else "within"
    swaps = exchange(u, v, design, budget=allowance.budget).swaps
    return of_sum(swaps, Facts(n=sample.n), allowance)  # type: ignore[arg-type]  # no pairs
