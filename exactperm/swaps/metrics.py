"""Ready test statistics beside the plain difference: means, accuracy, precision, recall, F1, any ratio of sums.

All are exact and all are antisymmetric: exchanging the two systems changes the sign. Entries are what each system got
on one item. Macro-averaged F1 over C classes is left out: its sums have 2 C free coordinates, and no exact count in so
many dimensions has a bearable cost; small data can use a :class:`Statistic` of 4 C components.

Source: id own-ratios.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from operator import sub

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import entries, exact, exact_column, place
from ..errors import ExactPermError, WrongType
from ..record import Record
from .statistic import Statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact
    from .statistic import Combine

    Entry = tuple[Exact, Exact]


# ---------------------------------------------------------------------------------------------- means


def _over_number(column: Any, argument: str, decimals: int | None) -> list[Exact]:
    """The scores over their number: the sum of the differences of these is the difference of the means."""
    scores = exact_column(column, argument, decimals)
    return [exact(Fraction(x) / len(scores)) for x in scores]


mean_difference = Statistic((sub,), None, "difference of means", read=_over_number)
"""Mean of u - v over the pairs; the same p-value as ``difference``, in the units of the scores."""


def accuracy(gold: Any) -> Statistic:
    """The difference of accuracies of two columns of predicted labels, given the right ones.

    ``gold`` has one label a pair; a prediction is correct where it equals (==) the label at its position. Errors name
    the columns whose lengths differ. Picklable where the labels are. Source: the accuracy of Eq. 3's example; id eq-3.

    >>> from exactperm.swaps.effects import swap_effects
    >>> swap_effects(["N", "V", "N"], ["N", "N", "V"], accuracy(["N", "V", "V"])).observed()
    (0,)
    """
    return Statistic((sub,), None, "difference of accuracies", read=_Correctness(gold=tuple(_labels(gold, "gold"))))


class _Correctness(Record):
    """Reader of a column of N labels: 1/N where the label is the right one, else 0."""

    gold: tuple[Any, ...]

    def __call__(self, column: Any, argument: str, decimals: int | None) -> list[Exact]:
        _no_decimals(decimals)
        labels = _labels(column, argument)
        if len(labels) != len(self.gold):
            raise ExactPermError(
                f"{argument} has {len(labels)} labels and gold has {len(self.gold)}: they must be paired"
            )
        right = exact(Fraction(1, len(labels) or 1))
        return [right if label == wanted else 0 for label, wanted in zip(labels, self.gold)]


def _labels(column: Any, argument: str) -> list[Any]:
    """A column of labels, none of them missing."""
    labels = entries(column, argument)
    for position, label in enumerate(labels):
        if label is None or (isinstance(label, float) and math.isnan(label)):
            raise ExactPermError(f"{place(argument, position)} is {label}: the label is missing")
    return labels


def _no_decimals(decimals: int | None) -> None:
    if decimals is not None:
        raise ExactPermError(f"decimals is {short_text(decimals)}: it applies to scores, not to labels or counts")


# ---------------------------------------------------------------------------------------------- ratios of sums


def _first_of_u(a: Entry, _b: Entry) -> Exact:
    return a[0]


def _second_of_u(a: Entry, _b: Entry) -> Exact:
    return a[1]


def _first_of_v(_a: Entry, b: Entry) -> Exact:
    return b[0]


def _second_of_v(_a: Entry, b: Entry) -> Exact:
    return b[1]


def _ratios(a: Exact, b: Exact, c: Exact, d: Exact) -> Exact:
    """The difference a / b - c / d, with 0/0 = 0: one Fraction, made once, since tests call this often."""
    if b and d:
        return Fraction(a * d - b * c, b * d)
    for numerator, denominator in ((a, b), (c, d)):
        if numerator and not denominator:
            raise ExactPermError(
                f"an assignment gives a system the sums {short_text(numerator)} over 0: its ratio has no value there"
            )
    return Fraction(a, b or 1) - Fraction(c, d or 1)


def _shares(a: Exact, b: Exact, c: Exact, d: Exact) -> Exact:
    return _ratios(a, a + b, c, c + d)


def _f1_scores(a: Exact, b: Exact, c: Exact, d: Exact) -> Exact:
    return _ratios(2 * a, 2 * a + b, 2 * c, 2 * c + d)


class _Pairs(Record):
    """Reader of a column of pairs of exact numbers >= 0; also of an array of two dimensions."""

    meaning: tuple[str, str]

    def __call__(self, column: Any, argument: str, decimals: int | None) -> list[Entry]:
        _no_decimals(decimals)
        rows = list(column) if getattr(column, "ndim", 1) == 2 else entries(column, argument)
        return [self._pair(row, f"{argument}[{i}]") for i, row in enumerate(rows)]

    def _pair(self, row: Any, place: str) -> Entry:
        values = None if isinstance(row, (str, bytes)) or not isinstance(row, Iterable) else tuple(row)
        if values is None or len(values) != 2:
            kind = WrongType if values is None else ExactPermError
            raise kind(f"{place} is {short_text(row)}: it must be a pair ({', '.join(self.meaning)})")
        first, second = [exact(value, place, i) for i, value in enumerate(values)]
        for i, value in enumerate((first, second)):
            if value < 0:
                raise ExactPermError(f"{place}[{i}] is {short_text(value)}: {self.meaning[i]} must not be negative")
        return first, second


def _ratio_statistic(combine: Combine, name: str, meaning: tuple[str, str]) -> Statistic:
    # Every x / (... + y) with x, y >= 0 rises in x and falls in y; the second system's is subtracted.
    return Statistic(
        (_first_of_u, _second_of_u, _first_of_v, _second_of_v),
        combine,
        name,
        read=_Pairs(meaning=meaning),
        monotone=(1, -1, -1, 1),
        antisymmetric=True,
    )


ratio_difference = _ratio_statistic(_ratios, "difference of ratios", ("numerator", "denominator"))
"""Sum of numerators over sum of denominators, of u less that of v: error rates over tokens, word error rate.

Entries are pairs (numerator, denominator) of exact numbers >= 0. 0/0 counts as 0; data in which some assignment gives
a system a positive sum over 0 are refused.
"""

precision_difference = _ratio_statistic(_shares, "difference of precision", ("true positives", "false positives"))
"""tp / (tp + fp) over all items; entries are (true positives, false positives). No predictions at all count as 0."""

recall_difference = _ratio_statistic(_shares, "difference of recall", ("true positives", "false negatives"))
"""tp / (tp + fn) over all items; entries are (true positives, false negatives). Nothing to find counts as 0."""

f1_difference = _ratio_statistic(_f1_scores, "difference of F1", ("true positives", "incorrect"))
"""tp / (tp + in / 2) over all items; entries are (true positives, incorrect), incorrect = false positives + negatives.

0/0 counts as 0: a system that finds nothing, where there is nothing, gets no credit. Source: Eq. 15-16; ids eq-15,
eq-16, ex-f1, own-f1-rank, draft-eq-5, draft-eq-6.
"""
