"""Bring the rows of one file or more side by side, as items: by ids or by row, without those that are left out."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from fractions import Fraction

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.reading import number
from ..errors import Cure
from ..record import Record, replaced
from . import numbers
from .choice import Part
from .listing import Ask, Table, quoted, which
from .reading import Reading

if TYPE_CHECKING:
    from ..arithmetic.rational import Exact

Rows = Sequence[int]
"""Rows of a file, in the order in which they are compared."""

_FEWEST = 5
"""Other rows of which a last one may be the sum or the mean."""


class Items(Record):
    """What is compared: ``columns`` of texts, one entry per item, with their ``names``.

    Numbers are texts that ``exact`` reads, labels are as written; ``cells`` are those of the first and the last item
    as they stand in the files, ``ends`` what names these two items. ``ids`` are the ids of all, None where no column
    has them. ``pairs`` is the number of items before the ``dropped`` ones were left out; ``groups`` and the like are
    None where they are not named.
    """

    names: tuple[str, ...]
    columns: list[Sequence[str]]
    cells: tuple[tuple[str, ...], tuple[str, ...]]
    ends: tuple[str, str]
    ids: Sequence[str] | None
    pairs: int
    dropped: int = 0
    groups: list[str] | None = None
    weights: list[str] | None = None
    tasks: list[str] | None = None


def items_of(parts: Sequence[Part], reading: Reading, kind: str) -> Items:
    """Return the items of the chosen columns; ``kind`` is that of their cells, "scores", "labels" or "counts".

    Raises ``Ask`` where files do not have the same items, a cell is missing or no number, and where the last row may be
    a total.
    """
    parts, rows = _joined(parts, reading)
    chosen = [(part, i, some) for part, some in zip(parts, rows) for i in part.columns]
    read = [column_of(part.table, i, some, reading, kind) for part, i, some in chosen]
    columns, kept = without_missing(chosen, read, reading)
    pairs = len(rows[0])
    if kind != "labels" and _ends_with_total(columns):
        columns, kept = _total(parts[0].table, rows[0][kept[-1]], columns, kept, reading)
    rows = [some if len(kept) == pairs else [some[i] for i in kept] for some in rows]
    names = [_name(part, i, parts) for part in parts for i in part.columns]
    ends = [
        [part.table.columns[i][some[row]] for part, i, some in _again(parts, rows)]
        for row in (0, -1)
    ]
    return Items(
        names=tuple(names),
        columns=columns,
        cells=(tuple(ends[0]), tuple(ends[1])),
        ends=(item_name(parts[0], rows[0][0]), item_name(parts[0], rows[0][-1])),
        ids=None
        if parts[0].id < 0
        else [parts[0].table.columns[parts[0].id][row] for row in rows[0]],
        pairs=pairs,
        dropped=pairs - len(kept),
        groups=beside(parts, rows, "groups"),
        weights=_weights(parts, rows, reading),
        tasks=beside(parts, rows, "tasks"),
    )


def _again(parts: Sequence[Part], rows: Sequence[Rows]) -> list[tuple[Part, int, Rows]]:
    return [(part, i, some) for part, some in zip(parts, rows) for i in part.columns]


def _name(part: Part, i: int, parts: Sequence[Part]) -> str:
    """Return the name of a column, or of its file where several have one column of one name."""
    title = part.table.title(i)
    if len(parts) == 1:
        return title
    alike = len({other.table.names[j] for other in parts for j in other.columns}) == 1
    return part.table.name if alike else f"{part.table.name}: {title}"


def item_name(part: Part, row: int) -> str:
    """Return what names an item for people: its id, its cell in the first column of different texts, or its line."""
    table = part.table
    others = [i for i in range(table.width) if i not in part.columns]
    texts = [
        i
        for i in others
        if table.columns[i][row] and not numbers.number_text(table.columns[i][row])
    ]
    texts = [] if part.id >= 0 else [i for i in texts if len({*table.columns[i]}) == table.rows]
    place = part.id if part.id >= 0 else next(iter(texts), -1)
    where = table.place(row, 0)
    return table.columns[place][row] if place >= 0 else f"{where.unit} {where.line}"


# ---------------------------------------------------------------------------------------------- rows


def _joined(parts: Sequence[Part], reading: Reading) -> tuple[Sequence[Part], list[Rows]]:
    """Return the parts and the rows of each that are compared, those of one item side by side."""
    first = parts[0]
    if len(parts) == 1:
        if first.id >= 0 and first.id != first.groups:
            _by_id(first)
        return parts, [range(first.table.rows)]
    if first.id < 0 or reading.by is not None:
        _check_rows([part.table for part in parts])
        return parts, [range(part.table.rows) for part in parts]
    found = [_by_id(part) for part in parts]
    keys = dict.fromkeys(key for rows in found for key in rows) if first.table.absent else found[0]
    completed = []
    for part, rows in zip(parts, found):
        lost = [key for key in keys if key not in rows]
        if lost and part.table.absent:
            part = _with_absent(part, rows, lost)
        elif lost or rows.keys() - keys.keys():
            raise _other_ids(part, rows, first, found[0])
        completed.append(part)
    aligned = [[rows[key] for key in keys] for rows in found]
    _check_same(parts, aligned)
    return completed, list(aligned)


def _by_id(part: Part) -> dict[tuple[str, ...], int]:
    """Return the rows by their ids, and runs where groups hold those of an item together."""
    table = part.table
    columns = [table.columns[part.id]]
    if part.run >= 0 and part.groups == part.id:
        columns.append(table.columns[part.run])
    rows: dict[tuple[str, ...], int] = {}
    for row, key in enumerate(zip(*columns)):
        if not key[0]:
            raise Ask("the id is missing", code="id", place=table.place(row, part.id))
        if key in rows:
            text = f"the id {short_text(key[0])} is also in line {table.lines[rows[key]]}; rows of one item?"
            word = table.word(part.id)
            answers = [Cure({"groups": word}, words="swaps the rows of an item together")]
            answers.append(Cure(words="say what is exchanged among runs of an item", choose="runs"))
            raise Ask(
                text,
                code="id-repeated",
                argument="groups",
                answers=answers,
                place=table.place(row, part.id),
            )
        rows[key] = row
    return rows


def _with_absent(
    part: Part, rows: dict[tuple[str, ...], int], lost: Sequence[tuple[str, ...]]
) -> Part:
    """Return the part with a row for each id that only another file has, and number these rows."""
    table = part.table
    rows.update((key, table.rows + i) for i, key in enumerate(lost))
    columns = tuple(
        [*cells, *(key[0] if i == part.id else table.absent for key in lost)]
        for i, cells in enumerate(table.columns)
    )
    lines = [*table.lines, *[0] * len(lost)]
    return replaced(part, table=replaced(table, columns=columns, lines=lines))


def _other_ids(
    part: Part, rows: dict[tuple[str, ...], int], first: Part, there: dict[tuple[str, ...], int]
) -> Ask:
    lacks = [
        f"{printable(table.name)} lacks {quoted([key[0] for key in some if key not in others], 5)}"
        for table, some, others in ((part.table, there, rows), (first.table, rows, there))
        if some.keys() - others.keys()
    ]
    words = "remove such items, or add them with NA as score, and leave out what is missing"
    return Ask(
        f"the files have other ids: {'; '.join(lacks)}",
        code="other-ids",
        answers=(Cure(words=words),),
    )


def _check_rows(tables: Sequence[Table]) -> None:
    """Raise ``Ask`` where files that are joined by row have other numbers of rows, or blank lines in other places."""
    first = tables[0]
    for table in tables[1:]:
        if table.rows != first.rows:
            text = f"{printable(first.name)} has {first.rows} rows and {printable(table.name)} has {table.rows}"
            raise Ask(text, code="lengths")
        gaps = [{bisect(one.lines, blank): blank for blank in one.blanks} for one in (first, table)]
        differs = gaps[0].keys() ^ gaps[1].keys()
        if differs:
            row = min(differs)
            one, line = (first, gaps[0][row]) if row in gaps[0] else (table, gaps[1][row])
            text = f"{printable(one.name)}, line {line}: the line is blank in this file only"
            cure = Cure(words="write NA for a missing score, or remove the line")
            raise Ask(text, code="lengths", answers=(cure,))


def _check_same(parts: Sequence[Part], rows: Sequence[Rows]) -> None:
    """Raise ``Ask`` where an id is of another item in another file, by what a tool has written of it."""
    first = parts[0].table
    for part, there in zip(parts[1:], rows[1:]):
        if first.same and part.table.same:
            for a, b in zip(rows[0], there):
                if first.same[a] != part.table.same[b]:
                    text = f"it is another item than in {printable(first.name)}: the runs saw different ones"
                    raise Ask(text, code="other-ids", place=part.table.place(b, part.id))


# ---------------------------------------------------------------------------------------------- cells


def column_of(table: Table, i: int, rows: Rows, reading: Reading, kind: str) -> numbers.Read:
    """Return the cells of a column in these rows, as numbers or, of ``kind`` "labels", as written.

    Raises ``Ask`` for a cell that is no number, or a negative count.
    """
    cells = table.columns[i]
    cells = (
        cells
        if len(rows) == len(cells) and isinstance(rows, range)
        else [cells[row] for row in rows]
    )
    if kind == "labels":
        return numbers.Read(
            texts=cells, missing=tuple(row for row, cell in enumerate(cells) if not cell)
        )
    read = numbers.read(cells, reading.decimal)
    wrong = list(read.wrong)
    if kind == "counts":
        wrong += [row for row, text in enumerate(read.texts) if text[:1] == "-"]
    if wrong:
        place = table.place(rows[wrong[0]], i)
        more = f" ({len(wrong)} such cells)" if len(wrong) > 1 else ""
        if reading.decimal is None and numbers.decimal_commas([cells[row] for row in wrong]):
            text = f"{short_text(place.cell)} has a comma{more}; a decimal mark?"
            cure = Cure({"decimal": "comma"}, words="if it is a decimal mark")
            raise Ask(text, code="decimal", argument="decimal", answers=(cure,), place=place)
        what = "is negative, but these are counts" if wrong[0] not in read.wrong else "is no number"
        raise Ask(f"{short_text(place.cell)} {what}{more}", code="number", place=place)
    return read


def without_missing(
    chosen: Sequence[tuple[Part, int, Rows]], read: Sequence[numbers.Read], reading: Reading
) -> tuple[list[Sequence[str]], Sequence[int]]:
    """Return the texts of columns without the items of which one is missing, and the places of those that are kept.

    Raises ``Ask`` where some are missing and nothing is said of them.
    """
    number = len(read[0].texts)
    missing = {row for column in read for row in column.missing}
    if not missing:
        return [column.texts for column in read], range(number)
    part, i, rows = next(one for one, column in zip(chosen, read) if column.missing)
    if reading.missing != "drop":
        row = min(next(column.missing for column in read if column.missing))
        text = f"a value is missing, in {len(missing)} of {number} items"
        cure = Cure({"missing": "drop"}, words="leaves them out")
        place = part.table.place(rows[row], i)
        raise Ask(text, code="missing", argument="missing", answers=(cure,), place=place)
    kept = [row for row in range(number) if row not in missing]
    if not kept:
        raise Ask(
            f"{printable(part.table.name)}: no item is left: of each a value is missing",
            code="empty",
        )
    return [[column.texts[row] for row in kept] for column in read], kept


def beside(parts: Sequence[Part], rows: Sequence[Rows], role: str) -> list[str] | None:
    """Return the cells that describe the items, which must be the same in all files; None where none are named."""
    places: list[int] = [getattr(part, role) for part in parts]
    if places[0] < 0:
        return None
    first = [parts[0].table.columns[places[0]][row] for row in rows[0]]
    for row, label in zip(rows[0], first):
        if numbers.is_missing(label):
            raise Ask("the value is missing", code=role, place=parts[0].table.place(row, places[0]))
    for part, i, some in zip(parts[1:], places[1:], rows[1:]):
        for row, label in zip(some, first):
            if part.table.columns[i][row] != label:
                there = printable(parts[0].table.name)
                raise Ask(
                    f"it is {short_text(label)} in {there}",
                    code=role,
                    place=part.table.place(row, i),
                )
    return first


def _weights(parts: Sequence[Part], rows: Sequence[Rows], reading: Reading) -> list[str] | None:
    """Return the weights of the items, which are numbers above 0."""
    if beside(parts, rows, "weights") is None:
        return None
    part, some = parts[0], rows[0]
    texts = list(column_of(part.table, part.weights, some, reading, "scores").texts)
    for row, text in zip(some, texts):
        if number(text) <= 0:
            raise Ask(
                "a weight must be above 0",
                code="weights",
                place=part.table.place(row, part.weights),
            )
    return texts


# ---------------------------------------------------------------------------------------------- totals


def _ends_with_total(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether the last entry of every column is the sum or the mean of all others, to its digits."""
    if len(columns[0]) <= _FEWEST:
        return False
    return all(map(_sums_up, columns)) and any(len({*column[:-1]}) > 1 for column in columns)


