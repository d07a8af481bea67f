"""Tell scores, names, missing values and the roles of columns apart by their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import combinations

MISSING_CELLS = frozenset(("", "na", "n/a", "none", "null", "nan", "nat", "<na>", "#n/a"))
"""Cells that hold no value, in lower case."""

BOOLEANS = {"true": "1", "false": "0"}
"""Words that are scores, in lower case."""

_VERDICTS = frozenset(
    ("yes", "no", "y", "n", "right", "wrong", "correct", "incorrect", "pass", "fail", "passed", "failed")
)
"""Words of graders that are no scores here, in lower case."""

GRADED = "write 1 for the answers that are right, 0 for the others"
"""What to do with such words."""

PERCENT = "remove the % sign from every row: all scores in percent have the same p-value as shares of 1"
"""What to do with percentages."""

_ITEMS = re.compile(
    r"item|i|row|line|seg(?:ment)?|sent(?:ence)?|question|query|topic|doc(?:ument)?|example|sample|instance|run|seed|epoch|"
    r"fold|trial|unnamed: 0|[a-z]{1,2}id|(?:.*[\W_])?(?:id|index|idx|no|nr|num|number)",
    re.IGNORECASE | re.DOTALL,
)
"""Names of columns that number the items, where their cells are whole numbers."""

_TOTAL = re.compile(
    r"(?:(?:macro|micro|grand|weighted|over)[\W_]*)?(?:means?|av(?:era)?ge?|totals?|all|overall|sum)(?:[\W_]*scores?)?[:.]?",
    re.IGNORECASE,
)
_REPEATED = re.compile(
    r"(?:.*[\W_])?(?:id|item|doc(?:ument)?|question|query|example|sample|instance|seg(?:ment)?|sent(?:ence)?)|[a-z]{1,2}id",
    re.IGNORECASE | re.DOTALL,
)
"""Names of columns of items, of which each is one pair or a group of dependent pairs."""

_WHOLE = re.compile(r"(\d{1,18})(?:\.0+)?", re.ASCII)
_DECIMAL = re.compile(r"[+-]?\d*[.,]\d*[1-9]\d*(?:e[+-]?\d+)?%?", re.ASCII | re.IGNORECASE)
_CODE = re.compile(r"[\w./:#-]*\d[\w./:#-]*")
_FEWEST = 5
"""Least length of a run of numbers that is no chance; with fewer pairs no two-sided p-value is below 1/16."""

_MOST_CLASSES = 20

_ASIDE = re.compile(
    r"(?:(?:src|source|ref|reference|hyp|sent|sentence|seg|segment|text|input|output|query|question|doc|document|word|"
    r"token|char|num|number|n|nr)[\W_]*(?:of[\W_]*)?)?(?:length|len|words?|tokens?|chars?|characters?|counts?)|"
    r"n|time|seconds|duration|runtime|seed|diff(?:erence)?s?|delta|gain|change|improvement",
    re.IGNORECASE,
)
"""Names of columns that describe the items or compare the systems."""

_ERRORS = re.compile(r"(?:.*[\W_])?(?:err|errs|errors?|edits?|mistakes?)(?:[\W_].*)?", re.IGNORECASE)
_MOST_SYSTEMS = 12
_NUMBER = re.compile(r"-?\d{1,18}(?:\.\d{1,18})?", re.ASCII)

_ALSO = r"(?:y|the|right|correct|ground|class|tag|standard|output|text|train|dev|test)s?"
_RIGHT = r"(?:gold|golden|truth|true|target|ref|reference|expected|label|answer)s?"
_GOLD = re.compile(rf"(?:{_ALSO}[\W_]*)*{_RIGHT}(?:[\W_]*(?:{_ALSO}|{_RIGHT}))*", re.IGNORECASE)


def is_name(cell: str) -> bool:
    """Whether a cell has letters and is no score, not even with signs that ``exact`` refuses, such as 50%."""
    try:
        float(re.sub(r"[^\w.+-]", "", cell))
    except ValueError:
        return cell.lower() not in MISSING_CELLS and cell.lower() not in BOOLEANS and any(map(str.isalpha, cell))
    return False


def are_verdicts(cells: Iterable[str]) -> bool:
    """Whether all cells are words of graders."""
    return {cell.lower() for cell in cells} <= _VERDICTS


def names_ids(name: str) -> bool:
    """Whether a column or a key holds ids or numbers of items by its name."""
    return name.lower().endswith("id") or _ITEMS.fullmatch(name) is not None


def is_total(cell: str) -> bool:
    """Whether a cell names the mean or the total of other rows.

    >>> [cell for cell in ("MEAN", "macro avg", "Overall:", "meaning", "q1") if is_total(cell)]
    ['MEAN', 'macro avg', 'Overall:']
    """
    return _TOTAL.fullmatch(cell) is not None


def names_items(name: str) -> bool:
    """Whether a column holds items by its name, so that rows of one item depend on each other."""
    return _REPEATED.fullmatch(name) is not None


def are_items(name: str, columns: Sequence[Sequence[str]]) -> bool:
    """Whether a column of several files names their items: by its name, or by texts that most rows of all files share.

    >>> are_items("id", [["1", "2"], ["3", "2"]]), are_items("1", [["q1", "q2", "q3"], ["q3", "q1", "q4"]])
    (True, True)
    """
    known = [{*cells} for cells in columns]
    if any(2 * len(items) <= len(cells) for items, cells in zip(known, columns)):  # they repeat: groups or raters
        return False
    if names_ids(name):
        return _ITEMS.fullmatch(name) is not None or not any(_DECIMAL.fullmatch(cell) for cell in known[0])
    return 2 * len(set.intersection(*known)) > max(map(len, columns)) and all(map(is_name, known[0]))


def are_moved(name: str, columns: Sequence[Sequence[str]]) -> bool:
    """Whether the items that :func:`are_items` finds differ in rows of the same position.

    Texts that are no ids may be answers of systems: they must be in other rows, a tenth of them at least.
    """
    first = columns[0]
    if names_ids(name) or all(map(_CODE.fullmatch, first)):
        return any(cells != first for cells in columns)
    rows = {cell: i for i, cell in enumerate(first)}
    return any(
        10 * sum(rows.get(cell, i) != i and first[i : i + 1] != [cell] for i, cell in enumerate(cells)) >= len(cells)
        for cells in columns
    )


def numbers_items(name: str, cells: Sequence[str]) -> bool:
    """Whether whole numbers are no scores but numbers of items: by the name, or because each is one more.

    >>> numbers_items("doc", ["7", "7", "9"]), numbers_items("", ["3", "4", "5", "6", "7"]), numbers_items("A", ["1"])
    (True, True, False)
    """
    if names_ids(name) and (_ITEMS.fullmatch(name) or not {*cells} <= {"0", "1"}) and all(map(_WHOLE.fullmatch, cells)):
        return True
    first = _WHOLE.fullmatch(cells[0]) if len(cells) >= _FEWEST else None
    return first is not None and all(
        _WHOLE.fullmatch(cell) and int(cell.partition(".")[0]) == i for i, cell in enumerate(cells, int(first[1]))
    )


def names_gold(name: str) -> bool:
    """Whether a column or a file holds the right labels by its name.

    >>> [name for name in ("gold", "y_true", "Reference labels", "label_a", "correct", "golden retriever") if names_gold(name)]
    ['gold', 'y_true', 'Reference labels']
    """  # noqa: E501
    return _GOLD.fullmatch(name) is not None


def are_classes(cells: Sequence[str]) -> bool:
    """Whether cells may be the numbers of classes: few whole numbers that repeat."""
    classes = {*cells}
    return 2 * len(classes) <= len(cells) and len(classes) <= _MOST_CLASSES and all(map(str.isdecimal, classes))


def count_errors(name: str) -> bool:
    """Whether a column counts errors by its name."""
    return _ERRORS.fullmatch(name) is not None


def asides(names: Sequence[str], columns: Sequence[Sequence[str]]) -> list[int]:
    """Return the positions of columns of numbers that hold no scores of a system, none where no other column is left.

    They are told by their names, or hold the differences of two other columns, some below zero; of several such columns
    it is the last.

    >>> asides(["length", "A", "B"], [["7"], ["1"], ["0"]]), asides(["time"], [["7"]])
    ([0], [])
    >>> asides(["A", "B", "x"], [["3", "1", "2", "2", "0"], ["1", "1", "0", "2", "1"], ["2", "0", "2", "0", "-1"]])
    [2]
    """
    found = [i for i, name in enumerate(names) if _ASIDE.fullmatch(name)]
    rest = [i for i in range(len(names)) if i not in found]
    if 2 < len(rest) <= _MOST_SYSTEMS:
        pairs = list(combinations(rest, 2))
        found += [i for i in rest if any(_are_differences(columns[i], columns[j], columns[k]) for j, k in pairs)][-1:]
    return sorted(found) if len(found) < len(names) else []


def _are_differences(column: Sequence[str], first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether each number of a column, some below zero, is the difference of two others, or each its opposite."""
    if column in (first, second) or len(column) < _FEWEST or not any(cell[:1] == "-" for cell in column):
        return False
    return any(
        all(
            _NUMBER.fullmatch(d)
            and _NUMBER.fullmatch(a)
            and _NUMBER.fullmatch(b)
            and Fraction(a) - Fraction(b) == Fraction(d)
            for d, a, b in zip(column, minuend, subtrahend)
        )
        for minuend, subtrahend in ((first, second), (second, first))
    )


