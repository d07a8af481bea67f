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
decides between work and width, and nothing else differs. For the mean of P(X <= x) over several
thresholds x, one for each value of the pairs that are conditioned on, exp(-itk) is replaced by a
mean. Derivation and proofs: spec/note.md#note-majorant. After Pagano and Tritchler 1983
(characteristic function), Keich 2005 (exponential tilting) and Graham and Vaaler 1981 (one-sided
approximation).

Source: spec/note.md#note-majorant.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from itertools import chain
from math import frexp, ldexp

from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.exponential import Exponential
from ..arithmetic.fixedpoint import (
    Complex,
    ladder,
    power_product,
    power_product_error,
    product_error,
    real_quotient,
    roots_of_unity,
    two_pi,
)
from ..record import Record, replaced
from .factors import Factors
from .parameters import Choice, exponential
from .powers import Powers
from .scan import SCALE, Aim, Scan, Settled

Slope = tuple[int, int]
"""(m, s): the slope m * 2**-s, exactly."""


_CHERNOFF_BITS = 64
MOST_NODES = 1 << 40
_WORK_TERM = 60  # of one frequency in the sums, without phi; see scan.py for the unit
_WORK_ROOT = 3  # of one more threshold
_LEAST_SCARCITY = 1e-9  # of a sum of weights at most 1, below which only a bad choice is
_PARTS = (
    *("law", "choice", "span", "place", "tilted", "precision", "price", "scan", "scarcity"),
    *("width", "_wide", "_tick", "_turn", "_values"),
)
"""What an inversion is made of; all else follows from these."""


class Window(Record):
    """Where an inversion looks: the threshold ``k`` and the values below it that are summed, with their period.

    ``thresholds`` {x: number} are all whose mean is asked for, ``near`` those that are inverted,
    ``k`` the greatest of these; ``length`` is w, ``period`` P.
    """

    thresholds: Mapping[int, int]
    near: Mapping[int, int]
    k: int
    length: int
    period: int

    @property
    def least(self) -> int:
        """The least threshold that is inverted."""
        return min(self.near, default=self.k)

    @property
    def halvings(self) -> int:
        """The number u of halvings, where the thresholds are 2**u in all."""
        return sum(self.thresholds.values()).bit_length() - 1

    def at(self, k: int) -> Window:
        """Return the same window for one other threshold."""
        return replaced(self, thresholds={k: 1}, near={k: 1}, k=k)


def _window(thresholds: Mapping[int, int], k: int, span: int, choice: Choice) -> Window:
    """Return the window that was chosen for k, moved to the thresholds that are not far from it."""
    length, reach = max(0, choice.window), max(0, choice.reach)
    farthest = max(thresholds) if choice.tilt > 0.0 else k + reach
    near = {x: c for x, c in thresholds.items() if max(0, k - length) <= x <= farthest}
    if not near:
        return Window(thresholds=thresholds, near=near, k=k, length=1, period=2)
    most, least = max(near), min(near)
    length = max(1, min(length + most - k, most + 1))
    period = length + max(0, min(reach + k - least, span - least))
    return Window(thresholds=thresholds, near=near, k=most, length=length, period=period)


