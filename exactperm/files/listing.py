"""Tables, what can be said of their columns, and the error that asks: the one answer to "which columns?"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.rational import ratio
from ..arithmetic.writing import decimal_string, number_text
from ..errors import Cure, ExactPermError
from ..record import Record, lazy
from . import numbers

if TYPE_CHECKING:
    from ..arithmetic.rational import Exact

_SHOWN = 12
"""Columns that a text lists; the data have all."""

_SHORT = 8
"""Characters of a number that is written in full."""

_WIDEST = 30
"""Characters of a name in a list."""


class Place(Record):
    """One cell: its file, line, column and text; the ``unit`` of lines is "record" in JSON."""

    file: str
    line: int
    column: str
    cell: str
    unit: str = "line"

    def __str__(self) -> str:
        return printable(f"{self.file}, {self.unit} {self.line}, column {self.column}")


class Table(Record):
    """The cells of one file by columns, all of the same length, at least one.

    ``name`` is the file's name for messages, ``sha256`` that of its bytes, ``names`` are those of the columns ("" for
    none), ``lines`` where the rows begin. ``form`` is "table", "json" or the name of a tool. ``header`` is the line of
    the names, 0 for none; ``comments`` and ``blanks`` are the lines that were left out, ``delimiter`` is the character
    between cells. ``id``, ``run``, ``groups``, ``weights`` and ``tasks`` are the places of columns that a tool or the
    reading knows, -1 for none; ``same`` is that of what a row of that id has in every file, which is not shown. An item
    without a row has the score ``absent``, unless that is None.
    """

    name: str
    names: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]
    form: str = "table"
    sha256: str = ""
    header: int = 0
    comments: tuple[int, ...] = ()
    blanks: tuple[int, ...] = ()
    delimiter: str = ""
    id: int = -1
    run: int = -1
    groups: int = -1
    weights: int = -1
    tasks: int = -1
    same: int = -1
    absent: str | None = None

    @lazy
    def _number(self) -> Counter[str]:
        """How many columns have each name."""
        return Counter(self.names)

    @property
    def known(self) -> bool:
        """Whether a known tool wrote the file, so that its ids are."""
        return self.form not in ("table", "json")

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.names)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.lines)

    def title(self, i: int) -> str:
        """Return the name of column i for people: its own, or its number."""
        return (i < self.width and self.names[i]) or f"column {i + 1}"

    def word(self, i: int) -> str:
        """Return the word that chooses column i: its name where that is the only one, else its number."""
        name = self.names[i]
        return name if name and self._number[name] == 1 else str(i + 1)

    def place(self, row: int, i: int) -> Place:
        """Return the place of a cell."""
        unit = "line" if self.form == "table" else "record"
        return Place(
            file=self.name,
            line=self.lines[row],
            column=self.title(i),
            cell=self.columns[i][row],
            unit=unit,
        )


class ColumnFacts(Record):
    """What a column holds: ``kind`` is "numbers", "texts", "mixed" or "empty", missing cells apart.

    ``word`` chooses the column, whose place counts from 1; ``distinct`` is the number of different cells, ``missing``
    that of cells without a value. ``least`` and ``greatest`` are those of numbers, else None.
    """

    name: str
    word: str
    place: int
    kind: str
    distinct: int
    missing: int
    least: Exact | None = None
    greatest: Exact | None = None

    def __str__(self) -> str:
        if self.kind == "empty":
            return "empty"
        left = f", {self.missing} missing" if self.missing else ""
        if self.kind == "texts":
            return f"{self.distinct} different texts{left}"
        if self.kind == "mixed":
            return f"texts and numbers, {self.distinct} different{left}"
        ends = " to ".join(short(end) for end in (self.least, self.greatest) if end is not None)
        return f"numbers from {ends}, {self.distinct} different{left}"


def short(value: Exact) -> str:
    """Write a number for people: in full where it is short, else with six digits.

    >>> from fractions import Fraction
    >>> short(Fraction(1, 4)), short(Fraction(1, 3))
    ('0.25', '0.333333')
    """
    text = number_text(value)
    return text if len(text) <= _SHORT and "/" not in text else decimal_string(value, 6)


class Listing(Record):
    """The columns of a file with their facts; as a text, a line for each of the first ones."""

    columns: tuple[ColumnFacts, ...]

    def __str__(self) -> str:
        shown = self.columns[:_SHOWN]
        names = [printable(facts.name or f"column {facts.place}") for facts in shown]
        names = [name if len(name) <= _WIDEST else f"{name[: _WIDEST - 3]}..." for name in names]
        width = max(map(len, names))
        lines = [f"  {name:{width}}  {facts}" for name, facts in zip(names, shown)]
        more = [f"  and {len(self.columns) - _SHOWN} more"] if len(self.columns) > _SHOWN else []
        return "\n".join([*lines, *more])


def facts_of(table: Table, i: int, decimal: str | None = None) -> ColumnFacts:
    """Return what column i holds."""
    cells = table.columns[i]
    read = numbers.read(cells, decimal)
    missing, wrong = len(read.missing), len(read.wrong)
    kind = "mixed"
    if missing == table.rows:
        kind = "empty"
    elif not wrong:
        kind = "numbers"
    elif missing + wrong == table.rows:
        kind = "texts"
    least = greatest = None
    if kind == "numbers":
        values, scale = numbers.scaled(list(filter(None, read.texts)))
        least, greatest = ratio(min(values), scale), ratio(max(values), scale)
    return ColumnFacts(
        name=table.names[i],
        word=table.word(i),
        place=i + 1,
        kind=kind,
        distinct=len({*cells}),
        missing=missing,
        least=least,
        greatest=greatest,
    )


def listing_of(table: Table, decimal: str | None = None) -> Listing:
    """Return the columns of a table with their facts. Cost: a reading of all cells."""
    facts = [facts_of(table, i, decimal) for i in range(table.width)]
    return Listing(columns=tuple(facts))


class Ask(ExactPermError):
    """A file that has no single reading, or none: what to say, where, and what there is.

    ``argument`` is the setting whose value is asked for, "" where none helps; ``answers`` are ways to answer, and
    ``cure`` is the only one. ``place`` is the cell that is meant, ``listing`` has the columns to choose from.
    """

    def __init__(
        self,
        message: str,
        code: str = "",
        argument: str = "",
        *,
        answers: Sequence[Cure] = (),
        place: Place | None = None,
        listing: Listing | None = None,
    ) -> None:
        self.question = message
        self.argument = argument
        self.answers = tuple(answers)
        self.place = place
        self.listing = listing
        where = "" if place is None else f"{place}: "
        below = "" if listing is None else f"\n{listing}"
        cure = self.answers[0] if len(self.answers) == 1 else None
        super().__init__(f"{where}{message}{below}", code=code, cure=cure)

    def __reduce__(self) -> tuple[object, ...]:
        names = "code", "argument", "answers", "place", "listing"
        return partial(Ask, **{name: getattr(self, name) for name in names}), (self.question,)


def which(
    table: Table, code: str, what: str, argument: str, decimal: str | None, *answers: Cure
) -> Ask:
    """Return the question which columns are meant, with the listing of all."""
    columns = f"{table.width} columns" if table.width > 1 else "1 column"
    message = f"{printable(table.name)} has {columns}; {what}"
    return Ask(
        message, code=code, argument=argument, answers=answers, listing=listing_of(table, decimal)
    )


def quoted(words: Sequence[str], most: int = _SHOWN) -> str:
    """Return words for a message, the first of many."""
    return ", ".join(map(short_text, words[:most])) + ", ..." * (len(words) > most)
