"""Rows side by side: what joined files must have in common, and what columns of them say."""

import pytest

from exactperm.errors import ExactPermError
from exactperm.files import columns, parts
from exactperm.files.checks import Note
from exactperm.files.columns import LAYOUTS
from exactperm.files.parts import Part
from exactperm.files.reading import Reading
from tests.files import tabled


def refusal(*texts, **settings):
    with pytest.raises(ExactPermError) as caught:
        tabled.joined(texts, (2,), **settings)
    return caught.value.code


def test_one_id_means_one_item():
    first, second = "id,gold,u\na,X,1\nb,Y,2\n", "id,gold,u\nb,Y,1\na,Z,2\n"
    assert refusal(first, second, key="u", id="id") == "other-items"
    assert tabled.joined([first, second.replace("Z", "X")], key="u", id="id").columns == [
        ["1", "2"],
        ["2", "1"],
    ]
    assert tabled.joined([first, second.replace("gold", "pred")], key="u", id="id").columns


def test_names_of_columns_that_occur_twice():
    assert refusal("u,u\n1,2\n", "u,u\n3,4\n", key="u") == "column"
    assert refusal('{"u": 1}', '{"u": 2}', key="v") == "column"


def test_ids_that_agree_make_names_of_runs_of_no_concern():
    texts = ["id,run_id,u\nq1,x1,1\nq2,x2,2\n", "id,run_id,u\nq1,y1,2\nq2,y2,2\n"]
    assert tabled.joined(texts, key="u").columns == [["1", "2"], ["2", "2"]]
    texts = ["id,domain,u\nq1,x,1\nq2,y,2\n", "id,domain,u\nq1,x,2\nq2,x,2\n"]
    assert refusal(*texts, key="u") == "moved-items"


def test_a_first_row_of_words_above_words_is_no_header():
    assert tabled.chosen("2019,2020\nx,1\ny,2\nz,1\n1,2\n5,1\n", columns="2").columns == [
        ["2020", "1", "2", "1", "2", "1"]
    ]


def test_two_columns_of_whole_numbers_say_how_they_were_read():
    question = columns.ask([tabled.table("8,6\n3,5\n7,7\n")], LAYOUTS["difference"], Reading())
    assert question.source.rows()[2] == (
        "cells",
        "separated by commas; decimal comma reads decimals",
    )
    assert Note(code="x", text="a").line == "a"


def test_runs_of_two_systems_are_no_systems():
    with pytest.raises(ExactPermError) as caught:
        tabled.chosen("base_s1,base_s2,new_s1,new_s2\n0.1,0.2,0.3,0.4\n0.2,0.3,0.1,0.5\n")
    assert (caught.value.code, caught.value.cure.choose) == ("runs", "runs")


WEIGHED = "id,task,w,u,v\na,x,1,1,0\nb,x,3,0,1\nc,y,2,1,0\n"


def test_weights_and_tasks_are_no_scores():
    found = tabled.chosen(WEIGHED, id="id", tasks="task", weights="w")
    assert (found.names, found.columns) == (("u", "v"), [["1", "0", "1"], ["0", "1", "0"]])
    assert (found.tasks, found.labels) == (["x", "x", "y"], None)
    plain = tabled.chosen(WEIGHED, columns="u,v")
    assert (plain.weights, plain.tasks) == (None, None)


def test_weights_may_have_decimal_commas():
    found = tabled.chosen(
        WEIGHED.replace(",", ";").replace(";3;", ";0,5;"), columns="u,v", weights="w"
    )
    assert found.weights == ["1", "0.5", "2"]


def test_items_are_left_out_with_their_weights_and_tasks():
    text = WEIGHED.replace("x,3,0,1", "x,3,NA,1")
    found = tabled.chosen(text, columns="u,v", weights="w", tasks="task", missing="drop")
    assert (found.weights, found.tasks, found.dropped) == (["1", "2"], ["x", "y"], 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("a,x,1", "a,x,0", "f.csv, line 2, column 3 (w): the weight is '0': it must be above 0"),
        ("a,x,1", "a,x,-2", "f.csv, line 2, column 3 (w): the weight is '-2': it must be above 0"),
        ("a,x,1", "a,x,NA", "f.csv, line 2, column 3 (w): the weight is missing (NA)"),
        ("a,x,1", "a,x,much", "f.csv, line 2, column 3 (w): 'much' is no score"),
        ("c,y", "c,", "f.csv, line 4, column 2 (task): the task is missing"),
    ],
)
def test_wrong_weights_and_tasks_are_named_by_their_cells(old, new, message):
    with pytest.raises(ExactPermError) as caught:
        tabled.chosen(WEIGHED.replace(old, new), columns="u,v", weights="w", tasks="task")
    assert str(caught.value).startswith(message)


def test_files_must_agree_on_weights_and_tasks():
    first, second = "id,task,w,u\na,x,1,1\nb,y,2,0\n", "id,task,w,u\nb,y,2,1\na,x,1,0\n"
    about = {"key": "u", "id": "id", "weights": "w", "tasks": "task"}
    found = tabled.joined([first, second], **about)
    assert (found.columns, found.weights, found.tasks) == (
        [["1", "0"], ["0", "1"]],
        ["1", "2"],
        ["x", "y"],
    )
    assert refusal(first, second.replace("y,2", "y,3"), **about) == "weights"
    assert refusal(first, second.replace("y,2", "x,2"), **about) == "tasks"


def test_the_column_of_the_same_name_in_another_file():
    part = Part(table=tabled.table("id,score,note\nq1,1,x\nq2,2,y\n"), chosen=(1,))
    assert [parts.counterpart(part, "SCORE", 2), parts.counterpart(part, "other", 1)] == [1, -1]
    assert [parts.counterpart(part, "item_id", 0), parts.counterpart(part, "item_id", 1)] == [0, -1]
    assert [parts.counterpart(part, "", 2), parts.counterpart(part, "", 3)] == [2, -1]
