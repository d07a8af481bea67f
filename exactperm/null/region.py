"""Extreme region of a statistic of two coordinates, row by row: {(x, y): y >= first(x)} where T is monotone in y.

The sums of a statistic such as F1 lie in a lattice of rank 2, X = sum of B_n (a_n, b_n). Where T
rises or falls along every row of fixed x, the points with T >= t are one end of each row. Rows that
end below, and complements, are turned upside down (y to -y), so that every region here is a set of
upper ends.

Points that are attainable lie in the zonotope of the deltas, and h is called on lattice points of
it only.

Source: spec/ratio-inversion.md#ratio-region.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate

from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..record import Record, replaced
from ..swaps.lattice import Lattice, combination
from ..swaps.statistic import Statistic
from .joint import value_of
from .monotone import direction, first_where

Tally = Mapping[tuple[int, ...], int]
Chain = list[tuple[int, int, int, int]]
"""Edges of a hull from left to right: (x, y) of the start, then the delta."""


class Hull:
    """The zonotope of all sums of a tally {(a, b): count}, a > 0, or a = 0 and b > 0: its rows and its corners.

    >>> hull = Hull({(1, 0): 2, (1, 2): 1})
    >>> [hull.row(x) for x in range(4)]
    [(0, 0), (0, 2), (0, 2), (2, 2)]
    """

    def __init__(self, tally: Tally) -> None:
        upright = sum(b * count for (a, b), count in tally.items() if not a)
        slanted = sorted(
            (Fraction(b, a), a * count, b * count) for (a, b), count in tally.items() if a
        )
        self._lower = _chain(0, [(a, b) for _, a, b in slanted])
        self._upper = _chain(upright, [(a, b) for _, a, b in reversed(slanted)])
        self.right = sum(a for _, a, _ in slanted)
        self.corners = list(dict.fromkeys((x, y) for x, y, _, _ in [*self._lower, *self._upper]))
        self._starts = [x for x, *_ in self._lower], [x for x, *_ in self._upper]

    def row(self, x: int) -> tuple[int, int]:
        """Return the least and the greatest integer y of the zonotope in row x, 0 <= x <= right."""
        low = self._lower[bisect_right(self._starts[0], x) - 1]
        high = self._upper[bisect_right(self._starts[1], x) - 1]
        return -(-_above(low, x) // low[2]), _above(high, x) // high[2]


def _chain(start: int, edges: Sequence[tuple[int, int]]) -> Chain:
    """Return the edges of one side, with a last one of no height that starts at its end."""
    xs = accumulate((a for a, _ in edges), initial=0)
    ys = accumulate((b for _, b in edges), initial=start)
    return [(x, y, a, b) for x, y, (a, b) in zip(xs, ys, [*edges, (1, 0)])]


def _above(edge: tuple[int, int, int, int], x: int) -> int:
    """Return the numerator, over the edge's width, of its height at x."""
    start, y, a, b = edge
    return y * a + (x - start) * b


class Region(Record):
    """Points of a lattice of rank 2 with T >= t (T > t if ``strict``), or T <= t (T < t) for ``upper`` false.

    ``flipped`` looks at it upside down; ``complement`` takes the points outside. Both are set by
    :func:`region`.
    """

    swaps: Lattice
    rule: Statistic
    t: Exact
    upper: bool
    strict: bool
    _hull: Hull
    _falls: bool
    _complement: bool = False

    @property
    def flipped(self) -> bool:
        """Whether y counts downward from 0."""
        return (self._falls == self.upper) != self._complement

    @property
    def deltas(self) -> dict[tuple[int, int], int]:
        """The tally {(a, b): count} in the coordinates of the region."""
        sign = -1 if self.flipped else 1
        return {(a, sign * b): count for (a, b), count in self.swaps.tally.items()}

    @property
    def rows(self) -> tuple[int, int, int]:
        """Rows where the region or its complement may be looked for: the middle, the observed one, and its mirror."""
        seen = self.swaps.observed[0]
        return self.right // 2, seen, self.right - seen

    @property
    def right(self) -> int:
        """The greatest x of a point that is attainable."""
        return self._hull.right

    def row(self, x: int) -> tuple[int, int]:
        """Return integers y below and above which row x has no attainable point."""
        low, high = self._hull.row(x)
        return (-high, -low) if self.flipped else (low, high)

    def outside(self) -> Region:
        """Return the complement of the region."""
        return replaced(self, _complement=not self._complement)

    def first(self, x: int, guess: int = 0) -> int:
        """Return the least y of row x from which on all points are in the region; one above the row for none.

        Doubling steps from a guess: some five calls of h.
        """
        low, high = self._hull.row(x)
        inside = partial(self._inside, x)
        holds = (lambda y: not inside(y)) if self._falls == self.upper else inside
        border = first_where(holds, low, high + 1, 1 - guess if self.flipped else guess)
        return 1 - border if self.flipped else border

    def _inside(self, x: int, y: int) -> bool:
        value = self._value(x, y)
        if self.upper:
            return value > self.t if self.strict else value >= self.t
        return value < self.t if self.strict else value <= self.t

    def _value(self, x: int, y: int) -> Exact:
        swaps = self.swaps
        sums: Sequence[Exact] = combination((x, y), swaps.basis, swaps.low)
        if swaps.scale > 1:
            sums = [Fraction(total, swaps.scale) for total in sums]
        return exact(value_of(self.rule.combine, sums))


def region(swaps: Lattice, rule: Statistic, t: Exact, *, upper: bool, strict: bool) -> Region:
    """Return the region T >= t, T > t, T <= t or T < t of a lattice of rank 2 along whose rows T is monotone.

    h is called at every corner of the zonotope, which some assignment attains: a positive number
    over 0 is refused wherever it is, since the points with denominator 0 are a face, and the
    numerator is greatest at a corner of it.
    """
    made = Region(
        swaps=swaps,
        rule=rule,
        t=t,
        upper=upper,
        strict=strict,
        _hull=Hull(swaps.tally),
        _falls=direction(rule, swaps.basis[-1]) == -1,
    )
    for x, y in made._hull.corners:
        made._value(x, y)
    return made
