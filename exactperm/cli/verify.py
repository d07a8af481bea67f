"""The command ``verify``: put the test vectors to another implementation, or list them."""

from __future__ import annotations

import json
from collections.abc import Sequence

from .._types import Any, Namespace
from ..arithmetic.quoting import printable
from ..errors import Cure, ExactPermError
from ..files import report, sources
from ..testing import program, runner, vectors
from ..testing.numbers import Tolerance
from ..testing.vectors import Vector

OPTIONS = """\
implementation:
  program* -- PROGRAM
      a program that answers JSON lines; the protocol: exactperm guide test-vectors
  --python MODULE:FUNCTION
      a Python function of call, input and alternative in place of a program
  --self  test this package
vectors:
  --list  list the vectors by call, or those that --run chooses one by one
  --run PATTERN  ids, calls or flags, such as 'P02*'
  + --show ID  one vector in full, with what it reveals
  + --vectors DIR  other vectors than those of the package
  --calls A,B  put only these calls, and require answers to each; without it, those it declares
judging:
  --tolerance T=rel=1e-9  exact, ulp=N or rel=X: how far a right answer may be off (rel=1e-9)
  --share SHARE=0.5  the least share of the questions of each call that must be answered (0.5)
  --xfail FILE  ids or patterns of known failures, one per line
  --timeout SECONDS=10  seconds for each answer (10)
output:
  --json  print the verdict on every answer as JSON
"""

EXAMPLES = """\
  exactperm verify --python mymodule:answer
  exactperm verify -- Rscript adapter.R
  exactperm verify --list --run sign-flip"""


def run(args: Namespace) -> int:
    """Put vectors to an implementation and print the report; 0 where nothing is wrong."""
    every = vectors.load(args.vectors)
    if args.show or args.list:
        _listed(args, every)
        return 0
    asked = chosen(every, args.run)
    known = _patterns(args.xfail) if args.xfail else ()
    options: dict[str, Any] = {"tolerance": Tolerance.read(args.tolerance), "known": known}
    required = tuple(args.calls.split(",")) if args.calls else None
    options.update(seconds=args.timeout, required=required, share=args.share)
    with program.Program(_command(args), args.timeout) as other:
        found = runner.run(every, asked, other, folder=args.vectors, **options)
    print(report.json_text(runner.json_dict(found)) if args.json else runner.text(found))
    return found.status


def _command(args: Namespace) -> Sequence[str]:
    ways = [*args.program[:1], *filter(None, [args.python]), *([""] if args.self else [])]
    if len(ways) != 1:
        raise ExactPermError(
            "say what to verify by one of: --python MODULE:FUNCTION, --self, or -- PROGRAM ARGUMENTS"
        )
    if args.program:
        if args.program[0].lower().endswith(".json"):
            raise ExactPermError(f"{args.program[0]} is no program", cure=Cure(command="recount"))
        return list(args.program)
    return program.python(args.python or f"{vectors.__package__}.own:answer")


def _patterns(path: str) -> list[str]:
    text = sources.decoded(sources.read_bytes(path, path), path)
    words = (line.partition("#")[0].strip() for line in text.splitlines())
    return [word for word in words if word]


def _listed(args: Namespace, every: dict[str, Vector]) -> None:
    """Print one vector, those that are chosen, or how many each call has."""
    if args.show:
        if args.show not in every:
            raise ExactPermError(f"there is no vector {args.show}; --list shows all")
        print(printed(every[args.show]))
    elif args.run:
        for vector in chosen(every, args.run):
            flags = ",".join(vector.flags)
            named = f"{vector.id}  {vector.call:<18}  {vector.reading:<8}"
            print(printable(f"{named}  {flags}  {vector.comment}"))
    else:
        calls = [vector.call for vector in every.values()]
        for call in dict.fromkeys(calls):
            print(f"{calls.count(call):6}  {call}")


def printed(vector: Vector) -> str:
    """Return a vector as JSON, with its notes and what the wrong implementations do."""
    fields = {
        name: value
        for name, value in vector.__dict__.items()
        if value is not None and name[0] != "_"
    }
    return json.dumps({**fields, "notes": vector.notes, "kills": vector.mistakes}, indent=2)


def chosen(every: dict[str, Vector], pattern: str | None) -> list[Vector]:
    """Return the vectors that a pattern chooses, at least one."""
    found = vectors.chosen(every.values(), (pattern or "*").split(","))
    if not found:
        raise ExactPermError(f"no vector has an id, a call or a flag like {pattern}")
    return found
