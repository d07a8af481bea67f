"""Take the systems of files: all for a leaderboard, or two that ran several times on each item."""

from __future__ import annotations

from collections.abc import Sequence

from .._types import Any
from ..arithmetic.rational import Exact
from ..errors import Cure, ExactPermError
from ..swaps.statistic import difference
from . import checks, runs
from .checks import Asked
from .columns import File, Question, Source, altered, mean
from .reading import DEFAULT, Reading
from .report import MEAN
from .runs import Runs
from .selection import select
from .tables import Table

MEANS = ("difference", "mean_difference")
"""Statistics that runs have: the difference of the means over items of the means of runs."""


def question_of_runs(
    tables: Sequence[Table],
    statistic: str,
    reading: Reading,
    short: str,
    *,
    swapped: bool = False,
    mu: Exact = 0,
) -> Question:
    """Return what is compared of two systems that ran several times on each item.

    ``short`` is the short name of the statistic, "" for a classical test, which has none.
    """
    if statistic not in MEANS:
        words = "write the mean of its runs as the score of an item, a column for each system"
        if short:
            words = "write a row for each run, with the counts of both systems, and choose the items as groups"
        raise ExactPermError(
            f"runs are compared by means of scores, not by the statistic {short or statistic}",
            code="runs-statistic",
            cure=Cure(words=words),
        )
    if mu:
        raise ExactPermError(
            "mu and runs exclude each other: subtract it from the scores in the file",
            code="runs-options",
        )
    found = runs.chosen(tables, reading, most=2)
    source, levels = source_of_runs(found)
    systems = zip([name for name, _level in levels], found.scores.values())
    (first, u), (second, v) = reversed([*systems]) if swapped else systems
    return Question(
        statistic=difference,
        u=u,
        v=v,
        groups=None,
        words=f"mean over items of the difference of means of runs, {first} - {second}",
        source=source,
        noun=MEAN,
        levels=levels,
        weights=found.weights,
        design=reading.runs or "",
    )


def source_of_runs(found: Runs) -> tuple[Source, tuple[tuple[str, Exact], ...]]:
    """Return where runs come from, and what each system reaches."""
    reading = found.reading
    about = reading.decimals, found.weights
    levels = tuple((name, runs.mean(items, *about)) for name, items in found.scores.items())
    columns = [[text for item in items for text in item] for items in found.scores.values()]
    notes = checks.run(Asked(kind="scores", names=found.names, columns=columns, levels=levels))
    source = Source(
        files=tuple(map(File.of, found.parts)),
        names=found.names,
        pairs=found.items,
        id=reading.id,
        missing=reading.missing,
        dropped=found.dropped,
        weights=reading.weights,
        decimals=reading.decimals,
        rounded=0 if reading.decimals is None else altered(columns, reading.decimals),
        warnings=(*found.notes, *notes),
        runs=found.told,
        spans=found.spans,
    )
    source = source.with_names(reading, found.names)
    if source.systems:
        levels = tuple(zip(source.systems, [level for _name, level in levels]))
    return source, levels


def scores_of(
    tables: Sequence[Table], reading: Reading = DEFAULT, *, most: int | None = None
) -> tuple[dict[str, list[Any]], dict[str, Any], Source]:
    """Return the scores of each system by its name, the groups, weights and tasks, and where the data come from.

    Where the reading says what is exchanged, the scores of a system are lists, the runs of each
    item.

    Raises ``ExactPermError`` for fewer than two systems, for more than ``most``, and for two of the
    same name.
    """
    if reading.runs is not None:
        found = runs.chosen(tables, reading, most=most)
        source = source_of_runs(found)[0]
        runs_of = dict(zip(source.systems or found.names, found.scores.values()))
        return dict(runs_of), {"design": reading.runs, "weights": found.weights}, source
    most = max(2, sum(table.width for table in tables)) if most is None else most
    chosen = select(tables, range(2, most + 1), "one per system", reading)
    levels = tuple(zip(chosen.names, map(mean, chosen.columns)))
    notes = checks.run(
        Asked(kind="scores", names=chosen.names, columns=chosen.columns, levels=levels)
    )
    source = Source.of(chosen, reading, more=notes).with_names(reading, chosen.names)
    scores = dict(zip(source.systems or chosen.names, chosen.columns))
    if len(scores) < len(chosen.names):
        raise ExactPermError(
            f"{source.name}: two columns have the same name: {', '.join(chosen.names)}",
            code="names",
        )
    return (
        scores,
        {"groups": chosen.labels, "weights": chosen.weights, "tasks": chosen.tasks},
        source,
    )


def means(
    scores: dict[str, list[Any]], units: dict[str, Any], decimals: int | None
) -> dict[str, Exact]:
    """Return the means of systems over their items, which may have weights, tasks, or several runs."""
    from ..swaps.weights import item_weights

    if "design" in units:
        return {
            name: runs.mean(items, decimals, units["weights"]) for name, items in scores.items()
        }
    number = len(next(iter(scores.values())))
    items = item_weights(units["weights"], units["tasks"], number)
    if items is not None:
        return {name: items.mean(column, difference, decimals) for name, column in scores.items()}
    return {name: mean(column, name, decimals) for name, column in scores.items()}
