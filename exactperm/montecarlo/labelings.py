"""Random labelings of several runs of two systems on the same items, under a design of :mod:`exactperm.swaps.runs`.

Under "within" all runs of an item are dealt to the two systems again, under "items" the two blocks
of an item are swapped or stay, under "systems" whole runs are dealt again over all items. All
labelings are equally likely, and random bits come from ``getrandbits`` alone, whose stream for an
int seed is the same on every Python.
Source: spec/15-runs.md#own-designs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact
from ..arithmetic.reading import entries, exact, exact_column
from ..swaps.runs import Design, exchange

if TYPE_CHECKING:
    import random


Runs = Sequence[Sequence[Exact]]
"""The scores of the runs of one system on each item."""


def read_runs(u: Any, v: Any, design: Design) -> tuple[list[list[Exact]], list[list[Exact]]]:
    """Return the runs of both systems as exact numbers; errors as of :func:`exactperm.samples.permutation_test_runs`.

    >>> read_runs([[1, "0.5"]], [[0]], "within")
    ([[1, Fraction(1, 2)]], [[0]])
    """
    first, second = entries(u, "u", "item"), entries(v, "v", "item")
    exchange(first, second, design)
    return tuple(  # type: ignore[return-value]  # of two
        [exact_column(runs, f"{name}[{i}]") for i, runs in enumerate(table)]
        for name, table in (("u", first), ("v", second))
    )


def difference_of_means(first: Runs, second: Runs) -> Exact:
    """Return the mean over the items of (mean of the first system's runs - mean of the second's).

    >>> difference_of_means([[1, 0], [1]], [[0], [1, 1]])
    Fraction(1, 4)
    """
    sums: Counter[int] = Counter()  # by the number of runs: one division for each
    for runs in first:
        sums[len(runs)] += sum(runs)  # type: ignore[assignment]
    for runs in second:
        sums[len(runs)] -= sum(runs)  # type: ignore[assignment]
    return exact(
        sum((Fraction(total, size) for size, total in sums.items()), Fraction(0)) / len(first)
    )


def dealt(
    first: Runs, second: Runs, design: Design, source: random.Random
) -> tuple[list[Any], list[Any]]:
    """Return the runs of both systems under a random labeling.

    >>> import random
    >>> dealt([[1, 2]], [[3]], "within", random.Random(1))
    ([[3, 2]], [[1]])
    """
    if design == "systems":
        size, all_runs = len(first[0]), range(len(first[0]) + len(second[0]))
        order = _shuffled(all_runs, source)
        rows = [(*a, *b) for a, b in zip(first, second)]
        return [[row[i] for i in order[:size]] for row in rows], [
            [row[i] for i in order[size:]] for row in rows
        ]
    if design == "items":
        bits = source.getrandbits(len(first))
        pairs = [(b, a) if bits >> i & 1 else (a, b) for i, (a, b) in enumerate(zip(first, second))]
    else:
        mixed = [(len(a), _shuffled((*a, *b), source)) for a, b in zip(first, second)]
        pairs = [(runs[:size], runs[size:]) for size, runs in mixed]
    return [list(a) for a, _b in pairs], [list(b) for _a, b in pairs]


def _shuffled(values: Sequence[Any], source: random.Random) -> list[Any]:
    """Return the values in a random order, all orders equally likely (Fisher and Yates)."""
    found = list(values)
    for last in range(len(found) - 1, 0, -1):
        i = _below(last + 1, source)
        found[i], found[last] = found[last], found[i]
    return found


def _below(n: int, source: random.Random) -> int:
    """Return a random integer of 0..n-1."""
    bits = (n - 1).bit_length()
    while True:
        found = source.getrandbits(bits)
        if found < n:
            return found
