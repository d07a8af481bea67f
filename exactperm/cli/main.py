"""Run the command line: the exit status, and what an error says."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from .. import __version__
from .._types import TYPE_CHECKING
from ..errors import ExactPermError
from .commands import COMMANDS, module_of, parsed
from .progress import tell

if TYPE_CHECKING:
    from typing import NoReturn

_HELP = """\
usage: exactperm COMMAND [options]

Exact paired-permutation tests: p-values as exact fractions.

commands:
{commands}

exactperm COMMAND --help shows the options of a command, with examples; --version the version.

first steps:
  exactperm demo
  exactperm guide
  exactperm test scores.csv --columns baseline,new"""


def script() -> NoReturn:
    """Run the ``exactperm`` command and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # for names of files that the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0, or 1 where a record is not confirmed, 2 for a mistake of the user, 3 where an audit leaves a
    claim undecided, 130 after an interrupt. A reader that closes the pipe early has seen what it
    wanted: that is no error.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        status = _run(words)
        print(end="", flush=True)
        return status
    except BrokenPipeError:  # so that the flush at exit succeeds
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ExactPermError as error:
        return _refused(words, error)
    except OSError as error:
        what = "cannot write to standard output" if error.filename is None else error.filename
        tell(f"error: {what}: {error.strerror or error}")
        return 2
    except KeyboardInterrupt:
        tell("interrupted")
        return 130


def _refused(argv: list[str], error: ExactPermError) -> int:
    """Say what is wrong, what mends it, and a command that works."""
    from . import cures

    for words, name in cures.refused(argv, error):
        tell(words, name)
    return 2


def _run(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help", "--help-all"):
        lines = [f"  {name:<9} {about}" for name, (_usage, about) in COMMANDS.items()]
        print(_HELP.format(commands="\n".join(lines)))
        return 0
    if argv[0] == "--version":
        print(f"exactperm {__version__}")
        return 0
    try:
        args = parsed(argv)
    except SystemExit as stop:  # argparse has written the help
        return int(stop.code or 0)
    return int(module_of(argv[0]).run(args) or 0)
