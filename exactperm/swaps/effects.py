"""From two columns of entries to the canonical form of their swaps: the one way from scores to a tally.

A swap unit (a pair, or all pairs of a group) adds stay = g(u, v) to the statistic, or swap = g(v, u) when its entries
change places. With low = sum of min(stay, swap) and d = |stay - swap|, every sum is low + X, where X is the sum of the
d of an arbitrary subset of the units. So the order of the pairs does not matter, and all that is left to count is the
tally {d: number of units with it}; units with d = 0 only double every count.

Source: the null distribution and the local effects of a pair; ids eq-1, eq-4, eq-6, draft-def-1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from operator import sub

from ..arithmetic.quoting import short_text
from ..arithmetic.rational import common_denominator, scaled
from ..arithmetic.reading import exact, exact_column, place, whole_number
from ..errors import ExactPermError, WrongType
from ..record import Record
from .columns import check_paired, read_entries, unit_numbers
from .statistic import Statistic, difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Union

    from ..arithmetic.rational import Exact
    from .statistic import Component

    Effect = tuple[Exact, ...]
    """What one swap unit adds to each of the m components."""

    SwapUnits = Union["Effects", "Flips"]


class Effects(Record):
    """All swap units: how many have each pair (stay, swap) of m-component effects.

    ``units`` maps (stay, swap), two m-tuples of exact numbers in units of 1/``scale``, to the number of swap units with
    it; ``n`` is the number of pairs of entries. Source: the local effects of Alg. 2 (m = 1) and Eq. 13-14 (Alg. 5); ids
    alg-2, eq-13, eq-14, own-canonical-form.
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

    def observed(self) -> Effect:
        """The m exact sums of the assignment in which every unit stays."""
        (stay, _swap) = next(iter(self.units))
        sums = (sum(stay[i] * count for (stay, _swap), count in self.units.items()) for i in range(len(stay)))
        return tuple(exact(Fraction(total) / self.scale) for total in sums)


class Flips(Record):
    """Swap units of differences: stay = x, swap = -x. The common case of :class:`Effects` with m = 1, in integers.

    ``differences`` maps x, in units of 1/``scale``, to the number of swap units with it; ``n`` is the number of pairs.
    """

    differences: Mapping[int, int]
    n: int
    scale: int = 1

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
        """The same as :attr:`Effects.units`, for a statistic that does more with the sum than take it."""
        return {((x,), (-x,)): count for x, count in self.differences.items()}

    def observed(self) -> Effect:
        """The exact sum of the assignment in which every unit stays."""
        return (exact(Fraction(sum(x * count for x, count in self.differences.items()), self.scale)),)


def swap_effects(u: Any, v: Any, statistic: Statistic, *, groups: Any = None, decimals: int | None = None) -> SwapUnits:
    """The effects of all swap units of two columns with one entry a pair.

    ``groups`` labels the pairs (any hashable labels): pairs with one label are swapped together, as one unit.
    ``decimals`` rounds numeric scores first. Errors name argument, position and value.
    Source: Eq. 4, 13 and 14; ids eq-4, eq-13, eq-14, own-groups.
    """
    first, second = read_entries(u, "u", statistic, decimals), read_entries(v, "v", statistic, decimals)
    return paired_effects(first, second, statistic, groups=groups)


def paired_effects(
    first: list[Any], second: list[Any], statistic: Statistic, *, groups: Any = None, names: Sequence[str] = ("u", "v")
) -> SwapUnits:
    """The effects of all swap units of two columns that :func:`read_entries` returned; ``names`` are for errors."""
    check_paired(first, second, names)
    plain = all(set(map(type, column)) <= {int, Fraction} for column in (first, second))
    if plain and statistic.components == difference.components:
        (a, b), scale = _integers(first, second)
        return _flips(list(map(sub, a, b)), scale, groups)
    # Entries that were read are plain exact numbers, and real ones repeat: g is called once for each distinct pair.
    # Raw entries may be anything, and g of the user anything too: it is called for every pair.
    if groups is None and statistic.read is not None:
        pairs = Counter(zip(first, second))
        tallied = ((_local_effect(statistic.components, a, b, None), count) for (a, b), count in pairs.items())
        return Effects(units=_merged(tallied), n=len(first))
    local = [_local_effect(statistic.components, a, b, n) for n, (a, b) in enumerate(zip(first, second))]
    if groups is None:
        return Effects(units=Counter(local), n=len(local))
    # Sums of fractions with ever new denominators would grow with each pair: integers do not.
    scale = common_denominator((x for unit in local for side in unit for x in side), len(local) * len(local[0][0]) * 2)
    whole = [(_scaled_effect(stay, scale), _scaled_effect(swap, scale)) for stay, swap in local]
    return Effects(units=Counter(_grouped(whole, groups)), n=len(local), scale=scale)


