"""A leaderboard of 20 systems on 2,000 pairs: 190 exact tests, alone and in processes, and 190 certified ones.

Scores of the exact tests are counts of correct tokens, as in the paper's workload, each system a
little worse than the one before. Those of the certified tests are doubles: an item's difficulty,
and normal noise of the system.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations

import measure
from exactperm import compare_all, fast_permutation_test
from tests.workload import paper_workload


def board(systems: int, pairs: int) -> dict[str, list[int]]:
    """Scores by name; the sentences are the same for all."""
    return {
        f"system {i}": paper_workload(pairs, seed=5, factor=1 - i / 400)[1] for i in range(systems)
    }


def doubles(systems: int, pairs: int) -> list[list[float]]:
    """Real-valued scores by system."""
    rng = random.Random(7)
    items = [rng.gauss(0, 1) for _ in range(pairs)]
    return [[item + rng.gauss(-i / 400, 0.5) for item in items] for i in range(systems)]


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    systems, pairs = (6, 300) if "--quick" in arguments else (20, 2_000)
    scores = board(systems, pairs)
    tests = systems * (systems - 1) // 2
    print(
        f"## Leaderboard: {systems} systems, {pairs:,} pairs, {tests} exact tests, and as many certified ones\n"
    )
    print(measure.environment() + f", {os.cpu_count()} processors.\n")
    rows = [
        [
            "in this process",
            measure.shown_seconds(measure.wall_seconds(lambda: compare_all(scores))),
        ]
    ]
    alone = compare_all(scores)
    for processes in (1, 2):
        with ProcessPoolExecutor(processes) as pool:
            list(pool.map(abs, range(processes)))  # started before the clock
            rows.append(
                [
                    f"{processes} processes",
                    measure.shown_seconds(
                        measure.wall_seconds(lambda p=pool: compare_all(scores, executor=p))
                    ),
                ]
            )
            if compare_all(scores, executor=pool) != alone:
                raise SystemExit("the executor changed the result")
    real = list(combinations(doubles(systems, pairs), 2))
    certified = measure.wall_seconds(
        lambda: [fast_permutation_test(u, v, digits=3) for u, v in real]
    )
    rows.append(
        ["certified, relative width 1e-3, in this process", measure.shown_seconds(certified)]
    )
    print(measure.table(["executor", "time"], rows), end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
