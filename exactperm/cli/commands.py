"""The table of commands, and how the words of one are parsed; the module of a command has its name."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Mapping, Sequence

from .._types import TYPE_CHECKING, Any, Namespace
from ..errors import ExactPermError
from .options import options_in

if TYPE_CHECKING:
    from argparse import Action
    from typing import NoReturn

    from .options import Module

_TABLE = """\
demo                        known answers, counted again in seconds
guide [WORD]                a tour of ten minutes; topics, names of the library, examples to save
test FILE...                p-value, difference and interval of two systems
compare FILE...             every pair of systems, adjusted for their number
audit FILE...               published p-values against their data, or without: verdicts with reasons
recount FILE [SCORES...]    count a record or a certificate again, field by field
verify -- PROGRAM           test another implementation with the test vectors
save WHAT FILE              the package as one program, the page for browsers, or the test vectors
"""

_ROWS = [line.partition("  ") for line in _TABLE.splitlines()]
COMMANDS = {usage.partition(" ")[0]: (usage, about.strip()) for usage, _, about in _ROWS}
"""What each command takes and does. Its module has the name of the command."""

WINGS = {"audit": ("auditing",), "verify": ("testing",), "save": ("testing", "web")}
"""Folders of the package that only this command imports: a copy without them has the others."""


def parsed(argv: Sequence[str]) -> Namespace:
    """Parse the words of a command; only the options of that command are laid out."""
    if argv[0] not in COMMANDS:
        raise Misused(f"there is no command {argv[0]!r}: choose from {', '.join(COMMANDS)}")
    parser = laid_out(argv[0], every="--help-all" in argv)
    args, unknown = parser.parse_known_intermixed_args(argv[1:])
    if unknown:
        raise Misused(f"unknown: {' '.join(unknown)}", parser, unknown[0].partition("=")[0])
    return args


class Misused(ExactPermError):
    """Words that are no command; ``unknown`` is an option that the command of ``parser`` does not have."""

    def __init__(self, message: str, parser: Parser | None = None, unknown: str = "") -> None:
        super().__init__(message, code="usage")
        self.parser = parser
        self.unknown = unknown


class Parser(ArgumentParser):
    """A parser that raises its errors."""

    def error(self, message: str) -> NoReturn:
        """Raise :class:`Misused`, whose message goes to the terminal without control characters."""
        raise Misused(message, self)


def module_of(command: str) -> Module:
    """Import the module of a command; ``ExactPermError`` where this copy has not the wing that it needs."""
    from importlib import import_module

    try:
        found: Any = import_module(f"{__package__}.{command}")
    except ModuleNotFoundError as error:
        wing = str(error.name).rpartition(".")[2]
        if wing not in WINGS.get(command, ()):
            raise
        raise ExactPermError(f"this copy of exactperm is without {wing}") from None
    module: Module = found
    return module


def laid_out(command: str, *, every: bool = False) -> Parser:
    """Return the parser of a command; its help shows ``every`` option, or those of most use."""
    (usage, about), module = COMMANDS[command], module_of(command)
    parser = Parser(
        prog=f"exactperm {command}",
        usage=f"exactperm {usage} [options]",
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=f"examples:\n{module.EXAMPLES}",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    groups: dict[str, Any] = {}
    options = list(options_in(module.OPTIONS))
    for option in options:
        if option.group not in groups:
            groups[option.group] = parser.add_argument_group(option.group)
        groups[option.group].add_argument(*option.names, **option.arguments(every))
    group = parser.add_argument_group("help")
    group.add_argument("-h", "--help", action="help", help="show this help")
    words = "show all options" if any(option.rare for option in options) else SUPPRESS
    group.add_argument("--help-all", action="help", help=words)
    return parser


def options_of(command: str) -> Mapping[str, Action]:
    """Return the options of a command by their names; none for an unknown one, or without its wing."""
    if command not in COMMANDS:
        return {}
    try:
        return laid_out(command)._option_string_actions
    except ExactPermError:
        return {}
