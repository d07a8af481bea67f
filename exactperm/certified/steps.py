"""Certified brackets of P(X <= k), X = a sum of independent steps: reductions, and the side below the mean.

A step ((0, g0), (a1, g1), ...) has the value a with probability g_a / sum g. Unlike a sum of pairs
X need not be symmetric, so each tail is enclosed for itself. Only thresholds at most E X are
inverted: for others the tail above is that of the mirrored steps, P(X <= k) = 1 - P(D - X <= D - k
    - 1).

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd

from ..arithmetic.enclosure import ONE, ZERO, Enclosure, enclosed
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Options, Progress
from ..counting import plan
from ..errors import BudgetExceeded
from ..swaps.units import Step, choices, degree, mean, mirrored
from .bracket import (
    LEAST_UNITS,
    QUICK,
    SECONDS_LEAST,
    SECONDS_PER_UNIT,
    Meter,
    Search,
    least_seconds,
    narrowed,
    refusal,
)
from .factors import StepFactors
from .inversion import Inversion
from .parameters import choose
from .powers import power_of

Types = Mapping[Step, int]


_GUARD = 40  # bits of a factor beyond those of the digits
_EXACT_BITS = 256  # of a count over a number of labelings that is no power of two


def step_bracket(
    types: Types,
    k: int,
    digits: int | None = None,
    *,
    budget: Budget = QUICK,
    progress: Progress | None = None,
) -> Enclosure:
    """Enclose P(X <= k) of a sum of steps to a relative width of 10**-digits.

    ``types`` is {step: number of items}, ``k`` any int; ``digits`` and all else as in
    :func:`exactperm.certified.bracket.tail_bracket`. Cost: as there, a term of a step taking the
    place of a pair.
    Source: Theorem 4 and Theorem 14; spec/tilted-inversion.md.

    >>> step_bracket({((0, 2), (1, 1)): 3000, ((0, 1), (1, 1), (2, 1)): 100}, 980, 17).floats()
    (4.285441737658429e-06, 4.28544173765843e-06)
    """
    layers: list[tuple[Enclosure, bool]] = []
    meter, value = Meter(progress), ONE
    bits = (digits or 17) * 10 // 3 + _GUARD
    while True:
        if k < 0:
            value = ZERO
            break
        types, left = _kept(types, k, bits)
        if not types or k >= degree(types):
            layers.append((left, False))
            break
        step = gcd(*[a for terms in types for a, _ in terms])
        if step > 1:
            types = {
                tuple([(a // step, g) for a, g in terms]): count for terms, count in types.items()
            }
            k //= step
        above = k > mean(types)
        layers.append((left, above))
        if not above:
            value = narrowed(_StepTail(types, k, budget, meter), digits, budget)
            break
        types, k = mirrored(types), degree(types) - k - 1
    for left, above in reversed(layers):
        value = value.complement() if above else value
        value = value if left is ONE else value.times(left, bits + _GUARD)
    return value


def _kept(types: Types, k: int, bits: int) -> tuple[Types, Enclosure]:
    """Drop the terms above k, which no sum up to k has, and steps of one term: (the rest, the weight that it keeps).

    The rest of a step keeps its share of the weight: P(X <= k) = prod (kept / whole)**c P(X' <= k).
    """
    if all(step[-1][0] <= k for step in types):
        return types, ONE
    rest: dict[Step, int] = {}
    shares: list[Enclosure] = []
    counts: list[int] = []
    for step, count in types.items():
        terms = tuple([term for term in step if term[0] <= k])
        if len(terms) < len(step):
            shares.append(
                enclosed(Fraction(sum(g for _, g in terms), sum(g for _, g in step)), bits + _GUARD)
            )
            counts.append(count)
        if len(terms) > 1:
            shared = gcd(*[g for _, g in terms])
            terms = terms if shared == 1 else tuple([(a, g // shared) for a, g in terms])
            rest[terms] = rest.get(terms, 0) + count
    return rest, power_of(counts, shares, bits + _GUARD)


class _StepTail:
    """P(X <= k) for 0 <= k <= E X."""

    quick = SECONDS_LEAST

    def __init__(self, types: Types, k: int, budget: Budget, meter: Meter) -> None:
        self._types, self._k, self._budget, self._meter = types, k, budget, meter
        self.exact = least_seconds(plan.costs(types, k, Options(budget=budget)), budget)

    def counted(self) -> Enclosure:
        """Return the exact probability, rounded where it is no binary fraction."""
        options = Options(budget=self._budget, progress=self._meter.progress)
        count, _ = plan.count_at_most(self._types, self._k, options)
        return rational(Fraction(count, choices(self._types)))

    def search(self, digits: int, seconds: float) -> Search:
        """Return the search for a bracket; ``BudgetExceeded`` where the seconds are too few for any."""
        groups, k = list(self._types.items()), self._k
        least = LEAST_UNITS * sum(map(len, self._types))
        if least * SECONDS_PER_UNIT > seconds:
            raise self.refused(least * SECONDS_PER_UNIT, "too many terms for any bracket")
        bits = digits * 10 // 3 + min(9, 2 + digits)
        law = StepFactors(groups)
        inversion = Inversion(law, k, bits, choose(law, k, bits + 3), tick=self._meter)
        return Search(inversion, float(f"1e-{digits}"), seconds, least, self._meter)

    def refused(
        self, seconds: float, reason: str, bracket: Enclosure | None = None
    ) -> BudgetExceeded:
        """Return the refusal of a bracket that would take these seconds, and why."""
        what = (
            f"a certified bracket for {plan.described(self._types)} and sums up to "
            f"{short_integer(degree(self._types))} steps"
        )
        return refusal(what, Estimate(seconds=seconds, bytes=0), self._budget, reason, bracket)


def rational(p: Fraction) -> Enclosure:
    """Return a rational number 0..1 as an enclosure: itself where its denominator is a power of two, else 256 bits.

    >>> rational(Fraction(3, 8)), rational(Fraction(1, 3)).relative_width < 1e-70
    (Enclosure(lower=3, upper=3, exponent=-3), True)
    """
    if p.denominator & (p.denominator - 1) == 0:
        return Enclosure(p.numerator, p.numerator, 1 - p.denominator.bit_length())
    return enclosed(p, _EXACT_BITS)
