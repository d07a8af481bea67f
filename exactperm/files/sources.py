"""Open files as tables: paths to bytes, bytes to text, text to one table for each file.

What form a text has is decided here: JSON, a tool's lines, or delimited cells.
"""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Sequence

from ..arithmetic.quoting import printable, short_text
from ..errors import Cure
from ..record import replaced
from .listing import Ask, Table
from .reading import Reading
from .text import delimited

Contents = Sequence[tuple[str, bytes]]
"""Names and contents of files."""

MOST_BYTES = 2**28
"""Default limit of what is read from one file."""

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
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
    found = [
        os.path.join(folder, file)
        for folder, _folders, files in sorted(os.walk(path))
        for file in sorted(files)
        if file.startswith("samples_") and file.endswith(".jsonl")
    ]
    if len(found) == 1:
        return found[0]
    shown = [os.path.relpath(file, path) for file in found] or sorted(os.listdir(path))
    what = (
        f"{len(found)} files of samples" if found else "no file of samples of lm-evaluation-harness"
    )
    inside = ", ".join(map(short_text, shown[:_SHOWN])) + ", ..." * (len(shown) > _SHOWN)
    text = f"{printable(path)} is a folder with {what}{f'; it holds {inside}' if shown else ''}"
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
    bom, codec = next(
        ((bom, codec) for bom, codec in _BOMS if data.startswith(bom)), (b"", encoding or "utf-8")
    )
    data = data[len(bom) :]
    try:
        text = data.decode(codec).replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        if not bom and _BINARY.search(data.decode("latin-1")):
            raise _no_text(name) from None
        line = data[: error.start].count(b"\n") + 1
        words = "cp1252, where a spreadsheet of Western Europe wrote it"
        why = f"{printable(name)}, line {line}: not {codec} text ({error.reason})"
        cure = Cure(words=words)
        raise Ask(
            f"{why}; which encoding is it?", "encoding", "encoding", answers=(cure,)
        ) from None
    except (LookupError, ValueError):
        must = "it must be one that Python knows, such as cp1252"
        raise Ask(f"encoding is {short_text(encoding)}: {must}", "encoding", "encoding") from None
    if _BINARY.search(text):
        raise _no_text(name)
    return text


def _no_text(name: str) -> Ask:
    words = "save its table as CSV, UTF-16 with its byte-order mark; a log of Inspect is unpacked by inspect log dump"
    what = "is no text but a spreadsheet, an archive or another binary file"
    return Ask(f"{printable(name)} {what}", "encoding", answers=(Cure(words=words),))


def tables_of(contents: Contents, reading: Reading, *, labels: bool = False) -> list[Table]:
    """Return the tables of files; of ``labels`` no cell of a first row tells whether it has names.

    A file holds JSON where its name ends with .json, .jsonl or .ndjson, or its text begins with { or [; a delimiter
    that is said makes it a table.
    """
    return [_table(name, data, reading, labels=labels) for name, data in contents]


def _table(name: str, data: bytes, reading: Reading, *, labels: bool) -> Table:
    from hashlib import sha256

    text = decoded(data, name, reading.encoding)
    found = None
    if reading.delimiter is None:
        if text.lstrip()[:1] in ("{", "[") or name.lower().endswith((".json", ".jsonl", ".ndjson")):
            found = _json(text, name, reading)
        elif "all" in text or "score:" in text:
            from . import logs

            found = logs.of_lines(text, name)
    table = delimited(text, name, reading, labels=labels) if found is None else found
    return replaced(table, sha256=sha256(data).hexdigest())


def _json(text: str, name: str, reading: Reading) -> Table:
    from . import jsonl, logs

    if not text.strip():
        raise Ask(f"{printable(name)} is empty: it has no records", "empty")
    value = jsonl.value_of(text, name)
    known = None if reading.records is not None else logs.of_json(value, name, reading)
    return jsonl.table(value, name, reading) if known is None else known
