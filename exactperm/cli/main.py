"""The command line: files and words in; words, JSON, CSV and pictures out."""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from .. import __version__, svg
from ..arithmetic.reading import level
from ..arithmetic.writing import decimal_string, exact_text
from ..budget import Budget, Options
from ..compare import compare_all
from ..counting.plan import METHODS
from ..errors import BudgetExceeded, ExactPermError
from ..fast import FloatResult, fast_permutation_test
from ..files import report, tables
from ..files.columns import LAYOUTS, Question, ask
from ..multiplicity import METHODS as ADJUSTMENTS
from ..null.alternative import ALTERNATIVES
from ..permutation import permutation_test
from . import demo
from .progress import Bar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Any, NoReturn

    from ..arithmetic.rational import Exact
    from ..null.result import PermutationTestResult

_EXAMPLES = """examples:
  exactperm demo
  exactperm test scores.csv --columns baseline,new
  exactperm test german.csv --columns 2,3 --alternative greater
  exactperm test sentences.tsv --columns u,v --groups document --json
  exactperm dist differences.txt --svg null.svg > null.csv
  exactperm compare leaderboard.csv --adjust holm-sidak --processes 2

A file holds one row a pair: one column of differences, or two of scores, or for compare one of each system; see
--statistic for others. Commas, semicolons, tabs or white space separate the columns; a header is optional; decimal
commas are fine where the separator is not a comma. Lines that start with # are comments, but in files of
labels: there every line counts, and a header is one only where --columns has names or with --header yes."""

_WAYS_OUT = "Instead: fewer --decimals, --method float, or more with --max-seconds and --max-memory"
_UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}


def script() -> NoReturn:
    """The ``exactperm`` command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # names of files and columns may hold what the terminal cannot show
            stream.reconfigure(errors="backslashreplace")
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0, 2 for a mistake of the user, 130 after an interrupt.

    A reader that closes the pipe early has seen what it wanted: that is no error.
    """
    try:
        status = _run(argv)
        print(end="", flush=True)
        return status
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that the flush at exit succeeds
        return 0
    except BudgetExceeded as error:
        return _failed(f"error: {str(error).partition(' Instead: ')[0].rstrip('.')}. {_WAYS_OUT}")
    except ExactPermError as error:
        return _failed(f"error: {error}")
    except OSError as error:
        return _failed(f"error: cannot write to standard output: {error.strerror or error}")
    except KeyboardInterrupt:
        return _failed("interrupted", 130)


def _failed(message: str, status: int = 2) -> int:
    with suppress(OSError):  # nobody can be told where standard error cannot be written: the status still says it
        print(f"exactperm: {message}", file=sys.stderr)
    return status


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    try:
        args = parser.parse_args(argv)
    except SystemExit as stop:  # argparse has spoken: help and version (0), or a wrong option (2)
        return int(stop.code or 0)
    if args.run is None:
        parser.print_help()
    else:
        args.run(args)
    return 0


# ---------------------------------------------------------------------------------------------- words


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="exactperm",
        description="Exact paired-permutation tests: p-values as exact fractions.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"exactperm {__version__}")
    parser.set_defaults(run=None)
    commands = parser.add_subparsers(metavar="COMMAND")

    command = _command(commands, "demo", "known answers, counted again in seconds")
    command.add_argument("--pairs", type=_pairs, default=10_000, metavar="N", help="size of the simulated comparison")
    command.set_defaults(run=_demo)

    command = _command(commands, "test", "p-value of the scores in a file")
    _add_input(command)
    _add_test(command)
    command.add_argument("--method", choices=(*METHODS, "float"), default="auto", help="engine; default: the fastest")
    command.add_argument("--digits", type=_digits, metavar="D", help="digits of the p-value: 10; 17 for float and JSON")
    command.add_argument("--json", action="store_true", help="the result as JSON")
    command.set_defaults(run=_test)

    command = _command(commands, "dist", "exact null distribution of the statistic, as CSV")
    _add_input(command)
    _add_test(command)
    command.add_argument("--json", action="store_true", help="JSON in place of CSV")
    command.add_argument("--svg", metavar="FILE", help="draw it too; - writes the picture in place of the CSV")
    command.set_defaults(run=_dist, method="auto")

    command = _command(commands, "compare", "every pair of systems, adjusted for the number of tests")
    _add_input(command)
    group = command.add_argument_group("test")
    group.add_argument("--adjust", choices=ADJUSTMENTS, default="holm", help="for the number of tests; default: holm")
    group.add_argument("--alpha", type=_alpha, default="0.05", metavar="A", help="level of the decisions (0.05)")
    group.add_argument("--processes", type=_processes, default=1, metavar="P", help="work in P processes (1)")
    _add_limits(group)
    output = command.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="the table as JSON")
    output.add_argument("--csv", action="store_true", help="the table as CSV")
    command.set_defaults(run=_compare)
    return parser


