r"""Turn files into a question: the two lists that a statistic compares, where they come from, and what was read.

>>> asked = question([("f.csv", b"item,old,new\nq1,0.5,0.7\nq2,0.6,0.65\n")], "difference", Reading())
>>> asked.u, asked.source.ends[0].id, asked.ahead
(['0.5', '0.6'], 'q1', ('new', 'old', Fraction(1, 8)))
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from math import lcm
from operator import mul

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact, ratio
from ..arithmetic.reading import exact, exact_column
from ..arithmetic.writing import number_text
from ..errors import Cure
from ..record import Record, replaced
from ..swaps.statistic import Statistic, difference
from .choice import Series, choose
from .join import Items, items_of
from .reading import FORMS, MEANS, SYSTEMS, Form, Reading, split_words
from .sources import Contents, Source, tables_of
from .table import Ask, File, Table, scaled

if TYPE_CHECKING:
    from ..swaps.weights import ItemWeights

Levels = tuple[tuple[str, Exact], ...]


class Question(Record):
    """Data of one test: ``statistic``, entries ``u`` and ``v``, ``source``; ``groups``, ``weights``, ``tasks`` or None.

    With a ``design`` the entries are lists, the runs of each item; of the design "samples" they are two samples of
    different items, with the ``strata`` of their values or None. ``counts`` are those of McNemar's test, b and c, in
    place of items. ``words`` say for people what is compared, ``noun`` what a single value is; ``levels`` are the name
    of each system and what it reaches: its mean or, as ``level`` says, its accuracy, F1 or other ratio. ``columns`` are
    those of the files, ``ids`` of the items, None without any.
    """

    u: list[Any]
    v: list[Any]
    words: str
    source: Source
    statistic: Statistic = difference
    groups: list[str] | None = None
    noun: str = "a difference"
    level: str = ""
    levels: Levels = ()
    weights: list[str] | None = None
    tasks: list[str] | None = None
    design: str = ""
    strata: tuple[Any, Any] | None = None
    counts: tuple[int, int] | None = None
    columns: Sequence[Any] = ()
    names: tuple[str, ...] = ()
    ids: list[str] | None = None

    @property
    def about(self) -> dict[str, Any]:
        """What is compared and how items are swapped and weighed, as arguments of a test."""
        if self.design == "samples":
            return {"strata": self.strata}
        if self.design:
            return {"design": self.design, "weights": self.weights}
        units = {"groups": self.groups, "weights": self.weights, "tasks": self.tasks}
        return {"statistic": self.statistic, **units}

    @property
    def ahead(self) -> tuple[str, str, Exact] | None:
        """The system of the higher level, the other, and by how much; None where they are equal or one."""
        if len(self.levels) != 2 or self.levels[0][1] == self.levels[1][1]:
            return None
        (low, least), (high, most) = sorted(self.levels, key=lambda level: level[1])
        return high, low, exact(Fraction(most) - least)


def found(contents: Contents, reading: Reading, form: Form) -> Question:
    """Return what files hold for a form; ``Ask`` for files that have no single reading."""
    tables = tables_of(contents, reading, labels=form.kind == "labels")
    items = items_of(choose(tables, reading, form), reading, form.kind)
    if form.kind == "labels":
        items = _with_one_gold(items)
    return _asked(tables, items, reading, form)


def _asked(tables: Sequence[Table], items: Items, reading: Reading, form: Form) -> Question:
    """Return the question that items ask, with the levels of their systems, and what was read."""
    rule, u, v = form.entries(items.columns)
    systems = {"scores": items.names, "labels": items.names[-2:], "counts": ("A", "B")}[form.kind]
    given = _given_names(reading, systems if len(items.columns) > 1 else ())
    names, weights = given or systems, None
    words, noun = form.words, form.noun
    if reading.runs is not None:
        rule, noun = difference, FORMS["mean"].noun
        words = "mean over items of the difference of means of runs,"
    elif items.weights is not None or items.tasks is not None:
        from ..swaps.weights import check_mean, item_weights

        check_mean(rule, items.weights, items.tasks)
        weights = item_weights(items.weights, items.tasks, len(u))
        words = SYSTEMS.words if form.kind == "scores" else words
        noun = f"a {words}"
    scores = items.columns
    if form.kind == "labels":
        scores = [["01"[a == b] for a, b in zip(scores[0], x)] for x in scores[1:]]
    stats = [_stats(column, reading, weights) for column in scores]
    means = [mean for mean, _least, _most in stats]
    shown = names if form.kind == "scores" else items.names
    ranges = tuple([(name, least, most) for name, (_mean, least, most) in zip(shown, stats)])
    ranges = () if form.kind == "labels" else ranges
    if form.kind == "counts":
        means = _ratios(rule, u, v)
    words += f" {' - '.join(names)}" if len(items.columns) > 1 else ""
    return Question(
        statistic=rule,
        u=u,
        v=v,
        groups=items.groups,
        weights=items.weights,
        tasks=items.tasks,
        columns=items.columns,
        names=names,
        ids=items.ids,
        words=words if weights is None else f"{words}, {weights.words}",
        noun=noun,
        level=form.level,
        levels=tuple(zip(names if len(scores) > 1 else ("mean difference",), means)),
        design=reading.runs or "",
        source=replaced(_source(tables, items, reading, given), ranges=ranges),
    )


def question(
    contents: Contents, statistic: str, reading: Reading, *, swapped: bool = False, mu: Exact = 0
) -> Question:
    """Return what the test of a statistic compares in files, as ``read_files`` returns them.

    Where the order is ``swapped``, v is compared with u in place of u with v; ``mu`` is added to the scores of the
    second. Raises ``Ask`` for files that have no single reading, and for settings that a statistic does not take.
    """
    if reading.runs is not None and (statistic not in MEANS or mu):
        what = "by means of scores" if not mu else "without another difference than 0"
        raise Ask(f"runs are compared {what}", "runs")
    asked = found(contents, reading, FORMS[statistic])
    u, v, words, levels = asked.u, asked.v, asked.words, asked.levels
    if statistic == "mcnemar":
        values = {*exact_column(u, "u"), *exact_column(v, "v")}
        if len(asked.columns) < 2 or not values <= {0, 1}:
            text = "McNemar's test needs two columns of 0 and 1, 1 where a system is right"
            cure = Cure(
                words="of a 2 x 2 table, give the two counts where one system alone is right"
            )
            raise Ask(f"{asked.source.name}: {text}", "mcnemar", answers=(cure,))
    if swapped:
        u, v, words, levels = v, u, f"{words}, second - first", levels[::-1]
    if mu:
        v = [score + mu for score in exact_column(v, "v")]
        words = f"{words}, less {number_text(mu)} each"
    return replaced(asked, u=u, v=v, words=words, levels=levels)


def two_samples(
    contents: Contents,
    statistic: str,
    reading: Reading,
    *,
    strata: str | None = None,
    swapped: bool = False,
) -> Question:
    """Return the question of two unpaired samples: two columns, two files, or two systems of a long table.

    Empty cells at the end of a column are no values. ``statistic`` is "difference", "mean", or "wilcoxon" for ranks;
    ``strata`` names the column of the strata of the values. Raises ``Ask`` as :func:`question`.
    """
    form, tables = FORMS["mean"], tables_of(contents, reading)
    by = "row" if len(tables) > 1 else None  # no ids are needed
    said = replaced(reading, groups=strata, id=reading.id or reading.system, by=by)
    first, second = [_sample(one, said) for one in choose(tables, said, form)]
    items = replaced(
        first,
        names=first.names + second.names,
        columns=first.columns + second.columns,
        ends=(first.ends[0], second.ends[-1]),
        pairs=first.pairs + second.pairs,
        dropped=first.dropped + second.dropped,
    )
    asked = _asked(tables, items, reading, form)
    sizes = [f"{len(column)} of {name}" for name, column in zip(asked.names, items.columns)]
    within = "" if strata is None else f", values of one stratum of {strata} are exchanged"
    ranks, order = statistic == "wilcoxon", slice(None, None, -1 if swapped else 1)
    labels: object = (first.groups, second.groups)[order]
    u, v = items.columns[order]
    what = "Mann-Whitney U of" if ranks else SYSTEMS.words
    return replaced(
        asked,
        u=[*u],
        v=[*v],
        statistic=difference,
        groups=None,
        strata=None if strata is None else labels,
        words=f"{what} {' - '.join(asked.names[order])}",
        source=replaced(asked.source, samples=f"{', '.join(sizes)}, unpaired{within}"),
        noun="a number of pairs won" if ranks else form.noun,
        design="samples",
    )


def _sample(one: Series, reading: Reading) -> Items:
    """Return the values of one sample, up to the last that is not empty, as items."""
    rows, cells = [*one.rows[0]], one.table.columns[one.columns[0]]
    while rows and not cells[rows[-1]]:
        rows.pop()
    if not rows:
        raise Ask(f"{one.name} has no values", "empty")
    return items_of(
        [replaced(one, table=replaced(one.table, id=-1), rows=(rows,))], reading, "scores"
    )


def from_counts(b: int, c: int, *, swapped: bool = False) -> Question:
    """Return the question of McNemar's two counts."""
    words, pair = ("c - b", (c, b)) if swapped else ("b - c", (b, c))
    return Question(
        u=[pair[0]],
        v=[pair[1]],
        words=words,
        source=Source(files=(), names=(f"b = {b}", f"c = {c}"), pairs=b + c),
        counts=(b, c),
    )


