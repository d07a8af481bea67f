"""Read the runs of two systems on the same items, and what may be exchanged under the null hypothesis.

The statistic is T = mean over the items of (mean of the first system's runs - mean of the
second's). Three designs say what is exchangeable: all runs of an item ("within"), the two blocks of
runs of an item ("items"), or whole runs over all items ("systems"). All three become one canonical
form: "items" are sign flips of the items' differences, "within" is a step for each item, and
    "systems" is the step of a single item, whose runs are the means over the items.

Source: spec/15-runs.md#own-designs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate, chain
from operator import mul

from .._types import Any, Literal, Union
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import (
    entries,
    exact,
    exact_column,
    is_missing,
    is_sequence,
    scaled_columns,
)
from ..budget import DEFAULTS, Budget
from ..errors import BudgetExceeded, ExactPermError, WrongType
from ..record import Record, replaced
from .canonical import Swaps
from .columns import check_alignment, check_same
from .draws import Item, canonical_items
from .effects import Flips
from .metrics import mean_difference
from .statistic import Subject
from .weights import item_weights

Design = Literal["within", "items", "systems"]
Exchanges = Union[Flips, Swaps]


DESIGNS = {
    "within": "all runs of an item are exchangeable: the same systems ran again; a claim about these items",
    "items": "the two blocks of runs of an item are exchangeable: a claim about further items like these",
    "systems": "whole runs over all items are exchangeable: systems were trained again; a claim about further runs",
}
"""What is exchangeable under the null hypothesis of each design, in a line each."""


class Exchange(Record):
    """What the null hypothesis of a design exchanges: ``swaps``, of ``n`` items, and what results say ``about`` it.

    The design of that is None where every item has one run of each system: that is the paired test,
    whatever the design.
    """

    swaps: Exchanges
    n: int
    about: Subject


def check_design(design: object, argument: str = "design") -> None:
    """Raise ``ExactPermError`` unless ``design`` is one of the three words; the message explains them.

    ``argument`` is its name in the message.

    >>> check_design("within")
    """
    if isinstance(design, str) and design in DESIGNS:
        return
    lines = "".join(f"\n  {name!r}: {words}" for name, words in DESIGNS.items())
    kind = ExactPermError if isinstance(design, str) or design is None else WrongType
    raise kind(
        f"{argument} is {short_text(design)}: it must say what is exchangeable (runs and items that are both random have "
        f"no exact permutation test).{lines}",
        code="design",
    )


def exchange(
    u: object,
    v: object,
    design: Design,
    *,
    weights: object = None,
    decimals: int | None = None,
    budget: Budget = DEFAULTS.budget,
    listed: bool = True,
) -> Exchange:
    """Return what a design exchanges of the runs of two systems: sign flips or steps.

    Runs and ``weights`` as for :func:`exactperm.permutation_test_runs`. Unless sums must be
    ``listed``, draws stand for runs with many of them. Raises ``ExactPermError`` and ``WrongType``
    with the place of what cannot be read, and ``BudgetExceeded``, before any work, where the runs
    of one item have too many sums. Cost: two microseconds for each item, one for each sum of every
    different item. Source: spec/15-runs.md#own-designs.

    >>> exchange([[1, 0]], [[0, 0]], "items")
    Exchange(swaps=Flips(column=[2], n=1, scale=4), n=1, about=Subject(name='difference of means', design='items'))
    """
    runs = read_runs(u, v, design, weights=weights, decimals=decimals)
    first, second, scale = runs.first, runs.second, runs.scale
    n = len(first)
    factors, whole, name = [1] * n, n, mean_difference.name
    if weights is not None:
        items = item_weights(runs.weights, None, n)
        factors, whole, name = items.factors, items.scale, f"{name}, {items.words}"
    if design == "systems":  # one item, whose runs are those of the systems over all items
        first, second = [[[sum(map(mul, factors, x)) for x in zip(*y)]] for y in (first, second)]
        factors = [1]
    shared = math.lcm(*{len(x) * len(y) for x, y in zip(first, second)})
    multiples = [
        factor * shared // (len(x) * len(y)) for x, y, factor in zip(first, second, factors)
    ]
    column = [
        multiple * (len(y) * sum(x) - len(x) * sum(y))
        for x, y, multiple in zip(first, second, multiples)
    ]
    scale *= whole * shared
    paired = design != "systems" and all(len(x) == len(y) == 1 for x, y in zip(first, second))
    about = Subject(name=name, design=None if paired else design)
    if paired or design == "items":
        return Exchange(swaps=Flips(column=column, n=n, scale=scale), n=n, about=about)

    sorted_runs: list[Item] = [
        (len(x), multiple, tuple(sorted(x + y))) for x, y, multiple in zip(first, second, multiples)
    ]

    def place(item: Item) -> str:
        if design == "systems":
            return "the systems, as means over items"
        return " and ".join([table.place(sorted_runs.index(item)) for table in runs.tables])

    swaps = canonical_items(Counter(sorted_runs), sum(column), scale, budget, place, listed=listed)
    return Exchange(swaps=swaps, n=n, about=about)


# ------------------------------------------------------------------------------------------ reading


class Runs(Record):
    """Runs of two systems on each item, integers in units of 1/``scale``, and ``weights`` of the items in their order.

    ``tables`` are the runs as they were given.
    """

    first: Sequence[list[int]]
    second: Sequence[list[int]]
    scale: int
    weights: object
    tables: tuple[_Table, _Table]


class _Table(Record):
    """Runs of one system: a row of scores for each item; ``items`` and ``runs`` have the ids where they are known.

    ``column`` has the scores of all rows where these are of an array, which is read in one piece.
    """

    name: str
    rows: list[Any]
    column: Any = None
    items: list[Any] | None = None
    runs: list[list[Any]] | None = None

    def place(self, item: int, run: int | None = None) -> str:
        """Return the name of an item, or of a run of it, in messages."""
        known = item if self.items is None else short_text(self.items[item])
        inner = run if self.runs is None or run is None else short_text(self.runs[item][run])
        return f"{self.name}[{known}]" + ("" if run is None else f"[{inner}]")


def read_runs(
    u: Any, v: Any, design: Design, *, weights: object = None, decimals: int | None = None
) -> Runs:
    """Return the runs of two systems on the same items in the same order; arguments and errors as for :func:`exchange`.

    >>> read_runs([[1, "0.5"]], [[0]], "within").first
    [[2, 1]]
    """
    check_design(design)
    check_alignment((u, v, weights), ("u", "v", "weights"))
    ids = None
    if isinstance(u, Mapping) != isinstance(v, Mapping):
        raise WrongType(
            "u and v must both be mappings {item: runs}, or both sequences with the runs of each item"
        )
    if isinstance(u, Mapping):
        check_same(u, v, ("u", "v"), "the item ", ": its runs are of one system only")
        ids = list(u)
        _check_ids(ids, "u", "item")
        u, v = [u[item] for item in ids], [v[item] for item in ids]
    if isinstance(weights, Mapping):
        if ids is None:
            raise WrongType(
                "weights is a mapping {item: weight}: the runs of u and v must be mappings {item: runs}, too"
            )
        check_same(ids, weights, ("u", "weights"), "the item ")
        weights = [weights[item] for item in ids]
    tables = _table(u, "u", ids), _table(v, "v", ids)
    _check_items(*tables)
    if design == "systems":
        tables = _whole(tables[0]), _whole(tables[1])
    (first, second), scale = _scores(tables, decimals)
    return Runs(first=first, second=second, scale=scale, weights=weights, tables=tables)


def _table(runs: Any, name: str, ids: list[Any] | None) -> _Table:
    """Return the runs of one system from a sequence of sequences or mappings, or from an array or a table of two dimensions."""
    if hasattr(runs, "columns") and hasattr(runs, "to_numpy"):
        runs = runs.to_numpy()
    if not is_sequence(runs):
        raise WrongType(f"{name} is {short_text(runs)}: it must have the runs of each item")
    square = getattr(runs, "ndim", 1) == 2
    if square and hasattr(runs, "reshape"):
        return _Table(name=name, rows=list(runs), column=runs.reshape(-1))
    rows = list(runs) if square else entries(runs, name, "item")
    table = _Table(name=name, rows=[], items=ids)
    for i, row in enumerate(rows):
        if type(row) is list or type(row) is tuple:
            table.rows.append(row)
        elif isinstance(row, Mapping):
            _check_ids(list(row), table.place(i), "run")
            table.rows.append(list(row.values()))
        elif is_sequence(row):
            table.rows.append(exact_column(row, table.place(i)))
        else:
            raise WrongType(
                f"{table.place(i)} is {short_text(row)}: it must have the runs of an item. One run each is "
                "permutation_test"
            )
    named = rows and all(isinstance(row, Mapping) for row in rows)
    return replaced(table, runs=list(map(list, rows))) if named else table


def _check_items(first: _Table, second: _Table) -> None:
    """Raise ``ExactPermError`` unless both systems have runs of the same items, at least one."""
    if len(first.rows) != len(second.rows):
        raise ExactPermError(
            f"u has {len(first.rows)} items and v has {len(second.rows)}: both need the runs of the same items"
        )
    if not first.rows:
        raise ExactPermError("u and v are empty: a test needs at least one item")
    for table in (first, second):
        sizes = list(map(len, table.rows))
        if 0 in sizes:
            place = table.place(sizes.index(0))
            raise ExactPermError(f"{place} is empty: the item has runs of one system only")


def _check_ids(ids: list[object], place: str, what: str) -> None:
    """Raise ``ExactPermError`` where an id is missing, or where two ids are written alike."""
    known: dict[str, object] = {}
    for one in ids:
        if is_missing(one):
            raise ExactPermError(f"{place} has the {what} {short_text(one)}: the id is missing")
        if known.setdefault(str(one), one) is not one:
            raise ExactPermError(
                f"{place} has the {what} {short_text(one)} twice, as {short_text(known[str(one)])} too"
            )


def _whole(table: _Table) -> _Table:
    """Return the runs in the same order on every item; ``ExactPermError`` where a run is missing on one of them."""
    why = "design='systems' exchanges whole runs, so each run must have every item"
    if table.runs is None:
        width = len(table.rows[0])
        for i, row in enumerate(table.rows):
            if len(row) != width:
                raise ExactPermError(
                    f"{table.place(i)} has {len(row)} runs and {table.place(0)} has {width}: {why}; give their ids, "
                    "{item: {run: score}}, or a matrix"
                )
        return table
    order = table.runs[0]
    rows = []
    for i, (ids, row) in enumerate(zip(table.runs, table.rows)):
        known = dict(zip(ids, row))
        check_same(order, known, (table.place(0), table.place(i)), "the run ", f": {why}")
        rows.append([known[run] for run in order])
    return replaced(table, rows=rows, runs=[order] * len(rows))


def _scores(
    tables: Sequence[_Table], decimals: int | None
) -> tuple[Sequence[list[list[int]]], int]:
    """Return (runs of the items of both systems as integers, scale), with the place of what is no score."""
    columns = [
        list(chain.from_iterable(table.rows)) if table.column is None else table.column
        for table in tables
    ]
    try:
        read, scale = scaled_columns(columns, ("u", "v"), decimals)
    except BudgetExceeded:
        raise
    except ExactPermError:
        for table in tables:
            for i, row in enumerate(table.rows):
                for j, score in enumerate(row):
                    exact(score, table.place(i, j))
        raise
    sizes = [list(map(len, table.rows)) for table in tables]
    return [
        [column[end - size : end] for end, size in zip(accumulate(widths), widths)]
        for column, widths in zip(read, sizes)
    ], scale
