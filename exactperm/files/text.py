"""Read delimited text as a table: strict CSV, a row for each line, whose first row has the names unless said.

Columns are separated by the first of tab, semicolon and comma that the first line has. What a text leaves open is
asked: whether a first row with a number has names, and whether lines that start with # are comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import methodcaller

from ..arithmetic.quoting import printable, short_text
from ..errors import Cure
from .reading import Reading, Row, cells
from .table import Ask, Table, is_missing, quoted, text_of

DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "space": " "}
"""Names of the delimiters; "space" means any run of blanks and tabs."""


def delimited(text: str, name: str, reading: Reading, *, labels: bool = False) -> Table:
    r"""Return the table of a text whose lines end with line feeds.

    Blank lines, and rows of empty cells alone, are left out, and so are columns at the right end that are empty in
    every row. Of ``labels`` no cell of a first row tells whether it has names.
    Raises ``Ask`` for a text without rows, a row of another width, a quoted cell that does not end in its line, and
    what is to be asked.

    >>> delimited("u;v\n0,9;0,8\n", "f", Reading()).columns
    (['0,9'], ['0,8'])
    """
    lines = text.split("\n")
    if re.fullmatch('"?sep=."?', lines[0], re.IGNORECASE):
        lines[0] = ""  # a line for spreadsheets
    comments = _comments(lines, name, reading) if "#" in text else []
    kept: Sequence[int] = [i for i, line in enumerate(lines, 1) if line and not line.isspace()]
    kept = sorted({*kept}.difference(comments)) if comments else kept
    if not kept:
        raise Ask(f"{printable(name)} is empty: it has no rows", "empty")
    mark = _delimiter(lines[kept[0] - 1], reading)
    kept, columns = _columns(lines, kept, mark, name)
    first = [column[0] for column in columns]
    names, header = _header(first, name, reading, numbered=kept, labels=labels)
    if header:
        columns, kept = [column[1:] for column in columns], kept[1:]
    if not kept:
        raise Ask(f"{printable(name)}: no row follows the names in line {header}", "empty")
    blanks: Sequence[int] = ()
    if len(kept) <= kept[-1] - kept[0]:  # between the first and the last row
        blanks = sorted({*range(kept[0], kept[-1])}.difference(kept, comments))
    return Table(
        name=name,
        names=names,
        columns=tuple(columns),
        lines=kept,
        header=header,
        comments=tuple(comments),
        blanks=tuple(blanks),
        delimiter=mark,
    )


def _comments(lines: Sequence[str], name: str, reading: Reading) -> list[int]:
    """Return the lines that are left out as comments, which is asked where there are some."""
    if reading.comments == "no":
        return []
    found = [i for i, line in enumerate(lines, 1) if line.lstrip()[:1] == "#"]
    if found and reading.comments is None:
        some = f"{len(found)} lines start" if len(found) > 1 else "1 line starts"
        text = f"{printable(name)}: {some} with #, the first is line {found[0]}"
        answers = (
            Cure({"comments": "yes"}, words="they are left out"),
            Cure({"comments": "no"}, words="they are rows"),
        )
        raise Ask(f"{text}; comments, or rows?", "comments", "comments", answers=answers)
    return found


def _delimiter(line: str, reading: Reading) -> str:
    """Return the character between cells, "" for none: as it is said, or the first that the first line has."""
    said = reading.delimiter
    if said is None:
        unquoted = re.sub(r'"[^"]*"', "", line)
        marks = "\t;" if reading.decimal == "comma" else "\t;,"
        return next((mark for mark in marks if mark in unquoted), "")
    mark = DELIMITERS.get(said, said)
    if len(mark) != 1 or mark in '"#\n':
        must = f"it must be one character or one of {', '.join(DELIMITERS)}"
        raise Ask(f"the delimiter is {short_text(said)}: {must}", "delimiter", "delimiter")
    return mark


def _columns(
    lines: Sequence[str], kept: Sequence[int], mark: str, name: str
) -> tuple[Sequence[int], list[list[str]]]:
    """Return the numbers of the lines that have cells, and the columns of these, as many as the first line has."""
    some = [lines[i - 1] for i in kept]
    text, end = "\n".join(some), mark or "\n"
    blank = r"[^\S\n\t]" if mark == "\t" else r"[^\S\n]"
    if mark != " " and '"' not in text and not re.search(blank, text):
        width = some[0].count(end) + 1
        alike = {*map(methodcaller("count", end), some)} == {width - 1}
        if alike and not some[0].endswith(end) and mark * (width - 1) not in some:
            flat = text.replace("\n", end).split(end)  # no list is made for each line
            return kept, [flat[i::width] for i in range(width)]
    found = [cells(line, mark) for line in some]
    if None in found:
        what = "a quoted cell does not end in its line, or text follows it"
        raise Ask(f"{printable(name)}, line {kept[found.index(None)]}: {what}", "quotes")
    rows = [row for row in found if row and any(row)]
    if not rows:
        raise Ask(f"{printable(name)} is empty: it has no rows", "empty")
    if len(rows) < len(found):
        kept = [i for i, row in zip(kept, found) if row and any(row)]
    width = len(rows[0])
    if not rows[0][-1] or {*map(len, rows)} != {width}:  # no cells at the right end of all rows
        last = max(max(i for i, cell in enumerate(row) if cell) for row in rows)
        rows = [row[: last + 1] for row in rows]
        width = len(rows[0])
    wrong = next((i for i, row in enumerate(rows) if len(row) != width), None)
    if wrong is not None:
        there = f"{len(rows[wrong])} cell{'s' * (len(rows[wrong]) > 1)}"
        shown = short_text(lines[kept[wrong] - 1].strip())
        text = f"{printable(name)}, line {kept[wrong]}: {there}, but line {kept[0]} has {width}"
        raise Ask(f"{text}: {shown}", "widths", "delimiter")
    return kept, [[*column] for column in zip(*rows)]


def _header(
    first: Row, name: str, reading: Reading, *, numbered: Sequence[int], labels: bool
) -> tuple[tuple[str, ...], int]:
    """Return the names of the columns, "" where they have none, and their line, 0 for none."""
    named, unnamed = (tuple(first), numbered[0]), (("",) * len(first), 0)
    if reading.header is not None:
        return named if reading.header == "yes" else unnamed
    data = any(cell and (is_missing(cell) or text_of(cell, reading.decimal)) for cell in first)
    if len(first) == 1 and not labels:
        return unnamed if data else named
    said = {part for word in reading.words for part in (word, *word.split("+"))} | {*reading.beside}
    if said & {*first} - {str(place) for place in range(1, len(first) + 1)}:
        return named
    filled = [cell for cell in first if cell]
    if data or labels or len({*filled}) < len(filled):
        raise Ask(
            f"{printable(name)}, line {numbered[0]} has {quoted(first, 6)}; names of columns, or an item?",
            "header",
            "header",
            answers=(
                Cure({"header": "yes"}, words="they are names"),
                Cure({"header": "no"}, words="they are the first item"),
            ),
        )
    return named
