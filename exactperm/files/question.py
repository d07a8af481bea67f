r"""Turn files into a question: the two lists that a statistic compares, where they come from, and what was read.

>>> asked = question([("f.csv", b"item,old,new\nq1,0.5,0.7\nq2,0.6,0.65\n")], "difference", Reading())
>>> asked.u, asked.back.first.id, asked.ahead
(['0.5', '0.6'], 'q1', ('new', 'old', Fraction(1, 8)))
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .. import __version__
from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact, ratio
from ..arithmetic.reading import exact, exact_column
from ..arithmetic.writing import number_text
from ..record import Record, replaced
from ..swaps.statistic import Statistic, difference
from .choice import Need, choose
from .join import Items, items_of, wide
from .listing import Ask, Table
from .numbers import scaled
from .reading import Reading, split_words
from .sources import Contents, tables_of

if TYPE_CHECKING:
    from ..swaps.weights import ItemWeights
    from .runs import Runs


class Form(Record):
    """What one statistic takes; ``library`` is its name in :mod:`exactperm.swaps.metrics`, "" for a difference.

    ``words`` describe it, ``meaning`` the columns of two systems A and B, ``kind`` their cells: "scores", "labels" or
    "counts". Counts come as two columns per system, which make pairs; F1 also takes tp, fp, fn.
    """

    name: str
    words: str
    meaning: str = "scores of A, B"
    kind: str = "scores"
    library: str = ""
    numbers: tuple[int, ...] = (2,)

    @property
    def need(self) -> Need:
        """Which columns are chosen."""
        return Need(kind=self.kind, meaning=self.meaning, numbers=self.numbers)

    @property
    def statistic(self) -> Any:
        """The library's object: a statistic, or for accuracy the function that makes one."""
        from ..swaps import metrics

        return getattr(metrics, self.library) if self.library else difference

    def entries(self, columns: Sequence[Sequence[Any]]) -> tuple[Statistic, list[Any], list[Any]]:
        """Return the statistic and its entries u and v. Differences d are compared with 0."""
        if self.kind == "labels":
            gold, u, v = columns
            return self.statistic(gold), list(u), list(v)
        if self.kind == "counts":
            if len(columns) == 6:
                columns = [columns[0], _sums(*columns[1:3]), columns[3], _sums(*columns[4:])]
            first, second, third, fourth = columns
            return self.statistic, list(zip(first, second)), list(zip(third, fourth))
        u, v = columns if len(columns) == 2 else (columns[0], ["0"] * len(columns[0]))
        return self.statistic, list(u), list(v)


def _sums(first: Sequence[str], second: Sequence[str]) -> list[Exact]:
    return [exact(a) + exact(b) for a, b in zip(first, second)]


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form(name="difference", words="sum of the differences"),
        Form(name="mean", words="mean difference", library="mean_difference"),
        Form(
            name="accuracy",
            words="difference of accuracies",
            meaning="right class labels, then those of A, B",
            kind="labels",
            library="accuracy",
            numbers=(3,),
        ),
        Form(
            name="f1",
            words="difference of F1",
            meaning="tp, fp, fn of A, of B; or tp and incorrect (fp + fn) of A, of B",
            kind="counts",
            library="f1_difference",
            numbers=(4, 6),
        ),
        Form(
            name="precision",
            words="difference of precision",
            meaning="true and false positives of A, of B",
            kind="counts",
            library="precision_difference",
            numbers=(4,),
        ),
        Form(
            name="recall",
            words="difference of recall",
            meaning="true positives and false negatives of A, of B",
            kind="counts",
            library="recall_difference",
            numbers=(4,),
        ),
        Form(
            name="ratio",
            words="difference of ratios of sums",
            meaning="numerator and denominator of A, of B",
            kind="counts",
            library="ratio_difference",
            numbers=(4,),
        ),
        Form(name="wilcoxon", words="rank sum W of the differences"),
        Form(name="sign", words="number of positive differences"),
        Form(name="mcnemar", words="number of wins"),
    )
}
"""The statistics by their names."""

