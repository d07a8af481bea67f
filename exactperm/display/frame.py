"""Frame every picture: letters, colours, and an id that no other picture has.

Pictures can share a page with each other and with the page's own text: each has an id made of its
content, and all its style rules carry that id.
"""

from __future__ import annotations

import re

from ..arithmetic.rational import Exact
from ..arithmetic.writing import decimal_string, number_text

MINUS = "\N{MINUS SIGN}"

ID = "\0"
"""Placeholder of a picture's id: a character that no text of a picture can hold."""

STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; fill: %(soft)s; }
.title { font-size: 15px; font-weight: 600; fill: %(ink)s; }
.name { font-weight: 600; fill: %(ink)s; }
.page { fill: %(page)s; }
.grid { stroke: %(grid)s; }
.axis { stroke: %(soft)s; }
"""
LINE = 19
"""Distance of two lines of text."""
_MOST_LINES = 9
"""Of a text in a picture; only what is longer is cut."""
_TITLE_LETTER = 9.6
"""Width of a letter of a title at most, on average."""
_COLOURS = ("ink", "soft", "page", "grid", "mass", "tail", "better")
LIGHT = dict(
    zip(_COLOURS, ("#0f172a", "#475569", "#ffffff", "#e2e8f0", "#9fb3c8", "#c2410c", "#1d4ed8"))
)
DARK = dict(
    zip(_COLOURS, ("#f8fafc", "#b6c2d1", "#0f172a", "#2b3a50", "#5f7893", "#fb923c", "#93c5fd"))
)
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def framed(
    title: str, box: tuple[int, int, int], parts: list[str], style: str, *, kind: str
) -> str:
    """Return the file of a picture, with its style rules after those of all pictures.

    ``box``: upper end, width and height in units of the picture; on a large screen it is at least
    640 pixels wide. The id is ``kind`` and a hash of all that is shown, so that other pictures in a page
    have other ids.
    """
    from hashlib import sha256

    y, width, height = box
    shown = max(640, width)
    name = (
        f"{kind}-" + sha256("\n".join([title, *parts]).encode("utf-8", "replace")).hexdigest()[:12]
    )
    rules = (STYLE + style).replace("\n\n", "\n")
    dark = f"@media (prefers-color-scheme: dark) {{\n{rules_of(name, rules, DARK)}}}\n"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" id="{name}" viewBox="0 {y} {width} {height}" width="{shown}" '
            f'height="{shown * height // width}" style="max-width: 100%; height: auto" role="img" '
            f'aria-label="{escaped(title)}">',
            f"<title>{escaped(title)}</title>",
            f"<style>\n{rules_of(name, rules, LIGHT)}{dark}</style>",
            f'<rect class="page" y="{y}" width="{width}" height="{height}"/>',
            *(part.replace(ID, name) for part in parts),
            "</svg>\n",
        ]
    )


def rules_of(name: str, style: str, colours: dict[str, str]) -> str:
    """Return the style rules, each for the elements of one picture only."""
    return "".join(f"#{name} {rule}\n" for rule in (style % colours).strip().split("\n"))


def short_number(value: Exact) -> str:
    """Return a number in at most about nine characters: a true minus sign, and commas between thousands."""
    text = number_text(value)
    if len(text) > 9 or "/" in text:
        text = decimal_string(value, 3)
    elif value.denominator == 1:
        text = f"{value.numerator:,}"
    return text.replace("-", MINUS)


def three_digits(value: Exact) -> str:
    """Return a number as a reader of a picture wants it: three digits, or all before the point, or a short one in full.

    >>> from fractions import Fraction
    >>> three_digits(Fraction(-9930299687, 10**11)), three_digits(Fraction(12345, 8)), three_digits(Fraction(19, 4))
    ('\N{MINUS SIGN}0.0993', '1,543', '4.75')
    """
    text = number_text(value)
    if value.denominator != 1 and (len(text) > 7 or "/" in text):
        if -100 < value < 100:
            return decimal_string(value, 3).replace("-", MINUS)
        value = round(value)
    return short_number(value)


def clipped(text: str, most: int) -> str:
    """Return a text in at most so many characters; an ellipsis says that it is cut."""
    return text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}"


def wrapped(text: str, most: int) -> list[str]:
    """Return lines of at most ``most`` characters, broken at blanks, or inside a word that is longer."""
    from textwrap import wrap

    return wrap(clipped(text, _MOST_LINES * most), most, break_on_hyphens=False) or [""]


def titled(title: str, width: int, left: int) -> tuple[list[str], int]:
    """Return the one or two lines of a title at the upper left, and the height that the second one adds."""
    lines = wrapped(title, int((width - 2 * left) / _TITLE_LETTER))
    return stacked(lines, f'class="title" x="{left}"', 30), LINE * (len(lines) - 1)


def stacked(lines: list[str], place: str, y: float, more: str = "") -> list[str]:
    """Return lines of text below each other, the first at the height ``y``; ``place`` and ``more`` are attributes."""
    return [
        f'<text {place} y="{y + LINE * i}"{more}>{escaped(line)}</text>'
        for i, line in enumerate(lines)
    ]


def escaped(text: str) -> str:
    """Return text for an SVG file; control characters and what XML does not allow become question marks."""
    allowed = re.sub("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]", "?", text)
    return allowed.translate(_ENTITIES)
