"""Tables that bound |phi| by phases in 256ths of a turn: over intervals, at single frequencies, and of draws on circles.

A byte is a lower bound of -log2 |1 - p + p exp(2 pi i phase)|, in fractions of a bit, that holds for
every phase of its cell.

Source: spec/note.md#note-scan, spec/note-appendix.md#own-draw-brackets.
"""

from __future__ import annotations

from array import array
from functools import cached_property, lru_cache
from operator import itemgetter
from sys import byteorder

from .._types import TYPE_CHECKING
from ..arithmetic.compat import bit_count
from ..record import Record
from .damping import BITS, enough, minus_log, sine_square

if TYPE_CHECKING:
    from .damping import Damper

_CELLS = 256  # a phase is known by its 8 high bits
CLIP = 63  # four bytes are added before they are spread to fields of 16 bits
MARGIN = 1 << (BITS - 12)  # of a turn: more than all roundings of a phase, 6 units of 2**-15
_POINT_MARGIN = 1 << (BITS - 24)
# of a phase d / P; a frequency below 2**40 multiplies its rounding to less than _POINT_MARGIN
_POINT_PLACES = 64
_POINT_BYTES = 16
GRID = 64  # values of delta in 0..1/2 for which a table's mean is known
CIRCLE = 128  # places of bounds on circles
_ALIKE = 12  # values at least that share a table
_STRONGEST = 72  # values of a circle
_PRICE = 3  # of a bound on a circle, and one more for every eight values and points


class Sharpness(Record):
    """How fine the tables of a scan are: a byte counts -log2 |..| in units of 1/``sharp`` bit.

    Strengths are rounded down to multiples of 1/``strengths``; the sums of ``most`` units fit their
    fields of 15 bits.
    """

    sharp: int
    strengths: int
    most: int


COARSE = Sharpness(sharp=16, strengths=64, most=220)
"""For pairs, each of which is worth a bit in the mean unless the tilt is great."""


_SHARP = Sharpness(sharp=16, strengths=1024, most=220)
"""For circles, whose values are worth a bit each."""


