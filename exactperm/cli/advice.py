"""Name a command that works after one that did not: the line "try: ..." below an error.

Messages say what to type, as options with their values. The advice is the command that was given with these options,
with a word spelled right, or under the command that has its options; else "see: ..." names a screen of the guide. It
never repeats the command that was given. Options of other programs are explained in the message itself.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal

Options = Callable[[str], Mapping[str, bool]]
"""Returns the options of a command, and which of them take a value."""

_OPTION = (
    r"--(?:force|intervals|(?:columns|key|id|header|missing|groups|filter|delimiter|decimals?|statistic|method|p|svg|forest|"
    r"max-input) (?!decides)(?:\"[^\"]+\"|[^\s;:)]+))"
)
_OFFERED = re.compile(
    rf"(?:such as|as in|[Ss]ay|commas:|or|\() ?(?:exactperm (?=\w+ --|\w+ for)(\w+))?((?: ?{_OPTION})*)"
)
_SHARE = re.compile(r"(confidence|alpha) is '(\d{1,2}(?:\.\d{1,9})?)': it must lie between")
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
    "two-tailed": "two-sided",
    "right": "greater",
    "larger": "greater",
    "left": "less",
    "smaller": "less",
}
"""What values of options of other programs are called here."""

_DIRECTION = "greater asks whether the first system scores higher, less whether the second does"

_ELSEWHERE = {
    r"b|n|(n|num)?-?(perm|(re)?sampl|iter|rounds|trials|boot|shuffl|simul|rep(s|eat))[a-z-]*": (
        "exactperm counts all swaps: no samples are needed (--method monte-carlo --samples {} draws some)",
        "",
    ),
    "(one|1)-?(sided|tailed?)|tails?|sided?|sides|direction|hypothesis|greater|less": (
        f"one-sided is --alternative greater or --alternative less: {_DIRECTION}",
        None,
    ),
    "(two|2)-?(sided|tailed?)": ("two-sided is the default", ""),
    "base(line)?|control|versus|vs|against": (
        "all pairs are compared: of one pair say which, as --columns FIRST,SECOND does",
        None,
    ),
    "format|type": ("the format of a file is detected", ""),
    "paired": ("all tests are of pairs", ""),
    "o|out|output|outfile|output-file|save": ("results go to standard output: write > {}", ""),
    "alpha|level|significance": ("the p-value needs no level: compare it with yours", ""),
    "c|cols?": ("columns are chosen by --columns", "--columns {}"),
    "sep|separator": ("here it is --delimiter", "--delimiter {}"),
}
"""What options of other programs are called here, in words, and the option to use in their place; {} is the value.

