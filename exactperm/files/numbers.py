"""Read the cells of chosen columns as numbers: missing values, decimal marks, percentages; errors name the cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import number
from ..errors import Cure, ExactPermError
from ..record import Record
from .cells import BOOLEANS, MISSING_CELLS, is_name

if TYPE_CHECKING:
    from .parts import Part
    from .tables import Table


_THOUSANDS = r"[+-]?[1-9]\d{0,2},\d{3}"
PERCENT = (
    "remove the % sign from every row: all scores in percent have the same p-value as shares of 1"
)


def is_number(cell: str) -> bool:
    """Whether a cell is a number as scores are written.

    >>> is_number("1e-3"), is_number("1,5")
    (True, False)
    """
    try:
        number(cell)
    except ExactPermError:
        return False
    return True


def as_float(cell: str) -> float:
    """Return a number, which may have a decimal comma, rounded to a double.

    Raises ``ValueError`` for anything else.

    >>> as_float("1,5"), as_float("1e-3")
    (1.5, 0.001)
    """
    return float(cell.replace(",", ".") if cell.count(",") == 1 and "." not in cell else cell)


def is_missing(cell: str, kind: str) -> bool:
    """Whether a cell stands for no value; a word such as NA may be a label."""
    return cell == "" or (kind != "labels" and cell.lower() in MISSING_CELLS)


class Place(Record):
    """One cell, for messages: its ``row`` and column ``i`` in a table.

    ``item`` is the column of the ids, -1 for none, ``chosen`` are all columns that the test needs.
    """

    table: Table
    row: int
    i: int
    item: int
    chosen: tuple[int, ...]

    @property
    def cell(self) -> str:
        """The text of the cell."""
        return self.table.rows[self.row][self.i]

    def __str__(self) -> str:
        return self.table.place(self.row, self.i, self.item)


def columns(part: Part, rows: Sequence[int], kind: str) -> tuple[list[list[str]], bool]:
    """Return the cells of the chosen columns in these rows, checked, and whether they have decimal commas.

    Numbers are texts that ``exact`` reads, with a decimal point, true and false as 1 and 0; labels
    are as written. Raises ``ExactPermError`` for a missing or wrong cell.
    """
    table, chosen = part.table, part.chosen
    comma = kind != "labels" and decimal_mark(table, chosen, rows)
    found = []
    for i in chosen:
        checked: dict[str, str] = {}
        column = table.column(i)
        for row in rows:  # each text once: real scores repeat
            cell = column[row]
            if cell not in checked:
                place = Place(table=table, row=row, i=i, item=part.id, chosen=chosen)
                if is_missing(cell, kind):
                    raise _missing(place, kind)
                checked[cell] = cell if kind == "labels" else _number(place, kind, comma=comma)
        found.append([checked[column[row]] for row in rows])
    return found, comma


def decimal_mark(table: Table, chosen: Sequence[int], rows: Sequence[int]) -> bool:
    """Whether commas are the decimal marks of the chosen cells; decided once, from all of them.

    Raises ``ExactPermError`` where one file has points and commas, and where commas may separate
    thousands.
    """
    if table.decimal == "point" or (table.decimal == "auto" and table.delimiter == ","):
        return False
    commas: list[tuple[int, int, str]] = []
    points: list[tuple[int, int, str]] = []
    for i in chosen:
        for row in rows:
            cell = table.rows[row][i]
            if "," in cell:
                commas.append((row, i, cell))
            elif "." in cell and not points and not is_name(cell):
                points.append((row, i, cell))
    points += [found for found in commas if "." in found[2]][:1] if not points else []
    if commas and points:
        first, second = sorted((commas[0], points[0]))
        marks = " and ".join(
            f"{short_text(cell)} in line {table.lines[row]}" for row, _i, cell in (first, second)
        )
        row, i, _cell = max(commas[0], points[0])
        raise ExactPermError(
            f"{table.place(row, i)}: decimal points and decimal commas in one file: {marks}",
            code="marks",
        )
    if points and table.decimal == "comma":
        row, i, cell = points[0]
        raise ExactPermError(
            f"{table.place(row, i)}: {short_text(cell)} has a point, not a decimal comma",
            code="marks",
        )
    if (
        commas
        and table.decimal == "auto"
        and all(re.fullmatch(_THOUSANDS, cell, re.ASCII) for _row, _i, cell in commas)
    ):
        row, i, cell = commas[0]
        cure = Cure(
            {"decimal": "comma"},
            words="if the comma is a decimal one, or remove separators of thousands",
        )
        raise ExactPermError(
            f"{table.place(row, i)}: {short_text(cell)} has two meanings",
            code="thousands",
            cure=cure,
        )
    return bool(commas)


def _missing(place: Place, kind: str) -> ExactPermError:
    if place.cell:
        what = f"{short_text(place.cell)} marks a missing score"
    elif place.table.keyed:
        what = "the value is missing or null"
    else:
        what = "the label is missing" if kind == "labels" else "the cell is empty"
    cure = Cure({"missing": "drop"}, words="to leave such pairs out")
    return ExactPermError(f"{place}: {what}", code="missing-cell", cure=cure)


def _number(place: Place, kind: str, *, comma: bool) -> str:
    """Return the text of a number."""
    cell = place.cell
    text = BOOLEANS.get(cell.lower()) or (cell.replace(",", ".") if comma else cell)
    try:
        negative = number(text) < 0
    except ExactPermError as error:
        raise _no_score(place, str(error)) from None
    if negative and kind == "counts":
        raise ExactPermError(
            f"{place}: {short_text(cell)} is negative, but these are counts", code="count"
        )
    return text


def _no_score(place: Place, reason: str) -> ExactPermError:
    """Return the error for a cell that is no number, with what may be meant."""
    cell, table, cure = place.cell, place.table, None
    if cell.endswith("%"):
        shares = [
            j for j in place.chosen if not any(other.endswith("%") for other in table.column(j))
        ]
        cure = Cure(
            words="the columns have different scales: write both as shares of 1"
            if shares
            else PERCENT
        )
    elif cell[0] in "\N{MINUS SIGN}\N{EN DASH}" and not is_name(cell) and len(cell) > 1:
        cure = Cure(words=f"write the minus sign as -, not as {cell[0]}")
    elif "," in cell and has_quoted_commas(table):
        cure = Cure(
            {"delimiter": "comma", "decimal": "comma"}, words="for decimal commas in quotes"
        )
    elif cell.startswith("["):
        cure = Cure(words="write each run as a row, or as a key of its own, such as s1")
    elif not any(map(str.isalnum, cell)):
        cure = Cure(words="write NA for a missing score")
    elif place.row == 0 and table.header is None and is_name(cell):
        cure = Cure({"header": "yes"}, words=f"if line {table.lines[0]} is a header")
    message = f"{place}: {short_text(cell)} is no score"
    return ExactPermError(message if cure else f"{message}: {reason}", code="no-score", cure=cure)


def has_quoted_commas(table: Table) -> bool:
    """Whether a comma-separated file has a number with a decimal comma, in quotes, and nothing was said of it."""
    if table.delimiter != "," or table.decimal != "auto":
        return False
    cells: Iterable[str] = (cell for row in table.rows for cell in row if "," in cell)
    return any(re.fullmatch(r"-?\d+,\d+", cell, re.ASCII) for cell in islice(cells, 10_000))
