"""Tilted inversion of a characteristic function with n nodes, in integer fixed point.

X is a sum of independent integers from 0 on: of pairs, with the values 0 and d, or of steps of any
values and weights, whose factors :mod:`exactperm.certified.factors` knows. For lambda >= 0 let q be
the distribution of X under the weights exp(-lambda X), and phi(t) = E_q exp(i t X). Then

    P(X <= k) = F * S,   F = E exp(-lambda X) * exp(lambda k),
    S = E_q f(k - X),    f(y) = exp(-lambda y) for y >= 0, else 0.

Let f_w be f with the window 0 <= y < w, repeated with a period P >= w. E_q f and E_q f_w differ by
tails of q only:

    -(q(X > k + P - w) + q(X <= k - P))  <=  E_q f - E_q f_w  <=  exp(-lambda w) q(X <= k - w).

Trigonometric polynomials m <= f_w <= M of degree n - 1 enclose f_w for any number of nodes n, and M
- m is Fejer's kernel at 0 and at w: E_q m and E_q M need phi at the n - 1 frequencies t_j = 2 pi j
/ P, 0 < j < n. On integers, where n = P makes both equal to f_w, half of them are enough. So n
decides between work and width, and nothing else differs; :mod:`exactperm.certified.sums` adds up. For the
mean of P(X <= x) over several thresholds x, one for each value of the pairs that are conditioned
on, exp(-itk) is replaced by a mean. Derivation and proofs: spec/note.md#note-majorant. After Pagano
and Tritchler 1983 (characteristic function), Keich 2005 (exponential tilting) and Graham and Vaaler
1981 (one-sided approximation).

Source: spec/note.md#note-majorant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from math import frexp, ldexp

from .._types import TYPE_CHECKING, Union
from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.exponential import Exponential
from .damping import Damping
from .parameters import Choice, exponential
from .powers import Powers
from .scan import SCALE, Aim, Scan, Settled
from .sums import Characteristic, Limits, Placement, WindowSum

if TYPE_CHECKING:
    from .factors import PairFactors, UnitFactors

    Factors = Union[PairFactors, UnitFactors]

Dyadic = tuple[int, int]
"""(m, s): the number m * 2**-s, exactly."""
TailBound = Callable[[int], Enclosure]
"""x -> a bound of a tail that begins there."""


_CHERNOFF_BITS = 64
MOST_NODES = 1 << 40
_WORK_TERM = 60  # of one frequency in the sums, without phi; see scan.py for the unit
_WORK_ROOT = 3  # of one more threshold
_MOST_BITS = 1000  # beyond which 2**-bits may be no float; that asks for the most nodes anyhow
_LEAST_SCARCITY = 1e-9  # of a sum of weights at most 1, below which only a bad choice is


class Tilted:
    """The sum under the weights exp(-lambda X), lambda >= 0: it depends on its factors and on slopes, on no threshold.

    ``exp`` encloses exp(-lambda x), ``factors`` are the tilted ones. ``above(x)`` bounds q(X >= x),
    ``below(x)`` q(X <= x), by slopes on either side of lambda: values beyond are moved to the
    limit.
    """

    def __init__(self, law: Factors, choice: Choice, precision: int, places: int) -> None:
        steepest = law.steepest / max(1, law.span >> choice.shift)
        tilt = max(0.0, min(choice.tilt, steepest))
        self.law = law
        self.exp = Powers(Exponential(places), dyadic(tilt, choice.shift))
        self._higher = dyadic(max(min(choice.above, tilt), -steepest), choice.shift)
        self._lower = dyadic(min(max(choice.below, tilt), steepest), choice.shift)
        self.factors = law.tilted(self.exp, precision)

    @cached_property
    def above(self) -> TailBound:
        """The bound of q(X >= x)."""
        return self.chernoff(self._higher)

    @cached_property
    def below(self) -> TailBound:
        """The bound of q(X <= x)."""
        return self.chernoff(self._lower)

    def chernoff(self, other: Dyadic) -> TailBound:
        """Return the bound of q(X >= x) for a slope other <= lambda, of q(X <= x) for other >= lambda.

        E_q exp((lambda - other) (X - x)) = G(other) / G(lambda) exp(-(lambda - other) x).
        """
        bits = _CHERNOFF_BITS
        slope, scale = other
        tilt, own = self.exp.slope
        powers = Powers(self.exp.exponential, (abs(slope), scale))
        growth = self.law.above(back=slope < 0).tilted(powers, bits).growth
        if slope < 0:  # E exp(s X) = exp(s D) E exp(-s (D - X))
            growth = growth.over(powers(self.law.span), bits)
        if (
            not self.factors.growth.lower
        ):  # known too badly, as only a bad choice of slopes brings about
            return lambda _x: ONE
        ratio = growth.over(self.factors.growth, bits)
        most = max(scale, own)
        change = (tilt << most - own) - (slope << most - scale)
        damped = Powers(self.exp.exponential, (abs(change), most))

        def tail(x: int) -> Enclosure:
            """TailBound the tail of q at x, by at most 1."""
            factor = damped(x)
            if change < 0 and not factor.lower:  # too small for its errors
                return ONE
            bound = ratio.times(factor, bits) if change >= 0 else ratio.over(factor, bits)
            return ONE if bound.upper.bit_length() + bound.exponent > 0 else bound

        return tail


class Bracket:
    """P(X <= k), or its mean over the thresholds of one place, from the frequencies that are settled.

    ``gap`` is about n times the relative width that n nodes left, 0 where nothing is known of it.
    """

    gap = 0.0

    def __init__(
        self, tilted: Tilted, place: Placement, phi: Characteristic, precision: int
    ) -> None:
        self.tilted = tilted
        self.place = place
        self._phi = phi
        self._precision = precision
        self.sums = WindowSum(tilted.exp, place, phi)

    def bounds(self, settled: Settled) -> Enclosure:
        """Enclose P(X <= k) = F * S from the settled frequencies.

        All of 1..P/2 make the lattice exact, n = P; otherwise n is the first frequency that is not
        settled. Raises ``ArithmeticError`` where the ends are in the wrong order, which no data and
        no parameters can bring about.
        """
        period = self.place.period
        width = self._phi.width
        exact = settled.reached >= period // 2
        n = period if exact else settled.reached + 1
        lower, upper = self.sums.bounds(n, [j for j in settled.found if j < n])
        missed_below, missed_above = self.aliases
        far_below, far_above = self._far
        lower = lower + n * far_below
        upper = upper + n * far_above
        skipped = self.left_out(n, settled.skipped)
        if not exact and lower > 0:
            self.gap = n * ((upper - lower) / lower)
        low = lower // n - missed_below - skipped
        high = -(-upper // n) + missed_above + skipped
        if low > high:
            raise ArithmeticError(f"the bracket from {n} nodes has its ends in the wrong order")
        value = Enclosure(max(0, low), max(0, high), -width)
        return self.factor.times(value, self._precision).at_most(self.tilted.law.most)

    @cached_property
    def factor(self) -> Enclosure:
        """F = E exp(-lambda X) exp(lambda k)."""
        return self.tilted.factors.growth.over(self.tilted.exp(self.place.k), self._precision)

    def left_out(self, n: int, skipped: int) -> int:
        """TailBound 2 sum |C_j| |phi(t_j)| in units, for frequencies with sum |phi(t_j)| / j <= ``skipped`` / 2**SCALE.

        |C_j| <= (1 + exp(-lambda w)) exp(x / 2) / (pi j), x = lambda P / n, and 2 / pi < 0.63662.
        """
        exp = self.tilted.exp
        bits = _CHERNOFF_BITS
        half_step = exp.argument(self.place.period) // (2 * n)
        most = ONE.over(exp.exponential(half_step + 1), bits)
        damped = exp(self.place.length).plus_one(bits)
        bound = Enclosure(0, skipped * 63662, -SCALE).times(most, bits).times(damped, bits)
        return bound.fixed(self._phi.width)[1] // 10**5 + 1

    @cached_property
    def aliases(self) -> Limits:
        """How far E_q f lies below and above E_q f_w at most, in units of 2**-width."""
        place = self.place
        tilted = self.tilted
        width = self._phi.width
        below = above = 0
        if not place.near:
            return 0, 0
        start = place.least + place.period - place.length + 1
        if start <= tilted.law.span:
            below = tilted.above(start).fixed(width)[1]
        if place.k >= place.length:
            damped = tilted.exp(place.length)
            tail = tilted.below(place.k - place.length)
            above = tail.times(damped, _CHERNOFF_BITS).fixed(width)[1]
            if place.k >= place.period:
                below += tilted.below(place.k - place.period).fixed(width)[1]
        return below, above

    @cached_property
    def _far(self) -> Limits:
        """What thresholds with P(X <= x) near 0 or 1 add to S, between bounds in units of 2**-width.

        P(X <= x) = F exp(-lambda (k - x)) E_q f(x - X), with E_q f(x - X) <= q(X <= x); for lambda
        = 0 F = 1, so that it is 1 - q(X >= x + 1).
        """
        place = self.place
        tilted = self.tilted
        width = self._phi.width
        low = 0
        high = 0
        one = 1 << width
        for x, count in place.thresholds.items():
            if x in place.near or x < 0:
                continue
            if x > place.k:
                above = tilted.above(x + 1).fixed(width)[1] if x < tilted.law.span else 0
                low = low + count * (one - min(one, above))
                high = high + count * one
            else:
                tail = tilted.exp(place.k - x).times(tilted.below(x), _CHERNOFF_BITS)
                high += count * tail.fixed(width)[1]
        return low >> place.halvings, -(-high >> place.halvings)


class Inversion:
    """One inversion for fixed parameters; any ``choice`` gives a true enclosure, a good one a narrow one.

    ``law`` has the factors of E exp(-s X), ``bits`` is the precision of the arithmetic.
    ``thresholds`` {x: number}, 2**u of them in all, ask for the mean of P(X <= x), which of pairs
    must be at most 1/2; the default is k alone. k is the threshold for which ``choice`` was made.
    ``tick`` is told the work as it is done.
    """

    def __init__(
        self,
        law: Factors,
        k: int,
        bits: int,
        choice: Choice,
        thresholds: Mapping[int, int] | None = None,
        *,
        tick: Callable[[int], object] = lambda _units: None,
    ) -> None:
        self.place = place = _placed(thresholds or {k: 1}, k, law.span, choice)
        self.period = place.period
        self._wide, self._scarcity = _expected(place, choice)
        nodes = self.nodes(ldexp(1.0, -min(bits, _MOST_BITS)))
        self.width = width = bits + 12 + (law.terms + nodes).bit_length() + nodes.bit_length()
        self.precision = precision = bits + 12 + law.terms.bit_length()
        self.tilted = Tilted(law, choice, precision, max(precision, width))
        tilt = self.tilted.factors
        price = _WORK_TERM + law.work + _WORK_ROOT * max(0, len(place.near) - 1)
        damping = Damping(tilt.dampers, self.period, tilt.lost)
        self.scan = Scan(damping, price, tick, tilt.sharpness, circles=tilt.circles)
        self.phi = Characteristic(tilt, law.counts, self.period, width, lambda: tick(price))
        self.bracket = Bracket(self.tilted, place, self.phi, precision)

    def at(self, k: int) -> Bracket:
        """Return the bracket at the threshold k, 0 <= k < D / 2 for pairs: it needs no further phi.

        Any k has a true bracket, with the tilt and the window chosen for another one; a near one
        has a narrow bracket.
        """
        return Bracket(self.tilted, self.place.at(k), self.phi, self.precision)

    def nodes(self, width: float) -> int:
        """Choose n for a gap of 0.6 of the relative width, by the gap of the last round; at most P.

        At first the density of q at k is taken for 0.4 / deviation and S for 1 / scarcity.
        """
        return min(self.period, int(min(self._wide / (0.6 * width), float(MOST_NODES)))) + 1

    def aim(self, width: float) -> Aim:
        """Return what to scan for a relative width; where that is the whole lattice, 2**-5 of it costs little."""
        wanted = 4 - frexp(width)[1] + int(self._scarcity).bit_length()
        if self.whole(width):
            return Aim(top=max(1, self.period // 2), bits=wanted + 6, spare=1 << SCALE - wanted - 4)
        return Aim(top=self.nodes(width) - 1, bits=wanted + 1, spare=1 << SCALE - wanted + 1)

    def whole(self, width: float) -> bool:
        """Return whether the whole lattice takes no more frequencies than the nodes for a relative width."""
        return self.nodes(width) > self.period // 2

    def bounds(self, settled: Settled) -> Enclosure:
        """Enclose P(X <= k) from the settled frequencies, and learn what gap their number leaves."""
        value = self.bracket.bounds(settled)
        self._wide = self.bracket.gap or self._wide
        return value


def _placed(thresholds: Mapping[int, int], k: int, span: int, choice: Choice) -> Placement:
    """Return the window that was chosen for k, moved to the thresholds that are not far from it."""
    length = max(0, choice.window)
    reach = max(0, choice.reach)
    farthest = max(thresholds) if choice.tilt > 0.0 else k + reach
    near = {x: c for x, c in thresholds.items() if max(0, k - length) <= x <= farthest}
    if not near:
        return Placement(thresholds=thresholds, near=near, k=k, length=1, period=2)
    most = max(near)
    least = min(near)
    length = max(1, min(length + most - k, most + 1))
    period = length + max(0, min(reach + k - least, span - least))
    return Placement(thresholds=thresholds, near=near, k=most, length=length, period=period)


def _expected(place: Placement, choice: Choice) -> tuple[float, float]:
    """Return what is expected of n times the gap that n nodes leave, and of 1 / S."""
    scale = 1 << choice.shift
    tilt = max(0.0, choice.tilt)
    share = 0.0  # added from the left, which sum() of Python 3.12 and later is not
    for x, count in place.near.items():
        share += count * exponential(-tilt * ((place.k - x) / scale))
    share = share / (1 << place.halvings) or 1.0
    scarcity = max(_LEAST_SCARCITY, choice.scarcity) / share
    return 0.4 * scarcity * (place.period / scale / choice.deviation), scarcity


def dyadic(x: float, shift: int) -> Dyadic:
    """Return a float times 2**-shift, exactly."""
    numerator, denominator = x.as_integer_ratio()
    return numerator, shift + denominator.bit_length() - 1
