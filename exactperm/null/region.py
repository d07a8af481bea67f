"""Extreme regions of a monotone statistic, row by row: {(x, y): y >= first(x)} where T is monotone in y.

The sums of a statistic such as F1 lie in a lattice of rank 2, X = sum of B_n (a_n, b_n). Where T
rises or falls along every row of fixed x, the points with T >= t are one end of each row. Rows that
end below, and complements, are turned upside down (y to -y), so that every region here is a set of
upper ends. A lattice of rank 1 or 0 is the row x = 0.

Points that are attainable lie in the zonotope of the deltas, and h is called on lattice points of
it only.

Source: spec/ratio-inversion.md#ratio-region, spec/09-own-theorems.md#own-monotone.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import accumulate

from ..arithmetic.rational import Exact
from ..record import Record, replaced
from ..swaps.lattice import Lattice, Point, axes
from ..swaps.statistic import Statistic, value_of
from .alternative import TailEnds

_Deltas = Mapping[tuple[int, ...], int]
Chain = list[tuple[int, int, int, int]]
"""Edges of a hull from left to right: (x, y) of the start, then the delta."""
Side = tuple[Exact, bool, bool]
"""(t, upper, strict): the tail T >= t, T > t, T <= t or T < t."""


class Hull:
    """The zonotope of all sums of a tally {(a, b): count}, a > 0, or a = 0 and b > 0: its rows and its corners.

    >>> hull = Hull({(1, 0): 2, (1, 2): 1})
    >>> [hull.row(x) for x in range(4)]
    [(0, 0), (0, 2), (0, 2), (2, 2)]
    """

    def __init__(self, tally: _Deltas) -> None:
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
    """Points of a lattice of rank 2 at most that lie in a tail, along whose rows T is monotone.

    Made by :func:`region`; ``_complement`` takes the points outside.
    """

    swaps: Lattice
    rule: Statistic
    side: Side
    _hull: Hull
    _falls: bool
    _complement: bool = False

    @property
    def _lowest(self) -> bool:
        """Whether the points of the tail come first in their row."""
        return self._falls == self.side[1]

    @property
    def flipped(self) -> bool:
        """Whether y counts downward from 0."""
        return self._lowest != self._complement

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

    @property
    def depth(self) -> int:
        """Distance of the first point from the end of the only row of a lattice of rank 1 at most; -1 for none."""
        return self.row(0)[1] - self.first(0)

    def outside(self) -> Region:
        """Return the complement of the region."""
        return replaced(self, _complement=not self._complement)

    def first(self, x: int, guess: int = 0) -> int:
        """Return the least y of row x from which on all points are in the region; one above the row for none.

        Doubling steps from a guess: some five calls of h.
        """
        low, high = self._hull.row(x)

        def above(y: int) -> bool:
            return self._inside(x, y) != self._lowest

        border = first_where(above, low, high + 1, 1 - guess if self.flipped else guess)
        return 1 - border if self.flipped else border

    def _inside(self, x: int, y: int) -> bool:
        t, upper, strict = self.side
        value = value_of(self.rule.combine, self.swaps.sums((x, y)[2 - self.swaps.rank :]))
        beyond = value.numerator * t.denominator - t.numerator * value.denominator
        return not strict if not beyond else (beyond > 0) == upper


def region(swaps: Lattice, rule: Statistic, side: Side) -> Region:
    """Return the region of a tail in a lattice of rank 2 at most, along whose rows T is monotone.

    h is called at every corner of the zonotope, which some assignment attains: a positive number
    over 0 is refused wherever it is, since the points with denominator 0 are a face, and the
    numerator is greatest at a corner of it.
    """
    hull = Hull({(0, 0, *delta)[-2:]: count for delta, count in swaps.tally.items()})
    falls = bool(swaps.basis) and direction(rule, swaps.basis[-1]) == -1
    made = Region(swaps=swaps, rule=rule, side=side, _hull=hull, _falls=falls)
    for x, y in hull.corners:
        made._inside(x, y)
    return made


def sides_of(ends: TailEnds, *, strict: bool) -> list[Side]:
    """Return the tails that (low, high) ends, without their boundary if ``strict``."""
    return [(t, upper, strict) for upper, t in zip((False, True), ends) if t is not None]


def coordinates(swaps: Lattice, rule: Statistic) -> list[Lattice]:
    """Return the lattice in coordinates along whose last one T is monotone; none of a rank above 2.

    The last vector of an echelon basis changes the fewest sums, so that its own coordinates often
    are; y is sheared along x until both are as little correlated as integers allow.
    """
    found = [swaps] if swaps.rank < 2 else []
    if swaps.rank == 2:
        xx, xy = [sum(count * d[0] * d[i] for d, count in swaps.tally.items()) for i in (0, 1)]
        matrices = [*axes(swaps.tally), ((1, 0), (-((2 * xy + xx) // (2 * xx)), 1))]
        found = [swaps.turned(matrix) for matrix in dict.fromkeys(matrices)]
    return [one for one in found if not one.basis or direction(rule, one.basis[-1])]


def direction(rule: Statistic, step: Point) -> int | None:
    """Return 1 where T never falls along the step, -1 where it never rises, None where the promises do not tell.

    >>> from exactperm.swaps.metrics import f1_difference
    >>> direction(f1_difference, (0, 1, 0, -1)), direction(f1_difference, (1, 1, -1, -1))
    (-1, None)
    """
    if rule.monotone is None or any(x and not sign for x, sign in zip(step, rule.monotone)):
        return None
    changes = [x * sign for x, sign in zip(step, rule.monotone)]
    return 1 if min(changes) >= 0 else -1 if max(changes) <= 0 else None


def first_where(holds: Callable[[int], bool], start: int, stop: int, guess: int) -> int:
    """Return the first k in start..stop-1 from which on ``holds(k)`` is true, or stop; doubling steps from a guess.

    >>> first_where(lambda k: k * k > 50, 0, 100, 6)
    8
    """
    probe = min(max(guess, start), stop - 1)
    step = 1
    while start < stop:
        if holds(probe):
            stop, probe = probe, probe - step
        else:
            start, probe = probe + 1, probe + step
        step *= 2
        if not start <= probe < stop:
            probe = (start + stop) // 2
    return start
