"""Tilted inversion of a characteristic function of two coordinates: P(X in R) for R = {(x, y): y >= s(x)}.

For a tilt theta = (alpha, beta), beta >= 0, let q be the distribution of X under the weights
exp(theta X), M its constant E exp(theta X), and m the least theta (x, s(x)) over the L1 rows that
are summed. Then

    P(X in R, in these rows, below s(x) + w) = F S,   F = M exp(-m),
    S = sum over x, 0 <= i < w of q(x, s(x) + i) w(x) exp(-beta i),   w(x) = exp(m - theta (x, s(x))) <= 1.

With q folded to periods L1 and L2 (odd, w <= L2), S becomes a sum S' over frequencies t = 2 pi (j /
L1, k / L2); see :mod:`exactperm.certified.joint_sum`. S' is above S by aliases, and P(X in R) above
F S by what lies outside of the rows and above the window. So lower and upper ends are certain for
any choice of parameters.

Both remainders have Chernoff bounds. M(other) = E exp(other X) gives P(A) <= M(other) exp(-c) where
c <= other (x, y) on A, and for the tilted distribution q(A) <= M(other) / M(theta) exp(-c) where c
<= (other - theta) (x, y) on A. The least value of a linear function on rows that start, or end, at
given points is at one of these points if its y coefficient has the right sign: that is all the
proofs need, and slopes of the wrong sign are moved to the limit.

Source: Theorem 1, Lemma 2, Lemma 3; spec/ratio-inversion.md#ratio-identity,
spec/ratio-inversion.md#ratio-remainder.
"""

from __future__ import annotations

from functools import cached_property

from .._types import TYPE_CHECKING
from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.exponential import Exponential
from .joint_damping import SCALE, Found, JointDamping
from .joint_sum import JointSum, JointTilt, Rows, dyadics
from .powers import Powers

if TYPE_CHECKING:
    from collections.abc import Callable

    from .joint_parameters import Border, Pair, Window
    from .joint_sum import Slope

    Places = list[tuple[int, int]]


CHERNOFF_BITS = 64
"""Precision of the bounds of what is not summed."""


