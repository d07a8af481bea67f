"""The certificate that ``test`` saves: of the files where it can be, else of the differences."""

from __future__ import annotations

import os

from .._types import TYPE_CHECKING, Any, Namespace
from ..certificates.certify import CERTIFIED, canonical_scores, certify
from ..errors import ExactPermError
from ..files import report, saving
from ..null.records import CLAIMS
from .progress import tell

if TYPE_CHECKING:
    from ..files.question import Question
    from ..files.source import Source
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult


def save_certificate(
    args: Namespace, result: PermutationTestResult | FloatResult, question: Question
) -> None:
    """Save the certificate of a result, of its files or else of its differences, and tell how to check it."""
    scores = canonical(question) if args.canonical else b""
    if scores:
        saving.save(args.canonical, scores)
    claim = result.to_dict()["claim"]
    proof = claim == "counted"
    data, read, reason = _of_what(args, question, scores, proof)
    try:
        found = {} if reason else certify(result, data, **read)
    except ExactPermError as error:
        reason = str(error)
    found = {**certify(result), "note": f"not of the file: {reason}"} if reason else found
    saving.save(args.certificate, f"{report.json_text(found)}\n")
    if not proof:
        tell(f"{args.certificate} proves nothing: {CLAIMS[claim]}")
        return
    if reason:
        tell(f"certified without the file: {reason}; {_instead(args, question)}")
    files = [args.canonical] if scores else args.files
    tell(
        " ".join(["check it with: exactperm recount", args.certificate, *([] if reason else files)])
    )


def _of_what(
    args: Namespace, question: Question, scores: bytes, proof: bool
) -> tuple[Any, dict[str, Any], str]:
    """Return the data of a certificate, how they are read, and why it cannot be of the files; "" where it can."""
    if scores:
        groups = None if question.groups is None else "group"
        read = {"columns": "u,v", "groups": groups, "header": "yes", "decimals": args.decimals}
        return scores, read, ""
    read = {name: getattr(args, name) for name in CERTIFIED}
    data = args.files if len(args.files) > 1 else args.files and args.files[0]
    return data, read, _not_the_files(args, question.source, proof=proof)


def canonical(question: Question) -> bytes:
    """Return the scores that are compared as a CSV file; ``ExactPermError`` where they are not two columns."""
    paired = question.statistic.name in ("difference", "difference of means")
    if not paired or question.design or question.weights or question.tasks:
        raise ExactPermError(
            "--canonical writes two columns, whose differences are compared: not those of runs, "
            f"weights, tasks, or {question.statistic.name}",
            code="options",
        )
    return canonical_scores(question.u, question.v, question.groups)


def _instead(args: Namespace, question: Question) -> str:
    """Return what can be certified where the files cannot: the canonical text of the scores, and how to write it."""
    try:
        canonical(question)
    except ExactPermError:
        return "a certificate of scores takes a CSV file with a row for each pair"
    name = os.path.splitext(args.certificate)[0] + "-scores.csv"
    if args.canonical or os.path.exists(name):
        name = "FILE"
    force = "" if args.force else " --force"
    return f"what was compared, as two columns of exact numbers, can be certified: say --canonical {name}{force}, too"


def _not_the_files(args: Namespace, source: Source, *, proof: bool) -> str:
    """Return why a certificate cannot be of the files as they are; "" where it may be."""
    if len(args.files) not in (1, 2) or "-" in args.files:
        return "a certificate has one file of scores, or two"
    if not proof:
        return ""
    if not all(name.lower().endswith((".csv", ".tsv", ".txt")) for name in args.files):
        return "it is no CSV or TSV file"
    if args.statistic != "difference":
        return "the scores are not its cells"
    if args.weights or args.tasks:
        return "verify_scores.py reads no weights and no tasks"
    if args.runs and (args.system or not args.columns):
        return "verify_scores.py reads runs from one file for each system, or from two blocks of columns"
    if args.missing == "drop" or args.total == "drop":
        return "--missing leaves out lines"
    plain = args.mu is None and args.orientation == "first-second"
    return "" if plain else "it does not hold what is compared"
