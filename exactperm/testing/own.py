"""Answer the vectors with this package: the adapter that tests itself, and an example of one."""

from __future__ import annotations

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

        level, groups = given["confidence"], given.get("groups")
        found = confidence_interval(
            given["d"], confidence=level, alternative=alternative, groups=groups
        )
        lower = -inf if found.lower is None else found.lower[0]
        return [lower, inf if found.upper is None else found.upper[1]]
    if call in ("null-distribution", "mid-p"):
        test, *columns = given
        result = tested(given[test], {name: given[name] for name in columns}, alternative)
        return result.midp if call == "mid-p" else [*result.null_distribution.items()]
    return tested(call, given, alternative).pvalue


def tested(call: str, given: dict[str, Any], alternative: Any) -> PermutationTestResult:
    """Return the result of a test; the names of an input are those of the function."""
    from .. import permutation, samples
    from ..classical import paired
    from ..swaps import metrics

    functions: dict[str, Any] = {
        "mcnemar": paired.mcnemar_test,
        "sign": paired.sign_test,
        "sign-flip": permutation.sign_flip_test,
        "wilcoxon": paired.wilcoxon_signed_rank_test,
        "runs": samples.permutation_test_runs,
        "two-sample": samples.two_sample_test,
        "mann-whitney": samples.mann_whitney_test,
        "sum": samples.sum_test,
    }
    options = {**given, "alternative": alternative or "two-sided"}
    if call == "mcnemar":
        options.update(b=int(given["b"]), c=int(given["c"]))
    if call == "wilcoxon" and "d" in given:
        options["u"] = options.pop("d")
    if call in ("two-sample", "mann-whitney"):
        options.update(x=options.pop("u"), y=options.pop("v"))
    if call in ("f1", "ratio"):
        options["statistic"] = getattr(metrics, f"{call}_difference")
    function = functions.get(call, permutation.permutation_test)
    result: PermutationTestResult = function(**options)
    return result
