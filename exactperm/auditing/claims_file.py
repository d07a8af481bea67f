"""Claims files: CSV, TSV, JSON or JSON Lines with one claim per row: the line as printed, test, tail, data.

A row that cannot be read never hides another one, so a row of a table is one line.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from .._types import Union
from ..arithmetic.quoting import printable, short_text
from ..errors import Cure, ExactPermError
from ..files import sources
from ..files.json_text import fault, loaded
from ..files.reading import cells
from ..null.sentence import is_sentence
from .axes import rows
from .claim import FIELDS, NOT_OF_CLAIMS, Claim

Placed = tuple[str, str, Union[Claim, ExactPermError]]
"""One row: its place, the name of the claim, and the claim, or why it cannot be read."""

_OTHER_NAMES = """
p p_value pvalue p_val pval p.value printed_p printed as_printed line line_as_printed
data file path
statistic test
alternative tail tails sides
design runs
rounded rounding
source study paper article reference
"""
"""Fields, and names that people give them, in small letters."""
_FIELDS = {said: field for field, *names in rows(_OTHER_NAMES, " ") for said in names}
_MARKS = "\t;,"
_COMMON = re.compile(r"\s*#\s*(stars|rounded)\s*:(.*)", re.IGNORECASE)


def claims_of(claims: Iterable[object]) -> list[Placed]:
    """Return the rows of an iterable of Claims or mappings; a wrong one is an error in its place."""
    listed = list(claims)
    if len(listed) == 1:
        return [_placed(listed[0], "", "")]
    return [_placed(one, f"claims[{i}]", str(i + 1)) for i, one in enumerate(listed)]


def claims_in(path: Path, most: int = sources.MOST_BYTES) -> list[Placed]:
    """Return the rows of a claims file, in the order of the file; ``ExactPermError`` where it is none."""
    name = str(path)
    text = sources.decoded(sources.read_bytes(name, name, most), name)
    parse = {".json": parse_json, ".jsonl": parse_lines}.get(path.suffix.lower(), parse_table)
    return [_placed(row, place, str(i)) for i, (place, row) in enumerate(parse(text, name), 1)]


def _placed(row: object, place: str, number: str) -> Placed:
    """Return a row with the name of its claim, which is its ``number`` where it has no id."""
    if isinstance(row, Claim):
        return place, row.id or number, row
    name = str((row.get("id") if isinstance(row, Mapping) else None) or number)
    try:
        return place, name, _claim(row, name)
    except ExactPermError as error:
        return place, name, error


def _claim(row: object, name: str) -> Claim:
    """Return the claim of a row; empty texts are not stated, and fields of people's own are notes."""
    if isinstance(row, ExactPermError):
        raise row
    if not isinstance(row, Mapping):
        raise ExactPermError(f"{short_text(row)} is no claim: it needs fields")
    given: dict[str, object] = {"id": name}
    notes = []
    for said, value in row.items():
        if said == "id" or (isinstance(value, str) and not value.strip()):
            continue
        field = _field(said)
        if field in given:
            raise ExactPermError(f"the field {field} is there twice, once as {short_text(said)}")
        if field in _KNOWN:
            given[field] = value
        else:
            notes.append(f"{said}: {value}")
    if given.get("note") is not None:
        notes.insert(0, str(given["note"]))
    return Claim(**{**given, "note": "; ".join(notes) or None})


_KNOWN = {*FIELDS, "stated", "reading"}


def _field(said: object) -> str:
    """Return the field that people call so, or the name itself for a note; ``ExactPermError`` if it is misspelt."""
    plain = str(said).strip().lower().replace("-", "_").replace(" ", "_")
    known = _FIELDS.get(plain, plain)
    if known in _KNOWN:
        return known
    close = difflib.get_close_matches(known, FIELDS, 1, 0.8)
    told = f"{short_text(said)} looks like a misspelt {close[0]!r}" if close else ""
    cure = f"call it {close[0]}" if close else ""
    if known in NOT_OF_CLAIMS[-2:]:
        told = f"claims have no {known}: their p-values are of plain means"
        cure = "call a note otherwise"
    if told:
        raise ExactPermError(told, code="claim-field", cure=Cure(words=cure))
    return str(said)


