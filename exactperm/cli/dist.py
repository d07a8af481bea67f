"""The command ``dist``: the exact null distribution of the statistic."""

from __future__ import annotations

import sys

from .._types import TYPE_CHECKING, Any, Namespace
from ..budget import Options
from ..files import answer, distributions, report
from . import exclusions, inputs, options, outputs
from .progress import Bar

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    options.add_input(group("input"))
    test = group("test")
    options.add_test(test, ("signed-rank", "sign"))
    options.add_orientation(test)
    options.add_shift(test)
    output = group("output")
    output.add_argument("--json", action="store_true", help="write JSON in place of CSV")
    outputs.add_picture(output, "the distribution")


def run(args: Namespace) -> None:
    """Print or draw the null distribution."""
    outputs.check_picture(args)
    exclusions.check(args)
    question = inputs.question_of(args)
    zeros: Any = {"zeros": args.zeros or "wilcox"} if args.statistic == "signed-rank" else {}
    with Bar(sys.stderr) as bar:
        result = answer.counted(
            question, args.statistic, progress=bar, **zeros, **inputs.common_of(args)
        )
        null = result.tails.distribution(Options(budget=inputs.budget_of(args), progress=bar))
    if args.svg and outputs.written(
        args, distributions.picture(null, result, question), question.source
    ):
        return
    distributions.check_size(null, result, inputs.budget_of(args))
    if args.json:
        test = answer.record(result, question, **inputs.stated_of(args))
        print(report.json_text({**distributions.to_dict(null), "test": test}))
    else:
        inputs.tell_source(question.source)
        for line in distributions.csv_lines(null):
            print(line)
