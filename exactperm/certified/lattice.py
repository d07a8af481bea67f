"""Differences next to a lattice, closed without changing a count, and pairs to set apart, since they hide a lattice.

Integers with noise have differences d = a s + r, with remainders r whose sums stay far below the
step s. The sum of a subset is X = s L + R, L the sum of its a and R that of its r, low <= R <=
high. Where high - low < s, X determines both L and R, and sums are in the order of (L, R). So they
are for any other step M > high - low:

    X <= k  where  M L + R <= M l + min(k - s l, high),   l = floor((k - low) / s).

An inversion needs frequencies for every scale between the span and the width it aims at. With M =
high - low + 1 the empty scales between s and the remainders are gone. Differences 1000, 2001, 999
become 2, 5, 1: s = 1000, r = 0, 1, -1.

Source: spec/note-appendix.md#near-lattice, spec/note.md#note-conditioning.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import gcd
from operator import mul

from .._types import TYPE_CHECKING

if TYPE_CHECKING:
    from ..swaps.units import Tally


_GAP = 64  # times the remainders' reach that the step must have at least
# differences on either side: off the lattice, and on it; pairs to condition on are fewer
_FEWEST = 11
_MOST_STEPS = 400
_MOST_APART = 10  # pairs that are conditioned on
_COARSER = 12  # bits by which the divisor of some differences may exceed that of all on the lattice


def compressed(tally: Tally, k: int) -> tuple[Tally, int] | None:
    """Return a tally and a threshold with the same count #{X <= k}, without the gap; None where there is none.

    ``tally`` is ascending; so is the new one. Cost: a few divisions where there is no lattice, else
    one for each difference.

    >>> noisy = {10**6 * a + a * a % 7: 1 for a in range(1, 20)}
    >>> tally, k = compressed(noisy, 40_000_002)
    >>> max(tally), k
    (6426, 13522)
    """
    step = _step(tally)
    return None if step is None else with_step(tally, k, step)


def with_step(tally: Mapping[int, int], k: int, step: int) -> tuple[dict[int, int], int] | None:
    """Return the same for one step; None where the gap is too small, or too few differences are on or off a lattice."""
    parts = list[tuple[int, int, int]]()
    low = 0
    high = 0
    off = 0
    on = 0
    for d, count in tally.items():
        a = (2 * d + step) // (2 * step)
        r = d - a * step
        low = low + min(0, r) * count
        high = high + max(0, r) * count
        off = off + bool(r)
        on = on + bool(a)
        parts.append((a, r, count))
        if _GAP * (high - low) > step:
            return None
    if min(off, on) < _FEWEST:
        return None
    narrow = high - low + 1
    level = (k - low) // step
    return {a * narrow + r: count for a, r, count in parts}, level * narrow + min(
        k - level * step, high
    )


def _step(tally: Tally) -> int | None:
    """Return about the greatest common divisor of the differences, up to remainders that are much smaller, if any.

    Euclid's algorithm from the largest on, which stops at a remainder that is small beside the
    divisor. Any step is as good as true: it is checked against all differences.
    """
    if len(tally) < _FEWEST:
        return None
    gap = _GAP * sum(tally.values())
    differences = reversed(tally)
    step = next(differences)
    left = _MOST_STEPS
    for d in differences:
        while step > gap and left:
            left -= 1
            r = d % step
            r = min(r, step - r)
            if r * gap < step:
                break
            d = step
            step = r
        else:
            return None
    return step


def giants(tally: Tally) -> tuple[int, ...]:
    """Return the largest pairs, at most ten, each at least eight standard deviations of the sum of those below it."""
    squares = sum(map(mul, map(mul, tally, tally), tally.values()))
    apart = list[int]()
    found = tuple[int, ...]()
    for d in list(tally)[:0:-1]:
        squares -= d * d * tally[d]
        apart += [d] * min(tally[d], _MOST_APART + 1)
        if len(apart) > _MOST_APART:
            break
        if d * d >= 16 * squares:
            found = tuple(apart)
    return found


def off_lattice(tally: Tally, least: int = 1) -> tuple[int, ...]:
    """Return the pairs, at most ten, without which the differences share a divisor above ``least``; () for more.

    Of eleven parts of the differences, at least one holds none of these pairs, and its divisor is a
    multiple of the common one. The other differences lower it by little, or are off the lattice.
    """
    differences = list(tally)
    best = max(1, least)
    apart = tuple[int, ...]()
    for i in range(_MOST_APART + 1):
        step = 0
        off = list[int]()
        for d in differences[i :: _MOST_APART + 1]:
            step = gcd(step, d)
            if step <= best:
                break
        for d in differences if step > best else ():
            common = gcd(step, d)
            if common > best and common << _COARSER >= step:
                step = common
            else:
                off += [d] * min(tally[d], _MOST_APART + 1)
                if len(off) > _MOST_APART:
                    break
        if off and len(off) <= _MOST_APART and step > best:
            best = step
            apart = tuple(off)
    return apart


def conditioned(
    tally: Tally, k: int, apart: tuple[int, ...]
) -> tuple[list[tuple[int, int]], int, dict[int, int]]:
    """Return (groups of the other pairs over their divisor, a threshold below their middle, {threshold: number})."""
    rest = dict(tally)
    sums = [0]
    for d in apart:
        sums += [s + d for s in sums]
        rest[d] -= 1
    step = 0
    for d, count in rest.items():
        step = gcd(step, d) if count else step
    groups = [(d // step, count) for d, count in rest.items() if count]
    middle = (sum(d * count for d, count in groups) - 1) // 2
    thresholds: dict[int, int] = {}
    for s in sums:
        x = (k - s) // step
        thresholds[x] = thresholds.get(x, 0) + 1
    return groups, min(k // step, middle), thresholds
