"""The command ``audit``: verdicts on the claims of a file, or on one claim that the options state."""

from __future__ import annotations

import os
import shlex
import sys

from .._types import TYPE_CHECKING, Any, Namespace
from ..auditing.audit import audit
from ..auditing.claims import OPEN, Claim
from ..auditing.findings import Finding
from ..auditing.report import AuditReport
from ..errors import Cure, ExactPermError
from ..files import report as writing
from ..files import saving
from ..files.reading import FIELDS as READ
from . import inputs, options, outputs, values
from .progress import Bar
from .workers import workers

if TYPE_CHECKING:
    from .options import Groups


_NO_OPTIONS = ("id", "source", "data", "second", "note", "alpha", "stated")
FIELDS = tuple(name for name in Claim._fields if name not in _NO_OPTIONS)
"""Fields of a claim that are options of the command."""

_OTHER = {"join": "--id", "design": "--runs"}
_OPTIONS = {name: _OTHER.get(name, f"--{name.replace('_', '-')}") for name in FIELDS}

_OF_SCORES = "exactperm example claims shows a file of claims; for a file of scores, --p takes the printed p-value"

_READ = {
    field.name: "; ".join(filter(None, [", ".join(field.choices), field.help])) for field in READ
}
_CLAIM = {
    "p": 'printed text, such as "p < .05"',
    "stars": 'legend of a text of stars, such as "* p < .05, ** p < .01"',
    "counts": "b,c of McNemar's test in place of a file",
    "join": _READ.pop("id"),
    **{name: words for name, words in _READ.items() if name in FIELDS},
    "design": f"{_READ['runs']}; all are tried where it is not stated",
    "orientation": "first-second (default) or second-first",
    "mu": "hypothesised difference (0)",
    "statistic": "sum (default), signed-rank, sign, mcnemar, accuracy, f1, precision, recall or ratio",
    "zeros": "drop (default), pratt or zsplit",
    "alternative": "two-sided (default), greater, less, doubled, min or 2min",
    "boundary": "whether equal differences count: >= (default), > or mid",
    "law": "exact (default), normal, normal-cc, asymptotic (either), t or monte-carlo",
    "samples": "number of Monte Carlo samples",
    "estimate": "b/K or (b+1)/(K+1)",
    "adjustment": "bonferroni, sidak, holm or another method",
    "tests": "number of tests of the adjustment",
    "n": "stated number of pairs",
    "digits": "decimals that the source prints",
    "printed_statistic": 'printed statistic, such as "V = 45"',
    "decision": "whether the document calls it significant: yes or no",
    "rounded": 'unit of the last digit of scores that were rounded, such as 0.1, or "as printed"',
}
"""Options that state one claim."""


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    claims = group("claims")
    claims.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="claims (.csv, .tsv, .json, .jsonl); with --p one or two files of scores",
    )
    claims.add_argument(
        "--root", metavar="DIR", help="folder that data files must be in (that of the claims file)"
    )
    claims.add_argument(
        "--alpha",
        type=values.alpha,
        default="0.05",
        metavar="A",
        help="level of the decisions (0.05)",
    )
    one = group("one claim")
    for name, meaning in _CLAIM.items():
        one.add_argument(_OPTIONS[name], dest=name, metavar="TEXT", help=meaning)
    claims.add_argument(
        "--strict",
        action="store_true",
        help="take the defaults as stated, instead of every usual convention that a claim leaves open",
    )
    run = group("run")
    options.add_workers(run)
    options.add_limits(run)
    options.add_size(run)
    output = group("output")
    output.add_argument(
        "-v",
        "--verbose",
        action="store_true",
        help='details, and all conventions that fit; "truncates": the p-value with its further digits cut off',
    )
    output.add_argument("--json", action="store_true", help="write the findings as JSON")
    output.add_argument("--html", metavar="FILE", help="write a page too")
    output.add_argument(
        "--force", action="store_true", help="overwrite the page's file; never the input"
    )
    output.add_argument(
        "--fail-on",
        choices=("inconsistent", "decision"),
        default="inconsistent",
        help="findings that give status 1; decision: only those that decide otherwise",
    )


