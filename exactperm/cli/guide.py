"""The command ``guide``: a tour, topics, names of the library, and examples to save."""

from __future__ import annotations

import inspect
import re
import sys
from difflib import get_close_matches

from .._types import Namespace
from ..errors import Cure, ExactPermError

_NAMES = """
scores.csv documents.tsv systems.csv real.csv labels.csv counts.csv runs.csv samples-a.jsonl
samples-b.jsonl arms.csv claims.csv"""

EXAMPLES_OF_FILES = tuple(_NAMES.split())
"""Small made-up files to try the other commands with, in the folder ``examples``."""

OPTIONS = """\
guide:
  word? WORD
      a topic (files, runs, ...), a public name such as permutation_test, an example such as
      scores.csv, or a word to find; without one, the tour
"""

EXAMPLES = """\
  exactperm guide
  exactperm guide files
  exactperm guide permutation_test
  exactperm guide scores.csv > scores.csv"""


def example(name: str) -> str:
    """Return the text of an example file."""
    from importlib.resources import files

    return (files(__package__) / "examples" / name).read_text(encoding="utf-8")


def topics() -> dict[str, tuple[str, str]]:
    """Return title and text of each topic; code is indented, for a terminal."""
    from importlib.resources import files

    page = files(__package__).joinpath("guide.md").read_text(encoding="utf-8")
    pattern = r'^## (.*) <a id="(.*)"></a>\n\n((?:(?!## ).*\n)*)'
    sections = re.findall(pattern, page, re.MULTILINE)
    return {name: (title, f"{_plain(text).strip()}\n") for title, name, text in sections}


def _plain(text: str) -> str:
    """Return Markdown without fences, its code indented."""
    pieces = text.split("```")
    for i in range(1, len(pieces), 2):
        code = pieces[i].partition("\n")[2]
        pieces[i] = re.sub("^(?=.)", "    ", code, flags=re.MULTILINE)
        pieces[i + 1] = pieces[i + 1].removeprefix("\n")
    return "".join(pieces)


def run(args: Namespace) -> None:
    """Print the tour, a topic, the documentation of a name, an example, or where a word occurs."""
    word = "start" if args.word is None else args.word
    guide = topics()
    package = sys.modules[__package__.rpartition(".")[0]]
    if word in EXAMPLES_OF_FILES:
        print(example(word), end="")
    elif word in guide:
        title, text = guide[word]
        print(f"{title}\n{'=' * len(title)}\n\n{text}", end="")
    elif word == "names":
        print(inspect.getdoc(package))
    elif word in package.__all__ and hasattr(package, word):
        found = getattr(package, word)
        print(f"{word}{_signature(found)}\n\n{inspect.getdoc(found)}")
    else:
        library = [name for name in package.__all__ if hasattr(package, name)]
        known = {name: inspect.getdoc(getattr(package, name)) or "" for name in library}
        known.update({name: "\n".join(screen) for name, screen in guide.items()})
        for name in _found(word.lower(), known):
            print(f"exactperm guide {name:<28} {known[name].splitlines()[0]}")


def _signature(found: object) -> str:
    """Return the parameters of a function, without places in memory and values that take lines."""
    if not callable(found):
        return ""
    text = re.sub(r"<function (\w+) at \w+>", r"\1", str(inspect.signature(found)))
    return re.sub(r"= Statistic\(.*?name='([^']*)'.*?\)(?=[,)])", r"= \1", text)


def _found(wanted: str, known: dict[str, str]) -> list[str]:
    """Return the names that have a word in them, else those whose texts have it."""
    found = [name for name in known if wanted in name.lower()]
    found = found or [name for name, text in known.items() if wanted in text.lower()]
    if not found:
        near = get_close_matches(wanted, [*known, *EXAMPLES_OF_FILES], 1, 0.5)
        cure = Cure(words="exactperm guide names lists the library, exactperm guide the topics")
        told = f"nothing has the name {wanted[:40]!r}{f'; {near[0]} is near' if near else ''}"
        raise ExactPermError(told, code="guide", cure=cure)
    return found
