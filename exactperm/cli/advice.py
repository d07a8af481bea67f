"""Name a command that works after one that did not: the line "try: ..." below an error.

Messages say what to type, as options with their values. The advice is the command that was given with these options,
with a word spelled right, or under the command that has its options; else a screen of the guide. It never repeats the
command that was given.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

Options = Callable[[str], Mapping[str, bool]]
"""Returns the options of a command, and which of them take a value."""

_OPTION = (
    r"--(?:force|intervals|(?:columns|key|id|header|missing|groups|filter|delimiter|decimals?|statistic|method|p|svg|"
    r"max-input) (?!decides)(?:\"[^\"]+\"|[^\s;:)]+))"
)
_OFFERED = re.compile(
    rf"(?:such as|as in|[Ss]ay|commas:|or|\() ?(?:exactperm (?=\w+ --|\w+ for)(\w+))?((?: ?{_OPTION})*)"
)
_OTHER_COMMAND = re.compile(r"\bexactperm (?:guide|example|help|vectors)\b(?: (?!is |lists |shows |writes )[\w-]+)?")
_NAMED = re.compile(r"(?:column is named|record has the key) '([^']*)'(.*)", re.DOTALL)
_CHOICE = re.compile(r"(?:argument (\S+): )?.*'([^']*)' (?:\(choose from (.*)\)|is no statistic: choose from (.*))")
_UNKNOWN = re.compile(r"unrecognized arguments: (.*)")
_EARLY = re.compile(r"name '([^']*)' before the other files")
_NO_FILE = re.compile(r"cannot read (.+?): no such file", re.IGNORECASE)

_TOPICS = {
    "compare": "many-systems",
    "audit": "audit",
    "attainable": "audit",
    "verify": "test-vectors",
    "vectors": "test-vectors",
    "recount": "certificates",
    "test": "files",
    "dist": "files",
    "interval": "intervals",
}
"""The screen of the guide for a command."""

_COMMANDS = {
    "plot": "dist --svg -",
    "draw": "dist --svg -",
    "run": "test",
    "ttest": "test",
    "pvalue": "test",
    "sign": "test --statistic sign",
    "wilcoxon": "test --statistic signed-rank",
    "mcnemar": "test --statistic mcnemar",
    "f1": "test --statistic f1",
    "bootstrap": "interval",
    "ci": "interval",
}
"""What commands of other programs are called here."""

_MEANT = {
    "wilcoxon": "signed-rank",
    "one-sided": "greater",
    "one-tailed": "greater",
    "two-tailed": "two-sided",
    "right": "greater",
    "larger": "greater",
    "left": "less",
    "smaller": "less",
}
"""What values of options of other programs are called here."""

_SYSTEMS = ("test", "dist", "compare", "interval", "audit")
"""Commands that compare systems: an option of one may be typed for another."""


def command(argv: Sequence[str], message: str, options: Options = lambda _command: {}) -> str:
    """Return a command line that works in place of ``argv``, whose error has this ``message``.

    ``options`` tells those of a command.
    """
    import shlex

    given = list(argv)
    changed = (words for words in _changes(given, message, options) if words not in (None, given))
    return shlex.join(["exactperm", *(next(changed, None) or _screen(given, message))])


def offered(message: str) -> str:
    """Return the options that a message offers for the same command, "" for none."""
    return next((offer[2] for offer in _OFFERED.finditer(message) if offer[2] and not offer[1]), "").strip()


def _screen(argv: list[str], message: str) -> list[str]:
    """Return the command that the message names without options, or the screen of the guide for this command."""
    other = _OTHER_COMMAND.search(message)
    return other[0].split()[1:] if other else ["guide", _TOPICS.get(argv[0] if argv else "", "start")]


def _changes(argv: list[str], message: str, options: Options) -> Iterator[list[str] | None]:
    """Yield the same command with one change after the other that the message offers."""
    named = _NAMED.search(message)
    if named:
        yield _replaced(argv, named[1], re.findall(r"'([^']*)'", named[2]), 0.7)
    for offer in _OFFERED.finditer(message):
        if offer[1] == "compare" and argv[0] != "test":
            continue
        if offer[2]:
            yield _with(argv, offer[1] or argv[0], offer[2], options, message)
        elif offer[1]:
            yield _under(argv, offer[1], options)
    unknown, choice = _UNKNOWN.search(message), _CHOICE.search(message)
    lost, early = _NO_FILE.search(message), _EARLY.search(message)
    if unknown:
        yield from _known(argv, unknown[1].split(), options)
    if choice:
        yield _chosen(argv, choice[1], choice[2], re.findall(r"[\w-]+", choice[3] or choice[4]))
    if early:
        yield _before(argv, early[1])
    if lost:
        folder = os.path.dirname(lost[1])
        yield _replaced(argv, lost[1], [os.path.join(folder, name) for name in _files(folder)], 0.75)


def _with(argv: list[str], name: str, offer: str, options: Options, message: str) -> list[str]:
    """Return the command with the options of an offer, under the name of one that has them."""
    pairs = [(option, value.strip('",')) for option, value in re.findall(r"(--[\w-]+) ?(\"[^\"]+\"|[^-\s]\S*)?", offer)]
    missing = {option for option, _value in pairs} - {*options(name)}
    if missing:
        name = next((other for other in _SYSTEMS if missing <= {*options(other)}), name)
    elif name == "interval" and any(option == "--statistic" for option, _value in pairs):  # it is of a difference
        name = "test"
    words = _under(argv, name, options)
    for option, value in pairs:
        stray = [value, *value.split(",")] if "separated by commas" in message else ()
        chosen = [option, *([value] if value else [])]
        if chosen not in (words[i : i + len(chosen)] for i in range(len(words))):
            words = [*_without(words, option, stray), *chosen]
    return words


def _under(argv: list[str], name: str, options: Options) -> list[str]:
    """Return the words under the name of another command, without options that it does not have."""
    if name == argv[0]:
        return argv
    there, words = options(name), [name, *argv[1:]]
    for option, valued in options(argv[0]).items():
        if option not in there:
            words = _without(words, option, valued=valued)
    return words


def _without(argv: list[str], option: str, stray: Sequence[str] = (), *, valued: bool = True) -> list[str]:
    """Return the words without an option and its value, and without those that were taken for files."""
    kept, skip = [], False
    for word in argv:
        if skip or word in stray:
            skip = False
        elif word == option:
            skip = valued
        elif not word.startswith(f"{option}="):
            kept.append(word)
    return kept


def _known(argv: list[str], unknown: list[str], options: Options) -> Iterator[list[str] | None]:
    """Yield commands for options that this one does not have: another's, one spelled right, or none."""
    option = unknown[0].partition("=")[0]
    yield from ([other, *argv[1:]] for other in _SYSTEMS if option in options(other) and argv[0] in _SYSTEMS)
    yield _replaced(argv, option, [known for known in options(argv[0]) if known.startswith("--")], 0.75)
    lost = {*unknown, *(argv[argv.index(option) + 1 :][:1] if option in argv else ())}
    yield [word for word in argv if word not in lost or os.path.exists(word)]


