"""Judge a claim by its stated convention alone: exactly, between bounds, or as a Monte Carlo estimate.

:mod:`exactperm.auditing.search` then looks for other conventions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction

from .._types import Any
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, number_text
from ..errors import BudgetExceeded, ExactPermError
from ..record import replaced
from .attainable import attainable
from .case import SINGLE_STEP, Case
from .claims import PERMUTED
from .conventions import DESIGNS, Value
from .estimates import of_usual_samples, plausible
from .findings import Finding, Fit
from .printed import read_pvalue
from .readings import decision, decisions, first_fit, open_designs
from .stated_statistic import checked_statistic

_MOST_LATTICE = 400


def judge(case: Case, place: str = "", monte_carlo_claims: int = 1) -> Finding:
    """Judge one claim by its stated convention alone."""
    start = time.perf_counter()
    claim = case.claim
    notes = [*case.sample.notes, *_notes(case)]
    facts, exact, refusal = None, None, ""
    try:
        facts = case.facts(case.stated)
        exact, refusal = case.value(case.exactly, settle=claim.law == "exact"), facts.refusal
    except BudgetExceeded as error:
        facts, refusal = None, error.brief
    notes += [refusal] if refusal else []
    finding = Finding(
        id=claim.id,
        source=claim.source,
        level="undecided",
        reason="bracket",
        claim=claim,
        printed=case.printed,
        exact=exact,
        decision=(_printed_decision(case), None if exact is None else decision(exact, case.alpha)),
        attainable=_is_attainable(case),
        notes=tuple(notes),
        sha256=case.sample.sha256,
        stated=_stated(case),
        assumed=_assumed(case),
        n=case.sample.n,
        units=case.sample.units,
        dropped=case.sample.dropped,
        place=place,
    )
    if case.printed.impossible:
        finding = refuted(finding, "impossible")
    elif case.other_data:
        finding = refuted(finding, "order-differs" if case.other_order else "data-differ")
    elif facts is not None:
        finding = _with_doubts(case, _by_readings(case, finding, exact, monte_carlo_claims))
    else:
        finding = replaced(finding, notes=(*finding.notes, *_undecided(case, None)))
    # the printed statistic may be of single runs
    other = bool(case.sample.designs) and claim.design != "items"
    statistic = checked_statistic(
        case, finding.level, doubtful=case.other_data or bool(_doubts(case)) or other
    )
    return replaced(finding, statistic=statistic, seconds=time.perf_counter() - start)


def _stated(case: Case) -> str:
    """Return what the claim states of its test, in words."""
    claim = case.claim
    more = [
        *(["second minus first"] if claim.orientation == "second-first" else []),
        *([f"shift {number_text(claim.mu)}"] if claim.mu else []),
        *([f"scores rounded to {claim.decimals} decimals"] if claim.decimals is not None else []),
        *([f"groups of {claim.groups}"] if claim.groups else []),
        *([f"{claim.samples} random assignments"] if claim.samples else []),
        *([f"{claim.adjustment} for {case.tests} tests"] if claim.adjustment else []),
    ]
    return ", ".join([case.stated.words, *more])


def _assumed(case: Case) -> tuple[str, ...]:
    """Return the defaults that the claim does not state, as "law exact"."""
    claim = case.claim
    shown = ("statistic", "zeros", "law", "alternative")
    names = [name for name in shown if name != "zeros" or claim.statistic == "signed-rank"]
    design = (
        [f"design {case.stated.design}"]
        if case.stated.design and claim.leaves_open("design")
        else []
    )
    return (
        *(f"{name} {getattr(claim, name)}" for name in names if claim.leaves_open(name)),
        *design,
    )


def _by_readings(
    case: Case, finding: Finding, exact: Value | None, monte_carlo_claims: int
) -> Finding:
    """Return the finding under the stated convention, or else under all that the claim and its data leave open."""
    if case.claim.law == "monte-carlo":
        return _as_estimate(case, finding, exact, monte_carlo_claims)
    value = case.value(case.stated, settle=True)
    finding = replaced(finding, given=value)
    verdict, word = _fits(case, value)
    if verdict is False:
        return _as_other(case, finding)
    if verdict is None:
        return replaced(finding, notes=(*finding.notes, *_undecided(case, value)))
    fits = () if value is None else (Fit(convention=case.stated.words, value=value, reading=word),)
    return _believed(case, replaced(finding, level="consistent", reason=word, fits=fits), value)


def _as_estimate(case: Case, finding: Finding, exact: Value | None, claims: int) -> Finding:
    """Return the finding on a Monte Carlo estimate; one tail explains the number, and accuses the tail."""
    try:
        found = plausible(case, claims)
        other = plausible(case, claims, "min") if found is None else None
    except BudgetExceeded:
        return replaced(finding, notes=(*finding.notes, *_undecided(case, exact)))
    if found is not None:
        return _believed(
            case,
            replaced(finding, level="consistent", reason="monte-carlo", fits=(found.fit,)),
            exact,
        )
    if other is None:
        return _with_impossibility(case, refuted(finding, _plain_reason(case)))
    if case.claim.leaves_open("alternative"):
        return replaced(finding, level="undecided", reason="open-convention", fits=(other.fit,))
    return refuted(finding, "explained-by", fits=(other.fit,))


def _as_other(case: Case, finding: Finding) -> Finding:
    """Return the finding on a text that the stated convention does not print: another reading, or an accusation."""
    way, fit, failed = first_fit(case)
    if way is not None and fit is not None:
        read = replaced(finding, level=way.level, reason=way.reason, fits=(fit,))
        return read if way.level == "undecided" else _believed(case, read, fit.value)
    if PERMUTED in case.claim.stated:
        estimate = of_usual_samples(case)
        if estimate is not None:
            return replaced(
                finding, level="undecided", reason="open-convention", fits=(estimate.fit,)
            )
    if way is not None:
        told = f"the budget leaves open whether the text is that of another reading: {way.words}"
        return replaced(finding, notes=(*finding.notes, told))
    finding = replaced(finding, notes=(*finding.notes, *_by_other_designs(case)))
    # some open reading decides as printed
    if finding.decides_otherwise and decisions(case) != {finding.decision[1]}:
        finding = replaced(finding, decision=(finding.decision[0], None))
    return _with_impossibility(case, refuted(finding, _plain_reason(case), tried=failed))


def _by_other_designs(case: Case) -> Iterator[str]:
    """Note what the designs of several runs give that the claim leaves open, too."""
    for design, known in open_designs(case):
        if known and design != case.stated.design:
            with suppress(ExactPermError):
                value = case.value(replaced(case.exactly, design=design))
                if value is not None:
                    low, high = value if isinstance(value, tuple) else (value, value)
                    yield f"with {DESIGNS[design]} the exact p-value is {decimal_string((low + high) / 2, 6)}"


def _believed(case: Case, finding: Finding, value: Value | None) -> Finding:
    """Return a consistent finding, unless its stars say something false, or the stated n is that of other data."""
    if _false_stars(case, value):
        told = f"the p-value does not earn {case.claim.marks} by the legend"
        return refuted(finding, "claim-false", fits=(), notes=(*finding.notes, told))
    notes = (*finding.notes, *_more_stars(case, value))
    if finding.decides_otherwise:
        notes = (*notes, f"the exact p-value decides otherwise at alpha = {_decimal(case.alpha)}")
    return replaced(finding, notes=notes)


def _more_stars(case: Case, value: Value | None) -> Iterator[str]:
    """Note which stars of the legend say more than the printed ones, and are earned as well."""
    legend = {stars: read_pvalue(text) for stars, text in (case.claim.stars or {}).items()}
    if case.claim.marks and isinstance(value, Fraction):
        bound = legend[case.claim.marks].value or 0
        best = min(
            ((one.value or 0, stars) for stars, one in legend.items() if one.fit(value)),
            default=(bound, ""),
        )
        if best[0] < bound:
            yield f"the p-value earns {best[1]} by the legend"


def _false_stars(case: Case, value: Value | None) -> bool:
    """Return whether the stars that follow a number say something false of the p-value."""
    claim = case.claim
    if value is None or not claim.marks or claim.law == "monte-carlo":
        return False
    low, high = value if isinstance(value, tuple) else (value, value)
    return read_pvalue(claim.stars[claim.marks]).encloses(low, high) is False


def _fits(case: Case, value: Value | None) -> tuple[bool | None, str]:
    """Return whether the text prints a value, None where a bracket leaves it open, and the word of the reading."""
    if not isinstance(value, tuple):
        word = case.reading(value)
        refused = value is None and case.claim.law == "exact"
        return (None if refused else word is not None), word or ""
    inside = case.printed.encloses(*value, case.alpha)
    # An approximation is known to 19 digits: its word is that of the reading.
    word = "bracket" if case.claim.law == "exact" else case.reading(value) or ""
    return inside, word


def refuted(finding: Finding, reason: str, **values: Any) -> Finding:
    """Return the finding as an inconsistent one, or a decision-inconsistent one where the decisions differ."""
    level = (
        "decision-inconsistent"
        if finding.decides_otherwise and reason != "n-differs"
        else "inconsistent"
    )
    return replaced(finding, level=level, reason=reason, **values)


def _with_doubts(case: Case, finding: Finding) -> Finding:
    """Return the finding with what the data add: another n is a finding; a doubt keeps an accusation undecided."""
    if case.other_n:
        finding = refuted(finding, "n-differs")
    doubts = _doubts(case)
    if case.claim.adjustment is not None and case.claim.tests is None and len(case.family) == 1:
        doubts.append(
            f"the number of tests of the adjustment {case.claim.adjustment} is not stated"
        )
    if not finding.level.endswith("inconsistent") or not doubts:
        return finding
    return replaced(finding, level="undecided", reason="doubt", doubt="; ".join(doubts))


def _doubts(case: Case) -> list[str]:
    """Return what may be read wrongly in the data; nothing where a line of exactperm names them."""
    return [] if case.claim.digests else [*case.sample.doubts]


def _plain_reason(case: Case) -> str:
    """Return why a claim does not hold, before any search."""
    return (
        "claim-false"
        if case.printed.relation != "=" or case.printed.form == "zero"
        else "no-explanation"
    )


def _notes(case: Case) -> Iterator[str]:
    claim, sample = case.claim, case.sample
    if case.printed.form == "zero":
        yield "a p-value of 0 is printed: no permutation test gives 0"
    if case.other_n:
        known = f"{sample.n} {sample.units}, {sample.n_nonzero} with a difference"
        yield f"n is stated as {claim.n}; the data have {known}"
    if (
        claim.adjustment is not None
        and case.tests > len(case.family)
        and claim.adjustment not in SINGLE_STEP
    ):
        known = "this one is" if len(case.family) == 1 else f"{len(case.family)} are"
        yield f"only {known} known of the {case.tests} tests, so the adjusted p-value lies between bounds"
    if case.other_order:
        yield "name the two files in the order of the line: the first system first"
    elif case.other_data:
        yield f"the line states the SHA-256 {'+'.join(claim.digests)} of its data; these data have {sample.sha256}"
    elif claim.digests and sample.sha256 is None:
        yield f"the line states the SHA-256 {'+'.join(claim.digests)} of its data; these data come from no file"
    if claim.marks:
        yield f"by the legend, {claim.marks} stands for {claim.stars[claim.marks]}"


def _undecided(case: Case, value: Value | None) -> Iterator[str]:
    """Note which width of a bracket would decide; without any, which numbers the text stands for."""
    if isinstance(value, Fraction):
        yield f"whether {case.claim.samples} random assignments may print so takes too long to count"
        return
    if value is None:
        least, most = [_decimal(end) for end in case.printed.hull(case.alpha)]
        yield f"nothing is known of the p-value; the text stands for numbers from {least} to {most}"
        return
    low, high = value
    middle = (low + high) / 2
    ends = [end for end in case.printed.hull(case.alpha) if low <= end <= high]
    gap = min((abs(end - middle) for end in ends), default=Fraction(0))
    width = (
        f"a bracket narrower than {decimal_string(2 * gap, 3)}"
        if gap
        else "only the exact p-value, not a bracket"
    )
    yield f"some p-values between the bounds print so, and some do not; {width} around their middle decides"


def _with_impossibility(case: Case, finding: Finding) -> Finding:
    """Return the finding with a note where no data at all give the printed p-value."""
    if finding.attainable is not False:
        return finding
    return replaced(finding, notes=(*finding.notes, _lattice(case).verdict(case.printed)))


def _decimal(x: Exact) -> str:
    return (
        decimal_string(x, 3).rstrip("0").rstrip(".")
        if "e" not in decimal_string(x, 3)
        else decimal_string(x, 3)
    )


def _printed_decision(case: Case) -> bool | None:
    """Return whether the document says p <= alpha; None where it leaves it open."""
    printed, alpha = case.printed, case.alpha
    if case.claim.decision is not None:
        return case.claim.decision == "yes"
    if printed.form == "not-significant":
        return False
    if printed.relation in ("=", "in"):
        low, high = printed.interval
        # whoever prints the level itself claims p <= alpha
        if printed.relation == "=" and printed.value == alpha:
            return True
        return True if high <= alpha else False if low > alpha else None
    value = printed.value
    if printed.relation in ("<", "<="):
        return True if value is not None and value <= alpha else None
    return (
        False
        if value is not None and (value > alpha or (value == alpha and printed.relation == ">"))
        else None
    )


def _lattice(case: Case) -> Any:
    """Return the p-values that any data with as many non-zero differences give; None where nothing is known of them."""
    claim, n = case.claim, case.sample.n_nonzero
    test = "sign" if claim.statistic == "mcnemar" else claim.statistic
    if test not in ("sum", "sign") or not 1 <= n <= _MOST_LATTICE or claim.adjustment is not None:
        return None
    stated: dict[str, Any] = {"alternative": claim.alternative, "boundary": claim.boundary}
    if case.sample.designs and (claim.leaves_open("design") or claim.law != "exact"):
        return None
    if case.stated.design in ("within", "systems"):
        with suppress(BudgetExceeded):
            return attainable(total=case.exchanged.total, **stated)
        return None
    if claim.law == "monte-carlo":
        return attainable(n, test, samples=claim.samples, estimate=claim.estimate, **stated)
    return attainable(n, test, **stated) if claim.law == "exact" else None


def _is_attainable(case: Case) -> bool | None:
    lattice = _lattice(case)
    return None if lattice is None else bool(lattice.contains(case.printed))
