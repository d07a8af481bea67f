"""Swap units: each adds one of finitely many values, each with a weight.

A unit is a step ((0, g0), (a1, g1), ...): it adds the value a with g_a of its choices. A pair is the
step ((0, 1), (d, 1)), and of pairs alone the tally {d: number of pairs} is the short form. A draw
(m, values) is a step whose terms are not listed: the sum of m of the ascending values, less that of
the m least, each of the C(n, m) choices once. The sum X of independent units counts its choices:
the coefficients of the product of all sum_a g_a x^a.

Source: spec/09-own-theorems.md#own-plan, spec/15-runs.md#own-steps.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import chain, repeat
from operator import mul

from .._types import Any, TypeVar, Union

Step = tuple[tuple[int, int], ...]
"""Terms (value, weight) of one unit: values ascend from 0, weights are positive."""

Draw = tuple[int, tuple[int, ...]]
"""(m, n ascending values): the unit adds the sum of m of the values, less the sum of the m least."""

Tally = Mapping[int, int]
"""Pairs: {difference d > 0: number of pairs with it}, ascending in d."""

Draws = Mapping[Draw, int]
"""{draw: number of units}."""

Units = Union[Tally, Mapping[Step, int]]
"""What engines count: a tally of pairs, or {step: number of units}, ascending."""

AnyUnits = Union[Units, Draws]
Alike = TypeVar("Alike", bound=AnyUnits)
_Unit = Any
"""A step or a draw; :func:`_is_draw` tells which."""


def pairs_of(units: AnyUnits) -> Tally | None:
    """Return units that have the form of a tally; None for steps.

    >>> pairs_of({3: 2}), pairs_of({((0, 1), (3, 1)): 2})
    ({3: 2}, None)
    """
    return units if isinstance(next(iter(units), 0), int) else None  # type: ignore[return-value]


def draws_of(units: AnyUnits) -> Draws | None:
    """Return units that have the form of draws; None for others.

    >>> draws_of({(1, (0, 1, 5)): 2}), draws_of({3: 2})
    ({(1, (0, 1, 5)): 2}, None)
    """
    if pairs_of(units) is not None or not _is_draw(next(iter(units))):
        return None
    return units  # type: ignore[return-value]


def steps_of(units: AnyUnits) -> Mapping[Step, int]:
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
    for i in range(min(n // 2, last)):
        found.append(found[-1] * (n - i) // (i + 1))
    # the upper half shares the integers of the lower one
    return found + found[max(0, n - last) : n - n // 2][::-1] if last > n // 2 else found


def degree(units: AnyUnits) -> int:
    """Return D, the greatest sum of the units: the degree of their product.

    >>> degree({1: 2, 3: 1}), degree({((0, 1), (1, 2), (3, 1)): 2}), degree({(2, (0, 1, 5)): 3})
    (5, 6, 15)
    """
    tally = pairs_of(units)
    if tally is not None:
        return sum(map(mul, tally, tally.values()))
    return sum([_top(unit) * count for unit, count in units.items()])


def choices(units: AnyUnits) -> int:
    """Return the number of choices that the units count: the product of the sums of their weights.

    >>> choices({1: 2, 3: 1}), choices({((0, 1), (1, 2), (3, 1)): 2}), choices({(2, (0, 1, 5)): 3})
    (8, 16, 27)
    """
    if pairs_of(units) is not None:
        return 1 << sum(units.values())
    return math.prod([_number(unit) ** count for unit, count in units.items()])


def mean(units: AnyUnits) -> Fraction:
    """Return E X of the sum X of these units: one division for each sum of weights.

    >>> mean({((0, 1), (1, 2)): 3}), mean({(2, (0, 1, 5)): 3})
    (Fraction(2, 1), Fraction(9, 1))
    """
    if pairs_of(units) is not None:
        return Fraction(degree(units), 2)
    sums: dict[int, int] = {}
    for unit, count in units.items():
        part, whole = _share(unit)
        sums[whole] = sums.get(whole, 0) + count * part
    return sum((Fraction(total, whole) for whole, total in sums.items()), Fraction(0))


def is_symmetric(units: AnyUnits) -> bool:
    """Return whether every unit is its own mirror image, so that X and D - X have the same distribution.

    >>> is_symmetric({3: 2}), is_symmetric({((0, 1), (1, 2), (2, 1)): 3, ((0, 2), (1, 1)): 1})
    (True, False)
    """
    return pairs_of(units) is not None or all(
        unit == _reflected(unit) or _is_half(unit) for unit, _ in units.items()
    )


def mirrored(units: Alike) -> Alike:
    """Return the units of D - X, steps ascending.

    >>> mirrored({((0, 1), (1, 2)): 5}), mirrored({(1, (0, 1, 5)): 3})
    ({((0, 2), (1, 1)): 5}, {(1, (0, 4, 5)): 3})
    """
    if pairs_of(units) is not None:
        return units
    found = [(_reflected(unit), count) for unit, count in units.items()]
    return dict(found if draws_of(units) else sorted(found))  # type: ignore[return-value]


def _is_draw(unit: _Unit) -> bool:
    return isinstance(unit[0], int)


def _is_half(unit: _Unit) -> bool:
    """Return whether half of the values are drawn, so that what is left is as probable as what is drawn."""
    return _is_draw(unit) and 2 * unit[0] == len(unit[1])


def _top(unit: _Unit) -> int:
    """Return the greatest value that a unit adds."""
    if not _is_draw(unit):
        return unit[-1][0]  # type: ignore[no-any-return]
    m, values = unit
    top: int = sum(values[len(values) - m :]) - sum(values[:m])
    return top


def _number(unit: _Unit) -> int:
    """Return the number of choices of a unit."""
    if not _is_draw(unit):
        return sum([weight for _value, weight in unit])
    return math.comb(len(unit[1]), unit[0])


def _share(unit: _Unit) -> tuple[int, int]:
    """Return (a, b): a unit adds a / b in the mean."""
    if not _is_draw(unit):
        return sum([value * weight for value, weight in unit]), _number(unit)
    m, values = unit
    return m * sum(values) - len(values) * sum(values[:m]), len(values)


def _reflected(unit: _Unit) -> _Unit:
    """Return the unit that adds what is left of the greatest value."""
    if not _is_draw(unit):
        return tuple([(unit[-1][0] - value, weight) for value, weight in reversed(unit)])
    m, values = unit
    return m, tuple([values[-1] - value for value in reversed(values)])
