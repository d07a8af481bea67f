"""Draw a distribution as an SVG picture from plain numbers: one value marked, its tails shaded."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from math import floor

from ..arithmetic.rational import Exact, log10
from ..arithmetic.writing import readable
from .frame import ID, LINE, framed, short_number, stacked, three_digits, wrapped

Column = tuple[Exact, Exact, Fraction]
"""Left edge, right edge, height."""

_WIDTH, _HEIGHT = 480, 300
"""Units of the picture below its text lines; about as wide as a small screen, so that its letters
stay readable."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 72, 468, 26, 246
"""Edges of the area of the distribution; the left one gives way to long numbers."""
_LETTER = 7.4
"""Width of a digit at most."""
_MARGIN = 14
_LABEL_LETTERS = 52
"""Letters of a line below the axis."""
_MOST_COLUMNS = 480
_MOST_BARS = 120
_INTERVALS = 120
_CUT = 2**20
"""Ends of the support with less than this part of the assignments are outside the picture."""

_STYLE = """
.mass { fill: %(mass)s; }
.tail { fill: %(tail)s; }
.observed { stroke: %(ink)s; stroke-width: 1.5; stroke-dasharray: 5 4; }
"""


def svg(
    support: Sequence[Exact],
    counts: Sequence[int],
    *,
    title: str,
    label: str,
    note: str,
    observed: Exact | None = None,
    low: Exact | None = None,
    high: Exact | None = None,
) -> str:
    """Return the picture as the text of an SVG file.

    ``support`` holds the values in ascending order, ``counts`` the number of assignments that
    attain each. ``observed`` is marked unless None; values up to ``low`` and from ``high`` on are
    shaded (None: no such tail), ``note`` says what that means; ``label`` names the horizontal axis.
    Far ends that hold less than a millionth of the assignments are left out, unless the observed
    value or a tail's edge is there; more than 120 values become a histogram of at most 480 columns.
    Cost: one division per value.
    """
    low_cut = None if low is None else _edge(support, bisect_right(support, low))
    high_cut = None if high is None else _edge(support, bisect_left(support, high))
    seen = _visible(support, counts, low_cut, high_cut)
    values, shown, total = support[seen], counts[seen], sum(counts)
    shape = _bars if len(values) <= _MOST_BARS else _histogram
    columns, height = shape(values, shown, total)
    return binned(
        columns,
        title=title,
        label=label,
        note=note,
        height=height,
        observed=observed,
        low=low_cut,
        high=high_cut,
    )


def binned(
    columns: list[Column],
    *,
    title: str,
    label: str,
    note: str,
    height: str,
    observed: Exact | None = None,
    low: Exact | None = None,
    high: Exact | None = None,
) -> str:
    """Return the picture of a distribution that is known in columns, one right of the other.

    ``height`` names the other axis; the tails end at ``low`` and begin at ``high``, all else is as
    in :func:`svg`. The picture reaches as far as the observed value.
    """
    left, right = columns[0][0], columns[-1][1]
    if observed is not None:
        left, right = min(observed, left), max(observed, right)
    ends = (left, columns[0][0], Fraction(0)), (columns[-1][1], right, Fraction(0))
    scale = _Scale([each for each in (ends[0], *columns, ends[1]) if each[0] < each[1]])
    above, y = _heading(title, note, tail=low is not None or high is not None)
    below = wrapped(label, _LABEL_LETTERS)
    parts = [
        *above,
        *_axes(scale, below, height),
        _shaded(scale, low, high),
        "" if observed is None else _marked(scale, observed),
    ]
    box = y, _WIDTH, _HEIGHT - y + LINE * (len(below) - 1)
    return framed(title, box, parts, _STYLE, kind="null")


def _heading(title: str, note: str, *, tail: bool) -> tuple[list[str], int]:
    """Return the text lines above the picture, from the lowest upwards, and the upper end of them all."""
    notes, titles = wrapped(note, 54), wrapped(title, 46)
    y = _TOP - 30 - LINE * len(notes)
    lines = [f'<rect class="tail" x="{_MARGIN}" y="{y + 3}" width="12" height="12" rx="2"/>'] * tail
    left = _MARGIN + 19 * tail
    lines += stacked(notes, f'x="{left}"', y + 14)
    y -= 6 + LINE * len(titles)
    return [*lines, *stacked(titles, f'class="title" x="{_MARGIN}"', y + 14)], y - 10


