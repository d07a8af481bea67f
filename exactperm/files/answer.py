"""Answer the question that files ask, and count a recorded answer again.

An answer is the exact count, or a certified bracket where that is refused. A record is a result as JSON, not an item of
a JSON file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial

from .._types import TYPE_CHECKING, Any, Executor, Union
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact_column, parse_exact
from ..arithmetic.writing import exact_text
from ..budget import Budget, Progress
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..null.result import PermutationTestResult
from ..permutation import permutation_test
from ..record import replaced
from ..swaps.statistic import Subject
from .question import Question
from .reading import CLASSICAL, MEANS

if TYPE_CHECKING:
    from ..arithmetic.enclosure import Enclosure
    from ..intervals.confidence import ConfidenceInterval
    from ..null.float_result import FloatResult

    Tested = Union[PermutationTestResult, FloatResult]


def counted(
    question: Question,
    statistic: str,
    *,
    zeros: str = "wilcox",
    progress: Progress | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> PermutationTestResult:
    """Return the exact result of a question; ``BudgetExceeded`` where the count is refused.

    ``options`` are those that every test takes: the alternative, decimals and the budget.
    """
    u, v = question.u, question.v
    engine: Any = {"progress": progress, **question.about, **options}
    if question.design:
        from .. import samples

        if question.design != "samples":
            return samples.permutation_test_runs(u, v, **engine)
        if statistic == "wilcoxon":
            return samples.mann_whitney_test(u, v, **engine)
        return samples.two_sample_test(u, v, **engine)
    if statistic not in CLASSICAL:
        return permutation_test(u, v, executor=executor, **engine)
    from ..classical import paired

    if question.counts:
        known = {name: options[name] for name in ("alternative", "budget")}
        return paired.mcnemar_test(u[0], v[0], **known)
    if statistic == "wilcoxon":
        return paired.wilcoxon_signed_rank_test(u, v, zero_method=zeros, **options)
    result = paired.sign_test(u, v, **options)
    named = Subject(name="discordant items")
    return replaced(result, _about=named) if statistic == "mcnemar" else result


def enclosed(
    question: Question, statistic: str = "difference", *, zeros: str = "wilcox", **options: Any
) -> FloatResult:
    """Return the certified bracket of a question, or of its signed ranks; ``options`` as of that test.

    Ranks of two samples have none.
    """
    from .. import fast, samples
    from ..classical import paired

    u, v = question.u, question.v
    if statistic == "wilcoxon":
        return paired.fast_wilcoxon_signed_rank_test(u, v, zero_method=zeros, **options)
    test: Any = fast.fast_permutation_test
    if question.design:
        unpaired = question.design == "samples"
        test = samples.fast_two_sample_test if unpaired else samples.fast_permutation_test_runs
    found: FloatResult = test(u, v, **question.about, **options)
    return found


def answered(
    question: Question,
    statistic: str,
    *,
    method: str = "auto",
    digits: int | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> tuple[Tested, dict[str, Any]]:
    """Return the result of a question, and what a record says of a refused count.

    ``method`` is one of :func:`by_method`; ranks and signs have brackets only by name.
    """
    count = partial(counted, question, statistic, executor=executor, **options)
    enclose = partial(enclosed, question, statistic, digits=digits, **options)
    known = "exact" if method == "auto" and statistic in CLASSICAL else method
    result, why = by_method(known, count, enclose)
    return result, {"exact": False, "refused": why} if why else {}


def by_method(
    method: str, count: Callable[[], object], enclose: Callable[[], object]
) -> tuple[Any, str]:
    """Return what is counted and "" or, where ``method`` is "certified", what has brackets.

    Of "auto" that is where counting is refused, and the text says why; the refusal is raised where there is no
    bracket, or that is too much work as well.
    """
    if method == "certified":
        return enclose(), ""
    try:
        return count(), ""
    except BudgetExceeded as refusal:
        if method != "auto":
            raise
        try:
            return enclose(), refusal.brief
        except ExactPermError:
            raise refusal from None


def interval(question: Question, *, confidence: Any = "0.95", **options: Any) -> ConfidenceInterval:
    """Return the confidence interval of the difference of means; ``options`` are those of the library."""
    from ..intervals.confidence import confidence_interval

    about = {"groups": question.groups, **options}
    return confidence_interval(question.u, question.v, confidence, **about)


def quick_interval(
    question: Question, statistic: str, *, decimals: int | None = None
) -> ConfidenceInterval | str:
    """Return the two-sided 95% interval, or why there is none; "" where no reader would look for one.

    Scores of 0 and 1 have no shift. An interval that is expected to take a second or more is left
    out.
    """
    if question.design == "samples":
        return "two samples have none here"
    about = question.design, question.weights, question.tasks, question.counts
    if statistic not in MEANS or any(about):
        return ""
    ends = [(least, most) for _name, least, most in question.source.ranges]
    if ends == [(0, 1)] * 2 and {*exact_column([*question.u, *question.v], "scores")} == {0, 1}:
        return "scores of 0 and 1 have none"
    try:
        return interval(question, decimals=decimals, budget=Budget(seconds=1))
    except ExactPermError:
        return ""


# ---------------------------------------------------------------------------------------------- lines and records

_TOLD = """files columns id missing dropped_pairs groups weights tasks by encoding runs samples systems last_row
decimals version first last ranges ahead mu counts exact refused interval midp sentence data note"""
"""Fields that tests write beside those of their result: what was read, and what depends on it."""


def line(result: Tested, question: Question, **details: Any) -> str:
    """Return the line that reports a result in a paper, "" of two samples, which no audit reads.

    ``details`` are those of the question that it names.
    """
    if question.design == "samples":
        return ""
    source = question.source
    digests = [file.sha256 for file in source.files]
    return _line(result, digests, source.names, decimals=source.reading.decimals, **details)


def _line(
    result: Any, digests: Iterable[str], columns: Sequence[str], version: str = "", **details: Any
) -> str:
    """Return the line of a result of files with these digests and columns, as this version writes it, or another."""
    found = result.sentence(sha256=tuple(dict.fromkeys(digests)), **details)
    differences = len(columns) == 1 and found.units == "pairs"
    units = "differences" if differences else found.units
    return str(replaced(found, units=units, version=version or found.version))


def record(result: Any, question: Question, **stated: Any) -> dict[str, Any]:
    """Return the record of a result: its fields, where its data come from, and what is ``stated`` of it.

    The same files and options give the same record.
    """
    back = {}
    if question.ahead is not None:
        system, other, by = question.ahead
        back["ahead"] = {"system": system, "other": other, "by": exact_text(by)}
    return {**result.to_dict(), **question.source.to_dict(), **back, **stated}


def probability(p: Fraction | Enclosure) -> Any:
    """Return a p-value as records hold it; of a bracket its ends and their power of two."""
    if isinstance(p, Fraction):
        return exact_text(p)
    lower, upper, exponent = p
    return [exact_text(lower), exact_text(upper), exponent]


def read_record(text: str, name: str) -> dict[str, Any]:
    """Return the record in a JSON text; ``ExactPermError`` with the file's ``name`` where there is none."""
    from .json_text import loaded

    why, cure = "is not the record of a test", Cure(command="test", words="writes records, as JSON")
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


