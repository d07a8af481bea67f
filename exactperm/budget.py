"""What all engines share: the tally, what a count is expected to need, its limit, reports of how far it is.

Source: id own-plan.
"""

from __future__ import annotations

from collections.abc import Callable

from .arithmetic.quoting import short_text
from .errors import ExactPermError, WrongType
from .record import Record

Progress = Callable[[int, int], None]
"""Called with (done, total), in work units of the engine."""


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
