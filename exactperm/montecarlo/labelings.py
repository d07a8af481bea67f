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

from .._types import TYPE_CHECKING, Entry
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact

if TYPE_CHECKING:
    import random


OfItems = Sequence[Sequence[Exact]]
"""The scores of the runs of one system on each item."""


def difference_of_means(first: OfItems, second: OfItems) -> Exact:
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


Labeling = tuple[list[object], list[object]]
"""The entries of both systems."""


def swapped(
    units: Sequence[int], u: Sequence[object], v: Sequence[object], source: random.Random
) -> Labeling:
    """Return two columns with the pairs of a random half of the units swapped; ``units`` are numbered from 0.

    >>> import random
    >>> swapped([0, 0, 1], [1, 2, 3], [4, 5, 6], random.Random(7))
    ([1, 2, 6], [4, 5, 3])
    """
    n = max(units) + 1
    # One character "0" or "1" for each unit, the highest bit first.
    bits = format(source.getrandbits(n), f"0{n}b")
    swap = [bits[unit] == "1" for unit in units]
    return [b if s else a for a, b, s in zip(u, v, swap)], [
        a if s else b for a, b, s in zip(u, v, swap)
    ]


def _within(first: OfItems, second: OfItems, source: random.Random) -> Labeling:
    mixed = [(len(a), _shuffled((*a, *b), source)) for a, b in zip(first, second)]
    return [runs[:size] for size, runs in mixed], [runs[size:] for size, runs in mixed]


def _blocks(first: OfItems, second: OfItems, source: random.Random) -> Labeling:
    bits = source.getrandbits(len(first))
    pairs = [(b, a) if bits >> i & 1 else (a, b) for i, (a, b) in enumerate(zip(first, second))]
    return [list(a) for a, _b in pairs], [list(b) for _a, b in pairs]


def _whole_runs(first: OfItems, second: OfItems, source: random.Random) -> Labeling:
    size = len(first[0])
    order = _shuffled(range(size + len(second[0])), source)
    rows = [(*a, *b) for a, b in zip(first, second)]
    return [[row[i] for i in order[:size]] for row in rows], [
        [row[i] for i in order[size:]] for row in rows
    ]


DEALS = {"within": _within, "items": _blocks, "systems": _whole_runs}
"""For each design the function that deals the runs of both systems again.

>>> import random
>>> DEALS["within"]([[1, 2]], [[3]], random.Random(1))
([[3, 2]], [[1]])
"""


def _shuffled(values: Sequence[Entry], source: random.Random) -> list[Entry]:
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
