"""Options that exclude each other, or that not every statistic has: tables that are checked before any work."""

from __future__ import annotations

from collections.abc import Iterator

from .._types import Any, Namespace
from ..errors import Cure, ExactPermError
from ..files.forms import CLASSICAL, FORMS

_MEANS = tuple(name for name in FORMS if name not in CLASSICAL)

OF_STATISTICS = {
    "counts": ("mcnemar",),
    "zeros": ("wilcoxon",),
    "mu": ("difference", "wilcoxon", "sign"),
    "interval": ("difference", "mean"),
    "unpaired": ("difference", "mean", "wilcoxon"),
    "decimals": tuple(name for name in FORMS if name != "mcnemar"),
    **dict.fromkeys(("groups", "weights", "tasks", "certificate"), _MEANS),
}
"""The statistics that an option is of; every other option is of all."""

OF_METHODS = {"auto": tuple(FORMS), "exact": tuple(FORMS), "certified": (*_MEANS, "wilcoxon")}
"""The statistics that a method is of; every other method is of those with sums of differences."""

NEEDED = {
    "samples": "method monte-carlo",
    "seed": "method monte-carlo",
    "precision": "interval",
    "confidence": "interval",
    "strata": "unpaired",
}
"""Options that need another one, with its value."""

APART = {
    "counts": "files columns id missing",
    "unpaired": "by differences runs run groups weights tasks mu zeros interval monte-carlo",
    "mu": "decimals",
    "interval": "weights tasks mu runs run",
    "monte-carlo": "weights tasks certificate digits midp interval distribution picture",
}
"""Options, and a method, that exclude others."""


def check(args: Namespace) -> None:
    """Raise ``ExactPermError`` where an option that is given is excluded by another."""
    said = {name: value for name, value in vars(args).items() if _is_given(value)}
    statistic, method = said.get("statistic", "difference"), said.get("method", "auto")
    if method == "monte-carlo":
        said[method] = True
    for wrong in _faults(said, statistic):
        raise ExactPermError(wrong, code="options")
    unpaired = "unpaired" in said
    known = OF_METHODS.get(method, () if unpaired else _MEANS)
    if statistic not in known or (unpaired and method == "certified" and statistic in CLASSICAL):
        of = f"the statistic {statistic}{' of two samples' if unpaired else ''}"
        cure = Cure({"method": "auto"})
        raise ExactPermError(f"{of} has no method {method}", code="options", cure=cure)


def _faults(said: dict[str, Any], statistic: str) -> Iterator[str]:
    """Yield what is wrong with the options that are given."""
    if not said.keys() & {"files", "counts"}:
        yield "name a file of scores, or --counts B,C for McNemar's test"
    for option, needed in NEEDED.items():
        name, _, value = needed.partition(" ")
        if option in said and str(said.get(name)) != (value or "True"):
            yield f"--{option} needs --{needed}"
    for option, others in APART.items():
        for other in others.split():
            if {option, other} <= said.keys():
                yield f"{_typed(option, said)} and {_typed(other, said)} exclude each other"
    for option, statistics in OF_STATISTICS.items():
        if option in said and statistic not in statistics:
            yield f"--{option} is not for --statistic {statistic}, but for {', '.join(statistics)}"


def _is_given(value: Any) -> bool:
    """Whether an option has a value: 0 is one."""
    return value is not None and value is not False and value != []


def _typed(name: str, said: dict[str, Any]) -> str:
    if name == "files":
        return f"the file {said[name][0]}"
    return "--method monte-carlo" if name == "monte-carlo" else f"--{name}"
