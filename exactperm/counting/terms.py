"""Make the terms of the leave-one-out recurrence in pieces, for sums that need not keep them all.

For {1: 2, 3: 1} the first two pieces of three terms are 1, 2, 1 and 1, 2, 1; only the last four
terms, as many as the sum of the differences, are kept between them.

Source: spec/09-own-theorems.md#own-split.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..swaps.units import Tally

PIECE = 256  # terms made at a time


class Terms:
    """The numbers of subsets with sum 0, 1, 2, ... (zeros beyond D) by the leave-one-out recurrence, in pieces.

    As :func:`~exactperm.counting.recurrence.prefix_counts`, but what lies behind is dropped, and
    each step is one loop: Q_d[n-d] = P[n-d] - Q_d[n-2d] is made when n P[n] = sum_d c_d d Q_d[n-d]
    needs it.
    """

    def __init__(self, tally: Tally, tick: Callable[[int], None]) -> None:
        self.made: int = 0
        self._tick = tick
        self._tally = tally
        self._kept: list[int] = []
        self._keep = sum(tally) or 1
        # d, d c_d, and Q_d[n-2d] in slot n % d
        self._left_out: list[tuple[int, int, list[int]]] = []

    @property
    def last(self) -> Iterator[int]:
        """The counts made last, newest first, at least as many as the sum of the differences."""
        return reversed(self._kept)

    def pieces(self, length: int) -> Iterator[list[int]]:
        """Yield the next ``length`` counts in lists of at most PIECE."""
        for done in range(0, length, PIECE):
            yield self.take(min(PIECE, length - done))

    def take(self, size: int) -> list[int]:
        """Return the next ``size`` counts."""
        first = len(self._kept)
        self._make(range(self.made, self.made + size))
        self.made += size
        self._tick(size)
        new = self._kept[first:]
        del self._kept[: -self._keep]
        return new

    def _make(self, numbers: range) -> None:
        tally, counts, left_out = self._tally, self._kept, self._left_out
        for n in numbers:
            if n in tally:
                left_out.append((n, n * tally[n], [0] * n))
            total = 0
            for d, weight, last in left_out:
                slot = n % d
                last[slot] = value = counts[-d] - last[slot]
                total += weight * value
            counts.append(total // n if n else 1)


class FirstFour(Terms):
    """The same counts for the differences 1, 2, 3 and 4, frequent among token counts, with the loop written out.

    Measured on the paper's workload, a whole count takes a third longer without it for 1,000 pairs,
    a tenth longer for 10,000, and the same from 30,000 on (benchmarks/recurrence.py).
    """

    _state: tuple[int, ...] = (0,) * 14

    def _make(self, numbers: range) -> None:
        c1, c2, c3, c4 = [d * c for d, c in self._tally.items()]
        append = self._kept.append
        # The last four counts p, and of each Q_d the last d values, oldest first.
        p1, p2, p3, p4, q1, r2, r1, s3, s2, s1, t4, t3, t2, t1 = self._state
        for n in numbers:
            q1 = p1 - q1
            r2, r1 = r1, p2 - r2
            s3, s2, s1 = s2, s1, p3 - s3
            t4, t3, t2, t1 = t3, t2, t1, p4 - t4
            p4, p3, p2 = p3, p2, p1
            p1 = (c1 * q1 + c2 * r1 + c3 * s1 + c4 * t1) // n if n else 1
            append(p1)
        self._state = p1, p2, p3, p4, q1, r2, r1, s3, s2, s1, t4, t3, t2, t1


def terms(tally: Tally, tick: Callable[[int], None]) -> Terms:
    """Return the terms of the tally, unrolled where its differences allow it."""
    return (FirstFour if list(tally) == [1, 2, 3, 4] else Terms)(tally, tick)
