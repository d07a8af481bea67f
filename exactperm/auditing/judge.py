"""Judge claims: the stated convention first, then Monte Carlo noise, then every other convention with its chance.

A search over conventions "explains" one wrong two-digit p-value in three, so a match counts only where one convention
fits all claims of the source with the same stated statistic, law and tail, and where a wrong text would fit with a
probability of at most 1%: the share of texts of the same unit in [p/4, min(4p, 1)] that match any value tried,
multiplied over the claims of the source that the stated convention does not print. Source: spec/10-audit.md.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor, prod

from ..errors import BudgetExceeded, ExactPermError
from ..montecarlo.binomial_tail import lower_tail_bounds
from ..multiplicity import adjust_pvalues
from .attainable import attainable
from .conventions import DEFECTS, Convention, conventions
from .findings import Finding, Fit
from .printed import read_pvalue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..arithmetic.rational import Exact
    from .claims import Claim
    from .conventions import Value
    from .findings import Exactly
    from .printed import PrintedPValue
    from .samples import Counted, Sample

MOST_CHANCE = Fraction(1, 100)
"""A match is an explanation only where a wrong text would match at most this often."""

_MC_LEVEL = Fraction(1, 1000)
_MOST_TEXTS = 100_000


class Case:
    """One readable claim on its way to a verdict: the reading, the data, and values as they are needed."""

    def __init__(self, claim: Claim, sample: Sample, alpha: Exact, counted: Counted) -> None:
        self.claim, self.sample, self.counted = claim, sample, counted
        self.alpha = claim.alpha if claim.alpha is not None else alpha
        self.printed: PrintedPValue = read_pvalue(claim.p, claim.digits)
        self.family = [self]
        """All claims whose p-values are adjusted together, this one among them."""

    @property
    def group(self) -> tuple[str, ...]:
        """What claims share whose convention must be one: the source, or the claim itself, and the stated words."""
        claim = self.claim
        return (claim.source or f"\0{id(self)}", claim.statistic, claim.law, claim.alternative)

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

    def value(self, convention: Convention) -> Value | None:
        """Return the p-value of a convention, adjusted as the claim states; None where it has none here."""
        if self.claim.adjustment is None:
            return self.plain(convention)
        values = [case.plain(convention) for case in self.family]
        if None in values:
            return None
        ends = [value if isinstance(value, tuple) else (value, value) for value in values]
        low, high = [self._adjusted([pair[i] for pair in ends]) for i in (0, 1)]
        return low if low == high else (low, high)

    def plain(self, convention: Convention) -> Value | None:
        """Return the p-value of a convention before any adjustment."""
        facts = self.counted.facts(self.sample, convention.statistic, convention.zeros)
        return facts.value(convention.law, convention.tail, convention.boundary)

    def _adjusted(self, pvalues: list[Any]) -> Fraction:
        """The adjusted p-value of this claim among those of its family, all of them capped at 1."""
        tests = max(len(pvalues), self.claim.tests or 0)
        capped = [min(p, Fraction(1)) for p in pvalues]
        adjusted = adjust_pvalues(capped, self.claim.adjustment, n=tests).adjusted  # type: ignore[arg-type]
        return adjusted[self.family.index(self)]

    def reading(self, value: Value | None) -> str | None:
        """How the text prints a value, or None where it does not."""
        if value is None:
            return None
        if isinstance(value, tuple):
            low, high = value
            words = {self.printed.fit(low, self.alpha), self.printed.fit(high, self.alpha)}
            return words.pop() if len(words) == 1 else None
        return self.printed.fit(value, self.alpha)

    def fit(self, convention: Convention) -> Fit | None:
        """The fit of one convention, if it prints the text."""
        value = self.value(convention)
        word = self.reading(value)
        if word is None or value is None:
            return None
        return Fit(convention=convention.words, value=value, reading=word)

    @property
    def searched(self) -> Iterable[tuple[str, str | None]]:
        """Statistics that the data allow, the stated one first."""
        yield self.claim.statistic, self.stated.zeros
        if self.sample.differences is None or self.claim.counts is not None:
            return
        for statistic, zeros in _NUMERIC:
            if (statistic, zeros) != (self.claim.statistic, self.stated.zeros):
                yield statistic, zeros


_NUMERIC = (("sum", None), ("signed-rank", "drop"), ("signed-rank", "pratt"), ("signed-rank", "zsplit"), ("sign", None))


# ---------------------------------------------------------------------------------------------- one claim


def judge(case: Case, monte_carlo_claims: int = 1) -> Finding:
    """Judge one claim by its stated convention alone; :func:`explain` looks for others."""
    start = time.perf_counter()
    claim = case.claim
    base: dict[str, Any] = {"id": claim.id, "source": claim.source, "claim": claim, "sha256": case.sample.sha256}
    base["printed"] = case.printed
    notes = [*case.sample.notes, *_notes(case)]
    try:
        exact = case.value(_exactly(case.stated))
    except BudgetExceeded as error:
        return Finding(**base, level="undecided", reason="bracket", notes=(*notes, str(error)))
    bounds = exact
    decision = _printed_decision(case.printed, case.alpha), _exact_decision(bounds, case.alpha)
    base.update(exact=bounds, decision=decision, attainable=_is_attainable(case))
    reason = _stated_reason(case, exact, monte_carlo_claims)
    fit = None if claim.law == "monte-carlo" else case.fit(case.stated)
    fits = () if fit is None else (fit,)
    finding = Finding(**base, level="consistent", reason=reason or "", fits=fits, notes=tuple(notes))
    if reason is None:
        finding = refuted(finding, _plain_reason(case))
    elif finding.decides_otherwise:
        finding = changed(finding, notes=(*notes, f"the exact p-value decides otherwise at alpha = {case.alpha}"))
    return changed(finding, seconds=time.perf_counter() - start)


def changed(finding: Finding, **values: Any) -> Finding:
    """A copy of a finding with some fields replaced."""
    return Finding(**{**{name: getattr(finding, name) for name in finding._fields}, **values})


def refuted(finding: Finding, reason: str, **values: Any) -> Finding:
    """The same finding as an inconsistent one, or a decision-inconsistent one where the decisions differ."""
    level = "decision-inconsistent" if finding.decides_otherwise else "inconsistent"
    return changed(finding, level=level, reason=reason, **values)


def _exactly(stated: Convention) -> Convention:
    """The exact law in place of the stated one."""
    return Convention(
        statistic=stated.statistic, zeros=stated.zeros, law="exact", tail=stated.tail, boundary=stated.boundary
    )


def _stated_reason(case: Case, exact: Value | None, monte_carlo_claims: int) -> str | None:
    if case.printed.impossible:
        return None
    if case.claim.law == "monte-carlo":
        return "monte-carlo" if isinstance(exact, Fraction) and _plausible(case, exact, monte_carlo_claims) else None
    return case.reading(case.value(case.stated))


def _plain_reason(case: Case) -> str:
    """Why a claim does not hold, before any search."""
    if case.printed.impossible:
        return "impossible"
    if case.printed.relation != "=" or case.printed.form == "zero":
        return "claim-false"
    n = case.claim.n
    if n is not None and n not in (case.sample.n, case.sample.n_nonzero):
        return "n-differs"
    return "no-explanation"


def _notes(case: Case) -> Iterable[str]:
    if case.printed.form == "zero":
        yield "a p-value of 0 is printed: no permutation test gives 0"
    n = case.claim.n
    if n is not None and n not in (case.sample.n, case.sample.n_nonzero):
        yield f"n is stated as {n}; the data have {case.sample.n} pairs, {case.sample.n_nonzero} with a difference"


def _plausible(case: Case, p: Fraction, claims: int) -> bool:
    """Whether some b that prints as stated has a two-sided binomial tail under p of at least 0.001 / claims."""
    K = case.claim.samples or 1
    added = {"b/K": (0,), "(b+1)/(K+1)": (1,)}.get(case.claim.estimate or "", (0, 1))
    return any(_plausible_count(case, p, K, extra, _MC_LEVEL / claims) for extra in added)


def _plausible_count(case: Case, p: Fraction, K: int, extra: int, limit: Fraction) -> bool:
    """The candidate nearest to K p among the b in 0..K whose estimate (b + extra) / (K + extra) is printed."""
    middle = min(K, max(0, round(K * p)))
    around = case.printed.least * (K + extra) - extra
    for b in sorted({middle, *range(max(0, floor(around)), min(K, ceil(around) + 2) + 1), *_far_end(case, K, extra)}):
        if 0 <= b <= K and case.printed.fit(Fraction(b + extra, K + extra), case.alpha) is not None:
            tails = lower_tail_bounds(K, b, p, 64).ends()[1], lower_tail_bounds(K, K - b, 1 - p, 64).ends()[1]
            if 2 * min(tails) >= limit:
                return True
    return False


def _far_end(case: Case, K: int, extra: int) -> Iterable[int]:
    """The greatest b that may be printed so, and the one before."""
    if case.printed.relation != "=":
        return ()
    high = case.printed.interval[1] * (K + extra) - extra
    return range(max(0, floor(high) - 1), min(K, floor(high)) + 1)


def _printed_decision(printed: PrintedPValue, alpha: Exact) -> bool | None:
    """Whether the text says p <= alpha; None where it leaves it open."""
    if printed.form == "not-significant":
        return False
    if printed.relation == "=":
        low, high = printed.interval
        return True if high <= alpha else False if low > alpha else None
    value = printed.value
    if printed.relation in ("<", "<="):
        return True if value is not None and value <= alpha else None
    return False if value is not None and (value > alpha or (value == alpha and printed.relation == ">")) else None


def _exact_decision(exact: Exactly | None, alpha: Exact) -> bool | None:
    if exact is None:
        return None
    low, high = exact if isinstance(exact, tuple) else (exact, exact)
    return True if high <= alpha else False if low > alpha else None


def _is_attainable(case: Case) -> bool | None:
    """Whether any data with as many non-zero differences give the printed p-value (exact tests of sums and signs)."""
    claim, n = case.claim, case.sample.n_nonzero
    test = "sign" if claim.statistic == "mcnemar" else claim.statistic
    if claim.law != "exact" or test not in ("sum", "sign") or n < 1 or claim.adjustment is not None or n > 400:
        return None
    return attainable(n, test, alternative=claim.alternative, boundary=claim.boundary).contains(case.printed)


# ---------------------------------------------------------------------------------------------- the search


def explain(cases: list[Case], findings: list[Finding]) -> list[Finding]:
    """Look for one convention that prints all claims of a group; ``findings`` are those of :func:`judge`.

    ``cases`` share source, statistic, law and tail. Only claims whose reason is "no-explanation" are explained.
    """
    open_ = [i for i, finding in enumerate(findings) if finding.reason in ("no-explanation", "impossible")]
    if not open_ or any(isinstance(finding.exact, tuple) or finding.exact is None for finding in findings):
        return findings
    found = list(findings)
    tried: list[list[Value]] = [[] for _ in cases]
    for statistics in _rounds(cases):
        for convention in _tried(cases, statistics, tried):
            fits = [case.fit(convention) for case in cases]
            if all(fits):
                return _explained(cases, found, open_, convention=convention, fits=fits, tried=tried)
    return _by_defect(cases, found, open_, tried)


def _rounds(cases: list[Case]) -> list[list[tuple[str, str | None]]]:
    """The stated statistic alone, then all others that the data of every claim allow."""
    first, *others = list(cases[0].searched)
    return [[first], others]


def _tried(
    cases: list[Case], statistics: list[tuple[str, str | None]], tried: list[list[Value]]
) -> Iterable[Convention]:
    """Conventions of some statistics; their values are noted in ``tried`` before any is looked at."""
    kept = []
    for statistic, zeros in statistics:
        for convention in conventions(statistic, zeros):
            try:
                values = [case.value(convention) for case in cases]
            except (BudgetExceeded, ExactPermError):
                continue
            for known, value in zip(tried, values):
                if value is not None:
                    known.append(value)
            kept.append(convention)
    return kept


def _explained(
    cases: list[Case],
    findings: list[Finding],
    open_: list[int],
    *,
    convention: Convention,
    fits: list[Fit | None],
    tried: list[list[Value]],
) -> list[Finding]:
    # A text above 1 is met by no p-value of another convention: what prints it explains it.
    searched = [i for i in open_ if not cases[i].printed.impossible]
    chance = prod((_chance(cases[i], tried[i]) for i in searched), start=Fraction(1))
    approximate = cases[0].claim.law == "exact" and convention.law != "exact"
    reason = "exact-asked-approximate-returned" if approximate else "explained-by"
    for i in open_:
        fit = fits[i]
        if fit is not None and cases[i].printed.impossible:
            findings[i] = refuted(findings[i], "impossible", fits=(fit,))
        elif fit is not None and chance <= MOST_CHANCE:
            findings[i] = refuted(findings[i], reason, fits=(fit,), chance=chance)
        elif fit is not None:
            note = f"fits {convention.words}, but so would 1 in {max(1, round(1 / chance))} wrong texts"
            findings[i] = changed(findings[i], chance=chance, notes=(*findings[i].notes, note))
    return findings


def _by_defect(cases: list[Case], findings: list[Finding], open_: list[int], tried: list[list[Value]]) -> list[Finding]:
    for i in open_:
        case = cases[i]
        for defect in DEFECTS:
            value = None
            if case.claim.statistic in defect.statistics:
                value = defect.value(case.counted.facts(case.sample, case.claim.statistic, case.stated.zeros))
            if value is None:
                continue
            tried[i].append(value)
            reading, chance = case.reading(value), _chance(case, tried[i])
            if reading is not None and chance <= MOST_CHANCE:
                fit = Fit(convention=defect.words, value=value, reading=reading)
                word = "impossible" if case.printed.impossible else "explained-by"
                findings[i] = refuted(findings[i], word, fits=(fit,), chance=chance)
                break
    return findings


def _chance(case: Case, values: list[Value]) -> Fraction:
    """The share of texts of the same unit in [p/4, min(4p, 1)] that some value tried would print; p the exact one."""
    exact = case.value(_exactly(case.stated))
    unit = case.printed.unit
    if not unit or not isinstance(exact, Fraction):
        return Fraction(0)  # a double or a fraction is not met by accident
    low, high = ceil(exact / 4 / unit), floor(min(4 * exact, Fraction(1)) / unit)
    total = high - low + 1
    if total < 1:
        return Fraction(1)
    matched: set[int] = set()
    for value in values:
        middle = sum(value) / 2 if isinstance(value, tuple) else value
        # Rounded: |text - value| <= unit / 2. Truncated: text <= value < text + unit.
        matched.update(range(ceil(middle / unit - Fraction(1, 2)), floor(middle / unit + Fraction(1, 2)) + 1))
        matched.add(floor(middle / unit))
    return Fraction(sum(low <= text <= high for text in matched), total)
