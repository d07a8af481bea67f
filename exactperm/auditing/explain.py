"""Say what comes nearest to a wrong claim: a reading with one stated field changed, a slip of the pen, or a missing pair.

Nearness hides nothing: beside it stands the share of texts of the same unit in [p/4, min(4p, 1)],
p the p-value of the data, that anything so near would print. Source: spec/10-audit.md#audit-chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from functools import partial
from math import ceil, floor

from .._types import TYPE_CHECKING, Any
from ..arithmetic.writing import number_text
from ..errors import ExactPermError
from ..null.sentence import PValue
from ..record import replaced
from .axes import AXES, Way
from .facts import ends_of
from .finding import Match
from .readings import open_unit
from .text import ONE_DIGIT

if TYPE_CHECKING:
    from .case import Case

Near = tuple[str, str, "PValue | None", bool]
"""(what was changed, the reading in words, its value, whether the text is that)."""

_FREED = ("tail", "statistic", "law", "zeros", "boundary", "design", "order")
_TOLD = {
    "greater": "it is the one-sided p-value",
    "less": "it is the one-sided p-value",
    "two-sided": "it is the two-sided p-value",
    "2min": "one side was doubled, even above 1",
}
_MOST_LEFT_OUT = 60  # pairs of which each is left out
_HALF = Fraction(1, 2)
_WIDE = 4  # times its lower bound is the upper one of a p-value that explains nothing


def explained(case: Case, given: PValue | None) -> tuple[Match | None, Fraction | None]:
    """Return what comes nearest to the text of a wrong claim, and the share of wrong texts that come as near."""
    tried: list[PValue] = []
    for find in (
        *(_one_field, _slips, _known_errors, _before_rounding, _slips_before_rounding),
        *(_missing_pair, partial(_slips, single=True)),
    ):
        best: Match | None = None
        for told, words, value, fits in find(case, given):
            tried += [] if value is None else [value]
            if fits and best is None and value is not None and _is_narrow(value):
                best = Match(words=words, value=value, told=told)
        if best is not None:
            return best, share_of(case, given, tried)
    return None, None


def _is_narrow(value: PValue) -> bool:
    """Whether a p-value is so well known that its agreement with a text says something."""
    low, high = ends_of(value)
    return high <= _WIDE * low


def _changed(case: Case) -> Iterator[tuple[str, Way]]:
    """Yield the readings with one stated field changed, and what was changed."""
    seen = {reading.key for _, reading in case.known()}
    for axis in _FREED:
        for _cost, reading in case.known(axis):
            if reading.key not in seen and reading.data != "tabled":
                seen.add(reading.key)
                yield _TOLD[reading.tail] if axis == "tail" else "", reading


def _one_field(case: Case, _given: PValue | None) -> Iterator[Near]:
    for told, reading in _changed(case):
        yield from _tried(case, told, reading)


def _before_rounding(case: Case, _given: PValue | None) -> Iterator[Near]:
    """Yield the same of scores before rounding, where nothing is said of it."""
    for told, reading in _changed(case):
        if (reading.data, reading.source) == ("given", "itself"):
            for before in _tabled(case, reading):
                yield from _tried(case, told, before)


def _tabled(case: Case, reading: Way) -> Iterator[Way]:
    """Yield the reading of scores before rounding, where that is open."""
    unit = open_unit(case.read, case.sample)
    if unit is not None and case.claim.rounded is None:
        yield replaced(reading, data="tabled", unit=unit)


def _tried(case: Case, told: str, reading: Way) -> Iterator[Near]:
    with suppress(ExactPermError):
        adjustment = case.claim.adjustment
        value = case.value(reading, adjustment, settle=False)
        fits = case.word(reading, value, adjusted=adjustment is not None) == "rounded"
        words = reading.words if fits else ""
        yield told or f"it is the {words}", words, value, fits


def _known_errors(case: Case, _given: PValue | None) -> Iterator[Near]:
    """Yield what packages are known to compute wrongly."""
    for _cost, reading in case.known("source"):
        words, _, by, _ = AXES["source"][reading.source]
        yield from _tried(case, f"{words} ({by})", reading)


def _slips(
    case: Case, given: PValue | None, single: bool = False, taken: Way | None = None
) -> Iterator[Near]:
    """Yield the texts that a slip of the pen turns into this one, with the p-value of the data."""
    if given is None or case.claim.samples:
        return
    low, high = ends_of(given)
    for told, value, unit in case.text.slips():
        if (told == ONE_DIGIT) == single:
            ends = value - unit / 2, value + unit / 2
            fits = (
                ends[0] <= low and high <= ends[1]
                if taken is None
                else ends[0] <= high and low <= ends[1]
            )
            yield told, (taken or case.taken).words, given if fits else value, fits


def _slips_before_rounding(case: Case, _given: PValue | None) -> Iterator[Near]:
    for taken in _tabled(case, case.taken):
        with suppress(ExactPermError):
            value = case.value(taken, case.claim.adjustment, settle=False)
            yield from _slips(case, value, taken=taken)


def _missing_pair(case: Case, _given: PValue | None) -> Iterator[Near]:
    """Yield the p-values without one pair, where the text has a number."""
    sample, claim = case.sample, case.claim
    known = sample.differences is not None and sample.steps is None and case.taken.design == ""
    if not known or claim.adjustment or claim.samples or not 2 < sample.n <= _MOST_LEFT_OUT:
        return
    if case.text.relation != "=" or sample.rule is not None:
        return
    taken = case.taken
    whole = sample.facts(taken.statistic, taken.zeros, case.allowance)
    if taken.law == "exact" and not whole.counted:
        return  # each would take its bracket
    differences = list(sample.differences or ())
    for d in dict.fromkeys(differences):
        rest = sample.once(("without", d), lambda d=d: sample.without(d))  # type: ignore[misc]
        one = replaced_case(case, rest)
        places = [i for i, x in enumerate(differences, 1) if x == d]
        among = f" (or another of {len(places)} alike)" if len(places) > 1 else ""
        name = f"{'pair' if sample.labels is None else 'group'} {places[0]}"
        told = f"one pair is missing: {name} (difference {number_text(d)}){among}"
        yield from _tried(one, told, one.taken)


def replaced_case(case: Case, sample: Any) -> Case:
    """Return the case of the same claim on other data."""
    from .case import Case

    one = Case(case.claim, sample, case.alpha, case.allowance.budget, strict=False)
    one.allowance = case.allowance
    return one


def left_out(case: Case) -> dict[str, Any]:
    """Return the explanation of a claim whose stated n is smaller by one than the data."""
    n, sample = case.claim.n, case.sample
    if n is None or n not in (sample.n - 1, sample.n_nonzero - 1):
        return {}
    near = list(_missing_pair(case, None))
    tried = [value for _, _, value, _ in near if value is not None]
    for told, words, value, fits in near:
        if fits and value is not None:
            match = Match(words=words, value=value, told=told)
            return {"nearest": match, "share": share_of(case, case.plain(case.taken), tried)}
    return {}


def _middle(value: PValue) -> Fraction:
    return Fraction(sum(ends_of(value))) / 2


def share_of(case: Case, given: PValue | None, tried: list[PValue]) -> Fraction | None:
    """Return the share of texts of the same unit in [p/4, min(4p, 1)] that some value tried would print."""
    text = case.text
    if given is None or text.relation != "=" or text.form == "zero":
        return None
    if text.form == "double":
        return Fraction(0)  # 15 digits are not met by accident
    p = _middle(given)
    points = text.form == "fraction"
    unit = Fraction(1, Fraction(text.value or 0).denominator) if points else text.unit
    low, high = ceil(p / 4 / unit), floor(min(4 * p, Fraction(1)) / unit)
    if high < low:
        return Fraction(1)
    matched: set[int] = set()
    for value in tried:
        least, most = [end / unit for end in ends_of(value)]
        margin = 0 if points else _HALF
        first, last = max(low, ceil(least - margin)), min(high, floor(most + margin))
        matched.update(range(first, last + 1))
    return Fraction(len(matched), high - low + 1)
