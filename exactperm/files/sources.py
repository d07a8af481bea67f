"""Open the files of a test: tables of cells, or JSON records."""

from __future__ import annotations

import re
from collections.abc import Sequence

from . import tables
from .selection import Choice
from .tables import MOST_BYTES, Sheet

_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_JSON_START = re.compile(r'\s*(?:\[\s*)?\{\s*"')


def read_sheets(
    paths: Sequence[str],
    choice: Choice,
    *,
    delimiter: str = "auto",
    decimal: str = "auto",
    comments: bool = True,
    most: int = MOST_BYTES,
) -> list[Sheet]:
    """Return the rows of files; see :func:`exactperm.files.tables.read_bytes` and :func:`sheet`."""
    return [
        sheet(
            tables.read_bytes(path, name, most), name, choice, delimiter=delimiter, decimal=decimal, comments=comments
        )
        for path, name in zip(paths, map(tables.name_of, paths))
    ]


def sheet(
    data: bytes,
    name: str,
    choice: Choice,
    *,
    delimiter: str = "auto",
    decimal: str = "auto",
    comments: bool = True,
) -> Sheet:
    """Return the rows of a file.

    It holds JSON records where its name ends with .json, .jsonl or .ndjson, or where its text begins with a record; a
    ``delimiter`` other than "auto" makes it a table. ``choice`` has the keys that are wanted from records.
    """
    from hashlib import sha256

    text = tables.decoded(data, name)
    if delimiter == "auto" and (name.lower().endswith(_JSON_ENDINGS) or _JSON_START.match(text)):
        from . import jsonl

        found = jsonl.parse(text, name, choice.words, choice.others, decimal=decimal)
    else:
        found = tables.parse(text, name, delimiter, decimal=decimal, comments=comments)
    return Sheet(**{**{field: getattr(found, field) for field in Sheet._fields}, "sha256": sha256(data).hexdigest()})
