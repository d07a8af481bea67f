"""How often tests of several runs reject at two-sided 5%, by design and by what is true of the runs: a Markdown table.

    python benchmarks/run_levels.py [--quick]

Scores of 0 and 1. Item i has a difficulty q_i, uniform in .1 to .9; a run scores 1 with the
probability q_i, plus what the row says: a trained model's own luck on all items (seeds, normal),
systems that are better on some items and worse on others by as much (either way, with equal
probability), or a true difference. The same data for all designs; each p-value is exact. In the
rows without "power" the two systems are equally good on average.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator

import measure
from exactperm import permutation_test_runs
from exactperm.swaps.runs import DESIGNS

SEED, LEVEL = 28, 0.05
POINT = 0.01
# What is true, items, runs of a system, samples, deviation of seeds, items either way, true
# difference.
ROWS = (
    ("null true: independent runs", 300, 3, 1000, 0, 0, 0),
    ("null true: independent runs", 30, 5, 1000, 0, 0, 0),
    ("seeds with deviation 1 point", 300, 5, 600, 1, 0, 0),
    ("seeds with deviation 2 points", 300, 5, 600, 2, 0, 0),
    ("seeds with deviation 2 points", 1000, 5, 300, 2, 0, 0),
    ("items differ by 10 points either way", 300, 1, 1000, 0, 10, 0),
    ("items differ by 10 points either way", 300, 3, 1000, 0, 10, 0),
    ("items differ by 10 points either way", 300, 10, 300, 0, 10, 0),
    ("both: seeds 2 points, items 10 points", 300, 5, 600, 2, 10, 0),
    ("power: difference of 5 points", 300, 3, 1000, 0, 0, 5),
    ("power: difference of 10 points", 10, 10, 1000, 0, 0, 10),
    ("power: difference of 20 points", 5, 10, 1000, 0, 0, 20),
)


def samples(
    rng: random.Random, row: tuple[str, int, int, int, int, int, int]
) -> Iterator[tuple[list[list[int]], ...]]:
    """Yield the runs of both systems, as often as a row says."""
    _words, items, runs, number, deviation, either, difference = row
    for _ in range(number):
        luck = [[rng.gauss(0, deviation * POINT) for _ in range(runs)] for _ in range(2)]
        both: tuple[list[list[int]], list[list[int]]] = ([], [])
        for _ in range(items):
            middle = 0.1 + 0.8 * rng.random()
            own = rng.choice((-1, 1)) * either * POINT + difference * POINT / 2
            for system, sign in enumerate((1, -1)):
                both[system].append(
                    [int(rng.random() < middle + sign * own + seed) for seed in luck[system]]
                )
        yield both


def rejected(row: tuple[str, int, int, int, int, int, int]) -> dict[str, float]:
    """Return the share of samples that each design rejects."""
    rng = random.Random(f"{SEED} {row}")
    found = dict.fromkeys(DESIGNS, 0)
    for u, v in samples(rng, row):
        for design in DESIGNS:
            found[design] += permutation_test_runs(u, v, design=design).pvalue <= LEVEL
    return {design: number / row[3] for design, number in found.items()}


def main() -> None:
    """Print the rejection rate of each design with its standard error."""
    print(
        f"# Levels and power of tests of several runs\n\n`python benchmarks/run_levels.py`, {measure.environment()}\n\n"
        "Share of samples with an exact two-sided p-value of at most .05, and its standard error in points. Three runs "
        'of each system have 20 exchanges of whole runs, so that the design "systems" cannot reach .05.\n'
    )
    rows = []
    for row in ROWS:
        words, items, runs, number, *rest = row
        number = max(20, number // 20) if "--quick" in sys.argv else number
        shares = rejected((words, items, runs, number, *rest))
        cells = (
            f"{share:.3f} ({100 * math.sqrt(share * (1 - share) / number):.1f})"
            for share in shares.values()
        )
        rows.append((words, f"{items:,}", f"{runs}+{runs}", f"{number:,}", *cells))
    print(measure.table(("what is true", "items", "runs", "samples", *DESIGNS), rows))


if __name__ == "__main__":
    main()
