"""Bring the rows of one file or more side by side, as items: by ids or by row, without those that are left out."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import chain, repeat

from .._types import TYPE_CHECKING, Any, Optional
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.reading import number
from ..errors import Cure
from ..record import Record, replaced
from .choice import Series
from .reading import Reading
from .sources import ReadItem
from .table import Ask, Table, decimal_commas, is_missing, quoted, scaled, text_of, which

if TYPE_CHECKING:
    from ..arithmetic.rational import Exact

RunRows = dict[str, int]
"""The row of each item by its id."""

Ids = Optional[Sequence[str]]
"""The ids of items, None where no column has them."""

_FEWEST = 5
"""Other rows of which a last one may be the sum or the mean."""


class Items(Record):
    """What is compared: ``columns`` of an entry per item, with their ``names``; of runs each entry is a list.

    Numbers are texts that ``exact`` reads, labels are as written. ``ends`` are the items at the ends as
    they stand in the files, ``ids`` are the ids of all, None where no column has them. ``pairs`` is the number of items
    before the ``dropped`` ones were left out; ``groups`` and the like are None where they are not named.
    """

    names: tuple[str, ...]
    columns: list[Any]
    ends: tuple[ReadItem, ...]
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
    series, ids = _joined(series, reading)
    texts = [
        [_texts(one, i, rows, reading, kind) for i, rows in zip(one.columns, one.rows)]
        for one in series
    ]
    kept = _kept(series, texts, ids, reading)
    if kind != "labels":
        kept = _without_total(series[0], [run for runs in texts for run in runs], kept, reading)
    if reading.runs == "systems":
        _check_whole(series, kept)
    _described(series, "same", kept)
    columns = [[_picked(run, kept) for run in runs] for runs in texts]
    if reading.runs is not None:
        columns = [[[[*filter(None, runs)] for runs in zip(*some)]] for some in columns]
    pairs = len(texts[0][0])
    return Items(
        names=tuple(one.name for one in series),
        columns=[column for (column,) in columns],
        ends=tuple([_item(series, ids, kept[end]) for end in (0, -1)]),
        ids=None if ids is None else [*_picked(ids, kept)],
        pairs=pairs,
        dropped=pairs - len(kept),
        groups=_described(series, "groups", kept),
        weights=_described(series, "weights", kept, reading.decimal),
        tasks=_described(series, "tasks", kept),
    )


def _picked(cells: Sequence[Any], places: Sequence[int]) -> Sequence[Any]:
    """Return the cells of these places."""
    return cells if places == range(len(cells)) else [*map(cells.__getitem__, places)]


def _item(series: Sequence[Series], ids: Ids, item: int) -> ReadItem:
    """Return an item as it stands in the files; the cells of runs have blanks between."""
    found = []
    for one in series:
        cells = [one.table.columns[i][rows[item]] for i, rows in zip(one.columns, one.rows)]
        found.append((one.name, " ".join(filter(None, cells))))
    return ReadItem(id=_title(series, ids, item), cells=tuple(found))


def _title(series: Sequence[Series], ids: Ids, item: int) -> str:
    """Return what names an item for people: its id, its cell in the first column of different texts, or its line."""
    if ids is not None:
        return ids[item]
    table, row = series[0].table, series[0].rows[0][item]
    chosen = {i for one in series for i in one.columns}
    for cells in [table.columns[i] for i in range(table.width) if i not in chosen]:
        if cells[row] and not text_of(cells[row]) and len({*cells}) == table.rows:
            return cells[row]
    place = table.place(row, 0)
    return f"{place.unit} {place.line}"


# ---------------------------------------------------------------------------------------------- rows


def _joined(series: Sequence[Series], reading: Reading) -> tuple[Sequence[Series], Ids]:
    """Return the series with a row for each item in each list of rows, and the ids of the items."""
    first = series[0].table
    if reading.runs is not None and all(len(one.columns) == 1 for one in series):
        if first.id < 0:
            raise which(first, "id", "which names the items of the runs?", "id", reading.decimal)
        if reading.runs == "systems" and first.run < 0:
            what = "which names the runs?"
            raise which(first, "runs", what, "run", reading.decimal)
    shared = all(rows is series[0].rows[0] for one in series for rows in one.rows)
    if first.id < 0 or (shared and first.id == first.groups):
        _check_rows(series)
        return series, None if first.id < 0 else first.columns[first.id]
    found = {id(one.rows[0]): one for one in series}
    runs = {key: _by_ids(one, reading) for key, one in found.items()}
    parts = [runs[id(one.rows[0])] for one in series]
    known = parts[:1] if first.absent is None else parts
    each = [run for some in known for run in some]
    order = each[0] if len(each) == 1 else dict.fromkeys(chain(*each), 0)
    joined = [_ordered(one, some, order, series[0]) for one, some in zip(series, parts)]
    return joined, [*order]


def _keys(one: Series) -> Sequence[str]:
    """Return the id of each row; where items are groups, each run of an item is one of its own."""
    ids, table = _cells(one, "id"), one.table
    if table.run >= 0 and table.groups == table.id:
        return [*map(", ".join, zip(ids, _cells(one, "run")))]
    return ids


def _cells(one: Series, role: str) -> Sequence[str]:
    """Return the cells of each row in the column of ids or of runs, none of which may be missing."""
    i: int = getattr(one.table, role)
    cells = _picked(one.table.columns[i], one.rows[0])
    if "" in cells:
        place = one.table.place(one.rows[0][cells.index("")], i)
        raise Ask(f"the {role} is missing", role, place=place)
    return cells


def _by_ids(one: Series, reading: Reading) -> list[RunRows]:
    """Return the row of each item by its id; of several rows of an item, which are runs, for one run after another."""
    keys, table, rows = _keys(one), one.table, one.rows[0]
    alone = dict(zip(keys, rows))
    if len(alone) == len(keys):
        return [alone]
    of_rows = reading.runs is not None and len(one.columns) == 1
    names: Sequence[Any] = _cells(one, "run") if of_rows and table.run >= 0 else ()
    found: dict[Any, RunRows] = {}
    seen = Counter[Any]()
    for at, (key, row) in enumerate(zip(keys, rows)):
        seen[key] += of_rows
        before = found.setdefault(names[at] if names else seen[key], {}).setdefault(key, row)
        if before != row and of_rows:
            text = f"the run {short_text(names[at])} of the item is there twice"
            raise Ask(text, "run-repeated", "run", place=table.place(row, table.run))
        if before != row:
            raise _repeated(table, before, row)
    return [found[name] for name in sorted(found)]


def _ordered(one: Series, runs: Sequence[RunRows], order: RunRows, first: Series) -> Series:
    """Return a series with rows in the order of the items; -1 where an item has no row, whose cells are then last."""
    if len(runs) == 1 and runs[0] is order:
        return one
    found = runs[0] if len(runs) == 1 else dict.fromkeys(chain(*runs))
    if first.table.absent is None and found.keys() != order.keys():
        raise _other_ids(one, found, first, order)
    table, number = one.table, max(len(one.columns), len(runs))
    rows = [[*map(run.get, order, repeat(-1))] for run in runs]
    if any(-1 in some for some in rows):
        last = table.absent or ""
        table = replaced(table, columns=tuple([[*cells, last] for cells in table.columns]))
    columns = (one.columns * number)[:number]
    return replaced(one, table=table, columns=columns, rows=tuple(rows * number)[:number])


def _repeated(table: Table, row: int, again: int) -> Ask:
    place = table.place(again, table.id)
    text = f"the id {short_text(place.cell)} is also in {place.unit} {table.lines[row]}; rows of one item?"
    answers = (
        Cure({"groups": table.word(table.id)}, words="swaps the rows of an item together"),
        Cure(words="say what is exchanged", choose="runs"),
    )
    return Ask(text, "id-repeated", "groups", answers=answers, place=place)


def _other_ids(one: Series, found: Iterable[str], first: Series, order: Iterable[str]) -> Ask:
    lacks = []
    for name, some, others in ((one.name, order, {*found}), (first.name, found, {*order})):
        lost = [key for key in some if key not in others]
        lacks += [f"{printable(name)} lacks {quoted(lost, 5)}"] if lost else []
    words = "remove these items, or give them the score NA and leave out missing ones"
    text = f"the systems have different items: {'; '.join(lacks)}"
    return Ask(text, "other-ids", answers=(Cure(words=words),))


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


def _check_whole(series: Sequence[Series], kept: Sequence[int]) -> None:
    """Raise ``Ask`` where whole runs cannot be exchanged, since one lacks an item."""
    for one in series:
        names = one.table.columns[one.table.run]
        lost = [names[max(rows)] for rows in one.rows if min(rows[item] for item in kept) < 0]
        if lost:
            text = f"{printable(one.name)}: not all items have the runs {quoted(lost)}"
            words = "add their scores; in the other two designs items may have different runs"
            raise Ask(text, "runs", answers=(Cure(words=words),))


# ---------------------------------------------------------------------------------------------- cells


def _texts(one: Series, i: int, rows: Sequence[int], reading: Reading, kind: str) -> Sequence[str]:
    """Return the cells of a column as numbers, "" for none, or as written where ``kind`` is "labels".

    Raises ``Ask`` for a cell that is no number, or a negative count.
    """
    cells = one.table.columns[i]
    if kind == "labels":
        return _picked(cells, rows)
    read = one.table.numbers(i, reading.decimal)
    wrong = {*read.wrong}
    if kind == "counts":
        wrong.update([row for row, text in enumerate(read.texts) if text[:1] == "-"])
    found = [row for row in rows if row in wrong] if wrong else []
    if not found:
        return _picked(read.texts, rows)
    place, more = one.table.place(found[0], i), ""
    if len(found) > 1:
        more = f" ({len(found)} such cells)"
    if reading.decimal is None and decimal_commas([cells[row] for row in found]):
        cure = Cure({"decimal": "comma"}, words="if it is a decimal mark")
        text = f"{short_text(place.cell)} has a comma{more}"
        raise Ask(text, "decimal", "decimal", answers=(cure,), place=place)
    what = "is no number" if found[0] in read.wrong else "is negative, but these are counts"
    raise Ask(f"{short_text(place.cell)} {what}{more}", "number", place=place)


def _kept(
    series: Sequence[Series], texts: Sequence[Sequence[Sequence[str]]], ids: Ids, reading: Reading
) -> Sequence[int]:
    """Return the items of which no value is missing; ``Ask`` where some are and nothing is said of them."""
    items = range(len(texts[0][0]))
    missing = [
        (one, i, rows[item], item)
        for one, runs in zip(series, texts)
        for i, rows, cells in zip(one.columns, one.rows, runs)
        for item in (items if "" in cells else ())
        if not cells[item] and (rows[item] >= 0 or not any(run[item] for run in runs))
    ]
    if not missing:
        return items
    left_out = {item for *_, item in missing}
    if reading.missing != "drop":
        one, i, row, item = missing[0]
        text, place = f"a value is missing, in {len(left_out)} of {len(items)} items", None
        if row < 0:
            title = short_text(_title(series, ids, item))
            text = f"{printable(one.name)} has no row of {title}: {text}"
        else:
            place = one.table.place(row, i)
        cure = Cure({"missing": "drop"}, words="leaves them out")
        raise Ask(text, "missing", "missing", answers=(cure,), place=place)
    kept = [item for item in items if item not in left_out]
    if not kept:
        name = printable(series[0].table.name)
        raise Ask(f"{name}: no item is left: each lacks a value", "empty")
    return kept


def _described(
    series: Sequence[Series], role: str, kept: Sequence[int], decimal: str | None = None
) -> list[str] | None:
    """Return the cells that describe the items, which must be the same in all their rows; None where none are named.

    Weights are numbers above 0.
    """
    if getattr(series[0].table, role) < 0:
        return None
    found: dict[int, str] = {}
    for table, rows in {
        id(rows): (one.table, rows) for one in series for rows in one.rows
    }.values():
        i = getattr(table, role)
        for item in [item for item in kept if rows[item] >= 0 <= i]:
            cell = table.columns[i][rows[item]]
            known = found.setdefault(item, cell)
            text = "" if known == cell else f"it is {short_text(known)} in another row of the item"
            if role == "same":
                text = text and "in another file this id has another item"
            elif is_missing(cell):
                text = "the value is missing"
            elif role == "weights" and not _is_weight(text_of(cell, decimal)):
                text = "a weight must be a number above 0"
            if text:
                place = table.place(rows[item], table.id if role == "same" else i)
                raise Ask(text, "other-ids" if role == "same" else role, place=place)
    cells = [found[item] for item in kept]
    return [text_of(cell, decimal) for cell in cells] if role == "weights" else cells


def _is_weight(text: str) -> bool:
    return text != "" and number(text) > 0


# ---------------------------------------------------------------------------------------------- totals


def _without_total(
    one: Series, columns: Iterable[Sequence[str]], kept: Sequence[int], reading: Reading
) -> Sequence[int]:
    """Return the items without the last where the reading says that it is a total; ``Ask`` where it may be one."""
    if len(kept) <= _FEWEST:
        return kept
    columns = [_picked(column, kept) for column in columns]
    if not all(map(_sums_up, columns)) or all(len({*column[:-1]}) == 1 for column in columns):
        return kept
    if reading.total is None:
        place = one.table.place(one.rows[0][kept[-1]], 0)
        text = "the last row has the sum or the mean of each column; is it an item?"
        raise Ask(
            f"{printable(place.file)}, {place.unit} {place.line}: {text}",
            "total",
            "total",
            answers=(
                Cure({"total": "drop"}, words=f"no item: {len(kept) - 1} are left"),
                Cure({"total": "keep"}, words=f"one of {len(kept)} items"),
            ),
        )
    return kept if reading.total == "keep" else kept[:-1]


def _sums_up(column: Sequence[str]) -> bool:
    """Return whether the last text is the sum or the mean of the others, to its digits; exactly, if it is whole."""
    if "" in column:
        return False
    values, scale = scaled(column)
    total, last = Fraction(sum(values[:-1]), scale), column[-1]
    places = len(last.partition(".")[2]) if "e" not in last.lower() else 0
    near: Exact = Fraction(1, 10**places) if places else 0
    off = [abs(Fraction(values[-1], scale) - aim) for aim in (total, total / (len(values) - 1))]
    return any(each < near or each == 0 for each in off)
