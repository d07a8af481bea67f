"""The command ``test``: the p-value of the scores in a file."""

from __future__ import annotations

import sys
import time

from .._types import TYPE_CHECKING, Any, Executor, Namespace
from ..arithmetic.writing import decimal_string, exact_text
from ..counting.methods import METHODS
from ..files import answer, report
from ..files.columns import Question
from . import exclusions, inputs, options, values
from .progress import Bar

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    options.add_input(group("input"), "*")
    data = group("input")
    data.add_argument(
        "--counts",
        type=values.discordant,
        metavar="B,C",
        help="the two counts of McNemar's test, in place of a file",
    )
    options.add_test(group("test"), answer.CLASSICAL)
    test = group("test")
    options.add_orientation(test)
    options.add_shift(test)
    test.add_argument(
        "--midp", action="store_true", help="add the mid-p value: equal sums count half"
    )
    test.add_argument(
        "--method",
        choices=(*METHODS, "exact", "certified", "monte-carlo"),
        default="auto",
        help="auto (default): the exact count, or certified where that takes too long; exact: no other; certified: "
        "certain digits in place of the fraction; monte-carlo: an estimate from random swaps; else an exact engine's "
        "name",
    )
    test.add_argument(
        "--samples", type=values.pairs, metavar="K", help="random swaps of monte-carlo (9999)"
    )
    test.add_argument("--seed", type=values.seed, metavar="S", help="seed of monte-carlo (1)")
    options.add_workers(test)
    output = group("output")
    output.add_argument(
        "--digits",
        type=values.digits,
        metavar="D",
        help="significant digits of the p-value (10; 17 in JSON; with certified 17 where that is quick, else 4)",
    )
    output.add_argument(
        "--json", action="store_true", help="write a record that exactperm recount checks"
    )
    output.add_argument("--timing", action="store_true", help="write the time into the record, too")
    output.add_argument(
        "--certificate",
        metavar="FILE",
        help="save a proof that verifier.py, one file for any Python, checks against the scores",
    )
    output.add_argument(
        "--canonical",
        metavar="FILE",
        help="save the scores that are compared as a CSV file, of which the certificate then is: those of JSON or of "
        "joined files, or without the items that were left out",
    )
    output.add_argument(
        "--force", action="store_true", help="overwrite these files; never the input"
    )


def run(args: Namespace) -> None:
    """Test what the options name, and print the result or its record."""
    exclusions.check(args)
    if args.certificate:
        from ..files import saving  # few tests save a certificate: not loaded for the others
        from . import outputs
        from .certificate import canonical, certificate

        outputs.check(args, args.certificate)
        outputs.check(args, args.canonical)
    question = inputs.question_of(args)
    if args.method == "monte-carlo":
        return _estimated(args, question)
    scores = canonical(question) if args.canonical else b""
    start = time.perf_counter()
    with Bar(sys.stderr) as bar:
        result, refused = _shared_result(args, question, bar)
        midp = result.midp if args.midp else None
    seconds = time.perf_counter() - start
    certified = isinstance(result.pvalue, float)
    line = answer.line(
        result, question, swapped_order=args.orientation != "first-second", mu=args.mu or 0
    )
    if args.certificate:
        if scores:
            saving.save(args.canonical, scores)
        saving.save(
            args.certificate, report.json_text(certificate(args, result, question, scores)) + "\n"
        )
    if args.json:
        timing = seconds if args.timing else None
        record = answer.record(
            result, question, seconds=timing, **refused, **_stated(args, question), sentence=line
        )
        if midp is not None:
            record["midp"] = report.bracket_text(midp) if certified else exact_text(midp)
        if args.digits and not certified:
            record["pvalue_decimal"] = decimal_string(result.pvalue, args.digits)
        print(report.json_text(record))
    else:
        shown: Any = (
            {"refused": refused.get("refused")} if certified else {"digits": args.digits or 10}
        )
        print(
            report.text(
                result, question, seconds=seconds, line=line, midp=args.midp, mark="--", **shown
            )
        )


def _estimated(args: Namespace, question: Question) -> None:
    """Print a Monte Carlo estimate, which has no line for a paper."""
    samples, seed = args.samples or answer.SAMPLES, 1 if args.seed is None else args.seed
    start = time.perf_counter()
    with Bar(sys.stderr) as bar:
        result = answer.estimated(question, samples, seed, progress=bar, **inputs.common_of(args))
    seconds = time.perf_counter() - start
    if args.json:
        timing = {"seconds": round(seconds, 6)} if args.timing else {}
        stated = report.estimate_dict(result, alternative=args.alternative, seed=seed)
        print(
            report.json_text(
                {**stated, **question.source.to_dict(), **_stated(args, question), **timing}
            )
        )
    else:
        about: Any = {"alternative": args.alternative, "seed": seed, "seconds": seconds}
        print(report.estimate_text(result, question, **about, mark="--"))


def _stated(args: Namespace, question: Question) -> dict[str, Any]:
    """Return the entries of a record for the options that change what is compared."""
    stated = inputs.stated_of(args)
    return {**stated, "counts": list(question.counts)} if question.counts else stated


def _shared_result(args: Namespace, question: Question, bar: Bar) -> tuple[Any, dict[str, Any]]:
    """Return what :func:`_result` does; the workers that the options name share a long count."""
    if args.processes == 1 and args.dask is None:
        return _result(args, question, bar, None)
    from .workers import workers  # few tests are shared: not loaded for the others

    with workers(args.processes, args.dask) as executor:
        return _result(args, question, bar, executor)


def _result(
    args: Namespace, question: Question, bar: Bar, executor: Executor | None
) -> tuple[Any, dict[str, Any]]:
    """Return the result of a test and what its record says of a refused count; an executor shares a long count.

    Where the exact count exceeds its limits, --method auto answers with a certified bracket.
    """
    known: Any = {"progress": bar, **inputs.common_of(args)}
    if args.statistic == "signed-rank":
        known["zeros"] = args.zeros or "wilcox"
    if args.method == "certified":
        return answer.enclosed(question, args.statistic, digits=args.digits, **known), {}
    if args.method == "auto":
        return answer.answered(
            question, args.statistic, digits=args.digits, executor=executor, **known
        )
    method = "auto" if args.method == "exact" else args.method
    return answer.counted(question, args.statistic, method=method, executor=executor, **known), {}
