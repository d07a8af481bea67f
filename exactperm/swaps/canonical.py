"""The canonical form of one-component swaps: a tally of positive integer differences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from ..arithmetic.rational import common_denominator, scaled
from ..arithmetic.reading import exact
from ..record import Record
from .effects import Flips

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..arithmetic.rational import Exact
    from .effects import SwapUnits


class Swaps(Record):
    """Canonical form of one-component swaps: T = low + unit * X, X = sum of the d of a subset of the units.

    ``tally`` is {d: number of units}, ascending, d > 0 with greatest common divisor 1; ``ties`` the number of units
    with d = 0; ``low`` the least attainable sum; ``unit`` > 0 the step; ``observed`` the X of the assignment seen.
    Source: id own-canonical-form.
    """

    tally: Mapping[int, int]
    ties: int
    low: Exact
    unit: Exact
    observed: int

    @property
    def span(self) -> int:
        """D, the greatest X: every X lies in 0..D, and X and D - X have the same count."""
        return sum(d * count for d, count in self.tally.items())

    def value(self, x: int) -> Exact:
        """The sum T that belongs to X = x."""
        return exact(self.low + self.unit * x)


def canonical(effects: SwapUnits) -> Swaps:
    """The canonical form of the swaps of a one-component statistic.

    Cost: one pass over the distinct effects. ``BudgetExceeded`` where they have no common denominator of bearable size.
    Source: id own-canonical-form.

    >>> from exactperm.swaps.effects import Effects
    >>> canonical(Effects(units={((3,), (-3,)): 2, ((-1,), (1,)): 1}, n=3))
    Swaps(tally={1: 1, 3: 2}, ties=0, low=-7, unit=2, observed=6)
    """
    scale = effects.scale
    if isinstance(effects, Flips):
        units = ((x, -x, count) for x, count in effects.differences.items())
    else:
        common = common_denominator((side[0] for unit in effects.units for side in unit), 2 * len(effects.units))
        scale *= common
        units = (
            (scaled(stay[0], common), scaled(swap[0], common), count) for (stay, swap), count in effects.units.items()
        )
    tally: dict[int, int] = {}
    low = observed = 0
    for stay, swap, count in units:
        d = stay - swap
        if d > 0:
            low += swap * count
            observed += d * count
        else:
            low += stay * count
            d = -d
        tally[d] = tally.get(d, 0) + count
    ties = tally.pop(0, 0)
    step = math.gcd(*tally) or 1
    ascending = sorted(tally)
    return Swaps(
        tally={d: tally[d] for d in ascending} if step == 1 else {d // step: tally[d] for d in ascending},
        ties=ties,
        low=exact(Fraction(low, scale)),
        unit=exact(Fraction(step, scale)),
        observed=observed // step,
    )
