"""The command ``guide``: one screen of help per topic."""

from __future__ import annotations

from ..errors import ExactPermError
from ..guide import TOPICS, markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from .options import Groups


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    words = group("guide")
    words.add_argument("topic", nargs="?", default="start", metavar="TOPIC", help=f"one of {', '.join(TOPICS)}")
    words.add_argument("--markdown", action="store_true", help="all topics as one page")


def run(args: Namespace) -> None:
    """Print one topic, or the page of all."""
    if args.markdown:
        print(markdown(), end="")
        return
    if args.topic not in TOPICS:
        raise ExactPermError(f"the guide has no topic {args.topic[:40]!r}: choose from {', '.join(TOPICS)}")
    title, text = TOPICS[args.topic]
    print(f"{title}\n{'=' * len(title)}\n\n{text}", end="")
