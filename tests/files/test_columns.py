"""From the columns of a file to the entries of a statistic, and what is told of the reading."""

from fractions import Fraction

import pytest

import exactperm
from exactperm.errors import ExactPermError
from exactperm.files import answer, cells, columns, systems
from exactperm.files.columns import LAYOUTS
from exactperm.files.reading import Reading
from tests.files import tabled


def asked(text, statistic="difference", **choice):
    return columns.ask(
        [tabled.table(text, "f.csv", LAYOUTS[statistic].kind, **choice)],
        LAYOUTS[statistic],
        Reading(**choice),
    )


@pytest.mark.parametrize("name", [name for name in LAYOUTS if name != "accuracy"])
def test_statistics_are_those_of_the_library(name):
    assert LAYOUTS[name].statistic is getattr(exactperm, name)


def test_one_column_of_differences_is_compared_with_zero():
    question = asked("1\n-2\n")
    assert (question.u, question.v, question.words) == (
        ["1", "-2"],
        ["0", "0"],
        "sum of the differences",
    )


def test_counts_make_pairs():
    question = asked("1,2,3,4\n5,6,7,8\n", "f1_difference")
    assert (question.u, question.v) == ([("1", "2"), ("5", "6")], [("3", "4"), ("7", "8")])
    assert question.words == "difference of F1 A - B, from tp and fp + fn of each"


def test_labels_are_compared_with_the_right_ones():
    question = asked("gold,u,v\nx,x,y\n", "accuracy", header="yes")
    assert (question.u, question.v, question.words) == (
        ["x"],
        ["y"],
        "difference of accuracies u - v",
    )


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


# ---------------------------------------------------------------------------- counts by their names


def test_f1_takes_three_counts_of_each_system():
    text = "tp_a,fp_a,fn_a,tp_b,fp_b,fn_b\n5,1,2,4,.5,3\n"
    question = asked(text, "f1_difference")
    assert (question.u, question.v) == ([("5", 3)], [("4", Fraction(7, 2))])
    four = asked("tp_a,incorrect_a,tp_b,incorrect_b\n5,3,4,3.5\n", "f1_difference")
    assert exactperm.permutation_test(
        question.u, question.v, statistic=exactperm.f1_difference
    ) == (exactperm.permutation_test(four.u, four.v, statistic=exactperm.f1_difference))


@pytest.mark.parametrize(
    ("statistic", "header"),
    [
        ("precision_difference", "tp1,fp1,tp2,fp2"),
        ("recall_difference", "True Positives,FNs,tp_b,false-negatives-b"),
        ("ratio_difference", "fp,tp,fn,tp"),
    ],
)
def test_counts_with_fitting_names_are_read(statistic, header):
    assert asked(f"{header}\n1,2,3,4\n", statistic).u == [("1", "2")]


# ------------------------------------------------------------------------------------ several files


# ------------------------------------------------------------------------------------------- doubts

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
    _scores, _groups, source = systems.scores_of(
        [tabled.table(" ".join([*means, means[0]]), "f.csv")]
    )
    assert len(source.doubts) == told


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


TASKS = "task,w,u,v\nx,1,1,0\nx,2,0,0\nx,1,1,1\ny,3,0,1\n"


@pytest.mark.parametrize(
    ("about", "words", "levels", "statistic"),
    [
        ({"weights": "w"}, "items weighted", ("2/7", "4/7"), "-2/7"),
        ({"tasks": "task"}, "mean over 2 tasks of the means over items", ("1/3", "2/3"), "-1/3"),
        (
            {"tasks": "task", "weights": "w"},
            "mean over 2 tasks of the weighted means over items",
            ("1/4", "5/8"),
            "-3/8",
        ),
    ],
)
def test_words_and_levels_are_those_of_the_weighted_mean(about, words, levels, statistic):
    reading = Reading(columns="u,v", **about)
    question = columns.ask([tabled.table(TASKS)], LAYOUTS["difference"], reading)
    assert question.words == f"difference of means u - v, {words}"
    assert question.noun == "a difference of means"
    assert question.levels == tuple(zip("uv", map(Fraction, levels)))
    assert set(about) <= {note.code for note in question.source.notes()}
    assert about.items() <= question.source.to_dict().items()
    result = answer.counted(question, "difference")
    assert result.statistic == Fraction(statistic) == question.levels[0][1] - question.levels[1][1]
    bracket = answer.enclosed(question, "difference")
    assert (bracket.statistic, bracket.pvalue) == (result.statistic, float(result.pvalue))
    single = columns.ask(
        [tabled.table(TASKS)], LAYOUTS["difference"], Reading(columns="u", **about)
    )
    assert single.levels == (("mean difference", Fraction(levels[0])),)


def test_accuracies_over_tasks_have_the_levels_of_their_tasks():
    text = "".join(f"{line},{end}\n" for line, end in zip(TASKS.splitlines(), ["gold", *"1111"]))
    reading = Reading(columns="gold,u,v", tasks="task")
    question = columns.ask([tabled.table(text, kind="labels")], LAYOUTS["accuracy"], reading)
    assert (
        question.words
        == "difference of accuracies u - v, mean over 2 tasks of the means over items"
    )
    assert question.levels == (("u", Fraction(1, 3)), ("v", Fraction(2, 3)))
    assert answer.counted(question, "accuracy").statistic == Fraction(-1, 3)


def test_counts_have_no_tasks():
    text = "task,a,b,c,d\nx,1,2,3,4\ny,2,1,1,1\n"
    with pytest.raises(
        ExactPermError, match=r"^tasks takes differences of means and of accuracies"
    ):
        columns.ask(
            [tabled.table(text, kind="counts")], LAYOUTS["f1_difference"], Reading(tasks="task")
        )
