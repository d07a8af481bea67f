"""Bring two samples in strata to canonical form: a pool where there is one stratum, else a step for each.

T = offset + the sum over strata of factor * (sum of the first sample). The sums of the pool of a
stratum are listed, which makes it a step; choices in different strata are independent.

Source: spec/16-two-samples-and-power.md#own-two-samples.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from operator import mul

from ..arithmetic.rational import Exact, common_denominator, lowest, scaled
from ..budget import DEFAULTS, Estimate, Options
from ..record import replaced
from ..swaps.canonical import Swaps, canonical_sum
from ..swaps.draws import pooled
from ..swaps.units import draws_of
from ..swaps.unpaired import Stratum
from . import rows

_INSTEAD = "more with budget=Budget(seconds=, bytes=), or fewer observations in a stratum"


def canonical_samples(
    strata: Sequence[Stratum], factors: Sequence[Exact], offset: Exact, options: Options = DEFAULTS
) -> Swaps:
    """Return the canonical form of T = ``offset`` + the sum of factor * (sum of x) over strata.

    Raises ``BudgetExceeded``, before any work, where the sums of all strata cannot be listed.

    >>> canonical_samples([Stratum(x=[1], y=[0]), Stratum(x=[3], y=[0, 0])], [1, 1], 0).tally
    {((0, 1), (1, 1)): 1, ((0, 2), (3, 1)): 1}
    """
    if len(strata) == 1:
        return pooled(strata[0].x, strata[0].y, factors[0], offset)
    pools = [pooled(one.x, one.y, 1) if one.x and one.y else None for one in strata]
    kinds = {draw for pool in pools if pool is not None for draw in draws_of(pool.tally) or ()}
    costs = [rows.estimate_counts(values, m) for m, values in kinds]
    cost = Estimate(
        seconds=math.fsum(one.seconds for one in costs), bytes=sum(one.bytes for one in costs)
    )
    options.budget.check(cost, f"listing the sums of {len(strata)} strata", _INSTEAD)
    listed = {(m, values): rows.counts(values, m) for m, values in kinds}
    scale = common_denominator(factors, len(strata))
    steps: list[dict[int, int]] = []
    observed = 0
    for one, pool, factor in zip(strata, pools, factors):
        share = scaled(factor, scale)
        observed += share * sum(one.x)
        if pool is None or not pool.tally:
            steps.append({share * sum(one.x): 1 if pool is None else pool.common})
            continue
        low, unit = share * int(pool.low), share * int(pool.unit)
        draw = next(iter(draws_of(pool.tally) or ()))
        steps.append({low + unit * x: count for x, count in listed[draw].items()})
    found = canonical_sum(steps, observed, scale)
    return replaced(found, low=lowest(found.low + offset))


Scaled = tuple[Sequence[Stratum], list[Exact], Exact]
"""(strata, factors, offset): T = offset + the sum over strata of factor * (sum of x)."""


def scaled_means(strata: Sequence[Stratum], scale: int) -> Scaled:
    """Return the difference of means of strata in units of 1/``scale``, weighted by m n / (m + n) and their weights.

    >>> scaled_means([Stratum(x=[4], y=[2, 0])], 1)[1:]
    ([Fraction(3, 2)], Fraction(-3, 1))
    """
    shares = [Fraction(1 if part.weight is None else part.weight) for part in strata]
    sizes = [Fraction(len(part.x) * len(part.y), part.n) for part in strata]
    whole = scale * sum(map(mul, shares, sizes), Fraction(0))
    factors: list[Exact] = [share / whole for share in shares]
    means = [Fraction(len(part.x) * (sum(part.x) + sum(part.y)), part.n) for part in strata]
    return strata, factors, -sum(map(mul, factors, means), Fraction(0))


def scaled_ranks(strata: Sequence[Stratum]) -> Scaled:
    """Return the sum of Mann-Whitney's U with the weights of strata, or 1 / (N + 1), or 1 for a single stratum.

    >>> scaled_ranks([Stratum(x=[1], y=[2, 3]), Stratum(x=[1], y=[2])])[1:]
    ([Fraction(1, 8), Fraction(1, 6)], Fraction(-7, 12))
    """
    single = len(strata) == 1
    weights = [
        (Fraction(1) if single else Fraction(1, part.n + 1)) if part.weight is None else part.weight
        for part in strata
    ]
    factors: list[Exact] = [Fraction(weight) / 2 for weight in weights]  # ranks are doubled
    least = [len(part.x) * (len(part.x) + 1) for part in strata]
    ranks = [part.ranked() for part in strata]
    return ranks, factors, -sum(map(mul, factors, least), Fraction(0))
