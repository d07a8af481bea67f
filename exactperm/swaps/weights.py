"""Weight the items of a test: exact factors that make its statistic a weighted mean, or a mean over tasks.

Without tasks T = sum of w_i (u_i - v_i) / sum of w_i. With K tasks it is the mean over tasks of the
weighted means over their items (the macro average): item i of task t has the factor w_i / (K W_t),
W_t the sum of the weights of the task. A swap exchanges w_i u_i and w_i v_i, so all theorems on
differences hold for the products. Three items of the tasks a, a and b have the factors 1/4, 1/4 and
1/2: the integers 1, 1 and 2 in units of 1/4.

Source: spec/02-structured-statistics.md#own-weights.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd
from operator import mul

from ..arithmetic.quoting import short_text
from ..arithmetic.rational import common_multiple, rescaled
from ..arithmetic.reading import scaled_column
from ..arithmetic.writing import number_text
from ..errors import ExactPermError
from ..record import Record
from .columns import Entries, check_alignment, is_difference, read_columns, unit_numbers
from .effects import SwapUnits, paired_effects
from .metrics import is_mean, mean_difference
from .statistic import Statistic, difference


class ItemWeights(Record):
    """Exact factors of the items: positive integers in units of 1/``scale``, with the sum ``scale``.

    ``words`` say which mean they make of the differences.
    """

    factors: list[int]
    scale: int
    words: str


def item_weights(weights: object, tasks: object, n: int) -> ItemWeights:
    """Return the factors of ``n`` items by their ``weights`` and the labels of their ``tasks``, or by one of them.

    Weights are exact numbers above 0, without weights all are 1; labels are any hashable values.
    Only ratios of weights count, within each task. Raises ``ExactPermError`` and ``WrongType`` with
    argument, position and value, and ``BudgetExceeded`` where the factors have no common
    denominator of bearable size. Cost: a microsecond per item.

    >>> item_weights(None, ["a", "a", "b"], 3)
    ItemWeights(factors=[1, 1, 2], scale=4, words='mean over 2 tasks of the means over items')
    """
    factors = [1] * n if weights is None else _positive(weights, n)
    words = "items weighted"
    if tasks is not None:
        places = unit_numbers(tasks, n, "tasks")
        sums = [0] * (max(places) + 1)
        for task, x in zip(places, factors):
            sums[task] += x
        scale = common_multiple(set(sums), n)
        shares = [scale // x for x in sums]
        factors = [x * shares[task] for x, task in zip(factors, places)]
        many = f"{len(sums)} task{'s' * (len(sums) > 1)}"
        words = f"mean over {many} of the {'' if weights is None else 'weighted '}means over items"
    common = gcd(*factors)
    factors = [x // common for x in factors]
    return ItemWeights(factors=factors, scale=sum(factors), words=words)


def _positive(weights: object, n: int) -> list[int]:
    """Return n weights as integers in a common unit."""
    numbers, scale = scaled_column(weights, "weights")
    if len(numbers) != n:
        raise ExactPermError(f"weights has {len(numbers)} entries for {n} pairs")
    for i, x in enumerate(numbers):
        if x <= 0:
            why = "; leave such pairs out: no mean has them, but they would be counted as pairs"
            shown = number_text(Fraction(x, scale))
            raise ExactPermError(f"weights[{i}] is {shown}: it must be above 0{why * (not x)}")
    return numbers


def check_mean(statistic: Statistic, tasks: object) -> None:
    """Raise ``ExactPermError`` unless a statistic is a ready mean, whose items can have weights."""
    if is_mean(statistic):
        return
    argument = "weights" if tasks is None else "tasks"
    raise ExactPermError(
        f"{argument} takes differences of means and of accuracies: {short_text(statistic.name)} is no mean over "
        "items. Counts and entries of your own have weights where they are multiplied first"
    )


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
    >>> effects.column, effects.scale, statistic.name
    ([2, 2, -2], 4, 'difference of means, mean over 2 tasks of the means over items')
    """
    check_alignment((u, v, groups, weights, tasks), ("u", "v", "groups", "weights", "tasks"))
    columns = {"u": u, "v": v}
    (first, second), scale, known = weighted_columns(columns, statistic, weights, tasks, decimals)
    return paired_effects(first, second, scale, known, groups), known


def weighted_columns(
    columns: Mapping[str, object],
    statistic: Statistic,
    weights: object,
    tasks: object,
    decimals: int | None = None,
) -> tuple[Sequence[Entries], int, Statistic]:
    """Return what :func:`exactperm.swaps.columns.read_columns` does, and the statistic.

    With weights or tasks the entries have the factors of their items, and the statistic is named
    after its mean.
    """
    if weights is None and tasks is None:
        return (*read_columns(columns, statistic, decimals), statistic)
    check_mean(statistic, tasks)
    read, scale = read_columns(columns, statistic, decimals)
    n = len(read[0])
    items = item_weights(weights, tasks, n)
    # The readers of other means have divided by the number of items, which the factors do themselves.
    plain = is_difference(statistic)
    factors = rescaled(items.factors, 1 if plain else n)
    name = f"{mean_difference.name if plain else statistic.name}, {items.words}"
    known = Statistic(difference.components, None, name, read=difference.read)
    return [list(map(mul, column, factors)) for column in read], scale * items.scale, known
