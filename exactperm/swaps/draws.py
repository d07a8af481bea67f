"""Draws: a sum of m of n values, each of the C(n, m) choices equally likely.

The runs of an item, m of which carry the first label, are a draw, and so is the pool of two
samples. The few largest or smallest of the sums may be listed as a step; where there are too many,
a draw stands for them. m of the values v and the other n - m of the values R - v differ by a
constant, so m is at most n / 2 in the normal form.

Source: spec/note-appendix.md#own-draw-brackets.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import comb, gcd, prod

from .._types import TYPE_CHECKING
from ..arithmetic.rational import Exact, ratio
from .canonical import Canonical
from .steps import Item, listed_step
from .units import Step

Draw = tuple[int, tuple[int, ...]]
"""(m, n ascending values): the unit adds the sum of m of the values, less the sum of the m least."""

Draws = Mapping[Draw, int]
"""{draw: number of units}."""


# Work at one frequency, of a value of a draw and of one that is chosen or not, and of a term of a step.
_WORK_VALUE, _WORK_CELL, _WORK_TERM = 9, 3, 3
_FEW_TERMS = 2000  # that are listed anyhow
_MOST_TERMS, _MOST_DENSE = 8000, 200_000  # that are listed for a count; of sums next to each other


class OfDraws(Canonical):
    """Canonical form of a sum of ``draws``, which are not listed."""

    if TYPE_CHECKING:

        @property
        def draws(self) -> Draws:
            """The draws."""

    @cached_property
    def span(self) -> int:
        """Greatest value of X."""
        return span(self.draws)

    @property
    def n_units(self) -> int:
        """Number of items whose runs are exchanged."""
        return sum(self.draws.values()) + self.ties

    @property
    def expected(self) -> Fraction:
        """Mean of X."""
        return mean(self.draws)

    @cached_property
    def symmetric(self) -> bool:
        """Whether X and ``span`` - X have the same distribution: every draw of half of its values, or a mirror image."""
        return all(
            2 * m == len(values) or (m, values) == _reflected((m, values))
            for m, values in self.draws
        )


class Drawn(OfDraws):
    """Canonical form of exchangeable runs whose sums are not listed: X is the sum of all draws.

    ``draws`` are in their normal form, ascending; ``ties`` is the number of items whose labelings all
    give one value, and all else as of :class:`~exactperm.swaps.canonical.Steps`.
    """

    draws: Draws
    ties: int
    low: Exact
    unit: Exact
    observed: int
    total: int


def canonical_draws(items: Mapping[Item, int], observed: int, scale: int) -> Drawn | None:
    """Return the canonical form of items {(m, factor, ascending runs): number} without a list of sums; T has units of 1/``scale``.

    None where the sums are few beside the runs, so that steps are quicker. ``observed`` is the T of
    the observed labeling in these units.
    Source: spec/15-runs.md#own-steps.

    >>> runs = (0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 1690)
    >>> drawn = canonical_draws({(7, 1, runs): 1, (1, 1, (5, 5)): 1}, 0, 1)
    >>> drawn.n_units, drawn.ties, drawn.span, drawn.total
    (2, 1, 2158, 6864)
    """
    units: dict[Draw, int] = {}
    low = 0
    for (m, factor, runs), count in items.items():
        n = len(runs)
        low += count * factor * (n * sum(runs[:m]) - m * sum(runs))
        draw = m, tuple([factor * n * x for x in runs])
        units[draw] = units.get(draw, 0) + count
    draws, unit = normal(units)
    terms = {draw: _terms(draw) for draw in draws}
    work = sum(_WORK_VALUE * len(values) + len(values) * m // _WORK_CELL for m, values in draws)
    if sum(terms.values()) <= _FEW_TERMS or _WORK_TERM * sum(terms.values()) < work:
        return None
    return Drawn(
        draws=dict(sorted(draws.items())),
        ties=sum(items.values()) - sum(draws.values()),
        low=ratio(low, scale),
        unit=ratio(unit, scale),
        observed=(observed - low) // unit,
        total=prod(comb(len(values), m) ** count for (m, values), count in units.items()),
    )


def listed(draws: Draws) -> Mapping[Step, int] | None:
    """Return the steps of draws from 0 on, {step: number}, where their sums are few enough to be listed, else None.

    >>> listed({(2, (0, 0, 1)): 3})
    {((0, 1), (1, 2)): 3}
    """
    terms = sum(map(_terms, draws))
    if terms > (_MOST_DENSE if span(draws) < 2 * terms else _MOST_TERMS):
        return None
    types: dict[Step, int] = {}
    for draw, count in draws.items():
        step, _shared = listed_step(*draw)
        types[step] = types.get(step, 0) + count
    return dict(sorted(types.items()))


def _terms(draw: Draw) -> int:
    """Bound the number of sums of a draw: no more than its choices, and no more than its range."""
    m, values = draw
    step = gcd(*values) or 1
    return min(comb(len(values), m), span({draw: 1}) // step + 1)


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
