"""The command ``audit``: verdicts on the claims of a file, on one claim, or on a p-value without data."""

from __future__ import annotations

import os
import shlex
import sys

from .._types import Any, Namespace
from ..arithmetic.quoting import printable
from ..auditing.attainable import attainable
from ..auditing.audit import audit
from ..auditing.claims import OPEN, PERMUTED, Claim
from ..auditing.findings import Finding
from ..auditing.printed import read_pvalue
from ..auditing.report import AuditReport
from ..errors import Cure, ExactPermError
from ..files import report as writing
from ..files import saving
from . import inputs, outputs
from .options import READERS
from .progress import Bar
from .workers import workers

_NO_OPTIONS = ("id", "source", "data", "second", "note", "alpha", "stated")
FIELDS = tuple(name for name in Claim._fields if name not in _NO_OPTIONS)
"""Fields of a claim that are options of the command."""

_NAMES = {"join": "id", "design": "runs"}
"""Fields of a claim whose options have the names that all commands use."""

_OF_SCORES = "exactperm guide claims.csv shows a file of claims; for a file of scores, --p takes the printed p-value"

OPTIONS = """\
claims:
  files* FILE
      claims (.csv, .tsv, .json, .jsonl); with --p one or two files of scores, or none with
      --n
  + --root DIR  folder that data files must be in (that of the claims file)
  + --alpha LEVEL=0.05  level of the decisions (0.05)
  --strict
      take the defaults as stated, instead of every usual convention that a claim leaves
      open
one claim:
  --p TEXT  printed text, such as "p < .05"
  --stars TEXT  legend of a text of stars, such as "* p < .05, ** p < .01"
  + --counts TEXT  b,c of McNemar's test in place of a file
  -c, --columns TEXT  columns of the scores
  -i, --id TEXT  column of the items' ids, which join two files
  -s, --statistic TEXT
      sum (default), signed-rank, sign, mcnemar, accuracy, f1, precision, recall or ratio
  -a, --alternative TEXT  two-sided (default), greater, less, doubled, min or 2min
  --n TEXT  number of pairs; without a file, which p-values exist for so many
  --decision TEXT  whether the document calls it significant: yes or no
  --rounded TEXT
      unit of the last digit of scores that were rounded, such as 0.1, or "as printed"
  + --runs TEXT  what is exchanged of several runs; all designs are tried where it is not stated
  + --system TEXT  column of the systems' names in a long table
  + --score TEXT  column of the scores in a long table
  + --run TEXT  column of the runs' ids
  + --groups TEXT  column of groups: pairs of one group are swapped together
  + --by TEXT  row: both files have the same items in the same rows
  + --missing TEXT  drop: leave out each item of which a score is missing
  + --total TEXT  keep or drop a last row that is the sum or the mean of all others
  + --header TEXT  whether the first row has the names: yes or no
  + --delimiter TEXT  what separates the columns
  + --decimal TEXT  decimal mark: point or comma
  + --comments TEXT  whether lines that start with # are left out: yes or no
  + --encoding TEXT  encoding of the text (UTF-8)
  + --records TEXT  key of the list of records in a JSON object
  + --filter TEXT  answer filter of lm-evaluation-harness
  + --decimals TEXT  round the scores to so many decimals first
  + --orientation TEXT  first-second (default) or second-first
  + --mu TEXT  hypothesised difference (0)
  + --zeros TEXT  drop (default), pratt or zsplit
  + --boundary TEXT  whether equal differences count: >= (default), > or mid
  + --law TEXT  exact (default), normal, normal-cc, asymptotic (either), t or monte-carlo
  + --samples TEXT  number of Monte Carlo samples
  + --estimate TEXT  b/K or (b+1)/(K+1)
  + --adjustment TEXT  bonferroni, sidak, holm or another method
  + --tests TEXT  number of tests of the adjustment
  + --digits TEXT  decimals that the source prints
  + --printed-statistic TEXT  printed statistic, such as "V = 45"
without data:
  + --accuracies A,B  two printed accuracies of N items, such as 93.1%,92.2%
  + --each M,K  runs of either system on each of N items, such as 3,3
  + --labelings COUNT  number of all labelings, in place of runs
run:
  @workers
  @limits
  + --max-input SIZE=256M  refuse to read more (256M)
output:
  -v, --verbose  each verdict as a letter, with all conventions that fit
  --json  print the findings as JSON
  -o, --output FILE  save the findings as a page, or as JSON where FILE ends so, too
  + --force  overwrite the file to save; never the input
  + --fail-on {inconsistent,decision}=inconsistent
      findings that give status 1; decision: only those that decide otherwise
"""

