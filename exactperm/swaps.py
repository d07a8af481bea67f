"""From two columns of entries to the canonical form of their swaps: the one way from scores to a tally.

A swap unit (a pair, or all pairs of a group) adds stay = g(u, v) to the statistic, or swap = g(v, u) when its entries
change places. With low = sum of min(stay, swap) and d = |stay - swap|, every sum is low + X, where X is the sum of the
d of an arbitrary subset of the units. So the order of the pairs does not matter, and all that is left to count is the
tally {d: number of units with it}; units with d = 0 only double every count.

Source: the null distribution and the local effects of a pair; ids eq-1, eq-4, eq-6, draft-def-1.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from exactperm.errors import BudgetExceeded, ExactPermError, WrongType
from exactperm.exact import entries, exact, exact_column, short_text
from exactperm.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from exactperm.exact import Exact
    from exactperm.statistic import Component, Statistic

    Effect = tuple[Exact, ...]
    """What one swap unit adds to each of the m components."""

_MOST_SCALED_BITS = 2**31
"""Bits that all distinct effects may take together once they are scaled to integers: 256 MiB."""


class Effects(Record):
    """All swap units: how many have each pair (stay, swap) of m-component effects.

    ``units`` maps (stay, swap), two m-tuples of exact numbers, to the number of units with it; ``n`` is the number of
    pairs of entries. Source: the local effects of Alg. 2 (m = 1) and Eq. 13-14 (Alg. 5); ids alg-2, eq-13, eq-14,
    own-canonical-form.
    """

    units: Mapping[tuple[Effect, Effect], int]
    n: int

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
        return tuple(
            exact(sum(stay[i] * count for (stay, _swap), count in self.units.items())) for i in range(len(stay))
        )


def swap_effects(u: Any, v: Any, statistic: Statistic, *, groups: Any = None, decimals: int | None = None) -> Effects:
    """The effects of all swap units of two columns with one entry a pair.

    ``groups`` labels the pairs (any hashable labels): pairs with one label are swapped together, as one unit.
    ``decimals`` rounds numeric scores first. Errors name argument, position and value.
    Source: Eq. 4, 13 and 14; ids eq-4, eq-13, eq-14, own-groups.
    """
    first, second = read_entries(u, "u", statistic, decimals), read_entries(v, "v", statistic, decimals)
    return paired_effects(first, second, statistic, groups=groups)


def read_entries(column: Any, argument: str, statistic: Statistic, decimals: int | None = None) -> list[Any]:
    """The entries of one system as the statistic's g takes them: read once, whatever number of tests they go into."""
    if statistic.read is not None:
        return statistic.read(column, argument, decimals)
    if decimals is not None:
        raise ExactPermError(f"decimals applies to numeric scores, but {statistic.name!r} receives raw entries")
    return entries(column, argument)


def check_paired(first: Sequence[Any], second: Sequence[Any], names: Sequence[str] = ("u", "v")) -> None:
    """Raise ``ExactPermError`` unless two columns have the same number of entries, at least one."""
    u, v = names
    if len(first) != len(second):
        raise ExactPermError(f"{u} has {len(first)} entries and {v} has {len(second)}: they must be paired")
    if not first:
        raise ExactPermError(f"{u} and {v} are empty: a test needs at least one pair")


def paired_effects(
    first: list[Any], second: list[Any], statistic: Statistic, *, groups: Any = None, names: Sequence[str] = ("u", "v")
) -> Effects:
    """The effects of all swap units of two columns that :func:`read_entries` returned; ``names`` are for errors."""
    check_paired(first, second, names)
    # Entries that were read are plain exact numbers, and real ones repeat: g is called once for each distinct pair.
    # Raw entries may be anything, and g of the user anything too: it is called for every pair.
    if groups is None and statistic.read is not None:
        pairs = Counter(zip(first, second))
        tallied = ((_local_effect(statistic.components, a, b, None), count) for (a, b), count in pairs.items())
        return Effects(units=_merged(tallied), n=len(first))
    local = [_local_effect(statistic.components, a, b, n) for n, (a, b) in enumerate(zip(first, second))]
    return _units(local, groups)


