"""Options that exclude each other, or that not every statistic has: three tables, checked before any work."""

from __future__ import annotations

from .._types import Any, Namespace
from ..errors import Cure, ExactPermError
from ..files.forms import CLASSICAL, FORMS

_MEANS = tuple(name for name in FORMS if name not in CLASSICAL)
_SHIFTED = "difference", "wilcoxon", "sign"

OF_STATISTICS = {
    "counts": ("mcnemar",),
    "zeros": ("wilcoxon",),
    "mu": _SHIFTED,
    "interval": ("difference", "mean"),
    "unpaired": ("difference", "mean", "wilcoxon"),
    "decimals": tuple(name for name in FORMS if name != "mcnemar"),
    **dict.fromkeys(("groups", "weights", "tasks", "certificate"), _MEANS),
}
"""The statistics that an option is of; every other option is of all."""

OF_METHODS = {
    "monte-carlo": _MEANS,
    "certified": (*_MEANS, "wilcoxon"),
    "auto": tuple(FORMS),
    "exact": tuple(FORMS),
}
"""The statistics that a method is of; an engine counts those of :data:`_MEANS`."""

NEEDED = {
    "samples": ("method", "monte-carlo"),
    "seed": ("method", "monte-carlo"),
    "precision": ("interval", True),
    "confidence": ("interval", True),
    "strata": ("unpaired", True),
}
"""Options that need another with a value."""

APART = (
    ("counts", "files columns id missing"),
    ("unpaired", "by differences runs run groups weights tasks mu zeros interval certificate"),
    ("mu", "decimals"),
    ("interval", "weights tasks mu runs run"),
    ("monte-carlo", "weights tasks certificate digits midp interval distribution picture"),
)
"""Options of which the first excludes the others; also a method."""


def check(args: Namespace) -> None:
    """Raise ``ExactPermError`` where an option that is given is excluded by another."""
    said = {name: value for name, value in vars(args).items() if _is_given(value)}
    statistic, method = said.get("statistic", "difference"), said.get("method", "auto")
    if not args.files and "counts" not in said:
        raise _refused("name a file of scores, or --counts B,C for McNemar's test")
    for option, (other, value) in NEEDED.items():
        if option in said and said.get(other) != value:
            typed = f"--{other}" if value is True else f"--{other} {value}"
            raise _refused(f"--{option} needs {typed}")
    for option, others in APART:
        for other in others.split():
            if other in said and (option in said or option == method):
                names = [_typed(name, said) for name in (option, other)]
                raise _refused(f"{' and '.join(names)} exclude each other")
    for option, statistics in OF_STATISTICS.items():
        if option in said and statistic not in statistics:
            known = f"it is of {', '.join(statistics)}"
            raise _refused(f"{_typed(option, said)} is not of the statistic {statistic}: {known}")
    unpaired = "unpaired" in said and method not in ("auto", "exact")
    if unpaired or statistic not in OF_METHODS.get(method, _MEANS):
        cure = Cure({"method": "auto"})
        what = "a test of two samples" if unpaired else f"the statistic {statistic}"
        raise _refused(f"{what} has no method {method}", cure)


def _is_given(value: Any) -> bool:
    """Whether an option has a value: 0 is one."""
    return value is not None and value is not False and value != []


def _typed(name: str, said: dict[str, Any]) -> str:
    if name == "files":
        return f"the file {said['files'][0]}"
    return "--method monte-carlo" if name == "monte-carlo" else f"--{name}"


def _refused(message: str, cure: Cure | None = None) -> ExactPermError:
    return ExactPermError(message, code="options", cure=cure)
