"""The leave-one-out recurrence: the main engine.

With c_d pairs of difference d, the numbers of subsets are the coefficients of P(x) = prod (1 +
x^d)^c_d. Leaving out one pair of difference d gives Q_d = P / (1 + x^d), again numbers of subsets:
nothing cancels and nothing grows. Comparing coefficients in P = (1 + x^d) Q_d, and in x P' = P *
sum_d c_d d x^d / (1 + x^d):

    Q_d[n] = P[n] - Q_d[n-d],        n P[n] = sum_d c_d d Q_d[n-d]      (so the division by n is exact).

For {1: 2, 3: 1}, P = (1 + x)^2 (1 + x^3), the first steps are: P[0] = 1, so Q_1[0] = Q_3[0] = 1; 1
P[1] = 2 Q_1[0] = 2, so Q_1[1] = 2 - 1 = 1 and Q_3[1] = 2; 2 P[2] = 2 Q_1[1] = 2, so P[2] = 1,
Q_1[2] = 0 and Q_3[2] = 1; 3 P[3] = 2 Q_1[2] + 3 Q_3[0] = 3, so P[3] = 1; and by symmetry P = 1, 2,
1, 1, 2, 1.

One step costs a few operations on M-bit integers for each distinct difference. For a power of one
polynomial this is Miller's recurrence (Knuth, The Art of Computer Programming 2, 4.7); for one
difference it is that of the binomial coefficients. A long count takes the shorter ways of
:mod:`~exactperm.counting.split` and :mod:`~exactperm.counting.binomial`, a short one the product
itself (:mod:`~exactperm.counting.short`).

Source: spec/09-own-theorems.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from ..budget import Estimate, Progress, Unfit
from ..swaps.units import Tally, degree, one_by_one
from .short import MOST_WORK, short_count
from .tally import binomial_row, mirrored, sums_up_to

_REPORT = 256  # terms between two reports of progress
_MOST_TERMS = 10**8
_MOST_STEPS = 10**11  # terms times differences
_TOO_LONG = f"would count more than {_MOST_TERMS:.0e} sums one by one"

# Measured on CPython 3.11; see also the constants of split.
_SECONDS_START, _SECONDS_PAIR, _SECONDS_BIT = 1e-6, 1.3e-7, 2.5e-11  # of a short count
# a term of the whole distribution, and its two entries
_SECONDS_SCANNED, _SECONDS_LISTED = 5e-8, 2.5e-7
_BYTES_START = 1_000
# of the list of terms, and of the whole distribution with both its sums
_BYTES_SLOT, _BYTES_ENTRY = 8, 180


def prefix_counts(tally: Tally, k: int, progress: Progress | None = None) -> list[int]:
    """Return the numbers of subsets with sum 0, 1, ..., k, for any k >= 0 (zeros beyond D).

    >>> prefix_counts({1: 2, 3: 1}, 6)
    [1, 2, 1, 1, 2, 1, 0]
    """
    counts = [1]
    # For each d the last d values of Q_d: slot n % d holds Q_d[n-d] until Q_d[n] takes its place.
    left_out = [(d, d * c, [1] + [0] * (d - 1)) for d, c in tally.items() if d <= k]
    for n in range(1, k + 1):
        # 1. n P[n] = sum_d c_d d Q_d[n-d]
        total = 0
        for d, weight, last in left_out:
            total += weight * last[n % d]
        count = total // n
        # 2. Q_d[n] = P[n] - Q_d[n-d]
        for d, _weight, last in left_out:
            last[n % d] = count - last[n % d]
        counts.append(count)
        if progress and n % _REPORT == 0:
            progress(n, k)
    return counts


def leave_one_out_counts(
    tally: Tally, cases: Sequence[tuple[int, int]], *, progress: Progress | None = None
) -> list[int]:
    """Count, for each (d, j) of ``cases``, the subsets with sum at most j once one pair of difference d is left out.

    d is a difference of the tally, or 0, which leaves out nothing; j is at least 0. One prefix of
    the whole data serves all: summing P = (1 + x^d) Q_d up to j gives S(j) = A_d(j) + A_d(j-d), so
    A_d(j) = S(j) - S(j-d) + S(j-2d) - ...
    Cost: :func:`prefix_counts` up to the largest j, and j/d additions for each case.

    >>> leave_one_out_counts({1: 2, 3: 1}, [(1, 1), (3, 1), (0, 1)])
    [2, 3, 3]
    """
    below = list(accumulate(prefix_counts(tally, max((j for _d, j in cases), default=0), progress)))
    return [
        sum(below[j :: -2 * d]) - (sum(below[j - d :: -2 * d]) if j >= d else 0) if d else below[j]
        for d, j in cases
    ]


def estimate(tally: Tally, k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the terms of the shortest way to the count, or of half of the distribution.

    >>> estimate({1: 1, 2**80: 1}, None).reason
    'would count more than 1e+08 sums one by one'
    """
    one = len(tally) == 1
    length = k if k is not None else (sum(tally.values()) if one else degree(tally)) // 2
    steps = length * len(tally)
    if length > _MOST_TERMS or steps > _MOST_STEPS:
        return Unfit(reason=_TOO_LONG)
    pairs = sum(tally.values())
    if one:
        from . import binomial

        return binomial.estimate(pairs, None if k is None else k // max(tally))
    work = pairs * pairs * (length + 1)
    if k is not None and work <= MOST_WORK:
        seconds = _SECONDS_START + pairs * _SECONDS_PAIR + work * _SECONDS_BIT
        return Estimate(seconds=seconds, bytes=_BYTES_START + (pairs + 2) * (length + 1) // 2)
    from . import split

    if k is not None:
        return split.cheapest(tally, k)
    half = length + 1
    span = degree(tally)
    sums = sums_up_to(tally, span)
    seconds, size, digits = split.recurrence_cost(list(tally), pairs, span, half, sums)
    listed = min(half, sums / 2)
    size += half * _BYTES_SLOT + listed * (_BYTES_ENTRY + digits * 3)
    return Estimate(
        seconds=seconds + half * _SECONDS_SCANNED + listed * _SECONDS_LISTED, bytes=int(size)
    )


def count_at_most(tally: Tally, k: int, *, progress: Progress | None = None) -> int:
    """Count those of the 2**M subsets of the M pairs whose differences sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1)
    3
    """
    if len(tally) == 1:
        from . import binomial

        ((d, pairs),) = tally.items()
        return binomial.count_at_most(pairs, k // d, progress=progress)
    pairs = sum(tally.values())
    if pairs * pairs * (k + 1) <= MOST_WORK:
        return short_count([d for d in one_by_one(tally) if d <= k], pairs, k)
    from . import split

    best = split.cheapest(tally, k)
    return split.count_at_most(best.frequent, best.rest, k, best.block, progress=progress)


def counts(tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of subsets}, ascending: P[D-n] = P[n], so half of it is counted.

    >>> counts({1: 2, 3: 1})
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    if len(tally) == 1:
        ((d, pairs),) = tally.items()
        return {d * n: count for n, count in enumerate(binomial_row(pairs))}
    span = degree(tally)
    return mirrored(prefix_counts(tally, span // 2, progress), span)
