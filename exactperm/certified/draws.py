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
from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.fixedpoint import Complex
from .damping import BITS, strength_of
from .parameters import LN2, balanced, numbers_kept
from .tables import Circle

if TYPE_CHECKING:
    from ..swaps.units import Draw
    from .powers import Powers


Factor = tuple[int, list[int], Callable[[list[int], list[int]], Complex]]
"""Error of a factor of phi(t), its exponents a, and the factor from the cosines and sines of a t."""


# work before any inversion, for a value and for a value chosen or not
_LEAST_VALUE = 240
_LEAST_CELL = 8
_FINE = 53  # binary places of the centre of the odds
_MOST_POINTS = 256  # on a circle, as many as cells
_MANY = 160  # values chosen or not, from which pairs bound best without the number chosen
_PLACES = 2 * BITS  # of the probabilities of numbers chosen, for the dampers
_ONE = 1 << _PLACES
_TYPICAL_NATS = 70.0  # of the bits of factors


Size = tuple[int, int, int, int, int, int]
"""Of a unit: the greatest value, the greatest and the least sum, the terms that its error grows
with, the work before any inversion, and that at a frequency."""


def size_of_draw(draw: Draw) -> Size:
    """Return the size of the sum of all values drawn: an error grows as n sqrt(n)."""
    m, values = draw
    n = len(values)
    terms = 8 * n * n.bit_length()
    numbers = min(m, numbers_kept(m, [m / n] * n, _TYPICAL_NATS)[0])
    least = n * (_LEAST_VALUE + _LEAST_CELL * numbers)
    return values[-1], m * values[-1], sum(values[:m]), terms, least, 9 * n + n * numbers // 3


