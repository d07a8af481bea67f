"""Read columns of numbers from CSV-like text; errors name the file, line, column and the offending text.

Nothing is guessed in silence: a sheet keeps which lines were left out as comments or blank, a selection which line was
the header, and a file that can be read in two ways is refused with the options that decide.
"""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence, Set

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact
from ..errors import ExactPermError
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    Row = tuple[int, list[str]]
    """The number of the line where a row starts, from 1, and its cells."""

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}
"""Names of the delimiters; "space" means any run of blanks and tabs."""

HEADERS = ("auto", "yes", "no")
COMMENTS = ("auto", "yes", "no")
DECIMALS = ("auto", "comma", "point")
MOST_BYTES = 2**28
"""Default limit of what is read from one file."""

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_MISSING = frozenset(("", "na", "n/a", "none", "null", "nan", "nat", "<na>", "#n/a"))
_SPREADSHEET_ERRORS = ("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!")
_SAMPLE_LINES = 50
_SHOWN_NAMES = 12
_CHUNK = 2**20

_ONE_NUMBER = r"[+-]?(?:\d+,\d+(?:[eE][+-]?\d+)?|[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:\.\d{3})+,\d+)"
"""A line that may be one number: with a decimal comma, or with separators of thousands (1,234,567 or 1.234,5)."""

_THOUSANDS = r"[+-]?[1-9]\d{0,2},\d{3}"
_BETWEEN_BLANKS = r"[^ \t\v\f]+"
"""Cells between blanks. Other white space is no delimiter: a no-break space may separate thousands."""


class Sheet(Record):
    """Rows of one file, at least one, of ``width`` cells each.

    ``name`` is the file's name for messages, ``delimiter`` the character between cells, ``decimal`` one of
    :data:`DECIMALS`. ``comments`` and ``blanks`` are the numbers of the lines that were left out. ``doubtful`` says
    that the commas between cells may be decimal marks instead.
    """

    name: str
    delimiter: str
    decimal: str
    width: int
    rows: list[Row]
    comments: tuple[int, ...] = ()
    blanks: tuple[int, ...] = ()
    doubtful: bool = False


class Selection(Record):
    """The part of a sheet that a test needs.

    ``names`` of the chosen columns (header cell, or number), ``columns`` of their cells, ``labels`` of the pairs or
    None, ``header`` the line of the header or None.
    """

    names: tuple[str, ...]
    columns: list[list[str]]
    labels: list[str] | None
    header: int | None


# ---------------------------------------------------------------------------------------------- bytes -> text


def read_text(path: str, most: int = MOST_BYTES) -> tuple[str, str]:
    """Return the name for messages and the text of a file, or of standard input where ``path`` is "-".

    UTF-8, or UTF-16 with a byte-order mark; every line ends with a line feed. Raises ``ExactPermError`` for a file that
    cannot be read, is no text, or has more than ``most`` bytes.
    """
    name = "standard input" if path == "-" else path
    return name, decoded(read_bytes(path, name, most), name)


