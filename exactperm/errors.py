"""Every error that the package raises on purpose."""

from __future__ import annotations


class ExactPermError(ValueError):
    """The input cannot be answered exactly as asked; the text says why and what to do instead."""


class WrongType(ExactPermError, TypeError):
    """A value of a kind that has no exact meaning here (also a ``TypeError``)."""


class BudgetExceeded(ExactPermError):
    """The estimate of the work is above the budget; nothing was computed.

    ``seconds`` and ``bytes`` hold the estimate of the cheapest admissible engine (``None`` where no engine can do it).
    """

    def __init__(self, message: str, seconds: float | None = None, bytes: int | None = None) -> None:
        super().__init__(message)
        self.seconds = seconds
        self.bytes = bytes
