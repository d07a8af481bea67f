"""Short names of the systems, in place of those of their columns and files; loaded where they are given."""

from __future__ import annotations

from collections.abc import Sequence

from ..arithmetic.quoting import short_text
from ..errors import ExactPermError
from .reading import split_words

_SHOWN = 6
"""Most systems that are named."""


def named(names: str, systems: Sequence[str]) -> tuple[str, ...]:
    """Return the given ``names`` of the ``systems``, in their order.

    Raises ``ExactPermError`` for more or fewer names than systems, and for two of the same name.

    >>> named("old, new", ["run_1.jsonl", "run_2.jsonl"])
    ('old', 'new')
    """
    given = tuple(split_words(names))
    if len(given) != len(systems):
        found = ", ".join(map(short_text, systems[:_SHOWN])) + ", ..." * (len(systems) > _SHOWN)
        need = (
            f"there are {len(systems)}: {found}"
            if systems
            else "a column of differences has no systems"
        )
        raise ExactPermError(f"names has {len(given)} of systems, but {need}", code="system-names")
    if len({*given}) < len(given) or "" in given:
        text = f"names is {short_text(names)}: each system needs a name of its own"
        raise ExactPermError(text, code="system-names")
    return given
