"""A certified enclosure of P(X <= k), X = sum of a random subset of the differences, without counting.

Tilted inversion of the characteristic function in integer fixed point. For any r in (0, 1] let q be the distribution
of X under the weights r**X, p_d = r**d / (1 + r**d), and phi(t) = prod_d (1 - p_d + p_d exp(i d t))**c_d. Then

    P(X <= k) = F * S,   F = prod_d ((1 + r**d) / 2)**c_d / r**k,   S = sum_{m >= 0} r**m q(k - m),
    S' = 1/L sum_{j < L} phi(t_j) exp(-i t_j k) (1 - r**w exp(i t_j w)) / (1 - r exp(i t_j)),   t_j = 2 pi j / L,
    -(q(X > k + L - w) + q(X <= k - L))  <=  S - S'  <=  r**w q(X <= k - w)               for any 1 <= w <= L.

The tails of q are bounded by Chernoff's inequality, frequencies are left out where |phi| is provably small, and every
rounding carries an integer bound, so the bracket is a theorem. Derivation and proofs: spec/tilted-inversion.md. After
Pagano and Tritchler 1983 (characteristic function) and Keich 2005 (exponential tilting for relative accuracy).
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isqrt

from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import HALF, ONE, ZERO, Enclosure
from ..arithmetic.fixedpoint import FIRST_TURNS, RootsOfUnity, ladder, power_product, power_product_error, real_quotient
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate
from ..counting import plan
from ..counting.tally import degree, reduced
from ..errors import BudgetExceeded
from .damping import Damping
from .parameters import Choice, choose

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arithmetic.fixedpoint import Complex
    from ..counting.tally import Tally
    from .parameters import Groups

QUICK = Budget(seconds=5.0)
"""What a bracket may take by default, by estimates that count work."""

_SECONDS_PER_UNIT = 0.5e-6  # a complex multiplication, or a bound of one factor at one frequency
_LEAST_UNITS = 150  # for each distinct difference, before and during any inversion
_INSTANT = 1e-3  # an exact count that takes less is as good as a bracket
_PATIENCE = 2.0  # times the exact count's estimate, before the bracket gives way to it
_MOST_SPAN_BITS = 256  # the squares of longer sums do not fit the floats that choose the parameters
_CHERNOFF_BITS = 64


def tail_bracket(tally: Tally, k: int, digits: int = 17, *, budget: Budget = QUICK) -> Enclosure:
    """An enclosure of P(X <= k), X = sum of B_n d_n with independent fair bits B_n, of relative width 10**-digits.

    ``tally`` is {d > 0: number of pairs with it}; ``k`` any int; ``digits`` from 1 to 50. The ends are certain, the
    width is an aim (0 where the count is short enough to be exact). Raises ``BudgetExceeded`` where neither a bracket
    nor an exact count keeps to the budget: a long support with too few pairs to damp it. Cost: some 30 to 100
    frequencies whatever the number of pairs, each of a few multiplications for each distinct difference.
    Source: spec/tilted-inversion.md.

    >>> tail_bracket({1: 2800, 3: 200}, 1400).floats()
    (3.2791477703607665e-19, 3.279147770360767e-19)
    """
    if k < 0:
        return ZERO
    whole, kept, k = reduced(dict(sorted(tally.items())), k)
    pairs, span = sum(kept.values()), degree(kept)
    if not kept:  # the last complement is that of nothing
        value, pairs = ONE, whole.pop()
    elif 2 * k == span - 1:
        value = HALF
    else:
        value = _below_middle(list(kept.items()), k, digits, budget)
    # P(X <= k) = 2**-(pairs left out) * (1 - P'), once for each time that the complement was taken.
    for before in reversed(whole):
        value = value.scaled(pairs - before).complement()
        pairs = before
    return value.scaled(pairs - sum(tally.values()))


def _below_middle(groups: Groups, k: int, digits: int, budget: Budget) -> Enclosure:
    """P(X <= k) for 0 < d <= k < (D - 1) / 2 and differences d, ascending, without a common divisor."""
    tally = dict(groups)
    exact_seconds = _exact_seconds(tally, k, budget)
    if exact_seconds > _INSTANT:
        try:
            return _inverted(groups, k, digits, min(budget.seconds, _PATIENCE * exact_seconds))
        except BudgetExceeded:
            if exact_seconds > budget.seconds:
                raise
    count, _engine = plan.count_at_most(tally, k, budget=budget)
    return Enclosure(count, count, -sum(tally.values()))


def _inverted(groups: Groups, k: int, digits: int, seconds: float) -> Enclosure:
    bits = digits * 10 // 3 + 9
    if sum(d * count for d, count in groups).bit_length() > _MOST_SPAN_BITS:
        raise _too_slow(groups, None)
    least = _LEAST_UNITS * len(groups) * _SECONDS_PER_UNIT
    if least > seconds:
        raise _too_slow(groups, least)
    return Inversion(groups, k, bits, choose(groups, k, bits + 3)).enclosure(seconds)


def _exact_seconds(tally: Tally, k: int, budget: Budget) -> float:
    """Estimate of the fastest exact count that fits the memory, to two digits; infinite where there is none.

    It decides who answers, the bracket or the count. Estimates take logarithms of the C library, whose last bits differ
    between platforms, and sums of floats, which Python 3.12 rounds otherwise than 3.11; two digits rarely differ.
    """
    costs = plan.costs(tally, k, budget=budget).values()
    fits = (cost.seconds for cost in costs if isinstance(cost, Estimate) and cost.bytes <= budget.bytes)
    return float(f"{min(fits, default=inf):.1e}")


class Inversion:
    """One inversion for fixed parameters; any ``choice`` gives a true enclosure, a good one a narrow one.

    The proofs need a tilt r <= 1 and Chernoff tilts on either side of it: values beyond are moved to the limit.
    """

    def __init__(self, groups: Groups, k: int, bits: int, choice: Choice) -> None:
        self.groups, self.k = groups, k
        self.pairs = sum(count for _, count in groups)
        self.span = sum(d * count for d, count in groups)
        self.window = max(1, min(choice.window, k + 1))
        self.first, self.halvings = _length(self.window + max(0, min(choice.reach, self.span - k)))
        self.length = length = self.first << self.halvings
        self.width = bits + 12 + (self.pairs + length).bit_length() + length.bit_length()
        self.precision = bits + 8 + (self.pairs + self.span).bit_length()
        tilt = min(choice.tilt, 1.0)
        self.tilt = _dyadic(tilt)
        self.above, self.below = _dyadic(max(choice.above, tilt)), _dyadic(min(choice.below, tilt))
        self.powers = _powers(self.tilt, groups, self.precision)
        self.growth = _growth(groups, self.powers, self.precision)
        # 1 - r = gap / whole. Frequencies with |phi| below 2**-skip_bits add up to less than kernel * 2**-skip_bits.
        self.whole = 1 << -self.tilt.exponent
        self.gap = self.whole - self.tilt.lower
        self.kernel = min(self.window, self.whole // self.gap + 1) if self.gap else self.window
        self.skip_bits = bits + 3 + self.kernel.bit_length() + int(choice.scarcity).bit_length()

    def enclosure(self, seconds: float) -> Enclosure:
        """P(X <= k) = F * S, which is at most 1/2 because k is below the middle.

        Raises ``BudgetExceeded`` where it would take more than about so many seconds, after at most that time.
        """
        frequencies = self.frequencies(int(min(seconds, 1e9) / _SECONDS_PER_UNIT))
        lower, upper = self._sum(frequencies)
        missed_below, missed_above = self._aliases()
        one = 1 << self.width
        skipped = (self.kernel * one >> self.skip_bits) + 1
        lower = lower // self.length - missed_below - skipped
        upper = -(-upper // self.length) + missed_above + skipped
        total = Enclosure(max(0, lower), upper, -self.width)
        factor = self.growth.over(self.tilt.power(self.k, self.precision), self.precision).scaled(-self.pairs)
        value = factor.times(total, self.precision)
        return value.at_most_half() if value.upper.bit_length() + value.exponent >= 0 else value

    # ------------------------------------------------------------------------------------------ frequencies

    def frequencies(self, limit: int) -> list[int]:
        """All j in 1..L/2 for which |phi(t_j)| is not proved to be below 2**-skip_bits, by bisection of intervals.

        ``limit`` counts units of work: the tables of roots, the bounds of this search, the powers that follow it. What
        is left of the search is extrapolated now and then, so that a hopeless one ends early.
        """
        damping = Damping(self.groups, self.powers, self.length, self.skip_bits)
        price = sum(3 + bit_count(count) for _, count in self.groups) + self.pairs.bit_length()
        last = self.length // 2
        sure = min(last, damping.surely_needed())
        certain = 2 * isqrt(self.length) + sure * price
        if certain > limit:
            raise _too_slow(self.groups, certain * _SECONDS_PER_UNIT)
        found = list(range(1, sure + 1))
        stack = [(sure + 1, last)]
        work, checkpoint = 0, (limit - certain) // 8
        while stack:
            a, b = stack.pop()
            work += len(self.groups)
            if work > checkpoint:
                expected = certain + work * (last - sure) / max(1, a - sure - 1)
                if expected > 4 * limit or certain + work > limit:
                    raise _too_slow(self.groups, expected * _SECONDS_PER_UNIT)
                checkpoint = min(2 * checkpoint, limit - certain)
            if damping.negligible(a, b):
                continue
            if b - a < 2:
                found += range(a, b + 1)
                work += (b - a + 1) * price
            else:
                middle = (a + b) // 2
                stack += [(middle + 1, b), (a, middle)]
        return found

    def _sum(self, frequencies: list[int]) -> tuple[int, int]:
        """Bounds of L * S' without the frequencies left out, in units of 2**-width."""
        width, window = self.width, self.window
        one = 1 << width
        roots = RootsOfUnity(self.first, self.halvings, width)
        tilt, tilt_upper = self.tilt.fixed(width)
        damped, damped_upper = self.tilt.power(window, self.precision).fixed(width)
        characteristic, error = self._characteristic(roots)
        # Errors in units: of exp(-itk) - r**w exp(it(w-k)), of its product with phi, and of 1 - r exp(it).
        error_a = 2 * roots.error + (damped_upper - damped) + 2
        error_n = error_a + 2 * error + (error * error_a >> width) + 3
        error_d = roots.error + (tilt_upper - tilt) + 2
        total = total_error = 0
        for j in frequencies:
            (a, b), (c, d) = roots(-self.k * j), roots((window - self.k) * j)
            a, b = a - (damped * c >> width), b - (damped * d >> width)
            x, y = characteristic(j)
            numerator = x * a - y * b >> width, x * b + y * a >> width
            x, y = roots(j)
            denominator = one - (tilt * x >> width), -(tilt * y >> width)
            value, bound = real_quotient(numerator, error_n, denominator, error_d, width)
            twice = 1 if 2 * j == self.length else 2
            total += twice * value
            total_error += twice * bound
        low, high = self._at_zero(one - damped_upper, one - damped)
        return low + total - total_error, high + total + total_error

    def _at_zero(self, low: int, high: int) -> tuple[int, int]:
        """Bounds of the term j = 0, sum_{m < w} r**m, given those of 1 - r**w in units."""
        if self.gap == 0:
            return self.window << self.width, self.window << self.width
        return low * self.whole // self.gap, -(-high * self.whole // self.gap)

    def _characteristic(self, roots: RootsOfUnity) -> tuple[Callable[[int], Complex], int]:
        """phi(t_j) as a function of j, and the bound of its error in units.

        A factor 1 + p (z - 1) with p' <= p <= 1/2 and an error e of z: p' e + (p - p') |z - 1| and 2 for its shifts.
        """
        width = self.width
        one = 1 << width
        shares, errors = [], []
        for (d, _), power in zip(self.groups, self.powers):
            low, high = power.fixed(width)
            share = (low << width) // (one + low)
            errors.append((roots.error + 1) // 2 + 2 * (-((-high << width) // (one + high)) - share) + 2)
            shares.append((d, share))
        rungs = ladder([count for _, count in self.groups])

        def characteristic(j: int) -> Complex:
            factors = []
            for d, share in shares:
                x, y = roots(d * j)
                factors.append((one + (share * (x - one) >> width), share * y >> width))
            return power_product(factors, rungs, width)

        return characteristic, power_product_error(errors, rungs, width)

    # ------------------------------------------------------------------------------------------ tails of q

    def _aliases(self) -> tuple[int, int]:
        """How far S may lie below and above S', in units of 2**-width."""
        k, length, window, width = self.k, self.length, self.window, self.width
        below = above = 0
        start = k + length - window + 1
        if start <= self.span:
            below = self._chernoff(self.above)(start).fixed(width)[1]
        if k >= window:
            tail = self._chernoff(self.below)
            damped = self.tilt.power(window, _CHERNOFF_BITS)
            above = tail(k - window).times(damped, _CHERNOFF_BITS).fixed(width)[1]
            if k >= length:
                below += tail(k - length).fixed(width)[1]
        return below, above

    def _chernoff(self, other: Enclosure) -> Callable[[int], Enclosure]:
        """G(r') / G(r) (r / r')**x as a function of x: a bound of q(X >= x) for r' >= r, of q(X <= x) for r' <= r."""
        bits = _CHERNOFF_BITS
        ratio = _growth(self.groups, _powers(other, self.groups, bits), bits).over(self.growth, bits)
        step = self.tilt.over(other, bits)
        return lambda x: step.power(x, bits).times(ratio, bits)


def _powers(base: Enclosure, groups: Groups, bits: int) -> list[Enclosure]:
    """The powers base**d of ascending differences, each from the one before; gaps repeat."""
    powers, steps = [], {}
    last, here = 0, ONE
    for d, _ in groups:
        gap = d - last
        if gap not in steps:
            steps[gap] = base.power(gap, bits)
        last, here = d, here.times(steps[gap], bits)
        powers.append(here)
    return powers


def _growth(groups: Groups, powers: list[Enclosure], bits: int) -> Enclosure:
    """G(r) = prod_d (1 + r**d)**c_d from the powers r**d, by one chain of squarings."""
    factors = [power.plus_one(bits) for power in powers]
    product = ONE
    for rung in ladder([count for _, count in groups]):
        product = product.times(product, bits)
        for i in rung:
            product = product.times(factors[i], bits)
    return product


def _length(points: int) -> tuple[int, int]:
    """The least first * 2**halvings that is even and at least ``points``, as (first, halvings)."""
    halvings = max(1, points.bit_length() - 3)
    return next((first, h) for h in (halvings, halvings + 1) for first in FIRST_TURNS if first << h >= points)


def _dyadic(x: float) -> Enclosure:
    """A positive float, exactly."""
    numerator, denominator = x.as_integer_ratio()
    return Enclosure(numerator, numerator, 1 - denominator.bit_length())


def _too_slow(groups: Groups, seconds: float | None) -> BudgetExceeded:
    pairs, span = sum(count for _, count in groups), sum(d * count for d, count in groups)
    time = "too long" if seconds is None else f"about {seconds:.3g} s"
    return BudgetExceeded(
        f"a certified bracket for {short_integer(pairs)} pairs with {len(groups)} distinct differences, whose sums "
        f"reach {short_integer(span)} steps, would take {time}. Instead: round the scores with decimals=, allow more "
        "with budget=Budget(seconds=), or use monte_carlo",
        seconds,
    )
