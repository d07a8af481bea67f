"""The command ``recount``: count a record or a certificate again and compare every field."""

from __future__ import annotations

from .._types import Namespace
from ..arithmetic.quoting import printable
from ..errors import ExactPermError
from ..files import answer, sources
from . import commands

OPTIONS = """\
record:
  file FILE  record or certificate (JSON); - reads standard input
  scores* SCORES  the scores that a certificate is of, in one file or two
  --independent  check a record with verifier.py too, which knows nothing of this package
  + --max-input SIZE=256M  refuse to read more (256M)
  @limits
"""

EXAMPLES = """\
  exactperm recount record.json
  exactperm recount certificate.json scores.csv
  exactperm recount record.json --independent"""


def run(args: Namespace) -> int:
    """Count again what a record states; return 0 where it is confirmed, else 1."""
    if args.scores:
        return _verified([args.file, *args.scores])
    if args.independent and args.file == "-":
        raise ExactPermError(
            "--independent reads the record a second time: name its file in place of -"
        )
    name = sources.name_of(args.file)
    text = sources.decoded(sources.read_bytes(args.file, name, args.max_input), name)
    record = answer.read_record(text, name)
    difference = answer.recounted(record, budget=commands.budget_of(args))
    same = (
        "confirmed: the same bracket, bit for bit" if record["claim"] == "enclosed" else "confirmed"
    )
    print(printable(f"{name}: {difference or same}"))
    fields = [] if difference else answer.unconfirmed(record)
    if fields:
        print(printable(f"not confirmed, since no test writes them: {', '.join(fields)}"))
    status = 1 if difference else 0
    return status or (_verified([args.file]) if args.independent else 0)


def _verified(paths: list[str]) -> int:
    """Return the status of verify_scores.py, after it has said what it found."""
    from ..certificates import verify_scores

    return int(verify_scores.main(paths))  # type: ignore[no-untyped-call]
