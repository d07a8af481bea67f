"""Write results as records, and read records by writing them again.

Whoever reads a record rebuilds the result from its primary fields, writes it again, and compares
field by field: whatever differs is named.

Source: spec/12-certificates.md#own-certificates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from .._types import Any
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.quoting import short_text
from ..arithmetic.writing import decimal_string, exact_text
from ..budget import Budget
from ..counting.methods import check_reported
from ..swaps.canonical import Swaps
from ..swaps.statistic import Subject
from .alternative import check_alternative
from .fields import NUMBER, POSITIVE, Fields, Shape, written
from .sources import READY, read_source, source_fields
from .tails import SumTails

FORMAT = 2
"""Number of the form of records."""

CLAIMS = {
    "counted": "the p-value is count / total, which anyone can count again from the tally",
    "enclosed": "the p-value lies in the bracket, which the package computes again from the tally, bit for bit",
    "claimed": "the p-value has no proof: its statistic has no tally, so it must be tested again on the scores",
}
"""What a record claims: the words of its field "claim", and their meaning."""

_EXACT = """pvalue pvalue_decimal log10_pvalue count total statistic statistic_name alternative method
n n_units n_nonzero"""
_CERTIFIED = """pvalue lower upper correctly_rounded log10_pvalue log10_lower log10_upper width
digits_certain decimal_bracket bracket digits statistic statistic_name alternative method n total
n_units n_nonzero"""
_SHAPES: Mapping[str, Shape] = {
    "statistic": None,
    "count": 1,
    "bracket": (0, 1, range(-(2**62), 1)),
    "decimal_bracket": (str, str),
    "digits": range(1, 51),
}
"""Shapes of fields that do not say themselves how they are written."""
_ROUNDED = ("log10_pvalue", "log10_lower", "log10_upper", "width")
"""Fields of a record whose last digit is that of a C library."""


def _total(result: Any) -> str:
    """Return the number of equally likely assignments: a power of two, or that of the labelings of steps."""
    swaps = result._swaps
    if isinstance(swaps, Swaps) and swaps.tied is not None:
        return exact_text(swaps.total)
    return f"2^{result.n_units}"


_MADE: Mapping[str, Callable[[Any], object]] = {
    "pvalue_decimal": lambda result: decimal_string(result.pvalue, 17),
    "total": _total,
    "decimal_bracket": lambda result: result.decimal_bracket(),
}
"""Fields that are no attributes of a result."""


def _field(result: Any, name: str) -> Any:
    """Return what a record holds of a result."""
    value = _MADE[name](result) if name in _MADE else getattr(result, name)
    if name in _SHAPES:
        return written(_SHAPES[name], value)
    if isinstance(value, Fraction):
        return exact_text(value)
    return None if isinstance(value, float) and math.isinf(value) else value


def record_of_result(result: Any) -> dict[str, Any]:
    """Return the record of a result: its format, the version of the package, what it claims, and the fields."""
    from .. import __version__

    swaps, exact = result._swaps, result.exact
    proved = isinstance(swaps, Swaps) or (not exact and result.statistic_name in READY)
    claim = "counted" if exact else "enclosed"
    record = {"format": FORMAT, "version": __version__, "claim": claim if proved else "claimed"}
    for name in (_EXACT if exact else _CERTIFIED).split():
        record[name] = _field(result, name)
    if result.design is not None:
        record["design"] = result.design
    if not exact:
        limits = {name: getattr(result._budget, name) for name in ("seconds", "bytes")}
        record["budget"] = {name: None if x == math.inf else x for name, x in limits.items()}
    return record if swaps is None else {**record, **source_fields(swaps, result.design)}


def read(make: Any, data: Mapping[str, Any]) -> Any:
    """Return the result of the class ``make`` that a record holds: rebuilt, written again and compared."""
    exact = make.exact
    record = Fields(data, "a test result" if exact else "a float result")
    record.read("format", range(FORMAT, FORMAT + 1))
    record.read("version", str)
    check_alternative(record["alternative"])
    n = record.read("n", NUMBER if exact else POSITIVE)
    n_units = record.read("n_units", range(n + 1))
    name = record.read("statistic_name", str)
    values: dict[str, Any] = {"alternative": record["alternative"], "n": n}
    source: Any = None
    design = None
    if record.get("swaps") is not None or not exact:
        source, design = read_source(record, n, n_units, certified=not exact)
        values["statistic"] = source.statistic
    values["_about"] = Subject(name=name, design=design)
    values.update(
        _counted(record, source, n_units) if exact else {**_enclosed(record), "_swaps": source}
    )
    result = make(**values)
    again = record_of_result(result)
    if exact:
        record.demand("count", result.count <= result.total, "it must be at most the total")
        if record["total"] == exact_text(result.total):
            again["total"] = record["total"]
    confirm(record, again)
    return result


def _counted(record: Fields, source: Swaps | None, n_units: int) -> dict[str, object]:
    """Return the further fields of an exact result."""
    check_reported(record["method"])
    count = record.read("count", 1)
    fields: dict[str, object] = {"count": count, "method": record["method"], "n_units": n_units}
    if source is None or source.tied is None:
        # 2**n_units is no longer than the p-value and the count, so that it may be written down.
        digits = len(str(record["pvalue"]).partition("/")[2])
        fits = n_units <= 4 * digits + count.bit_length()
        record.demand("pvalue", fits, "it must be count / total")
    if source is None:
        fields["statistic"] = record.read("statistic", None)
        fields["n_nonzero"] = record.read("n_nonzero", range(n_units + 1))
    else:
        fields["n_nonzero"] = n_units - source.ties
        fields["_tails"] = SumTails(swaps=source)
    return fields


def _enclosed(record: Fields) -> dict[str, object]:
    """Return the further fields of a certified result: its bracket in 0..1, not 0, its digits and its budget."""
    lower, upper, exponent = record.read("bracket", _SHAPES["bracket"])
    record.demand("bracket[1]", lower <= upper, "it must be at least the lower end", upper)
    # upper <= 2**-exponent, a power that may be too long to write down
    record.demand("bracket", (upper - 1).bit_length() <= -exponent, "it must be at most 1")
    digits = record["digits"]
    limits = record["budget"]
    fits = isinstance(limits, Mapping) and limits.keys() == {"seconds", "bytes"}
    record.demand("budget", fits, "it must be seconds and bytes")
    return {
        "bracket": Enclosure(lower, upper, exponent),
        "digits": None if digits is None else record.read("digits", _SHAPES["digits"]),
        "_budget": Budget(**{name: math.inf if x is None else x for name, x in limits.items()}),
    }


def confirm(record: Fields, again: Mapping[str, Any]) -> None:
    """Raise ``ExactPermError``, with the field named, unless a record has all fields of the same record written again.

    The version may be another. Of logarithms and widths, whose last digit is that of a C library,
    13 digits are enough. Fields that are not written again are ignored.
    """
    for name, value in again.items():
        if isinstance(value, dict):
            confirm(Fields(record[name], f"{name} of a record"), value)
        elif name != "version":
            given = record[name]
            same = _same(given, value)
            if name in _ROUNDED and isinstance(given, float) and isinstance(value, float):
                same = math.isclose(given, value, rel_tol=1e-13)
            record.demand(name, same, f"its other fields give {short_text(value)}")


def _same(given: Any, value: Any) -> bool:
    if isinstance(value, list):
        fits = isinstance(given, (list, tuple)) and len(given) == len(value)
        return fits and all(map(_same, given, value))
    return bool(given == value) and isinstance(given, bool) == isinstance(value, bool)
