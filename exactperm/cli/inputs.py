"""Read the files that the options of a command name."""

from __future__ import annotations

import os
from collections.abc import Mapping

from .._types import TYPE_CHECKING, Any, Namespace
from ..arithmetic.writing import exact_text
from ..budget import Budget
from ..errors import Cure, ExactPermError
from ..files.reading import Reading
from .progress import tell

if TYPE_CHECKING:
    from ..files.columns import Question, Source
    from ..files.tables import Table


def sheets_of(args: Namespace, kind: str = "scores") -> tuple[list[Table], Reading]:
    """Read the tables of the files that the options name, and return what is chosen from them.

    ``kind`` is that of their cells.
    """
    from ..files.sources import read_tables

    lost = [file for file in args.files if file != "-" and not os.path.exists(file)]
    if lost and len(lost) < len(args.files) and not any("." in file for file in lost):
        words = "names of columns are separated by commas, as in --columns A,B, and those with blanks need quotes"
        raise ExactPermError(f"cannot read {lost[0]}: no such file", cure=Cure(words=words))
    reading = Reading.of({name: getattr(args, name) for name in Reading._fields})
    return read_tables(args.files, reading, kind=kind, most=args.max_input)


def stated_of(args: Namespace) -> dict[str, Any]:
    """Return the entries of a record for the options that change what is compared."""
    swapped = args.orientation != "first-second"
    stated = {"orientation": args.orientation} if swapped else {}
    return stated if args.mu is None else {**stated, "mu": exact_text(args.mu)}


def question_of(args: Namespace) -> Question:
    """Return what a test compares, read from the files that the options name, or McNemar's counts in their place."""
    from ..files import answer

    turned = args.orientation == "second-first"
    if args.counts is not None:
        from ..files.mcnemar import question_of

        return question_of(args.counts, swapped=turned)
    sheets, choice = sheets_of(args, answer.layout_of(args.statistic).kind)
    return answer.question(sheets, args.statistic, choice, swapped=turned, mu=args.mu or 0)


def tell_source(source: Source) -> None:
    """Write to standard error how the files were read, where standard output takes data alone."""
    for title, words in source.rows("--"):
        tell(f"{title}: {words}")
    for doubt in source.warnings:
        tell(f"note: {doubt.said('--')}")


def budget_of(args: Namespace) -> Budget:
    """Return the limits of time and memory."""
    return Budget(seconds=args.max_seconds, bytes=args.max_memory)


def common_of(args: Namespace) -> Mapping[str, Any]:
    """Return the options that every test takes."""
    return {
        "alternative": args.alternative,
        "decimals": args.decimals,
        "budget": budget_of(args),
    }
