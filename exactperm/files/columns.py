"""Turn chosen columns into a question: the two lists that a statistic compares, and where they come from."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from .. import __version__
from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact, exact_column
from ..arithmetic.writing import number_text
from ..errors import Cure
from ..record import Record, replaced
from ..swaps.statistic import Statistic, difference
from . import checks
from .cells import system
from .checks import Asked, Note
from .parts import Part
from .reading import DEFAULT, Reading
from .selection import Selection, select
from .tables import Table

if TYPE_CHECKING:
    from ..swaps.weights import ItemWeights


_SHOWN_SPANS = 8


class Layout(Record):
    """The columns that one statistic takes; ``name`` is its name in the library, ``short`` that of the command line.

    ``words`` describe the statistic, ``meaning`` the columns of two systems A and B, ``kind`` their
    cells: "scores", "labels" or "counts". Counts (true positives and the like) come as two columns
    per system, which make pairs; ``roles`` are what the two must hold where their names say it. F1
    also takes tp, fp, fn: a pair needs the sum of the last two.
    """

    name: str
    short: str
    words: str
    meaning: str
    kind: str = "scores"
    roles: tuple[str, ...] = ()

    @property
    def allowed(self) -> tuple[int, ...]:
        """The numbers of columns: scores may also come as one column of differences."""
        if self.name == "f1_difference":
            return (4, 6)
        return {"scores": (1, 2), "labels": (3,), "counts": (4,)}[self.kind]

    @property
    def statistic(self) -> Any:
        """The library's object of this name: a statistic, or for "accuracy" the function that makes one."""
        if self.name == "difference":
            return difference
        from ..swaps import metrics

        return getattr(metrics, self.name)

    def entries(self, columns: list[list[str]]) -> tuple[Any, list[Any], list[Any]]:
        """Return the statistic and its entries u and v.

        Differences d are compared with 0: swapping d and 0 flips the sign of d.
        """
        if self.kind == "labels":
            gold, u, v = columns
            return self.statistic(gold), u, v
        if self.kind == "counts":
            if len(columns) == 6:
                columns = [columns[0], _sums(*columns[1:3]), columns[3], _sums(*columns[4:])]
            first, second, third, fourth = columns
            return self.statistic, list(zip(first, second)), list(zip(third, fourth))
        u, v = columns if len(columns) == 2 else (columns[0], ["0"] * len(columns[0]))
        return self.statistic, u, v

    def levels(
        self, columns: list[list[str]], names: Sequence[str], decimals: int | None
    ) -> tuple[tuple[str, Exact], ...]:
        """Return what each system reaches on all pairs: its mean, accuracy, F1 or other ratio."""
        statistic, u, v = self.entries(columns)
        if self.kind == "scores":
            shown = names if len(columns) == 2 else ["mean difference"]
            return tuple(
                (name, mean(column, decimals=decimals)) for name, column in zip(shown, columns)
            )
        first, second = [
            statistic.read(column, name, None) for column, name in ((u, "u"), (v, "v"))
        ]
        if self.kind == "labels":
            return (names[1], exact(sum(first))), (names[2], exact(sum(second)))
        a, b, c, d = [
            sum(entry[i] for entry in column) for column in (first, second) for i in (0, 1)
        ]
        combine = statistic.combine
        return (names[0], exact(combine(a, b, 0, 0))), (names[1], exact(-combine(0, 0, c, d)))


def mean(column: Sequence[Any], argument: str = "scores", decimals: int | None = None) -> Exact:
    """Return the exact mean of a column of scores."""
    return exact(Fraction(sum(exact_column(column, argument, decimals)), len(column)))


def _sums(first: list[str], second: list[str]) -> list[Any]:
    return [exact(a) + exact(b) for a, b in zip(first, second)]


LAYOUTS = {
    layout.name: layout
    for layout in (
        Layout(
            name="difference",
            short="difference",
            words="sum of the differences",
            meaning="scores of A, B",
        ),
        Layout(
            name="mean_difference", short="mean", words="mean difference", meaning="scores of A, B"
        ),
        Layout(
            name="accuracy",
            short="accuracy",
            words="difference of accuracies",
            meaning="right class labels, then those of A, B",
            kind="labels",
        ),
        Layout(
            name="f1_difference",
            short="f1",
            words="difference of F1",
            meaning="tp, fp, fn of A, of B; or tp and incorrect (fp + fn) of A, of B",
            kind="counts",
            roles=("tp", "fp + fn"),
        ),
        Layout(
            name="precision_difference",
            short="precision",
            words="difference of precision",
            meaning="true and false positives of A, of B",
            kind="counts",
            roles=("tp", "fp"),
        ),
        Layout(
            name="recall_difference",
            short="recall",
            words="difference of recall",
            meaning="true positives and false negatives of A, of B",
            kind="counts",
            roles=("tp", "fn"),
        ),
        Layout(
            name="ratio_difference",
            short="ratio",
            words="difference of ratios of sums",
            meaning="numerator and denominator of A, of B",
            kind="counts",
        ),
    )
}
"""The statistics by their names in the library. The columns of "f1_difference" are those of the
authors' data files."""


