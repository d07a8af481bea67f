"""Tell which p-values exist at all, without the data: a check of the printed number against the number of pairs.

With n units of non-zero effect a p-value counts assignments of 2**n, so it lies on a lattice:

    sum           one-sided (>=): m / 2**n, and some data attain every m = 1, ..., 2**n; two-sided: 2 m / 2**n
    signed-rank   without ties the distribution of the rank sum is known: cumulative counts only
    sign          sums of binomial coefficients: n // 2 + 1 two-sided values
    Monte Carlo   b / K, or (b + 1) / (K + 1)

Rows with a difference of 0 leave a subset of the same lattice. The boundary ">" moves the lattice by one step and lets
it begin at 0; mid-p values lie on the lattice of half the step. So every impossibility is one "as stated": it names
its tail, its boundary and what it assumes. Source: spec/10-audit.md.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from itertools import accumulate
from math import comb

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import choice, whole_number
from ..errors import ExactPermError
from ..record import Record
from .conventions import BOUNDARIES, TAILS, halves
from .printed import PrintedPValue, read_pvalue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

TESTS = ("sum", "signed-rank", "sign")
ESTIMATES = ("b/K", "(b+1)/(K+1)")

_MOST_PAIRS = 100_000
_MOST_SAMPLES = 10**18
_MOST_LISTED = 400  # pairs up to which the values of rank and sign tests are listed; 80,000 rank sums


class Attainable(Record):
    """The p-values that a test of n pairs can give; made by :func:`attainable`.

    ``steps`` are the lattices {m * step: least <= m * step <= most}, as (step, least, most); ``values`` a sorted list
    in place of them where not all points of a lattice are attained; ``assumption`` is part of every verdict.
    """

    n: int
    test: str
    alternative: str
    boundary: str
    assumption: str
    steps: tuple[tuple[Fraction, Fraction, Fraction], ...] = ()
    values: tuple[Fraction, ...] | None = None

    def contains(self, printed: Any) -> bool:
        """Return whether some attainable p-value prints so; ``printed`` is text or a result of ``read_pvalue``.

        >>> attainable(5).contains("p = .03"), attainable(5, alternative="greater").contains("p = .03")
        (False, True)
        """
        reading = printed if isinstance(printed, PrintedPValue) else read_pvalue(printed)
        if reading.form == "not-significant":
            return True
        low = reading.least
        if self.values is not None:
            i = bisect_left(self.values, low)
            return any(reading.fit(p) is not None for p in self.values[i : i + 2])
        return any(_on_lattice(reading, low, *step) for step in self.steps)

    def verdict(self, printed: Any) -> str:
        """Return a sentence that says whether the printed p-value is possible, and under which assumption."""
        word = "attainable" if self.contains(printed) else "impossible as stated"
        text = printed.text if isinstance(printed, PrintedPValue) else printed
        return (
            f"{short_text(text)} is {word}: {self.test}, {self.alternative}"
            f"{'' if self.boundary == '>=' else f', boundary {self.boundary}'}; {self.n} {self.assumption}"
        )


def _on_lattice(reading: PrintedPValue, low: Fraction, step: Fraction, least: Fraction, most: Fraction) -> bool:
    """Return whether the first or the second point of the lattice from ``low`` on prints so."""
    first = max(least, -(-low // step) * step)
    return any(p <= most and reading.fit(p) is not None for p in (first, first + step))


def attainable(
    n: Any,
    test: str = "sum",
    *,
    alternative: str = "two-sided",
    boundary: str = ">=",
    samples: Any = None,
    estimate: str | None = None,
) -> Attainable:
    """Return the p-values that a paired test can give, whatever the data; ``.contains("p = .03")`` looks one up.

    - ``n``: number of pairs (units) with a non-zero difference, 1 to 100,000.
    - ``test``: "sum" (any scores), "signed-rank" (ranks without ties), "sign" (also McNemar's; n discordant items).
    - ``alternative``: "two-sided", "greater", "less", "doubled", "min" or "2min"; ``boundary``: ">=", ">" or "mid".
    - ``samples``: K of a Monte Carlo test; ``estimate``: "b/K" or "(b+1)/(K+1)", None for either.

    Raises ``ExactPermError`` for bad input. Cost: nothing for "sum"; for ranks n**3 additions, up to n = 400.
    Source: spec/10-audit.md.

    >>> print(attainable(5).verdict("p = .03"))
    'p = .03' is impossible as stated: sum, two-sided; 5 pairs have a difference
    """
    pairs = whole_number(n, "n", 1, _MOST_PAIRS)
    choice(test, "test", TESTS)
    choice(alternative, "alternative", tuple(TAILS))
    choice(boundary, "boundary", tuple(BOUNDARIES))
    base: dict[str, Any] = {"n": pairs, "test": test, "alternative": alternative, "boundary": boundary}
    if samples is not None:
        return _sampled(base, whole_number(samples, "samples", 1, _MOST_SAMPLES), estimate)
    if estimate is not None:
        raise ExactPermError(f"estimate is {short_text(estimate)}, but samples is None: it belongs to Monte Carlo")
    if test == "sum":
        return Attainable(**base, assumption="pairs have a difference", steps=(_lattice(pairs, alternative, boundary),))
    if pairs > _MOST_LISTED:
        raise ExactPermError(f"n is {pairs}: the values of the {test} test are listed up to {_MOST_LISTED} pairs")
    counts = [comb(pairs, k) for k in range(pairs + 1)] if test == "sign" else rank_sums(pairs)
    what = (
        "items that one system alone has right"
        if test == "sign"
        else "pairs have a difference, no two of the same size"
    )
    return Attainable(**base, assumption=what, values=_listed(counts, alternative, boundary))


def _lattice(n: int, tail: str, boundary: str) -> tuple[Fraction, Fraction, Fraction]:
    """Return (step, least, most) of the p-values of a sum of n non-zero effects."""
    step = Fraction(2 if tail in ("two-sided", "doubled", "2min") else 1, 1 << n)
    most = Fraction(2 if tail == "2min" else 1)
    if boundary == "mid":
        return step / 2, step / 2, most
    return (step, step, most) if boundary == ">=" else (step, Fraction(0), most - step)


def rank_sums(n: int) -> list[int]:
    """Return the numbers of subsets of 1, ..., n with the sums 0, 1, 2, ...

    >>> rank_sums(3)
    [1, 1, 1, 2, 1, 1, 1]
    """
    counts = [1]
    for rank in range(1, n + 1):
        counts = [a + b for a, b in zip(counts + [0] * rank, [0] * rank + counts)]
    return counts


def _listed(counts: list[int], tail: str, boundary: str) -> tuple[Fraction, ...]:
    """Return all p-values of a symmetric distribution with these counts, ascending."""
    total = sum(counts)
    found = set()
    for below, here in zip(accumulate(counts, initial=0), counts):
        tails = {"less": (below + here, below), "greater": (total - below, total - below - here)}
        found.add(halves(tail, boundary, total, *tails.get(tail, min(tails.values()))))
    return tuple(Fraction(numerator, 2 * total) for numerator in sorted(found))


def _sampled(base: dict[str, Any], K: int, estimate: str | None) -> Attainable:
    if estimate is not None:
        choice(estimate, "estimate", ESTIMATES)
    steps: list[tuple[Fraction, Fraction, Fraction]] = []
    if estimate in (None, "b/K"):
        steps.append((Fraction(1, K), Fraction(0), Fraction(1)))
    if estimate in (None, "(b+1)/(K+1)"):
        steps.append((Fraction(1, K + 1), Fraction(1, K + 1), Fraction(1)))
    which = "either estimate" if estimate is None else estimate
    return Attainable(
        **base, assumption=f"pairs have a difference, K = {K} random assignments, {which}", steps=tuple(steps)
    )
