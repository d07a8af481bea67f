"""From the columns of a file to the entries of a statistic, and what is told of the reading."""

import pytest

import exactperm
from exactperm.files import columns, tables
from exactperm.files.columns import LAYOUTS, File
from exactperm.files.selection import Choice


def asked(text, statistic="difference", **choice):
    return columns.ask([tables.parse(text, "f.csv")], LAYOUTS[statistic], Choice(**choice))


@pytest.mark.parametrize("name", [name for name in LAYOUTS if name != "accuracy"])
def test_statistics_are_those_of_the_library(name):
    assert LAYOUTS[name].statistic is getattr(exactperm, name)


def test_one_column_of_differences_is_compared_with_zero():
    question = asked("1\n-2\n")
    assert (question.u, question.v, question.words) == (["1", "-2"], ["0", "0"], "sum of the differences")


def test_counts_make_pairs():
    question = asked("1,2,3,4\n5,6,7,8\n", "f1_difference")
    assert (question.u, question.v) == ([("1", "2"), ("5", "6")], [("3", "4"), ("7", "8")])
    assert question.words == "difference of F1"


def test_labels_are_compared_with_the_right_ones():
    question = asked("gold,u,v\nx,x,y\n", "accuracy", header="yes")
    assert (question.u, question.v, question.words) == (["x"], ["y"], "difference of accuracies u - v")


def test_what_is_told_of_the_reading():
    source = asked("# a\nu,v\n#b\n\n1,2\n\n\n3,4\n\n").source
    file = File(name="f.csv", sha256="", header=2, first=2, comments=(1, 3), blanks=(4, 6, 7))
    assert (source.files, source.names, source.pairs) == ((file,), ("u", "v"), 2)
    assert source.notes() == [
        ("header", "line 2; --header no makes it data"),
        ("comments", "lines 1, 3 left out; --comments no makes them data"),
        ("blank", "lines 4, 6-7 left out"),
    ]
    read = {"format": "table", "header_line": 2, "comment_lines": [1, 3], "blank_lines": [4, 6, 7]}
    assert source.to_dict() == {
        "files": [{"name": "f.csv", "sha256": "", **read}],
        "columns": ["u", "v"],
        "id": None,
        "missing": "refuse",
        "dropped_pairs": 0,
        "decimals": None,
        "rounded": 0,
        "version": exactperm.__version__,
    }
    assert asked("\n1 2\n").source.notes() == [("header", "none; --header yes makes line 2 one")]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((3,), "line 3"),
        (range(1, 8), "lines 1-7"),
        (range(2, 18, 2), "lines 2, 4, 6, 8, 10, 12, 14, 16"),
        (range(2, 20, 2), "lines 2, 4, 6, 8, 10, 12, 14, 16, ... (9 in all)"),
    ],
)
def test_lines(numbers, text):
    assert columns._lines(tuple(numbers)) == text
