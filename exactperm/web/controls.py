"""What the page offers as controls, and the settings that come back from them."""

from __future__ import annotations

import math

from .._types import Any
from ..arithmetic.quoting import printable
from ..arithmetic.reading import whole_number
from ..budget import Budget
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..files import numbers
from ..files.forms import FORMS, Form
from ..files.listing import Table
from ..files.reading import FIELD, FIELDS, Field, Reading, joined_words, split_words
from ..files.text import DELIMITERS
from ..multiplicity import METHODS
from ..null.alternative import ALTERNATIVES
from ..record import replaced
from ..swaps.runs import DESIGNS

Request = dict[str, Any]
Answer = dict[str, Any]


MOST_COLUMNS = 300
"""Columns that are listed."""
_SHOWN_CHARACTERS = 40
_JUDGED_ROWS = 1000
_MOST_SECONDS = 3600
_BYTES = 2**30
"""Limit of memory: a browser gives a page two to four times as much."""

_LABELS = {
    "id": "Items joined by",
    "groups": "Swapped together",
    "runs": "Several runs of each item",
    "run": "Names of runs",
    "system": "Names of systems",
    "score": "Scores of these systems",
    "names": "Short names for results",
    "filter": "Answer filter",
    "decimal": "Decimal mark",
    "decimals": "Rounded to decimals",
}
"""Labels of settings of reading, where they are not their names."""

_COUNTS = {
    "f1": [("tp", None), ("fp, or fp + fn", None), ("fn", "none: in fp")],
    "precision": [("tp", None), ("fp", None)],
    "recall": [("tp", None), ("fn", None)],
    "ratio": [("numerator", None), ("denominator", None)],
}
"""Lists for the counts of one system, each with what it says where it is left alone, None where it
must be chosen."""

_IN_LISTS = ("columns", "differences")
"""Settings of reading for which the page has lists of columns."""

_MORE = {"wilcoxon": "Wilcoxon signed-rank", "sign": "sign test"}
_LEFT_OUT = ("mcnemar",)


def offer() -> Answer:
    """Return the statistics with the columns they take, and all settings with their choices."""
    forms = [
        _form(name, _MORE.get(name, form.words), form)
        for name, form in FORMS.items()
        if name not in _LEFT_OUT
    ]
    adjustments = [name for name in METHODS if name != "tarone"]
    fields = [_field(field) for field in FIELDS if field.name not in _IN_LISTS]
    return {
        "statistics": forms,
        "alternatives": list(ALTERNATIVES),
        "adjustments": adjustments,
        "reading": fields,
    }


def _form(name: str, label: str, layout: Form) -> Answer:
    """Return a statistic with its lists of columns: for one file, for one of two files, and for one of more."""
    second = "none: differences"
    if layout.kind == "scores":
        lists: Any = [[("first system", None), ("second system", second)], [("scores", None)]]
    elif layout.kind == "labels":
        gold = ("gold labels", None)
        lists = [
            [gold, ("first system", None), ("second system", None)],
            [gold, ("labels", None)],
            [("labels", None)],
        ]
    else:
        own: Any = _COUNTS[layout.name]
        lists = [
            [
                (f"{system} system, {count}", none)
                for system in ("first", "second")
                for count, none in own
            ],
            own,
        ]
    return {
        "name": name,
        "label": label,
        "lists": [[{"label": of, "none": none} for of, none in one] for one in lists],
    }


def _field(field: Field) -> Answer:
    """Return one setting of reading as the page needs it for a control."""
    label = _LABELS.get(field.name, field.name.capitalize())
    choices = tuple(DELIMITERS) if field.name == "delimiter" else field.choices
    choices = ("", *choices) if choices else ()
    kind = "column" if field.kind == "column" else "choice" if choices else "text"
    about = {
        "name": field.name,
        "label": label,
        "help": field.help,
        "kind": kind,
        "choices": choices,
    }
    return {
        **about,
        "default": "",
        "words": DESIGNS if field.name == "runs" else {},
    }


def reading(asked: Request) -> Reading:
    """Return how the files are read."""
    values: dict[str, Any] = {
        name: asked.get(name, "").strip() or None for name in FIELD if name not in _IN_LISTS
    }
    if values["decimals"] is not None:
        values["decimals"] = whole(asked, "decimals", least=0)
    scores = FORMS[asked.get("statistic", "difference")].kind == "scores"
    one = len(asked["columns"]) == 1 == len(asked["files"]) and asked["do"] != "compare"
    values["differences"] = one and scores and not (values["runs"] or values["system"])
    return Reading.of({**values, "columns": joined_words(asked["columns"]) or None})


