"""A null distribution as an SVG picture: the observed value marked, the tail behind the p-value shaded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import floor

from .arithmetic.rational import log10
from .arithmetic.writing import decimal_string, fraction_text, number_text, readable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .arithmetic.rational import Exact
    from .null.alternative import Alternative
    from .null.distribution import NullDistribution

    Column = tuple[Exact, Exact, Fraction]
    """Left edge, right edge, height."""

_WIDTH, _HEIGHT = 860, 430
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 836, 96, 364
_MOST_COLUMNS = 480
_MOST_BARS = 120
_INTERVALS = 120
_CUT = 2**20
"""Ends of the support with less than this part of the assignments are outside the picture."""

_STYLE = """
text { font-family: system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif; fill: #334155; }
.title { font-size: 19px; font-weight: 600; fill: #0f172a; }
.note { font-size: 14px; }
.tick { font-size: 12px; fill: #64748b; }
.grid { stroke: #e2e8f0; }
.axis { stroke: #64748b; }
.mass { fill: #9fb3c8; }
.tail { fill: #c2410c; }
.observed { stroke: #0f172a; stroke-width: 1.5; stroke-dasharray: 5 4; }
.name { font-size: 13px; font-weight: 600; fill: #0f172a; }
"""


def svg(null: NullDistribution, observed: Exact, alternative: Alternative, *, title: str, label: str) -> str:
    """The picture as the text of an SVG file.

    ``observed`` is the value to mark, ``alternative`` tells which tail is shaded, ``label`` names the horizontal axis.
    Far ends that hold less than a millionth of the assignments are left out, unless the observed value is there; more
    than 120 values become a histogram of at most 480 columns. Cost: one division for each value.
    """
    low_cut, high_cut = _tails(null, observed, alternative)
    seen = _visible(null, low_cut, high_cut)
    values, counts = null.support[seen], null.counts[seen]
    shape, line = (_bars, _separate) if len(values) <= _MOST_BARS else (_histogram, _outline)
    columns, height = shape(values, counts, null.total)
    scale = _Scale(columns)
    path = line(columns, scale)
    p = null.pvalue(observed, alternative)
    kind = f"one-sided ({alternative})" if alternative in ("less", "greater") else alternative
    note = f"{kind} p = {decimal_string(p, 6)}" + (f" = {fraction_text(p)}" if p < 1 else "")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" '
            f'height="{_HEIGHT}" role="img" aria-label="{_escaped(title)}">',
            f"<title>{_escaped(title)}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>',
            f'<text class="title" x="{_LEFT}" y="32">{_fitting(title, 70)}</text>',
            f'<rect class="tail" x="{_LEFT}" y="45" width="12" height="12" rx="2"/>',
            f'<text class="note" x="{_LEFT + 19}" y="56">{_escaped(note)}</text>',
            *_axes(scale, label, height),
            *_shaded(path, scale, low_cut, high_cut),
            *_marked(scale, observed),
            "</svg>\n",
        ]
    )


def _tails(null: NullDistribution, observed: Exact, alternative: Alternative) -> tuple[Exact | None, Exact | None]:
    """Where the lower tail ends and the upper tail begins, half-way to the next value; None for no such tail."""
    support = null.support
    low, high = null.extreme_region(observed, alternative)
    return (
        None if low is None else _edge(support, bisect_right(support, low)),
        None if high is None else _edge(support, bisect_left(support, high)),
    )


def _edge(support: tuple[Exact, ...], i: int) -> Exact:
    """The border between the values i - 1 and i: half-way, and as far outside the first and the last value."""
    if len(support) == 1:
        return support[0] + Fraction(2 * i - 1, 2)
    if i == 0:
        return support[0] - Fraction(support[1] - support[0], 2)
    if i == len(support):
        return support[-1] + Fraction(support[-1] - support[-2], 2)
    return Fraction(support[i - 1] + support[i], 2)


def _visible(null: NullDistribution, *cuts: Exact | None) -> slice:
    """The values in the picture: most of the mass, and those beside the tails' edges, as the observed one is."""
    below = list(accumulate(null.counts))
    first = bisect_right(below, null.total // _CUT)
    last = bisect_left(below, null.total - null.total // _CUT)
    for cut in cuts:
        if cut is not None:
            i = bisect_left(null.support, cut)
            first, last = min(first, max(0, i - 1)), max(last, i)
    return slice(first, last + 1)


def _bars(values: Sequence[Exact], counts: Sequence[int], total: int) -> tuple[list[Column], str]:
    """One bar for each value, all of one width, at least a 450th of the span, and what their height means."""
    gap = min(_gaps(values), default=1)
    half = max(Fraction(gap) * 19 / 50, Fraction(values[-1] - values[0]) / 900)
    return [(x - half, x + half, Fraction(count, total)) for x, count in zip(values, counts)], "probability"


def _histogram(values: Sequence[Exact], counts: Sequence[int], total: int) -> tuple[list[Column], str]:
    """Columns of one width, and what their height means.

    On evenly spaced values a column is one value, or the mean of an even number of neighbours: an odd number would
    alternate visibly where even and odd values have different probabilities. Elsewhere it is a round interval.
    """
    gap = Fraction(min(_gaps(values)))
    span = values[-1] - values[0]
    if all((x - values[0]) % gap == 0 for x in values):
        many = -(-(span / gap + 1) // _MOST_COLUMNS)
        many += many % 2 if many > 1 else 0
        width, low, height = many * gap, values[0] - gap / 2, "probability"
    else:
        many, width = 1, _round_step(span, _INTERVALS)
        low, height = values[0] // width * width, f"probability of an interval of {readable(width)}"
    sums = [0] * ((values[-1] - low) // width + 1)
    for x, count in zip(values, counts):
        sums[(x - low) // width] += count
    return [(low + i * width, low + (i + 1) * width, Fraction(c, total * many)) for i, c in enumerate(sums)], height


def _gaps(values: Sequence[Exact]) -> list[Exact]:
    return [b - a for a, b in zip(values, values[1:])]


class _Scale:
    """From values and probabilities to places in the picture; exact until the last step, whatever the values' size."""

    def __init__(self, columns: list[Column]) -> None:
        margin = Fraction(columns[-1][1] - columns[0][0]) * (Fraction(1, 60) if len(columns) > 1 else 6)
        self.low, self.high = columns[0][0] - margin, columns[-1][1] + margin
        self.top = max(height for _left, _right, height in columns)

    def x(self, value: Exact) -> float:
        share = Fraction(value - self.low) / (self.high - self.low)
        return _LEFT + float(share) * (_RIGHT - _LEFT)

    def y(self, height: Exact) -> float:
        return _BOTTOM - float(Fraction(height) / self.top) * (_BOTTOM - _TOP)


def _separate(columns: list[Column], scale: _Scale) -> str:
    """One closed line around each column."""
    return "".join(
        f"M{scale.x(left):.2f} {_BOTTOM}V{scale.y(height):.2f}H{scale.x(right):.2f}V{_BOTTOM}Z"
        for left, right, height in columns
    )


def _outline(columns: list[Column], scale: _Scale) -> str:
    """One line around all columns, which touch each other: two points for each."""
    steps = "".join(f"V{scale.y(height):.2f}H{scale.x(right):.2f}" for _left, right, height in columns)
    return f"M{scale.x(columns[0][0]):.2f} {_BOTTOM}{steps}V{_BOTTOM}Z"


def _axes(scale: _Scale, label: str, height: str) -> list[str]:
    parts = []
    for p in _ticks(Fraction(0), scale.top, 7):
        y = f"{scale.y(p):.2f}"
        parts.append(f'<line class="grid" x1="{_LEFT}" y1="{y}" x2="{_RIGHT}" y2="{y}"/>')
        parts.append(f'<text class="tick" x="{_LEFT - 8}" y="{y}" dy="4" text-anchor="end">{_tick_text(p)}</text>')
    for value in _ticks(scale.low, scale.high, 8):
        x = f"{scale.x(value):.2f}"
        parts.append(f'<line class="axis" x1="{x}" y1="{_BOTTOM}" x2="{x}" y2="{_BOTTOM + 5}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{_BOTTOM + 20}" text-anchor="middle">{_tick_text(value)}</text>')
    middle_x, middle_y = (_LEFT + _RIGHT) / 2, (_TOP + _BOTTOM) / 2
    return [
        *parts,
        f'<line class="axis" x1="{_LEFT}" y1="{_BOTTOM}" x2="{_RIGHT}" y2="{_BOTTOM}"/>',
        f'<text class="note" x="{middle_x}" y="{_BOTTOM + 46}" text-anchor="middle">{_fitting(label, 100)}</text>',
        f'<text class="note" transform="translate(22 {middle_y}) rotate(-90)" text-anchor="middle">{height}</text>',
    ]


def _ticks(low: Exact, high: Exact, most: int) -> list[Exact]:
    """Multiples of 1, 2 or 5 times a power of ten between low and high, at most ``most + 1`` of them."""
    step = _round_step(high - low, most)
    return [step * k for k in range(-(-low // step), high // step + 1)]


def _round_step(span: Exact, most: int) -> Fraction:
    """The least of 1, 2 and 5 times a power of ten of which at most ``most`` fit into ``span``.

    The logarithm is a float and may fall on the wrong side of a power of ten: the next one is tried, too.
    """
    ten = Fraction(10) ** floor(log10(Fraction(span) / most))
    return next(step for step in (ten, 2 * ten, 5 * ten, 10 * ten, 20 * ten) if span <= most * step)


def _tick_text(value: Exact) -> str:
    text = number_text(value)
    return (text if len(text) <= 9 else decimal_string(value, 3)).replace("-", "\N{MINUS SIGN}")


def _shaded(path: str, scale: _Scale, low_cut: Exact | None, high_cut: Exact | None) -> list[str]:
    """The mass, and over it the same path clipped to the tails."""
    left = _LEFT if low_cut is None else max(_LEFT, scale.x(low_cut))
    right = _RIGHT if high_cut is None else min(_RIGHT, scale.x(high_cut))
    height = f'y="{_TOP}" height="{_BOTTOM - _TOP}"'
    return [
        f'<clipPath id="tails"><rect x="{_LEFT}" width="{left - _LEFT:.2f}" {height}/>'
        f'<rect x="{right:.2f}" width="{_RIGHT - right:.2f}" {height}/></clipPath>',
        f'<path class="mass" d="{path}"/>',
        f'<path class="tail" d="{path}" clip-path="url(#tails)"/>',
    ]


def _marked(scale: _Scale, observed: Exact) -> list[str]:
    x = scale.x(observed)
    side = "start" if x < _LEFT + 80 else "end" if x > _RIGHT - 80 else "middle"
    words = f"observed {_escaped(readable(observed))}"
    return [
        f'<line class="observed" x1="{x:.2f}" y1="{_TOP - 8}" x2="{x:.2f}" y2="{_BOTTOM}"/>',
        f'<text class="name" x="{x:.2f}" y="{_TOP - 14}" text-anchor="{side}">{words}</text>',
    ]


def _fitting(text: str, most: int) -> str:
    """Text cut to the width of the picture, about ``most`` characters, and escaped."""
    return _escaped(text if len(text) <= most else f"{text[: most - 1]}\N{HORIZONTAL ELLIPSIS}")


def _escaped(text: str) -> str:
    """Text for an SVG file; characters that XML does not allow become question marks."""
    allowed = (
        c if c >= " " and not 0xD800 <= ord(c) <= 0xDFFF and ord(c) not in (0xFFFE, 0xFFFF) else "?" for c in text
    )
    return "".join(allowed).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
