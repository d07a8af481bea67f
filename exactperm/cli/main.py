"""The command line: read files and options, write text, JSON, CSV and pictures."""

from __future__ import annotations

import os
import sys

from .. import __version__
from ..arithmetic.quoting import printable
from ..budget import Budget, Options
from ..errors import BudgetExceeded, ExactPermError
from ..files import selection, tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace, _ArgumentGroup
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, NoReturn

    from ..arithmetic.rational import Exact
    from ..fast import FloatResult
    from ..files.columns import Question, Source
    from ..files.selection import Choice
    from ..files.tables import Sheet
    from ..null.result import PermutationTestResult
    from .progress import Bar

    Words = Callable[[Callable[[str], _ArgumentGroup]], None]
    """Adds a command's options to the groups that it names."""

_EXAMPLES = """examples:
  exactperm demo
  exactperm test scores.csv --columns baseline,new
  exactperm test german.csv --columns 2,3 --alternative greater
  exactperm test sentences.tsv --columns u,v --groups document --json > record.json
  exactperm recount record.json
  exactperm dist differences.txt --svg null.svg > null.csv
  exactperm compare leaderboard.csv --adjust holm-sidak --processes 2
  exactperm audit claims.csv -v
  exactperm audit german.csv --columns 2,3 --p "p = .026" --alternative greater
  exactperm attainable --n 5 --p "p = .03"
  exactperm test new.txt old.txt
  exactperm test new.jsonl old.jsonl --id doc_id --key acc --missing drop

A file has one row per pair: one column of differences, or two of scores, or for compare one per system; see
--statistic for others. Commas, semicolons, tabs or white space separate the columns; a header is optional; decimal
commas are read where the separator is not a comma; true and false are 1 and 0. Lines that start with # are comments,
except in files of labels. Several files, one per system, are joined by --id, or by position. JSON and JSON Lines have
one record per item; a dotted key such as scores.acc reaches nested values."""

_CLASSICAL = ("signed-rank", "sign", "mcnemar")
"""Statistics of the classical tests, of columns as for the difference; McNemar's has scores 0 and 1."""

_TAKEN_BY = {
    "mu": ("difference", "signed-rank", "sign"),
    "zeros": ("signed-rank",),
    "counts": ("mcnemar",),
}
"""Options of the test that only some statistics know."""

_CERTIFIED = ("certified", "float")
"""Words of --method for the certified float path; "float" is the older one."""

_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def script() -> NoReturn:
    """Run the ``exactperm`` command and leave with its exit status."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names of files and columns may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    0, or 1 where a record is not confirmed, 2 for a mistake of the user, 130 after an interrupt. A reader that closes
    the pipe early has seen what it wanted: that is no error.
    """
    try:
        status = _run(sys.argv[1:] if argv is None else argv)
        print(end="", flush=True)
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the flush at exit succeeds
        return 0
    except ExactPermError as error:
        return _failed(f"error: {error}")
    except OSError as error:
        return _failed(f"error: cannot write to standard output: {error.strerror or error}")
    except KeyboardInterrupt:
        return _failed("interrupted", 130)


def _failed(message: str, status: int = 2) -> int:
    _tell(message)
    return status


def _tell(message: str) -> None:
    """Write a line to standard error, if that can be written."""
    if sys.stderr is None:  # closed: print would write to standard output
        return
    try:  # noqa: SIM105 (contextlib takes longer to import than most commands have work for it)
        print(f"exactperm: {printable(message)}", file=sys.stderr)
    except OSError:  # of an error the status still says it
        pass


def _run(argv: Sequence[str]) -> int:
    try:
        args = _arguments(argv)
    except SystemExit as stop:  # argparse has written help or version (0), or what is wrong with an option (2)
        return int(stop.code or 0)
    try:
        return int(args.run(args) or 0)
    except BudgetExceeded as error:
        raise ExactPermError(f"{str(error).partition(' Instead: ')[0].rstrip('.')}. {_ways_out(args)}") from None


def _ways_out(args: Namespace) -> str:
    """Return the advice of the command line in place of the library's."""
    more = "more with --max-seconds and --max-memory"
    if not hasattr(args, "decimals"):
        return f"Instead: {more}"
    known = getattr(args, "statistic", "difference") == "difference" and getattr(args, "method", "") not in _CERTIFIED
    known = known and not getattr(args, "midp", False)
    where = "" if hasattr(args, "method") else "exactperm test "
    certified = f"{where}--method certified for digits that are certain, or " if known else ""
    return (
        f"Instead: {certified}{more}. Rounding with --decimals is cheaper but asks another question, with another "
        "p-value: .0549 in place of .0566, or 1 in place of 1/16"
    )


