"""The certificate that ``test`` saves: of the files where it can be, else of what is compared."""

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
    from ..null.float_result import FloatResult
    from ..null.result import PermutationTestResult


def save_certificate(
    args: Namespace, result: PermutationTestResult | FloatResult, question: Question
) -> None:
    """Save the certificate of a result, and tell how to check it.

    It is of the files, of the scores that are compared, which are saved beside it as two columns,
    or of the differences alone.
    """
    claim = result.to_dict()["claim"]
    try:
        found, files = _of_files(args, result), args.files
    except ExactPermError as error:
        tell(f"certified without the files: {error}")
        found, files = _of_scores(args, result, question)
    saving.save(args.certificate, f"{report.json_text(found)}\n")
    if claim == "counted":
        tell(" ".join(["check it with: exactperm recount", args.certificate, *files]))
    else:
        tell(f"{args.certificate} proves nothing: {CLAIMS[claim]}")


def _of_files(args: Namespace, result: PermutationTestResult | FloatResult) -> dict[str, Any]:
    if not args.files or "-" in args.files:
        raise ExactPermError("they cannot be read a second time")
    stated = {name: getattr(args, name) for name in CERTIFIED}
    return certify(result, args.files, **stated)


def _of_scores(
    args: Namespace, result: PermutationTestResult | FloatResult, question: Question
) -> tuple[dict[str, Any], list[str]]:
    """Return the certificate of the scores that are compared, and their file; else of the differences alone."""
    others = question.design, question.weights, question.tasks, question.counts
    if question.statistic.name != "difference" or any(others):
        return certify(result), []
    name = f"{os.path.splitext(args.certificate)[0]}-scores.csv"
    saving.check(name, args.certificate, force=args.force)
    scores = canonical_scores(question.u, question.v, question.groups)
    saving.save(name, scores)
    groups = None if question.groups is None else "group"
    read = {"columns": "u,v", "groups": groups, "header": "yes", "decimals": args.decimals}
    return certify(result, scores, **read), [name]
