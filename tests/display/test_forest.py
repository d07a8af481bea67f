"""The forest plot: each interval in its row, with its ends, its colour and its numbers."""

import re
import xml.etree.ElementTree as ET
from fractions import Fraction

import pytest

from exactperm.display.forest import Span, forest

SVG = "{http://www.w3.org/2000/svg}"
MINUS = "\N{MINUS SIGN}"
SPANS = (
    Span(name="a < b", estimate=Fraction(1, 3), low=Fraction(1, 7), high=2),
    Span(name="b" * 70, estimate=0, low=-1, high=1, sharp=(False, True)),
    Span(name="c", estimate=-1, low=None, high=Fraction(-1, 2)),
    Span(name="d", estimate=1, low=0, high=None),
)


def texts(root):
    return [text.text for text in root.iter(f"{SVG}text")]


def thirds(x):
    return Fraction(x, 3) - 1


def rows(*spans):
    return ET.fromstring(forest(spans or SPANS, title="t", label="l", note="n", legend="m"))


def test_one_row_for_each_interval():
    """Intervals without zero are coloured; exact ends are tall, enclosed ones short, infinite ones arrows."""
    root = rows()
    assert texts(root)[-9:] == [
        *("a < b", "0.33 [0.14, 2.00]", "b" * 59 + "\N{HORIZONTAL ELLIPSIS}"),
        *(f"0.00 [{MINUS}1.00, 1.00]", "c", f"{MINUS}1.00 [{MINUS}\N{INFINITY}, {MINUS}0.50]"),
        *("d", "1.00 [0.00, \N{INFINITY}]", "l"),
    ]
    assert len(list(root.iter(f"{SVG}circle"))) == 4
    bars = [each for each in root.iter(f"{SVG}rect") if each.get("height") == "2"]
    assert [each.get("class") for each in bars] == ["tail", "mass", "tail", "mass"]
    ends = [each.get("height") for each in root.iter(f"{SVG}rect") if each.get("width") == "2"]
    assert ends == ["10", "10", "5", "10", "10", "10"]
    arrows = [re.sub(r"M[\d.]+ \d+", "", each.get("d")) for each in root.iter(f"{SVG}path")]
    assert arrows == ["l7 -4v8z", "l-7 -4v8z"]


def test_a_row_is_mirrored():
    span = Span(name="a", estimate=2, low=None, high=3, sharp=(True, False))
    assert span.mirrored() == Span(name="a", estimate=-2, low=-3, high=None, sharp=(False, True))


def test_a_picture_of_any_rows_is_as_wide_as_a_small_screen_and_all_of_it_inside():
    """Lines guide the eye, and numbers come again after every fifteen rows, on none of them."""
    many = [Span(name=f"row {i}", estimate=i, low=i, high=i) for i in range(190)]
    for spans in (SPANS, many):
        root = rows(*spans)
        _x, y, width, height = map(int, root.get("viewBox").split())
        assert width == 480
        lines = [*root.iter(f"{SVG}line")]
        assert 0 < float(next(x for x in lines if x.get("class") == "zero").get("x1")) < width
        for each in root.iter(f"{SVG}text"):
            assert 0 <= float(each.get("x")) < width and y < float(each.get("y")) < y + height
        across = {int(each.get("y1")) for each in lines if each.get("y1") == each.get("y2")}
        assert len(across) == len(spans)
    zeros = sorted(int(each.get("y")) for each in root.iter(f"{SVG}text") if each.text == "0")
    assert len(zeros) == 2 + 12, "above, below, and after every fifteen rows"
    names = {int(each.get("y")) for each in root.iter(f"{SVG}text") if each.text[:3] == "row"}
    assert all(abs(y - other) >= 12 for y in zeros for other in across | names)


@pytest.mark.parametrize("size", [Fraction(1, 10**20), Fraction(1, 7), 1, 12345, 10**8, 10**20])
def test_numbers_have_the_same_places_and_ends_are_outside(size):
    """The places are as fine as the picture: at most a pixel, at least a tenth of one."""
    spans = [
        Span(name="x", estimate=x * size, low=(x - 1) * size, high=(x + 1) * size)
        for x in map(thirds, range(9))
    ]
    found = [text for text in texts(rows(*spans)) if "[" in text]
    numbers = [re.findall(r"[-\d.e]+", text.replace(MINUS, "-")) for text in found]
    assert (
        len(
            {re.sub(r"\d", "0", re.sub(r"^-?\d+", "", number)) for row in numbers for number in row}
        )
        == 1
    )
    pixel = (spans[-1].high - spans[0].low) * Fraction(62, 60) / 270
    for span, (estimate, low, high) in zip(spans, (map(Fraction, row) for row in numbers)):
        assert span.low - pixel < low <= span.low
        assert span.high <= high < span.high + pixel
        assert abs(estimate - span.estimate) <= pixel / 2


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((0, 0), "0 [0, 0]"),
        ((-1, 2), f"0 [{MINUS}1, 2]"),
        ((Fraction(-1, 2), Fraction(3, 4)), f"0.00 [{MINUS}0.50, 0.75]"),
        ((-(10**6), 10**6 + Fraction(1, 3)), f"0 [{MINUS}1000000, 1000001]"),
        ((-(10**20), 10**20 + 1), f"0e17 [{MINUS}1000e17, 1001e17]"),
        (
            (Fraction(-1, 10**20), Fraction(1, 3 * 10**20)),
            f"0e{MINUS}23 [{MINUS}1000e{MINUS}23, 334e{MINUS}23]",
        ),
    ],
)
def test_places(ends, text):
    assert text in texts(rows(Span(name="x", estimate=0, low=ends[0], high=ends[1])))
