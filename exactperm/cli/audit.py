"""The command ``audit``: verdicts on the claims of a file, on one claim, or on a p-value without data."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from fractions import Fraction

from .._types import Namespace
from ..arithmetic.quoting import printable
from ..arithmetic.writing import number_text
from ..auditing.audit import audit
from ..auditing.claim import FIELDS, OPEN, Claim, fields_of, whole
from ..auditing.claim import OPTIONS as STATED
from ..auditing.report import AuditReport
from ..errors import Cure, ExactPermError
from ..files import saving
from ..files.json_text import dumped
from ..record import replaced
from . import outputs
from .commands import budget_of
from .progress import Bar, Workers

_SHORT = {"columns": "-c, ", "join": "-i, ", "statistic": "-s, ", "alternative": "-a, "}
_SHOWN = ("p", "stars", "columns", "join", "statistic", "alternative", "n", "decision", "rounded")
"""Fields of a claim whose options the short help shows."""


def _of_fields() -> Iterator[str]:
    """Yield the options that state one claim, from the table of its fields."""
    for name, option in STATED.items():
        reader, words = FIELDS[name]
        more = f": {', '.join(reader)}" if isinstance(reader, tuple) else ""
        rare = "" if name in _SHOWN else "+ "
        yield f"  {rare}{_SHORT.get(name, '')}--{option} TEXT  {words}{more}"


_OF_SCORES = "exactperm guide claims.csv shows a file of claims; for a file of scores, --p takes the printed p-value"

_LISTED = "\n".join(_of_fields())
OPTIONS = f"""\
claims:
  files* FILE
      claims (.csv, .tsv, .json, .jsonl); with --p one or two files of scores, or none with
      --n
  + --root DIR  folder that data files must be in (that of the claims file)
  + --alpha LEVEL=0.05  level of the decisions (0.05)
  --strict
      take each claim for an exact two-sided permutation test where it states no other
one claim:
{_LISTED}
without data:
  + --accuracies A,B  two printed accuracies of N items, such as 93.1%,92.2%
  + --each M,K  runs of either system on each of N items, such as 3,3
  + --labelings COUNT  number of all labelings, in place of runs
run:
  @workers
  @limits
  + --max-input SIZE=256M  refuse to read more (256M)
output:
  -v, --verbose  each verdict as a letter to the author, with the evidence
  --json  print the findings as JSON
  -o, --output FILE  save the findings as a page, or as JSON where FILE ends so, too
  + --force  overwrite the file to save; never the input
  + --fail-on {{wrong,decision}}=wrong
      findings that give status 1; decision: only those that decide otherwise
"""

EXAMPLES = """\
  exactperm audit claims.csv --verbose
  exactperm audit scores.csv --columns baseline,new --p "p = .021"
  exactperm audit --n 5 --p "p = .03\""""


def run(args: Namespace) -> int:
    """Audit what the options name, print the report, and return the exit status."""
    numbers = args.n is not None or args.labelings is not None
    if numbers and not args.files and args.counts is None:
        return _without_data(args)
    outputs.check(args)
    claims = _claims(args)
    with Bar(sys.stderr) as bar, Workers(args.processes) as executor:
        try:
            report = audit(
                claims,
                alpha=args.alpha,
                budget=budget_of(args),
                root=args.root,
                strict=args.strict,
                max_input=args.max_input,
                executor=executor,
                progress=bar,
            )
        except ExactPermError as error:
            if error.code == "claim-field":
                error.cure = Cure(words=_OF_SCORES)
            raise
    if isinstance(claims, list) and report.findings[0].error and not args.json:
        raise report.findings[0].error
    findings = [replaced(one, command=one.claim and command(one.claim, args)) for one in report]
    report = replaced(report, findings=tuple(findings))
    if args.output is not None:
        is_json = args.output.lower().endswith(".json")
        text = f"{dumped(report.to_dict())}\n" if is_json else report.html()
        saving.save(args.output, text)
    print(dumped(report.to_dict()) if args.json else report.text(verbose=args.verbose))
    return status(report, decisions_only=args.fail_on == "decision")