class DrawUnit:
    """One draw as n independent choices with the odds rho u_j, whose number is about m."""

    def __init__(self, draw: Draw, powers: Powers, bits: int) -> None:
        self._powers = powers
        self.bits = bits
        self.m, self.values = draw
        m, values, n = *draw, len(draw[1])
        level = balanced(m, [powers.nats(value - values[0]) for value in values])
        # rho = even exp(s centre), the centre in units of 2**-_FINE
        self._centre = int(level * (1 << _FINE)) * (values[-1] - values[0]) + (values[0] << _FINE)
        self._even = Enclosure(m, m, 0).over(Enclosure(n - m, n - m, 0), bits)
        self._odds = [
            self._even.times(powers((x << _FINE) - self._centre, _FINE), bits) for x in values
        ]

    @cached_property
    def _chances(self) -> list[Enclosure]:
        """The chances p = 1 / (1 + 1 / odds), as precise as the odds."""
        bits = self.bits + 32
        return [ONE.over(ONE.over(odds, bits).plus_one(bits), bits) for odds in self._odds]

    def shares(self, places: int) -> tuple[list[int], int]:
        """Return p'_j <= p_j in units of 2**-places, and a bound of the sum of all p_j - p'_j."""
        ends = [p.fixed(places) for p in self._chances]
        return [low for low, _ in ends], sum([high - low for low, high in ends])

    @cached_property
    def _floats(self) -> list[float]:
        """The chances as floats, which choose and prove nothing."""
        return [low / _ONE for low in self.shares(_PLACES)[0]]

    def kept(self, bits: int) -> tuple[int, list[int]]:
        """Return the window of numbers chosen for so many bits, as :func:`~exactperm.certified.parameters.numbers_kept`."""
        return numbers_kept(self.m, self._floats, LN2 * bits)

    @cached_property
    def _chance(self) -> Enclosure:
        """B = P(N = m)."""
        return _Product(self, self.bits, 0).chance

    @property
    def growth(self) -> Enclosure:
        """E exp(-s X) = B prod (1 + rho u_j) / (even**m exp(s m centre) C(n, m))."""
        m = self.m
        bits = self.bits
        value = self._chance.times(self._powers(m * self._centre, _FINE), bits)
        for odds in self._odds:
            value = value.times(odds.plus_one(bits), bits)
        number = comb(len(self.values), m)
        return value.over(self._even.power(m, bits), bits).over(Enclosure(number, number, 0), bits)

    def factor(self, error: int, width: int) -> Factor:
        """Return the error, the exponents, and the factor from their roots."""
        product = _Product(self, width, error)
        return product.error, list(self.values), product

    def circle(self) -> Circle | None:
        """Return what bounds A on a circle, as the page proves; None where nothing is known of B, or for many values."""
        number = max(self.m, len(self.values) - self.m) + 1
        chance = self._chance.fixed(BITS)[0]
        if number > _MOST_POINTS or not chance:
            return None
        dampers = [(value, 1, each) for value, each in zip(self.values, self._strengths())]
        return Circle(dampers=dampers, number=number, chance=chance)

    def _strengths(self) -> list[int]:
        """Return lower bounds of 4 p q."""
        bits = self.bits
        return [min(strength_of(odds), strength_of(ONE.over(odds, bits))) for odds in self._odds]

    @cached_property
    def lost(self) -> int:
        """Bits of 1 / B, which the dampers of many values bound |phi| without; 0 for few values."""
        chance = self._chance.fixed(BITS)[0]
        many = max(self.m, len(self.values) - self.m) >= _MANY
        return BITS + 1 - chance.bit_length() if many and chance else 0

    def dampers(self) -> list[tuple[int, int]]:
        """Return (difference, strength) of disjoint pairs of values, as the page proves, for few values and for many."""
        if not self.lost:
            return self._few_dampers()
        half = len(self.values) // 2
        differences = [b - a for a, b in zip(self.values, self.values[: -half - 1 : -1])]
        strengths = self._strengths()
        ends = zip(strengths, strengths[: -half - 1 : -1])
        return [(d, min(pair) // 2) for d, pair in zip(differences, ends) if d]

    def _few_dampers(self) -> list[tuple[int, int]]:
        """Return those of one value of the lower half and one of the upper half, given how many are chosen of others."""
        n = len(self.values)
        half = len(self.values) // 2
        shares, lost = self.shares(_PLACES)
        error = 2 * lost + n + 4
        pairs = [(i, half + i) for i in range((self.m + 1) // 2)]
        row = [_ONE]
        for i in sorted({*range(n)}.difference(*pairs)):
            row = _with(row, shares[i])
        found = []
        for before, (i, j) in reversed(list(enumerate(pairs))):
            a = shares[i]
            b = shares[j]
            # P(both), P(neither) and P(one) of the pair, up to 2 units
            both = (a + 1) * (b + 1) >> _PLACES
            neither = (_ONE - a) * (_ONE - b) >> _PLACES
            single = max(0, (a * (_ONE - b) + b * (_ONE - a) >> _PLACES) - error)
            size = len(row) - 1
            least = _ONE
            padded = [0, 0, *row, 0, 0]
            for left in range(max(0, self.m - 2 * before), min(self.m, size + 2) + 1):
                r0, r1, r2 = padded[left : left + 3]
                top = single * max(0, r1 - error)
                rest = (both + error) * (r0 + error) + (neither + error) * (r2 + error)
                least = min(least, (top << _PLACES) // (top + rest + 1))
            d = self.values[j] - self.values[i]
            strength = strength_of(self._powers(d)) * least >> _PLACES
            if strength and d:
                found.append((d, strength))
            row = _with(_with(row, a), b)
        return found


def _with(row: list[int], p: int) -> list[int]:
    """Return the probabilities of the numbers chosen with one more value, rounded down: each at most a unit more too small."""
    return [(_ONE - p) * a + p * b >> _PLACES for a, b in zip([*row, 0], [0, *row])]


def _ones(size: int, slot: int) -> int:
    """Return an integer with 1 in each of its slots."""
    return ((1 << slot * size) - 1) // ((1 << slot) - 1)


class _Product:
    """[y^m] of the product of q_j + p_j exp(i r_j t) y, over that for t = 0, in units of 2**-width.

    ``error`` bounds the error of the quotient for the error of a ``root``: one where nothing is
    known. ``chance`` encloses P(N = m).
    """

    def __init__(self, draw: DrawUnit, width: int, root: int) -> None:
        self._width = width
        self._slot = 2 * width + 3
        self._shares, lost = draw.shares(width)
        n = len(self._shares)
        one = 1 << width
        self._size, self._risen = draw.kept(width)
        self._top = draw.m - sum(self._risen)
        error = 0
        for _ in range(n):
            error += root + 6 + ((root + 2) * error >> width)
        # what a window leaves out is measured in finer units, else n times their rounding
        fine = 0 if self._size > draw.m else 2 * n.bit_length()
        whole, least, most = self._counted(draw, width + fine)
        self._whole = whole >> fine
        self.chance = Enclosure(least, most, -width - fine)
        moved = lost + (most - whole >> fine)
        error += 2 * moved + 3 if fine else moved
        self._known = error < self._whole
        self.error = (error << width) // self._whole + 3 if self._known else one

    def _counted(self, draw: DrawUnit, width: int) -> tuple[int, int, int]:
        """Return P(N = m) without what leaves the window, and bounds of the whole, in units of 2**-width."""
        slot, size, m = 2 * width + 3, self._size, draw.m
        shares, lost = draw.shares(width)
        one = 1 << width
        field = (1 << slot - width) - 1
        mask = _ones(size, slot) * field
        total = one
        left = least = 0
        for p, up in zip(shares, self._risen):
            total = (one - p) * total + (p * total << slot) >> width
            if up:
                left += (total & field) + len(shares)
                total >>= slot
            elif least + size <= m:
                left += (total >> slot * size) + len(shares)
            total &= mask
            least += up
        whole = total >> slot * self._top
        return whole, max(0, whole - lost), whole + len(shares) + lost + left

    def __call__(self, xs: list[int], ys: list[int]) -> Complex:
        """Return the quotient for the cosines and sines of r_j t."""
        if not self._known:
            return 0, 0
        width = self._width
        slot = self._slot
        ones = _ones(self._size, slot)
        mask = ones * ((1 << slot - width) - 1)
        half = 1 << slot - 1
        bias = _ones(self._size + 1, slot) * half
        back = ones * (half >> width)
        one = a = 1 << width
        b = 0
        for p, x, y, up in zip(self._shares, xs, ys, self._risen):
            q = one - p
            c = p * x >> width
            s = p * y >> width
            drop = width + slot if up else width
            a, b = (
                ((q * a + (c * a - s * b << slot) + bias >> drop) & mask) - back,
                ((q * b + (s * a + c * b << slot) + bias >> drop) & mask) - back,
            )
        top = slot * self._top
        a, b = [((part + back) >> top) - (half >> width) for part in (a, b)]
        return (a << width) // self._whole, (b << width) // self._whole
