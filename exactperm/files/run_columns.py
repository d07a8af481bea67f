"""The checks of runs: columns and files that are no runs of a system, and rows that differ in more than their run.

A mean of the runs beside them, a file with another metric, or rows of two metrics would be
exchanged as one run more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import short_text
from ..errors import Cure, ExactPermError
from ..record import Record, replaced
from . import derived
from .cells import run_of
from .parts import Part
from .repeats import by_names

if TYPE_CHECKING:
    from .tables import Table


_FEWEST = 3
"""Least number of columns of a system, or of items with several rows, that are looked at; few agree
by chance."""


class Series(Record):
    """Runs of one ``system``: the cells of column ``place`` of a part in these ``rows``.

    ``run`` is the id of the run where the column is one, "" where each row is one.
    """

    system: str
    part: int
    place: int
    rows: tuple[int, ...]
    run: str = ""


def check_columns(parts: Sequence[Part], series: Sequence[Series]) -> None:
    """Raise ``ExactPermError`` where a column of a system is no run.

    That is one whose name has no number of a run where two others have one, or the mean or the sum
    of others.
    """
    blocks: dict[tuple[str, int], list[int]] = {}
    for one in series:
        blocks.setdefault((one.system, one.part), []).append(one.place)
    wrong: dict[tuple[int, int], str] = {}
    for (_system, number), places in blocks.items():
        if len(places) >= _FEWEST:
            runs = [place for place in places if run_of(parts[number].table.heading(place))[1]]
            odd = [place for place in places if place not in runs and len(runs) > 1]
            wrong.update(((number, place), "no run by its name") for place in odd)
            computed = derived.computed(replaced(parts[number], chosen=tuple(places)))
            wrong.update(((number, place), f"{how} in every row") for place, how in computed)
    for (number, place), what in wrong.items():
        table = parts[number].table
        text = f"{table.name}: among the runs of a system, the column {short_text(table.title(place))} is {what}"
        others = [
            one.place for one in series if one.part == number and (number, one.place) not in wrong
        ]
        cure = Cure(words="choose the columns of the runs alone")
        if len(parts) > 1 or by_names([table.heading(one) for one in others], few=True) is not None:
            cure = Cure({"columns": _listed(table, others)})
        raise ExactPermError(text, code="no-run", cure=cure)


def check_names(table: Table, places: Sequence[int]) -> None:
    """Raise ``ExactPermError`` where some columns are runs of several systems by their names, and others are none."""
    runs = [place for place in places if run_of(table.heading(place))[1]]
    odd = next((place for place in places if place not in runs), None)
    if odd is not None and by_names([table.heading(place) for place in runs], few=True) is not None:
        text = f"{table.name}: beside runs of systems, the column {short_text(table.title(odd))} is no run by its name"
        raise ExactPermError(text, code="no-run", cure=Cure({"columns": _listed(table, runs)}))


def _listed(table: Table, places: Sequence[int]) -> str:
    """Return columns as a setting lists them."""
    from .suggestions import quoted

    return ",".join(quoted(table.word(place)) for place in places)


def check_files(parts: Sequence[Part], series: Sequence[Series]) -> None:
    """Raise ``ExactPermError`` where the files of a system, one for each run, hold columns of different names."""
    known: dict[str, tuple[str, str]] = {}
    for one in series:
        table = parts[one.part].table
        name = run_of(table.heading(one.place))[0].casefold()
        first, where = known.setdefault(
            one.system, (name, f"{short_text(table.title(one.place))} in {table.name}")
        )
        if name != first:
            raise ExactPermError(
                f"{table.name}: the scores are in the column {short_text(table.title(one.place))}, those of another "
                f"run of {one.system} are {where}",
                code="no-run",
                cure=Cure(words="choose one column by its name, which every file must have"),
            )


def check_rows(parts: Sequence[Part], keys: Sequence[Mapping[int, object]]) -> None:
    """Raise ``ExactPermError`` where rows of one item have a column of their own that may be no run.

    ``keys`` has the system and the item of each row of each part. A column with as many values as
    an item has rows at most, each on one row of an item only, numbers the runs, or tells metrics or
    tasks apart, whose rows are no runs.
    """
    for part, rows in zip(parts, keys):
        times = Counter(rows.values()).values()
        most = max(times, default=1)
        for column in part.rest if sum(number > 1 for number in times) >= _FEWEST else ():
            cells = column.cells
            if len({*cells}) == most and len(
                {(key, cells[row]) for row, key in rows.items()}
            ) == len(rows):
                shown = ", ".join(map(short_text, list(dict.fromkeys(cells))[:_FEWEST]))
                name = short_text(column.name or column.word)
                raise ExactPermError(
                    f"{part.table.name}: rows of one item differ in the column {name} ({shown}): it may name runs, or "
                    "metrics or tasks, whose rows are no runs",
                    code="runs-columns",
                    cure=Cure(
                        words="choose it as the column of the runs, or write a file for each of its values"
                    ),
                )
