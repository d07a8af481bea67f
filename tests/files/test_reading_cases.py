"""Files as people have them, as data: what is read from each, or the code of the refusal and its cure."""

import json
from pathlib import Path

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import checks
from exactperm.files.reading import Reading
from exactperm.files.selection import select
from exactperm.files.sources import tables_of

DATA = Path(__file__).resolve().parent.parent / "data"
CASES = [
    json.loads(line) for line in (DATA / "reading.jsonl").read_text(encoding="utf-8").splitlines()
]


def read(case):
    """Return what a case gives, as it is written in the data."""
    files = case["files"].items() if isinstance(case["files"], dict) else case["files"]
    try:
        contents = [(name, text.encode()) for name, text in files]
        tables, reading = tables_of(contents, Reading.of(case["reading"]), kind=case["kind"])
        chosen = select(tables, case["allowed"], "scores", reading, kind=case["kind"])
    except ExactPermError as error:
        assert "--" not in str(error) or any("--" in text for name, text in files), error
        cure = (
            {}
            if error.cure is None
            else {"settings": error.cure.settings, "command": error.cure.command}
        )
        return {"code": error.code, **{name: value for name, value in cure.items() if value}}
    found = {"columns": chosen.columns, "groups": chosen.labels, "dropped": chosen.dropped}
    found["notes"] = [note.code for note in chosen.notes]
    return {name: value for name, value in found.items() if value}


def test_files_as_people_have_them():
    for case in CASES:
        stated = {
            name: case[name] for name in case.keys() - {"files", "reading", "allowed", "kind"}
        }
        assert read(case) == stated, case


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.get("settings") and not case.get("command")]
)
def test_a_cure_names_columns_of_the_file_and_leads_on(case):
    """The cure of a refusal is read without that refusal; what it names occurs in the file or is a number."""
    text = "".join(dict(case["files"]).values())
    for name in case["settings"].keys() & {"columns", "key", "id", "groups"}:
        listed = case["settings"][name]
        assert not listed or all(
            word.isdecimal() or word in text for word in Reading(columns=listed).words
        )
    known = {
        name: value or None for name, value in case["settings"].items() if name in Reading._fields
    }
    again = {**case, "reading": {**case["reading"], **known}}
    if "statistic" not in case["settings"]:
        assert read(again).get("code") != case["code"] or case["code"] == "columns"


def test_every_check_has_a_code_of_its_own():
    assert len(checks.CHECK) == len(checks.CHECKS)
    assert all(all(check.said) for check in checks.CHECKS)
