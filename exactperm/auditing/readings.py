"""Every way to read a published p-value: one point of the product of the axes of a claim and its data.

A reading costs as much as its dearest axis. Source: spec/10-audit.md#audit-open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction

from .._types import TYPE_CHECKING, Any
from ..errors import ExactPermError
from .axes import AXES, ERROR, RANKED, RATIOS, ROUNDED, UNUSUAL, USUAL, Way, cost
from .runs import SINGLE
from .values import FORMULAS

if TYPE_CHECKING:
    from .claim import Claim
    from .sample import Sample


_FIELDS = {
    **{axis: axis for axis in ("statistic", "zeros", "design", "law", "boundary")},
    **{"tail": "alternative", "order": "orientation"},
}
SAID: Mapping[str, tuple[str, ...]] = {
    "asymptotic": ("normal-cc", "normal"),
    **dict.fromkeys(("monte-carlo", "permutation"), ("exact",)),
    **dict.fromkeys(("first-second", "second-first"), ("given",)),
    "min": ("min", "greater", "less"),  # a side is not stated
}
"""Words of a claim that stand for other values of an axis, or for several."""


def readings(
    claim: Claim, sample: Sample, free: str = "", most: int = UNUSUAL
) -> list[tuple[int, Way]]:
    """Return (cost, reading) of all that a claim and its data leave open, the surest first.

    ``free`` names an axis that is taken for open though the claim states it, "source" for known
    errors: then the reading differs from what is stated there alone, and all else is usual.
    """
    grown: list[tuple[int, int, dict[str, Any]]] = [(0, 0, {})]
    for axis in AXES:
        grown = [
            (max(dearest, price), total + price, {**known, axis: value})
            for dearest, total, known in grown
            for value, price in _values(axis, claim, sample, known, free)
            if price <= (USUAL if free else most)
        ]
    unit = open_unit(claim, sample)
    found = []
    for dearest, _, known in sorted(grown, key=lambda row: row[:2]):
        found.append((dearest, Way(**known, unit=unit if known["data"] in ROUNDED else None)))
    return found


def _values(
    axis: str, claim: Claim, sample: Sample, known: Mapping[str, Any], free: str
) -> Iterator[tuple[Any, int]]:
    """Yield (value, cost) of an axis, where the values ``known`` are taken on those before it."""
    if axis in ("data", "source"):
        yield from (_data if axis == "data" else _sources)(claim, sample, known, free)
        return
    said = getattr(claim, _FIELDS[axis])
    first = SAID.get(said, (said,))
    other = free == "statistic" and known.get("statistic", claim.statistic) != claim.statistic
    freed = axis == free or (other and axis in ("zeros", "law"))
    is_open = freed or claim.leaves_open(_FIELDS[axis])
    sure = _sure(axis, claim, first, is_open=is_open)
    for value in _possible(axis, claim, sample, known, free, is_open=is_open):
        if is_open or value in (*sure, None, "", "turned") or (value == "welch" and "t" in sure):
            free_of_cost = freed or value in sure or value in (None, "", "given")
            yield value, 0 if free_of_cost else cost(axis, value, known, sample.n_nonzero)


def _sure(axis: str, claim: Claim, first: tuple[str, ...], *, is_open: bool) -> tuple[str, ...]:
    """Return the values of an axis that cost nothing: the stated ones, and what a printed statistic names."""
    if axis == "statistic":
        return (*first, *{"z": RANKED, "T": ("wilcoxon",)}.get(_kind(claim), ()))
    if not is_open:
        return first if axis != "design" or claim.design else ("items", "")
    if axis == "law":
        return (
            ("normal",) if _kind(claim) == "z" else tuple([one for one in first if one != "normal"])
        )
    return ()


def _kind(claim: Claim) -> str:
    """Return the kind of the printed test statistic, or else its name; "" where there is none."""
    found = claim.test_statistic
    return "" if found is None else found.kind or found.name


def _possible(
    axis: str,
    claim: Claim,
    sample: Sample,
    known: Mapping[str, Any],
    free: str,
    *,
    is_open: bool,
) -> Iterable[Any]:
    """Return the values of an axis that such data and the values before it have."""
    statistic, design = known.get("statistic"), known.get("design")
    if axis == "statistic":
        alone = sample.differences is None or sample.labels
        others = ("difference", "wilcoxon", "sign", *(["mcnemar"] if sample.marks else []))
        return dict.fromkeys([claim.statistic, *(() if alone or not is_open else others)])
    if axis == "zeros":
        return AXES[axis] if statistic == "wilcoxon" else (None,)
    if axis == "design":
        return [
            one for one in sample.designs or ("",) if one not in SINGLE or statistic == "difference"
        ]
    if axis == "law":
        laws = ["t", "normal"] if statistic == "difference" else ["normal-cc", "normal"]
        if design in SINGLE or statistic in RATIOS:
            laws = ["t", "welch"] if design in ("systems", "pooled") else []
        elif not is_open and claim.law == "normal-cc":
            laws = ["normal-cc"]
        sure = is_open or claim.law in ("t", "exact", "monte-carlo", "permutation")
        return ["exact", *laws] if sure else [law for law in laws if law != "welch"]
    if axis == "tail" and is_open:
        return ("two-sided", "greater", "less", *(["2min"] if free == "tail" else []))
    if axis == "boundary":
        return AXES[axis] if known["law"] == "exact" else (">=",)
    if axis == "order":
        sided = known["tail"] in ("greater", "less") and not claim.leaves_open("alternative")
        return ("given", "turned") if is_open and (sided or free == "order") else ("given",)
    return AXES[axis]


def _data(
    claim: Claim, sample: Sample, known: Mapping[str, Any], free: str
) -> Iterator[tuple[str, int]]:
    """Yield how the data may be taken: as given, in doubles, and from scores before rounding."""
    yield "given", 0
    try:
        under = sample.under(known["design"])
    except ExactPermError:  # the reading itself says so
        return
    if under.may_lose_ties and _lost(known, under):
        yield "doubles", cost("data", "doubles", known)
    if free != "source" and open_unit(claim, sample) is not None:
        name = "tabled" if claim.rounded is None else "rounded"
        yield name, cost("data", name, known)


def _sources(
    _claim: Claim, _sample: Sample, known: Mapping[str, Any], free: str
) -> Iterator[tuple[str, int]]:
    """Yield what computes a number: the test itself, or a package with a formula of its own."""
    if free != "source":
        yield "itself", 0
    floating = known["data"] == "doubles" and known["statistic"] not in RANKED
    if floating or known["law"] == "welch":
        return
    for source, (statistics, laws, _formula) in FORMULAS.items():
        price = cost("source", source, known)
        if known["data"] in ROUNDED and source != "ranked scores":
            continue
        if (
            known["statistic"] in statistics
            and known["law"] in laws
            and (price == ERROR) == (free == "source")
        ):
            yield source, 0 if free else price


def _lost(known: Mapping[str, Any], sample: Sample) -> bool:
    """Whether doubles may change the p-value of a reading."""
    if known["statistic"] in RANKED:
        return sample.in_doubles is not None
    about = known["law"], known["boundary"] == "mid", known["statistic"] == "mcnemar"
    return about == ("exact", False, False)


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
