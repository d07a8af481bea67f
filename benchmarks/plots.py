"""Line plots as SVG text, in the frame of the package's own pictures, so that they are readable in the dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

from exactperm.display.frame import LINE, MINUS, framed, stacked, wrapped

Point = tuple[float, float]

# as wide as a small screen, so that letters stay readable there; the legend stands below
WIDTH, MARGIN = 480, 14
RIGHT, TOP, BOTTOM = 462, 48, 300
LETTER = 7.2  # width of a letter, about
# each is seen on white and on dark paper
COLOURS = ("#2f7ed8", "#d55e00", "#009e73", "#c2609a", "#0891b2", "#b7791f", "#7f7f7f", "#8a8a2b")
SHAPES = {
    "circle": "M-3.6,0a3.6,3.6 0 1 0 7.2,0a3.6,3.6 0 1 0 -7.2,0z",
    "square": "M-3.3,-3.3h6.6v6.6h-6.6z",
    "triangle": "M0,-4.4l4.2,7.4h-8.4z",
    "diamond": "M0,-4.6l4.6,4.6l-4.6,4.6l-4.6,-4.6z",
}
FEW_TICKS = 6
MOST_MARKERS = 40  # on one curve; more would hide the line
STYLE = """
.axis, .minor, .grid { fill: none; }
.minor { stroke: %(mass)s; }
"""


def line_plot(
    series: Mapping[str, Sequence[Point]],
    *,
    title: str,
    x_label: str,
    y_label: str,
    log_x: bool = False,
    log_y: bool = False,
) -> str:
    """An SVG picture of named curves, each a list of (x, y); the legend lists them in the order given.

    Curves differ in colour and in the shape of their markers. Markers tell their values when
    pointed at. Raises ``ValueError`` for no points, or for values that a logarithmic axis cannot
    show.
    """
    points = [point for curve in series.values() for point in curve]
    if not points:
        raise ValueError("there is nothing to plot")
    y_axis = Axis([y for _, y in points], BOTTOM, TOP, log_y)
    left = 40 + LETTER * max(len(tick_text(y)) for y in y_axis.ticks)
    x_axis = Axis([x for x, _ in points], left, RIGHT, log_x)
    body = [*_frame(x_axis, y_axis, x_label, y_label)]
    curves = {name: sorted(curve) for name, curve in series.items() if curve}
    styles = {
        name: (
            COLOURS[i % len(COLOURS)],
            [*SHAPES][i % len(SHAPES)] if _marked(curves[name]) else "",
        )
        for i, name in enumerate(curves)
    }
    for name, curve in curves.items():
        places = [(x_axis(x), y_axis(y)) for x, y in curve]
        told = [f"{name}: {x:g}, {y:.4g}" for x, y in curve]
        body += _curve(places, told, *styles[name])
    across = 1 if max(map(len, curves)) > 24 else 2 if max(map(len, curves)) > 10 else 4
    for i, name in enumerate(curves):
        x = MARGIN + (WIDTH - 2 * MARGIN) / across * (i % across)
        body += _legend(name, *styles[name], x, BOTTOM + 70 + 22 * (i // across))
    titles = wrapped(title, 48)
    top = -LINE * (len(titles) - 1)
    body += stacked(titles, f'class="title" x="{MARGIN}"', 28 + top)
    height = BOTTOM + 70 + 22 * -(-len(curves) // across)
    return framed(title, (top, WIDTH, height - top), body, STYLE, kind="plot")


def _marked(curve: Sequence[Point]) -> bool:
    return len(curve) <= MOST_MARKERS


class Axis:
    """The way from values to pixels, and where the ticks are."""

    def __init__(self, values: Sequence[float], start: float, end: float, log: bool) -> None:
        if log and min(values) <= 0:
            raise ValueError(f"a logarithmic axis cannot show {min(values)}")
        self.log, self.start, self.end = log, start, end
        low, high = self._scaled(min(values)), self._scaled(max(values))
        room = 0.04 * (high - low) or 0.5
        self.low, self.high = low - room, high + room
        self.ticks = self._log_ticks() if log else self._even_ticks()

    def __call__(self, value: float) -> float:
        """The pixel of a value."""
        share = (self._scaled(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)

    def minor(self) -> list[float]:
        """Unlabelled marks between the powers of ten of a logarithmic axis."""
        if not self.log or self.high - self.low > FEW_TICKS:
            return []
        decades = range(math.floor(self.low), math.ceil(self.high))
        return [
            m * 10.0**e
            for e in decades
            for m in range(2, 10)
            if self.low <= math.log10(m * 10.0**e) <= self.high
        ]

    def _scaled(self, value: float) -> float:
        return math.log10(value) if self.log else value

    def _log_ticks(self) -> list[float]:
        """Powers of ten; of wide ranges some, in narrow ones also 2 and 5 times them."""
        decades = list(range(math.ceil(self.low), math.floor(self.high) + 1))
        if len(decades) >= 3:
            step = -(-len(decades) // 9)
            return [10.0**e for e in decades if e % step == 0]
        around = range(math.floor(self.low), math.ceil(self.high) + 1)
        fine = [m * 10.0**e for e in around for m in (1, 2, 5)]
        return [x for x in fine if self.low <= math.log10(x) <= self.high]

    def _even_ticks(self) -> list[float]:
        raw = (self.high - self.low) / FEW_TICKS
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw)
        first = math.ceil(self.low / step)
        return [round(i * step, 12) for i in range(first, math.floor(self.high / step) + 1)]


def tick_text(value: float) -> str:
    """A number as an axis shows it: 20,000, 0.05, or a power of ten with a raised exponent.

    >>> tick_text(20000), tick_text(0.05), tick_text(1e-9)
    ('20,000', '0.05', '10⁻⁹')
    """
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return f"{value:,.10g}".replace("-", MINUS)
    exponent = math.floor(math.log10(abs(value)) + 1e-9)
    mantissa = f"{value / 10.0**exponent:.3g}"
    raised = str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10{raised}" if mantissa == "1" else f"{mantissa}·10{raised}"


def _frame(x_axis: Axis, y_axis: Axis, x_label: str, y_label: str) -> list[str]:
    left, right, top, bottom = x_axis.start, RIGHT, TOP, BOTTOM
    lines = []
    for x in x_axis.minor():
        lines.append(_line(x_axis(x), bottom, x_axis(x), bottom + 4, "minor"))
    for y in y_axis.minor():
        lines.append(_line(left - 4, y_axis(y), left, y_axis(y), "minor"))
    for x in x_axis.ticks:
        lines += [
            _line(x_axis(x), top, x_axis(x), bottom, "grid"),
            _line(x_axis(x), bottom, x_axis(x), bottom + 7, "axis"),
            _text(x_axis(x), bottom + 22, tick_text(x), 'text-anchor="middle"'),
        ]
    for y in y_axis.ticks:
        lines += [
            _line(left, y_axis(y), right, y_axis(y), "grid"),
            _line(left - 7, y_axis(y), left, y_axis(y), "axis"),
            _text(left - 11, y_axis(y) + 4.5, tick_text(y), 'text-anchor="end"'),
        ]
    middle = (top + bottom) / 2
    return [
        *lines,
        f'<path class="axis" d="M{left} {top}V{bottom}H{right}"/>',
        _text((left + right) / 2, bottom + 46, x_label, 'text-anchor="middle"'),
        _text(18, middle, y_label, f'text-anchor="middle" transform="rotate(-90 18 {middle})"'),
    ]


def _curve(places: Sequence[Point], told: Sequence[str], colour: str, shape: str) -> list[str]:
    path = " ".join(f"{x},{y}" for x, y in places)
    lines = [
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8" stroke-linejoin="round"/>'
    ]
    if shape:
        for (x, y), text in zip(places, told):
            lines.append(f"<g>{_marker(shape, x, y, colour)}<title>{escape(text)}</title></g>")
    return lines


def _legend(name: str, colour: str, shape: str, left: float, y: float) -> list[str]:
    return [
        f'<path d="M{left} {y}h26" stroke="{colour}" stroke-width="1.8"/>',
        *([_marker(shape, left + 13, y, colour)] if shape else []),
        _text(left + 34, y + 4.5, name),
    ]


def _marker(shape: str, x: float, y: float, colour: str) -> str:
    return f'<path transform="translate({x} {y})" d="{SHAPES[shape]}" fill="{colour}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    return f'<path class="{kind}" d="M{x1} {y1}L{x2} {y2}"/>'


def _text(x: float, y: float, text: str, attributes: str = "") -> str:
    return f'<text x="{x}" y="{y}" {attributes}>{escape(text)}</text>'
