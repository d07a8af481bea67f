"""From the columns of a file to the entries of a statistic, and what is told of the reading."""

from fractions import Fraction

import pytest

import exactperm
from exactperm.errors import ExactPermError
from exactperm.files import cells, columns, jsonl, tables
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
    assert question.words == "difference of F1, from tp and fp + fn of each"


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
        "groups": None,
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


# ---------------------------------------------------------------------------------------------- counts by their names


def test_f1_takes_three_counts_of_each_system():
    text = "tp_a,fp_a,fn_a,tp_b,fp_b,fn_b\n5,1,2,4,.5,3\n"
    question = asked(text, "f1_difference")
    assert (question.u, question.v) == ([("5", 3)], [("4", Fraction(7, 2))])
    four = asked("tp_a,incorrect_a,tp_b,incorrect_b\n5,3,4,3.5\n", "f1_difference")
    assert exactperm.permutation_test(question.u, question.v, statistic=exactperm.f1_difference) == (
        exactperm.permutation_test(four.u, four.v, statistic=exactperm.f1_difference)
    )


@pytest.mark.parametrize(
    ("statistic", "header", "name", "found", "needed"),
    [
        ("f1_difference", "tp_a,fp_a,tp_b,fp_b", "fp_a", "fp", "fp + fn"),
        ("f1_difference", "tp,wrong,TP.2,FN.2", "FN.2", "fn", "fp + fn"),
        ("f1_difference", "tp_a,tp_b,wrong_a,wrong_b", "tp_b", "tp", "fp + fn"),
        ("f1_difference", "a tp,b tp,a fp,b fp,a fn,b fn", "b tp", "tp", "fp"),
        ("f1_difference", "False-Positives,x,y,z", "False-Positives", "fp", "tp"),
        ("precision_difference", "tp,fn,tp2,fn2", "fn", "fn", "fp"),
        ("recall_difference", "tp,false_neg,tp2,false_pos", "false_pos", "fp", "fn"),
    ],
)
def test_counts_of_another_kind_are_refused_by_their_names(statistic, header, name, found, needed):
    text = f"{header}\n{','.join('1' * len(header.split(',')))}\n"
    with pytest.raises(ExactPermError) as caught:
        asked(text, statistic)
    assert str(caught.value) == (
        f"the column {name!r} holds {found} by its name, but {needed} is needed in its place: {statistic} needs "
        f"{LAYOUTS[statistic].meaning}; choose the columns in this order with --columns"
    )


@pytest.mark.parametrize(
    ("statistic", "header"),
    [
        ("f1_difference", "correct,errors,correct2,loft"),
        ("precision_difference", "tp1,fp1,tp2,fp2"),
        ("recall_difference", "True Positives,FNs,tp_b,false-negatives-b"),
        ("ratio_difference", "fp,tp,fn,tp"),
    ],
)
def test_counts_with_fitting_names_are_read(statistic, header):
    assert asked(f"{header}\n1,2,3,4\n", statistic).u == [("1", "2")]


# ---------------------------------------------------------------------------------------------- several files


def test_what_is_told_of_several_files():
    sheets = [
        tables.parse("u\n1\nNA\n.25\n", "a.txt"),
        jsonl.parse('{"v": 1}{"v": 2}{"v": 0.05}', "b.jsonl", ["v"]),
    ]
    choice = Choice(missing="drop")
    question = columns.ask(sheets, LAYOUTS["difference"], choice, decimals=1)
    assert question.words == "sum of the differences a.txt: u - b.jsonl: v"
    assert (question.source.name, question.source.columns()) == ("a.txt, b.jsonl", "a.txt: u, b.jsonl: v")
    assert question.source.notes() == [
        ("header", "a.txt: line 1; --header no makes it data"),
        ("format", "b.jsonl: JSON records; --delimiter D reads a table"),
        ("joined by", "position; --id NAME joins by ids"),
        ("missing", "1 of 3 pairs left out of all columns (--missing drop)"),
        ("rounded", "2 values altered by --decimals 1"),
    ]
    data = question.source.to_dict()
    assert (data["dropped_pairs"], data["decimals"], data["rounded"]) == (1, 1, 2)
    assert [file["format"] for file in data["files"]] == ["table", "json"]


def test_what_is_told_of_ids():
    sheets = [tables.parse("i,u\nx,1\n", "a"), tables.parse("i,u\nx,2\n", "b")]
    source = columns.ask(sheets, LAYOUTS["difference"], Choice(id="i")).source
    assert source.notes()[-1] == ("joined by", "i, all ids in every file")
    assert source.to_dict()["id"] == "i"


def test_only_scores_are_rounded():
    sheet = tables.parse("a,a,b\n", "f")
    assert columns.ask([sheet], LAYOUTS["accuracy"], decimals=1).source.decimals is None


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("tp", "tp"), ("fp_baseline", "fp"), ("sysB.FN", "fn"), ("True Positives", "tp"), ("false_negatives_b", "fn"),
        ("tps", "tp"), ("incorrect", ""), ("loft", ""), ("tpr", ""), ("http", ""), ("", ""),
    ],
)  # fmt: skip
def test_roles(name, role):
    assert cells.role(name) == role


@pytest.mark.parametrize("turned", [False, True])
def test_two_files_with_the_right_labels(turned):
    """Each system's file has the right label beside its own; labels that differ are refused."""
    first = tables.parse("gold,tag\nN,N\nV,N\nN,N\n", "a.csv")
    second = tables.parse("gold,tag\nN,N\nV,V\nN,V\n", "b.csv")
    question = columns.ask([first, second], LAYOUTS["accuracy"], turned=turned)
    assert question.levels == (("a.csv: tag", Fraction(2, 3)), ("b.csv: tag", Fraction(2, 3)))
    wrong = tables.parse("gold,tag\nN,N\nN,V\nV,N\n", "b.csv")
    with pytest.raises(ExactPermError, match=r"same right labels, but item 2 has 'V' and 'N': choose the column"):
        columns.ask([first, wrong], LAYOUTS["accuracy"])
