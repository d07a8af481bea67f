"""What options of ``test`` change: the estimate, counts in place of a file, time and digits of the record."""

import contextlib
import json

import pytest

from exactperm import mcnemar_test
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
