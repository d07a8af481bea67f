"""From the columns of a file to the entries of a statistic, and what is told of the reading."""

from fractions import Fraction

import pytest

import exactperm
from exactperm.errors import ExactPermError
from exactperm.files import answer, cells, columns, jsonl, tables
from exactperm.files.columns import LAYOUTS, File
from exactperm.files.reading import Reading
from exactperm.files.selection import select


def asked(text, statistic="difference", **choice):
    return columns.ask([tables.parse(text, "f.csv")], LAYOUTS[statistic], Reading(**choice))


@pytest.mark.parametrize("name", [name for name in LAYOUTS if name != "accuracy"])
def test_statistics_are_those_of_the_library(name):
    assert LAYOUTS[name].statistic is getattr(exactperm, name)


def test_one_column_of_differences_is_compared_with_zero():
    question = asked("1\n-2\n")
    assert (question.u, question.v, question.words) == (["1", "-2"], ["0", "0"], "sum of the differences")


def test_counts_make_pairs():
    question = asked("1,2,3,4\n5,6,7,8\n", "f1_difference")
    assert (question.u, question.v) == ([("1", "2"), ("5", "6")], [("3", "4"), ("7", "8")])
    assert question.words == "difference of F1 A - B, from tp and fp + fn of each"


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
    choice = Reading(missing="drop")
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
    source = columns.ask(sheets, LAYOUTS["difference"], Reading(id="i")).source
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


# ---------------------------------------------------------------------------------------------- doubts

ROWS = "".join(f"{i},{i % 3}\n" for i in range(5))


def doubts(text, statistic="difference", **choice):
    return asked(text, statistic, **choice).source.doubts


def test_one_column_is_told_of():
    assert doubts("1\n-2\n") == (
        "one column is taken as the differences A - B; to compare two systems, name both files",
    )
    assert asked("1\n-2\n").source.to_dict()["doubts"] == list(doubts("1\n-2\n"))


@pytest.mark.parametrize(
    ("means", "told"),
    [
        (("40.5", "0.56"), True),
        (("0.9", "93"), True),
        (("0", "93"), False),
        (("0.05", "0.9"), False),
        (("0.5", "9"), False),
    ],
)
def test_a_share_beside_a_percentage_is_asked_for(means, told):
    low, high = sorted(["column 1", "column 2"], key=lambda name: float(means[name == "column 2"]))
    words = (f"are {low} and {high} on one scale? One may be in percent, the other in shares of 1",)
    assert doubts(" ".join(means)) == (words if told else ())
    _scores, _groups, source = answer.systems([tables.parse(" ".join([*means, means[0]]), "f.csv")])
    assert len(source.doubts) == told


@pytest.mark.parametrize("name", ["id", "docID", "seg", "", "A"])
def test_numbers_of_items_are_tested_only_where_they_are_chosen(name):
    """The cells 0 to 4 count up, whatever the column is called."""
    text = (f"{name},b\n{ROWS}" if name else ROWS).replace(",", "\t")
    with pytest.raises(
        ExactPermError,
        match=r"seems to number the items .--columns decides otherwise.; the file of the other system is missing",
    ):
        asked(text)
    assert doubts(text, columns="1,2") == (f"f.csv: the column '{name or 'column 1'}' seems to number the items",)
    assert doubts(f"{name or 'x'}\n0\n1\n2\n3\n4\n") == doubts("1\n2\n")  # alone it is a column of differences


@pytest.mark.parametrize(
    "text",
    [
        "u,v\n1,2\n2,3\n3,1\n4,2\n",  # four in order may be chance
        "u,v\n1,2\n2,3\n3,1\n4,2\n6,2\n",
        "valid,b\n1,0\n0,0\n1,1\n",  # 0 and 1 are scores, but under a name of items
        "id,b\n0.5,0\n0.25,0\n",
        "u,v\n5,2\n4,2\n3,2\n2,2\n1,1\n",
    ],
)
def test_scores_are_no_numbers_of_items(text):
    assert doubts(text) == ()


