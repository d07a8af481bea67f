"""One claim on its way to a verdict: its text, its data, and the p-value of each of its readings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import ceil, floor, inf, log, sqrt

from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact, log10
from ..budget import Budget
from ..errors import BudgetExceeded, ExactPermError
from ..montecarlo.binomial_tail import lower_tail_bounds
from ..multiplicity import adjust_pvalues
from ..null.sentence import PValue
from ..record import replaced
from .axes import UNUSUAL, USUAL, Way
from .facts import Allowance, Ends
from .readings import SAID, readings, step, values

if TYPE_CHECKING:
    from .claim import Claim
    from .sample import Sample
    from .text import PrintedPValue

FORMS = {"b/K": (0,), "(b+1)/(K+1)": (1,), None: (0, 1)}
USUAL_SAMPLES = (10_000, 9999)
"""Numbers of random assignments that SciPy, coin and sacreBLEU take unless they are told otherwise."""

_LEVEL = Fraction(1, 1000)
_BITS = 64
_MOST_SAMPLES = 10**7
_WIDTH = 4  # standard errors around a p-value that is adjusted together with others
SINGLE_STEP = ("bonferroni", "sidak")
"""Adjustments that need the number of tests and no other p-value."""

_ADJUSTING = Budget(seconds=1.0)
_OPEN = {
    "statistic": "statistic",
    "tail": "alternative",
    "boundary": "boundary",
    "order": "orientation",
}
"""Axes that the claims of a family share where they leave them open, and their fields."""


class Case:
    """One readable claim on its way to a verdict, with the claims whose p-values are adjusted together.

    ``strict`` takes the defaults of what the document does not state for stated.
    """

    def __init__(
        self, claim: Claim, sample: Sample, alpha: Exact, budget: Budget | None, *, strict: bool
    ) -> None:
        self.claim, self.sample, self.allowance = claim, sample, Allowance(budget)
        self.read = replaced(claim, stated="all") if strict else claim
        self.alpha = claim.alpha if claim.alpha is not None else alpha
        self.text: PrintedPValue = claim.printed
        self.family = [self]
        self.estimates = 1
        signed = claim.statistic == "wilcoxon"
        self.taken = Way(
            statistic=claim.statistic,
            zeros=claim.zeros if signed else None,
            law=SAID.get(claim.law, (claim.law,))[0],
            tail=claim.alternative,
            boundary=claim.boundary,
            design=(claim.design or "items") if sample.designs else "",
        )

    @property
    def tests(self) -> int:
        """Number of tests that the adjustment is made for."""
        return max(len(self.family), *(case.claim.tests or 1 for case in self.family))

    def known(self, free: str = "", most: int = UNUSUAL) -> list[tuple[int, Way]]:
        """The readings of the claim, made once for all claims on the same data that state the same."""
        claim = self.read
        axes = ("statistic", "zeros", "law", "alternative", "boundary", "design", "rounded")
        key = (free, *(getattr(claim, axis) for axis in axes), claim.stated)
        named = None if claim.test_statistic is None else claim.test_statistic.name
        about = claim, self.sample, free, most
        return self.sample.once(("readings", most, key, named), partial(readings, *about))  # type: ignore[no-any-return]

    def plain(self, reading: Way, *, settle: bool = False) -> tuple[Ends, ...]:
        """Return the p-values of a reading before any adjustment; ``settle`` narrows one until the text is decided."""
        key = "values", reading.key
        found: tuple[Ends, ...] | None = self.sample.known.get(key)
        if found is None:
            found = values(reading, self.sample, self.allowance)
        while settle and found and reading.law == "exact" and not reading.free:
            inside = [self.text.encloses(*found[0], self.alpha, cut=cut) for cut in (False, True)]
            about = reading.statistic, reading.zeros, reading.column
            under = self.sample.under(reading.design)
            if None not in inside or not under.narrowed(*about, self._digits, self.allowance):
                break
            found = values(reading, self.sample, self.allowance)
        self.sample.known[key] = found
        return found

    @property
    def _digits(self) -> float:
        """Number of digits of a bracket that fits into the text: infinite for a fraction, 0 for an inequality."""
        low, high = self.text.hull(self.alpha)
        if self.text.relation not in ("=", "in") or low <= 0:
            return 0.0
        return inf if low == high else log10(high) - log10(high - low)

    def value(
        self, reading: Way, adjustment: str | None, *, settle: bool = True
    ) -> tuple[Ends, ...]:
        """Return the p-values of a reading, adjusted together with those of the family."""
        if adjustment is None:
            return self.plain(reading, settle=settle)
        ends = []
        for case in self.family:
            found = self.plain(reading) if case is self else [*case.usual(reading)]
            if not found:
                return ()
            p, samples = hull(found), case.claim.samples
            ends.append(around(p, samples) if samples else p)
        low, high = [self._adjusted([one[i] for one in ends], adjustment) for i in (0, 1)]
        if self.tests > len(ends) and adjustment not in SINGLE_STEP:
            low = min(ends[self.family.index(self)][0], Fraction(1))
        return ((low, high),)

    def _adjusted(self, pvalues: list[Fraction], adjustment: str) -> Fraction:
        capped = [min(Fraction(p), Fraction(1)) for p in pvalues]
        about: Any = {"n": self.tests, "budget": _ADJUSTING}
        found = adjust_pvalues(capped, adjustment, **about).adjusted  # type: ignore[arg-type]
        return Fraction(found[self.family.index(self)])

    def usual(self, like: Way) -> Iterator[Ends]:
        """Yield the values of the usual readings, which another claim of the family is adjusted with.

        What is open in this claim and unusual there is as in ``like``, the reading of the other.
        """
        for dearest, reading in self.known():
            differing = {axis for axis in _OPEN if getattr(reading, axis) != getattr(like, axis)}
            said = not any(self.read.leaves_open(_OPEN[axis]) for axis in differing)
            rounded = reading.data == "tabled" and like.data != "tabled"
            if said and not rounded and (dearest <= USUAL or not differing):
                with suppress(BudgetExceeded):
                    yield from self.plain(reading)

    def tried(
        self, reading: Way, adjustment: str | None, *, settle: bool = True
    ) -> tuple[tuple[Ends, ...], str]:
        """Return the p-values of a reading, and how the text prints one: "rounded", "cut", "", or "open" by the budget."""
        found: tuple[Ends, ...] = ()
        try:
            found = self.value(reading, adjustment, settle=settle)
            return found, self._word(reading, found, adjusted=adjustment is not None)
        except BudgetExceeded:
            return found, "open"
        except ExactPermError:  # the data have no such reading
            return (), ""

    def _word(self, reading: Way, found: tuple[Ends, ...], *, adjusted: bool) -> str:
        if found and self.claim.samples and not adjusted and self.claim.law == "monte-carlo":
            about = self.claim.samples, reading.tail, self.claim.estimate
            likely_so = likely(self.text, self.alpha, hull(found), about, self.estimates)
            return "rounded" if likely_so else ""
        free = reading.free or adjusted or reading.law != "exact"
        words = [self._printed(reading, ends, free=free) for ends in found]
        return next((word for word in ("rounded", "cut") if word in words), "")

    def _printed(self, reading: Way, ends: Ends, *, free: bool) -> str:
        """Return how the text prints a p-value between two bounds, or any of them if ``free``."""
        inside = [self.text.encloses(*ends, self.alpha, cut=cut) for cut in (False, True)]
        if not free and None in inside and True not in inside:
            raise BudgetExceeded(f"whether the text is that of the {reading.words}")
        width = step(reading, self.sample)
        if width:
            first = ceil(max(ends[0], self.text.hull(self.alpha)[0]) / width)
            near = (first * width, (first + 1) * width)
            if not any(p <= ends[1] and self.text.fit(p, self.alpha) for p in near):
                return ""
        told = [one is not False if free else one for one in inside]
        return "rounded" if told[0] else "cut" if told[1] else ""

    @property
    def other_n(self) -> bool:
        """Whether the data have another number of pairs than the claim states."""
        n, sample = self.claim.n, self.sample
        if n is None:
            return False
        # counts b and c do not tell the number of items on which both systems agree
        return n < sample.n if sample.signs is not None else n not in sample.sizes

    @property
    def other_data(self) -> bool:
        """Whether the data files have another SHA-256 than a line of exactperm states."""
        told, known = self.claim.digests, self._digests
        return bool(told) and self.sample.sha256 is not None and told != known

    @property
    def other_order(self) -> bool:
        """Whether the two data files are those of a line of exactperm, the second first."""
        return self.other_data and self.claim.digests[::-1] == self._digests

    @property
    def _digests(self) -> tuple[str, ...]:
        """What a line of exactperm would state of the SHA-256 of the data files."""
        return tuple([digest[:8] for digest in (self.sample.sha256 or "").split("+")])


def hull(found: Sequence[Ends]) -> Ends:
    """Return bounds of some p-values."""
    return min(low for low, _ in found), max(high for _, high in found)


def shown(found: Sequence[Ends]) -> PValue | None:
    """Return a p-value, or the bounds of several, as findings have it."""
    if not found:
        return None
    low, high = hull(found)
    return low if low == high else (low, high)


# ------------------------------------------------------------------------------------- estimates


def likely(
    text: PrintedPValue, alpha: Exact, p: Ends, about: tuple[int, str, str | None], claims: int
) -> str:
    """Return how the text may be an estimate of a p-value between two bounds, in words; "" where it hardly is one.

    An estimate prints b / K or (b + 1) / (K + 1), where b is binomial: it counts the random
    assignments, of K, that are as extreme as the observed one. For a two-sided test packages also
    print twice the estimate of the smaller one-sided p-value, as SciPy does, so b has the probability
    p / 2 then. Among the b that print the text, the one nearest to K p is the most likely; its
    two-sided binomial tail must be at least 0.001 over the number of such claims.

    ``about`` has the number of samples, the tail and the form of the estimate; ``claims`` is the
    number of such claims. Raises ``BudgetExceeded`` for too many samples.
    Source: spec/10-audit.md#audit-open.
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
