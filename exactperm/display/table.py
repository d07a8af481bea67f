"""Tables from rows of plain texts, as text and in HTML for notebooks and pages; knows no test.

Tables in HTML take letters and colours from the page around them, so they are readable in its light
and its dark theme. Each has an id made of its content, which its style rules carry, so that they
change nothing else in the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from ..arithmetic.quoting import printable

_MOST_BYTES = 24_000
"""Size at which a table ends; a picture beside it has at most as much again."""
MOST_LETTERS = 300
"""Of a cell; what is longer is cut."""

_STYLE = """
table { border-collapse: collapse; color: inherit; font-size: 0.9em; margin: 0.5em 0; }
caption { text-align: left; font-weight: bold; padding-bottom: 0.3em; caption-side: top; color: inherit; }
th, td { text-align: left; vertical-align: top; padding: 0.15em 1em 0.15em 0; min-width: 4.5em; color: inherit; }
th, td { overflow-wrap: anywhere; }
thead th { border-bottom: 1px solid; }
"""


def lines(title: str, rows: Iterable[Sequence[str]], header: Sequence[str] = ()) -> Iterator[str]:
    r"""Yield rows of texts as lines below a title: a label and a text, or columns below a header.

    Control characters, which a terminal would obey, are written as escapes.

    >>> print("\n".join(lines("Scores", [("a", "1"), ("bcd", "2")], ("name", "score"))))
    Scores
    name  score
    a     1
    bcd   2
    """
    yield printable(title)
    if not header:
        yield from (f"  {name:<12} {printable(text)}" for name, text in rows)
        return
    cells = [header, *([printable(cell) for cell in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip()


def table(title: str, rows: Iterable[Sequence[str]], header: Sequence[str] = ()) -> str:
    """Return rows of texts as an HTML table; the first cell of each is its heading.

    All texts are escaped, and cut after 300 letters. Of more than some 24 KB the last rows are
    counted, not shown.
    """
    lines: list[str] = []
    left = _MOST_BYTES
    rows = list(rows)
    for row in rows:
        cells = "".join(f"<td>{_safe(cell)}</td>" for cell in row[1:])
        line = f'<tr><th scope="row">{_safe(row[0])}</th>{cells}</tr>'
        left -= len(line.encode())
        if left < 0:
            lines.append(f'<tr><th scope="row">and {len(rows) - len(lines)} more</th></tr>')
            break
        lines.append(line)
    columns = "".join(f'<th scope="col">{_safe(name)}</th>' for name in header)
    head = f"<thead><tr>{columns}</tr></thead>" if header else ""
    return _framed(
        f"<table><caption>{_safe(title)}</caption>{head}<tbody>{''.join(lines)}</tbody></table>"
    )


def _framed(inside: str) -> str:
    """Return a table with its style rules, each for the elements of this table only."""
    from hashlib import sha256

    name = "exactperm-" + sha256(inside.encode()).hexdigest()[:12]
    rules = re.sub(r"(?m)^|, ", lambda found: f"{found[0]}#{name} ", _STYLE.strip())
    return f'<div id="{name}"><style>\n{rules}\n</style>{inside}</div>'


def _safe(text: str) -> str:
    """Return text for HTML: escaped, without control characters, and cut."""
    from html import escape  # its entities take longer to load than a test: not for lines of text

    text = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: MOST_LETTERS + 1]
    )
    return escape(
        text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}\N{HORIZONTAL ELLIPSIS}"
    )
