"""Two samples of different items: two columns, two files, or a long table without ids."""

from __future__ import annotations

from collections.abc import Sequence

from ..arithmetic.quoting import printable
from ..arithmetic.rational import Exact
from ..record import Record
from ..swaps.statistic import difference
from . import join
from .choice import ALL, Part, check_twice, columns_of_numbers, part_of, place_of
from .listing import Ask, Table, quoted, which
from .question import (
    File,
    Form,
    Question,
    ReadBack,
    ReadItem,
    Source,
    altered,
    names_of,
    stats_of,
    turned,
)
from .reading import Reading

_STATISTICS = ("difference", "mean", "wilcoxon")
"""Statistics that two samples have: of sums, of means, of ranks."""


class OneSample(Record):
    """The values of one system: the cells of column ``i`` in these rows of a part's table."""

    name: str
    part: Part
    i: int
    rows: Sequence[int]


def two_samples(
    tables: Sequence[Table], form: Form, reading: Reading, *, swapped: bool = False, mu: Exact = 0
) -> Question:
    """Return the question of two samples; ``Ask`` where their columns are not named, as for items.

    Empty cells at the end of a column are no values where the samples differ in size.
    """
    if form.name not in _STATISTICS:
        text = f"two samples of different items have no {form.words}"
        raise Ask(text, code="settings", argument="unpaired")
    check_twice(tables)
    samples = _samples(tables, reading)
    read = [join.column_of(one.part.table, one.i, one.rows, reading, "scores") for one in samples]
    kept = [
        join.without_missing([(one.part, one.i, one.rows)], [column], reading)
        for one, column in zip(samples, read)
    ]
    u, v = [list(columns[0]) for columns, _places in kept]
    rows = [[one.rows[i] for i in places] for one, (_columns, places) in zip(samples, kept)]
    strata = None
    if reading.strata is not None:
        found = [join.beside([one.part], [some], "strata") for one, some in zip(samples, rows)]
        strata = found[0] or [], found[1] or []
    names = names_of(reading, [one.name for one in samples]) or tuple(one.name for one in samples)
    stats = [stats_of(column, reading.decimals) for column in (u, v)]
    first, second = samples
    rounded = (
        0
        if reading.decimals is None
        else altered(u, reading.decimals) + altered(v, reading.decimals)
    )
    asked = Question(
        statistic=difference,
        u=u,
        v=v,
        paired=False,
        strata=strata,
        words=f"{form.words.replace('sum of the differences', 'difference of means')} {' - '.join(names)}",
        source=Source(
            files=tuple(map(File.of, tables)),
            names=tuple(one.name for one in samples),
            pairs=sum(len(one.rows) for one in samples),
            reading=reading,
            dropped=sum(len(one.rows) for one in samples) - len(u) - len(v),
            rounded=rounded,
            systems=names if reading.names is not None else (),
        ),
        noun="a difference of means",
        levels=tuple((name, mean) for name, (mean, _least, _most) in zip(names, stats)),
        back=ReadBack(
            first=_item(first, rows[0][0]),
            last=_item(second, rows[1][-1]),
            ranges=tuple((name, least, most) for name, (_mean, least, most) in zip(names, stats)),
        ),
    )
    return turned(asked, mu, swapped=swapped)


def _item(sample: OneSample, row: int) -> ReadItem:
    name = join.item_name(sample.part, row)
    return ReadItem(id=name, cells=((sample.name, sample.part.table.columns[sample.i][row]),))


def _samples(tables: Sequence[Table], reading: Reading) -> list[OneSample]:
    """Return both samples."""
    first = tables[0]
    if reading.system is not None or reading.score is not None:
        return _of_long(first, reading)
    words = reading.words if reading.words != (ALL,) else ()
    if len(tables) > 2:
        raise Ask(f"{len(tables)} files: two samples are compared", code="systems")
    if len(tables) == 2:
        words = words if len(words) == 2 else words * 2
        if len(words) not in (0, 2) or (not words and any(table.width > 1 for table in tables)):
            raise which(first, "columns", "which is compared?", "columns", reading.decimal)
        places = (
            [place_of(t, word, "columns") for t, word in zip(tables, words)] if words else [0, 0]
        )
        parts = [part_of(table, (i,), reading) for table, i in zip(tables, places)]
        return [
            OneSample(name=part.table.name, part=part, i=i, rows=range(part.table.rows))
            for part, i in zip(parts, places)
        ]
    chosen = [place_of(first, word, "columns") for word in words]
    if not words:
        found, pure = columns_of_numbers(first, reading)
        chosen = [*found] if pure else []
    if len(chosen) != 2:
        raise which(first, "columns", "which are compared?", "columns", reading.decimal)
    part = part_of(first, chosen, reading)
    return [
        OneSample(name=first.title(i), part=part, i=i, rows=range(_length(first.columns[i])))
        for i in chosen
    ]


def _length(cells: Sequence[str]) -> int:
    """Return the number of cells up to the last that is not empty."""
    number = len(cells)
    while number and not cells[number - 1]:
        number -= 1
    return number


def _of_long(table: Table, reading: Reading) -> list[OneSample]:
    """Return the samples of two systems of a long table."""
    lost = next((role for role in ("system", "score") if getattr(reading, role) is None), None)
    if lost is not None:
        what = "systems" if lost == "system" else "scores"
        raise which(
            table, "long", f"which has the {what} of the long table?", lost, reading.decimal
        )
    score = place_of(table, reading.score or "", "score")
    cells = table.columns[place_of(table, reading.system or "", "system")]
    there = list(dict.fromkeys(cells))
    names = list(reading.words) or there
    if len(names) != 2 or not {*names} <= {*there}:
        text = f"{printable(table.name)} has {len(there)} systems, {quoted(there)}; which two are compared?"
        raise Ask(text, code="systems", argument="columns")
    part = part_of(table, (score,), reading)
    if "" in names:
        raise Ask(
            "the system is missing", code="systems", place=table.place(cells.index(""), score)
        )
    rows = {name: [row for row, cell in enumerate(cells) if cell == name] for name in names}
    return [OneSample(name=name, part=part, i=score, rows=rows[name]) for name in names]
