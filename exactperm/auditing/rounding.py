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
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from math import isqrt

from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact, common_denominator, scaled
from ..errors import BudgetExceeded
from ..null.sentence import PValue
from ..swaps.runs import exchange
from .axes import SINGLE
from .facts import Allowance, Ends, Facts, ends_of, of_flips, of_law, of_sum, tail_of
from .laws import normal_tail, t_tail

if TYPE_CHECKING:
    from .axes import Way
    from .sample import Sample

Whole = Sequence[int]

_FLIPPED = ("difference", "wilcoxon", "sign")
_MOST_RANKED = 50  # pairs up to which perm.test is exact
_MOST_ZEROS = 12  # whose signs before rounding are tried one by one
_LIKELY = 25
"""Square of the standard deviations that the mean of rounding errors exceeds with a probability below 1e-5."""


def box(reading: Way, sample: Sample) -> tuple[list[Exact], list[Exact]]:
    """Return the corners of what is flipped by scores that round to these: differences, signed ranks, or signs."""
    key = "box", reading.statistic, reading.data, reading.unit
    return sample.once(key, partial(_box, reading, sample))  # type: ignore[no-any-return]


def _box(reading: Way, sample: Sample) -> tuple[list[Exact], list[Exact]]:
    """Return the corners of what is flipped.

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


def _law_range(law: str, low: Sequence[Exact], high: Sequence[Exact], n: int) -> tuple[Ends, Ends]:
    """Return the range of a law's p-value below and above, over all columns of flips of ``n`` pairs between two corners."""

    def upper(ratio: Fraction) -> Ends:
        """Return bounds of the tail from sign(ratio) * sqrt(abs(ratio)) on."""
        share, t = min(abs(ratio) / n, Fraction(1)), law == "t"
        tail = t_tail(share, n - 1) if t else normal_tail(abs(ratio))
        return of_law(ratio, 0, "greater", lambda _: tail)

    ends = []
    for a, b in (_negated(low, high), (low, high)):
        least, most = signed_squares(a, b, 1 if law == "normal-cc" else 0)
        ends.append((upper(most)[0], upper(least)[1]))
    return ends[0], ends[1]


def _count_range(reading: Way, corners: tuple[Facts, Facts], itself: Fraction) -> Ends:
    """Return the range of an exact p-value between two corners, the first with the least flips.

    The lower bound counts the observed assignment, of probability ``itself``, and else only those
    beyond it: a program that adds in floating point may lose ties of the scores before they were
    rounded. Raises ``BudgetExceeded`` where nothing is known of a corner.
    """
    above = "mid" if reading.boundary == "mid" else ">="
    itself *= Fraction({">=": 2, "mid": 1, ">": 0}[reading.boundary], 2)
    ranges = []
    for tail, (least, most) in (("less", corners), ("greater", corners[::-1])):
        ends = least.value("exact", tail, ">"), most.value("exact", tail, above)
        if ends[0] is None or ends[1] is None:
            raise BudgetExceeded(least.refusal or most.refusal)
        ranges.append((ends_of(ends[0])[0] + itself, ends_of(ends[1])[1]))
    return tail_of(reading.side, *ranges)


def signed_squares(low: Sequence[Exact], high: Sequence[Exact], step: Exact) -> Ends:
    """Return bounds of (T - step) / sqrt(Q) over a box, as squares with their signs; of one point they are equal.

    >>> signed_squares([2, -1], [2, -1], 0)
    (Fraction(1, 5), Fraction(1, 5))
    """
    unit = common_denominator((*low, *high, step), 2 * len(low))
    a, b = [[scaled(f, unit) for f in corner] for corner in (low, high)]
    less = scaled(step, unit)
    return -_greatest(*_negated(a, b), -less), _greatest(a, b, less)


def _negated(low: Any, high: Any) -> tuple[list[Any], list[Any]]:
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
    if not sample.half or reading.statistic not in _FLIPPED:
        return ()
    if reading.source == "ranked scores":
        return _ranks_before(reading, sample)
    points = _signs_before(reading, sample, allowance)
    if points:
        return points
    key, law = (reading.statistic, reading.data, reading.unit), reading.law
    if sample.design in SINGLE:
        if sample.steps is None or not (law == "exact" or law in sample.t_tests):
            return ()
        if law != "exact" or (reading.tail == "two-sided" and not sample.steps.symmetric):
            raise BudgetExceeded("bounds of this test of rounded runs")
        half = (reading.unit or Fraction(1)) / 2
        finds = [partial(_moved, sample, by, allowance) for by in (-half, half)]
    else:
        corners = box(reading, sample)
        if law != "exact":
            find = partial(_law_range, law, *corners, sample.n)
            return (tail_of(reading.side, *sample.once(("law", key, law), find)),)
        finds = [partial(of_flips, flips, sample.n, None, allowance) for flips in corners]
    first, last = [sample.once(("corner", key, i), find) for i, find in enumerate(finds)]
    return (_count_range(reading, (first, last), Fraction(1, sample.total)),)


def _signs_before(reading: Way, sample: Sample, allowance: Allowance) -> tuple[Ends, ...]:
    """Return the p-values of sign tests whose differences of 0 had a sign before rounding, or were 0.

    Returns none where they are too many to be listed.
    """
    if (reading.data, reading.statistic) != ("tabled", "sign"):
        return ()
    signs = sample.flips("sign", None)
    found = []
    for ups in range(signs[0] + 1 if signs[0] <= _MOST_ZEROS else 0):
        for downs in range(signs[0] - ups + 1):
            flips = {1: signs[1] + ups, -1: signs[-1] + downs}
            find = partial(of_flips, flips, sample.n, None, allowance)
            facts = sample.once(("signs", ups, downs), find)
            found.append(facts.value(reading.law, reading.side, reading.boundary))
    return tuple([ends_of(value) for value in found if value])


def by_ranks(reading: Way, sample: Sample, k: int) -> PValue | None:
    """Return the p-value of the scores -k, ..., -1, 0, 1, ..., m - k - 1, as perm.test ranks m differences."""
    m = len(sample.differences or ())
    if m > _MOST_RANKED or sample.labels:
        return None
    find = partial(of_flips, range(-k, m - k), m, None, Allowance())
    tail = "doubled" if reading.tail == "two-sided" else reading.side
    return sample.once(("ranked", k), find).value("exact", tail, reading.boundary)  # type: ignore[no-any-return]


def _ranks_before(reading: Way, sample: Sample) -> tuple[Ends, ...]:
    """Return those for each number k of differences that may have been at most 0 before rounding."""
    unit = reading.unit or Fraction(1)
    pairs = list(zip(sample.differences or (), sample.half))
    least = sum(d + unit * half < 0 for d, half in pairs)
    most = sum(d - unit * half <= 0 for d, half in pairs)
    found = [by_ranks(reading, sample, k) for k in range(least, most + 1)]
    return tuple([ends_of(value) for value in found if value])


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
    design: Any = "systems" if sample.design == "systems" else "within"
    swaps: Any = exchange(u, v, design, budget=allowance.budget).swaps
    return of_sum(swaps, Facts(n=sample.n, total=sample.total), allowance)
