"""Columns of numbers out of CSV-like text, with errors that name file, line, column and the offending text."""

from __future__ import annotations

import codecs
import csv
import re
import sys
from collections.abc import Callable, Iterator

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact
from ..errors import ExactPermError
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    Row = tuple[int, list[str]]
    """The number of the line where a row starts, from 1, and its cells."""

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}
"""Names of the delimiters; "space" means any run of white space."""

HEADERS = ("auto", "yes", "no")

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_MISSING = frozenset(("", "na", "n/a", "none", "null"))
_SAMPLE_LINES = 50
_SHOWN_NAMES = 12


class Sheet(Record):
    """Rows of one file: ``name`` for messages, ``delimiter``, ``rows`` of ``width`` cells each, at least one row."""

    name: str
    delimiter: str
    width: int
    rows: list[Row]


class Selection(Record):
    """What a test needs of a sheet.

    ``names`` of the chosen columns (header cell, or number), ``columns`` of their cells, ``labels`` of the pairs or
    None, ``header`` the line of the header or None.
    """

    names: tuple[str, ...]
    columns: list[list[str]]
    labels: list[str] | None
    header: int | None


# ---------------------------------------------------------------------------------------------- bytes -> rows


def read_sheet(path: str, delimiter: str = "auto", *, comments: bool = True) -> Sheet:
    """The rows of a CSV-like file, or of standard input where ``path`` is "-".

    UTF-8, or UTF-16 with a byte-order mark. ``delimiter`` is "auto", one of :data:`DELIMITERS`, or one character.
    Blank lines are left out, and lines that start with # where there may be ``comments`` (# is also a label of some
    tag sets); a trailing delimiter is no column. ``ExactPermError`` for a file that cannot be read, is not text, has no
    rows, or has rows of different widths.
    """
    name = "standard input" if path == "-" else path
    if path == "-" and sys.stdin is None:
        raise ExactPermError("cannot read standard input: it is closed")
    try:
        if path == "-":
            data = sys.stdin.buffer.read()
        else:
            with open(path, "rb") as file:
                data = file.read()
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise ExactPermError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}") from None
    return parse(decoded(data, name), name, delimiter, comments=comments)


def decoded(data: bytes, name: str) -> str:
    """The text of a file; every line ends with a line feed."""
    bom, codec = next(((bom, codec) for bom, codec in _BOMS if data.startswith(bom)), (b"", "utf-8"))
    data = data[len(bom) :]
    try:
        text = _unified(data.decode(codec))
    except UnicodeDecodeError as error:
        line = _unified(data[: error.start].decode(codec)).count("\n") + 1
        raise ExactPermError(f"{name}, line {line}: not {codec} text ({error.reason})") from None
    before, zero, _after = text.partition("\0")
    if zero:
        line = before.count("\n") + 1
        raise ExactPermError(f"{name}, line {line}: not text (a zero byte); UTF-16 needs its byte-order mark")
    return text


def _unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def parse(text: str, name: str = "the text", delimiter: str = "auto", *, comments: bool = True) -> Sheet:
    r"""The rows of CSV-like text; see :func:`read_sheet`.

    >>> parse("u;v\n0,9;0,8\n").rows
    [(1, ['u', 'v']), (2, ['0,9', '0,8'])]
    """
    lines = text.split("\n")
    kept = _is_content if comments else _is_text
    mark = _detected(filter(kept, lines)) if delimiter == "auto" else DELIMITERS.get(delimiter, delimiter)
    if len(mark) != 1 or mark in '"#\n':
        raise ExactPermError(
            f"the delimiter is {short_text(delimiter)}: it must be one character or one of {', '.join(DELIMITERS)}"
        )
    rows = list(_spaced_rows(lines, kept) if mark == " " else _csv_rows(_Feed(lines, kept), name, mark))
    if not rows:
        raise ExactPermError(f"{name} is empty: it has no rows of data")
    width = _width(rows[0][1])
    return Sheet(name=name, delimiter=mark, width=width, rows=[_fitted(row, width, rows[0][0], name) for row in rows])


def _is_text(line: str) -> bool:
    return line.strip() != ""


def _is_content(line: str) -> bool:
    return _is_text(line) and not line.lstrip().startswith("#")


