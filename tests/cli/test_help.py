"""What help says of every command, kept in help.txt. To renew it: python tests/cli/test_help.py."""

import contextlib
import io
import os
import re
import sys
from pathlib import Path

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from exactperm.cli import main

GOLDEN = Path(__file__).with_name("help.txt")


def helped(command):
    """Return the help of a command, in lines of any length, without the examples that all share."""
    out = io.StringIO()
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "2000"
    try:
        with contextlib.redirect_stdout(out):
            assert main.main([*command.split(), "--help"]) == 0
    finally:
        os.environ.pop("COLUMNS")
        os.environ.update({} if before is None else {"COLUMNS": before})
    text = out.getvalue().replace("optional arguments:", "options:")  # of Python 3.9
    assert text.endswith(f"\n\n{main._EXAMPLES}\n")
    return text[: -len(main._EXAMPLES) - 1]


def sections():
    found = re.split(
        "^=== exactperm ?(.*)\n", GOLDEN.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return dict(zip(found[1::2], found[2::2]))


@pytest.mark.parametrize("command", ["", *main._COMMANDS])
def test_help(command):
    """Where lines break differs by Python's version: words are compared."""
    assert helped(command).split() == sections()[command].split()


def test_all_commands_are_there():
    assert list(sections()) == ["", *main._COMMANDS]


if __name__ == "__main__":
    texts = (
        f"=== exactperm {command}".rstrip() + f"\n{helped(command)}"
        for command in ("", *main._COMMANDS)
    )
    GOLDEN.write_text("".join(texts), encoding="utf-8")
