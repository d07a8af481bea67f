"""The table of engines, by their names in ``method=``: a short count needs no more of the planner than these names.

Source: spec/09-own-theorems.md#own-plan.
"""

from __future__ import annotations

from ..arithmetic.reading import choice

# The module of each engine, and whether "auto" considers it for one count of pairs, for one of steps,
# and for a whole distribution, in this order: those that are the fastest on some shape of
# benchmarks/results/planner.md. The first one names short counts, which need no engine.
ENGINES = {
    "recurrence": ("recurrence", True, True, True),
    "packed": ("packed", True, True, True),
    "ntt": ("ntt", False, True, False),
    "meet-in-the-middle": ("meet_in_the_middle", True, True, False),
    "dp": ("dp", False, False, True),
    "enumeration": ("enumeration", False, False, False),
}
METHODS = ("auto", *ENGINES)


def first_of(method: str) -> str:
    """Return the name reported where no engine had to count."""
    return next(iter(ENGINES)) if method == "auto" else method


def check_reported(method: object) -> None:
    """Raise ``ExactPermError`` unless a result may have been counted by this engine, whether it can be chosen or not."""
    if method != "rows":
        check_method(method)


def check_method(method: object) -> None:
    """Raise ``ExactPermError`` unless ``method`` is "auto" or the name of an engine."""
    choice(method, "method", METHODS)
