"""Decide whether a printed Monte Carlo estimate can come from the exact p-value.

An estimate prints b / K or (b + 1) / (K + 1), where b is binomial: it counts the random assignments, of K, that are as
extreme as the observed one. For a two-sided test packages also print twice the estimate of the smaller one-sided
p-value, as SciPy does, so b has the probability p / 2 then. Among the b that print the text, the one nearest to K p is
the most likely; its two-sided binomial tail must be at least 0.001 over the number of such claims.
"""

from __future__ import annotations

from fractions import Fraction

from ..errors import BudgetExceeded
from ..montecarlo.binomial_tail import lower_tail_bounds
from ..montecarlo.sampling import least_where

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .case import Case
    from .conventions import Value

_LEVEL = Fraction(1, 1000)
_EXTRA = {"b/K": (0,), "(b+1)/(K+1)": (1,), None: (0, 1)}
_BITS = 64
_FAR = 60
_MOST_SAMPLES = 10**7


def plausible(case: Case, claims: int) -> bool | None:
    """Return whether the text is a plausible estimate; None where a bracket leaves it open, or too many samples."""
    p = case.plain(case.exactly)
    if p is None:
        return None
    try:
        verdicts = {_from(case, end, _LEVEL / claims) for end in (p if isinstance(p, tuple) else (p,))}
    except BudgetExceeded:
        return None
    return verdicts.pop() if len(verdicts) == 1 else None


def _from(case: Case, p: Fraction, limit: Fraction) -> bool:
    doubled = case.claim.alternative in ("two-sided", "doubled", "2min")
    return any(
        _tail(case, p / times, times, extra) >= limit
        for times in ((1, 2) if doubled else (1,))
        for extra in _EXTRA[case.claim.estimate]
        if p <= times
    )


def _tail(case: Case, p: Fraction, times: int, extra: int) -> Fraction:
    """Return the two-sided binomial tail of the most likely b that prints the text, 0 where none does."""
    K = case.claim.samples or 1
    printed = case.printed

    def estimate(b: int) -> Value | None:
        q = Fraction(times * (b + extra), K + extra)
        capped = q if case.claim.alternative == "2min" else min(q, Fraction(1))
        return case.adjusted(lambda one: capped if one is case else one.plain(one.exactly))

    def low(b: int) -> Fraction:
        value = estimate(b)
        return value[0] if isinstance(value, tuple) else value or Fraction(0)

    middle = min(K, round(K * p))
    least, most = printed.hull(case.alpha)
    start = low(middle)
    if start < least:
        b = least_where(lambda b: low(b) >= least, K + 1, middle)
        near = [b, b + 1]
    elif start > most:
        b = least_where(lambda b: low(b) > most, middle) - 1
        near = [b, b - 1]
    else:
        near = [middle, middle + 1, middle - 1]
    for b in near:
        if 0 <= b <= K and case.reading(estimate(b)) is not None:
            if 2 * (b - K * p) ** 2 > _FAR * K:  # Hoeffding: the tail is at most exp(-60)
                return Fraction(0)
            if K > _MOST_SAMPLES:
                raise BudgetExceeded(f"the binomial tail of {K} samples takes longer than some seconds")
            # The tail on the far side of b has at least half of the probability: the median is next to K p.
            tail = lower_tail_bounds(K, b, p, _BITS) if b <= K * p else lower_tail_bounds(K, K - b, 1 - p, _BITS)
            return 2 * tail.ends()[1]
    return Fraction(0)
