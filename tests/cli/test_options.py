"""What options of ``test`` change: the estimate, counts in place of a file, time and digits of the record."""

import contextlib
import json
from pathlib import Path

import pytest

from exactperm import decimal_string, mcnemar_test, permutation_test
from exactperm.cli import main, workers

ROWS = "a,b\n3,1\n2,2\n5,1\n4,6\n7,3\n"
ASKED = ("f.csv", "-c", "a,b")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("f.csv").write_text(ROWS, encoding="utf-8")

    def ran(*words):
        assert main.main(["test", *words]) == 0
        return capsys.readouterr().out

    return ran


def test_an_estimate_is_no_exact_count(run):
    words = (*ASKED, "--method", "monte-carlo", "--samples", "9", "--seed", "3")
    told = run(*words)
    silent = json.loads(run(*words, "--json"))
    assert told.splitlines()[1].startswith("Monte Carlo ESTIMATE of a p-value, not exact")
    record = json.loads(run(*words, "--json", "--timing", "-o", "r.json"))
    assert (record["exact"], record["samples"], record["seed"]) == (False, 9, 3)
    assert record.pop("seconds") >= 0
    assert record == silent
    assert "seconds" in json.loads(Path("r.json").read_text(encoding="utf-8"))


def test_processes_share_a_count(run, monkeypatch):
    """The pool is handed to the test, and asked for where there is more than one process."""
    asked = []

    @contextlib.contextmanager
    def pool(processes):
        asked.append(processes)
        yield None

    monkeypatch.setattr(workers, "workers", pool)
    shared = json.loads(run(*ASKED, "--processes", "3", "--json"))
    assert asked == [3]
    assert shared == json.loads(run(*ASKED, "--json"))


def test_counts_stand_for_a_file(run):
    record = json.loads(run("--counts", "9,1", "--json"))
    assert (record["pvalue"], record["counts"]) == (str(mcnemar_test(9, 1).pvalue), [9, 1])


def test_time_digits_and_midp_are_written(run):
    record = json.loads(run(*ASKED, "--json", "--timing", "--digits", "3", "--midp"))
    result = permutation_test([3, 2, 5, 4, 7], [1, 2, 1, 6, 3])
    assert record["pvalue_decimal"] == decimal_string(result.pvalue, 3) == "0.375"
    assert record["midp"] == str(result.midp)
    assert record["seconds"] >= 0
