"""Pictures: what is drawn and shaded, and that several of them share a page without harm."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.writing import number_text
from exactperm.display import distribution as svg
from exactperm.display import frame

STYLE = frame.STYLE + svg._STYLE
SVG = "{http://www.w3.org/2000/svg}"


def picture(counts, observed, low=None, high=None, *, title="t", label="l", note="n"):
    support = tuple(sorted(counts))
    return svg.svg(
        support, tuple(counts[x] for x in support), observed=observed, low=low, high=high,
        title=title, label=label, note=note,
    )  # fmt: skip


def drawn(*numbers, **words):
    return ET.fromstring(picture(*numbers, **words))


def mass(root):
    return next(path for path in root.iter(f"{SVG}path") if path.get("class") == "mass").get("d")


def spread(pairs, scale=1):
    """A symmetric support of many values with binomial-like probabilities."""
    return {scale * k: (pairs + 1 - abs(k)) ** 3 for k in range(-pairs, pairs + 1)}


def words(root):
    return [text.text for text in root.iter(f"{SVG}text")]


IN_FULL = """\
<svg xmlns="http://www.w3.org/2000/svg" id="ID" viewBox="0 -58 480 358" width="640" height="477" style="max-width: \
100%; height: auto" role="img" aria-label="a &lt; b">
<title>a &lt; b</title>
<style>STYLE</style>
<rect class="page" y="-58" width="480" height="358"/>
<rect class="tail" x="14" y="-20" width="12" height="12" rx="2"/>
<text x="33" y="-9">p = 5/8</text>
<text class="title" x="14" y="-34">a &lt; b</text>
<line class="grid" x1="72" y1="246.00" x2="468" y2="246.00"/>
<text x="65" y="246.00" dy="4" text-anchor="end">0</text>
<line class="grid" x1="72" y1="187.33" x2="468" y2="187.33"/>
<text x="65" y="187.33" dy="4" text-anchor="end">0.1</text>
<line class="grid" x1="72" y1="128.67" x2="468" y2="128.67"/>
<text x="65" y="128.67" dy="4" text-anchor="end">0.2</text>
<line class="grid" x1="72" y1="70.00" x2="468" y2="70.00"/>
<text x="65" y="70.00" dy="4" text-anchor="end">0.3</text>
<line class="axis" x1="112.57" y1="246" x2="112.57" y2="251"/>
<text x="112.57" y="265" text-anchor="middle">\N{MINUS SIGN}2</text>
<line class="axis" x1="202.53" y1="246" x2="202.53" y2="251"/>
<text x="202.53" y="265" text-anchor="middle">0</text>
<line class="axis" x1="292.49" y1="246" x2="292.49" y2="251"/>
<text x="292.49" y="265" text-anchor="middle">2</text>
<line class="axis" x1="382.45" y1="246" x2="382.45" y2="251"/>
<text x="382.45" y="265" text-anchor="middle">4</text>
<line class="axis" x1="72" y1="246" x2="468" y2="246"/>
<text x="270.0" y="288" text-anchor="middle">the sum</text>
<text transform="translate(16 136.0) rotate(-90)" text-anchor="middle">probability</text>
<clipPath id="ID-tails"><rect x="72" width="85.55" y="26" height="220"/><rect x="314.98" width="153.02" y="26" \
height="220"/></clipPath>
<path class="mass" d="M78.39 246V99.33H146.76V246ZM168.35 246V26.00H236.72V246ZM393.24 246V26.00H461.61V246Z"/>
<path class="tail" d="M78.39 246V99.33H146.76V246ZM168.35 246V26.00H236.72V246ZM393.24 246V26.00H461.61V246Z" \
clip-path="url(#ID-tails)"/>
<line class="observed" x1="112.57" y1="18" x2="112.57" y2="246"/>
<text class="name" x="112.57" y="12" text-anchor="start">observed \N{MINUS SIGN}2</text>
</svg>
"""


def test_picture_in_full():
    """The tails begin half-way between their values -2 and 5 and the next ones."""
    drawing = picture(
        {-2: 2, 0: 3, 5: 3}, -2, -2, 5, title="a < b", label="the sum", note="p = 5/8"
    )
    rules = re.search("<style>(.*)</style>", drawing, re.DOTALL).group(1)
    assert (
        drawing.replace(rules, "STYLE").replace(ET.fromstring(drawing).get("id"), "ID") == IN_FULL
    )


# -------------------------------------------------------------------------------------- in one page


def test_pictures_of_other_data_have_other_ids():
    """A page takes the first element of an id: with one id for all, the second picture is clipped by the first."""
    counts = {-1: 1, 1: 1}
    pictures = [
        picture(counts, 1),
        picture(counts, -1),
        picture(counts, 1, low=-1),
        picture(counts, 1, high=1),
        picture({-1: 1, 2: 1}, 2),
        picture({-1: 1, 1: 2}, 1),
        picture(counts, 1, title="other"),
        picture(counts, 1, label="other"),
        picture(counts, 1, note="other"),
    ]
    ids = [set(re.findall(r'id="([^"]*)"', drawing)) for drawing in pictures]
    assert len(set.union(*ids)) == 2 * len(pictures)
    for drawing, names in zip(pictures, ids):
        (clip,) = re.findall(r"url\(#([^)]*)\)", drawing)
        assert clip in names
        assert re.fullmatch(r"null-[0-9a-f]{12}", ET.fromstring(drawing).get("id"))
    assert picture(counts, 1) == pictures[0]


def test_every_style_rule_is_that_of_one_picture():
    drawing = picture({-1: 1, 1: 1}, 1)
    name = ET.fromstring(drawing).get("id")
    rules = (
        re.search("<style>(.*)</style>", drawing, re.DOTALL)
        .group(1)
        .replace("@media (prefers-color-scheme: dark) {", "")
    )
    selectors = re.findall(r"([^{}]+)\{[^{}]*\}", rules)
    assert len(selectors) == 2 * len([line for line in STYLE.split("\n") if line])
    assert all(
        selector.strip().startswith(f"#{name} ") and "," not in selector for selector in selectors
    )


def test_dark_scheme_has_every_colour_anew():
    light, dark = (
        re.findall("#[0-9a-f]{6}", frame.rules_of("x", STYLE, colours))
        for colours in (frame.LIGHT, frame.DARK)
    )
    assert len(light) == len(dark)
    assert all(a != b for a, b in zip(light, dark))


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("colours", [frame.LIGHT, frame.DARK])
@pytest.mark.parametrize(("name", "contrast"), [("ink", 7), ("soft", 4.5), ("tail", 3)])
def test_contrast(colours, name, contrast):
    """By the definition of the Web Content Accessibility Guidelines."""
    lighter, darker = sorted((luminance(colours[name]), luminance(colours["page"])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= contrast


def test_letters_are_readable_on_a_small_screen():
    """At a width of 390 pixels the smallest letters have more than ten."""
    sizes = [int(size) for size in re.findall(r"(\d+)px", STYLE)]
    assert min(sizes) * 390 / svg._WIDTH > 10
    assert 'style="max-width: 100%; height: auto"' in picture({0: 1}, 0)


def test_long_words_go_into_lines_and_only_very_long_ones_are_cut():
    for length, shown in [
        (46, ["x" * 46]),
        (47, ["x" * 46, "x"]),
        (200, [*["x" * 46] * 4, "x" * 16]),
        (999, [*["x" * 46] * 8, "x" * 45 + "\N{HORIZONTAL ELLIPSIS}"]),
    ]:
        title = "x" * length
        root = drawn(spread(3), 1, title=title, label="y" * 200, note="z z" * 30)
        assert [text for text in words(root) if "x" in text] == shown
        assert "y" * 52 in words(root)
        assert root.find(f"{SVG}title").text == title
        top = int(root.get("viewBox").split()[1])
        assert all(top < float(text.get("y") or 999) for text in root.iter(f"{SVG}text"))
    assert frame.wrapped("p = 1.5 = 3/2", 9) == ["p = 1.5 =", "3/2"]
    assert frame.wrapped("two words", 8) == ["two", "words"]


# ------------------------------------------------------------------------------------ what is drawn


def test_picture_says_what_it_shows():
    root = drawn(
        {-400: 1, 0: 3, 314: 1}, 314, title='a < "b" & c\x07\ud800', label="sum", note="p = 1"
    )
    assert words(root)[:2] == ["p = 1", 'a < "b" & c??']
    assert {"sum", "probability", "observed 314", "0", "200", "\N{MINUS SIGN}400", "0.4"} <= set(
        words(root)
    )


def test_few_values_are_bars_of_the_right_height():
    null = {0: 1, 1: 2, 4: 1}
    bars = re.findall(r"M([\d.]+) (\d+)V([\d.]+)H([\d.]+)V(\d+)Z", mass(drawn(null, 1)))
    heights = [int(bar[1]) - float(bar[2]) for bar in bars]
    assert len(bars) == 3
    assert heights == [110.0, 220.0, 110.0]
    assert len({round(float(bar[3]) - float(bar[0]), 1) for bar in bars}) == 1


@pytest.mark.parametrize(
    ("pairs", "columns"), [(59, 119), (60, 121), (230, 461), (300, 301), (9999, 480)]
)
def test_long_supports_are_thinned(pairs, columns):
    """One horizontal line for each column; only the far ends may be missing."""
    path = mass(drawn(spread(pairs), 1))
    assert 0.9 * columns <= path.count("H") <= columns
    assert path.count("V") <= 2 * columns


@pytest.mark.parametrize(("values", "bars"), [(2, 2), (120, 120), (121, 1)])
def test_up_to_120_values_are_bars(values, bars):
    path = mass(drawn(dict.fromkeys(range(values), 1), 0))
    assert (path.count("Z"), path.count("H")) == (bars, values)


WIDE = {-1000: 1, **dict.fromkeys(range(-50, 51), 2**30), 1000: 1}


@pytest.mark.parametrize(
    ("low", "high", "bars"),
    [
        (None, None, 101),
        (None, 0, 101),
        (None, 50, 101),
        (-50, None, 101),
        (50, None, 102),
        (None, -50, 102),
        (None, 1000, 102),
        (-1000, None, 102),
        (1000, None, 102),
        (None, -1000, 102),
        (-1000, 1000, 103),
    ],
)
def test_far_ends_without_mass_are_left_out_but_never_those_beside_the_edge_of_a_tail(
    low, high, bars
):
    assert mass(drawn(WIDE, 0, low, high)).count("Z") == bars


@pytest.mark.parametrize(("end", "ends"), [(10, (1, 4)), (11, (0, 5))])
def test_ends_are_left_out_by_their_exact_mass(end, ends):
    """At most 2^-20 of the assignments on each side; here there are more of them than any float can say."""
    counts = [end, 2**20, 8 * 2**20 - 2 * end, 2**20, end]
    assert svg._visible(range(5), [count << 2000 for count in counts], None) == slice(*ends)


@pytest.mark.parametrize(
    ("values", "many"),
    [
        (sorted({-300, *(Fraction(k * k % 1009, 1 + k % 60) - 123 for k in range(300))}), None),
        *(
            ([Fraction(7, 3) + k * Fraction(2, 7) for k in range(values)], many)
            for values, many in [(200, 1), (480, 1), (481, 2), (960, 2), (961, 4), (1999, 6)]
        ),
    ],
)
def test_columns_hold_all_the_mass(values, many):
    """Uneven values go into round intervals, even ones into cells of one width; no assignment is lost or moved.

    A cell has one value in its middle, or the mean of an even number of them, half a step from its
    edges.
    """
    counts = [1 + i % 5 for i in range(len(values))]
    columns, height = svg._histogram(values, counts, sum(counts))
    if many is None:
        assert height == "probability of an interval of 10"
        assert {right - left for left, right, _height in columns} == {10}
        assert all(left % 10 == 0 for left, _right, _height in columns)
    else:
        assert height == "probability"
        assert {right - left for left, right, _height in columns} == {many * Fraction(2, 7)}
        assert values[0] - columns[0][0] == Fraction(1, 7)
    assert sum(height for *_edges, height in columns) * (many or 1) == 1
    assert len(columns) <= 480
    assert all(
        left <= x < right
        for x, (left, right, _height) in ((values[0], columns[0]), (values[-1], columns[-1]))
    )
    for left, right, height in columns[:: len(columns) // 5]:
        inside = sum(count for x, count in zip(values, counts) if left <= x < right)
        assert height * (many or 1) * sum(counts) == inside


def test_an_outline_touches_every_column_once():
    scale = SimpleNamespace(x=lambda value: 10 * value, y=lambda height: 364 - height)
    assert svg._outline([(0, 1, 3), (1, 2, 5)], scale) == "M0.00 246V361.00H10.00V359.00H20.00V246Z"


@pytest.mark.parametrize(
    ("support", "edges"),
    [
        ((3,), [Fraction(5, 2), Fraction(7, 2)]),
        ((-1, 0, 4, Fraction(9, 2), 6), [Fraction(x, 4) for x in (-6, -2, 8, 17, 21, 27)]),
    ],
)
def test_edges_are_half_way(support, edges):
    """Outside the first and the last value, as far as half-way to their neighbours."""
    assert [svg._edge(support, i) for i in range(len(support) + 1)] == edges


@pytest.mark.parametrize(
    "values", [range(-5, 6), [-3, -1, Fraction(1, 2), 40], [-1000, 0, Fraction(1, 1000)]]
)
def test_bars_stand_over_their_values(values):
    """Apart from each other, unless they would be too thin to see; the height is the probability."""
    columns, height = svg._bars(values, range(1, len(values) + 1), 100)
    least = Fraction(values[-1] - values[0], 450)
    (width,) = {right - left for left, right, _height in columns}
    assert (len(columns), height) == (len(values), "probability")
    assert [(left + right) / 2 for left, right, _height in columns] == list(values)
    assert width >= least
    assert width == least or width < min(b - a for a, b in zip(values, values[1:]))
    assert [100 * height for *_edges, height in columns] == list(range(1, len(values) + 1))


def test_uneven_supports_are_drawn_as_a_histogram():
    counts = {Fraction(1, k): 1 for k in range(1, 200)}
    assert "probability of an interval of 0.01" in words(drawn(counts, 1))


@given(
    st.dictionaries(st.integers(-30, 30), st.integers(1, 9), min_size=1, max_size=12),
    st.tuples(st.integers(-31, 31) | st.none(), st.integers(-31, 31) | st.none()),
)
def test_the_border_of_a_tail_is_between_its_values_and_the_others(counts, tails):
    """What is left of the border of the lower tail is at most ``low``, and so on."""
    support = sorted(counts)
    for x in support:
        for low in filter(lambda tail: tail is not None, tails):
            assert (x < svg._edge(support, svg.bisect_right(support, low))) == (x <= low)
            assert (x > svg._edge(support, svg.bisect_left(support, low))) == (x >= low)


def test_what_is_clipped_are_the_tails():
    """Two values at a quarter and three quarters of the width, the border in the middle; no tail has no width."""
    for low, high, widths in [
        (None, None, (0, 0)),
        (0, None, (198, 0)),
        (None, 1, (0, 198)),
        (0, 1, (198, 198)),
    ]:
        root = drawn({0: 1, 1: 1}, 0, low, high)
        clip = next(root.iter(f"{SVG}clipPath"))
        assert tuple(float(rect.get("width")) for rect in clip) == widths
        shaded = next(path for path in root.iter(f"{SVG}path") if path.get("class") == "tail")
        assert (shaded.get("d"), shaded.get("clip-path")) == (mass(root), f"url(#{clip.get('id')})")


@given(
    st.fractions(min_value=-(10**6), max_value=10**6, max_denominator=1000),
    st.fractions(min_value=Fraction(1, 10**9), max_value=10**9),
    st.integers(2, 9),
)
def test_ticks_are_round_inside_and_neither_few_nor_many(low, span, most):
    ticks = svg.ticks(low, low + span, most)
    assert all(low <= tick <= low + span for tick in ticks)
    assert len(ticks) <= most + 1
    assert len(ticks) >= most / 2.5 - 1
    steps = {b - a for a, b in zip(ticks, ticks[1:])}
    assert len(steps) <= 1
    assert all(re.fullmatch(r"0*[125]0*", number_text(step).replace(".", "")) for step in steps)


@pytest.mark.parametrize("ten", [Fraction(10) ** k for k in (-300, -28, -7, -1, 0, 1, 2, 30)])
@pytest.mark.parametrize(("step", "next_step"), [(1, 2), (2, 5), (5, 10)])
def test_round_steps(ten, step, next_step):
    """The float logarithm of 10^-7 is below -7, that of 10^2 is exact: both sides of a power of ten are right."""
    most = 7
    assert svg._round_step(most * step * ten, most) == step * ten
    assert svg._round_step(most * step * ten * (1 + Fraction(1, 10**40)), most) == next_step * ten


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (-5, "_5"),
        (Fraction(-1, 20), "_0.05"),
        (123456789, "123456789"),
        (1234567890, "1.23e+09"),
        (Fraction(1, 10**10), "1.00e_10"),
    ],
)
def test_tick_text(value, text):
    assert frame.short_number(value) == text.replace("_", "\N{MINUS SIGN}")


def test_one_value_and_numbers_of_any_size():
    root = drawn({0: 8}, 0)
    assert words(root)[-8:-3] == ["\N{MINUS SIGN}4", "\N{MINUS SIGN}2", "0", "2", "4"]
    assert mass(root) == "M254.77 246V26.00H285.23V246Z"
    huge = drawn({-(10**3000): 1, 10**3000: 1}, 10**3000)
    assert "observed 1.00e+3000" in words(huge)
    assert "1.00e+3000" in words(huge)


@pytest.mark.parametrize("x", [72, 151.9, 152, 152.5, 300, 387.5, 388, 388.1, 468])
def test_the_label_of_the_observed_value_stays_inside(x):
    """It is about 160 wide: in the middle where that fits between 72 and 468, else towards the other side."""
    scale = SimpleNamespace(x=lambda value: value * x, left=72)
    line, label = ET.fromstring(f"<g>{svg._marked(scale, 1)}</g>")
    side = label.get("text-anchor")
    left = x - 160 * ["start", "middle", "end"].index(side) / 2
    assert 72 <= left <= left + 160 <= 468
    assert (side == "middle") is (x - 80 >= 72 and x + 80 <= 468)
    assert (label.text, line.get("x1"), line.get("x2"), label.get("x")) == (
        "observed 1",
        *[f"{x:.2f}"] * 3,
    )


@pytest.mark.parametrize("scale", [1, Fraction(1, 10**6), 10**7])
@pytest.mark.parametrize("pairs", [3, 40, 4000])
def test_numbers_touch_neither_each_other_nor_the_title_of_an_axis(pairs, scale):
    """A digit is at most 7.4 wide, and the title of the vertical axis ends at 22."""
    root = drawn(spread(pairs, scale), 0)
    for number in root.iter(f"{SVG}text"):
        if number.get("text-anchor") == "end":
            assert float(number.get("x")) - 7.4 * len(number.text) >= 22
    below = [
        (float(t.get("x")), 3.7 * len(t.text))
        for t in root.iter(f"{SVG}text")
        if t.get("y") == "265"
    ]
    assert len(below) > 1
    assert all(a + wide < b - wide2 for (a, wide), (b, wide2) in zip(below, below[1:]))


def test_what_xml_does_not_allow_becomes_a_question_mark():
    allowed = " ~\xa0\ud7ff\ue000\ufffd\U0001f600"
    assert frame.escaped(allowed) == allowed
    assert frame.escaped("\x00\x1f\t\n\x7f\x9b\ud800\udbff\udfff\ufffe\uffff") == "?" * 11
    assert frame.escaped("<&\">'") == "&lt;&amp;&quot;&gt;'"


@pytest.mark.parametrize(("room", "most"), [(640, 6), (90, 4), (60, 2), (5, 2)])
def test_the_axis_has_as_many_numbers_as_do_not_touch(room, most):
    scale = SimpleNamespace(low=0, high=Fraction(6), left=svg._RIGHT - room)
    assert [value for value, _text in svg._across(scale)] == svg.ticks(0, Fraction(6), most)


def test_a_long_title_of_the_axis_has_two_lines_inside_the_picture():
    label = "mean over items of the difference of means of runs, base minus new"
    root = ET.fromstring(svg.svg([0, 1, 2], [1, 2, 1], title="t", label=label, note="n"))
    texts = {
        each.text: float(each.get("y", 0)) for each in root.iter("{http://www.w3.org/2000/svg}text")
    }
    _x, top, _width, height = map(float, root.get("viewBox").split())
    first, second = "mean over items of the difference of means of runs,", "base minus new"
    assert (first in texts, texts[second] - texts[first]) == (True, 19)
    assert texts[second] + 5 < top + height


@pytest.mark.parametrize(("observed", "steps"), [(3, 2), (-4, 3), (9, 3)])
def test_bins_are_drawn_as_far_as_the_observed_value(observed, steps):
    """Two bins that touch: the outline has their heights, and empty room up to a value outside."""
    columns = [(0, 1, Fraction(1, 4)), (1, 4, Fraction(3, 4))]
    about = {"title": "t", "label": "l", "note": "n", "height": "of a bin"}
    root = ET.fromstring(svg.binned(columns, observed=observed, low=1, **about))
    assert "of a bin" in words(root)
    assert (mass(root).count("V"), mass(root).count("H")) == (steps + 1, steps)
