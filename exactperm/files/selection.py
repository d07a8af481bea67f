"""Choose the columns that a test needs from one file, or join those of several files.

Nothing is guessed in silence: a selection says which line of each file was a header and how many pairs were left out,
and a file that can be read in two ways is refused with the options that decide.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..arithmetic.quoting import short_text
from ..arithmetic.reading import exact
from ..errors import ExactPermError
from ..record import Record
from .cells import (
    BOOLEANS,
    GRADED,
    MISSING_CELLS,
    PERCENT,
    TURNED,
    are_classes,
    are_items,
    are_moved,
    are_verdicts,
    asides,
    is_name,
    is_total,
    is_turned,
    names_gold,
    names_ids,
    names_items,
    numbers_items,
    role,
)
from .reading import Reading
from .tables import Sheet, cells_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tables import Row

_SHOWN_NAMES = 12
_SHOWN_IDS = 5
_LAST = 4  # rows at the end of a file that may be totals
_ACCURACY = "these are class labels: --statistic accuracy needs the right ones first, too"
_QUOTED = "--delimiter comma --decimal comma"
_THOUSANDS = r"[+-]?[1-9]\d{0,2},\d{3}"


class Selection(Record):
    """The columns of a test: their ``names``, the ``columns`` of their cells, the ``labels`` of groups or None.

    ``short`` are the names without those of the files, ``sheets`` the files with the lines of their headers or None,
    ``dropped`` the number of pairs left out because a score is missing. ``positions`` are the columns of the first
    file from 0, ``label`` that of the group labels or -1, ``comma`` whether its scores have decimal commas. ``doubts``
    say what may be no score although it was chosen.
    """

    names: tuple[str, ...]
    short: tuple[str, ...]
    columns: list[list[str]]
    labels: list[str] | None
    sheets: tuple[tuple[Sheet, int | None], ...]
    dropped: int
    positions: tuple[int, ...]
    label: int
    comma: bool
    doubts: tuple[str, ...] = ()


def select(
    sheets: Sequence[Sheet],
    allowed: Sequence[int],
    meaning: str,
    choice: Reading | None = None,
    *,
    kind: str = "scores",
) -> Selection:
    """Return the columns that a test needs, those of all files side by side.

    ``allowed`` are the numbers of columns that the test takes, ``meaning`` says for messages what they hold. Cells of
    the ``kind`` "scores" and "counts" (never negative) are checked and returned as texts that ``exact`` reads, with a
    decimal point, true and false as 1 and 0; "labels" are returned as written. Without a choice all columns are taken
    but those of ids and group labels. Several files are joined by their ids, which must be the same, or else by
    position. The first row is a header where a column is chosen by name, or where none of the needed cells is a number;
    for labels, where it is the only row whose cells occur nowhere else. "yes" or "no" overrules that. With ``missing``
    "drop" a pair is left out of all columns where one of its cells is missing.
    """
    choice = Reading() if choice is None else choice
    parts = [_Part(sheet, choice, kind) for sheet in sheets]
    number = sum(len(part.chosen) for part in parts)
    if number not in allowed:
        raise _wrong_number(parts, allowed, meaning, number)
    for part in parts:
        part.find_header(len(parts))
    _check_repeated(parts, allowed)
    doubts = list(_doubts(parts))
    if doubts and not choice.words:
        raise ExactPermError(
            f"{doubts[0][0]} (--columns decides otherwise); {doubts[0][1] or _offered(parts, allowed)}"
        )
    notes = [note for part in parts for note in (*_totals(part), *_repeated(part))]
    if choice.id is None:
        _check_ids(parts)
        _check_positions(parts)
    else:
        _match(parts)
    rows = len(parts[0].rows)
    if choice.missing == "drop":
        _drop(parts)
    return Selection(
        names=tuple(name for part in parts for name in part.names(len(parts) > 1)),
        short=tuple(name for part in parts for name in part.names(False)),
        columns=[column for part in parts for column in part.columns()],
        labels=None if choice.groups is None else _labels(parts),
        sheets=tuple((part.sheet, part.header_line) for part in parts),
        dropped=rows - len(parts[0].rows),
        positions=tuple(parts[0].chosen),
        label=parts[0].label,
        comma="," in parts[0].marks,
        doubts=(
            *(doubt for doubt, _how in doubts),
            *notes,
            *(f"{first} and {second} hold the same bytes" for first, second in _same_files(parts)),
        ),
    )


def _wrong_number(parts: list[_Part], allowed: Sequence[int], meaning: str, number: int) -> ExactPermError:
    doubtful = next((part for part in parts if part.kind == "scores" and part.is_doubtful()), None)
    if doubtful is not None:
        return doubtful.doubt(len(parts))
    need = " or ".join(map(str, allowed)) if len(allowed) < 3 else f"{allowed[0]} to {allowed[-1]}"
    names = ", ".join(part.sheet.name for part in parts)
    if len(parts) > 1 and parts[0].kind == "labels" and number < min(allowed):
        how = "name the file of the right labels, too, before the others"
    else:
        how = _offered(parts, allowed)
    widest = max(parts, key=lambda part: part.sheet.width)
    return ExactPermError(f"{names}: the test needs {need} columns ({meaning}), not {number}: {how}; {widest.listed()}")


def _offered(parts: list[_Part], allowed: Sequence[int]) -> str:
    """Return what to choose from the files."""
    from . import offers

    columns = [offers.columns_of(part.sheet, part.choice) for part in parts]
    if len(parts) == 1:
        how = offers.of_one(columns[0], allowed, parts[0].kind)
        return re.sub(r"--columns \S+", rf"\g<0> {_QUOTED}", how) if parts[0].has_quoted_commas() else how
    how = offers.of_several(columns, parts[0].choice)
    return f"say {how}" if how else "choose with --key, one column of every file"


def _check_repeated(parts: list[_Part], allowed: Sequence[int]) -> None:
    """Raise ``ExactPermError`` where a column or a file is chosen twice."""
    for part in parts:
        twice = next((i for i, times in Counter(part.chosen).items() if times > 1), None)
        if twice is not None:
            how = part.offer(allowed)
            raise ExactPermError(f"{part.sheet.name}: the column {short_text(part.name(twice))} is chosen twice{how}")
    for first, second in _same_files(parts):
        if first == second:
            raise ExactPermError(f"{first} is named twice: name the file of the other system")


def _same_files(parts: list[_Part]) -> Iterator[tuple[str, str]]:
    """Yield the names of two files that have the same bytes."""
    known: dict[str, str] = {}
    for sheet in (part.sheet for part in parts if part.sheet.sha256):
        if sheet.sha256 in known:
            yield known[sheet.sha256], sheet.name
        known.setdefault(sheet.sha256, sheet.name)


def _doubts(parts: list[_Part]) -> Iterator[tuple[str, str]]:
    """Yield which columns seem to be none of a system, and what to type instead, "" for what the columns offer."""
    for part in parts:
        scores, file = part.kind == "scores", part.sheet.name
        columns = {i: part.cells(i) for i in part.chosen}
        named = part.header or [""] * part.sheet.width
        alone = part.sheet.width == 1 and part.sheet.keys is None
        several = scores and len(parts) > 1
        items = [i for i, cells in columns.items() if not alone and numbers_items(named[i], cells)]
        items += [i for i, cells in columns.items() if several and _are_texts(cells)]
        rest = [i for i in columns if i not in items]
        gold = next((named[i] for i in rest if names_gold(named[i])), "")
        if scores and gold and len(rest) > 1 and all(are_classes(columns[i]) for i in rest):
            how = _ACCURACY if len(rest) == 2 else ""
            yield f"{file}: the column {short_text(gold)} seems to hold the right labels", how
        if scores and len({role(named[i]) for i in rest} - {""}) > 1:
            yield f"{file}: columns hold counts, not scores, by their names", ""
        for i in (rest[j] for j in asides([named[i] for i in rest], [columns[i] for i in rest]) if scores):
            yield f"{file}: the column {short_text(part.name(i))} seems to hold no scores of a system", ""
        for i in items:
            ids = part.id == -1 and len(parts) == len(items) == 1 and len(set(columns[i])) == len(columns[i])
            how = part.items(i) if scores and ids else ""
            does = "name" if several and _are_texts(columns[i]) else "number"
            yield f"{file}: the column {short_text(part.name(i))} seems to {does} the items", how
        if scores and is_turned(len(columns), len(part.rows)):
            yield f"{file}: {len(columns)} columns, but {len(part.rows)} rows of scores", TURNED


def _totals(part: _Part) -> Iterator[str]:
    """Yield which of the last rows seem to hold means or totals of the others."""
    rest = [i for i in range(part.sheet.width) if i not in part.chosen]
    for line, cells in part.rows[-_LAST:]:
        total = next((cells[i] for i in rest if is_total(cells[i]) and part.cells(i).count(cells[i]) == 1), "")
        if total:
            where = f"{part.sheet.name}, line {line}"
            yield f"{where} looks like a total ({short_text(total)}), but counts as an item: remove it"


def _repeated(part: _Part) -> Iterator[str]:
    """Yield that items have several rows each, where one column names items and nothing says what the rows are."""
    items = [i for i, name in enumerate(part.header or ()) if names_items(name) and i not in part.chosen]
    if part.id == part.label == -1 and len(items) == 1:
        name, number = part.name(items[0]), len({*part.cells(items[0])})
        if 1 < number < len(part.rows):
            yield (
                f"{part.sheet.name} has {len(part.rows)} rows of {number} items by {short_text(name)}: rows of one "
                f"item are not independent; --groups {quoted(name)} swaps them together"
            )


def _are_texts(cells: list[str]) -> bool:
    """Whether cells are texts, most of which occur once."""
    return all(map(is_name, cells)) and 2 * len({*cells}) > len(cells)


def _check_positions(parts: list[_Part]) -> None:
    """Raise ``ExactPermError`` where files that are joined by position do not have the same rows and gaps."""
    if len({len(part.rows) for part in parts}) > 1:
        found = ", ".join(f"{part.sheet.name} has {len(part.rows)}" for part in parts)
        raise ExactPermError(
            f"files without --id are joined by position, but they have different numbers of rows: {found}"
        )
    gaps = [part.gaps() for part in parts]
    for part, gap in zip(parts[1:], gaps[1:]):
        differs = gap.keys() ^ gaps[0].keys()
        if differs:
            row = min(differs)
            name, line = (part.sheet.name, gap[row]) if row in gap else (parts[0].sheet.name, gaps[0][row])
            raise ExactPermError(
                f"{name}, line {line}: the line is blank, in one of {parts[0].sheet.name} and {part.sheet.name} only: "
                "write NA for a missing score, or remove the line"
            )


def _check_ids(parts: list[_Part]) -> None:
    """Refuse files that are joined by position although a column that is not compared says that items moved."""
    first, found = parts[0], {}
    for i in range(first.sheet.width if len(parts) > 1 else 0):
        name = first.header[i] if first.header else ""
        places = [part.alike(name, i) for part in parts]
        if i not in (*first.chosen, first.label) and -1 not in places:
            named = name and all(part.header and names_alike(part.header[j], name) for part, j in zip(parts, places))
            found[name if named else str(i + 1)] = name, [part.cells(j) for part, j in zip(parts, places)]
    check_items(found, [part.sheet.name for part in parts])


def names_alike(first: str, second: str) -> bool:
    """Whether two names of a column or key differ at most in case."""
    return first.casefold() == second.casefold()


def check_items(found: Mapping[str, tuple[str, list[list[str]]]], names: Sequence[str]) -> None:
    """Raise ``ExactPermError`` where ids or texts of items in files, side by side, are not the same in every row.

    ``found`` has the names of columns and their cells in all files by the words that choose them. Ids that agree make
    others of no concern that no two files share; the numbers of rows agree in any files.
    """
    items = {word: columns for word, (name, columns) in found.items() if are_items(name, columns)}
    moved = {word: columns for word, columns in items.items() if are_moved(found[word][0], columns)}
    same = [columns[0] for word, columns in items.items() if word not in moved]
    if any(not numbers_items("", cells) for cells in same):
        return
    for word, columns in moved.items():
        first, known = columns[0], {*columns[0]}
        if same and known.isdisjoint(*columns[1:]):
            continue
        name, cells = next((name, cells) for name, cells in zip(names, columns) if cells != first)
        if len(known) == len(first) == len(cells) and {*cells} == known:
            how = f"have the same {len(first)} items by {short_text(word)}, but in another order"
        else:
            row = next((i for i, (a, b) in enumerate(zip(first, cells)) if a != b), min(len(first), len(cells)))
            here, there = [short_text(file[row]) if row < len(file) else "missing" for file in (first, cells)]
            how = f"have other items by {short_text(word)}: item {row + 1} is {here} in one and {there} in the other"
        raise ExactPermError(
            f"{names[0]} and {name} {how}: rows in the same position are different items. Say --id {quoted(word)}"
        )


def _match(parts: list[_Part]) -> None:
    """Bring the rows of all files into the order of the ids of the first."""
    found = [part.by_id(alone=len(parts) == 1) for part in parts]
    for part, rows in zip(parts[1:], found[1:]):
        lacks = [
            f"{other.sheet.name} lacks {_ids_text([key for key in here if key not in there])}"
            for other, here, there in ((part, found[0], rows), (parts[0], rows, found[0]))
            if here.keys() - there.keys()
        ]
        if lacks:
            raise ExactPermError(
                f"{parts[0].sheet.name} and {part.sheet.name} must have the same ids, but {'; '.join(lacks)}: remove "
                "such items, or add them with NA as score, which --missing drop then leaves out"
            )
        part.rows = [rows[key] for key in found[0]]


def _ids_text(ids: list[str]) -> str:
    shown = ", ".join(map(short_text, ids[:_SHOWN_IDS]))
    more = f", ... ({len(ids)} in all)" if len(ids) > _SHOWN_IDS else ""
    return f"{shown}{more}"


def _drop(parts: list[_Part]) -> None:
    """Leave out the rows of all files where a needed cell of one is missing."""
    kept = [i for i, rows in enumerate(zip(*(part.rows for part in parts))) if not _any_missing(parts, rows)]
    if not kept:
        raise ExactPermError(f"{parts[0].sheet.name}: no pair is left: in every one a score is missing")
    for part in parts:
        part.rows = [part.rows[i] for i in kept]


def _any_missing(parts: list[_Part], rows: tuple[Row, ...]) -> bool:
    return any(part.is_missing(cells[i]) for part, (_line, cells) in zip(parts, rows) for i in part.chosen)


def _labels(parts: list[_Part]) -> list[str]:
    """Return the labels of the groups, which must be the same in all files."""
    first = parts[0].labels()
    for part in parts[1:]:
        for row, label, (line, _cells) in zip(part.rows, first, parts[0].rows):
            if row[1][part.label] != label:
                where = f"{parts[0].sheet.name}, line {line}"
                raise part.error(row, part.label, f"the group is not {short_text(label)}, as in {where}")
    return first


class _Part:
    """The part of one file that a test needs; it finds out which decimal mark the file uses."""

    def __init__(self, sheet: Sheet, choice: Reading, kind: str) -> None:
        self.sheet = sheet
        self.choice = choice
        self.kind = kind
        self.rows = sheet.rows
        self.header = sheet.keys
        self.header_line: int | None = None
        self.words = choice.words
        self.label = -1 if choice.groups is None else self._index(choice.groups)
        self.id = -1 if choice.id is None else self._index(choice.id)
        self.chosen = [self._index(word) for word in self.words] or [
            i for i in range(sheet.width) if i not in (self.label, self.id)
        ]
        self.decimal = "comma" if sheet.decimal == "auto" and sheet.delimiter != "," else sheet.decimal
        self.marks: dict[str, str] = {}
        self.thousands: list[ExactPermError] = []
        self.fractions = False

    # ------------------------------------------------------------------------------------------ columns

    def _index(self, word: str) -> int:
        """Return the position, from 0, of a column given by name or number; digits are always a number."""
        name, (line, cells) = self.sheet.name, self.sheet.rows[0]
        if self.sheet.keys is not None:
            return self.sheet.keys.index(word)
        if word.isdecimal():
            if len(word) < 10 and 1 <= int(word) <= self.sheet.width:
                return int(word) - 1
            raise ExactPermError(f"{name} has no column {word[:20]}: {self.listed()}{self._offer(word)}")
        found = [i for i, cell in enumerate(cells) if cell == word]
        if not found and word == self.choice.id:
            found = [i for i, cell in enumerate(cells) if names_alike(cell, word)]
        if len(found) > 1:
            raise ExactPermError(
                f"{name}, line {line}: {len(found)} columns are named {short_text(word)}: choose by number"
            )
        if not found:
            raise ExactPermError(
                f"{name}, line {line}: no column is named {short_text(word)}: {self.listed()}{self._offer(word)}"
            )
        return found[0]

    def _offer(self, word: str) -> str:
        """Return what to choose in place of a column of scores that the file does not have."""
        how = self.offer((2,)) if word in self.words else ""
        return how if how.startswith("; choose with --columns,") else ""  # no others than the user's systems

    def offer(self, allowed: Sequence[int]) -> str:
        """Return which columns to choose in place of those that are chosen, "" where it is not known."""
        from . import offers

        how = offers.of_one(offers.columns_of(self.sheet, Reading()), allowed, self.kind)
        return f"; {how}" if "--columns " in how else ""

    def listed(self) -> str:
        """List the columns for a message: their number, and the first row, which may be a header."""
        line, cells = self.sheet.rows[0]
        names, has = cells, f"has {cells_text(self.sheet.width)}"
        if self.sheet.keys is not None:
            names, has = list(self.sheet.keys), "has the keys"
        shown = ", ".join(short_text(name) for name in names[:_SHOWN_NAMES])
        return f"line {line} {has}: {shown}{', ...' if len(names) > _SHOWN_NAMES else ''}"

    def alike(self, name: str, i: int) -> int:
        """Return the column of this name, or else column i where it has no name or both name ids; -1 for none."""
        if self.header and name:
            found = [j for j, other in enumerate(self.header) if names_alike(other, name)]
            if found:
                return found[0]
            if not (names_ids(name) and names_ids("".join(self.header[i : i + 1]))):
                return -1
        return i if i < self.sheet.width else -1

    def name(self, i: int) -> str:
        """Return the name of column i: its header, or its number."""
        return (self.header[i] if self.header else "") or f"column {i + 1}"

    def names(self, joined: bool) -> list[str]:
        """Return the names of the chosen columns, with the file's name in front where several are ``joined``."""
        if not joined:
            return [self.name(i) for i in self.chosen]
        if self.sheet.width == 1 and not self.header:
            return [self.sheet.name]
        return [f"{self.sheet.name}: {self.name(i)}" for i in self.chosen]

    # ------------------------------------------------------------------------------------------ header

    def find_header(self, files: int) -> None:
        """Decide whether the first row is a header, and leave it out of the rows then."""
        sheet, header = self.sheet, self.choice.header
        if sheet.keys is not None:
            return
        named = not all(word.isdecimal() for word in (*self.words, *self.choice.others))
        detect = self._labels_have_header if self.kind == "labels" else self._first_row_has_names
        has_header = named or header == "yes" or (header == "auto" and detect())
        if self.is_doubtful() and not has_header:
            raise self.doubt(files)
        if has_header:
            self.header_line, self.header = sheet.rows[0][0], tuple(sheet.rows[0][1])
            self.rows = sheet.rows[1:]
        if not self.rows:
            raise ExactPermError(f"{sheet.name}: line {self.header_line} is a header, and no data follow")

    def items(self, i: int) -> str:
        """Return what to type where column i names or numbers the items."""
        name = self.header[i] if self.header else ""
        if len(self.chosen) == 2:
            return "the file of the other system is missing: name both files"
        return f"say --id {quoted(name) if name else i + 1}"

    def _first_row_has_names(self) -> bool:
        """Whether no needed cell of the first row is a number or takes the place of one.

        One bad number among good ones is a mistake, not a header; so are nan and the usual marks of a missing value.
        An empty cell before names, or before 0, 1, ..., heads the numbers of rows that pandas writes.
        """
        first, *others = self.sheet.rows[0][1]
        if first == "" and others == [str(i) for i in range(len(others))]:
            return True
        cells = [self.sheet.rows[0][1][i] for i in self.chosen]
        return all(map(is_name, cells[1:] if cells[0] == "" and len(cells) > 2 else cells))

    def _labels_have_header(self) -> bool:
        """Whether the first row has names that occur nowhere else; refused where another row could be one as well."""
        numbers = Counter(cells[i] for _line, cells in self.rows for i in self.chosen)

        def fits(cells: list[str]) -> bool:
            return all(numbers[cells[i]] == 1 and is_name(cells[i]) for i in self.chosen)

        if not fits(self.rows[0][1]):
            return False
        if len(self.rows) == 1 or any(fits(cells) for _line, cells in self.rows[1:]):
            raise ExactPermError(
                f"{self.sheet.name}, line {self.rows[0][0]}: labels or a header? Say --header no or --header yes"
            )
        return True

    def has_quoted_commas(self) -> bool:
        """Whether a comma-separated file has a number with a decimal comma, in quotes, and no option says so."""
        sheet = self.sheet
        return (
            sheet.delimiter == ","
            and sheet.decimal == "auto"
            and any(
                re.fullmatch(r"-?\d+,\d+", cell, re.ASCII)
                for _line, cells in self.rows
                for cell in cells
                if "," in cell
            )
        )

    def is_doubtful(self) -> bool:
        """Whether commas may be decimal marks, unless counts in four or six columns are needed."""
        known = self.choice.header == "yes" or (self.words != [] and any(self.chosen))
        return self.sheet.doubtful and not known and (self.kind != "counts" or self.sheet.width < 4)

    def doubt(self, files: int) -> ExactPermError:
        """Return the error for commas of two meanings; of several files each is one column of decimal commas."""
        line, cells = self.sheet.rows[0]
        width = self.sheet.width
        how = (
            "Say --decimal comma for numbers with decimal commas"
            if files > 1
            else "If they are, --decimal comma reads them"
        )
        if width > 3:
            how = "If they are, write semicolons or tabs between the cells"
        return ExactPermError(
            f"{self.sheet.name}: the commas of every row may be decimal marks, as in {short_text(','.join(cells))} in "
            f"line {line}. {how}; if not, --delimiter comma reads {width} columns; separators of thousands must be "
            "removed"
        )

    # ------------------------------------------------------------------------------------------ rows

    def by_id(self, *, alone: bool) -> dict[str, Row]:
        """Return the rows by their ids, compared as text, in the order of the file, which may be the only one."""
        rows: dict[str, Row] = {}
        for row in self.rows:
            key = row[1][self.id]
            if not key:
                raise self.error(row, self.id, "the id is missing")
            if key in rows:
                how = (
                    f"; where these are rows of one item, say --groups {quoted(self.choice.id or '')}" if alone else ""
                )
                raise self.error(row, self.id, f"the id {short_text(key)} is also in line {rows[key][0]}{how}")
            rows[key] = row
        return rows

    def gaps(self) -> dict[int, int]:
        """Return the blank lines between rows by the number of rows before them."""
        lines = [line for line, _cells in self.rows]
        return {bisect(lines, blank): blank for blank in self.sheet.blanks if blank > lines[0]}

    def is_missing(self, cell: str) -> bool:
        """Whether a cell stands for no value; a word such as NA may be a label."""
        return cell == "" or (self.kind != "labels" and cell.lower() in MISSING_CELLS)

    def labels(self) -> list[str]:
        """Return the labels of the groups; a mark of a missing value would make one group of unrelated pairs."""
        for row in self.rows:
            cell = row[1][self.label]
            if cell.lower() in MISSING_CELLS:
                raise self.error(row, self.label, f"the group is missing{f' ({cell})' if cell else ''}")
        return [cells[self.label] for _line, cells in self.rows]

    def columns(self) -> list[list[str]]:
        """Return the cells of the chosen columns, checked; numbers have decimal points."""
        columns = [self._column(i) for i in self.chosen]
        if self.thousands and not self.fractions and self.sheet.decimal == "auto":
            raise self.thousands[0]
        return columns

    def _column(self, i: int) -> list[str]:
        """Check each text once: real scores repeat."""
        checked: dict[str, str] = {}
        for row in self.rows:
            cell = row[1][i]
            if cell not in checked:
                if self.is_missing(cell):
                    raise self.error(row, i, f"{self._missing_text(cell)} (--missing drop leaves such pairs out)")
                checked[cell] = cell if self.kind == "labels" else self._number(row, i, cell)
        return [checked[cells[i]] for _line, cells in self.rows]

    def _missing_text(self, cell: str) -> str:
        if cell:
            return f"{short_text(cell)} marks a missing score"
        if self.sheet.keys is not None:
            return "the value is missing or null"
        return "the label is missing" if self.kind == "labels" else "the cell is empty"

    def _number(self, row: Row, i: int, cell: str) -> str:
        text = BOOLEANS.get(cell.lower()) or self._pointed(row, i, cell)
        try:
            negative = exact(text) < 0
        except ExactPermError as error:
            reason = str(error).rpartition(": ")[2]
            raise self.error(row, i, f"{short_text(cell)} is no score: {self._advice(i, cell) or reason}") from None
        if negative and self.kind == "counts":
            raise self.error(row, i, f"{short_text(cell)} is negative, but these are counts")
        return text

    def _advice(self, i: int, cell: str) -> str:
        """Say what to type where a cell is a percentage, a label or the name of an item."""
        cells = self.cells(i)
        if cell.endswith("%"):
            return self._scale(i)
        if cell[0] in "\N{MINUS SIGN}\N{EN DASH}" and not is_name(cell) and len(cell) > 1:
            return f"write the minus sign as -, not as {cell[0]}"
        if "," in cell and self.has_quoted_commas():
            return f"for decimal commas in quotes say {_QUOTED}"
        if not any(map(str.isalnum, cell)):
            return "write NA for a missing score"
        if any(not is_name(other) for other in cells):
            return ""
        if are_verdicts(cells):
            return GRADED
        from . import offers

        name = self.header[i] if self.header else ""
        others = offers.of_scores(offers.columns_of(self.sheet, self.choice), self.words)
        if others and (names_ids(name) if len(set(cells)) < len(cells) else self.words):
            return f"if the column names items or documents, choose the others{others}"
        if 2 * len(set(cells)) <= len(cells):
            labels = offers.of_one(offers.columns_of(self.sheet, self.choice), (1, 2), "scores")
            return labels if "accuracy" in labels else _ACCURACY
        if self.words or self.choice.id is not None or len(self.chosen) < 2:
            return ""
        return f"if the column names the items, {self.items(i)}"

    def _scale(self, i: int) -> str:
        """Say what to do with the percentages of column i, and whether another column has none."""
        others = [j for j in self.chosen if not any(cell.endswith("%") for cell in self.cells(j))]
        if others:
            here, there = self.name(i), self.name(others[0])
            return f"the columns have different scales: {here} is in percent, {there} is not. Write both as shares of 1"
        return PERCENT

    def cells(self, i: int) -> list[str]:
        return [cells[i] for _line, cells in self.rows]

    def _pointed(self, row: Row, i: int, cell: str) -> str:
        """Return a cell with a decimal point in place of a decimal comma; note which of the two the file has."""
        comma = "," in cell and self.decimal == "comma"
        for mark in ",." if comma else ".":
            if mark in cell:
                self.marks.setdefault(mark, f"{short_text(cell)} in line {row[0]}")
        if len(self.marks) > 1:
            found = " and ".join(self.marks.values())
            raise self.error(row, i, f"decimal points and decimal commas in one file: {found}")
        if "." in cell and self.sheet.decimal == "comma":
            raise self.error(row, i, f"{short_text(cell)} has a point, but --decimal comma was chosen")
        if comma and not re.fullmatch(_THOUSANDS, cell, re.ASCII):
            self.fractions = True
        elif comma and not self.thousands:
            advice = "say --decimal comma if the comma is a decimal one, or remove separators of thousands"
            self.thousands.append(self.error(row, i, f"{short_text(cell)} has two meanings: {advice}"))
        return cell.replace(",", ".") if comma else cell

    def error(self, row: Row, i: int, reason: str) -> ExactPermError:
        """Return an error that names the file, the line, the column or key, and the id where there is one."""
        line, cells = row
        name = self.header[i] if self.header else ""
        place = f"column {i + 1}" + (f" ({name})" if name else "")
        if self.sheet.keys is not None:
            place = f"key {short_text(name)}"
        if self.id not in (-1, i):
            place += f", id {short_text(cells[self.id])}"
        hint = (
            f"; if line {line} is a header, say --header yes"
            if row is self.sheet.rows[0]
            and not self.header
            and (is_name(cells[i]) or cells[i].lower() in MISSING_CELLS)
            else ""
        )
        return ExactPermError(f"{self.sheet.name}, line {line}, {place}: {reason}{hint}")


def quoted(name: str) -> str:
    """Return a name as an option lists it."""
    return name if re.fullmatch(r"[\w.-]+", name) else f'"{name}"'
