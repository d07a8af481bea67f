"""The choice of the engine for sums of steps: items whose values have weights, where a pair has two states.

Source: spec/15-runs.md.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..budget import DEFAULTS, Options
from ..swaps.steps import Step
from . import step_dp


def tail_counts(
    types: Mapping[Step, int], low: int | None, high: int | None, options: Options = DEFAULTS
) -> tuple[int, int, str]:
    """Count the choices whose values sum to at most ``low``, and those with at least ``high``; name the engine.

    None stands for a tail that is not needed, whose count is 0.

    >>> tail_counts({((0, 1), (1, 2)): 2}, 0, 1)
    (1, 8, 'dp')
    """
    found = step_dp.counts(types, progress=options.progress)
    below = 0 if low is None else sum(count for x, count in found.items() if x <= low)
    above = 0 if high is None else sum(count for x, count in found.items() if x >= high)
    return below, above, "dp"


def counts(types: Mapping[Step, int], options: Options = DEFAULTS) -> tuple[dict[int, int], str]:
    """Return the whole distribution {sum: number of choices}, ascending, zeros left out, and the engine's name."""
    return step_dp.counts(types, progress=options.progress), "dp"
