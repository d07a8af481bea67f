"""Write results as records, and read records by writing them again.

A table has the fields of each kind of result. Primary fields, which have a reader, are those from
which a result is rebuilt; the others follow from them. Whoever reads a record rebuilds the result,
writes it again, and compares field by field: whatever differs is named.

Source: spec/12-certificates.md#own-certificates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from operator import attrgetter

from .._types import TYPE_CHECKING, Any, Union
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.quoting import short_text
from ..arithmetic.writing import decimal_string, exact_text, parse_exact
from ..budget import Budget
from ..counting.methods import check_reported
from ..record import Record
from ..swaps.canonical import Swaps
from ..swaps.statistic import Subject
from .alternative import check_alternative
from .fields import MOST_DIGITS, Fields
from .sources import READY, read_design, read_source, source_fields
from .tails import SumTails

if TYPE_CHECKING:
    from .brackets import Enclosable

FORMAT = 2
"""Number of the form of records."""

CLAIMS = {
    "counted": "the p-value is count / total, which anyone can count again from the tally",
    "enclosed": "the p-value lies in the bracket, which the package computes again from the tally, bit for bit",
    "claimed": "the p-value has no proof: its statistic has no tally, so it must be tested again on the scores",
}
"""What a record claims: the words of its field "claim", and their meaning."""

_MOST_PAIRS = 2**62


class _Read(Record):
    """A record that is read: its fields, its numbers of pairs and of units, and the swaps that it holds."""

    fields: Fields
    n: int
    n_units: int
    source: Enclosable | None


_Reader = Callable[[_Read], Any]
_Row = tuple[str, Callable[[Any], Any], Union[_Reader, None]]
"""(field, its value for a result, its value for the constructor); None for a field that follows from others."""


def _plain(name: str, read: _Reader | None = None) -> _Row:
    return name, attrgetter(name), read


def _exactly(name: str, read: _Reader | None = None) -> _Row:
    return name, lambda result: exact_text(getattr(result, name)), read


def _finite(name: str) -> _Row:
    """Write a float, None for an infinite one."""

    def write(result: object) -> Any:
        value = getattr(result, name)
        return None if math.isinf(value) else value

    return name, write, None


def _statistic(read: _Read) -> object:
    source = read.source
    if source is None:
        return read.fields.shaped("statistic", None)
    return source.value(source.observed) if isinstance(source, Swaps) else source.statistic


def _n_nonzero(read: _Read) -> int:
    if read.source is None:
        return read.fields.integer("n_nonzero", most=read.n_units)
    return read.n_units - read.source.ties


def _count(read: _Read) -> int:
    """Return the count of a record, checked to fit the assignments."""
    count, swaps = read.fields.integer("count", 1), read.source
    if isinstance(swaps, Swaps):
        read.fields.demand("count", count <= swaps.total, "it must be at most the total")
        rule = "it must be a multiple of the assignments of each choice"
        read.fields.demand("count", count % swaps.common == 0, rule)
    return count


def _check_power(record: Fields, n_units: int) -> None:
    """Raise ``ExactPermError`` unless a count fits 2**n_units assignments, before this power is written down."""
    # A p-value that fits takes as many digits as 2**n_units: from here on n_units is no longer than
    # the record.
    count = record.integer("count", 1)
    digits = len(str(record["pvalue"]).partition("/")[2])
    record.demand("pvalue", n_units <= 4 * digits + count.bit_length(), "it must be count / total")
    record.demand("count", (count - 1).bit_length() <= n_units, "it must be at most the total")


def _bracket(read: _Read) -> Enclosure:
    """Return the enclosure [lower, upper] * 2**exponent of a record, checked to lie in 0..1 and not to be 0."""
    record = read.fields
    lower, upper, exponent = record.shaped("bracket", (0, 1, -(1 << 62)))
    record.demand("bracket[1]", lower <= upper, "it must be at least the lower end", upper)
    record.demand("bracket[2]", exponent <= 0, "it must be a power of two of at most 0", exponent)
    # upper <= 2**-exponent, a power that may be too long to write down
    record.demand("bracket", (upper - 1).bit_length() <= -exponent, "it must be at most 1")
    return Enclosure(lower, upper, exponent)


def _budget(read: _Read) -> Budget:
    limits = read.fields["budget"]
    fits = isinstance(limits, Mapping) and limits.keys() == {"seconds", "bytes"}
    read.fields.demand("budget", fits, "it must be seconds and bytes")
    return Budget(**{name: math.inf if limit is None else limit for name, limit in limits.items()})


def _written_budget(result: Any) -> dict[str, object]:
    limits = {name: getattr(result._budget, name) for name in ("seconds", "bytes")}
    return {name: None if limit == math.inf else limit for name, limit in limits.items()}


def _written_bracket(result: Any) -> list[object]:
    lower, upper, exponent = result.bracket
    return [exact_text(lower), exact_text(upper), exponent]


def _written_total(result: Any) -> str:
    """Return the number of equally likely assignments: a power of two, or that of the labelings of steps."""
    swaps = result._swaps
    if isinstance(swaps, Swaps) and swaps.tied is not None:
        return exact_text(swaps.total)
    return f"2^{result.n_units}"


_TEST: tuple[_Row, ...] = (
    _exactly("statistic", _statistic),
    _plain("statistic_name"),
    _plain("alternative", lambda read: read.fields.take("alternative", check_alternative)),
)
_TOTAL: _Row = "total", _written_total, None
_EXACT: tuple[_Row, ...] = (
    _exactly("pvalue"),
    ("pvalue_decimal", lambda result: decimal_string(result.pvalue, 17), None),
    _plain("log10_pvalue"),
    _exactly("count", _count),
    _TOTAL,
    *_TEST,
    _plain("method", lambda read: read.fields.take("method", check_reported)),
    _plain("n", attrgetter("n")),
    _plain("n_units", attrgetter("n_units")),
    _plain("n_nonzero", _n_nonzero),
)
_CERTIFIED: tuple[_Row, ...] = (
    *map(_finite, ("pvalue", "lower", "upper")),
    _plain("correctly_rounded"),
    *map(_finite, ("log10_pvalue", "log10_lower", "log10_upper", "width")),
    _plain("digits_certain"),
    ("decimal_bracket", lambda result: list(result.decimal_bracket()), None),
    ("bracket", _written_bracket, _bracket),
    _plain("digits", lambda read: _digits(read.fields)),
    *_TEST,
    ("method", lambda _result: "certified", None),
    _plain("n", attrgetter("n")),
    _TOTAL,
    ("n_units", attrgetter("n_units"), None),
    ("n_nonzero", lambda result: result.n_units - result._swaps.ties, None),
)
_ROUNDED = ("log10_pvalue", "log10_lower", "log10_upper", "width")
"""Fields of a record whose last digit is that of a C library."""


def _digits(record: Fields) -> int | None:
    return None if record["digits"] is None else record.integer("digits", 1, MOST_DIGITS)


def written(result: Any) -> dict[str, Any]:
    """Return the record of a result: its format, the version of the package, what it claims, and the fields."""
    from .. import __version__

    swaps, exact = result._swaps, result.exact
    rows = _EXACT if exact else _CERTIFIED
    proved = isinstance(swaps, Swaps) or (not exact and result.statistic_name in READY)
    claim = "counted" if exact else "enclosed"
    return {
        "format": FORMAT,
        "version": __version__,
        "claim": claim if proved else "claimed",
        **{name: write(result) for name, write, _read in rows},
        **({} if result.design is None else {"design": result.design}),
        **({} if exact else {"budget": _written_budget(result)}),
        **({} if swaps is None else source_fields(swaps, result.design)),
    }


def read(make: Any, data: Mapping[str, Any]) -> Any:
    """Return the result of the class ``make`` that a record holds: rebuilt, written again and compared."""
    exact = make.exact
    record = Fields(data, "a test result" if exact else "a float result")
    record.integer("format", FORMAT, FORMAT)
    for name in ("version", "statistic_name"):
        record.demand(name, isinstance(record[name], str), "it must be text")
    n = record.integer("n", 0 if exact else 1, _MOST_PAIRS)
    n_units = record.integer("n_units", most=n)
    swaps = data.get("swaps")
    held = swaps is not None or not exact
    if exact and not (isinstance(swaps, Mapping) and ("steps" in swaps or "pool" in swaps)):
        _check_power(record, n_units)
    source = read_source(record, n, n_units, certified=not exact) if held else None
    opened = _Read(fields=record, n=n, n_units=n_units, source=source)
    rows = _EXACT if exact else _CERTIFIED
    values = {name: reader(opened) for name, _write, reader in rows if reader is not None}
    design = read_design(record, n, n_units) if held else None
    about = Subject(name=record["statistic_name"], design=design)
    if exact:
        values["_tails"] = SumTails(swaps=source) if isinstance(source, Swaps) else None
    else:
        values = {**values, "_swaps": source, "_budget": _budget(opened)}
    result = make(**values, _about=about)
    confirm(record, written(result), _ROUNDED)
    return result


def confirm(record: Fields, again: Mapping[str, Any], rounded: tuple[str, ...] = ()) -> None:
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


def _is_total(record: Fields, value: str) -> bool:
    """Return whether the total of a record is that of its other fields, as a power or as an integer of any size."""
    if record["total"] == value:
        return True
    total = record.integer("total", 1)
    if not value.startswith("2^"):
        return total == parse_exact(value)
    n_units = int(value[2:])
    return total.bit_length() == n_units + 1 and total == 1 << n_units
