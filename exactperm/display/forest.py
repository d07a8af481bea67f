"""Draw intervals as an SVG picture: one row for each, and a line at zero."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor, log10
from typing import NamedTuple

from ..arithmetic.rational import Exact
from ..arithmetic.writing import placed_text
from .distribution import ticks
from .frame import LINE, clipped, escaped, framed, short_number, stacked, titled, wrapped

_ROW = 36  # a name, and its interval below
_PLOT = 270  # width of the part with the intervals
_LEAST_WIDTH = 480
_LEFT = 14
_LETTER = 7.4  # width of a letter at most, on average
_MOST_LETTERS = 60  # of a row's name
_REPEATED = 15  # rows after which the numbers of the axis come again
_MOST_PLACES = 9  # of numbers, and zeros of a unit; beyond, powers of ten

_STYLE = """
.mass { fill: %(mass)s; }
.tail { fill: %(tail)s; }
.scale { paint-order: stroke; stroke: %(page)s; stroke-width: 4; }
.zero { stroke: %(ink)s; stroke-width: 1.5; stroke-dasharray: 5 4; }
"""


class Span(NamedTuple):
    """One row of a forest plot: a name, an estimate, and an interval around it; an end that is None is infinite.

    ``sharp`` says of each end whether it is known exactly.
    """

    name: str
    estimate: Exact
    low: Exact | None
    high: Exact | None
    sharp: tuple[bool, bool] = (True, True)

    def mirrored(self) -> Span:
        """Return the row of the difference with the other sign."""
        low, high = [None if end is None else -end for end in (self.high, self.low)]
        return Span(self.name, -self.estimate, low, high, self.sharp[::-1])


class _Axis(NamedTuple):
    """Maps values to places from ``low`` at the left to ``high`` at the right; exact until the last step."""

    low: Exact
    high: Exact

    def x(self, value: Exact) -> float:
        """Return the place of a value."""
        return _LEFT + float(Fraction(value - self.low) / (self.high - self.low)) * _PLOT


def forest(spans: Sequence[Span], *, title: str, label: str, note: str, legend: str) -> str:
    """Return the picture as the text of an SVG file.

    Intervals without zero have the colour of the square before the ``legend``. An end that is known
    exactly has a tall bar, one that is enclosed a short one, and an infinite one an arrow.
    ``label`` names the axis, whose numbers are repeated, so that every part of a long picture shows
    some. The numbers of all rows have the same places, and ends are rounded outward. Readable with
    some 200 rows. Cost: linear.
    """
    values = [0, *_values(spans)]
    margin = Fraction(max(values) - min(values), 60) or 1
    axis = _Axis(low=min(values) - margin, high=max(values) + margin)
    places = _places(axis, spans)
    texts = [_numbers(span, places) for span in spans]
    right = _LEFT + _PLOT + 10 + int(_LETTER * max(map(len, texts)))
    width = max(right + _LEFT, _LEAST_WIDTH)
    lines = wrapped(note, int((width - 2 * _LEFT) / _LETTER))
    heading, more = titled(title, width, _LEFT)
    marks = 50 + more + LINE * len(lines)
    top = marks + 40
    tops = [top + _ROW * i + 18 * (i // _REPEATED) for i in range(len(spans))]
    bottom = tops[-1] + _ROW + 6
    parts = [
        *heading,
        *stacked(lines, f'x="{_LEFT}"', 50 + more),
        f'<rect class="tail" x="{_LEFT}" y="{marks - 11}" width="12" height="12" rx="2"/>',
        f'<text x="{_LEFT + 19}" y="{marks}">{escaped(legend)}</text>',
        *_lines(axis, top, bottom, [y - 3 for y in tops[_REPEATED::_REPEATED]]),
        *map(_row, [axis] * len(spans), spans, texts, tops),
        f'<text x="{_LEFT + _PLOT // 2}" y="{bottom + 40}" text-anchor="middle">{escaped(label)}</text>',
    ]
    box = 0, width, bottom + 40 + _LEFT
    return framed(title, box, parts, _STYLE, kind="forest")


def _lines(axis: _Axis, top: int, bottom: int, between: Sequence[int]) -> list[str]:
    """Return the numbers above, below and ``between`` the rows, and the line at zero."""
    parts = []
    for value in ticks(axis.low, axis.high, 7):
        x = f"{axis.x(value):.2f}"
        parts.append(f'<line class="grid" x1="{x}" y1="{top}" x2="{x}" y2="{bottom}"/>')
        for y in (top - 6, *between, bottom + 18):
            parts.append(
                f'<text class="scale" x="{x}" y="{y}" text-anchor="middle">{short_number(value)}</text>'
            )
    zero = f"{axis.x(0):.2f}"
    return [f'<line class="zero" x1="{zero}" y1="{top}" x2="{zero}" y2="{bottom}"/>', *parts]


def _row(axis: _Axis, span: Span, text: str, top: int) -> str:
    """Return a name and, below it, an interval with its ends and its estimate, and the numbers."""
    outside = (span.low is not None and span.low > 0) or (span.high is not None and span.high < 0)
    kind, y = "tail" if outside else "mass", top + 24
    ends = (_LEFT, span.low, span.sharp[0], 7), (_LEFT + _PLOT, span.high, span.sharp[1], -7)
    places, marks = [], []
    for edge, end, sharp, way in ends:
        x = edge if end is None else axis.x(end)
        tall = 5 if sharp else 2.5
        places.append(x)
        mark = (
            f'<rect class="{kind}" x="{x - 1:.2f}" y="{y - tall}" width="2" height="{2 * tall:g}"/>'
        )
        if end is None:
            mark = f'<path class="{kind}" d="M{x:.2f} {y}l{way} -4v8z"/>'
        marks.append(mark)
    start, stop = places
    return f"""<text class="name scale" x="{_LEFT}" y="{top + 12}">{escaped(clipped(span.name, _MOST_LETTERS))}</text>
