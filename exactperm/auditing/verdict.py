"""Judge a claim: walk its readings in order of cost, and say which of them print the text.

Where a reading that is at most usual does, the claim is fine; where an unusual one does, it is true
only if that was meant, which is a question to the author; where none does, it is wrong, and what
comes nearest is said. The budget alone leaves a claim undecided. Source: spec/10-audit.md#audit-open.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import product

from ..arithmetic.writing import number_text
from ..errors import BudgetExceeded
from ..null.sentence import PValue
from ..record import replaced
from .axes import AXES, ROUNDED, UNUSUAL, USUAL, Way
from .case import SINGLE_STEP, USUAL_SAMPLES, Case, likely
from .explain import explained
from .facts import ends_of, shown
from .finding import Finding, Match
from .readings import FIELD_OF
from .statistic import checked_statistic
from .text import unit_words

_METHODS = ("bonferroni", "holm", "fdr_bh", "hochberg", "hommel", "sidak", "holm-sidak", "fdr_by")
_MOST_CONDITIONS = 3
_TOLD = ("tail", "statistic", "zeros", "law", "design")
"""Axes of which a letter says what was assumed."""


def judge(case: Case, place: str = "") -> Finding:
    """Return the verdict on one claim."""
    start = time.perf_counter()
    claim, sample = case.claim, case.sample
    with suppress(BudgetExceeded):
        sample.under(case.taken.design)  # a design that the runs do not allow is refused
    ways = replaced(case.taken, law="exact"), case.taken
    exact, given = [shown(case.tried(way, claim.adjustment)[0]) for way in ways]
    finding = Finding(
        id=claim.id,
        source=claim.source,
        place=place,
        claim=claim,
        printed=case.text,
        heap="undecided",
        reason="budget",
        exact=exact,
        given=given,
        taken=_taken(case),
        assumed=tuple(_assumed(case)),
        significant=(_printed_decision(case), _decision(exact, case)),
        notes=(*sample.notes, *_notes(case)),
        sha256=sample.sha256,
        n=sample.n,
        units=sample.units,
        dropped=sample.dropped,
        alpha=case.alpha,
    )
    if case.text.impossible:
        finding = _wrong(case, finding, "impossible")
    elif case.other_data or case.other_n:
        finding = _wrong(case, finding, "data")
    else:
        finding = _walked(case, finding)
    statistic = checked_statistic(case, finding.heap)
    return replaced(finding, statistic=statistic, seconds=time.perf_counter() - start)


def _walked(case: Case, finding: Finding) -> Finding:
    """Return the verdict by the readings, the surest first."""
    open_ends, conditions = False, dict[frozenset[str], Match]()
    decisions: set[bool | None] = set()
    for reading, adjustment in _walk(case):
        usual = reading.cost <= USUAL and adjustment == case.claim.adjustment
        if not usual and len(conditions) == _MOST_CONDITIONS:
            break
        found, word = case.tried(reading, adjustment)
        value = shown(found)
        open_ends = open_ends or word == "open"
        if value is None or word == "open":
            continue
        if usual:
            decisions.add(_decision(value, case))
        if word == "rounded" and usual:
            return _fine(case, finding, reading, value)
        if word and (usual or _opens(case, reading, word)):
            told = _told(case, reading, word, adjustment)
            if not any(known <= told for known in conditions):
                conditions[told] = _condition(reading, value, told, _by(case, reading))
    conditions.update(_estimates(case))
    if conditions:
        first = tuple(conditions.values())[:_MOST_CONDITIONS]
        return replaced(finding, heap="question", reason="condition", conditions=first)
    if open_ends:
        return finding
    if len(decisions) > 1:
        finding = replaced(finding, significant=(finding.significant[0], None))
    return _wrong(case, finding, "unexplained")


def _walk(case: Case) -> Iterator[tuple[Way, str | None]]:
    """Yield (reading, adjustment): an adjustment that is not stated is open for claims of one source."""
    adjustment = case.claim.adjustment
    for most in (USUAL, UNUSUAL):  # the usual ones suffice for most claims
        for reading in case.known(most):
            if reading.cost > USUAL or most == USUAL:
                yield reading, adjustment
    if adjustment is None and len(case.family) > 1 and case.read.leaves_open("law"):
        for method, reading in product(_METHODS, case.known(USUAL)):
            yield reading, method


def _opens(case: Case, reading: Way, word: str) -> bool:
    """Whether an unusual reading opens a claim: not by two doubts at once, and not what would print any bound.

    The other tail makes every claim true that p is above a number, and a package that replaces the
    scores one that it is below, if they are known.
    """
    turned = reading.order == "turned" or reading.tail != case.claim.alternative
    above, below = case.text.relation in (">", ">="), case.text.relation in ("<", "<=")
    if (above and turned and reading.tail in ("greater", "less")) or word != "rounded":
        return False
    return not (below and reading.source == "ranked scores" and reading.data not in ROUNDED)


def _fine(case: Case, finding: Finding, reading: Way, value: PValue) -> Finding:
    """Return the verdict on a claim that a usual reading prints, with the stars that it has earned."""
    marks, legend, ends = case.claim.marks, case.legend, ends_of(value)
    earned = [marks, *(one for one in legend if marks and legend[one].encloses(*ends))]
    best = min(earned, key=lambda one: legend[one].value or 0) if marks else ""
    match = Match(words=reading.words, value=value, by=_by(case, reading))
    understated = best if best != marks else ""
    return replaced(finding, heap="fine", reason="prints", fit=match, understated=understated)


def _wrong(case: Case, finding: Finding, reason: str) -> Finding:
    """Return the verdict on a claim that no reading prints, with what comes nearest.

    Of other data that is a pair without which they have the stated number.
    """
    nearest = share = None
    sizes = case.sample.n - 1, case.sample.n_nonzero - 1
    if reason != "data" or case.claim.n in sizes:
        nearest, share = explained(case, finding.given, pairs_alone=reason == "data")
    reason = "explained" if nearest is not None and reason == "unexplained" else reason
    return replaced(finding, heap="wrong", reason=reason, nearest=nearest, share=share)


# ------------------------------------------------------------------------------------------- words


def _taken(case: Case) -> str:
    """Return what the claim is taken for, in words."""
    claim, decimals = case.claim, case.claim.reading.decimals
    told = (
        case.taken.words,
        "second minus first" if claim.orientation == "second-first" else "",
        f"shift {number_text(claim.mu)}" if claim.mu else "",
        "" if decimals is None else f"scores rounded to {decimals} decimals",
        f"groups of {claim.reading.groups}" if claim.reading.groups else "",
        f"{claim.samples} random assignments" if claim.samples else "",
        f"{claim.adjustment} for {case.tests} tests" if claim.adjustment else "",
    )
    return ", ".join(filter(None, told))


def _assumed(case: Case) -> Iterator[str]:
    """Yield what of that the document does not state, in words."""
    for axis in _TOLD:
        value = getattr(case.taken, axis)
        if value and case.claim.leaves_open(FIELD_OF[axis]):
            yield AXES[axis][value].words


def _by(case: Case, reading: Way) -> str:
    """Return who prints such a reading, where it is not what the claim is taken for."""
    values = [(axis, getattr(reading, axis)) for axis in AXES]
    others = [(axis, value) for axis, value in values if value != getattr(case.taken, axis)]
    told = [AXES[axis][value].by for axis, value in others if value]
    return ", ".join(dict.fromkeys(filter(None, reversed(told))))


def _told(case: Case, reading: Way, word: str, adjustment: str | None) -> frozenset[str]:
    """Return what must have been meant for the claim to be true by a reading."""
    told = [AXES[axis][getattr(reading, axis)].condition for axis in reading.doubts]
    if adjustment != case.claim.adjustment:
        told.append(f"it was adjusted by the method {adjustment}")
    if word == "cut":
        told.append("the number was cut, not rounded")
    return frozenset(text.replace("{unit}", unit_words(reading.unit or 1)) for text in told)


def _condition(reading: Way, value: PValue, told: frozenset[str], by: str = "") -> Match:
    """Return a reading with what must have been meant and the question for it."""
    said = sorted(told)
    only_if, asked = " and ".join(said), question(said)
    return Match(words=reading.words, value=value, by=by, only_if=only_if, question=asked)


def question(told: list[str]) -> str:
    """Return statements as one question.

    >>> question(["the test was one-sided", "the scores were rounded to whole numbers"])
    'Was the test one-sided, and were the scores rounded to whole numbers?'
    """
    asked = [re.sub("(.+?) (is|was|were) ", r"\2 \1 ", text, count=1) for text in told]
    text = ", and ".join(asked)
    return f"{text[:1].upper()}{text[1:]}?"


def _estimates(case: Case) -> Iterator[tuple[frozenset[str], Match]]:
    """Yield the usual number of random assignments that may print the text, where a permutation test is named."""
    claim = case.claim
    unnamed = claim.leaves_open("law") and case.sample.rule is not None
    many = case.sample.total > max(USUAL_SAMPLES)
    if claim.adjustment is not None or not many or not (claim.law == "permutation" or unnamed):
        return
    for reading in case.known(USUAL):
        found, _ = case.tried(reading, None, settle=False)
        value = shown(found)
        if value is None or (reading.boundary, reading.source) != (">=", "itself"):
            continue
        for samples in USUAL_SAMPLES:
            if likely(case.text, case.alpha, ends_of(value), (samples, reading.tail, None), 1):
                told = frozenset([f"it is an estimate from {samples} random assignments"])
                yield told, _condition(reading, value, told)
                return


def _notes(case: Case) -> Iterator[str]:
    claim, sample = case.claim, case.sample
    if case.text.form == "zero":
        yield "a p-value of 0 is printed: no permutation test gives 0"
    if case.other_n:
        known = f"{sample.n} {sample.units}, {sample.n_nonzero} with a difference"
        yield f"n is stated as {claim.n}; the data have {known}"
    if claim.adjustment not in (None, *SINGLE_STEP) and case.tests > len(case.family):
        yield (
            f"only {len(case.family)} of the {case.tests} tests known, so the adjusted p-value lies "
            "between bounds"
        )
    told = f"the line states the SHA-256 {'+'.join(claim.digests)}"
    if case.other_data and claim.digests[::-1] == case.digests:
        yield "name the two files in the order of the line: the first system first"
    elif case.other_data:
        yield f"{told} of its data; these data have {sample.sha256}"
    elif claim.digests and sample.sha256 is None:
        yield f"{told}; these data come from no file"
    if claim.marks:
        yield f"by the legend, {claim.marks} stands for {(claim.stars or {})[claim.marks]}"


# --------------------------------------------------------------------------------------- decisions


def _decision(value: PValue | None, case: Case) -> bool | None:
    """Return whether a p-value is at most alpha; None where it is not known, or its bounds leave it open."""
    if value is None:
        return None
    low, high = ends_of(value)
    return True if high <= case.alpha else False if low > case.alpha else None


def _printed_decision(case: Case) -> bool | None:
    """Return whether the document says p <= alpha; None where it leaves it open."""
    text, alpha = case.text, case.alpha
    if case.claim.decision is not None:
        return case.claim.decision == "yes"
    low, high, above, _ = text.span(alpha)
    # whoever prints the level itself claims p <= alpha
    if high <= alpha or (text.relation == "=" and text.value == alpha):
        return True
    return False if low > alpha or (above and low == alpha) else None
