"""Answer the vectors with this package: the adapter of ``exactperm verify --self``, and an example of one."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from .. import __version__
from .._types import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..null.result import PermutationTestResult


ABOUT = {
    "implementation": {"name": "exactperm", "version": __version__, "language": "Python"},
    "numbers": "decimal",
}
"""The first answer of the adapter. Without "calls" it gets all of them."""


def answer(call: str, given: dict[str, Any], alternative: Any) -> Any:
    """Return the p-value of a question, or the list of numbers that it is about."""
    if call == "adjust":
        from ..multiplicity import adjust_pvalues

        return adjust_pvalues(given["pvalues"], given["method"]).adjusted
    if call == "interval":
        from ..intervals.confidence import confidence_interval

        d, groups = given["d"], given.get("groups")
        found = confidence_interval(
            d, confidence=given["confidence"], alternative=alternative, groups=groups
        )
        return [
            -inf if found.lower is None else found.lower[0],
            inf if found.upper is None else found.upper[1],
        ]
    if call == "null-distribution":
        return _distribution(given["test"], given["d"])
    if call == "mid-p":
        return _tested(given["test"], given, alternative).midp
    return _tested(call, given, alternative).pvalue


def _distribution(test: str, d: Sequence[Any]) -> list[tuple[Any, int]]:
    """Return the values of a statistic and their counts; of ranks the sum of those of positive differences."""
    from ..classical import wilcoxon_signed_rank_test
    from ..permutation import sign_flip_test

    tested = sign_flip_test(d) if test == "sign-flip" else wilcoxon_signed_rank_test(d)
    return [*tested.null_distribution.items()]


def _tested(call: str, given: dict[str, Any], alternative: Any) -> PermutationTestResult:
    """Return the result of a test."""
    if call in ("sign", "mcnemar", "wilcoxon"):
        return _classical(call, given, alternative)
    if call == "runs":
        from ..runs import permutation_test_runs

        return permutation_test_runs(
            given["u"], given["v"], design=given["design"], alternative=alternative
        )
    from ..permutation import permutation_test, sign_flip_test

    if call == "sign-flip":
        return sign_flip_test(given["d"], alternative=alternative)
    from ..swaps.metrics import f1_difference, ratio_difference
    from ..swaps.statistic import difference

    statistic = {"f1": f1_difference, "ratio": ratio_difference}.get(call, difference)
    groups = given.get("groups")
    return permutation_test(
        given["u"], given["v"], statistic=statistic, alternative=alternative, groups=groups
    )


def _classical(call: str, given: dict[str, Any], alternative: Any) -> PermutationTestResult:
    from ..classical import mcnemar_test, sign_test, wilcoxon_signed_rank_test

    if call == "mcnemar":
        return mcnemar_test(int(given["b"]), int(given["c"]), alternative=alternative)
    if call == "sign":
        return sign_test(given["u"], given["v"], alternative=alternative)
    method = given["zero_method"]
    return wilcoxon_signed_rank_test(
        given["u"], given["v"], zero_method=method, alternative=alternative
    )
