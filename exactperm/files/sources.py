"""Open the files of a test as tables: bytes to text, to rows or records, to one table for each file.

What form a text has is decided here: JSON, a tool's lines (:mod:`exactperm.files.formats`), or
delimited cells.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .._types import TYPE_CHECKING
from ..record import replaced
from . import checks, header, tables
from .reading import Reading
from .tables import MOST_BYTES, Table

if TYPE_CHECKING:
    from .evaluations import Items
    from .jsonl import Numbered


_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_JSON_START = r'\s*(?:\[\s*)?\{\s*"'


def read_tables(
    paths: Sequence[str], reading: Reading, *, kind: str = "scores", most: int = MOST_BYTES
) -> tuple[list[Table], Reading]:
    """Return the tables of files, of at most ``most`` bytes each, and the reading that chooses from them.

    See :func:`tables_of`.
    """
    names = [tables.name_of(path) for path in paths]
    contents = [(name, tables.read_bytes(path, name, most)) for path, name in zip(paths, names)]
    return tables_of(contents, reading, kind=kind)


def tables_of(
    contents: Sequence[tuple[str, bytes]], reading: Reading, *, kind: str = "scores"
) -> tuple[list[Table], Reading]:
    """Return the tables of named contents of files, and the reading that chooses from them.

    A file holds JSON records where its name ends with .json, .jsonl or .ndjson, or where its text
    begins with a record; a chosen delimiter makes it a table. ``kind`` is that of the cells that
    are wanted. Where an evaluation tool wrote the files, the reading that is returned has its key
    of the ids, and its metric where that is the only one; see :mod:`exactperm.files.evaluations`.
    Else it is the one given.
    """
    names = [name for name, _content in contents]
    texts = [tables.decoded(content, name) for name, content in contents]
    records = [_records(text, name, reading.delimiter) for text, name in zip(texts, names)]
    runs = _runs(records, names)
    tool = next((run.tool for run in runs if run is not None), "")
    if tool:
        from . import evaluations

        matched, reading = evaluations.matched(runs, names, reading)
        records = list(matched)
    alone = len(names) == 1
    found = [
        _table(text, name, rows, reading, kind, alone=alone)
        for text, name, rows in zip(texts, names, records)
    ]
    hashed = [_stamped(table, content, tool) for table, (_name, content) in zip(found, contents)]
    if reading.system is None:
        return hashed, reading
    from .formats import widened

    return widened(hashed, reading)


def keys(data: bytes, name: str, delimiter: str = "auto") -> list[str] | None:
    """Return the keys of JSON records that may hold scores or labels; None for a table."""
    records = _records(tables.decoded(data, name), name, delimiter)
    if records is None:
        return None
    from . import jsonl

    (run,) = _runs([records], [name])
    return (
        list(jsonl.table(records, name).header or ()) if run is None else [*run.metrics, run.unit]
    )


def _runs(records: Sequence[list[Numbered] | None], names: Sequence[str]) -> list[Items | None]:
    """Return the results of evaluation tools among the records."""
    if not any(records):
        return [None for _ in records]
    from . import evaluations

    return [
        evaluations.recognised(found, name) if found else None
        for found, name in zip(records, names)
    ]


def _records(text: str, name: str, delimiter: str) -> list[Numbered] | None:
    """Return the records of JSON text, None for a table."""
    begun = "{" in text and re.match(_JSON_START, text)
    if delimiter != "auto" or not (name.lower().endswith(_JSON_ENDINGS) or begun):
        return None
    from . import jsonl

    return jsonl.unfolded(jsonl.records(text, name))


def _table(
    text: str,
    name: str,
    records: list[Numbered] | None,
    reading: Reading,
    kind: str,
    *,
    alone: bool,
) -> Table:
    """Return the table of one text."""
    if records is not None:
        from . import jsonl

        table = jsonl.table(records, name)
        return (
            table
            if reading.decimal == "auto"
            else replaced(table, decimal=reading.decimal, delimiter="")
        )
    if reading.delimiter == "auto" and any(
        len(line.split(None, 1)) > 1 for line in text.split("\n")
    ):
        from .formats import written_by_a_tool

        written = written_by_a_tool(text.split("\n"), name)
        if written is not None:
            return written
    return delimited(text, name, reading, kind, alone=alone)


def delimited(
    text: str, name: str, reading: Reading, kind: str = "scores", *, alone: bool = True
) -> Table:
    """Return the table of a text of delimited cells; see :func:`exactperm.files.tables.parse`."""
    comments = reading.leaves_out_comments(kind)
    raw = tables.parse(text, name, reading.delimiter, decimal=reading.decimal, comments=comments)
    checks.run(checks.Text(raw=raw, reading=reading, kind=kind, alone=alone))
    return header.table(raw, reading, kind)


def _stamped(table: Table, data: bytes, tool: str) -> Table:
    """Return the table with the hash of its bytes, and the tool that wrote them."""
    from hashlib import sha256

    return replaced(table, tool=tool or table.tool, sha256=sha256(data).hexdigest())
