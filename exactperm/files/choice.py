"""Choose what is compared: the columns that the reading names, or the only ones that can be meant.

Without a word a number needs exactly one reading of its file, found without judging the meaning of a name: one file
with exactly two columns of numbers, neither of which may number the items, and whose columns of text are all different
in every row; or files of one column each. All else is asked, with the listing of the columns. What is named is
believed.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..arithmetic.quoting import printable, short_text
from ..errors import Cure
from ..record import Record, replaced
from .reading import Form, Reading
from .table import Ask, Table, decimal_commas, number_items, quoted, which

_ROLES = ("id", "run", "groups", "weights", "tasks")
"""Settings that name a column beside the scores, in every file."""

Block = tuple[int, ...]
"""The columns of one system, or of its labels or counts; several are runs."""


class Series(Record):
    """The cells of one system, or of one column of its labels or counts, in a table.

    Each of the ``parts``, which are runs where there are several, is a column and its rows. Once rows are joined, these
    have one for each item, -1 where there is none.
    """

    name: str
    table: Table
    parts: tuple[tuple[int, Sequence[int]], ...]


def choose(tables: Sequence[Table], reading: Reading, form: Form) -> list[Series]:
    """Return what is compared, one after another.

    Raises ``Ask`` where nothing is named and more than one choice is left, or none, where a name is of no column, and
    where a file or a column would be compared with itself.
    """
    digests = [table.sha256 for table in tables]
    for table, digest in zip(tables[1:], digests[1:]):
        first = tables[digests.index(digest)]
        if first is not table:
            both = f"{printable(first.name)} and {printable(table.name)}"
            raise Ask(f"{both} have the same content", "twice")
    words = {role: getattr(reading, role) for role in _ROLES}
    words = {role: word for role, word in words.items() if word is not None}
    known = []
    for table in tables:
        places = {role: place_of(table, word, role) for role, word in words.items()}
        if reading.by is not None:
            places["id"] = -1
        known.append(replaced(table, **places))
    tables = known
    long = reading.system is not None or reading.score is not None
    series = (_of_long if long else _of_columns)(tables, reading, form)
    _check_number(series, reading, form, len(tables))
    seen: set[tuple[int, int, int]] = set()
    for table, i, rows in [(one.table, *part) for one in series for part in one.parts]:
        place = id(table), id(rows), i
        if place in seen or i == table.id:
            text = (
                f"{printable(table.name)}: the column {short_text(table.title(i))} is named twice"
            )
            raise Ask(text, "twice", "columns")
        seen.add(place)
    by_row = len(tables) == 1 or reading.by or all(table.width == 1 for table in tables)
    if not by_row and any(table.id < 0 for table in tables):
        what = "which has the ids of the items, by which the files are joined?"
        raise which(tables[0], "id", what, "id")
    return series


def place_of(table: Table, word: str, argument: str) -> int:
    """Return the place of the column that a word names: by its name or, in a file of rows, its number from 1."""
    number = table.names.count(word)
    if number == 1:
        return table.names.index(word)
    places = [*map(str, range(1, table.width + 1))] if table.form == "table" else []
    if number == 0 and word in places:
        return places.index(word)
    what = f"{number} columns are named" if number else "no column is named"
    there = quoted([table.title(i) for i in range(table.width)])
    text = f"{printable(table.name)}: {what} {short_text(word)}; there are {there}"
    raise Ask(text, "columns", argument)


def columns_of_numbers(table: Table, reading: Reading) -> tuple[list[int], bool]:
    """Return the columns of numbers that are not named for other uses, and whether all others name the rows.

    These have a different text in every row, or nothing at all; where every column of numbers is wanted, any texts.
    """
    beside = {place_of(table, word, "columns") for word in reading.beside} | {table.id, table.run}
    found = []
    pure = True
    for i in [i for i in range(table.width) if i not in beside]:
        texts = table.numbers(i)
        missing = texts.count("")
        wrong = texts.count(None)
        if wrong:
            different = reading.every or table.rows == len({*table.columns[i]})
            pure = pure and wrong + missing == table.rows and different
        elif missing < table.rows:
            found.append(i)
    return found, pure


def _check_number(series: Sequence[Series], reading: Reading, form: Form, files: int) -> None:
    """Raise ``Ask`` unless a statistic takes this number of columns."""
    number = len(series)
    table = series[0].table
    allowed = (1,) if reading.differences else form.numbers
    if form.kind == "labels" and files == 2:  # both have the right ones
        allowed = (4,)
    if number in allowed or (not allowed and number > 1):
        return
    if form.kind != "scores":
        raise which(table, "columns", f"which hold {form.meaning}?", "columns")
    name = printable(table.name)
    if number == 1 and files == 1 and not (reading.runs or reading.system):
        text = "one column: differences of two systems, or the scores of one?"
        answers = (
            Cure({"differences": "yes"}, words="they are differences"),
            Cure(words="name the file of the other system, too"),
        )
        raise Ask(f"{name}: {text}", "differences", "differences", answers=answers)
    need = "differences are one column" if reading.differences else "a test compares two"
    text = f"{name}: {number} systems, {quoted([one.name for one in series], 6)}, but {need}"
    many = number > 2 and not reading.differences
    pairs = [Cure(command="compare", words="tests all pairs")] if many else []
    raise Ask(text, "systems", "columns", answers=pairs)


# ---------------------------------------------------------------------------------------------- columns


def _of_columns(tables: Sequence[Table], reading: Reading, form: Form) -> list[Series]:
    """Return the columns that are named, in each file or one for each, or the only ones that can be meant."""
    words = reading.words
    several = len(tables) > 1
    each: list[Sequence[str]] = [words] * len(tables)
    if several and len(words) > 1 and (form.kind == "scores" or len(tables) == 3):
        if len(words) != len(tables):
            text = f"{len(words)} columns are named, but {len(tables)} files: one column of each is compared"
            raise Ask(text, "columns", "columns")
        each = [[word] for word in words]
    blocks = [] if words else _unasked(tables, reading, form)
    if words:
        for table, some in zip(tables, each):
            blocks.append([_block(table, word, reading) for word in some])
    titles = {
        table.title(i) for table, some in zip(tables, blocks) for block in some for i in block
    }
    series = []
    for table, found in zip(tables, blocks):
        rows = range(table.rows)
        for block in found:
            name = "+".join(map(table.title, block))
            if several:
                name = table.name if len(titles) == len(block) else f"{table.name}: {name}"
            parts = tuple([(i, rows) for i in block])
            series.append(Series(name=name, table=table, parts=parts))
    return series


def _block(table: Table, word: str, reading: Reading) -> Block:
    """Return the columns that a word names: one, or of runs several that are joined by +."""
    runs = reading.runs is not None and word not in table.names
    words = word.split("+") if runs else [word]
    return tuple([place_of(table, one.strip(), "columns") for one in words])


def _unasked(tables: Sequence[Table], reading: Reading, form: Form) -> list[list[Block]]:
    """Return the columns of each file, where they are the only ones that can be meant, or are said to be."""
    first = tables[0]
    scores = form.kind == "scores"
    several = len(tables) > 1
    alone = all(table.width == 1 > table.known for table in tables)
    what = "which is compared?" if several else "which are compared?"
    if not scores:
        alone = alone and len(tables) == form.numbers[0]
        what = f"which hold {form.meaning}?"
    elif reading.runs is not None and not first.known:
        alone = False
        what = "which are the runs of each system?"
    elif several and not alone:
        found = [columns_of_numbers(table, reading)[0] for table in tables]
        if all(table.known and len(some) == 1 for table, some in zip(tables, found)):
            return [[(*some,)] for some in found]
    elif not alone:
        some, pure = columns_of_numbers(first, reading)
        commas = len(some) == 1 and _answers(first, reading)  # numbers that were read as texts
        if pure and not commas and _are_meant(first, some, reading):
            return [[(i,) for i in some]]
    ready = _answers(first, reading)
    if alone and not (ready and scores):
        return [[(0,)] for _table in tables]
    if ready and "decimal" in ready[0].settings:
        read = replaced(first, decimal="comma")
        if len(columns_of_numbers(read, reading)[0]) > 2:
            raise which(read, "decimal", what, "columns", *ready)
        raise which(read, "decimal", "are the commas decimal marks?", "decimal", *ready)
    raise which(first, "columns", what, "columns", *ready)


def _are_meant(table: Table, found: Sequence[int], reading: Reading) -> bool:
    """Return whether the columns of numbers of one file are the ones that are compared."""
    if reading.every or len(found) < 2:
        return bool(found)
    if len(found) > 2 or reading.differences:
        return False
    columns = [[*filter(None, table.numbers(i))] for i in found]
    return table.known or not any(map(number_items, columns))


def _answers(table: Table, reading: Reading) -> list[Cure]:
    """Return the setting that reads the cells, where one of two is the only one that can be meant."""
    if table.decimal is None and any(map(decimal_commas, table.columns)):
        return [Cure({"decimal": "comma"}, words="for numbers such as 0,5")]
    if table.width > 1 or table.form != "table" or reading.delimiter is not None:
        return []
    widths = {len(cell.split()) for cell in (*filter(None, table.names), *table.columns[0])}
    if len(widths) > 1 or widths == {1}:
        return []
    return [Cure({"delimiter": "space"}, words="where blanks separate columns")]


# ---------------------------------------------------------------------------------------------- long tables


def _of_long(tables: Sequence[Table], reading: Reading, form: Form) -> list[Series]:
    """Return the scores of each system of a long table, a row for each item and system."""
    table = tables[0]
    places = {}
    if len(tables) > 1 or form.kind != "scores" or reading.differences:
        raise Ask("a long table is one file of scores of all systems", "long")
    for role, what in (("system", "systems"), ("score", "scores"), ("id", "items")):
        word = getattr(reading, role)
        if word is None:
            raise which(table, "long", f"which has the {what} of the long table?", role)
        places[role] = place_of(table, word, role)
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(table.columns[places["system"]]):
        rows.setdefault(name, []).append(row)
    if "" in rows:
        place = table.place(rows[""][0], places["system"])
        raise Ask("the system is missing", "long", place=place)
    for word in reading.words:
        if word not in rows:
            text = f"no system is {short_text(word)}; there are {quoted([*rows])}"
            raise Ask(f"{printable(table.name)}: {text}", "systems", "columns")
    table = replaced(table, absent="")
    return [
        Series(name=name, table=table, parts=((places["score"], rows[name]),))
        for name in reading.words or rows
    ]
