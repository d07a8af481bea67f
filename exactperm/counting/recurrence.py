"""The leave-one-out recurrence: the main engine.

With c_d pairs of difference d, the numbers of subsets are the coefficients of P(x) = prod (1 + x^d)^c_d. Leaving one
pair of difference d out gives Q_d = P / (1 + x^d), again numbers of subsets: nothing cancels and nothing grows.
Comparing coefficients in P = (1 + x^d) Q_d, and in x P' = P * sum_d c_d d x^d / (1 + x^d):

    Q_d[n] = P[n] - Q_d[n-d],        n P[n] = sum_d c_d d Q_d[n-d]      (so the division by n is exact).

One step costs a few operations on M-bit integers for each distinct difference. For a power of one polynomial this is
Miller's recurrence (Knuth, The Art of Computer Programming 2, 4.7); for one difference it is that of the binomial
numbers. A single count takes the shorter ways of :mod:`~exactperm.counting.split` and
:mod:`~exactperm.counting.binomial`.

Source: ids own-leave-one-out, own-plan.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from ..budget import Estimate, Progress, Unfit
from . import binomial, split
from .tally import Tally, degree, mirrored, reduced

_REPORT = 256  # terms between two reports of progress
_MOST_TERMS = 10**8
_MOST_STEPS = 10**11  # terms times differences
_TOO_LONG = f"would count more than {_MOST_TERMS:.0e} sums one by one"

# Measured on CPython 3.11; see also the constants of split.
_SECONDS_START = 6e-6
_SECONDS_LISTED = 2.5e-7  # a term of the whole distribution, and its mirror image
_BYTES_ENTRY = 200


def prefix_counts(tally: Tally, k: int, progress: Progress | None = None) -> list[int]:
    """The numbers of subsets with sum 0, 1, ..., k, for any k >= 0 (zeros beyond D).

    >>> prefix_counts({1: 2, 3: 1}, 6)
    [1, 2, 1, 1, 2, 1, 0]
    """
    counts = [1]
    # For each d the last d values of Q_d: slot n % d holds Q_d[n-d] until Q_d[n] takes its place.
    left_out = [(d, d * c, [1] + [0] * (d - 1)) for d, c in tally.items() if d <= k]
    for n in range(1, k + 1):
        total = 0
        for d, weight, last in left_out:
            total += weight * last[n % d]
        count = total // n
        for d, _weight, last in left_out:
            last[n % d] = count - last[n % d]
        counts.append(count)
        if progress and n % _REPORT == 0:
            progress(n, k)
    return counts


def leave_one_out_counts(
    tally: Tally, cases: Sequence[tuple[int, int]], *, progress: Progress | None = None
) -> list[int]:
    """For each (d, j) of ``cases``: the subsets with sum at most j when one pair of difference d is left out.

    d is a difference of the tally, or 0, which leaves out nothing; j is at least 0. One prefix of the whole data serves
    all: summing P = (1 + x^d) Q_d up to j gives S(j) = A_d(j) + A_d(j-d), so A_d(j) = S(j) - S(j-d) + S(j-2d) - ...
    Cost: :func:`prefix_counts` up to the largest j, and j/d additions for each case. Source: id own-leave-one-out.

    >>> leave_one_out_counts({1: 2, 3: 1}, [(1, 1), (3, 1), (0, 1)])
    [2, 3, 3]
    """
    below = list(accumulate(prefix_counts(tally, max((j for _d, j in cases), default=0), progress)))
    return [
        sum(below[j :: -2 * d]) - (sum(below[j - d :: -2 * d]) if j >= d else 0) if d else below[j] for d, j in cases
    ]


def estimate(tally: Tally, k: int | None) -> Estimate | Unfit:
    """Seconds and bytes, from the terms of the shortest way to the count, or of half of the distribution.

    >>> estimate({1: 1, 2**80: 1}, None).reason
    'would count more than 1e+08 sums one by one'
    """
    if k is None:
        span = degree(tally)
        one = len(tally) == 1
        length = (sum(tally.values()) if one else span) // 2
        if length > _MOST_TERMS or length * len(tally) > _MOST_STEPS:
            return Unfit(reason=_TOO_LONG)
        return binomial.estimate(sum(tally.values()), None) if one else _estimate_counts(tally, span)
    whole, tally, k = reduced(tally, k)
    if k > _MOST_TERMS or k * len(tally) > _MOST_STEPS:
        return Unfit(reason=_TOO_LONG)
    cost = split.cheapest(tally, k).cost if len(tally) > 1 else binomial.estimate(sum(tally.values()), k)
    start = _SECONDS_START if tally else 0.0
    return Estimate(seconds=cost.seconds + start, bytes=cost.bytes + sum(whole) // 4)


def _estimate_counts(tally: Tally, span: int) -> Estimate:
    half, pairs = span // 2 + 1, sum(tally.values())
    seconds, size, digits = split.recurrence_cost(list(tally), pairs, span, half)
    return Estimate(seconds=seconds + half * _SECONDS_LISTED, bytes=int(size + half * (_BYTES_ENTRY + digits * 3)))


def count_at_most(tally: Tally, k: int, *, progress: Progress | None = None) -> int:
    """The number of the 2**M subsets of the M pairs whose differences sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1)
    3
    """
    whole, tally, k = reduced(tally, k)
    count = 0
    if len(tally) == 1:
        count = binomial.count_at_most(sum(tally.values()), k, progress=progress)
    elif tally:
        best = split.cheapest(tally, k)
        count = split.count_at_most(best.frequent, best.rest, k, best.block, progress=progress)
    for pairs in reversed(whole):
        count = (1 << pairs) - count
    return count


def counts(tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
    """The whole distribution {sum: number of subsets}, ascending: P[D-n] = P[n], so half of it is counted.

    >>> counts({1: 2, 3: 1})
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    if len(tally) == 1:
        ((d, pairs),) = tally.items()
        return {d * n: count for n, count in enumerate(binomial.row(pairs))}
    span = degree(tally)
    return mirrored(prefix_counts(tally, span // 2, progress), span)
