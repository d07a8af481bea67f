"""What help says of every command, kept in help.txt. To renew it: python tests/cli/test_help.py."""

import contextlib
import io
import os
import re
import shlex
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from exactperm.budget import Budget
from exactperm.cli import commands, main
from exactperm.cli.commands import options_in
from tests.wings import here

GOLDEN = Path(__file__).with_name("help.txt")
HERE = [name for name in commands.COMMANDS if all(map(here, commands.WINGS.get(name, ())))]
SHORT = {
    "--columns": "-c",
    "--id": "-i",
    "--statistic": "-s",
    "--alternative": "-a",
    "--output": "-o",
}


def helped(*words):
    """Return the help of a command, in lines of any length."""
    out = io.StringIO()
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "2000"
    try:
        with contextlib.redirect_stdout(out):
            assert main.main([*words]) == 0
    finally:
        os.environ.pop("COLUMNS")
        os.environ.update({} if before is None else {"COLUMNS": before})
    return out.getvalue()


def sections():
    found = re.split(
        "^=== exactperm ?(.*)\n", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return dict(zip(found[1::2], found[2::2]))


@pytest.mark.parametrize("command", ["", *HERE])
def test_help(command):
    """Where lines break differs by Python's version: words are compared."""
    shown = helped(*filter(None, [command]), "--help-all" if command else "--help")
    assert shown.split() == sections()[command].split()


@pytest.mark.parametrize("command", HERE)
def test_the_short_help_has_at_most_15_options_and_examples_of_its_own(command, tmp_path):
    shown = helped(command, "--help")
    assert len(re.findall("^  -", shown, re.MULTILINE)) <= 15
    module = commands.module_of(command)
    examples = module.EXAMPLES.splitlines()
    assert 1 <= len(examples) <= 4
    for line in examples:
        program, *words = shlex.split(line.partition(" > ")[0])
        assert (program, words[0]) == ("exactperm", command)
        commands.parsed(words)
    assert shown.endswith(f"examples:\n{module.EXAMPLES}\n")


@pytest.mark.parametrize("command", HERE)
def test_short_options_are_the_same_everywhere(command):
    options = commands.options_of(command)
    for name, short in SHORT.items():
        assert (short in options) == (name in options)
        assert name not in options or options[short] is options[name]


def test_all_commands_are_there():
    assert list(sections()) == ["", *commands.COMMANDS]
    assert len(commands.COMMANDS) == 8


def test_defaults_are_those_of_the_library():
    by_name = {names[-1]: about for _title, _rare, names, about in options_in("x:\n  @limits")}
    seconds, memory = by_name["--max-seconds"], by_name["--max-memory"]
    assert seconds["type"](seconds["default"]) == Budget.seconds
    assert memory["type"](memory["default"]) == Budget.bytes


if __name__ == "__main__":
    texts = (
        f"=== exactperm {command}".rstrip()
        + "\n"
        + helped(*filter(None, [command]), "--help-all" if command else "--help")
        for command in ("", *commands.COMMANDS)
    )
    GOLDEN.write_text("".join(texts), encoding="utf-8")