<line class="grid" x1="{_LEFT}" y1="{y}" x2="{_LEFT + _PLOT}" y2="{y}"/>
<rect class="{kind}" x="{start:.2f}" y="{y - 1}" width="{stop - start:.2f}" height="2"/>
{marks[0]}
{marks[1]}
<circle class="name" cx="{axis.x(span.estimate):.2f}" cy="{y}" r="2.5"/>
<text x="{_LEFT + _PLOT + 10}" y="{y + 4}">{text}</text>"""


def _values(spans: Sequence[Span]) -> list[Exact]:
    return [x for span in spans for x in (span.estimate, span.low, span.high) if x is not None]


def _places(axis: _Axis, spans: Sequence[Span]) -> int:
    """Return the decimal places that are as fine as the picture, or fewer that write all values exactly."""
    places = -floor(log10(Fraction(axis.high - axis.low) / _PLOT))
    if places < 0:
        return 0 if places >= -_MOST_PLACES else places
    return next(
        (p for p in range(places) if all((x * 10**p) % 1 == 0 for x in _values(spans))), places
    )


def _numbers(span: Span, places: int) -> str:
    """Write a row's numbers, the estimate rounded to nearest and the ends outward."""
    unit = Fraction(10) ** -places
    low = "-\N{INFINITY}" if span.low is None else _text(floor(span.low / unit), places)
    high = "\N{INFINITY}" if span.high is None else _text(ceil(span.high / unit), places)
    text = f"{_text(round(span.estimate / unit), places)} [{low}, {high}]"
    return text.replace("-", "\N{MINUS SIGN}")


def _text(number: int, places: int) -> str:
    """Write a number of units of 10**-places.

    >>> _text(1234, 3), _text(12, 20), _text(12, -20)
    ('1.234', '12e-20', '12e20')
    """
    return placed_text(number, places) if 0 <= places <= _MOST_PLACES else f"{number}e{-places}"
