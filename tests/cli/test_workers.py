"""Worker processes: they end with the command, however it ends, and their own end is an error."""

import concurrent.futures
import multiprocessing
import os
import signal
import subprocess
import sys
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from types import SimpleNamespace

import pytest

import exactperm
from exactperm.cli import test
from exactperm.cli.progress import Workers
from exactperm.errors import ExactPermError

ROOT = Path(exactperm.__file__).parent.parent
BOARD = "item,a,b,c\n1,3,1,3\n2,5,2,4\n3,4,2,5\n4,7,3,6\n5,6,1,6\n6,2,1,2\n"


class Process:
    """A process that notes its end."""

    def __init__(self, name, ended):
        self.terminate = lambda: ended.append(name)


@pytest.fixture
def pool(monkeypatch):
    """A pool of one process, beside a process of somebody else; it notes how all of them end."""
    ended = []
    other, worker = Process("other", ended), Process("worker", ended)
    children = iter([[other], [other, worker]])
    pool = SimpleNamespace(shutdown=lambda **said: ended.append(said), ended=ended)
    pool._executor_manager_thread = SimpleNamespace(join=ended.append)
    pool._call_queue = SimpleNamespace(cancel_join_thread=lambda: ended.append("queue"))
    monkeypatch.setattr(multiprocessing, "active_children", lambda: next(children))
    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", lambda *_words, **_options: pool)
    return pool


ENDS = [
    (KeyboardInterrupt("stop"), KeyboardInterrupt, "stop"),
    (
        BrokenProcessPool("odd"),
        ExactPermError,
        "a worker process ended before its test: killed, or",
    ),
    (OSError(11, "no room"), ExactPermError, "--processes 2: cannot start them: no room"),
    (OSError("odd"), ExactPermError, "--processes 2: cannot start them: odd"),
]


@pytest.mark.parametrize(("error", "kind", "message"), ENDS)
def test_workers_end_with_the_command(pool, error, kind, message):
    """Queued tasks are dropped, and the workers of this pool (no other process) are ended."""
    with pytest.raises(kind, match=message), Workers(2):
        raise error
    assert pool.ended == ["queue", {"wait": False, "cancel_futures": True}, "worker", 5]


def test_a_pool_is_closed_where_all_is_well(pool, run, write, monkeypatch):
    """It is handed to the test where there is more than one process, whose answer is the same."""
    with Workers(1) as nothing, Workers(2) as executor:
        assert (executor, nothing) == (pool, None)
    assert pool.ended == [{}]
    write("a,b\n3,1\n2,2\n5,1\n4,6\n7,3\n")
    asked = []
    monkeypatch.setattr(test, "Workers", lambda number: asked.append(number) or Workers(1))
    shared = run("test", "f.csv", "-c", "a,b", "--processes", "3", "--json")
    assert shared == run("test", "f.csv", "-c", "a,b", "--json")
    assert asked == [3]


def test_a_pool_without_what_is_private_ends_too(pool):
    del pool._executor_manager_thread, pool._call_queue
    with pytest.raises(KeyboardInterrupt), Workers(2):
        raise KeyboardInterrupt
    assert pool.ended[-1] == "worker"


@pytest.mark.parametrize(
    "error", [OSError("no processes"), ImportError("no module"), NotImplementedError("no lock")]
)
def test_platforms_without_processes(monkeypatch, error):
    def impossible(*_words, **_options):
        raise error

    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", impossible)
    said = rf"^--processes 2: this platform starts no processes \({error}\)$"
    with pytest.raises(ExactPermError, match=said), Workers(2):
        pass


RUN = """
import multiprocessing, os, signal, sys, time
from exactperm.cli import main as cli
from exactperm import compare

def work(*_words, **_options):
    DO

multiprocessing.set_start_method("fork")
signal.signal(signal.SIGINT, signal.default_int_handler)
compare.result_of = work
sys.exit(cli.main(["compare", "f.csv", "--columns", "a,b,c", "--processes", "2"]))
"""


def started(folder, work):
    """Start a comparison whose tests do something else."""
    (folder / "f.csv").write_text(BOARD)
    words = [sys.executable, "-W", "ignore", "-c", RUN.replace("DO", work)]
    return subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that share the patched module")
def test_a_worker_that_is_killed_is_an_error(tmp_path):
    with started(tmp_path, "os._exit(9)") as process:
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err.count(b"\n")) == (2, b"", 2)
    assert err.startswith(b"exactperm: error: a worker process ended before its test: killed")


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("kill", ["killpg", "kill"])
def test_processes_are_interrupted(tmp_path, kill):
    """Both workers are busy and a third test waits; standard output ends when no worker holds it any more."""
    with started(tmp_path, "os.write(1, b'.'); time.sleep(300)") as process:
        assert process.stdout.read(2) == b".."
        getattr(os, kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"exactperm: interrupted\n")
