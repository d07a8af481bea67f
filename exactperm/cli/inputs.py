"""Read the files that the options of a command name."""

from __future__ import annotations

import os

from ..budget import Budget
from ..errors import ExactPermError
from ..files import selection
from .progress import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping
    from typing import Any

    from ..files.columns import Question, Source
    from ..files.selection import Choice
    from ..files.tables import Sheet


def sheets_of(args: Namespace, *, comments: bool) -> tuple[list[Sheet], Choice]:
    """Read the tables of the files that the options name, and return what is chosen from them."""
    from ..files.sources import read_sheets

    for file in args.files:
        if args.columns is not None and file != "-" and not os.path.exists(file):
            columns = f"--columns {args.columns},{file}"
            raise ExactPermError(f"cannot read {file}: no such file; columns are separated by commas: {columns}")
    choice = selection.Choice(**{name: getattr(args, name) for name in selection.Choice._fields})
    options = {"delimiter": args.delimiter, "decimal": args.decimal, "comments": comments, "most": args.max_input}
    return read_sheets(args.files, choice, **options)


def question_of(args: Namespace) -> Question:
    """Return what a test compares, read from the files that the options name."""
    from ..files import answer

    comments = args.comments == "yes" or (args.comments == "auto" and answer.layout_of(args.statistic).kind != "labels")
    sheets, choice = sheets_of(args, comments=comments)
    turned = getattr(args, "orientation", "first-second") == "second-first"
    mu = getattr(args, "mu", None) or 0
    return answer.question(sheets, args.statistic, choice, decimals=args.decimals, turned=turned, mu=mu)


def tell_source(source: Source) -> None:
    """Write to standard error how the files were read, where standard output takes data alone."""
    for title, words in (("data", source.columns()), *source.notes()):
        tell(f"{title}: {words}")


def budget_of(args: Namespace) -> Budget:
    """Return the limits of time and memory."""
    return Budget(seconds=args.max_seconds, bytes=args.max_memory)


def common_of(args: Namespace) -> Mapping[str, Any]:
    """Return the options that every test takes."""
    return {"alternative": args.alternative, "decimals": args.decimals, "budget": budget_of(args)}
