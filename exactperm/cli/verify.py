"""The commands ``verify`` and ``vectors``: test another implementation, and look at the test vectors."""

from __future__ import annotations

import json

from ..arithmetic.quoting import printable
from ..errors import ExactPermError
from ..files import report, saving, tables
from ..testing import program, runner, vectors
from ..testing.judge import Tolerance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from ..testing.vectors import Vector


def verify(args: Namespace) -> int:
    """Put vectors to an implementation and print the report; 0 where nothing is wrong."""
    every = vectors.load(args.vectors)
    chosen = _chosen(every, args.only)
    known = _patterns(args.xfail) if args.xfail else ()
    tolerance = Tolerance.read(args.tolerance)
    with program.Program(_command(args), args.timeout) as other:
        found = runner.run(every, chosen, other, tolerance=tolerance, known=known, seconds=args.timeout)
    print(report.json_text(runner.json_dict(found)) if args.json else runner.text(found))
    return found.status


def _command(args: Namespace) -> Sequence[str]:
    ways = [*args.program[:1], *([args.python] if args.python else []), *(["--self"] if args.self_test else [])]
    if len(ways) != 1:
        raise ExactPermError("say what to verify by one of: --python MODULE:FUNCTION, --self, or -- PROGRAM ARGUMENTS")
    if args.program:
        return list(args.program)
    return program.python(args.python or f"{vectors.__package__}.own:answer")


def _chosen(every: dict[str, Vector], patterns: Sequence[str] | None) -> list[Vector]:
    chosen = vectors.chosen(every.values(), patterns or ["*"])
    if not chosen:
        raise ExactPermError(f"no vector has an id, a call or a flag like {', '.join(patterns or ())}")
    return chosen


def _patterns(path: str) -> list[str]:
    _name, text = tables.read_text(path)
    words = (line.partition("#")[0].strip() for line in text.splitlines())
    return [word for word in words if word]


def show(args: Namespace) -> None:
    """List vectors, show one with what it reveals, or save them all as one archive."""
    if args.zip:
        saving.check(args.zip, "", force=args.force)
        saving.save(args.zip, vectors.packed(args.vectors))
    every = vectors.load(args.vectors)
    if args.show:
        if args.show not in every:
            raise ExactPermError(f"there is no vector {args.show}; exactperm vectors --list shows all")
        print(printed(every[args.show]))
    if args.list or not (args.show or args.zip):
        for vector in _chosen(every, args.only):
            print(
                printable(
                    f"{vector.id}  {vector.call:<18}  {vector.reading:<8}  {','.join(vector.flags)}  {vector.comment}"
                )
            )


def printed(vector: Vector) -> str:
    """Return a vector as JSON, with its notes and what the wrong implementations do."""
    fields = {name: value for name, value in vector.__dict__.items() if value is not None and name[0] != "_"}
    return json.dumps({**fields, "notes": vector.notes, "kills": vector.mistakes}, indent=2)
