"""Certified brackets of P(X in R) for a region of a lattice of two dimensions: coordinates, precision, budget.

Source: spec/ratio-inversion.md#ratio-results.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt

from .._types import TYPE_CHECKING
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.quoting import short_integer
from ..budget import Estimate
from .joint_damping import TooMany
from .joint_inversion import JointInversion
from .joint_parameters import Border, choose, deviation, shape
from .search import SECONDS_PER_UNIT, Counting, Meter, Tail

if TYPE_CHECKING:
    from .joint_parameters import Region


_MORE = 4  # bits beyond those of the width, for three kinds of error
_ROUNDS = 3
_QUICK = 3e-3  # seconds of a count that is as good as a bracket

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
_ELLIPSE = 0.0551589  # ln 2 / (4 pi): frequencies within, for each bit and each turn of both
_BYTES_ROOT = 250  # of one root of unity, for each step of the period


def region_tail(regions: Callable[[], Sequence[Region]], count: Counting, meter: Meter) -> Tail:
    """Return P(X in R) for one region, which is counted or bracketed; its coordinates are ``regions``."""
    made = lru_cache(None)(regions)

    def what() -> str:
        deltas = made()[0].deltas
        units = short_integer(sum(deltas.values()))
        return f"{units} swap units with {len(deltas)} distinct effects"

    return Tail(
        count=count,
        what=what,
        least=lambda: _UNITS_DELTA * len(made()[0].deltas),
        begun=lambda digits, seconds: JointSearch(made(), digits, seconds, meter),
        meter=meter,
        quick=_QUICK,
        too_many="too many distinct effects for any bracket",
    )


class JointSearch:
    """Brackets of one region from inversions of growing precision, down to a relative ``width``.

    Of the same region in several coordinates the cheapest are taken. Where the middle of all sums
    lies in the region its complement is enclosed.
    """

    def __init__(
        self, regions: Sequence[Region], digits: int, seconds: float, meter: Meter
    ) -> None:
        self.width = float(f"1e-{digits}")
        self._limit = int(min(seconds, 1e9) / SECONDS_PER_UNIT)
        self._meter = meter
        self._bits = digits * 10 // 3 + _MORE
        shapes = [(shape(border), border) for border in map(Border, regions)]
        (self._inside, _), border = min(shapes, key=lambda found: found[0][1])
        self.border = Border(border.region.outside()) if self._inside else border
        self._deltas = self.border.region.deltas
        counts = self._deltas.values()
        self._terms = sum(5 + bit_count(count) for count in counts)
        self._terms += max(map(int.bit_length, counts))
        self._whole = self._units(digits)
        # what stopped it, and the units and bytes that this would have taken
        self._stopped = ""
        self._more = self._units(1)
        self._size = 0

    def _units(self, digits: int) -> float:
        """Predict the work for some digits by a normal model of the sums."""
        bits = digits * 10 / 3 + 12.0
        # of the rows, in standard deviations; about as many turns of frequencies
        side = 2.0 * sqrt(1.4 * bits)
        rows = side * deviation(self.border.groups, (0.0, 0.0), (1.0, 0.0))
        found = _ELLIPSE * bits * (int(side) + 1) ** 2 + 1.0
        units = _UNITS_DELTA * len(self._deltas) + rows * (2.0 * _UNITS_ROW + side * _UNITS_SUM)
        return units + found * (self._terms * _UNITS_FACTOR + _UNITS_BOX)

    def predicted(self) -> float:
        """Predict the seconds that the width takes."""
        return self._whole * SECONDS_PER_UNIT

    def short(self, width: float) -> tuple[str, Estimate]:
        """Say what the work bought, and estimate what a certain digit takes."""
        reason = self._stopped or f"its relative width is {width:.2g}, without a certain digit"
        return reason, Estimate(seconds=self._more * SECONDS_PER_UNIT, bytes=self._size)

    def finer(self, _seconds: float) -> None:
        """Return nothing: its rounds grow finer by themselves."""

    def bracket(self) -> Enclosure:
        """Return the narrowest bracket of some rounds."""
        best = Enclosure(0, 1, 0)
        bits = self._bits
        for _ in range(_ROUNDS):
            try:
                best = min(self._round(bits), best, key=lambda value: value.relative_width)
            except TooMany as stopped:
                self._stopped = str(stopped)
                break
            if best.relative_width <= self.width or best.relative_width > 1.0:
                break
            bits += 4
        self._meter.finish()
        return best.complement() if self._inside else best

    def _round(self, bits: int) -> Enclosure:
        """Return the bracket of one inversion, or raise :class:`TooMany`."""
        if self._whole > self._limit:
            self._more = self._whole
            raise TooMany("too many sums in too many rows")
        window = choose(self.border, bits)
        rows = window.rows[1] - window.rows[0]
        self._size = max(window.period * _BYTES_ROOT, rows * _BYTES_ROW)
        if self._size > self._meter.budget.bytes:
            raise TooMany("its sums have a long period")
        self._meter(int(min(rows * _UNITS_ROW, self._limit)))
        trials = min(_TRIALS, len(self._deltas) / 2) / sum(self._deltas.values())
        trials *= rows * window.period
        self._more = max(self._more, trials * _UNITS_TRIAL)
        left = max(0, self._limit - int(self._meter.seconds / SECONDS_PER_UNIT))
        if trials * _UNITS_TRIAL > left:
            raise TooMany("its sums have too many frequencies")
        inversion = JointInversion(self.border, window, bits)
        try:
            found = inversion.found(int(left / _UNITS_TRIAL))
        except TooMany:
            self._more = 2.0 * self._limit
            raise
        self._meter(int(found.work * _UNITS_TRIAL))
        price = self._terms * _UNITS_FACTOR + rows * _UNITS_SUM / 2.0
        return inversion.enclosure(found, lambda number: self._meter(int(number * price)))
