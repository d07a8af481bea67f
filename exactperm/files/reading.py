"""Settings of reading files: one value of all of them, and one table for every front end.

The options of the command line, the controls of the page, the fields of claims and the settings of certificates are
made from :data:`FIELDS`. A new setting is a row there and a field of :class:`Reading` of the same name, of one word.
The settings of a :class:`~exactperm.errors.Cure` have the names of these fields, too.
"""

from __future__ import annotations

from collections.abc import Mapping

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import choice, flag, whole_number
from ..errors import ExactPermError, WrongType
from ..record import Record
from .cells import cells

_MOST_DECIMALS = 100


class Field(Record):
    """One setting of reading: ``name``, ``help`` and the ``kind`` of its values.

    ``kind`` is "columns" (a list of names), "column" (one name), "choice" (one of ``choices``), "flag", "whole" (a
    whole number) or "text"; ``metavar`` stands for the value in help. ``certified`` settings are those that
    certificates state.
    """

    name: str
    kind: str
    help: str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    certified: bool = False


_TABLE = """\
columns LIST*
    columns that are compared, by names or numbers from 1, such as baseline,new; of several files the one that each has,
    or one of each; columns of runs are joined by +; all: every column of numbers
id COLUMN*          column of the items' ids, which join several files
by {row}            row: several files have the same items in the same rows
differences         one column has the differences of two systems
system COLUMN
    column of the systems' names in a long table: a row for each item and system
score COLUMN        column of the scores in a long table
runs {within,items,systems}
    what is exchanged where a system ran several times on each item: all runs of an item (within), the two blocks of its
    runs (items), or whole runs over all items (systems)
run COLUMN
    column of the runs' ids (seed, epoch, rater), where each run has a row
names A,B           short names of the systems, for results and pictures
groups COLUMN*
    column of groups, such as documents: pairs of one group are swapped together
weights COLUMN      column of the items' weights: the weighted mean is tested
tasks COLUMN
    column of tasks: the mean over tasks of the means over their items is tested
missing {refuse,drop}
    leave out each item of which a score is missing (refused unless said)
total {keep,drop}
    a last row that is the sum or the mean of all others: an item, or left out
header {yes,no}*    whether the first row has the names of the columns
delimiter D*
    what separates the columns: comma, semicolon, tab, space or a character; else the first of tab, semicolon and comma
    that the first line has
decimal {point,comma}
    the decimal mark (point)
comments {yes,no}  whether lines that start with # are left out
encoding NAME       encoding of the text, such as cp1252 (UTF-8)
records KEY         key of the list of records in a JSON object, such as a.b
filter NAME         answer filter of lm-evaluation-harness
decimals K         round the scores to K decimals first, which is another test
"""
"""Name, value and help of each setting, in the order in which help lists them; certificates state those with a star."""

_KINDS = {"LIST": "columns", "COLUMN": "column", "K": "whole", "": "flag"}


def _field(line: str) -> Field:
    names, _, help = line.partition("  ")
    name, _, value = names.rstrip("*").partition(" ")
    choices = tuple(value[1:-1].split(",")) if value[:1] == "{" else ()
    return Field(
        name=name,
        kind="choice" if choices else _KINDS.get(value, "text"),
        help=" ".join(help.split()),
        metavar="" if choices else value,
        choices=choices,
        certified=names.endswith("*"),
    )


FIELDS = tuple(map(_field, _TABLE.replace("\n    ", "  ").splitlines()))
"""All settings of reading, in the order in which help lists them."""

FIELD = {field.name: field for field in FIELDS}


class Reading(Record):
    """What a user says of the files of a test; the same for all files. None, or False, is what is not said.

    >>> Reading.of({"columns": '"a,b",c', "header": None}).words
    ('a,b', 'c')
    """

    columns: str | None = None
    id: str | None = None
    by: str | None = None
    differences: bool = False
    system: str | None = None
    score: str | None = None
    runs: str | None = None
    run: str | None = None
    names: str | None = None
    groups: str | None = None
    weights: str | None = None
    tasks: str | None = None
    missing: str | None = None
    total: str | None = None
    header: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    comments: str | None = None
    encoding: str | None = None
    records: str | None = None
    filter: str | None = None
    decimals: int | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Reading:
        """Return the reading of these values; None is not said. Errors name the setting and the value.

        Raises ``WrongType`` for an unknown setting or a value of another type, ``ExactPermError`` for another value,
        and where one setting excludes another.

        >>> Reading.of({"columns": "a,b", "header": None}).header is None
        True
        """
        given = {name: value for name, value in values.items() if value is not None}
        for name, value in given.items():
            _check(name, value)
        reading = cls(**given)
        for one, other in _APART:
            if getattr(reading, one) and getattr(reading, other):
                raise ExactPermError(f"{one} and {other} exclude each other", code="settings")
        return reading

    @property
    def every(self) -> bool:
        """Whether every column of numbers is compared."""
        return self.columns == "all"

    @property
    def words(self) -> tuple[str, ...]:
        """The columns that are named, in their order; none where nothing is said, or every column is meant."""
        return () if self.every else tuple(split_words(self.columns, "columns"))

    @property
    def beside(self) -> tuple[str, ...]:
        """The columns that are named as something else than scores."""
        said = [getattr(self, field.name) for field in FIELDS if field.kind == "column"]
        return tuple(word for word in said if word is not None)


_APART = (
    ("id", "by"),
    ("runs", "groups"),
    ("runs", "tasks"),
    ("runs", "differences"),
)
"""Settings that exclude each other."""


def _check(name: str, value: Any) -> None:
    """Raise an error unless a setting has this name and takes this value."""
    if name not in FIELD:
        raise WrongType(f"there is no setting {short_text(name)}: choose from {', '.join(FIELD)}")
    field = FIELD[name]
    if field.kind == "whole":
        whole_number(value, name, 0, _MOST_DECIMALS)
    elif field.kind == "flag":
        flag(value, name)
    elif not isinstance(value, str):
        raise WrongType(f"{name} is {short_text(value)}: it must be text")
    elif name == "runs":
        from ..swaps.runs import check_design

        check_design(value, name)
    elif field.choices:
        choice(value, name, field.choices)


def split_words(text: str | None, name: str) -> list[str]:
    """Return the words of a list such as ``2,3`` or ``"a, b",c``: one row of CSV; errors have the setting's ``name``.

    >>> split_words('"a, b",c', "columns")
    ['a, b', 'c']
    """
    words = [] if text is None else cells(text, ",")
    if words is None or "" in words:
        raise ExactPermError(
            f"{name} is {short_text(text)}: it must be a list such as A,B", code="settings"
        )
    return words


def joined_words(words: list[str] | tuple[str, ...]) -> str:
    """Return words as a list that :func:`split_words` splits.

    >>> joined_words(["a, b", "c"])
    '"a, b",c'
    """
    return ",".join(
        '"{}"'.format(word.replace('"', '""')) if {*',"'} & {*word} else word for word in words
    )
