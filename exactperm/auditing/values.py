"""The p-value of one reading of a claim: by the facts of its data, or by the formula of a package.

Doubles, scores before rounding and formulas are crossed with all else here, and nowhere else.
Source: spec/10-audit.md#audit-open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor

from .._types import TYPE_CHECKING, Union
from ..arithmetic.rational import Exact
from ..errors import BudgetExceeded
from ..record import replaced
from .axes import AXES, RATIOS, ROUNDED, Way
from .facts import Allowance, Facts, Value, ends_of
from .laws import normal_tail
from .tabled import by_ranks, ranks_before, rounded, signs_before

if TYPE_CHECKING:
    from .sample import Sample

_MOST_RANKS = 200


def values(reading: Way, sample: Sample, allowance: Allowance) -> Value | None:
    """Return the p-value of a reading, exact or between bounds; None where the data have none.

    Raises ``BudgetExceeded`` where the allowance buys no bounds of it.
    """
    sample = sample.under(reading.design)
    statistic, zeros, tail = reading.statistic, reading.zeros, reading.side
    if reading.data in ROUNDED:
        points = points_of(reading, sample, allowance)
        if points or reading.source != "itself":
            ends = [ends_of(p) for p in points]
            return (min(low for low, _ in ends), max(high for _, high in ends)) if ends else None
        about = statistic, reading.law, tail, reading.boundary
        width = reading.unit or Fraction(1), reading.data == "tabled"
        return rounded(sample, about, width, allowance)
    facts = sample.facts(statistic, zeros, allowance, reading.column)
    if facts is None:
        return None
    value = (
        FORMULAS[reading.source][2](reading, sample, facts)
        if reading.source != "itself"
        else facts.value(reading.law, tail, reading.boundary)
    )
    if reading.law == "exact" and not facts.tails and sample.total > 1:
        raise BudgetExceeded(facts.refusal or f"the p-value of the {reading.words}")
    if reading.floating:
        return _exact_ties(reading, sample, facts)
    return value


def points_of(reading: Way, sample: Sample, allowance: Allowance) -> tuple[Value, ...]:
    """Return the p-values of a reading of scores before rounding, where they are so few that they are listed."""
    about = reading.side, reading.boundary
    if reading.source == "ranked scores":
        return ranks_before(sample, reading.unit or Fraction(1), reading.tail, *about)
    if (reading.data, reading.statistic) == ("tabled", "sign") and sample.differences:
        return signs_before(sample, reading.law, *about, allowance)
    return ()


def step(reading: Way, sample: Sample) -> Fraction:
    """Return the step of the lattice on which the p-value of sums in doubles lies; 0 for other readings."""
    floating = reading.free and reading.data == "doubles"
    return Fraction(1, sample.under(reading.design).total) if floating else Fraction(0)


def _exact_ties(reading: Way, sample: Sample, facts: Facts) -> Value | None:
    """Return bounds of the p-value where doubles may lose any ties of the observed sum with others."""
    ends = [facts.value("exact", reading.side, rule) for rule in (">", ">=")]
    low, high = [value[i] if isinstance(value, tuple) else value for i, value in enumerate(ends)]
    if low is None or high is None:
        return None
    # the observed assignment is equal to itself where its sum is added as all others are
    itself = sample.itself * (1 if reading.tail in ("greater", "less", "min") else 2)
    return min(low + itself, high), high


Known = Callable[[Way, "Sample", Facts], Union[Value, None]]


def _with_squares(reading: Way, facts: Facts, squares: Exact) -> Value | None:
    """Return the value by the normal law with another sum of squares on the lattice."""
    law = "normal" if reading.law == "exact" else reading.law
    return replaced(facts, square=squares).value(law, reading.side)


def _zsplit(reading: Way, sample: Sample, facts: Facts) -> Value | None:
    """Return the value of zsplit with the zeros in its variance, though both sides share their ranks always."""
    column = sample.in_doubles if reading.data == "doubles" else sample.differences
    zeros = sum(d == 0 for d in column or ())
    if reading.zeros != "zsplit" or not zeros or not facts.square:
        return None
    more = zeros * Fraction(zeros + 1, 2) ** 2
    return _with_squares(reading, facts, facts.square + more * facts.step**2)


def _centre(reading: Way, _sample: Sample, facts: Facts) -> Value | None:
    """Return the value of Edwards' correction where b = c: (0 - 1)**2 / (b + c) in place of 0."""
    if facts.side or not facts.square or reading.tail != "two-sided":
        return None
    return normal_tail(1 / Fraction(facts.square)).scaled(1).ends()


