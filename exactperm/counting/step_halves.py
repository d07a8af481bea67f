"""Meet in the middle for items whose values have weights: few items with values of any size.

The items are dealt to two halves, and the sums of each half are listed in ascending order. For
every sum b of one half a pointer into the other counts the choices with a sum up to k - b; it only
moves forward as b falls. So the s choices of each of N items cost about s**(N/2) steps. Where the
halves would be too long, the sums of the largest items are enumerated in an outer loop. Sums above
k are never listed.

For two items of 1 + 2x and k = 1 each half has the sums 0, 1 with the weights 1, 2: for b = 0 the
pointer stops after both, for b = 1 after the first, and the count is 1 (1 + 2) + 2 (1) = 5.

Source: Horowitz and Sahni 1974; spec/15-runs.md.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping
from itertools import accumulate, islice
from operator import mul

from ..budget import Estimate, Progress, Unfit
from ..errors import ExactPermError
from ..swaps.units import Step, choices
from .meet_in_the_middle import ranks_below

_HALF_BITS = 22  # a half lists up to about 2**22 sums
_MOST_ITEMS = 64
_MOST_STEPS = 1e12

# Measured on CPython 3.11.
_SECONDS_START, _SECONDS_SUM, _SECONDS_STEP, _SECONDS_WEIGHT = 2e-5, 2.5e-7, 1e-7, 1e-7
_BYTES_START, _BYTES_SUM = 3_000, 100


def estimate(types: Mapping[Step, int], k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the number of sums of each half."""
    if k is None:
        return Unfit(reason="counts up to one sum and has no whole distribution")
    if sum(types.values()) > _MOST_ITEMS:
        return Unfit(reason=f"is for at most {_MOST_ITEMS} items")
    outer, first, second = [math.prod(len(step) for step in part) for part in _deal(types)]
    steps = float(outer) * (first + second)
    if steps > _MOST_STEPS or max(first, second) > 2 ** (_HALF_BITS + 3):
        return Unfit(reason=f"would take more than {_MOST_STEPS:.0e} steps through sorted sums")
    weighted = any(weight > 1 for step in types for _value, weight in step)
    listed = outer + first + second
    seconds = (
        _SECONDS_START
        + listed * _SECONDS_SUM
        + steps * (_SECONDS_STEP + weighted * _SECONDS_WEIGHT)
    )
    digits = (k.bit_length() + weighted * choices(types).bit_length()) / 30
    return Estimate(seconds=seconds, bytes=int(_BYTES_START + listed * (_BYTES_SUM + 12 * digits)))


def count_at_most(types: Mapping[Step, int], k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    >>> count_at_most({((0, 1), (1, 2)): 2}, 1)
    5
    """
    (outer, times), (first, numbers), (second, weights) = [_sums(part, k) for part in _deal(types)]
    before = list(accumulate(numbers, initial=0))
    first.append(k + 1)  # where every pointer stops
    found = 0
    for done, (x, number) in enumerate(zip(outer, times), 1):
        beyond = len(second) - bisect_right(second, k - x)
        ranks = ranks_below(first, islice(reversed(second), beyond, None), k - x)
        found += number * sum(
            map(mul, map(before.__getitem__, ranks), islice(reversed(weights), beyond, None))
        )
        if progress:
            progress(done, len(outer))
    return found


def counts(types: Mapping[Step, int], *, progress: Progress | None = None) -> dict[int, int]:
    """Raise ``ExactPermError``: this engine has no whole distribution."""
    raise ExactPermError("a meet in the middle counts up to one sum: it has no whole distribution")


def _deal(types: Mapping[Step, int]) -> tuple[list[Step], list[Step], list[Step]]:
    """Deal the items to (outer, first, second): halves with about equally many sums, no more than they may list."""
    items = sorted(
        (step for step, number in types.items() for _ in range(number)), key=len, reverse=True
    )
    outer: list[Step] = []
    left = math.fsum(math.log2(len(step)) for step in items)
    while left > 2 * _HALF_BITS + 1 and len(items) > 2:
        outer.append(items.pop(0))
        left -= math.log2(len(outer[-1]))
    halves: tuple[list[Step], list[Step]] = ([], [])
    lengths = [1, 1]
    for step in items:
        shorter = lengths[1] < lengths[0]
        halves[shorter].append(step)
        lengths[shorter] *= len(step)
    return outer, *halves


def _sums(items: list[Step], k: int) -> tuple[list[int], list[int]]:
    """Return the sums up to k, ascending, and the number of choices with each.

    While the list grows an entry is sum * 2**bits + choices: the order is that of the sums. Sorting
    merges ascending runs in linear time. Equal sums need not be taken together.
    """
    bits = math.prod(sum(weight for _value, weight in step) for step in items).bit_length()
    mask = (1 << bits) - 1
    limit = (k << bits) + mask
    found = [1]
    for step in items:
        grown: list[int] = []
        for value, weight in step:
            shift = value << bits
            kept = islice(found, bisect_right(found, limit - shift))
            if weight == 1:
                grown += [entry + shift for entry in kept]
            else:
                grown += [entry + shift + (entry & mask) * (weight - 1) for entry in kept]
        grown.sort()
        found = grown
    return [entry >> bits for entry in found], [entry & mask for entry in found]
