"""The page answers as the command: the same record of the same files and settings, but for the budget, or both refuse."""

import itertools
import json

import pytest

from exactperm.cli import main
from exactperm.files.question import FORMS
from exactperm.files.reading import FIELD
from exactperm.web.bridge import Session
from tests.cli import lines
from web.questions import FILES, SENSIBLE, as_command

COUNTS = {"columns": ["tp", "fp", "tp2", "fp2"]}


def asked(texts):
    """Return a function that asks a page, which has opened these files, to test some with the settings that are said."""
    session = Session()
    for name, text in texts.items():
        session.open(name, text.encode())
    usual = {field["name"]: "" for field in json.loads(session.about())["reading"]}
    usual.update(columns=[], alternative="two-sided", digits="10", seconds="60")

    def test(files, settings):
        request = {**usual, "statistic": "difference", "do": "test", "files": files, **settings}
        found = json.loads(session.handle(json.dumps(request)))
        return request, json.loads(found.get("record", "{}"))

    return test


@pytest.mark.slow
def test_page_and_command_agree(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    texts = {name: text for files in FILES for name, text in files}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ask, answered = asked(texts), set()
    counts = ({"statistic": name, **COUNTS} for name in ("precision", "recall", "ratio"))
    plain = ({"statistic": name} for name in FORMS)
    named = [[name for name, _text in files] for files in FILES]
    settings = [*plain, *SENSIBLE.values(), *counts, {"groups": "item"}, {"decimals": "1"}]
    for files, chosen in itertools.product(named, settings):
        request, page = ask(files, chosen)
        status = main.main(as_command(request, files))
        printed = capsys.readouterr().out
        command = json.loads(printed) if status == 0 else {}
        names = (command.keys() | page.keys()) - {"files", "columns", "budget"}
        assert {name: command.get(name) for name in names} == {
            name: page.get(name) for name in names
        }
        answered |= {request["statistic"]} if page else set()
    assert answered == {*FORMS}


def settings_of(words):
    """The settings of a command, by name, as the page has them; None where it has no control for one."""
    found, rest = {}, [*words]
    while rest:
        name = rest.pop(0).removeprefix("--")
        value = "yes" if not rest or rest[0].startswith("--") else rest.pop(0)
        found[name] = value.split(",") if name == "columns" else value
    return found if found.keys() <= {*FIELD, "statistic", "alternative"} else None


@pytest.mark.slow
def test_the_page_has_the_answers_that_are_kept(sampled):
    """Of files and options, as the command and Python (tests/cli/test_answers.py); of all with --whole."""
    ask, compared = asked(lines.FILES), 0
    kept = lines.ANSWERS.read_text(encoding="utf-8").splitlines()
    for words, known in map(json.loads, kept[:: len(kept) // sampled(len(kept), 4)]):
        files = [word for word in words if word in lines.FILES]
        settings = settings_of(words[len(files) :])
        if settings is not None and "pvalue" in known:
            assert ask(files, settings)[1]["pvalue"] == known["pvalue"], words
            compared += 1
    assert compared > 25
