"""Factors of a generating function, as an inversion needs them: pairs 1 + x**d, and steps of any values and weights.

X is a sum of independent integers, E z**X = prod (G_t(z) / G_t(1))**c_t with G_t(z) = sum_a g_a
z**a. All that depends on the G_t is here: the growth prod G_t(exp(-lambda))**c_t, Chernoff bounds,
the factors of phi with their errors, and the units whose damping bounds |phi|. A pair is the step
((0, 1), (d, 1)), with quicker formulas of its own.

Source: spec/note-appendix.md#own-step-brackets.
"""

from __future__ import annotations

from functools import cached_property
from math import inf
from operator import mul

from .._types import TYPE_CHECKING, Union
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.fixedpoint import Complex
from .damping import BITS, Unit, pair_units, step_units
from .draws import WHOLE, DrawFactors, Make
from .parameters import Groups, condensed, pair_cumulants, step_cumulants
from .powers import Kept, Powers, growth_of, power_of
from .tables import COARSE, Sharpness, sharpness_of

if TYPE_CHECKING:
    from .parameters import Cumulants, StepGroups


LEAST_UNITS = 25
"""Work for each term, before and during any inversion, in units of the scan."""
Factors = Union["PairFactors", "StepFactors", DrawFactors]


class PairFactors:
    """Pairs: 2**M E exp(-s X) = prod (1 + exp(-s d))**c for groups (d, c), ascending, of M = ``halvings`` pairs in all.

    ``counts`` are the c; ``work`` is that of one evaluation of all factors and of their product, in
    units of the scan. A probability P(X <= k) that is inverted is at most 2**``most``: k is below
    the middle, and X symmetric.
    """

    most = -1
    steepest = inf

    def __init__(self, units: Groups) -> None:
        self.groups, self.counts = units, [count for _, count in units]
        self.largest, self.least = units[-1][0], LEAST_UNITS * len(units)
        self.terms = self.halvings = sum(self.counts)
        self.span = sum(d * count for d, count in units)
        self.work = self.terms.bit_length() + sum(3 + bit_count(count) for count in self.counts)

    def tilted(self, exp: Powers, bits: int) -> PairTilt:
        """Return the distribution under the weights exp(-s X)."""
        return PairTilt(self.groups, exp, bits)

    def growth(self, exp: Powers, bits: int, *, mirrored: bool = False) -> Enclosure:
        """Bound 2**M E exp(-s X) from above by that of few differences, the same for X and span - X."""
        groups = self.few
        return growth_of([count for _, count in groups], [exp(d) for d, _ in groups], bits)

    @cached_property
    def few(self) -> Groups:
        """Few pairs whose growth is no less."""
        return condensed(self.groups)

    def cumulants(self, scale: int) -> Cumulants:
        """Return about the cumulants of X / scale, in floats."""
        return pair_cumulants(self.few, scale)


