"""Several runs of each system on each item: which rows and columns are runs, of which system and which item.

A run is a row (with the item's id, and the run's in a column of its own or by its place), or a
column beside others of its system, whose names differ in the number of the run only. All forms
become one: the runs of each system by items. Nothing is guessed in silence: what names do not say
beyond doubt is asked for, and a result says how runs were read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from fractions import Fraction
from itertools import islice

from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact, exact_column
from ..errors import Cure, ExactPermError
from ..record import Record, replaced
from . import checks, formats, numbers, pairing, run_columns
from .cells import names_fixed, names_ids, names_runs, run_of
from .parts import Part, View, place_of
from .profile import Column, columns_of, of_kind
from .reading import Reading
from .repeats import by_files, by_names, repeats, runs_text, stem
from .run_columns import Series
from .tables import Table

Cell = tuple[int, int, int]
"""Where the score of a run stands: the number of its part, the row and the place of the column."""
Cells = dict[str, dict[str, dict[str, Cell]]]
"""The scores by system, item and run."""


_SHOWN = 6
"""Most systems that are named."""

_STATED = "choose the columns of each system, as base*,new* or 2-4,5-7 do"


class Runs(Record):
    """The runs of each system: ``scores[name][i]`` are those of item i, as texts that ``exact`` reads.

    ``items`` is their number before the ``dropped`` ones were left out, since a score is missing.
    ``told`` says how runs were found, ``reading`` has the columns that were taken; ``weights`` are
    those of the items, or None. ``spans`` are the columns of the runs as certificates take them,
    such as "2-4,5-7" of one file, else "".
    """

    parts: tuple[Part, ...]
    reading: Reading
    scores: dict[str, list[list[str]]]
    items: int
    dropped: int
    told: str
    spans: str
    weights: list[str] | None = None
    notes: tuple[checks.Note, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the systems."""
        return tuple(self.scores)


def chosen(tables: Sequence[Table], reading: Reading, *, most: int | None = None) -> Runs:
    """Return the runs of the systems of files; ``most`` is the largest number of systems, which is at least two.

    Raises ``ExactPermError`` where the columns of items, runs or scores are not known, where a
    check of reading refuses, where an item has runs of one system only, or one run twice, and where
    a score is missing.
    """
    _check_options(tables, reading)
    parts = [_part(table, reading) for table in tables]
    first = parts[0]
    reading = replaced(
        reading,
        id=reading.id or (first.table.word(first.id) if first.id >= 0 else None),
        run=reading.run or (first.table.word(first.label) if first.label >= 0 else None),
    )
    view = View(
        parts=tuple(replaced(part, label=-1) for part in parts), reading=reading, kind="scores"
    )
    series = [
        one
        for number, part in enumerate(parts)
        for one in _series(part, number, reading, alone=len(parts) == 1)
    ]
    if (
        len(series) == len(parts)
        and by_files([part.table.name for part in parts], few=True) is not None
    ):
        series = [_of_file(one, parts[one.part]) for one in series]
        run_columns.check_files(parts, series)
    names = list(dict.fromkeys(one.system for one in series))
    if len(names) < 2 or (most is not None and len(names) > most):
        raise _wrong_systems(view, names, most)
    _check_positions(parts, series, reading)
    if series[0].run:
        run_columns.check_columns(parts, series)
    notes = checks.run(view)
    cells = _cells(parts, series)
    _check_items(parts, cells)
    _check_fixed(parts)
    if first.label < 0 and not series[0].run:
        run_columns.check_rows(parts, _rows(parts, series))
    items = list(cells[names[0]])
    read, dropped = _read(view.parts, cells, reading)
    kept = [item for item in items if item not in dropped]
    if not kept:
        raise ExactPermError(
            f"{tables[0].name}: no item is left: in every one a score is missing", code="empty"
        )
    if reading.runs == "systems":
        _check_whole(parts, cells, kept, named=first.label >= 0 or bool(series[0].run))
    scores = {
        name: [[read[cell] for _run, cell in sorted(cells[name][item].items())] for item in kept]
        for name in names
    }
    if first.label < 0 and not series[0].run:
        _check_several(tables[0], scores)
    return Runs(
        parts=view.parts,
        reading=reading,
        scores=scores,
        items=len(items),
        dropped=len(dropped),
        told=_told(series, reading, scores),
        spans=_spans(parts, series),
        weights=None if reading.weights is None else _weights(parts, cells, kept),
        notes=notes,
    )