# ---------------------------------------------------------------------------------------------- options


def _arguments(argv: Sequence[str]) -> Namespace:
    """Parse the words; only the options of the command in use are laid out."""
    if argv and argv[0] in _COMMANDS:
        return _filled(_parser(**_about(argv[0])), argv[0]).parse_intermixed_args(argv[1:])
    about = "Exact paired-permutation tests: p-values as exact fractions."
    parser = _parser(version=True, prog="exactperm", usage="exactperm COMMAND [options]", description=about)
    commands: Any = parser.add_subparsers(metavar="COMMAND", parser_class=_parser)  # type: ignore[call-overload]
    for name, (words, _options, _function) in _COMMANDS.items():
        _filled(commands.add_parser(name, help=words, **_about(name)), name)
    parser.set_defaults(run=lambda _args: parser.print_help())
    return parser.parse_args(argv)


def _parser(*, version: bool = False, **about: Any) -> ArgumentParser:
    """Return a parser whose groups are filled later; its messages never send control characters to a terminal."""
    from argparse import ArgumentParser, RawDescriptionHelpFormatter

    parser = ArgumentParser(
        epilog=_EXAMPLES, formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False, add_help=False, **about
    )
    # In a group of its own: options outside of groups make argparse ask for the terminal's width, which is slow.
    group = parser.add_argument_group("options")
    group.add_argument("-h", "--help", action="help", help="show this help and exit")
    if version:
        words = "show the version and exit"
        group.add_argument("--version", action="version", version=f"exactperm {__version__}", help=words)
    refuse = parser.error
    parser.error = lambda message: refuse(printable(message))  # type: ignore[method-assign]
    return parser


def _about(command: str) -> dict[str, Any]:
    """Return what a parser says of its command; the usage is short, since it stands above every error."""
    words = _COMMANDS[command][0]
    prog = f"exactperm {command}"
    files = {"recount": " FILE", "audit": " FILE", "attainable": " --n N --p TEXT"}
    plain = "" if command in ("demo", "verify", "vectors") else " FILE..."
    usage = f"{prog}{files.get(command, plain)} [options]"
    return {"prog": prog, "usage": usage, "description": f"{words[0].upper()}{words[1:]}."}


def _filled(parser: ArgumentParser, command: str) -> ArgumentParser:
    """Add the options of a command to its parser."""
    _words, options, function = _COMMANDS[command]
    groups: dict[str, _ArgumentGroup] = {}

    def group(title: str) -> _ArgumentGroup:
        if title not in groups:
            groups[title] = parser.add_argument_group(title)
        return groups[title]

    options(group)
    parser.set_defaults(run=function)
    return parser


def _demo_options(group: Callable[[str], _ArgumentGroup]) -> None:
    group("demo").add_argument(
        "--pairs", type=_pairs, default=10_000, metavar="N", help="number of pairs in the simulated comparison (10000)"
    )


def _test_options(group: Callable[[str], _ArgumentGroup]) -> None:
    from ..counting.plan import METHODS

    _add_input(group("input"), "*")
    data = group("input")
    data.add_argument("--counts", type=_discordant, metavar="B,C", help="of mcnemar, in place of a file")
    _add_test(group("test"), _CLASSICAL)
    test = group("test")
    orders = ("first-second", "second-first")
    test.add_argument("--orientation", choices=orders, default=orders[0], help="sign of differences (first-second)")
    test.add_argument(
        "--mu", type=_mu, metavar="M", help="hypothesised difference of difference, signed-rank, sign (0)"
    )
    zeros = "zero differences of signed-rank (wilcox: left out)"
    test.add_argument("--zeros", choices=("wilcox", "pratt", "zsplit"), help=zeros)
    test.add_argument("--midp", action="store_true", help="the mid-p value too")
    test.add_argument(
        "--method",
        choices=(*METHODS, "exact", *_CERTIFIED),
        default="auto",
        help="auto (default): the exact count, or certified where that is refused; exact: no other; certified: certain "
        "digits in place of the fraction; else the name of an exact engine",
    )
    output = group("output")
    output.add_argument(
        "--digits",
        type=_digits,
        metavar="D",
        help="digits of the p-value (10; 17 in JSON; with certified 17 or 4, by what they take)",
    )
    output.add_argument("--json", action="store_true", help="write a record that exactperm recount checks")
    output.add_argument(
        "--certificate", metavar="FILE", help="save a record that verifier.py checks against the scores"
    )
    output.add_argument("--force", action="store_true", help="overwrite the certificate; never the input")


