"""Say on the command line what mends an error: "say --columns A,B", and a command to try.

Errors carry their cure in the library's own names; misspelt words are compared with what argparse
knows. No message is read, so nothing that a file says becomes part of a command but the names of
its columns, in quotes.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from .._types import TYPE_CHECKING, Any, Namespace
from ..errors import BudgetExceeded, Cure, ExactPermError
from ..files.reading import FIELD
from ..record import Record
from .exclusions import COUNTED

if TYPE_CHECKING:
    from argparse import Action, ArgumentParser

    Options = Mapping[str, Action]


SETTINGS = (
    *(name for name in FIELD if name not in ("filter", "names")),
    "statistic",
    "alternative",
    "method",
)
"""Settings that a command to try may have: none overwrites a file or names one, and only columns
are named by files."""

_OWN = {"exists": "say --force to overwrite it", "size": "allow more with --max-input"}
"""What mends errors of these codes, for which only this front end has an option."""

_LIKENESS = 0.85
"""Least similarity of a misspelt word; "one-sided" is 0.78 like "two-sided", "none" 0.8 like
"tarone"."""

_TOPICS = {
    "compare": "many-systems",
    "audit": "audit",
    "attainable": "audit",
    "interval": "intervals",
}
_TOPICS.update(
    recount="certificates",
    test="files",
    dist="files",
    verify="test-vectors",
    vectors="test-vectors",
)
"""The screen of the guide for a command."""


def placed(cure: Cure, argv: Sequence[str]) -> Cure:
    """Return a cure with the command that has its settings: of all statistics only the difference has another one."""
    other = cure.settings.get("statistic", "difference") != "difference" and argv[0] in {
        "compare",
        "interval",
    }
    return Cure(cure.settings, "test", cure.words) if other else cure


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

    found = []
    for name, words in DESIGNS.items():
        settings = {**cure.settings, cure.choose: name}
        found.append((f"{name}: {words}", Cure(settings, cure.command, cure.words)))
    return found


def _options(settings: Mapping[str, str]) -> list[str]:
    """Return settings as options; one word each where a value looks like an option itself."""
    pairs = [(f"--{name.replace('_', '-')}", value) for name, value in settings.items()]
    return [
        word
        for name, value in pairs
        for word in (
            [f"{name}={value}"] if value.startswith("-") else [name, value] if value else []
        )
    ]


def screen(argv: Sequence[str], code: str = "") -> list[str]:
    """Return the command that shows the guide's screen on a command, or on runs for the codes of their errors.

    >>> screen(["test"], "run-missing"), screen(["compare"])
    (['guide', 'runs'], ['guide', 'many-systems'])
    """
    of_runs = {"run", "runs"} & {*code.split("-")} or (
        code in {"usage", "options"} and "--runs" in argv
    )
    return ["guide", "runs" if of_runs else _TOPICS.get(argv[0] if argv else "", "start")]


class Known(Record):
    """What the command line knows of itself: its commands, the options of each, and whether words are a command."""

    commands: Mapping[str, Any]
    options: Callable[[str], Options]
    fits: Callable[[list[str]], bool]


def refused(
    argv: list[str], error: ExactPermError, known: Known, parser: ArgumentParser | None = None
) -> Iterator[tuple[str, str]]:
    """Yield what is said of an error, each text with the name before it: what is wrong, what mends it, what to type.

    ``parser`` is that of the command where its words were misused. Where the author chooses, each
    choice has a command.
    """
    cure = error.cure and placed(error.cure, argv)
    change = mended(argv, cure, known.options)
    name = "exactperm"
    if parser is not None:
        change, name = respelled(argv, known.commands, known.options), parser.prog
        unknown = getattr(error, "unknown", "")
        others = [command for command in known.commands if unknown in known.options(command)]
        cure = Cure(words=f"{unknown} is an option of {', '.join(others)}") if others else None
        yield str(parser.usage), "usage"
    mending = render(cure, error.code) if cure else ""
    yield f"error: {error}{mending and '; '}{mending}", name
    offered = choices(cure)
    for words, choice in offered:
        yield f"  {words}", name
        yield line(argv, mended(argv, choice, known.options), known.fits, error.code), "exactperm"
    if not offered:
        yield line(argv, change, known.fits, error.code), "exactperm"


def line(
    argv: Sequence[str], change: list[str] | None, fits: Callable[[list[str]], bool], code: str = ""
) -> str:
    """Return "try:" with the changed command where it ``fits``, else "see:" with a screen of the guide.

    ``code`` is that of the error.
    """
    given = list(argv)
    found = (
        change
        if change and change != given and all(map(str.isprintable, change)) and fits(change)
        else None
    )
    return f"{'see' if found is None else 'try'}: {shlex.join(['exactperm', *(found or screen(given, code))])}"


def mended(
    argv: Sequence[str], cure: Cure | None, options: Callable[[str], Options]
) -> list[str] | None:
    """Return the command with the settings of a cure, under its name; None where no command mends the error."""
    if cure is None or not (cure.settings or cure.command) or not {*cure.settings} <= {*SETTINGS}:
        return None
    name = cure.command or argv[0]
    words = [name, *argv[1:]]
    here, there = options(argv[0]), options(name)
    for option, action in here.items():
        if option not in there or option.lstrip("-").replace("-", "_") in cure.settings:
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


# ----------------------------------------------------------------------------------------- spelling


def respelled(
    argv: Sequence[str], commands: Iterable[str], options: Callable[[str], Options]
) -> list[str] | None:
    """Return the command with misspelt words replaced by those that argparse knows; a file alone is tested."""
    first, *rest = argv or ("",)
    if first not in (*commands, ""):
        name = near(first, commands, 0.7)
        return ["test", *argv] if os.path.exists(first) else [name, *rest] if name else None
    known, words, before = options(first), [first], ""
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
    choices = [*(action.choices or ()), *getattr(action.type, "known", ())]
    return word if word in choices else near(word, choices) or word


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


# ------------------------------------------------------------------------------------------ budgets


def of_budget(error: BudgetExceeded, args: Namespace) -> tuple[str, Cure]:
    """Return the message and the cure of a refused amount of work: digits that are certain where there are some."""
    more = "allow more with --max-seconds and --max-memory"
    if not hasattr(args, "decimals"):
        return f"too much work for the limits: {error.brief}", Cure(words=more)
    message = f"too much work: {error.brief}"
    if args.decimals is None:
        more += (
            "; rounding with --decimals is cheaper but asks another question, with another p-value"
        )
    if (
        getattr(args, "method", "certified") != "certified"
        and getattr(args, "statistic", "") not in COUNTED
    ):
        return message, Cure(
            {"method": "certified"}, words=f"for digits that are certain, or {more}"
        )
    return message, Cure(words=more)
