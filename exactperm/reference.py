"""The exact paired-permutation test in 25 lines: its definition, and a fast algorithm for sums of differences.

Everything else in the package computes the same, faster and for more statistics; the tests compare both.

The definition swaps the entries of pairs in all 2**N ways. The algorithm counts without making any swap. A swap turns
the difference xi_n of pair n into -xi_n. So the sum of all N is 2 X - D, where D is the sum of all abs(xi_n) and X the
sum of abs(xi_n) over a random subset of the pairs. Let xi_bar be the observed distance from 0. A sum is at least as far
from 0 where X <= k or X >= D - k, with k = (D - xi_bar) / 2. Both are equally likely, so p = 2 P(X <= k), or 1 for
xi_bar = 0.

Let c_d pairs have the difference d > 0. Let P[n] be the number of subsets with the sum n, and Q_d[n] the number when
one pair of difference d is left out. A subset with the sum n contains this pair or not; and n P[n] adds up the sums of
all subsets with the sum n, pair by pair:

    P[n] = Q_d[n] + Q_d[n - d]          n P[n] = sum over d of c_d d Q_d[n - d]

These two equations give P[1], P[2], ... from P[0] = 1, in k steps.

A worked example: u = 4, 2, 1 and v = 1, 1, 2 have the differences 3, 1, -1. Here c_1 = 2, c_3 = 1, D = 5, xi_bar = 3
and k = 1. From P[0] = 1 follow Q_1[0] = Q_3[0] = 1, then 1 P[1] = 2 * 1 * Q_1[0] = 2. So 1 + 2 = 3 of the 8 subsets
have a sum of at most 1, and p = 2 * 3/8 = 3/4.

>>> counts_of_subset_sums({1: 2, 3: 1}, 5)
[1, 2, 1, 1, 2, 1]
>>> pvalue_by_recurrence([4, 2, 1], [1, 1, 2])
Fraction(3, 4)
>>> pvalue_by_definition([4, 2, 1], [1, 1, 2], lambda u, v: abs(sum(u) - sum(v)))
Fraction(3, 4)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Any, Callable

from .errors import ExactPermError


def values_under_the_null(u: Sequence[Any], v: Sequence[Any], t: Callable[[Any, Any], Any]) -> list[Any]:
    """Return t(u', v') for all 2**N ways to swap entries of u and v, the observed value first.

    ``t`` takes two tuples of N entries. Raises ExactPermError for columns of unequal length and for empty ones.

    Source: Eq. 1; spec/01-null-distribution.md.

    >>> values_under_the_null([3, 1], [1, 0], lambda u, v: sum(u) - sum(v))
    [3, 1, -1, -3]
    """
    if len(u) != len(v) or not u:
        raise ExactPermError(f"u has {len(u)} entries and v has {len(v)}; both need the same number, at least one")
    return [t(*zip(*pairs)) for pairs in product(*(((a, b), (b, a)) for a, b in zip(u, v)))]


def pvalue_by_definition(u: Sequence[Any], v: Sequence[Any], t: Callable[[Any, Any], Any]) -> Fraction:
    """Return P(t(u', v') >= t(u, v)) over all swaps, for any statistic; time 2**N.

    Source: Eq. 2; spec/01-null-distribution.md.

    >>> pvalue_by_definition([3, 1], [1, 0], lambda u, v: sum(u) - sum(v))
    Fraction(1, 4)
    """
    values = values_under_the_null(u, v, t)
    xi_bar = values[0]
    return Fraction(sum(xi >= xi_bar for xi in values), len(values))


def counts_of_subset_sums(c: Mapping[int, int], k: int) -> list[int]:
    """Return P[0], ..., P[k] for c[d] pairs of each difference d; k * len(c) additions.

    Source: leave-one-out identities; spec/09-own-theorems.md.
    """
    P, Q = [1], {d: [1] for d in c}
    for n in range(1, k + 1):
        P.append(sum(c[d] * d * Q[d][n - d] for d in c if d <= n) // n)
        for d in c:
            Q[d].append(P[n] - (Q[d][n - d] if d <= n else 0))
    return P


def pvalue_by_recurrence(u: Sequence[Any], v: Sequence[Any]) -> Fraction:
    """Return the two-sided p-value of the difference in sums; entries are read as the decimals that they print.

    Raises ExactPermError for columns of unequal length and for empty ones.

    Source: Alg. 2, leave-one-out identities; spec/09-own-theorems.md.

    >>> pvalue_by_recurrence([0.3, "0.2", 1], [0, 0.1, 1])
    Fraction(1, 2)
    """
    if len(u) != len(v) or not u:
        raise ExactPermError(f"u has {len(u)} entries and v has {len(v)}; both need the same number, at least one")
    differences = [Fraction(str(a)) - Fraction(str(b)) for a, b in zip(u, v)]
    unit = lcm(*(x.denominator for x in differences))
    xi = [int(x * unit) for x in differences]
    c = Counter(abs(x) for x in xi if x)
    D, xi_bar = sum(map(abs, xi)), abs(sum(xi))
    k = (D - xi_bar) // 2
    return Fraction(2 * sum(counts_of_subset_sums(c, k)), 2 ** sum(c.values())) if xi_bar else Fraction(1)
