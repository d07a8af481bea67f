"""Count a recorded test again and compare every field of the record."""

from __future__ import annotations

from ..arithmetic.quoting import short_text
from ..arithmetic.writing import decimal_string
from ..budget import Options
from ..errors import ExactPermError
from ..null.result import PermutationTestResult

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..budget import Budget, Progress


def read(text: str, name: str) -> dict[str, Any]:
    """Return the record in a JSON text; ``ExactPermError`` with the file's ``name`` where there is none."""
    import json

    try:
        record = json.loads(text, object_pairs_hook=_without_repeats)
    except (ValueError, RecursionError) as error:
        raise ExactPermError(f"{name} is not JSON: {str(error)[:100]}") from None
    if not isinstance(record, dict) or not {"method", "alternative"} <= record.keys():
        raise ExactPermError(f"{name} is not the record of a test, as exactperm test --json writes it")
    return record


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name is repeated in one object")
    return record


def recounted(record: dict[str, Any], *, budget: Budget, progress: Progress | None = None) -> str:
    """Return how a record differs from a new count, naming the field; "" where nothing differs.

    Raises ``ExactPermError`` where the record does not hold what a count needs, and ``BudgetExceeded``.
    """
    try:
        result = PermutationTestResult.from_dict(record)
    except ExactPermError as error:
        return str(error)
    tails: Any = result.tails
    count, _method = tails.extreme_count(result.alternative, Options(budget=budget, progress=progress))
    swaps = tails.swaps
    nonzero = sum(swaps.tally.values())
    fresh = PermutationTestResult(
        count=count,
        statistic=tails.statistic,
        alternative=result.alternative,
        method=result.method,
        n=max(result.n, nonzero + swaps.ties),
        n_units=nonzero + swaps.ties,
        n_nonzero=nonzero,
        _tails=tails,
    )
    expected = fresh.to_dict()
    expected["pvalue_decimal"] = decimal_string(fresh.pvalue, _digits(record.get("pvalue_decimal")))
    return next(
        (
            f"{name} is {short_text(record.get(name))}, but counted again {short_text(value)}"
            for name, value in expected.items()
            if record.get(name) != value
        ),
        "",
    )


def _digits(decimal: object) -> int:
    """Return the number of significant digits of a recorded decimal; 17 for what is none."""
    digits = str(decimal).partition("e")[0].replace(".", "").lstrip("0")
    return len(digits) if digits.isdecimal() else 17
