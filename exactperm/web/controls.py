"""What the page offers as controls, and the settings that come back from them."""

from __future__ import annotations

import math

from .._types import Any
from ..arithmetic.quoting import printable
from ..arithmetic.reading import whole_number
from ..budget import Budget
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..files.choice import Series
from ..files.forms import FORMS, Form
from ..files.listing import Ask, Table, facts_of
from ..files.reading import FIELDS, Field, Reading, joined_words
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
_MOST_CELLS = 200_000
"""Cells by which columns are described; of larger tables these are the first rows."""
_MOST_SECONDS = 3600
_BYTES = 2**30
"""Limit of memory: a browser gives a page two to four times as much."""

_LABELS = {
    "id": "Items joined by",
    "by": "Files without ids",
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

_LABELED = {"wilcoxon": "Wilcoxon signed-rank", "sign": "sign test", "mcnemar": "McNemar"}


def offer() -> Answer:
    """Return the statistics with the columns they take, and all settings with their choices."""
    return {
        "statistics": [_form(form) for form in FORMS.values()],
        "alternatives": list(ALTERNATIVES),
        "adjustments": [name for name in METHODS if name != "tarone"],
        "reading": [_field(field) for field in FIELDS if field.name != "columns"],
    }


def _form(form: Form) -> Answer:
    """Return a statistic with its lists of columns: for one file, for one of two files, for one of three."""
    if form.kind == "scores":
        of_one: Any = [("first system", None), ("second system", None)]
        lists = [of_one, [("scores", None)]]
    elif form.kind == "labels":
        gold = ("gold labels", None)
        of_one = [gold, ("first system", None), ("second system", None)]
        lists = [of_one, [gold, ("labels", None)], [("labels", None)]]
    else:
        of_each: Any = _COUNTS[form.name]
        systems = ("first", "second")
        of_one = [(f"{one} system, {count}", none) for one in systems for count, none in of_each]
        lists = [of_one, of_each]
    return {
        "name": form.name,
        "label": _LABELED.get(form.name, form.words),
        "kind": form.kind,
        "lists": [[{"label": of, "none": none} for of, none in one] for one in lists],
    }


def _field(field: Field) -> Answer:
    """Return one setting of reading as the page needs it for a control."""
    choices = tuple(DELIMITERS) if field.name == "delimiter" else field.choices
    if field.kind == "flag":
        choices = ("yes",)
    return {
        "name": field.name,
        "label": _LABELS.get(field.name, field.name.capitalize()),
        "help": field.help,
        "kind": "column" if field.kind == "column" else "choice" if choices else "text",
        "choices": ["", *choices] if choices else [],
        "words": DESIGNS if field.name == "runs" else {},
    }


def reading(asked: Request) -> Reading:
    """Return how the files are read: what the page shows as its settings, and no more."""
    values: dict[str, Any] = {"columns": joined_words(asked["columns"]) or None}
    for field in FIELDS:
        text = asked.get(field.name, "")
        if field.name == "columns" or not text.strip():
            continue
        values[field.name] = text.strip()
        if field.kind == "flag":
            values[field.name] = text == "yes"
        elif field.kind == "whole":
            values[field.name] = whole(asked, field.name, least=0)
    return Reading.of(values)


def whole(asked: Request, name: str, most: int | None = None, least: int = 1) -> int:
    """Return a setting that is a whole number."""
    text = asked[name].strip()
    if not (text.isdecimal() and len(text) < 19):
        raise ExactPermError(f"{name} is {text!r}: it must be a whole number")
    return whole_number(int(text), name, least, most)


_USUAL = ("difference", "two-sided")


def claim(asked: Request) -> dict[str, Any]:
    """Return the fields of a claim that its text states: the whole test above, or what is no default of the page."""
    said = {name: asked[name] for name in ("statistic", "alternative")}
    if asked["stated"]:
        said["law"] = "exact"
    else:
        said = {name: word for name, word in said.items() if word not in _USUAL}
    if asked["samples"]:
        said.update(law="monte-carlo", samples=whole(asked, "samples"))
    if asked["stars"].strip():
        said["stars"] = asked["stars"]
    return {"p": asked["published"], **said}


def budget(asked: Request) -> Budget:
    """Return the limits of the work."""
    try:
        seconds = float(asked["seconds"])
    except ValueError:
        text = f"the limit is {asked['seconds']!r}: it must be a number of seconds"
        raise ExactPermError(text) from None
    return Budget(seconds=seconds, bytes=_BYTES)


def refuse_units(choice: Reading, what: str, *names: str) -> None:
    """Refuse columns that only the test itself takes."""
    for name in names:
        if getattr(choice, name) is not None:
            raise ExactPermError(f"{what} takes no {name}: only the exact test does")


def start(table: Table) -> Table:
    """Return the first rows of a table, by which its columns are described."""
    rows = max(1, _MOST_CELLS // table.width)
    columns = tuple(cells[:rows] for cells in table.columns)
    return replaced(table, columns=columns, lines=table.lines[:rows], same=())


def offers(table: Table, choice: Reading) -> list[Answer]:
    """Return the columns of a table to choose from, each with what it holds and its first and last cell.

    ``value`` chooses the column; ``system`` tells whether it holds numbers alone.
    """
    found = []
    for i in range(min(table.width, MOST_COLUMNS)):
        facts = facts_of(table, i, choice.decimal)
        cells = table.columns[i]
        name = facts.name or f"column {facts.place}"
        column = {
            "value": facts.word,
            "label": cut(f"{facts.place}: {facts.name}" if facts.name else name),
            "name": cut(name),
            "holds": str(facts),
            "first": cut(cells[0]) if cells else "",
            "last": cut(cells[-1]) if cells else "",
            "system": facts.kind == "numbers",
        }
        found.append(column)
    return found


def offered(one: Series) -> Answer:
    """Return a system of a long table to choose."""
    return {"value": one.name, "label": cut(one.name), "system": True}


def refusal(error: ExactPermError) -> Answer:
    """Return what the page shows of an error: its text, and the ways to answer that it knows.

    >>> refusal(ExactPermError("no", cure=Cure({"missing": "drop"}, words="leaves out 2")))["answers"]
    [{'settings': {'missing': 'drop'}, 'words': 'leaves out 2', 'choose': ''}]
    """
    text, answers = str(error), [] if error.cure is None else [error.cure]
    if isinstance(error, BudgetExceeded):
        seconds = error.seconds or math.inf
        fits = seconds <= _MOST_SECONDS and (error.bytes or 0) <= _BYTES
        longer = Cure({"seconds": str(math.ceil(seconds) + 1)}) if fits else None
        text, answers = error.brief, [] if longer is None else [longer]
    elif isinstance(error, Ask):
        where = "" if error.place is None else f"{error.place}: "
        text, answers = f"{where}{error.question}", list(error.answers)
    shown = [
        {"settings": cure.settings, "words": printable(cure.words), "choose": cure.choose}
        for cure in answers
        if "columns" not in cure.settings
    ]
    return {
        "error": printable(text),
        "refused": isinstance(error, BudgetExceeded),
        "answers": shown,
    }


def cut(text: str) -> str:
    """Return the start of a cell that can be shown in a small space."""
    text = printable(text[: _SHOWN_CHARACTERS + 1])
    if len(text) <= _SHOWN_CHARACTERS:
        return text
    return f"{text[: _SHOWN_CHARACTERS - 1]}\N{HORIZONTAL ELLIPSIS}"
