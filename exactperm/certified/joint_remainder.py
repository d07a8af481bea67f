"""Chernoff bounds of what an inversion in two dimensions does not sum, and of what it sums twice.

M(other) = E exp(other X) gives P(A) <= M(other) exp(-c) where c <= other (x, y) on A, and for the
tilted distribution q(A) <= M(other) / M(theta) exp(-c) where c <= (other - theta) (x, y) on A. The
least value of a linear function on rows that start, or end, at given points is at one of these
points if its y coefficient has the right sign: that is all the proofs need, and slopes of the wrong
sign are moved to the limit.

Source: Lemma 2, Lemma 3; spec/ratio-inversion.md#ratio-remainder.
"""

from __future__ import annotations

from functools import cached_property

from .._types import TYPE_CHECKING
from ..arithmetic.enclosure import ONE, Enclosure
from .joint_sum import Rows
from .joint_tilt import JointTilt, dyadic, plus

if TYPE_CHECKING:
    from .joint_parameters import Border, Window


CHERNOFF_BITS = 64
"""Precision of these bounds."""


class Remainder:
    """Bounds of what lies outside of the rows and windows, in units of 2**-width; ``factor`` is F = M exp(-m)."""

    def __init__(
        self, border: Border, window: Window, tilt: JointTilt, rows: Rows, factor: Enclosure
    ) -> None:
        self.border, self.window, self.tilt, self.rows, self.factor = (
            border,
            window,
            tilt,
            rows,
            factor,
        )

    @cached_property
    def slopes(self) -> list[JointTilt]:
        """The slopes of four bounds: to the left, to the right, up and down from theta."""
        (left, _), (right, _), (a, up), (b, down) = self.window.changes
        changes = (
            (min(left, 0.0), 0.0),
            (max(right, 0.0), 0.0),
            (a, max(up, 0.0)),
            (b, min(down, 0.0)),
        )
        return [
            self.tilt.moved(plus(self.tilt.slope, dyadic(change)), CHERNOFF_BITS)
            for change in changes
        ]

    def outside(self) -> int:
        """Bound what P(X in R) has outside of the rows and above the window, over F.

        All these parts are rows from some y upward, where slopes with a y coefficient >= 0 are
        least.
        """
        region, border, (first, last) = self.border.region, self.border, self.window.rows
        least = max(0, min(self.window.outer[0], first))
        most = min(region.right, max(self.window.outer[1], last))
        left, right, above, _ = self.slopes
        total = 0
        for rows, slope in ((range(least, first), left), (range(last + 1, most + 1), right)):
            total += self._part(slope, [(x, border(x)) for x in rows if border.holds(x)])
        tops = [(x, s + self.window.height) for x, s in self.rows.points]
        total += self._part(above, [(x, y) for x, y in tops if y <= region.row(x)[1]])
        far = self.window.far
        if least > 0:
            total += self._part(
                self.tilt.moved(dyadic((min(far[0], 0.0), 0.0)), CHERNOFF_BITS), [(least - 1, 0)]
            )
        if most < region.right:
            total += self._part(
                self.tilt.moved(dyadic((max(far[1], 0.0), 0.0)), CHERNOFF_BITS), [(most + 1, 0)]
            )
        return total

    def aliases(self) -> int:
        """Bound the sums of q that S' counts at a wrong place: outside of the rows, and a period below or above.

        Left of the rows a change with x coefficient <= 0 and y coefficient 0 is least next to them.
        A row's window meets sums up to s(x) + w - L2 - 1, where changes with a y coefficient <= 0
        are least, or from s(x) + L2 on.
        """
        (first, last), row, period = self.window.rows, self.border.region.row, self.window.period
        end = self.window.height - period - 1
        left, right, above, below = self.slopes
        points = self.rows.points
        parts = (
            (left, [(first - 1, 0)] if first > 0 else []),
            (right, [(last + 1, 0)] if last < self.border.region.right else []),
            (below, [(x, s + end) for x, s in points if s + end >= row(x)[0]]),
            (above, [(x, s + period) for x, s in points if s + period <= row(x)[1]]),
        )
        total = sum(self._alias(slope, places) for slope, places in parts)
        return min(total, 1 << self.rows.width)

    def _part(self, slope: JointTilt, points: list[tuple[int, int]]) -> int:
        """Bound the probability of rows from these points upward, over F; it is at most 1."""
        if not points:
            return 0
        exponent = [
            (min(slope.dot(x, y) for x, y in points), slope.scale),
            (-self.rows.level, self.tilt.scale),
        ]
        return self._bound(slope, exponent, ONE.over(self.factor, CHERNOFF_BITS))

    def _alias(self, slope: JointTilt, points: list[tuple[int, int]]) -> int:
        """Bound the tilted probability of all beyond these points; it is at most 1."""
        if not points:
            return 0
        a, b, scale = plus(slope.slope, self.tilt.slope, -1)
        return self._bound(slope, [(min(a * x + b * y for x, y in points), scale)], ONE)

    def _bound(self, other: JointTilt, exponent: list[tuple[int, int]], most: Enclosure) -> int:
        """Bound M(other) / M(theta) exp(-z) by at most ``most``, z the sum of x 2**-scale over ``exponent``."""
        tilt = self.tilt
        terms = [
            *exponent,
            (tilt.dot(*tilt.base), tilt.scale),
            (-other.dot(*other.base), other.scale),
        ]
        scale = max(scale for _, scale in terms)
        z = sum(x << scale - own for x, own in terms)
        value = tilt.exponential(tilt.exponential.argument(abs(z), scale))
        ratio = other.growth.over(tilt.growth, CHERNOFF_BITS)
        bound = ratio.times(value, CHERNOFF_BITS) if z >= 0 else ratio.over(value, CHERNOFF_BITS)
        if bound.upper.bit_length() + bound.exponent > most.upper.bit_length() + most.exponent:
            bound = most  # before a long shift
        return min(bound.fixed(self.rows.width)[1], most.fixed(self.rows.width)[1])