def recorded(record: dict[str, Any]) -> Tested:
    """Return the result that a record states."""
    from ..null.float_result import FloatResult

    kind: Any = FloatResult if record["claim"] == "enclosed" else PermutationTestResult
    result: Tested = kind.from_dict(record)
    return result


def unconfirmed(record: dict[str, Any]) -> list[str]:
    """Return the fields of a recounted record that no test writes, which nothing confirms."""
    again = recorded(record).to_dict()
    inner = set(record["swaps"]) - set(again["swaps"])
    outer = set(record) - {*again, *_TOLD.split()}
    return sorted(outer) + [f"swaps.{name}" for name in sorted(inner)]


def recounted(record: dict[str, Any], *, budget: Budget) -> str:
    """Return how a record differs from a new count, naming the field; "" where nothing differs.

    Fields that say how the data were read are those of the record, which only the scores can
    confirm. Raises ``BudgetExceeded`` as the test itself.
    """
    try:
        result, again = recorded(record).recount(budget=budget), {}
        if "midp" in record:
            again["midp"] = probability(result.midp)
        if "sentence" in record:
            files, columns = record.get("files"), record.get("columns")
            files = [one for one in files if isinstance(one, dict)] if type(files) is list else []
            again["sentence"] = _line(
                result,
                [str(file.get("sha256")) for file in files],
                columns if isinstance(columns, list) else [],
                record.get("version", ""),
                decimals=record.get("decimals"),
                mu=parse_exact(record.get("mu", "0")),
            )
    except BudgetExceeded:
        raise
    except ExactPermError as error:
        return str(error)
    for name, value in again.items():
        if record[name] != value:
            both = f"{short_text(record[name])}, but counting again gives {short_text(value)}"
            return f"{name} is {both}"
    return ""
