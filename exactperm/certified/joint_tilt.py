"""A distribution of two coordinates tilted by exp(theta X): its constant, and the factors of its product.

Source: spec/ratio-inversion.md#ratio-fixed-point.
"""

from __future__ import annotations

from collections.abc import Sequence

from .._types import TYPE_CHECKING
from .factors import PairTilt

if TYPE_CHECKING:
    from .joint_parameters import Pair
    from .powers import Powers


Slope = tuple[int, int]
"""A slope (a, b) in units of those of the powers, exactly."""


class JointTilt:
    """The distribution under the weights exp(theta X), for an exact slope theta in units of ``exp``.

    Each delta is turned so that theta delta <= 0, which exchanges the two states of a unit:
    ``turned`` are the turned deltas, ``base`` is the sum of those that were turned, and ``pairs``
    the pairs of differences -theta delta under the weights of ``exp``. M = exp(theta base) G /
    2**``units``, G their growth.
    """

    def __init__(
        self, deltas: Sequence[tuple[int, int, int]], slope: Slope, exp: Powers, bits: int
    ) -> None:
        self.slope, self.deltas, self.exp = slope, deltas, exp
        self.units = sum(count for *_, count in deltas)
        self.turned = list[tuple[int, int, int]]()
        x = y = 0
        for a, b, count in deltas:
            if self.dot(a, b) > 0:
                x += a * count
                y += b * count
                a, b = -a, -b
            self.turned.append((a, b, count))
        self.base = x, y
        self.pairs = PairTilt([(-self.dot(a, b), count) for a, b, count in self.turned], exp, bits)

    def moved(self, slope: Slope, bits: int) -> JointTilt:
        """Return the distribution of the same deltas for another slope."""
        return JointTilt(self.deltas, slope, self.exp, bits)

    def dot(self, x: int, y: int) -> int:
        """Return theta (x, y) in the units of the slope."""
        return self.slope[0] * x + self.slope[1] * y


def dyadic(slopes: Sequence[Pair]) -> tuple[list[Slope], int]:
    """Return pairs of floats exactly, as integers in units of 2**-scale, and the scale that serves all of them."""
    ratios = [x.as_integer_ratio() for slope in slopes for x in slope]
    scale = max(below for _, below in ratios).bit_length() - 1
    whole = [(above << scale) // below for above, below in ratios]
    return list(zip(whole[::2], whole[1::2])), scale
