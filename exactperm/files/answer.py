"""Answer the question that files ask: the exact count, or a certified bracket where that is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from .._types import TYPE_CHECKING, Any, Executor, Union
from ..arithmetic.writing import exact_text
from ..budget import Budget, Progress
from ..errors import BudgetExceeded, ExactPermError
from ..null.result import PermutationTestResult
from ..permutation import permutation_test
from ..record import replaced
from ..swaps.statistic import Subject
from .question import Question
from .reading import CLASSICAL, MEANS

if TYPE_CHECKING:
    from ..intervals.confidence import ConfidenceInterval
    from ..null.float_result import FloatResult

    Tested = Union[PermutationTestResult, FloatResult]


def counted(
    question: Question,
    statistic: str,
    *,
    method: Any = "auto",
    zeros: str = "wilcox",
    progress: Progress | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> PermutationTestResult:
    """Return the exact result of a question; ``BudgetExceeded`` where the count is refused.

    ``options`` are those that every test takes: the alternative, decimals and the budget.
    """
    u, v = question.u, question.v
    engine: Any = {"progress": progress, **question.about}
    if statistic in CLASSICAL and question.design != "samples":
        from ..classical import paired

        if question.counts:
            known = {name: options[name] for name in ("alternative", "budget")}
            return paired.mcnemar_test(u[0], v[0], **known)
        if statistic == "wilcoxon":
            return paired.wilcoxon_signed_rank_test(u, v, zero_method=zeros, **options)
        result = paired.sign_test(u, v, **options)
        named = Subject(name="discordant items")
        return replaced(result, _about=named) if statistic == "mcnemar" else result
    if not question.design:
        return permutation_test(u, v, method=method, executor=executor, **engine, **options)
    from .. import samples

    if question.design != "samples":
        return samples.permutation_test_runs(u, v, method=method, **engine, **options)
    test = samples.mann_whitney_test if statistic == "wilcoxon" else samples.two_sample_test
    return test(u, v, **engine, **options)


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
    test: Callable[..., FloatResult] = fast.fast_permutation_test
    if question.design:
        unpaired = question.design == "samples"
        test = samples.fast_two_sample_test if unpaired else samples.fast_permutation_test_runs
    return test(u, v, **question.about, **options)


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

    ``method`` is one of :func:`by_method`, or the name of an engine; ranks and signs have brackets only by name.
    """
    engine = "auto" if method == "exact" else method
    count = partial(counted, question, statistic, method=engine, executor=executor, **options)
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
    binary = {"0", "1", "true", "false", "True", "False", "0.0", "1.0"}
    if len(question.levels) == 2 and {*map(str, question.u), *map(str, question.v)} <= binary:
        return "scores of 0 and 1 have none"
    try:
        return interval(question, decimals=decimals, budget=Budget(seconds=1))
    except ExactPermError:
        return ""


def line(result: Tested, question: Question, **details: Any) -> str:
    """Return the line that reports a result in a paper, "" of two samples, which no audit reads.

    ``details`` are those of the question that it names.
    """
    if question.design == "samples":
        return ""
    source = question.source
    digests = [file.sha256 for file in source.files]
    return line_of(result, digests, source.names, decimals=source.reading.decimals, **details)


def line_of(
    result: Tested,
    digests: Iterable[str],
    columns: Sequence[str],
    version: str | None = None,
    **details: object,
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
