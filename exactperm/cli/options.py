"""The options of a command, read from a table in the form in which help shows them.

A line of a table has the names, what a value is, its default, and the help; a plus sign before it
says that only the help of all options shows it. A title ends with a colon, ``@input`` and the like
name a table that commands share:

    test:
      -a, --alternative {two-sided,greater,less}=two-sided  in which direction
      + --max-seconds SECONDS=600                           refuse work of more
      @workers
"""

from __future__ import annotations

import re
from argparse import SUPPRESS
from collections.abc import Callable, Iterator, Mapping

from .._types import TYPE_CHECKING, Any, Namespace
from ..arithmetic.reading import exact, level
from ..errors import Cure, ExactPermError
from ..files.reading import CLASSICAL, FIELDS, FORMS, Field
from ..record import Record

if TYPE_CHECKING:
    from typing import Protocol

    class Module(Protocol):
        """The module of a command: the table of its options, its examples, and what it does."""

        OPTIONS: str
        EXAMPLES: str

        def run(self, args: Namespace) -> int | None:
            """Do what the parsed options say; return an exit status that is not 0."""


class Option(Record):
    """One option as argparse takes it; ``group`` is the title above it, ``rare`` hides it from the short help."""

    group: str
    names: tuple[str, ...]
    about: Mapping[str, Any]
    rare: bool

    def arguments(self, every: bool) -> dict[str, Any]:
        """Return the arguments of ``add_argument``; the help is hidden where it is rare, unless ``every`` is shown."""
        return {**self.about, **({"help": SUPPRESS} if self.rare and not every else {})}


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
    about: dict[str, Any] = {"help": " ".join(words.replace("%", "%%").split())}
    given = {"nargs": number, "metavar": value, "type": _reader(value), "default": default}
    about.update((name, given) for name, given in given.items() if given)
    if not value:
        about["action"] = "store_true"
    return Option(group=group, names=tuple(names.split(", ")), about=about, rare=bool(rare))


def _reader(value: str) -> Callable[[str], Any] | None:
    """Return what reads a value, by the word or the words in braces that stand for it."""
    if not value.startswith("{"):
        return READERS.get(value)
    return _one_of({name: name for name in value[1:-1].split(",")})


_UNITS = {"K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def _read(read: Callable[[str], Any], what: str) -> Callable[[str], Any]:
    """Return a reader of values whose error says ``what`` they are."""

    def value(word: str) -> Any:
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


READERS: Mapping[str, Callable[[str], Any]] = {
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
    """Raise ``ExactPermError`` where an option that is given is excluded by another, or a method not of the statistic.

    Exact counts are of all statistics, brackets of sums and signed ranks, engines of sums of pairs.
    """
    said = {n: v for n, v in vars(args).items() if v is not None and v is not False and v != []}
    statistic, method = said.get("statistic", "difference"), said.get("method", "auto")
    for wrong in _faults(said, statistic):
        raise ExactPermError(wrong, code="options")
    unpaired = "unpaired" in said
    sums = statistic not in CLASSICAL
    fits = sums or (statistic == "wilcoxon" and not unpaired)
    if method not in ("auto", "exact", "certified"):
        fits = sums and not unpaired
    if method not in ("auto", "exact") and not fits:
        of = f"the statistic {statistic}{' of two samples' if unpaired else ''}"
        cure = Cure({"method": "auto"})
        raise ExactPermError(f"{of} has no method {method}", code="options", cure=cure)


def _faults(said: dict[str, Any], statistic: str) -> Iterator[str]:
    """Yield what is wrong with the options that are given."""
    if not said.keys() & {"files", "counts"}:
        yield "name a file of scores, or --counts B,C for McNemar's test"
    for option in [
        option for option, needed in NEEDED.items() if option in said and needed not in said
    ]:
        yield f"--{option} needs --{NEEDED[option]}"
    for option, others in APART.items():
        for other in [other for other in others.split() if {option, other} <= said.keys()]:
            typed = f"the file {said[other][0]}" if other == "files" else f"--{other}"
            yield f"--{option} and {typed} exclude each other"
    for option, names in OF_STATISTICS.items():
        if option in said and statistic not in names.split():
            of = ", ".join(names.split())
            yield f"--{option} is not for --statistic {statistic}, but for {of}"