def _with_one_gold(items: Items) -> Items:
    """Return items with the right labels once, where both files have them beside those of a system."""
    if len(items.columns) < 4:
        return items
    gold, first, again, second = items.columns
    wrong = next((i for i, (a, b) in enumerate(zip(gold, again)) if a != b), None)
    if wrong is not None:
        text = f"item {wrong + 1} has the right label {short_text(gold[wrong])} in one file, "
        raise Ask(f"{text}{short_text(again[wrong])} in the other", "other-ids")
    names = items.names[0], items.names[1], items.names[3]
    return replaced(items, columns=[gold, first, second], names=names)


def _stats(
    column: Sequence[Any], reading: Reading, weights: ItemWeights | None
) -> tuple[Exact, Exact, Exact]:
    """Return the mean, the least and the greatest of a column of scores, or of the runs of each item."""
    sizes = [] if reading.runs is None else [*map(len, column)]
    flat = [text for runs in column for text in runs] if sizes else column
    values, scale = scaled(flat, reading.decimals)
    ends = ratio(min(values), scale), ratio(max(values), scale)
    if sizes:
        each, common = iter(values), lcm(*{*sizes})
        values = [sum(islice(each, size)) * (common // size) for size in sizes]
        scale *= common
    factors = [1] * len(values) if weights is None else weights.factors
    return ratio(sum(map(mul, factors, values)), scale * sum(factors)), *ends


def _ratios(rule: Any, u: Sequence[object], v: Sequence[object]) -> list[Exact]:
    """Return what two systems reach by the sums of their counts."""
    a, b, c, d = [sum(exact_column(part, "counts")) for one in (u, v) for part in zip(*one)]
    return [exact(rule.combine(a, b, 0, 0)), exact(-rule.combine(0, 0, c, d))]


def _source(
    tables: Sequence[Table], items: Items, reading: Reading, given: tuple[str, ...]
) -> Source:
    """Return where items come from."""
    told = []
    for name, column in zip(items.names, items.columns if reading.runs is not None else ()):
        sizes = sorted({*map(len, column)})
        told.append(f"{' to '.join(map(str, {sizes[0]: 0, sizes[-1]: 0}))} of {name}")
    return Source(
        files=tuple(
            [File(**{name: getattr(table, name) for name in File._fields}) for table in tables]
        ),
        names=items.names,
        pairs=items.pairs,
        reading=reading,
        dropped=items.dropped,
        runs=f"{', '.join(told)} on each item" if told else "",
        joined=reading.id or ("id" if items.ids is not None else ""),
        systems=given,
        ends=items.ends,
    )


def _given_names(reading: Reading, systems: Sequence[str]) -> tuple[str, ...]:
    """Return the names that the reading gives the systems, in their order; none where it gives none."""
    if reading.names is None:
        return ()
    given = tuple(split_words(reading.names, "names"))
    if len(given) != len(systems) or len({*given}) < len(given):
        what = f"there are {len(systems)} systems, whose names differ"
        text = f"names is {short_text(reading.names)}, but {what}"
        raise Ask(text, "names", "names")
    return given
