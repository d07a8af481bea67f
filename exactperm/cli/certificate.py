"""The certificate that ``test`` saves: of the files where it can be, else of the differences."""

from __future__ import annotations

from ..certificates import certify
from ..errors import ExactPermError
from ..null.records import CLAIMS
from .progress import tell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from ..files.columns import Source


def certificate(args: Namespace, result: Any, source: Source) -> dict[str, Any]:
    """Return the certificate of a result, of its files or else of its differences, and tell how to check it."""
    claim = result.to_dict()["claim"]
    proof = claim == "counted"
    reason, files = _not_the_files(args, source, proof=proof), args.files
    names = ("groups", "decimals", "delimiter", "decimal", "header")
    read = {"comments": args.comments != "no", **{name: getattr(args, name) for name in names}}
    chosen = (
        {"columns": source.spans, "ids": source.id}
        if args.runs
        else {"columns": args.columns or args.key, "ids": args.id}
    )
    read.update(chosen)
    try:
        found = {} if reason else certify(result, files if len(files) > 1 else files[0], **read)
    except ExactPermError as error:
        reason = str(error)
    found = {**certify(result), "note": f"not of the file: {reason}"} if reason else found
    if not proof:
        tell(f"{args.certificate} proves nothing: {CLAIMS[claim]}")
        return found
    if reason:
        tell(f"certified without the file: {reason}; a certificate of scores takes a CSV file with a row for each pair")
    tell(" ".join(["check it with: python3 -m exactperm.verifier", args.certificate, *([] if reason else files)]))
    return found


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
        return "verifier.py reads no weights and no tasks"
    if args.runs and not source.spans:
        return "verifier.py reads runs from one file for each system, or from two blocks of columns"
    if args.missing != "refuse":
        return "--missing leaves out lines"
    return "" if args.mu is None and args.orientation == "first-second" else "it does not hold what is compared"
