"""Certified brackets of P(X in R) for a region of a lattice of two dimensions: coordinates, precision, budget.

Source: spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from math import sqrt

from .._types import TYPE_CHECKING
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.quoting import short_integer
from .joint_damping import TooMany, reach
from .joint_inversion import JointInversion
from .joint_parameters import Border, along, choose, cumulants, shape
from .search import SECONDS_PER_UNIT, Counting, Meter, Tail

if TYPE_CHECKING:
    from .joint_parameters import Region


_MORE = 4  # bits beyond those of the width, for three kinds of error
_ROUNDS = 3

# Work in units of half a microsecond, measured on CPython 3.11.
_UNITS_DELTA = 80  # of the choice of parameters and of the tails, for each delta
_UNITS_ROW = 40  # of the border, for each row
_UNITS_SUM = 3.2  # of one row at one l
_UNITS_FACTOR = 0.8  # of one multiplication for phi
_UNITS_BOX = 140  # of the search, for each frequency that is found
_UNITS_TRIAL = 2.4  # of one delta that is tried on a rectangle
# trials for each frequency and unit, at least, where there are many different deltas
_TRIALS = 20.0
_BYTES_ROW = 1500
_BYTES_ROOT = 250  # of one root of unity, for each step of the period


class RegionTail(Tail):
    """P(X in R) for one region, which is counted or bracketed.

    ``regions`` are the same region in several coordinates, of which the cheapest are taken. Where
    the middle of all sums lies in the region its complement is enclosed.
    """

    quick = 3e-3
    too_many = "too many distinct effects for any bracket"

    def __init__(
        self, regions: Callable[[], Sequence[Region]], count: Counting, meter: Meter
    ) -> None:
        super().__init__(count, self._described, meter)
        self._made = regions

    @cached_property
    def _regions(self) -> Sequence[Region]:
        return self._made()

    def _described(self) -> str:
        deltas = self._regions[0].deltas
        units = short_integer(sum(deltas.values()))
        return f"{units} swap units with {len(deltas)} distinct effects"

    @property
    def least(self) -> int:
        """Units of work before any inversion."""
        return _UNITS_DELTA * len(self._regions[0].deltas)

    @cached_property
    def shaped(self) -> tuple[Border, bool]:
        """The border in the cheapest coordinates, and whether the middle of all sums lies in the region."""
        shapes = [(shape(border), border) for border in map(Border, self._regions)]
        (inside, _), border = min(shapes, key=lambda found: found[0][1])
        return Border(border.region.outside()) if inside else border, inside

    def begun(self, digits: int, seconds: float) -> JointSearch:
        """Return the search for a bracket of the relative width 10**-``digits``."""
        return JointSearch(self, digits, seconds)


class JointSearch:
    """Brackets of one region from inversions of growing precision, down to a relative ``width``."""

    def __init__(self, tail: RegionTail, digits: int, seconds: float) -> None:
        self.width = float(f"1e-{digits}")
        self._limit = int(min(seconds, 1e9) / SECONDS_PER_UNIT)
        self._meter = tail.meter
        self._tail = tail
        self._bits = digits * 10 // 3 + _MORE
        self._stopped = ""
        self._more = 0.0  # units that the round which was stopped would have taken
        self.border, self._inside = tail.shaped
        counts = self.border.region.deltas.values()
        self._terms = sum(5 + bit_count(count) for count in counts)
        self._terms += max(map(int.bit_length, counts))
        self._across = along((1.0, 0.0), cumulants(self.border.groups, (0.0, 0.0))[2])
        self._whole = self._units(digits)

    def _units(self, digits: int) -> float:
        """Predict the work for some digits by a normal model of the sums."""
        bits = digits * 10 / 3 + 12.0
        # of the rows, in standard deviations; about as many turns of frequencies
        side = 2.0 * sqrt(1.4 * bits)
        rows = side * self._across
        found = reach((1.0, 0.0, 1.0), bits, (int(side) + 1, int(side) + 1))
        units = self._tail.least + rows * (2.0 * _UNITS_ROW + side * _UNITS_SUM)
        return units + found * (self._terms * _UNITS_FACTOR + _UNITS_BOX)

    def predicted(self, width: float | None = None) -> float:
        """Predict the seconds that the width searched for takes, or those of one digit."""
        units = self._whole if width is None else max(self._units(1), self._more)
        return units * SECONDS_PER_UNIT

    def reached(self, width: float) -> str:
        """Say what the work bought, as the reason of a refusal."""
        return self._stopped or f"its relative width is {width:.2g}, without a certain digit"

    def bracket(self) -> Enclosure:
        """Return the narrowest bracket of some rounds; ``BudgetExceeded`` where the first would take too much."""
        if self._whole > self._limit:
            raise self._tail.refused(self.predicted(), "too many sums in too many rows")
        best = Enclosure(0, 1, 0)
        bits = self._bits
        for _ in range(_ROUNDS):
            try:
                best = min(self._round(bits), best, key=lambda value: value.relative_width)
            except TooMany as stopped:
                self._stopped = str(stopped)
                self._more = max(self._more, 2.0 * self._limit)
                break
            if best.relative_width <= self.width or best.relative_width > 1.0:
                break
            bits += 4
        self._meter.finish()
        return best.complement() if self._inside else best

    def _round(self, bits: int) -> Enclosure:
        window = choose(self.border, bits)
        rows = window.rows[1] - window.rows[0]
        size = max(window.period * _BYTES_ROOT, rows * _BYTES_ROW)
        if size > self._meter.budget.bytes:
            raise self._tail.refused(0.0, "its sums have a long period", size=size)
        self._meter(int(min(rows * _UNITS_ROW, self._limit)))
        deltas = self.border.region.deltas
        trials = rows * window.period / sum(deltas.values()) * min(_TRIALS, len(deltas) / 2)
        if trials * _UNITS_TRIAL > self._left:
            self._more = trials * _UNITS_TRIAL
            raise TooMany("its sums have too many frequencies")
        inversion = JointInversion(self.border, window, bits)
        found = inversion.found(int(self._left / _UNITS_TRIAL))
        self._meter(int(found.work * _UNITS_TRIAL))
        price = self._terms * _UNITS_FACTOR + rows * _UNITS_SUM / 2.0
        return inversion.enclosure(found, lambda number: self._meter(int(number * price)))

    @property
    def _left(self) -> int:
        """The units of work that are left."""
        return max(0, self._limit - int(self._meter.seconds / SECONDS_PER_UNIT))
