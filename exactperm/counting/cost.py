"""What an engine expects to need, the limit it is held to, and how it reports where it is. Source: id own-plan."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from exactperm.record import Record

Tally = Mapping[int, int]
"""Canonical input of every one-dimensional engine: {difference d > 0: number of pairs with it}, ascending in d."""

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
