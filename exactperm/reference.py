"""Exact paired tests, to be copied: the standard library only, nothing of this package.

Under the null hypothesis every difference d between the two scores of an item is as
likely as -d. So all 2**n choices of signs are equally likely, and a p-value is the
share of them whose sum is at least as extreme as the observed sum.

A worked example: the scores 4, 2, 1 and 1, 1, 2 have the differences 3, 1, -1 with the
sum t = 3. The eight choices of signs have the sums 5, 3, 3, 1, -1, -3, -3, -5, and six
of them are at least as far from 0 as 3, so p = 6/8.

>>> paired([4, 2, 1], [1, 1, 2])
Fraction(3, 4)

The sums are counted without listing them. Where the sizes abs(d) add up to D, and the
sizes of the negative terms to X, the sum is D - 2 X. So it is at least t where X <= k,
with k = (D - t) / 2: here D = 5 and k = 1. X is the sum of a random subset of the
sizes. Let P[n] be the number of subsets with the sum n; P[0] + ... + P[k] is the count.

The table: add the sizes one by one. A subset of the sizes so far contains the new size
d or not, so the subsets with the sum n are those without d and those of n - d to which
d is added: P[n] + P[n - d].

>>> counts_by_table([3, 1, 1], 5)
[1, 2, 1, 1, 2, 1]

The recurrence is faster where sizes repeat. Let c_d items have the size d, and let
Q_d[n] be the number of subsets with the sum n when one item of size d is left out. A
subset contains this item or not; and n P[n] adds up the sums of all subsets with the
sum n, item by item:

    P[n] = Q_d[n] + Q_d[n - d]          n P[n] = sum over d of c_d d Q_d[n - d]

These two equations give P[1], P[2], ... from P[0] = 1, in k steps.

>>> counts_of_subset_sums({1: 2, 3: 1}, 5)
[1, 2, 1, 1, 2, 1]

A float means the shortest decimal that is read as it: 0.1 is one tenth. Text such as
"0.1" and "1/3" is exact, too.
"""

from collections import Counter
from fractions import Fraction
from math import comb, lcm


def counts_by_table(sizes, k):
    """Return P[0], ..., P[k] of positive integers; k * len(sizes) additions."""
    P = [1] + [0] * k
    for d in sizes:
        for n in range(k, d - 1, -1):
            P[n] += P[n - d]
    return P


def counts_of_subset_sums(c, k):
    """Return P[0], ..., P[k] for c[d] items of each size d; k * len(c) additions.

    Source: leave-one-out identities; spec/09-own-theorems.md#own-leave-one-out.
    """
    P, Q = [1], {d: [1] for d in c}
    for n in range(1, k + 1):
        P.append(sum(c[d] * d * Q[d][n - d] for d in c if d <= n) // n)
        for d in c:
            Q[d].append(P[n] - (Q[d][n - d] if d <= n else 0))
    return P


def sign_flip(d, alternative="two-sided"):
    """Return the p-value of the sum of d: P(T >= t), P(T <= t) or P(|T| >= |t|).

    Zeros count as differences. Raises ValueError for an empty list and for no numbers.

    >>> sign_flip([3, 1, -1], "greater")
    Fraction(3, 8)
    """
    if not len(d):
        raise ValueError("there are no differences")
    x = [Fraction(str(value)) for value in d]
    unit = lcm(*(value.denominator for value in x))
    x = [int(value * unit) for value in x]
    t = {"greater": sum(x), "less": -sum(x), "two-sided": abs(sum(x))}[alternative]
    c = Counter(abs(value) for value in x if value)
    D, total = sum(map(abs, x)), 2 ** sum(c.values())
    count = sum(counts_of_subset_sums(c, (D - t) // 2))
    return _share(count, total, alternative)


def paired(u, v, alternative="two-sided"):
    """Return the p-value of sum(u) - sum(v) when the two scores of an item are swapped.

    Raises ValueError for columns of unequal length and for empty ones. Source: Alg. 2;
    spec/01-null-distribution.md#alg-2, spec/09-own-theorems.md#own-leave-one-out.

    >>> paired([0.3, "0.2", 1], [0, 0.1, 1])
    Fraction(1, 2)
    """
    if len(u) != len(v):
        raise ValueError(f"{len(u)} and {len(v)} scores: give one of each for an item")
    d = [Fraction(str(a)) - Fraction(str(b)) for a, b in zip(u, v)]
    return sign_flip(d, alternative)


def mcnemar(b, c, alternative="two-sided"):
    """Return the p-value of b items that only one system has right, c only the other.

    These are b differences of 1 and c of -1, so P[n] is a binomial coefficient.

    >>> mcnemar(9, 1)
    Fraction(11, 512)
    """
    if min(b, c) < 0:
        raise ValueError("a number of items is negative")
    k = {"greater": c, "less": b, "two-sided": min(b, c)}[alternative]
    return _share(sum(comb(b + c, i) for i in range(k + 1)), 2 ** (b + c), alternative)


def _share(count, total, alternative):
    """Both tails are equal, and at t = 0 they overlap."""
    if alternative == "two-sided":
        count = min(2 * count, total)
    return Fraction(count, total)
