"""The planner against the clock: on a grid of shapes, how its choice compares with the best engine.

    python benchmarks/planner.py [--quick]

Every engine whose estimate is within ten times the least (or tiny) runs on every shape; the table lists the misses, and
for each engine the factor between measured and estimated time, which is what to multiply its constants by.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import measure
from exactperm.budget import Estimate
from exactperm.counting import plan

PAIRS = (10, 20, 30, 40, 60, 100, 200, 400, 1_000, 3_000, 10_000, 30_000, 100_000)
LARGEST = (1, 3, 12, 60, 300, 1_000, 10_000, 1_000_000)
LONGEST = 12.0  # seconds that an engine may be expected to take here
ENOUGH = 1.5


def shapes(quick: bool) -> Iterator[tuple[str, dict[int, int], int]]:
    """(name, tally, threshold) of the grid: differences drawn evenly, or small ones far more often, or from a few."""
    for n in PAIRS[::2] if quick else PAIRS:
        for largest in LARGEST:
            for kind in ("even", "skewed", "few") if largest > 12 else ("skewed",):
                rng = random.Random(f"{n} {largest} {kind}")
                few = [rng.randint(1, largest) for _ in range(5)]
                draw = {
                    "even": lambda rng=rng, top=largest: rng.randint(1, top),
                    "skewed": lambda rng=rng, top=largest: min(top, int(top ** rng.random() ** 3)),
                    "few": lambda rng=rng, few=few: rng.choice(few),
                }[kind]
                drawn = [draw() for _ in range(n)]
                step = math.gcd(*drawn)
                tally = {d // step: count for d, count in sorted(Counter(drawn).items())}
                deviation = math.sqrt(sum(d * d * c for d, c in tally.items())) / 2
                k = max(0, int(sum(d * c for d, c in tally.items()) / 2 - 2.5 * deviation))
                yield f"N = {n:,}, up to {largest:,}, {kind}", tally, k


def estimates(tally: dict[int, int], k: int) -> dict[str, float]:
    """Expected seconds of each engine that fits the default memory budget and the patience of this script."""
    costs = {name: engine.estimate(tally, k) for name, engine in plan.ENGINES.items()}
    return {
        name: cost.seconds
        for name, cost in costs.items()
        if isinstance(cost, Estimate) and cost.bytes <= plan.Budget().bytes and cost.seconds <= LONGEST
    }


def measured(tally: dict[int, int], k: int, expected: dict[str, float]) -> dict[str, float]:
    """Median seconds of every engine that might be the best; all must agree on the count."""
    limit = max(10 * min(expected.values()), 1e-4)
    engines = {name: plan.ENGINES[name] for name, value in expected.items() if value <= limit}
    found = {name: engine.count_at_most(tally, k) for name, engine in engines.items()}
    if len(set(found.values())) > 1:
        raise SystemExit(f"engines disagree: {sorted(found)} on {tally}, {k}")
    tasks = {name: partial(engine.count_at_most, tally, k) for name, engine in engines.items()}
    return measure.median_seconds(tasks, seconds=0.15, most=15)


def main(arguments: Sequence[str]) -> None:
    """Print the grid, the misses, and the factors."""
    rows, ratios, factors = [], [], {name: [] for name in plan.ENGINES}
    for name, tally, k in shapes("--quick" in arguments):
        expected = estimates(tally, k)
        if not expected:
            rows.append([name, f"over {LONGEST:.0f} s", "-", "-", "-", "-"])
            continue
        times = measured(tally, k, expected)
        choice, best = min(expected, key=expected.__getitem__), min(times, key=times.__getitem__)
        ratio = times[choice] / times[best]
        ratios.append(ratio)
        for engine, value in times.items():
            factors[engine].append(value / expected[engine])
        others = ", ".join(f"{engine} {measure.shown_seconds(value)}" for engine, value in times.items())
        mark = "" if ratio <= ENOUGH else " **miss**"
        rows.append([name, choice, measure.shown_seconds(times[choice]), best, f"{ratio:.2f}{mark}", others])
    good = sum(ratio <= ENOUGH for ratio in ratios)
    print("## The planner's choice\n")
    print(measure.environment() + ".\n")
    print(
        f"{len(ratios)} shapes, choice within {ENOUGH} times of the best in {good} ({100 * good / len(ratios):.1f}%).\n"
    )
    print(measure.table(["shape", "choice", "its time", "best", "ratio", "all that ran"], rows), end="\n\n")
    print("Measured over estimated time:\n")
    spread = [
        [name, len(values), *(f"{x:.2f}" for x in _deciles(values))] for name, values in factors.items() if values
    ]
    print(measure.table(["engine", "runs", "first decile", "median", "last decile"], spread), end="\n\n")


def _deciles(values: list[float]) -> tuple[float, float, float]:
    ordered = sorted(values)
    tenth = len(ordered) // 10
    return ordered[tenth], statistics.median(ordered), ordered[-1 - tenth]


if __name__ == "__main__":
    main(sys.argv[1:])
