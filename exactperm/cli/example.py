"""The command ``example``: a small made-up file to try the other commands with."""

from __future__ import annotations

from ..examples import EXAMPLES, example

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    names = ", ".join(EXAMPLES)
    group("example").add_argument(
        "name", nargs="?", default="scores", metavar="NAME", help=f"scores (default); {names}"
    )


def run(args: Namespace) -> None:
    """Print the example."""
    print(example(args.name), end="")
