"""The note: its tables are those of the results that are kept, and its numbers, and those of two pages, are in them."""

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NOTE = (ROOT / "spec" / "note.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w^_{])\.?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?%?")


def results(name):
    return (ROOT / "benchmarks" / "results" / f"{name}.md").read_text(encoding="utf-8")


def numbers(text):
    """Numbers as they are written, without the commas between thousands."""
    return {found.rstrip(",.").replace(",", "") for found in NUMBER.findall(text)}


def prose(first, last):
    """A part of the note without its tables, pictures and their captions' numbers."""
    part = NOTE[NOTE.index(first) : NOTE.index(last)]
    part = re.sub(
        r"<!-- table.*?<!-- end -->|!\[.*?\)|(Figure|Table) \d|\(\.\..*?\)",
        "",
        part,
        flags=re.DOTALL,
    )
    return re.sub(r"\[.*?\]\(.*?\)", "", part)


@pytest.fixture
def note(monkeypatch):
    """The module benchmarks/note.py."""
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    names = "note", "measure", "plots", "real_scores"
    for name in names:
        monkeypatch.delitem(sys.modules, name, raising=False)
    import note

    yield note
    for name in names:
        sys.modules.pop(name, None)


def test_tables(note):
    assert note.pasted(NOTE, results("note")) == NOTE
    assert note.pasted(NOTE.replace("| 5 |", "| 6 |"), results("note")) == NOTE
    assert NOTE.count("<!-- table:") == results("note").count("\n## ")


@pytest.mark.parametrize(
    ("first", "last", "known"),
    [
        (
            "**A worked example.**",
            "## 7.",
            {"0", "1", "8", "10", "60", "20", "25/1024", "25", "1024", "16", ".05", "7"},
        ),
        ("## 9.", "## 10.", {"0", "1", "2", "3", "5", "9", "16", "20", "40", "4", "1.9e9"}),
    ],
)
def test_numbers_of_the_note(first, last, known):
    assert numbers(prose(first, last)) - known <= numbers(results("note"))


def test_numbers_of_the_abstract():
    # 10 to 17 ms for 19 digits down to 1e-300; doubles in 0.08 to 0.33 s to a width below 1e-5.
    rivals, doubles = (
        results("note").split(f"## {name}")[1].split("## ")[0] for name in ("Rivals", "Doubles")
    )
    rows = [
        [cell.strip() for cell in row.split("|")[1:-1]]
        for row in re.findall(r"^\| [1-9].*", rivals, re.MULTILINE)
    ]
    assert rows[-1][0] == "1e-300"
    assert all(9.5 < float(row[2].split(" ms")[0]) < 17.5 and float(row[1]) < 1e-19 for row in rows)
    rows = [
        [cell.strip() for cell in row.split("|")[1:-1]]
        for row in re.findall(r"^\| [1-9].*", doubles, re.MULTILINE)
    ]
    assert {int(row[0]) for row in rows} == {100, 200, 1000}
    assert all(75 < float(row[3].split(" ms")[0]) < 335 and float(row[2]) < 1e-5 for row in rows)
    assert "10 to 17 ms to 19 digits" in NOTE
    assert "0.08 to 0.33 s" in NOTE


@pytest.mark.parametrize(
    ("page", "first", "last", "known"),
    [
        ("11-many-tests.md", "The sign test sees", "## What each level", {"400", "1", "5%"}),
        (
            "11-many-tests.md",
            "**0/1 scores.** Given",
            "6.49%",
            {"0", "1", "200", "10", "300", "50"},
        ),
        (
            "13-intervals.md",
            "Computed exactly",
            "A [simulation]",
            {"10", "100", "300", ".05", "0", "95%"},
        ),
    ],
)
def test_numbers_of_the_levels(page, first, last, known):
    text = (ROOT / "spec" / page).read_text(encoding="utf-8")
    part = text[text.index(first) :]
    part = re.sub(r"\(\.\..*?\)", "", part[: part.index(last)])
    shown = {number.rstrip("%") for number in numbers(part) - known}
    kept = {number.rstrip("%") for number in numbers(results("levels"))} | {"0.2"}
    assert shown <= kept
