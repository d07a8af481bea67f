r"""Turn files into a question: the two lists that a statistic compares, where they come from, and what was read.

>>> asked = question([("f.csv", b"item,old,new\nq1,0.5,0.7\nq2,0.6,0.65\n")], "difference", Reading())
>>> asked.u, asked.back.first.id, asked.ahead
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
from .forms import FORMS, MEANS, SYSTEMS, Form
from .join import Items, items_of
from .listing import Ask, Table
from .numbers import scaled
from .reading import Reading, split_words
from .source import ReadBack, Source, files_of
from .sources import Contents, tables_of

if TYPE_CHECKING:
    from ..swaps.weights import ItemWeights

Levels = tuple[tuple[str, Exact], ...]


class Question(Record):
    """Data of one test: ``statistic``, entries ``u`` and ``v``, ``source``; ``groups``, ``weights``, ``tasks`` or None.

    With a ``design`` the entries are lists, the runs of each item; of the design "samples" they are two samples of
    different items, with the ``strata`` of their values or None. ``counts`` are those of McNemar's test, b and c, in
    place of items. ``words`` say for people what is compared, ``noun`` what a single value is; ``levels`` are the name
    of each system and what it reaches: its mean or, as ``level`` says, its accuracy, F1 or other ratio. ``columns`` are
    those of the files, ``back`` is what was read, None of counts.
    """

    statistic: Statistic
    u: list[Any]
    v: list[Any]
    words: str
    source: Source
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
    back: ReadBack | None = None

    @property
    def about(self) -> dict[str, Any]:
        """What is compared and how items are swapped and weighed, as arguments of a test."""
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


class Compared(Record):
    """What files compare by a form: the ``items``, the names and ``levels`` of systems, ``source`` and ``back``."""

    items: Items
    names: tuple[str, ...]
    levels: Levels
    weights: ItemWeights | None
    source: Source
    back: ReadBack


def found(contents: Contents, reading: Reading, form: Form) -> Compared:
    """Return what files hold for a form; ``Ask`` for files that have no single reading."""
    tables = tables_of(contents, reading, labels=form.kind == "labels")
    items = items_of(choose(tables, reading, form), reading, form.kind)
    if form.kind == "labels":
        items = _with_one_gold(items)
    return _compared(tables, items, reading, form)


def _compared(tables: Sequence[Table], items: Items, reading: Reading, form: Form) -> Compared:
    """Return what items compare: their systems, the levels of these, and what was read."""
    systems = {"scores": items.names, "labels": items.names[-2:], "counts": ("A", "B")}[form.kind]
    given = _given_names(reading, systems if len(items.columns) > 1 else ())
    names = given or systems
    weights = _weights(items, form)
    scores = items.columns
    if form.kind == "labels":
        scores = [["01"[a == b] for a, b in zip(items.columns[0], x)] for x in items.columns[1:]]
    stats = [_stats(column, reading, weights) for column in scores]
    means = [mean for mean, _least, _most in stats]
    if form.kind == "counts":
        means = _ratios(form, items.columns)
    shown = names if form.kind == "scores" else items.names
    ranges = tuple([(name, least, most) for name, (_mean, least, most) in zip(shown, stats)])
    return Compared(
        items=items,
        names=names,
        levels=tuple(zip(names if len(scores) > 1 else ("mean difference",), means)),
        weights=weights,
        source=_source(tables, items, reading, given),
        back=ReadBack(
            first=items.first, last=items.last, ranges=() if form.kind == "labels" else ranges
        ),
    )


def question(
    contents: Contents, statistic: str, reading: Reading, *, swapped: bool = False, mu: Exact = 0
) -> Question:
    """Return what the test of a statistic compares in files, as ``read_files`` returns them.

    Where the order is ``swapped``, v is compared with u in place of u with v; ``mu`` is added to the scores of the
    second. Raises ``Ask`` for files that have no single reading, and for settings that a statistic does not take.
    """
    form = FORMS[statistic]
    if reading.runs is not None and (form.name not in MEANS or mu):
        what = "by means of scores" if not mu else "without another difference than 0"
        raise Ask(f"runs are compared {what}", "runs")
    read = found(contents, reading, form)
    items = read.items
    rule, u, v = form.entries(items.columns)
    words, noun, suffix = form.words, form.noun, ""
    if reading.runs is not None:
        rule, noun = difference, FORMS["mean"].noun
        words = "mean over items of the difference of means of runs,"
    elif read.weights is not None:
        words = SYSTEMS.words if form.kind == "scores" else words
        noun, suffix = f"a {words}", f", {read.weights.words}"
    between = f" {' - '.join(read.names)}" if len(items.columns) > 1 else ""
    asked = Question(
        statistic=rule,
        u=u,
        v=v,
        groups=items.groups,
        weights=items.weights,
        tasks=items.tasks,
        columns=items.columns,
        words=f"{words}{between}{suffix}",
        source=read.source,
        noun=noun,
        level=form.level,
        levels=read.levels,
        design=reading.runs or "",
        back=read.back,
    )
    if statistic == "mcnemar":
        _check_binary(asked)
    return _turned(asked, mu, swapped=swapped)


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
    tables = tables_of(contents, reading)
    by = "row" if len(tables) > 1 else None  # no ids are needed
    said = replaced(reading, groups=strata, id=reading.id or reading.system, by=by)
    samples = [_sample(one, said) for one in choose(tables, said, FORMS["difference"])]
    first, second = samples
    items = replaced(
        first,
        names=(first.names[0], second.names[0]),
        columns=[first.columns[0], second.columns[0]],
        last=second.last,
        ids=None,
        pairs=first.pairs + second.pairs,
        dropped=first.dropped + second.dropped,
    )
    read = _compared(tables, items, reading, FORMS["difference"])
    sizes = [f"{len(column)} of {name}" for name, column in zip(read.names, items.columns)]
    within = "" if strata is None else f", values of one stratum of {strata} are exchanged"
    ranks = statistic == "wilcoxon"
    order = slice(None, None, -1 if swapped else 1)
    labels: Any = (first.groups, second.groups)[order]
    u, v = items.columns[order]
    what = "Mann-Whitney U of" if ranks else "difference of means"
    return Question(
        statistic=difference,
        u=list(u),
        v=list(v),
        strata=None if strata is None else labels,
        columns=items.columns,
        words=f"{what} {' - '.join(read.names[order])}",
        source=replaced(read.source, samples=f"{', '.join(sizes)}, unpaired{within}"),
        noun="a number of pairs won" if ranks else FORMS["mean"].noun,
        levels=read.levels,
        design="samples",
        back=read.back,
    )


def _sample(one: Series, reading: Reading) -> Items:
    """Return the values of one sample, up to the last that is not empty, as items."""
    rows, cells = list(one.rows), one.table.columns[one.columns[0]]
    while rows and not cells[rows[-1]]:
        rows.pop()
    if not rows:
        raise Ask(f"{one.name} has no values", code="empty")
    table = replaced(one.table, id=-1)
    return items_of([replaced(one, table=table, rows=rows)], reading, "scores")


def from_counts(b: int, c: int, *, swapped: bool = False) -> Question:
    """Return the question of McNemar's two counts."""
    words, pair = ("c - b", (c, b)) if swapped else ("b - c", (b, c))
    return Question(
        statistic=difference,
        u=[pair[0]],
        v=[pair[1]],
        words=words,
        source=Source(files=(), names=(f"b = {b}", f"c = {c}"), pairs=b + c),
        counts=(b, c),
    )


