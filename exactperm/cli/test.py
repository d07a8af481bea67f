"""The command ``test``: p-value, difference and interval of the scores in files."""

from __future__ import annotations

import sys
import time
from functools import partial

from .._types import TYPE_CHECKING, Namespace
from ..arithmetic.writing import exact_text
from ..files import answer
from ..files.question import Question, from_counts, question, two_samples
from . import commands, outputs
from .progress import Bar, Workers

if TYPE_CHECKING:
    from ..intervals.confidence import ConfidenceInterval

OPTIONS = """\
input:
  files* FILE  one row per item, or one file per system; - reads standard input
  @input
test:
  --unpaired  two samples of different items, which may differ in size; wilcoxon: by ranks
  + --strata COLUMN  column of strata, within which the values of two samples are exchanged
  -s, --statistic STATISTIC=difference
      difference (default), mean, wilcoxon, sign, mcnemar: of the scores of A, B; accuracy:
      right labels, then those of A and of B; f1: tp, fp, fn of A, then of B, or tp and fp + fn;
      precision: tp, fp; recall: tp, fn; ratio: numerator and denominator of A, then of B
  @alternative
  + --mu SHIFT  difference under the null hypothesis, of difference, wilcoxon and sign (0)
  + --zeros {wilcox,pratt,zsplit}
      what wilcoxon does with differences of 0; wilcox (default): leave them out
  + --counts B,C  the two counts of McNemar's test, in place of a file
  + --midp  add the mid-p value: equal sums count half
  + --method {auto,exact,certified}=auto
      auto (default): the exact count, or certified where that takes too long; exact: no
      other; certified: certain digits in place of the fraction
  @workers
  @limits
output:
  --interval  the confidence interval of the difference of means, however long that takes
  + --confidence LEVEL  its level (0.95)
  + --precision P  width of an end that cannot be exact, in standard errors (1e-4)
  --picture FILE  draw the null distribution as SVG too; - prints the picture alone
  --json  print the record in place of the text
  -o, --output FILE  save the record, which exactperm recount counts again, too
  + --distribution FILE
      save the null distribution as CSV; - prints it alone
  + --digits DIGITS
      significant digits of the p-value in the text (10; certified 17 where that is quick,
      else 4)
  + --certificate FILE
      save a proof that verify_scores.py, for any Python, checks against the scores: those of
      the files or, where it cannot read these, what is compared, saved beside as CSV
  + --force  overwrite the files to save; never the input
"""

EXAMPLES = """\
  exactperm test scores.csv --columns baseline,new --picture null.svg
  exactperm test new.jsonl old.jsonl --columns acc --id doc_id --missing drop
  exactperm test long.csv --system model --score acc --id question --output record.json"""

_NO_LINE = "No audit reads a test of two samples; exactperm recount counts the record again that --output saves."


def run(args: Namespace) -> None:
    """Test what the options name; print the answer or its record, and save what is asked for."""
    if args.counts is not None and args.statistic == "difference":
        args.statistic = "mcnemar"
    commands.check(args)
    saved = any((args.picture, args.distribution, args.output, args.certificate))
    if saved:
        outputs.check(args)
    if args.counts is not None:
        asked = from_counts(*args.counts)
    else:
        contents, reading = commands.files_of(args)
        if args.unpaired:
            asked = two_samples(contents, args.statistic, reading, strata=args.strata)
        else:
            asked = question(contents, args.statistic, reading, mu=args.mu)
    start = time.perf_counter()
    with Bar(sys.stderr) as bar:
        result, refused = _result(args, asked, bar)
        midp = result.midp if args.midp else None
        seconds = time.perf_counter() - start
        interval = _interval(args, asked, bar)
        line = answer.line(result, asked, mu=args.mu or 0)
        if args.json or saved:
            said: dict[str, object] = {
                "mu": args.mu and exact_text(args.mu),
                "counts": asked.counts and [*asked.counts],
                "sentence": line,
                "midp": midp and answer.probability(midp),
                "interval": args.interval and not isinstance(interval, str) and interval.to_dict(),
            }
            said = {name: value for name, value in said.items() if value}
            record = answer.record(result, asked, refused, **said)
            if outputs.save_all(args, record, result, asked, bar) or args.json:
                return
    text = answer.text(
        result,
        asked,
        seconds=seconds,
        line=_NO_LINE if args.unpaired else line,
        interval=interval,
        refused=refused,
        digits=args.digits if args.digits and result.exact else 10,
        midp=args.midp,
    )
    print(text)


def _interval(args: Namespace, asked: Question, bar: Bar) -> ConfidenceInterval | str:
    """Return the interval of the difference, or why there is none: always where it is asked for, else if quick."""
    if args.interval:
        level = "0.95" if args.confidence is None else args.confidence
        return answer.interval(
            asked,
            confidence=level,
            precision=args.precision,
            alternative=args.alternative,
            decimals=args.decimals,
            budget=commands.budget_of(args),
            progress=bar,
        )
    if args.json or args.alternative != "two-sided" or args.mu is not None:
        return ""
    return answer.quick_interval(asked, args.statistic, decimals=args.decimals)


def _result(args: Namespace, asked: Question, bar: Bar) -> tuple[answer.Tested, str]:
    """Return the result and why the exact count was refused; the workers that are named share a long count."""
    ask = partial(
        answer.answered,
        asked,
        args.statistic,
        method=args.method,
        digits=args.digits,
        zeros=args.zeros or "wilcox",
        alternative=args.alternative,
        decimals=args.decimals,
        budget=commands.budget_of(args),
        progress=bar,
    )
    if args.processes == 1:
        return ask()
    with Workers(args.processes) as executor:
        return ask(executor=executor)
