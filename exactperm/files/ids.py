"""Join the rows of files by the ids of items, which must be the same in all of them."""

from __future__ import annotations

from collections.abc import Sequence

from ..arithmetic.quoting import short_text
from ..errors import Cure, ExactPermError
from .cells import names_fixed
from .parts import Part, counterpart

Rows = Sequence[int]


_SHOWN_IDS = 5


def joined(parts: Sequence[Part]) -> list[Rows]:
    """Return the rows of each file in the order of the first, those of one id side by side.

    Raises ``ExactPermError`` where the files do not have the same ids, or where one id names
    different items.
    """
    found = [_by_id(part, alone=len(parts) == 1) for part in parts]
    for part, rows in zip(parts[1:], found[1:]):
        lacks = [
            f"{other.table.name} lacks {_ids_text([key for key in here if key not in there])}"
            for other, here, there in ((part, found[0], rows), (parts[0], rows, found[0]))
            if here.keys() - there.keys()
        ]
        if lacks:
            raise ExactPermError(
                f"{parts[0].table.name} and {part.table.name} must have the same ids, but {'; '.join(lacks)}",
                code="other-ids",
                cure=Cure(
                    words="remove such items, or add them with NA as score, and drop what is missing"
                ),
            )
    aligned = [[rows[key] for key in found[0]] for rows in found]
    _check_fixed(parts, aligned)
    return list(aligned)


def _by_id(part: Part, *, alone: bool) -> dict[str, int]:
    """Return the rows by their ids, compared as text, in the order of the file, which may be the only one."""
    rows: dict[str, int] = {}
    for row, key in enumerate(part.table.column(part.id)):
        if not key:
            raise ExactPermError(
                f"{part.table.place(row, part.id)}: the id is missing", code="id-missing"
            )
        if key in rows:
            from .repeats import CHOOSE

            groups = Cure(
                {"groups": part.table.word(part.id), "id": ""},
                words="where these are rows of one item",
            )
            runs = Cure(words=f"for runs of one item, {CHOOSE}", choose="runs")
            raise ExactPermError(
                f"{part.table.place(row, part.id)}: the id {short_text(key)} is also in line "
                f"{part.table.lines[rows[key]]}",
                code="id-repeated",
                cure=groups if alone else runs if _are_runs(part) else None,
            )
        rows[key] = row
    return rows


def _are_runs(part: Part) -> bool:
    """Whether most ids occur several times, as those of items that were run again; else one may be there by mistake."""
    cells = part.table.column(part.id)
    return 2 * len({*cells}) <= len(cells)


def _check_fixed(parts: Sequence[Part], rows: Sequence[Rows]) -> None:
    """Raise ``ExactPermError`` where the right label, the source or the domain of an item differs between files."""
    first = parts[0]
    for column in first.rest if len(parts) > 1 else ():
        if column.place == first.id or not names_fixed(column.name.rpartition(".")[2]):
            continue
        for part, there in zip(parts[1:], rows[1:]):
            place = counterpart(part, column.name, column.place)
            if place in (-1, part.id, *part.chosen):
                continue
            cells = part.table.column(place)
            differs = next(
                ((a, b) for a, b in zip(rows[0], there) if column.cells[a] != cells[b]), None
            )
            if differs is not None:
                a, b = differs
                here, other = short_text(column.cells[a]), short_text(cells[b])
                raise ExactPermError(
                    f"{part.table.place(b, place, part.id)}: it is {other}, but {here} in {first.table.name}, line "
                    f"{first.table.lines[a]}: one id names different items",
                    code="other-items",
                )


def _ids_text(ids: list[str]) -> str:
    shown = ", ".join(map(short_text, ids[:_SHOWN_IDS]))
    more = f", ... ({len(ids)} in all)" if len(ids) > _SHOWN_IDS else ""
    return f"{shown}{more}"
