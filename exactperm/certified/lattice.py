"""Differences next to a lattice: the gap between the steps and what is left of them, closed without changing a count.

Integers with noise have differences d = a s + r, with remainders r whose sums stay far below the
step s. The sum of a subset is X = s L + R, L the sum of its a and R that of its r, low <= R <=
high. Where high - low < s, X determines both L and R, and sums are in the order of (L, R). So they
are for any other step M > high - low:

    X <= k  where  M L + R <= M l + min(k - s l, high),   l = floor((k - low) / s).

An inversion needs frequencies for every scale between the span and the width it aims at. With M =
high - low + 1 the empty scales between s and the remainders are gone. Differences 1000, 2001, 999
become 2, 5, 1: s = 1000, r = 0, 1, -1.

Source: spec/note-appendix.md#near-lattice.
"""

from __future__ import annotations

from collections.abc import Mapping

from .._types import TYPE_CHECKING

if TYPE_CHECKING:
    from ..swaps.units import Tally


_GAP = 64  # times the remainders' reach that the step must have at least
# differences on either side: off the lattice, and on it; pairs to condition on are fewer
_FEWEST = 11
_MOST_STEPS = 400


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
    parts, low, high, off, on = list[tuple[int, int, int]](), 0, 0, 0, 0
    for d, count in tally.items():
        a = (2 * d + step) // (2 * step)
        r = d - a * step
        low, high = low + min(0, r) * count, high + max(0, r) * count
        off, on = off + bool(r), on + bool(a)
        parts.append((a, r, count))
        if _GAP * (high - low) > step:
            return None
    if min(off, on) < _FEWEST:
        return None
    narrow, level = high - low + 1, (k - low) // step
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
    step, left = next(differences), _MOST_STEPS
    for d in differences:
        while step > gap and left:
            left -= 1
            r = d % step
            r = min(r, step - r)
            if r * gap < step:
                break
            d, step = step, r
        else:
            return None
    return step