def _dist_options(group: Callable[[str], _ArgumentGroup]) -> None:
    _add_input(group("input"))
    _add_test(group("test"))
    output = group("output")
    output.add_argument("--json", action="store_true", help="write JSON in place of CSV")
    output.add_argument("--svg", metavar="FILE", help="draw a picture too; - writes it in place of the CSV")
    output.add_argument("--force", action="store_true", help="overwrite the picture's file; never the input")


def _compare_options(group: Callable[[str], _ArgumentGroup]) -> None:
    from ..multiplicity import METHODS as ADJUSTMENTS

    _add_input(group("input"))
    test = group("test")
    test.add_argument("--adjust", choices=ADJUSTMENTS, default="holm", help="for the number of tests (holm)")
    test.add_argument("--alpha", type=_alpha, default="0.05", metavar="A", help="level of the decisions (0.05)")
    _add_alternative(test)
    test.add_argument(
        "--method",
        choices=("auto", *_CERTIFIED),
        default="auto",
        help="certified: for real-valued scores; default: exact",
    )
    test.add_argument("--processes", type=_processes, default=1, metavar="P", help="number of processes (1)")
    _add_limits(test)
    output = group("output").add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="write the table as JSON")
    output.add_argument("--csv", action="store_true", help="write the table as CSV")


def _interval_options(group: Callable[[str], _ArgumentGroup]) -> None:
    _add_input(group("input"))
    interval = group("interval")
    interval.add_argument("--confidence", default="0.95", metavar="C", help="level of confidence (0.95)")
    _add_alternative(interval)
    _add_limits(interval)


def _recount_options(group: Callable[[str], _ArgumentGroup]) -> None:
    record = group("record")
    record.add_argument("file", metavar="FILE", help="JSON of exactperm test --json; - reads standard input")
    record.add_argument("--independent", action="store_true", help="check the record with verifier.py too")
    _add_size(record)
    _add_limits(group("limits"))


def _verify_options(group: Callable[[str], _ArgumentGroup]) -> None:
    other = group("implementation")
    other.add_argument("program", nargs="*", metavar="-- PROGRAM", help="a program that answers JSON lines")
    other.add_argument("--python", metavar="MODULE:FUNCTION", help="a function of call, input and alternative")
    other.add_argument("--self", dest="self_test", action="store_true", help="this package")
    _add_vectors(group("vectors"))
    judging = group("judging")
    judging.add_argument(
        "--tolerance", default="rel=1e-9", metavar="T", help="exact, ulp=N or rel=X: how far a right answer may be off"
    )
    judging.add_argument("--xfail", metavar="FILE", help="ids or patterns of known failures, one per line")
    judging.add_argument("--timeout", type=_seconds, default=10.0, metavar="S", help="seconds for each answer (10)")
    group("output").add_argument("--json", action="store_true", help="write all verdicts as JSON")


def _vectors_options(group: Callable[[str], _ArgumentGroup]) -> None:
    _add_vectors(group("vectors"))
    output = group("output")
    output.add_argument("--list", action="store_true", help="one line per vector (default)")
    output.add_argument("--show", metavar="ID", help="one vector in full, with what it reveals")
    output.add_argument("--zip", metavar="FILE", help="save the vectors as an archive, the same bytes everywhere")
    output.add_argument("--force", action="store_true", help="overwrite the archive")


def _add_vectors(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--run", dest="only", action="append", metavar="PATTERN", help="ids, calls or flags, such as 'P02*'"
    )
    group.add_argument("--vectors", metavar="DIR", help="other vectors than those of the package")


