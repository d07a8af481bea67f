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
from . import numbers
from .forms import Form
from .listing import Ask, Table, quoted, which
from .reading import Reading, joined_words

_ROLES = ("id", "run", "groups", "weights", "tasks")
"""Settings that name a column beside the scores, in every file."""


class Series(Record):
    """The cells of one system, or of one column of its labels or counts: ``columns`` of ``rows`` of a table.

    Several columns, or rows of one item, are runs. ``items`` are the numbers of the items of the rows.
    """

    name: str
    table: Table
    columns: tuple[int, ...]
    rows: Sequence[int]
    items: Sequence[int] = ()


def choose(tables: Sequence[Table], reading: Reading, form: Form) -> list[Series]:
    """Return what is compared, one after another.

    Raises ``Ask`` where nothing is named and more than one choice is left, or none, where a name is of no column, and
    where a file or a column would be compared with itself.
    """
    _check_twice(tables)
    tables = [_with_roles(table, reading) for table in tables]
    if reading.system is not None or reading.score is not None:
        series = _of_long(tables, reading, form)
    else:
        series = _of_columns(tables, reading, form)
    _check_number(series, reading, form, len(tables))
    _check_columns(series)
    by_row = len(tables) == 1 or reading.by or all(table.width == 1 for table in tables)
    if not by_row and any(table.id < 0 for table in tables):
        what = "which names the items, for joining the files?"
        raise which(tables[0], "id", what, "id", reading.decimal, *_only(tables, reading))
    return series


def _with_roles(table: Table, reading: Reading) -> Table:
    """Return a table that knows the columns which the reading names beside the scores."""
    said = {role: getattr(reading, role) for role in _ROLES}
    places = {role: place_of(table, word, role) for role, word in said.items() if word is not None}
    if reading.by is not None:
        places["id"] = -1
    return replaced(table, **places) if places else table


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
    raise Ask(text, "columns", argument=argument)


def columns_of_numbers(table: Table, reading: Reading) -> tuple[dict[int, Sequence[str]], bool]:
    """Return the columns of numbers that are not named for other uses, and whether all others name the rows.

    These have a different text in every row, or nothing at all; where every column of numbers is wanted, any texts.
    """
    beside = {place_of(table, word, "columns") for word in reading.beside} | {table.id, table.run}
    found: dict[int, Sequence[str]] = {}
    pure = True
    for i in range(table.width):
        if i in beside:
            continue
        read = numbers.read(table.columns[i], reading.decimal)
        none = len(read.wrong) + len(read.missing)
        if not read.wrong and none < table.rows:
            found[i] = read.texts
        elif read.wrong:
            different = reading.every or table.rows == len({*table.columns[i]})
            pure = pure and none == table.rows and different
    return found, pure


# ---------------------------------------------------------------------------------------------- checks


def _check_twice(tables: Sequence[Table]) -> None:
    """Raise ``Ask`` where a file would be compared with itself."""
    known: dict[str, str] = {}
    for table in tables:
        if table.sha256 in known:
            first = printable(known[table.sha256])
            raise Ask(f"{first} and {printable(table.name)} have the same content", "twice")
        known[table.sha256] = table.name


def _check_columns(series: Sequence[Series]) -> None:
    """Raise ``Ask`` where a column is compared with itself, or with the ids."""
    known: set[tuple[int, int, int]] = set()
    for one in series:
        for i in one.columns:
            place = id(one.table), id(one.rows), i
            if place in known or i == one.table.id:
                name = short_text(one.table.title(i))
                text = f"{printable(one.table.name)}: the column {name} is named twice"
                raise Ask(text, "twice", "columns")
            known.add(place)


