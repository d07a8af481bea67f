"""Swap units: each adds one of finitely many values, each with a weight.

A unit is a step ((0, g0), (a1, g1), ...): it adds the value a with g_a of its choices. A pair is the
step ((0, 1), (d, 1)), and of pairs alone the tally {d: number of pairs} is the short form. The sum X
of independent units counts its choices: the coefficients of the product of all sum_a g_a x^a.

Source: spec/09-own-theorems.md#own-plan, spec/15-runs.md#own-steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import chain, repeat
from operator import mul

from .._types import TypeVar, Union

Step = tuple[tuple[int, int], ...]
"""Terms (value, weight) of one unit: values ascend from 0, weights are positive."""

Tally = Mapping[int, int]
"""Pairs: {difference d > 0: number of pairs with it}, ascending in d."""

Units = Union[Tally, Mapping[Step, int]]
"""What engines count: a tally of pairs, or {step: number of units}, ascending."""

Alike = TypeVar("Alike", bound=Units)


def pairs_of(units: Units) -> Tally | None:
    """Return units that have the form of a tally; None for steps.

    >>> pairs_of({3: 2}), pairs_of({((0, 1), (3, 1)): 2})
    ({3: 2}, None)
    """
    return units if isinstance(next(iter(units), 0), int) else None  # type: ignore[return-value]


def steps_of(units: Units) -> Mapping[Step, int]:
    """Return the steps of units in either form.

    >>> steps_of({3: 2})
    {((0, 1), (3, 1)): 2}
    """
    tally = pairs_of(units)
    if tally is None:
        return units  # type: ignore[return-value]
    return {((0, 1), (d, 1)): count for d, count in tally.items()}


def compact(units: Units) -> Units:
    """Return the tally of units that all are pairs, and others as they are.

    >>> compact({((0, 1), (3, 1)): 2}), compact({((0, 1), (3, 2)): 2})
    ({3: 2}, {((0, 1), (3, 2)): 2})
    """
    if pairs_of(units) is not None:
        return units
    tally: dict[int, int] = {}
    for step, count in steps_of(units).items():
        if len(step) > 2 or step[0][1] * step[1][1] > 1:
            return units
        tally[step[1][0]] = count
    return tally


def one_by_one(tally: Tally) -> list[int]:
    """Return the difference of each pair.

    >>> one_by_one({1: 2, 3: 1})
    [1, 1, 3]
    """
    return list(chain.from_iterable(map(repeat, tally, tally.values())))


def binomials(n: int, last: int) -> list[int]:
    """Return C(n, 0), ..., C(n, last), or all of them.

    >>> binomials(4, 2), binomials(2, 9)
    ([1, 4, 6], [1, 2, 1])
    """
    found = [1]
    for i in range(min(n, last)):
        found.append(found[-1] * (n - i) // (i + 1))
    return found


def degree(units: Units) -> int:
    """Return D, the greatest sum of the units: the degree of their product.

    >>> degree({1: 2, 3: 1}), degree({((0, 1), (1, 2), (3, 1)): 2})
    (5, 6)
    """
    tally = pairs_of(units)
    if tally is not None:
        return sum(map(mul, tally, tally.values()))
    return sum(step[-1][0] * count for step, count in steps_of(units).items())


def choices(units: Units) -> int:
    """Return the number of choices that the units count: the product of the sums of their weights.

    >>> choices({1: 2, 3: 1}), choices({((0, 1), (1, 2), (3, 1)): 2})
    (8, 16)
    """
    if pairs_of(units) is not None:
        return 1 << sum(units.values())
    return math.prod(
        sum([weight for _value, weight in step]) ** count for step, count in steps_of(units).items()
    )


def mean(units: Units) -> Fraction:
    """Return E X of the sum X of these units: one division for each sum of weights.

    >>> mean({((0, 1), (1, 2)): 3})
    Fraction(2, 1)
    """
    if pairs_of(units) is not None:
        return Fraction(degree(units), 2)
    sums: dict[int, int] = {}
    for step, count in steps_of(units).items():
        whole = sum([weight for _value, weight in step])
        part = sum([value * weight for value, weight in step])
        sums[whole] = sums.get(whole, 0) + count * part
    return sum((Fraction(total, whole) for whole, total in sums.items()), Fraction(0))


def is_symmetric(units: Units) -> bool:
    """Return whether every unit is its own mirror image, so that X and D - X have the same distribution.

    >>> is_symmetric({3: 2}), is_symmetric({((0, 1), (1, 2), (2, 1)): 3, ((0, 2), (1, 1)): 1})
    (True, False)
    """
    return pairs_of(units) is not None or all(step == _reflected(step) for step in steps_of(units))


def mirrored(units: Alike) -> Alike:
    """Return the units of D - X, ascending.

    >>> mirrored({((0, 1), (1, 2)): 5})
    {((0, 2), (1, 1)): 5}
    """
    if pairs_of(units) is not None:
        return units
    steps = sorted((_reflected(step), count) for step, count in steps_of(units).items())
    return dict(steps)  # type: ignore[return-value]


def _reflected(step: Step) -> Step:
    top = step[-1][0]
    return tuple([(top - value, weight) for value, weight in reversed(step)])
