"""Read the cells of a column as numbers: which are numbers, which are missing, and which are neither.

A number is an integer, a decimal, one with an exponent, a fraction k/n, or true or false. A comma is a decimal mark only
where the reading says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from operator import itemgetter

from .._types import TYPE_CHECKING
from ..arithmetic.reading import number, scaled_column
from ..errors import ExactPermError
from ..record import Record

if TYPE_CHECKING:
    from ..arithmetic.rational import Exact

_MISSING = frozenset(("", "na", "n/a", "nan", "nat", "null", "none", "<na>", "#n/a", "."))
"""Cells without a value, in lower case."""

_WORDS = {"true": "1", "false": "0"}
"""Cells that are numbers by their words, in lower case."""

_PLAIN = re.compile(r"^-?\d{1,18}(?:\.\d{1,18})?$", re.ASCII | re.MULTILINE)
"""The commonest numbers, which need no further look."""

_WITH_COMMA = r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?"
_THOUSANDS = r"[+-]?[1-9]\d{0,2}(?:,\d{3})+"


class Read(Record):
    """A column of cells as numbers: ``texts`` that ``exact`` reads, "" where none is.

    ``missing`` are the rows of missing values, ``wrong`` those of cells that are neither.
    """

    texts: Sequence[str]
    missing: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()


def is_missing(cell: str) -> bool:
    """Return whether a cell stands for no value.

    >>> is_missing("NaN"), is_missing("0")
    (True, False)
    """
    return len(cell) < 5 and cell.lower() in _MISSING


def number_text(cell: str, decimal: str | None = None) -> str:
    """Return a cell as a text that ``exact`` reads, "" where it is no number.

    >>> number_text("0,5", "comma"), number_text("0,5"), number_text("True")
    ('0.5', '', '1')
    """
    if decimal != "comma" and _PLAIN.fullmatch(cell):
        return cell
    text = cell
    if decimal == "comma":
        text = "" if "." in cell else cell.replace(",", ".")
    if len(cell) < 6:
        text = _WORDS.get(cell.lower(), text)
    try:
        number(text)
    except ExactPermError:
        return ""
    return text


def read(cells: Sequence[str], decimal: str | None = None) -> Read:
    """Return a column as numbers; see :class:`Read`.

    >>> read(["1", "NA", "x"])
    Read(texts=['1', '', ''], missing=(1,), wrong=(2,))
    """
    if decimal != "comma" and are_plain(cells):
        return Read(texts=cells)
    meaning = {cell: number_text(cell, decimal) for cell in {*cells}}
    texts = [*map(meaning.__getitem__, cells)]
    none = [row for row, text in enumerate(texts) if not text]
    missing = [row for row in none if is_missing(cells[row])]
    wrong = [row for row in none if not is_missing(cells[row])]
    return Read(texts=texts, missing=tuple(missing), wrong=tuple(wrong))


def are_plain(cells: Sequence[str]) -> bool:
    """Return whether all cells are decimals of the commonest form: in a tenth of the time of reading each."""
    text = "\n".join(cells)
    return text.count("\n") == len(cells) - 1 and len(_PLAIN.findall(text)) == len(cells)


def scaled(texts: Sequence[str], decimals: int | None = None) -> tuple[list[int], int]:
    """Return (integers, scale): the numbers of texts times a common denominator.

    >>> scaled(["0.50", "1.25"]), scaled(["1/3", "1"])
    (([50, 125], 100), ([1, 3], 3))
    """
    places = len(texts[0]) - 1 - texts[0].rfind(".") if "." in texts[0] else 0
    try:  # most columns have a point in one place, and no sign of another form
        if decimals is None and places and {*map(itemgetter(-1 - places), texts)} == {"."}:
            return list(map(int, "\n".join(texts).replace(".", "").split("\n"))), 10**places
    except (IndexError, ValueError):
        pass
    return scaled_column(texts, "scores", decimals)


def decimal_commas(cells: Sequence[str]) -> bool | None:
    """Return whether cells have decimal commas: None where no cell is a number with one.

    False where each comma may separate thousands.

    >>> decimal_commas(["0,5", "1"]), decimal_commas(["1,234", "2"]), decimal_commas(["x"])
    (True, False, None)
    """
    found = [cell for cell in cells if re.fullmatch(_WITH_COMMA, cell, re.ASCII)]
    if not found:
        return None
    return not all(re.fullmatch(_THOUSANDS, cell, re.ASCII) for cell in found)


def number_items(texts: Iterable[str]) -> bool:
    """Return whether numbers may number the items: all are different whole ones.

    >>> number_items(["7", "3"]), number_items(["7", "7"]), number_items(["0.5", "1"])
    (True, False, False)
    """
    values: set[Exact] = set()
    for text in texts:
        value = number(text)
        if not isinstance(value, int) or value in values:
            return False
        values.add(value)
    return True