class PairTilt:
    """Pairs under the weights exp(-lambda X): ``powers`` enclose exp(-lambda d), ``growth`` that for lambda.

    ``sharpness`` says how fine the tables of the units are, ``piece`` how many factors are made at once.
    """

    sharpness, piece = COARSE, 1 << 12
    circles = ()

    def __init__(self, units: Groups, exp: Powers, bits: int) -> None:
        self.groups = units
        self.powers = Kept(exp(d) for d, _ in units)
        self.growth = growth_of([count for _, count in units], self.powers, bits)

    @property
    def units(self) -> list[Unit]:
        """Units of :class:`~exactperm.certified.damping.Damping`: each difference, with 4 p (1 - p)."""
        return pair_units(self.groups, self.powers)

    def factors(self, error: int, width: int) -> tuple[list[int], list[int], Make]:
        """Return (exponents a, errors of the factors for an ``error`` of each root, the factors from the roots).

        A factor 1 + p (z - 1) with p' <= p <= 1/2 and an error e of z: p' e + (p - p') |z - 1| and
        2 for its shifts.
        """
        one = 1 << width
        shares, errors = [], []
        for power in self.powers:
            low, high = power.fixed(width)
            share = (low << width) // (one + low)
            errors.append((error + 1) // 2 + 2 * (-((-high << width) // (one + high)) - share) + 2)
            shares.append(share)

        def make(roots: list[Complex], first: int) -> list[Complex]:
            return [
                (one + (share * (x - one) >> width), share * y >> width)
                for share, (x, y) in zip(shares[first : first + len(roots)], roots)
            ]

        return [d for d, _ in self.groups], errors, make


class StepFactors:
    """Steps: E exp(-s X) = prod (sum g_a exp(-s a) / sum g_a)**c for groups (step, c); all else as for pairs.

    Weights may be any positive integers, and X need not be symmetric: for k below the mean P(X <=
    k) may exceed 1/2.
    """

    halvings = most = 0
    steepest = inf

    def __init__(self, units: StepGroups) -> None:
        self.groups, self.counts = units, [count for _, count in units]
        self.largest = max(step[-1][0] for step, _ in units)
        self.least = LEAST_UNITS * sum(len(step) for step, _ in units)
        self.terms = sum(len(step) * count for step, count in units)
        self.span = sum(step[-1][0] * count for step, count in units)
        self.work = self.terms.bit_length() + sum(
            3 * (len(step) - 1) + bit_count(count) for step, count in units
        )

    def tilted(self, exp: Powers, bits: int) -> StepTilt:
        """Return the distribution under the weights exp(-s X)."""
        return StepTilt(self.groups, exp, bits)

    def growth(self, exp: Powers, bits: int, *, mirrored: bool = False) -> Enclosure:
        """Enclose the growth step by step: few steps that bound many are known for pairs only, by convexity in d."""
        return power_of(
            self.counts, [mean for mean, _ in _means(self.groups, exp, bits, mirrored)], bits
        )

    def cumulants(self, scale: int) -> Cumulants:
        """Return the cumulants of X / scale, in floats."""
        return step_cumulants(self.groups, scale)


class StepTilt:
    """Steps under the weights exp(-lambda X)."""

    piece, circles = WHOLE, ()

    def __init__(self, units: StepGroups, exp: Powers, bits: int) -> None:
        self.groups = units
        self._means = _means(units, exp, bits, mirrored=False)
        self.growth = power_of(
            [count for _, count in units], [mean for mean, _ in self._means], bits
        )

    @cached_property
    def units(self) -> list[Unit]:
        """The strongest differences of each step."""
        shares = []
        for (step, _), (mean, powers) in zip(self.groups, self._means):
            places = _places(mean, BITS)
            whole = sum(weight for _, weight in step) * mean.fixed(places)[1]
            shares.append(
                [
                    (weight * x.fixed(places)[0] << BITS) // whole
                    for (_, weight), x in zip(step, powers)
                ]
            )
        return step_units(self.groups, shares)

    @property
    def sharpness(self) -> Sharpness:
        """Tables of 1/128 bit where the units are weak."""
        return sharpness_of(self.units)

    def factors(self, error: int, width: int) -> tuple[list[int], list[int], Make]:
        """Return the same as for pairs.

        A factor 1 + sum_a w_a (z_a - 1) over a > 0, with w' <= w and an error e of each z: e sum w'
        + 2 sum (w - w'), and 2 for its shift.
        """
        one = 1 << width
        exponents = sorted({a for step, _ in self.groups for a, _ in step[1:]})
        index = {a: i for i, a in enumerate(exponents)}
        rows, errors = [], []
        for (step, _), (mean, powers) in zip(self.groups, self._means):
            places = _places(mean, width)
            low, high = [end * sum(weight for _, weight in step) for end in mean.fixed(places)]
            shares, lost = list[int](), 0
            for (_, weight), x in zip(step[1:], powers[1:]):
                least, most = x.fixed(places)
                share = (weight * least << width) // high
                shares.append(share)
                lost += -((-weight * most << width) // low) - share
            errors.append(-(-sum(shares) * error >> width) + 2 * lost + 2)
            rows.append(([index[a] for a, _ in step[1:]], shares, (one - sum(shares)) << width))

        def make(roots: list[Complex], _first: int) -> list[Complex]:
            xs, ys = [x for x, _ in roots], [y for _, y in roots]
            return [
                (
                    rest + sum(map(mul, shares, [xs[i] for i in at])) >> width,
                    sum(map(mul, shares, [ys[i] for i in at])) >> width,
                )
                for at, shares, rest in rows
            ]

        return exponents, errors, make


def _means(
    units: StepGroups, exp: Powers, bits: int, mirrored: bool
) -> list[tuple[Enclosure, list[Enclosure]]]:
    """Return (E exp(-s X), [exp(-s a)]) of each step, or of its mirror image.

    The value 0 has the power 1, so a mean is at least its weight over the sum of all: places count
    from there.
    """
    found = []
    known: dict[int, Enclosure] = {}
    for step, _ in units:
        powers = []
        low = high = 0
        top, whole = step[-1][0], sum(weight for _, weight in step)
        places = bits + 32 + (whole // step[-1 if mirrored else 0][1]).bit_length()
        for a, weight in step:
            x = top - a if mirrored else a
            if x not in known:
                known[x] = exp(x)
            least, most = known[x].fixed(places)
            low, high = low + weight * least, high + weight * most
            powers.append(known[x])
        found.append(
            (Enclosure(low, high, -places).over(Enclosure(whole, whole, 0), places), powers)
        )
    return found


def _places(mean: Enclosure, bits: int) -> int:
    """Return the binary places at which a positive number below 1 has 32 bits more than ``bits``."""
    return bits + 32 + max(0, -mean.upper.bit_length() - mean.exponent)
