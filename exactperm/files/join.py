"""Bring the rows of one file or more side by side, as items: by ids or by row, without those that are left out."""

from __future__ import annotations

from bisect import bisect, bisect_left, bisect_right
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

Rows = dict[Any, list[int]]
"""The rows of each item, by its id."""

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
    ids: tuple[str, ...] | None
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
    number = series[0].items[-1] + 1
    read = [[_column(one, i, reading, kind) for i in one.columns] for one in series]
    kept = _kept(series, read, reading, number)
    if kind != "labels" and all(isinstance(one.items, range) for one in series):
        texts = [column.texts for columns in read for column in columns]
        kept = _without_total(series[0], texts, kept, reading)
    _described(series, "same", kept)
    if reading.runs == "systems":
        for one in series:
            _check_whole(one, kept)
    first = series[0]
    return Items(
        names=tuple(one.name for one in series),
        columns=[_entries(one, columns, reading, kept) for one, columns in zip(series, read)],
        first=_item(series, kept[0]),
        last=_item(series, kept[-1]),
        ids=_ids(first, kept) if first.table.id >= 0 else None,
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
    runs: list[list[str]] = [[] for _ in range(one.items[-1] + 1)]
    for item, *texts in zip(one.items, *(column.texts for column in read)):
        runs[item] += texts
    return [runs[item] for item in kept]


def _picked(cells: Sequence[str], places: Sequence[int]) -> Sequence[str]:
    """Return the cells of these places, which may be all."""
    if len(places) == len(cells) and isinstance(places, range):
        return cells
    return [cells[place] for place in places]


def _cell(one: Series, row: int, i: int) -> str:
    return one.table.columns[i][row] if row >= 0 else one.table.absent or ""


def _rows(one: Series, item: int) -> Sequence[int]:
    """Return the rows of an item."""
    return one.rows[bisect_left(one.items, item) : bisect_right(one.items, item)]


def _item(series: Sequence[Series], item: int) -> ReadItem:
    """Return an item as it stands in the files; the cells of runs have blanks between."""
    cells = [
        (one.name, " ".join(_cell(one, row, i) for row in _rows(one, item) for i in one.columns))
        for one in series
    ]
    return ReadItem(id=_title(series, item), cells=tuple(cells))


def _title(series: Sequence[Series], item: int) -> str:
    """Return what names an item for people: its id, its cell in the first column of different texts, or its line."""
    one, row = next((one, row) for one in series for row in _rows(one, item) if row >= 0)
    table, i = one.table, one.table.id
    if i < 0:
        chosen = {i for other in series for i in other.columns}
        texts = [
            i for i in range(table.width) if i not in chosen and _is_text(table.columns[i][row])
        ]
        i = next((i for i in texts if len({*table.columns[i]}) == table.rows), -1)
    where = table.place(row, 0)
    return table.columns[i][row] if i >= 0 else f"{where.unit} {where.line}"


def _is_text(cell: str) -> bool:
    return cell != "" and not numbers.number_text(cell)


def _ids(one: Series, kept: Sequence[int]) -> tuple[str, ...]:
    cells = one.table.columns[one.table.id]
    if isinstance(one.items, range):
        return tuple(_picked(_picked(cells, one.rows), kept))
    return tuple(cells[_rows(one, item)[0]] for item in kept)


# ---------------------------------------------------------------------------------------------- rows


def _joined(series: Sequence[Series], reading: Reading) -> list[Series]:
    """Return the series with their rows in the order of items, those of one item side by side."""
    first = series[0]
    if reading.runs is not None and all(len(one.columns) == 1 for one in series):
        _check_runs(first.table, reading)
    if first.table.id < 0:
        _check_rows(series)
        return [replaced(one, items=range(len(one.rows))) for one in series]
    if first.table.id == first.table.groups and all(one.rows is first.rows for one in series):
        return [replaced(one, items=range(len(one.rows))) for one in series]
    known: dict[int, Rows] = {}
    for one in series:
        if id(one.rows) not in known:
            known[id(one.rows)] = _by_id(one, reading)
    if len(known) == 1 and reading.runs is None:
        return [replaced(one, items=range(len(one.rows))) for one in series]
    found = [known[id(one.rows)] for one in series]
    may_lack = first.table.absent is not None
    keys = dict.fromkeys(key for rows in found for key in rows) if may_lack else found[0]
    joined = []
    for one, rows in zip(series, found):
        if rows.keys() != {*keys} and not may_lack:
            raise _other_ids(one, rows, first, found[0])
        places = [rows.get(key, [-1]) for key in keys]
        items: Sequence[int] = range(len(places))
        if any(len(some) > 1 for some in places):
            items = [item for item, some in enumerate(places) for _row in some]
        flat = [row for some in places for row in some]
        joined.append(replaced(one, rows=flat, items=items))
    return joined


def _check_runs(table: Table, reading: Reading) -> None:
    """Raise ``Ask`` unless the rows of runs have the ids of items and, where whole runs are exchanged, of runs."""
    if table.id < 0:
        raise which(table, "id", "which names the items of the runs?", "id", reading.decimal)
    if reading.runs == "systems" and table.run < 0:
        what = "which names the runs? Whole runs are exchanged"
        raise which(table, "runs", what, "run", reading.decimal)


def _check_whole(one: Series, kept: Sequence[int]) -> None:
    """Raise ``Ask`` where whole runs cannot be exchanged, since one lacks an item."""
    if isinstance(one.items, range):
        return
    runs = one.table.columns[one.table.run]
    first = [runs[row] for row in _rows(one, kept[0])]
    for item in kept:
        rows = _rows(one, item)
        if [runs[row] for row in rows] != first:
            words = "add its score; the other two designs take different runs of each item"
            raise Ask(
                f"the item has other runs of {short_text(one.name)} than the first one",
                code="runs",
                answers=(Cure(words=words),),
                place=one.table.place(rows[0], one.table.id),
            )


def _by_id(one: Series, reading: Reading) -> Rows:
    """Return the rows of each item; those of runs in the order of the runs.

    Where items that may have several rows are groups, each run of an item is one of its own.
    """
    table = one.table
    ids: Sequence[Any] = table.columns[table.id]
    runs = table.columns[table.run] if table.run >= 0 else None
    if runs is not None and table.groups == table.id:
        ids = [*zip(ids, runs)]
    found: Rows = {}
    for row in one.rows:
        if not table.columns[table.id][row]:
            raise Ask("the id is missing", code="id", place=table.place(row, table.id))
        found.setdefault(ids[row], []).append(row)
    if len(found) == len(one.rows):
        return found
    for rows in found.values():
        if len(rows) > 1 and (reading.runs is None or len(one.columns) > 1):
            raise _repeated(table, rows)
        if runs is not None:
            _check_different(table, rows, runs)
    return found


def _check_different(table: Table, rows: list[int], runs: Sequence[str]) -> None:
    """Sort the rows of an item by their runs; ``Ask`` where one run is there twice, or has no id."""
    rows.sort(key=runs.__getitem__)
    for row, after in zip(rows, [*rows[1:], rows[0]]):
        if not runs[row]:
            raise Ask("the id is missing", code="id", place=table.place(row, table.run))
        if row != after and runs[row] == runs[after]:
            text = "the item has this run twice"
            raise Ask(
                text, code="run-repeated", argument="run", place=table.place(after, table.run)
            )


def _repeated(table: Table, rows: Sequence[int]) -> Ask:
    place = table.place(rows[1], table.id)
    text = f"the id {short_text(place.cell)} is also in {place.unit} {table.lines[rows[0]]}; rows of one item?"
    answers = (
        Cure({"groups": table.word(table.id)}, words="swaps the rows of an item together"),
        Cure(words="say what is exchanged among runs of an item", choose="runs"),
    )
    return Ask(text, code="id-repeated", argument="groups", answers=answers, place=place)


def _other_ids(one: Series, rows: Rows, first: Series, there: Rows) -> Ask:
    lacks = [
        f"{printable(name)} lacks {quoted([_id(key) for key in some if key not in others], 5)}"
        for name, some, others in ((one.name, there, rows), (first.name, rows, there))
        if some.keys() - others.keys()
    ]
    words = "remove such items, or add them with NA as score, and leave out what is missing"
    text = f"the systems have other ids: {'; '.join(lacks)}"
    return Ask(text, code="other-ids", answers=(Cure(words=words),))


def _id(key: Any) -> str:
    return key if isinstance(key, str) else ", ".join(key)


def _check_rows(series: Sequence[Series]) -> None:
    """Raise ``Ask`` where files that are joined by row have other numbers of rows, or blank lines in other places."""
    first = series[0].table
    for table in [one.table for one in series[1:] if one.table is not first]:
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


# ---------------------------------------------------------------------------------------------- cells


def _column(one: Series, i: int, reading: Reading, kind: str) -> numbers.Read:
    """Return the cells of a column as numbers or, of ``kind`` "labels", as written.

    Raises ``Ask`` for a cell that is no number, or a negative count.
    """
    cells: Sequence[str]
    if isinstance(one.rows, range):
        cells = one.table.columns[i]
    else:
        cells = [_cell(one, row, i) for row in one.rows]
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
            code="decimal",
            argument="decimal",
            answers=(Cure({"decimal": "comma"}, words="if it is a decimal mark"),),
            place=place,
        )
    what = "is negative, but these are counts" if wrong[0] not in read.wrong else "is no number"
    return Ask(f"{short_text(place.cell)} {what}{more}", code="number", place=place)


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
            code="missing",
            argument="missing",
            answers=(Cure({"missing": "drop"}, words="leaves them out"),),
            place=one.table.place(row, i) if row >= 0 else None,
        )
    kept = [item for item in range(items) if item not in left_out]
    if not kept:
        name = printable(series[0].table.name)
        raise Ask(f"{name}: no item is left: of each a value is missing", code="empty")
    return kept


