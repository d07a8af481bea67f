"""Write exact results as records, and read them; see :mod:`exactperm.null.records`.

Source: spec/12-certificates.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .._types import Any
from ..arithmetic.writing import decimal_string, exact_text
from ..counting.methods import check_reported
from .alternative import check_alternative
from .fields import Fields
from .records import (
    MOST_PAIRS,
    confirm,
    opened,
    read_design,
    read_swaps,
    swaps_fields,
    total_text,
    written,
)
from .tails import LinearTails, SumTails


def written_exact(result: Any) -> dict[str, Any]:
    """Return the record of an exact result."""
    swaps = result._swaps
    fields = {
        "pvalue": exact_text(result.pvalue),
        "pvalue_decimal": decimal_string(result.pvalue, 17),
        "log10_pvalue": result.log10_pvalue,
        "count": exact_text(result.count),
        "total": total_text(swaps, result.n_units),
        "statistic": exact_text(result.statistic),
        "statistic_name": result._name,
        "alternative": result.alternative,
        "method": result.method,
        "n": result.n,
        "n_units": result.n_units,
        "n_nonzero": result.n_nonzero,
        **({} if result.design is None else {"design": result.design}),
        **({} if swaps is None else swaps_fields(swaps, result.alternative)),
    }
    return written("claimed" if swaps is None else "counted", fields)


def read_exact(make: Callable[..., Any], data: Mapping[str, Any]) -> Any:
    """Return the result that a record holds, rebuilt by ``make``, written again and compared."""
    record = opened(data, "a test result")
    n = record.integer("n", most=MOST_PAIRS)
    n_units = record.integer("n_units", most=n)
    count = record.integer("count", 1)
    tails = _read_tails(record, n, n_units, count) if data.get("swaps") is not None else None
    if tails is None:
        _check_power(record, n_units, count)
    result = make(
        count=count,
        statistic=record.exact("statistic") if tails is None else tails.statistic,
        alternative=record.take("alternative", check_alternative),
        method=record.take("method", check_reported),
        n=n,
        n_units=n_units,
        n_nonzero=record.integer("n_nonzero", most=n_units)
        if tails is None
        else n_units - tails.swaps.ties,
        design=None if tails is None else read_design(record, data, n, n_units),
        _tails=tails,
        _name=record["statistic_name"],
    )
    confirm(record, result.to_dict(), ("log10_pvalue",))
    return result


def _check_power(record: Fields, n_units: int, count: int) -> None:
    """Raise ``ExactPermError`` unless a count fits 2**n_units assignments, before this power is written down."""
    # A p-value that fits takes as many digits as 2**n_units: from here on n_units is no longer than
    # the record.
    digits = len(str(record["pvalue"]).partition("/")[2])
    record.demand("pvalue", n_units <= 4 * digits + count.bit_length(), "it must be count / total")
    record.demand("count", (count - 1).bit_length() <= n_units, "it must be at most the total")


def _read_tails(record: Fields, n: int, n_units: int, count: int) -> SumTails:
    """Return the tails of a record that holds a tally, steps or a pool."""
    from .step_records import has_steps

    if has_steps(record):
        from .step_records import read_swaps_of_steps
        from .step_tails import StepTails

        steps = read_swaps_of_steps(record, n, n_units)
        record.demand("count", count <= steps.total, "it must be at most the total")
        record.demand("count", count % steps.common == 0, "it must be a multiple of common")
        return StepTails(swaps=steps)
    _check_power(record, n_units, count)
    swaps = read_swaps(record, n_units)
    record.demand("count", not count & ((1 << swaps.ties) - 1), "it must be a multiple of 2**ties")
    return LinearTails(swaps=swaps)
