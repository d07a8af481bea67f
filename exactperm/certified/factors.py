"""Factors of a generating function, as an inversion needs them: pairs 1 + x**d, and steps of any values and weights.

X is a sum of independent integers, E z**X = prod (G_t(z) / G_t(1))**c_t with G_t(z) = sum_a g_a
z**a. All that depends on the G_t is here: the growth E exp(-lambda X), the factors of phi with
their errors, and what bounds |phi|. A pair is the step ((0, 1), (d, 1)), with quicker formulas of
its own.

Source: spec/note-appendix.md#own-step-brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, lru_cache
from itertools import chain
from math import inf
from operator import mul

from .._types import TYPE_CHECKING, Union
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.fixedpoint import Complex
from ..swaps.units import Draws, Step, draws_of, mirrored, steps_of
from .damping import BITS, merged, step_dampers, strength_of
from .draws import DrawUnit, Size, size_of_draw
from .parameters import condensed, draw_cumulants, pair_cumulants, step_cumulants, summed
from .powers import Kept, Powers, power_of
from .tables import COARSE, Sharpness, sharpness_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .damping import Damper
    from .draws import Factor
    from .parameters import Cumulants, Groups
    from .tables import Circle

    Unit = Union["_StepUnit", DrawUnit]
    AnySteps = Union[Mapping[Step, int], Draws]
    """{step or draw: number of units with it}."""


LEAST_UNITS = 25
"""Work for each term, before and during any inversion, in units of the scan."""
Roots = Callable[[list[int]], list[Complex]]
"""Exponents a -> the roots exp(i a t)."""
Make = Callable[[Roots], Iterable[Complex]]
"""Roots -> the factors of phi(t), one for each group."""

_PIECE = 1 << 12  # factors made at once: roots of a million pairs take 200 MB


class PairFactors:
    """Pairs: E exp(-s X) = prod ((1 + exp(-s d)) / 2)**c for groups (d, c), ascending.

    ``counts`` are the c; ``work`` is that of one evaluation of all factors and of their product, in
    units of the scan. A probability P(X <= k) that is inverted is at most 2**``most``: k is below
    the middle, and X symmetric.
    """

    most = -1
    steepest = inf

    def __init__(self, kinds: Iterable[tuple[int, int]]) -> None:
        self.differences: list[int] = []
        self.counts: list[int] = []
        for d, count in kinds:
            self.differences.append(d)
            self.counts.append(count)
        self.largest = self.differences[-1]
        self.least = LEAST_UNITS * len(self.counts)
        self.terms = sum(self.counts)
        self.span = sum(map(mul, self.differences, self.counts))
        self.work = self.terms.bit_length() + sum(3 + bit_count(count) for count in self.counts)

    def tilted(self, exp: Powers, bits: int) -> PairTilt:
        """Return the distribution under the weights exp(-s X)."""
        return PairTilt(self.differences, self.counts, exp, bits)

    def above(self, *, back: bool) -> PairFactors:
        """Return few pairs whose growth is no less than that of X, or of span - X, which is as X."""
        return PairFactors(self.few)

    @cached_property
    def few(self) -> Groups:
        """Few pairs whose growth is no less."""
        return condensed(list(zip(self.differences, self.counts)))

    def cumulants(self, scale: int) -> Cumulants:
        """Return about the cumulants of X / scale, in floats."""
        return pair_cumulants((0.0, d / scale, float(count)) for d, count in self.few)


class PairTilt:
    """Pairs under the weights exp(-lambda X): ``powers`` enclose exp(-lambda d), ``growth`` is E exp(-lambda X).

    ``sharpness`` says how fine the tables of the dampers are; ``circles`` bound |phi| where these do
    not.
    """

    sharpness = COARSE
    circles = ()
    lost = 0

    def __init__(self, differences: list[int], counts: list[int], exp: Powers, bits: int) -> None:
        self._differences = differences
        self._counts = counts
        self.powers = Kept(map(exp, differences))
        growth = power_of(counts, lambda i: self.powers[i].plus_one(bits), bits)
        self.growth = growth.scaled(-sum(counts))

    @property
    def dampers(self) -> Iterable[Damper]:
        """What :class:`~exactperm.certified.damping.Damping` needs: each difference, with 4 p (1 - p)."""
        return zip(self._differences, self._counts, map(strength_of, self.powers))

    def factors(self, error: int, width: int) -> tuple[list[int], Make]:
        """Return the errors of the factors for an ``error`` of each root, and the factors from the roots.

        A factor 1 + p (z - 1) with p' <= p <= 1/2 and an error e of z: p' e + (p - p') |z - 1| and
        2 for its shifts.
        """
        one = 1 << width
        size = len(self._counts)
        shares = []
        errors = []
        for power in self.powers:
            low, high = power.fixed(width)
            share = (low << width) // (one + low)
            errors.append((error + 1) // 2 + 2 * (-((-high << width) // (one + high)) - share) + 2)
            shares.append(share)
        # Powers of factors need all of them at once.
        piece = _PIECE if max(self._counts) == 1 else size

        def some(roots: Roots, first: int) -> list[Complex]:
            exponents = self._differences[first : first + piece]
            return [
                (one + (share * (x - one) >> width), share * y >> width)
                for share, (x, y) in zip(shares[first : first + piece], roots(exponents))
            ]

        def make(roots: Roots) -> Iterable[Complex]:
            if piece >= size:
                return some(roots, 0)
            return chain.from_iterable(some(roots, i) for i in range(0, size, piece))

        return errors, make


class UnitFactors:
    """Steps, or draws: E exp(-s X) = prod (E exp(-s X_i))**c for {unit: number c}; all else as for pairs.

    Weights may be any positive integers, and X need not be symmetric: for k below the mean P(X <=
    k) may exceed 1/2. X lies between ``base`` and ``span``; of draws it is the sum of all values.
    """

    most = 0
    steepest = 2.0**40

    def __init__(self, units: AnySteps) -> None:
        self.units = units
        self._draws = draws_of(units) or {}
        self._steps = {} if self._draws else steps_of(units)
        sizes = [*map(_size_of_step, self._steps), *map(size_of_draw, self._draws)]
        self.counts = list(units.values())
        self.largest = self.span = self.base = self.terms = self.least = self.work = 0
        for (largest, span, base, terms, least, work), count in zip(sizes, self.counts):
            self.largest = max(self.largest, largest)
            self.span += count * span
            self.base += count * base
            self.terms += count * terms
            self.least += least
            self.work += work + bit_count(count)
        self.work += self.terms.bit_length()

    def tilted(self, powers: Powers, bits: int) -> UnitTilt:
        """Return the distribution under the weights exp(-s X)."""
        exp = lru_cache(None)(powers)
        found: list[Unit] = [_StepUnit(step, exp, bits) for step in self._steps]
        found += [DrawUnit(draw, powers, bits) for draw in self._draws]
        return UnitTilt(found, self.counts, bits)

    def above(self, *, back: bool) -> UnitFactors:
        """Return X, or span - X: few steps that bound many are known for pairs only, by convexity in d."""
        return UnitFactors(mirrored(self.units)) if back else self

    def cumulants(self, scale: int) -> Cumulants:
        """Return the cumulants of X / scale, in floats."""
        found = [step_cumulants(step, scale) for step in self._steps]
        found += [draw_cumulants(draw, scale) for draw in self._draws]
        return summed(list(zip(found, self.counts)))


class UnitTilt:
    """Steps or draws under the weights exp(-s X): each of ``units`` so many times as ``counts`` say."""

    def __init__(self, units: list[Unit], counts: list[int], bits: int) -> None:
        self._units = units
        self._counts = counts
        self._bits = bits

    @cached_property
    def growth(self) -> Enclosure:
        """E exp(-s X)."""
        return power_of(self._counts, lambda i: self._units[i].growth, self._bits)

    @cached_property
    def dampers(self) -> list[Damper]:
        """The dampers of all units, one for each difference."""
        found = zip(self._counts, self._units)
        return merged([(d, s, count) for count, unit in found for d, s in unit.dampers()])

    @property
    def lost(self) -> int:
        """Bits by which |phi| may exceed the bound of the dampers."""
        return sum(count * unit.lost for count, unit in zip(self._counts, self._units))

    @property
    def sharpness(self) -> Sharpness:
        """Tables of 1/128 bit where the dampers are weak."""
        return sharpness_of(self.dampers)

    @property
    def circles(self) -> list[Circle]:
        """Bounds of each draw at single frequencies, those of the most values first."""
        found = filter(None, [unit.circle() for unit in self._units])
        return sorted(found, key=lambda circle: -len(circle.dampers))

    def factors(self, error: int, width: int) -> tuple[list[int], Make]:
        """Return the same as for pairs."""
        found = [unit.factor(error, width) for unit in self._units]
        exponents = sorted({a for _, values, _ in found for a in values})
        index = {a: i for i, a in enumerate(exponents)}
        rows = [([index[a] for a in values], factor) for _, values, factor in found]

        def make(roots: Roots) -> list[Complex]:
            xs, ys = zip(*roots(exponents))
            return [factor([xs[i] for i in at], [ys[i] for i in at]) for at, factor in rows]

        return [error for error, _, _ in found], make


def _size_of_step(step: Step) -> Size:
    top = step[-1][0]
    terms = len(step)
    return top, top, 0, terms, LEAST_UNITS * terms, 3 * (terms - 1)


class _StepUnit:
    """A step under the weights exp(-s a): ``exp`` encloses these."""

    lost = 0

    def __init__(self, step: Step, exp: Callable[[int], Enclosure], bits: int) -> None:
        self._values, self._weights = map(list, zip(*step))
        self._powers = list(map(exp, self._values))
        self._whole = whole = sum(self._weights)
        # The value 0 has the power 1, so a mean is at least its weight over the sum of all.
        places = bits + 32 + (whole // self._weights[0]).bit_length()
        low, high = map(sum, zip(*self._weighted(places)))
        self.growth = Enclosure(low, high, -places).over(Enclosure(whole, whole, 0), places)

    def _weighted(self, places: int) -> list[tuple[int, int]]:
        """Bound each weight times its power, in units of 2**-places."""
        ends = [power.fixed(places) for power in self._powers]
        return [(weight * low, weight * high) for weight, (low, high) in zip(self._weights, ends)]

    def _shares(self, width: int) -> list[tuple[int, int]]:
        """Bound the probabilities of the values, which sum to 1, in units of 2**-width."""
        mean = self.growth
        # 32 bits more than wanted of a mean that is small
        places = width + 32 + max(0, -mean.upper.bit_length() - mean.exponent)
        low, high = [end * self._whole for end in mean.fixed(places)]
        ends = self._weighted(places)
        return [((least << width) // high, -((-most << width) // low)) for least, most in ends]

    def dampers(self) -> list[tuple[int, int]]:
        """Return (difference, strength) of the strongest differences."""
        return step_dampers(self._values, [low for low, _ in self._shares(BITS)])

    def circle(self) -> None:
        """Return nothing: tables of the differences are enough."""

    def factor(self, error: int, width: int) -> Factor:
        """Return the error, the exponents, and the factor from their roots.

        A factor 1 + sum_a w_a (z_a - 1) over a > 0, with w' <= w and an error e of each z: e sum w'
        + 2 sum (w - w'), and 2 for its shift.
        """
        ends = self._shares(width)[1:]
        shares = [low for low, _ in ends]
        lost = sum(high - low for low, high in ends)
        rest = ((1 << width) - sum(shares)) << width

        def factor(xs: list[int], ys: list[int]) -> Complex:
            real = rest + sum(map(mul, shares, xs)) >> width
            return real, sum(map(mul, shares, ys)) >> width

        error = -(-sum(shares) * error >> width) + 2 * lost + 2
        return error, self._values[1:], factor
