"""Bring the rows of one file or more side by side, as items: by ids or by row, without those that are left out."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, repeat

from .._types import Any, Optional
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.reading import number
from ..errors import Cure
from ..record import Record, replaced
from .choice import Series
from .reading import Reading
from .sources import ReadItem, Source
from .table import Ask, Table, decimal_commas, is_missing, quoted, scaled, text_of, which

RunRows = dict[str, int]
"""The row of each item by its id."""

Ids = Optional[Sequence[str]]
"""The ids of items, None where no column has them."""

_FEWEST = 5
"""Other rows of which a last one may be the sum or the mean."""


class Items(Record):
    """What is compared: ``columns`` of an entry per item; of runs each entry is a list. ``source`` has their names.

    Numbers are texts that ``exact`` reads, labels are as written. ``ids`` are those of the items, None where no column
    has them; ``groups`` and the like are None where they are not named.
    """

    source: Source
    columns: Sequence[Any] = ()
    ids: list[str] | None = None
    groups: list[str] | None = None
    weights: list[str] | None = None
    tasks: list[str] | None = None


def items_of(series: Sequence[Series], reading: Reading, kind: str) -> Items:
    """Return the items of what was chosen; ``kind`` is that of the cells, "scores", "labels" or "counts".

    Raises ``Ask`` where files do not have the same items, a cell is missing or no number, and where the last row may be
    a total.
    """
    series, ids = _joined(series, reading)
    texts = [[_texts(one, i, rows, kind) for i, rows in one.parts] for one in series]
    kept = _kept(series, texts, ids, reading)
    if kind != "labels":
        kept = _without_total(series[0], [*chain(*texts)], kept, reading)
    if reading.runs == "systems":
        _check_whole(series, kept)
    _described(series, "same", kept)
    columns = []
    told = []
    for one, runs in zip(series, texts):
        picked = [_picked(run, kept) for run in runs]
        if reading.runs is None:
            columns.append(picked[0])
            continue
        items = [[*filter(None, cells)] for cells in zip(*picked)]
        columns.append(items)
        sizes = sorted({*map(len, items)})
        told.append(f"{' to '.join(map(str, {sizes[0]: 0, sizes[-1]: 0}))} of {one.name}")
    pairs = len(texts[0][0])
    ends = []
    for item in kept[0], kept[-1]:
        shown = []
        for one in series:  # the cells of runs have blanks between
            cells = [one.table.columns[i][rows[item]] for i, rows in one.parts]
            shown.append((one.name, " ".join(filter(None, cells))))
        ends.append(ReadItem(id=_title(series, ids, item), cells=tuple(shown)))
    source = Source(
        files=(),
        names=tuple([one.name for one in series]),
        pairs=pairs,
        dropped=pairs - len(kept),
        reading=reading,
        runs=f"{', '.join(told)} on each item" if told else "",
        joined=reading.id or ("" if ids is None else "id"),
        ends=tuple(ends),
    )
    return Items(
        source=source,
        columns=columns,
        ids=None if ids is None else [*_picked(ids, kept)],
        groups=_described(series, "groups", kept),
        weights=_described(series, "weights", kept),
        tasks=_described(series, "tasks", kept),
    )


def _picked(cells: Sequence[object], places: Sequence[int]) -> Sequence[Any]:
    """Return the cells of these places."""
    return cells if places == range(len(cells)) else [*map(cells.__getitem__, places)]


def _title(series: Sequence[Series], ids: Ids, item: int) -> str:
    """Return what names an item for people: its id, its cell in the first column of different texts, or its line."""
    if ids is not None:
        return ids[item]
    table = series[0].table
    row = series[0].parts[0][1][item]
    chosen = {i for one in series for i, _rows in one.parts}
    for cells in [table.columns[i] for i in range(table.width) if i not in chosen]:
        if cells[row] and not text_of(cells[row]) and len({*cells}) == table.rows:
            return cells[row]
    return f"{'line' if table.form == 'table' else 'record'} {table.lines[row]}"


# ---------------------------------------------------------------------------------------------- rows


def _joined(series: Sequence[Series], reading: Reading) -> tuple[Sequence[Series], Ids]:
    """Return the series with a row for each item in each list of rows, and the ids of the items."""
    first = series[0].table
    of_rows = reading.runs is not None and all(len(one.parts) == 1 for one in series)
    if of_rows and first.id < 0:
        raise which(first, "id", "which names the items of the runs?", "id")
    if of_rows and reading.runs == "systems" and first.run < 0:
        raise which(first, "runs", "which names the runs?", "run")
    if first.id < 0:
        _check_rows(series)
        return series, None
    lists = {id(rows): one for one in series for _i, rows in one.parts}
    if len(lists) == 1 and first.id == first.groups:
        return series, first.columns[first.id]
    known = {key: _by_ids(one, reading) for key, one in lists.items()}
    parts = [known[id(one.parts[0][1])] for one in series]
    order = dict.fromkeys(chain(*chain(*parts)))
    if first.absent is None:
        _check_ids(series, parts, order)
    return [_ordered(one, runs, order) for one, runs in zip(series, parts)], [*order]


def _cells(one: Series, role: str) -> Sequence[str]:
    """Return the cells of each row in the column of ids or of runs, none of which may be missing."""
    i: int = getattr(one.table, role)
    rows = one.parts[0][1]
    cells = _picked(one.table.columns[i], rows)
    if "" in cells:
        place = one.table.place(rows[cells.index("")], i)
        raise Ask(f"the {role} is missing", role, place=place)
    return cells


def _by_ids(one: Series, reading: Reading) -> list[RunRows]:
    """Return the row of each item by its id; of several rows of an item, which are runs, for one run after another.

    Where items are groups, each run of an item is one of its own.
    """
    table = one.table
    rows = one.parts[0][1]
    keys = _cells(one, "id")
    if table.run >= 0 and table.groups == table.id:
        keys = [*map(", ".join, zip(keys, _cells(one, "run")))]
    found: RunRows = {}
    again = [row for key, row in zip(keys, rows) if found.setdefault(key, row) != row]
    if not again:
        return [found]
    if reading.runs is None or len(one.parts) > 1:
        raise _repeated(table, found[table.columns[table.id][again[0]]], again[0])
    seen = Counter[str]()
    runs = dict[Any, RunRows]()
    names: Sequence[object] = _cells(one, "run") if table.run >= 0 else ()
    for at, (key, row) in enumerate(zip(keys, rows)):
        seen[key] += 1
        name = names[at] if names else seen[key]
        if runs.setdefault(name, {}).setdefault(key, row) != row:
            text = f"the run {short_text(name)} of the item is there twice"
            raise Ask(text, "run-repeated", "run", place=table.place(row, table.run))
    return [runs[name] for name in sorted(runs)]


def _ordered(one: Series, runs: Sequence[RunRows], order: dict[str, None]) -> Series:
    """Return a series with rows in the order of the items; -1 where an item has no row, whose cells are then last."""
    table = one.table
    rows = [[*map(run.get, order, repeat(-1))] for run in runs]
    if any(-1 in some for some in rows):
        last = table.absent or ""
        table = replaced(table, columns=tuple([[*cells, last] for cells in table.columns]))
    parts = tuple([(i, some) for i, _rows in one.parts for some in rows])
    return replaced(one, table=table, parts=parts)


def _repeated(table: Table, row: int, again: int) -> Ask:
    place = table.place(again, table.id)
    text = f"the id {short_text(place.cell)} is also in {place.unit} {table.lines[row]}; rows of one item?"
    answers = (
        Cure({"groups": table.word(table.id)}, words="swaps the rows of an item together"),
        Cure(words="say what is exchanged", choose="runs"),
    )
    return Ask(text, "id-repeated", "groups", answers=answers, place=place)


def _check_ids(
    series: Sequence[Series], parts: Sequence[Sequence[RunRows]], order: dict[str, None]
) -> None:
    """Raise ``Ask`` where a series has no row of an item that another one has."""
    lacks = {}
    for one, runs in zip(series, parts):
        lost = order.keys() - {*chain(*runs)}
        if lost:
            lacks[one.name] = quoted([key for key in order if key in lost], 5)
    if lacks:
        told = "; ".join(f"{printable(name)} lacks {ids}" for name, ids in lacks.items())
        words = "remove these items, or give them the score NA and leave out missing ones"
        text = f"the systems have different items: {told}"
        raise Ask(text, "other-ids", answers=[Cure(words=words)])


def _check_rows(series: Sequence[Series]) -> None:
    """Raise ``Ask`` where files that are joined by row have other numbers of rows, or blank lines in other places."""
    first = series[0].table
    for table in [one.table for one in series if one.table is not first]:
        names = f"{printable(first.name)} and {printable(table.name)}"
        if table.rows != first.rows:
            raise Ask(f"{names} have {first.rows} and {table.rows} rows", "lengths")
        gaps = [{bisect(one.lines, blank) for blank in one.blanks} for one in (first, table)]
        if gaps[0] != gaps[1]:
            cure = Cure(words="write NA for a missing score, or remove the lines")
            text = f"{names} have blank lines between other rows"
            raise Ask(text, "lengths", answers=[cure])


def _check_whole(series: Sequence[Series], kept: Sequence[int]) -> None:
    """Raise ``Ask`` where whole runs cannot be exchanged, since one lacks an item."""
    for one in series:
        names = one.table.columns[one.table.run]
        lost = [names[max(rows)] for _i, rows in one.parts if -1 in _picked(rows, kept)]
        if lost:
            text = f"{printable(one.name)}: not all items have the runs {quoted(lost)}"
            words = "add their scores; in the other two designs items may have different runs"
            raise Ask(text, "runs", answers=[Cure(words=words)])


# ---------------------------------------------------------------------------------------------- cells


def _texts(one: Series, i: int, rows: Sequence[int], kind: str) -> Sequence[str]:
    """Return the cells of a column as numbers, "" for none, or as written where ``kind`` is "labels".

    Raises ``Ask`` for a cell that is no number, or a negative count.
    """
    table = one.table
    cells = one.table.columns[i]
    if kind == "labels":
        return _picked(cells, rows)
    texts = table.numbers(i)
    if kind == "scores" and None not in texts:
        return _picked(texts, rows)
    signs = (None, "-") if kind == "counts" else (None,)
    found = [row for row in rows if (texts[row] and texts[row][0]) in signs]
    if not found:
        return _picked(texts, rows)
    place = table.place(found[0], i)
    more = ""
    if len(found) > 1:
        more = f" ({len(found)} such cells)"
    if table.decimal is None and decimal_commas([cells[row] for row in found]):
        cure = Cure({"decimal": "comma"}, words="if it is a decimal mark")
        text = f"{short_text(place.cell)} has a comma{more}"
        raise Ask(text, "decimal", "decimal", answers=[cure], place=place)
    what = "is negative, but these are counts" if texts[found[0]] else "is no number"
    raise Ask(f"{short_text(place.cell)} {what}{more}", "number", place=place)


def _kept(
    series: Sequence[Series], texts: Sequence[Sequence[Sequence[str]]], ids: Ids, reading: Reading
) -> Sequence[int]:
    """Return the items of which no value is missing; ``Ask`` where some are and nothing is said of them."""
    items = range(len(texts[0][0]))
    missing: dict[int, tuple[Series, int, int]] = {}
    for one, runs in zip(series, texts):
        for (i, rows), cells in zip(one.parts, runs):
            lost = [item for item in items if not cells[item]] if "" in cells else []
            for item in lost:
                if rows[item] >= 0 or not any(run[item] for run in runs):
                    missing.setdefault(item, (one, i, rows[item]))
    if not missing:
        return items
    if len(missing) == len(items) and reading.missing == "drop":
        name = printable(series[0].table.name)
        raise Ask(f"{name}: no item is left: each lacks a value", "empty")
    if reading.missing == "drop":
        return [item for item in items if item not in missing]
    item, (one, i, row) = next(iter(missing.items()))
    text = f"a value is missing, in {len(missing)} of {len(items)} items"
    place = one.table.place(row, i) if row >= 0 else None
    if place is None:
        title = short_text(_title(series, ids, item))
        text = f"{printable(one.name)} has no row of {title}: {text}"
    cure = Cure({"missing": "drop"}, words="to leave them out")
    raise Ask(text, "missing", "missing", answers=[cure], place=place)


def _described(series: Sequence[Series], role: str, kept: Sequence[int]) -> list[str] | None:
    """Return the cells that describe the items, which must be the same in all their rows; None where none are named.

    Weights are numbers above 0.
    """
    if getattr(series[0].table, role) < 0:
        return None
    found: dict[int, str] = {}
    lists = {id(rows): (one.table, rows) for one in series for _i, rows in one.parts}
    for table, rows in lists.values():
        i = getattr(table, role)
        for item in [item for item in kept if rows[item] >= 0 <= i]:
            cell = table.columns[i][rows[item]]
            known = found.setdefault(item, cell)
            text = "" if known == cell else f"it is {short_text(known)} in another row of the item"
            if role == "same":
                text = text and "in another file this id has another item"
            elif is_missing(cell):
                text = "the value is missing"
            elif role == "weights" and not number(text_of(cell, table.decimal) or 0) > 0:
                text = "a weight must be a number above 0"
            if text:
                place = table.place(rows[item], table.id if role == "same" else i)
                raise Ask(text, "other-ids" if role == "same" else role, place=place)
    cells = [found[item] for item in kept]
    decimal = series[0].table.decimal
    return [text_of(cell, decimal) for cell in cells] if role == "weights" else cells


# ---------------------------------------------------------------------------------------------- totals


def _without_total(
    one: Series, columns: Sequence[Sequence[str]], kept: Sequence[int], reading: Reading
) -> Sequence[int]:
    """Return the items without the last where the reading says that it is a total; ``Ask`` where it may be one."""
    if len(kept) <= _FEWEST:
        return kept
    columns = [_picked(column, kept) for column in columns]
    if not all(map(_sums_up, columns)):
        return kept
    if all(len({*column[:-1]}) == 1 for column in columns):  # the mean of all is any of them
        return kept
    if reading.total is None:
        place = one.table.place(one.parts[0][1][kept[-1]], 0)
        text = "the last row has the sum or the mean of each column; is it an item?"
        answers = (
            Cure({"total": "drop"}, words=f"no item: {len(kept) - 1} are left"),
            Cure({"total": "keep"}, words=f"one of {len(kept)} items"),
        )
        where = f"{printable(place.file)}, {place.unit} {place.line}"
        raise Ask(f"{where}: {text}", "total", "total", answers=answers)
    return kept if reading.total == "keep" else kept[:-1]


def _sums_up(column: Sequence[str]) -> bool:
    """Return whether the last text is the sum or the mean of the others, to its digits; exactly, if it is whole."""
    if "" in column:
        return False
    values, scale = scaled(column)
    total = sum(values[:-1])
    last = column[-1].lower()
    places = 0 if "e" in last else len(last.partition(".")[2])
    for aim in Fraction(total), Fraction(total, len(values) - 1):
        off = abs(values[-1] - aim) / scale
        if off == 0 or (places and off < Fraction(1, 10**places)):
            return True
    return False
