"""Name the options that a test needs, judged by the columns of its files: what a message offers.

Loaded only where a question is refused. Nothing is chosen here: the user types what is offered, or something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..record import Record, replaced
from .cells import (
    GRADED,
    MISSING_CELLS,
    PERCENT,
    TURNED,
    are_classes,
    are_items,
    are_verdicts,
    asides,
    count_errors,
    is_name,
    is_turned,
    names_gold,
    numbers_items,
    role,
    system,
)
from .jsonl import offered, values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .reading import Reading
    from .tables import Sheet

_MOST = 1000
"""Most columns that are looked at; 999 is the last that a span such as 2-9 reaches."""

_LISTED = 12
"""Most columns that are listed by their names."""

_BY_COUNTS = {("fn", "fp", "tp"): "f1", ("fp", "tp"): "precision", ("fn", "tp"): "recall"}
_ORDER = ("tp", "fp", "fn")


class Column(Record):
    """One column or key: its ``name``, the ``word`` that chooses it, its ``number``, and ``cells`` without the header.

    ``kind`` is "item" for names and numbers of items, "score", "label", "aside" for numbers that are no scores of a
    system, or "text" for all else.
    """

    name: str
    word: str
    number: int
    cells: list[str]
    kind: str


def _column(name: str, word: str, number: int, cells: list[str]) -> Column:
    return Column(name=name, word=word, number=number, cells=cells, kind=_kind(name, cells))


def _kind(name: str, cells: list[str]) -> str:
    """Return what a column holds, judged by its cells and where all are numbers by its name."""
    filled = [cell for cell in cells if cell.lower() not in MISSING_CELLS]
    distinct = len(set(filled))
    if not any(map(is_name, filled)):
        return "item" if numbers_items(name, filled) else "score" if filled else "text"
    if distinct == len(cells) > 1:
        return "item"
    return "label" if all(map(is_name, filled)) and 2 * distinct <= len(filled) else "text"


def columns_of(sheet: Sheet, choice: Reading) -> list[Column]:
    """Return the first columns of a table, or keys of records, that hold neither ids nor groups."""
    rows = [cells[:_MOST] for _line, cells in sheet.rows]
    names = list(sheet.keys or ())[:_MOST]
    if sheet.keys is None:
        header = choice.header == "yes" or (choice.header == "auto" and all(not c or is_name(c) for c in rows[0]))
        header = (
            header and len(rows) > 1 and {*rows[0]}.isdisjoint(c for cells in rows[1:] for c in cells if is_name(c))
        )
        names, rows = (rows[0], rows[1:]) if header else ([""] * len(rows[0]), rows)
        words = [name if _is_plain(name) and names.count(name) == 1 else str(i) for i, name in enumerate(names, 1)]
    else:
        words = list(map(_quoted, names))
    return _told_apart(
        [
            _column(name, word, 0 if sheet.keys else i, list(cells))
            for i, (name, word, cells) in enumerate(zip(names, words, zip(*rows)), 1)
            if str(i) not in choice.others and (not name or name not in choice.others)
        ]
    )


def _told_apart(columns: list[Column]) -> list[Column]:
    """Return columns of which some that seem to be scores are none of a system."""
    scores = _of_kind(columns, "score")
    names = [column.name.rpartition(".")[2] for column in scores]
    others = [scores[i] for i in asides(names, [column.cells for column in scores])]
    return [replaced(column, kind="aside") if column in others else column for column in columns]


def columns_of_records(records: Sequence[tuple[int, dict[str, Any]]]) -> list[Column]:
    """Return the first keys of JSON records, those of the first record."""
    found = []
    for key, _ in zip(offered(records[0][1]), range(_MOST)):
        reached = [next(iter(values(record, key)), None) for _line, record in records]
        found.append(_column(key, _quoted(key), 0, ["" if cell is None else str(cell) for cell in reached]))
    return _told_apart(found)


def _is_plain(name: str) -> bool:
    return re.fullmatch(r"[\w.-]+", name) is not None and not name.isdecimal()


def _quoted(name: str) -> str:
    return name if _is_plain(name) else f'"{name}"'


def _list(columns: Sequence[Column]) -> str:
    """Return the words that choose columns, as a span where they are many in a row."""
    numbers = [column.number for column in columns]
    if len(columns) > _LISTED and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]}-{numbers[-1]}"
    return ",".join(column.word for column in columns)


def _of_kind(columns: Sequence[Column], *kinds: str) -> list[Column]:
    return [column for column in columns if column.kind in kinds]


# ---------------------------------------------------------------------------------------------- one file


def of_one(columns: Sequence[Column], allowed: Sequence[int], kind: str) -> str:
    """Return what to choose from the columns of one file, for a test that takes ``allowed`` numbers of a ``kind``."""
    labels = _labels(columns) or _classes(columns)
    if len(labels) == 3 and kind != "labels":
        return f"these are class labels: say --statistic accuracy --columns {_list(labels)}, the right ones first"
    counts = _counts(columns)
    scores = _of_kind(columns, "score")
    if kind != "counts" and counts:
        return counts
    if kind == "scores" and not scores and any(c.kind == "label" and are_verdicts(c.cells) for c in columns):
        return GRADED
    if kind == "scores" and len(scores) == 1 < len(columns):
        if {column.kind for column in columns} - {"aside"} == {"item", "score"}:
            return "the file of the other system is missing: name both files"
        return "the scores of each system need a column or a file of their own"
    if is_turned(len(scores), len(scores[0].cells) if scores else 0):
        return TURNED
    if kind == "scores" and len(scores) < len(_of_kind(columns, "score", "aside")) and _count_errors(scores):
        return f"--columns {_list(scores)} compares the errors; rates of the same words have the same p-value"
    if kind == "scores" and scores and all(cell.endswith("%") for column in scores for cell in column.cells):
        return PERCENT
    if max(allowed) == 2 and len(scores) > 2:
        return _systems(columns, scores)
    if kind == "labels":
        scores = labels if len(labels) == 3 else []
    elif kind == "counts" and "--columns" in counts:
        return f"choose with --columns, such as {counts[counts.index('--columns') :]}"
    number = max((n for n in allowed if 1 < n <= len(scores)), default=0)
    return "choose with --columns" + (f", such as --columns {_list(scores[:number])}" if number else "")


def _systems(columns: Sequence[Column], scores: Sequence[Column]) -> str:
    """Return how all pairs of several systems are tested, and how one is."""
    rest = _of_kind(columns, "item", "label", "text", "aside")
    items = _of_kind(rest, "item")
    which = f" --columns {_list(scores)}" if rest else ""
    if items and len(rest) == 1:
        which = f" --id {items[0].word}"
    pair = f"--columns {_list(scores[:2])}"
    return f"there are {len(scores)} systems: say exactperm compare{which} for all pairs, or {pair} for one pair"


def _labels(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of labels, the right ones first where their name says so."""
    return _gold_first(_of_kind(columns, "label"))


