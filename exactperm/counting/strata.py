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
from ..swaps.canonical import Swaps
from ..swaps.draws import (
    Item,
    are_short,
    drawn,
    few_choices,
    few_terms,
    stepped,
    stepped_sums,
    steps_of_draws,
)
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
    options.budget.check(_listing(draws), f"listing the sums of {len(strata)} strata", _INSTEAD)
    return stepped(found, _sums)


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
    return steps_of_draws(draws, _sums)[0]


def _sums(draw: Draw) -> Mapping[int, int]:
    """Return {sum less the least: number of choices} of a draw, ascending: of many choices by rows, in their own unit."""
    m, values = draw
    if few_choices(values, m):
        return stepped_sums(draw)
    unit, own = _own(values)
    return {unit * x: ways for x, ways in rows.counts(own, m).items()}


def _own(values: Sequence[int]) -> tuple[int, list[int]]:
    """Return the unit of the values, and them in it."""
    unit = math.gcd(*values)
    return unit, [value // unit for value in values]


def _listing(draws: Draws) -> Estimate:
    """Estimate the listing of draws of many choices."""
    costs = [
        rows.estimate_counts(_own(values)[1], m)
        for m, values in draws
        if not few_choices(values, m)
    ]
    return Estimate(
        seconds=math.fsum(one.seconds for one in costs), bytes=sum(one.bytes for one in costs)
    )


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
