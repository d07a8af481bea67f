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


def columns(root):
    """(left, right, height) of each column of the outline that has a height, in units of the picture."""
    left, *steps = re.findall(r"[MH]([\d.]+)(?: \d+)?(?:V([\d.]+))?", mass(root))
    places = [(float(x), 246 - float(y or 246)) for x, y in [left, *steps]]
    return [(x, after, high) for (x, high), (after, _) in zip(places, places[1:]) if high]


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
<path class="mass" d="M78.39 246V99.33H146.76V246.00H168.35V26.00H236.72V246.00H393.24V26.00H461.61V246Z"/>
<path class="tail" d="M78.39 246V99.33H146.76V246.00H168.35V26.00H236.72V246.00H393.24V26.00H461.61V246Z" \
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


def test_pictures_of_other_data_have_other_ids_and_every_style_rule_is_that_of_one():
    """A page takes the first element of an id: with one id for all, the second picture is clipped by the first."""
    counts, others = {-1: 1, 1: 1}, ({-1: 1, 2: 1}, {-1: 1, 1: 2})
    pictures = [picture(counts, 1), picture(counts, -1)]
    pictures += [picture(counts, 1, **{name: 1}) for name in ("low", "high")]
    pictures += [picture(other, 1) for other in others]
    pictures += [picture(counts, 1, **{name: "other"}) for name in ("title", "label", "note")]
    ids = [set(re.findall(r'id="([^"]*)"', drawing)) for drawing in pictures]
    assert len(set.union(*ids)) == 2 * len(pictures)
    for drawing, names in zip(pictures, ids):
        name = ET.fromstring(drawing).get("id")
        assert re.fullmatch(r"null-[0-9a-f]{12}", name)
        assert set(re.findall(r"url\(#([^)]*)\)", drawing)) <= names
        rules = re.search("<style>(.*)</style>", drawing, re.DOTALL).group(1)
        rules = rules.replace("@media (prefers-color-scheme: dark) {", "")
        selectors = re.findall(r"([^{}]+)\{[^{}]*\}", rules)
        assert len(selectors) == 2 * len([line for line in STYLE.split("\n") if line])
        assert all(each.strip().startswith(f"#{name} ") and "," not in each for each in selectors)
    assert picture(counts, 1) == pictures[0]


def luminance(colour):
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_contrast():
    """By the definition of the Web Content Accessibility Guidelines; the dark scheme has every colour anew."""
    for colours in (frame.LIGHT, frame.DARK):
        for name, least in (("ink", 7), ("soft", 4.5), ("tail", 3), ("better", 3)):
            lit = sorted((luminance(colours[name]), luminance(colours["page"])))
            assert (lit[1] + 0.05) / (lit[0] + 0.05) >= least
    assert all(frame.LIGHT[name] != frame.DARK[name] for name in frame.LIGHT)
    assert {*frame.LIGHT} == {*frame.DARK}


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
        _x, top, _width, height = map(int, root.get("viewBox").split())
        places = [float(text.get("y") or 0) for text in root.iter(f"{SVG}text")]
        assert top < min(places) and max(places) + 5 < top + height
    assert frame.wrapped("p = 1.5 = 3/2", 9) == ["p = 1.5 =", "3/2"]
    assert frame.wrapped("two words", 8) == ["two", "words"]


# ------------------------------------------------------------------------------------ what is drawn


def test_long_supports_are_thinned():
    """Up to 120 values are bars that stand apart; of more than 480 columns are of several values.

    Only far ends may be missing.
    """
    for pairs, most in [(59, 119), (60, 121), (230, 461), (300, 301), (9999, 480)]:
        assert 0.9 * most <= len(columns(drawn(spread(pairs), 1))) <= most
    for values in (2, 120, 121):
        found = columns(drawn(dict.fromkeys(range(values), 1), 0))
        assert {b[0] > a[1] for a, b in zip(found, found[1:])} == {values < 121}


WIDE = {-1000: 1, **dict.fromkeys(range(-50, 51), 2**30), 1000: 1}


