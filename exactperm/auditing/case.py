"""One claim on its way to a verdict: its reading, its data, and its value by any convention."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from math import inf

from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact, log10
from ..budget import Budget
from ..multiplicity import adjust_pvalues
from ..record import replaced
from .allowance import Allowance
from .conventions import Convention, Facts, Value
from .defects import Known
from .printed import PrintedPValue

if TYPE_CHECKING:
    from .claims import Claim
    from .samples import Counted, Sample


SINGLE_STEP = ("bonferroni", "sidak")
"""Adjustments that need the number of tests and no other p-value."""

_ADJUSTING = Budget(seconds=1.0)
"""What one adjustment may take; a search makes some hundred of them."""


class Case:
    """One readable claim on its way to a verdict: the reading, the data, and values as they are needed."""

    def __init__(
        self,
        claim: Claim,
        sample: Sample,
        alpha: Exact,
        counted: Counted,
        budget: Budget | None = None,
    ) -> None:
        self.claim, self.sample, self.counted, self.allowance = (
            claim,
            sample,
            counted,
            Allowance(budget),
        )
        self.alpha = claim.alpha if claim.alpha is not None else alpha
        self.printed: PrintedPValue = claim.printed()
        self.family = [self]
        """All claims whose p-values are adjusted together, this one among them."""

    @property
    def stated(self) -> Convention:
        """The convention that the claim states."""
        claim = self.claim
        return Convention(
            statistic=claim.statistic,
            zeros=claim.zeros if claim.statistic == "signed-rank" else None,
            law=claim.law,
            tail=claim.alternative,
            boundary=claim.boundary,
            design=(claim.design or "items") if self.sample.designs else "",
        )

    @property
    def exchanged(self) -> Sample:
        """The sample as the stated design exchanges it."""
        return self.sample.under(self.stated.design)

    @property
    def exactly(self) -> Convention:
        """The stated convention with the exact law."""
        return replaced(self.stated, law="exact")

    @property
    def group(self) -> tuple[str, ...]:
        """Key of the claims that one convention must explain: the source, or the claim itself, and the stated words."""
        claim = self.claim
        words = claim.statistic, claim.law, claim.alternative, self.stated.design
        return (claim.source or f"\0{id(self)}", *words)

    def value(self, convention: Convention, *, settle: bool = False) -> Value | None:
        """Return the p-value of a convention, adjusted as the claim states; None where it has none here."""
        return self.adjusted(
            lambda case: case.plain(convention if case.group == self.group else case.stated, settle)
        )

    def adjusted(self, raw: Callable[[Case], Value | None]) -> Value | None:
        """Adjust the p-values of the family that ``raw`` gives; a bracket where it does not determine the result."""
        if self.claim.adjustment is None:
            return raw(self)
        found = [raw(case) for case in self.family]
        if set(found) == {None}:
            return None
        # data that a reading does not change keep their value
        values = [
            case.plain(case.stated) if value is None else value
            for case, value in zip(self.family, found)
        ]
        if None in values:
            return None
        pairs = [value if isinstance(value, tuple) else (value, value) for value in values]
        low, high = [
            self._adjusted([min(Fraction(pair[i] or 0), Fraction(1)) for pair in pairs])
            for i in (0, 1)
        ]
        if self.tests > len(pairs) and self.claim.adjustment not in SINGLE_STEP:
            low = min(Fraction(pairs[self.family.index(self)][0] or 0), Fraction(1))
        return low if low == high else (low, high)

    @property
    def tests(self) -> int:
        """Number of tests that the adjustment is made for."""
        return max(len(self.family), *(case.claim.tests or 1 for case in self.family))

    def _adjusted(self, pvalues: list[Fraction]) -> Fraction:
        about: Any = {"n": self.tests, "budget": _ADJUSTING}
        adjusted = adjust_pvalues(pvalues, self.claim.adjustment, **about).adjusted  # type: ignore[arg-type]
        return Fraction(adjusted[self.family.index(self)])

    def facts(self, convention: Convention) -> Facts:
        """Return the facts of the statistic of a convention."""
        sample = self.sample.under(convention.design)
        return self.counted.facts(sample, convention.statistic, convention.zeros, self.allowance)

    def plain(self, convention: Convention, settle: bool = False) -> Value | None:
        """Return the p-value of a convention before any adjustment.

        With ``settle`` bounds are narrowed, and at last the test is counted, until they tell
        whether the text is that of the p-value, as far as the allowance goes.
        """
        axes = convention.law, convention.tail, convention.boundary
        value = self.facts(convention).value(*axes)
        while settle and convention.law == "exact" and self._leaves_open(value):
            sample = self.sample.under(convention.design)
            finer = self.counted.narrowed(
                sample, convention.statistic, convention.zeros, self._digits, self.allowance
            )
            if finer is None:
                break
            value = finer.value(*axes)
        return value

    def _leaves_open(self, value: Value | None) -> bool:
        """Return whether bounds do not tell if the text is that of a p-value."""
        if self.claim.adjustment is not None or isinstance(value, Fraction):
            return False
        return value is None or self.printed.encloses(*value, self.alpha) is None

    @property
    def _digits(self) -> float:
        """Number of digits of a bracket that fits into the text: infinite for a fraction, 0 for an inequality."""
        low, high = self.printed.hull(self.alpha)
        if self.printed.relation not in ("=", "in") or low <= 0:
            return 0.0
        return inf if low == high else log10(high) - log10(high - low)

    def reading(self, value: Value | None) -> str | None:
        """Return how the text prints a value or a bracket of one; None where it does not."""
        if value is None or not isinstance(value, tuple):
            return None if value is None else self.printed.fit(value, self.alpha)
        return (
            self.printed.fit(value[0], self.alpha)
            if self.printed.encloses(*value, self.alpha)
            else None
        )

    @property
    def searched(self) -> Iterable[tuple[str, str | None]]:
        """Statistics that the data allow, the stated one first."""
        first = self.claim.statistic, self.stated.zeros
        yield first
        if self.sample.differences is not None and self.sample.labels is None:
            marks = {*self.sample.u, *self.sample.v} <= {0, 1} and any(self.sample.v)
            others = (*_NUMERIC, ("mcnemar", None)) if marks else _NUMERIC
            yield from (other for other in others if other != first)

    @property
    def known(self) -> Known:
        """Input of the defects of packages."""
        facts = self.facts(self.stated)
        return Known(stated=self.stated, sample=self.exchanged, facts=facts)

    @property
    def rounding(self) -> Fraction | None:
        """Unit to which the claim says that the scores were rounded; None where it does not."""
        told = self.claim.rounded
        return (
            None if told == "no" else self.sample.unit if told == "as printed" else Fraction(told)
        )

    @property
    def other_n(self) -> bool:
        """Whether the data have another number of pairs than the claim states."""
        n, sample = self.claim.n, self.sample
        if n is None:
            return False
        # Counts b and c do not tell the number of items on which both systems agree.
        return n < sample.n if sample.signs is not None else n not in sample.sizes

    @property
    def other_data(self) -> bool:
        """Whether the data files have another SHA-256 than a line of exactperm states."""
        told, sha256 = self.claim.digests, self.sample.sha256
        return (
            bool(told)
            and sha256 is not None
            and told != tuple([digest[:8] for digest in sha256.split("+")])
        )

    @property
    def other_order(self) -> bool:
        """Whether the two data files are those of a line of exactperm, the second first."""
        told, sha256 = self.claim.digests, self.sample.sha256
        return self.other_data and told[::-1] == tuple(
            [digest[:8] for digest in (sha256 or "").split("+")]
        )


_NUMERIC = (
    ("sum", None),
    ("signed-rank", "drop"),
    ("signed-rank", "pratt"),
    ("signed-rank", "zsplit"),
    ("sign", None),
)
