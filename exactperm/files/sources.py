"""Open files as tables: paths to bytes, bytes to text, and text to cells, a row for each line.

What form a text has is decided here: JSON, a tool's lines, or delimited cells. Of these the columns are separated by
the first of tab, semicolon and comma that the first line has, and the first row has the names. What a text leaves open
is asked: whether a first row with a number has names, and whether lines that start with # are comments.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Sequence
from itertools import islice
from operator import methodcaller

from .. import __version__
from .._types import TYPE_CHECKING
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.writing import exact_text
from ..errors import Cure
from ..record import Record, replaced
from .reading import Reading, Row, cells
from .table import Ask, File, Table, is_missing, quoted, short, text_of

if TYPE_CHECKING:
    from typing import BinaryIO

    from ..arithmetic.rational import Exact

Contents = Sequence[tuple[str, bytes]]
"""Names and contents of files."""

MOST_BYTES = 2**28
"""Default limit of what is read from one file."""

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}
"""Names of the delimiters; "space" means any run of blanks and tabs."""

_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_BINARY = re.compile("[\0-\x08\x0e-\x19\x1c-\x1f]")
"""Characters that no text has."""
_CHUNK = 2**20


def name_of(path: str) -> str:
    """Return the name of a file for messages; "-" is standard input."""
    return "standard input" if path == "-" else path


def read_files(paths: Sequence[str], most: int = MOST_BYTES) -> list[tuple[str, bytes]]:
    """Return the names and the contents of files of at most ``most`` bytes each.

    Of a folder it is the file of samples that lm-evaluation-harness wrote there, which must be the only one.
    """
    return [(name_of(path), read_bytes(_inside(path), name_of(path), most)) for path in paths]


def read_bytes(path: str, name: str, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file, or of standard input where ``path`` is "-".

    Raises ``Ask`` for a file that cannot be read or has more than ``most`` bytes.
    """
    if path == "-" and sys.stdin is None:
        raise Ask("cannot read standard input: it is closed", "unreadable")
    try:
        if path == "-":
            data = _beginning(sys.stdin.buffer, most)
        else:
            with open(path, "rb") as file:
                data = _beginning(file, most)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        why = getattr(error, "strerror", None) or error
        raise Ask(f"cannot read {printable(name)}: {why}", "unreadable") from None
    if len(data) > most:
        text = f"{printable(name)} has more than {most} bytes"
        raise Ask(text, "size", answers=[Cure(words="allow more input")])
    return data


