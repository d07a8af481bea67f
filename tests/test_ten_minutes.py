"""A stranger goes from two files of real outputs to the line for the paper in at most five commands, without error."""

import json
import re
from fractions import Fraction

import pytest

from exactperm import sign_flip_test
from exactperm.null.sentence import read_sentence
from tests.wings import here

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


@pytest.mark.parametrize("path", PATHS)
def test_from_two_systems_to_the_line(path, write, run):
    files, words = PATHS[path]
    for name, text in files.items():
        write(text, name)

    def typed(*command):
        status, out, err = run(*command)
        assert (status, err) == (0, "")
        return out

    assert "exactperm test scores.csv --columns baseline,new" in typed("guide")
    told = typed("guide", "files")
    assert all(option in told for option in re.findall(r"--\w+", words))
    printed = typed("test", *words.split())
    record = typed("test", *words.split(), "--json")
    write(record, "record.json")
    assert typed("recount", "record.json") == "record.json: confirmed\n"
    expected = sign_flip_test([a - b for a, b in zip(NEW, OLD)])
    line = read_sentence(printed.splitlines()[-1])
    assert (line.p, line.n, line.units) == (expected.pvalue, 40, "pairs")
    assert json.loads(record)["sentence"] == str(line)
    assert Fraction(1, 10**4) < line.p < Fraction(1, 20)
    if here("auditing"):  # a reader of the paper checks its line
        assert "fine" in typed("audit", *words.split(), "--p", str(line))