CLASSICAL = ("wilcoxon", "sign", "mcnemar")
"""Statistics of the classical tests, of columns as for the difference; McNemar's has scores 0 and 1."""


class File(Record):
    """One file of a test and how it was read; ``header`` is the line of its names, 0 for none."""

    name: str
    sha256: str
    form: str
    header: int = 0
    comments: tuple[int, ...] = ()
    blanks: tuple[int, ...] = ()

    @classmethod
    def of(cls, table: Table) -> File:
        """Return how the file of a table was read."""
        fields = {name: getattr(table, name) for name in cls._fields}
        return cls(**fields)

    def rows(self) -> list[tuple[str, str]]:
        """Return how the file was read, as titles and texts."""
        if self.form not in ("table", "long"):
            return [("format", "JSON" if self.form == "json" else self.form)]
        rows = [("header", f"line {self.header}" if self.header else "none")]
        left = [("comments", self.comments), ("blank lines", self.blanks)]
        return rows + [(title, f"{len(lines)} left out") for title, lines in left if lines]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "format": self.form,
            "header_line": self.header or None,
            "comment_lines": list(self.comments),
            "blank_lines": list(self.blanks),
        }


class Source(Record):
    """Where the data of a test come from, and how they were read.

    ``names`` are those of the columns, ``pairs`` counts the items before the ``dropped`` ones were left out,
    ``rounded`` the values that ``reading.decimals`` altered. ``runs`` says how many there are of each item, ``spans``
    which columns certificates state for them; ``systems`` are the names that were given.
    """

    files: tuple[File, ...]
    names: tuple[str, ...]
    pairs: int
    reading: Reading = Reading()
    dropped: int = 0
    rounded: int = 0
    runs: str = ""
    spans: str = ""
    systems: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The names of all files."""
        return ", ".join(file.name for file in self.files)

    def columns(self) -> str:
        """Return the names of the columns, after the file's name where it is one."""
        names = ", ".join(self.names)
        return f"{self.name}: {names}" if len(self.files) == 1 else names

    def rows(self) -> list[tuple[str, str]]:
        """Return what was read and how, as titles and texts."""
        said = self.reading
        rows = [("data", self.columns())]
        alike = all(file.rows() == self.files[0].rows() for file in self.files)
        for file in self.files[: 1 if alike else None]:
            rows += [
                (title, text if alike else f"{file.name}: {text}") for title, text in file.rows()
            ]
        if len(self.files) > 1 and not said.unpaired:
            known = all(file.form not in ("table", "json") for file in self.files)
            by = said.id or ("id" if known and said.by is None else "")
            rows.append(("joined by", f"{by}, all ids in every file" if by else "row"))
        if self.runs:
            rows.append(("runs", self.runs))
        if said.missing == "drop":
            rows.append(("missing", f"{self.dropped} of {self.pairs} items left out"))
        if said.total is not None:
            rows.append(
                (
                    "total",
                    "the last row is left out"
                    if said.total == "drop"
                    else "the last row is an item",
                )
            )
        for title, word, text in (
            ("groups", said.groups, "pairs of one group are swapped together"),
            ("weights", said.weights, "of each item in the means"),
            ("tasks", said.tasks, "the means of all tasks count alike"),
            ("strata", said.strata, "values of one stratum are exchanged"),
        ):
            rows += [(title, f"{word}: {text}")] if word is not None else []
        if said.decimals is not None:
            rows.append(("rounded", f"{self.rounded} values altered by decimals {said.decimals}"))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, with the version of this package."""
        said = self.reading
        more = {
            name: getattr(said, name) for name in ("weights", "tasks", "strata", "by", "encoding")
        }
        about = {"runs": self.runs, "systems": list(self.systems), "last_row": said.total}
        return {
            "files": [file.to_dict() for file in self.files],
            "columns": list(self.names),
            "id": said.id,
            "missing": said.missing or "refuse",
            "dropped_pairs": self.dropped,
            "groups": said.groups,
            **{name: value for name, value in (*more.items(), *about.items()) if value},
            "decimals": said.decimals,
            "rounded": self.rounded,
            "version": __version__,
        }


class ReadItem(Record):
    """One item that was read: its ``id`` (or its line), and its ``cells`` by the names of columns, as written."""

    id: str
    cells: tuple[tuple[str, str], ...]


class ReadBack(Record):
    """What was read: the first and the last item, and the least and the greatest number of each column."""

    first: ReadItem
    last: ReadItem
    ranges: tuple[tuple[str, Exact, Exact], ...]


class Question(Record):
    """Data of one test: ``statistic``, entries ``u`` and ``v``, ``source``; ``groups``, ``weights``, ``tasks`` or None.

    With a ``design`` the entries are lists, the runs of each item; where they are not ``paired``, u and v are two
    samples, ``strata`` the labels of their values, or None. ``counts`` are those of McNemar's test, b and c, in place
    of items. ``words`` say for people what is compared, ``noun`` what a single value is; ``levels`` are the name and
    the level of each system: its mean, accuracy, F1, or other ratio. ``columns`` are those of the files, ``back`` is
    what was read, None of counts.
    """

    statistic: Statistic
    u: list[Any]
    v: list[Any]
    words: str
    source: Source
    groups: list[str] | None = None
    noun: str = "a difference"
    levels: tuple[tuple[str, Exact], ...] = ()
    weights: list[str] | None = None
    tasks: list[str] | None = None
    design: str = ""
    paired: bool = True
    strata: tuple[list[str], list[str]] | None = None
    counts: tuple[int, int] | None = None
    columns: Sequence[Any] = ()
    back: ReadBack | None = None

    @property
    def units(self) -> dict[str, Any]:
        """What says how items are swapped and weighed, as arguments of a test."""
        return {"groups": self.groups, "weights": self.weights, "tasks": self.tasks}

    @property
    def ahead(self) -> tuple[str, str, Exact] | None:
        """The system of the higher level, the other, and by how much; None where they are equal or one."""
        if len(self.levels) != 2 or self.levels[0][1] == self.levels[1][1]:
            return None
        (low, least), (high, most) = sorted(self.levels, key=lambda level: level[1])
        return high, low, exact(Fraction(most) - least)


# ---------------------------------------------------------------------------------------------- a test


def question(
    contents: Contents, statistic: str, reading: Reading, *, swapped: bool = False, mu: Exact = 0
) -> Question:
    """Return what the test of a statistic compares in files, as ``read_files`` returns them.

    Where the order is ``swapped``, v is compared with u in place of u with v; ``mu`` is added to the scores of the
    second. Raises ``Ask`` for files that have no single reading, and for settings that a statistic does not take.
    """
    form = FORMS[statistic]
    tables = tables_of(contents, reading, labels=form.kind == "labels")
    if reading.runs is not None:
        return _of_runs(tables, form, reading, swapped=swapped, mu=mu)
    if reading.unpaired:
        from .samples import two_samples

        return two_samples(tables, form, reading, swapped=swapped, mu=mu)
    if reading.system is None and reading.score is None:
        parts = choose(tables, reading, form.need)
    else:
        _check_long(tables, form, reading)
        parts = [wide(tables[0], reading, pair=True)]
    items = items_of(parts, reading, form.kind)
    columns, names = list(items.columns), items.names
    if form.kind == "labels" and len(columns) == 4:
        columns, names = _one_gold(columns, names)
    asked = _asked(form, reading, items, columns, names=_systems(names, form), tables=tables)
    asked = turned(asked, mu, swapped=swapped)
    if statistic == "mcnemar":
        from .mcnemar import with_counts

        return with_counts(asked, swapped=swapped)
    return asked


def _check_long(tables: Sequence[Table], form: Form, reading: Reading) -> None:
    """Raise ``Ask`` where a long table is not alone, or does not have scores."""
    if len(tables) > 1:
        raise Ask(f"{len(tables)} files: a long table has all systems in one", code="long")
    if form.kind != "scores" or reading.differences:
        raise Ask(f"a long table has scores: it gives no columns for {form.words}", code="long")


def _asked(
    form: Form,
    reading: Reading,
    items: Items,
    columns: list[Any],
    *,
    names: tuple[str, ...],
    tables: Sequence[Table],
) -> Question:
    """Return the question of items, in the order of their columns."""
    statistic, u, v = form.entries(columns)
    decimals = reading.decimals if form.kind == "scores" else None
    shown = names_of(reading, names if len(columns) > 1 else ())
    levels, ranges, rounded = _levels(form, columns, shown or names, decimals)
    words, noun, suffix = form.words, f"a {form.words}", ""
    if form.kind == "scores":
        nouns = {"difference": "a difference", "wilcoxon": "a sum of ranks"}
        noun = nouns.get(form.name, "a difference in wins" if form.name in CLASSICAL else noun)
    if items.weights is not None or items.tasks is not None:
        weights = _weights(items, statistic)
        levels = tuple(
            (name, weights.mean(x, statistic, decimals)) for (name, _), x in zip(levels, (u, v))
        )
        words = "difference of means" if form.kind == "scores" else words
        noun, suffix = f"a {words}", f", {weights.words}"
    between = f" {' - '.join((shown or names)[-2:])}" if len(columns) > 1 else ""
    ends = [tuple(zip(items.names, cells)) for cells in items.cells]
    return Question(
        statistic=statistic,
        u=u,
        v=v,
        groups=items.groups,
        weights=items.weights,
        tasks=items.tasks,
        columns=columns,
        words=f"{words}{between}{suffix}",
        source=Source(
            files=tuple(map(File.of, tables)),
            names=items.names,
            pairs=items.pairs,
            reading=reading,
            dropped=items.dropped,
            rounded=rounded,
            systems=shown,
        ),
        noun=noun,
        levels=levels,
        back=ReadBack(
            first=ReadItem(id=items.ends[0], cells=ends[0]),
            last=ReadItem(id=items.ends[1], cells=ends[1]),
            ranges=ranges,
        ),
    )


def _levels(
    form: Form, columns: Sequence[Sequence[str]], names: Sequence[str], decimals: int | None
) -> tuple[tuple[tuple[str, Exact], ...], tuple[tuple[str, Exact, Exact], ...], int]:
    """Return what each system reaches on all items, the ranges of the columns, and how many values were rounded."""
    if form.kind == "labels":
        statistic, u, v = form.entries(columns)
        read: Any = statistic.read
        shares = [exact(sum(read(column, "labels", None))) for column in (u, v)]
        return tuple(zip(names[-2:], shares)), (), 0
    stats = [stats_of(column, decimals) for column in columns]
    if form.kind == "counts":
        statistic, u, v = form.entries(columns)
        a, b, c, d = [sum(exact_column(part, "counts")) for one in (u, v) for part in zip(*one)]
        combine: Any = statistic.combine
        shares = [exact(combine(a, b, 0, 0)), exact(-combine(0, 0, c, d))]
        titles = [f"column {i + 1}" for i in range(len(columns))]
        return (
            tuple(zip(names, shares)),
            tuple((t, low, high) for t, (_mean, low, high) in zip(titles, stats)),
            0,
        )
    levels = names if len(columns) > 1 else ("mean difference",)
    ranges = tuple((name, least, greatest) for name, (_mean, least, greatest) in zip(levels, stats))
    rounded = 0 if decimals is None else sum(altered(column, decimals) for column in columns)
    return tuple((name, found[0]) for name, found in zip(levels, stats)), ranges, rounded


def stats_of(column: Sequence[str], decimals: int | None = None) -> tuple[Exact, Exact, Exact]:
    """Return the mean, the least and the greatest of a column of scores."""
    values, scale = scaled(column, decimals)
    return (
        ratio(sum(values), scale * len(values)),
        ratio(min(values), scale),
        ratio(max(values), scale),
    )


def altered(column: Sequence[str], decimals: int) -> int:
    """Return how many values another number of decimals changes."""
    both = zip(exact_column(column, "scores"), exact_column(column, "scores", decimals))
    return sum(a != b for a, b in both)


def names_of(reading: Reading, systems: Sequence[str]) -> tuple[str, ...]:
    """Return the names that the reading gives the systems, in their order; none where it gives none."""
    if reading.names is None:
        return ()
    given = tuple(split_words(reading.names, "names"))
    if len(given) != len(systems) or len({*given}) < len(given):
        what = (
            "two of them are the same"
            if len(given) == len(systems)
            else f"there are {len(systems)} systems"
        )
        raise Ask(
            f"names is {short_text(reading.names)}, but {what}", code="names", argument="names"
        )
    return given


def _systems(names: tuple[str, ...], form: Form) -> tuple[str, ...]:
    """Return the names of the systems by those of their columns."""
    if form.kind == "counts":
        return "A", "B"
    return names[-2:] if form.kind == "labels" else names


def _one_gold(columns: list[Any], names: tuple[str, ...]) -> tuple[list[Any], tuple[str, ...]]:
    """Return the right labels once, where both files have them beside those of a system."""
    gold, first, again, second = columns
    wrong = next((i for i, (a, b) in enumerate(zip(gold, again)) if a != b), None)
    if wrong is not None:
        text = f"item {wrong + 1} has the right label {short_text(gold[wrong])} in one file, "
        raise Ask(f"{text}{short_text(again[wrong])} in the other", code="other-ids")
    return [gold, first, second], (names[0], names[1], names[3])


def _weights(items: Items, statistic: Statistic) -> ItemWeights:
    """Return the factors of the items, which a statistic must take."""
    from ..swaps.weights import check_mean, item_weights

    check_mean(statistic, items.weights, items.tasks)
    found: Any = item_weights(items.weights, items.tasks, len(items.columns[0]))
    return found  # type: ignore[no-any-return]  # None without weights and tasks, which this is not


def turned(asked: Question, mu: Exact, *, swapped: bool) -> Question:
    """Return a question with its systems in the other order where ``swapped``, and ``mu`` added to the second."""
    if not swapped and not mu:
        return asked
    u, v, strata, words = asked.u, asked.v, asked.strata, asked.words
    if swapped:
        u, v, strata, words = (
            v,
            u,
            None if strata is None else strata[::-1],
            f"{words}, second - first",
        )
    if mu:
        v, words = (
            [score + mu for score in exact_column(v, "v")],
            f"{words}, less {number_text(mu)} each",
        )
    return replaced(asked, u=u, v=v, strata=strata, words=words)


# ---------------------------------------------------------------------------------------------- runs and systems


def _of_runs(
    tables: Sequence[Table], form: Form, reading: Reading, *, swapped: bool, mu: Exact
) -> Question:
    """Return what is compared of two systems that ran several times on each item."""
    from .runs import runs_of

    if form.name not in ("difference", "mean") or mu:
        what = (
            "without another difference than 0"
            if mu
            else f"by means of scores, not by {form.words}"
        )
        raise Ask(f"runs are compared {what}", code="runs")
    found = runs_of(tables, reading, most=2)
    source, levels, back = source_of_runs(found, reading)
    first, second = [name for name, _level in levels]
    u, v = found.scores.values()
    asked = Question(
        statistic=difference,
        u=u,
        v=v,
        words=f"mean over items of the difference of means of runs, {first} - {second}",
        source=source,
        noun="a mean difference",
        levels=levels,
        weights=found.weights,
        design=reading.runs or "",
        back=back,
    )
    return turned(asked, 0, swapped=swapped)


def source_of_runs(
    found: Runs, reading: Reading
) -> tuple[Source, tuple[tuple[str, Exact], ...], ReadBack]:
    """Return where runs come from, what each system reaches, and what was read."""
    from . import runs

    shown = names_of(reading, list(found.scores))
    names = tuple(found.scores)
    columns = [[text for item in items for text in item] for items in found.scores.values()]
    decimals = reading.decimals
    source = Source(
        files=tuple(map(File.of, found.tables)),
        names=names,
        pairs=found.items,
        reading=reading,
        dropped=found.dropped,
        rounded=0 if decimals is None else sum(altered(column, decimals) for column in columns),
        runs=found.told,
        spans=found.spans,
        systems=shown,
    )
    means = [runs.mean(items, decimals, found.weights) for items in found.scores.values()]
    ends = [
        ReadItem(id=end, cells=tuple(zip(names, cells)))
        for end, cells in zip(found.ends, found.cells)
    ]
    ranges = tuple(
        (name, *stats_of(column, decimals)[1:]) for name, column in zip(shown or names, columns)
    )
    return (
        source,
        tuple(zip(shown or names, means)),
        ReadBack(first=ends[0], last=ends[1], ranges=ranges),
    )


class Systems(Record):
    """The ``scores`` of each system by its name, ``units`` as arguments of a test, ``source`` and ``back``.

    With several runs the scores of a system are lists, the runs of each item; ``ids`` are those of the items, or None.
    """

    scores: dict[str, list[Any]]
    units: dict[str, Any]
    source: Source
    back: ReadBack
    levels: tuple[tuple[str, Exact], ...]
    ids: Sequence[str] | None = None


def systems(contents: Contents, reading: Reading, *, most: int | None = None) -> Systems:
    """Return the scores of each system in files; ``Ask`` for fewer than two, for more than ``most``, and as above."""
    tables = tables_of(contents, reading)
    if reading.differences or reading.unpaired:
        name = "differences" if reading.differences else "unpaired"
        raise Ask(f"{name}: systems are compared in pairs of items", code="settings", argument=name)
    if reading.runs is not None:
        from .runs import runs_of

        runs = runs_of(tables, reading, most=most)
        source, levels, back = source_of_runs(runs, reading)
        scores: dict[str, list[Any]] = dict(
            zip(source.systems or tuple(runs.scores), runs.scores.values())
        )
        units = {"design": reading.runs, "weights": runs.weights}
        return Systems(scores=scores, units=units, source=source, back=back, levels=levels)
    need = Need(kind="scores", meaning="one per system", numbers=None)
    form = FORMS["difference"]
    if reading.system is None and reading.score is None:
        parts = choose(tables, reading, need)
    else:
        _check_long(tables, form, reading)
        parts = [wide(tables[0], reading, pair=False)]
    items = items_of(parts, reading, "scores")
    names = names_of(reading, items.names) or items.names
    if len({*names}) < len(names) or (most is not None and len(names) > most):
        what = (
            "two have the same name"
            if len({*names}) < len(names)
            else f"at most {most} are compared"
        )
        raise Ask(f"{len(names)} systems, but {what}", code="systems", argument="columns")
    return _systems_of(items, names, tables, reading)


def _systems_of(
    items: Items, names: tuple[str, ...], tables: Sequence[Table], reading: Reading
) -> Systems:
    """Return the systems of items."""
    two = _asked(
        FORMS["difference"],
        replaced(reading, names=None),
        items,
        list(items.columns[:2]),
        names=names[:2],
        tables=tables,
    )
    levels, ranges, rounded = _levels(FORMS["difference"], items.columns, names, reading.decimals)
    if two.weights is not None or two.tasks is not None:
        weights = _weights(items, difference)
        means = [weights.mean(column, difference, reading.decimals) for column in items.columns]
        levels = tuple(zip(names, means))
    named = names if reading.names is not None else ()
    back: Any = two.back
    return Systems(
        scores=dict(zip(names, map(list, items.columns))),
        units=two.units,
        source=replaced(two.source, reading=reading, rounded=rounded, systems=named),
        back=replaced(back, ranges=ranges),
        levels=levels,
        ids=items.ids,
    )


def from_counts(b: int, c: int, *, swapped: bool = False) -> Question:
    """Return the question of McNemar's two counts."""
    from .mcnemar import question_of

    return question_of((b, c), swapped=swapped)
