"""One claim on its way to a verdict: its text, its data, and the p-value of each of its readings."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from itertools import product
from math import ceil, floor, inf, log, sqrt

from .._types import TYPE_CHECKING
from ..arithmetic.rational import Exact, log10
from ..budget import Allowance, Budget
from ..errors import BudgetExceeded, ExactPermError
from ..montecarlo.binomial_tail import lower_tail_bounds
from ..multiplicity import adjust_pvalues
from ..record import replaced
from .axes import ESTIMATES, ROUNDED, UNUSUAL, Way
from .facts import Ends, hull
from .readings import FIELD_OF, SAID, open_unit, readings, values
from .text import read_pvalue

if TYPE_CHECKING:
    from .claim import Claim
    from .sample import Sample
    from .text import PrintedPValue

USUAL_SAMPLES = (10_000, 9999)
"""Numbers of random assignments that SciPy, coin and sacreBLEU take unless they are told otherwise."""

_LEVEL = Fraction(1, 1000)
_BITS = 64
_MOST_SAMPLES = 10**7
_WIDTH = 4  # standard errors around a p-value that is adjusted together with others
SINGLE_STEP = ("bonferroni", "sidak")
"""Adjustments that need the number of tests and no other p-value."""

_ADJUSTING = Budget(seconds=1.0)
_OPEN = ("statistic", "tail", "boundary", "order")
"""Axes that the claims of a family share where they leave them open."""


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
        self.legend = {marks: read_pvalue(text) for marks, text in (claim.stars or {}).items()}
        self.family = [self]
        self.estimates = 1
        signed = claim.statistic == "wilcoxon"
        self.taken = Way(
            statistic=claim.statistic,
            zeros=claim.zeros if signed else "",
            law=SAID.get(claim.law, (claim.law,))[0],
            tail=claim.alternative,
            boundary=claim.boundary,
            design=(claim.design or "items") if sample.designs else "",
        )

    @property
    def tests(self) -> int:
        """Number of tests that the adjustment is made for."""
        return max(len(self.family), *(case.claim.tests or 1 for case in self.family))

    def known(self, most: int = UNUSUAL) -> list[Way]:
        """The readings of the claim, made once for all claims on the same data that state the same."""
        claim, number = self.read, self.read.test_statistic
        kind = None if number is None else (number.kind, number.name)
        stated = [getattr(claim, field) for field in (*FIELD_OF.values(), "rounded", "stated")]
        key = ("readings", most, kind, *stated)
        return self.sample.once(key, partial(readings, claim, self.sample, most))

    def plain(self, reading: Way) -> tuple[Ends, ...]:
        """Return the p-values of a reading before any adjustment."""
        find = partial(values, reading, self.sample, self.allowance)
        return self.sample.once(("values", reading.key), find)

    def _narrowed(self, reading: Way) -> bool:
        """Narrow the bounds of a p-value that leave the text open; whether that was possible."""
        low, high = self.text.hull(self.alpha)
        digits = 0.0  # that fit into the text: infinitely many for a fraction
        if self.text.relation in ("=", "in") and low > 0:
            digits = inf if low == high else log10(high) - log10(high - low)
        sample, about = self.sample.under(reading.design), (reading.statistic, reading.zeros)
        known = sample.facts(*about, self.allowance, reading.column)
        finer = known.finer(digits, self.allowance)
        if finer is None:
            return False
        key = ("facts", *about, reading.column)
        sample.known[key] = finer, self.allowance
        del self.sample.known["values", reading.key]
        return True

    def value(self, reading: Way, adjustment: str | None) -> tuple[Ends, ...]:
        """Return the p-values of a reading, adjusted together with those of the family."""
        if adjustment is None:
            return self.plain(reading)
        may = open_unit(self.read, self.sample) is not None
        unrounded = may and reading.data not in ROUNDED
        ends = []
        for case in self.family:
            found = self.plain(reading) if case is self else [*case.usual(reading, unrounded)]
            if not found:
                return ()
            low, high = [min(end, Fraction(1)) for end in hull(found)]
            samples = case.claim.samples
            ends.append(around((low, high), samples) if samples else (low, high))
        place = self.family.index(self)
        bounds: list[Fraction] = []
        for i in (0, 1):
            pvalues = [each[i] for each in ends]
            one = adjust_pvalues(pvalues, adjustment, n=self.tests, budget=_ADJUSTING)  # type: ignore[arg-type]
            bounds.append(one.adjusted[place])
        if self.tests > len(ends) and adjustment not in SINGLE_STEP:
            bounds[0] = ends[place][0]
        return ((bounds[0], bounds[1]),)

    def usual(self, like: Way, unrounded: bool) -> Iterator[Ends]:
        """Yield the values of the readings that another claim of the family is adjusted with.

        What both leave open is as in ``like``, the reading of the other; no scores are rounded
        where those of the other may be and are ``unrounded``.
        """
        shared = [axis for axis in _OPEN if self.read.leaves_open(FIELD_OF[axis])]
        for reading in self.known():
            alike = all(getattr(reading, axis) == getattr(like, axis) for axis in shared)
            if alike and not (unrounded and reading.data == "tabled"):
                with suppress(BudgetExceeded):
                    yield from self.plain(reading)

    def tried(
        self, reading: Way, adjustment: str | None, *, settle: bool = True
    ) -> tuple[tuple[Ends, ...], str]:
        """Return the p-values of a reading, and how the text prints one: "rounded", "cut", "", or "open" by the budget.

        ``settle`` narrows bounds until that is decided.
        """
        found: tuple[Ends, ...] = ()
        try:
            found = self.value(reading, adjustment)
            word = self._word(reading, found, adjusted=adjustment is not None)
            while word == "open" and settle and adjustment is None and self._narrowed(reading):
                found = self.plain(reading)
                word = self._word(reading, found, adjusted=False)
        except BudgetExceeded:
            return found, "open"
        except ExactPermError:  # the data have no such reading
            return (), ""
        return found, word

    def _word(self, reading: Way, found: tuple[Ends, ...], *, adjusted: bool) -> str:
        if found and self.claim.samples and not adjusted and self.claim.law == "monte-carlo":
            about = self.claim.samples, reading.tail, self.claim.estimate
            chance = likely(self.text, self.alpha, hull(found), about, self.estimates)
            return "rounded" * (chance and self._earned(self.text.hull(self.alpha)))
        words = {self._printed(reading, ends, adjusted=adjusted) for ends in found}
        return next((word for word in ("open", "rounded", "cut") if word in words), "")

    def _printed(self, reading: Way, ends: Ends, *, adjusted: bool) -> str:
        """Return how the text prints a p-value between two bounds; any of them where the reading is free, or adjusted."""
        free = reading.free or adjusted
        if reading.free and reading.law == "exact" and not adjusted:  # p is a multiple of 1 / total
            total = self.sample.under(reading.design).total << (reading.boundary == "mid")
            first = ceil(max(ends[0], self.text.hull(self.alpha)[0]) * total)
            near = Fraction(first, total), Fraction(first + 1, total)
            if not any(p <= ends[1] and self.text.fit(p, self.alpha) for p in near):
                return ""
        for word, cut in (("rounded", False), ("cut", True)):
            inside = self.text.encloses(*ends, self.alpha, cut)
            if inside is not False and self._earned(ends):
                return "open" if inside is None and not free else word
        return ""

    def _earned(self, ends: Ends) -> bool:
        """Return whether a p-value between two bounds may have the stars of the claim."""
        marks = self.claim.marks
        return not marks or self.legend[marks].encloses(*ends) is not False

    @property
    def other_n(self) -> bool:
        """Whether the data have another number of pairs than the claim states."""
        n, sample = self.claim.n, self.sample
        if n is None:
            return False
        # counts b and c do not tell the number of items on which both systems agree
        return n < sample.n if sample.signs is not None else n not in sample.sizes

    @property
    def digests(self) -> tuple[str, ...]:
        """What a line of exactperm would state of the SHA-256 of the data files."""
        return tuple([digest[:8] for digest in (self.sample.sha256 or "").split("+")])

    @property
    def other_data(self) -> bool:
        """Whether the data files have another SHA-256 than a line of exactperm states."""
        told = self.claim.digests
        return bool(told) and self.sample.sha256 is not None and told != self.digests


# ------------------------------------------------------------------------------------- estimates


def likely(
    text: PrintedPValue, alpha: Exact, p: Ends, about: tuple[int, str, str | None], claims: int
) -> bool:
    """Return whether the text may be an estimate of a p-value between two bounds.

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
    doubled, level = tail in ("two-sided", "doubled", "2min"), _LEVEL / claims
    for times, extra in product((1, 2) if doubled else (1,), ESTIMATES[form]):
        low, high = [min(end / times, Fraction(1)) for end in p]
        b = _nearest(text, alpha, low, samples, (times, extra))
        if b is not None:
            middle = min(max(Fraction(b, samples), low), high)
            if _tail(samples, b, middle, level) >= level:
                return True
    return False


def around(p: Ends, samples: int) -> Ends:
    """Return bounds that an estimate of a p-value between two others hardly leaves."""
    low, high = p
    widths = [Fraction(_WIDTH * sqrt(x * (1 - x) / samples)) + Fraction(2, samples) for x in p]
    return max(Fraction(0), low - widths[0]), min(Fraction(1), high + widths[1])


def _nearest(
    text: PrintedPValue, alpha: Exact, q: Fraction, K: int, form: tuple[int, int]
) -> int | None:
    """Return the b next to K q and above that prints the text; None where none does."""
    times, extra = form
    low, high = text.hull(alpha)
    first = ceil(low * (K + extra) / times - extra)
    last = K if high >= 1 else floor(high * (K + extra) / times - extra)
    near = min(max(first, round(K * q)), last)
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
