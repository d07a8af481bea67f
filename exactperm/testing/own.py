"""Answer the vectors with this package: the adapter of ``exactperm verify --self``, and an example of one."""

from __future__ import annotations

from .. import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction
    from typing import Any

    from ..null.result import PermutationTestResult

ABOUT = {
    "implementation": {"name": "exactperm", "version": __version__, "language": "Python"},
    "numbers": "decimal",
}
"""The first answer of the adapter. Without "calls" it gets all of them."""


def answer(call: str, given: dict[str, Any], alternative: Any) -> Fraction | Sequence[Fraction]:
    """Return the p-value of a question, or the adjusted p-values."""
    if call == "adjust":
        from ..multiplicity import adjust_pvalues

        return adjust_pvalues(given["pvalues"], given["method"]).adjusted
    if call == "mid-p":
        return _tested(given["test"], given, alternative).midp
    return _tested(call, given, alternative).pvalue


def _tested(call: str, given: dict[str, Any], alternative: Any) -> PermutationTestResult:
    """Return the result of a test."""
    if call in ("sign", "mcnemar", "wilcoxon"):
        return _classical(call, given, alternative)
    if call == "runs":
        from ..runs import permutation_test_runs

        return permutation_test_runs(given["u"], given["v"], design=given["design"], alternative=alternative)
    from ..permutation import permutation_test, sign_flip_test

    if call == "sign-flip":
        return sign_flip_test(given["d"], alternative=alternative)
    from ..swaps.metrics import f1_difference, ratio_difference
    from ..swaps.statistic import difference

    statistic = {"f1": f1_difference, "ratio": ratio_difference}.get(call, difference)
    groups = given.get("groups")
    return permutation_test(given["u"], given["v"], statistic=statistic, alternative=alternative, groups=groups)


def _classical(call: str, given: dict[str, Any], alternative: Any) -> PermutationTestResult:
    from ..classical import mcnemar_test, sign_test, wilcoxon_signed_rank_test

    if call == "mcnemar":
        return mcnemar_test(int(given["b"]), int(given["c"]), alternative=alternative)
    if call == "sign":
        return sign_test(given["u"], given["v"], alternative=alternative)
    method = given["zero_method"]
    return wilcoxon_signed_rank_test(given["u"], given["v"], zero_method=method, alternative=alternative)
