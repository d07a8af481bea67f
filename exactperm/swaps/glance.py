"""Bounds of a canonical form from columns that are not read yet, in floats: hopeless counts are refused at once.

Reading a million real numbers exactly takes seconds. Their nearest floats, and the first hundreds
read exactly, are enough to see that the sums have too many values: a float is within 2**-53 |x| of
the decimal x, and a difference of two floats within 2**-51 of the largest score.

Source: spec/09-own-theorems.md#own-glance.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import repeat
from operator import mul, sub

from .._types import Any
from .canonical import Outline
from .columns import MANY, score_differences

_SAMPLE = 200
"""Pairs that are read exactly; the step of all differences divides that of theirs."""

_WORTHWHILE = 10**8
"""Steps up to the threshold above which a count may be hopeless."""

_TINY = 1e-250
"""Largest score below which floats lose digits."""


def glance(u: object, v: object) -> Outline | None:
    """Return bounds of the canonical form of the differences u - v of floats, ints and decimal texts.

    None for few pairs, for other columns, and where a glance shows that a count may not be
    hopeless. Raises as reading does, for the first pairs. Cost: a second for 10**6 pairs, a
    millisecond where the differences have few steps.

    >>> glance([0.5] * 10, [1.0] * 10) is None
    True
    """
    if not type(u) is type(v) is list or not MANY <= len(u) == len(v):
        return None
    sample, scale = score_differences(u[:_SAMPLE], v[:_SAMPLE])
    step = math.gcd(*sample)
    if sum(map(abs, sample)) * len(u) <= 2 * _WORTHWHILE * len(sample) * step:
        return None
    try:
        first, second = _floats(u), _floats(v)
        return _outline(first, second, Fraction(step, scale))
    except (ValueError, OverflowError):  # no decimals, or beyond all floats
        return None


def _floats(column: list[Any]) -> list[float]:
    """Return the floats nearest to floats, ints and decimal texts; ``ValueError`` for anything else."""
    kinds = set(map(type, column))
    if kinds == {str}:
        text = "".join(column)
        if not text.isascii() or "_" in text:  # which float() reads, and no score has
            raise ValueError
    elif not kinds <= {float, int}:
        raise ValueError
    return list(map(float, column))


def _outline(first: list[float], second: list[float], unit: Fraction) -> Outline | None:
    """Return the bounds in units of a multiple of the step.

    Each exact difference D has a float d with |d - D| <= e, where e is 2**-50 of the largest score
    M. Equal |D| have
    |d| within 2 e, which with the rounding of a product is less than a cell of 4 e: they lie in two cells at most.
    """
    largest = max(abs(end) for column in (first, second) for end in (min(column), max(column)))
    sizes = list(map(sub, first, second))
    total = abs(math.fsum(sizes))
    sizes = list(map(abs, sizes))
    reach = math.fsum(sizes)
    if not _TINY < largest < math.inf or not math.isfinite(reach):
        return None
    pairs, error = len(sizes), Fraction(largest) / 2**50
    near = (
        Fraction(reach) * (1 - Fraction(1, 2**50)) - Fraction(total) * (1 + Fraction(1, 2**50))
    ) / 2 - pairs * error
    cells = set(map(int, map(mul, sizes, repeat(2.0**48 / largest))))
    return Outline(
        pairs=pairs,
        distinct=len(cells) // 2,
        largest=math.ceil((Fraction(max(sizes)) + error) / unit),
        near=max(0, math.floor(near / unit)),
    )