def _edge(support: Sequence[Exact], i: int) -> Exact:
    """Return the border between the values i - 1 and i: half-way, and as far outside the first and the last value."""
    if len(support) == 1:
        return support[0] + Fraction(2 * i - 1, 2)
    j = min(max(i, 1), len(support) - 1)
    half = Fraction(support[j] - support[j - 1], 2)
    return support[j - 1] + half * (1 + 2 * (i - j))


def _visible(support: Sequence[Exact], counts: Sequence[int], *cuts: Exact | None) -> slice:
    """Return the range of values in the picture: most of the mass, and those beside the edges of the tails."""
    below = list(accumulate(counts))
    first = bisect_right(below, below[-1] // _CUT)
    last = bisect_left(below, below[-1] - below[-1] // _CUT)
    for cut in cuts:
        if cut is not None:
            i = bisect_left(support, cut)
            first, last = min(first, max(0, i - 1)), max(last, i)
    return slice(first, last + 1)


def _bars(values: Sequence[Exact], counts: Sequence[int], total: int) -> tuple[list[Column], str]:
    """Return one bar per value, at least a 450th of the span wide, what is between them, and what heights mean."""
    half = max(
        min(_gaps(values), default=1) * Fraction(19, 50),
        (values[-1] - values[0]) * Fraction(1, 900),
    )
    columns: list[Column] = []
    edge = values[0] - half
    for x, count in zip(values, counts):
        columns += [(edge, x - half, Fraction(0)), (x - half, x + half, Fraction(count, total))]
        edge = x + half
    return columns[1:], "probability"


def _histogram(
    values: Sequence[Exact], counts: Sequence[int], total: int
) -> tuple[list[Column], str]:
    """Return columns of one width, and what their height means.

    On evenly spaced values a column is one value, or the mean of an even number of neighbours: an
    odd number would alternate visibly where even and odd values have different probabilities.
    Elsewhere it is a round interval.
    """
    gap = Fraction(min(_gaps(values)))
    span = values[-1] - values[0]
    if all((x - values[0]) % gap == 0 for x in values):
        many = -(-(span / gap + 1) // _MOST_COLUMNS)
        many += many > 1 and many % 2
        width, low, height = many * gap, values[0] - gap / 2, "probability"
    else:
        many, width = 1, _round_step(span, _INTERVALS)
        low, height = values[0] // width * width, f"probability of an interval of {readable(width)}"
    sums = [0] * ((values[-1] - low) // width + 1)
    for x, count in zip(values, counts):
        sums[(x - low) // width] += count
    return [
        (low + i * width, low + (i + 1) * width, Fraction(c, total * many))
        for i, c in enumerate(sums)
    ], height


def _gaps(values: Sequence[Exact]) -> list[Exact]:
    return [b - a for a, b in zip(values, values[1:])]


class _Scale:
    """Maps values and probabilities to places in the picture; exact until the last step, whatever the values' size."""

    def __init__(self, columns: list[Column]) -> None:
        self.columns = columns
        margin = Fraction(columns[-1][1] - columns[0][0]) * (
            Fraction(1, 60) if len(columns) > 1 else 6
        )
        self.low, self.high = columns[0][0] - margin, columns[-1][1] + margin
        self.top = max(height for _left, _right, height in columns)
        self.heights = [(p, short_number(p)) for p in ticks(Fraction(0), self.top, 6)]
        self.left = max(_LEFT, round(33 + _LETTER * max(len(text) for _p, text in self.heights)))

    def x(self, value: Exact) -> float:
        share = Fraction(value - self.low) / (self.high - self.low)
        return self.left + float(share) * (_RIGHT - self.left)

    def y(self, height: Exact) -> float:
        return _BOTTOM - float(Fraction(height) / self.top) * (_BOTTOM - _TOP)


def _axes(scale: _Scale, below: list[str], height: str) -> list[str]:
    """Return both axes with their numbers and titles; ``below`` are the lines of the lower title."""
    across = [(scale.x(value), text) for value, text in _across(scale)]
    middle = (scale.left + _RIGHT) / 2
    return [
        *(
            f'<line class="grid" x1="{scale.left}" y1="{scale.y(p):.2f}" x2="{_RIGHT}" y2="{scale.y(p):.2f}"/>\n'
            f'<text x="{scale.left - 7}" y="{scale.y(p):.2f}" dy="4" text-anchor="end">{text}</text>'
            for p, text in scale.heights
        ),
        *(
            f'<line class="axis" x1="{x:.2f}" y1="{_BOTTOM}" x2="{x:.2f}" y2="{_BOTTOM + 5}"/>\n'
            f'<text x="{x:.2f}" y="{_BOTTOM + 19}" text-anchor="middle">{text}</text>'
            for x, text in across
        ),
        f'<line class="axis" x1="{scale.left}" y1="{_BOTTOM}" x2="{_RIGHT}" y2="{_BOTTOM}"/>',
        *stacked(below, f'x="{middle}"', _BOTTOM + 42, ' text-anchor="middle"'),
        f'<text transform="translate(16 {(_TOP + _BOTTOM) / 2}) rotate(-90)" text-anchor="middle">{height}</text>',
    ]


def _across(scale: _Scale) -> list[tuple[Exact, str]]:
    """Return the numbers below the axis, so few that they do not touch."""
    for most in (6, 4, 2):
        shown = [(value, short_number(value)) for value in ticks(scale.low, scale.high, most)]
        if sum(_LETTER * len(text) + 10 for _value, text in shown) <= _RIGHT - scale.left:
            break
    return shown


def ticks(low: Exact, high: Exact, most: int) -> list[Exact]:
    """Return multiples of 1, 2 or 5 times a power of ten between low and high, at most ``most + 1`` of them."""
    step = _round_step(high - low, most)
    return [step * k for k in range(-(-low // step), high // step + 1)]


def _round_step(span: Exact, most: int) -> Fraction:
    """Return the least of 1, 2 and 5 times a power of ten of which at most ``most`` fit into ``span``.

    The logarithm is a float and may fall on the wrong side of a power of ten: the next one is
    tried, too.
    """
    ten = Fraction(10) ** floor(log10(Fraction(span) / most))
    return next(step for step in (ten, 2 * ten, 5 * ten, 10 * ten, 20 * ten) if span <= most * step)


def _shaded(scale: _Scale, low: Exact | None, high: Exact | None) -> str:
    """Return the mass, one line around all columns, and over it the same line clipped to the tails."""
    steps = "".join(f"V{scale.y(top):.2f}H{scale.x(end):.2f}" for _start, end, top in scale.columns)
    path = f"M{scale.x(scale.columns[0][0]):.2f} {_BOTTOM}{steps}V{_BOTTOM}Z"
    left = max(scale.left, scale.x(scale.low if low is None else low))
    right = min(_RIGHT, scale.x(scale.high if high is None else high))
    height = f'y="{_TOP}" height="{_BOTTOM - _TOP}"'
    return f"""<clipPath id="{ID}-tails"><rect x="{scale.left}" width="{left - scale.left:.2f}" {height}/>\
<rect x="{right:.2f}" width="{_RIGHT - right:.2f}" {height}/></clipPath>
<path class="mass" d="{path}"/>
<path class="tail" d="{path}" clip-path="url(#{ID}-tails)"/>"""


def _marked(scale: _Scale, observed: Exact) -> str:
    """Return the line at the observed value, and its number beside it."""
    x = scale.x(observed)
    side = "start" if x < scale.left + 80 else "end" if x > _RIGHT - 80 else "middle"
    words = f"observed {three_digits(observed)}"
    return f"""<line class="observed" x1="{x:.2f}" y1="{_TOP - 8}" x2="{x:.2f}" y2="{_BOTTOM}"/>
<text class="name" x="{x:.2f}" y="{_TOP - 14}" text-anchor="{side}">{words}</text>"""
