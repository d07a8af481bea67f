"""Tell by names and cells that systems ran several times on each item, which needs a design to be said.

A design is what may be exchanged under the null hypothesis. :mod:`exactperm.files.runs` reads runs
under one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .._types import TYPE_CHECKING
from ..arithmetic.quoting import short_text
from ..errors import Cure, ExactPermError
from .cells import names_ids, names_runs, run_of

if TYPE_CHECKING:
    from .parts import View


CHOOSE = "choose what may be exchanged"
"""The cure where no design is said."""

_SHOWN_RUNS = 6
"""Most runs of a system that are listed."""

_FEWEST = 4
"""Least number of columns that are several runs of two systems."""


def refusal(what: str, settings: dict[str, str] | None = None) -> ExactPermError:
    """Return the error where several runs of an item are seen and nobody said what may be exchanged.

    Its cure guesses no design, which is a claim of the author; front ends list all, those of
    :data:`exactperm.swaps.runs.DESIGNS`.
    """
    text, cure = unstated(what, settings)
    return ExactPermError(text, code="runs", cure=cure)


def unstated(what: str, settings: dict[str, str] | None = None) -> tuple[str, Cure]:
    """Return the text and the cure of :func:`refusal`."""
    return f"{what}: several runs of each item need a design", Cure(
        settings, words=CHOOSE, choose="runs"
    )


def seen(view: View) -> Iterator[tuple[str, Cure]]:
    """Yield where rows or columns are several runs of each item, by their names, and no design is said."""
    if view.reading.runs is not None or view.kind != "scores" or view.reading.groups is not None:
        return
    for part in view.parts:
        columns = part.rest if part.named else part.columns
        run = next((column for column in columns if names_runs(column.name)), None)
        if run is None:
            continue
        items = [
            c for c in columns if names_ids(c.name) and not names_runs(c.name) and repeats(c.cells)
        ]
        systems = [
            column.cells for column in columns if column.kind == "system" and column is not run
        ]
        if len(items) == 1 and len({*zip(items[0].cells, run.cells, *systems)}) == len(run.cells):
            rows, different = len(run.cells), len({*items[0].cells})
            yield unstated(
                f"{part.table.name} has {rows} rows of {different} items, by {short_text(run.name)}"
            )
    part = view.parts[0]
    names = [part.table.name for part in view.parts]
    files = by_files(names) if all(run_of(stem(name))[2] for name in names) else None
    if files is not None:
        yield unstated(f"files are runs by their names, {runs_text(files)}")
    if (
        len(view.parts) == 1
        and not part.named
        and sum(bool(run_of(c.name)[1]) for c in part.columns) >= _FEWEST
    ):
        found = by_names(
            [c.name for c in part.columns if c.kind == "score" and not names_ids(c.name)]
        )
        if found is not None:
            yield unstated(
                f"{part.table.name}: columns are runs by their names, {runs_text(found)}"
            )


def by_files(names: Sequence[str], *, few: bool = False) -> dict[str, list[str]] | None:
    """Return the runs of each system by the names of files, without folders and endings; else None.

    >>> by_files(["base-s1.csv", "base-s2.csv", "new-s1.csv", "new-s2.csv"])
    {'base': ['s1', 's2'], 'new': ['s1', 's2']}
    """
    return by_names(list(map(stem, names)), few=few)


def stem(name: str) -> str:
    """Return the name of a file without its folder and its ending."""
    last = re.split(r"[/\\]", name)[-1]
    return last.rpartition(".")[0] or last


def by_names(names: Sequence[str], *, few: bool = False) -> dict[str, list[str]] | None:
    """Return the runs of each system by the names of columns that differ in the number of a run only, else None.

    All names have the number of a run, all systems several runs, or with ``few`` one of them at
    least. A word says that numbers are those of runs; numbers alone do where two systems have the
    same, each one more than the one before, but not those of versions (3, 4).

    >>> by_names(["base_s1", "base_s2", "new_s1", "new_s2"])
    {'base': ['s1', 's2'], 'new': ['s1', 's2']}
    >>> by_names(["base1", "base2", "new1", "new2"]), by_names(["gpt3", "gpt4", "large"])
    ({'base': ['1', '2'], 'new': ['1', '2']}, None)
    >>> by_names(["base_s1", "new_s1", "new_s2"]), by_names(["base_s1", "new_s1", "new_s2"], few=True)
    (None, {'base': ['s1'], 'new': ['s1', 's2']})
    """
    found: dict[str, list[str]] = {}
    sure = True
    for name in names:
        stem, run, told = run_of(name)
        if not stem or not run:
            return None
        found.setdefault(stem, []).append(run)
        sure = sure and told
    numbers = [len(runs) for runs in found.values()]
    unique = all(len({*runs}) == len(runs) for runs in found.values())
    several = len(found) > 1 and unique and (max if few else min)(numbers) > 1
    alike = (
        len(found) == 2
        and len({frozenset(runs) for runs in found.values()}) == 1
        and _counted(next(iter(found.values())))
    )
    return found if several and (sure or alike) else None


def _counted(runs: Sequence[str]) -> bool:
    """Whether numbers count runs from 0 or 1 on, or are seeds of two digits or more."""
    numbers = sorted(int("".join(filter(str.isdecimal, run))) for run in runs)
    return (numbers[0] < 2 or numbers[0] > 9) and numbers == list(
        range(numbers[0], numbers[0] + len(numbers))
    )


def runs_text(systems: dict[str, list[str]]) -> str:
    """Write the runs of each system.

    >>> runs_text({"base": ["s1", "s2"]})
    'base (s1, s2)'
    """
    shown = []
    for name, runs in systems.items():
        more = f", ... {len(runs)} in all" if len(runs) > _SHOWN_RUNS else ""
        shown.append(f"{name} ({', '.join(runs[:_SHOWN_RUNS])}{more})")
    return ", ".join(shown)


def repeats(cells: Sequence[str]) -> bool:
    """Whether some cell occurs twice, but not one alone everywhere."""
    return 1 < len({*cells}) < len(cells)
