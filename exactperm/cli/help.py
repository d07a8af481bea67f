"""The command ``help``: the documentation of a public name, or where a word occurs."""

from __future__ import annotations

import inspect
import re
import sys
from difflib import get_close_matches

from .._types import TYPE_CHECKING, Namespace
from ..errors import ExactPermError
from ..files.checks import CHECK
from ..swaps.runs import DESIGNS
from .guide import topics

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    words = "a public name such as permutation_test, the code of a check of reading, a design of runs, or a word to find"
    group("help").add_argument("name", nargs="?", metavar="NAME", help=words)


def run(args: Namespace) -> None:
    """Print the signature and the docstring of a public name; without one, the list of all names by purpose.

    Of another word, print the names and the screens of the guide that have it.
    """
    package = sys.modules[__package__.rpartition(".")[0]]
    if args.name is None:
        print(inspect.getdoc(package))
        return
    if args.name not in package.__all__ and args.name in CHECK:
        check = CHECK[args.name]
        print(f"{check.code} ({'refuses' if check.refuses else 'warns'})\n")
        print("looks for {}\nelse {}".format(*check.said))
        return
    if args.name in DESIGNS:
        print(
            "Designs of several runs, what may be exchanged under the null hypothesis; exactperm guide runs\n"
        )
        for name, words in DESIGNS.items():
            print(f"{name:<8} {words}")
        return
    if args.name not in package.__all__:
        names = {
            name: inspect.getdoc(getattr(package, name)) or ""
            for name in package.__all__
            if name[0] != "_"
        }
        for line in _found(args.name, names):
            print(line)
        return
    found = getattr(package, args.name)
    signature = str(inspect.signature(found)) if callable(found) else ""
    # a default without its place in memory
    signature = re.sub(r"<function (\w+) at \w+>", r"\1", signature)
    print(f"{args.name}{signature}\n\n{inspect.getdoc(found)}")


def _found(word: str, names: dict[str, str]) -> list[str]:
    """Return one line for each name with a word in it, else in its documentation, and for each screen of the guide."""
    wanted = word.lower()
    found = [name for name in names if wanted in name.lower()]
    found = found or [name for name, text in names.items() if wanted in text.lower()]
    guide = topics()
    screens = [
        name for name, (title, text) in guide.items() if wanted in f"{name} {title} {text}".lower()
    ]
    if not found and not screens:
        near = next(iter(get_close_matches(wanted, names, 1, 0.5)), "")
        is_near = f"{near} is near; " if near else ""
        raise ExactPermError(
            f"nothing has the name {word[:40]!r}: {is_near}exactperm help lists the names by purpose"
        )
    return [
        *(f"exactperm help {name:<28} {names[name].splitlines()[0]}" for name in found),
        *(f"exactperm guide {name:<27} {guide[name][0]}" for name in screens),
    ]
