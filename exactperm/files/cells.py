"""Tell scores, names, missing values and the roles of columns apart by their text."""

from __future__ import annotations

import re

MISSING_CELLS = frozenset(("", "na", "n/a", "none", "null", "nan", "nat", "<na>", "#n/a"))
"""Cells that hold no value, in lower case."""

BOOLEANS = {"true": "1", "false": "0"}
"""Words that are scores, in lower case."""


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


def role(name: str) -> str:
    """Return which counts a column holds by its name, "" where it does not say.

    >>> role("fp_baseline"), role("sysB.FN"), role("true positives"), role("incorrect"), role("loft")
    ('fp', 'fn', 'tp', '', '')
    """
    short = re.sub(r"(true|false)[^a-z]*(pos|neg)[a-z]*", lambda m: f" {m[1][0]}{m[2][0]} ", name.lower())
    found = re.search(r"(?<![a-z])(tp|fp|fn)s?(?![a-z])", short)
    return found[1] if found else ""