def _command(commands: Any, name: str, help: str) -> argparse.ArgumentParser:
    return commands.add_parser(  # type: ignore[no-any-return]
        name,
        help=help,
        description=f"{help[0].upper()}{help[1:]}.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )


def _add_input(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("input")
    group.add_argument("file", metavar="FILE", help="one row a pair; - is standard input")
    group.add_argument("--columns", metavar="LIST", help="names or numbers (from 1), such as 2,3 or u,v; default: all")
    group.add_argument("--groups", metavar="COLUMN", help="labels: pairs with the same label are swapped together")
    group.add_argument(
        "--delimiter", default="auto", metavar="D", help="comma, semicolon, tab, space or a character; default: detect"
    )
    group.add_argument("--header", choices=tables.HEADERS, default="auto", help="is the first row a header?")
    group.add_argument("--decimals", type=int, metavar="K", help="round the scores to K decimals first, half to even")


def _add_test(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("test")
    columns = "; ".join(f"{name}: {layout.meaning}" for name, layout in LAYOUTS.items())
    group.add_argument(
        "--statistic", choices=tuple(LAYOUTS), default="difference", help=f"default: difference; columns: {columns}"
    )
    _add_limits(group)


def _add_limits(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--alternative", choices=ALTERNATIVES, default="two-sided", help="default: two-sided")
    group.add_argument("--max-seconds", type=_seconds, default=Budget.seconds, metavar="S", help="refuse longer work")
    group.add_argument("--max-memory", type=_memory, default=Budget.bytes, metavar="SIZE", help="such as 500M or 2G")


def _seconds(word: str) -> float:
    try:
        seconds = float(word)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise argparse.ArgumentTypeError(f"{word!r} is not a number of seconds above 0")
    return seconds


def _memory(word: str) -> int:
    unit = word[-1:].upper() if word[-1:].upper() in _UNITS else ""
    digits = word[: len(word) - len(unit)]
    if not (digits.isdecimal() and len(digits) < 20 and int(digits)):
        raise argparse.ArgumentTypeError(f"{word!r} is not a size such as 500M or 2G")
    return int(digits) * _UNITS[unit]


def _counted(word: str, most: int) -> int:
    if not (word.isdecimal() and len(word) < 10 and 1 <= int(word) <= most):
        raise argparse.ArgumentTypeError(f"{word!r} is not a whole number from 1 to {most}")
    return int(word)


def _digits(word: str) -> int:
    return _counted(word, 100_000)


def _pairs(word: str) -> int:
    return _counted(word, 10_000_000)


def _alpha(word: str) -> Exact:
    try:
        return level(word)
    except ExactPermError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _processes(word: str) -> int:
    return _counted(word, 1024)


# ---------------------------------------------------------------------------------------------- commands


def _demo(args: argparse.Namespace) -> None:
    for line in demo.lines(args.pairs):
        print(line, flush=True)


def _test(args: argparse.Namespace) -> None:
    question = _asked(args)
    result: PermutationTestResult | FloatResult
    start = time.perf_counter()
    with Bar(sys.stderr) as bar:
        result = _float_result(args, question) if args.method == "float" else _exact_result(args, question, bar)
    seconds = time.perf_counter() - start
    first = "" if question.header is None else f" (line {question.header} is the header)"
    about = {"source": f"{question.source}{first}", "statistic": question.words}
    if args.json:
        print(report.json_text({**_written(result, args.digits), **question.to_dict(), "seconds": round(seconds, 6)}))
    elif isinstance(result, FloatResult):
        print(report.float_text(result, seconds=seconds, **about))
    else:
        print(report.text(result, seconds=seconds, digits=args.digits or 10, **about))


def _written(result: PermutationTestResult | FloatResult, digits: int | None) -> dict[str, Any]:
    """The record of a result; ``digits`` go to an exact p-value's decimal; the float path has them already."""
    record = result.to_dict()
    if digits is not None and not isinstance(result, FloatResult):
        record["pvalue_decimal"] = decimal_string(result.pvalue, digits)
    return record


def _dist(args: argparse.Namespace) -> None:
    question = _asked(args)
    with Bar(sys.stderr) as bar:
        result = _exact_result(args, question, bar)
        null = result.tails.distribution(Options(budget=_budget(args), progress=bar))
    if args.svg:
        title = f"Null distribution, {result.n} pairs of {question.source}"
        drawing = svg.svg(null, result.statistic, args.alternative, title=title, label=question.words)
        if args.svg == "-":
            print(drawing, end="")
            return
        _saved(args.svg, drawing)
    if args.json:
        print(report.json_text({**report.distribution_dict(null), "test": {**result.to_dict(), **question.to_dict()}}))
    else:
        for line in report.csv_lines(null):
            print(line)


def _compare(args: argparse.Namespace) -> None:
    sheet = tables.read_sheet(args.file, args.delimiter)
    allowed = tuple(range(2, max(2, sheet.width) + 1))
    chosen = tables.select(
        sheet, allowed, "one for each system", columns=args.columns, groups=args.groups, header=args.header
    )
    scores = dict(zip(chosen.names, chosen.columns))
    if len(scores) < len(chosen.names):
        raise ExactPermError(f"{sheet.name}: two columns have the same name: {', '.join(chosen.names)}")
    with Bar(sys.stderr) as bar, _workers(args.processes) as executor:
        board = compare_all(
            scores,
            adjust=args.adjust,
            alternative=args.alternative,
            groups=chosen.labels,
            decimals=args.decimals,
            budget=_budget(args),
            executor=executor,
            progress=bar,
        )
    if args.json:
        rows = report.leaderboard_rows(board, args.alpha)
        data = {**board.to_dict(), "rows": rows, "alpha": exact_text(args.alpha), "file": sheet.name}
        print(report.json_text(data))
    else:
        text = report.leaderboard_text(board, args.alpha, sheet.name)
        for line in report.leaderboard_csv(board, args.alpha) if args.csv else text:
            print(line)


@contextmanager
def _workers(processes: int) -> Iterator[Executor | None]:
    """A pool of processes. After an error or an interrupt nothing is waited for: tasks are dropped, workers ended.

    An interrupt from the keyboard reaches the workers too; they leave it to this process, which ends them.
    """
    if processes == 1:
        yield None
        return
    import signal
    from concurrent.futures import ProcessPoolExecutor  # not where processes cannot start, as in browsers
    from multiprocessing import active_children

    others = set(active_children())
    pool: Any = ProcessPoolExecutor(processes, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        with suppress(AttributeError):  # private: else Python 3.9 waits at its exit until somebody reads large tasks
            pool._call_queue.cancel_join_thread()
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in set(active_children()) - others:
            worker.terminate()
        raise


def _asked(args: argparse.Namespace) -> Question:
    layout = LAYOUTS[args.statistic]
    sheet = tables.read_sheet(args.file, args.delimiter, comments=layout.kind != "labels")
    return ask(sheet, layout, columns=args.columns, groups=args.groups, header=args.header)


def _budget(args: argparse.Namespace) -> Budget:
    return Budget(seconds=args.max_seconds, bytes=args.max_memory)


def _exact_result(args: argparse.Namespace, question: Question, bar: Bar) -> PermutationTestResult:
    return permutation_test(
        question.u,
        question.v,
        statistic=question.statistic,
        alternative=args.alternative,
        method=args.method,
        groups=question.groups,
        decimals=args.decimals,
        budget=_budget(args),
        progress=bar,
    )


def _float_result(args: argparse.Namespace, question: Question) -> FloatResult:
    if args.statistic != "difference":
        raise ExactPermError(f"--method float does not know the statistic {args.statistic}")
    return fast_permutation_test(
        question.u,
        question.v,
        alternative=args.alternative,
        groups=question.groups,
        decimals=args.decimals,
        digits=args.digits or 17,
        budget=_budget(args),
    )


def _saved(path: str, text: str) -> None:
    try:
        with open(path, "wb") as file:
            file.write(text.encode())
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        raise ExactPermError(f"cannot write {path}: {getattr(error, 'strerror', None) or error}") from None
