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
from ..errors import Cure, ExactPermError, WrongType
from ..record import Result, replaced
from ..swaps.statistic import Statistic, difference
from .choice import Series, choose
from .join import Items, items_of
from .reading import FORMS, MEANS, SYSTEMS, Form, Reading, split_words
from .sources import Contents, Source, read_files, tables_of
from .table import Ask, File, Table, scaled, short

if TYPE_CHECKING:
    from os import PathLike

    from ..swaps.weights import ItemWeights

Levels = tuple[tuple[str, Exact], ...]


class Question(Items):
    """Data of one test: its ``statistic`` and entries ``u`` and ``v``, made of items.

    With a ``design`` the entries are lists, the runs of each item; of the design "samples" they are two samples of
    different items, with the ``strata`` of their values or None. ``counts`` are those of McNemar's test, b and c, in
    place of items. ``words`` say for people what is compared, ``noun`` what a single value is; ``levels`` are the name
    of each system and what it reaches: its mean or, as ``level`` says, its accuracy, F1 or other ratio.
    """

    u: list[Any]
    v: list[Any]
    words: str
    statistic: Statistic = difference
    noun: str = "a difference"
    level: str = ""
    levels: Levels = ()
    design: str = ""
    strata: tuple[object, object] | None = None
    counts: tuple[int, int] | None = None

    @property
    def about(self) -> dict[str, object]:
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
        ranked = sorted(self.levels, key=lambda level: level[1])
        if len(ranked) != 2 or ranked[0][1] == ranked[1][1]:
            return None
        (low, least), (high, most) = ranked
        return high, low, exact(Fraction(most) - least)


def found(contents: Contents, reading: Reading, form: Form) -> Question:
    """Return what files hold for a form; ``Ask`` for files that have no single reading."""
    tables = tables_of(contents, reading, labels=form.kind == "labels")
    items = items_of(choose(tables, reading, form), reading, form.kind)
    return _asked(tables, _with_one_gold(items) if form.kind == "labels" else items, reading, form)


def _asked(tables: Sequence[Table], items: Items, reading: Reading, form: Form) -> Question:
    """Return the question that items ask, with the levels of their systems, and what was read."""
    rule, u, v = form.entries(items.columns)
    source = items.source
    columns = items.columns
    systems = {"scores": source.names, "labels": source.names[-2:], "counts": ("A", "B")}[form.kind]
    two = len(columns) > 1
    words = form.words
    noun = form.noun
    weights: ItemWeights | None = None
    names = given = tuple(split_words(reading.names, "names"))
    if reading.names is None:
        names = systems
    elif not two or not len(names) == len(systems) == len({*names}):
        raise _other_names(reading, len(systems) if two else 0)
    if reading.runs is not None:
        rule = difference
        noun = FORMS["mean"].noun
        words = "mean over items of the difference of means of runs,"
    elif items.weights is not None or items.tasks is not None:
        from ..swaps.weights import check_mean, item_weights

        check_mean(rule, items.tasks)
        weights = item_weights(items.weights, items.tasks, len(u))
        words = SYSTEMS.words if form.kind == "scores" else words
        noun = f"a {words}"
    scores = columns
    if form.kind == "labels":
        scores = [["01"[a == b] for a, b in zip(columns[0], x)] for x in columns[1:]]
    means = []
    ranges = []
    for name, column in zip(names if form.kind == "scores" else source.names, scores):
        mean, least, most = _stats(column, reading, weights)
        means.append(mean)
        ranges.append((name, least, most))
    if form.kind == "counts":
        means = _ratios(rule, u, v)
    words += f" {' - '.join(names)}" if two else ""
    files = [File(**{name: getattr(table, name) for name in File._fields}) for table in tables]
    read = () if form.kind == "labels" else tuple(ranges)
    source = replaced(source, files=tuple(files), systems=given, ranges=read)
    return Question(
        **{**vars(items), "source": source},
        u=u,
        v=v,
        statistic=rule,
        words=words if weights is None else f"{words}, {weights.words}",
        noun=noun,
        level=form.level,
        levels=tuple(zip(names if len(scores) > 1 else ("mean difference",), map(exact, means))),
        design=reading.runs or "",
    )


def _other_names(reading: Reading, systems: int) -> Ask:
    what = f"there are {systems} systems, whose names differ"
    return Ask(f"names is {short_text(reading.names)}, but {what}", "names", "names")


def _ratios(rule: Any, u: Sequence[object], v: Sequence[object]) -> list[Exact]:
    """Return what two systems reach by the sums of their counts."""
    a, b, c, d = [sum(exact_column(part, "counts")) for one in (u, v) for part in zip(*one)]
    return [rule.combine(a, b, 0, 0), -rule.combine(0, 0, c, d)]


