"""Count a recorded test again and compare every field of the record: a result as JSON, not an item of a JSON file."""

from __future__ import annotations

from collections.abc import Callable

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import parse_exact
from ..arithmetic.writing import decimal_string, exact_text
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..record import replaced
from .json_text import loaded
from .report import bracket_text

if TYPE_CHECKING:
    from ..budget import Budget
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult


_TOLD = """files columns id missing dropped_pairs groups weights tasks by encoding runs systems last_row
decimals rounded version first last ranges ahead orientation mu counts refused interval midp sentence seconds data note"""
"""Fields that tests write beside those of their result: what was read, and what depends on it."""

_WRITTEN = Cure(command="test", words="whose output as JSON is a record")


def read(text: str, name: str) -> dict[str, Any]:
    """Return the record in a JSON text; ``ExactPermError`` with the file's ``name`` where there is none."""
    try:
        record = loaded(text)
    except ValueError as error:
        reason = str(error)[:100]
        raise ExactPermError(
            f"{name} is not JSON: {reason}", code="record", cure=_WRITTEN
        ) from None
    if isinstance(record, dict) and record.get("method") == "monte-carlo":
        again = Cure(words="repeat its test, with its seed for the same swaps")
        raise ExactPermError(f"{name} is an estimate from random swaps", code="record", cure=again)
    if not isinstance(record, dict) or "claim" not in record:
        raise ExactPermError(f"{name} is not the record of a test", code="record", cure=_WRITTEN)
    if record["claim"] == "claimed":
        again = Cure(words="run its test again on the scores")
        raise ExactPermError(f"{name} holds no proof, only a claim", code="record", cure=again)
    return record


def unknown(record: dict[str, Any]) -> list[str]:
    """Return the fields of a recounted record that no test writes, which nothing confirms."""
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult

    kind = FloatResult if record["claim"] == "enclosed" else PermutationTestResult
    again = kind.from_dict(_with_17_digits(record)).to_dict()
    inner = set(record["swaps"]) - set(again["swaps"])
    outer = set(record) - {*again, *_TOLD.split()}
    return sorted(outer) + [f"swaps.{name}" for name in sorted(inner)]


def recounted(record: dict[str, Any], *, budget: Budget) -> str:
    """Return how a record differs from a new count, naming the field; "" where nothing differs.

    Raises ``BudgetExceeded`` as the test itself.
    """
    check = _check_bracket if record["claim"] == "enclosed" else _check_count
    try:
        check(record, budget)
    except BudgetExceeded:
        raise
    except ExactPermError as error:
        return str(error)
    return ""


def _check_count(record: dict[str, Any], budget: Budget) -> None:
    from ..null.result import PermutationTestResult

    result = PermutationTestResult.from_dict(_with_17_digits(record)).recount(budget=budget)
    _check_midp(record, lambda: exact_text(result.midp))
    _check_line(record, result)


def _check_bracket(record: dict[str, Any], budget: Budget) -> None:
    from ..null.float_result import FloatResult

    result = FloatResult.from_dict(record).recount(budget=budget)
    _check_midp(record, lambda: bracket_text(result.midp))
    _check_line(record, result)


def _check_midp(record: dict[str, Any], midp: Callable[[], Any]) -> None:
    """Raise ``ExactPermError`` where a record has another mid-p value than was counted."""
    if "midp" in record and record["midp"] != (again := midp()):
        raise ExactPermError(
            f"midp is {short_text(record['midp'])}, but counting again gives {short_text(again)}"
        )


def _check_line(record: dict[str, Any], result: PermutationTestResult | FloatResult) -> None:
    """Raise ``ExactPermError`` where a record's line for a paper is not that of the recounted result.

    The files, the order and the shift that the line names are those of the record, which only the
    scores can confirm.
    """
    if "sentence" not in record:
        return
    files = record.get("files")
    known = [file for file in files if isinstance(file, dict)] if isinstance(files, list) else []
    sentence = result.sentence(
        sha256=tuple(dict.fromkeys(str(file.get("sha256")) for file in known)),
        decimals=record.get("decimals"),
        swapped_order=record.get("orientation") == "second-first",
        mu=parse_exact(record.get("mu", "0")),
    )
    again = {
        str(replaced(sentence, version=record.get("version"), units=units))
        for units in ("differences", "pairs")
    }
    again = (
        again
        if sentence.units == "pairs"
        else {str(replaced(sentence, version=record.get("version")))}
    )
    if record["sentence"] not in again:
        raise ExactPermError(
            f"sentence is {short_text(record['sentence'])}, but counting again gives {short_text(max(again))}"
        )


def _with_17_digits(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with the decimal of --digits, where it is right, in the 17 digits that the library writes."""
    try:
        p = parse_exact(record["pvalue"])
        right = decimal_string(p, _digits(record["pvalue_decimal"])) == record["pvalue_decimal"]
    # the check of all fields finds it again and names it
    except (ExactPermError, KeyError, AttributeError):
        return record
    return {**record, "pvalue_decimal": decimal_string(p, 17)} if right else record


def _digits(decimal: object) -> int:
    """Return the number of significant digits of a recorded decimal; 17 for what is none."""
    digits = str(decimal).partition("e")[0].replace(".", "").lstrip("0")
    return min(len(digits), 100_000) if digits.isdecimal() else 17
