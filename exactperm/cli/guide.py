"""The command ``guide``: one screen of help per topic, the sections of guide.md."""

from __future__ import annotations

import re

from .._types import TYPE_CHECKING, Namespace
from ..errors import ExactPermError

if TYPE_CHECKING:
    from .options import Groups


def topics() -> dict[str, tuple[str, str]]:
    """Return title and text of each topic; code is indented, for a terminal."""
    from importlib.resources import files

    page = files(__package__).joinpath("guide.md").read_text(encoding="utf-8")
    sections = re.findall(r'^## (.*) <a id="(.*)"></a>\n\n((?:(?!## ).*\n)*)', page, re.MULTILINE)
    return {name: (title, f"{_plain(text).strip()}\n") for title, name, text in sections}


def _plain(text: str) -> str:
    """Return Markdown without fences, its code indented."""
    pieces = text.split("```")
    for i in range(1, len(pieces), 2):
        code = pieces[i].partition("\n")[2]
        pieces[i] = re.sub("^(?=.)", "    ", code, flags=re.MULTILINE)
        pieces[i + 1] = pieces[i + 1].removeprefix("\n")
    return "".join(pieces)


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    words = f"one of {', '.join(topics())}"
    group("guide").add_argument("topic", nargs="?", default="start", metavar="TOPIC", help=words)


def run(args: Namespace) -> None:
    """Print one topic."""
    known = topics()
    if args.topic not in known:
        raise ExactPermError(
            f"the guide has no topic {args.topic[:40]!r}: choose from {', '.join(known)}"
        )
    title, text = known[args.topic]
    print(f"{title}\n{'=' * len(title)}\n\n{text}", end="")
