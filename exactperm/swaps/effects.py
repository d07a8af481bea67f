"""Compute the effects of all swap units: what each adds to a statistic when it stays and when it is swapped.

A swap unit (a pair, or all pairs of a group) adds stay = g(u, v) to the statistic, or swap = g(v,
u) when its entries change places. Only the number of units with each (stay, swap) matters, not
their order.

The pairs (3, 1), (5, 3), (0, 1) under the difference add 2, 2, -1 when they stay and the opposite
when swapped: {2: 2, -1: 1} as differences.

Source: Eq. 1, 4 and 6, draft Def. 1; spec/01-null-distribution.md#eq-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from functools import cached_property
from itertools import repeat
from operator import add, sub

from .._types import Union
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact, common_denominator, scaled
from ..arithmetic.reading import exact, place, scaled_column, whole_number
from ..errors import ExactPermError, WrongType
from ..record import Record, record_of
from .columns import (
    Entries,
    check_alignment,
    is_difference,
    read_columns,
    score_differences,
    unit_numbers,
)
from .statistic import Component, Statistic, difference

Effect = tuple[Exact, ...]
"""Contributions of one swap unit to the m components."""
SwapUnits = Union["Effects", "Flips"]


class Effects(Record):
    """Number of swap units with each pair (stay, swap) of m-component effects.

    ``units`` maps (stay, swap), two m-tuples of exact numbers in units of 1/``scale``, to a number
    of swap units; ``n`` is the number of pairs of entries.
    Source: the local effects of Alg. 2 (m = 1), Alg. 5 and Eq. 13-14; spec/05-higher-order.md#eq-13.
    """

    units: Mapping[tuple[Effect, Effect], int]
    n: int
    scale: int = 1

    @property
    def n_units(self) -> int:
        """Number of swap units: pairs, or groups of pairs that are swapped together."""
        return sum(self.units.values())

    @property
    def n_nonzero(self) -> int:
        """Number of swap units whose swap changes some component."""
        return sum(count for (stay, swap), count in self.units.items() if stay != swap)


class Flips(Record):
    """Swap units of differences: stay = x, swap = -x. The common case of :class:`Effects` with m = 1, in integers.

    ``column`` has the x of each swap unit, in units of 1/``scale``, or maps x to a number of swap
    units; ``n`` is the number of pairs. Source: spec/09-own-theorems.md#own-sign-flips.

    >>> dict(Flips(column=[2, 2, -1], n=3).differences)
    {2: 2, -1: 1}
    """

    column: list[int] | Mapping[int, int]
    n: int
    scale: int = 1

    @cached_property
    def differences(self) -> Mapping[int, int]:
        """Number of swap units with each x."""
        return Counter(self.column) if isinstance(self.column, list) else self.column

    @property
    def n_units(self) -> int:
        """Number of swap units: pairs, or groups of pairs that are swapped together."""
        return sum(self.differences.values())

    @property
    def n_nonzero(self) -> int:
        """Number of swap units whose swap changes the sum."""
        return self.n_units - self.differences.get(0, 0)

    @property
    def units(self) -> Mapping[tuple[Effect, Effect], int]:
        """The same swap units as :attr:`Effects.units`, for statistics that combine the sum further."""
        return {((x,), (-x,)): count for x, count in self.differences.items()}


def swap_effects(
    u: object, v: object, statistic: Statistic, groups: object = None, decimals: int | None = None
) -> SwapUnits:
    """Return the effects of all swap units of two columns with one entry per pair.

    ``groups`` labels the pairs (any hashable labels): pairs with one label are swapped together, as
    one unit. ``decimals`` rounds numeric scores first. Errors name argument, position and value.
    Cost: about a microsecond per pair, besides two calls of each g. Source: Eq. 4, 13 and 14;
        spec/02-structured-statistics.md#eq-4.

    >>> swap_effects([3, 5, 0], [1, 3, 1], difference)
    Flips(column=[2, 2, -1], n=3, scale=1)
    """
    if statistic is difference or is_difference(statistic):
        if groups is not None:
            check_alignment((u, v, groups))
        column, scale = score_differences(u, v, decimals)
        return _flips(column, scale, groups)
    check_alignment((u, v, groups))
    (first, second), scale = read_columns({"u": u, "v": v}, statistic, decimals)
    return paired_effects(first, second, scale, statistic, groups)


def paired_effects(
    a: Entries, b: Entries, scale: int, statistic: Statistic, groups: object = None
) -> SwapUnits:
    """Return the effects of all swap units of two columns that :func:`read_columns` returned, with its scale."""
    if scale:
        return _flips(list(map(sub, a, b)), scale, groups)
    # Entries that were read are plain exact numbers, and real ones repeat: g is called once for
    # each distinct pair. Raw entries may be anything, and g of the user anything too: it is called
    # for every pair.
    if groups is None and statistic.read is not None:
        found: Counter[tuple[Effect, Effect]] = Counter()
        for (x, y), count in Counter(zip(a, b)).items():
            found[_local_effect(statistic.components, x, y, None)] += count
        return Effects(units=found, n=len(a))
    local = [_local_effect(statistic.components, x, y, n) for n, (x, y) in enumerate(zip(a, b))]
    if groups is None:
        return Effects(units=Counter(local), n=len(local))
    # Sums of fractions with ever new denominators would grow with each pair: integers do not.
    m = len(statistic.components)
    scale = common_denominator(
        (x for unit in local for side in unit for x in side), len(local) * 2 * m
    )
    sums: dict[int, list[int]] = {}
    for unit, (stay, swap) in zip(unit_numbers(groups, len(local)), local):
        values = [scaled(x, scale) for x in (*stay, *swap)]
        sums[unit] = list(map(add, sums.get(unit, repeat(0)), values))
    units: Counter[tuple[Effect, Effect]] = Counter()
    for both in sums.values():
        units[tuple(both[:m]), tuple(both[m:])] += 1
    return Effects(units=units, n=len(local), scale=scale)


def flip_effects(d: object, *, groups: object = None, decimals: int | None = None) -> Flips:
    """Return the effects of all sign flips of differences: stay = d, swap = -d.

    ``d`` is a column of scores, or a mapping {difference: number of pairs}, which allows no
    ``groups``. Errors and cost as for :func:`swap_effects`. Source: spec/09-own-theorems.md#own-sign-flips.

    >>> flips = flip_effects({"0.5": 2, "-1": 1})
    >>> dict(flips.differences), flips.scale
    ({1: 2, -2: 1}, 2)
    """
    if not isinstance(d, Mapping):
        if groups is not None:
            check_alignment((d, groups), ("d", "groups"))
        column, scale = scaled_column(d, "d", decimals)
        if not column:
            raise ExactPermError("d is empty: a test needs at least one pair")
        return _flips(column, scale, groups)
    if groups is not None:
        raise ExactPermError(
            "groups needs a column of differences, but d is a mapping {difference: number of pairs}"
        )
    multiplicities = [
        whole_number(count, f"the number of pairs with d = {short_text(x)}")
        for x, count in d.items()
    ]
    if not any(multiplicities):
        raise ExactPermError("d is empty: a test needs at least one pair")
    column, scale = scaled_column(list(d), "the differences of d", decimals)
    merged: Counter[int] = Counter()
    for x, count in zip(column, multiplicities):
        merged[x] += count
    return Flips(column=+merged, n=sum(multiplicities), scale=scale)


def _flips(column: list[int], scale: int, groups: object) -> Flips:
    if groups is None:
        return record_of(Flips, {"column": column, "n": len(column), "scale": scale})
    sums: Counter[int] = Counter()
    for unit, x in zip(unit_numbers(groups, len(column)), column):
        sums[unit] += x
    return Flips(column=list(sums.values()), n=len(column), scale=scale)


def _local_effect(
    components: tuple[Component, ...], a: object, b: object, position: int | None
) -> tuple[Effect, Effect]:
    return (
        tuple(_effect_value(g(a, b), "g(u, v)", position) for g in components),
        tuple(_effect_value(g(b, a), "g(v, u)", position) for g in components),
    )


def _effect_value(value: object, call: str, position: int | None) -> Exact:
    if type(value) is int:
        return value
    # whatever arithmetic made the float or the Decimal has rounded
    if isinstance(value, (float, str, Decimal)):
        raise WrongType(
            f"{place(call, position)} is {short_text(value)}: g must return an int or an exact rational"
        )
    return exact(value, call, position)
