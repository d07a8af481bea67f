"""Find the pairs of frequencies whose characteristic function is not negligible; bound the sum of all others.

With u = a j / L1 + b k / L2 turns, |1 - p + p exp(2 pi i u)|**2 = 1 - y, y = 4 p (1 - p) sin(pi
u)**2. Over a rectangle of pairs (j, k) the turns of one delta fill an interval; its distance from
the whole numbers is least at an end, unless it holds one. So rectangles are halved until the bound
or a single frequency is left. Those next to (0, 0), where a normal model of |phi| is not small, are
taken without a bound; the model is free.

Source: spec/ratio-inversion.md#ratio-damping.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

from ..errors import ExactPermError
from ..record import Record
from .damping import enough, loss, minus_log

Box = tuple[int, int, int, int]
"""(j0, j1, k0, k1): the pairs j0 <= j <= j1, k0 <= k <= k1."""


SCALE = 192
"""Sums of bounds |phi| <= b, times those of the coefficients, are kept in units of 2**-SCALE."""

_TRIAL = 48  # deltas after which a hopeless rectangle is given up
_TRIALS_BOX = 8  # what a rectangle takes beside its deltas
_NORMAL = 1.02  # of the bits that are wanted: a frequency within is taken without a bound
_TURNS = (
    5.336446  # pi sqrt(2 / ln 2): |phi| is exp(-2 pi**2 (turns * deviation)**2) in the normal model
)


class Found(Record):
    """Frequencies to evaluate, {k: [j, ...]}, and the sum of |coefficient| * bound of all others of the half plane.

    ``work`` is that of the search, in trials of one delta on one rectangle.
    """

    rows: dict[int, list[int]]
    skipped: int
    work: int = 0


class TooMany(ExactPermError):
    """More frequencies matter than the limit allows."""


class JointDamping:
    """Bounds of |phi(2 pi j / L1, 2 pi k / L2)| over rectangles of frequencies.

    ``dampers`` are (a, b, count, strength). ``periods`` is (L1, L2), both odd. ``deviations`` are
    those of the normal model, of x and y that are not correlated.
    """

    def __init__(
        self,
        dampers: list[tuple[int, int, int, int]],
        periods: tuple[int, int],
        deviations: tuple[float, float],
    ) -> None:
        self.periods = first, second = periods
        self._whole = first * second
        self._tried = 0
        found = [(count, a * second, b * first, strength) for a, b, count, strength in dampers]
        found.sort(key=lambda group: (-group[0], abs(group[1]) + abs(group[2])))
        self._groups = found
        most = [count * minus_log(strength) for count, _, _, strength in found]
        total = sum(most)
        self._left = [total - done for done in accumulate(most, initial=0)]
        x, y = deviations
        # turns of one frequency, times a constant: |phi| is about 2**-(the sum of their squares)
        self._turns = _TURNS * x / first, _TURNS * y / second

    def settle(self, bits: int, coefficient: Callable[[int], int], limit: int) -> Found:
        """Find the frequencies of the half plane that matter, or raise :class:`TooMany`.

        ``coefficient(k)`` bounds the coefficients of all frequencies with this k or a greater one.
        A rectangle is left out where its number of frequencies times the coefficient times the
        bound of |phi| is at most 2**-bits.
        """
        half, top = [period // 2 for period in self.periods]
        x, y = self._turns
        rows: dict[int, list[int]] = {}
        skipped = 0
        work = self._tried
        stack: list[Box] = [(-half, half, 1, top)] * (top > 0) + [(1, half, 0, 0)] * (half > 0)
        while stack:
            box = stack.pop()
            j0, j1, k0, k1 = box
            number = (j1 - j0 + 1) * (k1 - k0 + 1)
            charge = number * coefficient(k0)
            needed = bits + charge.bit_length()
            self._tried += _TRIALS_BOX
            if self._tried - work > limit:
                raise TooMany(
                    f"too many frequencies matter: {len(stack)} rectangles of them are left"
                )
            j = max(j0, min(0, j1))  # the nearest to (0, 0) is (j, k0)
            model = (x * j) ** 2 + (y * k0) ** 2
            if model * _NORMAL >= needed and self.negligible(box, enough(needed)):
                skipped += -(-(charge << SCALE) >> needed)
            elif number == 1:
                rows.setdefault(k0, []).append(j0)
            elif k1 == k0 or (j1 > j0 and (j1 - j0) * x >= (k1 - k0) * y):
                middle = (j0 + j1) // 2
                stack += [(middle + 1, j1, k0, k1), (j0, middle, k0, k1)]
            else:
                middle = (k0 + k1) // 2
                stack += [(j0, j1, middle + 1, k1), (j0, j1, k0, middle)]
        return Found(rows=rows, skipped=skipped, work=self._tried - work)

    def negligible(self, box: Box, needed: int) -> bool:
        """Return whether |phi|**2 <= exp(-E) with E >= ``needed`` is proved on the whole rectangle."""
        j0, j1, k0, k1 = box
        whole = self._whole
        damped = tried = 0
        for tried, (count, u, v, strength) in enumerate(self._groups):
            if damped + self._left[tried] < needed:
                break
            start = (u * j0 if u >= 0 else u * j1) + (v * k0 if v >= 0 else v * k1)
            end = (u * j1 if u >= 0 else u * j0) + (v * k1 if v >= 0 else v * k0)
            turn = start % whole
            end += turn - start
            if end < whole:
                damped += count * loss(strength, min(turn, whole - end), whole)
                if damped >= needed:
                    break
            if tried == _TRIAL and damped * 12 * len(self._groups) < needed * tried:
                break
        self._tried += tried
        return damped >= needed
