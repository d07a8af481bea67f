"""Choose the columns that are compared: those that the reading names, or the only ones that can be meant.

Without a word a number needs exactly one reading of its file, found without judging the meaning of a name: one file
with exactly two columns of numbers, neither of which may number the items, and whose columns of text are all different
in every row; or files of one column each. All else is
asked, with the listing of the columns. What is named is believed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..arithmetic.quoting import printable, short_text
from ..errors import Cure
from ..record import Record
from . import numbers
from .listing import Ask, Table, quoted, which
from .reading import Reading, joined_words

ALL = "all"
"""The word for every column of numbers."""


class Need(Record):
    """What a statistic takes: ``kind`` of cells ("scores", "labels" or "counts"), and its ``meaning`` for people.

    ``numbers`` are the possible numbers of columns of one file, None for two or more systems.
    """

    kind: str
    meaning: str
    numbers: tuple[int, ...] | None = (2,)

    def of_each(self, files: int) -> tuple[int, ...]:
        """Return the possible numbers of columns of each of several files."""
        if self.kind == "labels":
            return (2,) if files == 2 else (1,)
        return tuple(number // 2 for number in self.numbers or (2,))


class Part(Record):
    """The columns of one file by their places: those that are compared, and others, each -1 where there is none."""

    table: Table
    columns: tuple[int, ...]
    id: int = -1
    run: int = -1
    groups: int = -1
    weights: int = -1
    tasks: int = -1
    strata: int = -1

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns that are compared."""
        return tuple(map(self.table.title, self.columns))


def choose(tables: Sequence[Table], reading: Reading, need: Need) -> list[Part]:
    """Return the columns of each file that are compared, and those that the reading names beside them.

    Raises ``Ask`` where nothing is named and more than one choice is left, or none, where a name is of no column, and
    where a file or a column would be compared with itself.
    """
    check_twice(tables)
    if len(tables) == 1:
        return [part_of(tables[0], _alone(tables[0], reading, need), reading)]
    most = 3 if need.kind == "labels" else 2
    if need.numbers is not None and len(tables) > most:
        text = f"{len(tables)} files: two systems are compared"
        raise Ask(text, code="systems", answers=(Cure(command="compare", words="for all pairs"),))
    chosen = _of_each(tables, reading, need)
    parts = [part_of(table, columns, reading) for table, columns in zip(tables, chosen)]
    alike = all(part.id >= 0 for part in parts)
    if not alike and reading.by is None and any(table.width > 1 for table in tables):
        raise which(
            tables[0],
            "id",
            "which names the items, for joining the files?",
            "id",
            reading.decimal,
            *_ids(parts),
        )
    return parts


def part_of(table: Table, columns: Sequence[int], reading: Reading) -> Part:
    """Return the part of a table with these columns, and those that the reading names for other uses."""
    named = {}
    for role in ("id", "run", "groups", "weights", "tasks", "strata"):
        word = getattr(reading, role)
        named[role] = -1 if word is None else place_of(table, word, role)
    if table.id >= 0 and reading.id is None and reading.by is None:
        named["id"] = table.id
    if table.run >= 0 and reading.run is None:
        named["run"] = table.run
    part = Part(table=table, columns=tuple(columns), **named)
    again = next((i for i in columns if columns.count(i) > 1 or i == part.id), None)
    if again is not None:
        text = (
            f"{printable(table.name)}: the column {short_text(table.title(again))} is named twice"
        )
        raise Ask(text, code="twice", argument="columns")
    return part


def place_of(table: Table, word: str, argument: str) -> int:
    """Return the place of the column that a word names: by its name or, in a file of rows, its number from 1."""
    number = table.names.count(word)
    if number == 1:
        return table.names.index(word)
    if number == 0 and table.form == "table" and word.isdecimal() and 0 < int(word) <= table.width:
        return int(word) - 1
    what = f"{number} columns are named" if number else "no column is named"
    there = quoted([table.title(i) for i in range(table.width)])
    text = f"{printable(table.name)}: {what} {short_text(word)}; there are {there}"
    raise Ask(text, code="columns", argument=argument)


def check_twice(tables: Sequence[Table]) -> None:
    """Raise ``Ask`` where a file would be compared with itself."""
    known: dict[str, str] = {}
    for table in tables:
        if table.sha256 in known:
            text = f"{printable(known[table.sha256])} and {printable(table.name)} have the same content"
            raise Ask(text, code="twice")
        known[table.sha256] = table.name


def columns_of_numbers(
    table: Table, reading: Reading, *, every: bool = False
) -> tuple[dict[int, Sequence[str]], bool]:
    """Return the columns of numbers that are not named for other uses, and whether all others name the rows.

    These have a different text in every row, or nothing at all; where ``every`` column of numbers is
    wanted, any texts.
    """
    beside = {place_of(table, word, "columns") for word in reading.beside} | {table.id, table.run}
    found: dict[int, Sequence[str]] = {}
    pure = True
    for i in range(table.width):
        if i not in beside:
            read = numbers.read(table.columns[i], reading.decimal)
            none = len(read.wrong) + len(read.missing)
            if not read.wrong and none < table.rows:
                found[i] = read.texts
            elif read.wrong:
                different = every or table.rows == len({*table.columns[i]})
                pure = pure and none == table.rows and different
    return found, pure


# ---------------------------------------------------------------------------------------------- one file