def read_bytes(path: str, name: str, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file, or of standard input where ``path`` is "-"; errors as :func:`read_text`."""
    if path == "-" and sys.stdin is None:
        raise ExactPermError("cannot read standard input: it is closed")
    try:
        if path == "-":
            data = _at_most(sys.stdin.buffer.read, most + 1)
        else:
            with open(path, "rb") as file:
                data = _at_most(file.read, most + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise ExactPermError(f"cannot read {name}: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > most:
        raise ExactPermError(f"{name} has more than {most} bytes: allow more with --max-input, such as --max-input 1G")
    return data


def _at_most(read: Callable[[int], bytes], size: int) -> bytes:
    """Read ``size`` bytes, or all where there are fewer: in pieces, so that a large limit reserves no memory."""
    pieces = []
    while size > 0:
        piece = read(min(size, _CHUNK))
        if not piece:
            break
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)


def decoded(data: bytes, name: str) -> str:
    """Return the text of a file; every line ends with a line feed."""
    if data.startswith(b"PK\3\4"):
        raise ExactPermError(f"{name} is no text but a spreadsheet or an archive: save its table as CSV")
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


# ---------------------------------------------------------------------------------------------- text -> rows


def read_sheet(
    path: str, delimiter: str = "auto", *, decimal: str = "auto", comments: bool = True, most: int = MOST_BYTES
) -> Sheet:
    """Return the rows of a CSV-like file; see :func:`read_text` and :func:`parse`."""
    name, text = read_text(path, most)
    return parse(text, name, delimiter, decimal=decimal, comments=comments)


def parse(
    text: str, name: str = "the text", delimiter: str = "auto", *, decimal: str = "auto", comments: bool = True
) -> Sheet:
    r"""Return the rows of CSV-like text.

    ``delimiter`` is "auto", one of :data:`DELIMITERS`, or one character. Blank lines are left out, and with
    ``comments`` also lines that start with # (which is a label of some tag sets). A trailing delimiter is no column.
    Raises ``ExactPermError`` for text without rows, or with rows of different widths.

    >>> parse("u;v\n0,9;0,8\n").rows
    [(1, ['u', 'v']), (2, ['0,9', '0,8'])]
    """
    lines = text.split("\n")
    kept = _is_content if comments else _is_text
    auto = delimiter == "auto"
    mark = _detected(filter(kept, lines), decimal) if auto else DELIMITERS.get(delimiter, delimiter)
    if len(mark) != 1 or mark in '"#\n':
        raise ExactPermError(
            f"the delimiter is {short_text(delimiter)}: it must be one character or one of {', '.join(DELIMITERS)}"
        )
    feed = _Feed(lines, kept)
    rows = list(_spaced_rows(feed) if mark == " " else _csv_rows(feed, name, mark))
    if not rows:
        raise ExactPermError(f"{name} is empty: it has no rows of data")
    width = _width(rows[0][1])
    hint = f"; cells are separated by {_named(mark)} here (--delimiter decides otherwise)" if auto else ""
    return Sheet(
        name=name,
        delimiter=mark,
        decimal=decimal,
        width=width,
        rows=[_fitted(row, width, rows[0][0], name, hint) for row in rows],
        comments=tuple(number for number in feed.dropped if lines[number - 1].strip()),
        blanks=tuple(n for n in feed.dropped if not lines[n - 1].strip() and rows[0][0] < n < rows[-1][0]),
        doubtful=auto and mark == "," and all(map(_may_have_decimal_commas, filter(kept, lines))),
    )


def _may_have_decimal_commas(line: str) -> bool:
    """Whether every comma of a line may be part of a number: of the only one, or of one between blanks."""
    cells = [cell for cell in line.split() if "," in cell]
    return cells != [] and all(
        cell[0] in "+-0123456789" and re.fullmatch(_ONE_NUMBER, cell, re.ASCII) is not None for cell in cells
    )


def _is_text(line: str) -> bool:
    return line.strip() != ""


def _is_content(line: str) -> bool:
    """Whether a line is neither blank nor a comment; the error values of spreadsheets begin with # too."""
    start = line.lstrip()
    return start != "" and (start[0] != "#" or start.startswith(_SPREADSHEET_ERRORS))


def _detected(content: Iterable[str], decimal: str) -> str:
    """Return the delimiter: the first of tab, semicolon and comma that all lines have equally often, or most have.

    Else white space, where most lines have some. Quoted text does not count. A comma before a semicolon would take
    decimal commas for delimiters; where ``decimal`` is "comma" it is none at all.
    """
    marks = "\t;" if decimal == "comma" else "\t;,"
    sample = [re.sub(r'"[^"]*"', '""', line) for line, _ in zip(content, range(_SAMPLE_LINES))]
    counts = {mark: [line.count(mark) for line in sample] for mark in marks}
    for mark, found in counts.items():
        if len(set(found)) == 1 and any(found):
            return mark
    counts[" "] = [len(re.findall(_BETWEEN_BLANKS, line)) - 1 for line in sample]
    return next((mark for mark, found in counts.items() if 2 * sum(map(bool, found)) > len(sample)), marks[-1])


def _spaced_rows(feed: _Feed) -> Iterator[Row]:
    for line in feed:
        feed.within = False
        yield feed.start, re.findall(_BETWEEN_BLANKS, line[:-1])


def _csv_rows(feed: _Feed, name: str, mark: str) -> Iterator[Row]:
    import csv

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
    """Iterator over lines for the CSV reader: between records it drops all but ``kept`` lines.

    Inside a record (quoted text may hold line ends) every line counts, so the reader resets ``within`` after each
    record. ``start`` is the line of the present record, ``dropped`` has the numbers of the lines left out.
    """

    def __init__(self, lines: list[str], kept: Callable[[str], bool]) -> None:
        self.numbered = enumerate(lines, 1)
        self.kept = kept
        self.within = False
        self.start = 0
        self.dropped: list[int] = []

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        for number, line in self.numbered:
            if self.within or self.kept(line):
                self.start = self.start if self.within else number
                self.within = True
                return line + "\n"
            self.dropped.append(number)
        raise StopIteration


def _named(mark: str) -> str:
    return next((name for name, character in DELIMITERS.items() if character == mark), repr(mark))


def _width(cells: list[str]) -> int:
    return len(cells) - 1 if len(cells) > 1 and cells[-1] == "" else len(cells)


def _fitted(row: Row, width: int, first: int, name: str, hint: str) -> Row:
    line, cells = row
    if len(cells) == width + 1 and cells[-1] == "":
        cells = cells[:-1]
    if len(cells) != width:
        shown = short_text(" | ".join(cells))
        raise ExactPermError(f"{name}, line {line}: {_cells(len(cells))}, but line {first} has {width}: {shown}{hint}")
    return line, cells


def _cells(number: int) -> str:
    return "1 cell" if number == 1 else f"{number} cells"


# ---------------------------------------------------------------------------------------------- rows -> columns


def select(
    sheet: Sheet,
    allowed: Sequence[int],
    meaning: str,
    *,
    columns: str | None = None,
    groups: str | None = None,
    header: str = "auto",
    kind: str = "scores",
) -> Selection:
    """Return the columns that a test needs.

    ``allowed`` are the numbers of columns that the test takes, ``meaning`` says for messages what they hold. Cells of
    the ``kind`` "scores" and "counts" (never negative) are checked and returned as texts that ``exact`` reads, with a
    decimal point; "labels" are returned as written. ``columns`` lists the columns by name or number (from 1), separated
    by commas; the default is all but that of the group labels, which ``groups`` names. The first row is a header where
    a column is chosen by name, or where none of the needed cells is a number; ``header`` "yes" or "no" overrules that.
    Labels need a name or "yes": nothing tells them from a header.
    """
    words = [] if columns is None else _words(columns)
    label = None if groups is None else _index(sheet, groups)
    chosen = [_index(sheet, word) for word in words] or [i for i in range(sheet.width) if i != label]
    if len(chosen) not in allowed:
        raise ExactPermError(
            f"{sheet.name}: the test needs {_range(allowed)} columns ({meaning}), not {len(chosen)}: choose with "
            f"--columns; {_listed(sheet)}"
        )
    named = not all(word.isdecimal() for word in (*words, groups or "0"))
    has_header = named or header == "yes" or (header == "auto" and kind != "labels" and _is_header(sheet, chosen))
    if sheet.doubtful and not has_header and not (words and any(chosen)):
        raise _doubt(sheet)
    rows = sheet.rows[has_header:]
    if not rows:
        raise ExactPermError(f"{sheet.name}: line {sheet.rows[0][0]} is a header, and no data follow")
    reader = _Reader(sheet, rows, sheet.rows[0][1] if has_header else None, signed=kind != "counts")
    return Selection(
        names=tuple(map(reader.name, chosen)),
        columns=reader.texts(chosen) if kind == "labels" else reader.numbers(chosen),
        labels=None if label is None else reader.labels(label),
        header=sheet.rows[0][0] if has_header else None,
    )


def _range(allowed: Sequence[int]) -> str:
    return " or ".join(map(str, allowed)) if len(allowed) < 3 else f"{allowed[0]} to {allowed[-1]}"


def _doubt(sheet: Sheet) -> ExactPermError:
    line, cells = sheet.rows[0]
    return ExactPermError(
        f"{sheet.name}: the commas of every row may be decimal marks, as in {short_text(','.join(cells))} in line "
        f"{line}. Say --delimiter comma for {sheet.width} columns, or --decimal comma for numbers with decimal commas; "
        "separators of thousands must be removed"
    )


def _words(columns: str) -> list[str]:
    """Split a list such as ``2,3`` or ``"a, b",c``: one row of CSV."""
    import csv

    try:
        words = [word.strip() for word in next(csv.reader([columns], skipinitialspace=True, strict=True))]
    except csv.Error:
        words = []
    if not words:
        raise ExactPermError(f"{short_text(columns)} is not a list of columns such as 2,3 or u,v")
    return words


def _index(sheet: Sheet, word: str) -> int:
    """Return the position, from 0, of a column given by name or number; digits are always a number."""
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
    """List the columns for a message: their number, and the first row, which may be a header."""
    cells = sheet.rows[0][1]
    shown = ", ".join(short_text(cell) for cell in cells[:_SHOWN_NAMES])
    more = ", ..." if sheet.width > _SHOWN_NAMES else ""
    return f"line {sheet.rows[0][0]} has {_cells(sheet.width)}: {shown}{more}"


def _is_header(sheet: Sheet, chosen: list[int]) -> bool:
    """Whether no needed cell of the first row is a number or takes the place of one.

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
    """Reader of the columns of one sheet; it finds out which decimal mark the file uses."""

    def __init__(self, sheet: Sheet, rows: list[Row], header: list[str] | None, signed: bool) -> None:
        self.sheet = sheet
        self.signed = signed
        self.rows = rows
        self.header = header
        self.decimal = "comma" if sheet.decimal == "auto" and sheet.delimiter != "," else sheet.decimal
        self.marks: dict[str, str] = {}
        self.thousands: list[ExactPermError] = []
        self.fractions = False

    def name(self, i: int) -> str:
        """Return the name of column i: its header, or its number."""
        return (self.header[i] if self.header else "") or f"column {i + 1}"

    def texts(self, chosen: list[int]) -> list[list[str]]:
        """Return the cells of columns of labels, as written."""
        return [self._filled(i, {""}) for i in chosen]

    def labels(self, i: int) -> list[str]:
        """Return the labels of the groups; a mark of a missing value would make one group of unrelated pairs."""
        return self._filled(i, _MISSING)

    def _filled(self, i: int, missing: Set[str]) -> list[str]:
        for line, cells in self.rows:
            if cells[i].lower() in missing:
                raise self._error(line, i, f"the label is missing{f' ({cells[i]})' if cells[i] else ''}")
        return [cells[i] for _line, cells in self.rows]

    def numbers(self, chosen: list[int]) -> list[list[str]]:
        """Return the cells of columns of numbers, checked, with decimal points."""
        columns = [self._numbers(i) for i in chosen]
        if self.thousands and not self.fractions and self.sheet.decimal == "auto":
            raise self.thousands[0]
        return columns

    def _numbers(self, i: int) -> list[str]:
        """Check each text once: real scores repeat."""
        checked: dict[str, str] = {}
        for line, cells in self.rows:
            if cells[i] not in checked:
                checked[cells[i]] = self._number(line, i, cells[i])
        return [checked[cells[i]] for _line, cells in self.rows]

    def _number(self, line: int, i: int, cell: str) -> str:
        if cell == "":
            raise self._error(line, i, "the cell is empty")
        text = self._pointed(line, i, cell)
        try:
            negative = exact(text) < 0
        except ExactPermError as error:
            reason = str(error).rpartition(": ")[2]
            raise self._error(line, i, f"{short_text(cell)} is no score: {reason}") from None
        if negative and not self.signed:
            raise self._error(line, i, f"{short_text(cell)} is negative, but these are counts")
        return text

    def _pointed(self, line: int, i: int, cell: str) -> str:
        """Return a cell with a decimal point in place of a decimal comma; note which of the two the file has."""
        comma = "," in cell and self.decimal == "comma"
        for mark in ",." if comma else ".":
            if mark in cell:
                self.marks.setdefault(mark, f"{short_text(cell)} in line {line}")
        if len(self.marks) > 1:
            raise self._error(
                line, i, f"decimal points and decimal commas in one file: {' and '.join(self.marks.values())}"
            )
        if "." in cell and self.sheet.decimal == "comma":
            raise self._error(line, i, f"{short_text(cell)} has a point, but --decimal comma was chosen")
        if comma and not re.fullmatch(_THOUSANDS, cell, re.ASCII):
            self.fractions = True
        elif comma and not self.thousands:
            advice = "say --decimal comma if the comma is a decimal one, or remove separators of thousands"
            self.thousands.append(self._error(line, i, f"{short_text(cell)} has two meanings: {advice}"))
        return cell.replace(",", ".") if comma else cell

    def _error(self, line: int, i: int, reason: str) -> ExactPermError:
        name = self.header[i] if self.header else ""
        place = f"column {i + 1}" + (f" ({name})" if name else "")
        hint = f"; if line {line} is a header, say --header yes" if line == self.sheet.rows[0][0] else ""
        return ExactPermError(f"{self.sheet.name}, line {line}, {place}: {reason}{hint}")
