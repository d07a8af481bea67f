"""``read_scores``: the reader of the command line for programs."""

import json
from fractions import Fraction

import pytest

from exactperm import (
    ExactPermError,
    WrongType,
    permutation_test,
    permutation_test_runs,
    read_scores,
)


def sample(doc, acc):
    known = {"doc": {"text": f"q{doc}"}, "target": "A", "filter": "none", "metrics": ["acc"]}
    found = {"doc_id": doc, "filtered_resps": ["x"], "doc_hash": f"q{doc}", "acc": acc}
    return json.dumps({**known, **found})


@pytest.fixture
def folders(tmp_path):
    """Two folders as lm-evaluation-harness writes them, the items in another order."""
    for name, docs in (("base", (0, 1, 2)), ("new", (2, 0, 1))):
        inner = tmp_path / name / "model__x"
        inner.mkdir(parents=True)
        (inner / "results_2026.json").write_text("{}")
        lines = [sample(doc, float(doc > 0) if name == "new" else 0.0) for doc in docs]
        (inner / "samples_task_2026.jsonl").write_text("\n".join(lines))
    return tmp_path / "base", tmp_path / "new"


def test_two_logs_are_three_lines_of_code(folders):
    scores = read_scores(*folders)
    result = permutation_test(*scores.systems.values(), **scores.units)
    assert (result.n, result.pvalue) == (3, Fraction(1, 2))
    assert scores.ids == ("0", "1", "2")
    assert all(f"  {title} " in str(scores) for title in ("first", "last", "ranges", "means"))
    means = ", ".join(
        f"{name}: mean {mean}" for name, mean in zip(scores.systems, ("0", "0.666667"))
    )
    assert repr(scores) == f"Scores({means}; 3 items)"


def test_folders_of_no_run_or_of_many(folders, tmp_path):
    for first, second in ((tmp_path, folders[0]), folders):
        with pytest.raises(ExactPermError) as caught:
            read_scores(first, second)
        assert caught.value.code == "unreadable"
        (folders[0] / "model__x" / "samples_task_2026.jsonl").unlink(missing_ok=True)


def test_exact_numbers_groups_and_runs(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("item,doc,a1,a2,b1\nq1,x,0.1,1/3,1\nq2,x,0.25,0,0\n")
    scores = read_scores(path, columns="a1,b1", groups="doc", names="old,new")
    assert scores.systems == {"old": [Fraction(1, 10), Fraction(1, 4)], "new": [1, 0]}
    assert scores.units == {"groups": ["x", "x"], "weights": None, "tasks": None}
    assert scores.ids is None
    runs = read_scores(path, columns="a1+a2,b1", runs="within", id="item")
    assert next(iter(runs.systems.values())) == [
        [Fraction(1, 10), Fraction(1, 3)],
        [Fraction(1, 4), 0],
    ]
    assert permutation_test_runs(*runs.systems.values(), **runs.units).n == 2
    rounded = read_scores(path, columns="a1,b1", decimals=0)
    assert [*rounded.systems.values()] == [[0, 0], [1, 0]]


def test_what_is_refused_has_the_codes_of_the_command_line(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("item,level,old,new\nq1,1,0.5,1\nq2,1,0.25,0\n")
    with pytest.raises(ExactPermError) as caught:
        read_scores(path)
    assert (caught.value.code, caught.value.argument) == ("columns", "columns")
    assert [facts.word for facts in caught.value.listing.columns] == ["item", "level", "old", "new"]
    with pytest.raises(ExactPermError, match="paths is empty"):
        read_scores()
    with pytest.raises(WrongType, match=r"paths\[1\] is 3"):
        read_scores("a.csv", 3)
    with pytest.raises(WrongType):
        read_scores(path, key="old")
    with pytest.raises(ExactPermError):
        read_scores(path, differences=True)
