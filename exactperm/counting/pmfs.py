"""The mappings {value: number of swaps} that the paper's convolutions read, and their canonical form.

One pair whose effect is 3 as observed and -3 swapped is {3: 1, -3: 1}, a tie is {0: 2}. Together
they are one unit of 1 + x: a sum is -3 + 6 X, and two swaps belong to each choice.

Source: spec/09-own-theorems.md#own-checked-pmfs.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import entries
from ..budget import Budget, Estimate, Unfit
from ..errors import BudgetExceeded, Cure, ExactPermError, WrongType
from ..swaps.canonical import canonical_sum
from ..swaps.units import Units, compact


def convolved(
    pmfs: Iterable[Mapping[int, int]],
    estimate: Callable[[Units, int | None], Estimate | Unfit],
    counts: Callable[[Units], dict[int, int]],
    instead: str,
) -> dict[int, int]:
    """Return {sum: number of swap assignments} by an engine, ascending; ``BudgetExceeded`` says what to do ``instead``."""
    checked = checked_pmfs(pmfs)
    if not all(checked):
        return {}
    low = sum(map(min, checked))
    form = canonical_sum(checked, low, 1)
    units = compact(form.tally)
    what = f"convolving {len(checked)} mappings"
    cost = estimate(units, None)
    if isinstance(cost, Unfit):
        raise BudgetExceeded(what, detail=f"it {cost.reason}", cure=Cure(words=instead))
    Budget().check(cost, what, instead)
    step = int(form.unit)
    return {low + step * x: form.common * count for x, count in counts(units).items()}


def checked_pmfs(pmfs: Iterable[Mapping[int, int]]) -> list[dict[int, int]]:
    """Return ``pmfs`` as dictionaries of plain ints without zero counts, or raise an error that names the entry.

    >>> checked_pmfs([{3: 1, -3: 1, 0: 0}])
    [{3: 1, -3: 1}]
    """
    return [_checked_pmf(pmf, f"pmfs[{i}]") for i, pmf in enumerate(entries(pmfs, "pmfs"))]


def _checked_pmf(pmf: object, place: str) -> dict[int, int]:
    if not isinstance(pmf, Mapping):
        raise WrongType(
            f"{place} is {short_text(pmf)}: it must be a mapping {{value: number of swaps}}"
        )
    checked = {}
    for value, times in pmf.items():
        try:
            plain, number = operator.index(value), operator.index(times)
        except TypeError:
            entry = f"{place} has the entry {short_text(value)}: {short_text(times)}"
            raise WrongType(
                f"{entry}: values and numbers of swaps are ints, not probabilities"
            ) from None
        if number < 0:
            raise ExactPermError(
                f"{place}[{short_text(plain)}] is {short_text(number)}: a number of swaps is not negative"
            )
        if number:
            checked[plain] = number
    return checked
