"""The sum over frequencies of an inversion in two dimensions, in fixed point, every error bounded by an integer.

With frequencies t = 2 pi (j / L1, k / L2), rho = exp(-beta) and omega = exp(2 pi i / L2),

    L1 L2 S' = sum over j, k of phi(t) K(-k) D(j, k),   K the kernel of exactperm.certified.sums,
    D(j, k) = sum over x of w(x) exp(-i t (x, s(x))),

where (-j, -k) adds the conjugate of (j, k). The cosines and sines of one row at all j are the slots
of one integer, so that one multiplication adds the row to D at every j; phi is a product of powers
for each frequency.

Source: Theorem 1; spec/ratio-inversion.md#ratio-fixed-point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from operator import mul

from .._types import TYPE_CHECKING
from ..arithmetic.fixedpoint import (
    Complex,
    ladder,
    power_product,
    power_product_error,
    product_error,
    roots_of_unity,
)
from ..arithmetic.slots import byte_length, packed, unpacked
from .factors import PairTilt
from .sums import Kernel, Limits, product

if TYPE_CHECKING:
    from .factors import Roots
    from .joint_damping import Found
    from .joint_parameters import Pair
    from .powers import Powers


Slope = tuple[int, int]
"""A slope (a, b) in units of those of the powers, exactly."""


class JointTilt:
    """The distribution under the weights exp(theta X), for an exact slope theta in units of ``exp``.

    Each delta is turned so that theta delta <= 0, which exchanges the two states of a unit:
    ``turned`` are the turned deltas, ``base`` is the sum of those that were turned, and ``pairs``
    the pairs of differences -theta delta under the weights of ``exp``. M = exp(theta base) times
    their growth.
    """

    def __init__(
        self, deltas: Sequence[tuple[int, int, int]], slope: Slope, exp: Powers, bits: int
    ) -> None:
        self.slope = slope
        self.exp = exp
        signs = [-1 if self.dot(a, b) > 0 else 1 for a, b, _ in deltas]
        self.turned = [(a * sign, b * sign, count) for (a, b, count), sign in zip(deltas, signs)]
        back = [delta for delta, sign in zip(deltas, signs) if sign < 0]
        self.base = sum(a * count for a, _, count in back), sum(b * count for _, b, count in back)
        away = [-self.dot(a, b) for a, b, _ in self.turned]
        self.pairs = PairTilt(away, [count for *_, count in deltas], exp, bits)

    @property
    def dampers(self) -> list[tuple[int, int, int, int]]:
        """The turned deltas (a, b, count), each with its strength."""
        pairs = zip(self.turned, self.pairs.dampers)
        return [(*delta, strength) for delta, (_, _, strength) in pairs]

    def dot(self, x: int, y: int) -> int:
        """Return theta (x, y) in the units of the slope."""
        return self.slope[0] * x + self.slope[1] * y


def dyadics(slopes: Sequence[Pair]) -> tuple[list[Slope], int]:
    """Return pairs of floats exactly, as integers in units of 2**-scale, and the scale that serves all of them."""
    ratios = [x.as_integer_ratio() for slope in slopes for x in slope]
    scale = max(below for _, below in ratios).bit_length() - 1
    whole = [(above << scale) // below for above, below in ratios]
    return list(zip(whole[::2], whole[1::2])), scale


class Rows:
    """The rows that are summed: ``points`` (x, s(x)), and the bounds of their weights in units of 2**-width.

    ``level`` is m, in units of the tilt's scale. ``weights`` are integers (low, high) around w(x) /
    2**halvings, such that the weights sum to at most 1; ``factor`` is F = M exp(-m).
    """

    def __init__(self, tilt: JointTilt, points: list[tuple[int, int]], width: int) -> None:
        self.points = points
        self.width = width
        self.level = min((tilt.dot(x, s) for x, s in points), default=0)
        constant = tilt.exp(self.level - tilt.dot(*tilt.base))
        self.factor = tilt.pairs.growth.times(constant, width)
        weights = [tilt.exp(tilt.dot(x, s) - self.level).fixed(width) for x, s in points]
        self.halvings = h = max(0, sum(high for _, high in weights).bit_length() - width)
        self.weights = [(low >> h, -(-high >> h)) for low, high in weights]


class JointSum:
    """The sum L1 L2 S' / 2**halvings over chosen frequencies; ``periods`` are (L1, L2), ``height`` is w."""

    def __init__(self, tilt: JointTilt, rows: Rows, periods: tuple[int, int], height: int) -> None:
        self.tilt = tilt
        self.rows = rows
        self.periods = periods
        self.height = height
        self.width = rows.width
        roots = [roots_of_unity(period, self.width) for period in periods]
        self.across, self.up = [turn.several(range(period)) for turn, period in zip(roots, periods)]
        self.errors = roots[0].error, roots[1].error

    def bounds(self, found: Found, tick: Callable[[int], object]) -> Limits:
        """Bound the sum over the frequencies found, their conjugates and (0, 0), in units."""
        width = self.width
        _, second = self.periods
        phi, error_p = self.characteristic()
        transform, error_t = self.transform(found)
        error = product_error(error_p, error_t, width)
        about = (self.errors[1], width)
        kernel = Kernel(
            self.tilt.exp, self.tilt.slope[1], self.height, lambda n: self.up[n % second], about
        )
        low, high = [sum(ends) for ends in zip(*self.rows.weights)]  # D(0, 0), for phi = 1
        for k in sorted({0, *found.rows}):
            wanted = found.rows.get(k, [])
            values = transform(k)
            terms = [product(z, values[j], width) for j, z in zip(wanted, phi(k, wanted))]
            a = sum(x for x, _ in terms)
            b = sum(y for _, y in terms)
            tick(len(wanted))
            if k:
                value, bound = kernel.times(-k, (a, b), len(wanted), error)
                low = low + 2 * (value - bound)
                high = high + 2 * (value + bound)
            else:
                room = len(wanted) * error
                low, high = kernel.first((low + 2 * (a - room), high + 2 * (a + room)))
        return low, high

    def characteristic(self) -> tuple[Callable[[int, list[int]], list[Complex]], int]:
        """Return phi of the turned deltas as a function of k and many j, and a bound of its error.

        The root of a delta is the product of one of each coordinate.
        """
        width = self.width
        first, second = self.periods
        error_x, error_y = self.errors
        across = self.across
        up = self.up
        turned = self.tilt.turned
        errors, make = self.tilt.pairs.factors(product_error(error_x, error_y, width), width)
        rungs = ladder([count for *_, count in turned])

        def characteristic(k: int, wanted: list[int]) -> list[Complex]:
            """Return phi at all (j, k)."""
            halves = [(a, *up[b * k % second]) for a, b, _ in turned]

            def roots(j: int) -> Roots:
                found = list[Complex]()
                for a, x, y in halves:
                    c, d = across[a * j % first]
                    found.append((x * c - y * d >> width, x * d + y * c >> width))
                return lambda _exponents: found

            return [power_product(make(roots(j)), rungs, width) for j in wanted]

        return characteristic, power_product_error(errors, rungs, width)

    def transform(self, found: Found) -> tuple[Callable[[int], dict[int, Complex]], int]:
        """Return D(j, k) / 2**halvings at all j of a k, as a function of k, and a bound of its error.

        A row's weight times the root of k is off by the weight's own width, by the root's error
        times the weight, and by 2; the weights sum to at most 1. Then all rows are added exactly,
        and shifted once.
        """
        width = self.width
        first, second = self.periods
        error_x, error_y = self.errors
        points = self.rows.points
        base_x, base_y = self.tilt.base
        places = sorted({abs(j) for j in chain(*found.rows.values())})
        size = byte_length(2 * width + len(points).bit_length() + 6)
        lift = 2 << width
        half = 1 << 8 * size - 1
        bias = packed([half] * (2 * len(places)), size)
        rows = []
        for x, _ in points:
            roots = chain(*[self.across[j * (x - base_x) % first] for j in places])
            rows.append(packed([part + lift for part in roots], size))

        def summed(sizes: list[int]) -> list[int]:
            """Return the sums of sizes times cosines, and times sines, one after the other."""
            offset = half + lift * sum(sizes)
            return [part - offset for part in unpacked(sum(map(mul, sizes, rows)) + bias, size)]

        def transform(k: int) -> dict[int, Complex]:
            """Return {j: D(j, k)} for all j and -j that are wanted somewhere."""
            turns = [self.up[-k * (s - base_y) % second] for _, s in points]
            weighted = list(zip(self.rows.weights, turns))
            real = summed([low * x >> width for (low, _), (x, _) in weighted])
            imaginary = summed([low * y >> width for (low, _), (_, y) in weighted])
            values = {}
            for i, j in enumerate(places):
                a, b = real[2 * i : 2 * i + 2]
                c, d = imaginary[2 * i : 2 * i + 2]
                values[-j] = a - d >> width, c + b >> width
                values[j] = a + d >> width, c - b >> width
            return values

        base = sum(high - low for low, high in self.rows.weights) + error_y + 2 * len(points) + 2
        return transform, base + error_x + (base * error_x >> width) + 4
