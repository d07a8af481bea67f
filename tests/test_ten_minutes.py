"""A stranger goes from two files of real outputs to the line for the paper in at most five commands, without error."""

import doctest
import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from exactperm import sign_flip_test
from exactperm.cli import main
from exactperm.null.sentence import parse

ROOT = Path(__file__).resolve().parent.parent
ITEMS = [f"squad-dev-{i * 37 % 40:04d}" for i in range(40)]
NEW = [i % 5 != 0 for i in range(40)]
OLD = [i % 5 in (1, 2) or i % 8 == 0 for i in range(40)]


def jsonl(scores, order):
    """One object per answer, as evaluation scripts write them."""
    lines = [
        json.dumps({"id": ITEMS[i], "prediction": f"answer {i}", "metrics": {"correct": scores[i], "f1": i / 7}})
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


PATHS = {
    "JSON Lines in another order": (
        {"new.jsonl": jsonl(NEW, range(40)), "old.jsonl": jsonl(OLD, range(39, -1, -1))},
        "new.jsonl old.jsonl --id id --key metrics.correct",
    ),
    "tables of two systems": (
        {"new.csv": table(NEW, range(40)), "old.csv": table(OLD, range(39, -1, -1))},
        "new.csv old.csv --id question_id --key correct",
    ),
    "one table": ({"scores.csv": columns(NEW, OLD)}, "scores.csv --columns new,old"),
}


@pytest.mark.parametrize("path", PATHS)
def test_from_two_systems_to_the_line(path, tmp_path, monkeypatch, capsys):
    files, words = PATHS[path]
    monkeypatch.chdir(tmp_path)
    for name, text in files.items():
        Path(name).write_text(text, encoding="utf-8")

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
    line = parse(printed.splitlines()[-1])
    assert (line.p, line.n, line.units) == (expected.pvalue, 40, "pairs")
    assert json.loads(Path("record.json").read_text())["sentence"] == str(line)
    assert Fraction(1, 10**4) < line.p < Fraction(1, 20)
    # And a reader of the paper, with the same files:
    assert main.main(["audit", *words.split(), "--p", str(line)]) == 0
    assert "consistent" in capsys.readouterr().out


def test_the_same_command_gives_the_same_bytes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text(columns(NEW, OLD), encoding="utf-8")
    words = ["test", "scores.csv", "--columns", "new,old", "--groups", "question", "--decimals", "1", "--json"]
    records = []
    for _ in range(2):
        assert main.main(words) == 0
        records.append(capsys.readouterr().out)
    assert records[0] == records[1]
    record = json.loads(records[0])
    for field in ("statistic_name", "decimals", "groups", "alternative", "missing", "version", "format", "sentence"):
        assert field in record
    assert record["files"][0].keys() >= {"sha256", "header_line"}


def test_the_page_about_ties_is_true():
    failed, attempted = doctest.testfile(str(ROOT / "spec" / "why-ties-decide.md"), module_relative=False)
    assert (failed, attempted > 10) == (0, True)
