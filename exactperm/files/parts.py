"""The part of each file that a test needs: which of its columns hold scores, ids and groups."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from ..record import Record
from .cells import names_ids
from .profile import Column, columns_of, of_kind

if TYPE_CHECKING:
    from .reading import Reading
    from .tables import Table


class Part(Record):
    """The columns of one file that a test needs, by their places: numbers from 0.

    ``chosen`` are the columns of scores, labels or counts; ``id`` is that of the ids, ``label``
    that of the groups, ``weight`` and ``task`` those of the items' weights and tasks, -1 for none.
    ``named`` says that the user chose the columns, ``evident`` that all but one of ids were taken
    unasked.
    """

    table: Table
    chosen: tuple[int, ...]
    id: int = -1
    label: int = -1
    weight: int = -1
    task: int = -1
    named: bool = False
    evident: bool = False

    @cached_property
    def columns(self) -> list[Column]:
        """All columns of the file, with what each holds."""
        return columns_of(self.table)

    @property
    def rest(self) -> list[Column]:
        """The columns that are neither chosen nor those of groups, weights and tasks; ids are among them."""
        return [
            column for column in self.columns if column.place not in (*self.chosen, *self.described)
        ]

    @property
    def described(self) -> tuple[int, ...]:
        """The places of the columns that describe items: groups, weights and tasks."""
        return self.label, self.weight, self.task

    def names(self, *, joined: bool) -> list[str]:
        """Return the names of the chosen columns, with the file's name in front where several are ``joined``."""
        table = self.table
        if joined and table.width == 1 and not table.header:
            return [table.name]
        return [
            f"{table.name}: {table.title(i)}" if joined else table.title(i) for i in self.chosen
        ]


class View(Record):
    """What checks of columns look at: the ``parts`` of all files, and how they are read.

    ``kind`` is that of the cells, ``roles`` what the two counts of each system must hold by their
    names.
    """

    parts: tuple[Part, ...]
    reading: Reading
    kind: str
    roles: tuple[str, ...] = ()


def part_of(table: Table, reading: Reading, kind: str, allowed: Sequence[int]) -> Part:
    """Return the part of a file that a reading chooses; where it chooses nothing, all but groups and known ids."""
    words = {"label": reading.groups, "weight": reading.weights, "task": reading.tasks}
    known: dict[str, Any] = {
        role: -1 if word is None else place_of(table, word, reading) for role, word in words.items()
    }
    item = -1 if reading.id is None else place_of(table, reading.id, reading)
    if reading.words:
        chosen = tuple([place_of(table, word, reading) for word in reading.words])
        return Part(table=table, chosen=chosen, id=item, named=True, **known)
    others = (item, *known.values())
    part = Part(
        table=table,
        chosen=tuple(i for i in range(table.width) if i not in others),
        id=item,
        **known,
    )
    ids = [] if reading.id else of_kind([c for c in part.columns if c.place in part.chosen], "id")
    rest = [column for column in part.columns if column.place in part.chosen and column not in ids]
    fits = {
        "scores": ("score",),
        "counts": ("count", "score"),
        "labels": ("gold", "label", "score"),
    }[kind]
    evident = (
        len(ids) == 1
        and len(rest) > 1
        and len(rest) in allowed
        and all(c.kind in fits for c in rest)
    )
    if not evident or (kind == "labels" and rest[0].kind != "gold"):
        return part
    return Part(table=table, chosen=tuple(c.place for c in rest), id=-1, evident=True, **known)


def place_of(table: Table, word: str, reading: Reading) -> int:
    """Return the place, from 0, of a column given by name or number; digits are a number unless the table has keys."""
    header = table.header or ()
    found = [i for i, name in enumerate(header) if name == word]
    if not found and word == reading.id:
        found = [i for i, name in enumerate(header) if names_alike(name, word)]
    if word.isdecimal() and not (table.keyed or table.widened):
        if not (len(word) < 10 and 1 <= int(word) <= table.width):
            raise ExactPermError(
                f"{table.name} has no column {word[:20]}: {table.listed()}", code="column"
            )
        place = int(word) - 1
        # the numbers of rows that pandas writes
        unnamed = word == reading.id and not table.heading(place)
        if found and found != [place] and not unnamed:
            raise ExactPermError(
                f"{table.name}: {word} may be the column of this name, or column {word}, which is named "
                f"{short_text(table.heading(place))}: rename it",
                code="header-numbers",
            )
        return place
    if len(found) > 1:
        where = table.name if table.keyed else f"{table.name}, line {table.header_line}"
        mend = "rename one" if table.widened else "choose by number"
        raise ExactPermError(
            f"{where}: {len(found)} columns are named {short_text(word)}: {mend}", code="column"
        )
    if not found:
        what = "no record has the key" if table.keyed else "no column is named"
        raise ExactPermError(
            f"{table.name}: {what} {short_text(word)}: {table.listed()}", code="column"
        )
    return found[0]


def names_alike(first: str, second: str) -> bool:
    """Whether two names of a column or key differ at most in case."""
    return first.casefold() == second.casefold()


def counterpart(part: Part, name: str, i: int) -> int:
    """Return the place of the column of this name in another file, -1 where it has none.

    That is place i where there are no names, or where both names are those of ids.
    """
    header = part.table.header
    if header and name:
        found = [j for j, other in enumerate(header) if names_alike(other, name)]
        if found:
            return found[0]
        if not (names_ids(name) and names_ids(part.table.heading(i))):
            return -1
    return i if i < part.table.width else -1