class Tilted:
    """The sum under the weights exp(-lambda X), lambda >= 0: it depends on its factors and on slopes, on no threshold.

    ``growth`` encloses G(lambda), ``tilt`` holds the tilted factors. ``above`` and ``below`` are
    the slopes of Chernoff bounds, on either side of lambda: values beyond are moved to the limit.
    """

    def __init__(self, law: Factors, choice: Choice, precision: int, places: int) -> None:
        steepest = law.steepest / max(1, law.span >> choice.shift)
        tilt = max(0.0, min(choice.tilt, steepest))
        self.law, self.exponential = law, Exponential(places)
        self.tilt = _dyadic(tilt, choice.shift)
        self.above = _dyadic(max(min(choice.above, tilt), -steepest), choice.shift)
        self.below = _dyadic(min(max(choice.below, tilt), steepest), choice.shift)
        self.factors = law.tilted(Powers(self.exponential, self.tilt), precision)
        self._bounds: dict[Slope, Callable[[int], Enclosure]] = {}

    @property
    def growth(self) -> Enclosure:
        """The growth G(lambda)."""
        return self.factors.growth

    def chernoff(self, other: Slope) -> Callable[[int], Enclosure]:
        """Return the bound of :meth:`_tail`, once for each slope."""
        if other not in self._bounds:
            self._bounds[other] = self._tail(other)
        return self._bounds[other]

    def _tail(self, other: Slope) -> Callable[[int], Enclosure]:
        """Bound q(X >= x) for a slope other <= lambda, q(X <= x) for other >= lambda, as a function of x.

        E_q exp((lambda - other) (X - x)) = G(other) / G(lambda) exp(-(lambda - other) x).
        """
        bits = _CHERNOFF_BITS
        slope, scale = other
        size = abs(slope), scale
        powers = Powers(self.exponential, size)
        growth = self.law.growth(powers, bits, mirrored=slope < 0)
        if slope < 0:  # E exp(s X) = exp(s D) E exp(-s (D - X))
            growth = growth.over(self.exp(size, self.law.span), bits)
        if not self.growth.lower:  # known too badly, as only a bad choice of slopes brings about
            return lambda _x: ONE
        ratio = growth.over(self.growth, bits)
        scale = max(scale, self.tilt[1])
        change = (self.tilt[0] << scale - self.tilt[1]) - (slope << scale - other[1])
        size = abs(change), scale

        def tail(x: int) -> Enclosure:
            """Bound the tail of q at x, by at most 1."""
            factor = self.exp(size, x)
            if change < 0 and not factor.lower:  # too small for its errors
                return ONE
            bound = ratio.times(factor, bits) if change >= 0 else ratio.over(factor, bits)
            return ONE if bound.upper.bit_length() + bound.exponent > 0 else bound

        return tail

    def left_out(self, window: Window, n: int, skipped: int, width: int) -> int:
        """Bound 2 sum |C_j| |phi(t_j)| in units, for frequencies with sum |phi(t_j)| / j <= ``skipped`` / 2**SCALE.

        |C_j| <= (1 + exp(-lambda w)) exp(x / 2) / (pi j), x = lambda P / n, and 2 / pi < 0.63662.
        """
        half_step = self.argument(window.period) // (2 * n)
        most = ONE.over(self.exponential(half_step + 1), _CHERNOFF_BITS)
        damped = self.exp(self.tilt, window.length).plus_one(_CHERNOFF_BITS)
        bound = (
            Enclosure(0, skipped * 63662, -SCALE)
            .times(most, _CHERNOFF_BITS)
            .times(damped, _CHERNOFF_BITS)
        )
        return bound.fixed(width)[1] // 10**5 + 1

    def mean_window(self, window: Window, n: int, step: int, width: int) -> tuple[int, int]:
        """Bound n C_0 = (1 - exp(-lambda w)) / (1 - rho) = (w n / P) h(lambda w) / h(x), in units of 2**-width.

        h(z) = (1 - exp(-z)) / z keeps its accuracy for any lambda >= 0.
        """
        inside = self.exponential.mean(self.argument(window.length))
        period = self.exponential.mean(step)
        factor = window.length * n << width
        return (
            factor * inside.lower // (window.period * period.upper),
            -(-factor * inside.upper // (window.period * period.lower)),
        )

    def gain(self, rho: int, rho_upper: int, step: int, width: int) -> tuple[int, int]:
        """Return g = rho / (2 pi h(x)) <= 1 / (2 pi) in units of 2**-width, and its error."""
        mean, places = self.exponential.mean(step), self.exponential.places
        circle = two_pi(width)
        low = (rho << width + places) // (mean.upper * (circle + 2))
        return low, (rho_upper << width + places) // (mean.lower * (circle - 2)) + 1 - low

    def argument(self, x: int) -> int:
        """Return lambda x in the units of the exponential, rounded down."""
        m, scale = self.tilt
        return self.exponential.argument(m * x, scale)

    def exp(self, slope: Slope, x: int) -> Enclosure:
        """Enclose the exponential of -slope x, for slope, x >= 0."""
        m, scale = slope
        return self.exponential(self.exponential.argument(m * x, scale))


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
        self.law, self.choice, self._tick = law, choice, tick
        self.span = law.span
        self.place = _window({k: 1} if thresholds is None else thresholds, k, self.span, choice)
        self._expect(max(0.0, choice.tilt))
        nodes = self.nodes(ldexp(1.0, -bits))
        width = bits + 12 + (law.terms + nodes).bit_length() + nodes.bit_length()
        self.precision = bits + 12 + law.terms.bit_length()
        self.tilted = Tilted(law, choice, self.precision, max(self.precision, width))
        self.price = _WORK_TERM + law.work
        self.price += _WORK_ROOT * (len(self.place.near) - 1) if self.place.near else 0
        tilt = self.tilted.factors
        self.scan = Scan(
            tilt.units, self.period, self.price, tick, tilt.sharpness, circles=tilt.circles
        )
        self.width, self._turn = width, roots_of_unity(self.period, width)
        self._values: dict[int, Complex] = {}

    @property
    def k(self) -> int:
        """The greatest threshold that is inverted."""
        return self.place.k

    @property
    def window(self) -> int:
        """The length w of the window below k."""
        return self.place.length

    @property
    def period(self) -> int:
        """The period P."""
        return self.place.period

    def _expect(self, tilt: float) -> None:
        """Set what is expected of 1 / S, and of the gap that n nodes leave: about ``_wide`` / n."""
        scale, place = 1 << self.choice.shift, self.place
        shares = (c * exponential(-tilt * ((place.k - x) / scale)) for x, c in place.near.items())
        self.scarcity = max(_LEAST_SCARCITY, self.choice.scarcity) / (
            _sum(shares) / (1 << place.halvings) or 1.0
        )
        self._wide = 0.4 * self.scarcity * (self.period / scale / self.choice.deviation)

    def _copied(self, **changes: object) -> Inversion:
        """Return an inversion with the same parts but those changed; what follows from parts is computed again."""
        other = Inversion.__new__(Inversion)
        other.__dict__.update({name: self.__dict__[name] for name in _PARTS}, **changes)
        return other

    def at(self, k: int) -> Inversion:
        """Return the inversion at the threshold k, 0 <= k < D / 2 for pairs: its bracket needs no further phi.

        Any k has a true bracket, with the tilt and the window chosen for another one; a near one
        has a narrow bracket.
        """
        return self._copied(place=self.place.at(k), _characteristic=self._characteristic)

    # --------------------------------------------------------------------------------- free choices

    def nodes(self, width: float) -> int:
        """Choose n for a gap of 0.6 of the relative width, by the gap of the last round; at most P.

        At first the density of q at k is taken for 0.4 / deviation and S for 1 / scarcity.
        """
        return min(self.period, int(min(self._wide / (0.6 * width), float(MOST_NODES)))) + 1

    def aim(self, width: float) -> Aim:
        """Return what to scan for a relative width; where that is the whole lattice, 2**-5 of it costs little."""
        wanted = 4 - frexp(width)[1] + int(self.scarcity).bit_length()
        if self.whole(width):
            return Aim(top=max(1, self.period // 2), bits=wanted + 6, spare=1 << SCALE - wanted - 4)
        return Aim(top=self.nodes(width) - 1, bits=wanted + 1, spare=1 << SCALE - wanted + 1)

    def whole(self, width: float) -> bool:
        """Return whether the whole lattice takes no more frequencies than the nodes for a relative width."""
        return self.nodes(width) > self.period // 2

    # ---------------------------------------------------------------------------------- the bracket

    def enclosure(self, width: float, limit: int) -> Enclosure:
        """Enclose P(X <= k), to a relative width if ``limit`` units of work allow."""
        return self.bounds(self.scan.settle(self.aim(width), limit))

    def bounds(self, settled: Settled) -> Enclosure:
        """Enclose P(X <= k) = F * S from the settled frequencies.

        All of 1..P/2 make the lattice exact, n = P; otherwise n is the first frequency that is not
        settled. Raises ``ArithmeticError`` where the ends are in the wrong order, which no data and
        no parameters can bring about.
        """
        exact = settled.reached >= self.period // 2
        n = self.period if exact else settled.reached + 1
        lower, upper = self._sums(n, [j for j in settled.found if j < n])
        missed_below, missed_above = self._aliases
        far_below, far_above = self._far
        lower, upper = lower + n * far_below, upper + n * far_above
        skipped = self.tilted.left_out(self.place, n, settled.skipped, self.width)
        if not exact and lower > 0:
            self._wide = n * ((upper - lower) / lower)
        low = lower // n - missed_below - skipped
        high = -(-upper // n) + missed_above + skipped
        if low > high:
            raise ArithmeticError(f"the bracket from {n} nodes has its ends in the wrong order")
        value = self._factor.times(
            Enclosure(max(0, low), max(0, high), -self.width), self.precision
        )
        return value.at_most(self.law.most)

    @cached_property
    def _factor(self) -> Enclosure:
        """Enclose F = E exp(-lambda X) exp(lambda k); of M pairs the growth is 2**M E exp(-lambda X)."""
        damped = self.tilted.exp(self.tilted.tilt, self.k)
        return self.tilted.growth.over(damped, self.precision).scaled(-self.law.halvings)

    def _sums(self, n: int, frequencies: list[int]) -> tuple[int, int]:
        """Bound n E_q m and n E_q M over the given frequencies, in units of 2**-width.

        With A = phi exp(-itk), B = phi exp(-lambda w) exp(-it(k - w)), D = 1 - rho omega**j, omega
        = exp(2 pi i / n):

            n E_q M = n C_0 + exp(-lambda w) + 2 Re sum (A - B) W / D + (1 - j/n) B,
            n E_q m = n C_0 - 1              + 2 Re sum (A - B) W / D - (1 - j/n) A,
            W = 1 - j/n + i g (1 - omega**j),   g = x rho / (2 pi (1 - rho)),   rho = exp(-x).

        Several thresholds x have their mean Z of exp(-lambda (k - x)) exp(-itx) in place of
        exp(-itk), and the mean of these weights with n C_0, 1 and exp(-lambda w).
        For n = P, on integers, both are n C_0 + 2 Re sum (A - B) / D over 0 < j < n/2, and the term
        of n/2 once.
        """
        width, one, exact = self.width, 1 << self.width, n == self.period
        damped, damped_upper = self.tilted.exponential.fixed(
            self.tilted.argument(self.window), width
        )
        step = self.tilted.argument(self.period) // n
        rho, rho_upper = self.tilted.exponential.fixed(step, width)
        low, high = self._constant(n, step, (0, 0) if exact else (one, damped_upper))
        if not frequencies:
            return low, high
        turn = self._turn
        node = turn if exact else roots_of_unity(n, width)
        gain, error_g = self.tilted.gain(rho, rho_upper, step, width)
        characteristic, error = self._characteristic
        phase, error_z = self._phase()
        error_a = product_error(error, error_z, width)
        error_b = product_error(error_a, turn.error + (damped_upper - damped) + 2, width)
        error_n = error_a + error_b
        error_d = node.error + (rho_upper - rho) + 2
        # |A - B| <= 2, |W| < 2, g < 1/6: the parts of W are off by e_omega / 6 + e_g + 2 and
        # e_omega / 6 + 2 e_g + 1.
        error_w = node.error + 3 * error_g + 3
        error_nw = (
            error_n if exact else 2 * error_w + 2 * error_n + (error_n * error_w >> width) + 3
        )
        for j in frequencies:
            (x, y), (a, b), (c, d) = characteristic(j), phase(j), turn(self.window * j)
            a, b = x * a - y * b >> width, x * b + y * a >> width
            c, d = damped * c >> width, damped * d >> width
            c, d = a * c - b * d >> width, a * d + b * c >> width
            p, q = a - c, b - d
            x, y = node(j)
            denominator = one - (rho * x >> width), -(rho * y >> width)
            twice = 2
            if exact:
                twice = 1 if 2 * j == n else 2
            else:
                u, v = (n - j << width) // n + (gain * y >> width), gain * (one - x) >> width
                p, q = p * u - q * v >> width, p * v + q * u >> width
                low -= 2 * ((n - j) * (a + error_a) // n + 1)
                high += 2 * ((n - j) * (c + error_b) // n + 1)
            value, bound = real_quotient((p, q), error_nw, denominator, error_d, width)
            low += twice * (value - bound)
            high += twice * (value + bound)
        return low, high

    def _constant(self, n: int, step: int, ends: tuple[int, int]) -> tuple[int, int]:
        """Bound the terms without a frequency: n C_0 minus and plus ``ends``, times the sum of the weights."""
        low, high = self.tilted.mean_window(self.place, n, step, self.width)
        low, high = low - ends[0], high + ends[1]
        least, most = sum(a for _, a, _ in self._weights), sum(b for _, _, b in self._weights)
        return low * (least if low >= 0 else most) >> self.width, -(-high * most >> self.width)

    @cached_property
    def _weights(self) -> list[tuple[int, int, int]]:
        """Return (x, low, high) for near thresholds: bounds of the share times exp(-lambda (k - x)), in units."""
        weights = []
        for x, count in self.place.near.items():
            low = high = 1 << self.width
            if x < self.k:
                low, high = self.tilted.exponential.fixed(
                    self.tilted.argument(self.k - x), self.width
                )
            weights.append(
                (x, count * low >> self.place.halvings, -(-count * high >> self.place.halvings))
            )
        return weights

    def _phase(self) -> tuple[Callable[[int], Complex], int]:
        """Return Z as a function of j and its error; for one threshold it is a root of unity."""
        width, turn, weights = self.width, self._turn, self._weights
        if len(self.place.thresholds) == len(weights) == 1:
            return lambda j: turn(-self.k * j), turn.error

        def phase(j: int) -> Complex:
            """Return the weighted mean of the roots exp(-i t_j x)."""
            a = b = 0
            for x, weight, _ in weights:
                c, d = turn(-x * j)
                a += weight * c
                b += weight * d
            return a >> width, b >> width

        return phase, turn.error + sum(high - low for _, low, high in weights) + 2

    @cached_property
    def _far(self) -> tuple[int, int]:
        """Bound what thresholds with P(X <= x) near 0 or 1 add to S, in units of 2**-width.

        P(X <= x) = F exp(-lambda (k - x)) E_q f(x - X), with E_q f(x - X) <= q(X <= x); for lambda
        = 0 F = 1, so that it is 1 - q(X >= x + 1).
        """
        low = high = 0
        one = 1 << self.width
        for x, count in self.place.thresholds.items():
            if x in self.place.near or x < 0:
                continue
            if x > self.k:
                above = (
                    self.tilted.chernoff(self.tilted.above)(x + 1).fixed(self.width)[1]
                    if x < self.span
                    else 0
                )
                low, high = low + count * (one - min(one, above)), high + count * one
            else:
                tail = self.tilted.exp(self.tilted.tilt, self.k - x).times(
                    self.tilted.chernoff(self.tilted.below)(x), _CHERNOFF_BITS
                )
                high += count * tail.fixed(self.width)[1]
        return low >> self.place.halvings, -(-high >> self.place.halvings)

    @cached_property
    def _characteristic(self) -> tuple[Callable[[int], Complex], int]:
        """Return phi(t_j) as a function of j, and a bound of its error in units."""
        width, turn, values = self.width, self._turn, self._values
        tilt = self.tilted.factors
        exponents, errors, make = tilt.factors(turn.error, width)
        rungs = ladder(self.law.counts)
        # Roots of a million pairs at once take 200 MB.
        piece = tilt.piece if len(rungs) == 1 else len(exponents)
        starts = range(0, len(exponents), piece)

        def characteristic(j: int) -> Complex:
            """Return phi(t_j), computed once."""
            if j not in values:
                self._tick(self.price)
                made = (
                    make(turn.several([a * j for a in exponents[i : i + piece]]), i) for i in starts
                )
                factors = next(made) if len(starts) == 1 else chain.from_iterable(made)
                values[j] = power_product(factors, rungs, width)
            return values[j]

        return characteristic, power_product_error(errors, rungs, width)

    # -------------------------------------------------------------------------------------- aliases

    @cached_property
    def _aliases(self) -> tuple[int, int]:
        """Bound how far E_q f lies below and above E_q f_w, in units of 2**-width."""
        k, period, window, width = self.k, self.period, self.window, self.width
        below = above = 0
        if not self.place.near:
            return 0, 0
        start = self.place.least + period - window + 1
        if start <= self.span:
            below = self.tilted.chernoff(self.tilted.above)(start).fixed(width)[1]
        if k >= window:
            tail = self.tilted.chernoff(self.tilted.below)
            damped = self.tilted.exp(self.tilted.tilt, window)
            above = tail(k - window).times(damped, _CHERNOFF_BITS).fixed(width)[1]
            if k >= period:
                below += tail(k - period).fixed(width)[1]
        return below, above


def _sum(values: Iterable[float]) -> float:
    """Add from the left, which Python 3.12 and later round otherwise."""
    total = 0.0
    for value in values:
        total += value
    return total


def _dyadic(x: float, shift: int) -> Slope:
    """Return a float times 2**-shift, exactly."""
    numerator, denominator = x.as_integer_ratio()
    return numerator, shift + denominator.bit_length() - 1
