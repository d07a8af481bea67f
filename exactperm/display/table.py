"""Tables in HTML for notebooks and pages, from plain texts; knows no test.

They take letters and colours from the page around them, so they are readable in its light and its dark theme. Each has
an id made of its content, which its style rules carry, so that they change nothing else in the page.
"""

from __future__ import annotations

from html import escape

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MOST_BYTES = 24_000
"""Size at which a table ends; a picture beside it has at most as much again."""
_MOST_LETTERS = 300

_STYLE = """
table { border-collapse: collapse; color: inherit; font-size: 0.9em; margin: 0.5em 0; }
caption { text-align: left; font-weight: bold; padding-bottom: 0.3em; caption-side: top; color: inherit; }
th, td { text-align: left; vertical-align: top; padding: 0.15em 1em 0.15em 0; min-width: 4.5em; color: inherit; }
th, td { overflow-wrap: anywhere; }
thead th { border-bottom: 1px solid; }
"""


def table(title: str, rows: Iterable[Sequence[str]], header: Sequence[str] = ()) -> str:
    """Return rows of texts as an HTML table; the first cell of each is its heading.

    All texts are escaped, and cut after 300 letters. Of more than some 24 KB the last rows are counted, not shown.
    """
    lines: list[str] = []
    left = _MOST_BYTES
    rows = list(rows)
    for row in rows:
        line = f'<tr><th scope="row">{_safe(row[0])}</th>{"".join(f"<td>{_safe(cell)}</td>" for cell in row[1:])}</tr>'
        left -= len(line.encode())
        if left < 0:
            lines.append(f'<tr><th scope="row">and {len(rows) - len(lines)} more</th></tr>')
            break
        lines.append(line)
    columns = "".join(f'<th scope="col">{_safe(name)}</th>' for name in header)
    head = f"<thead><tr>{columns}</tr></thead>" if header else ""
    return _framed(f"<table><caption>{_safe(title)}</caption>{head}<tbody>{''.join(lines)}</tbody></table>")


def _framed(inside: str) -> str:
    from hashlib import sha256

    name = "exactperm-" + sha256(inside.encode()).hexdigest()[:12]
    rules = "".join(
        f"{', '.join(f'#{name} {selector.strip()}' for selector in selectors.split(','))} {{{rule}\n"
        for selectors, _, rule in (line.partition("{") for line in _STYLE.strip().split("\n"))
    )
    return f'<div id="{name}"><style>\n{rules}</style>{inside}</div>'


def _safe(text: str) -> str:
    """Return text for HTML: escaped, without control characters, and cut."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: _MOST_LETTERS + 1])
    return escape(text if len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}\N{HORIZONTAL ELLIPSIS}")
