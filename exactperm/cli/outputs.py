"""Check and write the files that the options of a command name for its output."""

from __future__ import annotations

from ..files import saving
from . import inputs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace, _ArgumentGroup

    from ..files.columns import Source


def add_picture(group: _ArgumentGroup, what: str) -> None:
    """Add the options of a picture of ``what``."""
    group.add_argument("--svg", metavar="FILE", help=f"draw {what} too; - writes the picture in place of the table")
    group.add_argument("--force", action="store_true", help="overwrite the picture's file; never the input")


def check(args: Namespace, path: str | None) -> None:
    """Raise ``ExactPermError`` before any work where ``path`` cannot be saved; None means that nothing is."""
    if path is not None:
        for file in args.files or ("-",):
            saving.check(path, file, force=args.force)


def check_picture(args: Namespace) -> None:
    """Raise ``ExactPermError`` before any work where the picture cannot be saved."""
    check(args, None if args.svg == "-" else args.svg)


def written(args: Namespace, drawing: str, source: Source) -> bool:
    """Save a picture, or print it in place of the table: True."""
    if args.svg != "-":
        saving.save(args.svg, drawing)
        return False
    inputs.tell_source(source)
    print(drawing, end="")
    return True
