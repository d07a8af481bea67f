"""Known defects of packages: wrong p-values that some version prints, and what it computes.

They are tried after all conventions and never taken for the stated one.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor

from .._types import TYPE_CHECKING
from ..arithmetic.rational import Exact
from ..permutation import sign_flip_test
from ..record import Record, replaced
from .attainable import rank_sums
from .conventions import STATISTICS, Convention, Facts, Value, facts
from .laws import normal_tail

if TYPE_CHECKING:
    from .samples import Sample


_MOST_RANKS = 200
_MOST_EXACT = 50  # pairs up to which perm.test is exact


class Known(Record):
    """Input of a defect: the stated convention, the data, and the facts of the stated statistic."""

    stated: Convention
    sample: Sample
    facts: Facts

    def exact(self, tail: str | None = None, boundary: str = ">=") -> Fraction | None:
        """Return the exact p-value, by default under the stated tail; None where the count was refused."""
        value = self.facts.value("exact", tail or self.stated.tail, boundary)
        return value if isinstance(value, Fraction) else None


class Defect(Record):
    """A known wrong value of a package: who prints it, in which version, and what it computes."""

    name: str
    package: str
    statistics: tuple[str, ...]
    value: Callable[[Known], Value | None]

    @property
    def words(self) -> str:
        """The defect and its package, in words."""
        return f"{self.name} ({self.package})"


def _trimmed(known: Known) -> Fraction | None:
    p = known.exact()
    return Fraction(0) if p is not None and p < Fraction(1, 10**8) else None


def _underflow(known: Known) -> Fraction | None:
    p = known.exact()
    return Fraction(0) if p is not None and p <= Fraction(1, 2**1074) else None


def _many_pairs(known: Known) -> Fraction | None:
    return Fraction(0) if known.facts.n >= 1024 else None


def _recount(less: int, fewer: int) -> Callable[[Known], Fraction | None]:
    """Return a function for the p-value whose count and total are changed by some assignments."""

    def value(known: Known) -> Fraction | None:
        p = known.exact()
        if p is None or known.facts.total + fewer < 1:
            return None
        return (p * known.facts.total + less) / (known.facts.total + fewer)

    return value


def _ranked(known: Known) -> int:
    """Return the number of ranks: all pairs, without zeros where these are dropped."""
    return known.facts.n if known.stated.zeros != "drop" else known.sample.n_nonzero


def _with_variance(known: Known, squares: Exact) -> Value | None:
    """Return the value by the normal law of the claim, or one without correction, with other squares of the ranks."""
    facts, stated = known.facts, known.stated
    if facts.swaps is None or facts.square == 0 or stated.law == "monte-carlo":
        return None
    law = "normal" if stated.law == "exact" else stated.law
    square = squares / Fraction(facts.swaps.unit) ** 2
    return replaced(facts, square=square).value(law, stated.tail)


def _untied_variance(known: Known) -> Value | None:
    """Return the value with the variance n (n + 1) (2n + 1) / 24 of ranks without ties."""
    n = _ranked(known)
    return (
        _with_variance(known, Fraction(n * (n + 1) * (2 * n + 1), 6))
        if known.stated.zeros == "drop"
        else None
    )


def _zeros_in_variance(known: Known) -> Value | None:
    """Return the value of zsplit with the zeros in its variance, though both sides share their ranks always."""
    facts, zeros = known.facts, known.facts.n - known.sample.n_nonzero
    if (
        facts.swaps is None
        or known.stated.zeros != "zsplit"
        or known.stated.law == "exact"
        or not zeros
    ):
        return None
    return _with_variance(
        known, facts.square * Fraction(facts.swaps.unit) ** 2 + zeros * Fraction(zeros + 1, 2) ** 2
    )


def _untied_null(known: Known) -> Fraction | None:
    """Return the value by the table of ranks 1, ..., n for ranks with ties and zeros, rounded towards the centre."""
    n = _ranked(known)
    if known.stated.law != "exact" or known.facts.result is None or not 0 < n <= _MOST_RANKS:
        return None
    at_most = list(accumulate(rank_sums(n)))
    v, last = Fraction(known.facts.result.statistic), len(at_most) - 1
    less = Fraction(at_most[min(ceil(v), last)], 1 << n)
    greater = Fraction((1 << n) - (at_most[floor(v) - 1] if v >= 1 else 0), 1 << n)
    two = min(Fraction(1), 2 * min(less, greater))
    return {"less": less, "greater": greater, "min": two / 2}.get(known.stated.tail, two)


def _centre_corrected(known: Known) -> Value | None:
    """Return the value of Edwards' correction where b = c: (0 - 1)**2 / (b + c) in place of 0."""
    facts = known.facts
    if (
        facts.swaps is None
        or facts.side
        or facts.square == 0
        or (known.stated.law, known.stated.tail) != ("normal-cc", "two-sided")
    ):
        return None
    return normal_tail(1 / Fraction(facts.square)).scaled(1).ends()


