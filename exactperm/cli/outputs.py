"""Check and write the files that the options of a command name for its output."""

from __future__ import annotations

import os

from .._types import TYPE_CHECKING, Any, Namespace
from ..errors import ExactPermError
from ..files import report, saving
from . import inputs

if TYPE_CHECKING:
    from ..budget import Progress
    from ..files.question import Question
    from ..files.sources import Source
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult

    Tested = PermutationTestResult | FloatResult


_SAVED = ("picture", "output", "distribution", "certificate")
"""Options that name a file to save; the first and the third may be "-", for standard output."""


def check(args: Namespace) -> None:
    """Raise ``ExactPermError`` before any work where a file cannot be saved, or a picture would be no SVG."""
    named = [(option, getattr(args, option, None)) for option in _SAVED]
    paths = [(option, path) for option, path in named if path is not None]
    for option, path in paths:
        stem, ending = os.path.splitext(path)
        if option == "picture" and ending.lower() not in ("", ".svg"):
            raise ExactPermError(
                f'{path}: the picture is written as SVG: say --picture "{stem}.svg"'
            )
        if path == "-" and option in ("picture", "distribution"):
            continue
        for file in args.files or ("-",):
            saving.check(path, file, force=args.force)


def written(path: str, text: str, source: Source) -> None:
    """Save a text to a path, or for "-" print it, and tell how the files were read."""
    if path == "-":
        inputs.tell_source(source)
        print(text, end="")
    else:
        saving.save(path, text)


def save_record(args: Namespace, record: dict[str, Any]) -> None:
    """Save a record, and print it where the options say so."""
    text = report.json_text(record)
    if args.output is not None:
        saving.save(args.output, f"{text}\n")
    if args.json:
        print(text)


def save_all(
    args: Namespace, record: dict[str, Any], result: Tested, question: Question, bar: Progress
) -> bool:
    """Save picture, distribution, record and certificate of a test; return whether the first two are printed alone."""
    alone = "-" in (args.picture, args.distribution)
    if args.picture or args.distribution:
        from ..files import distributions

        budget = inputs.budget_of(args)
        found = distributions.found(result, question, budget=budget, progress=bar)
        if args.picture:
            written(args.picture, found.picture(), question.source)
        if args.distribution:
            form = "json" if args.distribution.lower().endswith(".json") else "csv"
            written(args.distribution, found.text(form), question.source)
    if alone:
        args.json = False
    save_record(args, record)
    if args.certificate is not None:
        from .certificate import save_certificate

        save_certificate(args, result, question)
    return alone
