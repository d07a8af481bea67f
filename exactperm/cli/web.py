"""The command ``web``: save the page that tests in a browser."""

from __future__ import annotations

from .._types import TYPE_CHECKING, Any, Namespace
from ..arithmetic.quoting import printable
from ..files import saving
from . import demo

if TYPE_CHECKING:
    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    page = group("page")
    page.add_argument("folder", metavar="PYODIDE_DIR", help="a copy of the npm package pyodide")
    out = "one HTML file, which opens from the disk and needs no network; or a folder of files for any web server"
    page.add_argument("file", metavar="OUT", help=out)
    page.add_argument("--force", action="store_true", help="overwrite the page")


def run(args: Namespace) -> None:
    """Save the page, and print the SHA-256 and the size of each of its files."""
    from hashlib import sha256
    from pathlib import Path

    from ..web import build

    if args.file.lower().endswith((".html", ".htm")):
        saving.check(args.file, "", force=args.force)
        pages = {args.file: build.page(args.folder, examples())}
    else:
        place = Path(args.file)
        saving.check(
            str(place / "index.html") if place.is_dir() else args.file, "", force=args.force
        )
        pages = {
            str(place / name): content
            for name, content in build.site(args.folder, examples()).items()
        }
        saving.folder(str(place / "parts"))
    for name, content in pages.items():
        saving.save(name, content)
        print(printable(f"{name}: {len(content)} bytes, SHA-256 {sha256(content).hexdigest()}"))


def examples() -> list[dict[str, Any]]:
    """Return data to click in the page, with a name and settings.

    The hours of sleep that patients gained with two drugs are those of Student, The Probable Error
    of a Mean (1908). Other data are made up, and those of the taggers simulated.
    """
    from importlib.resources import files

    folder = files(__package__) / "examples" / "page"
    maize = "\n".join(["crossed - selfed", *map(str, demo.DARWIN_MAIZE)])
    taggers = "\n".join(["A,B", *(f"{a},{b}" for a, b in zip(*demo.paper_workload(1000)))])
    sleep, tie, f1, real, leaderboard = [
        (folder / f"{name}.csv").read_text(encoding="utf-8")
        for name in ("sleep", "tie", "f1", "real", "leaderboard")
    ]
    return [
        {
            "name": "Darwin's maize",
            "text": f"{maize}\n",
            "settings": {"published": "p < .05", "stated": "test"},
        },
        {"name": "Student's sleep data", "text": sleep, "settings": {}},
        {"name": "Two taggers, 1,000 sentences", "text": f"{taggers}\n", "settings": {}},
        {
            "name": "A tie that floats lose",
            "text": tie,
            "settings": {"published": "p = .047", "stated": "test"},
        },
        {"name": "F1 of six documents", "text": f1, "settings": {"statistic": "f1_difference"}},
        {"name": "Real-valued scores", "text": real, "settings": {}},
        {"name": "Leaderboard of five systems", "text": leaderboard, "settings": {}, "all": True},
    ]
