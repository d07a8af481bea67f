"""Bring the rows of one file or more side by side, as items: by ids or by row, without those that are left out."""

from __future__ import annotations

from bisect import bisect, bisect_left
from collections.abc import Iterable, Sequence
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.reading import number
from ..errors import Cure
from ..record import Record, replaced
from . import numbers
from .choice import Series
from .listing import Ask, Table, quoted, which
from .reading import Reading
from .source import ReadItem

if TYPE_CHECKING:
    from ..arithmetic.rational import Exact

Keys = dict[Any, Any]
"""Something of each item by its id."""

_FEWEST = 5
"""Other rows of which a last one may be the sum or the mean."""


class Items(Record):
    """What is compared: ``columns`` of an entry per item, with their ``names``; of runs each entry is a list.

    Numbers are texts that ``exact`` reads, labels are as written. ``first`` and ``last`` are the items at the ends as
    they stand in the files, ``ids`` the ids of all, None where no column has them. ``pairs`` is the number of items
    before the ``dropped`` ones were left out; ``groups`` and the like are None where they are not named.
    """

    names: tuple[str, ...]
    columns: list[Any]
    first: ReadItem
    last: ReadItem
    ids: list[str] | None
    pairs: int
    dropped: int = 0
    groups: list[str] | None = None
    weights: list[str] | None = None
    tasks: list[str] | None = None


def items_of(series: Sequence[Series], reading: Reading, kind: str) -> Items:
    """Return the items of what was chosen; ``kind`` is that of the cells, "scores", "labels" or "counts".

    Raises ``Ask`` where files do not have the same items, a cell is missing or no number, and where the last row may be
    a total.
    """
    series = _joined(series, reading)
    first, number = series[0], series[0].items[-1] + 1
    read = [[_column(one, i, reading, kind) for i in one.columns] for one in series]
    kept = _kept(series, read, reading, number)
    if kind != "labels" and all(isinstance(one.items, range) for one in series):
        kept = _without_total(first, [one.texts for some in read for one in some], kept, reading)
    if reading.runs == "systems":
        _check_whole(series, kept)
    _described(series, "same", kept)
    return Items(
        names=tuple(one.name for one in series),
        columns=[_entries(one, columns, reading, kept) for one, columns in zip(series, read)],
        first=_item(series, kept[0]),
        last=_item(series, kept[-1]),
        ids=_ids_of(series, kept),
        pairs=number,
        dropped=number - len(kept),
        groups=_described(series, "groups", kept),
        weights=_weights(series, kept, reading),
        tasks=_described(series, "tasks", kept),
    )


def _entries(
    one: Series, read: Sequence[numbers.Read], reading: Reading, kept: Sequence[int]
) -> Sequence[Any]:
    """Return the texts of the kept items of a column, or the runs of each."""
    if reading.runs is None:
        return _picked(read[0].texts, kept)
    runs: dict[int, list[str]] = {item: [] for item in one.items}
    for item, *texts in zip(one.items, *(column.texts for column in read)):
        runs[item] += texts
    return [runs[item] for item in kept]


def _picked(cells: Sequence[str], places: Sequence[int]) -> Sequence[str]:
    """Return the cells of these places."""
    return cells if len(places) == len(cells) else [cells[place] for place in places]


def _rows(one: Series, item: int) -> Sequence[int]:
    """Return the rows of an item."""
    return one.rows[bisect_left(one.items, item) : bisect(one.items, item)]


def _item(series: Sequence[Series], item: int) -> ReadItem:
    """Return an item as it stands in the files; the cells of runs have blanks between."""
    cells = [(one.name, " ".join(_shown(one, item))) for one in series]
    return ReadItem(id=_title(series, item), cells=tuple(cells))


def _ids_of(series: Sequence[Series], kept: Sequence[int]) -> list[str] | None:
    """Return the ids of the kept items, None where no column has them."""
    first = series[0]
    if first.table.id < 0:
        return None
    if isinstance(first.items, range) and -1 not in first.rows:
        cells = first.table.columns[first.table.id]
        return [cells[first.rows[item]] for item in kept]
    return [_title(series, item) for item in kept]


def _shown(one: Series, item: int) -> list[str]:
    """Return the cells of an item as they stand in the file."""
    absent = one.table.absent or ""
    columns = [one.table.columns[i] for i in one.columns]
    return [cells[row] if row >= 0 else absent for row in _rows(one, item) for cells in columns]


