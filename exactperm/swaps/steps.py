"""Bring items with several runs of each system to canonical form: a tally of steps.

An item has m runs of the first system and n of the second. Where all m + n are exchangeable, each
of the C(m + n, m) choices of the m runs that carry the first label is equally likely. The item adds

    mean(first) - mean(second) = (N A - m S) / (m n),    N = m + n, A the sum of the chosen runs, S the sum of all,

so it is enough to know how many choices have each A: the coefficients of G(x) = [y^m] prod (1 + y
x^run). Subtracting the least exponent and dividing the weights by their greatest common divisor
gives a step ((0, g0), (a1, g1), ...), and T = low + unit * X, where X is a sum of independent
steps. A pair (m = n = 1) is the step ((0, 1), (d, 1)).

The runs 1, 0 against 0, 0 have A = 0 or 1, three choices each: the step ((0, 1), (1, 1)), whose
weights lost a factor of 3, and the item adds -1/2 or 1/2.

Source: spec/15-runs.md#own-steps.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations

from ..arithmetic.quoting import short_integer
from ..arithmetic.rational import ratio
from ..budget import DEFAULTS, Budget, Estimate
from .canonical import Steps
from .units import Step, binomials

Item = tuple[int, int, tuple[int, ...]]
"""(m, factor, runs): m of the ascending runs have the first label, and the item adds factor * (N A
- m S)."""

UNPAIRED = {
    "samples": "all observations of a stratum are exchangeable between two samples",
    "steps": "every step draws one of its values, independently of the others",
}
"""What is random in tests without pairs, in a line each."""


def is_unpaired(design: object) -> bool:
    """Return whether a word says what is random in a test without pairs.

    >>> is_unpaired("samples"), is_unpaired("within")
    (True, False)
    """
    return isinstance(design, str) and design in UNPAIRED


_FEW_RUNS, _FEW_CHOICES = 64, 300  # listed one by one

# Measured on CPython 3.11.
_SECONDS_TERM = 8e-8  # of a row: added to the sums that it leads to
_SECONDS_BIT = 2.5e-11  # of its number of choices
_SECONDS_LISTED = 2.5e-6  # of a term of the step that is made of the last row
_BYTES_TERM, _BYTES_LISTED = 120, 300
_MOST_ROWS = 10**7

_INSTEAD = "test fewer runs of an item, or blocks of runs (design='items'), which needs no sums of single runs"


def canonical_steps(
    items: Mapping[Item, int],
    observed: int,
    scale: int,
    budget: Budget = DEFAULTS.budget,
    place: Callable[[Item], str] = lambda _item: "an item",
) -> Steps:
    """Return the canonical form of items {(m, factor, ascending runs): number}; T has units of 1/``scale``.

    ``observed`` is the T of the observed labeling in these units. Raises ``BudgetExceeded``, before
    any work on it, where the choices of an item have too many sums; ``place`` names the item.
    Cost: a microsecond for each sum of every different item.
    Source: spec/15-runs.md#own-steps.

    >>> canonical_steps({(2, 1, (0, 0, 0, 1)): 1}, 2, 4)
    Steps(tally={((0, 1), (1, 1)): 1}, ties=0, low=Fraction(-1, 2), unit=1, observed=1, common=3)
    """
    # steps of values with greatest common divisor 1, and their factor
    found: Counter[tuple[int, Step]] = Counter()
    known: dict[tuple[int, tuple[int, ...]], tuple[Step, int]] = {}
    divisors: Counter[int] = Counter()
    ties = low = 0
    for (m, factor, runs), count in items.items():
        n = len(runs)
        base = runs[0]
        shifted = tuple([x - base for x in runs])
        divisor = math.gcd(*shifted)
        if not divisor:
            ties += count
            divisors[math.comb(n, m)] += count
            continue
        low += count * factor * (n * sum(runs[:m]) - m * sum(runs))
        key = m, shifted if divisor == 1 else tuple([x // divisor for x in shifted])
        if key not in known:
            known[key] = listed_step(*key, budget, lambda: place((m, factor, runs)))  # noqa: B023 (called here, if at all)
        step, shared = known[key]
        divisors[shared] += count
        found[factor * n * divisor, step] += count
    unit = math.gcd(*(factor for factor, _step in found)) or 1
    types = {_multiplied(step, factor // unit): count for (factor, step), count in found.items()}
    return Steps(
        tally=dict(sorted(types.items())),
        ties=ties,
        low=ratio(low, scale),
        unit=ratio(unit, scale) if types else 1,
        observed=(observed - low) // unit,
        common=math.prod(divisor**count for divisor, count in divisors.items()),
    )


def _multiplied(step: Step, factor: int) -> Step:
    return step if factor == 1 else tuple([(value * factor, weight) for value, weight in step])


def listed_step(
    m: int,
    runs: tuple[int, ...],
    budget: Budget = DEFAULTS.budget,
    place: Callable[[], str] = lambda: "an item",
) -> tuple[Step, int]:
    """Return the step of one item whose ascending runs start at 0, and the greatest common divisor of its weights."""
    sums = subset_sums(runs, m, budget, place)
    least = sum(runs[:m])
    shared = math.gcd(*sums.values())
    return tuple([(value - least, sums[value] // shared) for value in sorted(sums)]), shared


def subset_sums(
    runs: Sequence[int],
    m: int,
    budget: Budget = DEFAULTS.budget,
    place: Callable[[], str] = lambda: "an item",
) -> Mapping[int, int]:
    """Return {sum: number of choices} of all choices of m of the runs: [y^m] prod (1 + y x^run).

    Runs are ascending. Equal ones are taken together: c runs of one value v contribute C(c, i) x^(i
    v) y^i. Of m and n - m the smaller number is chosen. Raises ``BudgetExceeded`` before any work.
    Source: spec/15-runs.md#own-steps.

    >>> dict(subset_sums((0, 0, 1, 3), 2))
    {0: 1, 1: 2, 3: 2, 4: 1}
    """
    n = len(runs)
    if n < _FEW_RUNS and math.comb(n, m) <= _FEW_CHOICES:
        return Counter(map(sum, combinations(runs, m)))
    if 2 * m > n:
        total = sum(runs)
        return {
            total - rest: count for rest, count in subset_sums(runs, n - m, budget, place).items()
        }
    tally = Counter(runs)
    cost = _rows_cost(tally, n, m)
    if not budget.admits(cost):
        budget.check(
            cost, f"counting the sums of {m} of the {short_integer(n)} runs of {place()}", _INSTEAD
        )
    rows: dict[int, dict[int, int]] = {0: {0: 1}}
    left = n
    for value, number in tally.items():
        left -= number
        ways = binomials(number, min(number, m))
        grown: dict[int, dict[int, int]] = {}
        for j, row in rows.items():
            # The runs that are left must be enough to bring every choice to m.
            for i in range(max(0, m - left - j), min(number, m - j) + 1):
                target, way, shift = grown.setdefault(i + j, {}), ways[i], i * value
                for total, count in row.items():
                    target[total + shift] = target.get(total + shift, 0) + way * count
        rows = grown
    return rows[m]


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
    bits = math.log2(math.comb(n, m)) if n < _FEW_RUNS**2 else m * (math.log2(n / m) + 1)
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
