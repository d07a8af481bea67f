"""One magnitude: the sign test and exact McNemar test, where every count is a binomial number."""

from __future__ import annotations

import math


def count_at_most(pairs: int, k: int) -> int:
    """The number of subsets of at most k out of ``pairs`` pairs: C(pairs, 0) + ... + C(pairs, k).

    >>> count_at_most(5, 2)
    16
    """
    term = total = 1
    for n in range(1, k + 1):
        term = term * (pairs - n + 1) // n
        total += term
    return total


def row(pairs: int) -> list[int]:
    """The binomial numbers C(pairs, 0), ..., C(pairs, pairs), of which the second half mirrors the first.

    >>> row(4)
    [1, 4, 6, 4, 1]
    """
    half = [math.comb(pairs, n) for n in range(pairs // 2 + 1)]
    return half + half[(pairs - 1) // 2 :: -1] if pairs else half