def test_far_ends_without_mass_are_left_out_but_never_those_beside_the_edge_of_a_tail():
    """The observed value is in the middle. At most 2^-20 of the assignments are left out on each side, by their mass."""
    support, counts = sorted(WIDE), [WIDE[x] for x in sorted(WIDE)]
    for low, high, below, above in [
        *[(*tails, 0, 0) for tails in [(None, None), (None, 0), (None, 50), (-50, None)]],
        *[(*tails, 0, 1) for tails in [(50, None), (None, 1000), (1000, None)]],
        *[(*tails, 1, 0) for tails in [(None, -50), (-1000, None), (None, -1000)]],
        (-1000, 1000, 1, 1),
    ]:
        cuts = [None if low is None else svg._edge(support, svg.bisect_right(support, low))]
        cuts += [None if high is None else svg._edge(support, svg.bisect_left(support, high))]
        seen = svg._visible(support, counts, *cuts)
        assert range(103)[seen] == range(1 - below, 102 + above), (low, high)
    for end, ends in [(10, (1, 4)), (11, (0, 5))]:
        few = [end, 2**20, 8 * 2**20 - 2 * end, 2**20, end]
        assert svg._visible(range(5), [n << 2000 for n in few], None) == slice(*ends)


UNEVEN = sorted({-300, *(Fraction(k * k % 1009, 1 + k % 60) - 123 for k in range(300))})


