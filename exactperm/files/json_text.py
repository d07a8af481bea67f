"""Read JSON of any origin: no key twice in one object, no nesting that could end the interpreter; and as a table.

Records are lines, a list, an object of equal lists, or an object of objects; the outer or the inner keys of the last
are then the ids. A table has a row for each record. Its numbers keep the text of the file and never become binary
floats.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, islice

from .._types import Any
from ..arithmetic.quoting import printable, short_text
from .reading import Reading
from .table import Ask, Table, is_missing, quoted, text_of

Object = dict[str, Any]

Cells = dict[str, str]
"""The cells of a row by the names of their columns."""

_DEEPEST = 100
"""Levels of nested lists and objects; some thousands end the interpreter itself in a browser."""
_STEPS = {"[": 1, "{": 1, "]": -1, "}": -1}


def loaded(text: str, decimals: Callable[[str], object] | None = None) -> Any:
    """Return the value of a JSON text; ``decimals`` reads numbers with a point or an exponent (``float``).

    Raises ``ValueError`` for text that is not JSON, that repeats a key in one object, or that nests
    too deep.

    >>> loaded('{"p": 0.050}', str)
    {'p': '0.050'}
    """
    return json.loads(shallow(text), object_pairs_hook=without_repeats, parse_float=decimals)


def shallow(text: str) -> str:
    """Return JSON text as it is; ``ValueError`` where it nests more than 100 lists and objects.

    Looks at the brackets outside of strings, in a small part of the time that parsing takes.

    >>> shallow('{"[[": []}')
    '{"[[": []}'
    """
    if text.count("[") + text.count("{") > _DEEPEST:
        unescaped = text.replace("\\\\", "").replace('\\"', "")
        brackets = re.findall(r"[][{}]", re.sub(r'"[^"]*"', "", unescaped))
        if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > _DEEPEST:
            raise ValueError(f"more than {_DEEPEST} lists and objects are nested")
    return text


def without_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object of these pairs; ``ValueError`` where a key is repeated."""
    record = dict(pairs)
    if len(record) < len(pairs):
        repeated = Counter(key for key, _value in pairs).most_common(1)[0][0]
        raise ValueError(f"the key {short_text(repeated)} is repeated in one object")
    return record


def fault(error: ValueError) -> str:
    """Return what is wrong with a JSON text of one line.

    >>> try:
    ...     loaded('{"p": }')
    ... except ValueError as error:
    ...     print(fault(error))
    Expecting value: column 7
    """
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg}: column {error.colno}"
    return str(error)


def dumped(data: dict[str, object]) -> str:
    """Write JSON with one line for each entry of ``data``, however long its lists are."""
    inside = ",\n".join(
        f"  {json.dumps(name)}: {json.dumps(value, allow_nan=False)}"
        for name, value in data.items()
    )
    return f"{{\n{inside}\n}}"


# ---------------------------------------------------------------------------------------------- tables

_DECODER = json.JSONDecoder(
    object_pairs_hook=without_repeats, parse_float=str, parse_int=str, parse_constant=str
)


def value_of(text: str, name: str) -> Any:
    """Return the value of a JSON text, or the list of the values that its lines hold; numbers are texts.

    Raises ``Ask`` for text that is not JSON, with the line.
    """
    lines = text.strip().split("\n")
    values = []
    last = 0
    if lines == [""]:
        raise Ask(f"{printable(name)} is empty: it has no records", "empty")
    try:
        try:
            return _DECODER.decode(shallow(text.strip()))
        except json.JSONDecodeError:
            if text.lstrip()[0] == "[" or len(lines) == 1:
                raise
        for last, line in enumerate(lines, 1):  # noqa: B007
            if line.strip():
                values.append(_DECODER.decode(line))
    except ValueError as error:
        at = last or getattr(error, "lineno", 0)
        where = f"{printable(name)}, line {at}" if at else printable(name)
        raise Ask(f"{where}: not JSON: {fault(error)[:200]}", "json") from None
    return values


