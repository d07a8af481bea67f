"""Answer the question that files ask: the exact count, or a certified bracket where that is refused."""

from __future__ import annotations

from .._types import TYPE_CHECKING, Any, Executor
from ..arithmetic.rational import Exact
from ..arithmetic.reading import exact_column
from ..arithmetic.writing import exact_text
from ..budget import Budget, Progress
from ..errors import BudgetExceeded, ExactPermError
from ..null.result import PermutationTestResult
from ..permutation import permutation_test
from ..record import replaced
from .forms import CLASSICAL, MEANS
from .question import Question

if TYPE_CHECKING:
    from ..intervals.confidence import ConfidenceInterval
    from ..montecarlo.sampling import MonteCarloResult
    from ..null.alternative import Alternative
    from ..null.float_result import FloatResult


SAMPLES = 9999
"""Random swaps of an estimate, unless more are wanted."""


def counted(
    question: Question,
    statistic: str,
    *,
    method: str = "auto",
    zeros: str = "wilcox",
    progress: Progress | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> PermutationTestResult:
    """Return the exact result of a question; ``BudgetExceeded`` where the count is refused.

    ``options`` are those that every test takes: the alternative, decimals and the budget.
    """
    if question.design:
        from ..samples import permutation_test_runs

        known: Any = {
            "design": question.design,
            "weights": question.weights,
            "method": method,
            "progress": progress,
        }
        return permutation_test_runs(question.u, question.v, **known, **options)
    if statistic not in CLASSICAL:
        about: Any = {"statistic": question.statistic, **question.units, "method": method}
        return permutation_test(
            question.u, question.v, progress=progress, executor=executor, **about, **options
        )
    from ..classical import mcnemar_test, sign_test, wilcoxon_signed_rank_test

    if question.counts:
        known = {name: options[name] for name in ("alternative", "budget")}
        return mcnemar_test(question.u[0], question.v[0], **known)
    if statistic == "wilcoxon":
        return wilcoxon_signed_rank_test(question.u, question.v, zero_method=zeros, **options)
    result = sign_test(question.u, question.v, **options)
    if statistic == "sign":
        return result
    return replaced(result, _name="discordant items")


def enclosed(
    question: Question, statistic: str = "difference", *, zeros: str = "wilcox", **options: Any
) -> FloatResult:
    """Return the certified bracket of a question, or of its signed ranks; ``options`` as of that test."""
    if statistic == "wilcoxon":
        from ..classical import fast_wilcoxon_signed_rank_test

        return fast_wilcoxon_signed_rank_test(question.u, question.v, zero_method=zeros, **options)
    if question.design:
        from ..samples import fast_permutation_test_runs

        known: Any = {"design": question.design, "weights": question.weights}
        return fast_permutation_test_runs(question.u, question.v, **known, **options)
    from ..fast import fast_permutation_test

    about: Any = {"statistic": question.statistic, **question.units}
    return fast_permutation_test(question.u, question.v, **about, **options)


def estimated(
    question: Question,
    samples: int,
    seed: int,
    *,
    decimals: int | None = None,
    **options: Any,
) -> MonteCarloResult:
    """Return a Monte Carlo estimate from random swaps, for comparison and where no count is possible.

    Every statistic of a file changes its sign where all pairs are swapped. Raises
    ``ExactPermError`` for twice a one-sided p-value, which is no probability.
    """
    from ..montecarlo.sampling import monte_carlo_test

    if question.design:
        first, second = [
            [exact_column(x, "scores", decimals) for x in runs] for runs in (question.u, question.v)
        ]
        known: Any = {"K": samples, "rng": seed, "design": question.design}
        return monte_carlo_test(first, second, **known, **options)
    statistic = question.statistic
    read: Any = statistic.read

    def t(first: list[Any], second: list[Any]) -> Exact:
        sums = [sum(map(g, first, second)) for g in statistic.components]
        value: Exact = sums[0] if statistic.combine is None else statistic.combine(*sums)
        return value

    u, v = read(question.u, "u", decimals), read(question.v, "v", decimals)
    return monte_carlo_test(u, v, t, samples, rng=seed, groups=question.groups, **options)


def answered(
    question: Question,
    statistic: str,
    *,
    digits: int | None = None,
    progress: Progress | None = None,
    executor: Executor | None = None,
    **options: Any,
) -> tuple[PermutationTestResult | FloatResult, dict[str, Any]]:
    """Return the exact result, or a certified bracket where that is refused, and what a record says of the refusal."""
    try:
        return counted(question, statistic, progress=progress, executor=executor, **options), {}
    except BudgetExceeded as refusal:
        if statistic in CLASSICAL:
            raise
        try:
            result = enclosed(question, digits=digits, progress=progress, **options)
        except ExactPermError:  # too much work as well, or no bracket is known for the statistic
            raise refusal from None
        return result, {"exact": False, "refused": refusal.brief}


def interval(
    question: Question,
    *,
    confidence: Any = "0.95",
    alternative: Alternative = "two-sided",
    decimals: int | None = None,
    precision: Any = None,
    budget: Budget | None = None,
    progress: Progress | None = None,
) -> ConfidenceInterval:
    """Return the confidence interval of the difference of means."""
    from ..intervals.confidence import confidence_interval

    return confidence_interval(
        question.u,
        question.v,
        confidence,
        alternative=alternative,
        groups=question.groups,
        decimals=decimals,
        precision=precision,
        budget=budget,
        progress=progress,
    )


def quick_interval(
    question: Question, statistic: str, *, decimals: int | None = None
) -> ConfidenceInterval | str:
    """Return the two-sided 95% interval, or why there is none; "" where no reader would look for one.

    Scores of 0 and 1 have no shift. An interval that is expected to take a second or more is left
    out.
    """
    about = question.design, question.weights, question.tasks, question.counts
    if statistic not in MEANS or any(about):
        return ""
    scores = {*question.u, *question.v} if len(question.levels) == 2 else set()
    if scores and {*map(str, scores)} <= {"0", "1", "true", "false", "True", "False", "0.0", "1.0"}:
        return "0/1 scores do not shift"
    try:
        return interval(question, decimals=decimals, budget=Budget(seconds=1))
    except ExactPermError:
        return ""


def line(result: PermutationTestResult | FloatResult, question: Question, **details: Any) -> str:
    """Return the line that reports a result in a paper; ``details`` are those of the question that it names."""
    source = question.source
    digests = tuple(dict.fromkeys(file.sha256 for file in source.files))
    sentence = result.sentence(
        **{"sha256": digests, "decimals": source.reading.decimals, **details}
    )
    if len(source.names) == 1 and sentence.units == "pairs":
        sentence = replaced(sentence, units="differences")
    return str(sentence)


def record(
    result: Any, question: Question, *, seconds: float | None = None, **stated: Any
) -> dict[str, Any]:
    """Return the record of a result: its fields, where its data come from, and what is ``stated`` of it.

    Without the time in ``seconds``, the same files and options give the same record.
    """
    timing = {} if seconds is None else {"seconds": round(seconds, 6)}
    back = question.back.to_dict() if question.back else {}
    if question.ahead is not None:
        system, other, by = question.ahead
        back["ahead"] = {"system": system, "other": other, "by": exact_text(by)}
    return {**result.to_dict(), **question.source.to_dict(), **back, **stated, **timing}
