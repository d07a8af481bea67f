"""What the readings of one claim may take together: every count and every bracket is charged, by its estimate."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..budget import Budget, Progress
from ..certified.bracket import seconds_of

_LEAST = 1e-9
"""Seconds of a budget of which nothing is left: it admits nothing."""


class Allowance:
    """The budget of one claim, and what its readings have taken of it: seconds by estimates, which are constants.

    A wrong claim is read in some fifty ways. One after another they use up one budget, so that the
    whole verdict costs no more than one test may.

    >>> allowance = Allowance(Budget(seconds=5))
    >>> allowance.charge(4)
    >>> allowance.budget.seconds
    1.0
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self._whole = Budget.of(budget)
        self.spent = 0.0

    @property
    def budget(self) -> Budget:
        """What is left."""
        return Budget(
            seconds=max(_LEAST, self._whole.seconds - self.spent), bytes=self._whole.bytes
        )

    def charge(self, seconds: float) -> None:
        """Take so much from what is left."""
        self.spent += seconds

    @contextmanager
    def work(self) -> Iterator[Progress]:
        """Charge the units of work of a bracket, as it reports its progress."""
        units = 0

        def progress(done: int, _total: int) -> None:
            nonlocal units
            units = done

        left = self.budget.seconds
        try:
            yield progress
        finally:
            self.charge(min(left, seconds_of(units)))
