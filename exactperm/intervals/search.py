"""Search for one mean of a rank among the means of all subsets, as fast as the differences allow.

The end of an interval is the mean of a rank. The search narrows (low, high] around it by exact
counts, by certified inversions whose thresholds belong to neighbouring shifts, or by single tests.
Where few fractions are left, they are tried as the end itself.

Source: spec/13-intervals.md#own-intervals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from .._types import Union
from ..arithmetic.rational import Exact, simplest
from ..budget import Budget, Estimate, Options
from ..counting import plan
from ..errors import ExactPermError
from ..record import replaced
from ..swaps.canonical import Swaps, canonical
from ..swaps.effects import Flips

End = tuple[Exact, Exact]
"""Bounds of one end of an interval, equal where it is exact."""
UnitSum = tuple[int, int]
"""Sum of the differences of a swap unit, and its number of pairs."""
Narrowing = Callable[[Fraction], Union["Narrowing", None]]
"""Narrows an interval of this width, and returns how to go on, or None."""


_COUNTS = 100  # so many exact counts find an end
_FEW_COUNTS = 4  # so many enclose it closely
_QUICK_SECONDS = 0.02  # of a test, where a precision is met
# of a standard error: an end that cannot be exact is enclosed so closely
_CLOSE = Fraction(1, 10**4)
# and so closely where that leaves few candidates, one of which is the end
_FINE = Fraction(1, 10**6)
_FEW = 64  # candidates among which an exact end is looked for
_LEAST = 56  # pairs from which on an inversion is faster than tests
_MOST_BITS = 900  # of differences, so that floats hold them
_WIDENINGS = 5
# Seconds beside the work that brackets count, by constants as there.
_SECONDS_INVERSION = 4e-3
_SECONDS_DIFFERENCE = 1e-5  # of an inversion, for each distinct difference
SECONDS_LEAST = 6e-5  # of an inversion for each distinct difference, what brackets count included
_SECONDS_THRESHOLD = 2e-4  # of each further threshold
_SECONDS_FREQUENCY = 1.5e-5  # of each further threshold, for each frequency that was evaluated
_SECONDS_TEST = 5e-4


class Means:
    """The means of all non-empty subsets, in units of 1/q, where each is a / s for s pairs; counted, never listed."""

    def __init__(
        self, units: list[UnitSum], scale: int, precision: Exact | None, budget: Budget
    ) -> None:
        self.scale, self.precision, self.budget = scale, precision, budget
        self.units, self.counted = units, False
        self.tally = Counter(units)
        self.assignments = 1 << len(units)
        self.n = sum(size for _, size in units)
        self.sizes: dict[int, int] = {}  # {number of pairs: least sum}
        for z, size in self.tally:
            self.sizes[size] = min(z, self.sizes.get(size, z))
        self.least = min(Fraction(z, size) for size, z in self.sizes.items())
        total = sum(z for z, _ in units)
        self.middle = Fraction(total, self.n)
        self.centred = [
            (z * self.n - total * size, size, count) for (z, size), count in self.tally.items()
        ]
        self.squares = sum(size * size for _, size in units)
        # Few pairs have subsets of all sizes, which an inversion cannot distinguish; floats guess
        # where it is made.
        self.smooth = (
            self.n >= _LEAST and max(abs(z).bit_length() for z, _ in self.tally) < _MOST_BITS
        )
        # four standard deviations of the number of pairs
        self.far = 2 * math.isqrt(self.squares) + 2
        self.usual_sizes = range(
            max(1, self.n // 2 - self.far), min(self.n, self.n // 2 + self.far) + 1
        )

    def reach(
        self, x: Fraction, share: Fraction, seconds: float, *, strict: bool = False
    ) -> tuple[bool, float]:
        """Return whether rank = ``share`` * assignments is reached by the means <= x, and the seconds that this took.

        ``strict`` asks for the means < x. A mean is <= x where the sum of the d - x is <= 0. The
        empty subset has such a sum, too, so more than rank of them are needed; it has no sum < 0.
        """
        if self.counted:
            known = self.counted_share(x, seconds, strict=strict)
            return known > share - Fraction(strict, self.assignments), 0.0
        from ..certified.search import SECONDS_PER_UNIT  # exact counts need none of these
        from ..fast import decision

        swaps, work = self.swaps(x), 0

        def progress(done: int, _total: int) -> None:
            nonlocal work
            work = max(work, done)

        swaps = replaced(swaps, observed=swaps.observed + strict)
        limit = self.limit(seconds)
        found = decision(swaps, share, "greater", strict=strict, budget=limit, progress=progress)
        spent = _SECONDS_TEST + work * SECONDS_PER_UNIT
        if found.method == "exact":
            spent += plan.exact_seconds(swaps.tally, swaps.span - swaps.observed, limit)
        return not found, spent

    def counted_share(self, x: Fraction, seconds: float, *, strict: bool = False) -> Fraction:
        """Count the subsets, the empty one among them, with sum of the d - x <= 0, or < 0 if ``strict``, over all."""
        swaps, options = self.swaps(x), Options(budget=self.limit(seconds))
        at_most, _ = plan.count_at_most(swaps.tally, swaps.span - swaps.observed - strict, options)
        return Fraction(at_most, 1 << sum(swaps.tally.values()))

    def error(self) -> Fraction:
        """Return the standard error of the mean of all differences; never 0."""
        square = sum(z * z * count for z, _, count in self.centred) // self.n**2
        bits = max(0, 64 - square.bit_length())
        return max(Fraction(math.isqrt(square * 4**bits), 2**bits), Fraction(1, 2)) / self.n

    def guess(self, score: float) -> Fraction:
        """Return about where the share of the means <= x has the normal quantile ``score``.

        The sum of the d - x over a random subset has the cumulants sum(d - x) / 2, sum(d - x)^2 /
        4, 0 and
        -sum(d - x)^4 / 8. Its quantile follows by the series of Cornish and Fisher; x is where that
            is 0.
        """
        n = self.n
        shift = max(0, max(abs(z) for z, _, _ in self.centred).bit_length() - 200)
        floats = [(float(z >> shift), size, count) for z, size, count in self.centred]
        x = 0.0
        for _ in range(8):
            seconds = fourths = 0.0
            for z, size, count in floats:
                square = (z - x * size) ** 2
                seconds += count * square
                fourths += count * square * square
            excess = fourths / (seconds * seconds or 1.0)
            x = (score - (score**3 - 3.0 * score) * excess / 12.0) * math.sqrt(seconds) / n
        return self.middle + Fraction(x) * (1 << shift) / n

    def swaps(self, x: Fraction) -> Swaps:
        """Return the swaps of the d - x."""
        scale, away = x.denominator, x.numerator
        if len(self.sizes) == 1:  # then these differ where the d do
            away *= next(iter(self.sizes))
            differences = {z * scale - away: count for (z, _), count in self.tally.items()}
        else:
            differences = Counter[int]()
            for (z, size), count in self.tally.items():
                differences[z * scale - away * size] += count
        return canonical(Flips(column=differences, n=self.n))

    def limit(self, seconds: float) -> Budget:
        """Return the budget of one test."""
        return Budget(seconds=max(seconds, 1e-9), bytes=self.budget.bytes)


class RankSearch:
    """Search for the mean of one rank: fewer than rank means are <= low, at least rank are <= high."""

    def __init__(self, means: Means, share: Fraction) -> None:
        self.means, self.share = means, share
        self.closest = Fraction(1, means.n**2)  # two different means differ by at least this
        self.low, self.high = means.least - self.closest / 2, means.middle
        self.error = means.error()
        self.fine = self.error * Fraction(means.precision or _FINE)
        sizes = sum(means.usual_sizes)
        if not means.precision and self.fine * sizes > _FEW:
            self.fine = self.error * _CLOSE
        self.score = _normal_quantile(float(share))
        self.guess = means.guess(self.score)
        self.last, self.around = (means.middle, 0.0), self.error / 99
        # at first: the guess is worse for few pairs
        self.aim = self.fine * max(1, 1000 // means.n) ** 2
        self.seconds = means.budget.seconds / 2
        # the width to stop at, and how to get there
        self.enough, self.narrow = self.fine, self._try_the_middle
        # of each step, beside its tests; whether the last one narrowed little
        self.cost, self.stuck = 0.0, False
        # Shifts at this distance are distinguished by their numbers of pairs alone; a coarse
        # lattice is worth a detour.
        coarse = self.fine * sizes <= _FEW
        self.near = (8 if coarse else Fraction(1, 4)) * self.fine * means.n / means.far

    def run(self, tell: Callable[[float], object]) -> None:
        """Narrow (low, high] to the mean. Raises ``BudgetExceeded`` where a test would take too long."""
        if self.share == Fraction(1, 2):
            self.low = self.high
            return
        step = self._strategy()
        whole = _halvings((self.high - self.low) / self.closest) + 1
        while self.high - self.low >= self.closest:
            width = self.high - self.low
            tell(1 - _halvings(width / self.closest) / whole)
            if self.means.precision and width <= self.fine:
                self.seconds = min(self.seconds, _QUICK_SECONDS)
            following = step(width)
            if following is None:
                return
            step = following
            self.stuck = self.high - self.low > width / 2
            self.seconds -= self.cost
            if self.seconds <= 0:
                return
        self.low = self.high = simplest(
            self.low + Fraction(1, 2 * self.means.n * self.low.denominator), self.high
        )

    def _strategy(self) -> Narrowing:
        """Choose how to narrow (low, high]: by exact counts, by a few of them, by inversions, or by tests.

        The returned method makes one step of an interval of this width, and returns the method of
        the next step, or None where no step is worth its time.
        """
        counted, cost = self._counted()
        few = not counted and not self.means.smooth and cost <= self.seconds / _FEW_COUNTS
        self.means.counted = counted or few
        if counted:
            self.enough = Fraction(0)  # until the end is exact
        if few:
            self.cost, self.narrow = cost, self._count
        return self._by_inversions if self.means.smooth and not counted else self._by_tests

    def _by_tests(self, width: Fraction) -> Narrowing | None:
        """Test a likely end, or else narrow the interval by a test or a count, until it is close enough."""
        likely = self._likely()
        if likely:
            self._try_as_end(self._nearest(likely))
        elif width <= self.enough:
            return None
        else:
            self.narrow()
        return self._by_tests

    def _by_inversions(self, width: Fraction) -> Narrowing | None:
        """Invert at a simple fraction; where that narrows little, go on by tests."""
        likely = self._likely()
        if likely:
            simple = simplest(self.low + width / 8, self.high - width / 8)
            if not self.stuck and simple.denominator < self.means.n // 4:
                self._approach(simple, 0)
            else:
                end = self._nearest(likely)
                self._approach(end, 0)
                self._try_as_end(end)
            return self._by_inversions
        if width <= self.fine:
            return None
        self._approach(self._next(), self.aim)
        self.aim = self.fine
        if self.high - self.low > width * Fraction(7, 8):
            return self._by_tests
        return self._by_inversions

    def _counted(self) -> tuple[bool, float]:
        """Return whether exact counts take so little time that they find the end, and the seconds of one."""
        swaps = self.means.swaps(simplest(self.guess - self.error / 99, self.guess))
        patience = self.seconds / _COUNTS
        if self.means.precision:
            patience = min(_QUICK_SECONDS / 10, self.seconds)
        limit = self.means.limit(self.seconds)
        seconds = plan.exact_seconds(swaps.tally, swaps.span - swaps.observed, limit)
        return seconds <= patience, seconds

    def _count(self) -> None:
        """Count at the guess, and guess again: a sixteenth of the step beyond where the share should be met."""
        low, high = max(self.low, self.means.least), self.high
        x = simplest(self.guess - self.around, self.guess + self.around)
        if not low < x < high:
            x = simplest(low + (high - low) * 3 / 8, low + (high - low) * 5 / 8)
        share = self.means.counted_share(x, self.seconds)
        if share > self.share:
            self.high = x
        else:
            self.low = x
        score = _normal_quantile(float(share))
        before, there = self.last
        slope = self.error if score == there else abs(x - before) / Fraction(abs(score - there))
        self.last = x, score
        step = Fraction(self.score - score) * slope
        self.guess, self.around = x + step * 17 / 16, abs(step) / 32

    def _next(self) -> Fraction:
        """Return a simple fraction next to the guess, or in the middle where the guess is outside."""
        low, high = max(self.low, self.means.least), self.high
        if not low < self.guess < high:
            self.guess = (low + high) / 2
        self.near /= 8
        return simplest(self.guess - self.near, self.guess + self.near)

    def _likely(self) -> list[Fraction]:
        """Return the candidates of (low, high] with the usual numbers of pairs, where these are few; else nothing.

        Nearly all subsets have such numbers, so that one of these candidates is nearly always the
        end.
        """
        sizes = self.means.usual_sizes
        if (self.high - self.low) * sum(sizes) > _FEW:
            return []
        ranges = (
            (s, range(math.floor(self.low * s) + 1, math.floor(self.high * s) + 1)) for s in sizes
        )
        return [Fraction(a, s) for s, numerators in ranges for a in numerators]

    def _nearest(self, likely: list[Fraction]) -> Fraction:
        return min(likely, key=lambda x: abs(x - self.guess))

    def _try_the_middle(self) -> None:
        width = self.high - self.low
        self._try(simplest(self.low + width * 3 / 8, self.high - width * 3 / 8))

    def _try(self, x: Fraction) -> None:
        if self._reached(x, self.seconds / 16):
            self.high = min(self.high, x)
        else:
            self.low = max(self.low, x)

    def _reached(self, x: Fraction, seconds: float, *, strict: bool = False) -> bool:
        reached, spent = self.means.reach(x, self.share, seconds, strict=strict)
        self.seconds -= spent
        return reached

    def _try_as_end(self, x: Fraction) -> None:
        """Test x = a / s, and where it reaches the rank, whether the means up to x - 1 / (s n) do already."""
        if self.low < x < self.high:
            self._try(x)
        if x == self.high and self.high - self.low >= self.closest:
            if self._reached(x, self.seconds / 8, strict=True):
                self.high = x - Fraction(1, x.denominator * self.means.n)
            else:
                self.low = self.high - self.closest / 2

    def _approach(self, x: Fraction, aim: Exact) -> None:
        """Enclose the mean by one inversion at x, whose thresholds j steps away belong to shifts near x.

        A subset of w pairs has its mean <= x + j step / w exactly where its sum of the d - x is <=
        j step. All but a share ``rare`` of the subsets have between n - most and most pairs. So a
        share of sums <= j step that is below share - rare, or above share + rare, bounds the end.
        """
        cost = _SECONDS_INVERSION + _SECONDS_DIFFERENCE * len(self.means.tally)
        self.means.limit(self.seconds).check(Estimate(seconds=cost, bytes=0), "this end", "")
        self.seconds -= cost
        sums = ShiftedSums(self, x, aim)
        self.seconds -= sums.tails.seconds
        below, above = sums.at(0)
        if below > self.share:
            self.high = min(self.high, x)
            under, over = sums.at(-1)
            if under >= self.share:
                self.high = min(self.high, x - Fraction(1, x.denominator * self.means.n))
            elif over < self.share:
                self.low = max(self.low, x - self.closest / 2)
        elif above <= self.share:
            self.low = max(self.low, x)
        if self.high - self.low < self.closest:
            return
        near, spread = sums.crossing()
        self.guess = x + Fraction(near) * sums.step / sums.usual
        low, high = sums.bounds(near, spread)
        self.low = self.low if low is None else max(self.low, low)
        self.high = self.high if high is None else min(self.high, high)


class ShiftedSums:
    """Sums of the d - x over random subsets, in steps: certified shares of the sums <= j for any j near 0."""

    def __init__(self, search: RankSearch, x: Fraction, aim: Exact) -> None:
        from ..certified.bracket import Tails

        means, share, score = search.means, search.share, search.score
        swaps = means.swaps(x)
        self.search, self.x, self.share, self.score = search, x, share, score
        self.zero = swaps.span - swaps.observed
        try:
            self.deviation = (
                math.sqrt(sum(d * d * count for d, count in swaps.tally.items())) / 2 or 1.0
            )
        except OverflowError:
            raise ExactPermError(
                "the differences have too many digits for an interval: round the scores"
            ) from None
        self.step = Fraction(swaps.unit) / 2 / x.denominator
        # roughly the density at the quantile over the share
        self.hazard = abs(score) + 1 / (1 + abs(score))
        width, fewest = 1e-9, means.n
        for _ in range(2):
            steps = max(0.2, 0.6 * float(aim * fewest / self.step))
            width = min(1 / 16, max(1e-40, steps * self.hazard / self.deviation))
            small = share.denominator.bit_length() - share.numerator.bit_length()
            bits = 7 - math.frexp(width)[1] + small
            far = math.isqrt(34658 * bits * means.squares // 10**5) + 1  # ln 2 / 2 < 0.34658
            fewest = max(1, means.n // 2 - far)
        self.rare = Fraction(1, 1 << bits)
        self.fewest = max(0, (means.n - 2 * far) // 2)
        self.most = means.n - self.fewest
        self.usual = Fraction((means.n - score**2 * means.squares / means.n) / 2)
        self.tails = Tails(swaps.tally, self.zero, width, means.limit(search.seconds * 3 / 4))
        self.price = _SECONDS_THRESHOLD + _SECONDS_FREQUENCY * self.tails.frequencies

    def at(self, j: int) -> tuple[Fraction, Fraction]:
        """Return bounds of the share of the sums <= j: 0 and 1 once the time is over."""
        self.search.seconds -= self.price
        if self.search.seconds <= 0:
            return Fraction(0), Fraction(1)
        return self.tails(self.zero + j).ends()

    def crossing(self) -> tuple[float, float]:
        """Return about where the share of the sums <= j is the wanted one, and how uncertain that is."""
        below, above = self.at(0)
        last, score = 0.0, _normal_quantile(float(below + above) / 2)
        j, slope = (self.score - score) * self.deviation, self.deviation
        for _ in range(2):
            there = _normal_quantile(float(sum(self.at(math.floor(j)))) / 2)
            if there == score or abs(j - last) < 1:
                break
            slope = min(2 * self.deviation, max(self.deviation / 2, (j - last) / (there - score)))
            last, score, j = j, there, j + (self.score - there) * slope
        return j, float((above - below) / self.share) / self.hazard * self.deviation

    def bounds(self, near: float, spread: float) -> tuple[Fraction | None, Fraction | None]:
        """Return bounds of the mean of the rank, (low, high], from sums on both sides of the crossing."""
        j, k = None, None
        for i in range(_WIDENINGS):
            margin = 0.55 * spread * 2**i + 16**i - 1
            below, above = math.floor(near - margin), math.ceil(near + margin)
            if i:  # a jump of the share next to 0 leads guesses astray
                below, above = min(below, -above), max(above, -below)
            j = below if j is None and self._side(below) < 0 else j
            k = above if k is None and self._side(above) > 0 else k
        while j is not None and k is not None and k - j > max(1.0, 1.5 * spread):
            middle = (j + k) // 2
            side = self._side(middle)
            if side == 0:
                break
            j, k = (middle, k) if side < 0 else (j, middle)
        low = None if j is None else self._mean(j, self.most, self.fewest)
        return low, None if k is None else self._mean(k, self.fewest, self.most)

    def _side(self, j: int) -> int:
        """Return -1 where the share of sums <= j is certainly below the wanted one, 1 where it is above, else 0."""
        low, high = self.at(j)
        return (low - self.rare > self.share) - (high + self.rare < self.share)

    def _mean(self, j: int, positive: int, negative: int) -> Fraction | None:
        """Return the mean x + j step / w with so many pairs w for either sign of j; None for none."""
        pairs = positive if j > 0 else negative
        return self.x + j * self.step / pairs if pairs else self.x if j == 0 else None


def _halvings(ratio: Fraction) -> int:
    """Return about how many halvings make a ratio >= 1 less than 1."""
    return math.floor(ratio).bit_length()


def _normal_quantile(share: float) -> float:
    from statistics import NormalDist

    return NormalDist().inv_cdf(min(max(share, 1e-300), 1 - 1e-16))
