"""The page answers as the command: the same record of the same files and settings, but for the budget, or both refuse."""

import itertools
import json
from pathlib import Path

import pytest

from exactperm.cli import main
from exactperm.cli.guide import EXAMPLES_OF_FILES, example
from exactperm.files.question import FORMS
from exactperm.files.reading import FIELD
from exactperm.web.bridge import Session
from tests.cli import lines

ANSWERS = Path(lines.__file__).with_name("answers.jsonl")

MADE = {
    "one.txt": "49\n-67\n8\n16\n6\n23\n",
    "zeros.csv": "a,b\n1,1\n2,1\n3,5\n4,4\n5,1\n2,9\n",
    "binary.csv": "a,b\n1,0\n0,1\n1,1\n1,0\n0,0\n1,0\n",
    "table.csv": "12,5\n9,30\n",
    "decimal.csv": "a;b\n0,5;0,25\n1,5;2,5\n3,25;1\n",
    "long.csv": "q,sys,f1\nq1,A,.5\nq1,B,.6\nq2,A,.7\nq2,B,.1\nq3,A,.4\nq3,B,.3\n",
    "weights.csv": "item,a,b,w,t\ni1,3,1,1,x\ni2,4,9,2,x\ni3,5,2,3,y\ni4,1,1,1,y\n",
    "missing.csv": "item,a,b\ni1,1,2\ni2,NA,3\ni3,4,1\ni4,2,2\n",
    "percent.csv": "a,b\n10%,20%\n30%,5%\n50%,60%\n",
    "total.csv": "item,a,b\nx,1,2\ny,3,1\nz,5,4\nmean,3,2.333\n",
    "counts.csv": "a,b,c,d,e,f\n9,1,2,8,2,3\n7,0,1,7,1,1\n12,3,2,10,4,4\n",
    "labels.csv": "a,b,c\nx,x,y\ny,y,x\nx,x,x\n",
}
SETTINGS = [
    {"decimals": "1"},
    {"columns": ["a", "b"], "weights": "w", "tasks": "t", "id": "item"},
    {"columns": ["baseline", "new"]},
    {"runs": "within"},
    {"unpaired": "yes"},
    {"unpaired": "yes", "system": "sys", "score": "f1"},
    {"unpaired": "yes", "columns": ["a", "b"], "strata": "t"},
    {"system": "sys"},
    {"decimal": "comma"},
    {"groups": "item"},
    {"missing": "drop"},
    {"header": "no"},
]
PAGE = {"columns": [], "alternative": "two-sided", "digits": "10", "seconds": "60"}


@pytest.mark.slow
def test_page_and_command_agree(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    texts = {
        **{name: example(name) for name in EXAMPLES_OF_FILES if name != "claims.csv"},
        **MADE,
    }
    session = Session()
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        session.open(name, text.encode())
    defaults = {field["name"]: "" for field in json.loads(session.about())["reading"]}
    named = [["samples-a.jsonl", "samples-b.jsonl"], *([name] for name in texts)]
    answered = set()
    plain = [(statistic, {}) for statistic in FORMS]
    asked_of = [
        *plain,
        *(("difference", chosen) for chosen in SETTINGS),
        ("accuracy", {"header": "yes", "columns": ["a", "b", "c"]}),
        ("f1", {"columns": [*"abcdef"]}),
        *((statistic, {"columns": [*"abde"]}) for statistic in ("precision", "recall", "ratio")),
    ]
    for files, (statistic, chosen) in itertools.product(named, asked_of):
        words = [
            "--unpaired"
            if name == "unpaired"
            else f"--{name}={','.join(value) if isinstance(value, list) else value}"
            for name, value in chosen.items()
        ]
        status = main.main(["test", *files, "--statistic", statistic, "--json", *words])
        printed = capsys.readouterr().out
        asked = {**defaults, **PAGE, "statistic": statistic, **chosen}
        found = json.loads(session.handle(json.dumps({"do": "test", "files": files, **asked})))
        command, page = (
            json.loads(printed) if status == 0 else {},
            json.loads(found.get("record", "{}")),
        )
        names = (command.keys() | page.keys()) - {"files", "columns", "budget"}
        differ = {name for name in names if command.get(name) != page.get(name)}
        assert not differ, (files, statistic, chosen, found.get("error"))
        if status == 0:
            answered.add(statistic)
    assert answered == {*FORMS}


SETTINGS_OF_A_TEST = {*FIELD, "statistic", "alternative"}


def settings_of(words):
    """The settings of a command, by name, as the page has them; None where it has no control for one."""
    found, rest = {}, [*words]
    while rest:
        name = rest.pop(0).removeprefix("--")
        value = "yes" if not rest or rest[0].startswith("--") else rest.pop(0)
        found[name] = value.split(",") if name == "columns" else value
    return found if found.keys() <= SETTINGS_OF_A_TEST else None


def test_the_page_has_the_answers_that_are_kept():
    """Of files and options, as the command and Python (tests/cli/test_answers.py)."""
    session, compared = Session(), 0
    for name, text in lines.files().items():
        session.open(name, text.encode())
    defaults = {field["name"]: "" for field in json.loads(session.about())["reading"]}
    for words, known in map(json.loads, ANSWERS.read_text(encoding="utf-8").splitlines()):
        files = [word for word in words if word in lines.files()]
        settings = settings_of(words[len(files) :])
        if settings is None or "pvalue" not in known:
            continue
        asked = {**defaults, **PAGE, "statistic": "difference", **settings}
        found = json.loads(session.handle(json.dumps({"do": "test", "files": files, **asked})))
        assert json.loads(found["record"])["pvalue"] == known["pvalue"], words
        compared += 1
    assert compared > 100