def _check_binary(asked: Question) -> None:
    """Raise ``Ask`` unless McNemar's test has two columns of 0 and 1."""
    values = {*exact_column(asked.u, "u"), *exact_column(asked.v, "v")}
    if len(asked.columns) < 2 or not values <= {0, 1}:
        text = "McNemar's test needs scores 0 and 1 in two columns, 1 where a system is right"
        words = "give the two counts of a table in place of its file"
        raise Ask(f"{asked.source.name}: {text}", "mcnemar", answers=(Cure(words=words),))


def _turned(asked: Question, mu: Exact, *, swapped: bool) -> Question:
    """Return a question with its systems in the other order where ``swapped``, and ``mu`` added to the second."""
    u, v, words, levels = asked.u, asked.v, asked.words, asked.levels
    if swapped:
        u, v, words, levels = v, u, f"{words}, second - first", levels[::-1]
    if mu:
        v = [score + mu for score in exact_column(v, "v")]
        words = f"{words}, less {number_text(mu)} each"
    return replaced(asked, u=u, v=v, words=words, levels=levels)


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


def _weights(items: Items, form: Form) -> ItemWeights | None:
    """Return the factors of the items, which a statistic must take; None without weights and tasks."""
    if items.weights is None and items.tasks is None:
        return None
    from ..swaps.weights import check_mean, item_weights

    check_mean(form.entries(items.columns)[0], items.weights, items.tasks)
    return item_weights(items.weights, items.tasks, len(items.columns[0]))


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


def _ratios(form: Form, columns: Sequence[Any]) -> list[Exact]:
    """Return what two systems reach by the sums of their counts."""
    rule, u, v = form.entries(columns)
    a, b, c, d = [sum(exact_column(part, "counts")) for one in (u, v) for part in zip(*one)]
    combine: Any = rule.combine
    return [exact(combine(a, b, 0, 0)), exact(-combine(0, 0, c, d))]


def _source(
    tables: Sequence[Table], items: Items, reading: Reading, given: tuple[str, ...]
) -> Source:
    """Return where items come from."""
    rounded, told = 0, []
    for name, column in zip(items.names, items.columns):
        if reading.runs is not None:
            sizes = sorted({*map(len, column)})
            told.append(f"{' to '.join(map(str, {sizes[0]: 0, sizes[-1]: 0}))} of {name}")
            column = [text for runs in column for text in runs]
        if reading.decimals is not None:
            both = exact_column(column, "scores"), exact_column(column, "scores", reading.decimals)
            rounded += sum(a != b for a, b in zip(*both))
    return Source(
        files=files_of(tables),
        names=items.names,
        pairs=items.pairs,
        reading=reading,
        dropped=items.dropped,
        rounded=rounded,
        runs=f"{', '.join(told)} on each item" if told else "",
        joined=reading.id or ("id" if items.ids is not None else ""),
        systems=given,
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