def _sums_up(column: Sequence[str]) -> bool:
    """Return whether the last text is the sum or the mean of the others, to its digits; exactly, if it is whole."""
    last, others = column[-1], column[:-1]
    value = number(last)
    places = len(last.partition(".")[2]) if "e" not in last.lower() else 0
    near: Exact = Fraction(1, 10**places) if places else 0
    try:  # most columns are told apart in floats
        floats = [*map(float, others)]
        total = sum(floats)
        error = near + 1e-6 * sum(map(abs, floats))
        if all(abs(float(value) - aim) > error for aim in (total, total / len(others))):
            return False
    except (ValueError, OverflowError):  # fractions, and numbers beyond all floats
        pass
    values, scale = numbers.scaled(others)
    exactly = Fraction(sum(values), scale)
    return any(abs(value - aim) < near or value == aim for aim in (exactly, exactly / len(others)))


def _total(
    table: Table, row: int, columns: list[Sequence[str]], kept: Sequence[int], reading: Reading
) -> tuple[list[Sequence[str]], Sequence[int]]:
    """Return the columns with the last row or without it, as the reading says; else ask."""
    if reading.total is None:
        text = "the last row is the sum or the mean of all others in every column; an item?"
        answers = (
            Cure({"total": "drop"}, words=f"no item, and {len(kept) - 1} items are left"),
            Cure({"total": "keep"}, words=f"one of {len(kept)} items"),
        )
        where = table.place(row, 0)
        text = f"{printable(table.name)}, {where.unit} {where.line}: {text}"
        raise Ask(text, code="total", argument="total", answers=answers)
    if reading.total == "keep":
        return columns, kept
    return [column[:-1] for column in columns], kept[:-1]