def _check_number(series: Sequence[Series], reading: Reading, form: Form, files: int) -> None:
    """Raise ``Ask`` unless a statistic takes this number of columns."""
    number = len(series)
    allowed = (1,) if reading.differences else form.numbers
    if form.kind == "labels" and files == 2:  # both have the right ones
        allowed = (4,)
    if number in allowed or (not allowed and number > 1):
        return
    table = series[0].table
    if form.kind != "scores":
        what = f"which hold {form.meaning}?"
        raise which(table, "columns", what, "columns", reading.decimal)
    name = printable(table.name)
    if number == 1 and files == 1 and not (reading.runs or reading.system):
        text = "one column: differences, or the scores of one system, whose other file is missing?"
        answers = (
            Cure({"differences": "yes"}, words="for differences"),
            Cure(words="name the file of the other system, too"),
        )
        raise Ask(f"{name}: {text}", "differences", "differences", answers=answers)
    names = quoted([one.name for one in series], 6)
    need = "differences are one column" if reading.differences else "a test compares two"
    pairs = Cure(command="compare", words="tests all pairs")
    raise Ask(
        f"{name}: {number} systems, {names}, but {need}",
        "systems",
        "columns",
        answers=(pairs,) if number > 2 and not reading.differences else (),
    )


# ---------------------------------------------------------------------------------------------- columns


def _of_columns(tables: Sequence[Table], reading: Reading, form: Form) -> list[Series]:
    """Return the columns that are named, in each file or one for each, or the only ones that can be meant."""
    words = reading.words
    single = form.kind == "scores" or len(tables) == 3
    if not words:
        blocks = _unasked(tables, reading, form)
    elif len(tables) > 1 and single and len(words) not in (1, len(tables)):
        text = f"{len(words)} columns are named, but {len(tables)} files: one column of each is compared"
        raise Ask(text, "columns", "columns")
    else:
        each = (
            [[word] for word in words]
            if single and len(words) == len(tables) > 1
            else [words] * len(tables)
        )
        blocks = [[_block(t, word, reading) for word in some] for t, some in zip(tables, each)]
    titles = {
        table.title(i) for table, some in zip(tables, blocks) for block in some for i in block
    }
    series = []
    for table, some in zip(tables, blocks):
        rows = range(table.rows)
        for block in some:
            name = "+".join(map(table.title, block))
            if len(tables) > 1:
                name = table.name if len(titles) == len(block) else f"{table.name}: {name}"
            series.append(Series(name=name, table=table, columns=block, rows=rows))
    return series


def _block(table: Table, word: str, reading: Reading) -> tuple[int, ...]:
    """Return the columns that a word names: one, or of runs several that are joined by +."""
    if reading.runs is None or word in table.names:
        return (place_of(table, word, "columns"),)
    return tuple([place_of(table, part.strip(), "columns") for part in word.split("+")])


def _unasked(tables: Sequence[Table], reading: Reading, form: Form) -> list[list[tuple[int, ...]]]:
    """Return the columns of each file, where they are the only ones that can be meant, or are said to be."""
    first, of_one = tables[0], len(tables) == 1
    what = "which are compared?" if of_one else "which is compared?"
    if form.kind != "scores":
        what = f"which hold {form.meaning}?"
        if len(tables) == form.numbers[0] and all(table.width == 1 for table in tables):
            return [[(0,)] for _table in tables]
    elif reading.runs is not None and not first.known:
        what = "which are the runs of each system?"
    elif all(t.width == 1 > t.known for t in tables) and not _answers(first, reading):
        return [[(0,)] for _table in tables]
    else:
        found = [columns_of_numbers(table, reading) for table in tables]
        commas = len(found[0][0]) == 1 and _answers(
            first, reading
        )  # numbers that were read as texts
        if of_one and not commas and _are_meant(first, *found[0], reading):
            return [[(i,) for i in found[0][0]]]
        if not of_one and all(t.known and len(some) == 1 for t, (some, _) in zip(tables, found)):
            return [[(*some,)] for some, _pure in found]
    answers = _answers(first, reading) or (
        _only(tables, reading) if not of_one and form.kind == "scores" else []
    )
    if answers and "decimal" in answers[0].settings:
        if len(columns_of_numbers(first, replaced(reading, decimal="comma"))[0]) > 2:
            raise which(first, "decimal", what, "columns", "comma", *answers)
        raise which(first, "decimal", "are the commas decimal marks?", "decimal", None, *answers)
    raise which(first, "columns", what, "columns", reading.decimal, *answers)