def _audit_options(group: Callable[[str], _ArgumentGroup]) -> None:
    claims = group("claims")
    claims.add_argument("file", nargs="?", metavar="FILE", help="claims (.csv, .tsv, .json, .jsonl); scores with --p")
    claims.add_argument("--root", metavar="DIR", help="folder that data files must be in (that of the claims file)")
    claims.add_argument("--alpha", type=_alpha, default="0.05", metavar="A", help="level of the decisions (0.05)")
    one = group("one claim")
    for words, meaning in _CLAIM.items():
        one.add_argument(f"--{words}", metavar="TEXT", help=meaning)
    run = group("run")
    run.add_argument("--processes", type=_processes, default=1, metavar="P", help="number of processes (1)")
    _add_limits(run)
    output = group("output")
    output.add_argument("-v", "--verbose", action="store_true", help="details, and all conventions that fit")
    output.add_argument("--json", action="store_true", help="write the findings as JSON")
    output.add_argument("--html", metavar="FILE", help="write a page too")
    output.add_argument("--force", action="store_true", help="overwrite the page's file; never the input")
    output.add_argument(
        "--fail-on",
        choices=("inconsistent", "decision"),
        default="inconsistent",
        help="findings that give status 1; decision: only those that decide otherwise",
    )


_CLAIM = {
    "p": 'printed text, such as "p < .05"',
    "columns": "names or numbers, such as u,v",
    "counts": "b,c of McNemar's test in place of a file",
    "orientation": "first-second (default) or second-first",
    "mu": "hypothesised difference (0)",
    "missing": "refuse (default) or drop",
    "statistic": "sum (default), signed-rank, sign, mcnemar, accuracy, f1, precision, recall or ratio",
    "zeros": "drop (default), pratt or zsplit",
    "alternative": "two-sided (default), greater, less, doubled, min or 2min",
    "boundary": ">= (default), > or mid",
    "law": "exact (default), normal, normal-cc, t or monte-carlo",
    "samples": "number of Monte Carlo samples",
    "estimate": "b/K or (b+1)/(K+1)",
    "adjustment": "bonferroni, sidak, holm or another method",
    "tests": "number of tests of the adjustment",
    "n": "stated number of pairs",
    "digits": "decimals that the source prints",
    "printed-statistic": 'printed statistic, such as "V = 45"',
}
"""Options that state one claim."""


def _attainable_options(group: Callable[[str], _ArgumentGroup]) -> None:
    from ..auditing.attainable import ESTIMATES, TESTS
    from ..auditing.conventions import BOUNDARIES, TAILS

    claim = group("claim")
    claim.add_argument("--n", type=_pairs, required=True, metavar="N", help="number of pairs with a difference")
    claim.add_argument("--p", required=True, metavar="TEXT", help='printed text, such as "p = .03"')
    claim.add_argument("--test", choices=TESTS, default="sum", help="default: sum; signed-rank: ranks without ties")
    claim.add_argument("--alternative", choices=tuple(TAILS), default="two-sided", help="default: two-sided")
    claim.add_argument("--boundary", choices=tuple(BOUNDARIES), default=">=", help="default: >=")
    claim.add_argument("--samples", type=_pairs, metavar="K", help="number of Monte Carlo samples")
    claim.add_argument("--estimate", choices=ESTIMATES, help="of a Monte Carlo test; default: either")
    claim.add_argument("--digits", type=_digits, metavar="D", help="decimals that the source prints")


def _add_input(group: _ArgumentGroup, number: str = "+") -> None:
    group.add_argument(
        "files", nargs=number, metavar="FILE", help="one row per pair, or one file per system; - reads standard input"
    )
    group.add_argument("--columns", metavar="LIST", help="names or numbers (from 1), such as 2,3 or u,v; default: all")
    group.add_argument("--key", metavar="NAME", help="one column, or key of JSON records, of every file")
    group.add_argument("--id", metavar="NAME", help="column or key of the items' ids, which join several files")
    group.add_argument(
        "--missing",
        choices=selection.MISSING,
        default="refuse",
        help="drop: leave out pairs with an empty, NA, NaN or null score, in all columns",
    )
    group.add_argument("--groups", metavar="COLUMN", help="labels: pairs with the same label are swapped together")
    group.add_argument(
        "--delimiter", default="auto", metavar="D", help="comma, semicolon, tab, space or a character; default: detect"
    )
    group.add_argument(
        "--decimal",
        choices=tables.DECIMALS,
        default="auto",
        help="decimal mark; auto reads a comma as one where it is not the delimiter",
    )
    group.add_argument("--header", choices=selection.HEADERS, default="auto", help="whether the first row is a header")
    group.add_argument(
        "--comments",
        choices=tables.COMMENTS,
        default="auto",
        help="whether lines that start with # are left out; auto: yes, except in files of labels",
    )
    group.add_argument(
        "--decimals", type=_decimals, metavar="K", help="round the scores to K decimals first: a different question"
    )
    _add_size(group)


