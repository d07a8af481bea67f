"""Read many claims: from an iterable, or from a file (CSV, TSV, JSON and JSON Lines) with one claim per row.

A row that cannot be read never hides another one. A quote that is not closed on its line runs on
over the line ends, as CSV allows; that reading is taken only where the row then has as many cells
as the header and none of its further lines has as many by itself. Else the line alone is refused,
and the next row starts on the next line.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from .._types import Any, Union
from ..arithmetic.quoting import printable, short_text
from ..errors import Cure, ExactPermError
from ..files import sources
from ..files.json_text import fault, loaded
from ..record import Record
from .claims import TEXTS, Claim
from .sentences import is_sentence

Cells = Union[list[str], ExactPermError]


_TEXTS = (*TEXTS, "columns")
_OTHER_NAMES = {
    **dict.fromkeys(("p_value", "pvalue", "p_val", "pval", "p.value", "printed_p"), "p"),
    **dict.fromkeys(("file", "path"), "data"),
    "test": "statistic",
    **dict.fromkeys(("tail", "tails", "sides"), "alternative"),
    "runs": "design",
    **dict.fromkeys(("study", "paper", "article", "reference"), "source"),
}
"""Names that people give to fields, in small letters."""

_NO_FIELDS = ("weights", "tasks")
"""Settings of a test that claims do not have: without them a verdict would be on another number."""

_MARKS = "\t;,"
_LEGEND = re.compile(r"\s*#\s*stars\s*:(.*)", re.IGNORECASE)


class Entry(Record):
    """One row of a claims file: the claim, or the reason why it cannot be read.

    ``place`` is its file and line, or its place among several claims; "" for one claim alone.
    """

    place: str
    id: str
    claim: Claim | None
    error: ExactPermError | None = None

    def placed(self, text: object) -> str:
        """Return a text with the place before it, where there is one."""
        return f"{self.place}: {text}" if self.place else str(text)


def entries_of(claims: Any) -> Iterator[Entry]:
    """Yield the entries of an iterable of Claims or mappings; a wrong one becomes an entry with its error."""
    listed = list(claims)
    several = len(listed) > 1
    for position, one in enumerate(listed):
        place, number = (f"claims[{position}]", str(position + 1)) if several else ("", "")
        if isinstance(one, Claim):
            yield Entry(place=place, id=one.id or number, claim=one)
        else:
            yield entry_of(one, place, number)


def entry_of(row: Any, place: str, number: str) -> Entry:
    """Return the entry of a mapping of fields to values, or of an error; ``number`` names a claim without an id."""
    name = str((row.get("id") if isinstance(row, Mapping) else None) or number)
    try:
        return Entry(place=place, id=name, claim=_claim(row, name))
    except ExactPermError as error:
        return Entry(place=place, id=name, claim=None, error=error)


def _claim(row: Any, name: str) -> Claim:
    """Return the claim of a row; empty texts are fields that are not stated."""
    if isinstance(row, ExactPermError):
        raise row
    if not isinstance(row, Mapping):
        raise ExactPermError(f"{short_text(row)} is no claim: it needs fields")
    given: dict[Any, Any] = {}
    for other, value in row.items():
        if not (isinstance(value, str) and not value.strip()):
            field = _field(other)
            if field in given:
                raise ExactPermError(
                    f"the field {short_text(field)} is there twice, once as {short_text(other)}"
                )
            given[field] = value
    unknown = [field for field in given if field not in Claim._fields]
    if unknown:  # columns that people keep for themselves: pages, tables, remarks
        notes = [f"{field}: {given.pop(field)}" for field in unknown]
        given["note"] = "; ".join([*([str(given["note"])] if "note" in given else []), *notes])
    return Claim(**{**given, "id": name})


def _field(name: object) -> object:
    """Return the field that people call so, or the name itself for a note; ``ExactPermError`` if it is misspelt."""
    if name in Claim._fields:
        return name
    plain = str(name).strip().lower().replace("-", "_").replace(" ", "_")
    known = _OTHER_NAMES.get(plain, plain)
    if known in Claim._fields:
        return known
    if known in _NO_FIELDS:
        told = f"claims have no {known}: their p-values are of plain means; give a note of yours another name"
        raise ExactPermError(told, code="claim-field", cure=Cure(words="call a note otherwise"))
    close = difflib.get_close_matches(known, Claim._fields, 1, 0.8)
    if close:
        told = f"{short_text(name)} looks like a misspelt {close[0]!r}: call it so, or give a note of yours another name"
        raise ExactPermError(told, code="claim-field", cure=Cure(words=f"call it {close[0]}"))
    return name


def entries_in(path: Path, most: int = sources.MOST_BYTES) -> Iterator[Entry]:
    """Yield the entries of a claims file, in the order of the file; ``ExactPermError`` where it is none."""
    name = str(path)
    text = sources.decoded(sources.read_bytes(name, name, most), name)
    rows = {".json": parse_json, ".jsonl": parse_lines}.get(path.suffix.lower(), parse_table)
    for number, (place, row) in enumerate(rows(text, name), 1):
        yield entry_of(row, place, str(number))


# --------------------------------------------------------------------------------------------- JSON


def parse_json(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """Yield (place, mapping) of each claim of a JSON file: a list, or an object with "claims" and common fields."""
    try:
        content = loaded(text, str)
    except ValueError as error:
        raise ExactPermError(f"{name}: not JSON ({error})") from None
    common: dict[str, Any] = {}
    if isinstance(content, Mapping) and "claims" in content:
        common = {field: value for field, value in content.items() if field != "claims"}
        content = content["claims"]
    if not isinstance(content, list):
        raise ExactPermError(
            f"{name}: it must hold a list of claims, or an object with a list under 'claims'"
        )
    for number, row in enumerate(content, 1):
        yield (
            f"{name}, claim {number}",
            _printed({**common, **row}) if isinstance(row, Mapping) else row,
        )


def parse_lines(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """Yield (place, mapping) of each line of a JSONL file; the error in place of a line that is not JSON."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            row: Any
            try:
                row = loaded(line, str)
            except ValueError as error:
                row = ExactPermError(f"not JSON ({fault(error)})")
            yield f"{name}, line {number}", _printed(row) if isinstance(row, Mapping) else row