def _title(series: Sequence[Series], item: int) -> str:
    """Return what names an item for people: its id, its cell in the first column of different texts, or its line."""
    one, row = next((one, row) for one in series for row in _rows(one, item) if row >= 0)
    table = one.table
    if table.id >= 0:
        return table.columns[table.id][row]
    chosen = {i for other in series for i in other.columns}
    for i in [i for i in range(table.width) if i not in chosen]:
        cells = table.columns[i]
        if cells[row] and not numbers.number_text(cells[row]) and len({*cells}) == table.rows:
            return cells[row]
    place = table.place(row, 0)
    return f"{place.unit} {place.line}"


# ---------------------------------------------------------------------------------------------- rows


def _joined(series: Sequence[Series], reading: Reading) -> list[Series]:
    """Return the series with their rows in the order of items, those of one item side by side."""
    first = series[0]
    if reading.runs is not None and all(len(one.columns) == 1 for one in series):
        _check_runs(first.table, reading)
    shared = all(one.rows is first.rows for one in series)
    if first.table.id < 0 or (shared and first.table.id == first.table.groups):
        _check_rows(series)
        return [replaced(one, items=range(len(one.rows))) for one in series]
    ids = {id(one.rows): _ids(one) for one in series}
    order = dict.fromkeys(ids[id(first.rows)])
    if first.table.absent is not None:
        order = dict.fromkeys(key for keys in ids.values() for key in keys)
    return [_ordered(one, ids[id(one.rows)], order, first, reading) for one in series]


def _ids(one: Series) -> Sequence[Any]:
    """Return the id of each row; where items are groups, each run of an item is one of its own."""
    ids = _cells(one, "id")
    table = one.table
    if table.run >= 0 and table.groups == table.id:
        return [*zip(ids, _cells(one, "run"))]
    return ids


def _cells(one: Series, role: str) -> Sequence[str]:
    """Return the cells of each row in the column of ids or of runs, none of which may be missing."""
    i: int = getattr(one.table, role)
    cells = one.table.columns[i]
    if one.rows != range(one.table.rows):
        cells = [*map(cells.__getitem__, one.rows)]
    if "" in cells:
        place = one.table.place(one.rows[cells.index("")], i)
        raise Ask(f"the {role} is missing", role, place=place)
    return cells


def _ordered(
    one: Series, ids: Sequence[Any], order: dict[Any, None], first: Series, reading: Reading
) -> Series:
    """Return a series in the order of the items, the rows of runs in that of the runs; -1 where an item has no row."""
    found: Keys = dict(zip(ids, one.rows))
    if found.keys() != order.keys() and first.table.absent is None:
        raise _other_ids(one, found, first, order)
    if len(found) == len(ids):
        found = found if len(found) == len(order) else {**dict.fromkeys(order, -1), **found}
        return replaced(one, rows=[*map(found.__getitem__, order)], items=range(len(order)))
    table, places = one.table, {key: place for place, key in enumerate(order)}
    runs = _cells(one, "run") if table.run >= 0 else one.rows
    lost = [(places[key], "", -1) for key in order if key not in found]
    flat = sorted([*zip(map(places.__getitem__, ids), runs, one.rows), *lost])
    for (item, run, row), (again, other, later) in zip(flat, flat[1:]):
        if item == again and (reading.runs is None or len(one.columns) > 1):
            raise _repeated(table, row, later)
        if (item, run) == (again, other):
            text = f"the run {short_text(run)} of the item is there twice"
            raise Ask(text, "run-repeated", "run", place=table.place(later, table.run))
    return replaced(one, rows=[row for *_, row in flat], items=[item for item, *_ in flat])


def _check_runs(table: Table, reading: Reading) -> None:
    """Raise ``Ask`` unless the rows of runs have the ids of items and, where whole runs are exchanged, of runs."""
    if table.id < 0:
        raise which(table, "id", "which names the items of the runs?", "id", reading.decimal)
    if reading.runs == "systems" and table.run < 0:
        what = "which names the runs? Whole runs are exchanged"
        raise which(table, "runs", what, "run", reading.decimal)


