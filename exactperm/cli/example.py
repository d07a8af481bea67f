"""The command ``example``: small made-up files to try the other commands with, in the folder ``examples``."""

from __future__ import annotations

from .._types import TYPE_CHECKING, Namespace
from ..errors import ExactPermError

if TYPE_CHECKING:
    from .options import Groups

EXAMPLES = {
    "scores": "csv",
    "documents": "tsv",
    "systems": "csv",
    "real": "csv",
    "labels": "csv",
    "counts": "csv",
    "runs": "csv",
    "samples-a": "jsonl",
    "samples-b": "jsonl",
    "claims": "csv",
}
"""The form of each example, by its name."""


def example(name: str) -> str:
    """Return the text of an example; ``ExactPermError`` for an unknown name, with all names."""
    from importlib.resources import files

    if name not in EXAMPLES:
        raise ExactPermError(
            f"there is no example {name[:40]!r}: exactperm example scores > scores.csv writes one; the "
            f"names are {', '.join(EXAMPLES)}"
        )
    return (files(__package__) / "examples" / f"{name}.{EXAMPLES[name]}").read_text(
        encoding="utf-8"
    )


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    words = f"scores (default); {', '.join(EXAMPLES)}"
    group("example").add_argument("name", nargs="?", default="scores", metavar="NAME", help=words)


def run(args: Namespace) -> None:
    """Print the example."""
    print(example(args.name), end="")
