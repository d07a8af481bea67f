"""Enumeration of all swap assignments: the definition itself, for small data.

The tally {1: 2, 3: 1} has the differences 1, 1 and 3, so the 2**3 subsets have the sums 0, 1, 1, 2,
3, 4, 4 and 5.

Source: Eq. 1; spec/09-own-theorems.md#own-enumeration.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import islice, product

from ..arithmetic.quoting import short_integer
from ..budget import Estimate, Progress, Unfit
from ..swaps.units import Units, steps_of
from .tally import bits_of

MAX_PAIRS = 22
"""Most pairs that are enumerated: 2**22 assignments take a few seconds."""

_SECONDS, _BYTES = 4e-7, 300
"""More than an assignment takes on CPython 3.11: a tuple from product(), its sum, and a dictionary
entry."""

_BLOCK = 1 << 16  # assignments between two reports of progress


def estimate(units: Units, k: int | None) -> Estimate | Unfit:
    """Bound seconds and bytes by the number of assignments: the engine runs by name only, for up to 22 pairs.

    >>> estimate({1: 23}, 3).reason
    'would visit 2**23 swap assignments, more than its limit of 2**22'
    """
    bits = math.ceil(bits_of(units))
    if bits > MAX_PAIRS:
        return Unfit(
            reason=f"would visit 2**{short_integer(bits)} swap assignments, more than its limit of 2**{MAX_PAIRS}"
        )
    return Estimate(seconds=_SECONDS * 2**bits, bytes=_BYTES * 2**bits)


def count_at_most(units: Units, k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1), count_at_most({((0, 1), (1, 2)): 2}, 1)
    (3, 5)
    """
    return sum(sum(x <= k for x in block) for block in _sums(units, progress))


def counts(units: Units, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending.

    >>> counts({1: 2, 3: 1})
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    seen: Counter[int] = Counter()
    for block in _sums(units, progress):
        seen.update(block)
    return {x: seen[x] for x in sorted(seen)}


def _sums(units: Units, progress: Progress | None) -> Iterator[Iterator[int]]:
    """Return the sums of all assignments, in blocks: each unit adds one of its values, as often as its weight says."""
    values = [
        [value for value, weight in step for _ in range(weight)]
        for step, c in steps_of(units).items()
        for _ in range(c)
    ]
    total = math.prod(map(len, values))
    sums = map(sum, product(*values))
    for start in range(0, total, _BLOCK):
        yield islice(sums, _BLOCK)
        if progress:
            progress(min(start + _BLOCK, total), total)
