"""The command ``save``: the package as one program, the page for browsers, or the test vectors."""

from __future__ import annotations

import json
import os

from .._types import Any, Namespace
from ..arithmetic.quoting import printable
from ..errors import ExactPermError
from ..files import archive, saving

OPTIONS = """\
save:
  what {program,page,vectors}
      program: one file that python3 runs; page: a page that tests in a browser, one HTML file or a
      folder for a web server; vectors: an archive with schemas and protocol
  file FILE  the file to write
  --compiled
      add the bytecode of this Python to a program, which then starts as fast as the folder
  --with-vectors  put the test vectors into a program, too, which can then verify
  --pyodide DIR  folder with a copy of the npm package pyodide, for the page
  --vectors DIR  other vectors than those of the package
  --force  overwrite the file
"""

EXAMPLES = """\
  exactperm save program exactperm.pyz
  exactperm save page exactperm.html --pyodide node_modules/pyodide
  exactperm save vectors vectors.zip"""


def run(args: Namespace) -> None:
    """Save what is named, and print the size and the SHA-256 of each file."""
    from hashlib import sha256

    if args.what == "page" and args.pyodide is None:
        raise ExactPermError(
            "the page is made with a copy of Pyodide: say --pyodide DIR", code="options"
        )
    apart = args.what == "page" and not args.file.lower().endswith((".html", ".htm"))
    index = os.path.join(args.file, "index.html")
    saving.check(index if apart and os.path.isdir(args.file) else args.file, "", force=args.force)
    if apart:
        pages = {os.path.join(args.file, name): made for name, made in _page(args, True).items()}
        saving.folder(os.path.join(args.file, "parts"))
    else:
        pages = {args.file: _content(args)}
    for name, content in pages.items():
        saving.save(name, content)
        print(printable(f"{name}: {len(content)} bytes, SHA-256 {sha256(content).hexdigest()}"))


def _content(args: Namespace) -> bytes:
    if args.what == "program":
        return archive.bundle(vectors=args.with_vectors, compiled=args.compiled)
    if args.what == "vectors":
        from ..testing import vectors

        return vectors.packed(args.vectors)
    return _page(args, False)["index.html"]


def _page(args: Namespace, apart: bool) -> dict[str, bytes]:
    """Return the files of the page, which are made from a copy of Pyodide."""
    from ..web import build

    return build.page(args.pyodide, examples(), apart=apart)


def examples() -> list[dict[str, Any]]:
    """Return data to click in the page, with a name and settings.

    The hours of sleep that patients gained with two drugs are those of Student, The Probable Error
    of a Mean (1908). Other data are made up, and those of the taggers simulated.
    """
    from importlib.resources import files

    text = (files(__package__) / "examples" / "page.json").read_text(encoding="utf-8")
    found: list[dict[str, object]] = json.loads(text)
    return found
