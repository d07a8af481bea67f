"""Short counts: the product of all 1 + x^d, unit by unit, packed into one integer.

A slot of M + 1 bits holds each of the numbers P[0], ..., P[k] of subsets with sum 0, ..., k.
Multiplying by 1 + x^d is a shift and an addition; what lies beyond k is cut off. A slot is one
digit in base B = 2^(M+1), and modulo B - 1 a number is the sum of its digits, which is at most 2^M
< B - 1.

For the differences 1, 1, 3 and k = 1, B = 16: (1 + 16)^2 = 1 + 2 * 16 + ..., cut off to 1 + 2 * 16
= 33, times 1 + 16^3 is 33 again, and 33 mod 15 = 3. Nothing is sorted or tallied: a small test
counts its differences as they come.

Source: spec/09-own-theorems.md#own-short-count.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from .._types import TYPE_CHECKING
from .methods import first_of

if TYPE_CHECKING:
    from ..budget import Options


MOST_WORK = 4_000_000
"""Terms times the square of the pairs up to which a count is short: a tenth of a millisecond."""

MOST_UNITS = 256
"""Number of swap units above which a tally is made first: of so many, few counts are short, and
differences repeat."""


SOON = 5e-4
"""Seconds below which no further engine is considered: loading its module would take longer than it
could save."""

_SOON_BYTES = 2**23
"""Bytes that a short count stays below."""

_UNDIVIDED = 20_000
"""Work below which a common divisor is not looked for: that would take as long as it could save."""


def allows_short(options: Options) -> bool:
    """Return whether a short count needs no planning: "auto" would take it, within the budget.

    >>> from exactperm.budget import Options
    >>> allows_short(Options()), allows_short(Options(method="dp"))
    (True, False)
    """
    budget = options.budget
    return (
        options.method in ("auto", first_of("auto"))
        and budget.seconds >= SOON
        and budget.bytes >= _SOON_BYTES
    )


def short_count(differences: Sequence[int], pairs: int, k: int) -> int:
    """Count the subsets with sum at most k >= 0 of differences d >= 0, of which ``pairs`` > 0 are not 0 and count.

    Differences above k are correct, but cost their length.

    >>> short_count([1, 1, 3], 3, 1), short_count([1, 0, 1, 3, 0], 3, 1)
    (3, 3)
    """
    width = pairs + 1
    slots = (1 << width * (k + 1)) - 1
    packed = 1
    for d in filter(None, differences):
        packed = packed + (packed << width * d) & slots
    return packed % ((1 << width) - 1)


def short_count_at_most(differences: Sequence[int], pairs: int, reach: int, k: int) -> int | None:
    """Count as :func:`short_count` does, for any k in 0..reach; None where that is not short.

    ``reach`` is the sum of all d. The smaller threshold of #{X <= k} = 2^M - #{X <= reach - k - 1}
    is counted; differences with a common divisor are so many steps of it. Where ``reach`` is
    ``pairs``, all that are not 0 are 1, and ``differences`` may keep their signs: only their number
    is needed.

    >>> short_count_at_most([2, 2, 0, 6], 3, 10, 3)
    3
    """
    above = 2 * k >= reach
    if above:
        k = reach - k - 1
        if k < 0:
            return 1 << pairs
    if pairs * pairs * (k + 1) > _UNDIVIDED:
        step = math.gcd(*differences[:8])  # of most data, already 1
        step = step if step == 1 else math.gcd(step, *differences)
        k //= step
        if pairs * pairs * (k + 1) > MOST_WORK:
            return None
        if step > 1:
            differences = [d // step for d in differences]
        reach //= step
    if reach == pairs:  # all are 1: binomial coefficients, each from the one before
        count = term = 1
        for i in range(k):
            term = term * (pairs - i) // (i + 1)
            count += term
        return (1 << pairs) - count if above else count
    if reach > 8 * k + 64:  # far in the tail, where some differences may be far above k
        differences = [d for d in differences if d <= k]
    count = short_count(differences, pairs, k)
    return (1 << pairs) - count if above else count
