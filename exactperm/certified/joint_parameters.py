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
from .parameters import Triple, chernoff_step, exponential, log_one_plus, saddle

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


_LN2 = 0.6931471805599453
_STEEPEST = 1e300
_NEXT = 0.005  # of the whole range: so far below the end the tilted mean stays


class Window(Record):
    """Free parameters of one inversion in two dimensions.

    ``tilt`` is the slope (alpha, beta) with beta >= 0. ``changes`` lead from it to the slopes of
    the Chernoff bounds of what is left of the rows, right of them, above the window and below it.
    ``far`` are slopes in x alone for what is left and right of the ``outer`` rows, in which the
    region is looked at row by row. ``rows`` are the first and the last row that are summed,
    ``height`` the length of each row's window, ``period`` that of y; the period of x is the number
    of rows. ``scarcity`` is a rough 1 / S, ``spread`` the tilted covariance (xx, xy, yy).
    """

    tilt: Pair
    changes: tuple[Pair, Pair, Pair, Pair]
    far: Pair
    rows: tuple[int, int]
    outer: tuple[int, int]
    height: int
    period: int
    scarcity: float
    spread: tuple[float, float, float]


def cumulants(units: FloatDeltas, tilt: Pair) -> tuple[float, Pair, tuple[float, float, float]]:
    """Return log E exp(tilt X) with its gradient, the mean, and its second derivatives (xx, xy, yy), the covariance."""
    alpha, beta = tilt
    growth = mean_x = mean_y = xx = xy = yy = 0.0
    for a, b, count in units:
        u = alpha * a + beta * b
        x = exponential(-abs(u))
        share = (1.0 if u > 0.0 else x) / (1.0 + x)
        growth += count * (log_one_plus(x) + max(0.0, u) - _LN2)
        mean_x += count * share * a
        mean_y += count * share * b
        weight = count * x / ((1.0 + x) * (1.0 + x))
        xx += weight * a * a
        xy += weight * a * b
        yy += weight * b * b
    return growth, (mean_x, mean_y), (xx, xy, yy)


def along(vector: Pair, spread: tuple[float, float, float]) -> float:
    """Return the standard deviation of vector * X."""
    v, w = vector
    xx, xy, yy = spread
    return math.sqrt(max(1e-300, v * v * xx + 2.0 * v * w * xy + w * w * yy))


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
    _, mean, spread = cumulants(border.groups, (0.0, 0.0))
    across = along((1.0, 0.0), spread)
    row = border.start()
    slope = border.slope(row, across)
    middle = border.region.right // 2
    return border.holds(middle) and border(middle) <= mean[1], across * along((-slope, 1.0), spread)


def _normal(border: Border) -> tuple[Pair, Pair]:
    """Return (tilt, normal): the slope at which the tilted mean lies on the border and the tilt is normal to it.

    The normal is (-slope of the border, 1). The tilt is 0 where the border is within one standard
    deviation of the middle. Each step solves for the tilt along the normal of the step before;
    where that leads to a row without points of the region, half-way back.
    """
    groups = border.groups
    spread = cumulants(groups, (0.0, 0.0))[2]
    reach = along((1.0, 0.0), spread)
    row = border.start()
    for _ in range(6):
        v = (-border.slope(row, reach), 1.0)
        length, mean = _toward(groups, v, v[0] * row + border(row))
        following = max(0, min(border.region.right, int(mean[0] + 0.5)))
        while not border.holds(following) and following != row:
            following = row + int((following - row) / 2.0)
        if abs(following - row) <= 0.1 * reach:
            break
        row = following
    return (length * v[0], length), v


def _toward(units: FloatDeltas, v: Pair, level: float) -> tuple[float, Pair]:
    """Return the length s >= 0 at which the mean of v X under the tilt s v is ``level``, and the mean of X there.

    A level next to the greatest value of v X, where s grows without bound, is lowered.
    """
    greatest = least = 0.0
    for a, b, count in units:
        change = v[0] * a + v[1] * b
        greatest += max(0.0, change) * count
        least += min(0.0, change) * count
    level = min(level, greatest - _NEXT * (greatest - least))
    back = _line(units, (0.0, 0.0), (-v[0], -v[1]))
    length = -saddle(back, -level, -_STEEPEST)
    return length, cumulants(units, (length * v[0], length * v[1]))[1]