def _detected(content: Iterator[str]) -> str:
    """The delimiter: tab, semicolon or comma, the first that every line has equally often, or that most lines have.

    Else white space, where most lines have some. What is inside quotes does not count. A comma before a semicolon
    would take decimal commas for delimiters.
    """
    sample = [re.sub(r'"[^"]*"', '""', line) for line, _ in zip(content, range(_SAMPLE_LINES))]
    counts = {mark: [line.count(mark) for line in sample] for mark in "\t;,"}
    for mark, found in counts.items():
        if len(set(found)) == 1 and any(found):
            return mark
    counts[" "] = [len(line.split()) - 1 for line in sample]
    return next((mark for mark, found in counts.items() if 2 * sum(map(bool, found)) > len(sample)), ",")


def _spaced_rows(lines: list[str], kept: Callable[[str], bool]) -> Iterator[Row]:
    return ((number, line.split()) for number, line in enumerate(lines, 1) if kept(line))


def _csv_rows(feed: _Feed, name: str, mark: str) -> Iterator[Row]:
    reader = csv.reader(feed, delimiter=mark, skipinitialspace=True, strict=True)
    while True:
        feed.within = False
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ExactPermError(f"{name}, line {feed.start}: not {_named(mark)}-separated text ({error})") from None
        yield feed.start, [cell.strip() for cell in cells]


class _Feed:
    """Lines for the CSV reader: between records, only ``kept`` lines count; ``start`` is a record's line.

    Inside a record (quoted text may hold line ends) every line counts, so the reader is told where it is.
    """

    def __init__(self, lines: list[str], kept: Callable[[str], bool]) -> None:
        self.numbered = enumerate(lines, 1)
        self.kept = kept
        self.within = False
        self.start = 0

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        for number, line in self.numbered:
            if self.within or self.kept(line):
                self.start = self.start if self.within else number
                self.within = True
                return line + "\n"
        raise StopIteration


def _named(mark: str) -> str:
    return next((name for name, character in DELIMITERS.items() if character == mark), repr(mark))


def _width(cells: list[str]) -> int:
    return len(cells) - 1 if len(cells) > 1 and cells[-1] == "" else len(cells)


def _fitted(row: Row, width: int, first: int, name: str) -> Row:
    line, cells = row
    if len(cells) == width + 1 and cells[-1] == "":
        cells = cells[:-1]
    if len(cells) != width:
        raise ExactPermError(
            f"{name}, line {line}: {_cells(len(cells))}, but line {first} has {width}: {short_text(' | '.join(cells))}"
        )
    return line, cells


def _cells(how_many: int) -> str:
    return "1 cell" if how_many == 1 else f"{how_many} cells"


# ---------------------------------------------------------------------------------------------- rows -> columns


def select(
    sheet: Sheet,
    allowed: tuple[int, ...],
    meaning: str,
    *,
    columns: str | None = None,
    groups: str | None = None,
    header: str = "auto",
    kind: str = "scores",
) -> Selection:
    """The columns that a test needs.

    ``allowed`` are the numbers of columns it can take, ``meaning`` says for messages what they hold. Cells of the
    ``kind`` "scores" and "counts" (never negative) are checked and come as texts that ``exact`` reads, with a decimal
    point; a decimal comma is read where the delimiter is not a comma. "labels" come as they stand. ``columns`` lists
    the columns by name or number (from 1), separated by commas; by default all but that of the group labels, which
    ``groups`` names. The first row is a header where a column is chosen by name, or where none of the needed cells is
    a number; ``header`` "yes" or "no" overrules that. Labels need a name or "yes": nothing tells them from a header.
    """
    words = [] if columns is None else _words(columns)
    label = None if groups is None else _index(sheet, groups)
    chosen = [_index(sheet, word) for word in words] or [i for i in range(sheet.width) if i != label]
    if len(chosen) not in allowed:
        need = " or ".join(map(str, allowed))
        raise ExactPermError(
            f"{sheet.name}: the test needs {need} columns ({meaning}), not {len(chosen)}: choose with --columns; "
            f"{_listed(sheet)}"
        )
    named = not all(word.isdecimal() for word in (*words, groups or "0"))
    has_header = named or header == "yes" or (header == "auto" and kind != "labels" and _is_header(sheet, chosen))
    rows = sheet.rows[has_header:]
    if not rows:
        raise ExactPermError(f"{sheet.name}: line {sheet.rows[0][0]} is a header, and no data follow")
    reader = _Reader(sheet, rows, sheet.rows[0][1] if has_header else None, signed=kind != "counts")
    read = reader.labels if kind == "labels" else reader.numbers
    return Selection(
        names=tuple(map(reader.name, chosen)),
        columns=[read(i) for i in chosen],
        labels=None if label is None else reader.labels(label),
        header=sheet.rows[0][0] if has_header else None,
    )


