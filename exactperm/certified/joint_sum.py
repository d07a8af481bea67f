"""The sum over frequencies of an inversion in two dimensions, in fixed point, every error bounded by an integer.

With frequencies t = 2 pi (j / L1, k / L2), rho = exp(-beta) and omega = exp(2 pi i / L2),

    L1 L2 S' = sum over j, k of phi(t) K(k) D(j, k),   K(k) = (1 - rho**w omega**(-k w)) / (1 - rho omega**-k),
    D(j, k) = sum over x of w(x) exp(-i t (x, s(x))),

where (-j, -k) adds the conjugate of (j, k). The cosines and sines of one row at all j are the slots
of one integer, so that one multiplication adds the row to D at every j; phi is a product of powers
for each frequency.

Source: Theorem 1; spec/ratio-inversion.md#ratio-fixed-point.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from operator import mul

from ..arithmetic.fixedpoint import (
    Complex,
    ladder,
    power_product,
    power_product_error,
    product_error,
    real_quotient,
    roots_of_unity,
)
from .joint_damping import Found
from .joint_tilt import JointTilt


class Rows:
    """The rows that are summed: ``points`` (x, s(x)), and the bounds of their weights in units of 2**-width.

    ``level`` is m, in units of the tilt's scale. ``weights`` are integers (low, high) around w(x) /
    2**halvings, such that the weights sum to at most 1; ``factor`` is F = M exp(-m).
    """

    def __init__(self, tilt: JointTilt, points: list[tuple[int, int]], width: int) -> None:
        self.points, self.width = points, width
        self.level = min((tilt.dot(x, s) for x, s in points), default=0)
        constant = tilt.exp(self.level - tilt.dot(*tilt.base))
        self.factor = tilt.pairs.growth.times(constant, width).scaled(-tilt.units)
        weights = [tilt.exp(tilt.dot(x, s) - self.level).fixed(width) for x, s in points]
        self.halvings = h = max(0, sum(high for _, high in weights).bit_length() - width)
        self.weights = [(low >> h, -(-high >> h)) for low, high in weights]


class JointSum:
    """The sum L1 L2 S' / 2**halvings over chosen frequencies; ``periods`` are (L1, L2), ``height`` is w."""

    def __init__(self, tilt: JointTilt, rows: Rows, periods: tuple[int, int], height: int) -> None:
        self.tilt, self.rows, self.periods, self.height = tilt, rows, periods, height
        self.width = rows.width
        roots = [roots_of_unity(period, self.width) for period in periods]
        self.across, self.up = [turn.several(range(period)) for turn, period in zip(roots, periods)]
        self.errors = roots[0].error, roots[1].error

    def bounds(self, found: Found, tick: Callable[[int], object]) -> tuple[int, int]:
        """Bound the sum over the frequencies found, their conjugates and (0, 0), in units."""
        phi, error_p = self.characteristic()
        transform, error_t = self.transform(found)
        error = product_error(error_p, error_t, self.width)
        low, high = [sum(ends) for ends in zip(*self.rows.weights)]  # D(0, 0), for phi = 1
        for k in sorted({0, *found.rows}):
            wanted = found.rows.get(k, [])
            values = transform(k)
            a = b = 0
            for j, (x, y) in zip(wanted, phi(k, wanted)):
                c, d = values[j]
                a += x * c - y * d >> self.width
                b += x * d + y * c >> self.width
            tick(len(wanted))
            if k:
                value, bound = self._with_kernel(k, (a, b), len(wanted), error)
                low, high = low + 2 * (value - bound), high + 2 * (value + bound)
            else:
                room = 2 * len(wanted) * error
                low, high = self._with_first(low + 2 * a - room, high + 2 * a + room)
        return low, high

    def _with_kernel(self, k: int, total: Complex, number: int, error: int) -> tuple[int, int]:
        """Return the real part of K(k) times a sum of ``number`` products of this error each, and a bound of its error.

        The sum has modulus at most ``number`` and 1 - rho**w omega**(-k w) at most 2. So their
        product is off by twice the error of the sum, by ``number`` times that of the factor, by the
        product of both, and by 3.
        """
        width, error_y, (a, b) = self.width, self.errors[1], total
        one, beta = 1 << width, self.tilt.slope[1]
        rho, rho_upper = self.tilt.exp.fixed(beta, width)
        damped, damped_upper = self.tilt.exp.fixed(beta * self.height, width)
        c, d = self.up[-self.height * k % self.periods[1]]
        c, d = one - (damped * c >> width), -(damped * d >> width)
        error_n = error_y + (damped_upper - damped) + 2
        bound = number * (2 * error + error_n) + (number * error * error_n >> width) + 3
        x, y = self.up[-k % self.periods[1]]
        denominator = one - (rho * x >> width), -(rho * y >> width)
        numerator = a * c - b * d >> width, a * d + b * c >> width
        return real_quotient(numerator, bound, denominator, error_y + (rho_upper - rho) + 2, width)

    def _with_first(self, low: int, high: int) -> tuple[int, int]:
        """Bound K(0) = w h(beta w) / h(beta), h(z) = (1 - exp(-z)) / z, times a number between ``low`` and ``high``."""
        beta, height = self.tilt.slope[1], self.height
        total, one = [self.tilt.exp.mean(x) for x in (beta * height, beta)]
        least, most = (height * total.lower, one.upper), (height * total.upper, one.lower)
        (a, b), (c, d) = (least if low >= 0 else most), (most if high >= 0 else least)
        return low * a // b, -(-high * c // d)

    def characteristic(self) -> tuple[Callable[[int, list[int]], list[Complex]], int]:
        """Return phi of the turned deltas as a function of k and many j, and a bound of its error.

        The root of a delta is the product of one of each coordinate.
        """
        width, (first, second), (error_x, error_y) = self.width, self.periods, self.errors
        across, up, turned = self.across, self.up, self.tilt.turned
        _, errors, make = self.tilt.pairs.factors(product_error(error_x, error_y, width), width)
        rungs = ladder([count for *_, count in turned])

        def characteristic(k: int, wanted: list[int]) -> list[Complex]:
            """Return phi at all (j, k)."""
            halves = [(a, *up[b * k % second]) for a, b, _ in turned]
            values = []
            for j in wanted:
                roots = []
                for a, x, y in halves:
                    c, d = across[a * j % first]
                    roots.append((x * c - y * d >> width, x * d + y * c >> width))
                values.append(power_product(make(roots, 0), rungs, width))
            return values

        return characteristic, power_product_error(errors, rungs, width)

    def transform(self, found: Found) -> tuple[Callable[[int], dict[int, Complex]], int]:
        """Return D(j, k) / 2**halvings at all j of a k, as a function of k, and a bound of its error.

        A row's weight times the root of k is off by the weight's own width, by the root's error
        times the weight, and by 2; the weights sum to at most 1. Then all rows are added exactly,
        and shifted once.
        """
        width, (first, second), (error_x, error_y) = self.width, self.periods, self.errors
        up, (base_x, base_y) = self.up, self.tilt.base
        points, weights = self.rows.points, [low for low, _ in self.rows.weights]
        places = sorted({abs(j) for j in chain(*found.rows.values())})
        slot = -(-(2 * width + len(points).bit_length() + 4) // 8) * 8
        packed = []
        for x, _ in points:
            roots = [self.across[j * (x - base_x) % first] for j in places]
            packed.append(_packed(list(chain(*roots)), slot))
        base = sum(high - low for low, high in self.rows.weights) + error_y + 2 * len(points) + 2

        def transform(k: int) -> dict[int, Complex]:
            """Return {j: D(j, k)} for all j and -j that are wanted somewhere."""
            roots = [up[-k * (s - base_y) % second] for _, s in points]
            parts = []
            for axis in (0, 1):
                sizes = [weight * root[axis] >> width for weight, root in zip(weights, roots)]
                parts.append(_unpacked(sum(map(mul, sizes, packed)), slot, 2 * len(places)))
            values = {}
            for i, j in enumerate(places):
                (a, b), (c, d) = [part[2 * i : 2 * i + 2] for part in parts]
                values[-j] = a - d >> width, c + b >> width
                values[j] = a + d >> width, c - b >> width
            return values

        return transform, base + error_x + (base * error_x >> width) + 4


def _packed(parts: list[int], slot: int) -> int:
    """Return the sum of parts[i] * 2**(slot i), for parts of either sign."""
    total = 0
    for part in reversed(parts):
        total = (total << slot) + part
    return total


def _unpacked(total: int, slot: int, count: int) -> list[int]:
    """Return the parts of a sum of :func:`_packed` integers, each below 2**(slot - 1) in size; slot is whole bytes."""
    size, half = slot // 8, 1 << slot - 1
    bias = half * (((1 << slot * count) - 1) // ((1 << slot) - 1))
    raw = (total + bias).to_bytes(size * count, "little")
    return [
        int.from_bytes(raw[i : i + size], "little") - half for i in range(0, size * count, size)
    ]