# ---------------------------------------------------------------------------------------------- long tables


def wide(table: Table, reading: Reading, *, pair: bool) -> Part:
    """Return a long table, a row for each item and system, as a row for each item and a column for each system.

    The systems are those that the reading names, or all, of which a ``pair`` must be two. Columns of groups, weights
    and tasks follow, which are the same in all rows of an item. Raises ``Ask`` where one of the three columns is not
    named, and where a system has two scores of an item.
    """
    from .choice import place_of

    lost = next(
        (role for role in ("system", "score", "id") if getattr(reading, role) is None), None
    )
    if lost is not None:
        what = {"system": "systems", "score": "scores", "id": "items"}[lost]
        raise which(
            table, "long", f"which has the {what} of the long table?", lost, reading.decimal
        )
    roles = ("id", "system", "score", "groups", "weights", "tasks")
    places = {
        role: place_of(table, getattr(reading, role), role)
        for role in roles
        if getattr(reading, role)
    }
    keys, names, scores = [table.columns[places[role]] for role in roles[:3]]
    cells: dict[str, dict[str, str]] = {}
    first: dict[str, int] = {}
    for row, (key, system, score) in enumerate(zip(keys, names, scores)):
        if not key or not system:
            role = "system" if key else "id"
            raise Ask(f"the {role} is missing", code="long", place=table.place(row, places[role]))
        known = cells.setdefault(key, {})
        if system in known:
            text = f"{short_text(system)} has a second score of the item {short_text(key)}; runs?"
            cure = Cure(words="say what is exchanged among runs of an item", choose="runs")
            raise Ask(
                text, code="id-repeated", answers=(cure,), place=table.place(row, places["score"])
            )
        known[system] = score
        first.setdefault(key, row)
    systems = list(dict.fromkeys(names))
    others = [role for role in roles[3:] if role in places]
    columns = [
        list(cells),
        *([known.get(one, "") for known in cells.values()] for one in systems),
    ]
    columns += [_fixed(table, keys, first, places[role]) for role in others]
    found = Table(
        name=table.name,
        names=(
            table.title(places["id"]),
            *systems,
            *(table.title(places[role]) for role in others),
        ),
        columns=tuple(columns),
        lines=[table.lines[row] for row in first.values()],
        form="long",
        sha256=table.sha256,
        header=table.header,
        comments=table.comments,
        blanks=table.blanks,
        delimiter=table.delimiter,
    )
    chosen = range(1, len(systems) + 1)
    words = reading.words if reading.words != ("all",) else ()
    if words:
        unknown = next((word for word in words if word not in systems), None)
        if unknown is not None:
            text = f"{printable(table.name)}: no system is {short_text(unknown)}; there are {quoted(systems)}"
            raise Ask(text, code="systems", argument="columns")
    chosen_ones = tuple(1 + systems.index(word) for word in words) or tuple(chosen)
    if (
        len({*chosen_ones}) != len(chosen_ones)
        or len(chosen_ones) < 2
        or (pair and len(chosen_ones) > 2)
    ):
        raise which(found, "systems", "which systems are compared?", "columns", reading.decimal)
    at = {role: 1 + len(systems) + i for i, role in enumerate(others)}
    at = {role: 0 if places[role] == places["id"] else place for role, place in at.items()}
    return Part(table=found, columns=chosen_ones, id=0, **at)


def _fixed(table: Table, keys: Sequence[str], first: dict[str, int], place: int) -> list[str]:
    """Return the cells of a column by items; ``Ask`` where rows of one item differ."""
    cells = table.columns[place]
    for row, key in enumerate(keys):
        if cells[row] != cells[first[key]]:
            text = f"it is {short_text(cells[first[key]])} in another row of the item {short_text(key)}"
            raise Ask(text, code="long", place=table.place(row, place))
    return [cells[row] for row in first.values()]
