"""Certified brackets of P(X <= k), X = a sum of independent steps: reductions, and the side below the mean.

A step ((0, g0), (a1, g1), ...) has the value a with probability g_a / sum g. Unlike a sum of pairs
X need not be symmetric, so each tail is enclosed for itself. Only thresholds at most E X are
inverted: for others the tail above is that of the mirrored steps, P(X <= k) = 1 - P(D - X <= D - k
    - 1).

Source: spec/note-appendix.md#own-step-brackets.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import gcd

from ..arithmetic.enclosure import ONE, ZERO, Enclosure, enclosed
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Options, Progress
from ..counting import plan
from ..record import replaced
from ..swaps.draws import normal
from ..swaps.units import Draws, Step, choices, degree, mean, mirrored
from .bracket import QUICK, least_seconds
from .draws import DrawFactors
from .factors import StepFactors
from .powers import power_of
from .search import NO_COUNT, Counting, Meter, SumTail, narrowed

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
    Source: Theorem 4 and Theorem 14; spec/note-appendix.md#own-step-brackets.

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
            value = narrowed(_step_tail(types, k, budget, meter), digits, budget)
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


def draw_bracket(
    draws: Draws,
    k: int,
    digits: int | None = None,
    *,
    budget: Budget = QUICK,
    progress: Progress | None = None,
    count: Counting = NO_COUNT,
) -> Enclosure:
    """Enclose P(X <= k) of a sum of draws to a relative width of 10**-digits, without listing a sum.

    ``draws`` is {(m, n ascending integers): number of units}: X is the sum over all units of m of
    the n values, all C(n, m) choices equally likely, less the least such sum. ``k`` is any int;
    ``digits`` and all else as in :func:`exactperm.certified.bracket.tail_bracket`. An exact
    ``count`` of the same probability answers where it is quicker. P(X >= k) is P(X <= D - k) of the
    mirrored draws, D the greatest X. Cost: for each frequency two microseconds for each value, more
    for hundreds of them.
    Source: Theorem 4; spec/note-appendix.md#own-draw-brackets.

    >>> low, high = draw_bracket({(2, (0, 1, 3, 5)): 1}, 3, 6).floats()
    >>> 0 < 0.5 - low < 1e-6, 0 < high - 0.5 < 1e-6
    (True, True)
    """
    whole = degree(draws)
    if k < 0 or k >= whole:
        return ONE if k >= whole else ZERO
    draws, step = normal(draws)
    k //= step
    above = k > mean(draws)
    if above:
        draws, k = mirrored(draws), degree(draws) - k - 1
        count = replaced(count, made=lambda made=count.made: made().complement())
    law = DrawFactors(draws)
    tail = SumTail(
        lambda: law, k + law.base, count, partial(_drawn, draws), (budget, Meter(progress))
    )
    value = narrowed(tail, digits, budget)
    return value.complement() if above else value


def _drawn(draws: Draws) -> str:
    values = max(len(values) for _, values in draws)
    return f"{sum(draws.values())} choices of up to {values} values and sums up to {short_integer(degree(draws))} steps"


def _step_tail(types: Types, k: int, budget: Budget, meter: Meter) -> SumTail:
    """Return the tail P(X <= k) of steps, for 0 <= k <= E X."""

    def what() -> str:
        return f"{plan.described(types)} and sums up to {short_integer(degree(types))} steps"

    count = step_counting(types, k, Options(budget=budget, progress=meter.progress))
    return SumTail(lambda: StepFactors(list(types.items())), k, count, what, (budget, meter))


def step_counting(types: Types, k: int, options: Options) -> Counting:
    """Return the exact count of P(X <= k) of steps, rounded where it is no binary fraction."""

    def made() -> Enclosure:
        count, _ = plan.count_at_most(types, k, options)
        return rational(Fraction(count, choices(types)))

    costs = plan.costs(types, k, replaced(options, progress=None))
    return Counting(seconds=least_seconds(costs, options.budget), made=made)


def rational(p: Fraction) -> Enclosure:
    """Return a rational number 0..1 as an enclosure: itself where its denominator is a power of two, else 256 bits.

    >>> rational(Fraction(3, 8)), rational(Fraction(1, 3)).relative_width < 1e-70
    (Enclosure(lower=3, upper=3, exponent=-3), True)
    """
    if p.denominator & (p.denominator - 1) == 0:
        return Enclosure(p.numerator, p.numerator, 1 - p.denominator.bit_length())
    return enclosed(p, _EXACT_BITS)