def table_of(value: object, name: str, reading: Reading) -> Table:
    """Return the table of a JSON value.

    Nested objects have dotted keys; null or an absent key is an empty cell, a list its JSON text.

    >>> table_of({"q1": {"A": "1", "B": "0"}, "q2": {"B": "1"}, "q3": {}}, "f", Reading()).columns
    (['q1', 'q2', 'q3'], ['1', '', ''], ['0', '1', ''])
    """
    return of_rows([flat(one, name) for one in records_of(value, name, reading)], name, "json")


def of_rows(rows: Sequence[Cells], name: str, form: str, same: Sequence[str] = ()) -> Table:
    """Return the table of rows of cells; those of a known tool have an "id", perhaps a "run", and what is the ``same``.

    That is, for each row, what a row of its id has in every file.
    """
    names = tuple(dict.fromkeys(key for row in rows for key in row))
    if not names:
        raise Ask(f"{printable(name)} is empty: it has no records", "empty")
    columns = [[row.get(key, "") for row in rows] for key in names]
    known = names if same else ()
    if any(same):
        columns.append([*same])
    return Table(
        name=name,
        form=form,
        names=names,
        columns=tuple(columns),
        lines=range(1, len(rows) + 1),
        id=known.index("id") if "id" in known else -1,
        run=known.index("run") if "run" in known else -1,
        same=len(names) if any(same) else -1,
    )


def records_of(value: object, name: str, reading: Reading) -> list[Object]:
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
    found = [*islice(_lists(value), 12)]
    if lists and not found and len(lists) == len(parts):
        if len({*map(len, parts)}) > 1:
            raise Ask(f"{printable(name)}: its lists have different lengths", "lengths")
        return [dict(zip(value, row)) for row in zip(*parts)]
    objects = [part for part in parts if isinstance(part, dict)]
    by_ids = len(objects) == len(parts) > 0
    if lists or (found and (len(parts) == 1 or not by_ids)):
        there = ", ".join(found) or quoted(lists)
        text = f"{printable(name)}: where is the list of records? There are {there}"
        raise Ask(text, "records", "records")
    if by_ids:
        return _by_ids(value, name, reading)
    texts = [] if objects else [*map(cell_of, parts)]
    if texts and all(is_missing(text) or text_of(text) for text in texts):
        return [{"id": key, "value": part} for key, part in value.items()]
    return [value] if parts else []


def _lists(value: Object, before: str = "") -> Iterator[str]:
    """Yield the key of each list of records, at any depth."""
    for key, part in value.items():
        if isinstance(part, dict):
            yield from _lists(part, f"{before}{key}.")
        elif isinstance(part, list) and part and isinstance(part[0], dict):
            yield short_text(before + key)


def _by_ids(value: Object, name: str, reading: Reading) -> list[Object]:
    """Return the records of an object of objects, whose outer or inner keys are the ids.

    The columns are the keys that the reading names, or else those of which there are fewer.
    """
    inner = dict.fromkeys(key for part in value.values() for key in part)
    cells = [cell for part in value.values() for cell in part.values()]
    said = {*reading.words}
    fits = [not said or said <= {*keys} for keys in (inner, value)]
    if fits[0] == fits[1]:
        fits = [len(inner) < len(value), len(inner) > len(value)]
    if fits[0] or any(isinstance(cell, (list, dict)) for cell in cells):
        key = "key" if "id" in inner else "id"
        return [{key: outer, **part} for outer, part in value.items()]
    if not fits[1]:
        text = "an object of objects with as many keys; which of both are the items?"
        raise Ask(f"{printable(name)}: {text}", "columns", "columns")
    key = "key" if "id" in value else "id"
    return [{key: one, **{outer: part.get(one) for outer, part in value.items()}} for one in inner]


def flat(record: Object, name: str) -> Cells:
    """Return the cells of a record by their dotted keys, those of outer objects first."""
    cells: Cells = {}
    level: Iterable[tuple[str, object]] = record.items()
    while level:
        inner: list[tuple[str, object]] = []
        for key, value in level:
            if isinstance(value, dict):
                inner += [(f"{key}.{part}", entry) for part, entry in value.items()]
            elif key in cells:
                raise Ask(f"{printable(name)}: two values have the key {short_text(key)}", "json")
            else:
                cells[key] = cell_of(value)
        level = inner
    return cells


def cell_of(value: object) -> str:
    """Return the text of a value; numbers have the text of the file."""
    if isinstance(value, str):
        return value.strip()
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
