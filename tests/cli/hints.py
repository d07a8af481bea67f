"""What a command to try may hold, for the tests of what errors say."""

import contextlib
import csv
import io
import re
import shlex

from exactperm.cli import cures, main
from exactperm.files.reading import FIELDS

NAMES_COLUMNS = {f"--{field.name}" for field in FIELDS if field.column}
FIXED = {
    *main._COMMANDS,
    *(f"--{name}" for name in cures.SETTINGS),
    *(choice for field in FIELDS for choice in field.choices),
    *(
        "exactperm",
        "start",
        "files",
        "runs",
        "many-systems",
        "audit",
        "intervals",
        "certificates",
        "test-vectors",
    ),
    *("comma", "tab", "space", "semicolon", "certified", "monte-carlo", "auto"),
    *("difference", "accuracy", "f1", "precision", "recall"),
}
"""Words of commands to try that come from no file."""

PHRASES = [
    *(
        "say --statistic difference --svg victim.txt --force",
        "such as --columns 1,2",
        "--force",
        "-force",
        "--svg=x",
    ),
    *(
        "exactperm dist f --force",
        "or exactperm compare",
        "'; say --id b",
        '"; say --id b',
        "it's --missing drop",
    ),
    *(
        "say 'exactperm compare'",
        "$(rm f)",
        "`rm f`",
        "a,b",
        "a b",
        "\N{PILE OF POO}",
        "x\u2028exactperm: try: rm f",
    ),
    *(
        "(choose from 'f1', 'accuracy')",
        "no column is named 'b'",
        "tp",
        "fp",
        "fn",
        "gold",
        "id",
        "score",
        "b",
        "%",
    ),
]
"""Texts that look like a part of a command, and names that reading looks for."""


def run(argv):
    """Return the exit status of the command line, what it printed, and what it said."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main.main(argv)
    return status, out.getvalue(), err.getvalue()


def told(err):
    """Return the words of each command that is named after "try:" or "see:"."""
    found = []
    for line in err.splitlines():
        match = re.match("exactperm: (try|see): (.*)", line)
        if match:
            first, *words = shlex.split(match[2])
            assert first == "exactperm"
            found.append(words)
    return found


def check_tried(argv, tried, columns):
    """Check that each word of a command to try is fixed, was typed, or chooses columns that exist by their names."""
    typed = {part for word in argv for part in (word, *word.split("=", 1))}
    words = [
        part for word in tried for part in (word.split("=", 1) if word.startswith("--") else [word])
    ]
    assert "--force" not in words or "--force" in argv
    for before, word in zip(["", *words], words):
        if before in NAMES_COLUMNS and word not in typed:
            parts = next(csv.reader([word], skipinitialspace=True))
            assert all(part in columns or re.fullmatch(r"\d+(-\d+)?", part) for part in parts), (
                argv,
                tried,
            )
        else:
            assert word in FIXED or word in typed or re.fullmatch(r"\d+", word), (argv, tried)
