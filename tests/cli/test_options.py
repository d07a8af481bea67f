"""What options of ``test`` change: the estimate, counts in place of a file, time and digits of the record."""

import contextlib
import json
from pathlib import Path

import pytest

from exactperm import decimal_string, mcnemar_test, permutation_test
from exactperm.cli import workers

ROWS = "a,b\n3,1\n2,2\n5,1\n4,6\n7,3\n"
ASKED = ("f.csv", "-c", "a,b")


@pytest.fixture
def tested(write, run):
    write(ROWS)

    def out(*words):
        status, said, _err = run("test", *words)
        assert status == 0
        return said

    return out


def test_an_estimate_is_no_exact_count(tested):
    words = (*ASKED, "--method", "monte-carlo", "--samples", "9", "--seed", "3")
    told = tested(*words)
    silent = json.loads(tested(*words, "--json"))
    assert told.splitlines()[1].startswith("Monte Carlo ESTIMATE of a p-value, not exact")
    record = json.loads(tested(*words, "--json", "--timing", "-o", "r.json"))
    assert (record["exact"], record["samples"]) == (False, 9)
    assert record.pop("seconds") >= 0
    assert record == silent
    assert "seconds" in json.loads(Path("r.json").read_text(encoding="utf-8"))


def test_processes_share_a_count(tested, monkeypatch):
    """The pool is handed to the test, and asked for where there is more than one process."""
    asked = []

    @contextlib.contextmanager
    def pool(processes):
        asked.append(processes)
        yield None

    monkeypatch.setattr(workers, "workers", pool)
    shared = json.loads(tested(*ASKED, "--processes", "3", "--json"))
    assert asked == [3]
    assert shared == json.loads(tested(*ASKED, "--json"))


def test_counts_stand_for_a_file(tested):
    record = json.loads(tested("--counts", "9,1", "--json"))
    assert (record["pvalue"], record["counts"]) == (str(mcnemar_test(9, 1).pvalue), [9, 1])


def test_time_digits_and_midp_are_written(tested):
    record = json.loads(tested(*ASKED, "--json", "--timing", "--digits", "3", "--midp"))
    result = permutation_test([3, 2, 5, 4, 7], [1, 2, 1, 6, 3])
    assert record["pvalue_decimal"] == decimal_string(result.pvalue, 3) == "0.375"
    assert record["midp"] == str(result.midp)
    assert record["seconds"] >= 0
