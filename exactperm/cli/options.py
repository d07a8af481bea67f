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
from ..files.reading import FIELDS, Field
from ..record import Record
from .values import READERS, names, whole

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
""",
    "@alternative": """\
  -a, --alternative {two-sided,greater,less,doubled}=two-sided
      two-sided (default): as far from 0, in either direction; greater, less: of first - second;
      doubled: twice the smaller of these two p-values, which is the two-sided one for differences
      of scores
""",
}

_SHORT = {"columns": "-c", "id": "-i"}
_SHOWN = "columns", "id", "system", "score", "groups", "runs"


def options_in(table: str) -> Iterator[Option]:
    """Yield the options of a table."""
    group = ""
    for line in re.split(r"\n(?! {6})", table.rstrip()):
        shared = line.strip()
        if not line.startswith(" "):
            group = line.rstrip(":")
        elif shared in _SHARED:
            yield from options_in(f"{group}:\n{_SHARED[shared]}")
            yield from (_setting(field, group) for field in FIELDS if shared == "@input")
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
    return names({name: name for name in value[1:-1].split(",")})


def _setting(field: Field, group: str) -> Option:
    """Return the option of a setting of reading."""
    value = f"{{{','.join(field.choices)}}}" if field.choices else field.metavar
    about: dict[str, Any] = {"help": field.help, "metavar": value, "type": _reader(value)}
    if field.kind == "flag":
        about = {"help": field.help, "action": "store_true"}
    elif field.kind == "whole":
        about["type"] = whole(0, 4000)
    names = [name for name in (_SHORT.get(field.name), f"--{field.name}") if name]
    return Option(group=group, names=tuple(names), about=about, rare=field.name not in _SHOWN)