def is_turned(columns: int, rows: int) -> bool:
    """Whether a table of so many systems and items has a row for each system instead of a column."""
    return columns >= _FEWEST and rows < columns and (rows < _FEWEST or 10 * rows <= columns)


TURNED = "write a column for each system and a row for each item, not a row for each system"
"""What to do with a table that :func:`is_turned`."""


def role(name: str) -> str:
    """Return which counts a column holds by its name, "" where it does not say.

    >>> role("fp_baseline"), role("sysB.FN"), role("true positives"), role("incorrect"), role("loft")
    ('fp', 'fn', 'tp', '', '')
    """
    return _role_and_system(name)[0]


def system(name: str) -> str:
    """Return which system the counts of a column are of by its name, "" where it does not say.

    >>> system("fp_baseline"), system("sysB.FN"), system("true positives (Mine)"), system("TP"), system("incorrect")
    ('baseline', 'sysB', 'Mine', '', '')
    """
    return _role_and_system(name)[1]


def _role_and_system(name: str) -> tuple[str, str]:
    short = re.sub(r"(true|false)[^a-z]*(pos|neg)[a-z]*", lambda m: f" {m[1][0]}{m[2][0]} ", name, flags=re.IGNORECASE)
    found = re.search(r"(?<![a-z])(tp|fp|fn)s?(?![a-z])", short, re.IGNORECASE)
    if found is None:
        return "", ""
    return found[1].lower(), (short[: found.start()] + short[found.end() :]).strip(" _-.:()[]/")
