"""The check of commas: whether those of all rows may be decimal marks, not delimiters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import short_text
from ..errors import Cure
from .cells import is_name, numbers_items

if TYPE_CHECKING:
    from .tables import Raw


_ONE_NUMBER = r"[+-]?(?:\d+,\d+(?:[eE][+-]?\d+)?|[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?|[1-9]\d{0,2}(?:\.\d{3})+,\d+)"
"""A line that may be one number: with a decimal comma, or with separators of thousands (1,234,567
or 1.234,5)."""

_NUMBERS = r"[+-]?\d+,\d+(?:,[+-]?\d+,\d+){1,4}"
"""A line that may be two to five numbers with decimal commas, separated by commas."""


def decimal_commas(raw: Raw, *, alone: bool) -> Iterator[tuple[str, Cure | None]]:
    """Yield where the commas between cells may all be decimal marks; ``alone`` says that there is no other file."""
    if not _may_be_decimals(raw):
        return
    width = len(raw.rows[0][1])
    line, cells = raw.rows[0]
    cure = Cure(
        {"decimal": "comma"}, words=f"if they are; the delimiter comma reads {width} columns"
    )
    # either may be meant
    if width == 2 and alone and not any(len(line.split()) > 1 for line in raw.content):
        cure = Cure(
            words="decimal comma reads one column of differences, delimiter comma reads two columns"
        )
    if width > 3:
        cure = Cure(
            words=f"if they are, write semicolons between cells; the delimiter comma reads {width} columns"
        )
    shown = short_text(",".join(cells))
    yield (
        f"{raw.name}: the commas of every row may be decimal marks, as in {shown} in line {line}",
        cure,
    )


def _may_be_decimals(raw: Raw) -> bool:
    """Whether the commas of all lines may be decimal marks; the first cells of rows may be numbers of items instead."""
    rows = [cells for _line, cells in raw.rows]
    if all(map(_has_decimal_commas, raw.content)):
        return not numbers_items("", [cells[0] for cells in rows]) and not _are_integers(rows)
    verdicts = {cell for cells in rows for cell in cells} <= {"0", "1"}
    if not verdicts and all(re.fullmatch(_NUMBERS, line.strip(), re.ASCII) for line in raw.content):
        return True
    return _are_halves(rows)


def _are_integers(rows: Sequence[Sequence[str]]) -> bool:
    """Whether two columns of digits are whole numbers: no decimals look so, or all have one digit."""
    if any(len(cells) != 2 or not all(map(str.isdecimal, cells)) for cells in rows):
        return False
    whole, part = zip(*rows)
    if {*whole, *part} <= {"0", "1"}:
        return True
    if {*whole} <= {"0", "1"} or any(len(cell) > 1 and cell[0] == "0" for cell in (*whole, *part)):
        return False
    lengths = {len(cell) for cell in part}
    short = lengths == {1} and max(map(len, whole)) == 1
    return short or (len(lengths) > 1 and any(len(cell) > 1 and cell[-1] == "0" for cell in part))


def _are_halves(rows: Sequence[Sequence[str]]) -> bool:
    """Whether cells after a name come in pairs of 0 or 1 and digits, as decimals cut at their commas."""
    width = len(rows[0])
    if width < 3 or width % 2 == 0 or any(not is_name(cells[0]) for cells in rows):
        return False
    pairs = [(cells[i], cells[i + 1]) for cells in rows for i in range(1, width, 2)]
    if not all(
        a in ("0", "1") and b.isdecimal() and (a == "0" or not b.strip("0")) for a, b in pairs
    ):
        return False
    return any(len(b) > 1 for _a, b in pairs)


def _has_decimal_commas(line: str) -> bool:
    """Whether every comma of a line may be part of a number: of the only one, or of one between blanks."""
    cells = [cell for cell in line.split() if "," in cell]
    return cells != [] and all(
        cell[0] in "+-0123456789" and re.fullmatch(_ONE_NUMBER, cell, re.ASCII) is not None
        for cell in cells
    )
