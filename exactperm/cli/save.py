"""The command ``save``: the package as one program, the page for browsers, or the test vectors."""

from __future__ import annotations

import json
import os

from .._types import Namespace
from ..arithmetic.quoting import printable
from ..files import saving

OPTIONS = """\
save:
  what {program,page,vectors}
      program: one file that python3 runs; page: a page that tests in a browser, one HTML file or a
      folder for a web server; vectors: an archive with schemas and protocol
  file FILE  the file to write
  --compiled
      add the bytecode of this Python to a program, which then starts as fast as the folder
  --with-vectors  put the test vectors into a program, too, which can then verify
  --pyodide DIR
      Pyodide, the Python of the page: the folder node_modules/pyodide that
      "npm install pyodide@314.0.7" makes here, unless another one is named
  --vectors DIR  other vectors than those of the package
  --force  overwrite the file
"""

EXAMPLES = """\
  exactperm save program exactperm.pyz
  exactperm save page exactperm.html
  exactperm save vectors vectors.zip"""


def run(args: Namespace) -> None:
    """Save what is named, and print the size and the SHA-256 of each file."""
    from hashlib import sha256

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
    if apart:
        print(printable(f"Put the folder {args.file} on a web server: index.html is the page."))
    elif args.what == "page":
        print(printable(f"Open {args.file} in a browser: it needs no network, and sends nothing."))


def _content(args: Namespace) -> bytes:
    if args.what == "program":
        return saving.bundle(vectors=args.with_vectors, compiled=args.compiled)
    if args.what == "vectors":
        from ..testing import vectors

        return vectors.packed(args.vectors)
    return _page(args, False)["index.html"]


def _page(args: Namespace, apart: bool) -> dict[str, bytes]:
    """Return the files of the page, which are made from a copy of Pyodide."""
    from ..web import build

    return build.page(args.pyodide or "node_modules/pyodide", examples(), apart=apart)


def examples() -> list[dict[str, object]]:
    """Return data to click in the page, with a name and settings.

    The hours of sleep that patients gained with two drugs are those of Student, The Probable Error
    of a Mean (1908). Other data are made up, and those of the taggers simulated.
    """
    from importlib.resources import files

    text = (files(__package__) / "examples" / "page.json").read_text(encoding="utf-8")
    found: list[dict[str, object]] = json.loads(text)
    return found