def _ranked_scores(known: Known) -> Value | None:
    """Return the value of the scores -k, ..., -1, 0, 1, ..., m - k - 1, where k of m differences are not positive."""
    sample = known.sample.in_doubles() or known.sample
    column = sample.differences or ()
    m = len(column)
    if (
        not 0 < m <= _MOST_EXACT
        or sample.labels
        or all(Fraction(d).denominator == 1 for d in column)
    ):
        return None
    k = sum(d <= 0 for d in column)
    scores = facts(sign_flip_test(range(-k, m - k)))
    tail = "doubled" if known.stated.tail == "two-sided" else known.stated.tail
    return scores.value("exact", tail, known.stated.boundary)


_ENUMERATED = "own scripts that enumerate"

RANKED_SCORES = Defect(
    name="scores that are no integers are replaced by ranks",
    package="R exactRankTests 0.8.35 perm.test",
    statistics=("sum",),
    value=_ranked_scores,
)
"""What one package prints without a word in place of the exact test: a claim that it prints so is undecided."""

FORMULAS = (
    Defect(
        name="normal law, zeros in the variance of zsplit",
        package="SciPy 1.17.1 wilcoxon, zero_method='zsplit'",
        statistics=("signed-rank",),
        value=_zeros_in_variance,
    ),
    Defect(
        name="continuity correction at the centre",
        package="statsmodels 0.15.0 mcnemar",
        statistics=("mcnemar",),
        value=_centre_corrected,
    ),
)
"""Formulas of one package, no errors of its: a claim that it prints so is believed."""

DEFECTS = (
    Defect(
        name="null distribution of ranks without ties and zeros",
        package="SciPy 1.17.1 wilcoxon, method='exact'",
        statistics=("signed-rank",),
        value=_untied_null,
    ),
    Defect(
        name="normal law, variance without tie term",
        package="own scripts",
        statistics=("signed-rank",),
        value=_untied_variance,
    ),
    Defect(
        name="probability below 1e-8 is dropped",
        package="paired-perm-test at 55fb5e3",
        statistics=("sum", "accuracy", "f1"),
        value=_trimmed,
    ),
    Defect(
        name="underflow to 0",
        package="statsmodels 0.15.0 mcnemar, mlxtend 0.25.0 mcnemar",
        statistics=("mcnemar", "sign"),
        value=_underflow,
    ),
    Defect(
        name="0 from 1,024 pairs on",
        package="R exactRankTests 0.8.35 perm.test",
        statistics=("sum", "signed-rank"),
        value=_many_pairs,
    ),
    Defect(
        name="the observed assignment is left out of count and total",
        package=_ENUMERATED,
        statistics=tuple(STATISTICS),
        value=_recount(-1, -1),
    ),
    Defect(
        name="the observed assignment is left out of the count",
        package=_ENUMERATED,
        statistics=tuple(STATISTICS),
        value=_recount(-1, 0),
    ),
    Defect(
        name="one is added to count and total of a full enumeration",
        package=_ENUMERATED,
        statistics=tuple(STATISTICS),
        value=_recount(1, 1),
    ),
)
"""Known defects; a two-sided p-value above 1 is the tail "2min" of the conventions."""
