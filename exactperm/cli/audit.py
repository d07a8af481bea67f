"""The command ``audit``: verdicts on the claims of a file, or on one claim that the options state."""

from __future__ import annotations

import shlex
import sys

from ..auditing.audit import audit
from ..auditing.claims import Claim
from ..errors import ExactPermError
from ..files import report as writing
from ..files import saving
from . import inputs, options, values
from .progress import Bar
from .workers import workers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from ..auditing.report import AuditReport
    from .options import Groups

FIELDS = tuple(name for name in Claim._fields if name not in ("id", "source", "data", "note", "alpha"))
"""Fields of a claim that are options of the command."""

_OPTIONS = {name: f"--{name.replace('_', '-')}" for name in FIELDS}

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


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    claims = group("claims")
    claims.add_argument("file", nargs="?", metavar="FILE", help="claims (.csv, .tsv, .json, .jsonl); scores with --p")
    claims.add_argument("--root", metavar="DIR", help="folder that data files must be in (that of the claims file)")
    claims.add_argument("--alpha", type=values.alpha, default="0.05", metavar="A", help="level of the decisions (0.05)")
    one = group("one claim")
    for words, meaning in _CLAIM.items():
        one.add_argument(f"--{words}", metavar="TEXT", help=meaning)
    run = group("run")
    options.add_workers(run)
    options.add_limits(run)
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


def run(args: Namespace) -> int:
    """Audit what the options name, print the report, and return the exit status."""
    if args.html is not None:
        saving.check(args.html, args.file or "-", force=args.force)
    with_defaults: Any = {"alpha": args.alpha, "budget": inputs.budget_of(args), "others": args.verbose}
    with Bar(sys.stderr) as bar, workers(args.processes, args.dask) as executor:
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
