"""The picture of a leaderboard: every decision, on both sides of the diagonal, whatever the names."""

import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm import compare_all
from exactperm.arithmetic.reading import level
from exactperm.display.matrix import KINDS, matrix
from exactperm.files.leaderboards import picture
from exactperm.files.sources import Source

SVG = "{http://www.w3.org/2000/svg}"
SOURCE = Source(files=(), names=("a", "b"), pairs=6)
OTHER = {"better": "worse", "worse": "better", "open": "open", "same": "same"}


def cells_of(drawing):
    """(left edge, upper edge) to (kind, sign, words) of each cell, from the picture."""
    found = {}
    for group in ET.fromstring(drawing).iter(f"{SVG}g"):
        square, sign = group.find(f"{SVG}rect"), group.find(f"{SVG}text")
        found[int(square.get("x")), int(square.get("y"))] = (
            square.get("class"),
            sign.text,
            group[0].text,
        )
    return found


@pytest.mark.slow
@given(st.lists(st.text(max_size=60), min_size=2, max_size=12), st.data())
def test_any_names_and_decisions(names, data):
    k = len(names)
    kinds = {
        (i, j): data.draw(st.sampled_from(list(KINDS))) for i in range(k) for j in range(k) if i < j
    }
    cells = {**{(j, i): (OTHER[kind], ".05", "w") for (i, j), kind in kinds.items()}}
    cells.update({place: (kind, ".05", "w") for place, kind in kinds.items()})
    drawn = cells_of(matrix(names, list(range(0, -k, -1)), cells, title="t", note="n", label="l"))
    legend = {place for place, (_kind, _sign, words) in drawn.items() if words != "w"}
    assert len(legend) == len({kind for kind, *_texts in cells.values()})
    assert len(drawn) == len(legend) + k * (k - 1)
    for kind, sign, _words in drawn.values():
        assert sign == KINDS[kind][0]
    rest = sorted(set(drawn) - legend)
    left, top = min(x for x, _y in rest), min(y for _x, y in rest)
    for (i, j), (kind, *_texts) in cells.items():
        assert drawn[left + 46 * j, top + 38 * i][0] == kind


def test_of_a_leaderboard():
    scores = {"low": [0] * 12, "mid<": [1, -1] * 5 + [1, 1], "high": [5] * 12}
    drawing = picture(compare_all(scores), level("0.05"), SOURCE)
    texts = [text.text for text in ET.fromstring(drawing).iter(f"{SVG}text")]
    names = [text for text in texts if text in scores]
    assert names == ["high", "mid<", "low"], "ordered by the statistic"
    assert texts[:3] == [
        "3 paired-permutation tests of 3 systems,",
        "two-sided, adjusted by holm, level 0.05; row against column,",
        "with its adjusted p-value",
    ]
    assert sorted(text for text in texts if text[0] in ".<") == [".001"] * 4 + [".774"] * 2
    assert [text for text in texts if text[-2:] in ("0", "83", "\N{MINUS SIGN}5")] == [
        "0",
        "\N{MINUS SIGN}4.83",
        "\N{MINUS SIGN}5",
    ]
    decisions = [
        (kind, words) for kind, _sign, words in cells_of(drawing).values() if "against" in words
    ]
    assert Counter(kind for kind, _words in decisions) == {"better": 2, "same": 2, "worse": 2}
    assert ("worse", "low against high: sum of differences -60, adjusted p 0.001465") in decisions


@pytest.mark.slow
def test_of_certified_brackets():
    scores = {
        "a": [0.1 * n**1.5 for n in range(60)],
        "b": [0.1 * n**1.5 + (-1) ** n * n for n in range(60)],
    }
    board = compare_all(scores, method="certified")
    (row,) = board
    assert "adjusted p at most" in picture(board, level("0.05"), SOURCE)
    within = (row.adjusted + row.adjusted_lower) / 2
    assert {kind for kind, _sign, words in cells_of(picture(board, within, SOURCE)).values()} == {
        "open"
    }
