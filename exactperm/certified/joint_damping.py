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
from math import sqrt

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

    ``dampers`` are (a, b, count, strength). ``periods`` is (L1, L2), both odd. ``spread`` is the
    covariance (xx, xy, yy) of the normal model.
    """

    def __init__(
        self,
        dampers: list[tuple[int, int, int, int]],
        periods: tuple[int, int],
        spread: tuple[float, float, float],
    ) -> None:
        self.periods = periods
        first, second = periods
        self._whole = first * second
        self._tried = 0
        found = [(count, a * second, b * first, strength) for a, b, count, strength in dampers]
        found.sort(key=lambda group: (-group[0], abs(group[1]) + abs(group[2])))
        self._groups = found
        most = [count * minus_log(strength) for count, _, _, strength in found]
        total = sum(most)
        self._left = [total - done for done in accumulate(most, initial=0)]
        xx, xy, yy = spread
        turn = 9.869604401089358  # pi**2: bits = 4 pi**2 (..) / (2 ln 2), of |phi| itself
        turn *= 2.0 / 0.6931471805599453
        self._form = turn * xx / first**2, turn * xy / (first * second), turn * yy / second**2

    def settle(self, bits: int, coefficient: Callable[[int], int], limit: int) -> Found:
        """Find the frequencies of the half plane that matter, or raise :class:`TooMany`.

        ``coefficient(k)`` bounds the coefficients of all frequencies with this k or a greater one.
        A rectangle is left out where its number of frequencies times the coefficient times the
        bound of |phi| is at most 2**-bits.
        """
        half = self.periods[0] // 2
        top = self.periods[1] // 2
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
            if self._least(box) * _NORMAL >= needed and self.negligible(box, enough(needed)):
                skipped += -(-(charge << SCALE) >> needed)
                continue
            if number == 1:
                rows.setdefault(k0, []).append(j0)
            elif j1 > j0 and (
                k1 == k0 or (j1 - j0) * sqrt(self._form[0]) >= (k1 - k0) * sqrt(self._form[2])
            ):
                middle = (j0 + j1) // 2
                stack += [(middle + 1, j1, k0, k1), (j0, middle, k0, k1)]
            else:
                middle = (k0 + k1) // 2
                stack += [(j0, j1, middle + 1, k1), (j0, j1, k0, middle)]
        return Found(rows=rows, skipped=skipped, work=self._tried - work)

    def _least(self, box: Box) -> float:
        """Return the least value of the normal model on a rectangle, in bits: on an edge, unless it holds (0, 0)."""
        j0, j1, k0, k1 = box
        if j0 <= 0 <= j1 and k0 <= 0 <= k1:
            return 0.0
        xx, xy, yy = self._form
        least = 1e300
        for j in (j0, j1):
            k = max(float(k0), min(float(k1), -xy * j / yy)) if yy > 0.0 else float(k0)
            least = min(least, xx * j * j + 2.0 * xy * j * k + yy * k * k)
        for k in (k0, k1):
            j_near = max(float(j0), min(float(j1), -xy * k / xx)) if xx > 0.0 else float(j0)
            least = min(least, xx * j_near * j_near + 2.0 * xy * j_near * k + yy * k * k)
        return least

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


def reach(spread: tuple[float, float, float], bits: float, periods: tuple[int, int]) -> float:
    """Predict the number of frequencies of the half plane with |phi| > 2**-bits, by the normal model."""
    xx, xy, yy = spread
    area = 2.0 * 0.6931471805599453 * bits / (4.0 * 9.869604401089358) * 3.141592653589793
    return 0.5 * area * periods[0] * periods[1] / sqrt(max(1e-300, xx * yy - xy * xy)) + 1.0
