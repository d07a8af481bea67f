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


SYSTEMS = Form(
    name="difference",
    words="difference of means",
    noun="a difference of means",
    meaning="one per system",
    numbers=(),
)
"""Scores of two systems or more, all pairs of which are compared."""

_TABLE = """\
difference | scores | 2   |           |                      | sum of the differences | a difference
mean       | scores | 2   |           | mean_difference      | mean difference | a mean difference
accuracy   | labels | 3   | accuracy  | accuracy             | difference of accuracies | a difference of accuracies
f1         | counts | 4 6 | F1        | f1_difference        | difference of F1 | a difference of F1
precision  | counts | 4   | precision | precision_difference | difference of precision | a difference of precision
recall     | counts | 4   | recall    | recall_difference    | difference of recall | a difference of recall
ratio      | counts | 4   | ratios of sums | ratio_difference | difference of ratios of sums | a difference of ratios of sums
wilcoxon   | scores | 2   |           |                      | rank sum W of the differences | a sum of ranks
sign       | scores | 2   |           |                      | number of wins minus losses | a difference in wins
mcnemar    | scores | 2   |           |                      | number of wins | a difference in wins
"""
"""Name, kind, numbers of columns, level, the library's object, words and noun of each statistic."""

_MEANINGS = {
    "accuracy": "right class labels, then those of A, B",
    "f1": "tp, fp, fn of A, of B; or tp and incorrect (fp + fn) of A, of B",
    "precision": "true and false positives of A, of B",
    "recall": "true positives and false negatives of A, of B",
    "ratio": "numerator and denominator of A, of B",
}


def _form(line: str) -> Form:
    name, kind, numbers, level, library, words, noun = map(str.strip, line.split("|"))
    return Form(
        name=name,
        kind=kind,
        numbers=tuple(map(int, numbers.split())),
        level=level,
        library=library,
        words=words,
        noun=noun,
        meaning=_MEANINGS.get(name, "scores of A, B"),
    )


FORMS = {form.name: form for form in map(_form, _TABLE.splitlines())}
"""The statistics by their names."""

DIFFERENCE = FORMS["difference"]

MEANS = ("difference", "mean")
"""Statistics of means of scores."""

CLASSICAL = ("wilcoxon", "sign", "mcnemar")
"""Statistics of the classical tests, of columns as for the difference; McNemar's has scores 0 and 1."""
