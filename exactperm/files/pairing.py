"""Bring the rows of several files side by side: by ids or by position; leave out pairs with missing cells."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import number
from ..errors import Cure, ExactPermError
from ..record import replaced
from .cells import MISSING_CELLS
from .numbers import columns, is_missing
from .parts import Part

if TYPE_CHECKING:
    from .reading import Reading


Rows = Sequence[int]
"""Rows of a file, in the order in which they are compared."""


def rows_of(parts: Sequence[Part], reading: Reading) -> list[Rows]:
    """Return the rows of each file that are compared, those of one item side by side.

    Raises ``ExactPermError`` where the files do not have the same items, or the same blank lines
    between them.
    """
    if reading.id is None:
        check_gaps(parts)
        return [range(len(part.table.rows)) for part in parts]
    from .ids import joined

    return joined(parts)


def check_gaps(parts: Sequence[Part]) -> None:
    """Raise ``ExactPermError`` where one of several files has a blank line between rows that another has not."""
    gaps = [_gaps(part) for part in parts]
    for part, gap in zip(parts[1:], gaps[1:]):
        differs = gap.keys() ^ gaps[0].keys()
        if differs:
            row = min(differs)
            name, line = (
                (part.table.name, gap[row]) if row in gap else (parts[0].table.name, gaps[0][row])
            )
            raise ExactPermError(
                f"{name}, line {line}: the line is blank, in one of {parts[0].table.name} and {part.table.name} only",
                code="blank-line",
                cure=Cure(words="write NA for a missing score, or remove the line"),
            )


def _gaps(part: Part) -> dict[int, int]:
    """Return the blank lines between rows by the number of rows before them."""
    lines = part.table.lines
    return {bisect(lines, blank): blank for blank in part.table.blanks if blank > lines[0]}


def complete(parts: Sequence[Part], rows: Sequence[Rows], kind: str) -> list[Rows]:
    """Return the rows without those where a needed cell of one file is missing."""
    missing = [
        {row for row in some for i in part.chosen if is_missing(part.table.rows[row][i], kind)}
        for part, some in zip(parts, rows)
    ]
    kept = [side for side in zip(*rows) if not any(row in gone for row, gone in zip(side, missing))]
    if not kept:
        raise ExactPermError(
            f"{parts[0].table.name}: no pair is left: in every one a score is missing", code="empty"
        )
    return [list(some) for some in zip(*kept)]


def labels(parts: Sequence[Part], rows: Sequence[Rows], role: str) -> list[str]:
    """Return the cells that describe the items as "group", "weight" or "task", which must be the same in all files.

    Raises ``ExactPermError`` for a mark of a missing value, which would make one group of unrelated
    pairs.
    """
    places = [
        {"group": part.label, "weight": part.weight, "task": part.task}[role] for part in parts
    ]
    first = [parts[0].table.rows[row][places[0]] for row in rows[0]]
    for row, label in zip(rows[0], first):
        if label.lower() in MISSING_CELLS:
            place = parts[0].table.place(row, places[0], parts[0].id)
            raise ExactPermError(
                f"{place}: the {role} is missing{f' ({label})' if label else ''}", code=f"{role}s"
            )
    for part, i, some in zip(parts[1:], places[1:], rows[1:]):
        for row, label, there in zip(some, first, rows[0]):
            if part.table.rows[row][i] != label:
                where = f"{parts[0].table.name}, line {parts[0].table.lines[there]}"
                place = part.table.place(row, i, part.id)
                raise ExactPermError(
                    f"{place}: the {role} is not {short_text(label)}, as in {where}",
                    code=f"{role}s",
                )
    return first


def weights(parts: Sequence[Part], rows: Sequence[Rows]) -> list[str]:
    """Return the weights of the items as texts of numbers; ``ExactPermError`` for a cell that is none above 0."""
    labels(parts, rows, "weight")
    first = replaced(parts[0], chosen=(parts[0].weight,))
    ((found,), _comma) = columns(first, rows[0], "scores")
    for row, text in zip(rows[0], found):
        if number(text) <= 0:
            place = first.table.place(row, first.weight, first.id)
            raise ExactPermError(
                f"{place}: the weight is {short_text(text)}: it must be above 0", code="weights"
            )
    return found
