"""Small tests: two columns of integers or decimals, beside plain lines of Python, python-flint and gmpy2.

The ten lines shift one integer, as the package does, and round decimals themselves; the twenty are
the recurrence.

    python benchmarks/small.py

CPU time from two columns to the fraction, the least of 25 interleaved rounds of 100 runs.
Alternatives get integers, whose reading is not counted, and check nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any

import map as speed
import measure
import peers
from exactperm import permutation_test
from tests.workload import paper_workload

SIZES = (20, 50, 100)
KINDS = ("the paper's", "0..10", "0/1", "2 decimals")
ROUNDS, RUNS = 25, 100


def cases() -> Iterator[tuple[str, int, tuple[Any, Any], tuple[Any, Any]]]:
    """(kind, number of pairs, scores, the same as integers)."""
    for kind in KINDS:
        for n in SIZES:
            scores = paper_workload(n, seed=2022) if kind == KINDS[0] else speed.columns(kind, n)
            yield kind, n, scores, speed.integers(kind, *scores) or scores


def seconds(tasks: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The least CPU seconds of each task."""
    best = dict.fromkeys(tasks, 9.0)
    for _ in range(ROUNDS):
        for name, task in tasks.items():
            start = time.process_time()
            for _run in range(RUNS):
                task()
            best[name] = min(best[name], (time.process_time() - start) / RUNS)
    return best


def pvalue(u: Any, v: Any) -> object:
    """From two columns to the fraction."""
    return permutation_test(u, v).pvalue


def main() -> None:
    """Print the table."""
    rows = []
    others = {"10 lines": peers.shifted_integer, "20 lines": peers.plain_recurrence}
    others.update({"flint": peers.flint_product} if find_spec("flint") else {})
    others.update({"gmpy2": speed.gmpy2_product} if find_spec("gmpy2") else {})
    for kind, n, scores, whole in cases():
        tasks: dict[str, Callable[[], object]] = {
            name: partial(run, *whole) for name, run in others.items()
        }
        if kind == KINDS[3]:
            tasks["10 lines"] = partial(peers.shifted_integer, *scores, 100)
        assert tasks["10 lines"]() == pvalue(*scores)
        found = seconds({"exactperm": partial(pvalue, *scores), **tasks})
        ours, rivals = found.pop("exactperm"), found.values()
        ratio = f"{ours / min(rivals):.2f}"
        rows.append(
            [kind, n, measure.shown_seconds(ours), *map(measure.shown_seconds, rivals), ratio]
        )
    print("## Small tests\n")
    print(measure.environment("python-flint", "gmpy2") + ".\n")
    print(measure.table(["scores", "N", "exactperm", *others, "exactperm / best other"], rows))


if __name__ == "__main__":
    main()
