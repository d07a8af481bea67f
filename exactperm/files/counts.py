"""The check of counts: whether the names of columns promise what their places need."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..arithmetic.quoting import short_text
from ..errors import Cure
from .cells import role, system
from .parts import View
from .suggestions import of_allowed_columns


def misplaced(view: View) -> Iterator[tuple[str, Cure | None]]:
    """Yield counts in the place of others by their names, or of both systems in one place."""
    names = [part.table.heading(i) for part in view.parts for i in part.chosen]
    yield from _unknown_roles(view, names)
    needed = 2 * (("tp", "fp", "fn") if len(names) == 6 else view.roles)
    for name, need in zip(names, needed):
        if role(name) not in ("", need):
            found = "other counts" if role(name) == "other" else role(name)
            yield (
                f"the column {short_text(name)} holds {found} by its name, but {need} is needed in its place",
                of_allowed_columns(view, (4, 6)),
            )
    half = len(names) // 2
    if len(view.parts) == 1:
        first, second = [{*map(system, some)} - {""} for some in (names[:half], names[half:])]
        if len(first) > 1 or len(second) > 1 or (first and first == second):
            yield (
                "columns of one system are mixed with those of the other, by their names",
                of_allowed_columns(view, (4, 6)),
            )


def _unknown_roles(view: View, names: Sequence[str]) -> Iterator[tuple[str, Cure | None]]:
    """Yield a column whose name may say what is counted, in words that are not known, unless chosen by its number."""
    by_number = bool(view.reading.words) and all(map(str.isdecimal, view.reading.words))
    half = len(names) // 2
    words = [
        {*re.split(r"[\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())} for name in names
    ]
    shared = [
        {word for word in a & b if word.isalpha()} for a, b in zip(words[:half], words[half:])
    ]
    own = all(shared) and len(set(map(frozenset, shared))) == half
    unknown = [name for name in names if name and not role(name)]
    if unknown and not by_number and (len(unknown) < len(names) or own):
        text = f"what the column {short_text(unknown[0])} counts is not known by its name"
        yield (
            text,
            Cure(
                words=f"name columns as {', '.join(view.roles)} of each system, or choose them by number"
            ),
        )
