"""Check and write the files that the options of a command name for its output."""

from __future__ import annotations

import os

from .._types import TYPE_CHECKING, Namespace
from ..errors import ExactPermError
from ..files import saving
from . import inputs

if TYPE_CHECKING:
    from argparse import _ArgumentGroup

    from ..files.columns import Source


_OTHER_PICTURES = (
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".webp",
    ".tif",
    ".tiff",
    ".bmp",
    ".pdf",
    ".eps",
    ".ps",
)
"""Endings of pictures that are not SVG."""


def add_picture(group: _ArgumentGroup, what: str) -> None:
    """Add the options of a picture of ``what``."""
    group.add_argument(
        "--svg", metavar="FILE", help=f"draw {what} too; - writes the picture in place of the table"
    )
    group.add_argument(
        "--force", action="store_true", help="overwrite the picture's file; never the input"
    )


def check(args: Namespace, path: str | None) -> None:
    """Raise ``ExactPermError`` before any work where ``path`` cannot be saved; None means that nothing is."""
    if path is not None:
        for file in args.files or ("-",):
            saving.check(path, file, force=args.force)


def check_picture(args: Namespace) -> None:
    """Raise ``ExactPermError`` before any work where a picture cannot be saved, or its name says that it is no SVG."""
    for option in ("svg", "forest"):
        path = getattr(args, option, None)
        stem, ending = os.path.splitext(path or "")
        if ending.lower() in _OTHER_PICTURES:
            raise ExactPermError(
                f'{path}: the picture is written as SVG: say --{option} "{stem}.svg"'
            )
        check(args, None if path == "-" else path)


def written(args: Namespace, drawing: str, source: Source) -> bool:
    """Save a picture, or print it in place of the table: True."""
    if args.svg != "-":
        saving.save(args.svg, drawing)
        return False
    inputs.tell_source(source)
    print(drawing, end="")
    return True
