"""Bring two samples to canonical form: the pool of all observations, of which the first sample is a random choice.

All C(N, m) choices of m of the N observations are equally likely. With the values as integers from
0 on, ascending and without a common divisor, T = low + unit * X, where X is the sum of the chosen
values less the least such sum. The pool is the step ((0, g0), (a1, g1), ...) of its sums, but these
can be many: they are counted without being listed.

The samples 5, 9 and 7, 5 have the pool 0, 0, 1, 2 and m = 2: X = 0 + 2 - 0 of 0, ..., 3.

Source: spec/16-two-samples-and-power.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property

from ..arithmetic.rational import Exact, lowest, ratio
from ..record import Record
from .draws import Draws


class Pool(Record):
    """Canonical form of two samples: ``chosen`` of the ascending ``values`` are the first sample.

    ``low`` is the least attainable T, ``unit`` > 0 the step of T, ``observed`` the X of the
    observed first sample, ``middle`` the mean of T.
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

    n_units = 1
    common = 1

    @property
    def ties(self) -> int:
        """1 where all observations are equal, so that all choices have one sum."""
        return int(not self.span)

    @cached_property
    def total(self) -> int:
        """Number of choices."""
        return math.comb(self.n, self.chosen)

    @cached_property
    def span(self) -> int:
        """Greatest value of X."""
        return sum(self.values[self.n - self.chosen :]) - sum(self.values[: self.chosen])

    @cached_property
    def middle(self) -> Exact:
        """Mean of T: every observation is chosen with the probability m / N."""
        least = sum(self.values[: self.chosen])
        mean = ratio(self.chosen * sum(self.values), self.n) - least
        return lowest(self.low + self.unit * mean)

    @cached_property
    def symmetric(self) -> bool:
        """Whether X and ``span`` - X have the same distribution: with samples of one size, or mirrored values."""
        top = self.values[-1]
        return 2 * self.chosen == self.n or all(
            a + b == top for a, b in zip(self.values, reversed(self.values))
        )

    def value(self, x: int) -> Exact:
        """Return the statistic T that belongs to X = x."""
        return lowest(self.low + self.unit * x)


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
