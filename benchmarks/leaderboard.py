"""A leaderboard of 20 systems on 2,000 pairs, 190 exact tests, alone and in processes.

Scores are counts of correct tokens, as in the paper's workload, each system a little worse than the one before.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import measure
from exactperm import compare_all
from exactperm.cli.demo import paper_workload


def board(systems: int, pairs: int) -> dict[str, list[int]]:
    """Scores by name; the sentences are the same for all."""
    return {f"system {i}": paper_workload(pairs, seed=5, factor=1 - i / 400)[1] for i in range(systems)}


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    systems, pairs = (6, 300) if "--quick" in arguments else (20, 2_000)
    scores = board(systems, pairs)
    print(f"## Leaderboard: {systems} systems, {pairs:,} pairs, {systems * (systems - 1) // 2} exact tests\n")
    print(measure.environment() + f", {os.cpu_count()} processors.\n")
    rows = [["in this process", measure.shown_seconds(measure.wall_seconds(lambda: compare_all(scores)))]]
    alone = compare_all(scores)
    for processes in (1, 2):
        with ProcessPoolExecutor(processes) as pool:
            list(pool.map(abs, range(processes)))  # started before the clock
            rows.append(
                [
                    f"{processes} processes",
                    measure.shown_seconds(measure.wall_seconds(lambda p=pool: compare_all(scores, executor=p))),
                ]
            )
            if compare_all(scores, executor=pool) != alone:
                raise SystemExit("the executor changed the result")
    print(measure.table(["executor", "time"], rows), end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