def _printed(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a mapping with whole numbers of text fields as text; JSON decimals are text already."""
    return {
        field: str(value)
        if field in _TEXTS and isinstance(value, int) and not isinstance(value, bool)
        else value
        for field, value in row.items()
    }


# ------------------------------------------------------------------------------------------- tables


def parse_table(text: str, name: str) -> Iterator[tuple[str, Any]]:
    """Yield (place, mapping) of each row of CSV or TSV text, the error in place of a broken row.

    The first line that is neither blank nor a comment names the fields, and its separator is that
    of the file. A comment such as "# stars: * p < .05, ** p < .01" is the legend of all claims.
    """
    lines = text.split("\n")
    start = next(
        (i for i, line in enumerate(lines) if line.strip() and not _is_comment(line)), None
    )
    if start is None:
        raise ExactPermError(f"{name} is empty: it has no rows of data")
    if is_sentence(lines[start]):
        what = f"{name}, line {start + 1} is the line that reports a test, without its scores"
        raise ExactPermError(
            f"{what}: audit the file of the scores, with this line as p", code="sentence"
        )
    mark = next((mark for mark in _MARKS if mark in lines[start]), ",")
    taken, header = _record(lines, start, mark, 0)
    fields = _fields(header, f"{name}, line {start + 1}")
    legend = [found[1].strip() for line in lines if (found := _LEGEND.fullmatch(line))]
    common = {"stars": " ".join(legend)} if legend else {}
    at = start + taken
    while at < len(lines):
        line, place = lines[at], f"{name}, line {at + 1}"
        taken = 1
        if _is_comment(line):
            if _width(line, mark) == len(fields) > 1 and not _LEGEND.fullmatch(line):
                what = (
                    "a line that starts with # is a comment, but this one has the cells of a claim"
                )
                yield (
                    place,
                    ExactPermError(
                        f"{what}: put its first cell in quotes to audit it, or delete the line"
                    ),
                )
        elif line.strip(f" {mark}\t"):
            taken, cells = _record(lines, at, mark, len(fields))
            yield (
                place,
                cells
                if isinstance(cells, ExactPermError)
                else _row(cells, fields, start + 1, common),
            )
        at += taken


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _fields(header: Cells, place: str) -> list[str]:
    """Return the names of a claims file's columns; others than fields become notes, but none may be misspelt."""
    if isinstance(header, ExactPermError):
        raise ExactPermError(f"{place}, {header}")
    names: list[str] = []
    for i, name in enumerate(_trimmed(header, _width_of(header)), 1):
        try:
            field = str(_field(name))
        except ExactPermError as error:
            raise ExactPermError(
                f"{place}, column {i}: {error}", code=error.code, cure=error.cure
            ) from None
        if field in names:
            raise ExactPermError(
                f"{place}, column {i}: the field {short_text(field)} is there twice"
            )
        names.append(field)
    if "p" not in names:
        told = f"no column holds the printed p-values: a file of claims has one called p; this one has {', '.join(names)}"
        raise ExactPermError(f"{place}: {printable(told)}", code="claim-field")
    return names


def _row(cells: list[str], fields: list[str], header_line: int, common: Mapping[str, str]) -> Any:
    cells = _trimmed(cells, len(fields))
    if len(cells) != len(fields):
        return ExactPermError(
            f"{len(cells)} cell{'s' * (len(cells) != 1)}, but line {header_line} has {len(fields)}: "
            f"{short_text(' | '.join(cells))}"
        )
    filled = {field: cell for field, cell in zip(fields, cells) if cell}
    return {**common, **filled}


def _record(lines: list[str], at: int, mark: str, width: int) -> tuple[int, Cells]:
    """Return the number of lines of the row that starts at a line, and its cells, or the error of its first line.

    A row over several lines must have ``width`` cells, unless that is 0, and none of its further
    lines may.
    """
    import csv

    try:
        taken, cells = _parsed((lines[i] + "\n" for i in range(at, len(lines))), mark, strict=True)
    except csv.Error as error:
        return 1, _fault(lines[at], mark, re.sub(r"^line \d+: ", "", str(error)))
    if taken > 1 and width:
        rows = any(_width(line, mark) == width > 1 for line in lines[at + 1 : at + taken])
        if rows or len(_trimmed(cells, width)) != width:
            return 1, _fault(lines[at], mark, "")
    return taken, cells


def _parsed(lines: Iterable[str], mark: str, *, strict: bool) -> tuple[int, list[str]]:
    """Return the number of lines of the first row, and its cells."""
    import csv

    reader = csv.reader(lines, delimiter=mark, skipinitialspace=True, strict=strict)
    cells = [cell.strip() for cell in next(reader)]
    return reader.line_num, cells


def _width(line: str, mark: str) -> int:
    """Return the number of cells of a line by itself, whatever is wrong with its quotes; 0 where a cell is too long."""
    import csv

    try:
        return len(_parsed([line], mark, strict=False)[1])
    except csv.Error:
        return 0


def _fault(line: str, mark: str, error: str) -> ExactPermError:
    """Return what is wrong with the quotes of a line, with the column."""
    cell = re.compile(rf'[ ]*(?:"(?:[^"]|"")*"(?={mark}|$)|(?![ ]*")[^{mark}]*)(?:{mark}|$)')
    at, column = 0, 1
    while match := cell.match(line, at):
        # the quotes are right: the cell is too long
        if match.end() >= len(line) or match.end() == at:
            return ExactPermError(f"not a row of a table ({error})")
        at, column = match.end(), column + 1
    rest = line[at:].lstrip(" ")
    closed = re.match(r'"(?:[^"]|"")*"', rest)
    reason = "text follows the closing quote" if closed else "the quote is not closed on this line"
    return ExactPermError(
        f'column {column}: {reason}: {short_text(rest)}; inside of quotes, write "" for "'
    )


def _width_of(cells: list[str]) -> int:
    """Return the number of cells of a first row; a trailing delimiter is no column."""
    return len(cells) - 1 if len(cells) > 1 and cells[-1] == "" else len(cells)


def _trimmed(cells: list[str], width: int) -> list[str]:
    """Return cells without the empty one after a trailing delimiter, where that is one too many."""
    return cells[:-1] if len(cells) == width + 1 and cells[-1] == "" else cells
