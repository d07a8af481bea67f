"""A distribution of two coordinates tilted by exp(theta X): its constant, and the factors of its product.

Source: spec/ratio-inversion.md#ratio-fixed-point.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._types import TYPE_CHECKING
from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.exponential import Exponential
from .powers import growth_of

if TYPE_CHECKING:
    from .joint_parameters import Pair


Slope = tuple[int, int, int]
"""(a, b, s): the slope (a, b) * 2**-s, exactly."""


class JointTilt:
    """The distribution under the weights exp(theta X), for an exact slope theta.

    Each delta is turned so that theta delta <= 0, which exchanges the two states of a unit:
    ``groups`` are the turned deltas, ``powers`` enclose exp(theta delta) <= 1, and ``base`` is the
    sum of the deltas that were turned. M = exp(theta base) ``growth`` / 2**units.
    """

    def __init__(
        self,
        deltas: Sequence[tuple[int, int, int]],
        slope: Slope,
        exponential: Exponential,
        bits: int,
    ) -> None:
        self.slope = alpha, beta, self.scale = slope
        self.deltas, self.exponential = deltas, exponential
        groups, x, y = list[tuple[int, int, int]](), 0, 0
        for a, b, count in deltas:
            if alpha * a + beta * b > 0:
                x, y = x + a * count, y + b * count
                a, b = -a, -b
            groups.append((a, b, count))
        self.groups, self.base = groups, (x, y)
        self.powers = [self.exp(-(alpha * a + beta * b)) for a, b, _ in groups]
        self.growth = growth_of([count for *_, count in groups], self.powers, bits)

    def moved(self, slope: Slope, bits: int) -> JointTilt:
        """Return the distribution of the same deltas for another slope."""
        return JointTilt(self.deltas, slope, self.exponential, bits)

    def dot(self, x: int, y: int) -> int:
        """Return theta (x, y) in units of 2**-scale of the slope."""
        return self.slope[0] * x + self.slope[1] * y

    def exp(self, x: int) -> Enclosure:
        """Enclose the exponential of -x 2**-scale, for x of either sign."""
        value = self.exponential(self.argument(abs(x)))
        return value if x >= 0 else ONE.over(value, self.exponential.places)

    def argument(self, x: int) -> int:
        """Return x >= 0 in the units of the exponential, rounded down."""
        return self.exponential.argument(x, self.scale)


def dyadic(slope: Pair) -> Slope:
    """Return two floats, exactly."""
    (a, p), (b, q) = [x.as_integer_ratio() for x in slope]
    scale = max(p, q).bit_length() - 1
    return (a << scale) // p, (b << scale) // q, scale


def plus(slope: Slope, change: Slope, sign: int = 1) -> Slope:
    """Return slope + sign * change."""
    scale = max(slope[2], change[2])
    here, there = scale - slope[2], scale - change[2]
    return (
        (slope[0] << here) + (sign * change[0] << there),
        (slope[1] << here) + (sign * change[1] << there),
        scale,
    )
