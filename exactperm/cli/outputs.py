"""Check and write the files that the options of a command name for its output."""

from __future__ import annotations

import os

from .._types import TYPE_CHECKING, Any, Namespace
from ..errors import ExactPermError
from ..record import Record
from . import inputs

if TYPE_CHECKING:
    from ..files.question import Question, Source
    from .test import Tested


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

_SAVED = ("picture", "output", "distribution", "certificate", "canonical")
"""Options that name a file to save; the first and the third may be "-", for standard output."""


class Drawn(Record):
    """A null distribution as a picture and as text; "" for what is not asked for."""

    picture: str = ""
    distribution: str = ""


def check(args: Namespace) -> None:
    """Raise ``ExactPermError`` before any work where a file cannot be saved, or a picture would be no SVG."""
    named = [(option, getattr(args, option, None)) for option in _SAVED]
    paths = [(option, path) for option, path in named if path is not None]
    if not paths:
        return
    from ..files import saving

    for option, path in paths:
        stem, ending = os.path.splitext(path)
        if option == "picture" and ending.lower() in _OTHER_PICTURES:
            raise ExactPermError(
                f'{path}: the picture is written as SVG: say --picture "{stem}.svg"'
            )
        if path == "-" and option in ("picture", "distribution"):
            continue
        for file in args.files or ("-",):
            saving.check(path, file, force=args.force)


def written(path: str | None, text: str, source: Source) -> None:
    """Save a text to a path, or for "-" print it, and tell how the files were read."""
    from ..files import saving

    if path == "-":
        inputs.tell_source(source)
        print(text, end="")
    elif path is not None:
        saving.save(path, text)


def save_record(args: Namespace, record: dict[str, Any]) -> None:
    """Save a record, and print it where the options say so."""
    from ..files import report, saving

    text = report.json_text(record)
    if args.output is not None:
        saving.save(args.output, f"{text}\n")
    if args.json:
        print(text)


def save_all(
    args: Namespace, record: dict[str, Any], drawn: Drawn, result: Tested, question: Question
) -> None:
    """Save all that the options of a test name: record, picture, distribution, and certificate."""
    written(args.picture, drawn.picture, question.source)
    written(args.distribution, drawn.distribution, question.source)
    if args.output is not None or args.certificate is not None:
        from ..files import report, saving

        if args.output is not None:
            saving.save(args.output, f"{report.json_text(record)}\n")
        if args.certificate is not None:
            from .certificate import save_certificate

            save_certificate(args, result, question)
