"""Certified brackets of P(X in R) for a region of a lattice of two dimensions: coordinates, precision, budget.

Source: spec/ratio-inversion.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from .._types import TYPE_CHECKING
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Progress
from ..errors import BudgetExceeded, Cure
from .joint_damping import TooMany, reach
from .joint_inversion import JointInversion
from .joint_parameters import Border, Window, along, choose, cumulants, shape

if TYPE_CHECKING:
    from .joint_parameters import Region


_DOUBLE = 17  # digits that make a correctly rounded double nearly always
_DEFAULT_DIGITS = 4  # digits of a bracket where a double would take longer
_SOON = 0.5  # seconds that a correctly rounded double may take by default
_WIDEST = 0.1  # relative width without one certain digit
_MORE = 4  # bits beyond those of the width, for three kinds of error
_ROUNDS = 3
_MOST_RECTANGLES = 10**5

# Measured on CPython 3.11.
_SECONDS_DELTA = 4e-5  # of the choice of parameters and of the tails, for each delta
_SECONDS_ROW = 2e-5  # of the border, for each row
_SECONDS_SUM = 1.6e-6  # of one row at one l
_SECONDS_FACTOR = 4e-7  # of one multiplication for phi
_SECONDS_BOX = 7e-5  # of the search, for each frequency that is found
_BYTES_ROW = 1500
_BYTES_ROOT = 250  # of one root of unity, for each step of the period


class JointSearch:
    """The bracket of P(X in R) for one region, with what it is expected to take.

    ``regions`` are the same region in several coordinates, of which the cheapest are taken. Where
    the middle of all sums lies in the region its complement is enclosed.
    """

    def __init__(self, regions: Sequence[Region], budget: Budget) -> None:
        self._budget = budget
        shapes = []
        for region in regions:
            least = _SECONDS_DELTA * len(region.deltas)
            if least > budget.seconds:
                raise _too_slow(region, Estimate(seconds=least, bytes=0))
            border = Border(region)
            inside, work = shape(border)
            shapes.append((work, inside, border))
        _, self._inside, self.border = min(shapes, key=lambda found: found[0])
        if self._inside:
            self.border = Border(self.border.region.outside())
        self._rows = along((1.0, 0.0), cumulants(self.border.groups, (0.0, 0.0))[2])

    def estimate(self, digits: int) -> Estimate:
        """Estimate the bracket to a relative width of 10**-digits by a normal model of the sums."""
        bits = digits * 10 / 3 + 12.0
        deltas = self.border.region.deltas
        terms = sum(5 + bit_count(count) for count in deltas.values()) + max(
            map(int.bit_length, deltas.values())
        )
        # of the rows, in standard deviations; about as many turns of frequencies
        side = 2.0 * sqrt(1.4 * bits)
        rows = side * self._rows
        found = reach((1.0, 0.0, 1.0), bits, (int(side) + 1, int(side) + 1))
        seconds = (
            _SECONDS_DELTA * len(deltas) + 2.0 * rows * _SECONDS_ROW + rows * side * _SECONDS_SUM
        )
        seconds += found * (terms * _SECONDS_FACTOR + _SECONDS_BOX)
        return Estimate(seconds=seconds, bytes=int(min(rows, 1e15)) * _BYTES_ROW)

    def bracket(self, digits: int | None, progress: Progress | None = None) -> Enclosure:
        """Enclose P(X in R), to a relative width of 10**-digits where the budget allows."""
        if digits is None:
            digits = _DOUBLE if self.estimate(_DOUBLE).seconds <= _SOON else _DEFAULT_DIGITS
        cost = self.estimate(digits)
        if cost.seconds > self._budget.seconds or cost.bytes > self._budget.bytes:
            raise _too_slow(self.border.region, cost)
        width, bits = float(f"1e-{digits}"), digits * 10 // 3 + _MORE
        best = Enclosure(0, 1, 0)
        for _ in range(_ROUNDS):
            window = choose(self.border, bits)
            if window.period * _BYTES_ROOT > self._budget.bytes:
                raise _too_slow(
                    self.border.region,
                    Estimate(seconds=cost.seconds, bytes=window.period * _BYTES_ROOT),
                )
            try:
                found = self._round(window, bits, progress)
                best = min(found, best, key=lambda value: value.relative_width)
            except TooMany:
                break
            if best.relative_width <= width or best.relative_width > 1.0:
                break
            bits += 4
        value = best.complement() if self._inside else best
        if value.relative_width > _WIDEST:
            raise _too_slow(self.border.region, cost, value)
        return value

    def _round(self, window: Window, bits: int, progress: Progress | None) -> Enclosure:
        return JointInversion(self.border, window, bits).enclosure(_MOST_RECTANGLES, progress)


def _too_slow(region: Region, cost: Estimate, bracket: Enclosure | None = None) -> BudgetExceeded:
    deltas = region.deltas
    return BudgetExceeded(
        f"a certified bracket for {short_integer(sum(deltas.values()))} swap units with {len(deltas)} distinct effects",
        cost,
        cure=Cure(words="allow more with budget=Budget(seconds=), or use monte_carlo_test"),
        bracket=bracket,
    )
