"""Serve a Python function over JSON lines; that of this package tests itself, and is an example of an adapter."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from fractions import Fraction
from importlib import import_module
from math import inf

from .. import __version__
from .._types import Any
from ..arithmetic.writing import exact_text
from ..files.json_text import loaded


def reply(answer: Callable[..., object], message: dict[str, object]) -> dict[str, object]:
    """Return the reply of a function to one question; its exceptions become messages, None means skipped."""
    try:
        p = answer(message["call"], message["input"], message["alternative"])
        if p is None:
            return {"skipped": "not supported"}
        told = p if isinstance(p, dict) else {"p": _plain(p)}
        json.dumps(told)
        return told
    except NotImplementedError as error:
        return {"skipped": str(error)}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}


def _plain(x: Any) -> Any:
    """Return a number, or a list, as JSON can hold it."""
    if isinstance(x, (list, tuple)) or getattr(x, "shape", False):
        return [_plain(each) for each in x]
    if isinstance(x, (int, Fraction)) and not isinstance(x, bool):
        return exact_text(x)
    return x if isinstance(x, (str, bool, float)) else float(x)  # numbers of array libraries


def main(module: str, function: str) -> None:
    """Answer questions until the input ends; what the function prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    home = import_module(module)
    answer = getattr(home, function)
    about = {"name": module, "language": "Python"}
    for line in sys.stdin:
        message = loaded(line)
        if message["cmd"] == "stop":
            return
        if message["cmd"] == "start":
            told = {"version": 1, "implementation": about, **getattr(home, "ABOUT", {})}
        else:
            told = {"id": message["id"], **reply(answer, message)}
        out.write(json.dumps(told) + "\n")
        out.flush()


# ---------------------------------------------------------------------------------------------- this package

PACKAGE: Any = import_module(__package__.rpartition(".")[0])

ABOUT = {
    "implementation": {"name": "exactperm", "version": __version__, "language": "Python"},
    "numbers": "decimal",
}
"""The first answer of the adapter. Without "calls" it gets all of them."""

NAMES = {"wilcoxon": "wilcoxon_signed_rank_test", "runs": "permutation_test_runs"}
"""Functions that have another name than their call; what has no function of its own is a permutation test."""


def answer(call: str, given: dict[str, Any], alternative: object) -> object:
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


def tested(call: str, given: dict[str, Any], alternative: object) -> Any:
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
