"""Tables: cells by columns, what is a number among them, and the error that asks with the listing of columns.

A number is an integer, a decimal, one with an exponent, a fraction k/n, or true or false. A comma is a decimal mark
only where the reading says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.rational import ratio
from ..arithmetic.reading import number, scaled_column
from ..arithmetic.writing import decimal_string, number_text
from ..errors import Cure, ExactPermError
from ..record import Record, lazy

if TYPE_CHECKING:
    from ..arithmetic.rational import Exact

_SHOWN = 12
"""Columns that a text lists; the data have all."""

_SHORT = 8
"""Characters of a number that is written in full."""

_WIDEST = 30
"""Characters of a name in a list."""

_MISSING = frozenset(("", "na", "n/a", "nan", "nat", "null", "none", "<na>", "#n/a", "."))
"""Cells without a value, in lower case."""

_WORDS = {"true": "1", "false": "0"}
"""Cells that are numbers by their words, in lower case."""

_PLAIN = re.compile(r"^-?\d{1,18}(?:\.\d{1,18})?$", re.ASCII | re.MULTILINE)
"""The commonest numbers, which need no further look."""

_WITH_COMMA = r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?"
_THOUSANDS = r"[+-]?[1-9]\d{0,2}(?:,\d{3})+"


# ---------------------------------------------------------------------------------------------- numbers


def is_missing(cell: str) -> bool:
    """Return whether a cell stands for no value.

    >>> is_missing("NaN"), is_missing("0")
    (True, False)
    """
    return len(cell) < 5 and cell.lower() in _MISSING


def text_of(cell: str, decimal: str | None = None) -> str:
    """Return a cell as a text that ``exact`` reads, "" where it is no number.

    >>> text_of("0,5", "comma"), text_of("0,5"), text_of("True")
    ('0.5', '', '1')
    """
    text = cell
    if decimal == "comma":
        text = "" if "." in cell else cell.replace(",", ".")
    if len(cell) < 6:
        text = _WORDS.get(cell.lower(), text)
    if not re.search(r"\d", text):  # as most texts
        return ""
    try:
        number(text)
    except ExactPermError:
        return ""
    return text


def read(cells: Sequence[str], decimal: str | None = None) -> Sequence[object]:
    """Return cells as texts that ``exact`` reads, "" for missing values and None for cells that are neither.

    Cells of the commonest form are not read one by one.

    >>> read(["true", "NA", "x"])
    ['1', '', None]
    """
    text = "" if decimal == "comma" else "\n".join(cells)
    if text.count("\n") == len(cells) - 1 and len(_PLAIN.findall(text)) == len(cells):
        return cells
    meaning: dict[str, str | None] = {}
    for cell in {*cells}:
        other = "" if is_missing(cell) else None
        meaning[cell] = text_of(cell, decimal) or other
    return [*map(meaning.__getitem__, cells)]


def scaled(texts: Sequence[str], decimals: int | None = None) -> tuple[list[int], int]:
    """Return (integers, scale): the numbers of texts times a common denominator.

    >>> scaled(["0.50", "1.25"]), scaled(["1/3", "1"])
    (([50, 125], 100), ([1, 3], 3))
    """
    places = len(texts[0]) - 1 - texts[0].rfind(".") if "." in texts[0] else 0
    try:  # most columns have a point in one place, and no sign of another form
        if decimals is None and places and {*map(itemgetter(-1 - places), texts)} == {"."}:
            return list(map(int, "\n".join(texts).replace(".", "").split("\n"))), 10**places
    except (IndexError, ValueError):
        pass
    return scaled_column(texts, "scores", decimals)


def decimal_commas(cells: Sequence[str]) -> bool:
    """Return whether cells have decimal commas: some are numbers with one, and not each may separate thousands.

    >>> decimal_commas(["0,5", "1"]), decimal_commas(["1,234", "2"]), decimal_commas(["x"])
    (True, False, False)
    """
    found = [cell for cell in cells if "," in cell and re.fullmatch(_WITH_COMMA, cell, re.ASCII)]
    return not all(re.fullmatch(_THOUSANDS, cell, re.ASCII) for cell in found)


def number_items(texts: Sequence[str]) -> bool:
    """Return whether numbers may number the items: all are different whole ones.

    >>> number_items(["7", "3"]), number_items(["7", "7"]), number_items(["0.5", "1"])
    (True, False, False)
    """
    whole = all(isinstance(number(text), int) for text in texts)
    return whole and len({*map(number, texts)}) == len(texts)


def short(value: Exact) -> str:
    """Write a number for people: in full where it is short, else with six digits.

    >>> from fractions import Fraction
    >>> short(Fraction(1, 4)), short(Fraction(1, 3))
    ('0.25', '0.333333')
    """
    text = number_text(value)
    return text if len(text) <= _SHORT and "/" not in text else decimal_string(value, 6)


# ---------------------------------------------------------------------------------------------- tables


class Place(Record):
    """One cell: its file, line, column and text; the ``unit`` of lines is "record" in JSON."""

    file: str
    line: int
    column: str
    cell: str
    unit: str = "line"

    def __str__(self) -> str:
        return printable(f"{self.file}, {self.unit} {self.line}, column {self.column}")


class File(Record):
    """One file and how it was read.

    ``name`` is that for messages, ``sha256`` that of the bytes, ``form`` is "table", "json" or the name of a tool.
    ``header`` is the line of the names of columns, 0 for none; ``comments`` and ``blanks`` are the lines left out.
    """

    name: str
    sha256: str = ""
    form: str = "table"
    header: int = 0
    comments: tuple[int, ...] = ()
    blanks: tuple[int, ...] = ()

    def how(self) -> list[tuple[str, str]]:
        """Return how the file was read, as titles and texts."""
        if self.form != "table":
            return [("format", "JSON" if self.form == "json" else self.form)]
        rows = [("header", f"line {self.header}" if self.header else "none")]
        left = [("comments", self.comments), ("blank lines", self.blanks)]
        return rows + [(title, f"{len(lines)} left out") for title, lines in left if lines]

    def to_dict(self) -> dict[str, object]:
        """Return a JSON-ready form."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "format": self.form,
            "header_line": self.header or None,
            "comment_lines": list(self.comments),
            "blank_lines": list(self.blanks),
        }