class JointInversion:
    """One inversion for fixed parameters; any ``window`` gives a true enclosure, a good one a narrow one.

    ``bits`` is the precision wanted: what is left out is about P * 2**-bits where S is about 1 /
    scarcity. ``slopes`` are the exact ones of :func:`slopes_of` after theta.
    """

    def __init__(self, border: Border, window: Window, bits: int) -> None:
        deltas = [(a, b, count) for (a, b), count in border.region.deltas.items()]
        self.border = border
        self.window = window
        self.bits = bits
        self._deltas = deltas
        self.width = width = bits + 24 + sum(border.region.deltas.values()).bit_length()
        ((alpha, beta), *slopes), scale = dyadics(slopes_of(window))
        exp = Powers(Exponential(max(width, CHERNOFF_BITS)), (1, scale))
        self.tilt = JointTilt(deltas, (alpha, beta), exp, width)
        self.slopes = [*((alpha + a, beta + b) for a, b in slopes[:4]), *slopes[4:]]
        self._tilts: dict[Slope, JointTilt] = {}
        first, last = window.rows
        self.periods = last - first + 1, window.period
        present = range(first, min(last, border.region.right) + 1)
        self.rows = Rows(self.tilt, self._starts(present), width)
        self._most = ONE.over(self.rows.factor, CHERNOFF_BITS)

    def _starts(self, rows: range) -> Places:
        """Return (x, s(x)) of the rows that have points of the region."""
        return [(x, self.border(x)) for x in rows if self.border.holds(x)]

    def enclosure(self, found: Found, tick: Callable[[int], object]) -> Enclosure:
        """Enclose P(X in R) from the frequencies found; ``tick`` is told the number of those that are done."""
        low = high = 0
        if self.rows.points:
            total = JointSum(self.tilt, self.rows, self.periods, self.window.height)
            low, high = total.bounds(found, tick)
            whole = self.periods[0] * self.periods[1]
            halvings = self.rows.halvings
            skipped = self.skipped(found.skipped)
            low = (low << halvings) // whole - skipped - self.aliases()
            high = -(-(high << halvings) // whole) + skipped
        high += self.outside()
        value = Enclosure(max(0, low), max(0, high), -self.width)
        return value.times(self.rows.factor, self.width).at_most(0)

    # ---------------------------------------------------------------------------------- frequencies

    def found(self, limit: int) -> Found:
        """Find the frequencies that matter, and bound the others to about 2**-bits / scarcity together.

        Raises :class:`~exactperm.certified.joint_damping.TooMany` after ``limit`` trials.
        """
        wanted = self.bits + int(self.window.scarcity).bit_length() + self.rows.halvings + 12
        wanted -= self.periods[0].bit_length() + self.periods[1].bit_length() - 2
        damping = JointDamping(self.tilt.dampers, self.periods, self.window.deviations)
        return damping.settle(max(1, wanted), self.coefficient, limit)

    def coefficient(self, k: int) -> int:
        """Bound |K(k')| for k <= k' <= L2 / 2: by w, and by 2 / |1 - rho omega**-k'| <= L2 exp(beta / 2) / (2 k')."""
        if not k:
            return self.window.height
        return min(self.window.height, (self.periods[1] * self._root >> 17) // k + 1)

    @cached_property
    def _root(self) -> int:
        """Bound exp(beta / 2) 2**16 from above."""
        return self.tilt.exp(-(self.tilt.slope[1] >> 1) - 1).fixed(16)[1]

    def skipped(self, amount: int) -> int:
        """Bound what frequencies left out add to S, 2 sum |K D phi| / (L1 L2) with |D| <= 2**h, in units."""
        whole = self.periods[0] * self.periods[1]
        return (amount << self.width + 1 + self.rows.halvings) // (whole << SCALE) + 1

    # ------------------------------------------------------------------------------ what is not summed

    def outside(self) -> int:
        """Bound what P(X in R) has outside of the rows and above the window, over F.

        All these parts are rows from some y upward, where slopes with a y coefficient >= 0 are
        least.
        """
        region = self.border.region
        first, last = self.window.rows
        outer = self.window.outer
        least = max(0, min(outer[0], first))
        most = min(region.right, max(outer[1], last))
        left, right, above, _, far_left, far_right = self.slopes
        tops = [(x, s + self.window.height) for x, s in self.rows.points]
        parts: list[tuple[Slope, Places]] = [
            (left, self._starts(range(least, first))),
            (right, self._starts(range(last + 1, most + 1))),
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
        first, last = self.window.rows
        row = self.border.region.row
        period = self.window.period
        end = self.window.height - period - 1
        points = self.rows.points
        left, right, above, below, _, _ = self.slopes
        parts: list[tuple[Slope, Places]] = [
            (left, [(first - 1, 0)] if first > 0 else []),
            (right, [(last + 1, 0)] if last < self.border.region.right else []),
            (below, [(x, s + end) for x, s in points if s + end >= row(x)[0]]),
            (above, [(x, s + period) for x, s in points if s + period <= row(x)[1]]),
        ]
        total = sum(self.bound(slope, places, tilted=True) for slope, places in parts)
        return min(total, 1 << self.width)

    def bound(self, slope: Slope, points: Places, *, tilted: bool) -> int:
        """Bound a part by M(slope) exp(-c), c the least value of the slope, less theta if ``tilted``, on its points.

        A probability over F is at most 1 / F, one under the weights exp(theta X) at most 1.
        """
        if not points:
            return 0
        tilt = self.tilt
        bits = CHERNOFF_BITS
        if slope not in self._tilts:
            self._tilts[slope] = JointTilt(self._deltas, slope, tilt.exp, bits)
        other = self._tilts[slope]
        a, b = slope
        alpha, beta = tilt.slope if tilted else (0, 0)
        level, most = (0, ONE) if tilted else (self.rows.level, self._most)
        least = min([(a - alpha) * x + (b - beta) * y for x, y in points]) - level
        damped = tilt.exp(least + tilt.dot(*tilt.base) - other.dot(*other.base))
        bound = other.pairs.growth.over(tilt.pairs.growth, bits).times(damped, bits)
        if bound.upper.bit_length() + bound.exponent > most.upper.bit_length() + most.exponent:
            bound = most  # before a long shift
        return min(bound.fixed(self.width)[1], most.fixed(self.width)[1])


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
