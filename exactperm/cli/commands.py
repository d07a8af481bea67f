"""The commands and their options, read from tables in the form in which help shows them; and what excludes what.

The module of a command has its name. A line of a table of options has the names, what a value is, its default, and the
help; a plus sign before it says that only the help of all options shows it. A title ends with a colon, ``@input`` and
the like name a table that commands share:

    test:
      -a, --alternative {two-sided,greater,less}=two-sided  in which direction
      + --max-seconds SECONDS=600                           refuse work of more
      @workers
"""

from __future__ import annotations

import re
from argparse import SUPPRESS, ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Mapping, Sequence

from .._types import TYPE_CHECKING, Any, Namespace
from ..arithmetic.reading import exact, level
from ..budget import Budget
from ..errors import Cure, ExactPermError
from ..files.reading import CLASSICAL, FIELDS, FORMS, Field, Reading

if TYPE_CHECKING:
    from argparse import Action
    from typing import NoReturn, Protocol

    class Module(Protocol):
        """The module of a command: the table of its options, its examples, and what it does."""

        OPTIONS: str
        EXAMPLES: str

        def run(self, args: Namespace) -> int | None:
            """Do what the parsed options say; return an exit status that is not 0."""


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
    usage, about = COMMANDS[command]
    module = module_of(command)
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
    hidden = False
    for title, rare, names, given in options_in(module.OPTIONS):
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        hidden |= rare
        if rare and not every:
            given["help"] = SUPPRESS
        groups[title].add_argument(*names, **given)
    group = parser.add_argument_group("help")
    group.add_argument("-h", "--help", action="help", help="show this help")
    words = "show all options" if hidden else SUPPRESS
    group.add_argument("--help-all", action="help", help=words)
    return parser


def options_of(command: str) -> Mapping[str, Action]:
    """Return the options of a command by their names; none without its wing."""
    try:
        return laid_out(command)._option_string_actions
    except ExactPermError:
        return {}


# ---------------------------------------------------------------------------------------------- options


Option = tuple[str, bool, list[str], dict[str, object]]
"""The title above an option, whether the short help hides it, its names, and what argparse takes of it."""

_LINE = re.compile(
    r"  (\+ )?((?:-\w, )?[\w-]+)([*+?]?)(?: (\{.*?\}|[-A-Z:,]+(?: PROGRAM)?)(?:=(\S+))?)?(?:  +| *\n +)(.*)",
    re.DOTALL,
)
"""Rarity, names, number of words, value, default, help."""

_SHORT = {"columns": "-c, ", "id": "-i, "}
_SHOWN = "columns", "id", "system", "score", "groups", "runs"


def _line(field: Field) -> str:
    """Return the line of a setting of reading."""
    value = f" {{{','.join(field.choices)}}}" if field.choices else f" {field.metavar}".rstrip()
    rare = "" if field.name in _SHOWN else "+ "
    return f"  {rare}{_SHORT.get(field.name, '')}--{field.name}{value}  {field.help}\n"


_SHARED = {
    "@workers": """\
  + --processes PROCESSES=1  number of processes (1)
""",
    "@limits": """\
  + --max-seconds SECONDS=600  refuse work of more than so many seconds (600)
  + --max-memory SIZE=2G       refuse work that needs more (2G)
""",
    "@input": """\
  + --max-input SIZE=256M  refuse to read more (256M)
"""
    + "".join(map(_line, FIELDS)),
    "@alternative": """\
  -a, --alternative {two-sided,greater,less,doubled}=two-sided
      two-sided (default): as far from 0, in either direction; greater, less: of first - second;
      doubled: twice the smaller of these two p-values, which is the two-sided one for differences
      of scores
""",
}


def options_in(table: str) -> Iterator[Option]:
    """Yield the options of a table."""
    group = ""
    for line in re.split(r"\n(?! {6})", table.rstrip()):
        shared = line.strip()
        if not line.startswith(" "):
            group = line.rstrip(":")
        elif shared in _SHARED:
            yield from options_in(f"{group}:\n{_SHARED[shared]}")
        else:
            yield _option(line, group)


def _option(line: str, group: str) -> Option:
    """Return the option of a line, or of several, under a title."""
    rare, names, number, value, default, words = _LINE.findall(line)[0]
    reader = READERS.get(value)
    if value.startswith("{"):
        reader = _one_of({name: name for name in value[1:-1].split(",")})
    given = {"nargs": number, "metavar": value, "type": reader, "default": default}
    about: dict[str, object] = {name: said for name, said in given.items() if said}
    about["help"] = " ".join(words.replace("%", "%%").split())
    if not value:
        about["action"] = "store_true"
    return group, bool(rare), names.split(", "), about


_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def _read(read: Callable[[str], object], what: str) -> Callable[[str], Any]:
    """Return a reader of values whose error says ``what`` they are."""

    def value(word: str) -> object:
        try:
            return read(word)
        except (ValueError, KeyError, ExactPermError):
            from argparse import ArgumentTypeError

            raise ArgumentTypeError(f"{word!r} is not {what}") from None

    return value


def _seconds(word: str) -> float:
    if not (seconds := float(word)) > 0:
        raise ValueError
    return seconds


