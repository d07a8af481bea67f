"""Chernoff bounds of what an inversion in two dimensions does not sum, and of what it sums twice.

M(other) = E exp(other X) gives P(A) <= M(other) exp(-c) where c <= other (x, y) on A, and for the
tilted distribution q(A) <= M(other) / M(theta) exp(-c) where c <= (other - theta) (x, y) on A. The
least value of a linear function on rows that start, or end, at given points is at one of these
points if its y coefficient has the right sign: that is all the proofs need, and slopes of the wrong
sign are moved to the limit.

Source: Lemma 2, Lemma 3; spec/ratio-inversion.md#ratio-remainder.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._types import TYPE_CHECKING
from ..arithmetic.enclosure import ONE
from .joint_sum import Rows
from .joint_tilt import JointTilt, Slope

if TYPE_CHECKING:
    from .joint_parameters import Border, Pair, Window


CHERNOFF_BITS = 64
"""Precision of these bounds."""

Places = list[tuple[int, int]]


def slopes_of(window: Window) -> list[Pair]:
    """Return theta, the changes for the left, the right, up and down, and the slopes for the far left and right."""
    (left, _), (right, _), (a, up), (b, down) = window.changes
    return [
        (window.tilt[0], max(0.0, window.tilt[1])),
        (min(left, 0.0), 0.0),
        (max(right, 0.0), 0.0),
        (a, max(up, 0.0)),
        (b, min(down, 0.0)),
        (min(window.far[0], 0.0), 0.0),
        (max(window.far[1], 0.0), 0.0),
    ]


class Remainder:
    """Bounds of what lies outside of the rows and windows, in units of 2**-width.

    ``slopes`` are the exact ones of :func:`slopes_of` after theta.
    """

    def __init__(
        self,
        border: Border,
        window: Window,
        tilt: JointTilt,
        slopes: Sequence[Slope],
        rows: Rows,
    ) -> None:
        self.border, self.window, self.tilt, self.rows = border, window, tilt, rows
        (alpha, beta), self._most = tilt.slope, ONE.over(rows.factor, CHERNOFF_BITS)
        self.slopes = [*((alpha + a, beta + b) for a, b in slopes[:4]), *slopes[4:]]
        self._tilts: dict[Slope, JointTilt] = {}

    def outside(self) -> int:
        """Bound what P(X in R) has outside of the rows and above the window, over F.

        All these parts are rows from some y upward, where slopes with a y coefficient >= 0 are
        least.
        """
        region, border, (first, last) = self.border.region, self.border, self.window.rows
        least = max(0, min(self.window.outer[0], first))
        most = min(region.right, max(self.window.outer[1], last))
        left, right, above, _, far_left, far_right = self.slopes
        tops = [(x, s + self.window.height) for x, s in self.rows.points]
        parts: list[tuple[Slope, Places]] = [
            (left, [(x, border(x)) for x in range(least, first) if border.holds(x)]),
            (right, [(x, border(x)) for x in range(last + 1, most + 1) if border.holds(x)]),
            (above, [(x, y) for x, y in tops if y <= region.row(x)[1]]),
            (far_left, [(least - 1, 0)] if least > 0 else []),
            (far_right, [(most + 1, 0)] if most < region.right else []),
        ]
        return sum(self.bound(slope, points, tilted=False) for slope, points in parts)

    def aliases(self) -> int:
        """Bound the sums of q that S' counts at a wrong place: outside of the rows, and a period below or above.

        Left of the rows a change with x coefficient <= 0 and y coefficient 0 is least next to them.
        A row's window meets sums up to s(x) + w - L2 - 1, where changes with a y coefficient <= 0
        are least, or from s(x) + L2 on.
        """
        (first, last), row, period = self.window.rows, self.border.region.row, self.window.period
        end = self.window.height - period - 1
        left, right, above, below, _, _ = self.slopes
        points = self.rows.points
        parts: list[tuple[Slope, Places]] = [
            (left, [(first - 1, 0)] if first > 0 else []),
            (right, [(last + 1, 0)] if last < self.border.region.right else []),
            (below, [(x, s + end) for x, s in points if s + end >= row(x)[0]]),
            (above, [(x, s + period) for x, s in points if s + period <= row(x)[1]]),
        ]
        total = sum(self.bound(slope, places, tilted=True) for slope, places in parts)
        return min(total, 1 << self.rows.width)

    def bound(self, slope: Slope, points: Places, *, tilted: bool) -> int:
        """Bound a part by M(slope) exp(-c), c the least value of the slope, less theta if ``tilted``, on its points.

        A probability over F is at most 1 / F, one under the weights exp(theta X) at most 1.
        """
        if not points:
            return 0
        if slope not in self._tilts:
            self._tilts[slope] = self.tilt.moved(slope, CHERNOFF_BITS)
        tilt, other = self.tilt, self._tilts[slope]
        (a, b), (alpha, beta) = slope, tilt.slope if tilted else (0, 0)
        level, most = (0, ONE) if tilted else (self.rows.level, self._most)
        least = min([(a - alpha) * x + (b - beta) * y for x, y in points]) - level
        damped = tilt.exp(least + tilt.dot(*tilt.base) - other.dot(*other.base))
        ratio = other.pairs.growth.over(tilt.pairs.growth, CHERNOFF_BITS)
        bound = ratio.times(damped, CHERNOFF_BITS)
        if bound.upper.bit_length() + bound.exponent > most.upper.bit_length() + most.exponent:
            bound = most  # before a long shift
        return min(bound.fixed(self.rows.width)[1], most.fixed(self.rows.width)[1])
