"""``exactperm compare``: pictures of intervals, and brackets; what it prints is in messages.txt."""

import json
import random
import xml.etree.ElementTree as ET
from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from exactperm import (
    ConfidenceInterval,
    PairInterval,
    SimultaneousIntervals,
    confidence_interval,
)
from exactperm.cli import compare

SCORES = {"a": [3, 4, 6, 8, 9], "b": [1, 1, 2, 3, 3], "c": [3, 4, 6, 8, 8]}


@pytest.fixture
def compared(run, write):
    """Run the command on a file of three systems: (status, standard output, standard error)."""
    rows = [",".join(map(str, row)) for row in zip(*SCORES.values())]
    write("\n".join(["a,b,c", *rows]))
    return partial(run, "compare", "f.csv", "--columns", "all", "--alpha", "0.3")


def test_ends_that_are_enclosed(compared, monkeypatch):
    row = PairInterval(
        first="a",
        second="b",
        interval=ConfidenceInterval(**{**vars(confidence_interval([1, 2, 6])), "lower": (1, 2)}),
    )
    found = SimultaneousIntervals(
        intervals=(row,), confidence=Fraction(1, 3), adjust="sidak", alternative="less"
    )
    monkeypatch.setattr(compare, "simultaneous_intervals", lambda *_args, **_options: found)
    lines = compared("--interval", "--picture", "f.svg")[1].splitlines()
    assert lines[-4].startswith("33.33333333% simultaneous intervals (sidak, less)")
    assert lines[-1].split() == ["a", "b", "3", "~1.500", "infinite"]
    shown = ET.fromstring(Path("f.svg").read_text(encoding="utf-8"))
    words = " ".join(" ".join(shown.itertext()).split())
    assert "tall ends are exact, short ones" in words


def test_a_forest_plot(compared):
    assert compared("--interval", "--picture", "f.svg")[:2] == compared("--interval")[:2]
    text = Path("f.svg").read_text(encoding="utf-8")
    words = [each.text for each in ET.fromstring(text).iter("{http://www.w3.org/2000/svg}text")]
    assert "a \N{MINUS SIGN} b" in words
    assert "4.0 [2.0, 6.0]" in words
    assert "(bonferroni, two-sided); tall ends are exact zero is outside" in " ".join(words)


@pytest.mark.slow
def test_certified_brackets_stand_for_refused_counts(compared):
    rng = random.Random(1)
    rows = [[repr(rng.gauss(0, 1)) for _ in "abc"] for _ in range(200)]
    Path("f.csv").write_text(
        "a,b,c\n" + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8"
    )
    status, text, _err = compared()
    why = "certified brackets, since the exact counts are refused: 200 pairs"
    assert status == 0
    assert text.startswith("f.csv: 3 certified paired-permutation tests")
    assert why in text
    certified = compared("--method", "certified")[1].splitlines()
    assert [line for line in text.splitlines() if not line.startswith(why)] == certified
    assert json.loads(compared("--json")[1])["refused"].startswith("200 pairs")
    assert "refused" not in json.loads(compared("--method", "certified", "--json")[1])
    for more in (["--method", "exact"], ["--max-seconds", "1e-5"]):
        status, _text, err = compared(*more)
        assert (status, "too much work" in err) == (2, True)