_USUAL = ("difference", "two-sided")


def whole(asked: Request, name: str, most: int | None = None, least: int = 1) -> int:
    """Return a setting that is a whole number."""
    text = asked[name].strip()
    if not (text.isdecimal() and len(text) < 19):
        raise ExactPermError(f"{name} is {text!r}: it must be a whole number")
    return whole_number(int(text), name, least, most)


def claim(asked: Request) -> dict[str, Any]:
    """Return the fields of a claim that its text states: the whole test above, or what is no default of the page."""
    test = {name: asked[name] for name in ("statistic", "alternative")}
    said = (
        {**test, "law": "exact"}
        if asked["stated"]
        else {n: word for n, word in test.items() if word not in _USUAL}
    )
    if asked["samples"]:
        said.update(law="monte-carlo", samples=whole(asked, "samples"))
    return {
        "p": asked["published"],
        **said,
        **({"stars": asked["stars"]} if asked["stars"].strip() else {}),
    }


def budget(asked: Request) -> Budget:
    """Return the limits of the work."""
    try:
        seconds = float(asked["seconds"])
    except ValueError:
        raise ExactPermError(
            f"the limit is {asked['seconds']!r}: it must be a number of seconds"
        ) from None
    return Budget(seconds=seconds, bytes=_BYTES)


def refuse_units(choice: Reading, what: str, *names: str) -> None:
    """Refuse columns that only the test itself takes."""
    for name in names:
        if getattr(choice, name) is not None:
            raise ExactPermError(f"{what} takes no {name}: only the exact test does")


def systems(table: Table) -> list[Answer]:
    """Return the columns that may be systems of a leaderboard: those of numbers."""
    found = []
    for i in range(min(table.width, MOST_COLUMNS)):
        read = numbers.read(table.columns[i])
        if not read.wrong and len(read.missing) < table.rows:
            found.append({"value": table.word(i), "label": cut(table.title(i)), "chosen": True})
    return found


def start(table: Table) -> Table:
    """Return the start of a table, by which its columns are judged."""
    columns = tuple(cells[:_JUDGED_ROWS] for cells in table.columns)
    return replaced(table, columns=columns, lines=table.lines[:_JUDGED_ROWS], same=())


def offers(table: Table) -> list[Answer]:
    """Return the columns of a table to choose from."""
    if table.form != "table":
        return [offered(name) for name in table.names[:MOST_COLUMNS]]
    heads = table.names if table.header else [cells[0] for cells in table.columns]
    return [offered(table.word(i), cell, str(i + 1)) for i, cell in enumerate(heads[:MOST_COLUMNS])]


def offered(word: str, name: str | None = None, number: str = "") -> Answer:
    """Return a column to choose: the word that chooses it, its name or its first cell, and its number from 1."""
    name = word if name is None else name
    return {
        "value": word,
        "name": name,
        "number": number,
        "label": cut(f"{number}: {name}" if number else name),
    }


def more_time(error: BudgetExceeded) -> Answer | None:
    """Return the cure of refused work: a limit that it keeps, where that is an hour at most."""
    seconds = error.seconds
    if seconds is None or seconds > _MOST_SECONDS or (error.bytes or 0) > _BYTES:
        return None
    return cured(Cure({"seconds": str(math.ceil(seconds) + 1)}))


def cured(cure: Cure) -> Answer:
    """Return a cure with the values of the page's controls: lists of columns, and the library's name of a statistic.

    >>> cured(Cure({"columns": "acc", "statistic": "f1"}))["settings"]
    {'columns': ['acc'], 'statistic': 'f1'}
    """
    settings: Answer = dict(cure.settings)
    if "columns" in settings:
        settings["columns"] = split_words(settings["columns"], "columns")
    choose = {"choose": cure.choose} if cure.choose else {}
    return {"settings": settings, "command": cure.command, "words": printable(cure.words), **choose}


def cut(text: str) -> str:
    """Return the start of a cell that can be shown in a small space."""
    text = printable(text[: _SHOWN_CHARACTERS + 1])
    return (
        text
        if len(text) <= _SHOWN_CHARACTERS
        else f"{text[: _SHOWN_CHARACTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
    )
