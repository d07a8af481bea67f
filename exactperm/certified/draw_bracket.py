"""Certified brackets of P(X <= k), X = a sum of drawn values: of two samples, or of items with several runs.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from ..arithmetic.enclosure import ONE, ZERO, Enclosure
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Progress
from ..errors import BudgetExceeded
from ..record import Record
from ..swaps.draws import Draws, mean, mirrored, normal, span
from .bracket import QUICK, SECONDS_LEAST, SECONDS_PER_UNIT, Meter, Search, narrowed, refusal
from .draws import DrawFactors
from .inversion import Inversion
from .parameters import choose

_UNITS_VALUE, _UNITS_CELL = 240, 8  # before any inversion: for a value, and for a value chosen or not


class Count(Record):
    """An exact count of the probability: the seconds that it is estimated to take, and how to make it."""

    seconds: float
    made: Callable[[], Enclosure]


def draw_bracket(
    draws: Draws,
    k: int,
    digits: int | None = None,
    *,
    budget: Budget = QUICK,
    progress: Progress | None = None,
    count: Count | None = None,
) -> Enclosure:
    """Enclose P(X <= k) of a sum of draws to a relative width of 10**-digits.

    ``draws`` is {(m, n ascending integers): number of units}: X is the sum over all units of m of
    the n values, all C(n, m) choices equally likely, less the least such sum. ``k`` is any int;
    ``digits`` and all else as in :func:`exactperm.certified.bracket.tail_bracket`. No sum is
    listed. An exact ``count`` of the same probability answers where it is quicker. P(X >= k) is 1 -
    P(X <= k - 1), and that P(X <= D - k) of the mirrored draws, D the greatest X.
    Cost: for each frequency two microseconds for each value, more for hundreds of them.
    Source: Theorem 4 and Theorem 15; spec/tilted-inversion.md.

    >>> draw_bracket({(2, (0, 1, 3, 5)): 1}, 3, 6).floats()
    (0.49999999999999917, 0.5000000000000009)
    """
    draws, step = normal(draws)
    k //= step
    if k < 0 or not draws or k >= span(draws):
        return ZERO if k < 0 else ONE
    above = k > mean(draws)
    if above:
        draws, k = mirrored(draws), span(draws) - k - 1
    value = narrowed(_DrawTail(draws, k, count, (budget, Meter(progress))), digits, budget)
    return value.complement() if above and value is not ZERO else value


class _DrawTail:
    """P(X <= k) for 0 <= k <= E X."""

    quick = SECONDS_LEAST

    def __init__(self, draws: Draws, k: int, count: Count | None, about: tuple[Budget, Meter]) -> None:
        self._draws, self._k, self._count = draws, k, count
        self._budget, self._meter = about
        self.exact = inf if count is None else count.seconds
