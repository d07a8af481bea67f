"""Options that exclude each other: one table, checked before any work."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from .._types import Any, Namespace
from ..errors import Cure, ExactPermError
from ..files.forms import CLASSICAL

_SHIFTED = ("difference", "wilcoxon", "sign")
_OF_MEANS = ("difference", "mean")
COUNTED = ("sign", "mcnemar")
"""Statistics that are counted at any size, so that they need no bracket."""

_ABSENT: dict[str, Any] = {
    **dict.fromkeys(
        ("counts", "interval", "confidence", "precision", "runs", "mu", "distribution")
    ),
    **{"method": "auto", "statistic": "difference"},
}
"""Options that not all commands have."""

_UNKNOWN = "--{option} is of another statistic than {statistic}"
_SAMPLES = "the exact test draws no samples: --{option} is of another method"
_ANY_SIZE = "the statistic {statistic} has an exact count of any size"
_OF_RUNS = (
    "there is no interval of several runs: write the mean of the runs of each system as its score "
    "of an item, for an interval whose test swaps the runs of an item together"
)
_OF_A_TEST = "--{option} is of a test: an interval is of the plain difference of means"
_ESTIMATED = "--{option} and --method monte-carlo exclude each other: it needs the exact count"
_NO_FILE = "--counts and --{option} exclude each other: without a file there are no columns"

_Rule = tuple[str, Callable[[Any], bool], str]

RULES: tuple[_Rule, ...] = (
    (
        "interval",
        lambda a: a.statistic not in _OF_MEANS,
        "a difference of means alone has an interval; {statistic} has none",
    ),
    ("counts", lambda a: a.statistic != "mcnemar", _UNKNOWN),
    ("groups weights tasks", lambda a: a.statistic in CLASSICAL, _UNKNOWN),
    ("mu", lambda a: a.statistic not in _SHIFTED, _UNKNOWN),
    ("zeros", lambda a: a.statistic != "wilcoxon", _UNKNOWN),
    (
        "mu",
        lambda a: a.decimals is not None,
        "--mu and --decimals exclude each other: round the scores in the file",
    ),
    ("decimals", lambda a: a.statistic == "mcnemar", _UNKNOWN),
    (
        "files",
        lambda a: a.counts is not None,
        "--counts and the file {files[0]} exclude each other",
    ),
    ("columns id missing", lambda a: a.counts is not None, _NO_FILE),
    (
        "statistic",
        lambda a: not (a.files or a.counts),
        "name a file of scores, or --counts B,C for McNemar's test",
    ),
    ("samples seed", lambda a: a.method != "monte-carlo", _SAMPLES),
    ("weights tasks", lambda a: a.method == "monte-carlo", _ESTIMATED),
    ("weights tasks mu", lambda a: a.interval, _OF_A_TEST),
    ("runs run", lambda a: a.interval, _OF_RUNS),
    (
        "precision confidence",
        lambda a: not a.interval,
        "--{option} is of an interval: say --interval",
    ),
    (
        "certificate canonical digits midp interval distribution picture",
        lambda a: a.method == "monte-carlo",
        _ESTIMATED,
    ),
    (
        "canonical",
        lambda a: a.certificate is None,
        "--canonical saves the scores of a certificate: say --certificate FILE",
    ),
    ("method", lambda a: a.method == "monte-carlo" and a.statistic in CLASSICAL, _ANY_SIZE),
    ("certificate", lambda a: a.statistic in CLASSICAL, _UNKNOWN),
    ("method", lambda a: a.method == "certified" and a.statistic in COUNTED, _ANY_SIZE),
    (
        "method",
        lambda a: a.method not in ("exact", "certified") and a.statistic in CLASSICAL,
        "--method {method} is of another statistic than {statistic}",
    ),
)
"""Options, refused where a function of all that is given is true, and the message; in the order of
the checks."""

_CURES = {_SAMPLES: Cure({"method": "monte-carlo"}), _ANY_SIZE: Cure({"method": "auto"})}


def _is_given(value: Any) -> bool:
    """Whether an option has another value than where it is not given: 0 is one."""
    return value is not None and value is not False and value not in ([], "auto", "refuse")


def check(args: Namespace) -> None:
    """Raise ``ExactPermError`` where an option that is given is excluded by another."""
    said: Any = SimpleNamespace(**{**_ABSENT, **vars(args)})
    for names, excluded, message in RULES:
        for option in names.split():
            if _is_given(getattr(said, option, None)) and excluded(said):
                words = message.format(option=option, **vars(said))
                raise ExactPermError(words, code="options", cure=_CURES.get(message))
