"""Beyond one machine: what a test costs on a Dask cluster, and a plan for 1,000 systems on 10,000 pairs.

A cluster of two worker processes on this machine runs 10,011 real tests of 1,000 pairs (142 systems). CPU time is that
of each process, so that other work on the machine changes little; the plan uses it, not the wall time.
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
from exactperm.cli.demo import paper_workload
from exactperm.swaps.columns import read_column
from exactperm.swaps.effects import paired_effects
from exactperm.swaps.statistic import difference

SYSTEMS, PAIRS = 1_000, 10_000


def tokens(system: int, pairs: int) -> list[int]:
    """Counts of correct tokens of one of 1,000 systems, the last one 5% worse than the first."""
    return paper_workload(pairs, seed=5, factor=1 - system / 20_000)[1]


def doubles(system: int, pairs: int) -> list[float]:
    """Real-valued scores of one of 1,000 systems, the last one 5% of a standard deviation worse than the first."""
    item, own = random.Random(7), random.Random(1_000 + system)
    return [item.gauss(0, 1) + own.gauss(-system / 20_000, 0.5) for _ in range(pairs)]


def costs(scores: Callable[[int, int], list[Any]], test: Callable[[Any, Any], Any], pairs: int) -> list[float]:
    """The mean cost of one task of 12: CPU seconds to cut it, CPU seconds of the test, bytes sent, and bytes back."""
    choose, sums = random.Random(1), [0.0] * 4
    for _ in range(12):
        u, v = (scores(system, pairs) for system in choose.sample(range(SYSTEMS), 2))
        columns = [read_column(column, "scores", difference, None) for column in (u, v)]
        start = time.process_time()
        sent = pickle.dumps(paired_effects(*columns, difference))
        cut = time.process_time()
        result = test(u, v)
        values = cut - start, time.process_time() - cut, len(sent), len(pickle.dumps(result))
        sums = [one + more for one, more in zip(sums, values)]
    return [value / 12 for value in sums]


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
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        executor = client.get_executor(pure=False)
        for systems, pairs in sizes:
            scores = {str(i): tokens(i * SYSTEMS // systems, pairs) for i in range(systems)}
            compare_all({name: scores[name] for name in list(scores)[:3]}, executor=executor)  # imported by the workers
            board, times = spent(client, partial(compare_all, scores, executor=executor))
            found.append((len(board), pairs, times))
            last = compare_all(dict(list(scores.items())[-5:]))
            if [row.result for row in board][-10:] != [row.result for row in last]:
                raise SystemExit("the cluster changed a result")
    return found


def main(arguments: Sequence[str]) -> None:
    """Print costs, a run on two workers, and the plan."""
    quick = "--quick" in arguments
    pairs, sizes = (1_000, [(15, 20), (15, 300)]) if quick else (PAIRS, [(142, 20), (142, 1_000)])
    tests = SYSTEMS * (SYSTEMS - 1) // 2
    print(f"## Beyond one machine: {SYSTEMS:,} systems, {pairs:,} pairs, {tests:,} tests\n")
    print(measure.environment("distributed") + "; two workers on two cores. CPU times, but for the wall time.\n")
    kinds = {
        "exact, counts of tokens": costs(tokens, permutation_test, pairs),
        "certified, doubles": costs(doubles, lambda u, v: fast_permutation_test(u, v, digits=4), pairs),
    }
    rows = [
        [name, *map(measure.shown_seconds, times[:2]), *(f"{size:,.0f}" for size in times[2:])]
        for name, times in kinds.items()
    ]
    header = ["one test, mean of 12", "columns to a task (client)", "the test (worker)", "bytes sent", "bytes back"]
    print(measure.table(header, rows), end="\n\n")
    found = runs(sizes)
    rows = [[f"{many:,} tests of {size:,} pairs", *map(measure.shown_seconds, times)] for many, size, times in found]
    print(measure.table(["run", "wall time", "client and scheduler", "workers"], rows), end="\n\n")
    many, _size, times = found[0]
    overhead = times[1] / many
    plan = []
    for name, (cut, count, out, back) in kinds.items():
        cores, serial = tests * count / 3600, tests * (cut + overhead) / 3600
        plan.append(
            [
                name,
                f"{cores:.1f}",
                f"{serial:.2f} h",
                f"{-(-serial // 1):.0f}",
                f"{tests * (out + back) / 2**30:.1f} GiB",
            ]
        )
    header = ["plan for one hour", "cores", "client and scheduler", "blocks", "sent in all"]
    print(measure.table(header, plan), end="\n\n")
    print(
        f"A test of 20 pairs costs client and scheduler {measure.shown_seconds(overhead)}, which does not spread over "
        "workers. Where they need more than the hour, cut the table into that many blocks of pairs, each with "
        "a client and a scheduler of its own, and adjust all p-values together (`adjust_pvalues`)."
    )


if __name__ == "__main__":
    main(sys.argv[1:])
