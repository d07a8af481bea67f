"""Read the two columns of a test and number their swap units."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import entries
from ..errors import ExactPermError, WrongType
from .statistic import Statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_entries(column: Any, argument: str, statistic: Statistic, decimals: int | None = None) -> list[Any]:
    """The entries of one system as the statistic's g takes them: read once, whatever number of tests they go into."""
    if not isinstance(statistic, Statistic):
        raise WrongType(f"statistic is {short_text(statistic)}: it must be a Statistic; exact_perm_test takes g and h")
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


def unit_numbers(groups: Any, n: int) -> list[int]:
    """The number of the swap unit of each of n pairs, from 0 in order of appearance; None makes each pair a unit.

    ``groups`` has one hashable label a pair. Source: id own-groups.

    >>> unit_numbers(["a", "b", "a"], 3)
    [0, 1, 0]
    """
    if groups is None:
        return list(range(n))
    labels = entries(groups, "groups")
    if len(labels) != n:
        raise ExactPermError(f"groups has {len(labels)} labels for {n} pairs")
    numbers: dict[Any, int] = {}
    for position, label in enumerate(labels):
        try:
            numbers.setdefault(label, len(numbers))
        except TypeError:
            raise WrongType(f"groups[{position}] is {short_text(label)}: labels must be hashable") from None
        if label is None or (isinstance(label, float) and math.isnan(label)):
            raise ExactPermError(f"groups[{position}] is {label}: the label is missing")
    return [numbers[label] for label in labels]
