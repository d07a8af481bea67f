"""The command ``bundle``: save the package as one file that runs."""

from __future__ import annotations

from .._types import TYPE_CHECKING, Namespace
from ..arithmetic.quoting import printable
from ..files import archive, saving

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    output = group("output")
    output.add_argument(
        "file", metavar="OUT.pyz", help="the file to write; python3 OUT.pyz then runs every command"
    )
    compiled = "add the bytecode of this Python, which then starts it as fast as the folder"
    output.add_argument("--compiled", action="store_true", help=compiled)
    output.add_argument("--force", action="store_true", help="overwrite the file")


def run(args: Namespace) -> None:
    """Save the package as a zip archive, and print its size and its SHA-256."""
    from hashlib import sha256

    saving.check(args.file, "", force=args.force)
    content = archive.bundle(compiled=args.compiled)
    saving.save(args.file, content)
    print(printable(f"{args.file}: {len(content)} bytes, SHA-256 {sha256(content).hexdigest()}"))