def _beginning(file: BinaryIO, most: int) -> bytes:
    """Return more than ``most`` bytes, or all: in pieces, so that a large limit reserves no memory."""
    pieces = iter(lambda: file.read(_CHUNK), b"")
    return b"".join(islice(pieces, most // _CHUNK + 1))


def _inside(path: str) -> str:
    """Return the file of samples in a folder, at any depth; any other path as it is."""
    if path == "-" or "\0" in path or not os.path.isdir(path):
        return path
    found = [
        os.path.join(folder, file)
        for folder, _folders, files in sorted(os.walk(path))
        for file in sorted(files)
        if file.startswith("samples_") and file.endswith(".jsonl")
    ]
    if len(found) == 1:
        return found[0]
    what = f"{len(found) or 'no'} files of samples of lm-evaluation-harness"
    names = quoted([os.path.relpath(file, path) for file in found])
    text = f"{printable(path)} is a folder with {what}{': ' * bool(found)}{names}"
    raise Ask(text, "unreadable", answers=[Cure(words="name one file")])


def decoded(data: bytes, name: str, encoding: str | None = None) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a byte-order mark, or as said; every line ends with a line feed.

    Raises ``Ask`` for other bytes, with the line, and for what is no text.
    """
    bom = next((bom for bom in _BOMS if data.startswith(bom)), b"")
    codec = _BOMS.get(bom, encoding or "utf-8")
    data = data[len(bom) :]
    error = None
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as failed:
        text = "" if bom else data.decode("latin-1")
        error = failed
    except (LookupError, ValueError):
        must = "it must be one that Python knows, such as cp1252"
        raise Ask(f"encoding is {short_text(encoding)}: {must}", "encoding", "encoding") from None
    if _BINARY.search(text):
        words = "save a table as CSV; unpack a log of Inspect by inspect log dump"
        what = "is no text but a spreadsheet, an archive or another binary file"
        raise Ask(f"{printable(name)} {what}", "encoding", answers=[Cure(words=words)])
    if error is not None:
        line = data[: error.start].count(b"\n") + 1
        why = f"{printable(name)}, line {line}: not {codec} text ({error.reason}); which encoding is it?"
        cure = Cure(words="cp1252, where a spreadsheet of Western Europe wrote it")
        raise Ask(why, "encoding", "encoding", answers=[cure])
    return text.replace("\r\n", "\n").replace("\r", "\n")


def tables_of(contents: Contents, reading: Reading, *, labels: bool = False) -> list[Table]:
    """Return the tables of files; of ``labels`` no cell of a first row tells whether it has names.

    A file holds JSON where its name ends with .json, .jsonl or .ndjson, or its text begins with { or [; a delimiter
    that is said makes it a table.
    """
    from hashlib import sha256

    tables = []
    for name, data in contents:
        text = decoded(data, name, reading.encoding)
        table = None
        endings = (".json", ".jsonl", ".ndjson")
        as_json = text.lstrip()[:1] in ("{", "[") or name.lower().endswith(endings)
        if reading.delimiter is None and (as_json or "all" in text or "score:" in text):
            from . import logs

            table = logs.of_json(text, name, reading) if as_json else logs.of_lines(text, name)
        table = table or delimited(text, name, reading, labels=labels)
        digest = sha256(data).hexdigest()
        tables.append(replaced(table, sha256=digest, decimal=reading.decimal))
    return tables


# ---------------------------------------------------------------------------------------------- delimited cells


def delimited(text: str, name: str, reading: Reading, *, labels: bool = False) -> Table:
    r"""Return the table of a text whose lines end with line feeds.

    Blank lines, and rows of empty cells alone, are left out, and so are columns at the right end that are empty in
    every row. Of ``labels`` no cell of a first row tells whether it has names.
    Raises ``Ask`` for a text without rows, a row of another width, a quoted cell that does not end in its line, and
    what is to be asked.

    >>> delimited("u;v\n0,9;0,8\n", "f", Reading()).columns
    (['0,9'], ['0,8'])
    """
    lines = text.split("\n")
    if re.fullmatch('"?sep=."?', lines[0], re.IGNORECASE):
        lines[0] = ""  # a line for spreadsheets
    comments = _comments(lines, name, reading) if "#" in text else []
    kept: Sequence[int] = [i for i, line in enumerate(lines, 1) if line and not line.isspace()]
    kept = sorted({*kept}.difference(comments)) if comments else kept
    if not kept:
        raise Ask(f"{printable(name)} is empty: it has no rows", "empty")
    mark = _delimiter(lines[kept[0] - 1], reading)
    kept, columns = _columns(lines, kept, mark, name)
    first = [column[0] for column in columns]
    header = 0
    names = ("",) * len(columns)
    if _has_names(first, name, reading, numbered=kept, labels=labels):
        columns = [column[1:] for column in columns]
        header = kept[0]
        names = tuple(first)
        kept = kept[1:]
        if not kept:
            text = f"{printable(name)}: no row follows the names in line {header}"
            raise Ask(text, "empty")
    blanks: Sequence[int] = ()
    if len(kept) <= kept[-1] - kept[0]:  # between the first and the last row
        blanks = sorted({*range(kept[0], kept[-1])}.difference(kept, comments))
    return Table(
        name=name,
        header=header,
        names=names,
        columns=tuple(columns),
        lines=kept,
        delimiter=mark,
        comments=tuple(comments),
        blanks=tuple(blanks),
    )


def _comments(lines: Sequence[str], name: str, reading: Reading) -> list[int]:
    """Return the lines that are left out as comments, which is asked where there are some."""
    if reading.comments == "no":
        return []
    found = [i for i, line in enumerate(lines, 1) if line.lstrip()[:1] == "#"]
    if found and reading.comments is None:
        some = f"{len(found)} lines start" if len(found) > 1 else "1 line starts"
        text = f"{printable(name)}: {some} with #, the first is line {found[0]}"
        answers = (
            Cure({"comments": "yes"}, words="they are left out"),
            Cure({"comments": "no"}, words="they are rows"),
        )
        raise Ask(f"{text}; comments, or rows?", "comments", "comments", answers=answers)
    return found


def _delimiter(line: str, reading: Reading) -> str:
    """Return the character between cells, "" for none: as it is said, or the first that the first line has."""
    said = reading.delimiter
    if said is None:
        unquoted = re.sub(r'"[^"]*"', "", line)
        marks = "\t;" if reading.decimal == "comma" else "\t;,"
        return next((mark for mark in marks if mark in unquoted), "")
    mark = DELIMITERS.get(said, said)
    if len(mark) != 1 or mark in '"#\n':
        must = f"it must be one character or one of {', '.join(DELIMITERS)}"
        raise Ask(f"the delimiter is {short_text(said)}: {must}", "delimiter", "delimiter")
    return mark


def _columns(
    lines: Sequence[str], kept: Sequence[int], mark: str, name: str
) -> tuple[Sequence[int], list[list[str]]]:
    """Return the numbers of the lines that have cells, and the columns of these, as many as the first line has."""
    some = [lines[i - 1] for i in kept]
    text = "\n".join(some)
    end = mark or "\n"
    blank = r"[^\S\n\t]" if mark == "\t" else r"[^\S\n]"
    if mark != " " and '"' not in text and not re.search(blank, text):
        width = some[0].count(end) + 1
        alike = {*map(methodcaller("count", end), some)} == {width - 1}
        if alike and not some[0].endswith(end) and mark * (width - 1) not in some:
            flat = text.replace("\n", end).split(end)  # no list is made for each line
            return kept, [flat[i::width] for i in range(width)]
    found = [cells(line, mark) for line in some]
    if None in found:
        what = "a quoted cell does not end in its line, or text follows it"
        raise Ask(f"{printable(name)}, line {kept[found.index(None)]}: {what}", "quotes")
    numbered = [(i, row) for i, row in zip(kept, found) if row and any(row)]
    if not numbered:
        raise Ask(f"{printable(name)} is empty: it has no rows", "empty")
    kept = [i for i, _row in numbered]
    rows = [row for _i, row in numbered]
    # cells at the right end of all rows are none
    last = max([i for row in rows for i, cell in enumerate(row, 1) if cell])
    rows = [row[:last] for row in rows]
    width = len(rows[0])
    for i, row in zip(kept, rows):
        if len(row) != width:
            there = f"{len(row)} cell{'s' * (len(row) > 1)}, but line {kept[0]} has {width}"
            text = f"{printable(name)}, line {i}: {there}: {short_text(lines[i - 1].strip())}"
            raise Ask(text, "widths", "delimiter")
    return kept, [[*column] for column in zip(*rows)]


def _has_names(
    first: Row, name: str, reading: Reading, *, numbered: Sequence[int], labels: bool
) -> bool:
    """Return whether the first row has the names of the columns, which is asked where a cell of it is a number."""
    if reading.header is not None:
        return reading.header == "yes"
    data = any(cell and (is_missing(cell) or text_of(cell, reading.decimal)) for cell in first)
    if len(first) == 1 and not labels:
        return not data
    said = {part for word in reading.words for part in (word, *word.split("+"))} | {*reading.beside}
    if said & {*first} - {str(place) for place in range(1, len(first) + 1)}:
        return True
    filled = [cell for cell in first if cell]
    if not (data or labels or len({*filled}) < len(filled)):
        return True
    there = f"{printable(name)}, line {numbered[0]} has {quoted(first, 6)}"
    answers = (
        Cure({"header": "yes"}, words=f"they are names, of {len(numbered) - 1} rows"),
        Cure({"header": "no"}, words=f"they are the first of {len(numbered)} items"),
    )
    text = f"{there}; names of columns, or an item?"
    raise Ask(text, "header", "header", answers=answers)


# ---------------------------------------------------------------------------------------------- where data come from

_WIDEST = 60
"""Characters of an id or a cell in rows."""


class ReadItem(Record):
    """One item that was read: its ``id`` (or its line), and its ``cells`` by the names of columns, as written."""

    id: str
    cells: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        texts = [self.id, *[cell for _name, cell in self.cells]]
        item, *cells = [text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..." for text in texts]
        said = [f"{name} {cell}" for (name, _cell), cell in zip(self.cells, cells)]
        return f"{item}: {', '.join(said)}"


class Source(Record):
    """Where the data of a test come from, how they were read, and what was read.

    ``names`` are those of the columns, ``pairs`` counts the items before the ``dropped`` ones were left out.
    ``runs`` says how many there are of each item, ``joined`` by which ids files are, ``samples`` the sizes of two that
    are unpaired; ``systems`` are the names that were given.
    ``ends`` are the first and the last item, ``ranges`` the least and the greatest number of each column; both are
    empty of counts that are no file.
    """

    files: tuple[File, ...]
    names: tuple[str, ...]
    pairs: int
    reading: Reading = Reading()
    dropped: int = 0
    runs: str = ""
    joined: str = ""
    samples: str = ""
    systems: tuple[str, ...] = ()
    ends: tuple[ReadItem, ...] = ()
    ranges: tuple[tuple[str, Exact, Exact], ...] = ()

    @property
    def name(self) -> str:
        """The names of all files."""
        return ", ".join(file.name for file in self.files)

    @property
    def items(self) -> int:
        """The number of items that are compared."""
        return self.pairs - self.dropped

    def title(self) -> str:
        """Return the names of the files without their folders, as the title of a picture has room for them."""
        paths = [file.name.replace("\\", "/") for file in self.files]
        return ", ".join(path.rpartition("/")[2] for path in paths)

    def rows(self) -> list[tuple[str, str]]:
        """Return how the files were read, as titles and texts."""
        said = self.reading
        names = ", ".join(self.names)
        rows = [("data", f"{self.name}: {names}" if len(self.files) == 1 else names)]
        hows = [file.how() for file in self.files]
        if all(how == hows[0] for how in hows):
            rows += hows[0] if hows else []
        else:
            rows += [(t, f"{f.name}: {x}") for f, how in zip(self.files, hows) for t, x in how]
        by = f"{self.joined}, all ids in every file" if self.joined else "row"
        totals = {"drop": "the last row is left out", "keep": "the last row is an item"}
        more = {
            "samples": self.samples,
            "joined by": len(self.files) > 1 and not self.samples and by,
            "runs": self.runs,
            "missing": said.missing == "drop" and f"{self.dropped} of {self.pairs} items left out",
            "total": said.total and totals[said.total],
            "groups": said.groups
            and not self.samples
            and f"{said.groups}: pairs of one group are swapped together",
            "weights": said.weights and f"{said.weights}: of each item in the means",
            "tasks": said.tasks and f"{said.tasks}: the means of all tasks count alike",
            "rounded": said.decimals is not None and f"to decimals {said.decimals}",
        }
        return rows + [(title, text) for title, text in more.items() if text]

    def back(self) -> list[tuple[str, str]]:
        """Return what was read, as titles and texts: the first and the last item, and the ranges."""
        rows = [*zip(("first", "last"), map(str, self.ends))]
        ranges = [f"{name} {short(least)} to {short(most)}" for name, least, most in self.ranges]
        return [*rows, ("ranges", ", ".join(ranges))] if ranges else rows

    def to_dict(self) -> dict[str, object]:
        """Return a JSON-ready form, with the version of this package."""
        said = self.reading
        more: dict[str, object] = {
            **{name: getattr(said, name) for name in ("weights", "tasks", "by", "encoding")},
            "runs": self.runs,
            "samples": self.samples,
            "systems": [*self.systems],
            "last_row": said.total,
        }
        found = {
            "files": [file.to_dict() for file in self.files],
            "columns": [*self.names],
            "id": said.id,
            "missing": said.missing or "refuse",
            "dropped_pairs": self.dropped,
            "groups": said.groups,
            **{name: value for name, value in more.items() if value},
            "decimals": said.decimals,
            "version": __version__,
        }
        for title, item in zip(("first", "last"), self.ends):
            found[title] = {"id": item.id, "cells": dict(item.cells)}
        if self.ends:
            found["ranges"] = {name: [*map(exact_text, ends)] for name, *ends in self.ranges}
        return found