def flip_effects(d: Any, *, groups: Any = None, decimals: int | None = None) -> Effects:
    """The effects of all sign flips of a column of differences: stay = d, swap = -d.

    ``d`` is a column of scores, or a mapping {difference: how many pairs have it} (then without ``groups``).
    Source: id own-sign-flips.
    """
    if not isinstance(d, Mapping):
        column = exact_column(d, "d", decimals)
        if not column:
            raise ExactPermError("d is empty: a test needs at least one pair")
        return _units([((x,), (-x,)) for x in column], groups)
    if groups is not None:
        raise ExactPermError("groups needs a column of differences, but d is a mapping {difference: how many}")
    multiplicities = entries(d.values(), "d")
    for x, count in d.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise ExactPermError(f"d[{short_text(x)}] is {short_text(count)}: how many must be an int of at least 0")
    if not any(multiplicities):
        raise ExactPermError("d is empty: a test needs at least one pair")
    column = exact_column(list(d), "the differences of d", decimals)
    return Effects(
        units=_merged((((x,), (-x,)), count) for x, count in zip(column, multiplicities) if count),
        n=sum(multiplicities),
    )


def _units(local: list[tuple[Effect, Effect]], groups: Any) -> Effects:
    return Effects(units=Counter(local if groups is None else _grouped(local, groups)), n=len(local))


def _local_effect(components: tuple[Component, ...], a: Any, b: Any, position: int | None) -> tuple[Effect, Effect]:
    return (
        tuple(_effect_value(g(a, b), "g(u, v)", position) for g in components),
        tuple(_effect_value(g(b, a), "g(v, u)", position) for g in components),
    )


def _effect_value(value: Any, call: str, position: int | None) -> Exact:
    if type(value) is int:
        return value
    if isinstance(value, (float, str)):
        raise WrongType(f"{call}[{position}] is {short_text(value)}: g must return an int or an exact rational")
    return exact(value, call, position)


def _merged(tallied: Iterable[tuple[tuple[Effect, Effect], int]]) -> Mapping[tuple[Effect, Effect], int]:
    units: Counter[tuple[Effect, Effect]] = Counter()
    for effect, count in tallied:
        units[effect] += count
    return units


def _grouped(local: list[tuple[Effect, Effect]], groups: Any) -> list[tuple[Effect, Effect]]:
    """One effect a label: the sums over the pairs that carry it."""
    labels = entries(groups, "groups")
    if len(labels) != len(local):
        raise ExactPermError(f"groups has {len(labels)} labels for {len(local)} pairs")
    sums: dict[Any, tuple[Effect, Effect]] = {}
    for position, (label, (stay, swap)) in enumerate(zip(labels, local)):
        try:
            before = sums.get(label)
        except TypeError:
            raise WrongType(f"groups[{position}] is {short_text(label)}: labels must be hashable") from None
        if isinstance(label, float) and math.isnan(label):
            raise ExactPermError(f"groups[{position}] is nan: the label is missing")
        sums[label] = (stay, swap) if before is None else (_plus(before[0], stay), _plus(before[1], swap))
    return list(sums.values())


def _plus(x: Effect, y: Effect) -> Effect:
    return tuple(exact(a + b) for a, b in zip(x, y))


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


def canonical(effects: Effects) -> Swaps:
    """The canonical form of the swaps of a one-component statistic.

    Cost: one pass over the distinct effects. ``BudgetExceeded`` where they have no common denominator of bearable size.
    Source: id own-canonical-form.

    >>> canonical(Effects(units={((3,), (-3,)): 2, ((-1,), (1,)): 1}, n=3))
    Swaps(tally={1: 1, 3: 2}, ties=0, low=-7, unit=2, observed=6)
    """
    values = {(stay[0], swap[0]): count for (stay, swap), count in effects.units.items()}
    scale = common_denominator((x for pair in values for x in pair), 2 * len(values))
    tally: Counter[int] = Counter()
    low = observed = 0
    for (stay, swap), count in values.items():
        a, b = scaled(stay, scale), scaled(swap, scale)
        tally[abs(a - b)] += count
        low += count * min(a, b)
        observed += count * max(0, a - b)
    ties = tally.pop(0, 0)
    step = math.gcd(*tally) or 1
    return Swaps(
        tally={d // step: tally[d] for d in sorted(tally)},
        ties=ties,
        low=exact(Fraction(low, scale)),
        unit=exact(Fraction(step, scale)),
        observed=observed // step,
    )


def common_denominator(values: Iterable[Exact], how_many: int) -> int:
    """Least common denominator of exact numbers; ``BudgetExceeded`` before the scaled numbers could fill the memory."""
    denominators = {value.denominator for value in values}
    scale = 1
    for denominator in denominators:
        scale = math.lcm(scale, denominator)
        if scale.bit_length() * how_many > _MOST_SCALED_BITS:
            raise BudgetExceeded(
                f"the {how_many} distinct effects have no common denominator below 2**{scale.bit_length()}: "
                "round the scores with decimals=, or use monte_carlo"
            )
    return scale


def scaled(value: Exact, scale: int) -> int:
    """``value * scale`` as an int; ``scale`` is a multiple of the denominator."""
    return value.numerator * (scale // value.denominator)
