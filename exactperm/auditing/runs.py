"""Several runs of each system on each item: what a published p-value may be of, and what it is confused with.

A document that does not state its design leaves three open: runs exchanged within items, blocks of
runs swapped within items (the test of item means), and whole runs over all items. Two further tests
take the runs for independent items: all runs pooled, and run e against run e as pairs. They are no
designs, but what many programs compute. Source: spec/10-audit.md#audit-runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from .._types import Any, Union
from ..arithmetic.rational import Exact
from ..arithmetic.reading import is_sequence
from ..budget import Budget
from ..errors import BudgetExceeded
from ..swaps.canonical import Steps
from ..swaps.effects import Flips
from ..swaps.runs import Design, exchange

TwoSamples = tuple[int, Union[Fraction, None], int, int]
"""Sign of the difference, t**2 (None: infinite), least and greatest degrees of freedom."""

RunsOfSystem = tuple[tuple[Exact, ...], ...]
"""The runs of one system on all items."""

SINGLE = ("within", "systems", "pooled")
"""Designs under which single runs are exchanged."""
_MAKING = Budget(seconds=2.0)  # of the sums of the runs of all items


def labelings(u: RunsOfSystem, v: RunsOfSystem, design: str) -> Steps | Flips | None:
    """Return what a design exchanges; None for pooled runs of so many sums that nobody counts them."""
    exchanged: Design = "systems" if design == "systems" else "within"
    try:
        found: Any = exchange(u, v, exchanged, budget=_MAKING).swaps  # their sums are listed
        return found  # type: ignore[no-any-return]
    except BudgetExceeded:
        if design != "pooled":
            raise
    return None


def t_of(first: Sequence[Exact], second: Sequence[Exact], *, equal: bool) -> TwoSamples | None:
    """Return (sign, t**2, least and greatest degrees of freedom) of two samples; None where there is no variance.

    ``equal`` takes one variance for both, as Student; else each has its own, as Welch has it, whose
    degrees of freedom are no whole number. t is infinite, None here, where the scores of each
    sample are all equal, but differ.
    Source: spec/10-audit.md#audit-runs.

    >>> t_of([1, 2, 3], [4, 5, 6], equal=True)
    (-1, Fraction(27, 2), 4, 4)
    """
    m, k = len(first), len(second)
    if (m + k < 3) if equal else (min(m, k) < 2):
        return None
    means = [Fraction(sum(column)) / len(column) for column in (first, second)]
    squares = [sum((x - mean) ** 2 for x in column) for column, mean in zip((first, second), means)]
    difference = means[0] - means[1]
    sign = (difference > 0) - (difference < 0)
    if equal:
        least = most = m + k - 2
        variance = Fraction(sum(squares)) / least * (Fraction(1, m) + Fraction(1, k))
    else:
        a, b = [Fraction(square) / (n - 1) / n for square, n in zip(squares, (m, k))]
        variance = a + b
        freedom = (
            variance**2 / (a**2 / (m - 1) + b**2 / (k - 1)) if variance else Fraction(m + k - 2)
        )
        least, most = floor(freedom), ceil(freedom)
    if not variance:
        return (sign, None, least, most) if sign else None
    return sign, difference**2 / variance, least, most


def designs_of(runs: tuple[RunsOfSystem, RunsOfSystem], *, whole: bool) -> tuple[str, ...]:
    """Return the designs that runs allow, and what they are confused with; ``whole``: run j is one run of all items."""
    sizes = [{len(item) for item in side} for side in runs]
    equal = all(len(a) == len(b) for a, b in zip(*runs))
    allowed = ["systems"] if whole and all(len(some) == 1 for some in sizes) else []
    return ("items", "within", *allowed, "pooled", *(["epochs"] if equal else []))


def is_of_runs(columns: Sequence[Any]) -> bool:
    """Whether the entries of columns are the runs of items.

    >>> is_of_runs([[[1, 0], [1]], [[0], [1, 1]]]), is_of_runs([[1, 0], [0, 1]])
    (True, False)
    """
    return len(columns) == 2 and all(
        is_sequence(column) and any(map(is_sequence, column)) for column in columns
    )


def is_rounded(side: RunsOfSystem) -> bool:
    """Whether scores, or their means over so many runs, are no binary fractions."""
    sizes = {len(item) for item in side}
    return any(size & (size - 1) for size in sizes) or any(
        (bottom := Fraction(x).denominator) & (bottom - 1) for item in side for x in item
    )