def _words(columns: str) -> list[str]:
    """The names and numbers of a list such as ``2,3`` or ``"a, b",c``: one row of CSV."""
    try:
        words = [word.strip() for word in next(csv.reader([columns], skipinitialspace=True, strict=True))]
    except csv.Error:
        words = []
    if not words:
        raise ExactPermError(f"{short_text(columns)} is not a list of columns such as 2,3 or u,v")
    return words


def _index(sheet: Sheet, word: str) -> int:
    """The column, from 0, of a name or a number; digits are always a number."""
    if word.isdecimal():
        if len(word) < 10 and 1 <= int(word) <= sheet.width:
            return int(word) - 1
        raise ExactPermError(f"{sheet.name} has no column {word[:20]}: {_listed(sheet)}")
    line, names = sheet.rows[0]
    found = [i for i, name in enumerate(names) if name == word]
    if len(found) > 1:
        raise ExactPermError(
            f"{sheet.name}, line {line}: {len(found)} columns are named {short_text(word)}: choose by number"
        )
    if not found:
        raise ExactPermError(f"{sheet.name}, line {line}: no column is named {short_text(word)}: {_listed(sheet)}")
    return found[0]


def _listed(sheet: Sheet) -> str:
    """The columns for a message: numbers, and the first row, which may be a header."""
    cells = sheet.rows[0][1]
    shown = ", ".join(short_text(cell) for cell in cells[:_SHOWN_NAMES])
    more = ", ..." if sheet.width > _SHOWN_NAMES else ""
    return f"line {sheet.rows[0][0]} has {_cells(sheet.width)}: {shown}{more}"


def _is_header(sheet: Sheet, chosen: list[int]) -> bool:
    """Whether no needed cell of the first row is, or stands for, a number.

    One bad number among good ones is a mistake, not a header; so are nan and the usual marks of a missing value.
    """
    return all(_is_name(sheet.rows[0][1][i]) for i in chosen)


def _is_name(cell: str) -> bool:
    """Whether a cell has letters and is no number, not even with signs that ``exact`` refuses, such as 50%."""
    try:
        float(re.sub(r"[^\w.+-]", "", cell))
    except ValueError:
        return cell.lower() not in _MISSING and any(map(str.isalpha, cell))
    return False


class _Reader:
    """Reads the columns of one sheet; knows which decimal mark the file uses."""

    def __init__(self, sheet: Sheet, rows: list[Row], header: list[str] | None, signed: bool) -> None:
        self.sheet = sheet
        self.signed = signed
        self.rows = rows
        self.header = header
        self.marks: dict[str, str] = {}

    def name(self, i: int) -> str:
        """The name of column i: its header, or its number."""
        return (self.header[i] if self.header else "") or f"column {i + 1}"

    def numbers(self, i: int) -> list[str]:
        """The cells of column i, checked, with decimal points. Real scores repeat: each text is checked once."""
        checked: dict[str, str] = {}
        for line, cells in self.rows:
            if cells[i] not in checked:
                checked[cells[i]] = self._number(line, i, cells[i])
        return [checked[cells[i]] for _line, cells in self.rows]

    def labels(self, i: int) -> list[str]:
        """The labels of column i, as they stand."""
        for line, cells in self.rows:
            if cells[i] == "":
                raise self._error(line, i, "the label is missing")
        return [cells[i] for _line, cells in self.rows]

    def _number(self, line: int, i: int, cell: str) -> str:
        if cell == "":
            raise self._error(line, i, "the cell is empty")
        comma = "," in cell and self.sheet.delimiter != ","
        for mark in ",." if comma else ".":
            if mark in cell:
                self.marks.setdefault(mark, f"{short_text(cell)} in line {line}")
        if len(self.marks) > 1:
            raise self._error(
                line, i, f"decimal points and decimal commas in one file: {' and '.join(self.marks.values())}"
            )
        try:
            text = cell.replace(",", ".") if comma else cell
            negative = exact(text) < 0
        except ExactPermError as error:
            reason = str(error).rpartition(": ")[2]
            raise self._error(line, i, f"{short_text(cell)} is no score: {reason}") from None
        if negative and not self.signed:
            raise self._error(line, i, f"{short_text(cell)} is negative, but these are counts")
        return text

    def _error(self, line: int, i: int, reason: str) -> ExactPermError:
        name = self.header[i] if self.header else ""
        place = f"column {i + 1}" + (f" ({name})" if name else "")
        hint = f"; if line {line} is a header, say --header yes" if line == self.sheet.rows[0][0] else ""
        return ExactPermError(f"{self.sheet.name}, line {line}, {place}: {reason}{hint}")
