"""The command ``interval``: the exact confidence interval of the shift."""

from __future__ import annotations

import sys
import time

from .._types import TYPE_CHECKING, Namespace
from ..errors import Cure, ExactPermError
from ..files import answer, report
from ..files.columns import LAYOUTS
from ..intervals.confidence import PATIENCE, confidence_interval
from . import exclusions, inputs, options, values
from .progress import Bar

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    options.add_input(group("input"), hidden=("weights", "tasks", "runs", "run"))
    interval = group("interval")
    interval.add_argument(
        "--confidence", default="0.95", metavar="C", help="level of confidence (0.95)"
    )
    interval.add_argument(
        "--precision",
        metavar="P",
        help="width of an end that cannot be exact, in standard errors (1e-4); an end that is enclosed so closely is "
        "made exact only where that takes milliseconds",
    )
    interval.add_argument(
        "--statistic",
        type=values.statistic(answer.CLASSICAL),
        default="difference",
        metavar="NAME",
        help="difference or mean, the same interval; no other statistic has one",
    )
    options.add_alternative(interval)
    options.add_orientation(interval)
    options.add_limits(interval, PATIENCE.seconds)
    group("output").add_argument(
        "--json", action="store_true", help="write all as JSON, in exact fractions"
    )


def run(args: Namespace) -> None:
    """Print the interval."""
    if args.statistic not in ("difference", "mean_difference"):
        name = LAYOUTS[args.statistic].short if args.statistic in LAYOUTS else args.statistic
        message = f"an interval is of a difference of means, the shift; {name} has none"
        raise ExactPermError(message, cure=Cure({"statistic": name}, command="test"))
    args.statistic = "difference"
    exclusions.check(args)
    question = inputs.question_of(args)
    start = time.perf_counter()
    with Bar(sys.stderr) as bar:
        interval = confidence_interval(
            question.u,
            question.v,
            args.confidence,
            groups=question.groups,
            precision=args.precision,
            progress=bar,
            **inputs.common_of(args),
        )
    if args.json:
        print(report.json_text(answer.record(interval, question, **inputs.stated_of(args))))
    else:
        print(
            report.interval_text(interval, question, seconds=time.perf_counter() - start, mark="--")
        )
