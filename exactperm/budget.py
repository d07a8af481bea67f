"""What all engines share: the tally, what a count is expected to need, its limit, reports of how far it is.

Source: id own-plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from .arithmetic.reading import short_text
from .errors import ExactPermError, WrongType
from .record import Record

Tally = Mapping[int, int]
"""Canonical input of every one-dimensional engine: {difference d > 0: number of pairs with it}, ascending in d."""

Progress = Callable[[int, int], None]
"""Called with (done, total), in work units of the engine."""


def degree(tally: Tally) -> int:
    """D, the sum of all differences: the degree of prod (1 + x**d)**c_d.

    >>> degree({1: 2, 3: 1})
    5
    """
    return sum(d * c for d, c in tally.items())


def mirrored(low: Sequence[int], top: int) -> dict[int, int]:
    """The distribution {sum: number of subsets}, ascending, zeros left out, from P[0], ..., P[D // 2] and ``top`` = D.

    P[D-x] = P[x], and both share one integer. Source: id own-symmetry.

    >>> mirrored([1, 2, 1], 5)
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    found = {x: n for x, n in enumerate(low) if n}
    found.update((top - x, found[x]) for x in reversed(list(found)))
    return found


def ticker(progress: Progress | None, total: int) -> Callable[[int], None]:
    """A function that reports so many more of ``total`` units of work.

    >>> tick = ticker(print, 3)
    >>> tick(1), tick(2)
    1 3
    3 3
    (None, None)
    """
    if progress is None:
        return lambda _units: None
    report, done = progress, 0

    def tick(units: int) -> None:
        nonlocal done
        done += units
        report(done, total)

    return tick


class Estimate(Record):
    """Expected cost of a count: seconds on the machine that the constants were measured on, peak extra bytes."""

    seconds: float
    bytes: int


class Unfit(Record):
    """Why an engine does not apply to a tally at all, as the end of a sentence "the engine ..."."""

    reason: str


class Budget(Record):
    """Limit that estimates are held to before any work starts.

    ``seconds`` defaults to ten minutes, ``bytes`` to 2 GiB.

    >>> Budget(seconds=5).bytes == 2**31
    True
    """

    seconds: float = 600.0
    bytes: int = 2**31

    def __init__(self, *, seconds: float = seconds, bytes: int = bytes) -> None:
        for name, value in (("seconds", seconds), ("bytes", bytes)):
            if isinstance(value, bool) or not isinstance(value, (int, float)):
                raise WrongType(f"{name} is {short_text(value)}: it must be a number")
            if not value > 0:
                raise ExactPermError(f"{name} is {short_text(value)}: it must be above 0")
        super().__init__(seconds=seconds, bytes=bytes)

    @classmethod
    def of(cls, budget: Budget | None) -> Budget:
        """``budget``, or the default for None; ``WrongType`` for anything else."""
        if budget is not None and not isinstance(budget, Budget):
            raise WrongType(f"budget is {short_text(budget)}: it must be a Budget, such as Budget(seconds=60)")
        return budget or cls()
