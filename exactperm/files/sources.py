"""Open files as tables: paths to bytes, bytes to text, text to one table for each file; and say where data come from.

What form a text has is decided here: JSON, a tool's lines, or delimited cells.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Sequence

from .. import __version__
from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.writing import exact_text
from ..errors import Cure
from ..record import Record, replaced
from .reading import Reading
from .table import Ask, File, Table, quoted, short
from .text import delimited

if TYPE_CHECKING:
    from ..arithmetic.rational import Exact

Contents = Sequence[tuple[str, bytes]]
"""Names and contents of files."""

MOST_BYTES = 2**28
"""Default limit of what is read from one file."""

_BOMS = {
    codecs.BOM_UTF8: "utf-8",
    codecs.BOM_UTF16_LE: "utf-16-le",
    codecs.BOM_UTF16_BE: "utf-16-be",
}
_BINARY = re.compile("[\0-\x08\x0e-\x19\x1c-\x1f]")
"""Characters that no text has."""
_CHUNK = 2**20
_SHOWN = 8


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
            data = _at_most(sys.stdin.buffer.read, most + 1)
        else:
            with open(path, "rb") as file:
                data = _at_most(file.read, most + 1)
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        why = getattr(error, "strerror", None) or error
        raise Ask(f"cannot read {printable(name)}: {why}", "unreadable") from None
    if len(data) > most:
        text = f"{printable(name)} has more than {most} bytes"
        raise Ask(text, "size", answers=(Cure(words="allow more input"),))
    return data


def _inside(path: str) -> str:
    """Return the file of samples in a folder, at any depth; any other path as it is."""
    if path == "-" or "\0" in path or not os.path.isdir(path):
        return path
    files = [
        os.path.join(folder, file)
        for folder, _folders, files in sorted(os.walk(path))
        for file in sorted(files)
    ]
    names = [os.path.relpath(file, path) for file in files]
    found = [
        name
        for name in names
        if os.path.basename(name).startswith("samples_") and name.endswith(".jsonl")
    ]
    if len(found) == 1:
        return os.path.join(path, found[0])
    what = f"{len(found) or 'no'} files of samples of lm-evaluation-harness"
    text = f"{printable(path)} is a folder with {what}; it holds {quoted(found or names, _SHOWN) or 'no files'}"
    raise Ask(text, "unreadable", answers=(Cure(words="name one file"),))


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


def decoded(data: bytes, name: str, encoding: str | None = None) -> str:
    """Return the text of a file: UTF-8, UTF-16 with a byte-order mark, or as said; every line ends with a line feed.

    Raises ``Ask`` for other bytes, with the line, and for what is no text.
    """
    bom = next((bom for bom in _BOMS if data.startswith(bom)), b"")
    codec, data = _BOMS.get(bom, encoding or "utf-8"), data[len(bom) :]
    error = None
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as failed:
        text, error = "" if bom else data.decode("latin-1"), failed
    except (LookupError, ValueError):
        must = "it must be one that Python knows, such as cp1252"
        raise Ask(f"encoding is {short_text(encoding)}: {must}", "encoding", "encoding") from None
    if _BINARY.search(text):
        words = "save a table as CSV; unpack a log of Inspect by inspect log dump"
        what = "is no text but a spreadsheet, an archive or another binary file"
        raise Ask(f"{printable(name)} {what}", "encoding", answers=(Cure(words=words),))
    if error is not None:
        line = data[: error.start].count(b"\n") + 1
        why = f"{printable(name)}, line {line}: not {codec} text ({error.reason}); which encoding is it?"
        cure = Cure(words="cp1252, where a spreadsheet of Western Europe wrote it")
        raise Ask(why, "encoding", "encoding", answers=(cure,))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def tables_of(contents: Contents, reading: Reading, *, labels: bool = False) -> list[Table]:
    """Return the tables of files; of ``labels`` no cell of a first row tells whether it has names.

    A file holds JSON where its name ends with .json, .jsonl or .ndjson, or its text begins with { or [; a delimiter
    that is said makes it a table.
    """
    return [_table(name, data, reading, labels=labels) for name, data in contents]


def _table(name: str, data: bytes, reading: Reading, *, labels: bool) -> Table:
    from hashlib import sha256

    text, table = decoded(data, name, reading.encoding), None
    as_json = text.lstrip()[:1] in ("{", "[") or name.lower().endswith(
        (".json", ".jsonl", ".ndjson")
    )
    if reading.delimiter is None and (as_json or "all" in text or "score:" in text):
        from . import logs

        table = logs.of_json(text, name, reading) if as_json else logs.of_lines(text, name)
    table = table or delimited(text, name, reading, labels=labels)
    return replaced(table, sha256=sha256(data).hexdigest())


# ---------------------------------------------------------------------------------------------- where data come from

_WIDEST = 60
"""Characters of an id or a cell in rows."""


class ReadItem(Record):
    """One item that was read: its ``id`` (or its line), and its ``cells`` by the names of columns, as written."""

    id: str
    cells: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        parts = [self.id, *[f"{name} {_cut(cell)}" for name, cell in self.cells]]
        return f"{_cut(parts[0])}: {', '.join(parts[1:])}"


def _cut(text: str) -> str:
    """Return a text for people, the beginning of a long one."""
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}..."


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
        said, names = self.reading, ", ".join(self.names)
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
            "groups": said.groups and f"{said.groups}: pairs of one group are swapped together",
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

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, with the version of this package."""
        said = self.reading
        more: dict[str, Any] = {
            **{name: getattr(said, name) for name in ("weights", "tasks", "by", "encoding")},
            **{name: getattr(self, name) for name in ("runs", "samples")},
            "systems": list(self.systems),
            "last_row": said.total,
        }
        found = {
            "files": [file.to_dict() for file in self.files],
            "columns": list(self.names),
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
