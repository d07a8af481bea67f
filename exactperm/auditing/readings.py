"""Every way to read a published p-value: one point of the product of the axes of a claim and its data, and its value.

A reading costs as much as its dearest axis. Its p-value is that of the facts of its data, or of the
formula of a package: doubles, scores before rounding and formulas are crossed with all else here,
and nowhere else. Source: spec/10-audit.md#audit-open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import ceil, floor

from .._types import TYPE_CHECKING, Union
from ..arithmetic.rational import Exact
from ..budget import Allowance
from ..errors import BudgetExceeded, ExactPermError
from ..record import replaced
from .axes import AXES, DENIED, DIFFERENCES, RANKED, ROUNDED, UNUSUAL, USUAL, Way, cost
from .facts import Ends, Facts, moved, tail_of
from .rounding import between, of_columns, ranks, rounded

if TYPE_CHECKING:
    from .claim import Claim
    from .sample import Sample


FIELD_OF = {
    **{axis: axis for axis in ("statistic", "zeros", "design", "law", "boundary")},
    **{"tail": "alternative", "order": "orientation"},
}
"""Axes that a claim may state, and its fields."""
SAID: Mapping[str | None, tuple[str, ...]] = {
    "asymptotic": ("normal-cc", "normal", "student"),
    **dict.fromkeys(("monte-carlo", "permutation"), ("exact",)),
    **dict.fromkeys(("first-second", "second-first"), ("given",)),
    "min": ("min", "greater", "less"),  # a side is not stated
    None: ("items",),
}
"""Words of a claim that stand for other values of an axis, or for several."""
_MOST_COUNTED = 20
"""Pairs up to which SAS counts the assignments of signed ranks."""


def readings(claim: Claim, sample: Sample, most: int = UNUSUAL) -> list[Way]:
    """Return all readings that a claim and its data leave open, the surest first.

    ``most`` is the greatest cost. Beyond the unusual a reading differs from what is stated, or errs,
    on one axis alone, and all else is usual.
    """
    grown: list[tuple[dict[str, int], dict[str, str]]] = [({}, {})]
    for axis in AXES:
        grown = [
            ({**prices, axis: price}, {**known, axis: value})
            for prices, known in grown
            for value, price in _values(axis, claim, sample, known)
            if price
            <= (most if most <= UNUSUAL or max(prices.values(), default=0) <= USUAL else USUAL)
        ]
    unit, found = open_unit(claim, sample), []
    for prices, known in grown:
        width = unit if known["data"] in ROUNDED else None
        doubts = tuple([axis for axis, price in prices.items() if price >= UNUSUAL])
        dearest, whole = max(prices.values()), sum(prices.values())
        found.append((dearest, whole, Way(**known, unit=width, doubts=doubts, cost=dearest)))
    return [way for *_, way in sorted(found, key=lambda row: row[:2])]


def _values(
    axis: str, claim: Claim, sample: Sample, known: Mapping[str, str]
) -> Iterator[tuple[str, int]]:
    """Yield (value, cost) of an axis, where the values ``known`` are taken on those before it.

    What is stated, or named by a printed statistic, costs nothing. Of another test than the stated
    one nothing else is stated.
    """
    statistic, name = known.get("statistic", claim.statistic), FIELD_OF.get(axis, "")
    denied = statistic != claim.statistic and not claim.leaves_open("statistic")
    is_open = not name or claim.leaves_open(name) or (denied and axis in ("zeros", "law"))
    number = claim.test_statistic
    kind = "" if number is None else number.kind or number.name
    sure: tuple[str, ...] = ()
    if axis == "statistic" or not is_open:
        said = getattr(claim, name)
        sure = SAID.get(said, (said,))
    if axis == "statistic" and is_open:
        sure += {"z": RANKED, "T": ("wilcoxon",)}.get(kind, ())
    elif axis == "law" and is_open:
        sure = ("normal" if kind == "z" else "exact",)
    for value in _possible(axis, claim, sample, known):
        if value in (*sure, ""):
            yield value, 0
        elif is_open or (value == "welch" and "t" in sure):
            yield value, cost(axis, value, statistic, sample.n_nonzero)
        else:
            yield value, DENIED


def _possible(axis: str, claim: Claim, sample: Sample, known: Mapping[str, str]) -> Iterable[str]:
    """Return the values of an axis that such data and the values before it have; "" alone where there are none."""
    if axis == "statistic":
        alone = sample.differences is None or sample.labels
        others = [*DIFFERENCES, *(["mcnemar"] if sample.marks else [])]
        return dict.fromkeys([claim.statistic, *([] if alone else others)])
    listed: Iterable[str] = AXES[axis]
    if axis == "design":
        listed = sample.designs
    elif axis == "data":
        listed = _data(claim, sample, known)
    elif axis == "order" and claim.leaves_open("alternative"):
        listed = ("given",)
    elif axis == "source" and known["data"] == "doubles" and known["statistic"] not in RANKED:
        listed = ("itself",)
    elif axis == "law" and sample.n <= _MOST_COUNTED:
        listed = [law for law in listed if law != "student"]
    found = [
        one for one in listed if AXES[axis][one].fits(known) or one == claim.law == "normal-cc"
    ]
    return found or ("",)


def _data(claim: Claim, sample: Sample, known: Mapping[str, str]) -> Iterator[str]:
    """Yield how the data may be taken: as given, in doubles, and from scores before rounding."""
    yield "given"
    try:
        under = sample.under(known["design"])
    except ExactPermError:  # the reading itself says so
        return
    if known["statistic"] in RANKED:
        lost = under.in_doubles is not None
    else:
        counted = known["law"] == "exact" and known["boundary"] != "mid"
        lost = counted and known["statistic"] != "mcnemar"
    if under.may_lose_ties and lost:
        yield "doubles"
    if open_unit(claim, sample) is not None:
        yield "tabled" if claim.rounded is None else "rounded"


def open_unit(claim: Claim, sample: Sample) -> Fraction | None:
    """Return the unit to which the scores were rounded, or may have been; None where they are raw.

    Scores of a printed table have few digits. 0/1 and scales of a few answers are counts.
    """
    said = claim.rounded
    if said == "no" or sample.unit is None:
        return None
    if said not in (None, "as printed"):
        return Fraction(said)
    if said is None and not (claim.leaves_open("rounded") and sample.tabled):
        return None
    return sample.unit


# ---------------------------------------------------------------------------------------- values


def values(reading: Way, sample: Sample, allowance: Allowance) -> tuple[Ends, ...]:
    """Return the p-values of a reading, each between bounds: several where scores before rounding are listed.

    None where the data have none. Raises ``BudgetExceeded`` where the allowance buys no bounds.
    """
    sample = sample.under(reading.design)
    if reading.data in ROUNDED:
        return rounded(reading, sample, allowance)
    facts = sample.facts(reading.statistic, reading.zeros, allowance, reading.column)
    if reading.law == "exact" and not facts.tails:
        raise BudgetExceeded(facts.refusal or f"the p-value of the {reading.words}")
    if reading.source != "itself":
        value = FORMULAS[reading.source](reading, sample, facts)
    elif reading.floating:
        value = between(reading, [facts], sample.itself)
    else:
        value = facts.value(reading.law, reading.side, reading.boundary)
    return () if value is None else (value,)


Known = Callable[[Way, "Sample", Facts], Union[Ends, None]]
"""A formula: the value of a reading of some data whose facts are known."""


def _with_squares(reading: Way, facts: Facts, squares: Exact) -> Ends | None:
    """Return the value by the normal law with another sum of squares of ranks."""
    law = "normal" if reading.law == "exact" else reading.law
    return replaced(facts, square=squares * facts.step**2).value(law, reading.side)


def _zsplit(reading: Way, sample: Sample, facts: Facts) -> Ends | None:
    """Return the value of zsplit with the zeros in its variance, though both sides share their ranks always."""
    column = sample.in_doubles if reading.data == "doubles" else sample.differences
    zeros = sum(d == 0 for d in column or ())
    if reading.zeros != "zsplit" or not zeros or not facts.square:
        return None
    squares = facts.square / Fraction(facts.step) ** 2
    return _with_squares(reading, facts, squares + zeros * Fraction(zeros + 1, 2) ** 2)


def _centre(reading: Way, _sample: Sample, facts: Facts) -> Ends | None:
    """Return the value of Edwards' correction where b = c: (0 - 1)**2 / (b + c) in place of 0."""
    centre = not facts.side and reading.tail == "two-sided"
    return replaced(facts, distance=1).value("normal", "two-sided") if centre else None


