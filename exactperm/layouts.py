"""How the columns of a file become the entries that a ready statistic compares."""

from __future__ import annotations

from exactperm import metrics, tables
from exactperm.record import Record
from exactperm.statistic import Statistic, difference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Layout(Record):
    """The columns that one ``statistic`` takes.

    ``words`` describe the statistic, ``meaning`` the columns. Counts (true positives and the like) come as two columns
    for each system, which make pairs, and must not be negative.
    """

    statistic: Statistic
    words: str
    meaning: str
    counts: bool = False

    @property
    def allowed(self) -> tuple[int, ...]:
        """The numbers of columns: scores may also come as one column of differences."""
        return (4,) if self.counts else (1, 2)

    def entries(self, columns: list[list[str]]) -> tuple[list[Any], list[Any]]:
        """The columns of entries (u, v). A difference d is compared with 0: swapping the two flips its sign."""
        if self.counts:
            first, second, third, fourth = columns
            return list(zip(first, second)), list(zip(third, fourth))
        u, v = columns if len(columns) == 2 else (columns[0], ["0"] * len(columns[0]))
        return u, v


LAYOUTS = {
    "difference": Layout(statistic=difference, words="sum of the differences", meaning="u, v"),
    "mean_difference": Layout(statistic=metrics.mean_difference, words="mean difference", meaning="u, v"),
    "f1_difference": Layout(
        statistic=metrics.f1_difference,
        words="difference of F1",
        meaning="true positives and incorrect of u, of v",
        counts=True,
    ),
    "precision_difference": Layout(
        statistic=metrics.precision_difference,
        words="difference of precision",
        meaning="true and false positives of u, of v",
        counts=True,
    ),
    "recall_difference": Layout(
        statistic=metrics.recall_difference,
        words="difference of recall",
        meaning="true positives and false negatives of u, of v",
        counts=True,
    ),
    "ratio_difference": Layout(
        statistic=metrics.ratio_difference,
        words="difference of ratios of sums",
        meaning="numerator and denominator of u, of v",
        counts=True,
    ),
}
"""The statistics by their names in the library. The columns of "f1_difference" are those of the authors' data files."""


class Question(Record):
    """Data of one test: entries ``u`` and ``v``, ``groups``, the ``layout`` they follow and the ``names`` they had."""

    u: list[Any]
    v: list[Any]
    groups: list[str] | None
    layout: Layout
    file: str
    names: tuple[str, ...]
    header: int | None

    @property
    def source(self) -> str:
        """Where the data come from, for people."""
        return f"{self.file}: {', '.join(self.names)}"

    @property
    def words(self) -> str:
        """What is compared, for people."""
        between = f" {self.names[0]} - {self.names[1]}" if len(self.names) == 2 else ""
        return f"{self.layout.words}{between}"

    def to_dict(self) -> dict[str, Any]:
        """Where the data come from, JSON-ready."""
        return {"file": self.file, "columns": list(self.names), "header_line": self.header}


def ask(sheet: tables.Sheet, layout: Layout, **choice: Any) -> Question:
    """The question that a sheet answers; ``choice`` is passed to :func:`exactperm.tables.select`."""
    chosen = tables.select(sheet, layout.allowed, layout.meaning, signed=not layout.counts, **choice)
    u, v = layout.entries(chosen.columns)
    return Question(
        u=u, v=v, groups=chosen.labels, layout=layout, file=sheet.name, names=chosen.names, header=chosen.header
    )