_POWERS = [1 << CIRCLE - i // 16 for i in range(16 * CIRCLE)]
"""2**-(i / 16), rounded up, in units of 2**-CIRCLE."""
_POWERS += [1] * (255 * _STRONGEST + 1 - len(_POWERS))


class Circle(Record):
    """What bounds |phi| of one draw: its dampers (value, 1, strength), the points on a circle, and B in 2**-32."""

    dampers: list[Damper]
    number: int
    chance: int


def sharpness_of(dampers: list[Damper]) -> Sharpness:
    """Return the finest tables, up to 1/128 bit, whose bytes hold the bounds of nearly all of these dampers.

    >>> sharpness_of([(3, 1, 1 << 28)] * 9), sharpness_of([(1, 1, 1 << 31)])
    (Sharpness(sharp=128, strengths=512, most=5460), Sharpness(sharp=64, strengths=256, most=1023))
    """
    log2 = enough(1)
    highest = sorted(
        minus_log(min(strength, (1 << BITS) - 1)) * min(count, 64) for _, count, strength in dampers
    ) or [0]
    typical = highest[9 * (len(highest) - 1) // 10]
    sharp = 128
    while sharp > COARSE.sharp and sharp * typical > CLIP * log2:
        sharp //= 2
    if sharp == COARSE.sharp:
        return COARSE
    largest = max(1, min(CLIP, sharp * highest[-1] // log2 + 1))
    return Sharpness(sharp=sharp, strengths=4 * sharp, most=(1 << 15) // largest - 1)


@lru_cache(1024)
def means_of(count: int, strength: int, sharp: int) -> list[tuple[float, float]]:
    """Return mean and variance of a table's entries, in bits, for intervals of i/128 of a turn, i = 0..65."""
    bounds = master(strength, count, MARGIN, CLIP, sharp)
    means = list[tuple[float, float]]()
    for i in range(GRID + 2):
        table = laid_out(bounds, 512 * i // (2 * GRID))
        mean = sum(table) / (_CELLS * sharp)
        square = sum(map(int.__mul__, table, table)) / (_CELLS * sharp**2)
        means.append((mean, square - mean * mean))
    return means


@lru_cache(4096)
def master(strength: int, count: int, margin: int, most: int, sharp: int) -> bytes:
    """Bound -log2 |..| of ``count`` units from below, i/512 of a turn minus the margin from 0, for i = 0..256."""
    log2 = enough(1)
    entries = [0]
    for i in range(1, _CELLS + 1):
        y = strength * sine_square((i << BITS - 9) - margin) >> BITS
        entries.append(min(most, sharp * count * minus_log(y) // log2))
    return bytes(entries)


def class_of(strength: int, count: int, sharpness: Sharpness) -> tuple[int, int]:
    """Return a strength and a count rounded down to one of few."""
    drop = max(0, count.bit_length() - 2)
    count = min(count >> drop << drop, 64)
    unit = (1 << BITS) // sharpness.strengths
    return min(strength // unit * unit, (1 << BITS) - 1), count


def laid_out(master: bytes, q: int) -> bytes:
    """Return the table of an interval of q/512 of a turn, q <= 508, from the bounds by distance.

    From a phase in [c, c + 1] / 256 on, the distance from the whole turns stays at least min(2 c,
    510 - 2 c - q) / 512.
    """
    rising = (510 - q) // 4 + 1
    table = master[: 2 * rising : 2] + master[510 - q - 2 * rising :: -2]
    return table + bytes(_CELLS - len(table))


class Points:
    """Phases of all dampers at once: fractions d / period in one integer, which the frequency multiplies.

    Dampers of one class are neighbours, so that one table serves a slice of bytes.
    """

    def __init__(self, dampers: list[Damper], period: int, sharpness: Sharpness) -> None:
        self.number = len(dampers)
        classes: dict[tuple[int, int], list[int]] = {}
        for d, count, strength in dampers:
            classes.setdefault(class_of(strength, count, sharpness), []).append(d)
        packed = bytearray()
        self.slices = list[tuple[slice, bytes]]()
        high = _POINT_PLACES // 8 - 1
        mask = (1 << _POINT_PLACES) - 1
        for (strength, count), alike in classes.items():
            start = high + len(packed)
            for d in alike:
                fraction = (d << _POINT_PLACES) // period & mask
                packed += fraction.to_bytes(_POINT_BYTES, "little")
            place = slice(start, high + len(packed), _POINT_BYTES)
            bounds = master(strength, count, _POINT_MARGIN, 255, sharpness.sharp)
            self.slices.append((place, laid_out(bounds, 0)))
        self._packed = int.from_bytes(packed, "little")
        self._bytes = len(packed)
        self._sharp = sharpness.sharp

    def phases(self, j: int) -> bytes:
        """Return the phases at t_j, those of a class in its slice."""
        return (self._packed * j).to_bytes(self._bytes, "little")

    def bits(self, j: int) -> int:
        """Return bits b with |phi(t_j)| <= 2**-b."""
        phases = self.phases(j)
        sums = (sum(phases[place].translate(table)) for place, table in self.slices)
        return sum(sums) // self._sharp


class Bounded:
    """A circle at one period: the mean of the products of all |q + p y exp(i r t)| over its points y, over B.

    [y^m] of a polynomial of degree n is the mean of its values times y**-m over more than max(m, n
    - m) roots y of unity. The bounds of one value at all points are the fields of one integer, and
    so are their sums.
    """

    def __init__(self, circle: Circle, period: int) -> None:
        self._circle = circle
        self._period = period
        self._whole = circle.number * circle.chance
        self.price = _PRICE + (min(len(circle.dampers), _STRONGEST) + circle.number) // 8

    @cached_property
    def _points(self) -> Points:
        """The strongest values, in few tables: that of a class serves the weakest of its values."""
        ordered = sorted(self._circle.dampers, key=itemgetter(2))[-_STRONGEST:]
        size = max(_ALIKE, -(-len(ordered) // 2))
        dampers = [(r, 1, ordered[i // size * size][2]) for i, (r, _, _) in enumerate(ordered)]
        return Points(dampers, self._period, _SHARP)

    @cached_property
    def _fields(self) -> list[tuple[slice, list[int]]]:
        number = self._circle.number
        return [(place, _on_circle(table, number)) for place, table in self._points.slices]

    def bound(self, j: int) -> int:
        """Bound |phi(t_j)| in units of 2**-CIRCLE."""
        phases = self._points.phases(j)
        fields = sum([sum([at[x] for x in phases[place]]) for place, at in self._fields])
        packed = fields.to_bytes(2 * self._circle.number, byteorder)
        total = sum([_POWERS[bits] for bits in memoryview(packed).cast("H")])
        return (total << BITS) // self._whole + 1


@lru_cache(1024)
def _on_circle(table: bytes, number: int) -> list[int]:
    """Return for each phase the bounds at all points of a circle, in fields of 16 bits.

    A phase and the turn of a point, both rounded down, lie in two cells.
    """
    twice = bytes(map(min, table, table[1:] + table[:1])) * 2
    turns = [_CELLS * k // number for k in range(number)]
    rows = zip(*[twice[turn : turn + _CELLS] for turn in turns])
    return [int.from_bytes(array("H", row).tobytes(), byteorder) for row in rows]


def phase(x: int, period: int) -> int:
    """Return x / period mod 1 in the bits 1 to 15, rounded to nearest."""
    return (((x % period << 16) // period + 1 >> 1) & 0x7FFF) << 1


class PhaseBlock:
    """Phases of some dampers at the starts of ``count`` intervals of ``length`` frequencies, moved along by :meth:`tried`."""

    def __init__(
        self,
        dampers: list[Damper],
        length: int,
        bits: int,
        count: int,
        *,
        period: int,
        sharpness: Sharpness,
    ) -> None:
        self._period = period
        self._count = count
        self._bits = bits
        self._sharp = sharpness.sharp
        self._ones = ((1 << 16 * count) - 1) // 0xFFFF
        self._low = self._ones & ((1 << 8 * count) - 1)  # a one in every second byte
        self.dampers = [
            (
                damper[0],
                self._pattern(damper[0] * length),
                table_of(damper, length, period, sharpness),
            )
            for damper in dampers
        ]

    def _pattern(self, step: int) -> int:
        """Return fields i * step / period mod 1, i < count, in the bits 1 to 15, within 5 units of 2**-15, by doubling.

        The step of each doubling is rounded to nearest, so ten of them are off by 5 units. A carry
        out of bit 15 lands in the bit 0 of the next field, which the mask removes.
        """
        pattern = 0
        fields = 1
        ones = 1
        while fields < self._count:
            moved = pattern + phase(step * fields, self._period) * ones & ones * 0xFFFE
            pattern |= moved << 16 * fields
            ones |= ones << 16 * fields
            fields *= 2
        return pattern

    def tried(self, first: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Return ([(bits, number of intervals with |phi| <= 2**-bits)], intervals without a bound), from ``first``."""
        ones = self._ones
        bytes_of = 2 * self._count
        mask = self._ones * 0xFFFE
        every_second = self._low * 0xFF
        even = odd = added = 0
        last = len(self.dampers)
        for n, (d, pattern, table) in enumerate(self.dampers, 1):
            phases = pattern + phase(d * first, self._period) * ones & mask
            bounds = phases.to_bytes(bytes_of, "little")[1::2].translate(table)
            added += int.from_bytes(bounds, "little")
            if n % 4 == 0 or n == last:
                even += added & every_second
                odd += added >> 8 & every_second
                added = 0
        return self._levels(even, odd)

    def _levels(self, even: int, odd: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Read the sums of the even and the odd intervals, fields of 16 bits below 2**15."""
        flag = self._low << 15
        accepted = []
        for more in (0, 2, 4, 8):
            add = max(0, (1 << 15) - self._sharp * (self._bits + more)) * self._low
            accepted.append((even + add & flag, odd + add & flag))
        numbers = [bit_count(x) + bit_count(y) for x, y in accepted]
        amounts = [
            (self._bits + more, n - beyond)
            for more, n, beyond in zip((0, 2, 4, 8), numbers, [*numbers[1:], 0])
        ]
        failed = [
            2 * i + parity
            for parity, flags in enumerate(accepted[0])
            if flags != flag
            for i, x in enumerate(flags.to_bytes(self._count, "little")[1::2])
            if not x
        ]
        return amounts, failed


def table_of(damper: Damper, length: int, period: int, sharpness: Sharpness) -> bytes:
    """Return for each cell of phases a lower bound, in 1/sharp bits, over ``length`` frequencies from there."""
    d, count, strength = damper
    bounds = master(*class_of(strength, count, sharpness), MARGIN, CLIP, sharpness.sharp)
    return laid_out(bounds, -(-d * (length - 1) * 512 // period))