def _other_sum(reading: Way, sample: Sample, facts: Facts) -> Ends | None:
    """Return the value of a program that adds the observed sum in another way, and so finds it less or greater than itself."""
    other = {">=": ">", ">": ">="}.get(reading.boundary)
    found = facts.value("exact", reading.side, other) if other and sample.may_lose_ties else None
    return found if any(found or ()) else None


def _ranked_scores(reading: Way, sample: Sample, _facts: Facts) -> Ends | None:
    """Return the value of perm.test, which takes ranks for scores that are no integers."""
    found = of_columns(reading, sample, ranks(reading, sample), Allowance())
    return found[0] if found else None


def _untied_null(reading: Way, sample: Sample, _facts: Facts) -> Ends | None:
    """Return the value by the table of ranks 1, ..., n for ranks with ties and zeros, rounded towards the centre."""
    n = sample.n if reading.zeros != "wilcox" else sample.n_nonzero
    if not n:
        return None
    half = Fraction(sum(rank for rank in sample.flips("wilcoxon", reading.zeros) if rank > 0))
    if reading.zeros == "zsplit":
        zeros = sample.n - sample.n_nonzero
        half += Fraction(zeros * (zeros + 1), 4)
    middle = Fraction(n * (n + 1), 2)
    places = 2 * floor(half) - middle, 2 * ceil(half) - middle
    found = moved(list(range(1, n + 1)), places, n, None, Allowance(), counted=True)
    return tail_of(reading.side, found[-1].tails["less"][0], found[0].tails["greater"][0])


