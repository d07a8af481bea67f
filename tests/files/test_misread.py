"""Files that were misread once, by class: each gives the right columns or is refused, never another number."""

import json
from collections import Counter
from pathlib import Path

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import answer
from exactperm.files.reading import Reading
from exactperm.files.selection import select
from exactperm.files.sources import tables_of

DATA = Path(__file__).resolve().parent.parent / "data" / "misread.jsonl"
CASES = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def read(case, files=None):
    """Return the columns that a case gives, or the code of the refusal."""
    layout = answer.layout_of(case["statistic"])
    contents = [(name, text.encode()) for name, text in (files or case["files"]).items()]
    allowed = range(2, 61) if case.get("several") else layout.allowed
    try:
        tables, reading = tables_of(contents, Reading.of(case["reading"]), kind=layout.kind)
        if reading.runs is not None:
            question = answer.question(tables, case["statistic"], reading)
            return [question.u, question.v]
        chosen = select(tables, allowed, "scores", reading, kind=layout.kind, roles=layout.roles)
        if not case.get("several"):
            answer.question(tables, case["statistic"], reading)
    except ExactPermError as error:
        return error
    return chosen.columns


def test_no_file_is_misread():
    wrong = []
    for case in CASES:
        found = read(case)
        if isinstance(found, ExactPermError):
            if "columns" in case or not found.code:
                wrong.append((case, found.code, str(found)))
        elif found != case.get("columns"):
            wrong.append((case, found))
    assert not wrong


def test_every_class_has_five_files():
    assert min(Counter(case["class"] for case in CASES).values()) >= 5


@pytest.mark.parametrize("name", sorted({case["class"] for case in CASES}))
def test_every_class_has_files_of_both_kinds(name):
    kinds = {"columns" in case for case in CASES if case["class"] == name}
    assert kinds == {True, False}
