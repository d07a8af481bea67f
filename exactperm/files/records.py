"""Count a recorded test again and compare every field of the record."""

from __future__ import annotations

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import parse_exact
from ..arithmetic.writing import decimal_string, exact_text
from ..errors import BudgetExceeded, ExactPermError
from .json_text import loaded
from .report import bracket_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..budget import Budget


def read(text: str, name: str) -> dict[str, Any]:
    """Return the record in a JSON text; ``ExactPermError`` with the file's ``name`` where there is none."""
    try:
        record = loaded(text)
    except ValueError as error:
        told = f"{name} is not JSON: {str(error)[:100]}"
        raise ExactPermError(f"{told}; exactperm test --json > FILE saves what recount reads") from None
    if not isinstance(record, dict) or not {"method", "alternative"} <= record.keys():
        raise ExactPermError(f"{name} is not the record of a test, as exactperm test --json writes it")
    if record["method"] == "monte-carlo":
        raise ExactPermError(
            f"{name} is an estimate from random swaps: repeat its test, with --seed for the same swaps"
        )
    if record["method"] != "float" and "swaps" not in record:
        raise ExactPermError(f"{name} holds no proof, only a claim: run its test again on the scores, exactperm test")
    return record


def recounted(record: dict[str, Any], *, budget: Budget) -> str:
    """Return how a record differs from a new count, naming the field; "" where nothing differs.

    Raises ``BudgetExceeded`` as the test itself, and ``ExactPermError`` for a certified record of version 0.1.0 whose
    fields agree: it holds no swaps to compute the bracket from.
    """
    check = _check_bracket if record["method"] == "float" else _check_count
    try:
        check(record, budget)
    except BudgetExceeded:
        raise
    except ExactPermError as error:
        return str(error)
    if check is _check_bracket and "swaps" not in record:
        raise ExactPermError("all fields agree, but a certified record holds no swaps to count again: repeat the test")
    return ""


def _check_count(record: dict[str, Any], budget: Budget) -> None:
    from ..null.result import PermutationTestResult

    result = PermutationTestResult.from_dict(_with_17_digits(record)).recount(budget=budget)
    if "midp" in record and record["midp"] != exact_text(result.midp):
        raise ExactPermError(
            f"midp is {short_text(record['midp'])}, but counting again gives {short_text(result.midp)}"
        )


def _check_bracket(record: dict[str, Any], budget: Budget) -> None:
    from ..fast import FloatResult

    result = FloatResult.from_dict(record)
    if "swaps" in record:
        again = result.recount(budget=budget)
        if "midp" in record and record["midp"] != (midp := bracket_text(again.midp)):
            raise ExactPermError(f"midp is {short_text(record['midp'])}, but counting again gives {short_text(midp)}")


def _with_17_digits(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with the decimal of --digits, where it is right, in the 17 digits that the library writes."""
    try:
        p = parse_exact(record["pvalue"])
        right = decimal_string(p, _digits(record["pvalue_decimal"])) == record["pvalue_decimal"]
    except (ExactPermError, KeyError, AttributeError):  # the check of all fields finds it again and names it
        return record
    return {**record, "pvalue_decimal": decimal_string(p, 17)} if right else record


def _digits(decimal: object) -> int:
    """Return the number of significant digits of a recorded decimal; 17 for what is none."""
    digits = str(decimal).partition("e")[0].replace(".", "").lstrip("0")
    return min(len(digits), 100_000) if digits.isdecimal() else 17