def _check_whole(series: Sequence[Series], kept: Sequence[int]) -> None:
    """Raise ``Ask`` where whole runs cannot be exchanged, since one lacks an item."""
    for one in series:
        if len(one.columns) == 1:
            runs = one.table.columns[one.table.run]
            found = [{runs[row] for row in _rows(one, item)} for item in kept]
            lost = sorted(set().union(*found) - found[0].intersection(*found))
            if lost:
                text = f"{printable(one.name)}: not all items have the runs {quoted(lost)}"
                words = "add their scores; the other two designs take different runs of each item"
                raise Ask(text, "runs", answers=(Cure(words=words),))


def _repeated(table: Table, row: int, again: int) -> Ask:
    place = table.place(again, table.id)
    text = f"the id {short_text(place.cell)} is also in {place.unit} {table.lines[row]}; rows of one item?"
    answers = (
        Cure({"groups": table.word(table.id)}, words="swaps the rows of an item together"),
        Cure(words="say what is exchanged among runs of an item", choose="runs"),
    )
    return Ask(text, "id-repeated", "groups", answers=answers, place=place)


def _other_ids(one: Series, found: Keys, first: Series, order: Keys) -> Ask:
    lacks = [
        f"{printable(name)} lacks {quoted([_id(key) for key in some if key not in others], 5)}"
        for name, some, others in ((one.name, order, found), (first.name, found, order))
        if some.keys() - others.keys()
    ]
    words = "remove such items, or add them with NA as score, and leave out what is missing"
    text = f"the systems have other ids: {'; '.join(lacks)}"
    return Ask(text, "other-ids", answers=(Cure(words=words),))


def _id(key: Any) -> str:
    return key if isinstance(key, str) else ", ".join(key)


def _check_rows(series: Sequence[Series]) -> None:
    """Raise ``Ask`` where files that are joined by row have other numbers of rows, or blank lines in other places."""
    first = series[0].table
    for table in [one.table for one in series[1:] if one.table is not first]:
        names = f"{printable(first.name)} and {printable(table.name)}"
        if table.rows != first.rows:
            raise Ask(f"{names} have {first.rows} and {table.rows} rows", "lengths")
        gaps = [{bisect(one.lines, blank) for blank in one.blanks} for one in (first, table)]
        if gaps[0] != gaps[1]:
            cure = Cure(words="write NA for a missing score, or remove the lines")
            text = f"{names} have blank lines between other rows"
            raise Ask(text, "lengths", answers=(cure,))


# ---------------------------------------------------------------------------------------------- cells


def _column(one: Series, i: int, reading: Reading, kind: str) -> numbers.Read:
    """Return the cells of a column as numbers or, of ``kind`` "labels", as written.

    Raises ``Ask`` for a cell that is no number, or a negative count.
    """
    cells = one.table.columns[i]
    if one.rows != range(one.table.rows):
        cells = [*map([*cells, one.table.absent or ""].__getitem__, one.rows)]
    if kind == "labels":
        missing = tuple(place for place, cell in enumerate(cells) if not cell)
        return numbers.Read(texts=cells, missing=missing)
    read = numbers.read(cells, reading.decimal)
    wrong = list(read.wrong)
    if kind == "counts":
        wrong += [place for place, text in enumerate(read.texts) if text[:1] == "-"]
    if wrong:
        raise _no_number(one, i, wrong, read, reading)
    return read


def _no_number(
    one: Series, i: int, wrong: Sequence[int], read: numbers.Read, reading: Reading
) -> Ask:
    place = one.table.place(one.rows[wrong[0]], i)
    more = f" ({len(wrong)} such cells)" if len(wrong) > 1 else ""
    cells = [one.table.columns[i][one.rows[at]] for at in wrong]
    if reading.decimal is None and numbers.decimal_commas(cells):
        return Ask(
            f"{short_text(place.cell)} has a comma{more}; a decimal mark?",
            "decimal",
            "decimal",
            answers=(Cure({"decimal": "comma"}, words="if it is a decimal mark"),),
            place=place,
        )
    what = "is negative, but these are counts" if wrong[0] not in read.wrong else "is no number"
    return Ask(f"{short_text(place.cell)} {what}{more}", "number", place=place)


