"""Checks of reading: one small function for each way to misread a file, and one table of them, :data:`CHECKS`.

A check either refuses, since the number would answer another question without a word, or warns,
since it would be right but perhaps not what was meant. They run in the order of this module; the
first that refuses decides. A new check is a function that yields what it finds, whose docstring
says what it looks for and which wrong number it prevents, and a line of
``tests/data/checks.jsonl``. A page of the specification is made from both.

A check sees one of three stages: a :class:`Text`, rows before the header is known; a :class:`View`,
the columns of all files; :class:`Asked`, the numbers that are compared. A single cell or id that
cannot be read is no matter of a check: :mod:`exactperm.files.numbers` and
:mod:`exactperm.files.pairing` refuse it where they meet it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import short_text
from ..arithmetic.rational import Exact
from ..errors import Cure, ExactPermError
from ..record import Record
from . import header, repeats
from .cells import (
    MISSING_CELLS,
    are_classes,
    is_name,
    is_partial_total,
    is_total,
    names_gold,
    names_groups,
    names_ids,
    names_items,
    names_metric,
    names_no_score,
    names_systems,
    numbers_items,
    role,
)
from .numbers import as_float, is_number
from .parts import Part, View
from .profile import Column
from .reading import Reading
from .tables import Raw, Table

if TYPE_CHECKING:
    Finding = tuple[str, Cure | None]
    """What a check says, and its cure: what to do about it."""
    Sees = Callable[[Any], Iterator[Finding]]


_FIRST, _LAST = 2, 10
"""Rows at the start and the end of a file that may summarise the others."""
_SUMMARIES = 3
"""Most rows at the end that may hold means, deviations and the like."""
_FEWEST = 4
"""Least number of other rows of which a row without a name may be the mean: fewer agree by
chance."""
_SURE = 10
"""Least number of rows of texts that seem to name items although some repeat."""
_OTHER_SCALE = 20
"""Times that one mean is above the other where their scales may differ."""


class Text(Record):
    """What checks of the first stage look at: the rows of one text before its header is known, and the settings.

    ``kind`` is that of the wanted cells: "scores", "labels" or "counts"; ``alone`` says that there
    is no other file.
    """

    raw: Raw
    reading: Reading
    kind: str
    alone: bool = True


class Asked(Record):
    """What checks of the last stage look at: the columns that are compared, with their names and means.

    ``names`` and ``columns`` are in one order; ``levels`` are what each system reaches, its mean or
    its accuracy. ``kind`` is that of the cells; ``other`` is the cure that chooses a second column
    beside an only one.
    """

    kind: str
    names: tuple[str, ...]
    columns: list[list[str]]
    levels: tuple[tuple[str, Exact], ...]
    other: Cure | None = None


class Note(Record):
    """Something a reader of a result should know: the ``code`` of its check, ``text``, and ``cure``, None for none."""

    code: str
    text: str
    cure: Cure | None = None

    @property
    def line(self) -> str:
        """The text with its cure in the names of the settings."""
        return self.said()

    def said(self, mark: str = "") -> str:
        """Return the text with its cure in the names of the settings.

        Where these follow the ``mark`` of a command line, values are quoted for a shell.

        >>> Note(code="header", text="line 1", cure=Cure({"header": "no"}, words="if it is data")).said()
        'line 1; header no if it is data'
        """
        if self.cure is None:
            return self.text
        settings = " ".join(
            f"{mark}{name} {_word(value) if mark else value}"
            for name, value in self.cure.settings.items()
        )
        return f"{self.text}; {' '.join(filter(None, (settings, self.cure.words)))}"


def _word(value: str) -> str:
    """Return a value as one word of a shell."""
    if re.fullmatch(r"[\w,.-]+", value):
        return value
    import shlex

    return shlex.quote(value)


class Check(Record):
    """One check: the function ``sees`` yields what it finds; ``refuses`` says whether that is an error or a warning.

    ``code`` names it. ``stage`` is the type of the argument of ``sees``: Text, View or Asked;
    ``kind`` is that of the cells that it looks at, "" for any. With ``unless_named`` it only warns
    of columns that the user chose.
    """

    code: str
    stage: type
    sees: Sees
    kind: str = ""
    refuses: bool = True
    unless_named: bool = False

    @property
    def said(self) -> tuple[str, str]:
        """What it looks for, and the wrong answer without it, for people: the two sentences of its docstring."""
        looks, _, prevents = " ".join((self.sees.__doc__ or "").split()).partition(". Else ")
        return looks.partition("Look for ")[2], prevents.rstrip(".")


CHECKS: list[Check] = []
"""All checks in the order in which they run."""


def check(stage: type, kind: str = "", **rules: bool) -> Callable[[Sees], Sees]:
    """Return the decorator that makes a :class:`Check` of a function, whose name is the code."""

    def made(sees: Sees) -> Sees:
        code = sees.__name__.strip("_").replace("_", "-")
        CHECKS.append(Check(code=code, stage=stage, sees=sees, kind=kind, **rules))
        return sees

    return made


def run(subject: Text | View | Asked, only: Sequence[str] = ()) -> tuple[Note, ...]:
    """Return the warnings of all checks of this type of subject, or of ``only`` some, by their codes.

    Raises ``ExactPermError`` where one refuses.
    """
    notes = []
    for one in CHECKS:
        if (
            not isinstance(subject, one.stage)
            or one.kind not in ("", subject.kind)
            or (only and one.code not in only)
        ):
            continue
        for text, cure in one.sees(subject):
            named = one.unless_named and isinstance(subject, View) and subject.parts[0].named
            if one.refuses and not named:
                raise ExactPermError(text, code=one.code, cure=cure)
            notes.append(Note(code=one.code, text=text, cure=cure))
    return tuple(notes)


# -------------------------------------------------------------------------------------------- texts


@check(Text)
def _stray_quotes(text: Text) -> Iterator[Finding]:
    """Look for a quoted cell that goes on over several lines, each of which may be a row. Else rows between two stray
    quotation marks vanish in the text of one cell.
    """
    raw = text.raw
    least = max(1, len(raw.rows[0][1]) - 1)
    numbers = (
        min((_numbers(cells) for _line, cells in raw.rows[1:]), default=0) if raw.broken else 0
    )
    for line, lines in raw.broken:
        rows = [words.split(raw.delimiter) for words in lines if words.strip()]
        if all(len(cells) > least and _numbers(cells) >= numbers for cells in rows):
            yield (
                f"{raw.name}, line {line}: a quoted cell goes on to line {line + len(lines) - 1} and may hold rows",
                Cure(
                    words="double or remove quotes that stand inside of texts, or write each row on one line"
                ),
            )


def _numbers(cells: Sequence[str]) -> int:
    """Return how many cells are numbers."""
    return sum(is_number(cell.strip(' "')) for cell in cells)


@check(Text)
def _comment_rows(text: Text) -> Iterator[Finding]:
    """Look for a line between rows that starts with # and has as many cells as a row. Else items whose names start with
    # are left out as comments.
    """
    raw, width = text.raw, len(text.raw.rows[0][1])
    if text.reading.comments == "yes" or width < 2:
        return
    first = raw.rows[0][0]
    for line, words in raw.left_out:
        cells = words.split(raw.delimiter) if raw.delimiter != " " else words.split()
        numbers = [cell for cell in cells[1:] if is_number(cell.strip().replace(",", "."))]
        if line > first and len(cells) == width and numbers:
            yield (
                f"{raw.name}, line {line}: the line starts with # and has as many cells as a row",
                Cure({"comments": "no"}, words="makes it a row, yes leaves it out"),
            )


@check(Text)
def _header(text: Text) -> Iterator[Finding]:
    """Look for a first row that may be names or data: labels that occur nowhere else; 0, 1, 2 or years above scores.
    Else a header is counted as an item, or an item is left out as a header.
    """
    raw = text.raw
    if header.has_header(raw, text.reading, text.kind) is None:
        line, cells = raw.rows[0]
        what = "labels" if text.kind == "labels" else "scores"
        shown = short_text(", ".join(cells))
        yield (
            f"{raw.name}, line {line}: {what} or a header? It is {shown}",
            Cure({"header": "yes"}, words="or no, where the line is an item"),
        )


@check(Text)
def _thousands_in_blanks(text: Text) -> Iterator[Finding]:
    """Look for one number in each line, with a blank before every three digits. Else 1 234 is read as two columns, 1
    and 234.
    """
    raw = text.raw
    if raw.detected and raw.delimiter == " ":
        content = [line.strip() for line in raw.content]
        numbers = content[1:] if is_name(content[0].split()[0]) else content
        if numbers and all(
            re.fullmatch(r"[+-]?\d{1,3}(?: \d{3})+", number, re.ASCII) for number in numbers
        ):
            yield (
                f"{raw.name}: blanks may separate thousands, as in {short_text(numbers[0])}",
                Cure(
                    {"delimiter": "space"},
                    words="for two columns; else remove the blanks inside of numbers",
                ),
            )


@check(Text)
def _decimal_comma(text: Text) -> Iterator[Finding]:
    """Look for rows whose commas may all be decimal marks. Else 0,93 is read as two columns, 0 and 93."""
    raw, words = text.raw, text.reading.words
    known = text.reading.header == "yes" or any(word != "1" for word in words)
    if not raw.detected or raw.delimiter != "," or known or text.kind == "counts":
        return
    if not header.has_header(raw, text.reading, text.kind):
        from . import commas

        yield from commas.decimal_commas(raw, alone=text.alone)


# ------------------------------------------------------------------------------------------ columns


def _other_columns(view: View, *allowed: int) -> Cure | None:
    """Return the cure that names other columns than the chosen, as many as are ``allowed``: one or two."""
    from . import suggestions

    return suggestions.of_other_columns(view, allowed or (1, 2))


def _same_files(view: View) -> Iterator[tuple[str, str]]:
    """Yield the names of two files that have the same bytes."""
    known: dict[str, str] = {}
    for table in (part.table for part in view.parts if part.table.sha256):
        if table.sha256 in known:
            yield known[table.sha256], table.name
        known.setdefault(table.sha256, table.name)


@check(View)
def _file_twice(view: View) -> Iterator[Finding]:
    """Look for one file named twice. Else a system is compared with itself."""
    for first, second in _same_files(view):
        if first == second:
            yield f"{first} is named twice", Cure(words="name the file of the other system")


@check(View, refuses=False)
def _same_bytes(view: View) -> Iterator[Finding]:
    """Look for two files with the same content. Else a copy is taken for another system."""
    for first, second in _same_files(view):
        if first != second:
            yield f"{first} and {second} hold the same bytes", None


@check(View)
def _column_twice(view: View) -> Iterator[Finding]:
    """Look for one column chosen twice. Else a system is compared with itself."""
    for part in view.parts:
        twice = next((i for i, times in Counter(part.chosen).items() if times > 1), None)
        if twice is not None:
            yield (
                f"{part.table.column_text(twice)} is chosen twice",
                _other_columns(view, len(part.chosen)),
            )


@check(View, "scores")
def _long_table(view: View) -> Iterator[Finding]:
    """Look for a column of names of systems, each many times, and one of scores. Else numbers of systems are compared
    with scores, or scores of all systems are taken for differences.
    """
    for part in view.parts:
        if view.reading.system is None and not part.table.tool:
            cure = _long_cure(part)
            by = part.table.header or ()
            chosen = [part.columns[i] for i in part.chosen if i < len(part.columns)]
            by_number = _numbered_systems(chosen)
            numbers = by_number is not None
            if cure is None and by_number is not None:
                cure = Cure(
                    {"system": by_number.word}, words="where another column names the items"
                )
            stated = part.named and by and len(part.chosen) < 3
            if cure is not None and len(view.parts) == 1 and (numbers or not stated):
                yield (
                    f"{part.table.name}: rows may be of several systems, one row for each item and system",
                    cure,
                )


def _long_cure(part: Part) -> Cure | None:
    """Return the settings that read a long table, None for other tables."""
    if all(column.kind != "system" for column in part.columns):
        return None
    from . import formats

    return formats.is_long(part.table)


def _numbered_systems(chosen: Sequence[Column]) -> Column | None:
    """Return the column of two that has the numbers of systems beside scores, None for none."""
    for column, other in zip(chosen, reversed(chosen)) if len(chosen) == 2 else ():
        first = column is chosen[0] and names_systems(column.name)
        grouped = names_groups(column.name) and not are_classes(other.cells)
        if (first or grouped) and are_classes(column.cells):
            return column
    return None


@check(View)
def _runs(view: View) -> Iterator[Finding]:
    """Look for several runs of each item: a column of seeds, epochs or raters, or columns named by the numbers of runs.
    Else runs of one item are exchanged as if they were other items, or tested as if they were
    systems.
    """
    yield from repeats.seen(view)


@check(View, "scores", unless_named=True)
def _turned_table(view: View) -> Iterator[Finding]:
    """Look for a row for each system and a column for each item. Else items are tested against each other as if they
    were systems.
    """
    for part in view.parts:
        number, rows = len(part.chosen), len(part.table.rows)
        named = [c for c in part.rest if names_systems(c.name) and len({*c.cells}) == rows]
        shape = number >= 5 and rows < number and (rows < 5 or 10 * rows <= number)
        if view.reading.runs is None and ((named and number > 2) or shape):
            yield (
                f"{part.table.name}: {number} columns, but {rows} rows of scores",
                Cure(
                    words="write a column for each system and a row for each item, not a row for each system"
                ),
            )


@check(View, "scores", unless_named=True)
def _gold_column(view: View) -> Iterator[Finding]:
    """Look for a column named as the right labels among whole numbers that repeat. Else the right labels are compared
    as if they were scores of a system.
    """
    for part in view.parts:
        rest = [part.columns[i] for i in part.chosen if i < len(part.columns)]
        gold = [column for column in rest if names_gold(column.name.rpartition(".")[2])]
        if gold and len(rest) > 1 and all(are_classes(column.cells) for column in rest):
            yield (
                f"{part.table.column_text(gold[0].place)} seems to hold the right labels",
                Cure(words="class labels are compared by the statistic accuracy")
                if len(rest) == 2
                else _other_columns(view),
            )


@check(View, "scores", unless_named=True)
def _counts_not_scores(view: View) -> Iterator[Finding]:
    """Look for columns named tp, fp, fn where scores are wanted. Else true positives are compared with false ones."""
    for part in view.parts:
        roles = {role(part.table.heading(i)) for i in part.chosen} & {"tp", "fp", "fn"}
        if len(roles) > 1:
            yield (
                f"{part.table.name}: columns hold counts, not scores, by their names",
                _other_columns(view),
            )


@check(View, "scores", unless_named=True)
def _not_scores(view: View) -> Iterator[Finding]:
    """Look for columns named length, time, date, delta and the like beside scores. Else lengths or differences are
    compared as if they were scores of a system.
    """
    for part in view.parts:
        names = [part.table.heading(i).rpartition(".")[2] for i in part.chosen]
        found = [i for i, name in zip(part.chosen, names) if names_no_score(name)]
        if 0 < len(found) < len(part.chosen):
            yield (
                f"{part.table.column_text(found[0])} seems to hold no scores of a system",
                _other_columns(view),
            )


@check(View, "scores", unless_named=True)
def _computed(view: View) -> Iterator[Finding]:
    """Look for a column that is the difference, the sum or the mean of others in every row. Else differences or means
    of systems are compared as if they were scores of one more system.
    """
    for part in view.parts:
        if len(part.chosen) > 2:
            from . import derived

            for place, how in derived.computed(part):
                yield f"{part.table.column_text(place)} is {how} in every row", _other_columns(view)


@check(View, "scores", unless_named=True)
def _metrics(view: View) -> Iterator[Finding]:
    """Look for columns that are all named as metrics, such as BLEU and chrF, or as ends of an interval. Else two
    metrics of one system are compared as if they were two systems.
    """
    places = [[(part, i) for i in part.chosen] for part in view.parts]
    beside = [[one for one, *_others in places]] if {*map(len, places)} == {1} else []
    for columns in (*places, *beside):
        names = [part.table.heading(i).rpartition(".")[2] for part, i in columns]
        if len({*map(str.lower, names)}) > 1 and all(map(names_metric, names)):
            files = ", ".join(dict.fromkeys(part.table.name for part, _i in columns))
            shown = ", ".join(map(short_text, names))
            cure = Cure(
                words="each system needs a column or a file of its own, with scores of one metric"
            )
            yield f"{files}: the columns {shown} are named as metrics, not as systems", cure


@check(View)
def _ids_as_scores(view: View) -> Iterator[Finding]:
    """Look for columns that number or name the items where scores or labels are wanted. Else the numbers of items are
    compared as if they were scores of a system.
    """
    several = len(view.parts) > 1
    for part in view.parts:
        table = part.table
        for i in part.chosen:
            cells, name = table.column(i), table.heading(i)
            short = name.rpartition(".")[2] or name
            counted = names_ids(short) and numbers_items(short, cells)
            texts = (
                view.kind == "scores" and _are_texts(cells) and (several or len(part.chosen) > 1)
            )
            labels = view.kind == "labels" and len({*cells}) == len(cells) > 2 and names_ids(name)
            if counted or texts or labels:
                does = "number" if counted else "name"
                yield (
                    f"{part.table.column_text(i)} seems to {does} the items",
                    _cure_of_ids(view, part, i),
                )


@check(View, unless_named=True)
def _numbered_items(view: View) -> Iterator[Finding]:
    """Look for a column of whole numbers, each one more than the one above. Else the numbers of items are compared as
    if they were scores of a system.
    """
    for part in view.parts:
        for i in part.chosen if part.table.width > 1 or part.table.keyed else ():
            if numbers_items("", part.table.column(i)):
                yield (
                    f"{part.table.column_text(i)} seems to number the items",
                    _cure_of_ids(view, part, i),
                )


def _cure_of_ids(view: View, part: Part, i: int) -> Cure | None:
    """Return what to do where column i names the items."""
    if view.kind == "labels":
        from .suggestions import of_allowed_columns

        return of_allowed_columns(view, (3,))
    if len(view.parts) > 1:
        return _other_columns(view, 1)
    if len(part.chosen) < 3:
        from .suggestions import OTHER_FILE

        return OTHER_FILE
    alone = sum(column.kind == "id" for column in part.columns) == 1
    if (
        alone
        and view.reading.id is None
        and len({*part.table.column(i)}) == len(part.table.rows)
        and not part.named
    ):
        return Cure({"id": part.table.word(i)})
    return _other_columns(view)


def _are_texts(cells: Sequence[str]) -> bool:
    """Whether cells are texts, most of which occur once."""
    distinct = len({*cells})
    return all(map(is_name, cells)) and (
        distinct == len(cells) or (2 * distinct > len(cells) >= _SURE)
    )


@check(View, "counts")
def _roles(view: View) -> Iterator[Finding]:
    """Look for counts in the place of others by their names, or of both systems in one place. Else F1 is computed from
    false positives alone, or from counts of two systems.
    """
    if view.roles:
        from . import counts

        yield from counts.misplaced(view)


@check(View, "labels")
def _gold_place(view: View) -> Iterator[Finding]:
    """Look for right labels, by the name of their column or file, that do not come first. Else the accuracy of one
    system is measured by the answers of the other.
    """
    from . import labels

    yield from labels.right_ones_late(view)


@check(View)
def _total_row(view: View) -> Iterator[Finding]:
    """Look for a row among the first or last that is named mean, total, all and the like. Else a mean or a total counts
    as an item.
    """
    for part in view.parts:
        table, rows = part.table, range(len(part.table.rows))
        unique = [(column, Counter(column.cells)) for column in part.rest]
        for row in (*rows[:_FIRST], *rows[_FIRST:][-_LAST:]):
            for column, times in unique:
                cell = column.cells[row]
                if times[cell] == 1 and is_total(cell) and len(rows) > 1:
                    yield _summary(table, row, short_text(cell))
                unnamed = (
                    not cell and row in (rows[0], rows[-1]) and times[cell] == 1 and table.keyed
                )
                if unnamed and column.place != part.id and column.kind == "id":
                    yield _summary(table, row, f"no {short_text(column.name)}")
        for column in part.rest:
            if names_ids(column.name) and 2 * sum(
                any(map(str.isdigit, cell)) for cell in column.cells
            ) > len(rows):
                row = next(
                    (row for row, cell in enumerate(column.cells) if is_partial_total(cell)), -1
                )
                if row >= 0:  # words may be items, but not among numbers
                    yield _summary(table, row, short_text(column.cells[row]))


def _summary(table: Table, row: int, what: str) -> Finding:
    cure = Cure(words="remove the line; an item of such a name needs another one")
    return (
        f"{table.name}, line {table.lines[row]} looks like a total of the others, not like an item ({what})",
        cure,
    )


@check(View)
def _mean_row(view: View) -> Iterator[Finding]:
    """Look for a first or last row that is the mean or the sum of all others in every column. Else a mean or a total
    counts as an item.
    """
    rows = {len(part.table.rows) for part in view.parts}
    if view.kind == "labels" or len(rows) > 1 or max(rows) <= _FEWEST:
        return
    if view.reading.id is not None:
        yield from _longer_row(view)
        return
    columns = [part.table.column(i) for part in view.parts for i in part.chosen]
    last = max(rows)
    for row, items in (
        (0, slice(1, last)),
        *[(last - k, slice(last - k)) for k in range(1, _SUMMARIES + 1)],
    ):
        others = [column[items] for column in columns]
        if len(others[0]) < _FEWEST:
            break
        digits = _digits(columns[0][row])
        alone = len(columns) == 1 and digits <= max(map(_digits, others[0]))  # one agrees by chance
        if not alone and all(
            _is_summary(column[row], some) for column, some in zip(columns, others)
        ):
            yield _summary(view.parts[0].table, row, "the mean or the sum of all others")


def _longer_row(view: View) -> Iterator[Finding]:
    """Yield a row of any place that is the mean of all others, with more digits than any of them has."""
    found = set()
    for part in view.parts:
        for column in (part.table.column(i) for i in part.chosen):
            digits = list(map(_digits, column))
            row = max(range(len(digits)), key=digits.__getitem__)
            others = column[:row] + column[row + 1 :]
            longer = digits.count(digits[row]) == 1 and _is_summary(column[row], others)
            found.add(part.table.rows[row][part.id] if longer else "")
    if len(found) == 1 and "" not in found:
        part = view.parts[0]
        yield _summary(
            part.table, part.table.column(part.id).index(found.pop()), "the mean of all others"
        )


def _is_summary(cell: str, others: Sequence[str]) -> bool:
    """Whether a number is the mean or the sum of others, or their mean in percent, to the digits that are written."""
    if len({*others}) < 2:
        return False
    try:
        about, rest = (
            as_float(cell),
            [as_float(other) for other in others if other.lower() not in MISSING_CELLS],
        )
        total, least = math.fsum(rest), 1e-9 * math.fsum(map(abs, rest))
    except (ValueError, OverflowError):  # no numbers, or a sum beyond the range of doubles
        return False
    if not math.isfinite(total) or not rest:
        return False
    if abs(total - about) <= least or abs(total - about * len(rest)) <= least:
        return True
    digits = _digits(cell)
    half = 0.5000001 * len(rest) / 10**digits
    written = [*map(_digits, others)]
    rounded = (digits >= max(written) and digits > 1) or 0 < digits < min(written)
    percent = (
        digits > max(written) == 0
        and about > 1 >= max(rest)
        and abs(100 * total - about * len(rest)) <= half
    )
    return percent or (rounded and abs(total - about * len(rest)) <= half)


def _digits(cell: str) -> int:
    """Return the number of decimals that are written."""
    return len(re.sub(r"[eE].*", "", cell).replace(",", ".").partition(".")[2])


@check(View, refuses=False)
def _repeated_items(view: View) -> Iterator[Finding]:
    """Look for several rows for each item by a column that names items. Else rows that depend on each other are swapped
    each for itself.
    """
    for part in view.parts:
        items = [column for column in part.rest if names_items(column.name)]
        if part.id == part.label == -1 and len(items) == 1 and view.reading.system is None:
            different = len({*items[0].cells})
            if 1 < different < len(part.table.rows):
                name = items[0].name
                yield (
                    f"{part.table.name} has {len(part.table.rows)} rows of {different} items by {short_text(name)}: "
                    "rows of one item are not independent",
                    Cure({"groups": items[0].word}, words="swaps them together"),
                )


def _is_date(cell: str) -> bool:
    """Whether a cell is a fraction of small numbers, which may be a date."""
    return "/" in cell and re.fullmatch(r"\d{1,2}/\d{1,2}", cell, re.ASCII) is not None


@check(View, "scores")
def _fraction_forms(view: View) -> Iterator[Finding]:
    """Look for a column of fractions such as 5/10 beside one of decimals. Else dates are read as fractions."""
    forms = []
    for part in view.parts:
        for i in part.chosen:
            cells = [cell for cell in part.table.column(i) if cell.lower() not in MISSING_CELLS]
            forms.append(
                "" if len(cells) < 3 or not all(map(_is_date, cells)) else part.table.column_text(i)
            )
    if any(forms) and not all(forms):
        cure = Cure(words="choose the columns of scores, or write all scores in one form")
        yield f"{next(filter(None, forms))} holds fractions or dates, the others do not", cure


@check(View, "scores")
def _thousands(view: View) -> Iterator[Finding]:
    """Look for whole numbers from 100 on in a column whose points all stand before three digits. Else 1.234, with a
    separator of thousands, is read as less than 980.
    """
    for part in view.parts if view.reading.decimal == "auto" else ():
        for i in () if part.table.keyed else part.chosen:
            cells = part.table.column(i)
            points = [cell for cell in cells if "." in cell]
            if 1 < len(points) < len(cells) and all(
                re.fullmatch(r"-?[1-9]\d{0,2}(\.\d{3})+", cell) for cell in points
            ):
                hundreds = next(
                    (cell for cell in cells if re.fullmatch(r"-?[1-9]\d\d", cell)), None
                )
                if hundreds is not None:
                    yield (
                        f"{part.table.name}: points may separate thousands in the column "
                        f"{short_text(part.table.title(i))}, as in {short_text(points[0])} beside {hundreds}",
                        Cure(
                            {"decimal": "point"}, words="for decimals; else remove the separators"
                        ),
                    )


# ------------------------------------------------------------------------------- items side by side


@check(View)
def _other_rows(view: View) -> Iterator[Finding]:
    """Look for files of different lengths without ids. Else scores of different items are compared."""
    numbers = [len(part.table.rows) for part in view.parts]
    if view.reading.id is None and len({*numbers}) > 1:
        found = ", ".join(
            f"{part.table.name} has {rows}" for part, rows in zip(view.parts, numbers)
        )
        yield (
            f"files without ids are joined by position, but they have different numbers of rows: {found}",
            None,
        )


@check(View)
def _moved_items(view: View) -> Iterator[Finding]:
    """Look for files joined by position, with a column that says that the items are others or in another order. Else
    scores of different items are compared.
    """
    if len(view.parts) > 1 and view.reading.id is None:
        from . import beside

        yield from beside.moved_items(view)


# ---------------------------------------------------------------------------------------- questions


@check(Asked, "scores", refuses=False)
def _one_column(asked: Asked) -> Iterator[Finding]:
    """Look for one column of numbers. Else the scores of one system are taken for differences of two."""
    if len(asked.columns) == 1:
        cure = asked.other or Cure(words="to compare two systems, name both files")
        yield "one column is taken as the differences A - B", cure


@check(Asked, "scores", refuses=False)
def _different_scales(asked: Asked) -> Iterator[Finding]:
    """Look for means of which one is at most 1 and the other more than 20 times as large. Else percentages are compared
    with shares.
    """
    if len(asked.columns) < 2:
        return
    (low, first), *_, (high, last) = sorted(
        (max(value, -value), name) for name, value in asked.levels
    )
    if 0 < low <= 1 < high and high > _OTHER_SCALE * low:
        yield (
            f"are {first} and {last} on one scale? One may be in percent, the other in shares of 1",
            None,
        )


@check(Asked, "labels")
def _label_forms(asked: Asked) -> Iterator[Finding]:
    """Look for labels that differ from right ones in case, punctuation or zeros only. Else right answers count as
    wrong.
    """
    from . import labels

    yield from labels.other_forms(asked.names, asked.columns)


@check(Asked, "labels")
def _other_labels(asked: Asked) -> Iterator[Finding]:
    """Look for a system none of whose labels is one of the right classes, or whose classes have other numbers. Else
    right answers count as wrong, or a column that holds no labels is taken for labels.
    """
    from . import labels

    yield from labels.other_classes(asked.names, asked.columns)


@check(Asked, "labels", refuses=False)
def _no_label_right(asked: Asked) -> Iterator[Finding]:
    """Look for a system without a single right label in common, where the right ones are answers of many kinds. Else a
    column that holds no labels is taken for a system.
    """
    from . import labels

    yield from labels.none_right(asked.names, asked.columns)


CHECK = {check.code: check for check in CHECKS}
