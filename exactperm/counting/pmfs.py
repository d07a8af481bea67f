"""The mappings {value: number of swaps} that the paper's convolutions read.

One pair whose effect is 3 as observed and -3 swapped is {3: 1, -3: 1}, a tie is {0: 2}.

Source: spec/09-own-theorems.md#own-checked-pmfs.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import entries
from ..errors import ExactPermError, WrongType


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
