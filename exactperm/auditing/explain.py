"""Say what comes nearest to a wrong claim: a reading with one stated field changed, a slip of the pen, or a missing pair.

Nearness hides nothing: beside it stands the share of texts of the same unit in [p/4, min(4p, 1)],
p the p-value of the data, that anything so near would print. Source: spec/10-audit.md#audit-chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from math import ceil, floor, inf

from ..arithmetic.writing import number_text
from ..null.sentence import PValue
from ..record import replaced
from .axes import AXES, DENIED, Way
from .case import Case
from .facts import Ends, ends_of, shown
from .finding import Match
from .readings import open_unit
from .text import ONE_DIGIT

Trial = tuple[str, str, Sequence[Ends], bool]
"""(what was changed, the reading in words, its p-values, whether the text is one of them)."""

_ORDER = ("tail", "statistic", "law", "zeros", "boundary", "design", "order", "source")
_TOLD = {
    "greater": "it is the one-sided p-value",
    "less": "it is the one-sided p-value",
    "two-sided": "it is the two-sided p-value",
    "2min": "one side was doubled, even above 1",
}
_MOST_LEFT_OUT = 60  # pairs of which each is left out
_WIDE = 4  # times its lower bound is the upper one of a p-value that explains nothing


def explained(
    case: Case, given: PValue | None, *, pairs_alone: bool = False
) -> tuple[Match | None, Fraction | None]:
    """Return what comes nearest to the text of a wrong claim, and the share of wrong texts that come as near.

    ``given`` is the p-value that the data have; ``pairs_alone`` looks for a missing pair and for
    nothing else.
    """
    tried: list[Ends] = []
    listed = [_missing_pair(case)]
    if not pairs_alone:
        listed = [
            _changed(case),
            _slips(case, case.taken, given),
            _changed(case, before=True),
            _slips_before_rounding(case),
            *listed,
            _slips(case, case.taken, given, single=True),
        ]
    for trials in listed:
        best: Match | None = None
        for told, words, found, fits in trials:
            tried += found
            value = shown(found)
            if fits and best is None and value is not None:
                low, high = ends_of(value)
                best = Match(words=words, value=value, told=told) if high <= _WIDE * low else None
        if best is not None:
            return best, _share(case, given, tried)
    return None, None


def _changed(case: Case, *, before: bool = False) -> Iterator[Trial]:
    """Yield the readings that deny one stated field, and known errors; ``before``: of scores before rounding, if open."""
    seen = {reading.key for reading in case.known()}
    denied = [way for way in case.known(DENIED) if way.key not in seen]
    for way in sorted(denied, key=lambda way: _ORDER.index(way.doubts[0])):
        source = AXES["source"][way.source]
        named = {"tail": _TOLD.get(way.tail, ""), "source": f"{source.words} ({source.by})"}
        told = named.get(way.doubts[0], "")
        for one in _tabled(case, way) if before else [way]:
            yield _tried(case, told, one)


def _tabled(case: Case, reading: Way) -> Iterator[Way]:
    """Yield the reading of scores before rounding, where nothing is said of it."""
    unit = open_unit(case.read, case.sample)
    plain = (reading.data, reading.source) == ("given", "itself")
    if plain and unit is not None and case.claim.rounded is None:
        yield replaced(reading, data="tabled", unit=unit)


def _tried(case: Case, told: str, reading: Way) -> Trial:
    found, word = case.tried(reading, case.claim.adjustment, settle=False)
    words = reading.words if word == "rounded" else ""
    return told or f"it is the {words}", words, found, word == "rounded"


def _slips(
    case: Case, reading: Way, given: PValue | None, *, single: bool = False
) -> Iterator[Trial]:
    """Yield the texts that a slip of the pen turns into this one, with the p-value of a reading."""
    if given is None or case.claim.samples:
        return
    low, high = ends_of(given)
    for told, value, unit in case.text.slips():
        if (told == ONE_DIGIT) == single:
            fits = value - unit / 2 <= high and low <= value + unit / 2
            yield told, reading.words, [(low, high) if fits else (value, value)], fits


def _slips_before_rounding(case: Case) -> Iterator[Trial]:
    """Yield the same with the p-value before rounding, where that is open."""
    for reading in _tabled(case, case.taken):
        found, _ = case.tried(reading, case.claim.adjustment, settle=False)
        yield from _slips(case, reading, shown(found))


def _missing_pair(case: Case) -> Iterator[Trial]:
    """Yield the p-values without one pair, where the text has a number."""
    sample, claim, taken = case.sample, case.claim, case.taken
    pairs = sample.differences is not None and taken.design == "" and 2 < sample.n <= _MOST_LEFT_OUT
    if not pairs or claim.adjustment or claim.samples or case.text.relation != "=":
        return
    whole = sample.facts(taken.statistic, taken.zeros, case.allowance)
    if taken.law == "exact" and whole.digits < inf:
        return  # each would take its bracket
    differences = list(sample.differences or ())
    for d in dict.fromkeys(differences):
        places = [i for i, x in enumerate(differences) if x == d]
        rest = sample.once(("without", d), partial(sample.without, places[0]))
        one = Case(claim, rest, case.alpha, None, strict=False)
        one.allowance = case.allowance
        among = f" (or another of {len(places)} alike)" if len(places) > 1 else ""
        name = f"{'pair' if sample.labels is None else 'group'} {places[0] + 1}"
        told = f"one pair is missing: {name} (difference {number_text(d)}){among}"
        yield _tried(one, told, taken)


def _share(case: Case, given: PValue | None, tried: Sequence[Ends]) -> Fraction | None:
    """Return the share of texts of the same unit in [p/4, min(4p, 1)] that some value tried would print."""
    text = case.text
    if given is None or text.relation != "=" or text.form == "zero":
        return None
    if text.form == "double":
        return Fraction(0)  # 15 digits are not met by accident
    p = Fraction(sum(ends_of(given))) / 2
    unit = text.unit or Fraction(1, Fraction(text.value or 0).denominator)
    low, high = ceil(p / 4 / unit), floor(min(4 * p, Fraction(1)) / unit)
    margin, matched = text.unit / 2, set[int]()
    for least, most in tried:
        first, last = ceil((least - margin) / unit), floor((most + margin) / unit)
        matched.update(range(max(low, first), min(high, last) + 1))
    return Fraction(len(matched), high - low + 1) if high >= low else Fraction(1)
