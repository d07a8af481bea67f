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


def refuse(*_words, **_options):
    raise OSError("nobody answers")


@pytest.mark.parametrize(
    ("arguments", "module", "message"),
    [
        ((2, "tcp://host:1"), None, "--dask and --processes exclude each other"),
        ((1, "host"), None, "--dask host: an address has a port"),
        ((1, "host:1"), None, "--dask needs Dask"),
        (
            (1, "host:1"),
            SimpleNamespace(Client=refuse),
            r"--dask host:1: cannot connect .*\(nobody answers\)",
        ),
    ],
)
def test_no_cluster(monkeypatch, arguments, module, message):
    monkeypatch.setitem(sys.modules, "distributed", module)
    with pytest.raises(ExactPermError, match=f"^{message}"):
        workers(*arguments).__enter__()


class Client:
    """A client of a cluster of no processes; ``versions`` are those of its workers, or the error that they raise."""

    versions = None

    def __init__(self, *_words, **_options):
        self.closed = False

    def __enter__(self):
        return self

    def __exit__(self, *_error):
        self.closed = True

    def run(self, function):
        if isinstance(self.versions, Exception):
            raise self.versions
        return {
            name: version if version != "here" else function()
            for name, version in self.versions.items()
        }


def cluster_of(monkeypatch, versions):
    killed = type(
        "KilledWorker", (Exception,), {"last_worker": SimpleNamespace(address="tcp://a:1")}
    )
    client = type("Client", (Client,), {"versions": versions})
    monkeypatch.setitem(
        sys.modules, "distributed", SimpleNamespace(Client=client, KilledWorker=killed)
    )
    return killed


@pytest.mark.parametrize(
    ("versions", "message"),
    [
        ({}, "the cluster has no workers"),
        (
            {"tcp://a:1": "here", "tcp://b:1": "0.0.1"},
            "tcp://b:1 has exactperm 0.0.1, and this command is ",
        ),
        (
            ModuleNotFoundError("No module named 'exactperm'"),
            "its workers cannot run exactperm .*: No module named",
        ),
    ],
)
def test_workers_of_a_cluster_have_this_version(monkeypatch, versions, message):
    cluster_of(monkeypatch, versions)
    with pytest.raises(ExactPermError, match=f"^--dask host:1: {message}"):
        workers(1, "host:1").__enter__()


def test_a_cluster_is_left_at_the_end_and_its_own_end_is_an_error(monkeypatch):
    killed = cluster_of(monkeypatch, {"tcp://a:1": "here"})
    with workers(1, "host:1") as client:
        assert not client.closed
    assert client.closed
    with pytest.raises(ExactPermError, match="tcp://a:1 and others died"), workers(1, "host:1"):
        raise killed
    with pytest.raises(ExactPermError, match="its scheduler is gone"), workers(1, "host:1"):
        raise concurrent.futures.CancelledError


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
