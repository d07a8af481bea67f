"""Answer the vectors with this package: the adapter that tests itself, and an example of one."""

from __future__ import annotations

from importlib import import_module
from math import inf

from .. import __version__
from .._types import Any

PACKAGE: Any = import_module(__package__.rpartition(".")[0])

ABOUT = {
    "implementation": {"name": "exactperm", "version": __version__, "language": "Python"},
    "numbers": "decimal",
}
"""The first answer of the adapter. Without "calls" it gets all of them."""

NAMES = {"wilcoxon": "wilcoxon_signed_rank_test", "runs": "permutation_test_runs"}
"""Functions that have another name than their call; what has no function of its own is a permutation test."""


def answer(call: str, given: dict[str, Any], alternative: Any) -> Any:
    """Return the p-value of a question, or the list of numbers that it is about."""
    if call == "adjust":
        return PACKAGE.adjust_pvalues(given["pvalues"], given["method"]).adjusted
    if call == "interval":
        options = {**given, "alternative": alternative}
        found = PACKAGE.confidence_interval(options.pop("d"), **options)
        lower, upper = found.lower or [-inf], found.upper or [inf]
        return [lower[0], upper[-1]]
    if call in ("null-distribution", "mid-p"):
        test, *columns = given
        result = tested(given[test], {name: given[name] for name in columns}, alternative)
        return result.midp if call == "mid-p" else [*result.null_distribution.items()]
    return tested(call, given, alternative).pvalue


def tested(call: str, given: dict[str, Any], alternative: Any) -> Any:
    """Return the result of a test; the names of an input are those of the function."""
    options = {**given, "alternative": alternative or "two-sided"}
    if call == "mcnemar":
        options.update(b=int(given["b"]), c=int(given["c"]))
    if call == "wilcoxon" and "d" in given:
        options["u"] = options.pop("d")
    if call in ("two-sample", "mann-whitney"):
        options.update(x=options.pop("u"), y=options.pop("v"))
    if call in ("f1", "ratio"):
        options["statistic"] = getattr(PACKAGE, f"{call}_difference")
    name = NAMES.get(call, f"{call.replace('-', '_')}_test")
    return getattr(PACKAGE, name, PACKAGE.permutation_test)(**options)
