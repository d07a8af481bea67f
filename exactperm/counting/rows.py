"""Rows of packed integers: sums of m of N values, the labelings of two samples.

Row j of some values has a slot for each sum of j of them, counted from the least such sum, as wide
as the number of choices. A further value v, not below the others, is taken or not:
row[j] += row[j - 1] << (v + least[j - 1] - least[j]) slots, for all slots at once in C. Ascending
values keep rows short: j of i values have sums within j (i - j) times their mean distance.

The values are dealt to a lower and an upper half. By Vandermonde the choices of m are those of j
below and m - j above, so that with the counts L and U of the rows,

    #{X <= k} = sum over j, a of L[j][a] (U[m - j][0] + ... + U[m - j][rest - a]),

rest being k less what both least sums exceed the least sum of m. Where there are fewer choices than
slots, as of real numbers, the sums of both rows are listed and sorted, and bisection counts.

Two of 0, 0, 1, 2 in halves 0, 0 and 1, 2: rows 1, 2, 1 below, (1), (1, 1), (1) above. For k = 1 the
rest is 1 - 0 (j = 2), 0 (j = 1) and -2 (j = 0): 1 * 1 + 2 * 1 = 3 choices, the sums 0, 1 and 1.

Source: spec/16-two-samples-and-power.md#own-rows.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import accumulate, combinations
from operator import add

from ..arithmetic.slots import unpacked
from ..budget import DEFAULTS, Estimate, Options, Progress
from ..record import Record
from ..swaps.units import Draws, binomials, degree, is_symmetric
from .tally import ticker, weighted

# Measured on CPython 3.11.
# a row is visited; a byte of a row is shifted and added
_SECONDS_START, _SECONDS_ROW, _SECONDS_BYTE = 5e-5, 3e-7, 3e-10
# a slot is unpacked, summed and multiplied, of up to 8 bytes and wider; a digit times a digit
_SECONDS_SLOT, _SECONDS_WIDE, _SECONDS_PRODUCT = 1e-7, 3e-7, 1e-9
_SECONDS_LISTED = 6e-7  # a sum of some values, sorted and looked up
_BYTES_START, _BYTES_SLOT, _BYTES_LISTED = 10_000, 80, 80
_MOST_SLOTS = 10**200
"""Of an estimate, which is a float."""

_MOST_LISTED = 50
"""Values whose sums are listed at most, which are 2**50 then."""


_INSTEAD = (
    "fast_two_sample_test for certified digits (of midranks, for a test by ranks), or more with "
    "budget=Budget(seconds=, bytes=). Rounding the scores (decimals=) is cheaper but asks another question, with "
    "another p-value"
)


class _Part(Record):
    """A part of the ascending values, of which ``first`` to ``last`` are chosen."""

    values: Sequence[int]
    first: int
    last: int

    @cached_property
    def width(self) -> int:
        """Bytes of a slot: as many as hold the number of choices of any row."""
        n = len(self.values)
        return math.comb(n, n // 2).bit_length() // 8 + 1

    @cached_property
    def least(self) -> list[int]:
        """The least sum of j values, for each j."""
        return list(accumulate(self.values, initial=0))

    @cached_property
    def slots(self) -> int:
        """Number of slots of all rows."""
        low, n = self.least, len(self.values)
        slots = sum(low[n] - low[n - j] - low[j] + 1 for j in range(self.first, self.last + 1))
        return min(slots, _MOST_SLOTS)

    def rows(self, tick: Callable[[int], None]) -> dict[int, int]:
        """Return the packed rows from ``first`` to ``last``."""
        bits, n = 8 * self.width, len(self.values)
        # The rows of values that equal the first are binomial coefficients.
        alike = bisect_right(self.values, self.values[0])
        held = dict(enumerate(binomials(alike, self.last)))
        tick(alike)
        for i in range(alike, n):
            value, grown = self.values[i], {}
            # The values that are left must be enough to bring a row to ``first``.
            for j in range(max(0, self.first - n + i + 1), min(self.last, i + 1) + 1):
                with_it = held.get(j - 1, 0)
                if with_it:
                    with_it <<= (value - self.values[j - 1]) * bits
                grown[j] = held.get(j, 0) + with_it
            held = grown
            tick(1)
        return held

    def sums(self, j: int) -> list[int]:
        """Return the sums of j values, less the least, ascending."""
        least = self.least[j]
        return sorted([sum(some) - least for some in combinations(self.values, j)])


class _Way(Record):
    """Halves of the values, or all of them, whether their rows are packed, and the cost."""

    parts: tuple[_Part, ...]
    packed: bool
    cost: Estimate


def _halves(values: Sequence[int], m: int) -> _Way:
    """Return the cheapest way to count choices of m: halves end in the middle, or beside the values that are there."""
    n = len(values)
    middle = values[n // 2]
    ends = {n // 2, bisect_left(values, middle), bisect_right(values, middle)} - {0, n}
    ways = []
    for end in ends:
        few, most = max(0, m - n + end), min(m, end)
        lower = _Part(values=values[:end], first=few, last=most)
        ways.append(_way(lower, _Part(values=values[end:], first=m - most, last=m - few)))
    return min(ways, key=lambda way: way.cost.seconds)


def _way(*parts: _Part) -> _Way:
    """Return the cheaper of packed and of listed sums of these parts."""
    rows = parts[0].last - parts[0].first + 1
    slots = sum([part.slots for part in parts])
    widths = [part.width for part in parts]
    each = _SECONDS_SLOT if max(widths) <= 8 else _SECONDS_WIDE
    each += math.prod([width * 8 / 30 for width in widths]) * _SECONDS_PRODUCT
    # A row is as long as at the end for a quarter of the values.
    bytes_ = sum([part.slots * part.width for part in parts])
    added = sum([part.slots * part.width * len(part.values) for part in parts]) / 4
    visited = rows * sum([len(part.values) for part in parts])
    packed = Estimate(
        seconds=_SECONDS_START + visited * _SECONDS_ROW + added * _SECONDS_BYTE + slots * each,
        bytes=_BYTES_START + 2 * slots // rows * _BYTES_SLOT + 2 * bytes_,
    )
    if max([len(part.values) for part in parts]) > _MOST_LISTED:
        return _Way(parts=parts, packed=True, cost=packed)
    ways = [
        [math.comb(len(part.values), j) for j in range(part.first, part.last + 1)] for part in parts
    ]
    listed = Estimate(
        seconds=_SECONDS_START + sum(map(sum, ways)) * _SECONDS_LISTED,
        bytes=_BYTES_START + sum(map(max, ways)) * _BYTES_LISTED,
    )
    best = min(packed, listed, key=lambda cost: cost.seconds)
    return _Way(parts=parts, packed=best is packed, cost=best)


def tail_counts(
    pool: Draws, low: int | None, high: int | None, options: Options = DEFAULTS
) -> tuple[int, int, str]:
    """Count the choices of a pool with X <= ``low``, and those with X >= ``high``; name the engine.

    None stands for a tail that is not needed, whose count is 0. Raises ``BudgetExceeded`` before
    any work.

    >>> tail_counts({(2, (0, 0, 1, 2)): 1}, 0, 3)
    (1, 1, 'rows')
    """
    ((m, values),) = pool
    work = f"counting the choices of {m} of {len(values)} observations"
    options.budget.check(estimate(values, m), work, _INSTEAD)
    same = is_symmetric(pool) and low is not None and high == degree(pool) - low
    ends = [-1 if low is None else low, *([] if high is None or same else [high - 1])]
    found = count_at_most(values, m, ends, progress=options.progress)
    if same:
        return found[0], found[0], "rows"
    return found[0], 0 if high is None else math.comb(len(values), m) - found[-1], "rows"


def distribution(pool: Draws, options: Options = DEFAULTS) -> dict[int, int]:
    """Return {X: number of choices} of a pool, ascending; ``BudgetExceeded`` before any work."""
    ((m, values),) = pool
    work = f"listing the sums of {m} of {len(values)} observations"
    options.budget.check(estimate_counts(values, m), work, _INSTEAD)
    return counts(values, m, progress=options.progress)


def estimate(values: Sequence[int], m: int) -> Estimate:
    """Estimate seconds and bytes of :func:`count_at_most`."""
    return _halves(values, m).cost


def estimate_counts(values: Sequence[int], m: int) -> Estimate:
    """Estimate seconds and bytes of :func:`counts`."""
    return _way(_Part(values=values, first=m, last=m)).cost


def count_at_most(
    values: Sequence[int], m: int, ends: Iterable[int], *, progress: Progress | None = None
) -> list[int]:
    """Count, for each of ``ends``, the choices of m of the values whose sum exceeds the least by at most that.

    ``values`` ascend; 0 < m < their number N. Cost: for integers some N**3 / 100 times the greatest value, in
    additions of slots; for real numbers 2**(N / 2).
    Source: spec/16-two-samples-and-power.md#own-rows.

    >>> count_at_most((0, 0, 1, 2), 2, (0, 1, 3))
    [1, 3, 6]
    """
    way = _halves(values, m)
    lower, upper = way.parts
    rows = range(lower.first, lower.last + 1)
    tick = ticker(progress, len(values) if way.packed else len(rows))
    below, above = [part.rows(tick) for part in way.parts] if way.packed else ({}, {})
    ends = list(ends)
    found = [0] * len(ends)
    for j in rows:
        start = lower.least[j] + upper.least[m - j] - sum(values[:m])
        if way.packed:
            first = unpacked(below[j], lower.width)
            upto = list(accumulate(unpacked(above[m - j], upper.width)))
            more = [weighted(first, upto, max(-1, k - start)) for k in ends]
        else:
            first, second = lower.sums(j), upper.sums(m - j)
            more = [sum([bisect_right(second, k - start - a) for a in first]) for k in ends]
            tick(1)
        found = list(map(add, found, more))
    return found


def counts(values: Sequence[int], m: int, *, progress: Progress | None = None) -> dict[int, int]:
    """Return {sum less the least: number of choices} of all choices of m of the ascending values.

    >>> counts((0, 0, 1, 2), 2)
    {0: 1, 1: 2, 2: 2, 3: 1}
    """
    way = _way(_Part(values=values, first=m, last=m))
    (whole,) = way.parts
    if not way.packed:
        return dict(Counter(whole.sums(m)))
    row = whole.rows(ticker(progress, len(values)))[m]
    return {x: count for x, count in enumerate(unpacked(row, whole.width)) if count}