def question(
    contents: Contents, statistic: str, reading: Reading, *, mu: Exact | None = None
) -> Question:
    """Return what the test of a statistic compares in files, as ``read_files`` returns them.

    ``mu`` is added to the scores of the second. Raises ``Ask`` for files that have no single reading, and for settings
    that a statistic does not take.
    """
    if reading.runs is not None and (statistic not in MEANS or mu):
        what = "by means of scores" if not mu else "without another difference than 0"
        raise Ask(f"runs are compared {what}", "runs")
    asked = found(contents, reading, FORMS[statistic])
    if statistic == "mcnemar":
        values = {*exact_column(asked.u, "u"), *exact_column(asked.v, "v")}
        if len(asked.columns) < 2 or not values <= {0, 1}:
            text = "McNemar's test needs two columns of 0 and 1, 1 where a system is right"
            cure = Cure(words="of a 2 x 2 table, give the counts where one system alone is right")
            raise Ask(f"{asked.source.name}: {text}", "mcnemar", answers=[cure])
    if not mu:
        return asked
    v = [score + mu for score in exact_column(asked.v, "v")]
    return replaced(asked, v=v, words=f"{asked.words}, less {number_text(mu)} each")


def two_samples(
    contents: Contents, statistic: str, reading: Reading, *, strata: str | None = None
) -> Question:
    """Return the question of two unpaired samples: two columns, two files, or two systems of a long table.

    Empty cells at the end of a column are no values. ``statistic`` is "difference", "mean", or "wilcoxon" for ranks;
    ``strata`` names the column of the strata of the values. Raises ``Ask`` as :func:`question`.
    """
    form = FORMS["mean"]
    tables = tables_of(contents, reading)
    by = "row" if len(tables) > 1 else None  # no ids are needed
    said = replaced(reading, groups=strata, id=reading.id or reading.system, by=by)
    both = [_sample(one, said) for one in choose(tables, said, form)]
    first, second = [one.source for one in both]
    source = replaced(
        first,
        names=first.names + second.names,
        ends=(first.ends[0], second.ends[-1]),
        pairs=first.pairs + second.pairs,
        dropped=first.dropped + second.dropped,
    )
    columns = [column for one in both for column in one.columns]
    asked = _asked(tables, replaced(both[0], source=source, columns=columns), reading, form)
    names = asked.source.systems or source.names
    sizes = ", ".join([f"{len(column)} of {name}" for name, column in zip(names, columns)])
    within = "" if strata is None else f", values of one stratum of {strata} are exchanged"
    ranks = statistic == "wilcoxon"
    return replaced(
        asked,
        groups=None,
        strata=None if strata is None else tuple([one.groups for one in both]),
        words=f"{'Mann-Whitney U of' if ranks else SYSTEMS.words} {' - '.join(names)}",
        source=replaced(asked.source, samples=f"{sizes}, unpaired{within}"),
        noun="a number of pairs won" if ranks else form.noun,
        design="samples",
    )


def _sample(one: Series, reading: Reading) -> Items:
    """Return the values of one sample, up to the last that is not empty, as items."""
    ((column, places),) = one.parts
    rows = [*places]
    cells = one.table.columns[column]
    while rows and not cells[rows[-1]]:
        rows.pop()
    if not rows:
        raise Ask(f"{one.name} has no values", "empty")
    table = replaced(one.table, id=-1)
    return items_of([replaced(one, table=table, parts=((column, rows),))], reading, "scores")


def from_counts(b: int, c: int) -> Question:
    """Return the question of McNemar's two counts."""
    source = Source(files=(), names=(f"b = {b}", f"c = {c}"), pairs=b + c)
    return Question(source=source, u=[b], v=[c], words="b - c", counts=(b, c))


def _with_one_gold(items: Items) -> Items:
    """Return items with the right labels once, where both files have them beside those of a system."""
    if len(items.columns) < 4:
        return items
    gold, first, again, second = items.columns
    for i, (a, b) in enumerate(zip(gold, again), 1):
        if a != b:
            both = f"{short_text(a)} in one file, {short_text(b)} in the other"
            raise Ask(f"item {i} has the right label {both}", "other-ids")
    right, one, _same, other = items.source.names
    source = replaced(items.source, names=(right, one, other))
    return replaced(items, columns=[gold, first, second], source=source)


