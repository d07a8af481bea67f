"""Options that exclude each other: one table, checked before any work."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

from ..errors import Cure, ExactPermError
from ..files.answer import CLASSICAL
from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

_NOT_GIVEN: tuple[Any, ...] = (None, False, [], "auto", "refuse")
"""Values of options that are not given."""

_SHIFTED = ("difference", "signed-rank", "sign")
_CERTIFIED = ("difference", "signed-rank")
_UNKNOWN = "--{option} does not know the statistic {statistic}"
_UNKNOWN_METHOD = "--method {method} does not know the statistic {statistic}"
_BOTH = "--counts and --{option} exclude each other: "


class Rule(Record):
    """Some ``options``, refused with a ``message`` where the others given make ``excluded`` true."""

    options: tuple[str, ...]
    excluded: Callable[[Any], bool]
    message: str
    cure: Cure | None = None


def _rule(options: str, excluded: Callable[[Any], bool], message: str, **cured: str) -> Rule:
    return Rule(options=tuple(options.split()), excluded=excluded, message=message, cure=Cure(cured) if cured else None)


RULES = (
    _rule("counts", lambda a: a.statistic != "mcnemar", _UNKNOWN),
    _rule("groups", lambda a: a.statistic in CLASSICAL, _UNKNOWN),
    _rule("mu", lambda a: a.statistic not in _SHIFTED, _UNKNOWN),
    _rule("zeros", lambda a: a.statistic != "signed-rank", _UNKNOWN),
    _rule("mu", lambda a: a.decimals is not None, "--mu and --decimals exclude each other: round the file"),
    _rule("decimals", lambda a: a.statistic == "mcnemar", _UNKNOWN),
    _rule("files", lambda a: a.counts is not None, "--counts and the file {files[0]} exclude each other"),
    _rule("columns key id", lambda a: a.counts is not None, f"{_BOTH}without a file there are no columns"),
    _rule("missing", lambda a: a.counts is not None, f"{_BOTH}counts have no missing scores"),
    _rule("statistic", lambda a: not (a.files or a.counts), "name a file of scores, or --counts B,C for mcnemar"),
    _rule(
        "samples seed",
        lambda a: a.method != "monte-carlo",
        "the exact test draws no samples: --{option} is of another method",
        method="monte-carlo",
    ),
    _rule(
        "certificate digits midp",
        lambda a: a.method == "monte-carlo",
        "--{option} and --method monte-carlo exclude each other: it needs the exact count",
    ),
    _rule(
        "method",
        lambda a: a.method == "monte-carlo" and a.statistic in CLASSICAL,
        "the statistic {statistic} has an exact count of any size",
        method="auto",
    ),
    _rule("certificate", lambda a: a.statistic in CLASSICAL, _UNKNOWN),
    _rule("method", lambda a: a.method == "certified" and a.statistic not in _CERTIFIED, _UNKNOWN_METHOD),
    _rule(
        "method",
        lambda a: a.method not in ("exact", "certified") and a.statistic in CLASSICAL,
        _UNKNOWN_METHOD,
    ),
)
"""Rules of all commands on one statistic, in the order in which they are checked."""


def check(args: Namespace) -> None:
    """Raise ``ExactPermError`` where an option that is given is excluded by another."""
    said: Any = SimpleNamespace(**{"counts": None, "method": "auto", **vars(args)})  # not all commands have these
    for rule in RULES:
        for option in rule.options:
            if getattr(said, option, None) not in _NOT_GIVEN and rule.excluded(said):
                raise ExactPermError(rule.message.format(option=option, **vars(args)), code="options", cure=rule.cure)
