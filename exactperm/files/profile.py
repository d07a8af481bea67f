"""Profile of a table: what each column holds, judged once by its name and its cells."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from .._types import TYPE_CHECKING
from ..record import Record
from .cells import (
    BOOLEANS,
    MISSING_CELLS,
    are_classes,
    is_name,
    names_gold,
    names_ids,
    names_no_score,
    names_systems,
    numbers_items,
    role,
)

if TYPE_CHECKING:
    from .tables import Table


_MOST = 1000
"""Most columns that are looked at; 999 is the last that a span such as 2-9 reaches."""


class Column(Record):
    """One column: its ``name``, the ``word`` that chooses it, its ``place`` from 0, its ``cells``, and their kind.

    ``headed`` says that the table has a header. The kind is what this column seems to hold; the
    ``kind`` of a test ("scores", "labels", "counts") is what it needs.

    Kinds are "id" (names or numbers of items), "score", "gold" (right labels), "label" (names that
    repeat), "count" (tp, fp, fn by its name), "system" (names of systems) and "other": numbers that
    are no scores, and free text.
    """

    name: str
    word: str
    place: int
    cells: list[str]
    headed: bool = True

    @cached_property
    def kind(self) -> str:
        """What the column holds, judged where it is needed."""
        numbered = self.headed and not self.name  # as pandas heads the numbers of rows
        return kind_of("index" if numbered else self.name, self.cells)


def columns_of(table: Table) -> list[Column]:
    """Return the first columns of a table with their kinds."""
    return [
        Column(
            name=table.heading(i),
            word=table.word(i),
            place=i,
            cells=table.column(i),
            headed=table.header is not None,
        )
        for i in range(min(table.width, _MOST))
    ]


def kind_of(name: str, cells: Sequence[str]) -> str:
    """Return what a column holds; see :class:`Column`.

    >>> kind_of("item", ["1", "2"]), kind_of("A", ["0.5", "1"]), kind_of("gold", ["x", "y"]), kind_of("", ["a", "b"])
    ('id', 'score', 'gold', 'id')
    """
    short = name.rpartition(".")[2] or name
    filled = [cell for cell in cells if cell.lower() not in MISSING_CELLS]
    distinct = {*filled}
    numbers = not any(is_name(cell) for cell in distinct)
    if not filled:
        return "other"
    if names_gold(short) and (not numbers or are_classes(filled)):
        return "gold"
    if numbers:
        if numbers_items(short, filled):
            return "id"
        if role(short) in ("tp", "fp", "fn", "fp + fn") and all(map(str.isdecimal, distinct)):
            return "count"
        return "other" if names_no_score(short) and not distinct <= {*BOOLEANS} else "score"
    if names_systems(short) and (len(cells) > 1 or len(distinct) == len(cells)):
        return "system"
    texts = all(map(is_name, distinct))
    if len(distinct) == len(cells) and (names_ids(short) or (texts and len(cells) > 1)):
        return "id"
    repeats = texts and 2 * len(distinct) <= len(filled)
    return "id" if names_ids(short) and not repeats else "label" if repeats else "other"


def of_kind(columns: Sequence[Column], *kinds: str) -> list[Column]:
    """Return the columns of these kinds."""
    return [column for column in columns if column.kind in kinds]
