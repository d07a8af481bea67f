"""What can be said of files: settings of reading and statistics, a table of each for every front end.

The options of the command line, the controls of the page, the fields of claims and the settings of certificates are
made from :data:`FIELDS`. A new setting is a line of ``_SETTINGS`` and a field of :class:`Reading` of the same name, of one word.
The settings of a :class:`~exactperm.errors.Cure` have the names of these fields, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from .._types import Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..arithmetic.reading import choice, exact, flag, whole_number
from ..errors import ExactPermError, WrongType
from ..record import Record
from ..swaps.statistic import Statistic, difference

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


_SETTINGS = """\
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


FIELDS = tuple(map(_field, _SETTINGS.replace("\n    ", "  ").splitlines()))
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


def _check(name: str, value: object) -> None:
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


# ---------------------------------------------------------------------------------------------- words and cells

_BETWEEN_BLANKS = r"[^ \t\v\f]+"
"""Cells between blanks. Other white space is no delimiter: a no-break space may separate thousands."""

_QUOTED = re.compile(r'[^\S\t]*"([^"]*(?:""[^"]*)*)"[^\S\t]*')
"""A quoted cell, with the blanks around it."""

Row = list[str]


def cells(line: str, mark: str) -> Row | None:
    """Return the cells of a line between marks, without blanks around them; None where a quoted cell has no end.

    A blank stands for any run of blanks and tabs, "" for no mark. A quoted cell may hold marks and doubled quotes.

    >>> cells('a, "b,""c"" d"', ","), cells('"a,b', ",")
    (['a', 'b,"c" d'], None)
    """
    if mark == " ":
        return re.findall(_BETWEEN_BLANKS, line)
    if '"' not in line:
        return list(map(str.strip, line.split(mark))) if mark else [line.strip()]
    found = []
    at = 0
    while True:
        match = _QUOTED.match(line, at)
        if match is not None:
            cell = match[1].replace('""', '"')
            stop = match.end()
        elif line[at:].lstrip()[:1] == '"':
            return None
        else:
            stop = line.find(mark, at) if mark else -1
            stop = len(line) if stop < 0 else stop
            cell = line[at:stop]
        found.append(cell.strip())
        if stop == len(line):
            return found
        if not mark or line[stop] != mark:
            return None
        at = stop + 1


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


# ---------------------------------------------------------------------------------------------- statistics


class Form(Record):
    """What one statistic takes; ``library`` is its name in :mod:`exactperm.swaps.metrics`, "" for a difference.

    ``words`` describe it, ``noun`` a single value of it, ``level`` what a system reaches, "" for a mean; ``meaning``
    are the columns of two systems A and B, ``kind`` is that of their cells: "scores", "labels" or "counts"; ``numbers``
    are the possible numbers of columns, none for two systems or more. Counts come as two columns per system, which make
    pairs; F1 also takes tp, fp, fn.
    """

    name: str
    words: str
    noun: str
    level: str = ""
    meaning: str = "scores of A, B"
    kind: str = "scores"
    library: str = ""
    numbers: tuple[int, ...] = (2,)

    @property
    def statistic(self) -> Any:
        """The library's object: a statistic, or for accuracy the function that makes one."""
        if not self.library:
            return difference
        from ..swaps import metrics

        return getattr(metrics, self.library)

    def entries(
        self, columns: Sequence[Sequence[Any]]
    ) -> tuple[Statistic, list[object], list[object]]:
        """Return the statistic and its entries u and v. Differences d are compared with 0."""
        if self.kind == "labels":
            gold, u, v = columns
            return self.statistic(gold), list(u), list(v)
        if self.kind == "counts":
            if len(columns) == 6:
                columns = [columns[0], _sums(*columns[1:3]), columns[3], _sums(*columns[4:])]
            first, second, third, fourth = columns
            return self.statistic, list(zip(first, second)), list(zip(third, fourth))
        u, v = columns if len(columns) == 2 else (columns[0], ["0"] * len(columns[0]))
        return self.statistic, list(u), list(v)


def _sums(first: Sequence[str], second: Sequence[str]) -> list[Exact]:
    return [exact(a) + exact(b) for a, b in zip(first, second)]


SYSTEMS = Form(
    name="difference",
    words="difference of means",
    noun="a difference of means",
    meaning="one per system",
    numbers=(),
)
"""Scores of two systems or more, all pairs of which are compared."""

_STATISTICS = """\
difference | scores | 2   |           |                      | sum of the differences | a difference
mean       | scores | 2   |           | mean_difference      | mean difference | a mean difference
accuracy   | labels | 3   | accuracy  | accuracy             | difference of accuracies | a difference of accuracies
f1         | counts | 4 6 | F1        | f1_difference        | difference of F1 | a difference of F1
precision  | counts | 4   | precision | precision_difference | difference of precision | a difference of precision
recall     | counts | 4   | recall    | recall_difference    | difference of recall | a difference of recall
ratio      | counts | 4   | ratios of sums | ratio_difference | difference of ratios of sums | a difference of ratios of sums
wilcoxon   | scores | 2   |           |                      | rank sum W of the differences | a sum of ranks
sign       | scores | 2   |           |                      | number of wins minus losses | a difference in wins
mcnemar    | scores | 2   |           |                      | number of wins | a difference in wins
"""
"""Name, kind, numbers of columns, level, the library's object, words and noun of each statistic."""

_MEANINGS = {
    "accuracy": "right labels, then those of A and of B",
    "f1": "tp, fp, fn of A, then of B; or tp and fp + fn of A, then of B",
    "precision": "true and false positives of A, then of B",
    "recall": "true positives and false negatives of A, then of B",
    "ratio": "numerator and denominator of A, then of B",
}


def _form(line: str) -> Form:
    name, kind, numbers, level, library, words, noun = map(str.strip, line.split("|"))
    return Form(
        name=name,
        kind=kind,
        numbers=tuple(map(int, numbers.split())),
        level=level,
        library=library,
        words=words,
        noun=noun,
        meaning=_MEANINGS.get(name, "scores of A, B"),
    )


FORMS = {form.name: form for form in map(_form, _STATISTICS.splitlines())}
"""The statistics by their names."""

DIFFERENCE = FORMS["difference"]

MEANS = ("difference", "mean")
"""Statistics of means of scores."""

CLASSICAL = ("wilcoxon", "sign", "mcnemar")
"""Statistics of the classical tests, of columns as for the difference; McNemar's has scores 0 and 1."""