EXAMPLES = """\
  exactperm audit claims.csv --verbose
  exactperm audit scores.csv --columns baseline,new --p "p = .021"
  exactperm audit --n 5 --p "p = .03\""""


def run(args: Namespace) -> int:
    """Audit what the options name, print the report, and return the exit status."""
    if (
        not args.files
        and args.counts is None
        and (args.n is not None or args.labelings is not None)
    ):
        return _without_data(args)
    outputs.check(args)
    known: Any = {"alpha": args.alpha, "budget": inputs.budget_of(args), "others": args.verbose}
    known.update(root=args.root, strict=args.strict, max_input=args.max_input)
    claims = _claims(args)
    with Bar(sys.stderr) as bar, workers(args.processes) as executor:
        try:
            report = audit(claims, executor=executor, progress=bar, **known)
        except ExactPermError as error:
            if error.code == "claim-field":
                error.cure = Cure(words=_OF_SCORES)
            raise
    commands = [_command(finding, args) for finding in report]
    text = writing.json_text(_repeatable(report, commands))
    if args.output is not None:
        is_json = args.output.lower().endswith(".json")
        saving.save(args.output, f"{text}\n" if is_json else report.html(commands))
    if args.json:
        print(text)
    elif isinstance(claims, list) and report.counts["unreadable"]:
        raise ExactPermError("; ".join(report.findings[0].notes))
    else:
        print(report.text(verbose=args.verbose, commands=commands))
    return status(report, decisions_only=args.fail_on == "decision")


def _without_data(args: Namespace) -> int:
    """Print which p-values are possible, or whether the printed one is; 1 where it is impossible as stated."""
    count = READERS["COUNT"]
    named = {"test": args.statistic, "alternative": args.alternative, "boundary": args.boundary}
    stated: Any = {name: value for name, value in named.items() if value is not None}
    attained = attainable(
        args.n and count(args.n),
        accuracies=args.accuracies and args.accuracies.split(","),
        runs=args.each and [count(word.strip()) for word in args.each.split(",")],
        design=args.runs,
        total=args.labelings,
        samples=args.samples and count(args.samples),
        estimate=args.estimate,
        **stated,
    )
    if args.p is None:
        print("\n".join(map(printable, str(attained).splitlines())))
        return 0
    printed = read_pvalue(args.p, args.digits and READERS["DIGITS"](args.digits))
    print(printable(attained.verdict(printed)))
    return 0 if attained.contains(printed) else 1


def _claims(args: Namespace) -> Any:
    """The path of a claims file, or the one claim that the options state."""
    said = {name: getattr(args, _NAMES.get(name, name)) for name in FIELDS}
    stated = {name: value for name, value in said.items() if value is not None}
    files = args.files
    if "p" in stated and len(files) <= 2:
        claim = {"id": ", ".join(files) or "counts", **stated}
        return [{**claim, **dict(zip(("data", "second"), files))}]
    if "p" in stated:
        raise ExactPermError(
            f"{len(files)} files are named: a claim has one file of scores, or one for each system"
        )
    if stated:
        raise ExactPermError(
            f"{_option(next(iter(stated)))} states a claim: it needs --p, the printed p-value"
        )
    if len(files) != 1:
        raise ExactPermError(
            "name one claims file, or --counts or --n with --p", cure=Cure(words=_OF_SCORES)
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


def _repeatable(report: AuditReport, commands: list[str | None]) -> dict[str, Any]:
    """The report with the command that repeats each claim, where this one was run."""
    record = report.to_dict()
    for row, command in zip(record["findings"], commands):
        row["command"] = command
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
    folder = (
        os.path.dirname(args.files[0]) if args.p is None else ""
    )  # of the claims file, which names data in it
    words = [
        "exactperm",
        "audit",
        *(os.path.join(folder, fields[name]) for name in ("data", "second") if fields[name]),
    ]
    permuted = PERMUTED in claim.stated
    for name in FIELDS:
        value = PERMUTED if permuted and name == "statistic" else fields[name]
        if permuted and name == "law":
            continue
        if value is not None and (value != getattr(Claim, name, None) or name in claim.stated):
            words.append(f"{_option(name)}={_word(value)}")
    words += ["--strict"] if {*OPEN} <= {*claim.stated} else []
    alpha = claim.alpha if claim.alpha is not None else args.alpha
    return shlex.join([*words, f"--alpha={alpha}"])


def _option(name: str) -> str:
    return f"--{_NAMES.get(name, name).replace('_', '-')}"


def _word(value: Any) -> str:
    """A value as its option takes it: counts as "9,1", a legend as "* p < .05, ** p < .01"."""
    if isinstance(value, dict):
        return ", ".join(f"{stars} {text}" for stars, text in value.items())
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
