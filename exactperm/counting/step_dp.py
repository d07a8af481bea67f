"""The whole distribution of a sum of steps, item by item: {sum: number of choices}.

Source: spec/15-runs.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..budget import Progress
from ..swaps.steps import Step


def count_at_most(types: Mapping[Step, int], k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k."""
    return sum(count for x, count in counts(types, progress=progress).items() if x <= k)


def counts(types: Mapping[Step, int], *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending, zeros left out.

    >>> counts({((0, 1), (1, 2)): 2})
    {0: 1, 1: 4, 2: 4}
    """
    found = {0: 1}
    for step, number in types.items():
        for _ in range(number):
            grown: dict[int, int] = {}
            for total, count in found.items():
                for value, weight in step:
                    grown[total + value] = grown.get(total + value, 0) + count * weight
            found = grown
    return dict(sorted(found.items()))