def _check_options(tables: Sequence[Table], reading: Reading) -> None:
    """Raise ``ExactPermError`` for settings that exclude a design, and for a long table without a choice of systems."""
    if reading.groups is not None:
        cure = Cure({"groups": ""}, words="leave out the groups")
        text = "groups and runs exclude each other: the runs of an item belong together"
        raise ExactPermError(text, code="runs-options", cure=cure)
    if reading.tasks is not None:
        cure = Cure({"tasks": ""}, words="or give the weights of the items")
        raise ExactPermError("tasks and runs exclude each other", code="runs-options", cure=cure)
    long = (
        formats.is_long(tables[0])
        if reading.system is None and len(tables) == 1 and not reading.words
        else None
    )
    if long is not None:
        text = f"{tables[0].name}: rows may be of several systems, one row for each run of a system on an item"
        cure = Cure(long.settings)
        raise ExactPermError(text, code="long-table", cure=cure)


def _check_several(table: Table, scores: dict[str, list[list[str]]]) -> None:
    """Raise ``ExactPermError`` where every item has one run of each system, and nothing says that it is one."""
    if all(len(runs) == 1 for items in scores.values() for runs in items):
        cure = Cure(words=f"{_STATED}, or the column of the items' ids")
        raise ExactPermError(
            f"{table.name}: no system has several runs of an item", code="runs-columns", cure=cure
        )


def _part(table: Table, reading: Reading) -> Part:
    """Return the columns of one file: scores as chosen, items as id, runs as label, each -1 where there is none."""
    columns = columns_of(table)
    system = -1 if reading.system is None else place_of(table, reading.system, reading)
    places = (
        []
        if system >= 0
        else [place for word in reading.words for place in _matching(table, word, reading)]
    )
    if reading.score is not None:
        places = [place_of(table, reading.score, reading)]
    weight = -1 if reading.weights is None else place_of(table, reading.weights, reading)
    rest = [column for column in columns if column.place not in (*places, system, weight)]
    run = _named(
        table, reading, "run", [c for c in rest if names_runs(c.name) and repeats(c.cells)]
    )
    rest = [column for column in rest if column.place != run and not names_runs(column.name)]
    named = [column for column in rest if names_ids(column.name)]
    ids = [c for c in named if repeats(c.cells)]
    # rows, beside the items
    numbered = [c for c in rest if c.kind == "id" and (c in named or not c.name) and ids]
    item = _named(
        table, reading, "id", ids or named or [c for c in of_kind(rest, "id") if not table.keyed]
    )
    rest = [column for column in rest if column.place == item or column not in numbered]
    if not places:
        places = [column.place for column in rest if column.place != item]
        wrong = [c for c in columns if c.place in places and c.kind not in ("score", "count")]
        scores = [c for c in columns if c.place in places and c not in wrong]
        if (wrong and len(places) > 1) or not places or (system >= 0 and len(places) > 1):
            from . import suggestions

            settings = {"score" if system >= 0 else "columns": suggestions.column_words(scores)}
            cure = Cure(settings) if scores else None
            text = f"{table.name}: which columns hold the scores of the runs? {table.listed()}"
            raise ExactPermError(text, code="columns", cure=cure)
    if item < 0 and (run >= 0 or system >= 0):
        cure = Cure({"id": ids[0].word}) if ids else Cure(words="choose the column of the ids")
        raise ExactPermError(
            f"{table.name}: which column names the items of the runs?",
            code="runs-columns",
            cure=cure,
        )
    return Part(
        table=table,
        chosen=tuple(places),
        id=item,
        label=run,
        weight=weight,
        named=bool(reading.words),
    )


def _named(table: Table, reading: Reading, setting: str, found: Sequence[Column]) -> int:
    """Return the place of the column that a setting names, or that is the only one found; -1 for none."""
    word = getattr(reading, setting)
    if word is not None:
        return place_of(table, word, reading)
    if len(found) > 1:
        shown = ", ".join(short_text(column.name) for column in found)
        what = "items" if setting == "id" else "runs"
        text = f"{table.name}: which column names the {what}, of {shown}?"
        raise ExactPermError(text, code="runs-columns", cure=Cure({setting: found[0].word}))
    return found[0].place if found else -1


