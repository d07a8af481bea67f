"""Read the columns of a test, check that they are paired, and number their swap units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import chain
from operator import sub

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import common_denominator, scaled
from ..arithmetic.reading import entries, exact_column, is_missing, scaled_columns
from ..errors import Cure, ExactPermError, WrongType
from .statistic import Statistic, difference

Entries = list[Any]
"""Entries of a column, of any kind."""

_PLAIN = (list, tuple, type(None))
"""Types of columns without labels."""


def read_columns(
    columns: Mapping[str, object], statistic: Statistic, decimals: int | None = None
) -> tuple[Sequence[Entries], int]:
    """Return (entries of each column as g takes them, scale), once for any number of tests.

    Where g is the difference of exact numbers they are integers in units of 1/``scale``; for others
    ``scale`` is 0. ``columns`` have their names in messages. Raises ``WrongType`` or
    ``ExactPermError`` with the argument, the position and the value that has no meaning, or where
    columns are not paired.

    >>> read_columns({"u": [0.5, 1], "v": ["0.25", 0]}, difference)
    ([[2, 4], [1, 0]], 4)
    """
    read: Sequence[Entries]
    scale = 0
    if is_difference(statistic):
        read, scale = scaled_columns([*columns.values()], [*columns], decimals)
    elif statistic.read is not None:
        read = [statistic.read(column, name, decimals) for name, column in columns.items()]
    elif decimals is None:
        read = [entries(column, name) for name, column in columns.items()]
    else:
        raise ExactPermError(
            f"decimals applies to numeric scores, but {statistic.name!r} receives raw entries"
        )
    first, *others = columns
    for name, column in zip(others, read[1:]):
        check_paired(read[0], column, (first, name))
    if scale or statistic.components != difference.components:
        return read, scale
    numbers = list(chain.from_iterable(read))
    if not set(map(type, numbers)) <= {int, Fraction}:
        return read, 0
    scale = common_denominator(numbers, len(numbers))
    return [[scaled(x, scale) for x in column] for column in read], scale


def is_difference(statistic: Statistic) -> bool:
    """Return whether a statistic is a function of the sum of u - v of numeric scores; ``WrongType`` for no Statistic.

    >>> is_difference(difference)
    True
    """
    if not isinstance(statistic, Statistic):
        raise WrongType(
            f"statistic is {short_text(statistic)}: it must be a Statistic; exact_perm_test takes g and h"
        )
    return statistic.read is exact_column and statistic.components == difference.components


def score_differences(u: object, v: object, decimals: int | None = None) -> tuple[list[int], int]:
    """Return (integers, scale): the differences of two columns of scores, in units of 1/scale.

    >>> score_differences([0.5, 1], ["0.25", 0])
    ([1, 4], 4)
    """
    if type(u) is not list or type(v) is not list:  # lists have no labels
        check_alignment((u, v))
    (a, b), scale = scaled_columns((u, v), ("u", "v"), decimals)
    if not 0 < len(a) == len(b):
        check_paired(a, b)
    return list(map(sub, a, b)), scale


def check_paired(
    first: Sequence[object], second: Sequence[object], names: Sequence[str] = ("u", "v")
) -> None:
    """Raise ``ExactPermError`` unless two columns have the same number of entries, at least one."""
    u, v = names
    if len(first) != len(second):
        raise ExactPermError(
            f"{u} has {len(first)} entries and {v} has {len(second)}: they must be paired"
        )
    if not first:
        raise ExactPermError(f"{u} and {v} are empty: a test needs at least one pair")


def check_alignment(columns: Iterable[Any], names: Iterable[str] = ("u", "v", "groups")) -> None:
    """Raise ``ExactPermError`` where two of the columns have labels, but not the same ones in the same order.

    The same labels in another order would give another test, and no sum or mean would show it. No
    library is imported: labels are an ``index`` with a method ``equals``. Columns without labels
    (lists, tuples, arrays, polars Series) are paired by position. ``names`` name the arguments in
    the message. Cost: one comparison of the labels; none for lists and tuples.

    >>> check_alignment(([3, 1], (2, 2), None))
    """
    labelled = [(name, column) for name, column in zip(names, columns) if is_labelled(column)]
    for name, column in labelled[1:]:
        known, first = labelled[0]
        if not first.index.equals(column.index):
            raise _misaligned(known, first.index, name, column.index)
        ours, theirs = [list(getattr(table, "columns", ())) for table in (first, column)]
        if ours != theirs and sorted(map(repr, ours)) == sorted(map(repr, theirs)):
            both = f"{known} and {name} have the same columns in another order"
            raise ExactPermError(f"{both}: {short_text(theirs)}", code="labels-differ")


def is_labelled(column: object) -> bool:
    """Return whether a column has an index of labels, as a Series and a DataFrame do.

    >>> is_labelled([1, 2])
    False
    """
    return type(column) not in _PLAIN and hasattr(getattr(column, "index", None), "equals")


def _misaligned(
    known: str, first: Sequence[object], name: str, index: Sequence[object]
) -> ExactPermError:
    """Return the error that says how the labels of two columns differ, and how to align them."""
    what = f"{known} has {len(first)} labels and {name} has {len(index)}"
    if len(first) == len(index):
        same = sorted(map(repr, first)) == sorted(map(repr, index))
        i = next((i for i, (a, b) in enumerate(zip(first, index)) if a != b), 0)
        what = (
            f"{known} and {name} have {'the same labels in another order' if same else 'other labels'}: "
            f"{known}[{i}] is labelled {short_text(first[i])} and {name}[{i}] {short_text(index[i])}"
        )
    align = f"align them first, as {name}.reindex({known}.index) does, or drop the labels with .to_numpy()"
    return ExactPermError(
        f"{what}. Entries are paired by position: {align}",
        code="labels-differ",
        cure=Cure(words=align),
    )


def systems_of(scores: object, beside: Mapping[str, object]) -> dict[str, Any]:
    """Return the columns of at least two systems by their names: those of a mapping, or of a table of pandas or polars.

    Raises ``WrongType`` for anything else, ``ExactPermError`` where labels of the columns, or of
    those ``beside`` them, differ.

    >>> systems_of({"a": [1, 2], "b": [0, 1]}, {})
    {'a': [1, 2], 'b': [0, 1]}
    """
    if isinstance(scores, Mapping) or (hasattr(scores, "columns") and hasattr(scores, "items")):
        systems = dict(scores.items())
    elif hasattr(scores, "get_columns"):
        systems = {column.name: column for column in scores.get_columns()}
    else:
        raise WrongType(
            f"scores is {short_text(scores)}: it must map names of systems to columns of scores"
        )
    if len(systems) < 2:
        raise ExactPermError(f"scores has {len(systems)} systems: a comparison needs at least two")
    names = (*(f"scores[{name!r}]" for name in systems), *beside)
    check_alignment((*systems.values(), *beside.values()), names)
    return systems


def unit_numbers(groups: object, n: int, argument: str = "groups") -> list[int]:
    """Return the number of the swap unit of each of n pairs, from 0 in order of appearance.

    ``groups`` has one hashable label per pair; None makes each pair a unit. ``argument`` names the
    labels in errors: ``ExactPermError`` for a wrong number of labels and for missing ones,
    ``WrongType`` for labels that have no hash.
    Source: spec/09-own-theorems.md#own-groups.

    >>> unit_numbers(["a", "b", "a"], 3)
    [0, 1, 0]
    """
    if groups is None:
        return list(range(n))
    labels = read_labels(groups, argument, n)
    numbers = {label: i for i, label in enumerate(dict.fromkeys(labels))}
    return [numbers[label] for label in labels]


def read_labels(
    column: object, argument: str, n: int, entry: str = "pair", of: str = "pairs"
) -> Entries:
    """Return n hashable labels; errors as for :func:`unit_numbers`, with the words for an ``entry`` and all ``of`` them."""
    labels = labels_of(column, argument, entry)
    if len(labels) != n:
        raise ExactPermError(f"{argument} has {len(labels)} labels for {n} {of}")
    for position, label in enumerate(labels):
        try:
            hash(label)
        except TypeError:
            raise WrongType(
                f"{argument}[{position}] is {short_text(label)}: labels must be hashable"
            ) from None
    return labels


def check_same(
    first: Iterable[object],
    second: Iterable[object],
    names: tuple[str, str],
    what: str = "",
    why: str = "",
) -> None:
    """Raise ``ExactPermError`` where one of two collections has what the other has not.

    >>> check_same("ab", "ba", ("u", "v"))
    """
    for mine, other, (here, there) in ((first, second, names), (second, first, names[::-1])):
        lone = [one for one in mine if one not in other]
        if lone:
            raise ExactPermError(f"{here} has {what}{short_text(lone[0])} and {there} has not{why}")


def labels_of(column: object, argument: str, entry: str = "pair") -> Entries:
    """Return a column of labels, one for each ``entry``; raise ``ExactPermError`` where one is missing."""
    labels = entries(column, argument, entry)
    # never missing, and told apart from the rest in a tenth of the time
    if not set(map(type, labels)) <= {str, int}:
        for position, label in enumerate(labels):
            if is_missing(label):
                raise ExactPermError(
                    f"{argument}[{position}] is {short_text(label)}: the label is missing"
                )
    return labels
