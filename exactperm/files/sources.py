"""Open the files of a test: tables of cells, JSON records, or the outputs of evaluation tools."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import ExactPermError
from ..record import replaced
from . import tables
from .reading import Reading
from .selection import check_items, names_alike
from .tables import MOST_BYTES, Sheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .evaluations import Numbered

_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
_JSON_START = re.compile(r'\s*(?:\[\s*)?\{\s*"')


def read_sheets(
    paths: Sequence[str],
    choice: Reading,
    *,
    kind: str = "scores",
    most: int = MOST_BYTES,
) -> tuple[list[Sheet], Reading]:
    """Return the rows of files, and the choice that takes columns from them.

    See :func:`exactperm.files.tables.read_bytes` and :func:`sheets`.
    """
    names = [tables.name_of(path) for path in paths]
    contents = [(name, tables.read_bytes(path, name, most)) for path, name in zip(paths, names)]
    return sheets(contents, choice, kind=kind)


def sheets(
    contents: Sequence[tuple[str, bytes]],
    choice: Reading,
    *,
    kind: str = "scores",
) -> tuple[list[Sheet], Reading]:
    """Return the rows of named contents of files, and the choice that takes columns from them.

    A file holds JSON records where its name ends with .json, .jsonl or .ndjson, or where its text begins with a record;
    a chosen delimiter makes it a table. ``kind`` is that of the cells, ``choice`` has the keys that are wanted from
    records. Where an evaluation tool wrote the files, the choice that is returned has its key of the ids, and its
    metric where it is the only one; see :mod:`exactperm.files.evaluations`. Else it is the one given.
    """
    names, data = [name for name, _content in contents], [content for _name, content in contents]
    texts = [tables.decoded(content, name) for name, content in contents]
    records = [_records(text, name, choice.delimiter) for text, name in zip(texts, names)]
    tool = ""
    if any(records):
        from . import evaluations

        runs = [evaluations.recognised(found, name) if found else None for found, name in zip(records, names)]
        first = next(filter(None, runs), None)
        if first is not None:
            tool = first.tool
            records[:], choice = evaluations.matched(runs, names, choice)
    _check_chosen(records, names, choice)
    if choice.id is None:
        _check_ids(records, names, choice)
    elif not tool:
        records = [found and _with_key(found, choice.id) for found in records]
    return [
        _stamped(_sheet(text, name, choice, found, kind), content, tool)
        for text, name, found, content in zip(texts, names, records, data)
    ], choice


def _check_chosen(records: Sequence[list[Numbered] | None], names: Sequence[str], choice: Reading) -> None:
    """Refuse records of which no key is chosen: ids would be taken for scores."""
    found = [file for file in records if file]
    if found and not choice.words:
        from . import jsonl, offers

        name = next(name for file, name in zip(records, names) if file)
        has = jsonl.shown(found[0][0][1])
        raise ExactPermError(f"{name}: {offers.unchosen(found, choice)}; the first record has {has}")


def _check_ids(records: Sequence[list[Numbered] | None], names: Sequence[str], choice: Reading) -> None:
    """Refuse records that are joined by position although ids among them say that items moved."""
    files = [[record for _line, record in found or ()] for found in records]
    if len(files) < 2 or not all(files):
        return
    from . import jsonl

    found = {}
    for key in jsonl.offered(files[0][0]):
        if key not in (*choice.words, choice.groups):
            there = [_key_alike(file[0], key) for file in files]
            columns = [[record.get(name, "") for record in file] for file, name in zip(files, there)]
            if all(isinstance(value, str) for column in columns for value in column):
                found[key] = key, columns
    check_items(found, names)


def _key_alike(record: dict[str, Any], key: str) -> str:
    """Return the key of a record that differs at most in case, the key itself where there is none."""
    return key if key in record else next((name for name in record if names_alike(name, key)), key)


def _with_key(records: list[Numbered], key: str) -> list[Numbered]:
    """Return records whose ids have this key, where the first has one that differs in case."""
    there = _key_alike(records[0][1], key)
    return [
        (line, record if key in record else {key if name == there else name: value for name, value in record.items()})
        for line, record in records
    ]


def keys(data: bytes, name: str, delimiter: str = "auto") -> list[str] | None:
    """Return the keys of JSON records that may hold scores or labels, those of the first record; None for a table."""
    records = _records(tables.decoded(data, name), name, delimiter)
    if records is None:
        return None
    from . import evaluations, jsonl

    run = evaluations.recognised(records, name)
    return list(jsonl.offered(records[0][1])) if run is None else [*run.metrics, run.unit]


def _records(text: str, name: str, delimiter: str) -> list[Numbered] | None:
    """Return the records of JSON text, None for a table."""
    if delimiter != "auto" or not (name.lower().endswith(_JSON_ENDINGS) or _JSON_START.match(text)):
        return None
    from . import jsonl

    return jsonl.records(text, name)


def _sheet(text: str, name: str, choice: Reading, records: list[Numbered] | None, kind: str) -> Sheet:
    if records is None:
        comments = choice.leaves_out_comments(kind)
        return tables.parse(text, name, choice.delimiter, decimal=choice.decimal, comments=comments)
    from . import jsonl

    return jsonl.cells(records, name, choice.words, choice.others, decimal=choice.decimal)


def _stamped(found: Sheet, data: bytes, tool: str) -> Sheet:
    """Return the sheet with the hash of its bytes, and the tool that wrote them."""
    from hashlib import sha256

    return replaced(found, tool=tool, sha256=sha256(data).hexdigest())
