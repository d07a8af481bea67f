"""What a claim leaves open: the ways to read it that its document and its data allow, the surest ones first.

An accusation must survive all of them. The stated convention is computed as packages compute it,
too: in binary floating point, which loses ties of decimals, and by formulas that only one package
has. Then come the usual conventions of the stated statistic, where the claim leaves its law, tail,
boundary or zeros open: any of them that prints the text makes it consistent. Unusual, one-sided or
doubtful readings leave it undecided. Source: spec/10-audit.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product

from .._types import TYPE_CHECKING, Any
from ..arithmetic.rational import Exact
from ..errors import BudgetExceeded, ExactPermError
from ..record import Record, replaced
from .conventions import Convention, Value
from .defects import FORMULAS, RANKED_SCORES, Known
from .designs import two_sample
from .findings import IN_BINARY, Fit
from .samples import Sample
from .sentences import is_sentence

if TYPE_CHECKING:
    from .case import Case


_APPROXIMATIONS = ("exact", "normal-cc", "normal")
_USUAL_LAWS = {
    "sum": ("exact", "t"),
    **dict.fromkeys(("signed-rank", "sign", "mcnemar", "accuracy"), _APPROXIMATIONS),
}
_UNUSUAL_LAWS = {"sum": ("normal",)}
_OF_NAMES = {"z": ("signed-rank", "sign"), "T": ("signed-rank",)}
"""Usual tests, other than the stated one, of which a statistic of this name is printed."""
_SCRIPTS = "as scripts add"
_IN_BINARY = {
    "signed-rank": "as R 4.2.2 wilcox.test, SciPy 1.17.1 wilcoxon, coin 1.4.2 and exactRankTests 0.8.35 subtract",
    "sign": "as R and SciPy subtract",
}
"""Packages that lose ties of decimals."""

_MOST_FIGURES = 10**4
"""A score of a printed table has fewer units of its last digit."""

_ANSWERS = {*range(11)}
"""Scores of a scale of answers, which are no rounded numbers."""
_MOST_ANSWERS = 7


class Way(Record):
    """One way to read a claim: ``value`` of a case, and the verdict where the text prints it.

    ``between`` tells whether any number between two bounds is a reading, and not the whole bracket
    only; where there is a ``step``, its multiples alone are.
    """

    words: str
    level: str
    reason: str
    value: Callable[[Case], Value | None]
    between: bool = False
    step: Fraction = Fraction(0)

    def fit(self, case: Case, value: Value) -> Fit | None:
        """Return how the text prints the value of this reading; None where it does not.

        Raises ``BudgetExceeded`` where the allowance of the claim leaves that open.
        """
        if self.between and isinstance(value, tuple):
            fits = case.printed.encloses(*value, case.alpha) is not False and self._some_multiple(
                case, *value
            )
            return Fit(convention=self.words, value=value, reading=self.reason) if fits else None
        word = case.reading(value)
        if (
            word is None
            and isinstance(value, tuple)
            and case.printed.encloses(*value, case.alpha) is None
        ):
            raise BudgetExceeded(f"whether the text is that of {self.words}")
        return Fit(convention=self.words, value=value, reading=word) if word else None

    def _some_multiple(self, case: Case, low: Fraction, high: Fraction) -> bool:
        """Return whether the text prints a multiple of the step between the bounds, where there is a step."""
        if not self.step or case.claim.adjustment is not None:
            return True
        first = -(-max(low, case.printed.hull(case.alpha)[0]) // self.step)
        return any(
            p <= high and case.reading(p) for p in (first * self.step, (first + 1) * self.step)
        )


def first_fit(case: Case) -> tuple[Way | None, Fit | None, tuple[Fit, ...]]:
    """Return the surest way to read the claim so that it is true, other than the stated one to the letter, and its fit.

    Without any, the first one that the allowance of the claim leaves open, or None. Last come the
    readings that fail.
    """
    left_open: Way | None = None
    failed: list[Fit] = []
    for way in ways(case):
        try:
            value = case.adjusted(way.value)
            fit = None if value is None else way.fit(case, value)
        except BudgetExceeded:
            left_open = left_open or way
            continue
        if fit is not None:
            return way, fit, tuple(failed)
        if value is not None:
            failed.append(Fit(convention=way.words, value=value, reading=""))
    return left_open, None, tuple(failed)


def ways(case: Case) -> Iterator[Way]:
    """Yield the ways to read a claim, those that make it consistent before those that leave it undecided.

    Source: spec/10-audit.md.
    """
    usual, unusual = conventions_left_open(case)
    yield from _computed(case, case.stated, "consistent")
    for convention in usual:
        yield _plain(convention, "consistent", "usual-convention")
        yield from _computed(case, convention, "consistent")
    for convention in unusual:
        yield _plain(convention, "undecided", "open-convention")
        yield from _computed(case, convention, "undecided")
        yield from _with_ranked_scores(case, convention)
    yield from _with_ranked_scores(case, case.stated)
    yield from _other_order(case)
    unit = _unit_of_table(case)
    if unit is not None and case.rounding is None:
        for convention in (case.stated, *usual, *unusual):
            yield _rounded(convention, unit, "undecided")


def conventions_left_open(case: Case) -> tuple[list[Convention], list[Convention]]:
    """Return the usual and the other conventions that a claim leaves open, the stated one not among them."""
    usual: list[Convention] = []
    unusual: list[Convention] = []
    for (statistic, zeros, sure), (design, known) in product(
        statistics_of(case), open_designs(case)
    ):
        if design not in ("", "items", "epochs") and statistic != "sum":
            continue
        axes = laws_of(case, statistic), tails_of(case), boundaries_of(case, statistic)
        for parts in product(*axes):
            (law, a), (tail, b), (boundary, c) = parts
            if law not in ("exact", "monte-carlo") and boundary != ">=":
                continue
            about: dict[str, Any] = {
                "law": law,
                "tail": tail,
                "boundary": boundary,
                "design": design,
            }
            convention = Convention(statistic=statistic, zeros=zeros, **about)
            (usual if sure and known and a and b and c else unusual).append(convention)
    return [one for one in usual if one != case.stated], [
        one for one in unusual if one != case.stated
    ]


def open_designs(case: Case) -> list[tuple[str, bool]]:
    """Return the designs of several runs that a claim leaves open, each with whether it is one; "" for pairs.

    Two tests that take runs for independent items are none, but what programs compute.
    """
    if case.sample.designs and case.claim.leaves_open("design"):
        return [(design, design not in ("pooled", "epochs")) for design in case.sample.designs]
    return [(case.stated.design, True)]


def statistics_of(case: Case) -> Iterator[tuple[str, str | None, bool]]:
    """Yield (statistic, zeros, whether it is a usual one for this claim)."""
    claim = case.claim
    for statistic, zeros in case.searched:
        if statistic == claim.statistic:
            if zeros == case.stated.zeros or claim.leaves_open("zeros"):
                yield statistic, zeros, zeros in (case.stated.zeros, "drop", "pratt")
        elif claim.leaves_open("statistic"):
            named = zeros in (None, "drop", "pratt") and statistic in _OF_NAMES.get(
                _name_of_statistic(case), ()
            )
            # of 0/1 scores: the usual test of them
            yield statistic, zeros, named or statistic == "mcnemar"


def laws_of(case: Case, statistic: str) -> list[tuple[str, bool]]:
    """Return (law, whether it is a usual one) of all that a claim leaves open for a statistic."""
    law = case.claim.law
    if law == "asymptotic":
        return [("normal-cc", True), ("normal", True)]
    if not case.claim.leaves_open("law"):
        return [(law, True)] if law != "t" or statistic == "sum" else []
    usual = _USUAL_LAWS.get(statistic, ("exact",))
    standardised = _name_of_statistic(case) == "z"
    return [
        *((law, True) for law in usual),
        *((law, standardised) for law in _UNUSUAL_LAWS.get(statistic, ())),
    ]


def _name_of_statistic(case: Case) -> str:
    """Return the kind of the printed test statistic, or else its name; "" where there is none."""
    found = case.claim.test_statistic
    return "" if found is None else found.kind or found.name


def tails_of(case: Case) -> list[tuple[str, bool]]:
    """Return (tail, whether it is a usual one) of all that a claim leaves open."""
    tail = case.claim.alternative
    if tail == "min":  # a side is not stated
        return [(side, True) for side in ("min", "greater", "less")]
    if not case.claim.leaves_open("alternative"):
        return [(tail, True)]
    if case.printed.relation in (">", ">="):  # the other tail would make every such claim true
        return [("two-sided", True)]
    return [("two-sided", True), ("greater", False), ("less", False)]


def boundaries_of(case: Case, statistic: str) -> list[tuple[str, bool]]:
    """Return (boundary, whether it is a usual one) of all that a claim leaves open for a statistic."""
    if not case.claim.leaves_open("boundary"):
        return [(case.claim.boundary, True)]
    return [(">=", True), ("mid", statistic == "mcnemar"), (">", False)]


def _plain(convention: Convention, level: str, reason: str) -> Way:
    return Way(
        words=convention.words,
        level=level,
        reason=reason,
        value=lambda one: _known(one.plain(convention, settle=True), convention),
    )


def _known(value: Value | None, convention: Convention) -> Value | None:
    """Return the value of a convention; ``BudgetExceeded`` where the allowance buys no bounds of it."""
    if value is None and convention.law == "exact" and convention.design != "pooled":
        raise BudgetExceeded(f"the p-value by {convention.words}")
    return value


def _computed(case: Case, convention: Convention, level: str) -> Iterator[Way]:
    """Yield a convention as packages compute it: in binary, by their formulas, and from scores before rounding."""
    for formula in FORMULAS:
        if convention.statistic in formula.statistics:
            about: dict[str, Any] = {"words": formula.words, "level": level, "reason": "package"}
            yield Way(value=_by_formula(formula.value, convention), **about)
            yield Way(value=_by_formula(formula.value, convention, doubles=True), **about)
    try:
        sample = case.sample.under(convention.design)
    except ExactPermError:  # the reading itself says so
        return
    if convention.law == "t" and convention.design in ("systems", "pooled"):
        words = (
            f"{convention.words}, of unequal variances (Welch), between whole degrees of freedom"
        )
        yield Way(
            words=words,
            level="undecided",
            reason="open-convention",
            value=_by_welch(convention),
            between=True,
        )
    if any(one.sample.under(convention.design).may_lose_ties for one in case.family):
        yield Way(
            words=f"{convention.words}, {IN_BINARY} ({_IN_BINARY.get(convention.statistic, _SCRIPTS)})",
            level=level,
            reason="float-ties",
            value=lambda one: in_binary(one, convention),
            between=True,
            step=Fraction(1, sample.total) if convention.law == "exact" else Fraction(0),
        )
        if (convention.statistic, convention.law, convention.boundary) == ("sum", "exact", ">="):
            yield from _without_itself(sample, convention)
    unit = case.rounding
    if unit is not None:
        yield _rounded(convention, unit, level)


def _with_ranked_scores(case: Case, convention: Convention) -> Iterator[Way]:
    """Yield what one package prints in place of the exact test of scores that are no integers."""
    if (convention.statistic, convention.law) == ("sum", "exact") and not case.sample.designs:
        yield Way(
            words=RANKED_SCORES.words,
            level="undecided",
            reason="package",
            value=_by_formula(RANKED_SCORES.value, convention),
        )


def _without_itself(sample: Sample, convention: Convention) -> Iterator[Way]:
    """Yield the p-value of a program that adds the observed sum in another way, and so loses its equality with itself.

    Only where the order changes the sum; and not 0, which no test gives.
    """
    other = replaced(convention, boundary=">")

    def value(one: Case) -> Value | None:
        found = _known(one.plain(other, settle=True), other)
        return None if found == 0 else found

    if sample.sums_differ:
        words = f"{convention.words}, {IN_BINARY}, the observed sum added in another way"
        yield Way(words=words, level="undecided", reason="float-ties", value=value)


def _by_formula(
    value: Callable[[Known], Value | None], convention: Convention, *, doubles: bool = False
) -> Callable[[Case], Value | None]:
    """Return the function of a case for the value of a formula, with ``doubles`` of their differences."""

    def computed(one: Case) -> Value | None:
        sample, facts = one.sample.under(convention.design), one.facts(convention)
        alone = not doubles or len(one.family) == 1
        if doubles:
            axes = convention.statistic, convention.zeros
            rounded = one.counted.binary(sample, *axes, one.allowance)
            if rounded is not None:
                sample, facts = sample.in_doubles() or sample, rounded
            elif alone:
                return None
        found = value(replaced(one.known, stated=convention, sample=sample, facts=facts))
        return found if found is not None or alone else in_binary(one, convention)

    return computed


def _by_welch(convention: Convention) -> Callable[[Case], Value | None]:
    def value(one: Case) -> Value | None:
        found = getattr(one.facts(convention), "welch", None)
        return None if found is None else two_sample(found, convention.tail)

    return value


def _rounded(convention: Convention, unit: Fraction, level: str) -> Way:
    words = f"{convention.words}, from scores that were rounded to {unit}"
    return Way(
        words=words,
        level=level,
        reason="rounded",
        value=lambda one: from_rounded(one, convention, unit),
        between=True,
    )


def in_binary(case: Case, convention: Convention) -> Value | None:
    """Return the value by differences of doubles, or the bounds of exact ties that doubles lose; None without any."""
    sample, boundary = case.sample.under(convention.design), convention.boundary
    if not sample.may_lose_ties:
        return None
    facts = case.counted.binary(sample, convention.statistic, convention.zeros, case.allowance)
    if facts is not None:
        return _known(facts.value(convention.law, convention.tail, boundary), convention)
    exact = convention.law in ("exact", "monte-carlo") and boundary != "mid"
    if not exact or convention.statistic in ("sign", "mcnemar", "signed-rank"):
        return None
    ends = [case.plain(replaced(convention, boundary=rule)) for rule in (">", ">=")]
    low, high = [value[i] if isinstance(value, tuple) else value for i, value in enumerate(ends)]
    if low is None or high is None:
        return _known(None, convention)
    # The observed assignment is equal to itself where its sum is added as all others are.
    itself = sample.itself * (1 if convention.tail in ("greater", "less", "min") else 2)
    return min(low + itself, high), high


def decisions(case: Case) -> set[bool | None]:
    """Return the decisions of the stated convention and of all usual ones that the claim leaves open."""
    found: set[bool | None] = set()
    for convention in (case.stated, *conventions_left_open(case)[0]):
        ways = [_plain(convention, "", "")]
        if case.rounding is not None:
            ways.append(_rounded(convention, case.rounding, ""))
        for way in ways:
            with suppress(ExactPermError):
                value = case.adjusted(way.value)
                found |= set() if value is None else {decision(value, case.alpha)}
    return found


def decision(value: Value, alpha: Exact) -> bool | None:
    """Return whether a p-value is at most alpha; None where its bounds leave it open."""
    low, high = value if isinstance(value, tuple) else (value, value)
    return True if high <= alpha else False if low > alpha else None


def from_rounded(case: Case, convention: Convention, unit: Fraction) -> Value | None:
    """Return bounds of the value over all scores that round to those of the data."""
    sample = case.sample.under(convention.design)
    box = case.counted.box(sample, convention.statistic, unit, case.allowance)
    if box is None:
        return None
    return _known(box.value(convention.law, convention.tail, convention.boundary), convention)


def _other_order(case: Case) -> Iterator[Way]:
    """Yield the stated one-sided test of the columns in the other order."""
    turned = {"greater": "less", "less": "greater"}.get(case.claim.alternative)
    if (
        turned
        and case.claim.leaves_open("orientation")
        and not case.claim.leaves_open("alternative")
    ):
        for convention in (case.stated, *conventions_left_open(case)[0]):
            other = replaced(convention, tail=turned)
            words = f"{convention.words}, of the columns in the other order"
            yield replaced(_plain(other, "undecided", "other-order"), words=words)
            for way in _computed(case, other, "undecided"):
                yield replaced(way, words=f"{words}, {way.reason}")


def open_unit(case: Case) -> Fraction | None:
    """Return the unit to which the scores were rounded, or may have been: they look like those of a printed table.

    These are decimals of few digits.
    """
    unit = _unit_of_table(case)
    return unit if unit is None or unit < 1 or case.rounding is not None else None


def _unit_of_table(case: Case) -> Fraction | None:
    """Return the unit of a printed table of scores of few digits; 0/1 and scales of a few answers are counts."""
    sample, unit = case.sample, case.sample.unit
    raw = is_sentence(case.claim.p) or not case.claim.leaves_open("rounded")
    if case.rounding is not None or unit is None or raw:
        return case.rounding
    scores = {*sample.scores}
    scale = unit == 1 and len(scores) <= _MOST_ANSWERS and scores <= _ANSWERS
    most = _MOST_FIGURES * unit
    few = all(-most < score < most for score in sample.scores)
    return unit if few and not scale else None
