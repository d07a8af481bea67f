"""The leave-one-out recurrence: the main engine.

With c_t units of the step G_t(x) = sum_a g_ta x^a, g_t0 > 0, the numbers of choices are the
coefficients of P = prod G_t^c_t. Leaving out one unit of type t gives Q_t = P / G_t, again numbers
of choices: every division by g_t0 is exact, nothing cancels and nothing grows. Comparing
coefficients in P = G_t Q_t and in x P' = sum_t c_t (x G_t') Q_t:

    n P[n] = sum_t c_t sum_a a g_ta Q_t[n-a],        Q_t[n] = (P[n] - sum_(a>0) g_ta Q_t[n-a]) / g_t0.

For two units of 1 + 2x, P[0] = Q[0] = 1; 1 P[1] = 2 * 2 Q[0] = 4, so Q[1] = 4 - 2 = 2; 2 P[2] = 2 *
2 Q[1] = 8, so P[2] = 4: P = 1, 4, 4 is (1 + 2x)^2. Of c_d pairs of difference d, G_d = 1 + x^d:

    Q_d[n] = P[n] - Q_d[n-d],        n P[n] = sum_d c_d d Q_d[n-d]      (so the division by n is exact).

For {1: 2, 3: 1}, P = (1 + x)^2 (1 + x^3), the first steps are: P[0] = 1, so Q_1[0] = Q_3[0] = 1; 1
P[1] = 2 Q_1[0] = 2, so Q_1[1] = 2 - 1 = 1 and Q_3[1] = 2; 2 P[2] = 2 Q_1[1] = 2, so P[2] = 1,
Q_1[2] = 0 and Q_3[2] = 1; 3 P[3] = 2 Q_1[2] + 3 Q_3[0] = 3, so P[3] = 1; and by symmetry P = 1, 2,
1, 1, 2, 1.

One step costs a few operations on M-bit integers for each distinct difference. For a power of one
polynomial this is Miller's recurrence (Knuth, The Art of Computer Programming 2, 4.7); for one
difference it is that of the binomial coefficients. A long count takes the shorter ways of
:mod:`~exactperm.counting.split` and :mod:`~exactperm.counting.binomial`, a short one the product
itself (:mod:`~exactperm.counting.short`). Few short steps take one linear equation in neighbouring
terms (:func:`~exactperm.counting.terms.equation`), in place of one for each type.

Source: spec/09-own-theorems.md#own-influence, spec/15-runs.md#own-step-recurrence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate, chain

from ..budget import Estimate, Progress, Unfit
from ..swaps.units import (
    Step,
    Tally,
    Units,
    binomials,
    degree,
    is_symmetric,
    one_by_one,
    pairs_of,
    steps_of,
)
from .short import MOST_WORK, short_count
from .tally import bits_of, distribution, ticker
from .terms import PIECE, Terms, seconds_of_step

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
_SECONDS_SUM, _BYTES_NUMBER = 1.5e-7, 40  # of steps


def prefix_counts(units: Units, k: int, progress: Progress | None = None) -> list[int]:
    """Return the numbers of choices with sum 0, 1, ..., k, for any k >= 0 (zeros beyond D).

    >>> prefix_counts({1: 2, 3: 1}, 6)
    [1, 2, 1, 1, 2, 1, 0]
    """
    terms = Terms(units, ticker(progress, k + 1))
    return list(chain.from_iterable(terms.pieces(k + 1)))


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


def estimate(units: Units, k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the terms of the shortest way to the count, or of half of the distribution.

    >>> estimate({1: 1, 2**80: 1}, None).reason
    'would count more than 1e+08 sums one by one'
    """
    tally = pairs_of(units)
    if tally is None:
        return _estimated(steps_of(units), k)
    pairs, span = sum(tally.values()), degree(tally)
    one = len(tally) == 1
    length = k if k is not None else (pairs if one else span) // 2
    if length > _MOST_TERMS or length * len(tally) > _MOST_STEPS:
        return Unfit(reason=_TOO_LONG)
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
    seconds, size, longest, filled = split.recurrence_cost(split.part_of(tally), half)
    listed = half * filled
    seconds += half * _SECONDS_SCANNED + listed * _SECONDS_LISTED
    size += half * _BYTES_SLOT + listed * (_BYTES_ENTRY + longest * 3)
    return Estimate(seconds=seconds, bytes=int(size))


def _estimated(steps: Mapping[Step, int], k: int | None) -> Estimate | Unfit:
    """Estimate for steps: sums times terms, each of a few operations on numbers below the count."""
    span = degree(steps)
    last = span // (1 + is_symmetric(steps)) if k is None else k
    if last > _MOST_TERMS or sum(map(len, steps)) * last > _MOST_STEPS:
        return Unfit(reason=_TOO_LONG)
    bits = bits_of(steps)
    each, _by_equation = seconds_of_step(steps)
    seconds = _SECONDS_START + (last + 1) * (_SECONDS_SUM + bits * _SECONDS_BIT + each)
    kept = sum([step[-1][0] + PIECE for step in steps]) + (span if k is None else 0)
    return Estimate(seconds=seconds, bytes=int(_BYTES_START + kept * (_BYTES_NUMBER + bits / 8)))


def count_at_most(units: Units, k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1), count_at_most({((0, 1), (1, 2)): 2}, 1)
    (3, 5)
    """
    tally = pairs_of(units)
    if tally is None:
        return sum(map(sum, Terms(units, ticker(progress, k + 1)).pieces(k + 1)))
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


def counts(units: Units, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending: half of it where P[D-n] = P[n].

    >>> counts({1: 2, 3: 1}), counts({((0, 1), (1, 2)): 2})
    ({0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}, {0: 1, 1: 4, 2: 4})
    """
    tally, span = pairs_of(units), degree(units)
    if tally is not None and len(tally) == 1:
        ((d, pairs),) = tally.items()
        row = distribution(binomials(pairs, pairs // 2), pairs)
        return {d * n: count for n, count in row.items()}
    last = span // (1 + is_symmetric(units))
    return distribution(prefix_counts(units, last, progress), span)