def test_columns_hold_all_the_mass():
    """Uneven values go into round intervals, even ones into cells of one width; no assignment is lost or moved.

    A cell has one value in its middle, or the mean of an even number of them, half a step from its
    edges.
    """
    sizes = [(200, 1), (480, 1), (481, 2), (960, 2), (961, 4), (1999, 6)]
    even = [([Fraction(7, 3) + k * Fraction(2, 7) for k in range(n)], many) for n, many in sizes]
    for values, many in [(UNEVEN, None), *even]:
        counts = [1 + i % 5 for i in range(len(values))]
        found, height = svg._histogram(values, counts, sum(counts))
        width = {right - left for left, right, _height in found}
        if many is None:
            assert (height, width) == ("probability of an interval of 10", {10})
            assert all(left % 10 == 0 for left, _right, _height in found)
        else:
            assert (height, width) == ("probability", {many * Fraction(2, 7)})
            assert values[0] - found[0][0] == Fraction(1, 7)
        assert len(found) <= 480
        assert found[0][0] <= values[0] < found[0][1] and found[-1][0] <= values[-1] < found[-1][1]
        masses = [height * (many or 1) * sum(counts) for *_edges, height in found]
        assert sum(masses) == sum(counts)
        for (left, right, _height), mass in [*zip(found, masses)][:: len(found) // 5]:
            assert mass == sum(count for x, count in zip(values, counts) if left <= x < right)
    assert "probability of an interval of 0.01" in words(
        drawn({Fraction(1, k): 1 for k in range(1, 200)}, 1)
    )


def test_bars_stand_over_their_values():
    """Apart from each other, unless they would be too thin to see; the height is the probability."""
    for values in [range(-5, 6), [-3, -1, Fraction(1, 2), 40], [-1000, 0, Fraction(1, 1000)]]:
        found, height = svg._bars(values, range(1, len(values) + 1), 100)
        bars = [column for column in found if column[2]]
        least = Fraction(values[-1] - values[0], 450)
        (width,) = {right - left for left, right, _height in bars}
        assert height == "probability"
        assert [(left + right) / 2 for left, right, _height in bars] == list(values)
        assert width >= least
        assert width == least or width < min(b - a for a, b in zip(values, values[1:]))
        assert [100 * height for *_edges, height in bars] == list(range(1, len(values) + 1))
        assert all(a[1] == b[0] for a, b in zip(found, found[1:]))


@pytest.mark.slow
@given(
    st.dictionaries(st.integers(-30, 30), st.integers(1, 9), min_size=1, max_size=12),
    st.tuples(st.integers(-31, 31) | st.none(), st.integers(-31, 31) | st.none()),
)
def test_the_border_of_a_tail_is_between_its_values_and_the_others(counts, tails):
    """What is left of the border of the lower tail is at most ``low``, and so on."""
    support = sorted(counts)
    for i, (a, b) in enumerate(zip(support, support[1:]), 1):
        assert svg._edge(support, i) == Fraction(a + b, 2)
    for x in support:
        for low in filter(lambda tail: tail is not None, tails):
            assert (x < svg._edge(support, svg.bisect_right(support, low))) == (x <= low)
            assert (x > svg._edge(support, svg.bisect_left(support, low))) == (x >= low)


@pytest.mark.slow
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


def test_round_steps():
    """The float logarithm of 10^-7 is below -7, that of 10^2 is exact: both sides of a power of ten are right."""
    more = 1 + Fraction(1, 10**40)
    for ten in [Fraction(10) ** k for k in (-300, -28, -7, -1, 0, 1, 2, 30)]:
        for step, next_step in [(1, 2), (2, 5), (5, 10)]:
            assert svg._round_step(7 * step * ten, 7) == step * ten
            assert svg._round_step(7 * step * ten * more, 7) == next_step * ten


def test_numbers_of_a_picture():
    """Commas between thousands, a true minus sign; three digits of what is observed, or a short number in full."""
    for value, short, three in [
        (0, "0", "0"),
        (-5, "_5", "_5"),
        (Fraction(-1, 20), "_0.05", "_0.05"),
        (123456789, "123,456,789", "123,456,789"),
        (1234567890, "1.23e+09", "1.23e+09"),
        (Fraction(1, 10**10), "1.00e_10", "1.00e_10"),
        (Fraction(-20500572, 7), "_2.93e+06", "_2,928,653"),
        (Fraction(99999, 1000), "99.999", "99.999"),
        (Fraction(1, 3), "0.333", "0.333"),
    ]:
        shown = frame.short_number(value), frame.three_digits(value)
        assert shown == (short.replace("_", frame.MINUS), three.replace("_", frame.MINUS))


def test_the_label_of_the_observed_value_stays_inside():
    """It is about 160 wide: in the middle where that fits between 72 and 468, else towards the other side."""
    for x in [72, 151.9, 152, 152.5, 300, 387.5, 388, 388.1, 468]:
        scale = SimpleNamespace(x=lambda value, x=x: value * x, left=72)
        line, label = ET.fromstring(f"<g>{svg._marked(scale, 1)}</g>")
        side = label.get("text-anchor")
        left = x - 160 * ["start", "middle", "end"].index(side) / 2
        assert 72 <= left <= left + 160 <= 468
        assert (side == "middle") is (x - 80 >= 72 and x + 80 <= 468)
        assert label.text == "observed 1"
        assert {line.get("x1"), line.get("x2"), label.get("x")} == {f"{x:.2f}"}


@pytest.mark.parametrize("scale", [1, Fraction(1, 10**6), 10**7])
@pytest.mark.parametrize("pairs", [3, 40, 4000])
def test_numbers_touch_neither_each_other_nor_the_title_of_an_axis(pairs, scale):
    """A digit is at most 7.4 wide, and the title of the vertical axis ends at 22."""
    texts = [*drawn(spread(pairs, scale), 0).iter(f"{SVG}text")]
    ends = [each for each in texts if each.get("text-anchor") == "end"]
    assert all(float(each.get("x")) - 7.4 * len(each.text) >= 22 for each in ends)
    below = [(float(t.get("x")), 3.7 * len(t.text)) for t in texts if t.get("y") == "265"]
    assert len(below) > 1
    assert all(a + wide < b - wide2 for (a, wide), (b, wide2) in zip(below, below[1:]))


def test_what_xml_does_not_allow_becomes_a_question_mark():
    allowed = " ~\xa0\ud7ff\ue000\ufffd\U0001f600"
    assert frame.escaped(allowed) == allowed
    assert frame.escaped("\x00\x1f\t\n\x7f\x9b\ud800\udbff\udfff\ufffe\uffff") == "?" * 11
    assert frame.escaped("<&\">'") == "&lt;&amp;&quot;&gt;'"
    huge = drawn({-(10**3000): 1, 10**3000: 1}, 10**3000, title='a < "b" & c\x07\ud800')
    assert {"observed 1.00e+3000", "1.00e+3000", 'a < "b" & c??'} <= {*words(huge)}
    assert mass(drawn({0: 8}, 0, 0)) == "M254.77 246V26.00H285.23V246Z"


def test_the_axis_has_as_many_numbers_as_do_not_touch():
    for room, most in [(640, 6), (90, 4), (60, 2), (5, 2)]:
        scale = SimpleNamespace(low=0, high=Fraction(6), left=svg._RIGHT - room)
        assert [value for value, _text in svg._across(scale)] == svg.ticks(0, Fraction(6), most)


def test_bins_are_drawn_as_far_as_the_observed_value():
    """Two bins that touch: the outline has their heights, and empty room up to a value outside."""
    bins = [(0, 1, Fraction(1, 4)), (1, 4, Fraction(3, 4))]
    about = {"title": "t", "label": "l", "note": "n", "height": "of a bin"}
    for observed, steps in [(3, 2), (-4, 3), (9, 3)]:
        root = ET.fromstring(svg.binned(bins, observed=observed, low=1, **about))
        assert "of a bin" in words(root)
        assert (mass(root).count("V"), mass(root).count("H")) == (steps + 1, steps)
        first, second = columns(root)
        assert (first[1], 3 * first[2]) == (second[0], pytest.approx(second[2], rel=1e-3))
