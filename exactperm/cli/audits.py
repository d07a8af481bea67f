"""The commands of the audit: claims files, one claim in words, and the check without data."""

from __future__ import annotations

import shlex

from ..arithmetic.quoting import printable
from ..auditing.attainable import attainable
from ..auditing.audit import audit
from ..auditing.claims import Claim
from ..auditing.printed import read_pvalue
from ..errors import ExactPermError
from ..files import report as writing
from ..files import saving

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from concurrent.futures import Executor
    from typing import Any

    from ..auditing.report import AuditReport
    from ..budget import Budget
    from .progress import Bar

FIELDS = tuple(name for name in Claim._fields if name not in ("id", "source", "data", "note", "alpha"))
"""Fields of a claim that are options of the command."""

_OPTIONS = {name: f"--{name.replace('_', '-')}" for name in FIELDS}


def run(args: Namespace, budget: Budget, bar: Bar, executor: Executor | None) -> int:
    """Audit what the options name, print the report, and return the exit status."""
    if args.html is not None:
        saving.check(args.html, args.file or "-", force=args.force)
    with_defaults: Any = {"alpha": args.alpha, "budget": budget, "others": args.verbose}
    report = audit(_claims(args), root=args.root, executor=executor, progress=bar, **with_defaults)
    if args.html is not None:
        saving.save(args.html, report.html())
    if args.json:
        print(writing.json_text(_repeatable(report, args)))
    else:
        print(report.text(verbose=args.verbose))
    return status(report, decisions_only=args.fail_on == "decision")


def _claims(args: Namespace) -> Any:
    """The path of a claims file, or the one claim that the options state."""
    stated = {name: getattr(args, name) for name in FIELDS if getattr(args, name) is not None}
    if "p" in stated:
        return [{**stated, "data": args.file}]
    if stated:
        raise ExactPermError(f"{_OPTIONS[next(iter(stated))]} states a claim: it needs --p, the printed p-value")
    if args.file is None:
        raise ExactPermError("name a claims file, or a file of scores with --p, or --counts with --p")
    return args.file


def status(report: AuditReport, *, decisions_only: bool = False) -> int:
    """2 for claims that cannot be read, before 1 for findings, before 3 for undecided claims, before 0."""
    counts = report.counts
    if counts["unreadable"]:
        return 2
    if counts["decision-inconsistent"] or (counts["inconsistent"] and not decisions_only):
        return 1
    return 3 if counts["undecided"] else 0


def _repeatable(report: AuditReport, args: Namespace) -> dict[str, Any]:
    """The report with the command that repeats each claim, run in the folder of the claims file."""
    record = report.to_dict()
    for row, finding in zip(record["findings"], report):
        row["command"] = None if finding.claim is None else command(finding.claim, args)
    return record


def command(claim: Claim, args: Namespace) -> str | None:
    """Return the command that audits one claim again, None where its data are in the claims file."""
    fields = claim.to_dict()
    if (fields["data"] is None and claim.counts is None) or (claim.adjustment is not None and claim.source):
        return None
    words = ["exactperm", "audit", *([fields["data"]] if fields["data"] else [])]
    for name, option in _OPTIONS.items():
        value = fields[name]
        if value is not None and value != getattr(Claim, name, None):
            words.append(f"{option}={','.join(map(str, value)) if name == 'counts' else value}")
    alpha = claim.alpha if claim.alpha is not None else args.alpha
    return shlex.join([*words, f"--alpha={alpha}"])


def check(args: Namespace) -> int:
    """Print whether a p-value is attainable at all; 0 where it is, 1 where it is impossible as stated."""
    options = {name: getattr(args, name) for name in ("alternative", "boundary", "samples", "estimate")}
    values = attainable(args.n, args.test, **options)
    printed = read_pvalue(args.p, args.digits)
    print(printable(values.verdict(printed)))
    return 0 if values.contains(printed) else 1
