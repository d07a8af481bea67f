"""The check of files side by side: columns which say that rows in the same position are of other items."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from ..arithmetic.quoting import short_text
from ..errors import Cure
from . import parts
from .cells import names_fixed, names_given, names_ids, names_output, numbers_items
from .numbers import is_number
from .parts import Part, View
from .profile import Column


def moved_items(view: View) -> Iterator[tuple[str, Cure | None]]:
    """Yield where files that are joined by position have other items in some row."""
    first, *others = view.parts
    for part in others:
        found = [_compared(first, column, part) for column in first.rest]
        pairs = [pair for pair in found if pair is not None]
        equal = [a for a, b in pairs if a.cells == b.cells]
        sure = any(column.kind == "id" and not numbers_items("", column.cells) for column in equal)
        yield from _moved(first, part, pairs, sure=sure)
        yield from _elsewhere(first, part)


def _compared(first: Part, column: Column, part: Part) -> tuple[Column, Column] | None:
    """Return a column and its counterpart in another file, None where it has none or that holds scores."""
    place = parts.counterpart(part, column.name, column.place)
    if place in (-1, *part.chosen, part.label) or place >= len(part.columns):
        return None
    return column, part.columns[place]


def _moved(
    first: Part, part: Part, pairs: Sequence[tuple[Column, Column]], *, sure: bool
) -> Iterator[tuple[str, Cure | None]]:
    for a, b in pairs:
        how = "" if a.cells == b.cells else _differs(a, b, sure=sure)
        if how:
            unique = len({*a.cells}) == len(a.cells) and bool({*a.cells} & {*b.cells})
            named = a.word == b.word or a.name.casefold() == b.name.casefold() != ""
            word = a.word if named else str(a.place + 1)
            yield _told(first, part, a, b, how), Cure({"id": word}) if unique else None


def _differs(a: Column, b: Column, *, sure: bool) -> str:
    """Return what two columns say of the items, "" where they may be what two systems wrote.

    With ``sure`` a column of ids agrees everywhere: then others that share no value name runs, not
    items.
    """
    here, there = Counter(a.cells), Counter(b.cells)
    short = a.name.rpartition(".")[2]
    output = names_output(short) and not names_ids(short)
    if sure:
        return "other items by {}" if names_fixed(short) and not output and here & there else ""
    if here == there:
        texts = not all(map(is_number, here))
        distinct = 2 * len(here) > len(a.cells)
        moved = a.kind == "id" or (
            (distinct or texts or names_fixed(short) or names_given(short)) and not output
        )
        return "the same items by {}, in another order" if moved else ""
    if _are_ids(a, b) or (not output and (names_fixed(short) or names_given(short))):
        return "other items by {}"
    shared = a.kind == "id" and not output and _share(here, there) and _moves(a.cells, b.cells)
    return "other items by {}" if shared else ""


def _are_ids(a: Column, b: Column) -> bool:
    """Whether two columns name the items: by their names, or by texts that look like codes."""
    if names_ids(a.name.rpartition(".")[2]) and a.kind == "id":
        return True
    return (
        a.kind == b.kind == "id"
        and bool({*a.cells} & {*b.cells})
        and all(map(_CODE.fullmatch, a.cells))
    )


_CODE = re.compile(r"[\w./:#-]*\d[\w./:#-]*")


def _share(here: Counter[str], there: Counter[str]) -> bool:
    """Whether most texts of two columns occur in both."""
    return 2 * len(here.keys() & there.keys()) > max(len(here), len(there))


def _moves(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether a text stands in another row of the second file, which no answer of a system does."""
    rows = {cell: i for i, cell in enumerate(first)}
    return any(
        rows.get(cell, i) != i and first[i : i + 1] != [cell] for i, cell in enumerate(second)
    )


def _told(first: Part, part: Part, a: Column, b: Column, how: str) -> str:
    row = next(
        (i for i, (x, y) in enumerate(zip(a.cells, b.cells)) if x != y),
        min(len(a.cells), len(b.cells)),
    )
    here, there = [short_text(c.cells[row]) if row < len(c.cells) else "missing" for c in (a, b)]
    by = how.format(short_text(a.name or a.word))
    return (
        f"{first.table.name} and {part.table.name} have {by}: row {row + 1} is {here} in one and {there} in the other, "
        "and rows in the same position are compared"
    )


def _elsewhere(first: Part, part: Part) -> Iterator[tuple[str, Cure | None]]:
    """Yield ids that another column of the second file holds in another order."""
    for a in first.rest:
        if a.kind != "id":
            continue
        for b in part.rest:
            same = parts.counterpart(part, a.name, a.place) == b.place
            if not same and a.cells != b.cells and sorted(a.cells) == sorted(b.cells):
                yield (
                    _told(first, part, a, b, "the same items by {}, in another order"),
                    Cure(words="give the columns of the ids one name, and choose it as id"),
                )