def _without_data(args: Namespace) -> int:
    """Print which p-values are possible, or whether the printed one is; 1 where it is impossible as stated."""
    from ..auditing.attainable import attainable

    fields = fields_of({"p": "p = 1", **_said(args)})
    law = fields.get("law", "exact")
    if law not in ("exact", "permutation", "monte-carlo"):
        told = "without data only the p-values of an exact test are known"
        raise ExactPermError(f"law is {law!r}: {told}")
    names = ("alternative", "boundary", "samples", "estimate")
    attained = attainable(
        fields.get("n"),
        fields.get("statistic", "difference"),
        accuracies=args.accuracies and args.accuracies.split(","),
        runs=args.each and [whole(word, "each") for word in args.each.split(",")],
        design=args.runs,
        total=args.labelings,
        **{name: fields[name] for name in names if name in fields},
    )
    told = str(attained) if args.p is None else attained.verdict(fields["printed"])
    print("\n".join(map(printable, told.splitlines())))
    return 0 if args.p is None or attained.contains(fields["printed"]) else 1


def _said(args: Namespace) -> dict[str, object]:
    """The fields of a claim that options state."""
    said = {name: getattr(args, option.replace("-", "_")) for name, option in STATED.items()}
    return {name: value for name, value in said.items() if value is not None}


def _claims(args: Namespace) -> object:
    """The path of a claims file, or the one claim that the options state."""
    stated = _said(args)
    files = args.files
    if stated and "p" not in stated:
        option = STATED[next(iter(stated))]
        raise ExactPermError(f"--{option} states a claim: it needs --p, the printed p-value")
    if "p" not in stated and len(files) == 1:
        return files[0]
    if "p" not in stated:
        told = "name one claims file, or --counts or --n with --p"
        raise ExactPermError(told, cure=Cure(words=_OF_SCORES))
    if len(files) > 2:
        told = "a claim has one file of scores, or one for each system"
        raise ExactPermError(f"{len(files)} files are named: {told}")
    data: dict[str, object] = dict(zip(("data", "second"), files))
    return [Claim(id=", ".join(files) or "counts", **stated, **data)]


def status(report: AuditReport, *, decisions_only: bool = False) -> int:
    """2 for claims that cannot be read, before 1 for wrong ones, before 3 for open ones, before 0."""
    counts = report.counts
    if counts["unreadable"]:
        return 2
    heaps = {f.heap for f in report if f.decision_differs or not decisions_only}
    if "wrong" in heaps:
        return 1
    return 3 if "question" in heaps or counts["undecided"] else 0


def command(claim: Claim, args: Namespace) -> str | None:
    """Return the command that audits one claim again, None where its data are in the claims file."""
    fields = claim.to_dict()
    files = [str(fields[name]) for name in ("data", "second") if fields[name]]
    if not (files or claim.counts) or (claim.adjustment and claim.source):
        return None
    # a claims file names data in its own folder
    folder = os.path.dirname(args.files[0]) if args.p is None else ""
    words = ["exactperm", "audit", *[os.path.join(folder, file) for file in files]]
    for name, option in STATED.items():
        value = fields[name]
        usual = str(value) == str(getattr(Claim, name, None)) and name not in claim.stated
        if value is not None and not usual:
            words.append(f"--{option}={_word(value)}")
    words += ["--strict"] if args.strict or {*OPEN} <= {*claim.stated} else []
    alpha = claim.alpha or args.alpha
    words += [f"--alpha={number_text(alpha)}"] if alpha != Fraction(1, 20) else []
    return shlex.join(words)


def _word(value: object) -> str:
    """A value as its option takes it: counts as "9,1", a legend as "* p < .05, ** p < .01"."""
    if isinstance(value, dict):
        return ", ".join(f"{stars} {text}" for stars, text in value.items())
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
