"""A stranger goes from two files of real outputs to the line for the paper in at most five commands, without error."""

import doctest
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from exactperm import sign_flip_test
from exactperm.cli import main
from exactperm.null.sentence import read_sentence
from tests.wings import here

ROOT = Path(__file__).resolve().parent.parent
ITEMS = [f"squad-dev-{i * 37 % 40:04d}" for i in range(40)]
NEW = [i % 5 != 0 for i in range(40)]
OLD = [i % 5 in (1, 2) or i % 8 == 0 for i in range(40)]


def jsonl(scores, order):
    """One object per answer, as evaluation scripts write them."""
    lines = [
        json.dumps(
            {
                "id": ITEMS[i],
                "prediction": f"answer {i}",
                "metrics": {"correct": scores[i], "f1": i / 7},
            }
        )
        for i in order
    ]
    return "\n".join(lines) + "\n"


def table(scores, order):
    """A table with a header, ids, text with commas, and booleans as pandas writes them."""
    rows = [f'{ITEMS[i]},"Well, answer {i}",{scores[i]}' for i in order]
    return "\n".join(["question_id,prediction,correct", *rows]) + "\n"


def columns(first, second):
    """One table of both systems, with semicolons, as spreadsheets of half of the world save it."""
    rows = [f"{item};{int(a)};{int(b)}" for item, a, b in zip(ITEMS, first, second)]
    return "\n".join(["question;new;old", *rows]) + "\n"


def tags(scores, order):
    """Right and predicted labels of one system."""
    rows = [f"{ITEMS[i]},{'AB'[i % 2]},{'AB'[i % 2] if scores[i] else 'C'}" for i in order]
    return "\n".join(["id,gold,predicted", *rows]) + "\n"


def two(write, ending):
    """Files of both systems, the second in another order."""
    return {f"new.{ending}": write(NEW, range(40)), f"old.{ending}": write(OLD, range(39, -1, -1))}


PATHS = {
    "JSON Lines in another order": (
        {"new.jsonl": jsonl(NEW, range(40)), "old.jsonl": jsonl(OLD, range(39, -1, -1))},
        "new.jsonl old.jsonl --id id --columns metrics.correct",
    ),
    "tables of two systems": (
        {"new.csv": table(NEW, range(40)), "old.csv": table(OLD, range(39, -1, -1))},
        "new.csv old.csv --id question_id --columns correct",
    ),
    "one table": ({"scores.csv": columns(NEW, OLD)}, "scores.csv --columns new,old"),
}


COLUMNS = {"id", "metrics.correct", "question_id", "correct"}


def write(files, folder, monkeypatch):
    """Write files into a folder that becomes the current one."""
    monkeypatch.chdir(folder)
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("path", PATHS)
def test_from_two_systems_to_the_line(path, tmp_path, monkeypatch, capsys):
    files, words = PATHS[path]
    write(files, tmp_path, monkeypatch)

    def typed(*command):
        assert main.main(command) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    assert "exactperm test scores.csv --columns baseline,new" in typed("guide")
    told = typed("guide", "files")
    assert all(option in told for option in re.findall(r"--\w+", words))
    printed = typed("test", *words.split())
    Path("record.json").write_text(typed("test", *words.split(), "--json"), encoding="utf-8")
    assert typed("recount", "record.json") == "record.json: confirmed\n"
    expected = sign_flip_test([a - b for a, b in zip(NEW, OLD)])
    line = read_sentence(printed.splitlines()[-1])
    assert (line.p, line.n, line.units) == (expected.pvalue, 40, "pairs")
    assert json.loads(Path("record.json").read_text())["sentence"] == str(line)
    assert Fraction(1, 10**4) < line.p < Fraction(1, 20)
    if here("auditing"):  # a reader of the paper checks its line
        assert "fine" in typed("audit", *words.split(), "--p", str(line))


def test_labels_of_two_systems(tmp_path, monkeypatch, capsys):
    write(two(tags, "csv"), tmp_path, monkeypatch)
    words = "new.csv old.csv --statistic accuracy --id id --columns gold,predicted"
    assert main.main(["test", *words.split()]) == 0
    line = read_sentence(capsys.readouterr().out.splitlines()[-1])
    assert (line.p, line.n) == (sign_flip_test([a - b for a, b in zip(NEW, OLD)]).pvalue, 40)


@pytest.mark.parametrize("path", PATHS)
def test_a_bare_command_leads_to_the_answer(path, tmp_path, monkeypatch, capsys):
    """Who types only the names of the files has the answer, or sees the columns to choose from."""
    files, words = PATHS[path]
    write(files, tmp_path, monkeypatch)
    if main.main(["test", *files]):
        told = capsys.readouterr().err
        assert "which is compared?" in told
        assert all(f"    {word} " in told for word in words.split() if word in COLUMNS)
        return
    bare = capsys.readouterr().out.splitlines()[-1]
    assert main.main(["test", *words.split()]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == bare


@pytest.mark.slow
def test_the_page_about_ties_is_true():
    failed, attempted = doctest.testfile(
        str(ROOT / "spec" / "guides" / "why-ties-decide.md"), module_relative=False
    )
    assert (failed, attempted > 10) == (0, True)