def parse_json(text: str, name: str) -> Iterator[tuple[str, object]]:
    """Yield (place, mapping) of each claim of a JSON file: a list, or an object with "claims" and common fields."""
    try:
        content = loaded(text, str)
    except ValueError as error:
        raise ExactPermError(f"{name}: not JSON ({error})") from None
    common = dict(content) if isinstance(content, Mapping) else {}
    rows = common.pop("claims", None) if common else content
    if not isinstance(rows, list):
        told = "it must hold a list of claims, or an object with a list under 'claims'"
        raise ExactPermError(f"{name}: {told}")
    for number, row in enumerate(rows, 1):
        yield f"{name}, claim {number}", {**common, **row} if isinstance(row, Mapping) else row


def parse_lines(text: str, name: str) -> Iterator[tuple[str, object]]:
    """Yield (place, mapping) of each line of a JSONL file; the error in place of a line that is not JSON."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            row: object
            try:
                row = loaded(line, str)
            except ValueError as error:
                row = ExactPermError(f"not JSON ({fault(error)})")
            yield f"{name}, line {number}", row


def parse_table(text: str, name: str) -> Iterator[tuple[str, object]]:
    """Yield (place, mapping) of each row of CSV or TSV text, the error in place of a broken row.

    The first line that is neither blank nor a comment names the fields, and its separator is that
    of the file. A comment such as "# stars: * p < .05, ** p < .01" or "# rounded: no" holds for all
    claims.
    """
    lines = [(f"{name}, line {i}", line) for i, line in enumerate(text.split("\n"), 1)]
    filled = [i for i, (_, line) in enumerate(lines) if line.strip(" \t#") and line[:1] != "#"]
    if not filled:
        raise ExactPermError(f"{name} is empty: it has no rows of data")
    place, header = lines[filled[0]]
    if is_sentence(header):
        told = f"{place} is the line that reports a test, without its scores"
        raise ExactPermError(f"{told}: audit the scores, with this line as p", code="sentence")
    mark = next((mark for mark in _MARKS if mark in header), ",")
    fields = _header(cells(header, mark) or [], place)
    found = [match for _, line in lines if (match := _COMMON.fullmatch(line))]
    common = {match[1].lower(): match[2].strip() for match in found}
    for place, line in lines[filled[0] + 1 :]:
        if line.startswith("#"):
            if line.count(mark) == len(fields) - 1 > 0 and not _COMMON.fullmatch(line):
                told = "this comment has the cells of a claim"
                yield place, ExactPermError(f"{told}: put its first cell in quotes, or delete it")
        elif line.strip(f" {mark}\t"):
            row = cells(line, mark) or []
            if len(row) == len(fields) + 1 and row[-1] == "":
                row.pop()
            if len(row) == len(fields):
                yield place, {**common, **{key: cell for key, cell in zip(fields, row) if cell}}
            else:
                told = f"not {len(fields)} cells, as the first row has, or a quote is not closed"
                yield place, ExactPermError(f"{told}: {short_text(line)}")


def _header(header: list[str], place: str) -> list[str]:
    """Return the names of a claims file's columns; others than fields become notes, but none may be misspelt."""
    try:
        names = [_field(said) for said in header]
    except ExactPermError as error:
        raise ExactPermError(f"{place}: {error}", code=error.code, cure=error.cure) from None
    if len({*names}) < len(names):
        raise ExactPermError(f"{place}: a field is there twice among {', '.join(names)}")
    if "p" not in names:
        told = f"{place}: no column holds the printed p-values: a file of claims has one called p"
        has = f"; this one has {', '.join(names)}" if names else ""
        raise ExactPermError(printable(told + has), code="claim-field")
    return names
