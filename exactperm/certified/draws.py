"""Factors of sums of drawn values: of m of n values, where all C(n, m) choices are equally likely.

Under the weights exp(-lambda X) a choice has a probability in proportion to the product of u_j =
exp(-lambda r_j) over its values r_j, so E exp(i t X) = e_m(z) / e_m(u), z_j = u_j exp(i r_j t) and
e_m the elementary symmetric function. For any rho > 0 let p_j = rho u_j / (1 + rho u_j), q_j = 1 -
p_j: n independent choices, N of them taken. Then

    e_m(z) / e_m(u) = A / B,  A = [y^m] prod (q_j + p_j exp(i r_j t) y),  B = [y^m] prod (q_j + p_j y) = P(N = m),

where no coefficient exceeds 1, and rho is such that E N is about m. The polynomials are packed into
integers, a slot for each power of y, so that a value takes six products of an integer by a number,
not some for each power. No sum of values is listed. Errors, and the units that bound |phi|, are
proved in the page.

Source: spec/note-appendix.md#own-draw-brackets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from math import comb

from .._types import TYPE_CHECKING
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.fixedpoint import Complex
from ..swaps.units import Draw, Draws, mirrored
from .damping import BITS, Unit, merged, strength_of
from .parameters import balanced, draw_cumulants
from .powers import Powers, power_of
from .tables import Circle, Sharpness, sharpness_of

if TYPE_CHECKING:
    from .parameters import Cumulants


Make = Callable[[list[Complex], int], list[Complex]]
"""Roots exp(i a t) of exponents, and the place of the first of them -> the factors of phi(t) of their groups."""
WHOLE = 1 << 62  # a piece of all exponents


_LEAST_VALUE, _LEAST_CELL = (
    240,
    8,
)  # work before any inversion, for a value and for a value chosen or not
_FINE = 53  # binary places of the centre of the odds
_MOST_POINTS = 256  # on a circle, as many as cells
_PLACES = 2 * BITS  # of the probabilities of numbers chosen, for the units


class DrawFactors:
    """Draws: E exp(-s X) = prod (e_m(exp(-s r)) / C(n, m))**c, X the sum of all values drawn; all else as for steps.

    ``base`` is the least X, and X is at most ``span``.
    """

    halvings = most = 0
    steepest = 2.0**40

    def __init__(self, draws: Draws) -> None:
        self.draws, self.counts = draws, list(draws.values())
        self.base = sum(count * sum(values[:m]) for (m, values), count in draws.items())
        self.span = sum(count * m * values[-1] for (m, values), count in draws.items())
        self.largest = max(values[-1] for _, values in draws)
        sizes = [(m, len(values), count) for (m, values), count in draws.items()]
        # The error of a factor grows as n sqrt(n).
        self.terms = sum(8 * n * n.bit_length() * count for _, n, count in sizes)
        self.least = sum(n * (_LEAST_VALUE + _LEAST_CELL * m) for m, n, _ in sizes)
        self.work = self.terms.bit_length() + sum(
            9 * n + n * m // 3 + bit_count(count) for m, n, count in sizes
        )

    def tilted(self, powers: Powers, bits: int) -> DrawTilt:
        """Return the distribution under the weights exp(-s X)."""
        return DrawTilt(self.draws, powers, bits)

    def growth(self, powers: Powers, bits: int, *, mirrored: bool = False) -> Enclosure:
        """Enclose the growth draw by draw."""
        return DrawTilt(_mirrored(self.draws) if mirrored else self.draws, powers, bits).growth

    def cumulants(self, scale: int) -> Cumulants:
        """Return the cumulants of X / scale, in floats."""
        return draw_cumulants(self.draws, scale)


_mirrored = mirrored


class DrawTilt:
    """Draws under the weights exp(-s X)."""

    piece = WHOLE

    def __init__(self, draws: Draws, powers: Powers, bits: int) -> None:
        self._powers, self._bits = powers, bits
        self.draws = [(_Independent(draw, powers, bits), count) for draw, count in draws.items()]

    @cached_property
    def growth(self) -> Enclosure:
        """The growth: E exp(-s X)."""
        growths = [draw.growth(self._powers) for draw, _ in self.draws]
        return power_of([count for _, count in self.draws], growths, self._bits)

    @cached_property
    def units(self) -> list[Unit]:
        """Pairs of values of each draw, of which exactly one is chosen with a probability that no other choice takes."""
        found = [(draw.units(self._powers), count) for draw, count in self.draws]
        return merged([(d, strength, count) for units, count in found for d, strength in units])

    @property
    def sharpness(self) -> Sharpness:
        """Tables of 1/128 bit where the units are weak."""
        return sharpness_of(self.units)

    @property
    def circles(self) -> list[Circle]:
        """Bounds of each draw at single frequencies, those of the most values first."""
        found = [draw.circle() for draw, _ in self.draws]
        return sorted(filter(None, found), key=lambda circle: -len(circle.units))

    def factors(self, error: int, width: int) -> tuple[list[int], list[int], Make]:
        """Return the same as for pairs."""
        exponents = sorted({value for draw, _ in self.draws for value in draw.values})
        index = {value: i for i, value in enumerate(exponents)}
        rows, errors = [], []
        for draw, _ in self.draws:
            product = _Product(draw, width)
            rows.append(([index[value] for value in draw.values], product))
            errors.append(product.error(error))

        def make(roots: list[Complex], _first: int) -> list[Complex]:
            return [product([roots[i] for i in at]) for at, product in rows]

        return exponents, errors, make


class _Independent:
    """One draw as n independent choices with the odds rho u_j, whose number is about m."""

    def __init__(self, draw: Draw, powers: Powers, bits: int) -> None:
        self.m, self.values, self.bits = *draw, bits
        m, values, n = *draw, len(draw[1])
        level = balanced(m, [powers.nats(value - values[0]) for value in values])
        # rho = even exp(s centre), the centre in units of 2**-_FINE
        self.centre = int(level * (1 << _FINE)) * (values[-1] - values[0]) + (values[0] << _FINE)
        self.even = Enclosure(m, m, 0).over(Enclosure(n - m, n - m, 0), bits)
        self.odds = [
            self.even.times(powers((x << _FINE) - self.centre, _FINE), bits) for x in values
        ]

    def shares(self, places: int) -> tuple[list[int], int]:
        """Return p'_j <= p_j in units of 2**-places, and a bound of the sum of all p_j - p'_j."""
        found, lost = [], 0
        for odds in self.odds:
            if odds.upper.bit_length() + odds.exponent > 0:  # q = 1 / (1 + odds) is the smaller one
                low, high = ONE.over(odds, self.bits).fixed(places)
                one = 1 << places
                most = -((-high << places) // (one + high))
                found.append(one - most)
                lost += most - (low << places) // (one + low)
            else:
                low, high = odds.fixed(places)
                found.append((low << places) // ((1 << places) + low))
                lost += -((-high << places) // ((1 << places) + high)) - found[-1]
        return found, lost

    def growth(self, powers: Powers) -> Enclosure:
        """Enclose E exp(-s X) = B prod (1 + rho u_j) / (even**m exp(s m centre) C(n, m)).

        It is at least exp(-s base) / C(n, m): the least sum alone.
        """
        m, bits, values = self.m, self.bits, self.values
        product = _Product(self, bits)
        value = Enclosure(max(0, product.whole - product.lost), product.most, -bits)
        for odds in self.odds:
            value = value.times(odds.plus_one(bits), bits)
        number = Enclosure(comb(len(values), m), comb(len(values), m), 0)
        value = value.times(powers(m * self.centre, _FINE), bits)
        value = value.over(self.even.power(m, bits), bits).over(number, bits)
        least = powers(sum(values[:m])).over(number, bits)
        scale = max(-value.exponent, -least.exponent)
        low, high = value.fixed(scale)
        return Enclosure(max(low, least.fixed(scale)[0]), high, -scale)

    def circle(self) -> Circle | None:
        """Return what bounds A on a circle, as the page proves; None where nothing is known of B, or for many values."""
        number = max(self.m, len(self.values) - self.m) + 1
        product = _Product(self, self.bits)
        chance = max(0, product.whole - product.lost) << BITS >> self.bits
        if number > _MOST_POINTS or not chance:
            return None
        units = []
        for value, odds in zip(self.values, self.odds):
            ends = strength_of(odds), strength_of(ONE.over(odds, self.bits))
            units.append((value, 1, min(ends)))
        return Circle(units=units, number=number, chance=chance)

    def units(self, powers: Powers) -> list[tuple[int, int]]:
        """Return (difference, strength) of pairs, one value of the lower half and one of the upper half."""
        n, half = len(self.values), len(self.values) // 2
        shares, lost = self.shares(_PLACES)
        one, error = 1 << _PLACES, 2 * lost + n + 4
        pairs = [(i, half + i) for i in range((self.m + 1) // 2)]
        taken = {i for pair in pairs for i in pair}
        row = [one]
        for i in range(n):
            if i not in taken:
                row = _with(row, shares[i])
        found = []
        for before, (i, j) in reversed(list(enumerate(pairs))):
            a, b = shares[i], shares[j]
            # P(both), P(neither) and P(one) of the pair, up to 2 units
            both, neither = (a + 1) * (b + 1) >> _PLACES, (one - a) * (one - b) >> _PLACES
            single = max(0, (a * (one - b) + b * (one - a) >> _PLACES) - error)
            size, least = len(row) - 1, one
            padded = [0, 0, *row, 0, 0]
            for left in range(max(0, self.m - 2 * before), min(self.m, size + 2) + 1):
                r0, r1, r2 = padded[left : left + 3]
                top = single * max(0, r1 - error)
                rest = (both + error) * (r0 + error) + (neither + error) * (r2 + error)
                least = min(least, (top << _PLACES) // (top + rest + 1))
            strength = strength_of(powers(self.values[j] - self.values[i])) * least >> _PLACES
            if strength and self.values[j] > self.values[i]:
                found.append((self.values[j] - self.values[i], strength))
            row = _with(_with(row, a), b)
        return found


def _with(row: list[int], p: int) -> list[int]:
    """Return the probabilities of the numbers chosen with one more value, rounded down: each at most a unit more too small."""
    q = (1 << _PLACES) - p
    return [q * a + p * b >> _PLACES for a, b in zip([*row, 0], [0, *row])]


class _Product:
    """[y^m] of the product of q_j + p_j exp(i r_j t) y, over that for t = 0, in units of 2**-width.

    ``whole`` is B', with P(N = m) from ``whole`` - ``lost`` to ``most``.
    """

    def __init__(self, draw: _Independent, width: int) -> None:
        self._width, self._slot, self._m = width, 2 * width + 3, draw.m
        self.shares, self.lost = draw.shares(width)
        self._ones = ((1 << self._slot * (draw.m + 1)) - 1) // ((1 << self._slot) - 1)
        self._mask = self._ones * ((1 << self._slot - width) - 1)
        one = total = 1 << width
        for p in self.shares:
            total = ((one - p) * total + (p * total << self._slot) >> width) & self._mask
        self.whole = total >> self._slot * draw.m
        self.most = self.whole + len(self.shares) + self.lost

    def error(self, root: int) -> int:
        """Bound the error of the quotient, in units, for the error of a root; one where nothing is known."""
        width, error = self._width, 0
        for _ in self.shares:
            error += root + 6 + ((root + 2) * error >> width)
        error += len(self.shares) + 2 * self.lost
        self._known = error < self.whole
        return (error << width) // self.whole + 3 if self._known else 1 << width

    def __call__(self, roots: list[Complex]) -> Complex:
        """Return the quotient for the roots exp(i r_j t)."""
        if not self._known:
            return 0, 0
        width, slot, mask = self._width, self._slot, self._mask
        half = 1 << slot - 1
        bias, back = self._ones * half, self._ones * (half >> width)
        one = a = 1 << width
        b = 0
        for p, (x, y) in zip(self.shares, roots):
            q, c, s = one - p, p * x >> width, p * y >> width
            a, b = (
                ((q * a + (c * a - s * b << slot) + bias >> width) & mask) - back,
                ((q * b + (s * a + c * b << slot) + bias >> width) & mask) - back,
            )
        top = slot * self._m
        return tuple(  # type: ignore[return-value]
            [(((part + back) >> top) - (half >> width) << width) // self.whole for part in (a, b)]
        )