def _other_sum(reading: Way, sample: Sample, facts: Facts) -> Value | None:
    """Return the value of a program that adds the observed sum in another way, and so loses its equality with itself."""
    if not sample.may_lose_ties or reading.boundary != ">=":
        return None
    return facts.value("exact", reading.side, ">") or None


def _ranked_scores(reading: Way, sample: Sample, _facts: Facts) -> Value | None:
    """Return the value of perm.test, which takes ranks for scores that are no integers."""
    column = sample.in_doubles or sample.differences
    if not column or all(Fraction(d).denominator == 1 for d in column):
        return None
    return by_ranks(
        sample, sum(d <= 0 for d in column), reading.tail, reading.side, reading.boundary
    )


def _untied_null(reading: Way, sample: Sample, facts: Facts) -> Value | None:
    """Return the value by the table of ranks 1, ..., n for ranks with ties and zeros, rounded towards the centre."""
    n = sample.n if reading.zeros != "wilcox" else sample.n_nonzero
    if not facts.tails or not 0 < n <= _MOST_RANKS:
        return None
    at_most = list(accumulate(rank_sums(n)))
    half = Fraction(sum(rank for rank in sample.flips("wilcoxon", reading.zeros) if rank > 0))
    if reading.zeros == "zsplit":
        zeros = sample.n - sample.n_nonzero
        half += Fraction(zeros * (zeros + 1), 4)
    less = Fraction(at_most[min(ceil(half), len(at_most) - 1)], 1 << n)
    greater = 1 - Fraction(at_most[floor(half) - 1] if half >= 1 else 0, 1 << n)
    two = min(Fraction(1), 2 * min(less, greater))
    return {"less": less, "greater": greater, "min": two / 2}.get(reading.side, two)


def rank_sums(n: int) -> list[int]:
    """Return the numbers of subsets of 1, ..., n with the sums 0, 1, 2, ...

    >>> rank_sums(3)
    [1, 1, 1, 2, 1, 1, 1]
    """
    counts = [1]
    for rank in range(1, n + 1):
        counts = [a + b for a, b in zip(counts + [0] * rank, [0] * rank + counts)]
    return counts


def _untied_variance(reading: Way, sample: Sample, facts: Facts) -> Value | None:
    """Return the value with the variance n (n + 1) (2n + 1) / 24 of ranks without ties."""
    n = sample.n_nonzero
    if reading.zeros != "wilcox" or not facts.square:
        return None
    squares = Fraction(n * (n + 1) * (2 * n + 1), 6)
    return _with_squares(reading, facts, squares * facts.step**2)


def _zero_below(least: Fraction, pairs: int = 0) -> Known:
    """Return a formula that gives 0 for p-values below a number, or from so many pairs on."""

    def value(reading: Way, sample: Sample, facts: Facts) -> Value | None:
        p = facts.value("exact", reading.side, reading.boundary)
        small = isinstance(p, Fraction) and p < least and (not pairs or sample.n_nonzero >= pairs)
        return Fraction(0) if small else None

    return value


def _recount(more: int, others: int) -> Known:
    """Return a formula whose count and total are changed by some assignments."""

    def value(reading: Way, sample: Sample, facts: Facts) -> Value | None:
        p, total = facts.value("exact", reading.side, reading.boundary), sample.total
        if not isinstance(p, Fraction) or total + others < 1:
            return None
        return (p * total + more) / (total + others)

    return value


_ALL = tuple(AXES["statistic"])
_NORMAL = ("normal", "normal-cc")
FORMULAS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...], Known]] = {
    "zsplit variance": (("wilcoxon",), _NORMAL, _zsplit),
    "centre": (("mcnemar",), ("normal-cc",), _centre),
    "other sum": (("difference", "accuracy", *RATIOS), ("exact",), _other_sum),
    "ranked scores": (("difference",), ("exact",), _ranked_scores),
    "untied null": (("wilcoxon",), ("exact",), _untied_null),
    "untied variance": (("wilcoxon",), ("exact", *_NORMAL), _untied_variance),
    "trimmed": (("difference", "accuracy", "f1"), ("exact",), _zero_below(Fraction(1, 10**8))),
    "underflow": (("mcnemar", "sign"), ("exact",), _zero_below(Fraction(1, 2**1022))),
    "many pairs": (("difference", "wilcoxon"), ("exact",), _zero_below(Fraction(1), 1024)),
    "less one": (_ALL, ("exact",), _recount(-1, 0)),
    "both less one": (_ALL, ("exact",), _recount(-1, -1)),
    "both plus one": (_ALL, ("exact",), _recount(1, 1)),
}
"""For each source of a number: the statistics and the laws that it belongs to, and its value."""
