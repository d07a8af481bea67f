"""Short names of the systems: in every result and picture in place of long names of files and columns."""

import json
from pathlib import Path

import pytest

from exactperm.cli import main

LONG = ["samples_arc_base_2024-05-01T10-11-12.csv", "samples_arc_large_2024-05-01T10-11-12.csv"]
FILES = {
    LONG[0]: "id,acc\n1,0\n2,1\n3,0\n4,0\n",
    LONG[1]: "id,acc\n1,1\n2,1\n3,1\n4,0\n",
    "wide.csv": "first column,second column,third column\n3,1,5\n4,2,2\n6,3,1\n9,4,7\n",
    "f1.csv": "a_tp,a_fp,a_fn,b_tp,b_fp,b_fn\n1,0,1,2,1,0\n2,1,0,1,0,1\n",
    "labels.csv": "gold,x,y\na,a,b\nb,b,b\na,b,a\na,a,b\n",
    "runs.csv": "x_1,x_2,y_1,y_2\n1,2,3,4\n2,2,1,5\n0,1,1,1\n",
    "diff.txt": "1\n2\n-1\n",
    "weights.csv": "x,y,w\n1,2,1\n2,2,3\n0,1,1\n",
}


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command among the files: (status, standard output, standard error)."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")

    def ran(*words):
        status = main.main([*words])
        return status, *capsys.readouterr()

    return ran


def facts(run, *words):
    """Return the rows of a result by their titles."""
    status, out, _err = run(*words)
    assert status == 0
    return {line[2:14].strip(): line[15:] for line in out.splitlines() if line.startswith("  ")}


@pytest.mark.parametrize(
    ("words", "levels", "compared"),
    [
        (
            [*LONG, "--id", "id"],
            "means        old 0.25, new 0.75",
            "sum of the differences old - new",
        ),
        (
            ["wide.csv", "--columns", "1,3"],
            "means        old 5.5, new 3.75",
            "sum of the differences old - new",
        ),
        (
            ["f1.csv", "--statistic", "f1"],
            "systems      old 0.75, new 0.75",
            "difference of F1 old - new",
        ),
        (
            ["labels.csv", "--statistic", "accuracy"],
            "systems      old 0.75, new 0.5",
            "accuracies old - new",
        ),
        (
            ["runs.csv", "--runs", "items"],
            "means        old 1.33333, new 2.5",
            "means of runs, old - new",
        ),
        (
            ["weights.csv", "--weights", "w"],
            "systems      old 1.4, new 1.8",
            "difference of means old - new",
        ),
    ],
)
def test_results_have_the_names_that_are_given(run, words, levels, compared):
    status, out, _err = run("test", *words, "--names", "old,new")
    assert status == 0
    assert f"\n  {levels}\n" in out
    assert f"{compared}" in out
    assert json.loads(run("test", *words, "--names", "old,new", "--json")[1])["systems"] == [
        "old",
        "new",
    ]
    plain = run("test", *words)[1]
    numbers = ("p-value", "assignments")
    lines = {line for line in plain.splitlines() if line.strip().startswith(numbers)}
    assert len(lines) == 2
    assert lines <= {*out.splitlines()}


def test_long_names_are_shown_once(run):
    out = run("test", *LONG, "--id", "id", "--names", "old,new")[1]
    assert [out.count(name) for name in LONG] == [1, 1]
    out = run("compare", *LONG, "--id", "id", "--names", "old,new")[1]
    assert [out.count(name) for name in LONG] == [1, 1]
    assert out.splitlines()[-1].split()[:2] == ["old", "new"]


def test_the_order_of_the_difference_keeps_names_and_scores_together(run):
    for words in (["wide.csv", "--columns", "1,3"], ["runs.csv", "--runs", "within"]):
        plain, named = [
            facts(run, "test", *words, "--orientation", "second-first", *more)
            for more in ([], ["--names", "old,new"])
        ]
        assert plain["statistic"].split()[0] == named["statistic"].split()[0]
        assert "new - old" in named["statistic"]
        assert [level.split()[-1] for level in plain["means"].split(",")] == [
            level.split()[-1] for level in named["means"].split(",")
        ]


def test_pictures_and_tables_have_the_names(run):
    svg = run("test", "wide.csv", "--columns", "1,2", "--names", "old,new", "--picture", "-")[1]
    assert "wide.csv: old, new" in svg
    assert "column" not in svg
    status, out, _err = run("compare", "wide.csv", "--names", "u,v,w", "--csv")
    assert status == 0
    assert [line.split(",")[:2] for line in out.splitlines()[1:]] == [
        ["u", "v"],
        ["u", "w"],
        ["v", "w"],
    ]
    assert (
        "data: wide.csv: first column, second column"
        in run("compare", "wide.csv", "--names", "u,v,w")[1]
    )
    assert (
        run("compare", "runs.csv", "--runs", "items", "--names", "u,v")[1]
        .splitlines()[-1]
        .startswith("u      v")
    )
    assert (
        "mean of the differences old - new"
        in run("interval", "wide.csv", "--columns", "1,2", "--names", "old,new")[1]
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["wide.csv", "--columns", "1,2", "--names", "a,b,c"],
            "names has 3 of systems, but there are 2: 'first column', ",
        ),
        (
            ["wide.csv", "--columns", "1,2", "--names", "a,a"],
            "names is 'a,a': each system needs a name of its own",
        ),
        (
            ["wide.csv", "--columns", "1,2", "--names", "a,"],
            "names is 'a,': each system needs a name of its own",
        ),
        (
            ["diff.txt", "--names", "a,b"],
            "names has 2 of systems, but a column of differences has no systems",
        ),
        (
            ["runs.csv", "--runs", "items", "--names", "a"],
            "names has 1 of systems, but there are 2: 'x', 'y'",
        ),
    ],
)
def test_names_that_do_not_fit(run, words, message):
    status, out, err = run("test", *words)
    assert (status, out) == (2, "")
    assert message in err
    assert "try:" not in err