def flip_effects(d: Any, *, groups: Any = None, decimals: int | None = None) -> Flips:
    """The effects of all sign flips of a column of differences: stay = d, swap = -d.

    ``d`` is a column of scores, or a mapping {difference: how many pairs have it} (then without ``groups``).
    Source: id own-sign-flips.
    """
    if not isinstance(d, Mapping):
        (column,), scale = _integers(exact_column(d, "d", decimals))
        if not column:
            raise ExactPermError("d is empty: a test needs at least one pair")
        return _flips(column, scale, groups)
    if groups is not None:
        raise ExactPermError("groups needs a column of differences, but d is a mapping {difference: how many}")
    multiplicities = [whole_number(count, f"how many have d = {short_text(x)}") for x, count in d.items()]
    if not any(multiplicities):
        raise ExactPermError("d is empty: a test needs at least one pair")
    (column,), scale = _integers(exact_column(list(d), "the differences of d", decimals))
    merged: Counter[int] = Counter()
    for x, count in zip(column, multiplicities):
        merged[x] += count
    return Flips(differences=+merged, n=sum(multiplicities), scale=scale)


def _integers(*columns: list[Exact]) -> tuple[list[list[int]], int]:
    """Columns of exact numbers as integers, in units of one over their common denominator.

    A difference of scaled scores is the scaled difference, and integers are counted several times as fast as fractions.
    """
    if all(set(map(type, column)) <= {int} for column in columns):
        return list(columns), 1  # type: ignore[arg-type]  # just checked
    scale = common_denominator((x for column in columns for x in column), sum(map(len, columns)))
    return [[scaled(x, scale) for x in column] for column in columns], scale


def _flips(column: Sequence[int], scale: int, groups: Any) -> Flips:
    if groups is None:
        return Flips(differences=Counter(column), n=len(column), scale=scale)
    sums: Counter[int] = Counter()
    for unit, x in zip(unit_numbers(groups, len(column)), column):
        sums[unit] += x
    return Flips(differences=Counter(sums.values()), n=len(column), scale=scale)


def _local_effect(components: tuple[Component, ...], a: Any, b: Any, position: int | None) -> tuple[Effect, Effect]:
    return (
        tuple(_effect_value(g(a, b), "g(u, v)", position) for g in components),
        tuple(_effect_value(g(b, a), "g(v, u)", position) for g in components),
    )


def _effect_value(value: Any, call: str, position: int | None) -> Exact:
    if type(value) is int:
        return value
    if isinstance(value, (float, str, Decimal)):  # whatever arithmetic made the float or the Decimal has rounded
        raise WrongType(f"{place(call, position)} is {short_text(value)}: g must return an int or an exact rational")
    return exact(value, call, position)


def _merged(tallied: Iterable[tuple[tuple[Effect, Effect], int]]) -> Mapping[tuple[Effect, Effect], int]:
    units: Counter[tuple[Effect, Effect]] = Counter()
    for effect, count in tallied:
        units[effect] += count
    return units


def _grouped(local: list[tuple[Effect, Effect]], groups: Any) -> Iterable[tuple[Effect, Effect]]:
    """One effect a swap unit: the sums over its pairs."""
    sums: dict[int, tuple[Effect, Effect]] = {}
    for unit, (stay, swap) in zip(unit_numbers(groups, len(local)), local):
        before = sums.get(unit)
        sums[unit] = (stay, swap) if before is None else (_plus(before[0], stay), _plus(before[1], swap))
    return sums.values()


def _plus(x: Effect, y: Effect) -> Effect:
    return tuple(a + b for a, b in zip(x, y))


def _scaled_effect(effect: Effect, scale: int) -> Effect:
    return tuple(scaled(x, scale) for x in effect)
