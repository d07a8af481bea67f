"""The command ``recount``: count a recorded test again and compare every field."""

from __future__ import annotations

from .._types import TYPE_CHECKING, Namespace
from ..arithmetic.quoting import printable
from ..errors import ExactPermError
from ..files import records, tables
from . import inputs, options

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    record = group("record")
    record.add_argument(
        "file", metavar="FILE", help="JSON of exactperm test --json; - reads standard input"
    )
    record.add_argument(
        "--independent", action="store_true", help="check the record with verifier.py too"
    )
    options.add_size(record)
    options.add_limits(group("limits"))


def run(args: Namespace) -> int:
    """Count again what a record states; return 0 where it is confirmed, else 1."""
    if args.independent and args.file == "-":
        raise ExactPermError(
            "--independent reads the record a second time: name its file in place of -"
        )
    name, text = tables.read_text(args.file, args.max_input)
    record = records.read(text, name)
    difference = records.recounted(record, budget=inputs.budget_of(args))
    confirmed = (
        "confirmed: the same bracket, bit for bit" if record["claim"] == "enclosed" else "confirmed"
    )
    print(printable(f"{name}: {difference or confirmed}"))
    status = 1 if difference else 0
    if args.independent:
        from .. import verifier

        print("verifier.py: ", end="")
        status = status or verifier.main([args.file])  # type: ignore[no-untyped-call]
    return status