def _are_meant(table: Table, found: dict[int, Sequence[str]], pure: bool, reading: Reading) -> bool:
    """Return whether the columns of numbers of one file are the ones that are compared."""
    if not pure or not found:
        return False
    if reading.every or len(found) == 1:
        return True
    wanted = 1 if reading.differences else 2
    numbered = [numbers.number_items(filter(None, texts)) for texts in found.values()]
    return len(found) == wanted and (table.known or not any(numbered))


def _answers(table: Table, reading: Reading) -> list[Cure]:
    """Return the setting that reads the cells, where one of two is the only one that can be meant."""
    if reading.decimal is None and any(map(numbers.decimal_commas, table.columns)):
        return [Cure({"decimal": "comma"}, words="for numbers such as 0,5")]
    if table.width == 1 and table.form == "table" and reading.delimiter is None:
        widths = {len(cell.split()) for cell in (*filter(None, table.names), *table.columns[0])}
        if len(widths) == 1 and widths.pop() > 1:
            return [Cure({"delimiter": "space"}, words="where blanks separate columns")]
    return []


def _only(tables: Sequence[Table], reading: Reading) -> list[Cure]:
    """Return the only choice of a column of numbers and of the ids of the same items in files, if there is just one."""
    settings = {}
    columns = {*reading.words}
    if not columns:
        found = [columns_of_numbers(table, reading) for table in tables]
        columns = {t.word(i) for t, (some, _pure) in zip(tables, found) for i in some}
        if len(columns) != 1 or not all(pure and len(some) == 1 for some, pure in found):
            return []
        settings["columns"] = joined_words([*columns])
    if reading.id is None and reading.by is None:
        words = [{t.word(i) for i in range(t.width)} for t in tables]
        shared = set.intersection(*words) - columns
        ids = [w for w in shared if _are_ids([t.columns[place_of(t, w, "id")] for t in tables])]
        if len(ids) != 1:
            return []
        settings["id"] = ids[0]
    return [Cure(settings)]


def _are_ids(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether columns have the same cells, all different and none empty."""
    items = {*columns[0]}
    return "" not in items and all(
        len(cells) == len(items) and {*cells} == items for cells in columns
    )


# ---------------------------------------------------------------------------------------------- long tables


def _of_long(tables: Sequence[Table], reading: Reading, form: Form) -> list[Series]:
    """Return the scores of each system of a long table, a row for each item and system."""
    table = tables[0]
    if len(tables) > 1 or form.kind != "scores" or reading.differences:
        raise Ask("a long table is one file of scores of all systems", "long")
    for role, what in (("system", "systems"), ("score", "scores"), ("id", "items")):
        if getattr(reading, role) is None:
            what = f"which has the {what} of the long table?"
            raise which(table, "long", what, role, reading.decimal)
    system = place_of(table, reading.system or "", "system")
    score = place_of(table, reading.score or "", "score")
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(table.columns[system]):
        rows.setdefault(name, []).append(row)
    if "" in rows:
        raise Ask("the system is missing", "long", place=table.place(rows[""][0], system))
    unknown = next((word for word in reading.words if word not in rows), None)
    if unknown is not None:
        text = f"no system is {short_text(unknown)}; there are {quoted([*rows])}"
        raise Ask(f"{printable(table.name)}: {text}", "systems", "columns")
    table = replaced(table, absent="")
    return [
        Series(name=name, table=table, columns=(score,), rows=rows[name])
        for name in reading.words or rows
    ]
