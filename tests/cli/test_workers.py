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
from exactperm.cli.workers import workers
from exactperm.errors import ExactPermError

ROOT = Path(exactperm.__file__).parent.parent
BOARD = "item,a,b,c\n1,3,1,3\n2,5,2,4\n3,4,2,5\n4,7,3,6\n5,6,1,6\n6,2,1,2\n"


class Child:
    """A process that notes its end."""

    def __init__(self, name, ended):
        self.name = name
        self.ended = ended

    def terminate(self):
        self.ended.append(self.name)


def test_workers_end_with_the_command(monkeypatch):
    """After an interrupt queued tasks are dropped, and the workers of this pool (no other process) are ended."""
    ended = []
    other, worker = Child("other", ended), Child("worker", ended)
    children = iter([[other], [other, worker]])
    pool = SimpleNamespace(shutdown=lambda **options: ended.append(options))
    monkeypatch.setattr("multiprocessing.active_children", lambda: next(children))
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor", lambda *_words, **_options: pool)
    with pytest.raises(KeyboardInterrupt), workers(2) as executor:
        assert executor is pool
        raise KeyboardInterrupt
    assert ended == [{"wait": False, "cancel_futures": True}, "worker"]


@pytest.fixture
def pool(monkeypatch):
    """A pool of no processes, with a thread that notes for how long it is awaited."""
    pool = SimpleNamespace(shutdown=lambda **_options: None, waited=[])
    pool._executor_manager_thread = SimpleNamespace(join=pool.waited.append)
    monkeypatch.setattr(multiprocessing, "active_children", list)
    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", lambda *_words, **_options: pool)
    return pool


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            BrokenProcessPool("odd"),
            "a worker process ended before its test: killed, or out of memory; try fewer",
        ),
        (
            OSError(11, "Resource temporarily unavailable"),
            "--processes 2: cannot start them: Resource temporarily",
        ),
        (OSError("odd"), "--processes 2: cannot start them: odd"),
    ],
)
def test_errors_of_processes_are_named(pool, error, message):
    with pytest.raises(ExactPermError, match=message), workers(2):
        raise error
    assert pool.waited == [5]


def test_a_pool_is_closed_where_all_is_well(pool):
    with workers(2) as executor:
        assert executor is pool
    assert pool.waited == []


@pytest.mark.parametrize(
    "error", [OSError("no processes"), ImportError("no module"), NotImplementedError("no lock")]
)
def test_platforms_without_processes(monkeypatch, error):
    def impossible(*_words, **_options):
        raise error

    monkeypatch.setattr(concurrent.futures, "ProcessPoolExecutor", impossible)
    with pytest.raises(
        ExactPermError, match=rf"^--processes 2: this platform starts no processes \({error}\)$"
    ):
        workers(2).__enter__()


KILLED = """
import multiprocessing, os, sys
from exactperm.cli import main as cli
from exactperm import compare

def killed(*_words, **_options):
    os._exit(9)

multiprocessing.set_start_method("fork")
compare.result_of = killed
sys.exit(cli.main(["compare", "f.csv", "--columns", "a,b,c", "--processes", "2"]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that share the patched module")
def test_a_worker_that_is_killed_is_an_error(tmp_path):
    (tmp_path / "f.csv").write_text(BOARD)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", KILLED], capture_output=True, check=False, timeout=60, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(
        b"exactperm: error: a worker process ended before its test: killed"
    )
    assert done.stderr.count(b"\n") == 2


INTERRUPTED = """
import multiprocessing, os, signal, sys, time
from exactperm.cli import main as cli
from exactperm import compare

def busy(*_words, **_options):
    os.write(1, b".")
    time.sleep(300)

multiprocessing.set_start_method("fork")
signal.signal(signal.SIGINT, signal.default_int_handler)
compare.result_of = busy
sys.exit(cli.main(["compare", "f.csv", "--columns", "a,b,c", "--processes", "2"]))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="needs process groups")
@pytest.mark.parametrize("kill", ["killpg", "kill"])
def test_processes_are_interrupted(tmp_path, kill):
    """Both workers are busy and a third test waits; standard output ends when no worker holds it any more."""
    (tmp_path / "f.csv").write_text(BOARD)
    with subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True, cwd=tmp_path,
    ) as process:  # fmt: skip
        assert process.stdout.read(2) == b".."
        getattr(os, kill)(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"exactperm: interrupted\n")
