"""Suggest columns and a statistic for files that a test cannot use as they are.

Loaded only where a question is refused. Nothing is chosen here: a cure names columns that exist,
and the user decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..errors import Cure
from ..record import replaced
from . import derived
from .cells import are_classes, names_gold, role, system
from .numbers import PERCENT, has_quoted_commas
from .parts import Part, View
from .profile import Column, of_kind

_LISTED = 12
"""Most columns that are listed by their names."""

_TURNED = 5
"""Columns from which a table of fewer rows may have a row for each system."""

_BY_COUNTS = {("fn", "fp", "tp"): "f1", ("fp", "tp"): "precision", ("fn", "tp"): "recall"}
_ORDER = ("tp", "fp", "fn")
OTHER_FILE = Cure(words="name the file of the other system, too")


def of_columns(view: View, allowed: Sequence[int]) -> Cure | None:
    """Return the cure for files with more or fewer columns than a test takes: which to choose, or which statistic."""
    files = [_free(part, view) for part in view.parts]
    if len(files) > 1:
        if view.kind == "labels" and sum(len(part.chosen) for part in view.parts) < min(allowed):
            return Cure(words="name the file of the right labels, too, before the others")
        return _of_several(files, view)
    cure = _of_one(files[0], allowed, view.kind)
    if cure is not None and "columns" in cure.settings and has_quoted_commas(view.parts[0].table):
        return Cure(
            {**cure.settings, "delimiter": "comma", "decimal": "comma"}, cure.command, cure.words
        )
    return cure


def of_allowed_columns(view: View, allowed: Sequence[int]) -> Cure | None:
    """Return the cure that names columns, None where these are the ones that are refused."""
    part = view.parts[0]
    refused = ",".join(quoted(part.table.word(i)) for i in part.chosen)
    cure = of_columns(view, allowed)
    return None if cure == Cure({"columns": refused}) else cure


def of_other_columns(view: View, allowed: Sequence[int]) -> Cure | None:
    """Return the cure for chosen columns that hold no scores: others of the same files; None where it is words only."""
    found = of_columns(view, allowed)
    return found if found is not None and found.settings else None


def _free(part: Part, view: View) -> list[Column]:
    """Return the columns that hold neither ids nor groups, and are not computed from other scores."""
    free = [column for column in part.columns if column.place not in (part.id, *part.described)]
    scores = [column.place for column in of_kind(free, "score") if view.kind == "scores"]
    computed = dict(derived.computed(replaced(part, chosen=tuple(scores))))
    return [column for column in free if column.place not in computed]


def column_words(columns: Sequence[Column]) -> str:
    """Return the words that choose columns, as a span where they are many in a row."""
    places = [column.place for column in columns]
    if (
        len(columns) > _LISTED
        and places == list(range(places[0], places[-1] + 1))
        and columns[0].word.isdecimal()
    ):
        return f"{places[0] + 1}-{places[-1] + 1}"
    return ",".join(quoted(column.word) for column in columns)


def quoted(name: str) -> str:
    """Return a name as a list of columns has it: in quotes where it holds a comma, a quote or blanks at its ends."""
    if re.search(r'[",\n]', name) or name != name.strip():
        return '"' + name.replace('"', '""') + '"'
    return name


# ----------------------------------------------------------------------------------------- one file


def _of_one(columns: Sequence[Column], allowed: Sequence[int], kind: str) -> Cure | None:
    """Return what to choose from the columns of one file, for a test that takes ``allowed`` numbers of a ``kind``."""
    labels = _labels(columns) or _classes(columns)
    if len(labels) == 3 and kind != "labels":
        told = "for class labels, the right ones first"
        return Cure({"statistic": "accuracy", "columns": column_words(labels)}, words=told)
    counts = _counts(columns)
    if kind != "counts" and counts is not None:
        return counts
    scores = of_kind(columns, "score")
    if kind == "scores" and len(scores) == 1 < len(columns):
        return OTHER_FILE
    if (
        kind == "scores"
        and scores
        and all(cell.endswith("%") for column in scores for cell in column.cells)
    ):
        return Cure(words=PERCENT)
    if scores and len(scores) >= _TURNED > len(scores[0].cells):
        return Cure(
            words="write a column for each system and a row for each item, not a row for each system"
        )
    if kind == "scores" and max(allowed) == 2 and len(scores) > 2:
        rest = {"columns": column_words(scores)} if len(scores) < len(columns) else {}
        return Cure(
            rest,
            command="compare",
            words=f"for all pairs of {len(scores)} systems, or choose two columns",
        )
    if kind == "labels":
        scores = labels if len(labels) == 3 else []
    elif kind == "counts":
        if counts is not None and "columns" in counts.settings:
            asked = counts.settings["statistic"] == "f1" and 6 in allowed
            return Cure({"columns": counts.settings["columns"]}) if asked else counts
        scores = of_kind(columns, "score", "count")
    number = max((n for n in allowed if 1 < n <= len(scores)), default=0)
    return Cure({"columns": column_words(scores[:number])}) if number else None


def _labels(columns: Sequence[Column]) -> list[Column]:
    """Return the columns of labels, the right ones first; none where no name says which these are."""
    found = of_kind(columns, "gold", "label")
    return _gold_first(found) if len(of_kind(found, "gold")) == 1 else []


def _gold_first(columns: Sequence[Column]) -> list[Column]:
    return sorted(columns, key=lambda column: not names_gold(column.name.rpartition(".")[2]))


def _classes(columns: Sequence[Column]) -> list[Column]:
    """Return the first three columns of few whole numbers, the right labels first by their name; else none."""
    found = _gold_first(
        [c for c in columns if c.kind in ("score", "gold") and are_classes(c.cells)]
    )
    return found[:3] if len(found) > 2 and found[0].kind == "gold" else []


def _counts(columns: Sequence[Column]) -> Cure | None:
    """Return how counts whose names say tp, fp or fn are compared, None where there are none."""
    systems: dict[str, dict[str, Column]] = {}
    for column in columns:
        found = role(column.name)
        if found in _ORDER:
            systems.setdefault(system(column.name), {})[found] = column
    kinds = {tuple(sorted(held)) for held in systems.values()}
    statistic = _BY_COUNTS.get(kinds.pop(), "") if len(kinds) == 1 else ""
    if not statistic:
        return None
    if len(systems) == 1:
        return OTHER_FILE
    chosen = [held[name] for held in [*systems.values()][:2] for name in _ORDER if name in held]
    words = "for counts of two systems" + (f" of {len(systems)}" if len(systems) > 2 else "")
    return Cure({"statistic": statistic, "columns": column_words(chosen)}, words=words)


# ------------------------------------------------------------------------------------ several files


def _of_several(files: Sequence[Sequence[Column]], view: View) -> Cure | None:
    """Return what chooses one column of every file and joins their rows, None where there is none to choose."""
    return _of_common(list(_common(files)), files, view) or _of_common(
        list(_common(map(_numbered, files))), files, view
    )


def _of_common(
    common: Sequence[Sequence[Column]], files: Sequence[Sequence[Column]], view: View
) -> Cure | None:
    """Return the settings for columns that all files have; see :func:`_of_several`."""
    items = [columns[0] for columns in common if _same_items(columns)]
    joined = {"id": items[0].word} if items and view.reading.id is None else {}
    counts = {
        role(columns[0].name): columns[0]
        for columns in common
        if len({role(c.name) for c in columns}) == 1
    }
    statistic = _BY_COUNTS.get(tuple(sorted({*counts} & {*_ORDER})))
    if statistic and len(files) == 2:
        chosen = column_words([counts[name] for name in _ORDER if name in counts])
        return Cure({"statistic": statistic, **joined, "columns": chosen})
    if statistic:
        return Cure(words=f"name two files, for the statistic {statistic} of counts")
    scores = [columns[0] for columns in common if {c.kind for c in columns} == {"score"}]
    labels = [columns[0] for columns in common if {c.kind for c in columns} <= {"label", "gold"}]
    gold = of_kind(labels, "gold")
    if len(files) == 2 and len(labels) == 2 and len(gold) == 1 and not scores:
        return Cure(
            {"statistic": "accuracy", **joined, "columns": column_words(_gold_first(labels))}
        )
    if not (scores or labels):
        return None
    key = (
        {} if view.reading.key or max(map(len, files)) == 1 else {"key": (scores or labels)[0].word}
    )
    if not scores:
        return Cure({"statistic": "accuracy", **joined, **key}) if len(files) == 3 else None
    found = {**joined, **key}
    if len(files) > 2:
        return Cure(found, command="compare", words="for all pairs")
    return Cure(found) if found else None


def _common(files: Iterable[Sequence[Column]]) -> Iterator[list[Column]]:
    """Yield the columns that all files have, by the words that choose them."""
    first, *others = [{column.word: column for column in file} for file in files]
    for word, column in first.items():
        if all(word in other for other in others):
            yield [column, *(other[word] for other in others)]


def _numbered(columns: Sequence[Column]) -> list[Column]:
    """Return columns that are chosen by their numbers, where their names differ between files."""
    return [replaced(column, word=str(column.place + 1)) for column in columns]


def _same_items(columns: Sequence[Column]) -> bool:
    """Whether columns name the items, of which the files share some."""
    cells = [{*column.cells} for column in columns]
    return all(column.kind == "id" for column in columns) and bool(set.intersection(*cells))
