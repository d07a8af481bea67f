"""Draws: a sum of m of n values, each of the C(n, m) choices equally likely.

The runs of an item, m of which carry the first label, are a draw, and so is the pool of two
samples. The few largest or smallest of the sums may be listed as a step; where there are too many,
a draw stands for them. m of the values v and the other n - m of the values R - v differ by a
constant, so m is at most n / 2 in the normal form.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import gcd

Draw = tuple[int, tuple[int, ...]]
"""(m, n ascending values): the unit adds the sum of m of the values, less the sum of the m least."""

Draws = Mapping[Draw, int]
"""{draw: number of units}."""


def span(draws: Draws) -> int:
    """Return the greatest sum of the units; the least is 0.

    >>> span({(2, (0, 1, 5)): 3})
    15
    """
    return sum(
        count * (sum(values[len(values) - m :]) - sum(values[:m]))
        for (m, values), count in draws.items()
    )


def mean(draws: Draws) -> Fraction:
    """Return E X: every value of a unit is chosen with the probability m / n.

    >>> mean({(2, (0, 1, 5)): 3})
    Fraction(9, 1)
    """
    parts = (
        count * (Fraction(m * sum(values), len(values)) - sum(values[:m]))
        for (m, values), count in draws.items()
    )
    return sum(parts, Fraction(0))


def mirrored(draws: Draws) -> Draws:
    """Return the units of ``span`` - X.

    >>> mirrored({(1, (0, 1, 5)): 3})
    {(1, (0, 4, 5)): 3}
    """
    return {_reflected(draw): count for draw, count in draws.items()}


def _reflected(draw: Draw) -> Draw:
    m, values = draw
    return m, tuple([values[-1] - value for value in reversed(values)])


def normal(draws: Draws) -> tuple[Draws, int]:
    """Return the same sums over a step as draws of m <= n / 2 values from 0 on, and the step; ties are left out.

    >>> normal({(2, (1, 3, 7)): 3, (1, (4, 4)): 1})
    ({(1, (0, 2, 3)): 3}, 2)
    """
    step = gcd(*[value - values[0] for _, values in draws for value in values]) or 1
    found: dict[Draw, int] = {}
    for (m, values), count in draws.items():
        if 0 < m < len(values) and values[0] < values[-1]:
            draw = m, tuple([(value - values[0]) // step for value in values])
            if 2 * m > len(values):
                draw = len(values) - m, _reflected(draw)[1]
            found[draw] = found.get(draw, 0) + count
    return found, step
