"""Read JSON as a table: a row for each record, a column for each of their keys.

The records are lines, a list, an object of equal lists, or an object of objects; the outer or the inner keys of the
last are then the ids. Numbers keep the text of the file and never become binary floats.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from .._types import Any
from ..arithmetic.quoting import printable, short_text
from .json_text import fault, shallow, without_repeats
from .listing import Ask, Table, quoted
from .numbers import is_missing, number_text
from .reading import Reading

Object = dict[str, Any]

_DECODER = json.JSONDecoder(
    object_pairs_hook=without_repeats, parse_float=str, parse_int=str, parse_constant=str
)


def value_of(text: str, name: str) -> Any:
    """Return the value of a JSON text, or the list of the values that its lines hold; numbers are texts.

    Raises ``Ask`` for text that is not JSON, with the line.
    """
    try:
        text = shallow(text).strip()
    except ValueError as error:
        raise _broken(name, str(error)) from None
    whole = text[:1] == "[" or "\n" not in text
    try:
        value, end = _DECODER.raw_decode(text)
        if end == len(text):
            return value
        whole = whole and text[:1] == "["
    except json.JSONDecodeError as error:
        if whole:
            raise _broken(f"{name}, line {error.lineno}", error.msg) from None
    except ValueError as error:
        raise _broken(name, str(error)) from None
    if whole:
        raise _broken(name, "text follows the list of records")
    values = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                values.append(_DECODER.decode(line.strip()))
            except ValueError as error:
                raise _broken(f"{name}, line {number}", fault(error)) from None
    return values


def _broken(name: str, why: str) -> Ask:
    return Ask(f"{printable(name)}: not JSON: {why[:200]}", "json")


def table(value: Any, name: str, reading: Reading) -> Table:
    """Return the table of a JSON value.

    Nested objects have dotted keys; null or an absent key is an empty cell, a list its JSON text.

    >>> table({"q1": {"A": "1", "B": "0"}, "q2": {"B": "1"}, "q3": {}}, "f", Reading()).columns
    (['q1', 'q2', 'q3'], ['1', '', ''], ['0', '1', ''])
    """
    records = records_of(value, name, reading)
    rows = [_flat(record, name) for record in records]
    return of_rows(rows, name, "json")


def of_rows(
    rows: Sequence[dict[str, str]], name: str, form: str, same: Sequence[str] = (), **known: Any
) -> Table:
    """Return the table of rows of cells by name; ``known`` are further fields of the table.

    ``same`` has for each row what a row of its id has in every file.
    """
    names = tuple(dict.fromkeys(key for row in rows for key in row))
    if not names:
        raise Ask(f"{printable(name)} is empty: it has no records", "empty")
    columns = [[row.get(key, "") for row in rows] for key in names]
    if same:
        known["same"] = len(names)
        columns.append([*same])
    lines = range(1, len(rows) + 1)
    return Table(name=name, names=names, columns=tuple(columns), lines=lines, form=form, **known)


def records_of(value: Any, name: str, reading: Reading) -> list[Object]:
    """Return the records of a JSON value; ``Ask`` where it has none, or more than one list of them."""
    for key in [] if reading.records is None else reading.records.split("."):
        if not isinstance(value, dict) or key not in value:
            there = f"; there are {quoted(list(value))}" if isinstance(value, dict) else ""
            text = f"{printable(name)} has no key {short_text(key)}{there}"
            raise Ask(text, "records", "records")
        value = value[key]
    if isinstance(value, dict):
        value = _of_object(value, name, reading)
    if isinstance(value, list) and value and all(isinstance(entry, dict) for entry in value):
        found: list[Object] = value
        return found
    what = 'a list of records, objects such as {"id": 1, "acc": 0.5}, is wanted'
    raise Ask(f"{printable(name)} holds {short_text(value)}: {what}", "records")


def _of_object(value: Object, name: str, reading: Reading) -> list[Object]:
    """Return the records of an object: one, or of lists, objects or numbers by key."""
    parts = list(value.values())
    lists = [key for key, part in value.items() if isinstance(part, list)]
    flat = not any(isinstance(entry, (list, dict)) for key in lists for entry in value[key])
    if parts and flat and len(lists) == len(parts):
        if len({*map(len, parts)}) > 1:
            raise Ask(f"{printable(name)}: its lists have different lengths", "lengths")
        return [dict(zip(value, row)) for row in zip(*parts)]
    if lists:
        text = f"{printable(name)}: where is the list of records? Lists are {quoted(lists)}"
        raise Ask(text, "records", "records")
    if parts and all(isinstance(part, dict) for part in parts):
        return _by_ids(value, name, reading)
    if parts and all(_is_score(part) for part in parts):
        return [{"id": key, "value": part} for key, part in value.items()]
    return [value] if parts else []


def _is_score(part: object) -> bool:
    text = "" if part is None else str(part)
    return not isinstance(part, dict) and (is_missing(text) or number_text(text) != "")


def _by_ids(value: Object, name: str, reading: Reading) -> list[Object]:
    """Return the records of an object of objects, whose outer or inner keys are the ids.

    The columns are the keys that the reading names, or else those of which there are fewer.
    """
    inner = dict.fromkeys(key for part in value.values() for key in part)
    nested = any(
        isinstance(cell, (list, dict)) for part in value.values() for cell in part.values()
    )
    said = {*reading.words}
    fits = [not said or said <= {*keys} for keys in (inner, value)]
    if fits[0] == fits[1]:
        fits = [len(inner) < len(value), len(inner) > len(value)]
    if nested or fits[0]:
        key = "id" if "id" not in inner else "key"
        return [{key: outer, **part} for outer, part in value.items()]
    if not fits[1]:
        text = "an object of as many objects as each has keys; which of them are the items?"
        raise Ask(f"{printable(name)}: {text}", "columns", "columns")
    key = "id" if "id" not in value else "key"
    return [
        {key: item, **{outer: part.get(item) for outer, part in value.items()}} for item in inner
    ]


def _flat(record: Object, name: str) -> dict[str, str]:
    """Return the cells of a record by their dotted keys, those of outer objects first."""
    cells: dict[str, str] = {}
    level: Iterable[tuple[str, Any]] = record.items()
    while level:
        inner: list[tuple[str, Any]] = []
        for key, value in level:
            if isinstance(value, dict):
                inner += [(f"{key}.{part}", entry) for part, entry in value.items()]
            elif key in cells:
                raise Ask(f"{printable(name)}: two values have the key {short_text(key)}", "json")
            else:
                cells[key] = cell_of(value)
        level = inner
    return cells


def cell_of(value: Any) -> str:
    """Return the text of a value; numbers have the text of the file."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
