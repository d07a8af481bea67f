"""Write results as records, and read records by writing them again.

A record holds primary fields, from which its result is rebuilt, and fields that follow from them. A
reader rebuilds the result, writes it again, and compares field by field: whatever differs is named.

Source: spec/12-certificates.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from .._types import TYPE_CHECKING, Any, Literal
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import parse_exact
from ..arithmetic.writing import exact_text
from ..swaps.canonical import Swaps
from ..swaps.steps import is_unpaired
from .alternative import Alternative, fold
from .fields import Fields

if TYPE_CHECKING:
    from .step_tails import Sums


Claim = Literal["counted", "enclosed", "claimed"]


FORMAT = 2
"""Number of the form of records."""

CLAIMS = {
    "counted": "the p-value is count / total, which anyone can count again from the tally",
    "enclosed": "the p-value lies in the bracket, which the package computes again from the tally, bit for bit",
    "claimed": "the p-value has no proof: its statistic has no tally, so it must be tested again on the scores",
}
"""What a record claims: the words of its field "claim", and their meaning."""

MOST_DIGITS = 50
"""Digits that a bracket aims at, at most."""

MOST_PAIRS = 2**62
"""Pairs of a record at most."""


def written(claim: Claim, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record: its format, the version of the package, what it claims, and the fields."""
    from .. import __version__

    return {"format": FORMAT, "version": __version__, "claim": claim, **fields}


def opened(data: Any, kind: str) -> Fields:
    """Return access to the fields of a record of this format, whose remarks are text."""
    record = Fields(data, kind)
    record.integer("format", FORMAT, FORMAT)
    for name in ("version", "statistic_name"):
        record.demand(name, isinstance(record[name], str), "it must be text")
    return record


def confirm(record: Fields, again: Mapping[str, Any], rounded: Iterable[str] = ()) -> None:
    """Raise ``ExactPermError``, with the field named, unless a record has all fields of the same record written again.

    The version may be another. The total may be any text of the same integer. Of ``rounded``
    fields, whose last digit is that of a C library, 13 digits are enough. Fields that are not
    written again are ignored.
    """
    for name, value in again.items():
        if name == "version":
            continue
        if isinstance(value, dict):
            confirm(Fields(record[name], f"{name} of a record"), value)
        elif name == "total":
            record.demand(name, _is_total(record, value), f"its other fields give {value}")
        else:
            same = _same(record[name], value, name in rounded)
            record.demand(name, same, f"its other fields give {short_text(value)}")


def _same(given: Any, value: Any, rounded: bool) -> bool:
    if isinstance(value, list):
        fits = isinstance(given, (list, tuple)) and len(given) == len(value)
        return fits and all(_same(a, b, rounded) for a, b in zip(given, value))
    if given == value:
        return isinstance(given, bool) == isinstance(value, bool)
    return (
        rounded
        and isinstance(given, float)
        and value is not None
        and math.isclose(given, value, rel_tol=1e-13)
    )


def total_text(swaps: Any, n_units: int) -> str:
    """Return the number of equally likely assignments: a power of two, or that of the labelings of steps."""
    return exact_text(swaps.total) if hasattr(swaps, "total") else f"2^{n_units}"


def _is_total(record: Fields, value: str) -> bool:
    """Return whether the total of a record is that of its other fields, as a power or as an integer of any size."""
    if record["total"] == value:
        return True
    total = record.integer("total", 1)
    if not value.startswith("2^"):
        return total == parse_exact(value)
    n_units = int(value[2:])
    return total.bit_length() == n_units + 1 and total == 1 << n_units


def swaps_fields(swaps: Swaps | Sums, alternative: Alternative) -> dict[str, Any]:
    """Return the fields of a record from which anyone can count again: the canonical tally and what to count in it."""
    if not isinstance(swaps, Swaps):
        from .step_records import step_fields

        return step_fields(swaps, alternative)
    k, factor = fold(alternative, swaps.observed, swaps.span)
    return {
        "threshold": exact_text(k),
        "factor": factor,
        "swaps": {
            "tally": [[exact_text(d), count] for d, count in swaps.tally.items()],
            "ties": swaps.ties,
            "low": exact_text(swaps.low),
            "unit": exact_text(swaps.unit),
            "observed": exact_text(swaps.observed),
        },
    }


def read_swaps(record: Fields, n_units: int) -> Swaps:
    """Return the canonical swaps of a record of so many units; ``ExactPermError`` for what is no canonical form."""
    inner = Fields(record["swaps"], "a test result")
    tally: dict[int, int] = {}
    last = 0
    for i, entry in enumerate(inner.listed("tally")):
        name = f"tally[{i}]"
        fits = isinstance(entry, (list, tuple)) and len(entry) == 2
        inner.demand(name, fits, "it must be [difference, number]", entry)
        last = inner.whole(name, entry[0], last + 1)
        tally[last] = inner.whole(name, entry[1], 1)
    swaps = Swaps(
        tally=tally,
        ties=inner.integer("ties", most=n_units),
        low=inner.exact("low"),
        unit=inner.exact("unit"),
        observed=inner.integer("observed"),
    )
    inner.demand(
        "tally", sum(tally.values()) + swaps.ties == n_units, "it must have n_units - ties units"
    )
    inner.demand("tally", math.gcd(*tally) < 2, "its differences must have no common divisor")
    inner.demand("unit", swaps.unit > 0, "it must be above 0")
    inner.demand(
        "observed", swaps.observed <= swaps.span, "it must be at most the sum of the tally"
    )
    return swaps


def read_design(record: Fields, data: Mapping[str, Any], n: int, n_units: int) -> str | None:
    """Return the design of a record, None for a paired test."""
    each = n == n_units
    if is_unpaired(data.get("design")):
        known = "steps" in record["swaps"] or (
            data["design"] == "samples" and "pool" in record["swaps"]
        )
        fits = known and (each or data["design"] == "samples")
        record.demand("design", fits, "its swaps are of another design")
    elif "steps" in record["swaps"] or "draws" in record["swaps"]:
        fits = (
            record["design"] == "within"
            if n_units > 1
            else record["design"] in ("within", "systems")
        )
        record.demand(
            "design",
            fits and (each or record["design"] == "systems"),
            "its steps are of another design",
        )
    elif data.get("design") is not None:
        record.demand(
            "design", record["design"] == "items" and each, "its tally is of another design"
        )
    return data.get("design")
