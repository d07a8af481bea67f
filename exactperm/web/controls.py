"""What the page offers as controls, and the settings that come back from them."""

from __future__ import annotations

import math

from .._types import TYPE_CHECKING, Any
from ..arithmetic.quoting import printable
from ..arithmetic.reading import exact, whole_number
from ..budget import Budget
from ..display.frame import clipped
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..files.choice import Series
from ..files.reading import CLASSICAL, FIELDS, FORMS, MEANS, Field, Form, Reading, joined_words
from ..files.table import Ask, Table, facts_of
from ..multiplicity import METHODS
from ..null.alternative import ALTERNATIVES
from ..record import replaced
from ..swaps.runs import DESIGNS

if TYPE_CHECKING:
    from ..files.question import Question

Request = dict[str, Any]
Answer = dict[str, object]

MOST_COLUMNS = 300
"""Columns that are listed."""
_SHOWN_CHARACTERS = 40
_MOST_CELLS = 200_000
"""Cells by which columns are described; of larger tables these are the first rows."""
_MOST_SECONDS = 3600
_BYTES = 2**30
"""Limit of memory: a browser gives a page two to four times as much."""

_LABELS = {
    "columns": "the columns, below the statistic",
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
    "unpaired": "Two samples of different items",
    "wilcoxon": "Wilcoxon, by ranks",
    "sign": "sign test",
    "mcnemar": "McNemar",
}
"""Labels of settings and statistics, where they are not their names or words."""

_COUNTS = {
    "f1": ["tp", "fp, or fp + fn", "fn, unless in fp"],
    "precision": ["tp", "fp"],
    "recall": ["tp", "fn"],
    "ratio": ["numerator", "denominator"],
}
"""Lists for the counts of one system."""

_SYSTEMS = ["first system", "second system"]
_GOLD = "gold labels"
_UNITS = ["groups", "weights", "tasks", "runs", "run"]

_SAMPLES = (
    Field(name="unpaired", kind="flag", help="the two may differ in size; Wilcoxon compares ranks"),
    Field(
        name="strata",
        kind="column",
        help="column of strata, within which the values of two samples are exchanged",
    ),
)
"""Settings of two samples, beside those of reading."""


def offer() -> Answer:
    """Return the statistics with the columns they take, and all settings with their choices.

    ``apart`` are settings that two samples do not take.
    """
    return {
        "statistics": list(map(_form, FORMS.values())),
        "alternatives": list(ALTERNATIVES),
        "adjustments": [name for name in METHODS if name != "tarone"],
        "reading": [_field(field) for field in (*_SAMPLES, *FIELDS) if field.name != "columns"],
        "apart": [*_UNITS, "id", "by", "differences"],
    }


def _form(form: Form) -> Answer:
    """Return a statistic with its lists of columns: for one file, for one of two files, for one of three.

    ``apart`` are settings that it does not take.
    """
    apart = [] if form.name in (*MEANS, "wilcoxon") else ["unpaired", "strata"]
    lists = [_SYSTEMS, ["scores"]]
    if form.kind == "labels":
        lists = [[_GOLD, *_SYSTEMS], [_GOLD, "labels"], ["labels"]]
    elif form.kind == "counts":
        each = _COUNTS[form.name]
        lists = [[f"{one}, {count}" for one in _SYSTEMS for count in each], each]
    if form.kind != "scores":
        apart.append("differences")
    if form.name in CLASSICAL:
        apart += [*_UNITS, *["decimals"] * (form.name == "mcnemar")]
    label = _LABELS.get(form.name, form.words)
    return {"name": form.name, "label": label, "lists": lists, "apart": apart}


def _field(field: Field) -> Answer:
    """Return one setting of reading as the page needs it for a control."""
    choices = ("yes",) if field.kind == "flag" else field.choices
    return {
        "name": field.name,
        "label": _LABELS.get(field.name, field.name.capitalize()),
        "help": field.help,
        "kind": field.kind,
        "choices": ["", *choices],
        "words": DESIGNS if field.name == "runs" else {},
    }


def reading(asked: Request) -> Reading:
    """Return how the files are read: what the page shows as its settings, and no more."""
    values: dict[str, object] = {"columns": joined_words(asked["columns"]) or None}
    for field in FIELDS[1:]:
        text = asked[field.name].strip()
        if text:
            values[field.name] = text == "yes" if field.kind == "flag" else text
            if field.kind == "whole":
                values[field.name] = whole(asked, field.name, least=0)
    return Reading.of(values)


def whole(asked: Request, name: str, most: int | None = None, least: int = 1) -> int:
    """Return a setting that is a whole number."""
    return whole_number(exact(asked[name], name), name, least, most)


_USUAL = ("difference", "two-sided")


def claim(asked: Request, question: Question) -> dict[str, object]:
    """Return the fields of a claim about the data of a question that its text states.

    These are the whole test, or what is no default of the page.
    """
    if question.design or question.groups or question.weights or question.source.reading.decimals:
        raise ExactPermError(
            "only plain pairs are judged: without groups, weights, runs, two samples or rounding"
        )
    said = {name: asked[name] for name in ("statistic", "alternative")}
    if asked["stated"]:
        said.update(law="exact", stated="all")
    else:
        said = {name: word for name, word in said.items() if word not in _USUAL}
    if asked["samples"]:
        said.update(law="monte-carlo", samples=whole(asked, "samples"))
    if asked["stars"].strip():
        said["stars"] = asked["stars"]
    return {"data": question.columns, "p": asked["published"], **said}


def budget(asked: Request) -> Budget:
    """Return the limits of the work."""
    return Budget(seconds=float(exact(asked["seconds"], "seconds")), bytes=_BYTES)


def start(table: Table) -> Table:
    """Return the first rows of a table, by which its columns are described."""
    rows = max(1, _MOST_CELLS // table.width)
    columns = tuple(cells[:rows] for cells in table.columns)
    return replaced(table, columns=columns, lines=table.lines[:rows], same=())


def offers(table: Table) -> list[Answer]:
    """Return the columns of a table to choose from, each with what it holds and its first and last cell.

    ``value`` chooses the column; ``system`` tells whether it holds numbers alone.
    """
    found = []
    for i, cells in enumerate(table.columns[:MOST_COLUMNS]):
        facts, name = facts_of(table, i), table.title(i)
        column = {
            "value": facts.word,
            "label": cut(f"{facts.place}: {name}" if facts.name else name),
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
        answers = [Cure({"seconds": str(math.ceil(seconds) + 1)})] if fits else []
        text = error.brief
    elif isinstance(error, Ask):
        where = "" if error.place is None else f"{error.place}: "
        text, answers = f"{where}{error.question}", list(error.answers)
        if error.argument and not answers:
            words = _LABELS.get(error.argument, error.argument.capitalize())
            answers = [Cure({}, words=f"Choose in the question: {words}")]
    shown = [
        {"settings": cure.settings, "words": printable(cure.words), "choose": cure.choose}
        for cure in answers
        if "columns" not in cure.settings
    ]
    refused = isinstance(error, BudgetExceeded)
    return {"error": printable(text), "refused": refused, "answers": shown}


def cut(text: str) -> str:
    """Return the start of a cell that can be shown in a small space."""
    return clipped(printable(text[: _SHOWN_CHARACTERS + 1]), _SHOWN_CHARACTERS)