def _matching(table: Table, word: str, reading: Reading) -> list[int]:
    """Return the places of the columns that a word chooses: one, those of a pattern such as base*, or of a span."""
    names = list(table.header or ())
    if "*" in word and word not in names:
        found = [i for i, name in enumerate(names) if fnmatchcase(name, word)]
        if found:
            return found
    return [place_of(table, word, reading)]


def _series(part: Part, number: int, reading: Reading, *, alone: bool) -> Iterator[Series]:
    """Yield the runs of one file by their systems."""
    table, rows = part.table, range(len(part.table.rows))
    if reading.system is not None:
        column = table.column(place_of(table, reading.system, reading))
        there: dict[str, list[int]] = {name: [] for name in reading.words or column}
        for row in rows:
            if column[row] in there:
                there[column[row]].append(row)
        lost = next((name for name, found in there.items() if not found or not name), None)
        if lost == "":
            where = table.place(column.index(""), part.chosen[0], part.id)
            raise ExactPermError(f"{where}: the system is missing", code="systems")
        if lost is not None:
            cure = (
                Cure({"key": "", "score": lost})
                if lost == reading.key and lost in (table.header or ())
                else None
            )
            text = f"{table.name}: no row is of the system {short_text(lost)}"
            raise ExactPermError(text, code="systems", cure=cure)
        for name, found in there.items():
            yield Series(system=name, part=number, place=part.chosen[0], rows=tuple(found))
        return
    names = [table.title(i) for i in part.chosen]
    systems = _systems(part, reading, alone=alone)
    for place, name, (system, run) in zip(part.chosen, names, systems):
        title = (
            (system or name)
            if alone
            else table.name
            if len(names) > 1
            else part.names(joined=True)[0]
        )
        yield Series(system=title, part=number, place=place, rows=tuple(rows), run=run)


def _of_file(one: Series, part: Part) -> Series:
    """Return the series of a file that is one run of its system by its name."""
    system, run, _sure = run_of(stem(part.table.name))
    return replaced(one, system=system, run=run)


def _systems(part: Part, reading: Reading, *, alone: bool) -> list[tuple[str, str]]:
    """Return the system and the run of each chosen column, "" for a run that is no column."""
    table = part.table
    names = [table.heading(i) for i in part.chosen]
    blocks = [
        [i for word in words for i in _matching(table, word, reading)] for words in reading.blocks
    ]
    if max(map(len, blocks), default=1) > 1:
        return [
            (_stem(table, words, places), run_of(table.heading(i))[1] or table.title(i))
            for words, places in zip(reading.blocks, blocks)
            for i in places
        ]
    if alone:
        found = by_names(names, few=True)
        if found is None:
            run_columns.check_names(table, part.chosen)
        return [("", "")] * len(names) if found is None else [run_of(name)[:2] for name in names]
    if len(names) > 1 and (
        len({run_of(name)[0] for name in names}) > 1 or not all(run_of(name)[1] for name in names)
    ):
        raise ExactPermError(
            f"{table.name}: names of the runs of a system differ in the number of the run only: {table.listed()}",
            code="columns",
            cure=Cure(words="choose the columns of its runs"),
        )
    again = part.id >= 0 and repeats(table.column(part.id))
    column = len(names) > 1 or (run_of(names[0])[2] and part.label < 0 and not again)
    return [("", run_of(name)[1] if column else "") for name in names]


def _stem(table: Table, words: Sequence[str], places: Sequence[int]) -> str:
    """Return the name of a system whose columns are stated: what their names share, else the words."""
    stems = {run_of(table.heading(i))[0] for i in places}
    if len(stems) == 1 and "" not in stems:
        return stems.pop()
    return (
        words[0].strip("*_-. ") or words[0]
        if len(words) == 1
        else f"columns {words[0]} to {words[-1]}"
    )


def _wrong_systems(view: View, names: Sequence[str], most: int | None) -> ExactPermError:
    """Return the error for fewer than two systems, or for more than ``most``."""
    need = (
        "two systems or more"
        if most is None
        else "two systems"
        if most == 2
        else f"two to {most} systems"
    )
    found = f"{len(names)}: {', '.join(map(short_text, names[:_SHOWN]))}{', ...' * (len(names) > _SHOWN)}"
    if len(names) < 2:
        cure = Cure(words=f"name the other file, too, or {_STATED}")
    else:
        cure = Cure(
            command="compare" if most == 2 else "", words="for all pairs, or choose fewer systems"
        )
    text = f"{', '.join(part.table.name for part in view.parts)}: runs of {need} are compared, not of {found}"
    return ExactPermError(text, code="systems", cure=cure)