def _add_size(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--max-input", type=_size, default=tables.MOST_BYTES, metavar="SIZE", help="refuse to read more (256M)"
    )


def _add_test(group: _ArgumentGroup, more: tuple[str, ...] = ()) -> None:
    from ..files.columns import LAYOUTS

    columns = "; ".join(f"{name}: {layout.meaning}" for name, layout in LAYOUTS.items())
    group.add_argument(
        "--statistic", choices=(*LAYOUTS, *more), default="difference", help=f"default: difference; columns: {columns}"
    )
    _add_alternative(group)
    _add_limits(group)


def _add_alternative(group: _ArgumentGroup) -> None:
    from ..null.alternative import ALTERNATIVES

    group.add_argument("--alternative", choices=ALTERNATIVES, default="two-sided", help="default: two-sided")


def _add_limits(group: _ArgumentGroup) -> None:
    group.add_argument(
        "--max-seconds", type=_seconds, default=Budget.seconds, metavar="S", help="refuse work that takes longer (600)"
    )
    group.add_argument(
        "--max-memory", type=_size, default=Budget.bytes, metavar="SIZE", help="refuse work that needs more (2G)"
    )


def _refusal(message: str) -> Exception:
    from argparse import ArgumentTypeError

    return ArgumentTypeError(message)


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise _refusal(f"{word!r} is not a number of seconds above 0")
    return seconds


def _size(word: str) -> int:
    unit = word[-1:].upper() if word[-1:].upper() in _UNITS else ""
    digits = word[: len(word) - len(unit)]
    if not (digits.isdecimal() and len(digits) < 20 and int(digits)):
        raise _refusal(f"{word!r} is not a size such as 500M or 2G")
    return int(digits) * _UNITS[unit]


def _counted(word: str, least: int, most: int) -> int:
    if not (word.isdecimal() and len(word) < 10 and least <= int(word) <= most):
        raise _refusal(f"{word!r} is not a whole number from {least} to {most}")
    return int(word)


def _digits(word: str) -> int:
    return _counted(word, 1, 100_000)


def _decimals(word: str) -> int:
    return _counted(word, 0, 4000)


def _pairs(word: str) -> int:
    return _counted(word, 1, 10_000_000)


def _processes(word: str) -> int:
    return _counted(word, 1, 1024)


def _discordant(word: str) -> tuple[int, int]:
    b, comma, c = word.partition(",")
    if not comma:
        raise _refusal(f"{word!r} is not two counts such as 9,1")
    return _counted(b.strip(), 0, 999_999_999), _counted(c.strip(), 0, 999_999_999)


def _mu(word: str) -> Exact:
    from ..arithmetic.reading import exact

    try:
        return exact(word, "mu")
    except ExactPermError as error:
        raise _refusal(str(error)) from None


def _alpha(word: str) -> Exact:
    from ..arithmetic.reading import level

    try:
        return level(word)
    except ExactPermError as error:
        raise _refusal(str(error)) from None


# ---------------------------------------------------------------------------------------------- commands


def _demo(args: Namespace) -> None:
    from . import demo

    for line in demo.lines(args.pairs):
        print(line, flush=True)


def _test(args: Namespace) -> None:
    from time import perf_counter

    from ..arithmetic.writing import decimal_string, exact_text
    from ..files import report

    _check_combination(args)
    if args.certificate:
        from ..files import saving

        for file in args.files:
            saving.check(args.certificate, file, force=args.force)
    if args.counts is None:
        question = _question(args)
        args.counts = _discordant_of(args, question) if args.statistic == "mcnemar" else None
        question = question if args.counts is None else _counts_question(args, question.source)
    else:
        question = _counts_question(args)
    start = perf_counter()
    with _bar() as bar:
        result, refused = _result(args, question, bar)
        midp = result.midp if args.midp else None
    seconds = perf_counter() - start
    certified = isinstance(result.pvalue, float)
    if args.certificate:
        saving.save(args.certificate, report.json_text(_certificate(args, result)) + "\n")
    if args.json:
        record = {**result.to_dict(), **refused, **question.source.to_dict(), **_stated(args)}
        record["seconds"] = round(seconds, 6)
        if midp is not None:
            record["midp"] = exact_text(midp)
        if args.digits and not certified:
            record["pvalue_decimal"] = decimal_string(result.pvalue, args.digits)
        print(report.json_text(record))
    elif certified:
        print(report.float_text(result, question, seconds=seconds, refused=refused.get("refused")))
    else:
        print(report.text(result, question, seconds=seconds, digits=args.digits or 10, midp=midp))


