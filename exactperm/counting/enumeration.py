"""Every swap assignment, one after the other: the definition itself, and the oracle of the other engines.

Source: ids own-enumeration, own-mass, own-plan, course-procedure.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice, product

from ..arithmetic.quoting import short_integer
from ..budget import Estimate, Progress, Unfit
from .tally import Tally

MAX_PAIRS = 22
"""Most pairs that are enumerated: 2**22 assignments take a few seconds."""

_BLOCK = 1 << 16  # assignments between two reports of progress

# Measured on CPython 3.11: one assignment costs a tuple from product(), its sum, and a comparison or dictionary entry.
_SECONDS_START = 4e-6
_SECONDS_ASSIGNMENT = 6e-8
_SECONDS_PAIR = 6.5e-9
_SECONDS_DIGIT = 1e-9  # of one addition
_SECONDS_SORTED = 4e-8  # a comparison
_BYTES_START = 2_000
_BYTES_SUM = 250


def estimate(tally: Tally, k: int | None) -> Estimate | Unfit:
    """Seconds and bytes: 2**M assignments of M additions each; above 22 pairs the engine does not apply.

    >>> estimate({1: 23}, 3).reason
    'would visit 2**23 swap assignments, more than its limit of 2**22'
    """
    pairs = sum(tally.values())
    if pairs > MAX_PAIRS:
        return Unfit(
            reason=f"would visit 2**{short_integer(pairs)} swap assignments, more than its limit of 2**{MAX_PAIRS}"
        )
    total = 1 << pairs
    reach = sum(d * c for d, c in tally.items())
    digits = reach.bit_length() / 30
    seconds = _SECONDS_START + total * (_SECONDS_ASSIGNMENT + pairs * (_SECONDS_PAIR + digits * _SECONDS_DIGIT))
    if k is not None:
        return Estimate(seconds=seconds, bytes=_BYTES_START)
    kept = min(total, reach + 1)
    seconds += kept * math.log2(kept + 1) * _SECONDS_SORTED
    return Estimate(seconds=seconds, bytes=_BYTES_START + kept * (_BYTES_SUM + reach.bit_length() // 7))


def count_at_most(tally: Tally, k: int, *, progress: Progress | None = None) -> int:
    """The number of the 2**M subsets of the M pairs whose differences sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1)
    3
    """
    return sum(sum(x <= k for x in block) for block in _sums(tally, progress))


def counts(tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
    """The whole distribution {sum: number of subsets}, ascending.

    >>> counts({1: 2, 3: 1})
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    seen: Counter[int] = Counter()
    for block in _sums(tally, progress):
        seen.update(block)
    return {x: seen[x] for x in sorted(seen)}


def _sums(tally: Tally, progress: Progress | None) -> Iterator[Iterator[int]]:
    """The sum of every assignment, in blocks: each pair gives 0 (stay) or its difference (swap)."""
    choices = [(0, d) for d, c in tally.items() for _ in range(c)]
    total = 1 << len(choices)
    sums = map(sum, product(*choices))
    for start in range(0, total, _BLOCK):
        yield islice(sums, _BLOCK)
        if progress:
            progress(min(start + _BLOCK, total), total)