def _size(word: str) -> int:
    unit = _UNITS.get(word[-1:].upper(), 0)
    return _whole(word[:-1] if unit else word, 1, 10**19) * (unit or 1)


def _whole(word: str, least: int, most: int) -> int:
    if not (word.isdecimal() and len(word) < 20 and least <= int(word) <= most):
        raise ValueError
    return int(word)


def _from(least: int, most: int) -> Callable[[str], int]:
    """Return the reader of whole numbers from ``least`` to ``most``."""
    return _read(lambda word: _whole(word, least, most), f"a whole number from {least} to {most}")


def _counts(word: str) -> tuple[int, int]:
    b, c = word.split(",")
    return _whole(b.strip(), 0, 10**9), _whole(c.strip(), 0, 10**9)


def _one_of(known: Mapping[str, str]) -> Callable[[str], str]:
    """Return the reader of one of some names, with "-" or "_" and in any case, as the library's word for it."""
    return _read(
        lambda word: known[word if word in known else word.lower().replace("_", "-")],
        f"one of {', '.join(known)}",
    )


def _adjustment(word: str) -> str:
    from ..multiplicity import NAMES

    known = {name.replace("_", "-"): method for name, method in NAMES.items()}
    return _one_of(known)(word)


READERS: Mapping[str, Callable[[str], object]] = {
    "SECONDS": _read(_seconds, "a number of seconds above 0"),
    "SIZE": _read(_size, "a size such as 500M or 2G"),
    "PROCESSES": _from(1, 1024),
    "DIGITS": _from(1, 100_000),
    "COUNT": _from(1, 10_000_000),
    "LEVEL": _read(level, "a level between 0 and 1"),
    "SHIFT": _read(exact, "a number"),
    "B,C": _read(_counts, "two counts such as 9,1"),
    "SHARE": float,
    "K": _from(0, 4000),
    "STATISTIC": _one_of({name: name for name in FORMS}),
    "METHOD": _adjustment,
}
"""What reads a value, by the word that stands for it in help; other words are kept as they are."""


# ---------------------------------------------------------------------------------------------- what options say


def files_of(args: Namespace) -> tuple[list[tuple[str, bytes]], Reading]:
    """Return the files that the options name, as names and contents, and how they are read."""
    from ..files.sources import read_files

    reading = Reading.of({name: getattr(args, name, None) for name in Reading._fields})
    return read_files(args.files, args.max_input), reading


def budget_of(args: Namespace) -> Budget:
    """Return the limits of time and memory."""
    return Budget(seconds=args.max_seconds, bytes=args.max_memory)


# ---------------------------------------------------------------------------------------------- what excludes what

_MEANS = " ".join(name for name in FORMS if name not in CLASSICAL)

OF_STATISTICS = {
    "counts": "mcnemar",
    "zeros": "wilcoxon",
    "mu": "difference wilcoxon sign",
    "interval": "difference mean",
    "unpaired": "difference mean wilcoxon",
    "decimals": f"{_MEANS} wilcoxon sign",
    **dict.fromkeys(("groups", "weights", "tasks", "certificate"), _MEANS),
}
"""The statistics that an option is of; every other option is of all."""

NEEDED = {"precision": "interval", "confidence": "interval", "strata": "unpaired"}
"""Options that need another one."""

APART = {
    "counts": "files columns id missing",
    "unpaired": "by differences runs run groups weights tasks mu zeros interval",
    "mu": "decimals",
    "interval": "weights tasks mu runs run",
}
"""Options that exclude others."""


def check(args: Namespace) -> None:
    """Raise ``ExactPermError`` where an option that is given is excluded by another, or the statistic has no bracket.

    Brackets are of sums and of signed ranks.
    """
    said = {n: v for n, v in vars(args).items() if v is not None and v is not False and v != []}
    statistic = said.get("statistic", "difference")
    for wrong in _faults(said, statistic):
        raise ExactPermError(wrong, code="options")
    ranks = statistic == "wilcoxon" and not said.get("unpaired")
    if said.get("method") == "certified" and statistic in CLASSICAL and not ranks:
        of = f"the statistic {statistic}{' of two samples' * ('unpaired' in said)}"
        cure = Cure({"method": "auto"})
        raise ExactPermError(f"{of} has no certified bracket", code="options", cure=cure)


def _faults(said: dict[str, Any], statistic: str) -> Iterator[str]:
    """Yield what is wrong with the options that are given."""
    if not said.keys() & {"files", "counts"}:
        yield "name a file of scores, or --counts B,C for McNemar's test"
    for option, needed in NEEDED.items():
        if option in said and needed not in said:
            yield f"--{option} needs --{needed}"
    for option, others in APART.items():
        for other in [other for other in others.split() if {option, other} <= said.keys()]:
            typed = f"the file {said[other][0]}" if other == "files" else f"--{other}"
            yield f"--{option} and {typed} exclude each other"
    for option, names in OF_STATISTICS.items():
        if option in said and statistic not in names.split():
            of = names.replace(" ", ", ")
            yield f"--{option} is not for --statistic {statistic}, but for {of}"