def test_the_header_of_pandas_is_no_pair():
    """Columns without names are 0 and 1 there, below an empty cell for the numbers of rows."""
    question = asked(",0,1\n0,5,4\n1,3,4\n", columns="2,3")
    assert (question.u, question.v, question.source.files[0].header) == (["5", "3"], ["4", "4"], 1)
    assert asked(",0,1\n0,5,4\n1,3,4\n", columns="2,3", header="no").u == ["0", "5", "3"]
    assert asked(",0,2\n0,5,4\n1,3,4\n", columns="2,3").u == ["0", "5", "3"]


def test_numbers_of_items_have_many_forms():
    for cells_ in (["0.0", "1.0", "2.0", "3.0", "4.0"], ["007", "008", "009", "010", "011"]):
        assert cells.numbers_items("A", cells_)
    assert not cells.numbers_items("A", ["1", "2", "3", "4", "x"])
    for name in ("sentence no", "doc_index", "qid", "Unnamed: 0"):
        assert cells.numbers_items(name, ["12", "7"])


def test_right_labels_beside_scores_are_told_of():
    text = "gold,a\n" + "1,1\n0,1\n" * 3
    with pytest.raises(
        ExactPermError,
        match=r"seems to hold the right labels .--columns decides otherwise.; these are class labels: ",
    ):
        asked(text)
    assert doubts(text, columns="gold,a") == ("f.csv: the column 'gold' seems to hold the right labels",)
    assert doubts(text.replace("1,1", "0.5,1")) == ()


def test_the_right_labels_come_first():
    rows = "X,Y,X\nY,Y,Y\nX,X,X\nY,X,Y\n"
    with pytest.raises(ExactPermError, match=r'say --columns "y true",a,b$'):
        asked(f"a,b,y true\n{rows}", "accuracy")
    assert asked(f"label,answer,truth\n{rows}", "accuracy").source.names == ("label", "answer", "truth")
    same = [tables.parse("a,gold\nX,X\nY,Y\nX,X\n", name) for name in "fg"]
    with pytest.raises(ExactPermError, match=r"'gold' holds the right labels by its name: say --columns gold,a$"):
        columns.ask(same, LAYOUTS["accuracy"], Reading(columns="a,gold"))


def test_labels_that_are_never_right_are_told_of():
    gold = "gold,a,b\nX,X,{}\nY,X,{}\nX,Y,{}\nY,Y,{}\n"
    assert doubts(gold.format(*"XYYX"), "accuracy") == ()
    assert doubts(gold.format(*"UVUV"), "accuracy") == ("no label of b is one of gold",)
    told = "b has 'x', gold has 'X': labels are compared as they are written"
    assert doubts(gold.format(*"xYxY"), "accuracy") == (told,)
    with pytest.raises(ExactPermError, match=f"^{told}, and none is the same$"):
        asked(gold.format(*"xyxx"), "accuracy")


def test_files_with_the_same_bytes():
    first, second = [tables.parse("1\n2\n4\n", name) for name in ("f", "g")]
    first, second = [columns.replaced(sheet, sha256="ab") for sheet in (first, second)]
    told = columns.ask([first, second], LAYOUTS["difference"]).source.doubts
    assert told == ("f and g hold the same bytes",)
    with pytest.raises(ExactPermError, match=r"^f is named twice: name the file of the other system$"):
        columns.ask([first, first], LAYOUTS["difference"])


def test_a_row_for_each_system_is_told_of():
    text = "1,0,1,1,0\n0,1,1,1,1\n"
    sheet = tables.parse(text, "f.csv")
    with pytest.raises(
        ExactPermError,
        match=r"f.csv: 5 columns, but 2 rows of scores .--columns decides otherwise.; write a column for each system",
    ):
        select([sheet], range(2, 6), "one per system")
    doubts = select([sheet], range(2, 6), "", Reading(columns="1-5")).doubts
    assert doubts == ("f.csv: 5 columns, but 2 rows of scores",)
