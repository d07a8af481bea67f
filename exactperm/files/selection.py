"""Choose the columns that a test needs from one file, or join those of several files.

Nothing is guessed in silence: a selection says which line of each file was a header and how many
pairs were left out, and a file that can be read in two ways is refused with the settings that
decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import ExactPermError
from ..record import Record
from . import checks, numbers, pairing
from .checks import Note
from .parts import Part, View, part_of
from .reading import DEFAULT, Reading
from .tables import Table


class Selection(Record):
    """The columns of a test: their ``names``, the ``columns`` of their cells, the ``labels`` of groups or None.

    ``weights`` and ``tasks`` are those of the items, or None.
    ``parts`` are the files with the places of these columns, ``dropped`` the number of pairs left
    out because a score is missing, ``comma`` says whether the first file has decimal commas.
    ``notes`` are warnings of checks.
    """

    parts: tuple[Part, ...]
    columns: list[list[str]]
    labels: list[str] | None
    dropped: int
    comma: bool
    weights: list[str] | None = None
    tasks: list[str] | None = None
    notes: tuple[Note, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, with those of their files where there are several."""
        return tuple(name for part in self.parts for name in part.names(joined=len(self.parts) > 1))


def select(
    tables: Sequence[Table],
    allowed: Sequence[int],
    meaning: str,
    reading: Reading = DEFAULT,
    *,
    kind: str = "scores",
    roles: tuple[str, ...] = (),
) -> Selection:
    """Return the columns that a test needs, those of all files side by side.

    ``allowed`` are the numbers of columns that the test takes, ``meaning`` says for messages what
    they hold. Cells of the ``kind`` "scores" and "counts" (never negative) are checked and returned
    as texts that ``exact`` reads, with a decimal point, true and false as 1 and 0; "labels" are
    returned as written. ``roles`` are what the two counts of each system must hold. Without a
    choice all columns are taken but those of groups and ids. Several files are joined by their ids,
    which must be the same, or else by position. With ``missing`` "drop" a pair is left out of all
    columns where one of its cells is missing. Raises ``ExactPermError`` where a check of
    :data:`exactperm.files.checks.CHECKS` refuses.
    """
    parts = tuple([_part(table, reading, kind, allowed) for table in tables])
    view = View(parts=parts, reading=reading, kind=kind, roles=roles)
    number = sum(len(part.chosen) for part in parts)
    if number not in allowed:
        raise _wrong_number(view, allowed, meaning, number)
    notes = list(checks.run(view))
    rows = pairing.rows_of(parts, reading)
    before = len(rows[0])
    if reading.missing == "drop":
        rows = pairing.complete(parts, rows, kind)
    read = [numbers.columns(part, some, kind) for part, some in zip(parts, rows)]
    return Selection(
        parts=parts,
        columns=[column for columns, _comma in read for column in columns],
        labels=None if reading.groups is None else pairing.labels(parts, rows, "group"),
        weights=None if reading.weights is None else pairing.weights(parts, rows),
        tasks=None if reading.tasks is None else pairing.labels(parts, rows, "task"),
        dropped=before - len(rows[0]),
        comma=read[0][1],
        notes=tuple(notes),
    )


def _part(table: Table, reading: Reading, kind: str, allowed: Sequence[int]) -> Part:
    """Return the part of one file; a column that it does not have is answered with those it has."""
    try:
        return part_of(table, reading, kind, allowed)
    except ExactPermError as error:
        if error.code != "column" or error.cure is not None or not reading.words:
            raise
        plain = Reading(id=None, groups=None)
        part = part_of(table, plain, kind, allowed)
        from . import suggestions

        cure = suggestions.of_other_columns(
            View(parts=(part,), reading=plain, kind=kind), (len(reading.words),)
        )
        fits = (
            cure is not None
            and not cure.command
            and {*cure.settings} == {"columns"}
            and len(reading.words) == 2
        )
        only = fits and len([c for c in part.columns if c.kind == "score"]) == 2
        numbers = [
            re.findall(r"\d+", word)
            for word in (cure.settings["columns"] if only and cure else "").split(",")
        ]
        # run_2 is not meant by run_3
        same = numbers == [re.findall(r"\d+", word) for word in reading.words]
        raise ExactPermError(
            str(error), code=error.code, cure=cure if only and same else None
        ) from None


def _wrong_number(view: View, allowed: Sequence[int], meaning: str, number: int) -> ExactPermError:
    """Return the error for a number of columns that the test does not take."""
    from . import suggestions

    try:
        checks.run(view, only=("long-table", "runs"))
    except ExactPermError as error:
        return error
    need = " or ".join(map(str, allowed)) if len(allowed) < 3 else f"{allowed[0]} to {allowed[-1]}"
    names = ", ".join(part.table.name for part in view.parts)
    widest = max((part.table for part in view.parts), key=lambda table: table.width)
    return ExactPermError(
        f"{names}: the test needs {need} columns ({meaning}), not {number}; {widest.listed()}",
        code="columns",
        cure=suggestions.of_columns(view, allowed),
    )
