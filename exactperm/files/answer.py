"""Answer the question that files ask: the exact count, or a certified bracket where that is refused."""

from __future__ import annotations

from ..errors import BudgetExceeded
from ..permutation import permutation_test
from .columns import LAYOUTS, Question, ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from ..budget import Progress
    from ..fast import FloatResult
    from ..null.result import PermutationTestResult
    from .columns import Layout
    from .selection import Choice
    from .tables import Sheet

CLASSICAL = ("signed-rank", "sign", "mcnemar")
"""Statistics of the classical tests, of columns as for the difference; McNemar's has scores 0 and 1."""


def layout_of(statistic: str) -> Layout:
    """Return the columns that a statistic takes."""
    return LAYOUTS["difference" if statistic in CLASSICAL else statistic]


def question(sheets: Sequence[Sheet], statistic: str, choice: Choice | None = None, **options: Any) -> Question:
    """Return what the test of a statistic compares; see :func:`exactperm.files.columns.ask`."""
    asked = ask(sheets, layout_of(statistic), choice, **options)
    if statistic not in CLASSICAL:
        return asked
    words = asked.words.replace("sum of the differences", f"{statistic} of the differences")
    return Question(**{**{name: getattr(asked, name) for name in Question._fields}, "words": words})


def counted(
    question: Question,
    statistic: str,
    *,
    method: str = "auto",
    zeros: str = "wilcox",
    progress: Progress | None = None,
    **options: Any,
) -> PermutationTestResult:
    """Return the exact result of a question; ``BudgetExceeded`` where the count is refused.

    ``options`` are those that every test takes: the alternative, decimals and the budget.
    """
    if statistic not in CLASSICAL:
        about: Any = {"statistic": question.statistic, "groups": question.groups, "method": method}
        return permutation_test(question.u, question.v, progress=progress, **about, **options)
    from ..classical import sign_test, wilcoxon_signed_rank_test

    if statistic == "signed-rank":
        return wilcoxon_signed_rank_test(question.u, question.v, zero_method=zeros, **options)
    return sign_test(question.u, question.v, **options)


def enclosed(question: Question, *, digits: int | None = None, **options: Any) -> FloatResult:
    """Return the certified bracket of a difference."""
    from ..fast import fast_permutation_test

    return fast_permutation_test(question.u, question.v, groups=question.groups, digits=digits, **options)


def answered(
    question: Question, statistic: str, *, digits: int | None = None, progress: Progress | None = None, **options: Any
) -> tuple[PermutationTestResult | FloatResult, dict[str, Any]]:
    """Return the exact result, or a certified bracket where that is refused, and what a record says of the refusal."""
    try:
        return counted(question, statistic, progress=progress, **options), {}
    except BudgetExceeded as refusal:
        if statistic != "difference":
            raise
        try:
            result = enclosed(question, digits=digits, **options)
        except BudgetExceeded:
            raise refusal from None
        return result, {"exact": False, "refused": str(refusal).partition(" Instead: ")[0].rstrip(".")}


def record(result: Any, question: Question, *, seconds: float, **stated: Any) -> dict[str, Any]:
    """Return the record of a result: its fields, where its data come from, what is ``stated`` of it, and the time."""
    return {**result.to_dict(), **question.source.to_dict(), **stated, "seconds": round(seconds, 6)}
