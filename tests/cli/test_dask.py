"""A real Dask cluster of two worker processes gives the same bytes, survives a death, and is refused by name."""

import os
import random
import signal
import socket
import sys
from types import SimpleNamespace

import pytest

from exactperm import compare_all, monte_carlo_test
from exactperm.cli import workers
from exactperm.cli.main import main
from exactperm.errors import ExactPermError
from peers import peer

distributed = peer("distributed")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills a worker by a signal")
RNG = random.Random(5)
BOARD = {f"s{i}": [RNG.randint(0, 30) for _ in range(300)] for i in range(6)}
CLAIMS = "id,p,data,columns\n" + "".join(
    f'{i},p = .0{i},board.csv,"s0,s{i}"\n' for i in range(1, 6)
)


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0"
    ) as started:
        yield started


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster, set_as_default=False) as connected:
        yield connected


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run a command beside a leaderboard and a file of claims: (status, output, errors)."""
    monkeypatch.chdir(tmp_path)
    rows = [",".join(BOARD), *(",".join(map(str, row)) for row in zip(*BOARD.values()))]
    (tmp_path / "board.csv").write_text("\n".join(rows))
    (tmp_path / "claims.csv").write_text(CLAIMS)

    def ran(*words):
        status = main(words)
        return status, *capsys.readouterr()

    return ran


@pytest.mark.parametrize("words", [("compare", "board.csv", "--json"), ("audit", "claims.csv")])
def test_a_cluster_writes_the_same_bytes(run, cluster, words):
    assert run(*words, "--dask", cluster.scheduler_address) == run(*words)


def test_monte_carlo_on_a_cluster(client):
    u, v = BOARD["s0"], BOARD["s1"]
    words = (u, v, lambda a, b: max(a) - max(b), 5000)
    assert monte_carlo_test(
        *words, rng=3, executor=client.get_executor(pure=False)
    ) == monte_carlo_test(*words, rng=3)


@pytest.mark.parametrize("groups", [None, [i // 2 for i in range(300)]])
def test_columns_that_are_scattered_once(client, groups):
    """The client rebuilds the results: equal, also in what is made when it is asked for."""
    alone, board = (
        compare_all(BOARD, groups=groups),
        compare_all(BOARD, groups=groups, executor=client),
    )
    assert board == alone
    assert [row.result.midp for row in board] == [row.result.midp for row in alone]


@pytest.mark.parametrize("scattered", [True, False])
def test_a_dead_worker_is_survived(client, scattered):
    alone, deaths = compare_all(BOARD), []

    def progress(done, total):
        if done == 1:
            worker = min(client.run(os.getpid).values())
            os.kill(worker, signal.SIGKILL)
            deaths.append(worker)

    executor = client if scattered else client.get_executor(pure=False)
    assert compare_all(BOARD, executor=executor, progress=progress) == alone
    assert deaths


def test_a_test_that_kills_its_workers_is_named(cluster):
    address = cluster.scheduler_address
    killed = distributed.KilledWorker("test", SimpleNamespace(address="tcp://127.0.0.1:1"), 3)
    with (
        pytest.raises(ExactPermError, match=r"tcp://127.0.0.1:1 and others died"),
        workers.workers(1, address),
    ):
        raise killed


def test_a_lost_scheduler_ends_the_run(cluster):
    """Tried with a real one that is killed: benchmarks/results/cluster.md."""
    lost = distributed.client.FutureCancelledError("block", "scheduler-connection-lost")
    message = "its scheduler is gone, and with it what was not collected"
    with (
        pytest.raises(ExactPermError, match=message),
        workers.workers(1, cluster.scheduler_address),
    ):
        raise lost


def test_other_versions_are_refused(cluster, monkeypatch):
    address = cluster.scheduler_address
    monkeypatch.setattr(
        distributed.Client, "run", lambda *_: {"w1": workers._version(), "w2": "0.0.1"}
    )
    with (
        pytest.raises(ExactPermError, match=r"w2 has exactperm 0\.0\.1"),
        workers.workers(1, address),
    ):
        pass
    monkeypatch.setattr(distributed.Client, "run", lambda *_: {})
    with pytest.raises(ExactPermError, match="has no workers"), workers.workers(1, address):
        pass
    monkeypatch.setattr(distributed.Client, "run", lambda *_: 1 / 0)
    with pytest.raises(ExactPermError, match="cannot run exactperm"), workers.workers(1, address):
        pass


def closed_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_what_is_no_cluster_is_refused(run, monkeypatch):
    monkeypatch.setattr(workers, "PATIENCE", 0.2)
    for words, message in [
        (("--dask", "here"), "--dask here: an address has a port, such as tcp://10.0.0.1:8786"),
        (("--dask", f"127.0.0.1:{closed_port()}"), "cannot connect to a scheduler"),
        (("--dask", "a:1", "--processes", "2"), "--dask and --processes exclude each other"),
    ]:
        status, out, err = run("compare", "board.csv", "--columns", "all", *words)
        assert (status, out) == (2, "")
        assert message in err
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert (
        "--dask needs Dask: pip install distributed"
        in run("compare", "board.csv", "--columns", "all", "--dask", "a:1")[2]
    )
