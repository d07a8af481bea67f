"""Name the options that a test needs, judged by the columns of its files: what a message offers.

Loaded only where a question is refused. Nothing is chosen here: the user types what is offered, or something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .selection import Choice
    from .tables import Sheet

_ITEMS = re.compile(
    r"item|index|idx|i|no|nr|number|row|line|segment|seg|sentence|question|doc|document|example|sample|instance|run|seed|"
    r"epoch|fold|trial",
    re.IGNORECASE,
)
"""Names of columns that number the items, where all cells are numbers."""

_GOLD = re.compile(r"gold|truth|target|reference|label|expected|answer|correct", re.IGNORECASE)
"""Names of columns that hold the right labels."""

_BY_COUNTS = {("fn", "fp", "tp"): "f1", ("fp", "tp"): "precision", ("fn", "tp"): "recall"}
_ORDER = ("tp", "fp", "fn")


class Column(Record):
    """One column or key: its ``name``, the ``word`` that chooses it, and its ``cells`` without the header."""

    name: str
    word: str
    cells: list[str]

    @property
    def kind(self) -> str:
        """Return "item" for names and numbers of items, "score", "label", or "text" for all else."""
        from .selection import MISSING_CELLS, is_name, names_ids

        filled = [cell for cell in self.cells if cell.lower() not in MISSING_CELLS]
        distinct = len(set(filled))
        if not any(map(is_name, filled)):
            numbered = _ITEMS.fullmatch(self.name) or names_ids(self.name) or _counts_up(self.cells)
            return "item" if numbered else "score" if filled else "text"
        if distinct == len(self.cells) > 1:
            return "item"
        return "label" if all(map(is_name, filled)) and 2 * distinct <= len(filled) else "text"


def _counts_up(cells: list[str]) -> bool:
    """Whether cells are consecutive whole numbers, as rows are numbered."""
    first = cells[0] if cells else ""
    return len(cells) > 2 and len(first) < 10 and first.isdecimal() and cells == _numbers(int(first), len(cells))


def _numbers(first: int, n: int) -> list[str]:
    return [str(i) for i in range(first, first + n)]


def columns_of(sheet: Sheet, choice: Choice) -> list[Column]:
    """Return the columns of a table, or the keys of records, that hold neither ids nor groups."""
    from .selection import is_name

    rows = [cells for _line, cells in sheet.rows]
    others = choice.others
    if sheet.keys is not None:
        named = zip(sheet.keys, zip(*rows))
        return [Column(name=key, word=_quoted(key), cells=list(cells)) for key, cells in named if key not in others]
    header = choice.header == "yes" or (choice.header == "auto" and all(not c or is_name(c) for c in rows[0]))
    header = (
        header and len(rows) > 1 and not {*rows[0]} & {cell for cells in rows[1:] for cell in cells if is_name(cell)}
    )
    names = rows[0] if header else [""] * sheet.width
    return [
        Column(name=name, word=name if _is_plain(name) and names.count(name) == 1 else str(i), cells=list(cells))
        for i, (name, cells) in enumerate(zip(names, zip(*rows[header:])), 1)
        if str(i) not in others and (not name or name not in others)
    ]


def columns_of_records(records: Sequence[tuple[int, dict[str, Any]]]) -> list[Column]:
    """Return the keys of JSON records, those of the first record."""
    from .jsonl import offered, values

    found = []
    for key in offered(records[0][1]):
        reached = [next(iter(values(record, key)), None) for _line, record in records]
        cells = ["" if cell is None else str(cell) for cell in reached]
        found.append(Column(name=key, word=_quoted(key), cells=cells))
    return found


def _is_plain(name: str) -> bool:
    return re.fullmatch(r"[\w.-]+", name) is not None and not name.isdecimal()


def _quoted(name: str) -> str:
    return name if _is_plain(name) else f'"{name}"'


def _list(columns: Sequence[Column]) -> str:
    return ",".join(column.word for column in columns)


def _of_kind(columns: Sequence[Column], *kinds: str) -> list[Column]:
    return [column for column in columns if column.kind in kinds]


# ---------------------------------------------------------------------------------------------- one file


def of_one(columns: Sequence[Column], allowed: Sequence[int], kind: str) -> str:
    """Return what to choose from the columns of one file, for a test that takes ``allowed`` numbers of a ``kind``."""
    labels = _labels(columns)
    if len(labels) == 3 and kind != "labels":
        every = "" if len(labels) == len(columns) else f" --columns {_list(labels)}"
        return f"of labels, the right one and those of two systems, say --statistic accuracy{every}"
    counts = _counts(columns)
    scores = _of_kind(columns, "score")
    if kind == "scores" and counts:
        return f"of counts of two systems, say {counts}"
    if max(allowed) == 2 and len(scores) > 2:
        return _systems(columns, scores)
    if kind == "labels":
        scores = labels if len(labels) == 3 else _gold_first([c for c in columns if c.kind != "item"])
    elif kind == "counts" and counts:
        return f"choose with --columns, such as {counts[counts.index('--columns') :]}"
    number = max((n for n in allowed if 1 < n <= len(scores)), default=0)
    return "choose with --columns" + (f", such as --columns {_list(scores[:number])}" if number else "")


def _systems(columns: Sequence[Column], scores: Sequence[Column]) -> str:
    """Return how all pairs of several systems are tested, and how one is."""
    rest = [column for column in columns if column not in scores]
    items = _of_kind(rest, "item")
    if len(rest) == 1 and items:
        which = f" --columns {_list(scores)}" if rest else ""
    if items and len(rest) == 1:
        which = f" --id {rest[0].word}"
    pair = f"--columns {_list(scores[:2])}"
    return f"of {len(scores)} systems, say exactperm compare{which} for all pairs, or {pair} for one pair"


def _labels(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of labels, the right ones first where their name says so."""
    return _gold_first(_of_kind(columns, "label"))


