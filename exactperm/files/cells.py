"""Tell scores, names, missing values and the roles of columns apart by their text."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MISSING_CELLS = frozenset(("", "na", "n/a", "none", "null", "nan", "nat", "<na>", "#n/a"))
"""Cells that hold no value, in lower case."""

BOOLEANS = {"true": "1", "false": "0"}
"""Words that are scores, in lower case."""


_ITEMS = re.compile(
    r"item|index|idx|i|no|nr|number|row|line|segment|seg|sentence|question|doc|document|example|sample|instance|run|seed|"
    r"epoch|fold|trial",
    re.IGNORECASE,
)
"""Names of columns that number the items, where all cells are numbers."""


def is_name(cell: str) -> bool:
    """Whether a cell has letters and is no score, not even with signs that ``exact`` refuses, such as 50%."""
    try:
        float(re.sub(r"[^\w.+-]", "", cell))
    except ValueError:
        return cell.lower() not in MISSING_CELLS and cell.lower() not in BOOLEANS and any(map(str.isalpha, cell))
    return False


def names_ids(name: str) -> bool:
    """Whether a column or a key holds ids by its name."""
    return name.lower().endswith("id")


def numbers_items(name: str, cells: Sequence[str], least: int) -> bool:
    """Whether numbers are those of items: by the column's name, or as ``least`` consecutive cells or more from 0 or 1.

    >>> numbers_items("doc_id", ["7"], 9), numbers_items("", ["1", "2", "3"], 3), numbers_items("", ["5", "6", "7"], 3)
    (True, True, False)
    """
    if names_ids(name) or _ITEMS.fullmatch(name):
        return True
    first = cells[0] if cells else ""
    return (
        len(cells) >= least and first in ("0", "1") and all(cell == str(i) for i, cell in enumerate(cells, int(first)))
    )


def names_gold(name: str) -> bool:
    """Whether a column or a file holds the right labels by its name."""
    return re.search(r"(?<![a-z])(gold|truth|reference)(?![a-z])", name.lower()) is not None


def role(name: str) -> str:
    """Return which counts a column holds by its name, "" where it does not say.

    >>> role("fp_baseline"), role("sysB.FN"), role("true positives"), role("incorrect"), role("loft")
    ('fp', 'fn', 'tp', '', '')
    """
    short = re.sub(r"(true|false)[^a-z]*(pos|neg)[a-z]*", lambda m: f" {m[1][0]}{m[2][0]} ", name.lower())
    found = re.search(r"(?<![a-z])(tp|fp|fn)s?(?![a-z])", short)
    return found[1] if found else ""
