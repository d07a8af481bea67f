"""Read JSON and JSON Lines, one record per item, as a table of cells; errors name the file, line and key.

Numbers keep the text of the file and never become binary floats.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from .._types import Any
from ..arithmetic.quoting import short_text
from ..errors import Cure, ExactPermError
from .json_text import shallow, without_repeats
from .tables import Table

Numbered = tuple[int, dict[str, Any]]
"""The line where a record starts, and the record."""


_BLANK = re.compile(r"\s*")
_DECODER = json.JSONDecoder(
    object_pairs_hook=without_repeats, parse_float=str, parse_int=str, parse_constant=str
)


def parse(text: str, name: str) -> Table:
    r"""Return the records of a text as a table: of a list, or one after the other, or an object of columns.

    Nested objects have dotted keys. Numbers are cells as written, booleans "true" or "false"; null
    or an absent key is an empty cell, a list its JSON text. The columns that DataFrames write,
    ``{"a": [1, 2]}``, ``{"a": {"0": 1}}`` and ``{"columns": ..., "data": ...}``, become records
    first. Raises ``ExactPermError`` for text that is not such JSON, with the line.

    >>> parse('{"id": 1, "m": {"acc": 0.10}}\n{"id": 2, "m": {"acc": true}}\n', "f").rows
    [['1', '0.10'], ['2', 'true']]
    """
    return table(unfolded(records(text, name)), name)


def records(text: str, name: str) -> list[Numbered]:
    """Return the records of a text, at least one, with the lines where they start; see :func:`parse`."""
    found = list(_records(text, name))
    if not found:
        raise ExactPermError(f"{name} is empty: it has no records", code="empty")
    return found


def unfolded(records: list[Numbered]) -> list[Numbered]:
    """Return the records of an only object of columns, as DataFrames write it; else the records as they are."""
    rows = _from_columns(records[0][1]) if len(records) == 1 else None
    return records if not rows else [(records[0][0], row) for row in rows]


def table(records: Sequence[Numbered], name: str) -> Table:
    """Return records as a table of all their keys; see :func:`parse`."""
    flat = [_flat(record) for _line, record in records]
    header = tuple(dict.fromkeys(key for cells in flat for key in cells))
    if not header:
        raise ExactPermError(f"{name}: the records have no keys", code="empty")
    repeated = [
        (i, key) for i, cells in enumerate(flat) for key, cell in cells.items() if cell is _TWICE
    ]
    if repeated:
        i, key = repeated[0]
        place = f"{name}, line {records[i][0]}"
        raise ExactPermError(
            f"{place}: several values have the key {short_text(key)}: rename one", code="keys"
        )
    return Table(
        name=name,
        rows=[[cells.get(key, "") for key in header] for cells in flat],
        lines=[line for line, _record in records],
        header=header,
        decimal="point",
        keyed=True,
    )


_TWICE = "two values"


def _flat(record: dict[str, Any]) -> dict[str, str]:
    """Return the cells of a record by their dotted keys, those of outer objects first."""
    cells: dict[str, str] = {}
    level: list[tuple[str, Any]] = list(record.items())
    while level:
        inner: list[tuple[str, Any]] = []
        for key, value in level:
            if isinstance(value, dict):
                inner += [(f"{key}.{name}", part) for name, part in value.items()]
            elif key in cells:
                cells[key] = _TWICE
            else:
                cells[key] = _cell(value)
        level = inner
    return cells


def _cell(value: Any) -> str:
    """Return the text of a value; numbers have the text of the file."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def _from_columns(record: dict[str, Any]) -> list[dict[str, Any]] | None:
    """Return the records of an object of columns, as DataFrames and dictionaries of lists are written; else None."""
    names, data = record.get("columns"), record.get("data")
    if (
        isinstance(names, list)
        and isinstance(data, list)
        and all(isinstance(row, list) for row in data)
    ):
        index = record.get("index")
        keys = index if isinstance(index, list) and len(index) == len(data) else None
        rows = [dict(zip(map(str, names), row)) for row in data if len(row) == len(names)]
        if len(rows) < len(data):
            return None
        return (
            rows if keys is None else [{"index": str(key), **row} for key, row in zip(keys, rows)]
        )
    columns = list(record.values())
    if not columns:
        return None
    if all(isinstance(column, list) for column in columns):
        if len({len(column) for column in columns}) > 1 or any(
            isinstance(v, (list, dict)) for c in columns for v in c
        ):
            return None
        return [dict(zip(record, row)) for row in zip(*columns)]
    if all(isinstance(column, dict) for column in columns) and len(columns[0]) > 1:
        first = list(columns[0])
        plain = not any(
            isinstance(value, (list, dict)) for column in columns for value in column.values()
        )
        names = list(record)
        if (
            plain
            and names == [str(i) for i in range(len(names))] != first
            and all(list(c) == first for c in columns)
        ):
            # a record for each number of a row
            return [{"index": key, **record[key]} for key in names]
        if plain and all(list(column) == first for column in columns):
            return [{"index": key, **{name: record[name][key] for name in record}} for key in first]
    return None


def _records(text: str, name: str) -> Iterator[Numbered]:
    """Yield the records with the lines where they start."""
    try:
        shallow(text)
    except ValueError as error:
        raise ExactPermError(f"{name}: not JSON: {error}", code="json") from None
    at = _after_blanks(text, 0)
    listed = text.startswith("[", at)
    at = _after_blanks(text, at + listed)
    line, counted, more = 1, 0, True
    while at < len(text) and not (listed and text[at] == "]"):
        line, counted = line + text.count("\n", counted, at), at
        if not more:
            raise ExactPermError(
                f"{name}, line {line}: not JSON: a comma is missing between two records of a list",
                code="json",
            )
        try:
            record, at = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise ExactPermError(
                f"{name}, line {error.lineno}: not JSON: {error.msg}", code="json"
            ) from None
        except ValueError as error:
            raise ExactPermError(
                f"{name}, line {line}: not JSON: {str(error)[:200]}", code="json"
            ) from None
        if not isinstance(record, dict):
            advice = 'a record is an object such as {"id": 1, "acc": 0.5}'
            plain = (
                "plain numbers are written one per line" if listed else "plain numbers are a table"
            )
            cure = None if listed else Cure({"delimiter": "comma"}, words="for plain numbers")
            message = f"{name}, line {line}: {short_text(record)} is no record: {advice}; {plain}"
            raise ExactPermError(message, code="json", cure=cure)
        yield line, record
        at = _after_blanks(text, at)
        more = not listed or text.startswith(",", at)
        at = _after_blanks(text, at + (listed and more))
    if listed and (at >= len(text) or text[at + 1 :].strip()):
        what = (
            "the list of records has no end"
            if at >= len(text)
            else "text follows the list of records"
        )
        raise ExactPermError(f"{name}: not JSON: {what}", code="json")


def _after_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at
