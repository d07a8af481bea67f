"""How files are read: one value of all settings, and one table of them for every front end.

The options of the command line, the controls of the page and the settings of ``certify`` are made
from :data:`FIELDS`, and claims files take the choices of theirs from it. A new setting is a row
there and a field of :class:`Reading`, of one name, of one word. Claims take only some settings, and
list these (``auditing/store.py``). The settings of a :class:`~exactperm.errors.Cure` have the names
of these fields, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.reading import choice, whole_number
from ..errors import ExactPermError, WrongType
from ..record import Record

MOST_DECIMALS = 100


class Field(Record):
    """One setting of reading: its ``name``, the ``choices`` or ``metavar`` of its values, ``default`` and ``help``.

    ``column`` says that the value names columns or keys of the file, ``whole`` that it is a whole
    number, ``certified`` that certificates state what it decides.
    """

    name: str
    help: str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    default: str | None = None
    column: bool = False
    whole: bool = False
    certified: bool = False


FIELDS = (
    Field(
        name="columns",
        certified=True,
        metavar="LIST",
        help="columns to test, by names or numbers (from 1), such as baseline,new or 2,3; default: all",
        column=True,
    ),
    Field(
        name="key",
        metavar="NAME",
        help="column, or key of JSON records, of the score in every file",
        column=True,
    ),
    Field(
        name="id",
        certified=True,
        metavar="NAME",
        help="column or key of the items' ids, which join several files",
        column=True,
    ),
    Field(
        name="system",
        metavar="COLUMN",
        help="column of the systems' names in a long table, which has a row for each item and system",
        column=True,
    ),
    Field(name="score", metavar="COLUMN", help="column of the scores in a long table", column=True),
    Field(
        name="runs",
        choices=("within", "items", "systems"),
        help="what is exchanged where a system ran several times on each item: all runs of an item (within), the two "
        "blocks of its runs (items), or whole runs over all items (systems)",
    ),
    Field(
        name="run",
        metavar="COLUMN",
        help="column of the runs' ids (seed, epoch, rater), where each run has a row",
        column=True,
    ),
    Field(name="names", metavar="A,B", help="short names of the systems, for results and pictures"),
    Field(name="filter", metavar="NAME", help="answer filter of lm-evaluation-harness"),
    Field(
        name="missing",
        choices=("refuse", "drop"),
        default="refuse",
        help="what to do with an empty, NA, NaN or null score; drop: leave out its item, in all columns",
    ),
    Field(
        name="groups",
        certified=True,
        metavar="COLUMN",
        help="column of groups, such as documents: pairs of one group are swapped together",
        column=True,
    ),
    Field(
        name="weights",
        metavar="COLUMN",
        help="column of the items' weights: the weighted mean is tested",
        column=True,
    ),
    Field(
        name="tasks",
        metavar="COLUMN",
        help="column of tasks: the mean over tasks of the means over their items is tested",
        column=True,
    ),
    Field(
        name="delimiter",
        certified=True,
        metavar="D",
        default="auto",
        help="what separates the columns: comma, semicolon, tab, space or a character; default: detect",
    ),
    Field(
        name="decimal",
        certified=True,
        choices=("auto", "comma", "point"),
        default="auto",
        help="decimal mark; auto: a comma is one where it does not separate columns",
    ),
    Field(
        name="header",
        certified=True,
        choices=("auto", "yes", "no"),
        default="auto",
        help="whether the first row is a header",
    ),
    Field(
        name="comments",
        certified=True,
        choices=("auto", "yes", "no"),
        default="auto",
        help="whether lines that start with # are left out; auto: yes, except in files of labels",
    ),
    Field(
        name="decimals",
        certified=True,
        metavar="K",
        help="round the scores to K decimals first, which is another test",
        whole=True,
    ),
)
"""All settings of reading, in the order in which help lists them."""

FIELD = {field.name: field for field in FIELDS}


class Reading(Record):
    """What a user says of the files of a test; the same for all files. Values that are not given are defaults.

    ``columns`` lists names or numbers (from 1) of columns, ``key`` is one name, ``id`` the column
    that joins files or names items, ``groups`` that of the group labels, ``weights`` and ``tasks``
    those of the items' weights and tasks; a long table, with a row for each item and system, has
    the names of the systems in ``system`` and their scores in ``score``. ``runs`` says what is
    exchanged where each system ran several times on an item; a run has a row, with its id in
    ``run``, or a column. ``names`` are short names of the systems, in the order of their columns.
    ``filter`` is an answer filter of lm-evaluation-harness. ``header``, ``missing``, ``decimal``
    and ``comments`` are one of their choices in :data:`FIELDS`; ``delimiter`` is "auto", the name
    of a delimiter, or one character. ``decimals`` rounds scores, which is another question.
    Readings are hashable: what was read may be kept by them.

    >>> Reading(columns="2-4").words, Reading(key="acc").words
    (['2', '3', '4'], ['acc'])
    """

    columns: str | None = None
    key: str | None = None
    id: str | None = None
    groups: str | None = None
    weights: str | None = None
    tasks: str | None = None
    system: str | None = None
    score: str | None = None
    runs: str | None = None
    run: str | None = None
    names: str | None = None
    filter: str | None = None
    header: str = "auto"
    missing: str = "refuse"
    delimiter: str = "auto"
    decimal: str = "auto"
    comments: str = "auto"
    decimals: int | None = None

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Reading:
        """Return the reading of these values; None is the default. Errors name the field and the value.

        >>> Reading.of({"columns": "a,b", "header": None}).header
        'auto'
        """
        given = {name: value for name, value in values.items() if value is not None}
        for field in FIELDS:
            value = given.get(field.name)
            if value is None:
                continue
            if field.whole:
                whole_number(value, field.name, 0, MOST_DECIMALS)
            elif not isinstance(value, str):
                raise WrongType(f"{field.name} is {short_text(value)}: it must be text")
            elif field.name == "runs":
                from ..swaps.runs import check_design

                check_design(value, "runs")
            elif field.choices:
                choice(value, field.name, field.choices)
        return cls(**given)

    @property
    def words(self) -> list[str]:
        """Names or numbers of the columns that are chosen in every file; none for all columns."""
        if self.key is not None and self.columns is not None:
            raise ExactPermError(
                "key and columns exclude each other: columns lists one column or more"
            )
        if self.columns is not None:
            return [number for word in split_words(self.columns) for number in _span(word)]
        return [] if self.key is None else [self.key]

    @property
    def blocks(self) -> list[list[str]]:
        """The words of the columns, those of a span together: where runs are columns, each block is a system.

        >>> Reading(columns="2-4,9").blocks
        [['2', '3', '4'], ['9']]
        """
        if self.columns is None:
            return [[word] for word in self.words]
        return [_span(word) for word in split_words(self.columns)]

    @property
    def others(self) -> list[str]:
        """Columns that hold no scores."""
        return [
            word for word in (self.id, self.groups, self.weights, self.tasks) if word is not None
        ]

    def leaves_out_comments(self, kind: str) -> bool:
        """Whether lines that start with # are comments, in files of this kind of cells: some labels start so."""
        return self.comments == "yes" or (self.comments == "auto" and kind != "labels")


DEFAULT = Reading()
"""What is read where nothing is said."""


def split_words(columns: str) -> list[str]:
    """Split a list such as ``2,3``, ``2-5`` or ``"a, b",c``: one row of CSV."""
    import csv

    try:
        words = [
            word.strip() for word in next(csv.reader([columns], skipinitialspace=True, strict=True))
        ]
    except csv.Error:
        words = []
    if not words:
        raise ExactPermError(
            f"{short_text(columns)} is not a list of columns such as 2,3 or baseline,new"
        )
    return words


def _span(word: str) -> list[str]:
    """Return the numbers of columns that a span such as 2-5 stands for; any other word alone."""
    found = re.fullmatch(r"(\d{1,3})-(\d{1,3})", word, re.ASCII)
    return [str(i) for i in range(int(found[1]), int(found[2]) + 1)] if found else [word]
