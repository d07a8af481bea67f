"""Check that columns with labels of their own, such as pandas Series, are paired by these labels.

Entries are paired by position. Two columns that hold the same labels in another order would give another test, and no
sum or mean would show it. No library is imported: a label index is known by its method ``equals``.
"""

from __future__ import annotations

from ..errors import Cure, ExactPermError
from .quoting import short_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

_PLAIN = (list, tuple, type(None))


def check_alignment(columns: Iterable[Any], names: Iterable[str] = ("u", "v", "groups")) -> None:
    """Raise ``ExactPermError`` where two of the columns have labels, but not the same ones in the same order.

    Columns without labels (lists, tuples, arrays, polars Series) are paired by position. ``names`` name the arguments
    in the message. Cost: one comparison of the labels; none for lists and tuples.

    >>> check_alignment(([3, 1], (2, 2), None))
    """
    known, first = "", None
    for name, column in zip(names, columns):
        if type(column) in _PLAIN:
            continue
        index = getattr(column, "index", None)
        if not hasattr(index, "equals"):
            continue
        if first is None:
            known, first = name, index
        elif not first.equals(index):
            raise _misaligned(known, first, name, index)


def _misaligned(known: str, first: Any, name: str, index: Any) -> ExactPermError:
    """Return the error that says how the labels of two columns differ, and how to align them."""
    if len(first) == len(index):
        i = next((i for i, (a, b) in enumerate(zip(first, index)) if a != b), 0)
        where = f"{known}[{i}] is labelled {short_text(first[i])} and {name}[{i}] {short_text(index[i])}"
        same = sorted(map(repr, first)) == sorted(map(repr, index))
        what = f"{known} and {name} have {'the same labels in another order' if same else 'other labels'}: {where}"
    else:
        what = f"{known} has {len(first)} labels and {name} has {len(index)}"
    align = f"align them first, as {name}.reindex({known}.index) does, or drop the labels with .to_numpy()"
    return ExactPermError(
        f"{what}. Entries are paired by position: {align}", code="labels-differ", cure=Cure(words=align)
    )
