"""Say on the command line what mends an error, and name a command to try.

Errors carry their cures in the library's own names; misspelt words are compared with what argparse
knows. No message is read, so nothing that a file says becomes part of a command but the names of
its columns, in quotes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from .._types import TYPE_CHECKING
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..files.listing import Ask
from ..files.reading import FIELD
from . import main, values

if TYPE_CHECKING:
    from argparse import Action


SETTINGS = {*FIELD, "statistic", "alternative", "method"} - {
    "filter",
    "names",
}
"""Settings that a command to try may have: none overwrites a file or names one, and only columns
are named by files."""

_OWN = {
    "exists": "say --force to overwrite it",
    "size": "allow more with --max-input",
}
"""What mends errors of these codes, for which only this front end has an option."""

_VALUES = {"columns": "NAME,NAME", "column": "NAME", "flag": " "}
"""What stands for the values of settings that are asked."""

_LIKENESS = 0.85
"""Least similarity of a misspelt word; "one-sided" is 0.78 like "two-sided", "none" 0.8 like
"tarone"."""

_TOPICS = {
    "compare": "many-systems",
    "audit": "audit",
    "recount": "certificates",
    "test": "files",
    "verify": "test-vectors",
}
"""The screen of the guide for a command."""


def refused(argv: list[str], error: ExactPermError) -> Iterator[tuple[str, str]]:
    """Yield what is said of an error, each text with the name before it: what is wrong, what mends it, what to type."""
    if isinstance(error, main.Misused):
        yield from _misused(argv, error)
        return
    message, cure = (
        _of_budget(error, argv) if isinstance(error, BudgetExceeded) else (str(error), error.cure)
    )
    mending = render(cure, error.code) if cure else ""
    asked = error.argument if isinstance(error, Ask) and not mending else ""
    answers = error.answers if isinstance(error, Ask) and len(error.answers) > 1 else ()
    if asked and not answers:
        value = _VALUES.get(FIELD[asked].kind, "")
        mending = f"say --{asked} {value or FIELD[asked].metavar or '|'.join(FIELD[asked].choices)}"
    first, *listed = message.split("\n")
    alone = f"; {mending}" if mending and not listed else ""
    yield f"error: {first}{alone}", "exactperm"
    for words in (*listed, *([mending] if mending and listed else [])):
        yield words, "exactperm"
    for answer in answers:
        yield f"  {render(answer)}", "exactperm"
    offered = choices(cure)
    for words, choice in offered:
        yield f"  {words}", "exactperm"
        yield line(argv, mended(argv, choice), error.code), "exactperm"
    if not offered:
        yield line(argv, mended(argv, cure), error.code), "exactperm"


def _misused(argv: list[str], error: main.Misused) -> Iterator[tuple[str, str]]:
    """Yield what is said of words that are no command."""
    others = [name for name in main.COMMANDS if error.unknown in main.options_of(name)]
    where = f"; {error.unknown} is an option of {', '.join(others)}" if others else ""
    name = "exactperm" if error.parser is None else error.parser.prog
    if error.parser is not None:
        yield str(error.parser.usage), "usage"
    yield f"error: {error}{where}", name
    yield line(argv, respelled(argv)), "exactperm"


def render(cure: Cure, code: str = "") -> str:
    """Return a cure as something to type, then what it is for or what no option mends.

    >>> render(Cure({"columns": "first system,B"}, words="or name the file of the other system"))
    "say --columns 'first system,B' or name the file of the other system"
    """
    command = ["exactperm", cure.command] if cure.command else []
    typed = shlex.join([*command, *_options(cure.settings)])
    return _OWN.get(code) or " ".join(filter(None, [typed and f"say {typed}", cure.words]))


def choices(cure: Cure | None) -> list[tuple[str, Cure]]:
    """Return what may be chosen where a cure leaves a setting to the author, in words, and the cure with each choice.

    >>> [(words.partition(":")[0], one.settings) for words, one in choices(Cure(choose="runs"))][:2]
    [('within', {'runs': 'within'}), ('items', {'runs': 'items'})]
    """
    if cure is None or not cure.choose:
        return []
    from ..swaps.runs import DESIGNS

    return [
        (f"{name}: {words}", Cure({**cure.settings, cure.choose: name}, cure.command, cure.words))
        for name, words in DESIGNS.items()
    ]


def _options(settings: Mapping[str, str]) -> Iterator[str]:
    """Yield settings as options; one word each where a value looks like an option itself."""
    for name, value in settings.items():
        option = f"--{name.replace('_', '-')}"
        if name in FIELD and FIELD[name].kind == "flag":
            yield option
        elif value.startswith("-"):
            yield f"{option}={value}"
        elif value:
            yield option
            yield value


def screen(argv: Sequence[str], code: str = "") -> list[str]:
    """Return the command that shows the guide's screen on a command, or on runs for the codes of their errors.

    >>> screen(["test"], "run-missing"), screen(["compare"])
    (['guide', 'runs'], ['guide', 'many-systems'])
    """
    of_runs = {"run", "runs"} & {*code.split("-")} or (code == "options" and "--runs" in argv)
    topic = _TOPICS.get(argv[0] if argv else "", "")
    return ["guide", "runs"] if of_runs else ["guide", topic] if topic else ["guide"]


def line(argv: Sequence[str], change: list[str] | None, code: str = "") -> str:
    """Return "try:" with the changed command where it is one, else "see:" with a screen of the guide.

    ``code`` is that of the error.
    """
    fits = change and change != [*argv] and all(map(str.isprintable, change)) and is_command(change)
    return f"{'try' if fits else 'see'}: {shlex.join(['exactperm', *((change if fits else None) or screen(argv, code))])}"


def is_command(argv: list[str]) -> bool:
    """Whether words are a command that does more than to show help."""
    if {"-h", "--help", "--help-all"} & {*argv}:
        return False
    try:
        main.parsed(argv)
    except ExactPermError:
        return False
    return True


def mended(argv: Sequence[str], cure: Cure | None) -> list[str] | None:
    """Return the command with the settings of a cure, under its name; None where no command mends the error."""
    if cure is None or not (cure.settings or cure.command) or not {*cure.settings} <= SETTINGS:
        return None
    name = cure.command or argv[0]
    words = [name, *argv[1:]]
    there = main.options_of(name)
    for option, action in main.options_of(argv[0]).items():
        if option not in there or action.dest in cure.settings:
            words = _without(words, option, valued=action.nargs != 0)
    return [*words, *_options(cure.settings)]


def _without(argv: Sequence[str], option: str, *, valued: bool) -> list[str]:
    """Return the words without an option and its value."""
    kept, skip = [], False
    for word in argv:
        if skip:
            skip = False
        elif word == option:
            skip = valued
        elif not word.startswith(f"{option}="):
            kept.append(word)
    return kept


# ----------------------------------------------------------------------------------------------
# spelling


def respelled(argv: Sequence[str]) -> list[str] | None:
    """Return the command with misspelt words replaced by those that argparse knows; a file alone is tested."""
    first, *rest = argv
    if first not in main.COMMANDS:
        name = near(first, main.COMMANDS, 0.7)
        return ["test", *argv] if os.path.exists(first) else [name, *rest] if name else None
    known, words, before = main.options_of(first), [first], ""
    for word in rest:
        name, mark, value = word.partition("=")
        if word.startswith("--") and name not in known:
            name = near(name, [option for option in known if option != "--force"]) or name
            word = f"{name}{mark}{value}"
        if before in known:
            word = _choice(known[before], word)
        elif mark and name in known:
            word = f"{name}={_choice(known[name], value)}"
        words.append(word)
        before = word
    return words


def _choice(action: Action, word: str) -> str:
    known = [*(action.choices or ()), *values.known(action.type)]
    return word if word in known else near(word, known) or word


def near(word: str, known: Iterable[str], likeness: float = _LIKENESS) -> str:
    """Return the known word that is most like a misspelt one, "" for none; names apart in digits only are not alike.

    >>> near("two_sidd", ["two-sided", "less"]), near("run_3", ["run_2"])
    ('two-sided', '')
    """
    from difflib import get_close_matches

    plain = {_plain(name): name for name in known}
    wanted = _plain(word)
    found = get_close_matches(wanted, plain, 1, likeness) or [
        name for name in plain if name.startswith(wanted)
    ]
    if len(found) != 1 or not wanted or _digits(found[0]) != _digits(wanted):
        return ""
    return plain[found[0]]


def _plain(word: str) -> str:
    return word.lower().replace("_", "-").lstrip("-")


def _digits(word: str) -> list[str]:
    return list(filter(str.isdecimal, word))


# ----------------------------------------------------------------------------------------------
# budgets


def _of_budget(error: BudgetExceeded, argv: list[str]) -> tuple[str, Cure]:
    """Return the message and the cure of a refused amount of work: digits that are certain where there are some."""
    args = main.parsed(argv)
    message = f"too much work: {error.brief}"
    more = (
        "no budget helps"
        if error.needs is None
        else "allow more with --max-seconds and --max-memory"
    )
    if not hasattr(args, "decimals"):
        return message, Cure(words=more)
    if args.decimals is None:
        more += (
            "; rounding with --decimals is cheaper but asks another question, with another p-value"
        )
    counted = ("sign", "mcnemar")
    if getattr(args, "method", "") == "exact" and getattr(args, "statistic", "") not in counted:
        return message, Cure(
            {"method": "certified"}, words=f"for digits that are certain, or {more}"
        )
    return message, Cure(words=more)
