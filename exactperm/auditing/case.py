"""One claim on its way to a verdict: its reading, its data, and its value by any convention."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction

from ..budget import Budget
from ..multiplicity import adjust_pvalues
from ..record import replaced
from .conventions import Convention
from .defects import Known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact
    from .claims import Claim
    from .conventions import Facts, Value
    from .printed import PrintedPValue
    from .samples import Counted, Sample

SINGLE_STEP = ("bonferroni", "sidak")
"""Adjustments that need the number of tests and no other p-value."""

_ADJUSTING = Budget(seconds=1.0)
"""What one adjustment may take; a search makes some hundred of them."""


class Case:
    """One readable claim on its way to a verdict: the reading, the data, and values as they are needed."""

    def __init__(self, claim: Claim, sample: Sample, alpha: Exact, counted: Counted) -> None:
        self.claim, self.sample, self.counted = claim, sample, counted
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
        )

    @property
    def exactly(self) -> Convention:
        """The stated convention with the exact law."""
        return replaced(self.stated, law="exact")

    @property
    def group(self) -> tuple[str, ...]:
        """Key of the claims that one convention must explain: the source, or the claim itself, and the stated words."""
        claim = self.claim
        return (claim.source or f"\0{id(self)}", claim.statistic, claim.law, claim.alternative)

    def value(self, convention: Convention) -> Value | None:
        """Return the p-value of a convention, adjusted as the claim states; None where it has none here."""
        return self.adjusted(lambda case: case.plain(convention if case.group == self.group else case.stated))

    def adjusted(self, raw: Callable[[Case], Value | None]) -> Value | None:
        """Adjust the p-values of the family that ``raw`` gives; a bracket where it does not determine the result."""
        if self.claim.adjustment is None:
            return raw(self)
        values = [raw(case) for case in self.family]
        if None in values:
            return None
        pairs = [value if isinstance(value, tuple) else (value, value) for value in values]
        low, high = [self._adjusted([min(Fraction(pair[i] or 0), Fraction(1)) for pair in pairs]) for i in (0, 1)]
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
        return self.counted.facts(self.sample, convention.statistic, convention.zeros)

    def plain(self, convention: Convention) -> Value | None:
        """Return the p-value of a convention before any adjustment."""
        return self.facts(convention).value(convention.law, convention.tail, convention.boundary)

    def reading(self, value: Value | None) -> str | None:
        """Return how the text prints a value or a bracket of one; None where it does not."""
        if value is None or not isinstance(value, tuple):
            return None if value is None else self.printed.fit(value, self.alpha)
        return self.printed.fit(value[0], self.alpha) if self.printed.encloses(*value, self.alpha) else None

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
        return Known(stated=self.stated, sample=self.sample, facts=facts, budget=self.counted.further)

    @property
    def rounding(self) -> Fraction | None:
        """Unit to which the claim says that the scores were rounded; None where it does not."""
        told = self.claim.rounded
        return None if told == "no" else self.sample.unit if told == "as printed" else Fraction(told)

    @property
    def other_n(self) -> bool:
        """Whether the data have another number of pairs than the claim states."""
        n, sample = self.claim.n, self.sample
        if n is None:
            return False
        # Counts b and c do not tell the number of items on which both systems agree.
        return n < sample.n if sample.signs is not None else n not in (sample.n, sample.n_nonzero)

    @property
    def other_data(self) -> bool:
        """Whether the data files have another SHA-256 than a line of exactperm states."""
        told, sha256 = self.claim.digests, self.sample.sha256
        return bool(told) and sha256 is not None and told != tuple([digest[:8] for digest in sha256.split("+")])

    @property
    def other_order(self) -> bool:
        """Whether the two data files are those of a line of exactperm, the second first."""
        told, sha256 = self.claim.digests, self.sample.sha256
        return self.other_data and told[::-1] == tuple([digest[:8] for digest in (sha256 or "").split("+")])


_NUMERIC = (("sum", None), ("signed-rank", "drop"), ("signed-rank", "pratt"), ("signed-rank", "zsplit"), ("sign", None))
