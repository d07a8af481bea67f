"""Define the errors that the package raises on purpose."""

from __future__ import annotations


class ExactPermError(ValueError):
    """The input has no exact answer; the message says why and what to do instead.

    Source: spec/09-own-theorems.md.
    """


class WrongType(ExactPermError, TypeError):
    """A value of a type that has no exact meaning here (also a ``TypeError``).

    Source: spec/09-own-theorems.md.
    """


class BudgetExceeded(ExactPermError):
    """The estimated work is above the budget; nothing was computed.

    ``seconds`` and ``bytes`` are the estimate of the cheapest admissible engine, None where no engine fits.
    ``bracket`` encloses the result as narrowly as the budget allowed, or is None.
    Source: spec/09-own-theorems.md.
    """

    def __init__(
        self, message: str, seconds: float | None = None, bytes: float | None = None, *, bracket: object = None
    ) -> None:
        super().__init__(message)
        self.seconds = seconds
        self.bytes = bytes
        self.bracket = bracket
