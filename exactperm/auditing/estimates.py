"""Decide whether a printed Monte Carlo estimate can come from the exact p-value.

An estimate prints b / K or (b + 1) / (K + 1), where b is binomial: it counts the random
assignments, of K, that are as extreme as the observed one. For a two-sided test packages also print
twice the estimate of the smaller one-sided p-value, as SciPy does, so b has the probability p / 2
then. Among the b that print the text, the one nearest to K p is the most likely; its two-sided
binomial tail must be at least 0.001 over the number of such claims.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..arithmetic.writing import decimal_string
from ..errors import BudgetExceeded
from ..montecarlo.binomial_tail import lower_tail_bounds
from ..montecarlo.sampling import least_where
from ..record import Record, replaced
from .conventions import DESIGNS, Value
from .findings import Fit
from .readings import from_rounded, in_binary, open_designs

if TYPE_CHECKING:
    from .case import Case


Ends = tuple[Fraction, Fraction]


_LEVEL = Fraction(1, 1000)
_EXTRA = {"b/K": (0,), "(b+1)/(K+1)": (1,), None: (0, 1)}
_BITS = 64
_FAR = 60
_MOST_SAMPLES = 10**7
_USUAL = (10_000, 9999)
"""Numbers of random assignments that SciPy, coin and sacreBLEU take unless they are told otherwise."""


class Estimate(Record):
    """A reading of a printed estimate: b of K assignments, ``times`` 2 for twice one tail, ``extra`` 1 for (b+1)/(K+1).

    ``tail`` is the two-sided binomial tail of b under the p-value nearest to b / K that the
    readings leave.
    """

    samples: int
    times: int
    extra: int
    b: int
    tail: Fraction
    sides: str
    value: Fraction

    @property
    def fit(self) -> Fit:
        """The reading in words, with b and its tail."""
        formula = "(b+1)/(K+1)" if self.extra else "b/K"
        words = f"{formula} with b = {self.b} of K = {self.samples}, {self.sides}"
        likely = decimal_string(self.tail, 2) if self.tail < 1 else "1"
        return Fit(convention=words, value=self.value, reading=f"monte-carlo, tail {likely}")


def plausible(
    case: Case, claims: int, tail: str | None = None, samples: int | None = None
) -> Estimate | None:
    """Return the most likely reading of the text as an estimate; None where all have a tail below the level.

    ``tail`` and ``samples`` are those of the claim unless they are given. Raises ``BudgetExceeded``
    where a bracket leaves it open, or for too many samples.
    """
    found, refusal = [], None
    for design, _known in open_designs(case):
        try:
            found.append(
                _plausible_under(case, claims, tail or case.claim.alternative, samples, design)
            )
        except BudgetExceeded as error:
            refusal = error
    best = max(filter(None, found), key=lambda one: one.tail, default=None)
    if best is None and refusal is not None:
        raise refusal
    return best


def _plausible_under(
    case: Case, claims: int, tail: str, samples: int | None, design: str
) -> Estimate | None:
    """Return the most likely reading of the text as an estimate of the test that a design of runs makes."""
    K = samples or case.claim.samples or 1
    p = _open_values(case, tail, design)
    doubled = tail in ("two-sided", "doubled", "2min")
    sides = "two-sided" if doubled else "one tail"
    found = [
        one
        for times in ((1, 2) if doubled else (1,))
        for extra in _EXTRA[case.claim.estimate]
        for one in _likeliest(case, (p[0] / times, min(p[1] / times, Fraction(1))), K, times, extra)
        if p[0] <= times
    ]
    best = max(found, key=lambda one: one.tail, default=None)
    if best is None or best.tail < _LEVEL / claims:
        return None
    sides = "twice one tail" if best.times == 2 else sides
    return replaced(best, sides=f"{sides}, {DESIGNS[design]}" if design else sides)


def of_usual_samples(case: Case) -> Estimate | None:
    """Return a reading of the text as an estimate from one of the usual numbers of assignments."""
    tails = (
        case.claim.alternative,
        *(("greater", "less") if case.claim.leaves_open("alternative") else ()),
    )
    try:
        return next(
            filter(None, (plausible(case, 1, tail, K) for tail in tails for K in _USUAL)), None
        )
    except BudgetExceeded:
        return None


def _open_values(case: Case, tail: str, design: str) -> Ends:
    """Return bounds of the p-values that the data leave open: with ties that doubles lose, and before rounding."""
    convention = replaced(case.exactly, tail=tail, design=design)
    values = [case.plain(convention)]
    if case.sample.under(design).may_lose_ties:
        values.append(in_binary(case, convention))
    if case.rounding is not None:
        values.append(from_rounded(case, convention, case.rounding))
    if values[0] is None or (isinstance(values[0], tuple) and values[0][1] > 2 * values[0][0]):
        raise BudgetExceeded("nothing is known of the p-value")
    ends = [
        value if isinstance(value, tuple) else (value, value)
        for value in values
        if value is not None
    ]
    return min(low for low, _ in ends), max(high for _, high in ends)


def _likeliest(case: Case, p: Ends, K: int, times: int, extra: int) -> Iterator[Estimate]:
    """Yield the b that prints the text nearest to K p, with its two-sided binomial tail; nothing where none does."""
    least, most = case.printed.hull(case.alpha, cut=False)

    def estimate(b: int) -> Value | None:
        q = Fraction(times * (b + extra), K + extra)
        capped = q if case.claim.alternative == "2min" else min(q, Fraction(1))
        return case.adjusted(lambda one: capped if one is case else one.plain(one.exactly))

    def low(b: int) -> Fraction:
        value = estimate(b)
        return value[0] if isinstance(value, tuple) else value or Fraction(0)

    for b in _near(low, (least, most), (min(K, round(K * p[0])), min(K, round(K * p[1]))), K):
        if (
            0 <= b <= K
            and case.reading(estimate(b)) not in (None, "truncates")
            and not (b and case.printed.bare_zero)
        ):
            q = min(max(Fraction(b, K), p[0]), p[1])
            about: dict[str, Any] = {
                "samples": K,
                "times": times,
                "extra": extra,
                "b": b,
                "sides": "",
                "value": low(b),
            }
            yield Estimate(tail=_tail(K, b, q), **about)
            return


def _near(low: Callable[[int], Fraction], text: Ends, middle: tuple[int, int], K: int) -> list[int]:
    """Return the b next to K p that may print a text, the nearest first; ``middle`` has the least and the most K p."""
    (least, most), (first, last) = text, middle
    if low(last) < least:
        b = least_where(lambda b: low(b) >= least, K + 1, last)
        return [b, b + 1]
    if low(first) > most:
        b = least_where(lambda b: low(b) > most, first) - 1
        return [b, b - 1]
    if first < last:
        b = max(first, least_where(lambda b: low(b) >= least, last + 1, first))
        return [b, b + 1]
    return [first, first + 1, first - 1]


def _tail(K: int, b: int, p: Fraction) -> Fraction:
    """Return the two-sided tail of b under the binomial distribution with K and p."""
    if Fraction(b, K) == p:
        return Fraction(1)
    if 2 * (b - K * p) ** 2 > _FAR * K:  # Hoeffding: the tail is at most exp(-60)
        return Fraction(0)
    if K > _MOST_SAMPLES:
        raise BudgetExceeded(f"the binomial tail of {K} samples takes longer than some seconds")
    # The tail on the far side of b has at least half of the probability: the median is next to K p.
    tail = (
        lower_tail_bounds(K, b, p, _BITS)
        if b <= K * p
        else lower_tail_bounds(K, K - b, 1 - p, _BITS)
    )
    return min(Fraction(1), 2 * tail.ends()[1])
