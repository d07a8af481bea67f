"""Sums over frequencies in fixed point, every error bounded by an integer.

A number is a pair of integers, a unit being 2**-width; see :mod:`exactperm.arithmetic.fixedpoint`.
On a lattice the sum of a window is that of phi times a :class:`Kernel`, in one dimension as in two;
n nodes, fewer than the period, take the coefficients of a majorant and of a minorant.

Source: spec/note.md#note-arithmetic, spec/note.md#note-majorant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property

from .._types import TYPE_CHECKING
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

if TYPE_CHECKING:
    from .factors import PairTilt, UnitTilt
    from .powers import Powers

Limits = tuple[int, int]
"""Bounds of a real number, in units."""


class Placement(Record):
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

    def at(self, k: int) -> Placement:
        """Return the same window for one other threshold."""
        return replaced(self, thresholds={k: 1}, near={k: 1}, k=k)


class Characteristic:
    """phi(2 pi j / period), computed once for each j."""

    def __init__(
        self,
        tilt: PairTilt | UnitTilt,
        counts: list[int],
        period: int,
        width: int,
        tick: Callable[[], object] = lambda: None,
    ) -> None:
        self.tilt = tilt
        self._counts = counts
        self.period = period
        self.width = width
        self.turn = roots_of_unity(period, width)
        self._tick = tick
        self._values: dict[int, Complex] = {}

    @cached_property
    def _made(self) -> tuple[Callable[[int], Complex], int]:
        width = self.width
        turn = self.turn
        rungs = ladder(self._counts)
        errors, make = self.tilt.factors(turn.error, width)

        def made(j: int) -> Complex:
            factors = make(lambda exponents: turn.several([a * j for a in exponents]))
            return power_product(factors, rungs, width)

        return made, power_product_error(errors, rungs, width)

    @property
    def error(self) -> int:
        """A bound of the errors, in units."""
        return self._made[1]

    def __call__(self, j: int) -> Complex:
        """Return phi at j."""
        if j not in self._values:
            self._tick()
            self._values[j] = self._made[0](j)
        return self._values[j]


class Kernel:
    """K(j) = sum of (rho omega**j)**i over 0 <= i < length, omega = exp(2 pi i / period), rho = exp(-``slope``).

    ``exp`` encloses exponentials of multiples of the slope's unit; ``turn`` returns omega**n to
    within ``error``. K(j) = (1 - rho**length omega**(length j)) / (1 - rho omega**j).
    """

    def __init__(
        self, exp: Powers, slope: int, length: int, turn: Callable[[int], Complex], about: Limits
    ) -> None:
        self._turn = turn
        self._length = length
        self._error, self._width = about
        width = self._width
        self._rho = exp.fixed(slope, width)
        self._damped = exp.fixed(slope * length, width)
        whole = exp.mean(slope * length)
        one = exp.mean(slope)
        least = (length * whole.lower << width) // one.upper
        self._first = least, -((-length * whole.upper << width) // one.lower)

    def first(self, ends: Limits) -> Limits:
        """Bound K(0) = length h(slope length) / h(slope), h(z) = (1 - exp(-z)) / z, times a number."""
        return multiplied(ends, self._first, self._width)

    def times(self, j: int, total: Complex, number: int, error: int) -> Limits:
        """Return the real part of K(j) times a sum of ``number`` products of this error each, and a bound of its error.

        The sum has modulus at most ``number`` and 1 - rho**w omega**(w j) at most 2. So their
        product is off by twice the error of the sum, by ``number`` times that of the factor, by the
        product of both, and by 3.
        """
        width = self._width
        one = 1 << self._width
        rho, above = self._rho
        low, high = self._damped
        a, b = total
        c, d = self._turn(self._length * j)
        error_n = self._error + (high - low) + 2
        bound = number * (2 * error + error_n) + (number * error * error_n >> width) + 3
        c, d = product(total, (low * c >> width, low * d >> width), width)
        x, y = self._turn(j)
        denominator = one - (rho * x >> width), -(rho * y >> width)
        error_d = self._error + (above - rho) + 2
        return real_quotient((a - c, b - d), bound, denominator, error_d, width)


class WindowSum:
    """n E_q m and n E_q M for one place, over given frequencies, from phi and the exponentials of the tilt."""

    def __init__(self, exp: Powers, place: Placement, phi: Characteristic) -> None:
        self._exp = exp
        self._place = place
        self._phi = phi
        self._width = phi.width

    def bounds(self, n: int, frequencies: list[int]) -> Limits:
        """Bound both sums over the given frequencies, in units of 2**-width; with n = P nodes they are the same.

        Several thresholds x have the mean of exp(-lambda (k - x)) exp(-itx) in place of exp(-itk),
        and the mean of these weights with the terms that need no phi.
        """
        if n == self._phi.period:
            return self._on_the_lattice(frequencies)
        return self._at_nodes(n, frequencies)

    def _on_the_lattice(self, frequencies: list[int]) -> Limits:
        """Bound K(0) + 2 Re sum phi exp(-itk) K(j) over 0 < j < n / 2, and the term of n / 2 once."""
        phi = self._phi
        width = self._width
        about = phi.turn.error, width
        kernel = Kernel(self._exp, 1, self._place.length, phi.turn, about)
        low, high = kernel.first(self._weight)
        if not frequencies:
            return low, high
        phase, error_z = self._phase
        error = product_error(phi.error, error_z, width)
        for j in frequencies:
            value, bound = kernel.times(j, product(phi(j), phase(j), width), 1, error)
            twice = 1 if 2 * j == phi.period else 2
            low += twice * (value - bound)
            high += twice * (value + bound)
        return low, high

    def _at_nodes(self, n: int, frequencies: list[int]) -> Limits:
        """Bound the sums with n < P nodes.

        With A = phi exp(-itk), B = phi exp(-lambda w) exp(-it(k - w)), D = 1 - rho omega**j, omega
        = exp(2 pi i / n):

            n E_q M = n C_0 + exp(-lambda w) + 2 Re sum (A - B) W / D + (1 - j/n) B,
            n E_q m = n C_0 - 1              + 2 Re sum (A - B) W / D - (1 - j/n) A,
            W = 1 - j/n + i g (1 - omega**j),   g = x rho / (2 pi (1 - rho)),   rho = exp(-x).
        """
        phi = self._phi
        width = self._width
        one = 1 << self._width
        length = self._place.length
        damped, damped_upper = self._exp.fixed(length, width)
        step = self._exp.argument(phi.period) // n
        rho, rho_upper = self._exp.exponential.fixed(step, width)
        low, high = self._mean_window(n, step)
        low, high = multiplied((low - one, high + damped_upper), self._weight, width)
        if not frequencies:
            return low, high
        node = roots_of_unity(n, width)
        gain, error_g = self._gain(step, rho, rho_upper)
        phase, error_z = self._phase
        error_a = product_error(phi.error, error_z, width)
        error_b = product_error(error_a, phi.turn.error + (damped_upper - damped) + 2, width)
        error_n = error_a + error_b
        error_d = node.error + (rho_upper - rho) + 2
        # |A - B| <= 2, |W| < 2, g < 1/6: the parts of W are off by e_omega / 6 + e_g + 2 and
        # e_omega / 6 + 2 e_g + 1.
        error_w = node.error + 3 * error_g + 3
        error_nw = 2 * error_w + 2 * error_n + (error_n * error_w >> width) + 3
        for j in frequencies:
            a, b = product(phi(j), phase(j), width)
            c, d = phi.turn(length * j)
            c, d = product((a, b), (damped * c >> width, damped * d >> width), width)
            x, y = node(j)
            weight = (n - j << width) // n + (gain * y >> width), gain * (one - x) >> width
            denominator = one - (rho * x >> width), -(rho * y >> width)
            numerator = product((a - c, b - d), weight, width)
            value, bound = real_quotient(numerator, error_nw, denominator, error_d, width)
            low += 2 * (value - bound - (n - j) * (a + error_a) // n - 1)
            high += 2 * (value + bound + (n - j) * (c + error_b) // n + 1)
        return low, high

    def _mean_window(self, n: int, step: int) -> Limits:
        """Bound n C_0 = (1 - exp(-lambda w)) / (1 - rho) = (w n / P) h(lambda w) / h(x), in units.

        h(z) = (1 - exp(-z)) / z keeps its accuracy for any lambda >= 0.
        """
        inside = self._exp.mean(self._place.length)
        node = self._exp.exponential.mean(step)
        factor = self._place.length * n << self._width
        period = self._phi.period
        low = factor * inside.lower // (period * node.upper)
        return low, -(-factor * inside.upper // (period * node.lower))

    def _gain(self, step: int, rho: int, rho_upper: int) -> Limits:
        """Return g = rho / (2 pi h(x)) <= 1 / (2 pi), and its error."""
        width = self._width
        exponential = self._exp.exponential
        mean = exponential.mean(step)
        shift = width + exponential.places
        circle = two_pi(width)
        low = (rho << shift) // (mean.upper * (circle + 2))
        return low, (rho_upper << shift) // (mean.lower * (circle - 2)) + 1 - low

    @cached_property
    def _weights(self) -> list[tuple[int, int, int]]:
        """(x, low, high) for near thresholds: bounds of the share times exp(-lambda (k - x)), in units."""
        weights = []
        halvings = self._place.halvings
        for x, count in self._place.near.items():
            low = high = 1 << self._width
            if x < self._place.k:
                low, high = self._exp.fixed(self._place.k - x, self._width)
            weights.append((x, count * low >> halvings, -(-count * high >> halvings)))
        return weights

    @property
    def _weight(self) -> Limits:
        """The sum of all weights."""
        return sum(low for _, low, _ in self._weights), sum(high for *_, high in self._weights)

    @cached_property
    def _phase(self) -> tuple[Callable[[int], Complex], int]:
        """The weighted mean of the roots exp(-i t_j x) as a function of j, and its error; for one threshold a root."""
        width = self._width
        turn = self._phi.turn
        weights = self._weights
        if len(self._place.thresholds) == len(weights) == 1:
            return lambda j: turn(-self._place.k * j), turn.error

        def phase(j: int) -> Complex:
            a = b = 0
            for x, weight, _ in weights:
                c, d = turn(-x * j)
                a += weight * c
                b += weight * d
            return a >> width, b >> width

        return phase, turn.error + sum(high - low for _, low, high in weights) + 2


def product(first: Complex, second: Complex, width: int) -> Complex:
    """Multiply two complex numbers, each part rounded down."""
    a, b = first
    c, d = second
    return a * c - b * d >> width, a * d + b * c >> width


def multiplied(ends: Limits, factor: Limits, width: int) -> Limits:
    """Bound the product of a number of either sign and a factor >= 0."""
    low, high = ends
    least, most = factor
    return low * (least if low >= 0 else most) >> width, -(
        -high * (most if high >= 0 else least) >> width
    )