def _gold_first(columns: Sequence[Column]) -> list[Column]:
    return sorted(columns, key=lambda column: not names_gold(column.name))


def _classes(columns: Sequence[Column]) -> list[Column]:
    """Return the first three columns of few whole numbers, the right labels first by their name; else none."""
    found = _gold_first([c for c in columns if c.kind == "score" and are_classes(c.cells)])
    return found[:3] if len(found) > 2 and names_gold(found[0].name) else []


def _count_errors(columns: Sequence[Column]) -> bool:
    return all(count_errors(column.name) for column in columns)


def of_scores(columns: Sequence[Column], words: Sequence[str]) -> str:
    """Return how the columns of scores are chosen in place of others, "" where they are not as many as the words."""
    scores = _of_kind(_numbered(columns) if all(map(str.isdecimal, words)) and words else columns, "score")
    return f", such as --columns {_list(scores)}" if len(scores) > 1 and len(words) in (0, len(scores)) else ""


def _counts(columns: Sequence[Column]) -> str:
    """Say how counts whose names say tp, fp or fn are compared, "" where there are none."""
    systems: dict[str, dict[str, Column]] = {}
    for column in columns:
        found = role(column.name)
        if found:
            systems.setdefault(system(column.name), {})[found] = column
    kinds = {tuple(sorted(held)) for held in systems.values()}
    statistic = _BY_COUNTS.get(kinds.pop(), "") if len(kinds) == 1 else ""
    chosen = [held[name] for held in [*systems.values()][:2] for name in _ORDER if name in held]
    if statistic and len(systems) == 1:
        return "there are counts of one system: name the file of the other, too"
    number = "two" if len(systems) == 2 else len(systems)
    how = "say" if len(systems) == 2 else "compare two, such as"
    return (
        f"there are counts of {number} systems: {how} --statistic {statistic} --columns {_list(chosen)}"
        if statistic
        else ""
    )


