"""Define ready test statistics: differences of means, accuracy, precision, recall, F1 and any ratio of sums.

All are exact and antisymmetric: exchanging the two systems changes the sign. Macro-averaged F1 over
C classes is left out: its sums have 2 C free coordinates, and exact counting in so many dimensions
is too expensive. Small data can use a :class:`Statistic` of 4 C components.

Source: spec/09-own-theorems.md#own-f1-rank.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import sub

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import entries, exact, exact_column, is_sequence, place, scaled_column
from ..errors import ExactPermError, WrongType
from ..record import Record
from .columns import check_alignment, check_paired, is_difference, is_labelled, labels_of
from .statistic import Statistic

Entry = tuple[Exact, Exact]


# -------------------------------------------------------------------------------------------- means


def _over_number(column: object, argument: str, decimals: int | None) -> list[Exact]:
    """Return the scores divided by their number: the differences of these sum to the difference of the means."""
    numbers, scale = scaled_column(column, argument, decimals)
    shares = {x: exact(Fraction(x, scale * len(numbers))) for x in set(numbers)}
    return [shares[x] for x in numbers]


mean_difference: Statistic = Statistic((sub,), None, "difference of means", read=_over_number)
vars(mean_difference)[
    "__doc__"
] = """Mean of the differences u - v over the pairs, in the units of the scores.