# ------------------------------------------------------------------------------------ runs by items


def _check_positions(parts: Sequence[Part], series: Sequence[Series], reading: Reading) -> None:
    """Raise ``ExactPermError`` where files are joined by position, but name other runs, or have other blank lines."""
    if len(parts) == 1 or reading.id is not None:
        return
    pairing.check_gaps(parts)
    systems: dict[str, list[str]] = {}
    for one in series:
        systems.setdefault(one.system, []).append(one.run)
    (first, runs), *others = systems.items()
    for second, found in others:
        if runs != found:
            i = next(
                (i for i, (a, b) in enumerate(zip(runs, found)) if a != b),
                min(len(runs), len(found)),
            )
            here, there = [
                short_text(some[i]) if i < len(some) else "missing" for some in (runs, found)
            ]
            raise ExactPermError(
                f"files are joined by position, but their runs differ: run {i + 1} is {here} of {first} and {there} of "
                f"{second}",
                code="other-runs",
                cure=Cure(
                    words="join the files by a column of ids, or give the same runs in one order"
                ),
            )


def _cells(parts: Sequence[Part], series: Sequence[Series]) -> Cells:
    """Return the places of all scores by system, item and run; rows without ids of runs are numbered."""
    found: Cells = {}
    for one in series:
        part = parts[one.part]
        table = part.table
        items = found.setdefault(one.system, {})
        for row in one.rows:
            item = str(row) if part.id < 0 else table.rows[row][part.id]
            runs = items.setdefault(item, {})
            run = one.run or (table.rows[row][part.label] if part.label >= 0 else str(len(runs)))
            for i, what, key in ((part.id, "id", item), (part.label, "run", run)):
                if i >= 0 and not key:
                    raise ExactPermError(
                        f"{table.place(row, i)}: the {what} is missing", code=f"{what}-missing"
                    )
            if run in runs:
                there, line_row, _place = runs[run]
                line = parts[there].table.lines[line_row]
                raise ExactPermError(
                    f"{table.place(row, max(part.label, one.place * (part.label < 0)), part.id)}: {one.system} has the "
                    f"run {short_text(run)} of this item in line {line}, too",
                    code="run-repeated",
                    cure=Cure(words="number the runs of an item, or choose the column that does"),
                )
            runs[run] = (one.part, row, one.place)
    return found


def _rows(parts: Sequence[Part], series: Sequence[Series]) -> list[dict[int, tuple[str, str]]]:
    """Return the system and the item of each row of each part; rows of files without ids are items, and left out."""
    found: list[dict[int, tuple[str, str]]] = [{} for _part in parts]
    for one in series:
        table, item = parts[one.part].table, parts[one.part].id
        found[one.part].update(
            (row, (one.system, table.rows[row][item])) for row in one.rows if item >= 0
        )
    return found


def _place(parts: Sequence[Part], runs: Mapping[str, Cell]) -> str:
    """Return the place of the first of an item's runs, for messages."""
    number, row, place = next(iter(runs.values()))
    return parts[number].table.place(row, place, parts[number].id)


def _check_items(parts: Sequence[Part], cells: Cells) -> None:
    """Raise ``ExactPermError`` where an item has runs of some systems only."""
    for name, items in cells.items():
        for other, there in cells.items():
            lone = next((item for item in items if item not in there), None)
            if lone is not None:
                raise ExactPermError(
                    f"{_place(parts, items[lone])}: the item has runs of {short_text(name)}, none "
                    f"of {short_text(other)}",
                    code="one-system-runs",
                    cure=Cure(
                        words="remove such items, or add them with NA as score, and drop what is missing"
                    ),
                )


def _check_fixed(parts: Sequence[Part]) -> None:
    """Raise ``ExactPermError`` where runs of an item have another right label, source or domain than its first."""
    known: dict[tuple[str, str], tuple[str, str]] = {}
    for part in parts:
        table = part.table
        for column in part.rest if part.id >= 0 else ():
            if column.place == part.id or not names_fixed(column.name.rpartition(".")[2]):
                continue
            for row, (item, cell) in enumerate(zip(table.column(part.id), column.cells)):
                place = f"{table.name}, line {table.lines[row]}"
                first, where = known.setdefault((column.name.casefold(), item), (cell, place))
                if cell != first:
                    raise ExactPermError(
                        f"{table.place(row, column.place, part.id)}: it is {short_text(cell)}, but {short_text(first)} "
                        f"in {where}: one id names different items",
                        code="other-items",
                    )


