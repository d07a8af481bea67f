"""Records are counted again with their line for a paper: no line of a confirmed record states another test."""

import json

import pytest

from exactperm import sign_flip_test
from exactperm.budget import Budget
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


@pytest.fixture
def written(write, run):
    """A function that returns the record of a test."""

    def written(name):
        text, words = TESTS[name]
        files = [] if text is None else [write(text)]
        status, out, _err = run("test", *files, *words.split(), "--json")
        assert status == 0
        return json.loads(out)

    return written


@pytest.mark.parametrize("name", TESTS)
def test_the_line_for_a_paper_is_recounted(name, written):
    record = written(name)
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
def test_a_record_of_other_files_has_another_line(files, written):
    record = written("pairs")
    assert answer.recounted({**record, "files": files}, budget=Budget()).startswith("sentence is ")
    assert answer.recounted({**record, "mu": "x"}, budget=Budget())


def test_a_record_of_the_library_has_no_line():
    assert answer.recounted(sign_flip_test([3, 1, -2]).to_dict(), budget=Budget()) == ""


def test_fields_that_no_test_writes_are_named_and_not_confirmed(written, write, run):
    for name in ("pairs", "bracket"):
        record = written(name)
        record["swaps"]["x"] = record["statement"] = "A is better"
        status, out, _err = run("recount", write(json.dumps(record), "r.json"))
        assert status == 0
        assert out.splitlines()[1] == "not confirmed, since no test writes them: statement, swaps.x"
