"""Certified brackets of P(X in R) for a region of a lattice of two dimensions: coordinates, precision, budget.

Source: spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

from .._types import TYPE_CHECKING
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Progress
from ..errors import BudgetExceeded
from .joint_damping import TooMany, reach
from .joint_inversion import JointInversion
from .joint_parameters import Border, Window, along, choose, cumulants, shape
from .search import DEFAULT_DIGITS, DOUBLE, SOON, WIDEST, refusal

if TYPE_CHECKING:
    from .joint_parameters import Region


_MORE = 4  # bits beyond those of the width, for three kinds of error
_ROUNDS = 3

# Measured on CPython 3.11.
_SECONDS_DELTA = 4e-5  # of the choice of parameters and of the tails, for each delta
_SECONDS_ROW = 2e-5  # of the border, for each row
_SECONDS_SUM = 1.6e-6  # of one row at one l
_SECONDS_FACTOR = 4e-7  # of one multiplication for phi
_SECONDS_BOX = 7e-5  # of the search, for each frequency that is found
_SECONDS_TRIAL = 1.2e-6  # of one delta that is tried on a rectangle
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
                cost = Estimate(seconds=least, bytes=0)
                raise _refused(region, budget, cost, "too many distinct effects for any bracket")
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
        """Enclose P(X in R), to a relative width of 10**-digits where the budget allows.

        Raises ``BudgetExceeded``, with its reason, for a bracket without a certain digit.
        """
        if digits is None:
            digits = DOUBLE if self.estimate(DOUBLE).seconds <= SOON else DEFAULT_DIGITS
        cost = self.estimate(digits)
        if not self._budget.admits(cost):
            raise self._refused(cost, "too many sums in too many rows")
        width, bits, left = float(f"1e-{digits}"), digits * 10 // 3 + _MORE, self._budget.seconds
        best, reason = Enclosure(0, 1, 0), ""
        for _ in range(_ROUNDS):
            window = choose(self.border, bits)
            size = window.period * _BYTES_ROOT
            if size > self._budget.bytes:
                raise self._refused(Estimate(seconds=0, bytes=size), "its sums have a long period")
            left = max(0.0, left - cost.seconds)
            try:
                found, seconds = self._round(window, bits, left, progress)
            except TooMany as stopped:
                reason = str(stopped)
                cost = Estimate(seconds=self._budget.seconds, bytes=0, least=True)
                break
            left -= seconds
            best = min(found, best, key=lambda value: value.relative_width)
            if best.relative_width <= width or best.relative_width > 1.0:
                break
            bits += 4
        value = best.complement() if self._inside else best
        if value.relative_width > WIDEST:
            reason = (
                reason
                or f"its relative width is {value.relative_width:.2g}, without a certain digit"
            )
            raise self._refused(cost, reason, value)
        return value

    def _round(
        self, window: Window, bits: int, seconds: float, progress: Progress | None
    ) -> tuple[Enclosure, float]:
        """Return a bracket, and the seconds that the search for its frequencies took, at most ``seconds``."""
        inversion = JointInversion(self.border, window, bits)
        value = inversion.enclosure(int(min(seconds, 1e9) / _SECONDS_TRIAL), progress)
        return value, inversion.work * _SECONDS_TRIAL

    def _refused(
        self, cost: Estimate, reason: str, bracket: Enclosure | None = None
    ) -> BudgetExceeded:
        return _refused(self.border.region, self._budget, cost, reason, bracket)


def _refused(
    region: Region, budget: Budget, cost: Estimate, reason: str, bracket: Enclosure | None = None
) -> BudgetExceeded:
    units = short_integer(sum(region.deltas.values()))
    what = f"a certified bracket for {units} swap units with {len(region.deltas)} distinct effects"
    return refusal(what, cost, budget, reason, bracket)
