"""Find the frequencies whose characteristic function is not negligible, and bound the sum of all others.

A damper of difference d turns by d j / P between the frequencies 0 and j. The phases of one damper at
the starts of 1,024 intervals are 1,024 fields of 16 bits in one integer; one addition moves them
all, the high bytes are the phases in 256ths of a turn, and ``bytes.translate`` maps each to a lower
bound of -log2 |1 - p + p exp(2 pi i phase)| that holds over the whole interval. The bytes of many
dampers are added in one integer, and one more addition compares all sums with the threshold. That
takes some 5 ns for each damper and interval.

Four choices keep the number of dampers and intervals small: the smallest dampers that still turn are
used at each height, since they allow the longest intervals; accepted intervals are counted by how
small |phi| is proved to be; the threshold falls towards the top, where a frequency weighs less; and
intervals that fail are bisected, down to single frequencies, which are evaluated where no bound
helps. Choices of height, length and threshold are floats and enter no bound.

Source: spec/note.md#note-scan.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from math import sqrt

from .._types import TYPE_CHECKING
from ..record import Record
from .damping import BITS, Damping, enough
from .parameters import LN2, exponential, upper_normal
from .tables import (
    CIRCLE,
    COARSE,
    GRID,
    Bounded,
    Circle,
    PhaseBlock,
    Points,
    Sharpness,
    class_of,
    means_of,
)

if TYPE_CHECKING:
    from .damping import Damper


Share = tuple[float, list[tuple[float, float]], float]
"""(difference / period, means and variances of its table, factor for the means)."""


# Work is counted in units of half a microsecond (CPython 3.11).
_WORK_BLOCK = 100  # damper-intervals of the scan in one unit of work
_WORK_SETUP = 40  # of one damper in one block: its pattern and its table
_WORK_POINT = 6  # of one frequency, and one more for every 20 dampers
_WORK_CONFIGURATION = 1000
_FEW = 1 << 14  # frequencies that are not worth a prediction

_INTERVALS = 1024
_SAMPLE = 300  # weak dampers that decide on most frequencies
_LEAF = 24  # frequencies that a sample settles sooner than one interval of weak dampers
_SPARED = 5  # bits by which a single frequency may miss its threshold and still fit the spare sum
_SHORT = 12  # intervals of fewer frequencies are taken apart at once
_NEVER = 1e300
_LENGTHS = tuple(sorted({5**e // 4**e for e in range(140)}))
_FEW_CIRCLES = 4  # that settle most frequencies
_LONG = 2e7  # units of work above which a prediction need not be better
_TRIALS = 64  # frequencies whose bounds on circles are a sample
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
    """How to scan near one height: the dampers, the frequencies of an interval, the threshold, the work a frequency."""

    dampers: list[Damper]
    length: int
    bits: int
    rate: float


class Planner:
    """Chooses how to scan by a normal model of the sums of bounds; it enters no bound.

    ``point`` is the work of a bound at one frequency, ``hard`` that of one which weak dampers do
    not settle.
    """

    def __init__(self, damping: Damping, sharpness: Sharpness, *, point: float, hard: int) -> None:
        self._damping = damping
        self.sharpness = sharpness
        self._point = point
        self._hard = hard
        self._climbed = 0
        self._shares: dict[Damper, Share] = {}

    def plan(self, j: int, last: int, bits: int) -> Plan | None:
        """Return the cheapest way to scan j..last for so many bits, or None where no damper turns yet.

        The length of the intervals is climbed to from that of the plan before; at least 128
        intervals make a block.
        """
        candidates = self.turning(j)
        shares = [self._shares.get(damper) or self._share(damper) for damper in candidates]
        longest = bisect_right(_LENGTHS, max(1, (last - j) // 128)) - 1
        tried: dict[int, tuple[float, int, int]] = {}

        def rate(i: int) -> float:
            if i not in tried:
                tried[i] = self._cheapest(shares, _LENGTHS[i], bits)
            return tried[i][0]

        i = min(self._climbed, longest)
        while i < longest and rate(i + 1) <= rate(i) < _NEVER:
            i += 1
        while i > 0 and rate(i - 1) <= rate(i):
            i -= 1
        if rate(i) >= _NEVER:
            return None
        self._climbed = i
        work, number, threshold = tried[i]
        work += self._evaluations(shares, bits)
        return Plan(dampers=candidates[:number], length=_LENGTHS[i], bits=threshold, rate=work)

    def turning(self, j: int) -> list[Damper]:
        """Return the smallest dampers that turn by 0.6 at j, ascending; of very many some that are evenly apart.

        Neighbours would turn alike, and all of them fail together.
        """
        differences = self._damping.differences
        least = 3 * self._damping.period // (5 * j)
        most = self.sharpness.most
        first = bisect_left(differences, least)
        if bisect_left(differences, 2 * least) - first <= most:
            return self._damping.some(range(first, min(first + most, len(differences))))
        places = (bisect_left(differences, least + 3 * least * i // most) for i in range(most))
        return self._damping.some([i for i in dict.fromkeys(places) if i < len(differences)])

    def _share(self, damper: Damper) -> Share:
        """Return the model of a damper's tables, which is kept.

        Coarse tables of strength 1 serve all strengths, in proportion; fine ones are those of the
        damper itself.
        """
        d, count, strength = damper
        factor = 1.0
        if self.sharpness is COARSE:
            strength, factor = 1 << BITS, strength / (1 << BITS)
            count = class_of(0, count, COARSE)[1]
        else:
            strength, count = class_of(strength, count, self.sharpness)
        means = means_of(count, strength, self.sharpness.sharp)
        self._shares[damper] = share = d / self._damping.period, means, factor
        return share

    def _evaluations(self, shares: list[Share], bits: int) -> float:
        """Predict, for each frequency, the evaluations that no bound avoids: few dampers are rarely small together."""
        mean = variance = 0.0
        for _, means, factor in shares:
            m, v = means[0]
            mean = mean + m * factor
            variance = variance + v
        return self._hard * upper_normal((mean - bits + _SPARED) / (sqrt(variance) + 1e-9))

    def _cheapest(self, shares: list[Share], length: int, bits: int) -> tuple[float, int, int]:
        """Return (work for each frequency, number of dampers, threshold) of the best number of dampers for a length."""
        mean = variance = 0.0
        best = _NEVER, 0, 0
        for n, (share, means, factor) in enumerate(shares, 1):
            delta = share * (length - 1)
            if delta > 0.45:
                break
            m, v = means[int(2 * GRID * delta) + 1]
            mean = mean + m * factor
            variance = variance + v
            if mean > bits - 6 and (n % 8 == 0 or n == len(shares)):
                threshold, failing = _threshold(mean, variance, bits)
                repair = length * self._point if length < _SHORT else 360.0 + 8.0 * self._point
                rate = (n / _WORK_BLOCK + failing * repair) / length
                if rate < best[0]:
                    best = rate, n, threshold
                if failing < 1e-5 or rate > 1.5 * best[0]:
                    break
        return best


def _threshold(mean: float, variance: float, bits: int) -> tuple[int, float]:
    """Return a threshold and the share of sums below it, for normal sums of this mean and variance, in bits.

    Where many fail, the threshold falls below ``bits`` as long as the accepted bounds are 2**-bits
    in the mean: E[2**-E; E >= s] = 2**(-mean + variance ln 2 / 2) Q((s - mean + variance ln 2) /
    deviation).
    """
    deviation = sqrt(variance) + 1e-9
    shifted = mean - variance * LN2
    threshold = bits
    failing = upper_normal((mean - threshold) / deviation)
    level = exponential(LN2 * (bits - mean + variance * LN2 / 2.0))
    while (
        failing > 2e-5
        and threshold > max(1, bits - 8)
        and level * upper_normal((threshold - 1 - shifted) / deviation) < 0.35
    ):
        threshold -= 1
        failing = upper_normal((mean - threshold) / deviation)
    return threshold, failing


class Scan:
    """The search for the frequencies that matter, for one tilted distribution and one period.

    ``price`` is the work of one evaluation of phi; ``tick`` is told all other work as it is done.
    """

    def __init__(
        self,
        damping: Damping,
        price: int,
        tick: Callable[[int], object] = lambda _units: None,
        sharpness: Sharpness = COARSE,
        *,
        circles: Sequence[Circle] = (),
    ) -> None:
        self.damping = damping
        self.price = price
        self.sharpness = sharpness
        self._tick = tick
        number = damping.number
        # Strong dampers all turn anyhow. Of weak ones there are many more than a bound needs: every
        # 50th, say, then every 12th, then all of them.
        fewest, self._leaf = (number, 6) if sharpness is COARSE else (_SAMPLE, _LEAF)
        self._samples = sorted(
            {max(1, number // (fewest << shift or 1)) for shift in (0, 2, 64)}, reverse=True
        )
        self._points: list[Points] = []
        self._circles = [Bounded(circle, damping.period) for circle in circles]
        # of a frequency that weak dampers do not settle
        self._hard = price
        if self._circles:
            several = sum([circle.price for circle in self._circles[:_FEW_CIRCLES]])
            self._hard = min(price, price // 256 + several)
        point = _WORK_POINT + number / self._samples[0] / 20
        self.planner = Planner(damping, sharpness, point=point, hard=self._hard)
        self._aim = Aim(top=0, bits=0, spare=0)
        self._found: list[int] = []
        self._paid: set[int] = set()  # frequencies whose evaluation was counted before
        self._skipped = self._work = self._limit = self._spent = self._threshold = 0

    def settle(self, aim: Aim, limit: int) -> Settled:
        """Settle all frequencies up to ``aim.top``, or as many as ``limit`` units of work allow."""
        self._aim = aim
        self._limit = limit
        self._found = []
        self._skipped = self._spent = self._work = 0
        self._threshold = aim.spare >> 10
        reached = min(self._sure(), limit // self.price)
        for j in range(1, reached + 1):
            self._find(j)
        bisection = 0  # the work that a bisection of the next octave would take
        while reached < aim.top and self._work < limit:
            start = reached + 1
            end = min(aim.top, 2 * reached + 1)
            before = self._work
            plan = self._plan(start, end) if bisection > 4 * _WORK_CONFIGURATION else None
            if plan and plan.rate * (end - start) + _WORK_SETUP * len(plan.dampers) <= bisection:
                reached = self._scan(start, end, plan)
                bisection *= 2
            else:
                reached = self._bisect(start, end)
                bisection = 2 * (self._work - before)
        found = [j for j in self._found if j <= reached]
        return Settled(found=found, reached=reached, skipped=self._skipped, work=self._work)

    def cost(self, aim: Aim) -> float:
        """Predict the work of :meth:`settle`, from the plan of one octave in every three."""
        self._aim = aim
        sure = self._sure()
        last = aim.top
        work = float(sure * self.price)
        while last > max(_FEW, 4 * sure):
            plan = self._plan(last // 2, last)
            work += last * (plan.rate if plan else float(self._hard))
            last //= 8
        if not self._circles:
            return work
        work += max(0, last - sure) * self._hard
        return work if work > _LONG else work + self.price * self._evaluations(sure)

    def _evaluations(self, sure: int) -> float:
        """Predict the evaluations beyond ``sure`` that circles do not avoid, from a few frequencies.

        About half of those with a bound above the wanted one fit the spare sum.
        """
        top = self._aim.top
        step = (top - sure) // _TRIALS + 1
        sample = [j for j in range(top, sure, -step) if j not in self._paid]
        return 0.5 * step * sum([self._point_bits(j) < self._needed(j) for j in sample])

    def _sure(self) -> int:
        """Return the frequency up to which no bound pays."""
        return min(self._aim.top, self.damping.surely_needed(self._needed(1)))

    def _plan(self, j: int, last: int) -> Plan | None:
        """Return the cheapest way to scan j..last, or None where no damper turns yet."""
        self._work += _WORK_CONFIGURATION
        return self.planner.plan(j, last, self._needed(j) + self.damping.lost)

    def _find(self, j: int) -> None:
        """Note that phi is evaluated at j; it is kept, so its work is counted once."""
        self._found.append(j)
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
            self._spend(min(self.damping.number, 100))
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
        bits = self._point_bits(j)
        bound = _bound(j, bits)
        if bits < self._needed(j):
            if bound > self._threshold:
                self._find(j)
                return
            self._spent += bound
            spare = self._aim.spare
            top = self._aim.top
            if self._spent * 10 * top < spare * (top + 9 * j):
                self._threshold = min(self._threshold + self._threshold // 20 + 1, spare >> 6)
            else:
                self._threshold -= self._threshold // 20
        self._skipped += bound

    def _point_bits(self, j: int) -> int:
        """Return bits b with |phi(t_j)| <= 2**-b: from as few of the dampers as are enough."""
        if not self._points:
            number = self.damping.number
            period = self.damping.period
            self._points = [
                Points(self.damping.some(range(0, number, every)), period, self.sharpness)
                for every in self._samples
            ]
        bits = 0
        for points in self._points:
            self._spend(_WORK_POINT + points.number // 20)
            bits = max(0, points.bits(j) - self.damping.lost)
            if bits >= self._needed(j):
                return bits
        bound = 1 << CIRCLE
        for circle in self._circles:
            self._spend(circle.price)
            bound = (bound * circle.bound(j) >> CIRCLE) + 1
            bits = max(bits, CIRCLE - bound.bit_length())
            if bits >= self._needed(j):
                break
        return bits

    # ------------------------------------------------------------------------- a thousand at a time

    def _scan(self, first: int, last: int, plan: Plan) -> int:
        """Settle first..last by blocks of intervals and return how far it came."""
        length = plan.length
        number = len(plan.dampers)
        count = _INTERVALS
        while count > 128 and count * length > last - first + 1:
            count //= 2
        known = plan.dampers, length, plan.bits, count
        block = PhaseBlock(*known, period=self.damping.period, sharpness=self.sharpness)
        self._work += _WORK_SETUP * number
        while first <= last:
            if self._work >= self._limit:
                return first - 1
            self._spend(20 + count * number // _WORK_BLOCK)
            amounts, failed = block.tried(first)
            for bits, intervals in amounts:
                self._skipped += intervals * length * _bound(first, bits - self.damping.lost)
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


def _bound(j: int, bits: int) -> int:
    """Return 2**-bits / j in units of 2**-SCALE, rounded up."""
    return ((1 << SCALE) // j >> bits) + 1