class Table(File):
    """The cells of one file by columns, all of the same length, at least one.

    ``names`` are those of the columns ("" for none), ``lines`` where the rows begin, ``delimiter`` is the character
    between cells, ``decimal`` the decimal mark that is said. ``id``, ``run``, ``groups``, ``weights`` and ``tasks`` are
    the places of columns that a tool or the reading knows, -1 for none; ``same`` is that of what a row of that id has in
    every file, which is not shown. An item without a row has the score ``absent``, unless that is None.
    """

    names: tuple[str, ...]
    columns: tuple[Sequence[str], ...]
    lines: Sequence[int]
    delimiter: str = ""
    decimal: str | None = None
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

    @lazy
    def _read(self) -> dict[int, Sequence[object]]:
        """The columns that were read as numbers."""
        return {}

    def numbers(self, i: int) -> Sequence[Any]:
        """Return column i as numbers; see :func:`read`."""
        if i not in self._read:
            self._read[i] = read(self.columns[i], self.decimal)
        return self._read[i]

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
        line = self.lines[row]
        cell = self.columns[i][row]
        title = self.title(i)
        return Place(file=self.name, line=line, column=title, cell=cell, unit=unit)


class ColumnFacts(Record):
    """What a column holds: ``kind`` is "numbers", "texts", "mixed" or "empty", missing cells apart.

    ``word`` chooses the column, whose place counts from 1; ``distinct`` is the number of different cells, ``missing``
    that of cells without a value. ``ends`` are the least and the greatest number of numbers.
    """

    name: str
    word: str
    place: int
    kind: str
    distinct: int
    missing: int
    ends: tuple[Exact, ...] = ()

    def __str__(self) -> str:
        many = f"{self.distinct} different"
        ends = [short(end) for end in dict.fromkeys(self.ends)]
        between = f"from {' to '.join(ends)}, {many}" if len(ends) > 1 else f"all {''.join(ends)}"
        said = {
            "empty": "empty",
            "texts": f"{many} texts",
            "mixed": f"texts and numbers, {many}",
            "numbers": f"numbers {between}",
        }[self.kind]
        return f"{said}, {self.missing} missing" if self.missing and self.kind != "empty" else said


def facts_of(table: Table, i: int) -> ColumnFacts:
    """Return what column i holds."""
    texts = table.numbers(i)
    missing = texts.count("")
    wrong = texts.count(None)
    ends: tuple[Exact, ...] = ()
    if missing == table.rows:
        kind = "empty"
    elif wrong:
        kind = "texts" if missing + wrong == table.rows else "mixed"
    else:
        values, scale = scaled([*filter(None, texts)])
        kind = "numbers"
        ends = (ratio(min(values), scale), ratio(max(values), scale))
    return ColumnFacts(
        name=table.names[i],
        word=table.word(i),
        place=i + 1,
        kind=kind,
        distinct=len({*table.columns[i]}),
        missing=missing,
        ends=ends,
    )


class Listing(Record):
    """The columns of a file with their facts; as a text, a line for each of the first ones.

    ``ids`` says whether the ids of the items are known.
    """

    columns: tuple[ColumnFacts, ...]
    ids: bool = False

    def __str__(self) -> str:
        shown = self.columns[:_SHOWN]
        more = len(self.columns) - _SHOWN
        names = [printable(facts.name or f"column {facts.place}") for facts in shown]
        names = [name if len(name) <= _WIDEST else f"{name[: _WIDEST - 3]}..." for name in names]
        width = max(map(len, names))
        lines = [f"  {name:{width}}  {facts}" for name, facts in zip(names, shown)]
        return "\n".join([*lines, *[f"  and {more} more"] * (more > 0)])


# ---------------------------------------------------------------------------------------------- questions


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


def which(table: Table, code: str, what: str, argument: str, *answers: Cure) -> Ask:
    """Return the question which columns are meant, with the listing of all: its cost is a reading of all cells."""
    columns = f"{table.width} column{'s' * (table.width > 1)}"
    facts = tuple([facts_of(table, i) for i in range(table.width)])
    listing = Listing(columns=facts, ids=table.id >= 0)
    text = f"{printable(table.name)} has {columns}; {what}"
    return Ask(text, code, argument, answers=answers, listing=listing)


def quoted(words: Sequence[str], most: int = _SHOWN) -> str:
    """Return words for a message, the first of many."""
    return ", ".join(map(short_text, words[:most])) + ", ..." * (len(words) > most)
