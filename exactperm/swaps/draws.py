"""Draws: a sum of m of n values, each of the C(n, m) choices equally likely.

An item has m runs of the first system and n of the second. Where all m + n are exchangeable, each
of the C(m + n, m) choices of the m runs that carry the first label is equally likely. The item adds

    mean(first) - mean(second) = (N A - m S) / (m n),    N = m + n, A the sum of the chosen runs, S the sum of all,

so it is a draw of m of the values N x. So is the pool of two samples. m of the values v and the
other n - m of the values R - v differ by a constant, so m is at most n / 2 in the normal form, whose
values start at 0 and have no common divisor: T = low + unit * X, X a sum of independent draws.

Where the sums of a draw are few they are listed: the choices with each sum are the coefficients of
[y^m] prod (1 + y x^value), which give a step ((0, g0), (a1, g1), ...) once the weights are divided by
their greatest common divisor. Where there are too many, the draw stands for them.

The runs 1, 0 against 0, 0 have A = 0 or 1, three choices each: the step ((0, 1), (1, 1)), whose
weights lost a factor of 3, and the item adds -1/2 or 1/2.

Source: spec/15-runs.md#own-steps, spec/16-two-samples-and-power.md#own-two-samples, spec/note-appendix.md#own-draw-brackets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import comb, gcd, log2

from ..arithmetic.quoting import short_integer
from ..arithmetic.rational import ratio
from ..budget import DEFAULTS, Budget, Estimate
from ..record import replaced
from .canonical import Swaps
from .units import Draw, Draws, Step, binomials, degree, draws_of, mirrored

Item = tuple[int, int, tuple[int, ...]]
"""(m, factor, runs): m of the ascending runs have the first label, and the item adds factor * (N A - m S)."""


# Work at one frequency, of a value of a draw and of one that is chosen or not, and of a term of a step.
_WORK_VALUE, _WORK_CELL, _WORK_TERM = 9, 3, 3
_FEW_TERMS = 2000  # that are listed anyhow
_MOST_TERMS, _MOST_DENSE = 8000, 200_000  # that are listed for a count; of sums next to each other
_FEW_RUNS, _FEW_CHOICES = 64, 300  # listed one by one

# Measured on CPython 3.11.
_SECONDS_TERM = 8e-8  # of a row: added to the sums that it leads to
_SECONDS_BIT = 2.5e-11  # of its number of choices
_SECONDS_LISTED = 2.5e-6  # of a term of the step that is made of the last row
_BYTES_TERM, _BYTES_LISTED = 120, 300
_MOST_ROWS = 10**7

_INSTEAD = "test fewer runs of an item, or blocks of runs (design='items'), which needs no sums of single runs"


def canonical_items(
    items: Mapping[Item, int],
    observed: int,
    scale: int,
    budget: Budget = DEFAULTS.budget,
    place: Callable[[Item], str] = lambda _item: "an item",
    *,
    listed: bool = True,
) -> Swaps:
    """Return the canonical form of items {(m, factor, ascending runs): number}; T has units of 1/``scale``.

    ``observed`` is the T of the observed labeling in these units. Draws stand for sums that are many
    beside the runs, unless they must be ``listed``. Raises ``BudgetExceeded``, before any work on it, where the choices of an item have too
    many sums; ``place`` names the item.
    Cost: a microsecond for each sum of every different item.
    Source: spec/15-runs.md#own-steps.

    >>> canonical_items({(2, 1, (0, 0, 0, 1)): 1}, 2, 4)
    Swaps(tally={((0, 1), (1, 1)): 1}, ties=0, low=Fraction(-1, 2), unit=1, observed=1, tied=3)
    >>> runs = (0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 1690)
    >>> canonical_items({(7, 1, runs): 1, (1, 1, (5, 5)): 1}, 0, 1, listed=False).total
    6864
    """
    found = drawn(items, observed, scale)
    draws = draws_of(found.tally)
    if draws is None or not (listed or are_short(draws)):
        return found
    for item in items:
        _check_sums(item, budget, place)
    return stepped(found, stepped_sums)


def stepped(found: Swaps, sums: Callable[[Draw], Mapping[int, int]]) -> Swaps:
    """Return the canonical form with a step for each draw; ``sums`` lists those of a draw, less the least, ascending."""
    steps, common = steps_of_draws(found.tally, sums)
    return replaced(found, tally=steps, tied=found.common * common)


def steps_of_draws(
    draws: Draws, sums: Callable[[Draw], Mapping[int, int]]
) -> tuple[dict[Step, int], int]:
    """Return the steps of draws in normal form, {step: number}, ascending, and what was divided out of all weights.

    >>> steps_of_draws({(2, (0, 0, 1, 1)): 3, (1, (0, 0, 1, 1)): 1}, stepped_sums)
    ({((0, 1), (1, 1)): 1, ((0, 1), (1, 4), (2, 1)): 3}, 2)
    """
    found: Counter[Step] = Counter()
    common = 1
    for draw, count in draws.items():
        listed = sums(draw)
        shared = gcd(*listed.values())
        common *= shared**count
        found[tuple([(x, ways // shared) for x, ways in listed.items()])] += count
    return dict(sorted(found.items())), common


def stepped_sums(draw: Draw) -> dict[int, int]:
    """Return {sum less the least: number of choices} of a draw, ascending.

    >>> stepped_sums((2, (0, 0, 1)))
    {0: 1, 1: 2}
    """
    m, values = draw
    least = sum(values[:m])
    sums = subset_sums(values, m)
    return {x - least: sums[x] for x in sorted(sums)}


def drawn(items: Mapping[Item, int], observed: int, scale: int) -> Swaps:
    """Return the canonical form of items as draws."""
    units: Counter[Draw] = Counter()
    low = ties = 0
    tied = 1
    for (m, factor, runs), count in items.items():
        n = len(runs)
        low += count * factor * (n * sum(runs[:m]) - m * sum(runs))
        if 0 < m < n and runs[0] < runs[-1]:
            units[m, tuple([factor * n * x for x in runs])] += count
        else:
            ties += count
            tied *= comb(n, m) ** count
    draws, unit = normal(units)
    return Swaps(
        tally=dict(sorted(draws.items())),
        ties=ties,
        low=ratio(low, scale),
        unit=ratio(unit, scale) if draws else 1,
        observed=(observed - low) // unit,
        tied=tied,
    )


def are_short(draws: Draws) -> bool:
    """Return whether the sums are few beside the values, so that steps are quicker."""
    terms = sum(map(_terms, draws))
    work = sum(_WORK_VALUE * len(values) + len(values) * m // _WORK_CELL for m, values in draws)
    return terms <= _FEW_TERMS or _WORK_TERM * terms < work


def few_terms(draws: Draws) -> bool:
    """Return whether the sums of draws are few enough to be listed for a count.

    >>> few_terms({(2, (0, 0, 1)): 3})
    True
    """
    terms = sum(map(_terms, draws))
    return terms <= (_MOST_DENSE if degree(draws) < 2 * terms else _MOST_TERMS)


def few_choices(values: Sequence[int], m: int) -> bool:
    """Return whether the choices of m of the values are so few that they are listed one by one.

    >>> few_choices((0, 0, 1), 2)
    True
    """
    return len(values) < _FEW_RUNS and comb(len(values), m) <= _FEW_CHOICES


def subset_sums(values: Sequence[int], m: int) -> Mapping[int, int]:
    """Return {sum: number of choices} of all choices of m of ascending values: [y^m] prod (1 + y x^value).

    Equal values are taken together: c values v contribute C(c, i) x^(i v) y^i.
    Source: spec/15-runs.md#own-steps.

    >>> dict(subset_sums((0, 0, 1, 3), 2))
    {0: 1, 1: 2, 3: 2, 4: 1}
    """
    if few_choices(values, m):
        return Counter(map(sum, combinations(values, m)))
    left = len(values)
    rows: dict[int, dict[int, int]] = {0: {0: 1}}
    for value, number in Counter(values).items():
        left -= number
        ways = binomials(number, m)
        grown: dict[int, dict[int, int]] = {}
        for j, row in rows.items():
            # The values that are left must be enough to bring every choice to m.
            for i in range(max(0, m - left - j), min(number, m - j) + 1):
                target, way, shift = grown.setdefault(i + j, {}), ways[i], i * value
                for total, count in row.items():
                    target[total + shift] = target.get(total + shift, 0) + way * count
        rows = grown
    return rows[m]


def _check_sums(item: Item, budget: Budget, place: Callable[[Item], str]) -> None:
    """Raise ``BudgetExceeded`` where the choices of an item have too many sums."""
    m, _factor, runs = item
    n = len(runs)
    if runs[0] == runs[-1] or few_choices(runs, m):
        return
    few = min(m, n - m)
    cost = _rows_cost(Counter(runs), n, few)
    if not budget.admits(cost):
        work = f"counting the sums of {few} of the {short_integer(n)} runs of {place(item)}"
        budget.check(cost, work, _INSTEAD)


def _rows_cost(tally: Mapping[int, int], n: int, m: int) -> Estimate:
    """Estimate :func:`subset_sums`: row j has at most C(seen, j) sums, and no more than its range."""
    if len(tally) * m > _MOST_ROWS:
        # After half of the values, each of the first m / 2 rows j has some j sums.
        return Estimate(
            seconds=len(tally) * (1 + m * m / 8) * _SECONDS_TERM,
            bytes=len(tally) * _BYTES_LISTED,
            least=True,
        )
    first = next(iter(tally))
    bits = log2(comb(n, m)) if n < _FEW_RUNS**2 else m * (log2(n / m) + 1)
    each = _SECONDS_TERM + bits * _SECONDS_BIT
    seconds, size, seen, terms = 0.0, 0.0, 0, 1.0
    for value, number in tally.items():
        seconds += terms * min(number + 1, m + 1) * each + min(number, m) * bits * _SECONDS_BIT
        seen += number
        terms = _row_terms(seen, m, n - seen, value - first)
        size = max(size, terms)
    seconds += terms * _SECONDS_LISTED
    return Estimate(
        seconds=seconds,
        bytes=int(size * (_BYTES_TERM + bits / 8) + terms * (_BYTES_LISTED + bits / 8)),
    )


def _row_terms(seen: int, m: int, left: int, reach: int) -> float:
    """Bound the number of sums in all rows after ``seen`` runs, each at most ``reach``; ``left`` runs are to come."""
    terms, ways = 0.0, 1.0
    for j in range(min(m, seen) + 1):
        if j >= m - left:
            terms += min(ways, j * reach + 1.0)
        ways = min(ways * (seen - j) / (j + 1), 1e300)
    return terms


def _terms(draw: Draw) -> int:
    """Bound the number of sums of a draw: no more than its choices, and no more than its range."""
    m, values = draw
    step = gcd(*values) or 1
    return min(comb(len(values), m), degree({draw: 1}) // step + 1)


def normal(draws: Draws) -> tuple[Draws, int]:
    """Return the same sums over a step as draws of m <= n / 2 values from 0 on, and the step; ties are left out.

    >>> normal({(2, (1, 3, 7)): 3, (1, (4, 4)): 1, (0, (0, 1)): 1})
    ({(1, (0, 2, 3)): 3}, 2)
    """
    varied = [draw for draw in draws if 0 < draw[0] < len(draw[1])]
    step = gcd(*[value - values[0] for _, values in varied for value in values]) or 1
    found: dict[Draw, int] = {}
    for m, values in varied:
        if values[0] < values[-1]:
            draw = m, tuple([(value - values[0]) // step for value in values])
            if 2 * m > len(values):
                ((_, left),) = mirrored({draw: 1})
                draw = len(values) - m, left
            found[draw] = found.get(draw, 0) + draws[m, values]
    return found, step