Entries are scores. The p-value is the same as that of ``difference``.
"""


def accuracy(gold: object) -> Statistic:
    """Return the statistic "difference of accuracies" of two columns of predicted labels.

    ``gold`` has the right label of each pair; a prediction is correct where it equals (==) the
    label at its position. Raises ``ExactPermError`` for missing labels and columns of different
    lengths. Picklable where the labels are.
    Source: the example of Eq. 3; spec/02-structured-statistics.md#eq-3.

    >>> from exactperm.swaps.effects import swap_effects
    >>> swap_effects(["N", "V", "N"], ["N", "N", "V"], accuracy(["N", "V", "V"]))
    Flips(column=[0, 1, -1], n=3, scale=3)
    """
    return Statistic(
        (sub,),
        None,
        "difference of accuracies",
        read=_Correctness(
            gold=tuple(labels_of(gold, "gold")), _labelled=gold if is_labelled(gold) else None
        ),
    )


def is_mean(statistic: Statistic) -> bool:
    """Return whether a statistic is a ready mean over items: a difference of scores, of their means or of accuracies.

    >>> is_mean(mean_difference), is_mean(f1_difference)
    (True, False)
    """
    ready = statistic == mean_difference or isinstance(statistic.read, _Correctness)
    return statistic.combine is None and (ready or is_difference(statistic))


class _Correctness(Record):
    """Reader of a column of N labels: 1/N where the label is correct, else 0.

    ``_labelled`` is the column of right labels where it has an index, which others must share.
    """

    gold: tuple[Any, ...]
    _labelled: Any = None

    def __call__(self, column: object, argument: str, decimals: int | None) -> list[Exact]:
        _no_decimals(decimals)
        check_alignment((self._labelled, column), ("gold", argument))
        labels = labels_of(column, argument)
        check_paired(labels, self.gold, (argument, "gold"))
        share = exact(Fraction(1, len(labels)))
        return [
            share if label is wanted or _equal(label, wanted, argument, i) else 0
            for i, (label, wanted) in enumerate(zip(labels, self.gold))
        ]


def _equal(label: object, wanted: object, argument: str, position: int) -> bool:
    try:
        return bool(label == wanted)
    except Exception:  # an array, for example, has no single truth value
        raise WrongType(
            f"{place(argument, position)} is {short_text(label)}: it cannot be compared"
        ) from None


def _no_decimals(decimals: int | None) -> None:
    if decimals is not None:
        raise ExactPermError(
            f"decimals is {short_text(decimals)}: it applies to scores, not to labels or counts"
        )


# ----------------------------------------------------------------------------------- ratios of sums


def _first_of_u(a: Entry, _b: Entry) -> Exact:
    return a[0]


def _second_of_u(a: Entry, _b: Entry) -> Exact:
    return a[1]


def _first_of_v(_a: Entry, b: Entry) -> Exact:
    return b[0]


def _second_of_v(_a: Entry, b: Entry) -> Exact:
    return b[1]


def _ratios(a: Exact, b: Exact, c: Exact, d: Exact) -> Exact:
    """Return a / b - c / d with 0/0 = 0, by one Fraction: tests call this for every point."""
    if b and d:
        return Fraction(a * d - b * c, b * d)
    for numerator, denominator in ((a, b), (c, d)):
        if numerator and not denominator:
            raise ExactPermError(
                f"some swaps give a system the ratio {short_text(numerator)} / 0, which has no value"
            )
    return Fraction(a, b or 1) - Fraction(c, d or 1)


def _shares(a: Exact, b: Exact, c: Exact, d: Exact) -> Exact:
    return _ratios(a, a + b, c, c + d)


def _f1_scores(a: Exact, b: Exact, c: Exact, d: Exact) -> Exact:
    return _ratios(2 * a, 2 * a + b, 2 * c, 2 * c + d)


class _Pairs(Record):
    """Reader of a column of pairs of exact numbers >= 0; also of an array or a DataFrame of two columns."""

    meaning: tuple[str, str]

    def __call__(self, column: Any, argument: str, decimals: int | None) -> list[Entry]:
        _no_decimals(decimals)
        if hasattr(column, "columns") and hasattr(column, "to_numpy"):
            column = column.to_numpy()
        # The rows of an array know the type of their numbers, which tolist() forgets.
        array = hasattr(column, "dtype") and getattr(column, "ndim", 0) in (1, 2)
        rows = list(column) if array else entries(column, argument)
        return [self._pair(row, argument, i) for i, row in enumerate(rows)]

    def _pair(self, row: object, argument: str, position: int) -> Entry:
        where = place(argument, position)
        values = exact_column(row, where) if is_sequence(row) else None
        if values is None or len(values) != 2:
            kind = WrongType if values is None else ExactPermError
            raise kind(
                f"{where} is {short_text(row)}: it must be a pair ({', '.join(self.meaning)})"
            )
        for i, value in enumerate(values):
            if value < 0:
                raise ExactPermError(
                    f"{where}[{i}] is {short_text(value)}: {self.meaning[i]} must not be negative"
                )
        return values[0], values[1]


def _of_ratios(
    combine: Callable[..., Exact], name: str, meaning: tuple[str, str], doc: str
) -> Statistic:
    """Return the ready difference of two ratios x / (... + y) of sums, one of each system.

    For x, y >= 0 a ratio rises in x and falls in y; that of the second system is subtracted.
    """
    statistic = Statistic(
        (_first_of_u, _second_of_u, _first_of_v, _second_of_v),
        combine,
        name,
        read=_Pairs(meaning=meaning),
        monotone=(1, -1, -1, 1),
        antisymmetric=True,
    )
    vars(statistic)["__doc__"] = doc
    return statistic


ratio_difference = _of_ratios(
    _ratios,
    "difference of ratios",
    ("numerator", "denominator"),
    """Difference of two ratios of sums, such as error rates over tokens or word error rates.

Entries are pairs (numerator, denominator) of exact numbers >= 0. 0/0 counts as 0; ``ExactPermError`` where some
assignment gives a system a positive sum over 0.
""",
)

precision_difference = _of_ratios(
    _shares,
    "difference of precision",
    ("true positives", "false positives"),
    """Difference of precisions, each tp / (tp + fp) over all items.

Entries are pairs (true positives, false positives) of one item. The precision without predictions is 0.
""",
)

recall_difference = _of_ratios(
    _shares,
    "difference of recall",
    ("true positives", "false negatives"),
    """Difference of recalls, each tp / (tp + fn) over all items.

Entries are pairs (true positives, false negatives) of one item. The recall with nothing to find is 0.
""",
)

f1_difference = _of_ratios(
    _f1_scores,
    "difference of F1",
    ("true positives", "incorrect"),
    """Difference of F1 scores, each tp / (tp + incorrect / 2) over all items.

Entries are pairs (true positives, incorrect) of one item; incorrect = false positives + false negatives. 0/0
counts as 0: no credit for finding nothing where there is nothing. Source: Eq. 15-16; spec/02-structured-statistics.md.
""",
)
