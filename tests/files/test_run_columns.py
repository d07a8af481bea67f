"""What is no run of a system is refused: a mean beside runs, a file with another metric, rows of metrics or tasks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.errors import ExactPermError
from exactperm.files import answer
from exactperm.files.reading import Reading
from exactperm.files.sources import tables_of

MEAN = "item,A_s1,A_s2,A_mean,B_s1,B_s2,B_mean\nq1,1,0,.5,1,1,1\nq2,0,0,0,1,0,.5\nq3,1,1,1,1,1,1\n"
PLAIN = "A_s1,A_s2,B_s1,B_s2"
THREE = [(1, 2, 3), (2, 2, 1), (3, 5, 1), (0, 1, 5), (2, 7, 3), (1, 1, 4)]
ROWS = [f"{x},{y},{z},{(x + y + z) / 3!r},{x % 2},{y % 2},1" for x, y, z in THREE]
KEYS = {"q1": (0, 1), "q2": (1, 1), "q3": (0, 0)}


def asked(files, **settings):
    """Return the question that files ask under a design, or the error."""
    contents = [(name, text.encode()) for name, text in files.items()]
    try:
        tables, reading = tables_of(contents, Reading.of({"runs": "within", **settings}))
        return answer.question(tables, "difference", reading)
    except ExactPermError as error:
        return error


@pytest.mark.parametrize("columns", [None, "A*,B*", "2-4,5-7"])
def test_a_mean_beside_runs_is_no_run(columns):
    error = asked({"f.csv": MEAN}, columns=columns)
    assert (error.code, error.cure.settings) == ("no-run", {"columns": PLAIN})
    assert "'A_mean' is no run by its name" in str(error)
    assert asked({"f.csv": MEAN}, **error.cure.settings).u == [["1", "0"], ["0", "0"], ["1", "1"]]


def test_a_column_that_others_give_is_no_run():
    head = "A_1,A_2,A_3,A_4,B_1,B_2,B_3\n"
    error = asked({"f.csv": head + "\n".join(ROWS)}, columns="A*,B*")
    assert (error.code, error.cure.settings) == ("no-run", {"columns": "A_1,A_2,A_3,B_1,B_2,B_3"})
    assert "'A_4' is the mean of others in every row" in str(error)
    plain = asked({"f.csv": "\n".join(ROWS)}, columns="1-4,5-7")
    assert (plain.code, plain.cure.settings) == ("no-run", {})
    one = {
        f"{name}.csv": "s1,s2,s3,s4\n" + "\n".join(",".join(row.split(",")[:4]) for row in ROWS)
        for name in "ab"
    }
    assert asked(one).cure.settings == {"columns": "s1,s2,s3"}
    assert len(asked(one, columns="s1,s2,s3").u[0]) == 3
    assert (
        len(asked({"f.csv": head + "\n".join(ROWS)}, columns="A_1,A_2,A_3,B_1,B_2,B_3").u[0]) == 3
    )


def test_runs_whose_names_have_no_numbers_are_chosen_in_blocks():
    found = asked(
        {"f.csv": "id,A_x,A_y,A_z,B_x,B_y,B_z\n" + "".join(f"{q},1,0,1,0,0,1\n" for q in KEYS)},
        columns="A*,B*",
    )
    assert found.u == [["1", "0", "1"]] * 3


def test_one_run_of_a_system_beside_several_of_another():
    found = asked({"f.csv": "id,A_s1,B_s1,B_s2\nq1,1,0,1\nq2,0,1,1\n"})
    assert (found.u, found.v) == ([["1"], ["0"]], [["0", "1"], ["1", "1"]])
    files = dict.fromkeys(("A_s1.csv", "B_s1.csv", "B_s2.csv"), "id,x\nq1,1\nq2,0\n")
    assert asked(files).v == [["1", "1"], ["0", "0"]]


def test_the_files_of_a_system_hold_one_column():
    files = dict.fromkeys(("A_s1.csv", "A_s2.csv", "B_s1.csv", "B_s2.csv"), "id,acc\nq1,1\nq2,0\n")
    assert asked(files).u == [["1", "1"], ["0", "0"]]
    error = asked({**files, "B_s2.csv": "id,f1\nq1,1\nq2,0\n"})
    assert (error.code, str(error).startswith("B_s2.csv: the scores are in the column 'f1'")) == (
        "no-run",
        True,
    )
    seeds = {name: text.replace("acc", f"acc_{name[2:4]}") for name, text in files.items()}
    assert asked(seeds).u == asked(files).u


def long(column, values, score=lambda i, value: (i + len(value)) % 2):
    """Return a long table with a column that has these values on the rows of each item of both systems."""
    rows = [
        (item, name, value, score(i, value))
        for i, item in enumerate(KEYS)
        for name in "AB"
        for value in values
    ]
    return f"item,system,{column},score\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


@pytest.mark.parametrize(
    ("column", "values"), [("metric", ("em", "f1")), ("task", ("math", "law")), ("k", ("0", "1"))]
)
def test_rows_that_differ_in_a_column_need_it_said_what_they_are(column, values):
    settings = {"system": "system", "score": "score"}
    error = asked({"f.csv": long(column, values)}, **settings)
    assert (
        error.code,
        f"differ in the column '{column}' ('{values[0]}', '{values[1]}')" in str(error),
    ) == (
        "runs-columns",
        True,
    )
    assert len(asked({"f.csv": long(column, values)}, run=column, **settings).u) == 3
    side = f"item,{column},A,B\n" + "".join(
        f"{item},{value},1,0\n" for item in KEYS for value in values
    )
    assert asked({"f.csv": side}, columns="A,B").code == "runs-columns"
    one = f"item,{column},score\n" + "".join(
        f"{item},{value},1\n" for item in KEYS for value in values
    )
    assert asked({"a.csv": one, "b.csv": one}, key="score").code == "runs-columns"


@given(st.lists(st.sampled_from("xy"), min_size=12, max_size=12))
def test_texts_of_runs_are_no_names_of_runs(texts):
    """Rows are read where what they hold besides is alike on two rows of an item, or has more values than runs."""
    keys = [(item, name) for item in KEYS for name in "AB" for _run in range(2)]
    some = [text if i > 1 else "x" for i, text in enumerate(texts)]
    for cells in (some, [*"abc", *texts[3:]]):
        rows = [f"{item},{name},{cell},1\n" for (item, name), cell in zip(keys, cells)]
        found = asked(
            {"f.csv": "item,system,out,score\n" + "".join(rows)}, system="system", score="score"
        )
        assert found.u == [["1", "1"]] * 3


def test_the_scores_of_a_long_table_are_no_name_of_a_system():
    text = long("seed", ("1", "2"))
    error = asked({"f.csv": text}, system="system", key="score")
    assert (error.code, error.cure.settings) == ("systems", {"key": "", "score": "score"})
    assert asked({"f.csv": text}, system="system", key="C").cure is None


def test_a_list_of_runs_in_one_cell_is_refused_with_another_form():
    text = '{"id": 1, "A": [1, 0], "B": [0, 1]}\n{"id": 2, "A": [1, 1], "B": [0, 1]}\n'
    error = asked({"f.jsonl": text})
    assert (error.code, "as a key of its own" in error.cure.words) == ("no-score", True)
    assert asked(
        {
            "f.jsonl": text.replace("[", '{"s1": ')
            .replace(", 0]", ', "s2": 0}')
            .replace(", 1]", ', "s2": 1}')
        }
    ).u
