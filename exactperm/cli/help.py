"""The command ``help``: the documentation of a public name."""

from __future__ import annotations

import inspect
import re
import sys

from ..errors import ExactPermError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    group("help").add_argument("name", nargs="?", metavar="NAME", help="a public name, such as permutation_test")


def run(args: Namespace) -> None:
    """Print the signature and the docstring of a public name; without one, the list of all names by purpose."""
    package = sys.modules[__package__.rpartition(".")[0]]
    if args.name is None:
        print(inspect.getdoc(package))
        return
    if args.name not in package.__all__:
        raise ExactPermError(f"there is no public name {args.name[:40]!r}: exactperm help lists them by purpose")
    found = getattr(package, args.name)
    signature = str(inspect.signature(found)) if callable(found) else ""
    signature = re.sub(r"<function (\w+) at \w+>", r"\1", signature)  # a default without its place in memory
    print(f"{args.name}{signature}\n\n{inspect.getdoc(found)}")
