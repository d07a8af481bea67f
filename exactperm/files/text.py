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
from .cells import Row, cells
from .listing import Ask, Table, quoted
from .numbers import is_missing, number_text
from .reading import Reading

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
    kept = [i for i, line in enumerate(lines) if line and not line.isspace()]
    if comments:
        kept = sorted({*kept}.difference(comments))
    if not kept:
        raise Ask(f"{printable(name)} is empty: it has no rows", "empty")
    mark = _delimiter(lines[kept[0]], reading)
    numbered: Sequence[int] = [i + 1 for i in kept]
    columns = _regular([lines[i] for i in kept], mark)
    if columns is None:
        numbered, rows = _rows(lines, kept, mark, name)
        columns = list(map(list, zip(*rows)))
    first = [column[0] for column in columns]
    names, header = _header(first, name, reading, numbered=numbered, labels=labels)
    if header:
        columns, numbered = [column[1:] for column in columns], numbered[1:]
    if not numbered:
        raise Ask(f"{printable(name)}: no row follows the names in line {header}", "empty")
    return Table(
        name=name,
        names=names,
        columns=tuple(columns),
        lines=numbered,
        header=header,
        comments=tuple(i + 1 for i in comments),
        blanks=_between(numbered, comments),
        delimiter=mark,
    )


def _comments(lines: Sequence[str], name: str, reading: Reading) -> list[int]:
    """Return the places of the lines that are left out as comments, which is asked where there are some."""
    if reading.comments == "no":
        return []
    found = [i for i, line in enumerate(lines) if line.lstrip()[:1] == "#"]
    if found and reading.comments is None:
        some = f"{len(found)} lines start" if len(found) > 1 else "1 line starts"
        text = f"{printable(name)}: {some} with #, the first is line {found[0] + 1}"
        answers = (
            Cure({"comments": "yes"}, words="they are left out"),
            Cure({"comments": "no"}, words="they are rows"),
        )
        raise Ask(f"{text}; comments, or rows?", "comments", "comments", answers=answers)
    return found


def _between(numbered: Sequence[int], comments: Sequence[int]) -> tuple[int, ...]:
    """Return the lines between the first and the last row that are blank, or have empty cells alone."""
    if len(numbered) == numbered[-1] - numbered[0] + 1:
        return ()
    known = {*numbered, *(i + 1 for i in comments)}
    return tuple(n for n in range(numbered[0], numbered[-1]) if n not in known)


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


# ---------------------------------------------------------------------------------------------- rows


def _regular(lines: Sequence[str], mark: str) -> list[list[str]] | None:
    """Return the columns of lines that need no closer look, else None.

    They have neither quotes nor blanks, as many cells each, and some text: no list is made for each of them.
    """
    text = "\n".join(lines)
    blank = r"[^\S\n\t]" if mark == "\t" else r"[^\S\n]"
    if mark == " " or '"' in text or re.search(blank, text):
        return None
    if not mark:
        return [list(lines)]
    width = lines[0].count(mark) + 1
    if mark * (width - 1) in lines or {*map(methodcaller("count", mark), lines)} != {width - 1}:
        return None
    flat = text.replace("\n", mark).split(mark)
    columns = [flat[i::width] for i in range(width)]
    return columns if columns[-1][0] else None


def _rows(
    lines: Sequence[str], kept: Sequence[int], mark: str, name: str
) -> tuple[Sequence[int], list[Row]]:
    """Return the numbers of the lines that have cells, and their rows, all of the width of the first."""
    rows = []
    for i in kept:
        found = cells(lines[i], mark)
        if found is None:
            what = "a quoted cell does not end in its line, or text follows it"
            raise Ask(f"{printable(name)}, line {i + 1}: {what}", "quotes")
        rows.append(found)
    numbers: Sequence[int] = [i + 1 for i in kept]
    if len({*map(len, rows)}) > 1 or not all(map(any, rows)) or (mark and not rows[0][-1]):
        numbers = [number for number, row in zip(numbers, rows) if any(row)]
        if not numbers:
            raise Ask(f"{printable(name)} is empty: it has no rows", "empty")
        rows = _fitted([row for row in rows if any(row)])
    width = len(rows[0])
    wrong = next((i for i, row in enumerate(rows) if len(row) != width), None)
    if wrong is not None:
        cell = "cell" if len(rows[wrong]) == 1 else "cells"
        there = f"{len(rows[wrong])} {cell}, but line {numbers[0]} has {width}"
        shown = short_text(lines[numbers[wrong] - 1].strip())
        text = f"{printable(name)}, line {numbers[wrong]}: {there}: {shown}"
        raise Ask(text, "widths", "delimiter")
    return numbers, rows


def _fitted(rows: list[Row]) -> list[Row]:
    """Return rows without the cells at their ends beyond the last column that has any."""
    width = max(max((i + 1 for i, cell in enumerate(row) if cell), default=0) for row in rows)
    return [row[:width] for row in rows]


# ---------------------------------------------------------------------------------------------- names


def _header(
    first: Row, name: str, reading: Reading, *, numbered: Sequence[int], labels: bool
) -> tuple[tuple[str, ...], int]:
    """Return the names of the columns, "" where they have none, and their line, 0 for none."""
    named, unnamed = (tuple(first), numbered[0]), (("",) * len(first), 0)
    if reading.header is not None:
        return named if reading.header == "yes" else unnamed
    data = [
        cell for cell in first if cell and (is_missing(cell) or number_text(cell, reading.decimal))
    ]
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
                Cure({"header": "yes"}, words=f"names, and {len(numbered) - 1} rows"),
                Cure({"header": "no"}, words=f"no names, and {len(numbered)} rows"),
            ),
        )
    return named
