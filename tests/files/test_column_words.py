"""A column may be named or numbered; either way it is the column that the user sees in the file."""

import csv
import io

from hypothesis import given
from hypothesis import strategies as st

from exactperm.errors import ExactPermError
from exactperm.files import answer
from exactperm.files.reading import FIELDS, Reading
from exactperm.files.sources import tables_of

TAKING = ["columns", *(field.name for field in FIELDS if field.column)]
"""The settings that name columns."""


@st.composite
def tables(draw):
    """Draw (header, rows, settings): a row for each item, for each item and system, or for each run of these."""
    scores = st.sampled_from(("0.5", "0.25", "0.75", "1.5", "-0.5", "3"))
    items = draw(st.permutations(range(3, 9)))
    form, about = (
        draw(st.sampled_from(("wide", "long", "runs"))),
        draw(st.sampled_from(("groups", "weights", "tasks"))),
    )
    of_item = {item: draw(st.integers(1, 3)) for item in items}
    if form == "wide":
        rows = [
            {"item": item, "A": draw(scores), "B": draw(scores), about: of_item[item]}
            for item in items
        ]
        chosen = {"columns": "A,B"}
    else:
        runs = (1, 2) if form == "runs" else (1,)
        keys = [(item, system, run) for item in items for system in ("A", "B") for run in runs]
        rows = [
            {"item": i, "system": s, "run": r, "score": draw(scores), about: of_item[i]}
            for i, s, r in keys
        ]
        chosen = {
            "system": "system",
            "score": "score",
            **({"run": "run", "runs": "within"} if form == "runs" else {}),
        }
    chosen["id"] = "item"
    if form != "runs" or about == "weights":
        chosen[about] = about
    header = draw(st.permutations([name for name in rows[0] if name != "run" or form == "runs"]))
    return header, [[row[name] for name in header] for row in rows], chosen


def asked(header, rows, chosen):
    """Return what is compared and how, or the refusal."""
    text = io.StringIO()
    csv.writer(text).writerows([header, *rows])
    try:
        sheets, reading = tables_of([("f.csv", text.getvalue().encode())], Reading.of(chosen))
        question = answer.question(sheets, "difference", reading)
    except ExactPermError as error:
        return error
    found = {
        name: getattr(question, name) for name in ("u", "v", "groups", "weights", "tasks", "design")
    }
    return {**found, "names": question.source.names, "sha256": question.source.files[0].sha256}


@given(tables(), st.data())
def test_a_number_means_the_column_of_the_file(table, data):
    header, rows, chosen = table
    numbers = {name: str(header.index(name) + 1) for name in header}
    renamed = {
        name: ",".join(numbers[word] for word in words.split(","))
        if name in TAKING and data.draw(st.booleans())
        else words
        for name, words in chosen.items()
    }
    by_name, by_number = asked(header, rows, chosen), asked(header, rows, renamed)
    if isinstance(by_name, ExactPermError):
        assert isinstance(by_number, ExactPermError), (by_name, by_number, renamed)
    else:
        assert by_number == by_name
        assert len(by_name["sha256"]) == 64
