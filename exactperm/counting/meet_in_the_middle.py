"""Meet in the middle: few pairs with differences of any size (Horowitz and Sahni 1974).

The pairs are dealt to two halves, and the subset sums of each half are listed in ascending order. For every sum b of
one half a pointer into the other counts the subsets with a sum up to k - b; it only moves forward as b falls. So 2**M
assignments cost about 2**(M/2) steps. The c pairs of one difference count as c + 1 sums with binomial weights. Where
the halves would be too long, subsets of the largest differences are enumerated in an outer loop. Sums above k are never
listed.

For {1: 2, 3: 1} and k = 1 the halves are {1: 2}, with the sums 0, 1 and the weights 1, 2, and {3: 1}, with the sum 0:
for b = 0 the pointer stops after both sums, and the count is 1 + 2 = 3.

Source: Horowitz and Sahni 1974; spec/09-own-theorems.md.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, islice, repeat
from operator import mul

from ..budget import Estimate, Progress, Unfit
from ..errors import ExactPermError
from .tally import Tally, sums_up_to

_HALF_BITS = 22  # a half lists up to about 2**22 sums

# Measured on CPython 3.11; digits of 30 bits.
_SECONDS_START = 1.5e-5
_SECONDS_MULTIPLE = 1.2e-6  # of a difference, or a pass over the halves
_SECONDS_SUM = 7e-8  # listed and sorted
_SECONDS_STEP = 3.5e-8  # a move of one of the two pointers
_SECONDS_WEIGHT = 7e-8  # more where sums have weights: listed, and for each step of the pointer
_SECONDS_DIGIT = 1e-9
_SECONDS_PRODUCT = 7.5e-10  # a digit times a digit
_SECONDS_BYTE = 1e-9  # of fresh memory
_BYTES_START = 3_000
_BYTES_SUM = 48  # before its digits
_BYTES_WEIGHT = 90
_MOST_GROUPS = 200
_MOST_PAIRS = 1e9
_MOST_STEPS = 1e12


def estimate(tally: Tally, k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the approximate number of sums up to k of each half."""
    if k is None:
        return Unfit(reason="counts up to one sum and has no whole distribution")
    if len(tally) > _MOST_GROUPS or (pairs := sum(tally.values())) > _MOST_PAIRS:
        return Unfit(reason=f"is for at most {_MOST_GROUPS} different differences and {_MOST_PAIRS:.0e} pairs")
    outer, first, second = _deal(tally)
    walks = [sums_up_to({**outer, **half}, k) for half in (first, second)]  # sum over x of the sums up to k - x
    steps = sum(walks)
    if steps > _MOST_STEPS:
        return Unfit(reason=f"would take more than {_MOST_STEPS:.0e} steps through sorted sums")
    weighted = max(tally.values(), default=1) > 1
    multiples = sum(min(c, k // d) for d, c in tally.items())
    seconds, memory = _SECONDS_START + (multiples + sums_up_to(outer, k)) * _SECONDS_MULTIPLE, 0.0
    for part in (outer, first, second):
        listed, digits = sums_up_to(part, k), (k.bit_length() + weighted * sum(part.values())) / 30
        seconds += listed * (_SECONDS_SUM + weighted * _SECONDS_WEIGHT + 2 * digits * _SECONDS_DIGIT)
        memory += listed * (_BYTES_SUM + weighted * _BYTES_WEIGHT + (1 + weighted) * 4 * digits)
    digits = (k.bit_length() + weighted * pairs) / 30
    seconds += steps * (_SECONDS_STEP + weighted * _SECONDS_WEIGHT / 2 + digits * _SECONDS_DIGIT)
    if weighted:  # each entry of the second half is multiplied with a sum of the first
        seconds += walks[1] * _SECONDS_PRODUCT * sum(first.values()) * sum(second.values()) / 900
    return Estimate(seconds=seconds + memory * _SECONDS_BYTE, bytes=_BYTES_START + int(memory))


def count_at_most(tally: Tally, k: int, *, progress: Progress | None = None) -> int:
    """Count those of the 2**M subsets of the M pairs whose differences sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1)
    3
    """
    weighted = max(tally.values(), default=1) > 1
    # 1. List the sums of each part, ascending.
    (outer, times), (first, numbers), (second, weights) = [_subset_sums(part, k, weighted) for part in _deal(tally)]
    before = list(accumulate(numbers, initial=0))
    first.append(k + 1)  # where every pointer stops
    total = 0
    # 2. For each outer sum x, walk down the second list and up the first: pairs of sums up to k - x.
    for done, (x, n) in enumerate(zip(outer, times or repeat(1)), 1):
        beyond = len(second) - bisect_right(second, k - x)
        ranks: Iterable[int] = ranks_below(first, islice(reversed(second), beyond, None), k - x)
        if weighted:
            ranks = map(mul, map(before.__getitem__, ranks), islice(reversed(weights), beyond, None))
        total += n * sum(ranks)
        if progress:
            progress(done, len(outer))
    return total


def counts(tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
    """Raise ``ExactPermError``: this engine has no whole distribution."""
    raise ExactPermError("a meet in the middle counts up to one sum: it has no whole distribution")


def _deal(tally: Tally) -> tuple[dict[int, int], dict[int, int], dict[int, int]]:
    """Deal the tally to (outer, first, second): halves with about equally many sums, no more than they may list."""
    products = math.fsum(math.log2(c + 1) for c in tally.values())
    outer: dict[int, int] = {}
    inner = dict(tally)
    while products > 2 * _HALF_BITS + 0.5 and len(inner) > 1:
        d, c = inner.popitem()
        outer[d] = c
        products -= math.log2(c + 1)
    halves: tuple[dict[int, int], dict[int, int]] = ({}, {})
    lengths = [1, 1]
    for d, c in sorted(inner.items(), key=lambda group: -group[1]):
        shorter = lengths[1] < lengths[0]
        halves[shorter][d] = c
        lengths[shorter] *= c + 1
    return outer, *halves


def _subset_sums(tally: Tally, k: int, weighted: bool) -> tuple[list[int], list[int]]:
    """Return the subset sums up to k, ascending, and the number of subsets with each (empty if all are 1).

    While the list grows an entry is sum * 2**bits + weight: the order is that of the sums, and adding d * 2**bits
    leaves the weight alone. Sorting merges ascending runs in linear time.
    """
    bits = sum(tally.values()) + 1 if weighted else 0
    mask = (1 << bits) - 1
    limit = (k << bits) + mask
    found = [int(weighted)]
    for d, c in tally.items():
        grown = found[:]
        times = 1
        for j in range(1, min(c, k // d) + 1):
            times = times * (c + 1 - j) // j  # C(c, j)
            step = (j * d) << bits
            kept = islice(found, bisect_right(found, limit - step))
            if times == 1:
                grown += [e + step for e in kept]
            else:
                grown += [e + step + (e & mask) * (times - 1) for e in kept]
        grown.sort()
        found = grown
    if not weighted:
        return found, []
    return [e >> bits for e in found], [e & mask for e in found]


def ranks_below(ascending: list[int], descending: Iterator[int], k: int) -> Iterator[int]:
    """Yield, for each b of ``descending``, the number of entries <= k - b of ``ascending``, whose last is above k."""
    rank = 0
    for b in descending:
        limit = k - b
        while ascending[rank] <= limit:
            rank += 1
        yield rank