def _kept(
    series: Sequence[Series], read: Sequence[Sequence[numbers.Read]], reading: Reading, items: int
) -> Sequence[int]:
    """Return the items of which no value is missing; ``Ask`` where some are and nothing is said of them."""
    missing = [
        (one, i, place)
        for one, columns in zip(series, read)
        for i, column in zip(one.columns, columns)
        for place in column.missing
    ]
    if not missing:
        return range(items)
    left_out = {one.items[place] for one, _i, place in missing}
    if reading.missing != "drop":
        one, i, place = missing[0]
        row, title = one.rows[place], _title(series, one.items[place])
        text = f"a value is missing, in {len(left_out)} of {items} items"
        if row < 0:
            text = f"{printable(one.name)} has no row of {short_text(title)}: {text}"
        raise Ask(
            text,
            "missing",
            "missing",
            answers=(Cure({"missing": "drop"}, words="leaves them out"),),
            place=one.table.place(row, i) if row >= 0 else None,
        )
    kept = [item for item in range(items) if item not in left_out]
    if not kept:
        name = printable(series[0].table.name)
        raise Ask(f"{name}: no item is left: of each a value is missing", "empty")
    return kept


def _described(series: Sequence[Series], role: str, kept: Sequence[int]) -> list[str] | None:
    """Return the cells that describe the items, which must be the same in all their rows; None where none are named."""
    if getattr(series[0].table, role) < 0:
        return None
    found: dict[int, str] = {}
    chosen: Any = kept if isinstance(kept, range) else {*kept}
    for one in {id(one.rows): one for one in series}.values():
        i = getattr(one.table, role)
        cells = one.table.columns[i]
        for item, row in zip(one.items, one.rows):
            if row < 0 or i < 0 or item not in chosen:
                continue
            missing = role != "same" and numbers.is_missing(cells[row])
            if missing or found.setdefault(item, cells[row]) != cells[row]:
                if role == "same":
                    text = "the id is that of another item in another file"
                    raise Ask(text, "other-ids", place=one.table.place(row, one.table.id))
                text = "the value is missing"
                if not missing:
                    text = f"it is {short_text(found[item])} in another row of the item"
                raise Ask(text, role, place=one.table.place(row, i))
    return [found[item] for item in kept]


def _weights(series: Sequence[Series], kept: Sequence[int], reading: Reading) -> list[str] | None:
    """Return the weights of the items, which are numbers above 0; None where none are named."""
    cells = _described(series, "weights", kept)
    texts = [numbers.number_text(cell, reading.decimal) for cell in cells or ()]
    for item, text in zip(kept, texts):
        if not text or number(text) <= 0:
            one = series[0]
            place = one.table.place(_rows(one, item)[0], one.table.weights)
            raise Ask("a weight must be a number above 0", "weights", place=place)
    return texts or None


# ---------------------------------------------------------------------------------------------- totals


def _without_total(
    one: Series, columns: Iterable[Sequence[str]], kept: Sequence[int], reading: Reading
) -> Sequence[int]:
    """Return the items without the last where the reading says that it is a total; ``Ask`` where it may be one."""
    columns = [_picked(column, kept) for column in columns]
    if len(kept) <= _FEWEST or not all(map(_sums_up, columns)):
        return kept
    if all(len({*column[:-1]}) == 1 for column in columns):
        return kept
    if reading.total is None:
        place = one.table.place(one.rows[kept[-1]], 0)
        text = "the last row is the sum or the mean of all others in every column; an item?"
        raise Ask(
            f"{printable(place.file)}, {place.unit} {place.line}: {text}",
            "total",
            "total",
            answers=(
                Cure({"total": "drop"}, words=f"no item, and {len(kept) - 1} items are left"),
                Cure({"total": "keep"}, words=f"one of {len(kept)} items"),
            ),
        )
    return kept if reading.total == "keep" else kept[:-1]


def _sums_up(column: Sequence[str]) -> bool:
    """Return whether the last text is the sum or the mean of the others, to its digits; exactly, if it is whole."""
    values, scale = numbers.scaled(column)
    others, last = values[:-1], column[-1]
    places = len(last.partition(".")[2]) if "e" not in last.lower() else 0
    near: Exact = Fraction(1, 10**places) if places else 0
    total = Fraction(sum(others), scale)
    off = [abs(Fraction(values[-1], scale) - aim) for aim in (total, total / len(others))]
    return any(each < near or each == 0 for each in off)
