"""Tables from rows of plain texts, as text and in HTML for notebooks and pages; knows no test.

Tables in HTML take letters and colours from the page around them, so they are readable in its light
and its dark theme. Each has an id made of its content, which its style rules carry, so that they
change nothing else in the page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .._types import Any
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

_SORTED = """
table { display: grid; grid-template-columns: repeat(%(columns)d, auto); justify-content: start; }
caption { grid-column: 1 / -1; }
thead, tbody { display: contents; }
tr { display: grid; grid-template-columns: subgrid; grid-column: 1 / -1; }
label { cursor: pointer; }
input { margin: 0 0.4em 0 0; }
"""
"""Rows of a grid can have an order: a header's radio button chooses the numbers that sort them,
without a script."""

_ID = "\0"
"""Placeholder of a table's id: a character that no text of a table can hold."""


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


def table(
    title: str,
    rows: Iterable[Sequence[str]],
    header: Sequence[str] = (),
    keys: Iterable[Sequence[Any]] = (),
) -> str:
    """Return rows of texts as an HTML table; the first cell of each is its heading.

    With ``keys``, for each row one value per column, the reader can sort the rows by any column.
    All texts are escaped, and cut after 300 letters. Of more than some 24 KB the last rows are
    counted, not shown.
    """
    lines: list[str] = []
    left = _MOST_BYTES
    rows = list(rows)
    order = list(zip(*map(places, zip(*keys))))
    for row, styled in zip(rows, map(_placed, order) if order else [""] * len(rows)):
        cells = "".join(f"<td>{_safe(cell)}</td>" for cell in row[1:])
        line = f'<tr{styled}><th scope="row">{_safe(row[0])}</th>{cells}</tr>'
        left -= len(line.encode())
        if left < 0:
            last = f' style="order:{len(rows)}"' if order else ""
            lines.append(f'<tr{last}><th scope="row">and {len(rows) - len(lines)} more</th></tr>')
            break
        lines.append(line)
    names = [_sorting(i, _safe(name)) if order else _safe(name) for i, name in enumerate(header)]
    columns = "".join(f'<th scope="col">{name}</th>' for name in names)
    head = f"<thead><tr>{columns}</tr></thead>" if header else ""
    inside = (
        f"<table><caption>{_safe(title)}</caption>{head}<tbody>{''.join(lines)}</tbody></table>"
    )
    return _framed(inside, len(header) if order else 0)


def places(column: Sequence[Any]) -> list[int]:
    """Return the place of each value of a column in their order; equal values keep theirs."""
    found = [0] * len(column)
    for place, i in enumerate(sorted(range(len(column)), key=column.__getitem__)):
        found[i] = place
    return found


def _placed(places: Sequence[int]) -> str:
    return f' style="{"".join(f"--o{i}:{place};" for i, place in enumerate(places))}"'


def _sorting(i: int, name: str) -> str:
    return f'<label><input type="radio" name="{_ID}" value="{i}"/>{name}</label>'


def _framed(inside: str, sorted_columns: int) -> str:
    from hashlib import sha256

    name = "exactperm-" + sha256(inside.encode()).hexdigest()[:12]
    style = _STYLE + (_SORTED.lstrip() % {"columns": sorted_columns} if sorted_columns else "")
    rules = "".join(
        f"{', '.join(f'#{name} {selector.strip()}' for selector in selectors.split(','))} {{{rule}\n"
        for selectors, _, rule in (line.partition("{") for line in style.strip().split("\n"))
    )
    rules += "".join(
        f'#{name}:has(input[value="{i}"]:checked) tbody tr {{ order: var(--o{i}); }}\n'
        for i in range(sorted_columns)
    )
    return f'<div id="{name}"><style>\n{rules}</style>{inside.replace(_ID, name)}</div>'


def _safe(text: str) -> str:
    """Return text for HTML: escaped, without control characters, and cut."""
    from html import escape  # its entities take longer to load than a test: not for lines of text

    text = "".join(
        c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text[: MOST_LETTERS + 1]
    )
    return escape(
        text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]}\N{HORIZONTAL ELLIPSIS}"
    )
