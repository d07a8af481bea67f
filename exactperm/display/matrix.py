"""Draw a table of decisions between systems as an SVG picture: one row and one column for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..arithmetic.rational import Exact
from .frame import LINE, clipped, escaped, framed, short_number, stacked, titled, wrapped

_WIDE, _HIGH = 46, 38
"""Size of a cell, which holds a sign and a p-value."""
_SQUARE = 20
"""Size of a square of the legend."""
_MARGIN = 16
_LETTER = 7.3
"""Width of a letter at most, on average."""
_MOST_LETTERS = 30
_LEAST_WIDTH = 480

KINDS = {
    "better": ("+", "row is better"),
    "worse": ("\N{MINUS SIGN}", "row is worse"),
    "open": ("?", "undecided"),
    "same": ("\N{MIDDLE DOT}", "no decision"),
}
"""Sign and meaning of each kind of cell; the sign says it without colours."""

_STYLE = """
.better { fill: %(better)s; }
.worse { fill: %(tail)s; }
.open { fill: %(grid)s; }
.same { fill: %(grid)s; }
.sign { font-weight: 700; font-size: 15px; }
.small { font-size: 11px; }
.on { fill: %(page)s; }
"""


def matrix(
    names: Sequence[str],
    values: Sequence[Exact],
    cells: Mapping[tuple[int, int], tuple[str, str, str]],
    *,
    title: str,
    note: str,
    label: str,
) -> str:
    """Return the picture as the text of an SVG file.

    ``names`` are those of the systems from the top down, ``values`` their numbers, under the word
    ``label``. ``cells`` maps (row, column) to a kind of :data:`KINDS`, a short text below its sign,
    and the words that a pointer shows. Readable with 20 systems; larger tables scroll. Cost: one
    mark per cell.
    """
    shown = [clipped(name, _MOST_LETTERS) for name in names]
    numbers = list(map(short_number, values))
    number = _MARGIN + int(_LETTER * len(str(len(names)))) + 8
    value = number + int(_LETTER * max(map(len, shown)) * 1.1) + 24
    left = value + int(_LETTER * max(map(len, [*numbers, label]))) + 16
    used = {kind for kind, *_texts in cells.values()}
    legend = [kind for kind in KINDS if kind in used]
    width = max(left + _WIDE * len(names) + _MARGIN, _LEAST_WIDTH)
    lines = wrapped(note, int((width - 2 * _MARGIN) / _LETTER))
    parts, more = titled(title, width, _MARGIN)
    top = 44 + more + LINE * len(lines) + 26 + 30
    parts += stacked(lines, f'x="{_MARGIN}"', 50 + more)
    x = _MARGIN
    for kind in legend:
        parts += _cell(kind, (x, top - 54, _SQUARE, _SQUARE), KINDS[kind][1])
        parts.append(f'<text x="{x + 27}" y="{top - 39}">{KINDS[kind][1]}</text>')
        x += 27 + int(_LETTER * len(KINDS[kind][1])) + 16
    parts.append(f'<text x="{left - 16}" y="{top - 8}" text-anchor="end">{escaped(label)}</text>')
    for i, (name, said) in enumerate(zip(shown, numbers)):
        middle = top + _HIGH * i + _HIGH / 2 + 4.5
        parts += [
            f'<text x="{left + _WIDE * i + _WIDE / 2:g}" y="{top - 8}" text-anchor="middle">{i + 1}</text>',
            f'<text x="{number - 8}" y="{middle:g}" text-anchor="end">{i + 1}</text>',
            f'<text class="name" x="{number}" y="{middle:g}">{escaped(name)}</text>',
            f'<text x="{left - 16}" y="{middle:g}" text-anchor="end">{escaped(said)}</text>',
        ]
    for (i, j), (kind, below, words) in cells.items():
        parts += _cell(kind, (left + _WIDE * j, top + _HIGH * i, _WIDE, _HIGH), words, below)
    height = top + _HIGH * len(names) + _MARGIN
    return framed(title, (0, width, height), parts, _STYLE, kind="matrix")


def _cell(kind: str, box: tuple[int, int, int, int], words: str, below: str = "") -> list[str]:
    x, y, wide, high = box
    on = " on" if kind in ("better", "worse") else ""
    middle = f'x="{x + wide / 2:g}" text-anchor="middle"'
    sign = y + high / 2 + (-1 if below else 5)
    small = f'<text class="small{on}" {middle} y="{y + high - 7}">{escaped(below)}</text>'
    return [
        f'<g><title>{escaped(words)}</title><rect class="{kind}" x="{x + 1}" y="{y + 1}" width="{wide - 2}" '
        f'height="{high - 2}" rx="3"/><text class="sign{on}" {middle} y="{sign:g}">{KINDS[kind][0]}</text>{small if below else ""}</g>'
    ]
