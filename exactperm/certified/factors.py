"""Factors of a generating function, as an inversion needs them: pairs 1 + x**d, and steps of any values and weights.

X is a sum of independent integers, E z**X = prod (G_t(z) / G_t(1))**c_t with G_t(z) = sum_a g_a
z**a. All that depends on the G_t is here: the growth E exp(-lambda X), the factors of phi with
their errors, and what bounds |phi|. A pair is the step ((0, 1), (d, 1)), with quicker formulas of
its own.

Source: spec/note-appendix.md#own-step-brackets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain
from math import inf
from operator import mul

from .._types import TYPE_CHECKING
from ..arithmetic.compat import bit_count
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.fixedpoint import Complex
from ..swaps.units import mirrored
from .damping import BITS, step_dampers, strength_of
from .parameters import condensed, pair_cumulants, step_cumulants
from .powers import Kept, Powers, power_of
from .tables import COARSE, Sharpness, sharpness_of

if TYPE_CHECKING:
    from .damping import Damper
    from .parameters import Cumulants, Groups, StepGroups


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

    def __init__(self, kinds: Groups) -> None:
        self.groups = kinds
        self.counts = [count for _, count in kinds]
        self.largest = kinds[-1][0]
        self.least = LEAST_UNITS * len(kinds)
        self.terms = sum(self.counts)
        self.span = sum(d * count for d, count in kinds)
        self.work = self.terms.bit_length() + sum(3 + bit_count(count) for count in self.counts)

    def tilted(self, exp: Powers, bits: int) -> PairTilt:
        """Return the distribution under the weights exp(-s X)."""
        return PairTilt(self.groups, exp, bits)

    def above(self, *, back: bool) -> PairFactors:
        """Return few pairs whose growth is no less than that of X, or of span - X, which is as X."""
        return PairFactors(self.few)

    @cached_property
    def few(self) -> Groups:
        """Few pairs whose growth is no less."""
        return condensed(self.groups)

    def cumulants(self, scale: int) -> Cumulants:
        """Return about the cumulants of X / scale, in floats."""
        return pair_cumulants(self.few, scale)


class PairTilt:
    """Pairs under the weights exp(-lambda X): ``powers`` enclose exp(-lambda d), ``growth`` is E exp(-lambda X).

    ``sharpness`` says how fine the tables of the dampers are; ``circles`` bound |phi| where these do
    not.
    """

    sharpness = COARSE
    circles = ()

    def __init__(self, kinds: Groups, exp: Powers, bits: int) -> None:
        self.groups = kinds
        self.counts = [count for _, count in kinds]
        self.powers = Kept(exp(d) for d, _ in kinds)
        growth = power_of(self.counts, lambda i: self.powers[i].plus_one(bits), bits)
        self.growth = growth.scaled(-sum(self.counts))

    @property
    def dampers(self) -> list[Damper]:
        """What :class:`~exactperm.certified.damping.Damping` needs: each difference, with 4 p (1 - p)."""
        return [
            (d, count, strength_of(power)) for (d, count), power in zip(self.groups, self.powers)
        ]

    def factors(self, error: int, width: int) -> tuple[list[int], Make]:
        """Return the errors of the factors for an ``error`` of each root, and the factors from the roots.

        A factor 1 + p (z - 1) with p' <= p <= 1/2 and an error e of z: p' e + (p - p') |z - 1| and
        2 for its shifts.
        """
        one = 1 << width
        size = len(self.groups)
        shares = []
        errors = []
        for power in self.powers:
            low, high = power.fixed(width)
            share = (low << width) // (one + low)
            errors.append((error + 1) // 2 + 2 * (-((-high << width) // (one + high)) - share) + 2)
            shares.append(share)
        # Powers of factors need all of them at once.
        piece = _PIECE if max(self.counts) == 1 else size

        def some(roots: Roots, first: int) -> list[Complex]:
            exponents = [d for d, _ in self.groups[first : first + piece]]
            return [
                (one + (share * (x - one) >> width), share * y >> width)
                for share, (x, y) in zip(shares[first : first + piece], roots(exponents))
            ]

        def make(roots: Roots) -> Iterable[Complex]:
            if piece >= size:
                return some(roots, 0)
            return chain.from_iterable(some(roots, i) for i in range(0, size, piece))

        return errors, make


class StepFactors:
    """Steps: E exp(-s X) = prod (sum g_a exp(-s a) / sum g_a)**c for groups (step, c); all else as for pairs.

    Weights may be any positive integers, and X need not be symmetric: for k below the mean P(X <=
    k) may exceed 1/2.
    """

    most = 0
    steepest = inf

    def __init__(self, kinds: StepGroups) -> None:
        self.groups = kinds
        self.counts = [count for _, count in kinds]
        self.largest = max(step[-1][0] for step, _ in kinds)
        self.least = LEAST_UNITS * sum(len(step) for step, _ in kinds)
        self.terms = sum(len(step) * count for step, count in kinds)
        self.span = sum(step[-1][0] * count for step, count in kinds)
        self.work = self.terms.bit_length() + sum(
            3 * (len(step) - 1) + bit_count(count) for step, count in kinds
        )

    def tilted(self, exp: Powers, bits: int) -> StepTilt:
        """Return the distribution under the weights exp(-s X)."""
        return StepTilt(self.groups, exp, bits)

    def above(self, *, back: bool) -> StepFactors:
        """Return X, or span - X: few steps that bound many are known for pairs only, by convexity in d."""
        return StepFactors(list(mirrored(dict(self.groups)).items())) if back else self

    def cumulants(self, scale: int) -> Cumulants:
        """Return the cumulants of X / scale, in floats."""
        return step_cumulants(self.groups, scale)


class StepTilt:
    """Steps under the weights exp(-lambda X)."""

    circles = ()

    def __init__(self, kinds: StepGroups, exp: Powers, bits: int) -> None:
        self.groups = kinds
        self._means = list[Enclosure]()
        self._powers = {0: exp(0)}
        for step, _ in kinds:
            self._powers.update((a, exp(a)) for a, _ in step if a not in self._powers)
            whole = sum(weight for _, weight in step)
            # The value 0 has the power 1, so a mean is at least its weight over the sum of all.
            places = bits + 32 + (whole // step[0][1]).bit_length()
            ends = [(w, self._powers[a].fixed(places)) for a, w in step]
            low = sum(w * low for w, (low, _) in ends)
            high = sum(w * high for w, (_, high) in ends)
            mean = Enclosure(low, high, -places).over(Enclosure(whole, whole, 0), places)
            self._means.append(mean)
        counts = [count for _, count in kinds]
        self.growth = power_of(counts, self._means.__getitem__, bits)

    def _shares(self, i: int, width: int) -> list[tuple[int, int]]:
        """Bound the weights of the values of a step, which sum to 1, in units of 2**-width."""
        step = self.groups[i][0]
        mean = self._means[i]
        # 32 bits more than wanted of a mean that is small
        places = width + 32 + max(0, -mean.upper.bit_length() - mean.exponent)
        low, high = [end * sum(weight for _, weight in step) for end in mean.fixed(places)]
        shares = []
        for a, weight in step:
            least, most = self._powers[a].fixed(places)
            shares.append(((weight * least << width) // high, -((-weight * most << width) // low)))
        return shares

    @cached_property
    def dampers(self) -> list[Damper]:
        """The strongest differences of each step."""
        shares = [[low for low, _ in self._shares(i, BITS)] for i in range(len(self.groups))]
        return step_dampers(self.groups, shares)

    @property
    def sharpness(self) -> Sharpness:
        """Tables of 1/128 bit where the dampers are weak."""
        return sharpness_of(self.dampers)

    def factors(self, error: int, width: int) -> tuple[list[int], Make]:
        """Return the same as for pairs.

        A factor 1 + sum_a w_a (z_a - 1) over a > 0, with w' <= w and an error e of each z: e sum w'
        + 2 sum (w - w'), and 2 for its shift.
        """
        one = 1 << width
        exponents = sorted({a for step, _ in self.groups for a, _ in step[1:]})
        index = {a: i for i, a in enumerate(exponents)}
        rows = []
        errors = []
        for i, (step, _) in enumerate(self.groups):
            ends = self._shares(i, width)[1:]
            shares = [low for low, _ in ends]
            lost = sum(high - low for low, high in ends)
            errors.append(-(-sum(shares) * error >> width) + 2 * lost + 2)
            rows.append(([index[a] for a, _ in step[1:]], shares, (one - sum(shares)) << width))

        def make(roots: Roots) -> list[Complex]:
            xs, ys = zip(*roots(exponents))
            return [
                (
                    rest + sum(map(mul, shares, [xs[i] for i in at])) >> width,
                    sum(map(mul, shares, [ys[i] for i in at])) >> width,
                )
                for at, shares, rest in rows
            ]

        return errors, make
