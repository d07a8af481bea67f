"""Beyond one machine: what a test costs on a Dask cluster, and a plan for 1,000 systems on 10,000 pairs.

A cluster of two worker processes on this machine runs 10,011 tests of 20 pairs and 1,770 of 1,000.
CPU time is that of each process, so that other work on the machine changes little; the plan uses
it, not the wall time.
"""

from __future__ import annotations

import os
import pickle
import random
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import measure
from exactperm import compare_all, fast_permutation_test, permutation_test
from exactperm.swaps.columns import read_column
from exactperm.swaps.statistic import difference
from tests.workload import paper_workload

SYSTEMS, PAIRS = 1_000, 10_000

TRIED = """\
Tried on a cluster of one scheduler and two workers in processes of their own:

* A worker killed after 6 s of 780 tests of 1,000 pairs: all 780 are answered.
* The scheduler killed after 6 s of 1,770 tests of 1,000 pairs, 217 of them done: at once `compare_all` ends with
  `FutureCancelledError` of distributed, and a command says that the scheduler is gone. Nothing is kept: the run starts
  again.
* 780 certified tests of 500 doubles, whose results a client holds: 117 s, 36 MiB more than before. A client that may
  use 20 MiB more (RLIMIT_AS) neither answers nor fails within 280 s. So a client needs room for its results (last
  column of the plan), or takes a part of the systems at a time."""


def tokens(system: int, pairs: int) -> list[int]:
    """Counts of correct tokens of one of 1,000 systems, the last one 5% worse than the first."""
    return paper_workload(pairs, seed=5, factor=1 - system / 20_000)[1]


def doubles(system: int, pairs: int) -> list[float]:
    """Real-valued scores of one of 1,000 systems, the last one 5% of a standard deviation worse than the first."""
    item, own = random.Random(7), random.Random(1_000 + system)
    return [item.gauss(0, 1) + own.gauss(-system / 20_000, 0.5) for _ in range(pairs)]


def costs(
    scores: Callable[[int, int], list[Any]], test: Callable[[Any, Any], Any], pairs: int
) -> list[float]:
    """The mean cost of one test of 12: CPU seconds, bytes of a column that was read, and bytes of the answer."""
    choose, sums = random.Random(1), [0.0] * 3
    for _ in range(12):
        u, v = (scores(system, pairs) for system in choose.sample(range(SYSTEMS), 2))
        column = read_column(u, "scores", difference, None)
        start = time.process_time()
        answer = test(u, v)
        values = time.process_time() - start, len(pickle.dumps(column)), len(pickle.dumps(answer))
        sums = [one + more for one, more in zip(sums, values)]
    return [value / 12 for value in sums]


def counted(u: Any, v: Any) -> tuple[Any, ...]:
    """What a worker returns of an exact test."""
    result = permutation_test(u, v)
    return result.count, result.statistic, result.method, result.n, result.n_units, result.n_nonzero


def cpu_of_workers(client: Any) -> float:
    """CPU seconds of all workers since they started."""
    return sum(client.run(lambda: sum(os.times()[:2])).values())


def spent(client: Any, work: Callable[[], Any]) -> tuple[Any, tuple[float, float, float]]:
    """What some work returns; its wall time, CPU time of this process with the scheduler in it, and of the workers."""
    workers, here, start = cpu_of_workers(client), time.process_time(), time.perf_counter()
    answer = work()
    wall, spent_here = time.perf_counter() - start, time.process_time() - here
    return answer, (wall, spent_here, cpu_of_workers(client) - workers)


def runs(sizes: Sequence[tuple[int, int]]) -> list[tuple[int, int, tuple[float, float, float]]]:
    """Run leaderboards of (systems, pairs) on a cluster of two workers, and compare the last one with this process."""
    from distributed import Client, LocalCluster

    found = []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster,
        Client(cluster) as client,
    ):
        for systems, pairs in sizes:
            scores = {str(i): tokens(i * SYSTEMS // systems, pairs) for i in range(systems)}
            # imported by the workers
            compare_all({name: scores[name] for name in list(scores)[:3]}, executor=client)
            board, times = spent(client, partial(compare_all, scores, executor=client))
            found.append((len(board), pairs, times))
            last = compare_all(dict(list(scores.items())[-5:]))
            if [row.result for row in board][-10:] != [row.result for row in last]:
                raise SystemExit("the cluster changed a result")
    return found


def main(arguments: Sequence[str]) -> None:
    """Print costs, a run on two workers, and the plan."""
    quick = "--quick" in arguments
    pairs, sizes = (1_000, [(15, 20), (15, 300)]) if quick else (PAIRS, [(142, 20), (60, 1_000)])
    tests = SYSTEMS * (SYSTEMS - 1) // 2
    print(f"## Beyond one machine: {SYSTEMS:,} systems, {pairs:,} pairs, {tests:,} tests\n")
    print(
        measure.environment("distributed")
        + "; two workers on two cores. CPU times, but for the wall time.\n"
    )
    kinds = {
        "exact, counts of tokens": costs(tokens, counted, pairs),
        "certified, doubles": costs(
            doubles, lambda u, v: fast_permutation_test(u, v, digits=4), pairs
        ),
    }
    rows = [
        [name, measure.shown_seconds(seconds), f"{column:,.0f}", f"{back:,.0f}"]
        for name, (seconds, column, back) in kinds.items()
    ]
    print(
        measure.table(
            ["one test, mean of 12", "on a worker", "bytes of a column", "bytes back"], rows
        ),
        end="\n\n",
    )
    found = runs(sizes)
    rows = [
        [f"{many:,} tests of {size:,} pairs", *map(measure.shown_seconds, times)]
        for many, size, times in found
    ]
    print(measure.table(["run", "wall time", "client and scheduler", "workers"], rows), end="\n\n")
    overhead = max(times[1] / many for many, _size, times in found)
    rows = [
        [
            name,
            f"{tests * seconds / 3600:.1f}",
            f"{tests * overhead / 60:.1f} min",
            f"{SYSTEMS * column / 2**20:.0f} MiB",
            f"{tests * back / 2**30:.1f} GiB",
        ]
        for name, (seconds, column, back) in kinds.items()
    ]
    header = [
        "plan for one hour",
        "cores",
        "client and scheduler",
        "sent once to each worker",
        "sent back in all",
    ]
    print(measure.table(header, rows), end="\n\n")
    print(
        f"A test costs client and scheduler up to {measure.shown_seconds(overhead)}, in blocks of up to 100 tests over "
        "columns that all workers hold. Of an exact test a worker returns the count; the client rebuilds the result, "
        "and its swaps where they are asked for. A certified bracket comes back with its swaps. A worker that dies "
        "loses its block, which another one counts again; a scheduler that dies ends the run.\n"
    )
    print(TRIED)


if __name__ == "__main__":
    main(sys.argv[1:])