"" leaves the option out; None names no command, since the answer would be that of another question.
"""

_SYSTEMS = ("test", "dist", "compare", "interval", "audit")
"""Commands that compare systems: an option of one may be typed for another."""


def line(argv: Sequence[str], message: str, options: Options = lambda _command: {}) -> str:
    """Return "try:" with a command line that works in place of ``argv``, whose error has this ``message``.

    Where none is known it is "see:" with a screen of the guide. ``options`` tells those of a command.
    """
    import shlex

    given = list(argv)
    changed = next((words for words in _changes(given, message, options) if words not in (None, given)), None)
    words = shlex.join(["exactperm", *(changed or _screen(given, message))])
    return f"{'see' if changed is None else 'try'}: {words}"


def explained(argv: Sequence[str], message: str, options: Options) -> str:
    """Return a message with what to do in place of an option that does not exist, or of a key that files do not share.

    ``options`` tells those of a command.
    """
    unknown, named, choice = _UNKNOWN.search(message), _NAMED.search(message), _CHOICE.search(message)
    if choice and choice[1] == "--alternative":
        return f"{message}; {_DIRECTION}"
    if unknown and argv[0] in _SYSTEMS:
        option = unknown[1].split()[0].partition("=")[0]
        return f"{message}; {_instead(list(argv), option, options)[0]}"
    inner = named and f".{named[1]}'" in named[2]
    if named and not inner and named[1] == _value(argv, "--key") != "" and sum(map(os.path.exists, argv[1:])) > 1:
        return f"{message}; --key is one name for all files: where it differs, rename it in a file"
    return message


def _screen(argv: list[str], message: str) -> list[str]:
    """Return the command that the message names without options, or the screen of the guide for this command."""
    other = _OTHER_COMMAND.search(message)
    return other[0].split()[1:] if other else ["guide", _TOPICS.get(argv[0] if argv else "", "start")]


def _changes(argv: list[str], message: str, options: Options) -> Iterator[list[str] | None]:
    """Yield the same command with one change after the other that the message offers."""
    named = _NAMED.search(message)
    if named:
        yield _replaced(argv, named[1], re.findall(r"'([^']*)'", named[2]), 0.7, whole="', ..." not in named[2])
    for offer in _OFFERED.finditer(message):
        if offer[1] == "compare" and argv[0] != "test":
            continue
        if offer[2]:
            yield _with(argv, offer[1] or argv[0], offer[2], options, message)
        elif offer[1]:
            yield _under(argv, offer[1], options)
    unknown, choice, share = _UNKNOWN.search(message), _CHOICE.search(message), _SHARE.search(message)
    lost, early = _NO_FILE.search(message), _EARLY.search(message)
    if share:
        yield [*_without(argv, f"--{share[1]}"), f"--{share[1]}", str(_exact(share[2]) / 100)]
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
        stray = [value, *re.split("[, ]", value), *value.split()] if "taken for files" in message else ()
        chosen = [option, *([value] if value else [])]
        if option == "--groups" and value == _value(words, "--id"):
            words = _without(words, "--id")
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
    kept = [word for word in _without(argv, option, valued=False) if word not in unknown or os.path.exists(word)]
    if argv[0] in _SYSTEMS:
        value = _value(argv, option)
        kept = [word for word in kept if word != value or os.path.exists(word)]
        use = _instead(argv, option, options)[1]
        yield kept if use == argv else use
    else:
        yield _replaced(argv, option, [known for known in options(argv[0]) if known.startswith("--")], 0.75)
        yield kept


def _instead(argv: list[str], option: str, options: Options) -> tuple[str, list[str] | None]:
    """Return what to do in place of an option that a command on systems does not have, and the command so changed.

    It is unchanged where the option is left out, and None where no command asks the same.
    """
    value, plain = _value(argv, option), option.lstrip("-").replace("_", "-").lower()
    rest = _without(argv, option, valued=bool(value))
    if argv[0] == "interval" and plain in ("alpha", "level", "conf", "conf-level", "confidence-level"):
        level = _exact(value) if re.fullmatch(r"0?\.\d{1,9}", value) else _exact("0.95")
        share = str(max(level, 1 - level))
        return f"an interval has --confidence, such as {share}", [*rest, "--confidence", share]
    for pattern, (words, use) in _ELSEWHERE.items():
        if re.fullmatch(pattern, plain):
            used = use.format(value).split() if use and (value or "{}" not in use) else []
            changed = argv if use == "" or not used else [*rest, *used]
            return words.format(value or "VALUE"), None if use is None else changed
    for other in _SYSTEMS:
        if option in options(other):
            fits = argv[0] != "compare" and (other != "audit" or option == "--p" or _value(argv, "--p"))
            return f"{option} is an option of exactperm {other}", [other, *argv[1:]] if fits else None
    near = _replaced(argv, option, [known for known in options(argv[0]) if known.startswith("--")], 0.75)
    return f"exactperm {argv[0]} -h lists the options", near


def _value(argv: Sequence[str], option: str) -> str:
    """Return the word that follows an option, or its part after "=", "" where there is none."""
    for word, following in zip(argv, [*argv[1:], "-"]):
        if word == option:
            return "" if following.startswith("-") else following
        if word.startswith(f"{option}="):
            return word[len(option) + 1 :]
    return ""


def _exact(number: str) -> Decimal:
    from decimal import Decimal

    return Decimal(number)


def _replaced(
    argv: list[str], wrong: str, right: Sequence[str], likeness: float = 0.5, *, whole: bool = False
) -> list[str] | None:
    """Return the words with the nearest right word in the place of a wrong one, also inside of a list.

    Where ``right`` are the ``whole`` choice, the other parts of that list become right ones, too. None where a part has
    no right word, or two parts have the same.
    """

    def near(part: str) -> str | None:
        known = part in right or part.replace("-", "").isdecimal() or not (whole or part == wrong)
        return part if known else _nearest(part, right, likeness)

    changed = []
    for word in argv:
        parts = word.split(",")
        found = [near(part) for part in parts] if wrong in parts else parts
        if None in found or len({*found}) < len({*parts}):
            return None
        changed.append(",".join(map(str, found)))
    return changed


def _before(argv: list[str], file: str) -> list[str]:
    """Return the words with one file before the others."""
    at = next(i for i, word in enumerate(argv) if os.path.exists(word))
    return [*argv[:at], file, *(word for word in argv[at:] if word != file)]


def _chosen(argv: list[str], option: str | None, wrong: str, right: Sequence[str]) -> list[str] | None:
    """Return the words with a choice that exists; a file in the place of the command is tested."""
    if option == "COMMAND" and "." in wrong:
        return ["test", *argv]
    meant = (_COMMANDS if option == "COMMAND" else _MEANT).get(wrong.lower())
    if option == "--alternative" and re.match("one|1|single|uni", wrong.lower()):
        return None  # the direction is not known
    best = meant or _nearest(wrong, right, 0.85 if option == "--statistic" else 0.5)
    if best is None or wrong not in argv:
        return None
    at = argv.index(wrong)
    return [*argv[:at], *best.split(), *argv[at + 1 :]]


def _nearest(word: str, known: Sequence[str], likeness: float = 0.5) -> str | None:
    """Return the known word that is most like this one; the dashes of options do not make words alike."""
    from difflib import get_close_matches

    plain = {name.lstrip("-").lower().replace("_", "-"): name for name in known}
    wanted = word.lower().replace("_", "-").lstrip("-")
    inner = [name for name in plain if name.endswith(f".{wanted}")]
    if len(inner) == 1:
        return plain[inner[0]]
    begun = [name for name in plain if name == wanted or (len(wanted) > 1 and name.startswith(wanted))]
    best = begun or get_close_matches(wanted, plain, 1, likeness)
    return plain[best[0]] if best else None


def _files(folder: str) -> list[str]:
    try:
        return sorted(os.listdir(folder or "."))
    except OSError:
        return []
