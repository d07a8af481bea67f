"""Save the files that the options of a command name."""

from __future__ import annotations

import os

from .._types import TYPE_CHECKING, Namespace
from ..errors import ExactPermError
from .commands import budget_of
from .progress import tell

if TYPE_CHECKING:
    from ..budget import Progress
    from ..files.answer import Tested
    from ..files.question import Question
    from ..files.sources import Source

_SAVED = {"picture": ".svg", "distribution": ".csv", "output": "", "certificate": ""}
"""Options that name a file to save, with the only ending that it has; the first two may be "-", for standard output."""


def check(args: Namespace) -> None:
    """Raise ``ExactPermError`` before any work where a file cannot be saved, or would have another form."""
    from ..files import saving

    for option, form in _SAVED.items():
        path = getattr(args, option, None)
        if path is None or (path == "-" and form):
            continue
        stem, ending = os.path.splitext(path)
        if form and ending.lower() not in ("", form):
            what = f"the {option} is written as {form[1:].upper()}"
            raise ExactPermError(f'{path}: {what}: say --{option} "{stem}{form}"')
        for file in args.files or ("-",):
            saving.check(path, file, force=args.force)


def written(path: str, text: str, source: Source) -> None:
    """Save a text to a path, or for "-" print it, and tell how the files were read."""
    from ..files import saving

    if path != "-":
        saving.save(path, text)
        return
    for title, words in source.rows():
        tell(f"{title}: {words}")
    print(text, end="")


def save_all(
    args: Namespace, record: dict[str, object], result: Tested, question: Question, bar: Progress
) -> bool:
    """Save picture, distribution, record and certificate of a test; return whether the first two are printed alone."""
    from ..files import saving
    from ..files.json_text import dumped

    alone = "-" in (args.picture, args.distribution)
    if args.picture or args.distribution:
        from ..files import distributions

        drawing = distributions.found(result, question, budget=budget_of(args), progress=bar)
        if args.picture:
            written(args.picture, drawing.picture(), question.source)
        if args.distribution:
            written(args.distribution, drawing.csv(), question.source)
    text = dumped(record)
    if args.output is not None:
        saving.save(args.output, f"{text}\n")
    if args.json and not alone:
        print(text)
    if args.certificate is not None:
        _certify(args, result, question)
    return alone


def _certify(args: Namespace, result: Tested, question: Question) -> None:
    """Save the certificate of a result, and tell how to check it.

    It is of the files; else of the scores that are compared, which are saved beside it as two columns, or of the
    differences alone.
    """
    from ..certificates.certify import CERTIFIED, canonical_scores, certify
    from ..files import saving
    from ..files.json_text import dumped
    from ..null.records import CLAIMS

    claim = result.to_dict()["claim"]
    files = args.files
    try:
        if not files or "-" in files:
            raise ExactPermError("they cannot be read a second time")
        found = certify(result, files, **{name: getattr(args, name) for name in CERTIFIED})
    except ExactPermError as error:
        tell(f"certified without the files: {error}")
        data = None
        read = {}
        files = []
        others = question.design, question.weights, question.tasks, question.counts
        if question.statistic.name == "difference" and not any(others):
            files = [f"{os.path.splitext(args.certificate)[0]}-scores.csv"]
            saving.check(files[0], args.certificate, force=args.force)
            data = canonical_scores(question.u, question.v, question.groups, args.decimals)
            saving.save(files[0], data)
            groups = None if question.groups is None else "group"
            read = {"columns": "u,v", "groups": groups, "header": "yes"}
        found = certify(result, data, **read)
    saving.save(args.certificate, f"{dumped(found)}\n")
    if claim == "counted":
        tell(" ".join(["check it with: exactperm recount", args.certificate, *files]))
    else:
        tell(f"{args.certificate} proves nothing: {CLAIMS[claim]}")
