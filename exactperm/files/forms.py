"""What each statistic takes from files: which columns, of which kind, and how they become its two entries."""

from __future__ import annotations

from collections.abc import Sequence

from .._types import Any
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact
from ..record import Record
from ..swaps.statistic import Statistic, difference


class Form(Record):
    """What one statistic takes; ``library`` is its name in :mod:`exactperm.swaps.metrics`, "" for a difference.

    ``words`` describe it, ``noun`` a single value of it, ``level`` what a system reaches, "" for a mean; ``meaning``
    are the columns of two systems A and B, ``kind`` is that of their cells: "scores", "labels" or "counts"; ``numbers``
    are the possible numbers of columns, none for two systems or more. Counts come as two columns per system, which make
    pairs; F1 also takes tp, fp, fn.
    """

    name: str
    words: str
    noun: str
    level: str = ""
    meaning: str = "scores of A, B"
    kind: str = "scores"
    library: str = ""
    numbers: tuple[int, ...] = (2,)

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


def _of_counts(name: str, of: str, meaning: str, numbers: tuple[int, ...] = (4,)) -> Form:
    words = f"difference of {of}"
    return Form(
        name=name,
        words=words,
        noun=f"a {words}",
        level=of,
        meaning=meaning,
        kind="counts",
        library=f"{name}_difference",
        numbers=numbers,
    )


DIFFERENCE = Form(name="difference", words="sum of the differences", noun="a difference")

SYSTEMS = Form(
    name="difference",
    words="difference of means",
    noun="a difference of means",
    meaning="one per system",
    numbers=(),
)
"""Scores of two systems or more, all pairs of which are compared."""

FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        DIFFERENCE,
        Form(
            name="mean",
            words="mean difference",
            noun="a mean difference",
            library="mean_difference",
        ),
        Form(
            name="accuracy",
            words="difference of accuracies",
            noun="a difference of accuracies",
            level="accuracy",
            meaning="right class labels, then those of A, B",
            kind="labels",
            library="accuracy",
            numbers=(3,),
        ),
        _of_counts(
            "f1",
            "F1",
            "tp, fp, fn of A, of B; or tp and incorrect (fp + fn) of A, of B",
            numbers=(4, 6),
        ),
        _of_counts("precision", "precision", "true and false positives of A, of B"),
        _of_counts("recall", "recall", "true positives and false negatives of A, of B"),
        _of_counts("ratio", "ratios of sums", "numerator and denominator of A, of B"),
        Form(name="wilcoxon", words="rank sum W of the differences", noun="a sum of ranks"),
        Form(name="sign", words="number of positive differences", noun="a difference in wins"),
        Form(name="mcnemar", words="number of wins", noun="a difference in wins"),
    )
}
"""The statistics by their names."""

MEANS = ("difference", "mean")
"""Statistics of means of scores."""

CLASSICAL = ("wilcoxon", "sign", "mcnemar")
"""Statistics of the classical tests, of columns as for the difference; McNemar's has scores 0 and 1."""
