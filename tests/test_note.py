"""The note: its tables are those of the results that are kept, and its numbers, and those of two pages, are in them."""

import math
import random
import re
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from exactperm import sign_flip_test
from exactperm.montecarlo.risk import monte_carlo_risk

ROOT = Path(__file__).parent.parent
NOTE = (ROOT / "spec" / "note.md").read_text(encoding="utf-8")
NUMBER = re.compile(r"(?<![\w^_{])\.?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?%?")


def results(name):
    return (ROOT / "benchmarks" / "results" / f"{name}.md").read_text(encoding="utf-8")


def rows_of(name):
    """The rows of a table of the results, as lists of cells."""
    lines = results("note").split(f"## {name}\n")[1].split("\n## ")[0].splitlines()
    cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line[:1] == "|"]
    return cells[2:]


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
        ("**A worked example.**", "## 7.", "0 1 8 10 60 20 25/1024 25 1024 16 .05 7"),
        ("## 9.", "**A published", "0 1 2 3 9 16 20 10507 2015 4"),
        ("**Easy and hard.**", "## 10.", "2 3 5 9 20 40 4 1.9e9 1"),
    ],
)
def test_numbers_of_the_note(first, last, known):
    assert numbers(prose(first, last)) - {*known.split()} <= numbers(results("note"))


def test_numbers_of_the_abstract():
    # 13 to 17 ms for 19 digits down to 1e-300; doubles in 0.11 to 0.41 s to a width below 1e-5.
    rows = rows_of("Rivals on a lattice")
    assert rows[-1][0] == "1e-300"
    assert all(
        12.5 < float(row[2].split(" ms")[0]) < 17.5 and float(row[1]) < 1e-19 for row in rows
    )
    rows = rows_of("Doubles: saddlepoint against brackets")
    assert {int(row[0]) for row in rows} == {100, 200, 1000}
    assert all(105 < float(row[3].split(" ms")[0]) < 415 and float(row[2]) < 1e-5 for row in rows)
    assert "13 to 17 ms to 19 digits" in NOTE
    assert "0.11 to 0.41 s" in NOTE


@pytest.mark.parametrize(
    ("page", "first", "last", "known"),
    [
        ("11-many-tests.md", "The sign test sees", "## What each level", "400 1 5%"),
        ("11-many-tests.md", "**0/1 scores.** Given", "6.49%", "0 1 200 10 300 50"),
        ("13-intervals.md", "Computed exactly", "A [simulation]", "10 100 300 .05 0 95%"),
    ],
)
def test_numbers_of_the_levels(page, first, last, known):
    text = (ROOT / "spec" / page).read_text(encoding="utf-8")
    part = text[text.index(first) :]
    part = re.sub(r"\(\.\..*?\)", "", part[: part.index(last)])
    shown = {number.rstrip("%") for number in numbers(part) - {*known.split()}}
    kept = {number.rstrip("%") for number in numbers(results("levels"))} | {"0.2"}
    assert shown <= kept


def test_wrong_programs_of_the_table(note):
    assert [list(row) for row in note.broken()] == rows_of("What wrong programs break")


@pytest.mark.slow
def test_width_against_nodes(note, monkeypatch):
    monkeypatch.setattr(note, "picture", lambda *_, **__: None)
    assert [list(row) for row in note.figure_2()] == rows_of("Width against nodes")


@pytest.mark.slow
def test_widths_on_a_lattice(note):
    pytest.importorskip("numpy")
    points = list(note.on_a_lattice(note.TARGETS))[:: len(note.TARGETS) - 1]
    widths = [f"{note.tail_bracket(tally, k).relative_width:.0e}" for _, tally, k in points]
    assert widths == [row[1] for row in rows_of("Rivals on a lattice")][:: len(note.TARGETS) - 1]


def test_the_applied_example():
    halves = ["6.125", "-8.375", 1, 2, "0.75", "2.875", "3.5", "5.125", "1.75", "3.625", 7, 3]
    plants = [*halves, "9.375", "7.5", -6]
    eighths = [int(8 * Fraction(x)) for x in plants]
    p = Fraction(863, 16384)
    assert sign_flip_test(plants).pvalue == sign_flip_test(eighths).pvalue == p
    risk = monte_carlo_risk(p, "0.05", 9999, adjusted=False)
    assert f"{float(risk):.0%}" == "11%"
    assert "863/16384 =\n0.0527" in NOTE


@pytest.mark.slow
def test_a_stays_bounded():
    """Theorem 15: 0.4 L over the standard deviation, for N = 20 and 1,000 frequencies."""
    rng, found = random.Random(1), []
    for _ in range(10):
        d = [rng.random() for _ in range(20)]
        period = 10 * math.sqrt(sum(x * x for x in d))
        moduli = (
            math.prod(abs(math.cos(math.pi * j * x / period)) for x in d) for j in range(1, 1000)
        )
        found.append(1 + 2 * sum(moduli))
    assert round(sum(found) / 10, 2) == 7.98
