"""Records are counted again with their line for a paper: no line of a confirmed record states another test."""

import json

import pytest

from exactperm import sign_flip_test
from exactperm.budget import Budget
from exactperm.cli import main
from exactperm.files import answer

TWO = "id,a,b\n" + "".join(f"{i},{i % 3},{i * 7 % 4}\n" for i in range(10))
RUNS = "id,A_s1,A_s2,B_s1,B_s2\n" + "".join(f"q{i},{i % 2},0,1,{i % 3 % 2}\n" for i in range(6))
TESTS = {
    "pairs": (TWO, "--columns a,b"),
    "order and shift": (TWO, "--columns b,a --mu 1/3"),
    "rounded": (TWO, "--columns a,b --decimals 0"),
    "differences": ("d\n1\n2\n-3\n0\n", "--differences"),
    "bracket": ("d\n1.5\n2.25\n-3.125\n0.7\n", "--differences --method certified"),
    "ranks": (TWO, "--columns a,b --statistic wilcoxon"),
    "runs": (RUNS, "--runs within --columns A_s1+A_s2,B_s1+B_s2"),
    "groups": (TWO.replace("\n9,", "\n8,"), "--columns a,b --groups id --alternative less"),
    "counts": (None, "--counts 3,9 --statistic mcnemar"),
}


def written(name, folder, capture):
    """Return the JSON of a test."""
    text, words = TESTS[name]
    files = []
    if text is not None:
        (folder / "f.csv").write_text(text, encoding="utf-8")
        files = [str(folder / "f.csv")]
    assert main.main(["test", *files, *words.split(), "--json"]) == 0
    return capture.readouterr().out


@pytest.mark.parametrize("name", TESTS)
def test_the_line_for_a_paper_is_recounted(name, tmp_path, capsys):
    record = json.loads(written(name, tmp_path, capsys))
    assert answer.recounted(record, budget=Budget()) == ""
    assert answer.unconfirmed(record) == []
    line = record["sentence"]
    for old, new in (
        (" | p ", " | p < "),
        ("permutation", "bootstrap"),
        ("sha256:", "sha256:0"),
        ("two-sided", "less"),
    ):
        if old in line:
            told = answer.recounted({**record, "sentence": line.replace(old, new)}, budget=Budget())
            assert told.startswith("sentence is 'exactperm "), old
            assert ", but counting again gives 'exactperm " in told


@pytest.mark.parametrize("files", [None, 3, [None], [{}], {}])
def test_a_record_of_other_files_has_another_line(files, tmp_path, capsys):
    record = json.loads(written("pairs", tmp_path, capsys))
    assert answer.recounted({**record, "files": files}, budget=Budget()).startswith("sentence is ")
    assert answer.recounted({**record, "mu": "x"}, budget=Budget())


def test_a_record_of_the_library_has_no_line():
    assert answer.recounted(sign_flip_test([3, 1, -2]).to_dict(), budget=Budget()) == ""


def test_fields_that_no_test_writes_are_named_and_not_confirmed(tmp_path, capsys):
    for name in ("pairs", "bracket"):
        record = json.loads(written(name, tmp_path, capsys))
        record["swaps"]["x"] = record["statement"] = "A is better"
        (tmp_path / "r.json").write_text(json.dumps(record), encoding="utf-8")
        assert main.main(["recount", str(tmp_path / "r.json")]) == 0
        told = capsys.readouterr().out.splitlines()
        assert told[1] == "not confirmed, since no test writes them: statement, swaps.x"
