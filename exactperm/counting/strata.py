"""Bring two samples in strata to canonical form: a pool where there is one stratum, else a step for each.

T = offset + the sum over strata of factor * (sum of the first sample). The sums of the pool of a
stratum are listed, which makes it a step; choices in different strata are independent.

Source: spec/16-two-samples-and-power.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..arithmetic.rational import Exact, common_denominator, lowest, scaled
from ..budget import DEFAULTS, Estimate, Options
from ..record import replaced
from ..swaps.pool import Pool, pooled
from ..swaps.steps import Steps
from ..swaps.strata import Stratum
from ..swaps.sums import canonical_sum
from . import rows

_INSTEAD = "more with budget=Budget(seconds=, bytes=), or fewer observations in a stratum"


def canonical_samples(
    strata: Sequence[Stratum], factors: Sequence[Exact], offset: Exact, options: Options = DEFAULTS
) -> Pool | Steps:
    """Return the canonical form of T = ``offset`` + the sum of factor * (sum of x) over strata.

    Raises ``BudgetExceeded``, before any work, where the sums of all strata cannot be listed.

    >>> canonical_samples([Stratum(x=[1], y=[0]), Stratum(x=[3], y=[0, 0])], [1, 1], 0).types
    {((0, 1), (1, 1)): 1, ((0, 2), (3, 1)): 1}
    """
    if len(strata) == 1:
        return pooled(strata[0].x, strata[0].y, factors[0], offset)
    pools = [pooled(one.x, one.y, 1) if one.x and one.y else None for one in strata]
    kinds = {(pool.values, pool.chosen): pool for pool in pools if pool is not None}
    costs = [rows.estimate_counts(*kind) for kind in kinds]
    cost = Estimate(
        seconds=math.fsum(one.seconds for one in costs), bytes=sum(one.bytes for one in costs)
    )
    options.budget.check(cost, f"listing the sums of {len(strata)} strata", _INSTEAD)
    listed = {kind: rows.counts(*kind) for kind in kinds}
    scale = common_denominator(factors, len(strata))
    steps: list[dict[int, int]] = []
    observed = 0
    for one, pool, factor in zip(strata, pools, factors):
        share = scaled(factor, scale)
        observed += share * sum(one.x)
        if pool is None:
            steps.append({share * sum(one.x): 1})
            continue
        low, unit = share * int(pool.low), share * int(pool.unit)
        sums = listed[pool.values, pool.chosen]
        steps.append({low + unit * x: count for x, count in sums.items()})
    found = canonical_sum(steps, observed, scale)
    return replaced(found, low=lowest(found.low + offset))