def _check_combination(args: Namespace) -> None:
    """Raise ``ExactPermError`` where options of ``exactperm test`` exclude each other."""
    for name, known in _TAKEN_BY.items():
        if getattr(args, name) is not None and args.statistic not in known:
            raise ExactPermError(f"--{name} does not know the statistic {args.statistic}")
    if args.statistic == "mcnemar" and args.decimals is not None:
        raise ExactPermError("--decimals does not know the statistic mcnemar")
    if args.mu is not None and args.decimals is not None:
        raise ExactPermError("--mu and --decimals exclude each other: round the scores in the file")
    if args.midp and args.method in _CERTIFIED:
        raise ExactPermError(f"--midp and --method {args.method} exclude each other: it needs the exact count")
    if args.counts is None:
        if not args.files:
            raise ExactPermError("name a file of scores, or --counts B,C with --statistic mcnemar")
        return
    if args.files:
        raise ExactPermError(f"--counts and the file {args.files[0]} exclude each other")
    for name in ("columns", "key", "id"):
        if getattr(args, name) is not None:
            raise ExactPermError(f"--counts and --{name} exclude each other: without a file there are no columns")
    if args.missing != "refuse":
        raise ExactPermError("--counts and --missing exclude each other: counts have no missing scores")


def _stated(args: Namespace) -> dict[str, Any]:
    """Return the entries of a record for the options that change what is compared."""
    from ..arithmetic.writing import exact_text

    stated: dict[str, Any] = {} if args.orientation == "first-second" else {"orientation": args.orientation}
    if args.mu is not None:
        stated["mu"] = exact_text(args.mu)
    return stated if args.counts is None else {**stated, "counts": list(args.counts)}


def _interval(args: Namespace) -> None:
    from ..confidence import confidence_interval
    from ..files import report

    args.statistic = "difference"
    question = _question(args)
    interval = confidence_interval(question.u, question.v, args.confidence, groups=question.groups, **_options(args))
    print(report.json_text({**interval.to_dict(), **question.source.to_dict()}))


def _certificate(args: Namespace, result: Any) -> dict[str, Any]:
    """Return the certificate of a result: of the file where it is one CSV file of scores, else of its differences."""
    from ..certificates import certify

    plain = len(args.files) == 1 and args.files[0].lower().endswith((".csv", ".tsv", ".txt"))
    if not plain or args.statistic != "difference" or args.key or args.id or args.missing != "refuse":
        return certify(result)
    if args.mu is not None or args.orientation != "first-second":  # the file does not hold what is compared
        return certify(result)
    names = ("columns", "groups", "decimals", "delimiter", "decimal", "header")
    return certify(
        result, args.files[0], comments=args.comments != "no", **{name: getattr(args, name) for name in names}
    )


def _recount(args: Namespace) -> int:
    from ..files import records

    name, text = tables.read_text(args.file, args.max_input)
    difference = records.recounted(records.read(text, name), budget=_budget(args))
    print(printable(f"{name}: {difference or 'confirmed'}"))
    status = 1 if difference else 0
    if args.independent:
        from .. import verifier

        print("verifier.py: ", end="")
        status = status or verifier.main([args.file])  # type: ignore[no-untyped-call]
    return status


def _dist(args: Namespace) -> None:
    from ..files import report, saving

    if args.svg not in (None, "-"):
        for file in args.files:
            saving.check(args.svg, file, force=args.force)
    question = _question(args)
    with _bar() as bar:
        result = _exact_result(args, question, bar)
        null = result.tails.distribution(Options(budget=_budget(args), progress=bar))
    if args.svg:
        drawing = report.picture(null, result, question)
        if args.svg == "-":
            _tell_source(question.source)
            print(drawing, end="")
            return
        saving.save(args.svg, drawing)
    if args.json:
        print(
            report.json_text(
                {**report.distribution_dict(null), "test": {**result.to_dict(), **question.source.to_dict()}}
            )
        )
    else:
        _tell_source(question.source)
        for line in report.csv_lines(null):
            print(line)


