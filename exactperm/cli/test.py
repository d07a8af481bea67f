"""The command ``test``: p-value, difference and interval of the scores in files."""

from __future__ import annotations

import sys
import time
from fractions import Fraction

from .._types import TYPE_CHECKING, Any, Executor, Namespace
from ..files import answer, report
from . import inputs
from .commands import check
from .progress import Bar

if TYPE_CHECKING:
    from ..files.question import Question
    from .outputs import Tested


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
  + --orientation {first-second,second-first}=first-second
      which system is subtracted from which (first-second)
  + --mu SHIFT  difference under the null hypothesis, of difference, wilcoxon and sign (0)
  + --zeros {wilcox,pratt,zsplit}
      what wilcoxon does with differences of 0; wilcox (default): leave them out
  + --counts B,C  the two counts of McNemar's test, in place of a file
  + --midp  add the mid-p value: equal sums count half
  + --method NAME=auto
      auto (default): the exact count, or certified where that takes too long; exact: no
      other; certified: certain digits in place of the fraction; else an exact engine's name
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
    check(args)
    saved = any((args.picture, args.distribution, args.output, args.certificate))
    if saved:
        from . import outputs

        outputs.check(args)
    question = inputs.question_of(args)
    start = time.perf_counter()
    with Bar(sys.stderr) as bar:
        result, refused = _shared_result(args, question, bar)
        midp = result.midp if args.midp else None
        seconds = time.perf_counter() - start
        interval = _interval(args, question, bar)
        stated = inputs.stated_of(args, question)
        swapped = "orientation" in stated
        line = answer.line(result, question, swapped_order=swapped, mu=args.mu or 0)
        if args.json or saved:
            from . import outputs

            more: Any = {"sentence": line} if line else {}
            more.update({} if midp is None else {"midp": report.probability(midp)})
            more.update({"interval": interval.to_dict()} if args.interval else {})
            record = answer.record(result, question, **refused, **stated, **more)
            if outputs.save_all(args, record, result, question, bar) or args.json:
                return
    counted = isinstance(result.pvalue, Fraction)
    shown: Any = {"digits": args.digits or 10} if counted else {"refused": refused.get("refused")}
    last = _NO_LINE if args.unpaired else line
    about: Any = {"seconds": seconds, "line": last, "midp": args.midp, "interval": interval}
    print(report.text(result, question, **about, **shown))


def _interval(args: Namespace, question: Question, bar: Bar) -> Any:
    """Return the interval of the difference, or why there is none: always where it is asked for, else if quick."""
    if args.interval:
        level = "0.95" if args.confidence is None else args.confidence
        asked: Any = {"confidence": level, "precision": args.precision, "progress": bar}
        return answer.interval(question, **asked, **inputs.common_of(args))
    if args.json or args.alternative != "two-sided" or args.mu is not None:
        return ""
    return answer.quick_interval(question, args.statistic, decimals=args.decimals)


def _shared_result(
    args: Namespace, question: Question, bar: Bar
) -> tuple[Tested, dict[str, object]]:
    """Return what :func:`_result` does; the workers that the options name share a long count."""
    if args.processes == 1:
        return _result(args, question, bar, None)
    from .workers import workers  # few tests are shared: not loaded for the others

    with workers(args.processes) as executor:
        return _result(args, question, bar, executor)


def _result(
    args: Namespace, question: Question, bar: Bar, executor: Executor | None
) -> tuple[Tested, dict[str, Any]]:
    """Return the result of a test and what its record says of a refused count; an executor shares a long count."""
    known: Any = {"method": args.method, "digits": args.digits, **inputs.common_of(args)}
    if args.statistic == "wilcoxon":
        known["zeros"] = args.zeros or "wilcox"
    return answer.answered(question, args.statistic, progress=bar, executor=executor, **known)
