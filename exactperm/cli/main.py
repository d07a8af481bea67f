"""The command line: the commands, their help, and what an error says."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence

from .. import __version__
from .._types import TYPE_CHECKING, Any, Namespace
from ..errors import BudgetExceeded, ExactPermError
from .progress import tell

if TYPE_CHECKING:
    from argparse import Action, _ArgumentGroup
    from typing import NoReturn


_COMMANDS = {
    "guide": (" [TOPIC]", "ten minutes from two systems to the line for the paper; more topics"),
    "example": (" [NAME]", "a small file to try the other commands with"),
    "help": (" [NAME]", "the documentation of a public name of the library"),
    "demo": ("", "known answers, counted again in seconds"),
    "test": (" FILE...", "p-value of the scores in a file"),
    "dist": (" FILE...", "exact null distribution of the statistic, as CSV"),
    "compare": (" FILE...", "every pair of systems, adjusted for the number of tests"),
    "interval": (" FILE...", "exact confidence interval of a mean difference"),
    "recount": (" FILE", "count a recorded test again and compare every field"),
    "verify": ("", "test another implementation with the test vectors"),
    "vectors": ("", "list, show or pack the test vectors"),
    "audit": (" FILE...", "published p-values against their data: verdicts with reasons"),
    "attainable": (" --n N", "whether a p-value exists at all for so many pairs"),
    "bundle": (" OUT.pyz", "save the package as one file that python3 runs"),
    "web": (
        " PYODIDE_DIR OUT",
        "the page that tests in a browser: one HTML file, or a folder for a web server",
    ),
}
"""What each command takes and does; the module of its name has ``add_options`` and ``run``."""

_EXAMPLES = """examples:
  exactperm demo
  exactperm test scores.csv --columns baseline,new
  exactperm test german.csv --columns 2,3 --alternative greater
  exactperm test sentences.tsv --columns baseline,new --groups document --json > record.json
  exactperm recount record.json
  exactperm dist differences.txt --svg null.svg > null.csv
  exactperm compare leaderboard.csv --adjust holm-sidak --processes 2
  exactperm audit claims.csv -v
  exactperm audit german.csv --columns 2,3 --p "p = .026" --alternative greater
  exactperm attainable --n 5 --p "p = .03"
  exactperm test new.txt old.txt
  exactperm test new.jsonl old.jsonl --id doc_id --key acc --missing drop

A file has one row per pair: one column of differences, or two of scores, or for compare one per system; see
--statistic for others. Commas, semicolons, tabs or white space separate the columns; a header is optional; decimal
commas are read where the separator is not a comma; true and false are 1 and 0. Lines that start with # are comments,
except in files of labels. Several files, one per system, are joined by --id, or by position. JSON and JSON Lines have
one record per item; a dotted key such as scores.acc reaches nested values."""


def script() -> NoReturn:
    """Run the ``exactperm`` command and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        # names of files and columns may hold what the terminal cannot show
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0, or 1 where a record is not confirmed, 2 for a mistake of the user, 3 where an audit leaves a
    claim undecided, 130 after an interrupt. A reader that closes the pipe early has seen what it
    wanted: that is no error.
    """
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        print(end="", flush=True)
        return status
    except BrokenPipeError:
        # so that the flush at exit succeeds
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except ExactPermError as error:
        return _refused(list(sys.argv[1:] if argv is None else argv), error)
    except OSError as error:
        what = "cannot write to standard output" if error.filename is None else error.filename
        return _failed(f"error: {what}: {error.strerror or error}")
    except KeyboardInterrupt:
        return _failed("interrupted", 130)


def _failed(message: str, status: int = 2) -> int:
    tell(message)
    return status


def _refused(argv: list[str], error: ExactPermError) -> int:
    """Say what is wrong, what mends it, and a command that works."""
    from . import cures

    known = cures.Known(commands=_COMMANDS, options=_options, fits=_fits)
    for words, name in cures.refused(argv, error, known, getattr(error, "parser", None)):
        tell(words, name)
    return 2


def _options(command: str) -> Mapping[str, Action]:
    """Return the options of a command, none for an unknown one."""
    return _laid_out(command)._option_string_actions if command in _COMMANDS else {}


def _fits(argv: list[str]) -> bool:
    """Whether words are a command that does more than to show help."""
    if {"-h", "--help", "--version"} & {*argv}:
        return False
    try:
        _arguments(argv)
    except Misused:
        return False
    return True


def _run(argv: Sequence[str]) -> int:
    try:
        args = _arguments(argv)
    except SystemExit as stop:  # argparse has written help or version
        return int(stop.code or 0)
    try:
        return int(args._run(args) or 0)
    except BudgetExceeded as error:
        from . import cures

        message, cure = cures.of_budget(error, args)
        raise ExactPermError(message, code=error.code, cure=cure) from None


def _arguments(argv: Sequence[str]) -> Namespace:
    """Parse the words; only the options of the command in use are laid out."""
    if argv and argv[0] in _COMMANDS:
        parser = _laid_out(argv[0])
        args, unknown = parser.parse_known_intermixed_args(argv[1:])
        if unknown:
            raise Misused(
                f"unrecognized arguments: {' '.join(unknown)}", parser, unknown[0].partition("=")[0]
            )
        return args
    about = "Exact paired-permutation tests: p-values as exact fractions."
    parser = Parser(
        version=True, prog="exactperm", usage="exactperm COMMAND [options]", description=about
    )
    commands = parser.add_subparsers(metavar="COMMAND")
    for name, (_usage, words) in _COMMANDS.items():
        commands.add_parser(name, help=words, **_about(name))
    parser.set_defaults(_run=lambda _args: parser.print_help())
    return parser.parse_args(argv)


class Misused(ExactPermError):
    """Words that are no command; ``parser`` has the right ones, ``unknown`` is an option that it does not have."""

    def __init__(self, message: str, parser: Parser, unknown: str = "") -> None:
        super().__init__(message, code="usage")
        self.parser = parser
        self.unknown = unknown


class Parser(ArgumentParser):
    """A parser whose groups are filled later, and which raises its errors."""

    def __init__(self, *, version: bool = False, **about: Any) -> None:
        super().__init__(
            epilog=_EXAMPLES,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
            add_help=False,
            **about,
        )
        # In a group of its own: options outside of groups make argparse ask for the terminal's
        # width, which is slow.
        group = self.add_argument_group("options")
        group.add_argument("-h", "--help", action="help", help="show this help and exit")
        if version:
            words = "show the version and exit"
            group.add_argument(
                "--version", action="version", version=f"exactperm {__version__}", help=words
            )

    def error(self, message: str) -> NoReturn:
        """Raise :class:`Misused`, whose message goes to the terminal without control characters."""
        raise Misused(message, self)


def _about(command: str) -> dict[str, Any]:
    """Return what a parser says of its command; the usage is short, since it stands above every error."""
    usage, words = _COMMANDS[command]
    prog = f"exactperm {command}"
    return {
        "prog": prog,
        "usage": f"{prog}{usage} [options]",
        "description": f"{words[0].upper()}{words[1:]}.",
    }


def _laid_out(command: str) -> Parser:
    """Return the parser of a command, with the options and the function of its module."""
    from importlib import import_module

    parser = Parser(**_about(command))
    groups: dict[str, _ArgumentGroup] = {}

    def group(title: str) -> _ArgumentGroup:
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        return groups[title]

    module = import_module(f"{__package__}.{command}")
    module.add_options(group)
    parser.set_defaults(_run=module.run)
    return parser
