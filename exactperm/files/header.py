"""Decide whether the first row of a text is a header, and make the table: before any check of columns."""

from __future__ import annotations

from collections import Counter

from ..arithmetic.reading import number
from ..errors import ExactPermError
from .cells import is_name, names_column, names_gold
from .reading import Reading
from .tables import Raw, Table

_FEWEST = 5
"""Rows of whole numbers below whole numbers that show that the first row is apart from them."""


def has_header(raw: Raw, reading: Reading, kind: str) -> bool | None:
    """Whether the first row is the header; None where it may be either.

    The first row is a header where a column is chosen by name, or where none of the needed cells is
    a number; for labels, where its cells occur nowhere else. The reading's "yes" or "no" overrules
    that.
    """
    if reading.header == "yes" or not all(
        word.isdecimal() for word in (*reading.words, *reading.others)
    ):
        return True
    needed = _needed(raw.rows[0][1], reading)
    if reading.header == "no":
        return False
    if kind == "labels":
        return _labels_have_header(raw, needed)
    if _has_names(raw, needed):
        return True
    titled = len(raw.rows) > 1 and any(map(names_column, raw.rows[0][1]))
    return None if titled or _are_names(raw, needed) else False


def table(raw: Raw, reading: Reading, kind: str) -> Table:
    """Return the rows below the header as a table."""
    first_line, first = raw.rows[0]
    headed = has_header(raw, reading, kind)
    rows = raw.rows[1:] if headed else raw.rows
    if not rows:
        raise ExactPermError(
            f"{raw.name}: line {first_line} is a header, and no data follow", code="empty"
        )
    return Table(
        name=raw.name,
        rows=[cells for _line, cells in rows],
        lines=[line for line, _cells in rows],
        header=tuple(first) if headed else None,
        header_line=first_line if headed else None,
        delimiter=raw.delimiter,
        decimal=raw.decimal,
        comments=tuple(number for number, _text in raw.left_out),
        blanks=raw.blanks,
    )


def _needed(first: list[str], reading: Reading) -> list[int]:
    """Return the columns of the first row that decide: those chosen by number, else all that hold scores."""
    numbers = [int(word) - 1 for word in reading.words if word.isdecimal() and len(word) < 10]
    others = {int(word) - 1 for word in reading.others if word.isdecimal() and len(word) < 10}
    chosen = [i for i in numbers if 0 <= i < len(first)]
    return chosen or [i for i in range(len(first)) if i not in others] or [0]


def _has_names(raw: Raw, needed: list[int]) -> bool:
    """Whether no needed cell of the first row is a number or takes the place of one.

    One bad number among good ones is a mistake, not a header; so are nan and the usual marks of a
    missing value. An empty cell before names, or before 0, 1, ..., heads the numbers of rows that
    pandas writes.
    """
    first = raw.rows[0][1]
    if first[0] == "" and first[1:] == [str(i) for i in range(len(first) - 1)]:
        return True
    cells = [first[i] for i in needed]
    return all(map(is_name, cells[1:] if cells[0] == "" and len(cells) > 2 else cells))


def _labels_have_header(raw: Raw, needed: list[int]) -> bool | None:
    """Whether the first row of labels has names, which occur nowhere else; None where they may be rare labels."""
    whole = raw.rows[0][1]
    first, *others = [[cells[i] for i in needed] for _line, cells in raw.rows]
    numbers = Counter(cell for cells in others for cell in cells)
    apart = [is_name(cell) and not numbers[cell] for cell in first]
    if not others or not any(apart) or len({*first}) < len(first):
        return False
    beside = [cell for i, cell in enumerate(whole) if i not in needed]
    if any(map(names_column, beside)) or (apart[0] and names_gold(first[0])):
        return True
    if not all(apart):
        return None if apart[0] else False
    rivals = any(all(numbers[cell] == 1 and is_name(cell) for cell in cells) for cells in others)
    sure = any(map(names_column, first)) or len(first) > 2 or not any(map(is_name, numbers))
    return None if rivals or not sure else True


def _are_names(raw: Raw, needed: list[int]) -> bool:
    """Whether a first row of numbers may be names: 0, 1, ... as pandas writes them, years, steps, rates."""
    first, *others = [[cells[i] for i in needed] for _line, cells in raw.rows]
    below = [cell for cells in others for cell in cells]
    if len(first) < 2 or not others or len({*first}) < len(first):
        return False
    if all("e" in cell.lower() for cell in first) and not any(
        "e" in cell.lower() for cell in below
    ):
        return True
    if not all(cell.isdecimal() and len(cell) < 10 for cell in first):
        return False
    names = list(map(int, first))
    if names == list(range(len(names))):
        return True
    if all("." in cell or "e" in cell.lower() for cell in below):
        return _outside(names, below)
    step = {b - a for a, b in zip(names, names[1:])}
    round_ones = all(name % 100 == 0 for name in names) and not any(
        cell.endswith("00") for cell in below
    )
    return (step == {1} or round_ones) and len(others) >= _FEWEST and _outside(names, below)


def _outside(names: list[int], below: list[str]) -> bool:
    """Whether all numbers of the first row are outside of the range of those below it."""
    try:
        values = [number(cell) for cell in below]
    except ExactPermError:
        return False
    low, high = min(values), max(values)
    return all(name < low or name > high for name in names)
