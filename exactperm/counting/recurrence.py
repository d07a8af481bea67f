"""Prefixes of the distribution by the leave-one-out recurrence: the main engine.

With c_d pairs of difference d, the numbers of subsets are the coefficients of P(x) = prod (1 + x^d)^c_d. Leaving one
pair of difference d out gives Q_d = P / (1 + x^d), again numbers of subsets: nothing cancels and nothing grows.
Comparing coefficients in P = (1 + x^d) Q_d, and in x P' = P * sum_d c_d d x^d / (1 + x^d):

    Q_d[n] = P[n] - Q_d[n-d],        n P[n] = sum_d c_d d Q_d[n-d]      (so the division by n is exact).

One step costs a few operations on M-bit integers for each distinct difference. For a power of one polynomial this is
Miller's recurrence (Knuth, The Art of Computer Programming 2, 4.7).
"""

from __future__ import annotations

from exactperm.counting import binomial
from exactperm.counting.cost import Estimate, Progress, Tally, Unfit

_MOST_TERMS = 10**8
_REPORT = 1024  # terms between two reports of progress
_BYTES_INT = 44  # an int in a list, before its digits


def prefix_counts(tally: Tally, k: int, progress: Progress | None = None) -> list[int]:
    """The numbers of subsets with sum 0, 1, ..., k, for 0 <= k <= D.

    >>> prefix_counts({1: 2, 3: 1}, 3)
    [1, 2, 1, 1]
    """
    counts = [1]
    # For each d <= k the last d values of Q_d; slot n % d holds Q_d[n-d] until Q_d[n] takes its place.
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


def estimate(tally: Tally, k: int | None) -> Estimate | Unfit:
    """Seconds and bytes: a few operations on M-bit integers for each term of the prefix and each difference."""
    span = sum(d * c for d, c in tally.items())
    terms = span // 2 if k is None else k
    if terms > _MOST_TERMS:
        return Unfit(reason=f"would count more than {_MOST_TERMS:.0e} sums one by one")
    digits = sum(tally.values()) / 30
    seconds = 1e-5 + terms * (3e-7 + digits * 5e-9 + len(tally) * (1.2e-7 + digits * 2.5e-9))
    return Estimate(seconds=seconds, bytes=2_000 + int(terms * (_BYTES_INT + 4 * digits)))


def count_at_most(tally: Tally, k: int, *, progress: Progress | None = None) -> int:
    """The number of the 2**M subsets of the M pairs whose differences sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1)
    3
    """
    if len(tally) == 1:
        ((d, pairs),) = tally.items()
        return binomial.count_at_most(pairs, k // d)
    return sum(prefix_counts(tally, k, progress))


def counts(tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
    """The whole distribution {sum: number of subsets}, ascending: P[D-n] = P[n], so half of it is counted.

    >>> counts({1: 2, 3: 1})
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    span = sum(d * c for d, c in tally.items())
    half = prefix_counts(tally, span // 2, progress)
    found = {x: n for x, n in enumerate(half) if n}
    found.update((span - x, found[x]) for x in reversed(list(found)))
    return found
