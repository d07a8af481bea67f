"""The canonical form of a sum over swap units, and how pairs come to theirs.

A unit adds stay or swap. With low = sum of min(stay, swap) and d = |stay - swap|, every sum is low
+ X, where X is the sum of the d of a subset of the units, and every subset belongs to one
assignment. Units with d = 0 (ties) only double every count. Dividing the d by their greatest common
divisor, the unit, changes X by that factor and no count.

Where all units are ties there is no d. X is 0 in all 2**ties assignments, so T = low + unit * 0 =
low for any unit > 0, and the choice unit = 1 makes the form unique: it is determined by low and
ties, the value of T and the number of units.

The differences {2: 2, -1: 1} have the units 2 or -2 (twice) and -1 or 1: d = 4, 4, 2, so unit = 2,
tally {1: 1, 2: 2}, low = -5, and the observed sum 2 + 2 - 1 = 3 is X = 4.

Source: spec/09-own-theorems.md#own-canonical-form.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from operator import mul

from .._types import Any
from ..arithmetic.rational import Exact, common_denominator, lowest, ratio, scaled
from ..record import Record
from .effects import Effects, Flips, SwapUnits
from .units import Step, choices, degree, is_symmetric, mean


class Swaps(Record):
    """Canonical form of a sum: T = low + unit * X, X the sum of one value of each swap unit.

    ``tally`` is {unit: number of units}, all in one form of :mod:`exactperm.swaps.units`; values
    of units start at 0 and have no common divisor, nor have the weights of a step. ``low`` is the
    least attainable T, ``unit`` > 0 the step of T, ``observed`` the X of the observed assignment;
    ``ties`` the number of further units, which change nothing, and ``tied`` that of their assignments,
    None for the 2**ties of pairs. Source: spec/09-own-theorems.md#own-canonical-form, spec/15-runs.md#own-steps.
    """

    tally: Any
    ties: int
    low: Exact
    unit: Exact
    observed: int
    tied: int | None = None

    @property
    def common(self) -> int:
        """Number of assignments for each choice that is counted."""
        return 1 << self.ties if self.tied is None else self.tied

    @cached_property
    def span(self) -> int:
        """Greatest value D of X."""
        return degree(self.tally)

    @property
    def n_units(self) -> int:
        """Number of swap units."""
        return int(sum(self.tally.values())) + self.ties

    @cached_property
    def total(self) -> int:
        """Number of equally likely assignments."""
        return self.common * choices(self.tally)

    @cached_property
    def symmetric(self) -> bool:
        """Whether X and ``span`` - X have the same distribution."""
        return is_symmetric(self.tally)

    @property
    def expected(self) -> Fraction:
        """Mean of X."""
        return mean(self.tally)

    @property
    def statistic(self) -> Exact:
        """The observed T."""
        return self.value(self.observed)

    def value(self, x: Exact) -> Exact:
        """Return the statistic T that belongs to X = x."""
        return lowest(self.low + self.unit * x)


def canonical(effects: SwapUnits) -> Swaps:
    """Return the canonical form of the swaps of a one-component statistic.

    Raises ``BudgetExceeded`` where the effects have no common denominator of bearable size.
    Cost: sorting the distinct differences, a second for 10**6. Source: spec/09-own-theorems.md#own-canonical-form.

    >>> canonical(Flips(column={2: 2, -1: 1}, n=3))
    Swaps(tally={1: 1, 2: 2}, ties=0, low=-5, unit=2, observed=4, tied=None)
    """
    tally, low, observed, unit = (
        _flipped(effects) if isinstance(effects, Flips) else _swapped(effects)
    )
    ties = tally.pop(0, 0)
    step = math.gcd(*tally) or 1
    ascending = sorted(tally)
    steps = ascending if step == 1 else [d // step for d in ascending]
    # Real-valued differences are distinct: no need to look each one up.
    distinct = max(tally.values(), default=1) == 1
    return Swaps(
        tally=dict.fromkeys(steps, 1)
        if distinct
        else dict(zip(steps, map(tally.__getitem__, ascending))),
        ties=ties,
        low=low,
        unit=lowest(unit * step) if tally else 1,
        observed=observed // step,
    )


def _flipped(flips: Flips) -> tuple[dict[int, int], Exact, int, Exact]:
    """Return (tally, low, observed, unit) of stay = x, swap = -x: d = 2 |x|, and T = -sum |x| + 2 sum of the x > 0."""
    differences, counts = flips.differences, flips.differences.values()
    reach, total = sum(map(mul, map(abs, differences), counts)), sum(map(mul, differences, counts))
    tally = dict(zip(map(abs, differences), counts))
    if len(tally) < len(differences):  # both x and -x occur for some x > 0
        tally = {d: differences.get(d, 0) + (differences.get(-d, 0) if d else 0) for d in tally}
    return tally, ratio(-reach, flips.scale), (reach + total) // 2, ratio(2, flips.scale)


def _swapped(effects: Effects) -> tuple[dict[int, int], Exact, int, Exact]:
    """Return (tally, low, observed, unit) of any one-component effects, by their common denominator."""
    common = common_denominator(
        (side[0] for unit in effects.units for side in unit), 2 * len(effects.units)
    )
    tally: dict[int, int] = {}
    low = observed = 0
    for ((stay,), (swap,)), count in effects.units.items():
        a, b = scaled(stay, common), scaled(swap, common)
        tally[abs(a - b)] = tally.get(abs(a - b), 0) + count
        low += min(a, b) * count
        observed += max(a - b, 0) * count
    scale = effects.scale * common
    return tally, ratio(low, scale), observed, ratio(1, scale)


def canonical_sum(steps: Iterable[Mapping[int, int]], observed: int, scale: int) -> Swaps:
    """Return the canonical form of steps {value: weight}; ``observed`` and all values are in units of 1/``scale``.

    Source: spec/16-two-samples-and-power.md#own-sums.

    >>> canonical_sum([{0: 1, 3: 1}] * 2 + [{5: 2}], 8, 1)
    Swaps(tally={((0, 1), (1, 1)): 2}, ties=1, low=5, unit=3, observed=1, tied=2)
    """
    types = Counter([tuple(sorted(step.items())) for step in steps])
    return canonical_steps(types.items(), observed, scale)


def canonical_steps(steps: Iterable[tuple[Step, int]], observed: int, scale: int) -> Swaps:
    """Return the canonical form of (ascending terms, number of such steps); units as for :func:`canonical_sum`."""
    shapes: Counter[Step] = Counter()
    low = ties = 0
    common = 1
    for terms, count in steps:
        least = terms[0][0]
        low += least * count
        shared = math.gcd(*[weight for _value, weight in terms])
        common *= shared**count
        if len(terms) == 1:
            ties += count
        else:
            shapes[tuple([(value - least, weight // shared) for value, weight in terms])] += count
    unit = math.gcd(*[value for step in shapes for value, _weight in step]) or 1
    tally = {
        tuple([(value // unit, weight) for value, weight in step]): count
        for step, count in sorted(shapes.items())
    }
    return Swaps(
        tally=tally,
        ties=ties,
        low=ratio(low, scale),
        unit=ratio(unit, scale) if tally else 1,
        observed=(observed - low) // unit,
        tied=common,
    )