def _check_whole(parts: Sequence[Part], cells: Cells, items: Sequence[str], *, named: bool) -> None:
    """Raise ``ExactPermError`` where whole runs cannot be exchanged: they have no ids, or one lacks an item."""
    if not named:
        raise ExactPermError(
            f"{parts[0].table.name}: whole runs are exchanged, but no column says which run a row is of",
            code="runs-columns",
            cure=Cure(words="choose the column of the runs' ids, or write a column for each run"),
        )
    for name, found in cells.items():
        whole = list(dict.fromkeys(run for item in items for run in found[item]))
        for item in items:
            lack = next((run for run in whole if run not in found[item]), None)
            if lack is not None:
                raise ExactPermError(
                    f"{_place(parts, found[item])}: the run {short_text(lack)} of "
                    f"{short_text(name)} lacks this item: whole runs are exchanged, which need all items",
                    code="run-missing",
                    cure=Cure(
                        words="add its score; the other two designs take different runs of each item"
                    ),
                )


def _read(
    parts: Sequence[Part], cells: Cells, reading: Reading
) -> tuple[dict[Cell, str], set[str]]:
    """Return the scores as texts that ``exact`` reads, and the items that are left out for a missing one."""
    places = {
        cell: item
        for items in cells.values()
        for item, runs in items.items()
        for cell in runs.values()
    }
    dropped = set()
    if reading.missing == "drop":
        dropped = {
            item
            for (number, row, place), item in places.items()
            if numbers.is_missing(parts[number].table.rows[row][place], "scores")
        }
    read: dict[Cell, str] = {}
    for number, part in enumerate(parts):
        rows = sorted(
            {cell[1] for cell, item in places.items() if cell[0] == number and item not in dropped}
        )
        columns, _comma = numbers.columns(part, rows, "scores")
        for place, column in zip(part.chosen, columns):
            read.update(((number, row, place), text) for row, text in zip(rows, column))
    return read, dropped


def _spans(parts: Sequence[Part], series: Sequence[Series]) -> str:
    """Return the columns of the runs of both systems of one file, or the one of every file; "" where there are none."""
    if len(parts) > 1:
        chosen = {part.chosen for part in parts}
        return str(parts[0].chosen[0] + 1) if len(chosen) == 1 == len(parts[0].chosen) else ""
    places: dict[str, list[int]] = {}
    for one in series:
        places.setdefault(one.system, []).append(one.place + 1)
    if parts[0].label >= 0 or any(
        some != list(range(some[0], some[-1] + 1)) for some in places.values()
    ):
        return ""
    return ",".join(f"{some[0]}-{some[-1]}" for some in places.values())


def _weights(parts: Sequence[Part], cells: Cells, items: Sequence[str]) -> list[str]:
    """Return the weights of items, which are the same for all their runs."""
    first: dict[str, int] = {}
    for number, part in enumerate(parts):
        rows: dict[int, str] = {}
        for found in cells.values():
            rows.update(
                (row, item)
                for item in items
                for there, row, _i in found[item].values()
                if there == number
            )
        for row in sorted(rows):
            first.setdefault(rows[row], row)
        pairing.labels(
            (parts[0], part), [[first[item] for item in rows.values()], list(rows)], "weight"
        )
    return pairing.weights(parts[:1], [[first[item] for item in items]])


def _told(series: Sequence[Series], reading: Reading, scores: dict[str, list[list[str]]]) -> str:
    """Return how the runs were found, and how many each item has of each system."""
    systems: dict[str, list[str]] = {}
    for one in series:
        systems.setdefault(one.system, []).append(one.run)
    numbers = []
    for name, items in scores.items():
        least, most = min(map(len, items)), max(map(len, items))
        numbers.append(f"{least if least == most else f'{least} to {most}'} of {name}")
    by = runs_text(systems) if series[0].run else f"rows of each {reading.id}"
    by += f", by {reading.run}" if reading.run and not series[0].run else ""
    return f"{', '.join(numbers)} on each item: {by}"


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
