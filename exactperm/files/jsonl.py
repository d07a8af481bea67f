"""Read JSON and JSON Lines, one record per item, as rows of cells; errors name the file, line and key.

Numbers keep the text of the file and never become binary floats.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from .json_text import shallow, without_repeats
from .tables import Sheet

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_BLANK = re.compile(r"\s*")
_SHOWN_KEYS = 12
_DECODER = json.JSONDecoder(object_pairs_hook=without_repeats, parse_float=str, parse_int=str, parse_constant=str)


def parse(text: str, name: str, scores: Sequence[str], others: Sequence[str] = (), *, decimal: str = "auto") -> Sheet:
    r"""Return the cells under the keys of ``scores`` and ``others`` in all records: of a list, or one after the other.

    A dotted key reaches nested objects. Numbers are cells as written, booleans "true" or "false"; null or an absent key
    is an empty cell.
    Raises ``ExactPermError`` for text that is not such JSON, with the line.

    >>> parse('{"id": 1, "m": {"acc": 0.10}}\n{"id": 2, "m": {"acc": true}}\n', "f", ["m.acc"], ["id"]).rows
    [(1, ['0.10', '1']), (2, ['true', '2'])]
    """
    return cells(records(text, name), name, scores, others, decimal=decimal)


def records(text: str, name: str) -> list[tuple[int, dict[str, Any]]]:
    """Return the records of a text, at least one, with the lines where they start; see :func:`parse`."""
    found = list(_records(text, name))
    if not found:
        raise ExactPermError(f"{name} is empty: it has no records")
    return found


def cells(
    records: Sequence[tuple[int, dict[str, Any]]],
    name: str,
    scores: Sequence[str],
    others: Sequence[str] = (),
    *,
    decimal: str = "auto",
) -> Sheet:
    """Return the cells of records; see :func:`parse`."""
    wanted = tuple(dict.fromkeys((*scores, *others)))
    found = [(line, [_cell(record, key, f"{name}, line {line}") for key in wanted]) for line, record in records]
    for i, key in enumerate(wanted):
        if all(row[i] is None for _line, row in found):
            raise ExactPermError(
                f"{name}: no record has the key {short_text(key)}; the first has {shown(records[0][1])}"
            )
    return Sheet(
        name=name,
        delimiter=",",
        decimal="point" if decimal == "auto" else decimal,
        width=len(wanted),
        rows=[(line, [cell or "" for cell in row]) for line, row in found],
        keys=wanted,
    )


def _records(text: str, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the records with the lines where they start."""
    try:
        shallow(text)
    except ValueError as error:
        raise ExactPermError(f"{name}: not JSON: {error}") from None
    at = _after_blanks(text, 0)
    listed = text.startswith("[", at)
    at = _after_blanks(text, at + listed)
    line, counted, more = 1, 0, True
    while at < len(text) and not (listed and text[at] == "]"):
        line, counted = line + text.count("\n", counted, at), at
        if not more:
            raise ExactPermError(f"{name}, line {line}: not JSON: a comma is missing between two records of a list")
        try:
            record, at = _DECODER.raw_decode(text, at)
        except json.JSONDecodeError as error:
            raise ExactPermError(f"{name}, line {error.lineno}: not JSON: {error.msg}") from None
        except ValueError as error:
            raise ExactPermError(f"{name}, line {line}: not JSON: {str(error)[:200]}") from None
        if not isinstance(record, dict):
            advice = 'a record is an object such as {"id": 1, "acc": 0.5}'
            plain = "plain numbers are written one per line" if listed else "of plain numbers, say --delimiter comma"
            raise ExactPermError(f"{name}, line {line}: {short_text(record)} is no record: {advice}; {plain}")
        yield line, record
        at = _after_blanks(text, at)
        more = not listed or text.startswith(",", at)
        at = _after_blanks(text, at + (listed and more))
    if listed and (at >= len(text) or text[at + 1 :].strip()):
        what = "the list of records has no end" if at >= len(text) else "text follows the list of records"
        raise ExactPermError(f"{name}: not JSON: {what}")


def _after_blanks(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def values(record: dict[str, Any], key: str) -> list[Any]:
    """Return all values that a dotted key reaches: "a.b" is a key of that name, or b inside of a."""
    found = []
    todo: list[tuple[Any, str]] = [(record, key)]
    while todo:
        node, rest = todo.pop()
        if isinstance(node, dict):
            if rest in node:
                found.append(node[rest])
            dots = [match.start() for match in re.finditer(r"\.", rest)] if "." in rest else ()
            todo += [(node[rest[:dot]], rest[dot + 1 :]) for dot in dots if rest[:dot] in node]
    return found


def shown(record: dict[str, Any]) -> str:
    """List the first keys of a record that may hold scores, for messages."""
    keys = [short_text(key) for key, _ in zip(offered(record), range(_SHOWN_KEYS + 1))]
    return ", ".join([*keys[:_SHOWN_KEYS], *(["..."] if len(keys) > _SHOWN_KEYS else [])]) or "no plain values"


def offered(record: dict[str, Any]) -> Iterator[str]:
    """Yield the dotted keys of all values that may be scores, those of outer objects first."""
    level = list(record.items())
    while level:
        yield from (key for key, value in level if not isinstance(value, (dict, list)))
        inner = [(key, value) for key, value in level if isinstance(value, dict)]
        level = [(f"{key}.{name}", value) for key, node in inner for name, value in node.items()]


def _cell(record: dict[str, Any], key: str, place: str) -> str | None:
    """Return the text of the value that a key reaches, "" for null, None for an absent key."""
    found = values(record, key)
    if len(found) > 1:
        raise ExactPermError(f"{place}: {len(found)} values have the key {short_text(key)}: rename one")
    if not found:
        return None
    value = found[0]
    if isinstance(value, (dict, list)):
        kind = "an object: name a key inside of it, with a dot" if isinstance(value, dict) else "a list"
        raise ExactPermError(f"{place}, key {short_text(key)}: the value is {kind}")
    return str(value).lower() if isinstance(value, bool) else value or ""
