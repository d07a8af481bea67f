"""Commands that a file or a word makes impossible: each says why, and writes nothing."""

import json
from pathlib import Path

import pytest

from exactperm.cli import main


def filtered(*names):
    """Samples of three items with these answer filters."""
    rows = [
        {"doc_id": i, "filter": name, "acc": i % 2, "doc_hash": str(i)}
        for i in range(3)
        for name in names
    ]
    return "".join(f"{json.dumps(row)}\n" for row in rows)


FILES = {
    "s.csv": "A,B\n1,2\n3,1\n2,2\n",
    "comma.csv": "score\n0,5\n1\n0,7\n",
    "labels.csv": "gold,A,B\nx,a,b\ny,b,a\nx,a,a\ny,a,b\n",
    "new.csv": "id,gold,pred\nq1,x,x\nq2,y,x\n",
    "old.csv": "id,gold,pred\nq1,x,y\nq2,x,x\n",
    "first.jsonl": filtered("x", "y"),
    "second.jsonl": filtered("u", "v"),
    "mixed.csv": "1,2\nx,y\nz,w\nx,y\n",
    "tasks.csv": "task,w,A,B\nx,1,1,0\ny,2,0,1\ny,3,1,1\n",
}
REFUSED = {
    "dist s.csv --svg a.png": "the picture is written as SVG",
    "test comma.csv": "if these are numbers with decimal commas",
    "test labels.csv --statistic accuracy": "no label of 'A' is one of 'gold'",
    "test new.csv old.csv --statistic accuracy --id id --columns gold,pred": "item 2 has 'y' and 'x'",
    "test first.jsonl second.jsonl --key acc": "the files have no filter of answers in common",
    "test mixed.csv": "'x' is no score",
    "interval tasks.csv --tasks task": "--tasks is of a test: an interval is of the plain difference of means",
    "compare tasks.csv --weights w --intervals": "--weights is of a test: an interval is of the plain difference",
    "compare tasks.csv --weights w --forest a.svg": "--weights is of a test: an interval is of the plain difference",
    "test tasks.csv --tasks task --method monte-carlo": "--tasks and --method monte-carlo exclude each other",
    "test tasks.csv --weights w --statistic signed-rank": "--weights does not know the statistic signed-rank",
    "test tasks.csv --weights w --tasks nothing": "no column is named 'nothing'",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_cannot_be_read_is_refused_in_words(words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    assert main.main(words.split()) == 2
    told = capsys.readouterr()
    assert REFUSED[words] in told.err
    assert told.out == ""
    assert {path.name for path in tmp_path.iterdir()} == {*FILES}
