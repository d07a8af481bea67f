"""Files as people have them, as data: what each asks, or what is read; and what reads it, said explicitly.

``asked`` is the code of the question or the refusal, ``argument`` the setting that is asked, ``place`` the cell;
``explicit`` are settings that then give ``columns``. ``read`` are the columns that the ``settings`` give; where that
was no test that anybody wanted, ``because`` says why it is read: its columns are named, or it has exactly two columns
of numbers, which are shown with their names and ranges.
"""

import json
from collections import Counter
from pathlib import Path

from exactperm.files.question import question, systems
from exactperm.files.reading import Reading
from exactperm.files.table import Ask

DATA = Path(__file__).resolve().parent.parent / "data"
CASES = [
    json.loads(line)
    for name in ("misread.jsonl", "reading.jsonl")
    for line in (DATA / name).read_text(encoding="utf-8").splitlines()
]


def read(case, settings):
    """The columns that settings give, or the error that they raise."""
    files = case["files"].items() if isinstance(case["files"], dict) else case["files"]
    contents = [(name, text.encode()) for name, text in files]
    try:
        reading = Reading.of(settings)
        if case.get("several"):
            return [*systems(contents, reading).systems.values()]
        asked = question(contents, case["statistic"], reading)
    except ValueError as error:
        return error
    if asked.counts:
        return ["counts", *asked.counts]
    return [list(column) for column in asked.columns or (asked.u, asked.v)]


def test_every_file_is_asked_about_or_read_as_written():
    wrong = []
    for case in CASES:
        found = read(case, case["settings"])
        told = found.code if isinstance(found, ValueError) else json.loads(json.dumps(found))
        where = {name: getattr(found, name, "") for name in ("argument", "place") if name in case}
        where = {name: str(value) for name, value in where.items()}
        if told != case.get("asked", case.get("read")) or not where.items() <= case.items():
            wrong.append((case, told, where, str(found)))
    assert not wrong


def test_what_is_said_explicitly_is_read_rightly():
    explicit = [case for case in CASES if "explicit" in case]
    assert len(explicit) > 90
    for case in explicit:
        assert read(case, case["explicit"]) == case["columns"], case


def test_questions_carry_data():
    """What is asked names a setting; a ready answer is one that the reading takes. Numbers have a reason."""
    codes = Counter(case.get("asked") for case in CASES)
    assert (
        min(codes[code] for code in ["columns", "header", "id", "differences", "total", "decimal"])
        >= 3
    )
    for case in CASES:
        if "because" in case:
            named = case["because"] == "named"
            assert (
                "columns" in case["settings"]
                if named
                else case["because"] == "two columns of numbers"
            )
        error = read(case, case["settings"])
        if isinstance(error, Ask):
            assert "--" not in error.question
            assert not error.argument or hasattr(Reading(), error.argument)
            for answer in error.answers:
                settings = {
                    k: True if k == "differences" else v for k, v in answer.settings.items()
                }
                settings.pop("statistic", None)
                Reading.of(settings)
