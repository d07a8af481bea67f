"""Search for the convention that explains printed p-values, and compute how often a wrong text would fit as well.

A search over conventions "explains" one wrong two-digit p-value in three, so a match counts only
where one convention fits all or most claims of the source with the same stated statistic, law and
tail, and a wrong text would fit with a probability of at most 1%: the share of texts of the same
unit in [p/4, min(4p, 1)] that match any value tried, multiplied over the claims of the source that
the stated convention does not print, and by the number of choices of those that it fits. Source:
spec/10-audit.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, comb, floor, prod

from ..errors import ExactPermError
from ..record import Record, replaced
from .case import Case
from .conventions import Convention, Value, conventions
from .defects import DEFECTS
from .findings import Finding, Fit
from .judge import refuted

MOST_CHANCE = Fraction(1, 100)
"""A match is an explanation only where a wrong text would match at most this often."""

_ONE, _HALF = Fraction(1), Fraction(1, 2)


class Candidate(Record):
    """One convention or defect, and its values for all claims of a group."""

    words: str
    approximate: bool
    values: tuple[Value | None, ...]


def explain(cases: list[Case], findings: list[Finding], *, others: bool = False) -> list[Finding]:
    """Look for conventions that print all claims of a group; ``findings`` are those of the stated ones.

    ``cases`` share source, statistic, law and tail. Only claims of the reasons "no-explanation" and
    "impossible" are explained; ``others`` lists what else prints the consistent ones.
    """
    found = [
        _with_others(case, finding) if others else finding for case, finding in zip(cases, findings)
    ]
    known = [
        i
        for i, finding in enumerate(findings)
        if finding.exact is not None and _middle(finding.exact)
    ]
    if any(findings[i].reason in ("no-explanation", "impossible") for i in known):
        for i, finding in zip(
            known, _searched([cases[i] for i in known], [found[i] for i in known])
        ):
            found[i] = finding
    return found


def _middle(value: Value) -> Fraction | None:
    """Return the exact p-value, or the middle of a bracket of a relative width below 0.1%; None for a wider one."""
    if not isinstance(value, tuple):
        return value
    low, high = value
    return (low + high) / 2 if (high - low) * 1000 < low else None


def _searched(cases: list[Case], found: list[Finding]) -> list[Finding]:
    """Return the findings of a group whose exact p-values are known, with what explains them."""
    open_ = [
        i for i, finding in enumerate(found) if finding.reason in ("no-explanation", "impossible")
    ]
    tried: list[list[Value]] = [[] for _ in cases]
    for candidates in _rounds(cases):
        for candidate in candidates:
            for known, value in zip(tried, candidate.values):
                known += [] if value is None else [value]
        printed = [
            {i for i, case in enumerate(cases) if case.reading(one.values[i])} for one in candidates
        ]
        sure = {*range(len(cases))} - {*open_}
        most = max((len(one & {*open_}) for one in printed if sure <= one), default=0)
        # a wrong claim or two do not silence the others
        if most == len(open_) or 2 * most > max(3, len(open_)):
            best = next(one for one in printed if sure <= one and len(one) == most + len(sure))
            fitting = [one for one, fits in zip(candidates, printed) if fits == best]
            chances = sorted(
                chance_of(cases[i], tried[i]) for i in open_ if not cases[i].printed.impossible
            )
            # Some convention prints as many of the texts: at most the sum over all choices of so
            # many.
            chance = min(_ONE, comb(len(open_), most) * prod(chances[-most:], start=_ONE))
            for i in sorted(best & {*open_}):
                found[i] = _explained(cases[i], found[i], i, fitting, chance)
            return found
    return found


def _rounds(cases: list[Case]) -> Iterator[list[Candidate]]:
    """Yield conventions of the stated statistic, then of all others that the data of all claims allow, then defects."""
    first, *rest = list(cases[0].searched)
    if any(case.exchanged.differences is None for case in cases):
        rest = []
    stated = cases[0].stated.design
    others = [
        design for design in cases[0].sample.designs if design != stated and first[0] == "sum"
    ]
    for statistics, designs in (([first], [stated]), ([first], others), (rest, [stated])):
        listed = [
            one
            for statistic in statistics
            for design in designs
            for one in conventions(*statistic, design)
        ]
        yield list(
            _valued(cases, sorted(listed, key=lambda one: len(designs) > 1 and one.law != "exact"))
        )
    yield [
        Candidate(
            words=defect.words,
            approximate=False,
            values=tuple([defect.value(case.known) for case in cases]),
        )
        for defect in DEFECTS
        if cases[0].claim.statistic in defect.statistics
        and not any(case.claim.adjustment for case in cases)
    ]


def _valued(cases: list[Case], listed: Iterable[Convention]) -> Iterator[Candidate]:
    for convention in listed:
        try:
            values = tuple([case.value(convention) for case in cases])
        except ExactPermError:  # a count beyond the budget
            continue
        yield Candidate(
            words=convention.words, approximate=convention.law != "exact", values=values
        )


def _explained(
    case: Case, finding: Finding, i: int, fitting: list[Candidate], chance: Fraction
) -> Finding:
    """Return the finding of a claim that some candidates print; those of equal value are one explanation."""
    distinct = {one.values[i]: one for one in reversed(fitting)}
    kept = [one for one in fitting if distinct[one.values[i]] is one]
    fits = tuple([_fit(one, i, case) for one in kept])
    if case.printed.impossible:  # no other convention meets such a text by accident
        return refuted(finding, "impossible", fits=fits)
    if chance > MOST_CHANCE:
        rate = round(1 / chance)
        often = f"1 in {rate}" if rate > 1 else "most"
        note = f"fits {' and '.join(one.words for one in kept)}, but so would {often} wrong texts"
        return replaced(finding, chance=chance, notes=(*finding.notes, note))
    approximate = case.claim.law == "exact" and kept[0].approximate
    reason = "exact-asked-approximate-returned" if approximate else "explained-by"
    return refuted(finding, reason, fits=fits, chance=chance)


def _fit(one: Candidate, i: int, case: Case) -> Fit:
    """Return the fit of a candidate whose i-th value is printed by the case."""
    return Fit(convention=one.words, value=one.values[i], reading=case.reading(one.values[i]))  # type: ignore[arg-type]


def _with_others(case: Case, finding: Finding) -> Finding:
    """Return a consistent finding with all conventions of all statistics that print the same text."""
    if finding.level != "consistent" or case.printed.relation != "=" or case.printed.form == "zero":
        return finding
    fits = list(finding.fits)
    for statistic in case.searched:
        for one in _valued([case], conventions(*statistic, case.stated.design)):
            if case.reading(one.values[0]) and all(one.values[0] != fit.value for fit in fits):
                fits.append(_fit(one, 0, case))
    return replaced(finding, fits=tuple(fits))


def chance_of(case: Case, values: list[Value]) -> Fraction:
    """Return the share of texts of the same unit in [p/4, min(4p, 1)], p exact, that some value tried would print."""
    value, printed = case.value(case.exactly), case.printed
    exact = None if value is None else _middle(value)
    if printed.form == "double" or exact is None:
        return Fraction(0)  # 15 digits are not met by accident
    window = exact / 4, min(4 * exact, Fraction(1))
    if printed.form == "fraction":
        return _share(
            window, Fraction(1, Fraction(printed.value or 0).denominator), values, points=True
        )
    return _share(window, printed.unit, values, points=False)


def _share(
    window: tuple[Fraction, Fraction], unit: Fraction, values: list[Value], *, points: bool
) -> Fraction:
    """Return the share of the multiples of a unit in a window that some value prints, or with ``points`` equals."""
    low, high = ceil(window[0] / unit), floor(window[1] / unit)
    if high < low:
        return Fraction(1)
    matched: set[int] = set()
    for value in values:
        place = (value[0] + value[1]) / 2 / unit if isinstance(value, tuple) else value / unit
        if points:
            matched.update([floor(place)] if place.denominator == 1 else [])
        else:  # Rounded: |text - value| <= unit / 2. Truncated: text <= value < text + unit.
            matched.update((*range(ceil(place - _HALF), floor(place + _HALF) + 1), floor(place)))
    return Fraction(sum(low <= text <= high for text in matched), high - low + 1)
