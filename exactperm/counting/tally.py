"""The tally that every engine counts, and the reductions that engines share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..budget import Progress

Tally = Mapping[int, int]
"""Canonical input of every one-dimensional engine: {difference d > 0: number of pairs with it}, ascending in d."""


def degree(tally: Tally) -> int:
    """D, the sum of all differences: the degree of prod (1 + x**d)**c_d.

    >>> degree({1: 2, 3: 1})
    5
    """
    return sum(d * c for d, c in tally.items())


def mirrored(low: Sequence[int], top: int) -> dict[int, int]:
    """The distribution {sum: number of subsets}, ascending, zeros left out, from P[0], ..., P[D // 2] and ``top`` = D.

    P[D-x] = P[x], and both share one integer. Source: id own-symmetry.

    >>> mirrored([1, 2, 1], 5)
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    found = {x: n for x, n in enumerate(low) if n}
    found.update((top - x, found[x]) for x in reversed(list(found)))
    return found


def ticker(progress: Progress | None, total: int) -> Callable[[int], None]:
    """A function that reports so many more of ``total`` units of work.

    >>> tick = ticker(print, 3)
    >>> tick(1), tick(2)
    1 3
    3 3
    (None, None)
    """
    if progress is None:
        return lambda _units: None
    report, done = progress, 0

    def tick(units: int) -> None:
        nonlocal done
        done += units
        report(done, total)

    return tick


def reduced(tally: Tally, k: int) -> tuple[list[int], dict[int, int], int]:
    """([m0, m1, ...], tally2, k2): #{X <= k} = 2^m0 - 2^m1 + ... +- #{X2 <= k2}, k >= 0, 0 <= k2 < D2 - k2 or D2 = 0.

    Pairs of more than k are in none of the subsets. Without them k may be past the middle, where the complement is
    counted, and the differences may have a common divisor. Where nothing is left, #{X2 <= k2} stands for 0.
    Source: id own-symmetry.

    >>> reduced({2: 4, 6: 1, 100: 5}, 9)
    ([5, 4], {1: 4}, 1)
    """
    whole: list[int] = []
    while True:
        kept = {d: c for d, c in tally.items() if d <= k}
        reach = degree(kept)
        if k < reach - k:
            unit = math.gcd(*kept)
            return whole, {d // unit: c for d, c in kept.items()}, k // unit
        whole.append(sum(kept.values()))
        tally, k = kept, reach - k - 1
        if k < 0:
            return whole, {}, 0


def kept_logarithms(tally: Tally, k: int | None) -> Iterator[float]:
    """After each group of the tally, the logarithm of about the number of its sums up to k so far.

    c pairs of difference d reach c + 1 times the sums before them. With each of the c + 1 multiples of d equally likely
    the sums have the mean D/2 and the variance sum d**2 c (c + 2) / 12, and by the normal law a share of erfc(x) / 2 is
    at most k: x = (D - 2k) / sqrt(8 variance), and erfc(x) is about exp(-x**2) / (x sqrt(pi)) for large x.
    Lengths are floats in units of a power of two, so that squares stay finite.
    """
    total = sum(d * c for d, c in tally.items())
    shift = max(0, total.bit_length() - 400)
    limit = math.inf if k is None or k >= total else float(k >> shift)
    logarithm = reach = variance = 0.0
    for d, c in tally.items():
        length = float(d >> shift)
        logarithm += math.log(c + 1)
        reach += c * length
        variance += length * length * c * (c + 2) / 12
        x = (reach - 2 * limit) / math.sqrt(8 * variance or 1.0)
        share = math.log(math.erfc(x) / 2) if x < 5 else -x * x - math.log(2 * x * math.sqrt(math.pi))
        yield max(0.0, logarithm + share)