# ---------------------------------------------------------------------------------------------- several files


def of_several(files: Sequence[Sequence[Column]], choice: Reading) -> str:
    """Return the options that choose one column of every file and join their rows, "" where there is none to choose."""
    return _of_common(list(_common(files)), files, choice) or _of_common(
        list(_common(map(_numbered, files))), files, choice
    )


def _of_common(common: Sequence[Sequence[Column]], files: Sequence[Sequence[Column]], choice: Reading) -> str:
    """Return the options for columns that all files have; see :func:`of_several`."""
    items = [columns[0] for columns in common if _same_items(columns)]
    told = f" --id {items[0].word}" if items and choice.id is None else ""
    counts = {role(columns[0].name): columns[0] for columns in common if len({role(c.name) for c in columns}) == 1}
    statistic = _BY_COUNTS.get(tuple(sorted({*counts} - {""})))
    if statistic and len(files) == 2:
        return f"--statistic {statistic}{told} --columns {_list([counts[name] for name in _ORDER if name in counts])}"
    if statistic:
        return f"which two files --statistic {statistic} compares"
    scores, labels = [[c[0] for c in common if {column.kind for column in c} == {kind}] for kind in ("score", "label")]
    if len(files) == 2 and len(labels) == 2 and not scores:
        return f"--statistic accuracy{told} --columns {_list(_gold_first(labels))}"
    if not (scores or labels):
        return ""
    key = "" if choice.key or max(map(len, files)) == 1 else f" --key {(scores or labels)[0].word}"
    if not scores and len(files) == 3:
        return f"--statistic accuracy{told}{key}"
    return f"exactperm compare{told}{key} for all pairs" if scores and len(files) > 2 else f"{told}{key}".strip()


def _common(files: Iterable[Sequence[Column]]) -> Iterator[list[Column]]:
    """Yield the columns that all files have, by the words that choose them."""
    first, *others = [{column.word: column for column in file} for file in files]
    for word, column in first.items():
        if all(word in other for other in others):
            yield [column, *(other[word] for other in others)]


def _numbered(columns: Sequence[Column]) -> list[Column]:
    """Return columns that are chosen by their numbers, where their names differ between files."""
    return [replaced(column, word=str(column.number)) for column in columns if column.number]


def _same_items(columns: Sequence[Column]) -> bool:
    """Whether columns name the items, of which the files share some."""
    cells = [column.cells for column in columns]
    return are_items(columns[0].name, cells) and bool({*cells[0]}.intersection(*cells[1:]))


def unchosen(records: Sequence[Sequence[tuple[int, dict[str, Any]]]], choice: Reading) -> str:
    """Return what to choose from JSON records where no key of scores is chosen."""
    files = [columns_of_records(found) for found in records]
    scores = _of_kind(files[0], "score")
    if is_turned(len(scores), max(map(len, records))) or not files[0]:
        return 'one record holds all items: write one record per item, such as {"id": "q1", "A": 0.5, "B": 0.75}'
    if len(files) == 1 and len(scores) == 1:
        return f"the file of the other system is missing: name both files; of differences choose --key {scores[0].word}"
    if len(files) == 1 and len(scores) > 1:
        return f"say which keys hold the scores, as in --columns {_list(scores[:2])}"
    likely = of_several(files, choice) or (f"--key {scores[0].word}" if scores else "")
    return f"say which key holds the scores, as in {likely}" if likely else "no key holds numbers; --key chooses one"
