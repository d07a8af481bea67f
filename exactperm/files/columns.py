"""How the columns of a file become the entries that a ready statistic compares."""

from __future__ import annotations

from ..record import Record
from ..swaps import metrics
from ..swaps.statistic import Statistic, difference
from . import tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Layout(Record):
    """The columns that one ``statistic`` takes; None stands for accuracy, which its column of right labels makes.

    ``words`` describe the statistic, ``meaning`` the columns, ``kind`` their cells: "scores", "labels" or "counts".
    Counts (true positives and the like) come as two columns for each system, which make pairs.
    """

    statistic: Statistic | None
    words: str
    meaning: str
    kind: str = "scores"

    @property
    def allowed(self) -> tuple[int, ...]:
        """The numbers of columns: scores may also come as one column of differences."""
        return {"scores": (1, 2), "labels": (3,), "counts": (4,)}[self.kind]

    def entries(self, columns: list[list[str]]) -> tuple[Statistic, list[Any], list[Any]]:
        """The statistic and its entries u and v. A difference d is compared with 0: swapping the two flips its sign."""
        if self.statistic is None:
            gold, u, v = columns
            return metrics.accuracy(gold), u, v
        if self.kind == "counts":
            first, second, third, fourth = columns
            return self.statistic, list(zip(first, second)), list(zip(third, fourth))
        u, v = columns if len(columns) == 2 else (columns[0], ["0"] * len(columns[0]))
        return self.statistic, u, v


LAYOUTS = {
    "difference": Layout(statistic=difference, words="sum of the differences", meaning="u, v"),
    "mean_difference": Layout(statistic=metrics.mean_difference, words="mean difference", meaning="u, v"),
    "accuracy": Layout(statistic=None, words="difference of accuracies", meaning="gold, u, v: labels", kind="labels"),
    "f1_difference": Layout(
        statistic=metrics.f1_difference,
        words="difference of F1",
        meaning="true positives and incorrect of u, of v",
        kind="counts",
    ),
    "precision_difference": Layout(
        statistic=metrics.precision_difference,
        words="difference of precision",
        meaning="true and false positives of u, of v",
        kind="counts",
    ),
    "recall_difference": Layout(
        statistic=metrics.recall_difference,
        words="difference of recall",
        meaning="true positives and false negatives of u, of v",
        kind="counts",
    ),
    "ratio_difference": Layout(
        statistic=metrics.ratio_difference,
        words="difference of ratios of sums",
        meaning="numerator and denominator of u, of v",
        kind="counts",
    ),
}
"""The statistics by their names in the library. The columns of "f1_difference" are those of the authors' data files."""


class Question(Record):
    """Data of one test: the ``statistic``, entries ``u`` and ``v``, ``groups``, and the ``names`` of the columns.

    ``words`` say what is compared, for people.
    """

    statistic: Statistic
    u: list[Any]
    v: list[Any]
    groups: list[str] | None
    words: str
    file: str
    names: tuple[str, ...]
    header: int | None

    @property
    def source(self) -> str:
        """Where the data come from, for people."""
        return f"{self.file}: {', '.join(self.names)}"

    def to_dict(self) -> dict[str, Any]:
        """Where the data come from, JSON-ready."""
        return {"file": self.file, "columns": list(self.names), "header_line": self.header}


def ask(sheet: tables.Sheet, layout: Layout, **choice: Any) -> Question:
    """The question that a sheet answers; ``choice`` is passed to :func:`exactperm.files.tables.select`."""
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
        file=sheet.name,
        names=names,
        header=chosen.header,
    )
