"""Weight the items of a test: exact factors that make its statistic a weighted mean, or a mean over tasks.

Without tasks T = sum of w_i (u_i - v_i) / sum of w_i. With K tasks it is the mean over tasks of the
weighted means over their items (the macro average): item i of task t has the factor w_i / (K W_t),
W_t the sum of the weights of the task. A swap exchanges w_i u_i and w_i v_i, so all theorems on
differences hold for the products. Three items of the tasks a, a and b have the factors 1/4, 1/4 and
1/2: the integers 1, 1 and 2 in units of 1/4.

Source: spec/02-structured-statistics.md#own-weights.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd
from operator import mul

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import common_multiple, rescaled
from ..arithmetic.reading import scaled_column
from ..arithmetic.writing import number_text
from ..errors import ExactPermError
from ..record import Record
from .columns import (
    ReadColumn,
    check_alignment,
    check_paired,
    is_difference,
    read_column,
    unit_numbers,
)
from .effects import SwapUnits, paired_effects, whole
from .metrics import is_mean, mean_difference
from .statistic import Statistic, difference


class ItemWeights(Record):
    """Exact factors of the items: positive integers in units of 1/``scale``, with the sum ``scale``.

    ``words`` say which mean they make of the differences.
    """

    factors: list[int]
    scale: int
    words: str

    def times(self, column: ReadColumn, statistic: Statistic) -> ReadColumn:
        """Return the entries that a mean has read, each times the factor of its item."""
        scores: Any = whole(column)
        # The readers of means have divided by the number of items, which the factors do themselves.
        shares = 1 if is_difference(statistic) else len(self.factors)
        entries = list(map(mul, scores.entries, rescaled(self.factors, shares)))
        return ReadColumn(entries=entries, scale=scores.scale * self.scale)

    def statistic(self, of: Statistic) -> Statistic:
        """Return the statistic of entries that have their factors, named after the mean that it is ``of``."""
        name = mean_difference.name if is_difference(of) else of.name
        return Statistic(difference.components, None, f"{name}, {self.words}", read=difference.read)


def item_weights(weights: object, tasks: object, n: int) -> ItemWeights | None:
    """Return the factors of ``n`` items by their ``weights`` and the labels of their ``tasks``; None for neither.

    Weights are exact numbers above 0, without weights all are 1; labels are any hashable values.
    Only ratios of weights count, within each task. Raises ``ExactPermError`` and ``WrongType`` with
    argument, position and value, and ``BudgetExceeded`` where the factors have no common
    denominator of bearable size. Cost: a microsecond per item.

    >>> item_weights(None, ["a", "a", "b"], 3)
    ItemWeights(factors=[1, 1, 2], scale=4, words='mean over 2 tasks of the means over items')
    """
    if weights is None and tasks is None:
        return None
    numbers = [1] * n if weights is None else _positive(weights, n)
    if tasks is None:
        common = gcd(*numbers)
        numbers = [x // common for x in numbers]
        return ItemWeights(factors=numbers, scale=sum(numbers), words="items weighted")
    places = unit_numbers(tasks, n, "tasks")
    sums = [0] * (max(places) + 1)
    for task, x in zip(places, numbers):
        sums[task] += x
    scale = common_multiple(set(sums), n)
    shares = [scale // x for x in sums]
    factors = list(map(mul, numbers, map(shares.__getitem__, places)))
    common = gcd(*factors)
    many, means = (
        f"{len(sums)} task{'s' * (len(sums) > 1)}",
        "means" if weights is None else "weighted means",
    )
    return ItemWeights(
        factors=[x // common for x in factors],
        scale=scale * len(sums) // common,
        words=f"mean over {many} of the {means} over items",
    )


def _positive(weights: object, n: int) -> list[int]:
    """Return n weights as integers in a common unit."""
    numbers, scale = scaled_column(weights, "weights")
    if len(numbers) != n:
        raise ExactPermError(f"weights has {len(numbers)} entries for {n} pairs")
    if min(numbers) <= 0:
        i = next(i for i, x in enumerate(numbers) if x <= 0)
        why = (
            ""
            if numbers[i]
            else "; leave such pairs out: no mean has them, but they would be counted as pairs"
        )
        raise ExactPermError(
            f"weights[{i}] is {number_text(Fraction(numbers[i], scale))}: it must be above 0{why}"
        )
    return numbers


def check_mean(statistic: Statistic, tasks: object) -> None:
    """Raise ``ExactPermError`` unless a statistic is a ready mean, whose items can have weights."""
    if is_mean(statistic):
        return
    name = short_text(statistic.name)
    if tasks is not None:
        why = f"a mean over tasks of {name} is no function of sums over all items"
    else:
        why = f"{name} is no mean over items; weighted counts or entries are entries like others: multiply them first"
    argument = "weights" if tasks is None else "tasks"
    raise ExactPermError(f"{argument} takes differences of means and of accuracies: {why}")


def weighted_effects(
    u: object,
    v: object,
    statistic: Statistic,
    *,
    weights: object,
    tasks: object,
    groups: object = None,
    decimals: int | None = None,
) -> tuple[SwapUnits, Statistic]:
    """Return the effects of all swap units with weights of the items, and the statistic, which has another name.

    ``weights`` and ``tasks`` as for :func:`item_weights`, not both None; all else as for
    :func:`exactperm.swaps.effects.swap_effects`. In a group each pair has its own weight.

    >>> effects, statistic = weighted_effects([3, 5, 0], [1, 3, 1], difference, weights=None, tasks=["a", "a", "b"])
    >>> effects.observed(), statistic.name
    ((Fraction(1, 2),), 'difference of means, mean over 2 tasks of the means over items')
    """
    check_alignment((u, v, groups, weights, tasks), ("u", "v", "groups", "weights", "tasks"))
    (first, second), known = read_columns({"u": u, "v": v}, statistic, weights, tasks, decimals)
    return paired_effects(first, second, known, groups=groups), known


def read_columns(
    columns: Mapping[str, object],
    statistic: Statistic,
    weights: object,
    tasks: object,
    decimals: int | None = None,
) -> tuple[list[ReadColumn], Statistic]:
    """Return named columns of one length with the weights of their items, and the statistic of these.

    Without weights and tasks both are as they are read.
    """
    said = weights is not None or tasks is not None
    if said:
        check_mean(statistic, tasks)
    read = [read_column(column, name, statistic, decimals) for name, column in columns.items()]
    first, *others = columns
    for name, other in zip(others, read[1:]):
        check_paired(read[0].entries, other.entries, (first, name))
    items = item_weights(weights, tasks, len(read[0].entries)) if said else None
    if items is None:
        return read, statistic
    return [items.times(column, statistic) for column in read], items.statistic(statistic)
