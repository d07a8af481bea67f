"""Text, JSON and CSV of all pairs of systems."""

import csv
import io
from fractions import Fraction

import pytest

from exactperm.compare import compare_all
from exactperm.files import leaderboards
from tests.files.questions import source


def board(**more):
    return compare_all({"baseline": [1, 2, 3, 4, 5], "b": [0, 1, 1, 2, -1], **more})


def test_leaderboard_in_full():
    """An adjusted p-value of exactly the level is significant. Two of 2^5 signs are as extreme as all of one sign."""
    compared = board(c=[1, 2, 3, 5, 4])
    assert list(
        leaderboards.text(compared, Fraction(3, 16), source(name="f\x1b.csv", comments=(7,)))
    ) == [
        "f\\x1b.csv: 3 exact paired-permutation tests, two-sided; * adjusted p <= 0.1875",
        "header: none; comments: 1 left out",
        "first     second  sum of differences  p        adjusted (holm)",
        "baseline  b       12                  0.06250  0.1875           *",
        "baseline  c       0                   1.000    1.000",
        "b         c       -12                 0.06250  0.1875           *",
    ]
    assert list(leaderboards.csv_lines(compared, Fraction(3, 16))) == [
        "first,second,statistic,pvalue,pvalue_decimal,adjusted,adjusted_decimal,significant",
        "baseline,b,12,1/16,0.062500000000000000,3/16,0.18750000000000000,True",
        "baseline,c,0,1,1.0000000000000000,1,1.0000000000000000,False",
        "b,c,-12,1/16,0.062500000000000000,3/16,0.18750000000000000,True",
    ]
    data = leaderboards.to_dict(compared, Fraction(3, 16), source())
    assert [row.pop("significant") for row in data["rows"]] == [True, False, True]
    assert data == {**compared.to_dict(), "alpha": "3/16", **source().to_dict()}

    assert "why" in list(leaderboards.text(compared, Fraction(3, 16), source(), "why"))[2]
    assert ">.188<" in leaderboards.picture(compared, Fraction(3, 16), source())


@pytest.mark.parametrize(
    ("name", "cell"),
    [
        ('a, "b"', 'a, "b"'),
        ("a\x0bb", "a\\x0bb"),
        ("a\u2028b", "a\\u2028b"),
        ("a\n\nb", "a\\n\\nb"),
        ("\x9b31m", "\\x9b31m"),
        ("\t=1", "\\t=1"),
        ("=cmd()|x", "'=cmd()|x"),
        ("+1+1", "'+1+1"),
        ("-x", "'-x"),
        ("@SUM(1,2)", "'@SUM(1,2)"),
        ("-1.5", "-1.5"),
        ("+.5", "+.5"),
        ("a=1", "a=1"),
        ("ü", "ü"),
    ],
)
def test_names_in_csv(name, cell):
    """A spreadsheet would run a formula, a terminal obey a control character; numbers and all else stay."""
    compared = compare_all({name: [1], "b": [3]})
    text = "\n".join(leaderboards.csv_lines(compared, Fraction(1, 20)))
    (row,) = csv.DictReader(io.StringIO(text, newline=""))
    assert (row["first"], row["second"], row["statistic"]) == (cell, "b", "-2")
    assert len(text.splitlines()) == 2
    line = list(leaderboards.text(compared, Fraction(1, 20), source()))[-1]
    assert line.startswith(
        cell.removeprefix("'") if hasattr(str, "removeprefix") else cell.lstrip("'")
    )
