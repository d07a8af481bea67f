"""Several runs of each system on each item, as items: runs are columns joined by +, or rows with the item's id.

The rows of a system are those of its file, or those of its name in a long table. A run of a row has its id in a column;
without one, runs have no order, and whole runs cannot be exchanged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import printable, short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact, exact_column
from ..errors import Cure
from ..record import Record
from . import join, numbers
from .choice import ALL, Part, check_twice, columns_of_numbers, part_of, place_of
from .listing import Ask, Table, quoted, which

if TYPE_CHECKING:
    from .reading import Reading

Cell = tuple[int, int, int]
"""Where the score of a run stands: the number of its file, the row and the place of the column."""

Cells = dict[str, dict[str, dict[str, Cell]]]
"""The scores by system, item and run."""


class Runs(Record):
    """The runs of each system: ``scores[name][i]`` are those of item i, as texts that ``exact`` reads.

    ``items`` is their number before the ``dropped`` ones were left out; ``ends`` name the first and the last, whose
    cells as written are ``cells``. ``told`` says how many runs there are, ``spans`` which columns certificates state.
    """

    tables: tuple[Table, ...]
    scores: dict[str, list[list[str]]]
    items: int
    dropped: int
    ends: tuple[str, str]
    cells: tuple[tuple[str, ...], tuple[str, ...]]
    told: str
    spans: str
    weights: list[str] | None = None


class Series(Record):
    """The runs of one ``system`` in these ``rows`` of a file: each row is one, or each of several ``columns``."""

    system: str
    part: Part
    columns: tuple[int, ...]
    rows: Sequence[int]


def runs_of(tables: Sequence[Table], reading: Reading, *, most: int | None = None) -> Runs:
    """Return the runs of the systems of files; ``most`` is the largest number of systems, which is at least two.

    Raises ``Ask`` where the columns of items, runs or scores are not named, where an item has runs of one system only,
    or one run twice, and where a score is missing or no number.
    """
    check_twice(tables)
    series = [*_series(tables, reading)]
    names = [one.system for one in series]
    if len(names) < 2 or (most is not None and len(names) > most):
        cures = (Cure(command="compare", words="for all pairs"),) if len(names) > 2 else ()
        text = f"runs of two systems are compared, not of {len(names)}: {quoted(names, 6)}"
        raise Ask(text, code="systems", argument="columns", answers=cures)
    if reading.runs == "systems" and any(
        one.part.run < 0 and len(one.columns) == 1 for one in series
    ):
        what = "which names the runs? Whole runs are exchanged"
        raise which(tables[0], "runs", what, "run", reading.decimal)
    _check_rows(series)
    cells = _cells(series)
    _check_items(series, cells)
    read, dropped = _read(series, cells, reading)
    items = list(cells[names[0]])
    kept = [item for item in items if item not in dropped]
    if not kept:
        raise Ask(
            f"{printable(tables[0].name)}: no item is left: of each a value is missing",
            code="empty",
        )
    if reading.runs == "systems":
        _check_whole(series, cells, kept)
    scores = {
        name: [[read[cell] for _run, cell in sorted(cells[name][item].items())] for item in kept]
        for name in names
    }
    first = series[0].part
    ends = [cells[names[0]][kept[i]] for i in (0, -1)]
    named = [join.item_name(first, next(iter(runs.values()))[1]) for runs in ends]
    return Runs(
        tables=tuple(tables),
        scores=scores,
        items=len(items),
        dropped=len(dropped),
        ends=(named[0], named[1]),
        cells=(_shown(series, cells, kept[0]), _shown(series, cells, kept[-1])),
        told=_told(scores),
        spans=_spans(series),
        weights=_weights(series, cells, kept, reading),
    )


def _series(tables: Sequence[Table], reading: Reading) -> Iterator[Series]:
    """Yield the runs of each system: of a long table, of one file with blocks of columns, or of a file each."""
    first = tables[0]
    if reading.system is not None or reading.score is not None:
        yield from _of_long(first, reading)
        return
    blocks = [_block(table, reading) for table in tables]
    if len(tables) == 1:
        part = part_of(first, [i for block in blocks[0] for i in block], reading)
        titles = [[first.title(i) for i in block] for block in blocks[0]]
        for some, block in zip(titles, blocks[0]):
            yield Series(system="+".join(some), part=part, columns=block, rows=range(first.rows))
        return
    for table, found in zip(tables, blocks):
        part = part_of(table, found[0], reading)
        if len(found[0]) == 1 and part.id < 0:
            raise which(table, "id", "which names the items of the runs?", "id", reading.decimal)
        yield Series(system=table.name, part=part, columns=found[0], rows=range(table.rows))


def _block(table: Table, reading: Reading) -> list[tuple[int, ...]]:
    """Return the blocks of columns that are joined by +, one for each word."""
    words = reading.words if reading.words != (ALL,) else ()
    if not words and table.id >= 0:
        found, _pure = columns_of_numbers(table, reading)
        if len(found) == 1:
            return [(*found,)]
    if not words:
        raise which(
            table, "columns", "which are the runs of each system?", "columns", reading.decimal
        )
    return [
        (place_of(table, word, "columns"),)
        if word in table.names
        else tuple(place_of(table, part.strip(), "columns") for part in word.split("+"))
        for word in words
    ]


def _of_long(table: Table, reading: Reading) -> Iterator[Series]:
    """Yield the runs of each system of a long table."""
    lost = next(
        (role for role in ("system", "score", "id") if getattr(reading, role) is None), None
    )
    if lost is not None:
        what = {"system": "systems", "score": "scores", "id": "items"}[lost]
        raise which(
            table, "long", f"which has the {what} of the long table?", lost, reading.decimal
        )
    score = place_of(table, reading.score or "", "score")
    cells = table.columns[place_of(table, reading.system or "", "system")]
    rows: dict[str, list[int]] = {name: [] for name in (*reading.words, *cells)}
    for row, name in enumerate(cells):
        rows[name].append(row)
    chosen = (
        reading.words if reading.words and reading.words != (ALL,) else tuple(dict.fromkeys(cells))
    )
    part = part_of(table, (score,), reading)
    for name in chosen:
        if not rows[name] or not name:
            text = f"{printable(table.name)}: no row is of the system {short_text(name)}; there are {quoted([*rows])}"
            raise Ask(text, code="systems", argument="columns")
        yield Series(system=name, part=part, columns=(score,), rows=rows[name])


# ---------------------------------------------------------------------------------------------- runs by items


def _check_rows(series: Sequence[Series]) -> None:
    """Raise ``Ask`` where files without ids have other numbers of rows."""
    for one in series[1:]:
        if one.part.id < 0 and len(one.rows) != len(series[0].rows):
            first, other = printable(series[0].part.table.name), printable(one.part.table.name)
            text = f"{first} has {len(series[0].rows)} rows and {other} has {len(one.rows)}"
            raise Ask(text, code="lengths")


def _cells(series: Sequence[Series]) -> Cells:
    """Return the places of all scores by system, item and run; rows without ids of runs are numbered."""
    found: Cells = {}
    for number, one in enumerate(series):
        part, table = one.part, one.part.table
        items = found.setdefault(one.system, {})
        for row in one.rows:
            item = str(row) if part.id < 0 else table.columns[part.id][row]
            runs = items.setdefault(item, {})
            for i in one.columns:
                run = table.title(i) if len(one.columns) > 1 else str(len(runs))
                if part.run >= 0:
                    run = table.columns[part.run][row]
                if not item or not run:
                    raise Ask(
                        "the id is missing",
                        code="id",
                        place=table.place(row, part.run if item else part.id),
                    )
                if run in runs or (runs and len(one.columns) > 1 and run in runs):
                    text = (
                        f"{short_text(one.system)} has the run {short_text(run)} of this item twice"
                    )
                    raise Ask(text, code="run-repeated", argument="run", place=table.place(row, i))
                runs[run] = (number, row, i)
    return found


def _check_items(series: Sequence[Series], cells: Cells) -> None:
    """Raise ``Ask`` where an item has runs of some systems only."""
    for name, items in cells.items():
        for other, there in cells.items():
            lone = next((item for item in items if item not in there), None)
            if lone is not None:
                number, row, i = next(iter(items[lone].values()))
                text = f"the item {short_text(lone)} has runs of {short_text(name)}, none of {short_text(other)}"
                raise Ask(text, code="other-ids", place=series[number].part.table.place(row, i))


def _check_whole(series: Sequence[Series], cells: Cells, items: Sequence[str]) -> None:
    """Raise ``Ask`` where whole runs cannot be exchanged, since one lacks an item."""
    for name, found in cells.items():
        whole = dict.fromkeys(run for item in items for run in found[item])
        for item in items:
            lack = next((run for run in whole if run not in found[item]), None)
            if lack is not None:
                number, row, i = next(iter(found[item].values()))
                text = f"the run {short_text(lack)} of {short_text(name)} lacks the item {short_text(item)}"
                cure = Cure(
                    words="add its score; the other two designs take different runs of each item"
                )
                raise Ask(
                    text,
                    code="runs",
                    answers=(cure,),
                    place=series[number].part.table.place(row, i),
                )


def _read(
    series: Sequence[Series], cells: Cells, reading: Reading
) -> tuple[dict[Cell, str], set[str]]:
    """Return the scores as texts that ``exact`` reads, and the items that are left out for a missing one."""
    of = {
        cell: item
        for items in cells.values()
        for item, runs in items.items()
        for cell in runs.values()
    }
    read: dict[Cell, str] = {}
    missing: list[Cell] = []
    for number, one in enumerate(series):
        for i in one.columns:
            column = join.column_of(one.part.table, i, one.rows, reading, "scores")
            read.update(((number, row, i), text) for row, text in zip(one.rows, column.texts))
            missing += [(number, one.rows[row], i) for row in column.missing]
    dropped = {of[cell] for cell in missing}
    if missing and reading.missing != "drop":
        number, row, i = missing[0]
        text = f"a value is missing, in {len(dropped)} of {len({*of.values()})} items"
        cure = Cure({"missing": "drop"}, words="leaves them out")
        place = series[number].part.table.place(row, i)
        raise Ask(text, code="missing", argument="missing", answers=(cure,), place=place)
    return read, dropped


def _shown(series: Sequence[Series], cells: Cells, item: str) -> tuple[str, ...]:
    """Return the cells of an item as they are written: those of each system, with blanks between."""
    found = [sorted(items[item].items()) for items in cells.values()]
    return tuple(
        " ".join(series[n].part.table.columns[i][row] for _run, (n, row, i) in runs)
        for runs in found
    )


def _weights(
    series: Sequence[Series], cells: Cells, items: Sequence[str], reading: Reading
) -> list[str] | None:
    """Return the weights of items, which are the same for all their runs; None where none are named."""
    if reading.weights is None:
        return None
    found = []
    for item in items:
        places = [cell for runs in cells.values() for cell in runs[item].values()]
        weights = {
            series[n].part.table.columns[series[n].part.weights][row]: (n, row)
            for n, row, _i in places
        }
        (text, (n, row)), *others = weights.items()
        place = series[n].part.table.place(row, series[n].part.weights)
        weight = numbers.number_text(text, reading.decimal)
        if others or not weight or exact(weight) <= 0:
            what = (
                "another run of the item has another weight"
                if others
                else "a weight must be a number above 0"
            )
            raise Ask(what, code="weights", place=place)
        found.append(weight)
    return found


def _told(scores: dict[str, list[list[str]]]) -> str:
    """Return how many runs each item has of each system."""
    told = []
    for name, items in scores.items():
        least, most = min(map(len, items)), max(map(len, items))
        told.append(f"{least if least == most else f'{least} to {most}'} of {name}")
    return f"{', '.join(told)} on each item"


def _spans(series: Sequence[Series]) -> str:
    """Return the columns of the runs of both systems of one file, or the one of every file; "" where there are none."""
    if (
        series[0].part.run >= 0
        and series[0].part.table.form == "table"
        and series[0].part is series[-1].part
    ):
        return ""
    words = ["+".join(str(i + 1) for i in one.columns) for one in series]
    if series[0].part is series[-1].part:
        return ",".join(words) if len({one.columns for one in series}) > 1 else ""
    return words[0] if len({*words}) == 1 and len(series[0].columns) == 1 else ""


def mean(
    items: Sequence[Sequence[str]],
    decimals: int | None = None,
    weights: Sequence[str] | None = None,
) -> Exact:
    """Return the mean over the items, which may have weights, of the means of their runs.

    >>> mean([["1", "0"], ["1"]]), mean([["1", "0"], ["1"]], weights=["2", "1"])
    (Fraction(3, 4), Fraction(2, 3))
    """
    read = iter(exact_column([text for runs in items for text in runs], "scores", decimals))
    factors = [1] * len(items) if weights is None else exact_column(weights, "weights")
    totals: dict[int, Exact] = {}  # by the number of runs: one division for each
    for factor, size in zip(factors, map(len, items)):
        totals[size] = totals.get(size, 0) + factor * sum(islice(read, size))
    return exact(
        Fraction(sum(Fraction(total, size) for size, total in totals.items())) / sum(factors)
    )