def _compare(args: Namespace) -> None:
    from ..compare import compare_all
    from ..files import report
    from ..files.columns import Source
    from .workers import workers

    choice = _choice(args)
    sheets = _sheets(args, choice, comments=args.comments != "no")
    most = max(2, sum(sheet.width for sheet in sheets))
    chosen = selection.select(sheets, range(2, most + 1), "one per system", choice)
    source = Source.of(chosen, choice, args.decimals)
    scores = dict(zip(chosen.names, chosen.columns))
    if len(scores) < len(chosen.names):
        raise ExactPermError(f"{source.name}: two columns have the same name: {', '.join(chosen.names)}")
    with _bar() as bar, workers(args.processes) as executor:
        board = compare_all(
            scores,
            adjust=args.adjust,
            method="certified" if args.method in _CERTIFIED else "auto",
            groups=chosen.labels,
            executor=executor,
            **_options(args),
            progress=bar,
        )
    if args.json:
        print(report.json_text(report.leaderboard_dict(board, args.alpha, source)))
    else:
        if args.csv:
            _tell_source(source)
        written = report.leaderboard_csv if args.csv else report.leaderboard_text
        for line in written(board, args.alpha, source):
            print(line)


def _verify(args: Namespace) -> int:
    from .verify import verify

    return verify(args)


def _vectors(args: Namespace) -> None:
    from .verify import show

    show(args)


def _audit(args: Namespace) -> int:
    from . import audits
    from .workers import workers

    with _bar() as bar, workers(args.processes) as executor:
        return audits.run(args, _budget(args), bar, executor)


def _attainable(args: Namespace) -> int:
    from . import audits

    return audits.check(args)


def _bar() -> Bar:
    from .progress import Bar

    return Bar(sys.stderr)


def _choice(args: Namespace) -> Choice:
    return selection.Choice(**{name: getattr(args, name) for name in selection.Choice._fields})


def _sheets(args: Namespace, choice: Choice, *, comments: bool) -> list[Sheet]:
    from ..files.sources import read_sheets

    for file in args.files:
        if args.columns is not None and file != "-" and not os.path.exists(file):
            columns = f"--columns {args.columns},{file}"
            raise ExactPermError(f"cannot read {file}: no such file; columns are separated by commas: {columns}")
    options = {"delimiter": args.delimiter, "decimal": args.decimal, "comments": comments, "most": args.max_input}
    return read_sheets(args.files, choice, **options)


def _question(args: Namespace) -> Question:
    from ..files.columns import LAYOUTS, Question, ask

    layout, choice = LAYOUTS["difference" if args.statistic in _CLASSICAL else args.statistic], _choice(args)
    comments = args.comments == "yes" or (args.comments == "auto" and layout.kind != "labels")
    sheets = _sheets(args, choice, comments=comments)
    turned = getattr(args, "orientation", "first-second") == "second-first"
    question = ask(sheets, layout, choice, decimals=args.decimals, turned=turned, mu=getattr(args, "mu", None) or 0)
    if args.statistic not in _CLASSICAL:
        return question
    words = question.words.replace("sum of the differences", f"{args.statistic} of the differences")
    return Question(**{**{name: getattr(question, name) for name in Question._fields}, "words": words})


def _counts_question(args: Namespace, source: Source | None = None) -> Question:
    """Return the question of McNemar's counts, which are those of a 2 x 2 table where there is a source."""
    from ..files.columns import Question, Source
    from ..swaps.statistic import difference

    b, c = args.counts
    words, pair = ("b - c", (b, c)) if args.orientation == "first-second" else ("c - b", (c, b))
    counts = f"b = {b}", f"c = {c}"
    return Question(
        statistic=difference,
        u=[pair[0]],
        v=[pair[1]],
        groups=None,
        words=words if source is None else f"{words} of the 2 x 2 table, {', '.join(counts)}",
        source=Source(files=(), names=counts, pairs=b + c) if source is None else source,
    )


def _discordant_of(args: Namespace, question: Question) -> tuple[int, int] | None:
    """Return b and c where a file is a 2 x 2 table, None for scores 0 and 1; all else is refused."""
    from ..arithmetic.reading import exact_column
    from ..classical import discordant

    name, two = question.source.name, len(question.source.names) == 2
    binary = {*exact_column(question.u, "u"), *exact_column(question.v, "v")} <= {0, 1}
    square = two and len(args.files) == 1 and len(question.u) == 2
    if binary and square:
        raise ExactPermError(
            f"{name} may be a 2 x 2 table or two pairs: --counts B,C states the table, --statistic sign compares pairs"
        )
    if square:
        turned = args.orientation == "second-first"
        first, second = (question.v, question.u) if turned else (question.u, question.v)
        return discordant(list(zip(first, second)), name)
    if binary and two:
        return None
    raise ExactPermError(
        "--statistic mcnemar needs scores 0 and 1 in two columns, 1 where a system is right, or one file with a 2 x 2 "
        f"table of counts; {name} is neither"
    )


