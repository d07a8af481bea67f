"""The distribution of a sum of steps, item by item: {sum: number of choices}, for few sums of any size.

For two items of 1 + 2x: {0: 1}, then {0: 1, 1: 2}, then {0: 1, 1: 2 + 2, 2: 4}.

Source: Eq. 7 with weights; spec/15-runs.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..budget import Estimate, Progress, Unfit
from ..swaps.units import Step, degree
from .tally import bits_of, seconds_of_weights, ticker

_MOST_STEPS = 1e11

# Measured on CPython 3.11.
_SECONDS_START, _SECONDS_TERM, _SECONDS_BIT = 5e-6, 9e-8, 4e-11
_BYTES_START, _BYTES_SUM = 1_000, 180


def estimate(types: Mapping[Step, int], k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes by a bound of the number of sums after each type."""
    most = float((degree(types) if k is None else k) + 1)
    bits = bits_of(types)
    sums, steps = 1.0, 0.0
    for step, number in types.items():
        for done in range(number):
            before, sums = sums, min(sums * len(step), most)
            steps += before * len(step)
            if sums == most:
                steps += (number - done - 1) * most * len(step)
                break
    if steps > _MOST_STEPS:
        return Unfit(reason=f"would take more than {_MOST_STEPS:.0e} steps")
    seconds = _SECONDS_START + steps * (
        _SECONDS_TERM + bits * (_SECONDS_BIT + seconds_of_weights(types))
    )
    return Estimate(seconds=seconds, bytes=int(_BYTES_START + 2 * sums * (_BYTES_SUM + bits / 8)))


def count_at_most(types: Mapping[Step, int], k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    >>> count_at_most({((0, 1), (1, 2)): 2}, 1)
    5
    """
    return sum(_summed(types, k, progress).values())


def counts(types: Mapping[Step, int], *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending, zeros left out.

    >>> counts({((0, 1), (1, 2)): 2})
    {0: 1, 1: 4, 2: 4}
    """
    return dict(sorted(_summed(types, degree(types), progress).items()))


def _summed(types: Mapping[Step, int], k: int, progress: Progress | None) -> dict[int, int]:
    """Return {sum: number of choices} of the sums up to k."""
    found = {0: 1}
    tick = ticker(progress, sum(types.values()))
    for step, number in types.items():
        for _ in range(number):
            grown: dict[int, int] = {}
            for value, weight in step:
                for total, count in found.items():
                    target = total + value
                    if target <= k:
                        grown[target] = grown.get(target, 0) + count * weight
            found = grown
            tick(1)
    return found
