"""Decide whether a printed estimate can come from the p-value of the data.

An estimate prints b / K or (b + 1) / (K + 1), where b is binomial: it counts the random
assignments, of K, that are as extreme as the observed one. For a two-sided test packages also print
twice the estimate of the smaller one-sided p-value, as SciPy does, so b has the probability p / 2
then. Among the b that print the text, the one nearest to K p is the most likely; its two-sided
binomial tail must be at least 0.001 over the number of such claims. Source: spec/10-audit.md#audit-open.
"""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, inf, log, sqrt

from .._types import TYPE_CHECKING
from ..arithmetic.rational import Exact
from ..errors import BudgetExceeded
from ..montecarlo.binomial_tail import lower_tail_bounds
from .facts import Ends

if TYPE_CHECKING:
    from .text import PrintedPValue

FORMS = {"b/K": (0,), "(b+1)/(K+1)": (1,), None: (0, 1)}
USUAL_SAMPLES = (10_000, 9999)
"""Numbers of random assignments that SciPy, coin and sacreBLEU take unless they are told otherwise."""

_LEVEL = Fraction(1, 1000)
_BITS = 64
_MOST_SAMPLES = 10**7
_WIDTH = 4  # standard errors around a p-value that is adjusted together with others


def likely(
    text: PrintedPValue, alpha: Exact, p: Ends, about: tuple[int, str, str | None], claims: int
) -> str:
    """Return how the text may be an estimate of a p-value between two bounds, in words; "" where it hardly is one.

    ``about`` has the number of samples, the tail and the form of the estimate; ``claims`` is the
    number of such claims. Raises ``BudgetExceeded`` for too many samples.
    """
    samples, tail, form = about
    doubled = tail in ("two-sided", "doubled", "2min")
    found = []
    for times in (1, 2) if doubled else (1,):
        for extra in FORMS[form]:
            q = p[0] / times, min(p[1] / times, Fraction(1))
            b = _nearest(text, alpha, q, samples, (times, extra)) if p[0] <= times else None
            if b is not None:
                middle = min(max(Fraction(b, samples), q[0]), q[1])
                chance = _tail(samples, b, middle, _LEVEL / claims)
                found.append((chance, b, times, extra))
    best = max(found, default=(Fraction(0), 0, 1, 0))
    if best[0] < _LEVEL / claims:
        return ""
    formula = "(b+1)/(K+1)" if best[3] else "b/K"
    sides = "twice one tail" if best[2] == 2 else "two-sided" if doubled else "one tail"
    return f"{formula} with b = {best[1]} of K = {samples}, {sides}"


def around(p: Ends, samples: int) -> Ends:
    """Return bounds that an estimate of a p-value between two others hardly leaves."""
    low, high = p
    widths = [Fraction(_WIDTH * sqrt(x * (1 - x) / samples)) + Fraction(2, samples) for x in p]
    return max(Fraction(0), low - widths[0]), min(Fraction(1), high + widths[1])


def _nearest(
    text: PrintedPValue, alpha: Exact, q: Ends, K: int, form: tuple[int, int]
) -> int | None:
    """Return the b next to K q that prints the text; None where none does."""
    times, extra = form
    low, high = text.hull(alpha)
    first = max(0, ceil(low * (K + extra) / times - extra))
    last = K if high >= 1 else min(K, floor(high * (K + extra) / times - extra))
    least, most = round(K * q[0]), round(K * q[1])
    near = last if last < least else first if first > most else max(first, least)
    for b in (near, near - 1, near + 1):
        value = min(Fraction(times * (b + extra), K + extra), Fraction(1))
        if 0 <= b <= K and text.fit(value, alpha) == "rounded" and not (b and text.bare_zero):
            return b
    return None


def _log(x: Fraction) -> float:
    return log(x.numerator) - log(x.denominator) if x else -inf


def _tail(K: int, b: int, p: Fraction, least: Fraction) -> Fraction:
    """Return the two-sided tail of b under the binomial distribution with K and p; 0 where it is far below ``least``."""
    if Fraction(b, K) == p:
        return Fraction(1)
    # Chernoff: half of it is at most exp(-K D), D the divergence of b / K from p
    if sum(
        n * (_log(Fraction(n, K)) - _log(q)) for n, q in ((b, p), (K - b, 1 - p)) if n
    ) > 1 - _log(least):
        return Fraction(0)
    if K > _MOST_SAMPLES:
        raise BudgetExceeded(f"the binomial tail of {K} samples takes longer than some seconds")
    # The tail on the far side of b has at least half of the probability: the median is next to K p.
    below = b <= K * p
    tail = lower_tail_bounds(K, b if below else K - b, p if below else 1 - p, _BITS)
    return min(Fraction(1), 2 * tail.ends()[1])