def _line(units: FloatDeltas, tilt: Pair, v: Pair) -> Cumulants:
    """Return log E exp((tilt + s v) X), and the mean and the variance of v X there, as a function of s."""

    def along_v(s: float) -> Triple:
        growth, mean, spread = cumulants(units, (tilt[0] + s * v[0], tilt[1] + s * v[1]))
        return growth, v[0] * mean[0] + v[1] * mean[1], along(v, spread) ** 2

    return along_v


def _edge(units: FloatDeltas, tilt: Pair, v: Pair, nats: float) -> tuple[float, float]:
    """Return (s, K(s) + nats), K(s) = log E_q exp(s v X): q(v X >= (K + nats) / s) <= exp(-nats), the least such."""
    line = _line(units, tilt, v)
    growth, _, variance = line(0.0)
    step, change = chernoff_step(line, (0.0, growth, variance), 0.0, nats, _STEEPEST)
    return step, change + nats


def choose(border: Border, bits: int) -> Window:
    """Choose parameters for errors of about P(region) * 2**-bits."""
    groups = border.groups
    right = border.region.right
    tilt, v = _normal(border)
    growth, mean, spread = cumulants(groups, tilt)
    deviation = along(v, spread)
    scarcity = 1.0 + 2.5 * tilt[1] * deviation
    nats = _LN2 * (bits + math.frexp(scarcity)[1])
    (left, to_left), (beyond, to_right) = [
        _edge(groups, tilt, (sign, 0.0), nats) for sign in (-1.0, 1.0)
    ]
    first = max(0, int(-to_left / left))
    last = min(right, int(to_right / beyond) + 1)
    outer, far = _outer(border, (tilt, growth), (first, int(mean[0]), last), nats)
    levels = [v[0] * x + border(x) for x in range(first, last + 1) if border.holds(x)] or [0.0]
    up, above = _edge(groups, tilt, v, nats)
    down, below = _edge(groups, tilt, (-v[0], -v[1]), nats)
    tallest = _tallest(border, first, last)
    height = min(tallest, max(1, int((above - up * min(levels)) / (up + tilt[1])) + 1))
    period = height + min(tallest, max(1, int(below / down + max(levels)) + 1))
    return Window(
        tilt=tilt,
        changes=((-left, 0.0), (beyond, 0.0), (up * v[0], up), (-down * v[0], -down)),
        far=far,
        # an odd number of rows; the last one may have no points
        rows=(first, last + (last - first) % 2),
        outer=outer,
        height=height,
        period=period + 1 - period % 2,
        scarcity=scarcity,
        spread=spread,
    )


def _tallest(border: Border, first: int, last: int) -> int:
    """Return how far the attainable points of the rows reach from the border, up or down, at most."""
    most = 1
    for x in range(first, last + 1):
        low, high = border.region.row(x)
        if border.holds(x):
            most = max(most, high + 1 - border(x), border(x) - low)
    return most


def _outer(
    border: Border, origin: tuple[Pair, float], rows: tuple[int, int, int], nats: float
) -> tuple[tuple[int, int], Pair]:
    """Return the rows beyond which x alone is rare enough beside P(region), and the slopes that bound that."""
    tilt, growth = origin
    first, row, last = rows
    rarity = tilt[0] * row + tilt[1] * border(row) - growth  # about -log F
    needed = nats + max(0.0, rarity)
    (left, to_left), (right, to_right) = [
        _edge(border.groups, (0.0, 0.0), (sign, 0.0), needed) for sign in (-1.0, 1.0)
    ]
    least = max(0, int(-to_left / left))
    most = min(border.region.right, int(to_right / right) + 1)
    return (min(first, least), max(last, most)), (-left, right)
