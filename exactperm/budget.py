"""What all engines share: the tally, what a count is expected to need, its limit, reports of how far it is.

Source: id own-plan.
"""

from __future__ import annotations

from collections.abc import Callable

from .arithmetic.quoting import short_text
from .errors import BudgetExceeded, ExactPermError, WrongType
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

    def admits(self, estimate: Estimate) -> bool:
        """Whether work of this estimate may start."""
        return estimate.seconds <= self.seconds and estimate.bytes <= self.bytes

    def exceeded(self, estimate: Estimate, work: str, instead: str, by: str = "") -> BudgetExceeded:
        """Return the error for ``work`` above this budget, with its estimate and what to do ``instead``."""
        return BudgetExceeded(
            f"{work} would take about {shown_seconds(estimate.seconds)} and {shown_bytes(estimate.bytes)}{by}; "
            f"the budget is {shown_seconds(self.seconds)} and {shown_bytes(self.bytes)}. Instead: {instead}",
            estimate.seconds,
            estimate.bytes,
        )


def shown_seconds(seconds: float) -> str:
    """Return a time for messages, in seconds or hours."""
    return f"{seconds:.3g} s" if seconds < 7200 else f"{seconds / 3600:.3g} hours"


def shown_bytes(size: int) -> str:
    """Return a size for messages, in MiB, GiB or as a power of two."""
    if size < 2**30:
        return f"{size / 2**20:.3g} MiB"
    return f"{size / 2**30:.3g} GiB" if size < 2**60 else f"2**{size.bit_length() - 1} bytes"
