"""Find the frequencies whose characteristic function is not negligible, and bound the sum of all others.

A unit of difference d turns by d j / P between the frequencies 0 and j. The phases of one unit at
the starts of 1,024 intervals are 1,024 fields of 16 bits in one integer; one addition moves them
all, the high bytes are the phases in 256ths of a turn, and ``bytes.translate`` maps each to a lower
bound of -log2 |1 - p + p exp(2 pi i phase)| that holds over the whole interval. The bytes of many
units are added in one integer, and one more addition compares all sums with the threshold. That
takes some 5 ns for each unit and interval.

Four choices keep the number of units and intervals small: the smallest units that still turn are
used at each height, since they allow the longest intervals; accepted intervals are counted by how
small |phi| is proved to be; the threshold falls towards the top, where a frequency weighs less; and
intervals that fail are bisected, down to single frequencies, which are evaluated where no bound
helps. Choices of height, length and threshold are floats and enter no bound.

Source: spec/note.md#note-scan.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import sqrt
from operator import itemgetter

from ..arithmetic.compat import bit_count
from ..record import Record
from .damping import BITS, Damping, Unit, enough, minus_log, sine_square
from .parameters import exponential, upper_normal

Share = tuple[float, list[tuple[float, float]], float]
"""(difference / period, means and variances of its table, strength)."""


# Work is counted in units of half a microsecond (CPython 3.11).
_WORK_BLOCK = 100  # unit-intervals of the scan in one unit of work
_WORK_SETUP = 40  # of one unit of difference in one block: its pattern and its table
_WORK_POINT = 6  # of one frequency, and one more for every 20 units of difference
_WORK_CONFIGURATION = 1000
_FEW = 1 << 14  # frequencies that are not worth a prediction

_LN2 = 0.6931471805599453
_INTERVALS = 1024
_CELLS = 256  # a phase is known by its 8 high bits
_CLIP = 63  # four bytes are added before they are spread to fields of 16 bits
_MARGIN = 1 << (BITS - 12)  # of a turn: more than all roundings of a phase, 6 units of 2**-15
_POINT_MARGIN = 1 << (BITS - 24)
# of a phase d / P; a frequency below 2**40 multiplies its rounding to less than _POINT_MARGIN
_POINT_PLACES = 64
_POINT_BYTES = 16
_GRID = 64  # values of delta in 0..1/2 for which a table's mean is known
_SAMPLE = 300  # weak units that decide on most frequencies
_LEAF = 24  # frequencies that a sample settles sooner than one interval of weak units
_SPARED = 5  # bits by which a single frequency may miss its threshold and still fit the spare sum
_SHORT = 12  # intervals of fewer frequencies are taken apart at once
_NEVER = 1e300
_LENGTHS = tuple(sorted({5**e // 4**e for e in range(140)}))
_CIRCLE = 128  # places of bounds on circles
_FEW_CIRCLES = 4  # that settle most frequencies
_ALIKE = 12  # values at least that share a table
_STRONGEST = 72  # values of a circle
SCALE = 256
"""Sums of bounds |phi(t_j)| <= b_j are kept as sum b_j / j, rounded up, in units of 2**-SCALE."""


class Aim(Record):
    """What a scan is to settle: all frequencies up to ``top``, leaving out those with |phi| <= 2**-bits there.

    Further down the bits grow by half of log2(top / j). ``spare`` is how much frequencies above
    that may add to the sum of what is left out, in units of 2**-SCALE.
    """

    top: int
    bits: int
    spare: int


class Settled(Record):
    """What a scan has settled: each j <= ``reached`` is in ``found`` or in the sum ``skipped`` of b_j / j."""

    found: list[int]
    reached: int
    skipped: int
    work: int


class Plan(Record):
    """How to scan near one height: the units, the frequencies of an interval, the threshold, the work a frequency."""

    units: list[Unit]
    length: int
    bits: int
    rate: float


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


class Circle(Record):
    """What bounds |phi| of one draw: its units (value, 1, strength), the points on a circle, and B in 2**-32."""

    units: list[Unit]
    number: int
    chance: int


def sharpness_of(units: list[Unit]) -> Sharpness:
    """Return the finest tables, up to 1/128 bit, whose bytes hold the bounds of nearly all of these units.

    >>> sharpness_of([(3, 1, 1 << 28)] * 9), sharpness_of([(1, 1, 1 << 31)])
    (Sharpness(sharp=128, strengths=512, most=5460), Sharpness(sharp=64, strengths=256, most=1023))
    """
    log2 = enough(1)
    highest = sorted(
        minus_log(min(strength, (1 << BITS) - 1)) * min(count, 64) for _, count, strength in units
    ) or [0]
    typical, sharp = highest[9 * (len(highest) - 1) // 10], 128
    while sharp > COARSE.sharp and sharp * typical > _CLIP * log2:
        sharp //= 2
    if sharp == COARSE.sharp:
        return COARSE
    largest = max(1, min(_CLIP, sharp * highest[-1] // log2 + 1))
    return Sharpness(sharp=sharp, strengths=4 * sharp, most=(1 << 15) // largest - 1)


class Scan:
    """The search for the frequencies that matter, for one tilted distribution and one period.

    ``units`` are those of :class:`Damping`, ``price`` is the work of one evaluation of phi;
    ``tick`` is told all other work as it is done.
    """

    def __init__(
        self,
        units: list[Unit],
        period: int,
        price: int,
        tick: Callable[[int], object] = lambda _units: None,
        sharpness: Sharpness = COARSE,
        *,
        circles: Sequence[Circle] = (),
    ) -> None:
        self.damping = Damping(units, period)
        self.period = period
        self.price = price
        self.sharpness = sharpness
        self._tick = tick
        self._differences = [d for d, _, _ in units]
        # Strong units all turn anyhow. Of weak ones there are many more than a bound needs: every
        # 50th, say, then every 12th, then all of them.
        fewest, self._leaf = (len(units), 6) if sharpness is COARSE else (_SAMPLE, _LEAF)
        self._samples = sorted(
            {max(1, len(units) // (fewest << shift or 1)) for shift in (0, 2, 64)}, reverse=True
        )
        self._points: list[_Points] = []
        self._circles = [_Bounded(circle, period) for circle in circles]
        # of a frequency that weak units do not settle
        self._hard = price
        if self._circles:
            several = sum([circle.price for circle in self._circles[:_FEW_CIRCLES]])
            self._hard = min(price, price // 256 + several)
        self._price_point = _WORK_POINT + len(units) / self._samples[0] / 20
        self._climbed = 0
        self._aim = Aim(top=0, bits=0, spare=0)
        self._found: list[int] = []
        self._paid: set[int] = set()  # frequencies whose evaluation was counted before
        self._skipped = self._work = self._limit = self._spent = self._threshold = 0

    def settle(self, aim: Aim, limit: int) -> Settled:
        """Settle all frequencies up to ``aim.top``, or as many as ``limit`` units of work allow."""
        self._aim, self._limit = aim, limit
        sure = min(aim.top, self.damping.surely_needed(self._needed(1)), limit // self.price)
        self._found = list(range(1, sure + 1))
        self._skipped = self._spent = 0
        self._threshold = aim.spare >> 10
        self._work = 0
        for j in self._found:
            self._pay(j)
        reached, bisection = sure, 0  # the work that a bisection of the next octave would take
        while reached < aim.top and self._work < limit:
            start, end = reached + 1, min(aim.top, 2 * reached + 1)
            before = self._work
            plan = self._plan(start, end) if bisection > 4 * _WORK_CONFIGURATION else None
            if (
                plan is None
                or plan.rate * (end - start) + _WORK_SETUP * len(plan.units) > bisection
            ):
                reached = self._bisect(start, end)
                bisection = 2 * (self._work - before)
            else:
                reached = self._scan(start, end, plan)
                bisection *= 2
        found = [j for j in self._found if j <= reached]
        return Settled(found=found, reached=reached, skipped=self._skipped, work=self._work)

    def _pay(self, j: int) -> None:
        """Count the work of the evaluation of phi at j, which is kept."""
        if j not in self._paid:
            self._paid.add(j)
            self._work += self.price

    def _spend(self, units: int) -> None:
        self._work += units
        self._tick(units)

    def _needed(self, j: int) -> int:
        """Return the bits wanted of |phi(t_j)|."""
        return self._aim.bits + ((max(1, self._aim.top // j)).bit_length() - 1) // 2

    # ----------------------------------------------------------------------------------- one by one

    def _bisect(self, first: int, last: int) -> int:
        """Settle first..last and return how far it came."""
        stack = [(first, last)]
        while stack:
            a, b = stack.pop()
            if self._work >= self._limit:
                return a - 1
            bits = self._needed(a)
            self._spend(min(len(self._differences), 100))
            if self.damping.negligible(a, b, enough(bits)):
                self._skipped += (b - a + 1) * _bound(a, bits)
            elif b - a < self._leaf:
                for j in range(a, b + 1):
                    self._settle_one(j)
            else:
                middle = (a + b) // 2
                stack += [(middle + 1, b), (a, middle)]
        return last

    def _settle_one(self, j: int) -> None:
        """Leave j out where a bound allows, or note it as found.

        Bounds above the wanted one are accepted as long as they fit the spare sum, at most
        ``_threshold`` each.
        """
        bits, needed = self._point_bits(j), self._needed(j)
        bound = _bound(j, bits)
        if bits < needed:
            if bound > self._threshold:
                self._found.append(j)
                self._pay(j)
                return
            self._spent += bound
            spare, top = self._aim.spare, self._aim.top
            if self._spent * 10 * top < spare * (top + 9 * j):
                self._threshold = min(self._threshold + self._threshold // 20 + 1, spare >> 6)
            else:
                self._threshold -= self._threshold // 20
        self._skipped += bound

    def _point_bits(self, j: int) -> int:
        """Return bits b with |phi(t_j)| <= 2**-b: from as few of the units as are enough."""
        if not self._points:
            units = self.damping.groups
            self._points = [
                _Points(units[::every], self.period, self.sharpness) for every in self._samples
            ]
        bits = 0
        for points in self._points:
            self._spend(_WORK_POINT + points.number // 20)
            bits = points.bits(j)
            if bits >= self._needed(j):
                return bits
        bound = 1 << _CIRCLE
        for circle in self._circles:
            self._spend(circle.price)
            bound = (bound * circle.bound(j) >> _CIRCLE) + 1
            bits = max(bits, _CIRCLE - bound.bit_length())
            if bits >= self._needed(j):
                break
        return bits

    # ------------------------------------------------------------------------- a thousand at a time

    def _scan(self, first: int, last: int, plan: Plan) -> int:
        """Settle first..last by blocks of intervals and return how far it came."""
        length, count = plan.length, _INTERVALS
        while count > 128 and count * length > last - first + 1:
            count //= 2
        block = _Block(self, plan, count)
        self._work += _WORK_SETUP * len(plan.units)
        work = 20 + count * len(plan.units) // _WORK_BLOCK
        while first <= last:
            if self._work >= self._limit:
                return first - 1
            self._spend(work)
            amounts, failed = block.tried(first)
            for bits, intervals in amounts:
                self._skipped += intervals * length * _bound(first, bits)
            for i in failed:
                a = first + i * length
                b = min(a + length - 1, last)
                if length < _SHORT:
                    for j in range(a, b + 1):
                        self._settle_one(j)
                elif a <= last and self._bisect(a, b) < b:
                    return first - 1
            first += count * length
        return last

    # ---------------------------------------------------------------------------------- how to scan

    def cost(self, aim: Aim) -> float:
        """Predict the work of :meth:`settle`, from the plan of one octave in every three."""
        self._aim = aim
        sure = min(aim.top, self.damping.surely_needed(self._needed(1)))
        work = float(sure * self.price)
        last = aim.top
        while last > max(_FEW, 4 * sure):
            plan = self._plan(last // 2, last)
            work += last * (plan.rate if plan else float(self._hard))
            last //= 8
        return work + max(0, last - sure) * self._hard if self._circles else work

    def _plan(self, j: int, last: int) -> Plan | None:
        """Return the cheapest way to scan j..last by a normal model of the sums, or None where no unit turns yet.

        The length of the intervals is climbed to from that of the plan before; at least 128
        intervals make a block.
        """
        period, bits = self.period, self._needed(j)
        candidates = self._turning(j)
        self._work += _WORK_CONFIGURATION
        shares = [(unit[0] / period, *_model(unit, self.sharpness)) for unit in candidates]
        price = self._price_point
        longest = bisect_right(_LENGTHS, max(1, (last - j) // 128)) - 1
        tried: dict[int, tuple[float, int, int]] = {}

        def rate(i: int) -> float:
            if i not in tried:
                tried[i] = self._cheapest(shares, _LENGTHS[i], bits, price)
            return tried[i][0]

        i = min(self._climbed, longest)
        while i < longest and rate(i + 1) <= rate(i) < _NEVER:
            i += 1
        while i > 0 and rate(i - 1) <= rate(i):
            i -= 1
        if rate(i) >= _NEVER:
            return None
        self._climbed = i
        work, units, threshold = tried[i]
        work += self._evaluations(shares, bits)
        return Plan(units=candidates[:units], length=_LENGTHS[i], bits=threshold, rate=work)

    def _evaluations(self, shares: list[Share], bits: int) -> float:
        """Predict, for each frequency, the evaluations that no bound avoids: few units are rarely small together."""
        mean = variance = 0.0
        for _, means, strength in shares:
            m, v = means[0]
            mean, variance = mean + m * strength, variance + v
        return self._hard * upper_normal((mean - bits + _SPARED) / (sqrt(variance) + 1e-9))

    def _turning(self, j: int) -> list[Unit]:
        """Return the smallest units that turn by 0.6 at j, ascending; of very many some that are evenly apart.

        Neighbours would turn alike, and all of them fail together.
        """
        differences, least, most = (
            self._differences,
            3 * self.period // (5 * j),
            self.sharpness.most,
        )
        first = bisect_left(differences, least)
        if bisect_left(differences, 2 * least) - first <= most:
            return self.damping.groups[first : first + most]
        places = (bisect_left(differences, least + 3 * least * i // most) for i in range(most))
        return [self.damping.groups[i] for i in dict.fromkeys(places) if i < len(differences)]

    def _cheapest(
        self, shares: list[Share], length: int, bits: int, price: float
    ) -> tuple[float, int, int]:
        """Return (work for each frequency, number of units, threshold) of the best number of units for a length."""
        mean = variance = 0.0
        best = _NEVER, 0, 0
        for n, (share, means, strength) in enumerate(shares, 1):
            delta = share * (length - 1)
            if delta > 0.45:
                break
            m, v = means[int(2 * _GRID * delta) + 1]
            mean, variance = mean + m * strength, variance + v
            if mean > bits - 6 and (n % 8 == 0 or n == len(shares)):
                rate, threshold, failing = _rate((mean, variance), n, length, bits, price)
                if rate < best[0]:
                    best = rate, n, threshold
                if failing < 1e-5 or rate > 1.5 * best[0]:
                    break
        return best

    def table(self, unit: Unit, length: int) -> bytes:
        """Return for each cell of phases a lower bound, in 1/sharp bits, over ``length`` frequencies from there."""
        master = _master(
            *_class(unit[2], unit[1], self.sharpness), _MARGIN, _CLIP, self.sharpness.sharp
        )
        return _laid_out(master, -(-unit[0] * (length - 1) * 512 // self.period))


def _model(unit: Unit, sharpness: Sharpness) -> tuple[list[tuple[float, float]], float]:
    """Return the means and variances of a unit's tables, and the factor for the means.

    Coarse tables of strength 1 serve all strengths, in proportion; fine ones are those of the unit
    itself.
    """
    if sharpness is COARSE:
        return _means(_class(0, unit[1], COARSE)[1], 1 << BITS, COARSE.sharp), unit[2] / (1 << BITS)
    strength, count = _class(unit[2], unit[1], sharpness)
    return _means(count, strength, sharpness.sharp), 1.0


@lru_cache(1024)
def _means(count: int, strength: int, sharp: int) -> list[tuple[float, float]]:
    """Return mean and variance of a table's entries, in bits, for intervals of i/128 of a turn, i = 0..65."""
    master = _master(strength, count, _MARGIN, _CLIP, sharp)
    means = list[tuple[float, float]]()
    for i in range(_GRID + 2):
        table = _laid_out(master, 512 * i // (2 * _GRID))
        mean = sum(table) / (_CELLS * sharp)
        square = sum(map(int.__mul__, table, table)) / (_CELLS * sharp**2)
        means.append((mean, square - mean * mean))
    return means


@lru_cache(4096)
def _master(strength: int, count: int, margin: int, most: int, sharp: int) -> bytes:
    """Bound -log2 |..| of ``count`` units from below, i/512 of a turn minus the margin from 0, for i = 0..256."""
    log2 = enough(1)
    entries = [0]
    for i in range(1, _CELLS + 1):
        y = strength * sine_square((i << BITS - 9) - margin) >> BITS
        entries.append(min(most, sharp * count * minus_log(y) // log2))
    return bytes(entries)


def _class(strength: int, count: int, sharpness: Sharpness) -> tuple[int, int]:
    """Return a strength and a count rounded down to one of few."""
    drop = max(0, count.bit_length() - 2)
    count = min(count >> drop << drop, 64)
    unit = (1 << BITS) // sharpness.strengths
    return min(strength // unit * unit, (1 << BITS) - 1), count


def _laid_out(master: bytes, q: int) -> bytes:
    """Return the table of an interval of q/512 of a turn, q <= 508, from the bounds by distance.

    From a phase in [c, c + 1] / 256 on, the distance from the whole turns stays at least min(2 c,
    510 - 2 c - q) / 512.
    """
    rising = (510 - q) // 4 + 1
    table = master[: 2 * rising : 2] + master[510 - q - 2 * rising :: -2]
    return table + bytes(_CELLS - len(table))


def _bound(j: int, bits: int) -> int:
    """Return 2**-bits / j in units of 2**-SCALE, rounded up."""
    return ((1 << SCALE) // j >> bits) + 1


def _rate(
    moments: tuple[float, float], units: int, length: int, bits: int, price: float
) -> tuple[float, int, float]:
    """Return (work for each frequency, threshold, failing share) for normal sums of this mean and variance, in bits.

    Where many fail, the threshold falls below ``bits`` as long as the accepted bounds are 2**-bits
    in the mean: E[2**-E; E >= s] = 2**(-mean + variance ln 2 / 2) Q((s - mean + variance ln 2) /
    deviation).
    """
    mean, variance = moments
    deviation = sqrt(variance) + 1e-9
    shifted = mean - variance * _LN2
    threshold = bits
    failing = upper_normal((mean - threshold) / deviation)
    level = exponential(_LN2 * (bits - mean + variance * _LN2 / 2.0))
    while (
        failing > 2e-5
        and threshold > max(1, bits - 8)
        and level * upper_normal((threshold - 1 - shifted) / deviation) < 0.35
    ):
        threshold -= 1
        failing = upper_normal((mean - threshold) / deviation)
    repair = length * price if length < _SHORT else 360.0 + 8.0 * price
    return (units / _WORK_BLOCK + failing * repair) / length, threshold, failing


class _Block:
    """Phases of some units at the starts of ``count`` intervals, moved along by :meth:`tried`."""

    def __init__(self, scan: Scan, plan: Plan, count: int) -> None:
        self._period, self._count, self._bits, self._sharp = (
            scan.period,
            count,
            plan.bits,
            scan.sharpness.sharp,
        )
        self._ones = ((1 << 16 * count) - 1) // 0xFFFF
        self._low = self._ones & ((1 << 8 * count) - 1)  # a one in every second byte
        self._units = [
            (unit[0], self._pattern(unit[0] * plan.length), scan.table(unit, plan.length))
            for unit in plan.units
        ]

    def _pattern(self, step: int) -> int:
        """Return fields i * step / period mod 1, i < count, in the bits 1 to 15, within 5 units of 2**-15, by doubling.

        The step of each doubling is rounded to nearest, so ten of them are off by 5 units. A carry
        out of bit 15 lands in the bit 0 of the next field, which the mask removes.
        """
        pattern, fields, ones = 0, 1, 1
        while fields < self._count:
            moved = pattern + _phase(step * fields, self._period) * ones & ones * 0xFFFE
            pattern |= moved << 16 * fields
            ones |= ones << 16 * fields
            fields *= 2
        return pattern

    def tried(self, first: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Return ([(bits, number of intervals with |phi| <= 2**-bits)], intervals without a bound), from ``first``."""
        ones, bytes_of, mask = self._ones, 2 * self._count, self._ones * 0xFFFE
        every_second = self._low * 0xFF
        even = odd = added = 0
        for n, (d, pattern, table) in enumerate(self._units, 1):
            phases = pattern + _phase(d * first, self._period) * ones & mask
            added += int.from_bytes(
                phases.to_bytes(bytes_of, "little")[1::2].translate(table), "little"
            )
            if n % 4 == 0:
                even += added & every_second
                odd += added >> 8 & every_second
                added = 0
        even += added & every_second
        odd += added >> 8 & every_second
        return self._levels(even, odd)

    def _levels(self, even: int, odd: int) -> tuple[list[tuple[int, int]], list[int]]:
        """Read the sums of the even and the odd intervals, fields of 16 bits below 2**15."""
        flag = self._low << 15
        accepted = []
        for more in (0, 2, 4, 8):
            add = max(0, (1 << 15) - self._sharp * (self._bits + more)) * self._low
            accepted.append((self._bits + more, even + add & flag, odd + add & flag))
        numbers = [bit_count(x) + bit_count(y) for _, x, y in accepted]
        amounts = [
            (bits, n - more) for (bits, _, _), n, more in zip(accepted, numbers, [*numbers[1:], 0])
        ]
        failed = [
            2 * i + parity
            for parity, flags in enumerate(accepted[0][1:])
            if flags != flag
            for i, x in enumerate(flags.to_bytes(self._count, "little")[1::2])
            if not x
        ]
        return amounts, failed


class _Points:
    """Phases of all units at once: fractions d / period in one integer, which the frequency multiplies.

    Units of one class are neighbours, so that one table serves a slice of bytes.
    """

    def __init__(self, units: list[Unit], period: int, sharpness: Sharpness) -> None:
        self.number = len(units)
        classes: dict[tuple[int, int], list[Unit]] = {}
        for unit in units:
            classes.setdefault(_class(unit[2], unit[1], sharpness), []).append(unit)
        packed, self.slices = bytearray(), list[tuple[slice, bytes]]()
        high, mask = _POINT_PLACES // 8 - 1, (1 << _POINT_PLACES) - 1
        for (strength, count), alike in classes.items():
            start = high + len(packed)
            for d, _, _ in alike:
                fraction = (d << _POINT_PLACES) // period & mask
                packed += fraction.to_bytes(_POINT_BYTES, "little")
            place = slice(start, high + len(packed), _POINT_BYTES)
            master = _master(strength, count, _POINT_MARGIN, 255, sharpness.sharp)
            self.slices.append((place, _laid_out(master, 0)))
        self._packed = int.from_bytes(packed, "little")
        self._bytes, self._sharp = len(packed), sharpness.sharp

    def phases(self, j: int) -> bytes:
        """Return the phases at t_j, those of a class in its slice."""
        return (self._packed * j).to_bytes(self._bytes, "little")

    def bits(self, j: int) -> int:
        """Return bits b with |phi(t_j)| <= 2**-b."""
        phases = self.phases(j)
        sums = (sum(phases[place].translate(table)) for place, table in self.slices)
        return sum(sums) // self._sharp


class _Bounded:
    """A circle at one period: the mean of the products of all |q + p y exp(i r t)| over its points y, over B.

    [y^m] of a polynomial of degree n is the mean of its values times y**-m over more than max(m, n
    - m) roots y of unity. A phase and a turn, both rounded down, lie in two cells.
    """

    def __init__(self, circle: Circle, period: int) -> None:
        # Tables are few: that of a class serves the weakest of its values, and the strongest are enough.
        ordered = sorted(circle.units, key=itemgetter(2))[-_STRONGEST:]
        size = max(_ALIKE, -(-len(ordered) // 2))
        units = [(r, 1, ordered[i // size * size][2]) for i, (r, _, _) in enumerate(ordered)]
        self._points = _Points(units, period, _SHARP)
        self._whole = circle.number * circle.chance
        self._tables = []
        for place, table in self._points.slices:
            twice = bytes(map(min, table, table[1:] + table[:1])) * 2
            turns = (_CELLS * k // circle.number for k in range(circle.number))
            self._tables.append((place, [twice[i : i + _CELLS] for i in turns]))
        self.price = circle.number * len(self._tables)

    def bound(self, j: int) -> int:
        """Bound |phi(t_j)| in units of 2**-_CIRCLE."""
        phases = self._points.phases(j)
        sums = [
            [sum(phases[place].translate(table)) for table in tables]
            for place, tables in self._tables
        ]
        total = 0
        for each in zip(*sums):
            total += 1 << max(0, _CIRCLE - sum(each) // _SHARP.sharp)
        return (total << BITS) // self._whole + 1


def _phase(x: int, period: int) -> int:
    """Return x / period mod 1 in the bits 1 to 15, rounded to nearest."""
    return (((x % period << 16) // period + 1 >> 1) & 0x7FFF) << 1