def _untied_variance(reading: Way, sample: Sample, facts: Facts) -> Ends | None:
    """Return the value with the variance n (n + 1) (2n + 1) / 24 of ranks without ties."""
    n = sample.n_nonzero
    if reading.zeros != "wilcox" or not facts.square:
        return None
    return _with_squares(reading, facts, Fraction(n * (n + 1) * (2 * n + 1), 6))


def _zero_below(
    least: Fraction, pairs: int, reading: Way, sample: Sample, facts: Facts
) -> Ends | None:
    """Return 0 for a p-value below a number, from so many pairs on."""
    low, high = facts.value("exact", reading.side, reading.boundary) or (1, 1)
    small = low == high < least and sample.n_nonzero >= pairs
    return (Fraction(0), Fraction(0)) if small else None


def _recount(more: int, others: int, reading: Way, sample: Sample, facts: Facts) -> Ends | None:
    """Return the value whose count and total are changed by some assignments."""
    low, high = facts.value("exact", reading.side, reading.boundary) or (0, 1)
    total = sample.total
    if low < high or total + others < 1:
        return None
    p = (low * total + more) / Fraction(total + others)
    return p, p


FORMULAS: Mapping[str, Known] = {
    "zsplit variance": _zsplit,
    "centre": _centre,
    "other sum": _other_sum,
    "ranked scores": _ranked_scores,
    "untied null": _untied_null,
    "untied variance": _untied_variance,
    "trimmed": partial(_zero_below, Fraction(1, 10**8), 0),
    "underflow": partial(_zero_below, Fraction(1, 2**1022), 0),
    "many pairs": partial(_zero_below, Fraction(1), 1024),
    "less one": partial(_recount, -1, 0),
    "both less one": partial(_recount, -1, -1),
    "both plus one": partial(_recount, 1, 1),
}
"""The value of each source of a number but the test itself."""
