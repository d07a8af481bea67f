"""Name a command that works after one that did not: the line "try: ..." below an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_OFFERED = re.compile(
    r"(?:such as|as in|[Ss]ay|commas:|\() ?(--(?:columns|key|id|header|missing|groups|filter|delimiter|statistic)) "
    r"(\"[^\"]+\"|[^\s;:)]+)"
)
_OTHER_COMMAND = re.compile(r"\bexactperm (?:guide|example|help|vectors)\b(?: (?!is |lists |shows |writes )[\w-]+)?")
_NAMED = re.compile(r"(?:column is named|record has the key) '([^']*)'(.*)", re.DOTALL)
_CHOICE = re.compile(r"(?:argument (\S+): )?.*'([^']*)' (?:\(choose from (.*)\)|is no statistic: choose from (.*))")
_TESTED = "tests it"
"""Ends the refusal of an interval that does not exist."""
_UNKNOWN = re.compile(r"unrecognized arguments: (--[\w-]+)")

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


def command(argv: Sequence[str], message: str, known: Iterable[str] = ()) -> str:
    """Return a command line that works in place of ``argv``, whose error has this ``message``.

    It is the same command with the option that the message offers, with a word spelled right (``known`` are the options
    of the command), or else a screen of the guide. An option that is in use already is replaced, never repeated.
    """
    import shlex

    words = _corrected(list(argv), message, list(known))
    if words is None:
        other = _OTHER_COMMAND.search(message)
        words = other[0].split()[1:] if other else ["guide", _TOPICS.get(argv[0] if argv else "", "start")]
    return shlex.join(["exactperm", *words])


def _corrected(argv: list[str], message: str, known: list[str]) -> list[str] | None:
    """Return the same command with one change, None where the message offers none."""
    offered = _OFFERED.search(message)
    if message.endswith(_TESTED):
        return ["test", *_without(_without(argv[1:], "--confidence", None), "--precision", None)]
    if offered:
        option, value = offered[1], offered[2].strip('",')
        stray = value.split(",")[-1] if "separated by commas" in message else None
        changed = [*_without(argv, option, stray), option, value]
        return None if changed == argv else changed
    unknown = _UNKNOWN.search(message)
    named = _NAMED.search(message)
    choice = _CHOICE.search(message)
    if unknown:
        return _replaced(argv, unknown[1], known, 0.75)
    if named:
        return _replaced(argv, named[1], re.findall(r"'([^']*)'", named[2]))
    if choice:
        return _chosen(argv, choice[1], choice[2], re.findall(r"[\w-]+", choice[3] or choice[4]))
    return None


def _without(argv: list[str], option: str, stray: str | None) -> list[str]:
    """Return the words without an option and its value, and without the one that was taken for a file."""
    kept, skip = [], False
    for word in argv:
        if skip or word == stray:
            skip = False
        elif word == option:
            skip = True
        elif not word.startswith(f"{option}="):
            kept.append(word)
    return kept


def _replaced(argv: list[str], wrong: str, right: Sequence[str], likeness: float = 0.5) -> list[str] | None:
    """Return the words with the nearest right word in the place of a wrong one, also inside of a list."""
    best = _nearest(wrong, right, likeness)
    if best is None:
        return None
    return [",".join(best if part == wrong else part for part in word.split(",")) for word in argv]


def _chosen(argv: list[str], option: str | None, wrong: str, right: Sequence[str]) -> list[str] | None:
    """Return the words with a choice that exists; a file in the place of the command is tested."""
    if option == "COMMAND" and "." in wrong:
        return ["test", *argv]
    best = _nearest(wrong, right)
    if best is None:
        return None
    at = argv.index(wrong) if wrong in argv else -1
    return [*argv[:at], best, *argv[at + 1 :]] if at >= 0 else None


def _nearest(word: str, known: Sequence[str], likeness: float = 0.5) -> str | None:
    from difflib import get_close_matches

    return next(iter(get_close_matches(word.replace("_", "-"), known, 1, likeness)), None)