def _described(series: Sequence[Series], role: str, kept: Sequence[int]) -> Any:
    """Return the cells that describe the items, which must be the same in all their rows; None where none are named."""
    columns = [_description(one.table, role) for one in series]
    if columns[0] is None:
        return None
    found: dict[int, str] = {}
    chosen: Any = kept if isinstance(kept, range) else {*kept}
    for place, (one, cells) in enumerate(zip(series, columns)):
        if place and one.rows is series[0].rows:
            continue
        for item, row in zip(one.items, one.rows):
            if row < 0 or cells is None or item not in chosen:
                continue
            cell = cells[row]
            if found.setdefault(item, cell) != cell:
                raise _differs(one, row, role, found[item])
            if not cell or numbers.is_missing(cell):
                raise Ask("the value is missing", code=role, place=_place(one, row, role))
    return [found[item] for item in kept]


def _description(table: Table, role: str) -> Sequence[str] | None:
    if role == "same":
        return table.same or None
    place = getattr(table, role)
    return table.columns[place] if place >= 0 else None


def _place(one: Series, row: int, role: str) -> Any:
    return one.table.place(
        row, max(0, one.table.id if role == "same" else getattr(one.table, role))
    )


def _differs(one: Series, row: int, role: str, there: str) -> Ask:
    place = _place(one, row, role)
    if role == "same":
        text = "it is another item than in the first file: the runs saw different ones"
        return Ask(text, code="other-ids", place=place)
    text = f"it is {short_text(there)} in another row of the item"
    return Ask(text, code=role, place=place)


def _weights(series: Sequence[Series], kept: Sequence[int], reading: Reading) -> list[str] | None:
    """Return the weights of the items, which are numbers above 0; None where none are named."""
    cells = _described(series, "weights", kept)
    if cells is None:
        return None
    texts = [numbers.number_text(cell, reading.decimal) for cell in cells]
    wrong = next((at for at, text in enumerate(texts) if not text or number(text) <= 0), None)
    if wrong is not None:
        place = _place(series[0], _rows(series[0], kept[wrong])[0], "weights")
        raise Ask("a weight must be a number above 0", code="weights", place=place)
    return texts


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
            code="total",
            argument="total",
            answers=(
                Cure({"total": "drop"}, words=f"no item, and {len(kept) - 1} items are left"),
                Cure({"total": "keep"}, words=f"one of {len(kept)} items"),
            ),
        )
    return kept if reading.total == "keep" else kept[:-1]


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
