"""Which pairs were left out: where the stated n is smaller by one or two than the data, look for those that explain p.

The p-values without one pair, or without two, are those of the leave-one-out counts
(:mod:`exactperm.leave_one_out`); for other statistics and laws the test is made again. Of so many
ways to leave pairs out, some may print a text by accident: the share of texts that would is named
beside. Source: spec/10-audit.md.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from .._types import Any
from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, number_text
from ..certified.bracket import exact_seconds
from ..errors import BudgetExceeded
from ..leave_one_out import Influence
from ..null.alternative import ALTERNATIVES
from ..record import replaced
from ..swaps.canonical import canonical
from ..swaps.effects import flip_effects
from .case import Case
from .conventions import Value
from .findings import Finding, Fit
from .search import chance_of

Left = tuple[Exact, ...]
"""The differences of the pairs that are left out, ascending."""


_MOST = 2
_SHOWN = 3


def with_left_out(case: Case, finding: Finding) -> Finding:
    """Return a finding on another n with the pairs whose absence would print the text, and how often one would."""
    number = _missing(case)
    if (
        finding.reason != "n-differs"
        or finding.fits
        or not number
        or case.claim.adjustment is not None
    ):
        return finding
    try:
        tried = dict(_values_without(case, number))
    except BudgetExceeded:
        told = f"which {_pairs(number)} may have been left out takes longer than the budget to find"
        return replaced(finding, notes=(*finding.notes, told))
    fitting = {left: value for left, value in tried.items() if case.reading(value)}
    if not fitting:
        told = f"no p-value without {_pairs(number)} prints so"
        return replaced(finding, notes=(*finding.notes, told))
    chance = chance_of(case, list(tried.values()))
    fits = tuple([_fit(case, left, value) for left, value in fitting.items()])
    names = "; or ".join(_names(case, left) for left in list(fitting)[:_SHOWN])
    more = f"; or {len(fitting) - _SHOWN} more" if len(fitting) > _SHOWN else ""
    told = f"without {names}{more} the p-value prints so; {_odds(chance)}"
    return replaced(finding, fits=fits, chance=chance, notes=(*finding.notes, told))


def _missing(case: Case) -> int:
    """Return by how many pairs the stated n is too small, if by one or two; else 0."""
    n, sample = case.claim.n, case.sample
    # others are printed by many p-values
    text = case.printed.relation == "=" and case.printed.form != "zero"
    if n is None or not text or not sample.differences or case.claim.law == "monte-carlo":
        return 0
    if case.stated.design not in ("", "items"):  # single runs are exchanged
        return 0
    return next(
        (
            more
            for more in (sample.n - n, sample.n_nonzero - n)
            if 1 <= more <= min(_MOST, sample.n - 1)
        ),
        0,
    )


def _values_without(case: Case, number: int) -> Iterator[tuple[Left, Value]]:
    """Yield the p-value by the stated convention without so many pairs, once for each choice of differences."""
    tally = Counter(case.sample.differences or ())
    swaps = canonical(flip_effects(tally))
    at = min(swaps.observed, swaps.span - swaps.observed)
    seconds = len(tally) ** number * exact_seconds(swaps.tally, at, case.allowance.budget)
    if seconds > case.allowance.budget.seconds:
        raise BudgetExceeded(f"the p-values without {_pairs(number)}")
    case.allowance.charge(seconds)
    if number == 1:
        yield from (((d,), value) for d, value in _without_one(case, tally))
        return
    for d in sorted(tally):
        yield from (
            ((d, e), value) for e, value in _without_one(case, tally - Counter((d,))) if d <= e
        )


def _without_one(case: Case, tally: Counter[Exact]) -> Iterator[tuple[Exact, Value]]:
    """Yield (difference, p-value without a pair that has it)."""
    claim = case.claim
    differences = tuple(sorted(tally.elements()))
    axes = claim.statistic, claim.law, claim.boundary
    if axes == ("sum", "exact", ">=") and claim.alternative in ALTERNATIVES:
        about: Any = {"alternative": claim.alternative, "_budget": case.allowance.budget}
        yield from dict(
            zip(differences, Influence(differences=differences, **about).pvalues)
        ).items()
        return
    stated = case.stated
    for d in dict.fromkeys(differences):
        rest = tuple(sorted((tally - Counter((d,))).elements()))
        sample = replaced(case.sample, differences=rest, n=len(rest))
        facts = sample.count(stated.statistic, stated.zeros, case.allowance)
        value = facts.value(stated.law, stated.tail, stated.boundary)
        if value is not None:
            yield d, value


def _fit(case: Case, left: Left, value: Value) -> Fit:
    words = f"{case.stated.words}, without {_names(case, left)}"
    return Fit(convention=words, value=value, reading=case.reading(value) or "")


def _names(case: Case, left: Left) -> str:
    """Name the pairs of these differences by their places, from 1 on."""
    differences = list(case.sample.differences or ())
    unit = "pair" if case.sample.labels is None else "group"
    named: list[str] = []
    for d in left:
        places = [i for i, x in enumerate(differences, 1) if x == d]
        among = f" (or another of {len(places)} alike)" if len(places) > left.count(d) else ""
        named.append(
            f"{unit} {places[left[: len(named)].count(d)]} (difference {number_text(d)}){among}"
        )
    return " and ".join(named)


def _pairs(number: int) -> str:
    return "one pair" if number == 1 else "two pairs"


def _odds(chance: Fraction) -> str:
    return f"so many choices print {decimal_string(100 * chance, 2)}% of wrong texts"
