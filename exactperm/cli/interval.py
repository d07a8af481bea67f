"""The command ``interval``: the exact confidence interval of the shift."""

from __future__ import annotations

from ..confidence import confidence_interval
from ..files import report
from . import inputs, options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    options.add_input(group("input"))
    interval = group("interval")
    interval.add_argument("--confidence", default="0.95", metavar="C", help="level of confidence (0.95)")
    options.add_alternative(interval)
    options.add_orientation(interval)
    options.add_limits(interval)


def run(args: Namespace) -> None:
    """Print the interval."""
    args.statistic = "difference"
    question = inputs.question_of(args)
    interval = confidence_interval(
        question.u, question.v, args.confidence, groups=question.groups, **inputs.common_of(args)
    )
    print(report.json_text({**interval.to_dict(), **question.source.to_dict(), **inputs.stated_of(args)}))
