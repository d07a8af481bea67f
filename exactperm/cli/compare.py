"""The command ``compare``: every pair of systems, adjusted for the number of tests."""

from __future__ import annotations

import sys
from fractions import Fraction

from .._types import TYPE_CHECKING, Any, Namespace
from ..arithmetic.reading import exact
from ..files import leaderboards, report, saving, systems
from ..intervals.simultaneous import simultaneous_intervals
from ..multiplicity import METHODS as ADJUSTMENTS
from . import exclusions, inputs, options, outputs, values
from .progress import Bar
from .workers import workers

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    options.add_input(group("input"))
    test = group("test")
    methods = ", ".join(ADJUSTMENTS)
    test.add_argument(
        "--adjust",
        type=values.adjustment(),
        default="holm",
        metavar="NAME",
        help=f"how p-values are adjusted for the number of tests: {methods}",
    )
    test.add_argument(
        "--alpha",
        type=values.alpha,
        default="0.05",
        metavar="A",
        help="level of the decisions (0.05)",
    )
    options.add_alternative(test)
    test.add_argument(
        "--method",
        choices=("auto", "exact", "certified"),
        default="auto",
        help="auto (default): exact counts, or certified brackets where a count takes too long; exact: no other",
    )
    options.add_workers(test)
    options.add_limits(test)
    output = group("output")
    form = output.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="write the table as JSON")
    form.add_argument("--csv", action="store_true", help="write the table as CSV")
    output.add_argument(
        "--intervals",
        action="store_true",
        help="add confidence intervals that hold together with the level 1 - alpha",
    )
    output.add_argument("--forest", metavar="FILE", help="draw these intervals as SVG")
    outputs.add_picture(output, "the decisions")


def run(args: Namespace) -> None:
    """Print the table of all pairs of systems, or draw it."""
    outputs.check_picture(args)
    sheets, choice = inputs.sheets_of(args)
    exclusions.check(args)
    scores, units, source = systems.scores_of(sheets, choice)
    with Bar(sys.stderr) as bar, workers(args.processes, args.dask) as executor:
        asked: Any = {
            "adjust": args.adjust,
            **units,
            "executor": executor,
            **inputs.common_of(args),
            "progress": bar,
        }
        board, refused = leaderboards.compared(scores, method=args.method, **asked)
        intervals = None
        if args.intervals or args.forest is not None:
            intervals = simultaneous_intervals(
                scores,
                exact(1 - Fraction(args.alpha)),
                adjust="sidak" if "sidak" in args.adjust else "bonferroni",
                groups=units["groups"],
                executor=executor,
                **inputs.common_of(args),
                progress=bar,
            )
    if intervals is not None and args.forest is not None:
        saving.save(args.forest, leaderboards.forest_picture(intervals, source))
    if args.svg and outputs.written(args, leaderboards.picture(board, args.alpha, source), source):
        return
    if args.json:
        more = {} if intervals is None else {"intervals": intervals.to_dict()}
        why = {"refused": refused} if refused else {}
        print(report.json_text({**leaderboards.to_dict(board, args.alpha, source), **why, **more}))
    elif args.csv:
        inputs.tell_source(source)
        for line in leaderboards.csv_lines(board, args.alpha, source, intervals):
            print(line)
    else:
        for line in leaderboards.text(board, args.alpha, source, refused, mark="--"):
            print(line)
        for line in (
            () if intervals is None else leaderboards.intervals_text(intervals, board.adjust)
        ):
            print(line)
