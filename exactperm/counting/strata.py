"""Bring two samples in strata to canonical form: a pool where there is one stratum, else a draw or a step for each.

T = mean + the sum over strata of factor * (A - m S / N): the sum A of the m observations of the first
sample, less its mean. Choices in different strata are independent, so T is a sum of draws, as that of
runs is (:mod:`exactperm.swaps.draws`). Where their sums are listed, each draw becomes a step.

Source: spec/16-two-samples-and-power.md#own-two-samples.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import mul

from ..arithmetic.rational import Exact, common_denominator, lowest, scaled
from ..budget import DEFAULTS, Estimate, Options
from ..record import replaced
from ..swaps.canonical import Swaps, canonical_steps
from ..swaps.draws import Item, are_short, drawn, few_choices, few_terms, subset_sums
from ..swaps.units import Draw, Draws, Step, draws_of
from ..swaps.unpaired import Stratum
from . import rows

_INSTEAD = (
    "fast_two_sample_test for certified digits, more with budget=Budget(seconds=, bytes=), or fewer observations in "
    "a stratum"
)


def canonical_samples(
    strata: Sequence[Stratum],
    factors: Sequence[Exact],
    mean: Exact,
    options: Options = DEFAULTS,
    *,
    listed: bool = True,
) -> Swaps:
    """Return the canonical form of T = ``mean`` + the sum of factor * (sum of x, less its mean) over strata.

    Unless sums must be ``listed``, draws stand for strata with many of them. Raises
    ``BudgetExceeded``, before any work, where the sums of all strata cannot be listed.

    >>> canonical_samples([Stratum(x=[1], y=[0]), Stratum(x=[3], y=[0, 0])], [1, 1], 0).tally
    {((0, 1), (1, 1)): 1, ((0, 2), (3, 1)): 1}
    """
    shares = [factor * Fraction(1, one.n) for one, factor in zip(strata, factors)]
    scale = common_denominator(shares, len(strata))
    items: Counter[Item] = Counter()
    observed = 0
    for one, share in zip(strata, shares):
        m, runs, factor = len(one.x), sorted(one.x + one.y), scaled(share, scale)
        items[m, factor, tuple(runs)] += 1
        observed += factor * (one.n * sum(one.x) - m * sum(runs))
    found = drawn(items, observed, scale)
    found = replaced(found, low=lowest(found.low + mean))
    draws = draws_of(found.tally)
    if draws is None or len(strata) == 1 or not (listed or are_short(draws)):
        return found
    work = f"listing the sums of {len(strata)} strata"
    options.budget.check(_listing(draws), work, _INSTEAD)
    steps = _steps(draws, found.observed)
    return replaced(
        found,
        tally=steps.tally,
        unit=lowest(found.unit * steps.unit),
        observed=steps.observed,
        tied=steps.common * found.common,
    )


def listed(draws: Draws, options: Options) -> Mapping[Step, int] | None:
    """Return the steps of draws in normal form, {step: number}, where their sums are few enough to be listed, else None.

    That is done before anything is decided, so it may take an eighth of the budget.

    >>> listed({(2, (0, 0, 1)): 3}, DEFAULTS)
    {((0, 1), (1, 2)): 3}
    """
    if not few_terms(draws):
        return None
    cost = _listing(draws)
    if not options.budget.admits(replaced(cost, seconds=8 * cost.seconds)):
        return None
    steps: Mapping[Step, int] = _steps(draws, 0).tally
    return steps


def _steps(draws: Draws, observed: int) -> Swaps:
    """Return the canonical form of draws in normal form whose sums are listed; ``observed`` is less the least sum."""
    held: dict[Draw, Mapping[int, int]] = {}
    steps = []
    for draw, count in draws.items():
        kind, unit = _own(draw)
        if kind not in held:
            held[kind] = _sums(*kind)
        steps.append((tuple([(unit * x, ways) for x, ways in held[kind].items()]), count))
    return canonical_steps(steps, observed, 1)


def _sums(m: int, values: tuple[int, ...]) -> Mapping[int, int]:
    """Return {sum less the least: number of choices} of m of the values, ascending."""
    if not few_choices(values, m):
        return rows.counts(values, m)
    least = sum(values[:m])
    return {x - least: ways for x, ways in sorted(subset_sums(values, m).items())}


def _listing(draws: Draws) -> Estimate:
    """Estimate :func:`_steps`, without draws of few choices."""
    kinds = {kind for kind, _unit in map(_own, draws) if not few_choices(kind[1], kind[0])}
    costs = [rows.estimate_counts(values, m) for m, values in kinds]
    return Estimate(
        seconds=math.fsum(one.seconds for one in costs), bytes=sum(one.bytes for one in costs)
    )


def _own(draw: Draw) -> tuple[Draw, int]:
    """Return the draw with its values in their own unit, and that unit."""
    m, values = draw
    unit = math.gcd(*values)
    return (m, tuple([value // unit for value in values])), unit


Scaled = tuple[Sequence[Stratum], list[Exact], Exact]
"""(strata, factors, mean): T = mean + the sum over strata of factor * (sum of x, less its mean)."""


def scaled_means(strata: Sequence[Stratum], scale: int) -> Scaled:
    """Return the difference of means of strata in units of 1/``scale``, weighted by m n / (m + n) and their weights.

    >>> scaled_means([Stratum(x=[4], y=[2, 0])], 1)[1:]
    ([Fraction(3, 2)], 0)
    """
    shares = [Fraction(1 if part.weight is None else part.weight) for part in strata]
    sizes = [Fraction(len(part.x) * len(part.y), part.n) for part in strata]
    whole = scale * sum(map(mul, shares, sizes), Fraction(0))
    factors: list[Exact] = [share / whole for share in shares]
    return strata, factors, 0


def scaled_ranks(strata: Sequence[Stratum]) -> Scaled:
    """Return the sum of Mann-Whitney's U with the weights of strata, or 1 / (N + 1), or 1 for a single stratum.

    >>> scaled_ranks([Stratum(x=[1], y=[2, 3]), Stratum(x=[1], y=[2])])[1:]
    ([Fraction(1, 8), Fraction(1, 6)], Fraction(5, 12))
    """
    single = len(strata) == 1
    weights = [
        (Fraction(1) if single else Fraction(1, part.n + 1)) if part.weight is None else part.weight
        for part in strata
    ]
    factors: list[Exact] = [Fraction(weight) / 2 for weight in weights]  # ranks are doubled
    sizes = [len(part.x) * len(part.y) for part in strata]
    ranks = [part.ranked() for part in strata]
    return ranks, factors, sum(map(mul, factors, sizes), Fraction(0))
