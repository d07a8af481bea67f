"""Checks of labels: which column has the right ones, and whether the others are written as they are."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..arithmetic.quoting import short_text
from ..errors import Cure, ExactPermError
from .cells import names_gold, names_ids
from .parts import View
from .suggestions import quoted


def right_ones_late(view: View) -> Iterator[tuple[str, Cure | None]]:
    """Yield right labels, by the name of their column or file, that do not come first."""
    chosen = [(part, i) for part in view.parts for i in part.chosen]
    one = len(view.parts) == 1
    names = [part.table.heading(i) for part, i in chosen]
    files = [re.split(r"[/\\]", part.table.name)[-1] for part in view.parts]
    for told in (names, [] if one else files):
        right = _place_of_right(told)
        if right and len(view.parts) == 3:
            yield (
                f"{short_text(view.parts[right].table.name)} seems to hold the right labels, which come first",
                (Cure(words="name the file of the right labels before the others")),
            )
        elif right and told is names:
            part, i = chosen[right]
            words = dict.fromkeys(
                [part.table.word(i), *(p.table.word(j) for p, j in chosen if p is part)]
            )
            fits = len(words) == len(part.chosen) and not any(names_ids(word) for word in words)
            columns = ",".join(map(quoted, words))
            cure = (
                Cure({"columns": columns})
                if fits
                else Cure(words="choose the column of the right labels first")
            )
            yield (
                f"{short_text(told[right])} holds the right labels by its name, which come first",
                cure,
            )


def _place_of_right(names: Sequence[str]) -> int:
    """Return the place of the right labels by the names of columns or files, 0 where none says so."""
    stems = [(name, name.rpartition(".")[0], name.partition(".")[0]) for name in names]
    sure = [any(map(names_gold, forms)) for forms in stems]
    rather = [
        re.fullmatch(r"y|human|actual|observed", forms[2], re.IGNORECASE) is not None
        for forms in stems
    ]
    return (sure if any(sure) else [*rather, True]).index(True) % len(names) if names else 0


def other_forms(
    names: Sequence[str], columns: Sequence[Sequence[str]]
) -> Iterator[tuple[str, Cure | None]]:
    """Yield systems that write a right label in another form; the first of the columns has the right ones."""
    right = {_plain(label): label for label in columns[0]}
    for name, labels in zip(names[1:], map(set, columns[1:])):
        wrong = sorted(labels.difference(columns[0]))
        other = next((label for label in wrong if _plain(label) in right), None)
        if other is not None:
            meant = short_text(right[_plain(other)])
            yield (
                f"{name} has {short_text(other)}, {names[0]} has {meant}: labels are compared as they are written",
                Cure(words="write one label in one form"),
            )


def _plain(label: str) -> str:
    """Return a label without its form: case, white space, punctuation, width, letters that look alike, zeros."""
    from unicodedata import normalize

    text = normalize("NFKC", label).translate(_LOOKS).casefold()
    number = re.sub(r"^[+]?0*(?=\d)|(?<=\d)\.0+$", "", re.sub(r"[^\w.+-]+", "", text).rstrip("."))
    if re.fullmatch(r"-?\d+(?:\.\d+)?", number):
        return number
    return (
        re.sub(r"[\W_]+", " ", re.sub(r"[\u200b-\u200f\ufeff]", "", text)).strip() or text or label
    )


_LOOKS = str.maketrans(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0425",
    "ABEZHIKMNOPTYXABEKMHOPCTX",
)
"""Greek and Cyrillic capitals that look like Latin ones."""


def other_classes(
    names: Sequence[str], columns: Sequence[Sequence[str]]
) -> Iterator[tuple[str, Cure | None]]:
    """Yield systems none of whose labels is right, or whose classes have other numbers."""
    gold, *systems = columns
    apart = [{*labels}.isdisjoint(gold) for labels in systems]
    cure = Cure(
        words="choose the column of the right labels first, and write all labels in one form"
    )
    for name, labels, none in zip(names[1:], systems, apart):
        if none and (all(apart) or 1 < len({*gold}) <= len(gold) / 2):
            yield f"no label of {short_text(name)} is one of {short_text(names[0])}", cure
        elif _shifted(gold, labels):
            text = f"the labels of {short_text(name)} are those of {short_text(names[0])} plus or minus 1"
            yield text, Cure(words="number the classes alike")


def _shifted(gold: Sequence[str], labels: Sequence[str]) -> bool:
    """Whether labels are numbers of classes that begin one higher or lower, and more of them are right so."""
    if {*labels} <= {*gold} or not all(
        re.fullmatch(r"-?\d{1,9}", label, re.ASCII) for label in {*gold}
    ):
        return False
    moved = [[str(int(label) + step) for label in gold] for step in (-1, 1)]
    return any(
        {*labels} <= {*some} and _agree(some, labels) > _agree(gold, labels) for some in moved
    )


def _agree(first: Sequence[str], second: Sequence[str]) -> int:
    return sum(a == b for a, b in zip(first, second))


def none_right(
    names: Sequence[str], columns: Sequence[Sequence[str]]
) -> Iterator[tuple[str, Cure | None]]:
    """Yield systems none of whose labels is one of the right ones."""
    for name, labels in zip(names[1:], columns[1:]):
        if {*labels}.isdisjoint(columns[0]):
            yield f"no label of {name} is one of {names[0]}", None


def one_gold(
    names: tuple[str, ...], columns: list[list[str]]
) -> tuple[tuple[str, ...], list[list[str]]]:
    """Return the right labels once, where both files have them beside those of a system; refuse labels that differ."""
    wrong = next(
        (i for i, (first, second) in enumerate(zip(columns[0], columns[2])) if first != second),
        None,
    )
    if wrong is not None:
        first, second = short_text(columns[0][wrong]), short_text(columns[2][wrong])
        raise ExactPermError(
            f"{short_text(names[0])} and {short_text(names[2])} must hold the same right labels, but item {wrong + 1} "
            f"has {first} and {second}",
            code="other-items",
            cure=Cure(
                words="choose the column of the right labels first, and join the files by their ids"
            ),
        )
    return (names[0], names[1], names[3]), [columns[0], columns[1], columns[3]]
