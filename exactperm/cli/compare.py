"""The command ``compare``: every pair of systems, adjusted for the number of tests."""

from __future__ import annotations

import sys
from fractions import Fraction

from .._types import Any, Namespace
from ..arithmetic.reading import exact
from ..files import leaderboards, report, saving
from ..files.question import systems
from ..intervals.simultaneous import simultaneous_intervals
from . import data
from .commands import check
from .progress import Bar
from .workers import workers

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
    data.check(args)
    check(args)
    found = systems(*data.files_of(args))
    scores, units, source = found.systems, found.units, found.source
    known: Any = {"groups": units["groups"]} if args.interval else {}
    intervals = None
    with Bar(sys.stderr) as bar, workers(args.processes) as executor:
        shared: Any = {"executor": executor, "progress": bar, **data.common_of(args)}
        asked: Any = {"adjust": args.adjust, **units, **shared}
        board, refused = leaderboards.compared(scores, method=args.method, **asked)
        if args.interval:
            known["adjust"] = "sidak" if "sidak" in args.adjust else "bonferroni"
            level = exact(1 - Fraction(args.alpha))
            intervals = simultaneous_intervals(scores, level, **known, **shared)
    if args.picture:
        data.written(
            args.picture, leaderboards.picture(board, args.alpha, source, intervals), source
        )
    record = {
        **leaderboards.to_dict(board, args.alpha, source),
        **({"refused": refused} if refused else {}),
        **({} if intervals is None else {"intervals": intervals.to_dict()}),
    }
    if args.output is not None:
        csv = leaderboards.csv_lines(board, args.alpha, intervals)
        is_json = args.output.lower().endswith(".json")
        text = report.json_text(record) if is_json else "\n".join(csv)
        saving.save(args.output, f"{text}\n")
    if args.picture == "-":
        return
    if args.json:
        print(report.json_text(record))
        return
    for line in leaderboards.text(board, args.alpha, source, refused):
        print(line)
    for line in () if intervals is None else leaderboards.intervals_text(intervals, board.adjust):
        print(line)
