"""P-values of scores that were rounded before they were printed: bounds, or a list where there are few.

Source: spec/10-audit.md#audit-rounding.
"""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import isqrt

from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact
from ..errors import BudgetExceeded, ExactPermError
from ..swaps.canonical import Steps
from ..swaps.runs import exchange
from .facts import Allowance, Ends, Facts, Value, of_flips, of_sum
from .rounding import box_of, count_range, law_range, range_of
from .runs import SINGLE

if TYPE_CHECKING:
    from .sample import Sample

_FLIPPED = ("difference", "wilcoxon", "sign")
_MOST_RANKED = 50  # pairs up to which perm.test is exact
_MOST_ZEROS = 12  # whose signs before rounding are tried one by one
_LIKELY = 25
"""Square of the standard deviations that the mean of rounding errors hardly exceeds: once in a million times."""


def rounded(
    sample: Sample,
    reading: tuple[str, str, str, str],
    width: tuple[Fraction, bool],
    allowance: Allowance,
) -> Ends | None:
    """Return bounds of a p-value over all scores that round to these; None where there are no such scores.

    ``reading`` has statistic, law, tail and boundary. ``width`` has the unit, and whether only
    errors are meant whose sum is within five standard deviations. Raises ``BudgetExceeded``
    where the allowance buys no bounds.
    """
    statistic, law, tail, boundary = reading
    if not sample.half or statistic not in _FLIPPED:
        return None
    if sample.design in SINGLE:
        return _rounded_runs(sample, (law, tail, boundary), width[0], allowance)
    low, high = box(sample, statistic, *width)
    if law != "exact":
        find = partial(law_range, law, low, high, sample.n)
        return range_of(tail, *sample.once(("law", statistic, width, law), find))
    corners = [
        sample.once(
            ("corner", statistic, width, i), partial(of_flips, flips, sample.n, None, allowance)
        )
        for i, flips in enumerate((low, high))
    ]
    return count_range(tail, boundary, corners[0], corners[1], Fraction(1, 1 << len(low)))


def box(
    sample: Sample, statistic: str, unit: Fraction, likely: bool
) -> tuple[list[Exact], list[Exact]]:
    """Return the corners of what is flipped by scores that round to these; ``likely``: by errors that occur."""
    key = "box", statistic, unit, likely
    return sample.once(key, partial(_box, sample, statistic, unit, likely))  # type: ignore[no-any-return]


def _box(
    sample: Sample, statistic: str, unit: Fraction, likely: bool
) -> tuple[list[Exact], list[Exact]]:
    """Return the corners of what is flipped.

    The mean of n errors has a standard deviation of a bound of one over sqrt(3 n), where each
    is of one score, and over sqrt(6 n) where it is of two.
    """
    scores = 3 if sample.half[0] < 1 else 6
    share = Fraction(isqrt(_LIKELY * 10**6 // (scores * sample.n)), 1000) if likely else 1
    half = [unit * half * min(1, share) for half in sample.half]
    return box_of(statistic, sample.differences or (), half)


def signs_before(
    sample: Sample, law: str, tail: str, boundary: str, allowance: Allowance
) -> tuple[Value, ...]:
    """Return the p-values of sign tests whose differences of 0 had a sign before rounding, or were 0.

    Returns none where they are too many to be listed.
    """
    signs = sample.flips("sign", None)
    b, c, zeros = signs[1], signs[-1], signs[0]
    found = set()
    for ups in range(zeros + 1 if zeros <= _MOST_ZEROS else 0):
        for downs in range(zeros - ups + 1):
            find = partial(of_flips, {1: b + ups, -1: c + downs}, sample.n, None, allowance)
            found.add(sample.once(("signs", ups, downs), find).value(law, tail, boundary))
    return tuple(filter(None, found))


def by_ranks(sample: Sample, k: int, tail: str, side: str, boundary: str) -> Value | None:
    """Return the p-value of the scores -k, ..., -1, 0, 1, ..., m - k - 1, as perm.test ranks m differences."""
    m = len(sample.differences or ())
    if m > _MOST_RANKED or sample.labels:
        return None
    find = partial(of_flips, range(-k, m - k), m, None, Allowance())
    tail = "doubled" if tail == "two-sided" else side
    return sample.once(("ranked", k), find).value("exact", tail, boundary)  # type: ignore[no-any-return]


def ranks_before(sample: Sample, unit: Fraction, *about: str) -> tuple[Value, ...]:
    """Return those for each number k of differences that may have been at most 0 before rounding."""
    pairs = list(zip(sample.differences or (), sample.half))
    least = sum(d + unit * half < 0 for d, half in pairs)
    most = sum(d - unit * half <= 0 for d, half in pairs)
    return tuple(filter(None, [by_ranks(sample, k, *about) for k in range(least, most + 1)]))


def _rounded_runs(
    sample: Sample, about: tuple[str, str, str], unit: Fraction, allowance: Allowance
) -> Ends | None:
    """Return bounds of a p-value over all runs that round to these.

    A labeling moves a run of the first system or leaves it: as its score grows, T' - T falls or
    stays, and as one of the second system's grows it rises or stays. So one-sided p-values lie
    between those of two corners. Nothing is proved of t-tests, and of two tails that differ.
    """
    law, tail, boundary = about
    if sample.steps is None or (law != "exact" and law not in sample._samples):
        return None
    if law != "exact" or (tail == "two-sided" and not sample.steps.symmetric):
        raise BudgetExceeded("bounds of this test of rounded runs")
    corners = [
        sample.once(("corner", unit, sign), partial(_moved, sample, sign * unit / 2, allowance))
        for sign in (-1, 1)
    ]
    return count_range(tail, boundary, corners[0], corners[1], Fraction(1, sample.total))


def _moved(sample: Sample, by: Fraction, allowance: Allowance) -> Facts:
    """Return the facts where the scores of the first system are greater by so much, the others less."""
    u, v = [
        [[x + sign * by for x in item] for item in side]
        for side, sign in zip(sample.runs or (), (1, -1))
    ]
    design: Any = "systems" if sample.design == "systems" else "within"
    swaps = exchange(u, v, design, budget=allowance.budget).swaps
    if not isinstance(swaps, Steps):
        raise ExactPermError("runs of one labeling")
    return of_sum(swaps, allowance, n=sample.n, total=swaps.total)