def _tell_source(source: Source) -> None:
    """Write to standard error how the files were read, where standard output takes data alone."""
    for title, words in (("data", source.columns()), *source.notes()):
        _tell(f"{title}: {words}")


def _budget(args: Namespace) -> Budget:
    return Budget(seconds=args.max_seconds, bytes=args.max_memory)


def _options(args: Namespace) -> Mapping[str, Any]:
    """Return the options that every test takes."""
    return {"alternative": args.alternative, "decimals": args.decimals, "budget": _budget(args)}


def _result(args: Namespace, question: Question, bar: Bar) -> tuple[Any, dict[str, Any]]:
    """Return the result of a test and what its record says of a refused count.

    Where the exact count exceeds its limits, --method auto answers with a certified bracket.
    """
    if args.method in _CERTIFIED:
        return _float_result(args, question), {}
    try:
        return _exact_result(args, question, bar), {}
    except BudgetExceeded as refusal:
        if args.method != "auto" or args.statistic != "difference" or args.midp:
            raise
        try:
            result = _float_result(args, question)
        except BudgetExceeded:
            raise refusal from None
        words = str(refusal).partition(" Instead: ")[0].rstrip(".")
        return result, {"exact": False, "refused": words}


def _exact_result(args: Namespace, question: Question, bar: Bar) -> PermutationTestResult:
    from ..permutation import permutation_test

    if args.statistic in _CLASSICAL:
        return _classical_result(args, question)
    return permutation_test(
        question.u,
        question.v,
        statistic=question.statistic,
        method="auto" if getattr(args, "method", "exact") == "exact" else args.method,
        groups=question.groups,
        progress=bar,
        **_options(args),
    )


def _classical_result(args: Namespace, question: Question) -> PermutationTestResult:
    from ..classical import sign_test, wilcoxon_signed_rank_test

    for name, value in (("groups", args.groups), ("certificate", args.certificate)):
        if value is not None:
            raise ExactPermError(f"--{name} does not know the statistic {args.statistic}")
    if args.method not in ("auto", "exact"):
        raise ExactPermError(f"--method {args.method} does not know the statistic {args.statistic}")
    if args.statistic == "signed-rank":
        return wilcoxon_signed_rank_test(question.u, question.v, zero_method=args.zeros or "wilcox", **_options(args))
    if args.statistic == "mcnemar":
        return _mcnemar_result(args, question)
    return sign_test(question.u, question.v, **_options(args))


def _mcnemar_result(args: Namespace, question: Question) -> PermutationTestResult:
    from ..classical import mcnemar_test, sign_test

    options: Any = {"alternative": args.alternative, "budget": _budget(args)}
    if args.counts is not None:
        return mcnemar_test(question.u[0], question.v[0], **options)
    return sign_test(question.u, question.v, **options)


def _float_result(args: Namespace, question: Question) -> FloatResult:
    from ..fast import fast_permutation_test

    if args.statistic != "difference":
        raise ExactPermError(f"--method {args.method} does not know the statistic {args.statistic}")
    return fast_permutation_test(question.u, question.v, groups=question.groups, digits=args.digits, **_options(args))


_COMMANDS: dict[str, tuple[str, Words, Callable[[Namespace], int | None]]] = {
    "demo": ("known answers, counted again in seconds", _demo_options, _demo),
    "test": ("p-value of the scores in a file", _test_options, _test),
    "dist": ("exact null distribution of the statistic, as CSV", _dist_options, _dist),
    "compare": ("every pair of systems, adjusted for the number of tests", _compare_options, _compare),
    "interval": ("exact confidence interval of the shift, as JSON", _interval_options, _interval),
    "recount": ("count a recorded test again and compare every field", _recount_options, _recount),
    "verify": ("test another implementation with the test vectors", _verify_options, _verify),
    "vectors": ("list, show or pack the test vectors", _vectors_options, _vectors),
    "audit": ("published p-values against their data: verdicts with reasons", _audit_options, _audit),
    "attainable": ("whether a p-value exists at all for so many pairs", _attainable_options, _attainable),
}
"""What each command is, its options, and the function that runs it."""
