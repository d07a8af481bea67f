"""Read the columns of a test, check that they are paired, and number their swap units."""

from __future__ import annotations

from collections.abc import Sequence
from operator import sub

from ..arithmetic.labels import check_alignment
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import common_multiple
from ..arithmetic.reading import entries, exact_column, is_missing, scaled_column
from ..errors import ExactPermError, WrongType
from ..record import Record
from .statistic import Statistic, difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Column(Record):
    """Entries of one system as g takes them."""

    entries: list[Any]


class Scores(Column):
    """Scores of one system, as integers in units of 1/``scale``."""

    scale: int = 1


def read_column(column: Any, argument: str, statistic: Statistic, decimals: int | None = None) -> Column:
    """Read the entries of one system once, for any number of tests.

    Raises ``WrongType`` or ``ExactPermError`` with the argument, the position and the value that has no meaning.
    """
    if not isinstance(statistic, Statistic):
        raise WrongType(f"statistic is {short_text(statistic)}: it must be a Statistic; exact_perm_test takes g and h")
    if statistic.read is exact_column and statistic.components == difference.components:
        return read_scores(column, argument, decimals)
    if statistic.read is not None:
        return Column(entries=statistic.read(column, argument, decimals))
    if decimals is not None:
        raise ExactPermError(f"decimals applies to numeric scores, but {statistic.name!r} receives raw entries")
    return Column(entries=entries(column, argument))


def read_scores(column: Any, argument: str, decimals: int | None = None) -> Scores:
    """Read the scores of one system; errors as for :func:`read_column`.

    >>> read_scores([0.5, 1], "u")
    Scores(entries=[1, 2], scale=2)
    """
    numbers, scale = scaled_column(column, argument, decimals)
    return Scores(entries=numbers, scale=scale)


def score_differences(u: Any, v: Any, decimals: int | None = None) -> tuple[list[int], int]:
    """Return (integers, scale): the differences of two columns of scores, in units of 1/scale.

    >>> score_differences([0.5, 1], ["0.25", 0])
    ([1, 4], 4)
    """
    check_alignment((u, v))
    return subtracted(read_scores(u, "u", decimals), read_scores(v, "v", decimals))


def subtracted(first: Scores, second: Scores, names: Sequence[str] = ("u", "v")) -> tuple[list[int], int]:
    """Return (integers, scale): the differences of two columns of scores."""
    check_paired(first.entries, second.entries, names)
    scale = common_multiple({first.scale, second.scale}, len(first.entries) + len(second.entries))
    a, b = [
        column.entries if column.scale == scale else [x * (scale // column.scale) for x in column.entries]
        for column in (first, second)
    ]
    return list(map(sub, a, b)), scale


def check_paired(first: Sequence[Any], second: Sequence[Any], names: Sequence[str] = ("u", "v")) -> None:
    """Raise ``ExactPermError`` unless two columns have the same number of entries, at least one."""
    u, v = names
    if len(first) != len(second):
        raise ExactPermError(f"{u} has {len(first)} entries and {v} has {len(second)}: they must be paired")
    if not first:
        raise ExactPermError(f"{u} and {v} are empty: a test needs at least one pair")


def unit_numbers(groups: Any, n: int) -> list[int]:
    """Return the number of the swap unit of each of n pairs, from 0 in order of appearance.

    ``groups`` has one hashable label per pair; None makes each pair a unit. Raises ``ExactPermError`` for a wrong
    number of labels and for missing ones, ``WrongType`` for labels that cannot be hashed.
    Source: spec/09-own-theorems.md.

    >>> unit_numbers(["a", "b", "a"], 3)
    [0, 1, 0]
    """
    if groups is None:
        return list(range(n))
    labels = entries(groups, "groups")
    if len(labels) != n:
        raise ExactPermError(f"groups has {len(labels)} labels for {n} pairs")
    check_labels(labels, "groups")
    numbers: dict[Any, int] = {}
    for position, label in enumerate(labels):
        try:
            numbers.setdefault(label, len(numbers))
        except TypeError:
            raise WrongType(f"groups[{position}] is {short_text(label)}: labels must be hashable") from None
    return [numbers[label] for label in labels]


def check_labels(labels: Sequence[Any], argument: str) -> None:
    """Raise ``ExactPermError`` where a label is missing."""
    if set(map(type, labels)) <= {str, int}:  # never missing, and told apart from the rest in a tenth of the time
        return
    for position, label in enumerate(labels):
        if is_missing(label):
            raise ExactPermError(f"{argument}[{position}] is {short_text(label)}: the label is missing")
