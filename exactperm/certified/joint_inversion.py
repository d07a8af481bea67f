"""Tilted inversion of a characteristic function of two coordinates: P(X in R) for R = {(x, y): y >= s(x)}.

For a tilt theta = (alpha, beta), beta >= 0, let q be the distribution of X under the weights
exp(theta X), M its constant E exp(theta X), and m the least theta (x, s(x)) over the L1 rows that
are summed. Then

    P(X in R, in these rows, below s(x) + w) = F S,   F = M exp(-m),
    S = sum over x, 0 <= i < w of q(x, s(x) + i) w(x) exp(-beta i),   w(x) = exp(m - theta (x, s(x))) <= 1.

With q folded to periods L1 and L2 (odd, w <= L2), S becomes a sum S' over frequencies t = 2 pi (j /
L1, k / L2); see :mod:`exactperm.certified.joint_sum`. S' is above S by aliases, and P(X in R) above
F S by what lies outside of the rows and above the window;
:mod:`exactperm.certified.joint_remainder` bounds both. So lower and upper ends are certain for any
choice of parameters.

Source: Theorem 1; spec/ratio-inversion.md#ratio-identity.
"""

from __future__ import annotations

from functools import cached_property

from .._types import TYPE_CHECKING
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.exponential import Exponential
from .joint_damping import SCALE, Found, JointDamping
from .joint_remainder import CHERNOFF_BITS, Remainder, slopes_of
from .joint_sum import JointSum, Rows
from .joint_tilt import JointTilt, dyadic
from .powers import Powers

if TYPE_CHECKING:
    from collections.abc import Callable

    from .joint_parameters import Border, Window


class JointInversion:
    """One inversion for fixed parameters; any ``window`` gives a true enclosure, a good one a narrow one.

    ``bits`` is the precision wanted: what is left out is about P * 2**-bits where S is about 1 /
    scarcity.
    """

    def __init__(self, border: Border, window: Window, bits: int) -> None:
        deltas = [(a, b, count) for (a, b), count in border.region.deltas.items()]
        self.window, self.bits = window, bits
        self.width = width = bits + 24 + sum(border.region.deltas.values()).bit_length()
        (theta, *slopes), scale = dyadic(slopes_of(window))
        exp = Powers(Exponential(max(width, CHERNOFF_BITS)), (1, scale))
        self.tilt = tilt = JointTilt(deltas, theta, exp, width)
        first, last = window.rows
        self.periods = last - first + 1, window.period
        present = range(first, min(last, border.region.right) + 1)
        self.rows = Rows(tilt, [(x, border(x)) for x in present if border.holds(x)], width)
        self.remainder = Remainder(border, window, tilt, slopes, self.rows)

    def enclosure(self, found: Found, tick: Callable[[int], object]) -> Enclosure:
        """Enclose P(X in R) from the frequencies found; ``tick`` is told the number of those that are done."""
        low = high = 0
        if self.rows.points:
            total = JointSum(self.tilt, self.rows, self.periods, self.window.height)
            low, high = total.bounds(found, tick)
            whole, halvings = self.periods[0] * self.periods[1], self.rows.halvings
            skipped = self.skipped(found.skipped)
            low = (low << halvings) // whole - skipped - self.remainder.aliases()
            high = -(-(high << halvings) // whole) + skipped
        high += self.remainder.outside()
        value = Enclosure(max(0, low), max(0, high), -self.width)
        return value.times(self.rows.factor, self.width).at_most(0)

    def found(self, limit: int) -> Found:
        """Find the frequencies that matter, and bound the others to about 2**-bits / scarcity together.

        Raises :class:`~exactperm.certified.joint_damping.TooMany` after ``limit`` trials.
        """
        wanted = self.bits + int(self.window.scarcity).bit_length() + self.rows.halvings + 12
        wanted -= self.periods[0].bit_length() + self.periods[1].bit_length() - 2
        damping = JointDamping(self.tilt, self.periods, self.window.spread)
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
