"""Count a recorded test again and compare every field of the record: a result as JSON, not an item of a JSON file."""

from __future__ import annotations

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import parse_exact
from ..errors import BudgetExceeded, Cure, ExactPermError
from .answer import line_of
from .json_text import loaded
from .report import probability

if TYPE_CHECKING:
    from ..budget import Budget


_TOLD = """files columns id missing dropped_pairs groups weights tasks by encoding runs samples systems last_row
decimals version first last ranges ahead orientation mu counts exact refused interval midp sentence data note"""
"""Fields that tests write beside those of their result: what was read, and what depends on it."""

_WRITTEN = Cure(command="test", words="writes records, as JSON")


def read(text: str, name: str) -> dict[str, Any]:
    """Return the record in a JSON text; ``ExactPermError`` with the file's ``name`` where there is none."""
    why, cure = "is not the record of a test", _WRITTEN
    try:
        record = loaded(text)
    except ValueError as error:
        record, why = None, f"is not JSON: {str(error)[:100]}"
    if isinstance(record, dict):
        if record.get("claim") in ("counted", "enclosed"):
            return record
        if record.get("claim") == "claimed":
            why = "holds no proof, only a claim"
            cure = Cure(words="run its test again on the scores")
    raise ExactPermError(f"{name} {why}", code="record", cure=cure)


def unknown(record: dict[str, Any]) -> list[str]:
    """Return the fields of a recounted record that no test writes, which nothing confirms."""
    again = _result(record).to_dict()
    inner = set(record["swaps"]) - set(again["swaps"])
    outer = set(record) - {*again, *_TOLD.split()}
    return sorted(outer) + [f"swaps.{name}" for name in sorted(inner)]


def _result(record: dict[str, Any]) -> Any:
    """Return the result that a record states."""
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult

    kind: Any = FloatResult if record["claim"] == "enclosed" else PermutationTestResult
    return kind.from_dict(record)


def recounted(record: dict[str, Any], *, budget: Budget) -> str:
    """Return how a record differs from a new count, naming the field; "" where nothing differs.

    Fields that say how the data were read are those of the record, which only the scores can
    confirm. Raises ``BudgetExceeded`` as the test itself.
    """
    try:
        result = _result(record).recount(budget=budget)
        again = {}
        if "midp" in record:
            again["midp"] = probability(result.midp)
        if "sentence" in record:
            again["sentence"] = _line(record, result)
    except BudgetExceeded:
        raise
    except ExactPermError as error:
        return str(error)
    for name, value in again.items():
        if record[name] != value:
            both = f"{short_text(record[name])}, but counting again gives {short_text(value)}"
            return f"{name} is {both}"
    return ""


def _line(record: dict[str, Any], result: Any) -> str:
    """Return the line for a paper of a recounted result and the files, order and shift of its record."""
    files, columns = record.get("files"), record.get("columns")
    files = files if isinstance(files, list) else []
    digests = [str(file.get("sha256")) for file in files if isinstance(file, dict)]
    return line_of(
        result,
        digests,
        columns if isinstance(columns, list) else [],
        record.get("version"),
        decimals=record.get("decimals"),
        swapped_order=record.get("orientation") == "second-first",
        mu=parse_exact(record.get("mu", "0")),
    )