SHORT = {layout.short: name for name, layout in LAYOUTS.items()}
"""The names of the library by those of the command line."""


class File(Record):
    """One file of a test and how it was read.

    ``header`` is the line of the header or None, ``first`` the line of the first row, ``comments``
    and ``blanks`` the lines that were left out, ``records`` whether it holds JSON records, ``tool``
    the evaluation tool that wrote them. ``commas`` says that two columns of whole numbers may be
    decimals.
    """

    name: str
    sha256: str
    header: int | None
    first: int
    comments: tuple[int, ...] = ()
    blanks: tuple[int, ...] = ()
    records: bool = False
    tool: str = ""
    commas: bool = False

    @classmethod
    def of(cls, part: Part) -> File:
        """Return how the file of a part was read."""
        table = part.table
        return cls(
            name=table.name,
            sha256=table.sha256,
            header=table.header_line,
            first=table.lines[0] if table.header_line is None else table.header_line,
            comments=table.comments,
            blanks=table.blanks,
            records=table.keyed,
            tool=table.tool,
            commas=table.header is None
            and table.delimiter == ","
            and table.decimal == "auto"
            and _whole(table),
        )

    def notes(self) -> list[Note]:
        """Return how the file was read, each with the setting that decides otherwise."""
        if self.records:
            cure = None if self.tool else Cure({"delimiter": "comma"}, words="reads a table")
            return [Note(code="format", text=self.tool or "JSON records", cure=cure)]
        if self.header is None:
            cure = Cure({"header": "yes"}, words=f"makes line {self.first} one")
            notes = [Note(code="header", text="none", cure=cure)]
        else:
            notes = [
                Note(
                    code="header",
                    text=f"line {self.header}",
                    cure=Cure({"header": "no"}, words="if it is data"),
                )
            ]
        if self.commas:
            cure = Cure({"decimal": "comma"}, words="reads decimals")
            notes.append(Note(code="cells", text="separated by commas", cure=cure))
        if self.comments:
            text = f"{_lines(self.comments)} left out"
            notes.append(
                Note(
                    code="comments",
                    text=text,
                    cure=Cure({"comments": "no"}, words="makes them data"),
                )
            )
        if self.blanks:
            notes.append(Note(code="blank", text=f"{_lines(self.blanks)} left out"))
        return notes

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "name": self.name,
            "sha256": self.sha256,
            "format": self.tool or ("json" if self.records else "table"),
            "header_line": self.header,
            "comment_lines": list(self.comments),
            "blank_lines": list(self.blanks),
        }