def _alone(table: Table, reading: Reading, need: Need) -> list[int]:
    """Return the columns of the only file."""
    words = reading.words
    if need.kind != "scores":
        if len(words) not in (need.numbers or ()):
            what = f"which hold {need.meaning}?"
            raise which(table, "columns", what, "columns", reading.decimal)
        return [place_of(table, word, "columns") for word in words]
    if words and words != (ALL,):
        columns = [place_of(table, word, "columns") for word in words]
    else:
        columns = _bare(table, reading, every=words == (ALL,))
    wanted = 1 if reading.differences else 2
    if len(columns) == 1 and wanted == 2:
        raise Ask(
            f"{printable(table.name)}: one column: differences, or the scores of one system, whose other file is missing?",
            code="differences",
            argument="differences",
            answers=(
                Cure({"differences": "yes"}, words="for differences"),
                Cure(words="name the file of the other system, too"),
            ),
        )
    if len(columns) > wanted and (reading.differences or need.numbers is not None):
        text = f"{printable(table.name)}: {len(columns)} columns are named, but "
        if reading.differences:
            raise Ask(f"{text}differences are in one", code="columns", argument="columns")
        cure = Cure(command="compare", words="for all pairs")
        raise Ask(f"{text}a test compares two", code="columns", argument="columns", answers=(cure,))
    return columns


def _bare(table: Table, reading: Reading, *, every: bool) -> list[int]:
    """Return the columns of numbers, where they are the only ones that can be meant, or are said to be."""
    found, pure = columns_of_numbers(table, reading, every=every)
    answers = _answers(table, reading)
    wanted = 1 if reading.differences else 2
    if table.width == 1 and not answers:
        return [0]
    if pure and found and every:
        return [*found]
    if pure and len(found) in (1, wanted):
        items = [numbers.number_items(filter(None, texts)) for texts in found.values()]
        if len(found) == 1 or table.id >= 0 or not any(items):
            return [*found]
    raise _asked(table, "which are compared?", reading)


def _asked(table: Table, what: str, reading: Reading, answers: Sequence[Cure] = ()) -> Ask:
    """Return the question which columns are compared, or whether commas are decimal marks where some may be."""
    found = answers or _answers(table, reading)
    if found and "decimal" in found[0].settings:
        what = "are the commas decimal marks?"
        return which(table, "decimal", what, "decimal", reading.decimal, *found)
    return which(table, "columns", what, "columns", reading.decimal, *found)


def _answers(table: Table, reading: Reading) -> list[Cure]:
    """Return the setting that reads the cells, where one of two is the only one that can be meant."""
    if reading.decimal is None and any(map(numbers.decimal_commas, table.columns)):
        return [Cure({"decimal": "comma"}, words="reads numbers such as 0,5")]
    if table.width == 1 and table.form == "table" and reading.delimiter is None:
        widths = {len(cell.split()) for cell in (*filter(None, table.names), *table.columns[0])}
        if len(widths) == 1 and widths.pop() > 1:
            return [Cure({"delimiter": "space"}, words="where blanks separate columns")]
    return []


# ---------------------------------------------------------------------------------------------- several files


def _of_each(tables: Sequence[Table], reading: Reading, need: Need) -> list[list[int]]:
    """Return the columns of each of several files: those of the same names, or one name for each file."""
    words = reading.words
    numbers_of = need.of_each(len(tables))
    if words and words != (ALL,):
        if numbers_of == (1,) and len(words) == len(tables):
            return [[place_of(table, word, "columns")] for table, word in zip(tables, words)]
        if len(words) not in numbers_of:
            need_of = " or ".join(map(str, numbers_of))
            text = f"{len(words)} columns are named, but of {len(tables)} files each has {need_of}"
            raise Ask(text, code="columns", argument="columns")
        return [[place_of(table, word, "columns") for word in words] for table in tables]
    if 1 in numbers_of and all(table.width == 1 for table in tables):
        return [[0] for _table in tables]
    known = all(table.id >= 0 for table in tables)
    found = (
        [[*columns_of_numbers(table, reading)[0]] for table in tables]
        if known and need.kind == "scores"
        else []
    )
    if found and all(len(some) == 1 for some in found):
        return found
    answers = _columns_and_ids(tables, reading) if need.kind == "scores" else []
    what = "which is compared?" if need.kind == "scores" else f"which hold {need.meaning}?"
    raise _asked(tables[0], what, reading, answers)


def _columns_and_ids(tables: Sequence[Table], reading: Reading) -> list[Cure]:
    """Return the only choice of a column of numbers and of the ids of the same items, if there is just one."""
    found = [columns_of_numbers(table, reading) for table in tables]
    words = {table.word(i) for table, (some, _pure) in zip(tables, found) for i in some}
    if len(words) != 1 or not all(pure and len(some) == 1 for some, pure in found):
        return []
    settings = {"columns": joined_words([*words])}
    if reading.id is None and reading.by is None:
        ids = _ids(
            [Part(table=table, columns=tuple(some)) for table, (some, _pure) in zip(tables, found)]
        )
        settings.update(ids[0].settings if ids else {})
        return [Cure(settings)] if ids else []
    return [Cure(settings)]


def _ids(parts: Sequence[Part]) -> list[Cure]:
    """Return the only column of ids that are different in each file and the same in all, if there is just one."""
    first = parts[0]
    names = [name for i, name in enumerate(first.table.names) if name and i not in first.columns]
    shared = [name for name in names if all(part.table.names.count(name) == 1 for part in parts)]
    fits = []
    for name in shared:
        columns = [part.table.columns[part.table.names.index(name)] for part in parts]
        items = {*columns[0]}
        if "" not in items and all(
            len(cells) == len(items) == len({*cells} & items) for cells in columns
        ):
            fits.append(name)
    return [Cure({"id": fits[0]})] if len(fits) == 1 else []