def run(args: Namespace) -> int:
    """Audit what the options name, print the report, and return the exit status."""
    outputs.check(args, args.html)
    with_defaults: Any = {
        "alpha": args.alpha,
        "budget": inputs.budget_of(args),
        "others": args.verbose,
    }
    with_defaults["max_input"] = args.max_input
    claims = _claims(args)
    with Bar(sys.stderr) as bar, workers(args.processes, args.dask) as executor:
        try:
            report = audit(
                claims,
                root=args.root,
                strict=args.strict,
                executor=executor,
                progress=bar,
                **with_defaults,
            )
        except ExactPermError as error:
            if error.code == "claim-field":
                error.cure = Cure(words=_OF_SCORES)
            raise
    if args.html is not None:
        saving.save(args.html, report.html([_command(finding, args) for finding in report]))
    if args.json:
        print(writing.json_text(_repeatable(report, args)))
    elif isinstance(claims, list) and report.counts["unreadable"]:
        raise ExactPermError("; ".join(report.findings[0].notes))
    else:
        print(
            report.text(
                verbose=args.verbose, commands=[_command(finding, args) for finding in report]
            )
        )
    return status(report, decisions_only=args.fail_on == "decision")


def _claims(args: Namespace) -> Any:
    """The path of a claims file, or the one claim that the options state."""
    stated = {name: getattr(args, name) for name in FIELDS if getattr(args, name) is not None}
    files = args.files
    if "p" in stated and len(files) <= 2:
        return [
            {"id": ", ".join(files) or "counts", **stated, **dict(zip(("data", "second"), files))}
        ]
    if "p" in stated:
        raise ExactPermError(
            f"{len(files)} files are named: a claim has one file of scores, or one for each system"
        )
    if stated:
        raise ExactPermError(
            f"{_OPTIONS[next(iter(stated))]} states a claim: it needs --p, the printed p-value"
        )
    if len(files) != 1:
        raise ExactPermError(
            "name one claims file, or --counts with --p", cure=Cure(words=_OF_SCORES)
        )
    return files[0]


def status(report: AuditReport, *, decisions_only: bool = False) -> int:
    """2 for claims that cannot be read, before 1 for findings, before 3 for undecided claims, before 0."""
    counts = report.counts
    if counts["unreadable"]:
        return 2
    if counts["decision-inconsistent"] or (counts["inconsistent"] and not decisions_only):
        return 1
    return 3 if counts["undecided"] else 0


def _repeatable(report: AuditReport, args: Namespace) -> dict[str, Any]:
    """The report with the command that repeats each claim, where this one was run."""
    record = report.to_dict()
    for row, finding in zip(record["findings"], report):
        row["command"] = _command(finding, args)
    return record


def _command(finding: Finding, args: Namespace) -> str | None:
    return None if finding.claim is None else command(finding.claim, args)


def command(claim: Claim, args: Namespace) -> str | None:
    """Return the command that audits one claim again, None where its data are in the claims file."""
    fields = claim.to_dict()
    if (fields["data"] is None and claim.counts is None) or (
        claim.adjustment is not None and claim.source
    ):
        return None
    # of the claims file, which names data in it
    folder = os.path.dirname(args.files[0]) if args.p is None else ""
    words = [
        "exactperm",
        "audit",
        *(os.path.join(folder, fields[name]) for name in ("data", "second") if fields[name]),
    ]
    for name, option in _OPTIONS.items():
        value = fields[name]
        if value is not None and (value != getattr(Claim, name, None) or name in claim.stated):
            words.append(f"{option}={_word(value)}")
    words += ["--strict"] if {*OPEN} <= {*claim.stated} else []
    alpha = claim.alpha if claim.alpha is not None else args.alpha
    return shlex.join([*words, f"--alpha={alpha}"])


def _word(value: Any) -> str:
    """A value as its option takes it: counts as "9,1", a legend as "* p < .05, ** p < .01"."""
    if isinstance(value, dict):
        return ", ".join(f"{stars} {text}" for stars, text in value.items())
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