def _replaced(argv: list[str], wrong: str, right: Sequence[str], likeness: float = 0.5) -> list[str] | None:
    """Return the words with the nearest right word in the place of a wrong one, also inside of a list."""
    best = _nearest(wrong, right, likeness)
    if best is None:
        return None
    return [",".join(best if part == wrong else part for part in word.split(",")) for word in argv]


def _before(argv: list[str], file: str) -> list[str]:
    """Return the words with one file before the others."""
    at = next(i for i, word in enumerate(argv) if os.path.exists(word))
    return [*argv[:at], file, *(word for word in argv[at:] if word != file)]


def _chosen(argv: list[str], option: str | None, wrong: str, right: Sequence[str]) -> list[str] | None:
    """Return the words with a choice that exists; a file in the place of the command is tested."""
    if option == "COMMAND" and "." in wrong:
        return ["test", *argv]
    meant = (_COMMANDS if option == "COMMAND" else _MEANT).get(wrong.lower())
    best = meant or _nearest(wrong, right)
    if best is None or wrong not in argv:
        return None
    at = argv.index(wrong)
    return [*argv[:at], *best.split(), *argv[at + 1 :]]


def _nearest(word: str, known: Sequence[str], likeness: float = 0.5) -> str | None:
    """Return the known word that is most like this one; the dashes of options do not make words alike."""
    from difflib import get_close_matches

    plain = {name.lstrip("-").lower().replace("_", "-"): name for name in known}
    wanted = word.lower().replace("_", "-").lstrip("-")
    begun = [name for name in plain if len(wanted) > 1 and name.startswith(wanted)]
    best = begun or get_close_matches(wanted, plain, 1, likeness)
    return plain[best[0]] if best else None


def _files(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:
        return []
