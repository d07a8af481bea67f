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

from functools import cached_property
from math import comb

from .._types import TYPE_CHECKING
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import ONE, Enclosure
from ..arithmetic.fixedpoint import Complex
from ..swaps.units import Draw, Draws, mirrored
from .damping import BITS, merged, strength_of
from .parameters import balanced, draw_cumulants
from .powers import Powers, power_of
from .tables import Circle, Sharpness, sharpness_of

if TYPE_CHECKING:
    from .damping import Damper
    from .factors import Make, Roots
    from .parameters import Cumulants


# work before any inversion, for a value and for a value chosen or not
_LEAST_VALUE = 240
_LEAST_CELL = 8
_FINE = 53  # binary places of the centre of the odds
_MOST_POINTS = 256  # on a circle, as many as cells
_PLACES = 2 * BITS  # of the probabilities of numbers chosen, for the dampers
_ONE = 1 << _PLACES


class DrawFactors:
    """Draws: E exp(-s X) = prod (e_m(exp(-s r)) / C(n, m))**c, X the sum of all values drawn; all else as for steps.

    ``base`` is the least X, and X is at most ``span``.
    """

    most = 0
    steepest = 2.0**40

    def __init__(self, draws: Draws) -> None:
        self.draws = draws
        self.counts = list(draws.values())
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

    def above(self, *, back: bool) -> DrawFactors:
        """Return X, or span - X."""
        return DrawFactors(mirrored(self.draws)) if back else self

    def cumulants(self, scale: int) -> Cumulants:
        """Return the cumulants of X / scale, in floats."""
        return draw_cumulants(self.draws, scale)


class DrawTilt:
    """Draws under the weights exp(-s X)."""

    def __init__(self, draws: Draws, powers: Powers, bits: int) -> None:
        self._bits = bits
        self._counts = list(draws.values())
        self.draws = [_Independent(draw, powers, bits) for draw in draws]

    @cached_property
    def growth(self) -> Enclosure:
        """The growth: E exp(-s X)."""
        return power_of(self._counts, lambda i: self.draws[i].growth, self._bits)

    @cached_property
    def dampers(self) -> list[Damper]:
        """Pairs of values of each draw, of which exactly one is chosen with a probability that no other choice takes."""
        found = zip(self._counts, self.draws)
        return merged([(d, s, count) for count, draw in found for d, s in draw.dampers()])

    @property
    def sharpness(self) -> Sharpness:
        """Tables of 1/128 bit where the dampers are weak."""
        return sharpness_of(self.dampers)

    @property
    def circles(self) -> list[Circle]:
        """Bounds of each draw at single frequencies, those of the most values first."""
        found = [draw.circle() for draw in self.draws]
        return sorted(filter(None, found), key=lambda circle: -len(circle.dampers))

    def factors(self, error: int, width: int) -> tuple[list[int], Make]:
        """Return the same as for pairs."""
        exponents = sorted({value for draw in self.draws for value in draw.values})
        index = {value: i for i, value in enumerate(exponents)}
        products = [_Product(draw, width, error) for draw in self.draws]
        places = [[index[value] for value in draw.values] for draw in self.draws]

        def make(roots: Roots) -> list[Complex]:
            known = roots(exponents)
            return [product([known[i] for i in at]) for at, product in zip(places, products)]

        return [product.error for product in products], make


class _Independent:
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
    def _chance(self) -> Enclosure:
        """B = P(N = m)."""
        return _Product(self, self.bits, 0).chance

    @property
    def growth(self) -> Enclosure:
        """E exp(-s X) = B prod (1 + rho u_j) / (even**m exp(s m centre) C(n, m)).

        It is at least exp(-s base) / C(n, m): the least sum alone.
        """
        m = self.m
        bits = self.bits
        values = self.values
        powers = self._powers
        value = self._chance
        for odds in self._odds:
            value = value.times(odds.plus_one(bits), bits)
        number = Enclosure(comb(len(values), m), comb(len(values), m), 0)
        value = value.times(powers(m * self._centre, _FINE), bits)
        value = value.over(self._even.power(m, bits), bits).over(number, bits)
        least = powers(sum(values[:m])).over(number, bits)
        scale = max(-value.exponent, -least.exponent)
        low, high = value.fixed(scale)
        return Enclosure(max(low, least.fixed(scale)[0]), high, -scale)

    def circle(self) -> Circle | None:
        """Return what bounds A on a circle, as the page proves; None where nothing is known of B, or for many values."""
        number = max(self.m, len(self.values) - self.m) + 1
        chance = self._chance.fixed(BITS)[0]
        if number > _MOST_POINTS or not chance:
            return None
        dampers = []
        for value, odds in zip(self.values, self._odds):
            ends = strength_of(odds), strength_of(ONE.over(odds, self.bits))
            dampers.append((value, 1, min(ends)))
        return Circle(dampers=dampers, number=number, chance=chance)

    def dampers(self) -> list[tuple[int, int]]:
        """Return (difference, strength) of pairs, one value of the lower half and one of the upper half."""
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


class _Product:
    """[y^m] of the product of q_j + p_j exp(i r_j t) y, over that for t = 0, in units of 2**-width.

    ``error`` bounds the error of the quotient for the error of a ``root``: one where nothing is
    known. ``chance`` encloses P(N = m).
    """

    def __init__(self, draw: _Independent, width: int, root: int) -> None:
        self._width = width
        self._slot = 2 * width + 3
        self._m = draw.m
        self._shares, lost = draw.shares(width)
        n = len(self._shares)
        one = 1 << width
        self._ones = ((1 << self._slot * (draw.m + 1)) - 1) // ((1 << self._slot) - 1)
        self._mask = self._ones * ((1 << self._slot - width) - 1)
        total = one
        error = 0
        for p in self._shares:
            total = ((one - p) * total + (p * total << self._slot) >> width) & self._mask
            error += root + 6 + ((root + 2) * error >> width)
        self._whole = total >> self._slot * draw.m
        self.chance = Enclosure(max(0, self._whole - lost), self._whole + n + lost, -width)
        error += n + 2 * lost
        self._known = error < self._whole
        self.error = (error << width) // self._whole + 3 if self._known else one

    def __call__(self, roots: list[Complex]) -> Complex:
        """Return the quotient for the roots exp(i r_j t)."""
        if not self._known:
            return 0, 0
        width = self._width
        slot = self._slot
        mask = self._mask
        half = 1 << slot - 1
        bias = self._ones * half
        back = self._ones * (half >> width)
        one = a = 1 << width
        b = 0
        for p, (x, y) in zip(self._shares, roots):
            q = one - p
            c = p * x >> width
            s = p * y >> width
            a, b = (
                ((q * a + (c * a - s * b << slot) + bias >> width) & mask) - back,
                ((q * b + (s * a + c * b << slot) + bias >> width) & mask) - back,
            )
        top = slot * self._m
        a, b = [((part + back) >> top) - (half >> width) for part in (a, b)]
        return (a << width) // self._whole, (b << width) // self._whole