class Source(Record):
    """Where the data of a test come from, and how they were read.

    ``names`` of the columns used, ``id`` that joined the files or None, ``pairs`` before the
    ``dropped`` ones were left out, ``missing`` what was chosen for them, ``groups``, ``weights``
    and ``tasks`` the columns of these or None, ``rounded`` the number of values that ``decimals``
    altered. ``warnings`` say what may make the answer another than was meant, ``taken`` why these
    columns were taken, "" where they were chosen or are all, ``runs`` how those of each item were
    found, ``spans`` their columns for certificates.
    """

    files: tuple[File, ...]
    names: tuple[str, ...]
    pairs: int
    id: str | None = None
    missing: str = "refuse"
    dropped: int = 0
    groups: str | None = None
    weights: str | None = None
    tasks: str | None = None
    decimals: int | None = None
    rounded: int = 0
    warnings: tuple[Note, ...] = ()
    taken: str = ""
    runs: str = ""
    spans: str = ""
    systems: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        chosen: Selection,
        reading: Reading,
        *,
        rounded: bool = True,
        more: tuple[Note, ...] = (),
    ) -> Source:
        """Return the source of the columns that were chosen, with ``more`` warnings; scores may be ``rounded``."""
        decimals = reading.decimals if rounded else None
        beside = (
            [column.name or column.word for column in chosen.parts[0].rest]
            if chosen.parts[0].evident
            else []
        )
        return cls(
            files=tuple(map(File.of, chosen.parts)),
            names=chosen.names,
            pairs=len(chosen.columns[0]) + chosen.dropped,
            id=reading.id,
            missing=reading.missing,
            dropped=chosen.dropped,
            groups=reading.groups,
            weights=reading.weights,
            tasks=reading.tasks,
            decimals=decimals,
            rounded=0 if decimals is None else altered(chosen.columns, decimals),
            warnings=(*chosen.notes, *more),
            taken=f"all but {', '.join(beside)}, which names the items" if beside else "",
        )

    @property
    def doubts(self) -> tuple[str, ...]:
        """The texts of the warnings."""
        return tuple(note.line for note in self.warnings)

    @property
    def name(self) -> str:
        """The names of all files."""
        return ", ".join(file.name for file in self.files)

    def with_names(self, reading: Reading, systems: Sequence[str]) -> Source:
        """Return this source, with the names that the reading gives the ``systems``, if it gives any."""
        if reading.names is None:
            return self
        from .names import named

        return replaced(self, systems=named(reading.names, systems))

    def columns(self) -> str:
        """Return the names of the columns, after the file's name where it is one."""
        names = ", ".join(self.names)
        return f"{self.name}: {names}" if len(self.files) == 1 else names

    def notes(self) -> list[Note]:
        """Return how the files were read, and which pairs and digits were left out."""
        alike = all(file.notes() == self.files[0].notes() for file in self.files)
        notes = [Note(code="columns", text=self.taken)] if self.taken else []
        for file in self.files[: 1 if alike else None]:
            notes += [
                note if alike else replaced(note, text=f"{file.name}: {note.text}")
                for note in file.notes()
            ]
        if len(self.files) > 1:
            by = "position" if self.id is None else f"{self.id}, all ids in every file"
            cure = Cure(words="ids join files in any order") if self.id is None else None
            notes.append(Note(code="joined by", text=by, cure=cure))
        if self.runs:
            notes.append(Note(code="runs", text=self.runs))
        if self.missing == "drop":
            notes.append(
                Note(
                    code="missing",
                    text=f"{self.dropped} of {self.pairs} pairs left out of all columns (missing drop)",
                )
            )
        if self.groups is not None:
            notes.append(
                Note(code="groups", text=f"{self.groups}: pairs of one group are swapped together")
            )
        if self.weights is not None:
            notes.append(Note(code="weights", text=f"{self.weights}: of each item in the means"))
        if self.tasks is not None:
            notes.append(
                Note(code="tasks", text=f"{self.tasks}: the means of all tasks count alike")
            )
        if self.decimals is not None:
            notes.append(
                Note(
                    code="rounded",
                    text=f"{self.rounded} values altered by decimals {self.decimals}",
                )
            )
        return notes

    def rows(self, mark: str = "") -> list[tuple[str, str]]:
        """Return the row of the columns, and the notes below it, as titles and texts; settings follow a ``mark``."""
        return [("data", self.columns()), *((note.code, note.said(mark)) for note in self.notes())]

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form, with the version of this package."""
        return {
            "files": [file.to_dict() for file in self.files],
            "columns": list(self.names),
            "id": self.id,
            "missing": self.missing,
            "dropped_pairs": self.dropped,
            "groups": self.groups,
            **{
                name: column
                for name, column in (("weights", self.weights), ("tasks", self.tasks))
                if column
            },
            **({"runs": self.runs} if self.runs else {}),
            **({"systems": list(self.systems)} if self.systems else {}),
            "decimals": self.decimals,
            "rounded": self.rounded,
            "version": __version__,
            **({"doubts": list(self.doubts)} if self.doubts else {}),
        }


def _whole(table: Table) -> bool:
    """Whether a table has two columns of whole numbers, which may be decimals cut at their commas."""
    return table.width == 2 and all(cell.isdecimal() for cells in table.rows for cell in cells)


def altered(columns: list[list[str]], decimals: int) -> int:
    """Return how many values another number of decimals changes."""
    return sum(
        a != b
        for column in columns
        for a, b in zip(exact_column(column, "scores"), exact_column(column, "scores", decimals))
    )


def _lines(numbers: tuple[int, ...]) -> str:
    """Write line numbers for people, runs as spans, and only the first spans of many.

    >>> _lines((2, 4, 5, 6))
    'lines 2, 4-6'
    """
    spans: list[list[int]] = []
    for number in numbers:
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = ", ".join(f"{a}-{b}" if b > a else f"{a}" for a, b in spans[:_SHOWN_SPANS])
    more = f", ... ({len(numbers)} in all)" if len(spans) > _SHOWN_SPANS else ""
    return f"line{'s' if len(numbers) > 1 else ''} {shown}{more}"


class Question(Record):
    """Data of one test: ``statistic``, entries ``u`` and ``v``, ``source``; ``groups``, ``weights``, ``tasks`` or None.

    With a ``design`` the entries are lists, the runs of each item; ``counts`` are those of
    McNemar's test, b and c, in place of items.

    ``words`` say for people what is compared, ``noun`` what a single value is; ``levels`` are the
    name and the level of each system: its mean, accuracy, F1, or other ratio.
    """

    statistic: Statistic
    u: list[Any]
    v: list[Any]
    groups: list[str] | None
    words: str
    source: Source
    noun: str = "a difference"
    levels: tuple[tuple[str, Exact], ...] = ()
    weights: list[str] | None = None
    tasks: list[str] | None = None
    design: str = ""
    counts: tuple[int, int] | None = None

    @property
    def units(self) -> dict[str, Any]:
        """What says how items are swapped and weighed, as arguments of a test."""
        return {"groups": self.groups, "weights": self.weights, "tasks": self.tasks}


def ask(
    tables: Sequence[Table],
    layout: Layout,
    reading: Reading = DEFAULT,
    *,
    swapped: bool = False,
    mu: Exact = 0,
) -> Question:
    """Return the test of the columns that :func:`exactperm.files.selection.select` takes from the files.

    The source counts the values that the reading's decimals change. Where the order is ``swapped``,
    v is compared with u in place of u with v; ``mu`` is added to the scores of the second.
    """
    both = (4,) if layout.kind == "labels" and len(tables) == 2 else ()
    allowed = (*layout.allowed, *both)
    chosen = select(tables, allowed, layout.meaning, reading, kind=layout.kind, roles=layout.roles)
    names, columns = chosen.names, chosen.columns
    if both and len(names) == 4:
        from .labels import one_gold

        names, columns = one_gold(names, columns)
    statistic, u, v = layout.entries(columns)
    if layout.kind == "counts":
        names = _systems(names)
    levels = layout.levels(columns, names, reading.decimals)
    other = _second(chosen) if len(columns) == 1 else None
    notes = checks.run(
        Asked(kind=layout.kind, names=names, columns=columns, levels=levels, other=other)
    )
    source = Source.of(chosen, reading, rounded=layout.kind == "scores", more=notes)
    source = source.with_names(reading, names[-2:] if len(columns) > 1 else ())
    if source.systems:
        names = source.systems
        levels = tuple(zip(names, [level for _name, level in levels]))
    words, noun, suffix = (
        layout.words,
        "a difference" if layout.name == "difference" else f"a {layout.words}",
        "",
    )
    if chosen.weights is not None or chosen.tasks is not None:
        items = _weights(chosen, statistic)
        levels = tuple(
            (name, items.mean(x, statistic, reading.decimals))
            for (name, _), x in zip(levels, (u, v))
        )
        words = "difference of means" if layout.kind == "scores" else words
        noun, suffix = f"a {words}", f", {items.words}"
    if swapped:
        u, v = v, u
    if mu:
        v = [score + mu for score in exact_column(v, "v")]
    return Question(
        statistic=statistic,
        u=u,
        v=v,
        groups=chosen.labels,
        weights=chosen.weights,
        tasks=chosen.tasks,
        words=f"{words}{_between(layout, names, len(columns), mu, swapped=swapped)}{suffix}",
        source=source,
        noun=noun,
        levels=levels,
    )


def _weights(chosen: Selection, statistic: Statistic) -> ItemWeights:
    """Return the factors of the items, which a statistic must take."""
    from ..swaps.weights import check_mean, item_weights

    check_mean(statistic, chosen.weights, chosen.tasks)
    items: Any = item_weights(chosen.weights, chosen.tasks, len(chosen.columns[0]))
    return items  # type: ignore[no-any-return]  # None without weights and tasks, which this is not


def _between(layout: Layout, names: Sequence[str], number: int, mu: Exact, *, swapped: bool) -> str:
    """Return what is compared with what, in words."""
    between = ", second - first" if swapped else ""
    if len(names) > 1:
        between = f" {names[-1]} - {names[-2]}" if swapped else f" {names[-2]} - {names[-1]}"
    if layout.roles and number == 4:  # what the counts are taken for, where no name says it
        between += f", from {layout.roles[0]} and {layout.roles[1]} of each"
    return f"{between}, less {number_text(mu)} each" if mu else between


def _second(chosen: Selection) -> Cure | None:
    """Return the cure that compares the only chosen column with another of its file, None where there is none."""
    part = chosen.parts[0]
    if part.table.width == 1:
        return None
    first = part.table.word(part.chosen[0])
    others = [column.word for column in part.rest if column.kind == "score"]
    from .suggestions import quoted

    return (
        Cure({"columns": ",".join(map(quoted, (first, others[0])))}, words="compares two systems")
        if others
        else None
    )


def _systems(names: tuple[str, ...]) -> tuple[str, str]:
    """Return the names of two systems by the names of their counts, "A" and "B" where these do not tell them apart."""
    half = len(names) // 2
    first, second = {*map(system, names[:half])}, {*map(system, names[half:])}
    told = len(first) == len(second) == 1 and first != second and "" not in first | second
    return (first.pop(), second.pop()) if told else ("A", "B")
