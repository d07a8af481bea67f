"""The command ``vectors``: list the test vectors, show one, or save them all."""

from __future__ import annotations

import json
from collections.abc import Sequence

from .._types import TYPE_CHECKING, Namespace
from ..arithmetic.quoting import printable
from ..errors import ExactPermError
from ..files import saving
from ..testing import vectors
from ..testing.vectors import Vector

if TYPE_CHECKING:
    from argparse import _ArgumentGroup

    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    add_choice(group("vectors"))
    output = group("output")
    output.add_argument("--list", action="store_true", help="one line per vector (default)")
    output.add_argument("--show", metavar="ID", help="one vector in full, with what it reveals")
    output.add_argument(
        "--pack",
        metavar="FILE",
        help="save vectors, schemas, protocol and description as an archive, the same bytes everywhere",
    )
    output.add_argument("--force", action="store_true", help="overwrite the archive")


def add_choice(group: _ArgumentGroup) -> None:
    """Add the options that choose vectors."""
    group.add_argument(
        "--run",
        dest="only",
        action="append",
        metavar="PATTERN",
        help="ids, calls or flags, such as 'P02*'",
    )
    group.add_argument("--vectors", metavar="DIR", help="other vectors than those of the package")


def run(args: Namespace) -> None:
    """List vectors, show one with what it reveals, or save them all as one archive."""
    if args.pack:
        saving.check(args.pack, "", force=args.force)
        saving.save(args.pack, vectors.packed(args.vectors))
    every = vectors.load(args.vectors)
    if args.show:
        if args.show not in every:
            raise ExactPermError(
                f"there is no vector {args.show}; exactperm vectors --list shows all"
            )
        print(printed(every[args.show]))
    if args.list or not (args.show or args.pack):
        for vector in chosen(every, args.only):
            print(
                printable(
                    f"{vector.id}  {vector.call:<18}  {vector.reading:<8}  {','.join(vector.flags)}  {vector.comment}"
                )
            )


def printed(vector: Vector) -> str:
    """Return a vector as JSON, with its notes and what the wrong implementations do."""
    fields = {
        name: value
        for name, value in vector.__dict__.items()
        if value is not None and name[0] != "_"
    }
    return json.dumps({**fields, "notes": vector.notes, "kills": vector.mistakes}, indent=2)


def chosen(every: dict[str, Vector], patterns: Sequence[str] | None) -> list[Vector]:
    """Return the vectors that the patterns choose, at least one."""
    found = vectors.chosen(every.values(), patterns or ["*"])
    if not found:
        raise ExactPermError(
            f"no vector has an id, a call or a flag like {', '.join(patterns or ())}"
        )
    return found
