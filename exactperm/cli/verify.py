"""The command ``verify``: put the test vectors to another implementation, or list them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .._types import Namespace
from ..errors import ExactPermError
from ..files import sources
from ..files.json_text import dumped
from ..testing import program, report, runner, vectors

OPTIONS = """\
implementation:
  program* -- PROGRAM
      a program that answers JSON lines; the protocol: exactperm guide test-vectors
  --python MODULE:FUNCTION
      a Python function of call, input and alternative in place of a program
  --self  test this package
vectors:
  --list  count the vectors of each call, or those that --run chooses
  --run PATTERN  ids, calls or flags, such as 'P02*', with commas between them
  + --show ID  one vector in full, with what it reveals
  + --vectors DIR  other vectors than those of the package
  --calls A,B  put only these calls, and require answers to each; without it, those it declares
judging:
  --tolerance SHARE=1e-9
      relative error that a right answer may have; 0 for the nearest double (1e-9)
  --share SHARE=0.5
      the least share of the questions of each call that must be answered (0.5)
  --xfail FILE  ids or patterns of known failures, one per line
  --timeout SECONDS=10  seconds for each answer (10)
output:
  --json  print the verdict on every answer as JSON
"""

EXAMPLES = """\
  exactperm verify --python mymodule:answer
  exactperm verify -- Rscript adapter.R
  exactperm verify --show S0051"""


def run(args: Namespace) -> int:
    """Put vectors to an implementation and print the report; 0 where nothing is wrong."""
    only = args.run.split(",") if args.run else ()
    if args.show or args.list:
        print("\n".join(_listed(args, only)))
        return 0
    found = runner.verify(
        _command(args),
        only=only,
        calls=args.calls.split(",") if args.calls else None,
        tolerance=args.tolerance,
        share=args.share,
        known=_patterns(args.xfail) if args.xfail else (),
        seconds=args.timeout,
        folder=args.vectors,
    )
    told = dumped(report.json_dict(found)) if args.json else report.text(found)
    print(told)
    return int(found.status)


def _listed(args: Namespace, only: Sequence[str]) -> Sequence[str]:
    """Return one vector in full, or how many each call has."""
    if args.show:
        return [vectors.shown(args.show, args.vectors)]
    calls = Counter(vector.call for vector in vectors.picked(only, args.vectors))
    return [f"{number:6}  {call}" for call, number in calls.items()]


def _command(args: Namespace) -> Sequence[str]:
    """Return the command that starts what is to be verified."""
    ways = [args.program, [args.python] if args.python else [], [""] if args.self else []]
    if sum(map(bool, ways)) != 1:
        raise ExactPermError(
            "say what to verify by one of: --python MODULE:FUNCTION, --self, or -- PROGRAM ARGUMENTS"
        )
    if args.program:
        return list(args.program)
    return program.python(args.python) if args.python else program.own()


def _patterns(path: str) -> list[str]:
    """Return the lines of a file without comments."""
    ((name, data),) = sources.read_files([path])
    lines = sources.decoded(data, name).splitlines()
    words = (line.partition("#")[0].strip() for line in lines)
    return [word for word in words if word]
