"""The page answers as the command: the same record of the same files and settings, but for the budget, or both refuse."""

import itertools
import json

import pytest

from exactperm.files.question import FORMS
from exactperm.files.reading import FIELD
from tests.cli import lines
from web.questions import FILES, SENSIBLE, SETTINGS, Page, as_command

COUNTS = {"columns": ["tp", "fp", "tp2", "fp2"]}


@pytest.mark.slow
def test_page_and_command_agree(write, run):
    ask, answered = Page(), set()
    for name, text in itertools.chain(*FILES):
        write(text, name)
        ask.session.open(name, text.encode())
    counts = ({"statistic": name, **COUNTS} for name in ("precision", "recall", "ratio"))
    plain = ({"statistic": name} for name in FORMS)
    named = [[name for name, _text in files] for files in FILES]
    settings = [*plain, *SENSIBLE.values(), *counts, {"groups": "item"}, {"decimals": "1"}]
    for files, chosen in itertools.product(named, settings):
        page = json.loads(ask("test", names=files, **chosen).get("record", "{}"))
        status, printed, _err = run(*as_command({**SETTINGS, **chosen}, files))
        command = json.loads(printed) if status == 0 else {}
        names = (command.keys() | page.keys()) - {"files", "columns", "budget"}
        assert {name: command.get(name) for name in names} == {
            name: page.get(name) for name in names
        }
        answered |= {chosen.get("statistic", "difference")} if page else set()
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
    ask, compared = Page(), 0
    for name, text in lines.FILES.items():
        ask.session.open(name, text.encode())
    kept = lines.ANSWERS.read_text(encoding="utf-8").splitlines()
    for words, known in map(json.loads, kept[:: len(kept) // sampled(len(kept), 4)]):
        files = [word for word in words if word in lines.FILES]
        settings = settings_of(words[len(files) :])
        if settings is not None and "pvalue" in known:
            record = json.loads(ask("test", names=files, **settings)["record"])
            assert record["pvalue"] == known["pvalue"], words
            compared += 1
    assert compared > 25
