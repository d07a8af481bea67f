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
        saving.check(str(place / "index.html") if place.is_dir() else args.file, "", force=args.force)
        pages = {str(place / name): content for name, content in build.site(args.folder, examples()).items()}
        saving.folder(str(place / "parts"))
    for name, content in pages.items():
        saving.save(name, content)
        print(printable(f"{name}: {len(content)} bytes, SHA-256 {sha256(content).hexdigest()}"))


_SLEEP = (
    "drug 1,drug 2\n0.7,1.9\n-1.6,0.8\n-0.2,1.1\n-1.2,0.1\n-0.1,-0.1\n3.4,4.4\n3.7,5.5\n0.8,1.6\n0.0,4.6\n2.0,3.4\n"
)
"""Extra hours of sleep with each drug, 10 patients: Student, The Probable Error of a Mean (1908)."""

_TIE = "new,old\n0.6,0.4\n0.8,0.4\n0.7,0.6\n0.5,0.6\n0.9,0.4\n0.5,0.4\n0.9,0.7\n"
"""Scores whose sums of differences tie with the observed one: binary floats lose a tie and give 6/128 = 0.047."""

_F1 = "tp A,fp A,fn A,tp B,fp B,fn B\n9,1,2,8,2,3\n7,0,1,7,1,1\n12,3,2,10,4,4\n5,1,0,4,1,1\n8,2,1,8,2,1\n6,0,3,5,1,4\n"
"""Made-up counts of six documents."""


def examples() -> list[dict[str, Any]]:
    """Return data to click in the page, with a name and settings."""
    maize = "\n".join(["crossed - selfed", *map(str, demo.DARWIN_MAIZE)])
    taggers = "\n".join(["A,B", *(f"{a},{b}" for a, b in zip(*demo.paper_workload(1000)))])
    return [
        {"name": "Darwin's maize", "text": f"{maize}\n", "settings": {"published": "p < .05"}},
        {"name": "Student's sleep data", "text": _SLEEP, "settings": {}},
        {"name": "Two taggers, 1,000 sentences", "text": f"{taggers}\n", "settings": {}},
        {"name": "A tie that floats lose", "text": _TIE, "settings": {"published": "p = .047"}},
        {"name": "F1 of six documents", "text": _F1, "settings": {"statistic": "f1_difference"}},
        {"name": "Real-valued scores", "text": _real_scores(), "settings": {}},
        {"name": "Leaderboard of five systems", "text": _leaderboard(), "settings": {}, "all": True},
    ]


def _leaderboard() -> str:
    """Return made-up answers of five systems to 500 questions, right or wrong."""
    import random

    rng = random.Random(7)
    shares = {"tiny": 0.55, "small": 0.6, "base": 0.66, "large": 0.7, "huge": 0.72}
    rows = (",".join(str(int(rng.random() < share)) for share in shares.values()) for _ in range(500))
    return "\n".join([",".join(shares), *rows]) + "\n"


def _real_scores() -> str:
    """Return differences with so many digits that no exact count is possible."""
    import random

    rng = random.Random(1)
    return "\n".join(["difference", *(repr(rng.random() - 0.45) for _ in range(300))]) + "\n"