def _stats(
    column: Sequence[Any], reading: Reading, weights: ItemWeights | None
) -> tuple[Exact, Exact, Exact]:
    """Return the mean, the least and the greatest of a column of scores, or of the runs of each item."""
    sizes = [] if reading.runs is None else [*map(len, column)]
    flat = [text for runs in column for text in runs] if sizes else column
    values, scale = scaled(flat, reading.decimals)
    ends = ratio(min(values), scale), ratio(max(values), scale)
    if sizes:
        each = iter(values)
        common = lcm(*{*sizes})
        values = [sum(islice(each, size)) * (common // size) for size in sizes]
        scale *= common
    factors = [1] * len(values) if weights is None else weights.factors
    return ratio(sum(map(mul, factors, values)), scale * sum(factors)), *ends


# ---------------------------------------------------------------------------------------------- for programs


class Scores(Result):
    """Scores of systems on the same items, as :func:`read_scores` returns them.

    ``systems`` has the exact scores of each system by its name, in the order of ``ids``, which is None where no column
    has the ids of the items. With several runs the entries are lists, the runs of each item. ``units`` are the groups,
    weights, tasks or the design of runs, as keyword arguments of the tests; ``levels`` are the means of the systems,
    ``source`` says how the files were read, and has the first and the last item and the ranges.
    """

    systems: dict[str, list[object]]
    ids: tuple[str, ...] | None
    units: dict[str, Any]
    levels: Levels
    source: Source

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return what was read, and the mean of each system, as rows of texts."""
        means = ", ".join(f"{name} {short(mean)}" for name, mean in self.levels)
        return (*self.source.rows(), *self.source.back(), ("means", means))

    def __repr__(self) -> str:
        means = ", ".join(f"{name}: mean {short(mean)}" for name, mean in self.levels)
        return f"Scores({means}; {self.source.items} items)"


def read_scores(*paths: str | PathLike[str], **settings: object) -> Scores:
    r"""Return the scores of two systems or more from files, as exact numbers.

    Each path is one file of all systems, or one of each system: CSV, TSV, JSON, JSON Lines, or the output of a known
    evaluation tool; a folder is one that lm-evaluation-harness wrote with its option log_samples. ``settings`` are those of
    the command line: "columns", "id", "by", "system", "score", "runs", "run", "groups", "weights", "tasks", "missing",
    "header", "decimal" and the others of ``exactperm.files.reading.FIELDS``. Nothing is guessed: where a file has no
    single reading, the error says what to choose from.

    Raises ``ExactPermError`` with a code for what cannot be read, and ``WrongType`` for a setting that there is not.
    Cost: about 3 microseconds per cell. Source: spec/09-own-theorems.md#own-exact-numbers.

    >>> import os, tempfile
    >>> from exactperm import permutation_test, read_scores
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "scores.csv")
    ...     with open(path, "w") as file:
    ...         _ = file.write("item,level,old,new\nq1,2,0.5,0.75\nq2,1,0.25,1\n")
    ...     scores = read_scores(path, columns="old,new")
    >>> scores.systems, permutation_test(*scores.systems.values(), **scores.units).pvalue
    ({'old': [Fraction(1, 2), Fraction(1, 4)], 'new': [Fraction(3, 4), 1]}, Fraction(1, 2))
    """
    import os

    reading = Reading.of(settings)
    if not paths:
        raise ExactPermError("paths is empty: name one file of all systems, or one of each")
    for i, path in enumerate(paths):
        if not isinstance(path, (str, os.PathLike)):
            raise WrongType(f"paths[{i}] is {short_text(path)}: it must be the path of a file")
    scores = systems(read_files([os.fspath(path) for path in paths]), reading)
    read: dict[str, list[Any]] = {}
    for name, column in scores.systems.items():
        if reading.runs is None:
            read[name] = exact_column(column, "scores", reading.decimals)
        else:
            read[name] = [exact_column(runs, "scores", reading.decimals) for runs in column]
    return replaced(scores, systems=read)


def systems(contents: Contents, reading: Reading, *, most: int | None = None) -> Scores:
    """Return the scores of each system in files as texts; ``Ask`` for fewer than two, or more than ``most``."""
    if reading.differences:
        text = "differences: systems are compared in pairs of items"
        raise Ask(text, "settings", "differences")
    read = found(contents, reading, SYSTEMS)
    names = [name for name, _level in read.levels]
    if len({*names}) < len(names) or (most is not None and len(names) > most):
        what = f"their names must differ, and at most {most} are compared"
        raise Ask(f"{len(names)} systems: {what}", "systems", "columns")
    units = read.about
    units.pop("statistic", None)
    return Scores(
        systems=dict(zip(names, map(list, read.columns))),
        ids=None if read.ids is None else tuple(read.ids),
        units=units,
        levels=read.levels,
        source=read.source,
    )
