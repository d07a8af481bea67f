"""A real Dask cluster of two worker processes gives the same bytes, survives a death."""

import os
import random
import signal
import sys

import pytest

from exactperm import compare_all, monte_carlo_test
from peers import peer

distributed = peer("distributed")
windows = pytest.mark.skipif(sys.platform == "win32", reason="kills a worker by a signal")
pytestmark = [pytest.mark.slow, windows]
RNG = random.Random(5)
BOARD = {f"s{i}": [RNG.randint(0, 30) for _ in range(300)] for i in range(6)}


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


def test_monte_carlo_on_a_cluster(client):
    u, v = BOARD["s0"], BOARD["s1"]
    words = (u, v, lambda a, b: max(a) - max(b), 5000)
    assert monte_carlo_test(
        *words, rng=3, executor=client.get_executor(pure=False)
    ) == monte_carlo_test(*words, rng=3)


def test_columns_that_are_scattered_once(client):
    """The client rebuilds the results: equal, also in what is made when it is asked for."""
    groups = [i // 2 for i in range(300)]
    alone, board = (
        compare_all(BOARD, groups=groups),
        compare_all(BOARD, groups=groups, executor=client),
    )
    assert board == alone
    assert [row.result.midp for row in board] == [row.result.midp for row in alone]


@pytest.mark.whole
def test_a_dead_worker_is_survived(client):
    alone, deaths = compare_all(BOARD), []

    def progress(done, total):
        if done == 1:
            worker = min(client.run(os.getpid).values())
            os.kill(worker, signal.SIGKILL)
            deaths.append(worker)

    assert compare_all(BOARD, executor=client, progress=progress) == alone
    assert deaths
