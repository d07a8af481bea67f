"""Say on the command line what is wrong, what mends it, and a command to try.

Errors carry data: ways to answer in the library's own names, and the columns to choose from. No message is read, so
nothing that a file says becomes part of a command but the names of its columns, in quotes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

from ..errors import BudgetExceeded, Cure, ExactPermError
from ..files.reading import FIELD, FORMS
from ..files.table import Ask
from . import commands
from .guide import topics

SETTINGS = {*FIELD, "statistic", "alternative", "method"} - {"filter", "names"}
"""Settings of a command to try: none overwrites or names a file, only columns are named by files."""

_OWN = {"exists": "say --force to overwrite it", "size": "allow more with --max-input"}
"""What mends errors of these codes, for which only this front end has an option."""

_VALUES = {"column": "NAME", "flag": ""}
"""What stands for the value of a setting that is asked."""

_COMMAS = " (with --decimal comma for numbers such as 0,5)"
"""What is said with the encoding, which spreadsheets with such numbers leave open, too."""

_LONG = (
    "; or, where each item has a row for each system, --system NAME --score NAME --id NAME, "
    "and for each of several runs --runs DESIGN --run NAME"
)
_IDS = " --id NAME, or --by row where both files have the same items in the same rows"
_JOINED = "; + joins runs of one system: say --runs, too"
_UNPAIRED = "samples of different items are compared by exactperm test --unpaired"

_TOPICS = {
    "compare": "many-systems",
    "audit": "audit",
    "recount": "certificates",
    "test": "files",
    "verify": "test-vectors",
}
"""The screen of the guide for a command."""

Lines = Iterator[tuple[str, str]]
"""What is said, line by line, each with the name before it."""


def refused(argv: list[str], error: ExactPermError) -> Lines:
    """Yield the lines that are said of an error.

    What is wrong, the columns to choose from, then what mends it: the only way, with a command to
    try, or one line for each way.
    """
    if isinstance(error, commands.Misused):
        yield from _misused(argv, error)
        return
    message = str(error)
    answers = [*_answers(error)]
    if isinstance(error, BudgetExceeded):
        message, answers = _of_budget(error, argv)
    only = answers[0] if len(answers) == 1 else None
    mending = [] if only is None else [render(only, error.code)]
    change = None if only is None or error.code == "record" else mended(argv, only)
    first = message
    listed: list[str] = []
    if isinstance(error, Ask) and error.listing is not None:
        first = error.question
        listed = str(error.listing).splitlines()
    if isinstance(error, Ask) and error.argument:
        known = {} if only is None else only.settings
        if not answers or (only and (not known or error.argument not in known)):
            mending.insert(0, f"say --{error.argument} {_value(error, argv)}".rstrip())
            change = None
    said = "; ".join(mending)
    if said and not listed:
        asks = isinstance(error, Ask) and error.question.endswith("?")
        first = f"{first}{' ' if asks else '; '}{said}"
    yield f"error: {first}", "exactperm"
    yield from ((f"  {line}", "") for line in listed)
    if said and listed:
        yield said, ""
    for answer in [] if only else answers:
        yield f"  {render(answer, mark=':')}", ""
    yield to_try(argv, change, error.code), "exactperm"


def _misused(argv: list[str], error: commands.Misused) -> Lines:
    """Yield what is said of words that are no command."""
    others = [each for each in commands.COMMANDS if error.unknown in commands.options_of(each)]
    where = f"; {error.unknown} is an option of {', '.join(others)}" if others else ""
    if error.parser is not None:
        yield str(error.parser.usage), "usage"
    yield f"error: {error}{where}", "exactperm"
    yield to_try(argv, respelled(argv)), "exactperm"


def _answers(error: ExactPermError) -> Iterator[Cure]:
    """Yield the ways to mend an error; where the design of runs is asked, one for each."""
    for cure in error.answers if isinstance(error, Ask) else [error.cure]:
        if cure is not None and cure.choose:
            from ..swaps.runs import DESIGNS

            yield from (Cure({cure.choose: name}, words=words) for name, words in DESIGNS.items())
        elif cure is not None:
            yield cure
    if error.code == "lengths":
        yield Cure(words=_UNPAIRED)


def _value(error: Ask, argv: Sequence[str]) -> str:
    """Return what stands for the value of a setting that is asked.

    It names as many columns as the statistic takes, or blocks of runs.
    """
    field = FIELD[error.argument]
    args = commands.parsed(argv)
    if field.name != "columns":
        value = _VALUES.get(field.kind, field.metavar or "|".join(field.choices))
        return value + _COMMAS * (field.name == "encoding")
    if argv[0] == "compare" and len(args.files) < 2:
        return "NAME,NAME,NAME, or --columns all"
    if getattr(args, "runs", None):
        return "NAME+NAME,NAME+NAME"
    form = FORMS[getattr(args, "statistic", None) or "difference"]
    listing = error.listing
    two = len(args.files) > 1
    facts = listing.columns if listing else ()
    said = ",".join(["NAME"] * -(-form.numbers[-1] // (1 + two)))
    known = args.id or args.by or args.system or (listing and listing.ids)
    if two and len(facts) > 1 and not known:
        said += _IDS
    rows = max([each.distinct for each in facts], default=0)
    long = any(each.kind == "texts" and each.distinct < rows for each in facts)
    if long and form.kind == "scores" and not two:
        said += _LONG
    return said + _JOINED * ("+" in (args.columns or ""))


def render(cure: Cure, code: str = "", mark: str = "") -> str:
    """Return a cure as something to type, then what it is for or what no option mends.

    >>> render(Cure({"columns": "first system,B"}, words="or name the file of the other system"))
    "say --columns 'first system,B' or name the file of the other system"
    """
    if code in _OWN:
        return _OWN[code]
    command = ["exactperm", cure.command] if cure.command else []
    typed = shlex.join([*command, *_options(cure.settings)])
    if typed and not (cure.command and cure.words and not cure.settings):
        typed = f"say {typed}{mark}"  # else the words tell what another command does
    return " ".join(filter(None, [typed, cure.words]))


def _options(settings: Mapping[str, str]) -> Iterator[str]:
    """Yield settings as options; one word each where a value looks like an option itself."""
    for name, value in settings.items():
        if name in FIELD and FIELD[name].kind == "flag":
            yield f"--{name}"
        elif value.startswith("-"):
            yield f"--{name}={value}"
        elif value:
            yield from (f"--{name}", value)


def to_try(argv: Sequence[str], change: list[str] | None, code: str = "") -> str:
    """Return "try:" with the changed command where it is one, else "see:" with a screen of the guide.

    ``code`` is that of the error.
    """
    if change and change != [*argv] and all(map(str.isprintable, change)) and _is_command(change):
        return f"try: {shlex.join(['exactperm', *change])}"
    first = argv[0] if argv else ""
    topic = _TOPICS.get(first, "")
    if first not in commands.COMMANDS and first in topics():
        topic = first
    if {"run", "runs"} & {*code.split("-")} or (code == "options" and "--runs" in argv):
        topic = "runs"
    return f"see: exactperm guide {topic}".rstrip()


def _is_command(argv: list[str]) -> bool:
    """Whether words are a command that does more than to show help."""
    try:
        return not {"-h", "--help", "--help-all"} & {*argv} and bool(commands.parsed(argv))
    except ExactPermError:
        return False


def mended(argv: Sequence[str], cure: Cure) -> list[str] | None:
    """Return the command with the settings of a cure behind it, or another one; None where no command mends."""
    if not (cure.settings or cure.command) or not {*cure.settings} <= SETTINGS:
        return None
    words = [cure.command or argv[0], *argv[1:]]
    for option in [f"--{name}" for name in cure.settings if f"--{name}" in words]:
        at = words.index(option)
        del words[at : at + 2]
    return [*words, *_options(cure.settings)]


def respelled(argv: Sequence[str]) -> list[str]:
    """Return the command with its name and its options spelled as they are known; a file alone is tested."""
    first, *rest = argv
    if os.path.exists(first):
        return ["test", *argv]
    if first not in commands.COMMANDS:
        return [*(get_close_matches(first, commands.COMMANDS, 1, 0.7) or [first]), *rest]
    known = {*commands.options_of(first)} - {"--force"}
    words = [first]
    for word in rest:
        name, mark, value = word.partition("=")
        near = get_close_matches(name, known, 1, 0.85) or [name]
        words.append(f"{near[0]}{mark}{value}")
    return words


def _of_budget(error: BudgetExceeded, argv: list[str]) -> tuple[str, list[Cure]]:
    """Return the message and the cure of a refused amount of work: digits that are certain where there are some."""
    args = commands.parsed(argv)
    message = f"too much work: {error.brief}"
    more = ["allow more with --max-seconds and --max-memory"] if error.needs else []
    if getattr(args, "decimals", 0) is None:
        more.append("rounding with --decimals is cheaper, but asks another question")
    words = "; ".join(more)
    message += "" if error.needs else ", and no budget helps"
    if getattr(args, "method", "") != "exact":
        return message, [Cure(words=words)]
    return message, [Cure({"method": "certified"}, words=f"for digits that are certain; {words}")]
