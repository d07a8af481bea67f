"""Turn the columns of a file into the entries that a ready statistic compares."""

from __future__ import annotations

from ..record import Record
from ..swaps.statistic import Statistic, difference
from . import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_SHOWN_SPANS = 8


class Layout(Record):
    """The columns that one statistic takes; ``name`` is its name in the library.

    ``words`` describe the statistic, ``meaning`` the columns, ``kind`` their cells: "scores", "labels" or "counts".
    Counts (true positives and the like) come as two columns per system, which make pairs.
    """

    name: str
    words: str
    meaning: str
    kind: str = "scores"

    @property
    def allowed(self) -> tuple[int, ...]:
        """The numbers of columns: scores may also come as one column of differences."""
        return {"scores": (1, 2), "labels": (3,), "counts": (4,)}[self.kind]

    @property
    def statistic(self) -> Any:
        """The library's object of this name: a statistic, or for "accuracy" the function that makes one."""
        if self.name == "difference":
            return difference
        from ..swaps import metrics

        return getattr(metrics, self.name)

    def entries(self, columns: list[list[str]]) -> tuple[Statistic, list[Any], list[Any]]:
        """Return the statistic and its entries u and v.

        Differences d are compared with 0: swapping d and 0 flips the sign of d.
        """
        if self.kind == "labels":
            gold, u, v = columns
            return self.statistic(gold), u, v
        if self.kind == "counts":
            first, second, third, fourth = columns
            return self.statistic, list(zip(first, second)), list(zip(third, fourth))
        u, v = columns if len(columns) == 2 else (columns[0], ["0"] * len(columns[0]))
        return self.statistic, u, v


LAYOUTS = {
    layout.name: layout
    for layout in (
        Layout(name="difference", words="sum of the differences", meaning="u, v"),
        Layout(name="mean_difference", words="mean difference", meaning="u, v"),
        Layout(name="accuracy", words="difference of accuracies", meaning="gold, u, v: labels", kind="labels"),
        Layout(
            name="f1_difference",
            words="difference of F1",
            meaning="true positives and incorrect of u, of v",
            kind="counts",
        ),
        Layout(
            name="precision_difference",
            words="difference of precision",
            meaning="true and false positives of u, of v",
            kind="counts",
        ),
        Layout(
            name="recall_difference",
            words="difference of recall",
            meaning="true positives and false negatives of u, of v",
            kind="counts",
        ),
        Layout(
            name="ratio_difference",
            words="difference of ratios of sums",
            meaning="numerator and denominator of u, of v",
            kind="counts",
        ),
    )
}
"""The statistics by their names in the library. The columns of "f1_difference" are those of the authors' data files."""


class Source(Record):
    """Where the data of a test come from, and how the file was read.

    ``names`` of the columns used, ``header`` the line of the header or None, ``first`` the line of the first row,
    ``comments`` and ``blanks`` the lines that were left out.
    """

    file: str
    names: tuple[str, ...]
    header: int | None
    first: int
    comments: tuple[int, ...]
    blanks: tuple[int, ...]

    @classmethod
    def of(cls, sheet: tables.Sheet, chosen: tables.Selection) -> Source:
        """Return the source of the columns that were chosen from a sheet."""
        return cls(
            file=sheet.name,
            names=chosen.names,
            header=chosen.header,
            first=sheet.rows[0][0],
            comments=sheet.comments,
            blanks=sheet.blanks,
        )

    def notes(self) -> list[tuple[str, str]]:
        """Return rows for people: the header and the lines left out, each with the option that decides otherwise."""
        none = f"none; --header yes makes line {self.first} one"
        rows = [("header", none if self.header is None else f"line {self.header}; --header no makes it data")]
        if self.comments:
            rows.append(("comments", f"{_lines(self.comments)} left out; --comments no makes them data"))
        if self.blanks:
            rows.append(("blank", f"{_lines(self.blanks)} left out"))
        return rows

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready form."""
        return {
            "file": self.file,
            "columns": list(self.names),
            "header_line": self.header,
            "comment_lines": list(self.comments),
            "blank_lines": list(self.blanks),
        }


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
    """Data of one test: the ``statistic``, entries ``u`` and ``v``, ``groups``, and their ``source``.

    ``words`` say for people what is compared.
    """

    statistic: Statistic
    u: list[Any]
    v: list[Any]
    groups: list[str] | None
    words: str
    source: Source


def ask(sheet: tables.Sheet, layout: Layout, **choice: Any) -> Question:
    """Return the test that a sheet asks for; ``choice`` is passed to :func:`exactperm.files.tables.select`."""
    chosen = tables.select(sheet, layout.allowed, layout.meaning, kind=layout.kind, **choice)
    statistic, u, v = layout.entries(chosen.columns)
    names = chosen.names
    between = f" {names[-2]} - {names[-1]}" if len(names) in (2, 3) else ""  # the last two, but for counts
    return Question(
        statistic=statistic,
        u=u,
        v=v,
        groups=chosen.labels,
        words=f"{layout.words}{between}",
        source=Source.of(sheet, chosen),
    )
