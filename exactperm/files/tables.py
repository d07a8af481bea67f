"""Read CSV-like text as rows of cells; errors name the file, the line and the offending text."""

from __future__ import annotations

import codecs
import re
import sys
from collections.abc import Callable, Iterable, Iterator

from ..arithmetic.quoting import short_text
from ..errors import Cure, ExactPermError
from ..record import Record

Row = tuple[int, list[str]]
"""The number of the line where a row starts, from 1, and its cells."""


DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}
"""Names of the delimiters; "space" means any run of blanks and tabs."""

MOST_BYTES = 2**28
"""Default limit of what is read from one file."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SPREADSHEET_ERRORS = ("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!")
_READABLE = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson", ".eval")
_SAMPLE_LINES = 50
_CHUNK = 2**20
_SHOWN_NAMES = 12
_LISTED_FILES = 8

_BETWEEN_BLANKS = r"[^ \t\v\f]+"
"""Cells between blanks. Other white space is no delimiter: a no-break space may separate
thousands."""


class Table(Record):
    """Rows of one file, at least one, all of the same number of cells; ``lines`` has the line where each row begins.

    ``name`` is the file's name for messages, ``sha256`` that of its bytes. ``header`` are the names
    of its columns or None, and ``header_line`` its line. ``delimiter`` is the character between
    cells, ``decimal`` the declared decimal mark ("auto", "comma" or "point"). ``comments`` and
    ``blanks`` are the numbers of the lines that were left out. ``keyed`` tables come from JSON:
    names are keys, and no key is a number; nor is one in a ``widened`` table, whose columns are not
    those of its file. ``tool`` is the evaluation tool that wrote the file, where it is known.
    """

    name: str
    rows: list[list[str]]
    lines: list[int]
    header: tuple[str, ...] | None = None
    header_line: int | None = None
    delimiter: str = ","
    decimal: str = "auto"
    comments: tuple[int, ...] = ()
    blanks: tuple[int, ...] = ()
    keyed: bool = False
    widened: bool = False
    tool: str = ""
    sha256: str = ""

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    def column(self, i: int) -> list[str]:
        """Return the cells of column i, from 0."""
        return [cells[i] for cells in self.rows]

    def heading(self, i: int) -> str:
        """Return the header of column i, "" where it has none."""
        return self.header[i] if self.header and i < len(self.header) else ""

    def title(self, i: int) -> str:
        """Return the name of column i for messages: its header, or its number."""
        return self.heading(i) or f"column {i + 1}"

    def column_text(self, i: int) -> str:
        """Name column i in a message, after its file."""
        return f"{self.name}: the column {short_text(self.title(i))}"

    def word(self, i: int) -> str:
        """Return the word that chooses column i: its name where it is the only one, or its number."""
        name = self.heading(i)
        plain = self.keyed or self.widened or not (name.isdecimal() or {*name} & {*',"\n'})
        return name if name and plain and list(self.header or ()).count(name) == 1 else str(i + 1)

    def place(self, row: int, i: int, item: int = -1) -> str:
        """Return the file, line and column of a cell for messages, and the id in column ``item`` unless that is -1."""
        name = self.heading(i)
        where = (
            f"key {short_text(name)}"
            if self.keyed
            else f"column {i + 1}" + (f" ({name})" if name else "")
        )
        where = short_text(name) if self.widened else where
        if item not in (-1, i):
            where += f", id {short_text(self.rows[row][item])}"
        return f"{self.name}, line {self.lines[row]}, {where}"

    def listed(self) -> str:
        """List the columns for a message: their number, and the first row, which may be a header."""
        names = list(self.header or self.rows[0])
        shown = ", ".join(short_text(name) for name in names[:_SHOWN_NAMES])
        more = ", ..." if len(names) > _SHOWN_NAMES else ""
        if self.widened:
            return f"there are {shown}{more}"
        first = self.lines[0] if self.header_line is None else self.header_line
        return f"line {first} has {'the keys' if self.keyed else cells_text(self.width)}: {shown}{more}"


class Raw(Record):
    """A text cut into rows, before its header is known: what checks of the text look at.

    ``content`` are its lines without blank ones and comments, ``broken`` the rows that are written
    on several lines, with those lines, ``left_out`` the numbers and texts of the comments;
    ``detected`` says that the delimiter was detected, not given.
    """

    name: str
    delimiter: str
    detected: bool
    decimal: str
    rows: list[Row]
    content: list[str]
    broken: list[tuple[int, list[str]]]
    left_out: list[tuple[int, str]]
    blanks: tuple[int, ...] = ()


# ------------------------------------------------------------------------------------ bytes -> text


def name_of(path: str) -> str:
    """Return the name of a file for messages; "-" is standard input."""
    return "standard input" if path == "-" else path


def read_text(path: str, most: int = MOST_BYTES) -> tuple[str, str]:
    """Return the name for messages and the text of a file; see :func:`read_bytes` and :func:`decoded`."""
    name = name_of(path)
    return name, decoded(read_bytes(path, name, most), name)


def read_bytes(path: str, name: str, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file, or of standard input where ``path`` is "-".

    Raises ``ExactPermError`` for a file that cannot be read or has more than ``most`` bytes.
    """
    if path == "-" and sys.stdin is None:
        raise ExactPermError("cannot read standard input: it is closed", code="unreadable")
    try:
        if path == "-":
            data = _at_most(sys.stdin.buffer.read, most + 1)
        else:
            with open(path, "rb") as file:
                data = _at_most(file.read, most + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        why = getattr(error, "strerror", None) or error
        raise ExactPermError(
            f"cannot read {name}: {why}{_inside(path)}", code="unreadable"
        ) from None
    if len(data) > most:
        raise ExactPermError(
            f"{name} has more than {most} bytes", code="size", cure=Cure(words="allow more input")
        )
    return data


def _inside(path: str) -> str:
    """Return which files a folder holds that may be meant, "" where the path is no folder."""
    import os

    try:
        found = [name for name in sorted(os.listdir(path)) if name.lower().endswith(_READABLE)]
    except (OSError, ValueError):
        return ""
    shown = ", ".join(short_text(name) for name in found[:_LISTED_FILES])
    return f"; it holds {shown}{', ...' if len(found) > _LISTED_FILES else ''}" if found else ""


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
    """Return the text of a file, UTF-8, or UTF-16 with a byte-order mark; every line ends with a line feed."""
    if data.startswith(b"PK\3\4"):
        if name.endswith(".eval"):
            raise ExactPermError(
                f"{name} is a packed log of Inspect: inspect log dump {name} > log.json unpacks it"
            )
        raise ExactPermError(
            f"{name} is no text but a spreadsheet or an archive: save its table as CSV"
        )
    bom, codec = next(
        ((bom, codec) for bom, codec in _BOMS if data.startswith(bom)), (b"", "utf-8")
    )
    data = data[len(bom) :]
    try:
        text = _unified(data.decode(codec))
    except UnicodeDecodeError as error:
        line = _unified(data[: error.start].decode(codec)).count("\n") + 1
        raise ExactPermError(f"{name}, line {line}: not {codec} text ({error.reason})") from None
    before, zero, _after = text.partition("\0")
    if zero:
        line = before.count("\n") + 1
        raise ExactPermError(
            f"{name}, line {line}: not text (a zero byte); UTF-16 needs its byte-order mark"
        )
    return text


def _unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


# ------------------------------------------------------------------------------------- text -> rows


def parse(
    text: str,
    name: str = "the text",
    delimiter: str = "auto",
    *,
    decimal: str = "auto",
    comments: bool = True,
) -> Raw:
    r"""Return the rows of CSV-like text.

    ``delimiter`` is "auto", one of :data:`DELIMITERS`, or one character. Blank lines are left out,
    and with ``comments`` also lines that start with # (which is a label of some tag sets). A
    trailing delimiter is no column. A first line such as ``sep=;``, which spreadsheets read, names
    the delimiter. Raises ``ExactPermError`` for text without rows, or with rows of different
    widths.

    >>> parse("u;v\n0,9;0,8\n").rows
    [(1, ['u', 'v']), (2, ['0,9', '0,8'])]
    """
    lines = text.split("\n")
    named = (
        re.fullmatch(r"\s*\"?sep=(.)\"?\s*", lines[0], re.IGNORECASE) if "=" in lines[0] else None
    )
    if named:
        lines[0], delimiter = "", delimiter if delimiter != "auto" else named[1]
    kept = _is_content if comments else _is_text
    content = [line for line in lines if kept(line)]
    auto = delimiter == "auto"
    mark = _detected(content, decimal) if auto else DELIMITERS.get(delimiter, delimiter)
    if len(mark) != 1 or mark in '"#\n':
        cure = Cure({"delimiter": "tab"}) if mark == r"\t" else None
        must = f"it must be one character or one of {', '.join(DELIMITERS)}"
        raise ExactPermError(
            f"the delimiter is {short_text(delimiter)}: {must}", code="delimiter", cure=cure
        )
    feed = _Feed(lines, kept)
    rows = list(_spaced_rows(feed) if mark == " " else _csv_rows(feed, name, mark))
    if not rows:
        raise ExactPermError(f"{name} is empty: it has no rows of data", code="empty")
    width = width_of(rows[0][1])
    fitted = [(line, trimmed(cells, width)) for line, cells in rows]
    wrong = next((row for row in fitted if len(row[1]) != width), None)
    if wrong is not None:
        raise _misfitting(name, wrong, rows[0], mark, content, auto=auto)
    return Raw(
        name=name,
        delimiter=mark,
        detected=auto,
        decimal=decimal,
        rows=fitted,
        content=content,
        broken=feed.broken,
        left_out=[
            (number, lines[number - 1]) for number in feed.dropped if lines[number - 1].strip()
        ],
        blanks=tuple(
            n for n in feed.dropped if not lines[n - 1].strip() and rows[0][0] < n < rows[-1][0]
        ),
    )


def _misfitting(
    name: str, wrong: Row, first: Row, mark: str, content: list[str], *, auto: bool
) -> ExactPermError:
    """Return the error for a row of another width, with what may be meant."""
    cure = None
    hint = f"; cells are separated by {_named(mark)} here" if auto else ""
    if auto and mark == "," and _is_column(content):
        hint, cure = (
            "",
            Cure({"decimal": "comma"}, words="if these are numbers with decimal commas"),
        )
    elif mark == "," and len(wrong[1]) > len(first[1]):
        hint += "; a text with a comma needs quotes, decimal commas need semicolons between cells"
    return ExactPermError(
        f"{name}, line {wrong[0]}: {misfit(wrong[1], first)}{hint}", code="widths", cure=cure
    )


def _is_column(lines: list[str]) -> bool:
    """Whether every line below a header is one number, with a decimal comma or without a fraction."""
    header = "," not in lines[0] and not lines[0].strip().lstrip("+-").isdecimal()
    return header and all(
        re.fullmatch(r"[+-]?\d+(?:,\d+)?", line.strip(), re.ASCII) for line in lines[1:]
    )


def _is_text(line: str) -> bool:
    return line.strip() != ""


def _is_content(line: str) -> bool:
    """Whether a line is neither blank nor a comment; the error values of spreadsheets begin with # too."""
    start = line.lstrip()
    return start != "" and (start[0] != "#" or start.startswith(_SPREADSHEET_ERRORS))


def _detected(content: Iterable[str], decimal: str) -> str:
    """Return the delimiter: the first of tab, semicolon and comma that all lines have equally often, or most have.

    Else white space, where most lines have some. Quoted text does not count. A comma before a
    semicolon would take decimal commas for delimiters; where ``decimal`` is "comma" it is none at
    all.
    """
    marks = "\t;" if decimal == "comma" else "\t;,"
    sample = [re.sub(r'"[^"]*"', '""', line) for line, _ in zip(content, range(_SAMPLE_LINES))]
    counts = {mark: [line.count(mark) for line in sample] for mark in marks}
    for mark, found in counts.items():
        if len(set(found)) == 1 and any(found):
            return mark
    counts[" "] = [len(re.findall(_BETWEEN_BLANKS, line)) - 1 for line in sample]
    return next(
        (mark for mark, found in counts.items() if 2 * sum(map(bool, found)) > len(sample)),
        marks[-1],
    )


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
            raise ExactPermError(
                f"{name}, line {feed.start}: not {_named(mark)}-separated text ({reason(error)})"
            ) from None
        yield feed.start, [cell.strip() for cell in cells]


def reason(error: Exception) -> str:
    """Return the text of an error of the CSV reader; PyPy's begins with a line, counted from the reader's first."""
    return re.sub(r"^line \d+: ", "", str(error))


class _Feed:
    """Iterator over lines for the CSV reader: between records it drops all but ``kept`` lines.

    Inside a record (quoted text may hold line ends) every line counts, so the reader resets
    ``within`` after each record. ``start`` is the line of the present record, ``dropped`` has the
    numbers of the lines left out, ``broken`` the records of several lines.
    """

    def __init__(self, lines: list[str], kept: Callable[[str], bool]) -> None:
        self.numbered = enumerate(lines, 1)
        self.kept = kept
        self.within = False
        self.start = 0
        self._first = ""
        self.dropped: list[int] = []
        self.broken: list[tuple[int, list[str]]] = []

    def __iter__(self) -> _Feed:
        return self

    def __next__(self) -> str:
        for number, line in self.numbered:
            if self.within or self.kept(line):
                if self.within:
                    self._note(line)
                else:
                    self.start, self._first = number, line
                self.within = True
                return line + "\n"
            self.dropped.append(number)
        raise StopIteration

    def _note(self, line: str) -> None:
        """Keep the lines of a record that is written on several."""
        if not self.broken or self.broken[-1][0] != self.start:
            self.broken.append((self.start, [self._first]))
        self.broken[-1][1].append(line)


def _named(mark: str) -> str:
    return next((name for name, character in DELIMITERS.items() if character == mark), repr(mark))


def width_of(cells: list[str]) -> int:
    """Return the number of cells of a first row; a trailing delimiter is no column."""
    return len(cells) - 1 if len(cells) > 1 and cells[-1] == "" else len(cells)


def trimmed(cells: list[str], width: int) -> list[str]:
    """Return cells without the empty one after a trailing delimiter, where that is one more than the width."""
    return cells[:-1] if len(cells) == width + 1 and cells[-1] == "" else cells


def misfit(cells: list[str], first: Row) -> str:
    """Describe cells that are not as many as those of the first row."""
    line, header = first
    return f"{cells_text(len(cells))}, but line {line} has {width_of(header)}: {short_text(' | '.join(cells))}"


def cells_text(number: int) -> str:
    """Write a number of cells for messages."""
    return "1 cell" if number == 1 else f"{number} cells"
