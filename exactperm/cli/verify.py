"""The command ``verify``: put the test vectors to another implementation."""

from __future__ import annotations

from collections.abc import Sequence

from .._types import TYPE_CHECKING, Any, Namespace
from ..errors import Cure, ExactPermError
from ..files import report, tables
from ..testing import outcomes, program, runner, vectors
from ..testing.numbers import Tolerance
from . import values
from .vectors import add_choice, chosen

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    other = group("implementation")
    other.add_argument(
        "program",
        nargs="*",
        metavar="-- PROGRAM",
        help="a program that answers JSON lines; the protocol: exactperm guide test-vectors",
    )
    other.add_argument(
        "--python",
        metavar="MODULE:FUNCTION",
        help="a Python function of call, input and alternative in place of a program",
    )
    other.add_argument("--self", dest="self_test", action="store_true", help="test this package")
    choice = group("vectors")
    add_choice(choice)
    choice.add_argument(
        "--calls",
        metavar="A,B",
        help="put only these calls, and require answers to each; without it, those it declares",
    )
    judging = group("judging")
    judging.add_argument(
        "--tolerance",
        default="rel=1e-9",
        metavar="T",
        help="exact, ulp=N or rel=X: how far a right answer may be off",
    )
    judging.add_argument(
        "--share",
        type=float,
        default=outcomes.SHARE,
        metavar="X",
        help="the least share of the questions of each call that must be answered (0.5)",
    )
    judging.add_argument(
        "--xfail", metavar="FILE", help="ids or patterns of known failures, one per line"
    )
    judging.add_argument(
        "--timeout",
        type=values.seconds,
        default=10.0,
        metavar="S",
        help="seconds for each answer (10)",
    )
    group("output").add_argument(
        "--json", action="store_true", help="write the verdict on every answer as JSON"
    )


def run(args: Namespace) -> int:
    """Put vectors to an implementation and print the report; 0 where nothing is wrong."""
    every = vectors.load(args.vectors)
    asked = chosen(every, args.only)
    known = _patterns(args.xfail) if args.xfail else ()
    tolerance = Tolerance.read(args.tolerance)
    options: dict[str, Any] = {"tolerance": tolerance, "known": known, "seconds": args.timeout}
    options |= {
        "required": tuple(args.calls.split(",")) if args.calls else None,
        "share": args.share,
    }
    with program.Program(_command(args), args.timeout) as other:
        found = runner.run(every, asked, other, folder=args.vectors, **options)
    print(report.json_text(runner.json_dict(found)) if args.json else runner.text(found))
    return found.status


def _command(args: Namespace) -> Sequence[str]:
    ways = [
        *args.program[:1],
        *([args.python] if args.python else []),
        *(["--self"] if args.self_test else []),
    ]
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
    _name, text = tables.read_text(path)
    words = (line.partition("#")[0].strip() for line in text.splitlines())
    return [word for word in words if word]
