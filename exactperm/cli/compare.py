"""The command ``compare``: every pair of systems, adjusted for the number of tests."""

from __future__ import annotations

import sys
from fractions import Fraction

from .._types import Namespace
from ..arithmetic.reading import exact
from ..compare import Leaderboard
from ..files import leaderboards, saving
from ..files.json_text import dumped
from ..files.question import Scores, systems
from ..intervals.simultaneous import SimultaneousIntervals, simultaneous_intervals
from . import commands, outputs
from .progress import Bar, Workers

OPTIONS = """\
input:
  files+ FILE  one row per item, or one file per system; - reads standard input
  @input
test:
  --adjust METHOD=holm
      how p-values are adjusted for their number: bonferroni, holm (default), hochberg,
      hommel, fdr_bh, fdr_by, sidak, holm-sidak or tarone
  + --alpha LEVEL=0.05  level of the decisions (0.05)
  @alternative
  + --method {auto,exact,certified}=auto
      auto (default): exact counts, or certified brackets where a count takes too long;
      exact: no other
  @workers
  @limits
output:
  --interval  add confidence intervals that hold together with the level 1 - alpha
  --picture FILE
      draw the decisions or, with --interval, the intervals as SVG too; - prints the picture
      alone
  --json  print the table as JSON
  -o, --output FILE  save the table as CSV, or as JSON where FILE ends so, too
  + --force  overwrite the files to save; never the input
"""

EXAMPLES = """\
  exactperm compare leaderboard.csv --columns all
  exactperm compare systems.csv --columns small,medium,large --interval --picture forest.svg
  exactperm compare long.csv --system model --score acc --id question --adjust holm-sidak -o table.csv"""


def run(args: Namespace) -> None:
    """Print the table of all pairs of systems, and save what is asked for."""
    outputs.check(args)
    commands.check(args)
    found = systems(*commands.files_of(args))
    source, alpha = found.source, args.alpha
    board, refused, intervals = _counted(args, found)
    if args.picture:
        picture = leaderboards.picture(board, alpha, source, intervals)
        outputs.written(args.picture, picture, source)
    why = {"refused": refused} if refused else {}
    record = {**leaderboards.to_dict(board, alpha, source), **why}
    if intervals is not None:
        record["intervals"] = intervals.to_dict()
    text = dumped(record)
    if args.output is not None:
        csv = "\n".join(leaderboards.csv_lines(board, alpha, intervals))
        as_json = args.output.lower().endswith(".json")
        saving.save(args.output, f"{text if as_json else csv}\n")
    if args.picture == "-":
        return
    lines = [text]
    if not args.json:
        lines = [*leaderboards.text(board, alpha, source, refused)]
        if intervals is not None:
            lines += leaderboards.intervals_text(intervals, board.adjust)
    print("\n".join(lines))


def _counted(
    args: Namespace, found: Scores
) -> tuple[Leaderboard, str, SimultaneousIntervals | None]:
    """Return the tests of all pairs, why they have brackets, and the intervals if they are asked for."""
    budget = commands.budget_of(args)
    with Bar(sys.stderr) as bar, Workers(args.processes) as executor:
        board, refused = leaderboards.compared(
            found.systems,
            method=args.method,
            adjust=args.adjust,
            alternative=args.alternative,
            decimals=args.decimals,
            budget=budget,
            executor=executor,
            progress=bar,
            **found.units,
        )
        if not args.interval:
            return board, refused, None
        intervals = simultaneous_intervals(
            found.systems,
            exact(1 - Fraction(args.alpha)),
            adjust="sidak" if "sidak" in args.adjust else "bonferroni",
            groups=found.units["groups"],
            alternative=args.alternative,
            decimals=args.decimals,
            budget=budget,
            executor=executor,
            progress=bar,
        )
    return board, refused, intervals
