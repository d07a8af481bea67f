"""The command ``save``: the package as one program, the page for browsers, or the test vectors."""

from __future__ import annotations

from .._types import Any, Namespace
from ..arithmetic.quoting import printable
from ..errors import ExactPermError
from ..files import saving
from . import demo

OPTIONS = """\
save:
  what {program,page,vectors}
      program: one file that python3 runs; page: a page that tests in a browser, one HTML
      file or a folder for a web server; vectors: an archive with schemas and protocol
  file FILE  the file to write
  --compiled
      add the bytecode of this Python to a program, which then starts as fast as the folder
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
    is_folder = args.what == "page" and not args.file.lower().endswith((".html", ".htm"))
    if not is_folder:
        saving.check(args.file, "", force=args.force)
    pages = _site(args) if is_folder else {args.file: _content(args)}
    for name, content in pages.items():
        saving.save(name, content)
        print(printable(f"{name}: {len(content)} bytes, SHA-256 {sha256(content).hexdigest()}"))


def _content(args: Namespace) -> bytes:
    if args.what == "program":
        from ..files import archive

        return archive.bundle(compiled=args.compiled)
    if args.what == "vectors":
        from ..testing import vectors

        return vectors.packed(args.vectors)
    from ..web import build

    return build.page(args.pyodide, examples())


def _site(args: Namespace) -> dict[str, bytes]:
    """Return the files of the page for a web server, whose folder is made."""
    from pathlib import Path

    from ..web import build

    place = Path(args.file)
    first = str(place / "index.html") if place.is_dir() else args.file
    saving.check(first, "", force=args.force)
    found = build.site(args.pyodide, examples())
    saving.folder(str(place / "parts"))
    return {str(place / name): content for name, content in found.items()}


def examples() -> list[dict[str, Any]]:
    """Return data to click in the page, with a name and settings.

    The hours of sleep that patients gained with two drugs are those of Student, The Probable Error
    of a Mean (1908). Other data are made up, and those of the taggers simulated.
    """
    from importlib.resources import files

    folder = files(__package__) / "examples" / "page"
    maize = "\n".join(["crossed - selfed", *map(str, demo.DARWIN_MAIZE)])
    taggers = "\n".join(["A,B", *(f"{a},{b}" for a, b in zip(*demo.paper_workload(1000)))])
    names = "sleep", "tie", "f1", "real", "leaderboard"
    sleep, tie, f1, real, board = [
        (folder / f"{name}.csv").read_text(encoding="utf-8") for name in names
    ]
    rows: list[tuple[str, str, dict[str, str]]] = [
        ("Darwin's maize", f"{maize}\n", {"published": "p < .05", "stated": "test"}),
        ("Student's sleep data", sleep, {}),
        ("Two taggers, 1,000 sentences", f"{taggers}\n", {}),
        ("A tie that floats lose", tie, {"published": "p = .047", "stated": "test"}),
        ("F1 of six documents", f1, {"statistic": "f1_difference"}),
        ("Real-valued scores", real, {}),
        ("Leaderboard of five systems", board, {}),
    ]
    found: list[dict[str, Any]] = [
        {"name": name, "text": text, "settings": settings} for name, text, settings in rows
    ]
    found[-1]["all"] = True
    return found
