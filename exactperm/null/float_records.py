"""Write certified results as records, and read them; see :mod:`exactperm.null.records`.

Source: spec/12-certificates.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from .._types import Any
from ..arithmetic.enclosure import Enclosure
from ..arithmetic.rational import Exact
from ..arithmetic.writing import exact_text
from ..budget import Budget
from ..swaps.canonical import Swaps
from .alternative import check_alternative
from .fields import Fields
from .joint_records import READY, effects_fields, read_tails
from .joint_tails import JointTails
from .records import (
    MOST_DIGITS,
    MOST_PAIRS,
    Claim,
    confirm,
    opened,
    read_design,
    read_swaps,
    swaps_fields,
    total_text,
    written,
)
from .step_tails import SUMS, Sums

_ROUNDED = ("log10_pvalue", "log10_lower", "log10_upper", "width")
"""Fields of a record whose last digit is that of a C library."""


def written_float(result: Any) -> dict[str, Any]:
    """Return the record of a certified result."""
    lower, upper, exponent = result.bracket
    names = (
        "pvalue",
        "lower",
        "upper",
        "correctly_rounded",
        "log10_pvalue",
        "log10_lower",
        "log10_upper",
        "width",
    )
    floats = {name: getattr(result, name) for name in names}
    limits = {name: getattr(result._budget, name) for name in ("seconds", "bytes")}
    fields = {
        **{name: None if math.isinf(value) else value for name, value in floats.items()},
        "digits_certain": result.digits_certain,
        "decimal_bracket": list(result.decimal_bracket()),
        "bracket": [exact_text(lower), exact_text(upper), exponent],
        "digits": result.digits,
        "statistic": exact_text(result.statistic),
        "statistic_name": result._name,
        "alternative": result.alternative,
        "method": "certified",
        "n": result.n,
        "total": total_text(result._swaps, result._swaps.n_units),
        "n_units": result._swaps.n_units,
        "n_nonzero": result._swaps.n_units - result._swaps.ties,
        **({} if result.design is None else {"design": result.design}),
        "budget": {name: None if limit == math.inf else limit for name, limit in limits.items()},
        **_source(result),
    }
    return written(_claim(result), fields)


def _source(result: Any) -> dict[str, Any]:
    """Return the fields of a record from which the bracket is computed again."""
    if isinstance(result._swaps, (Swaps, *SUMS)):
        return swaps_fields(result._swaps, result.alternative)
    return effects_fields(result._swaps)


def _claim(result: Any) -> Claim:
    """Return what a record claims: statistics of several components that are not in the package have no proof."""
    return (
        "enclosed"
        if isinstance(result._swaps, (Swaps, *SUMS)) or result.statistic_name in READY
        else "claimed"
    )


def read_float(make: Callable[..., Any], data: Mapping[str, Any]) -> Any:
    """Return the result that a record holds, rebuilt by ``make``, written again and compared."""
    record = opened(data, "a float result")
    n = record.integer("n", 1, MOST_PAIRS)
    n_units = record.integer("n_units", most=n)
    statistic, swaps = _read_source(record, n, n_units)
    result = make(
        bracket=_read_bracket(record),
        digits=None if record["digits"] is None else record.integer("digits", 1, MOST_DIGITS),
        statistic=statistic,
        alternative=record.take("alternative", check_alternative),
        n=n,
        design=None if record["swaps"] is None else read_design(record, data, n, n_units),
        _swaps=swaps,
        _budget=_read_budget(record),
        _name=record["statistic_name"],
    )
    confirm(record, result.to_dict(), _ROUNDED)
    return result


def _read_bracket(record: Fields) -> Enclosure:
    """Return the enclosure [lower, upper] * 2**exponent of a record, checked to lie in 0..1 and not to be 0."""
    parts = record.listed("bracket")
    record.demand("bracket", len(parts) == 3, "it must be [lower, upper, power of two]")
    lower = record.whole("bracket[0]", parts[0], 0)
    upper = record.whole("bracket[1]", parts[1], max(1, lower))
    exponent = record.whole("bracket[2]", parts[2], -(1 << 62), 0)
    # upper <= 2**-exponent, a power that may be too long to write down
    record.demand("bracket", (upper - 1).bit_length() <= -exponent, "it must be at most 1")
    return Enclosure(lower, upper, exponent)


def _read_source(record: Fields, n: int, n_units: int) -> tuple[Exact, Swaps | Sums | JointTails]:
    """Return the statistic of a record, and the swaps of which it is a bracket."""
    from .step_records import has_steps

    if has_steps(record):
        from .step_records import read_swaps_of_steps

        steps = read_swaps_of_steps(record, n, n_units)
        return steps.value(steps.observed), steps
    if isinstance(record["swaps"], Mapping) and "draws" in record["swaps"]:
        from .step_records import read_draws

        drawn = read_draws(record, n_units)
        return drawn.value(drawn.observed), drawn
    if isinstance(record["swaps"], Mapping) and "effects" in record["swaps"]:
        tails = read_tails(record, n_units)
        return tails.statistic, tails
    swaps = read_swaps(record, n_units)
    return swaps.value(swaps.observed), swaps


def _read_budget(record: Fields) -> Budget:
    limits = record["budget"]
    fits = isinstance(limits, Mapping) and limits.keys() == {"seconds", "bytes"}
    record.demand("budget", fits, "it must be seconds and bytes")
    return Budget(**{name: math.inf if limit is None else limit for name, limit in limits.items()})
