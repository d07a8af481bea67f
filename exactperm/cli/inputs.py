"""Read the files that the options of a command name."""

from __future__ import annotations

from collections.abc import Mapping

from .._types import TYPE_CHECKING, Any, Namespace
from ..arithmetic.writing import exact_text
from ..budget import Budget
from ..files.reading import Reading

if TYPE_CHECKING:
    from ..files.question import Question


def files_of(args: Namespace) -> tuple[list[tuple[str, bytes]], Reading]:
    """Return the files that the options name, as names and contents, and how they are read."""
    from ..files.sources import read_files

    reading = Reading.of({name: getattr(args, name, None) for name in Reading._fields})
    return read_files(args.files, args.max_input), reading


def stated_of(args: Namespace, question: Question) -> dict[str, Any]:
    """Return the entries of a record for the options that change what is compared."""
    swapped = args.orientation != "first-second"
    return {
        **({"orientation": args.orientation} if swapped else {}),
        **({} if args.mu is None else {"mu": exact_text(args.mu)}),
        **({"counts": list(question.counts)} if question.counts else {}),
    }


def question_of(args: Namespace) -> Question:
    """Return what a test compares, read from the files that the options name, or McNemar's counts in their place."""
    from ..files.question import from_counts, question, two_samples

    turned = args.orientation == "second-first"
    if args.counts is not None:
        return from_counts(*args.counts, swapped=turned)
    contents, reading = files_of(args)
    if args.unpaired:
        return two_samples(contents, args.statistic, reading, strata=args.strata, swapped=turned)
    return question(contents, args.statistic, reading, swapped=turned, mu=args.mu or 0)


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
