"""Choose the tilt, the rows and the window of an inversion in two dimensions, in floats.

Nothing here enters a bound: a bad choice only widens the bracket or costs time. As in
:mod:`exactperm.certified.parameters`, only operations that IEEE 754 rounds the same way everywhere
are used.

Source: spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from .._types import TYPE_CHECKING
from ..record import Record
from .parameters import LN2, chernoff_step, pair_cumulants, saddle

if TYPE_CHECKING:
    from typing import Protocol

    from .parameters import Cumulants

    class Region(Protocol):
        """Points of a lattice, {(x, y): y >= first(x)} in each row x; X = sum of B_n (a_n, b_n)."""

        @property
        def deltas(self) -> Mapping[tuple[int, int], int]:
            """The tally {(a, b): number of units}, a > 0, or a = 0."""

        @property
        def right(self) -> int:
            """The greatest x that is attainable; the least is 0."""

        @property
        def rows(self) -> tuple[int, int, int]:
            """The middle row, and two others where the region may be looked for."""

        def row(self, x: int) -> tuple[int, int]:
            """Return integers y below and above which row x has no attainable point."""

        def first(self, x: int, guess: int = 0) -> int:
            """Return the least y of the region in row x, above the row for none."""

        def outside(self) -> Region:
            """Return the complement, seen upside down."""


Pair = tuple[float, float]
FloatDeltas = list[tuple[float, float, float]]
"""[(a, b, number of units with this delta)]."""


_STEEPEST = 1e300
_NONE = 0.0, 0.0
_ACROSS = 1.0, 0.0
_UP = 0.0, 1.0
_NEXT = 0.005  # of the whole range: so far below the end the tilted mean stays


class Window(Record):
    """Free parameters of one inversion in two dimensions.

    ``tilt`` is the slope (alpha, beta) with beta >= 0. ``changes`` lead from it to the slopes of
    the Chernoff bounds of what is left of the rows, right of them, above the window and below it.
    ``far`` are slopes in x alone for what is left and right of the ``outer`` rows, in which the
    region is looked at row by row. ``rows`` are the first and the last row that are summed,
    ``height`` the length of each row's window, ``period`` that of y; the period of x is the number
    of rows. ``scarcity`` is a rough 1 / S, ``deviations`` are those of x and y under the tilt.
    """

    tilt: Pair
    changes: tuple[Pair, Pair, Pair, Pair]
    far: Pair
    rows: tuple[int, int]
    outer: tuple[int, int]
    height: int
    period: int
    scarcity: float
    deviations: Pair


def line(units: FloatDeltas, tilt: Pair, v: Pair) -> Cumulants:
    """Return the cumulants of v X under the tilt ``tilt`` + s v, as a function of s."""
    (alpha, beta), (p, q) = tilt, v
    return pair_cumulants((alpha * a + beta * b, p * a + q * b, count) for a, b, count in units)


def deviation(units: FloatDeltas, tilt: Pair, v: Pair) -> float:
    """Return the standard deviation of v X under a tilt."""
    return math.sqrt(max(1e-300, line(units, tilt, v)(0.0)[2]))


class Border:
    """The border of a region, each row evaluated once: its height at a row, and its slope there as a float."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self.groups = [
            (float(a), float(b), float(count)) for (a, b), count in region.deltas.items()
        ]
        self._heights: dict[int, int] = {}
        self._guess = 0

    def __call__(self, x: int) -> int:
        """Return ``region.first(x)``, searched from the row before."""
        if x not in self._heights:
            near = self._heights.get(x - 1, self._heights.get(x + 1, self._guess))
            self._heights[x] = self._guess = self.region.first(x, near)
        return self._heights[x]

    def holds(self, x: int) -> bool:
        """Return whether row x has points of the region, as far as known."""
        return 0 <= x <= self.region.right and self(x) <= self.region.row(x)[1]

    def start(self) -> int:
        """Return a row that has points of the region, or else the middle."""
        middle, *others = self.region.rows
        grid = (self.region.right * i // 16 for i in range(17))
        return next((x for x in (middle, *others, *grid) if self.holds(x)), middle)

    def slope(self, x: int, reach: float) -> float:
        """Return the slope of the border between two rows around x, of those that have points of the region."""
        step = max(1, int(reach / 2.0))
        low, high = [
            y if self.holds(y) else x for y in (max(0, x - step), min(self.region.right, x + step))
        ]
        return (self(high) - self(low)) / (high - low) if high > low else 0.0


def shape(border: Border) -> tuple[bool, float]:
    """Return whether the middle of all sums lies in the region, and a measure of the work of its inversion."""
    groups = border.groups
    across = deviation(groups, _NONE, _ACROSS)
    slope = border.slope(border.start(), across)
    middle = border.region.right // 2
    inside = border.holds(middle) and border(middle) <= line(groups, _NONE, _UP)(0.0)[1]
    return inside, across * deviation(groups, _NONE, (-slope, 1.0))


def _normal(border: Border) -> tuple[Pair, Pair]:
    """Return (tilt, normal): the slope at which the tilted mean lies on the border and the tilt is normal to it.

    The normal is (-slope of the border, 1). The tilt is 0 where the border is within one standard
    deviation of the middle. Each step solves for the tilt along the normal of the step before;
    where that leads to a row without points of the region, half-way back.
    """
    groups = border.groups
    reach = deviation(groups, _NONE, _ACROSS)
    row = border.start()
    for _ in range(6):
        v = (-border.slope(row, reach), 1.0)
        length = _toward(groups, v, v[0] * row + border(row))
        tilt = length * v[0], length
        x = line(groups, tilt, _ACROSS)(0.0)[1]
        following = max(0, min(border.region.right, int(x + 0.5)))
        while not border.holds(following) and following != row:
            following = row + int((following - row) / 2.0)
        if abs(following - row) <= 0.1 * reach:
            break
        row = following
    return tilt, v


def _toward(units: FloatDeltas, v: Pair, level: float) -> float:
    """Return the length s >= 0 at which the mean of v X under the tilt s v is ``level``.

    A level next to the greatest value of v X, where s grows without bound, is lowered.
    """
    changes = [(v[0] * a + v[1] * b) * count for a, b, count in units]
    greatest = sum([max(0.0, change) for change in changes])
    least = sum([min(0.0, change) for change in changes])
    level = min(level, greatest - _NEXT * (greatest - least))
    return -saddle(line(units, _NONE, (-v[0], -v[1])), -level, -_STEEPEST)


def _edge(units: FloatDeltas, tilt: Pair, v: Pair, nats: float) -> Pair:
    """Return (s, K(s) + nats), K(s) = log E_q exp(s v X): q(v X >= (K + nats) / s) <= exp(-nats), the least such."""
    cumulants = line(units, tilt, v)
    growth, _, variance = cumulants(0.0)
    step, change = chernoff_step(cumulants, (0.0, growth, variance), 0.0, nats, _STEEPEST)
    return step, change + nats


def _rows(border: Border, tilt: Pair, nats: float) -> tuple[tuple[int, int], Pair]:
    """Return the rows beyond which x is as rare as exp(-nats) on either side, and the changes of slope that show it."""
    left, to_left = _edge(border.groups, tilt, (-1.0, 0.0), nats)
    right, to_right = _edge(border.groups, tilt, _ACROSS, nats)
    last = min(border.region.right, int(to_right / right) + 1)
    return (max(0, int(-to_left / left)), last), (-left, right)


def choose(border: Border, bits: int) -> Window:
    """Choose parameters for errors of about P(region) * 2**-bits."""
    groups = border.groups
    tilt, v = _normal(border)
    scarcity = 1.0 + 2.5 * tilt[1] * deviation(groups, tilt, v)
    nats = LN2 * (bits + math.frexp(scarcity)[1])
    (first, last), (left, right) = _rows(border, tilt, nats)
    middle = int(line(groups, tilt, _ACROSS)(0.0)[1])
    growth = line(groups, tilt, v)(0.0)[0] - LN2 * sum([count for _, _, count in groups])
    rarity = tilt[0] * middle + tilt[1] * border(middle) - growth  # about -log F
    outer, far = _rows(border, _NONE, nats + max(0.0, rarity))
    levels = [v[0] * x + border(x) for x in range(first, last + 1) if border.holds(x)] or [0.0]
    up, above = _edge(groups, tilt, v, nats)
    down, below = _edge(groups, tilt, (-v[0], -v[1]), nats)
    spans = [high + 1 - low for low, high in map(border.region.row, range(first, last + 1))]
    height = max(1, min(max(spans), int((above - up * min(levels)) / (up + tilt[1])) + 1))
    period = height + max(1, min(max(spans), int(below / down + max(levels)) + 1))
    return Window(
        tilt=tilt,
        changes=((left, 0.0), (right, 0.0), (up * v[0], up), (-down * v[0], -down)),
        far=far,
        # an odd number of rows; the last one may have no points
        rows=(first, last + (last - first) % 2),
        outer=(min(first, outer[0]), max(last, outer[1])),
        height=height,
        period=period + 1 - period % 2,
        scarcity=scarcity,
        deviations=(deviation(groups, tilt, _ACROSS), deviation(groups, tilt, _UP)),
    )