def _gold_first(columns: Sequence[Column]) -> list[Column]:
    return sorted(columns, key=lambda column: not _GOLD.search(column.name))


def _counts(columns: Sequence[Column]) -> str:
    """Return the options for counts of two systems whose names say tp, fp or fn, "" where there are none."""
    from .columns import role

    systems: dict[str, dict[str, Column]] = {}
    for column in columns:
        found = role(column.name)
        if found:
            systems.setdefault(re.sub(found, "", column.name.lower(), count=1), {})[found] = column
    kinds = {tuple(sorted(held)) for held in systems.values()}
    statistic = _BY_COUNTS.get(kinds.pop(), "") if len(kinds) == 1 and len(systems) == 2 else ""
    chosen = [held[name] for held in systems.values() for name in _ORDER if name in held]
    return f"--statistic {statistic} --columns {_list(chosen)}" if statistic else ""


# ---------------------------------------------------------------------------------------------- several files


def of_several(files: Sequence[Sequence[Column]], choice: Choice) -> str:
    """Return the options that choose one column of every file and join their rows, "" where there is none to choose."""
    common = list(_common(files))
    items = [columns[0] for columns in common if _same_items(columns)]
    told = f" --id {items[0].word}" if items and choice.id is None else ""
    scores, labels = [[c[0] for c in common if {column.kind for column in c} == {kind}] for kind in ("score", "label")]
    if len(files) == 2 and len(labels) == 2 and not scores:
        return f"--statistic accuracy{told} --columns {_list(_gold_first(labels))}"
    if not (scores or labels):
        return ""
    key = "" if choice.key or max(map(len, files)) == 1 else f" --key {(scores or labels)[0].word}"
    if not scores and len(files) == 3:
        return f"--statistic accuracy{told}{key}"
    return f"exactperm compare{told}{key}" if scores and len(files) > 2 else f"{told}{key}".strip()


def _common(files: Sequence[Sequence[Column]]) -> Iterator[list[Column]]:
    """Yield the columns that all files have, by the words that choose them."""
    for column in files[0]:
        found = [next((other for other in file if other.word == column.word), None) for file in files]
        if None not in found:
            yield [other for other in found if other is not None]


def _same_items(columns: Sequence[Column]) -> bool:
    """Whether columns name the same items, each once."""
    first = set(columns[0].cells)
    return all(column.kind == "item" and set(column.cells) == first for column in columns)


def unchosen(records: Sequence[Sequence[tuple[int, dict[str, Any]]]], choice: Choice) -> str:
    """Return what to choose from JSON records where no key of scores is chosen."""
    files = [columns_of_records(found) for found in records]
    scores = _of_kind(files[0], "score")
    if len(files) == 1 and len(scores) > 1:
        words = f"which keys hold the scores, as in --columns {_list(scores[:2])}"
    else:
        likely = of_several(files, choice) or f"--key {scores[0].word if scores else 'acc'}"
        words = f"which key holds the scores, as in {likely}"
    return f"say {words}"
