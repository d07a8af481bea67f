"""Bring two samples to canonical form: the pool of all observations, of which the first sample is a random choice.

All C(N, m) choices of m of the N observations are equally likely. With the values as integers from
0 on, ascending and without a common divisor, T = low + unit * X, where X is the sum of the chosen
values less the least such sum. The pool is the step ((0, g0), (a1, g1), ...) of its sums, but these
can be many: they are counted without being listed.

The samples 5, 9 and 7, 5 have the pool 0, 0, 1, 2 and m = 2: X = 0 + 2 - 0 of 0, ..., 3.

Source: spec/16-two-samples-and-power.md#own-two-samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property

from ..arithmetic.rational import Exact, lowest
from .draws import Draws, OfDraws


class Pool(OfDraws):
    """Canonical form of two samples: ``chosen`` of the ascending ``values`` are the first sample.

    ``low`` is the least attainable T, ``unit`` > 0 the step of T, ``observed`` the X of the
    observed first sample.
    """

    values: tuple[int, ...]
    chosen: int
    low: Exact
    unit: Exact
    observed: int

    @property
    def draws(self) -> Draws:
        """The draw."""
        return {(self.chosen, self.values): 1}

    @property
    def n(self) -> int:
        """Number of observations."""
        return len(self.values)

    @property
    def n_units(self) -> int:
        """One: all observations are a single swap unit."""
        return 1

    @property
    def common(self) -> int:
        """One: every choice is counted."""
        return 1

    @property
    def ties(self) -> int:
        """1 where all observations are equal, so that all choices have one sum."""
        return int(not self.span)

    @cached_property
    def total(self) -> int:
        """Number of choices."""
        return math.comb(self.n, self.chosen)


def pooled(x: Iterable[int], y: Iterable[int], unit: Exact, least: Exact = 0) -> Pool:
    """Return the canonical form of two samples of integers: T = ``least`` + ``unit`` * (sum of the first sample).

    >>> pooled([5, 9], [7, 5], 1)
    Pool(values=(0, 0, 1, 2), chosen=2, low=10, unit=2, observed=2)
    """
    first = list(x)
    values = sorted([*first, *y])
    base, m = values[0], len(first)
    divisor = math.gcd(*(value - base for value in values)) or 1
    low = sum(values[:m])
    return Pool(
        values=tuple([(value - base) // divisor for value in values]),
        chosen=m,
        low=lowest(least + unit * low),
        unit=lowest(unit * divisor),
        observed=(sum(first) - low) // divisor,
    )
