"""The planner against the clock: on a grid of shapes, how its choice compares with the best engine.

    python benchmarks/planner.py [--quick]

For one count and for the whole distribution every engine runs whose estimate is within ten times
the least (or tiny). The tables list what each engine wins, which decides whether "auto" considers
it, the misses, and for each engine the factor between measured and estimated time, by which its
constants may be multiplied.
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
from exactperm.budget import Budget, Estimate
from exactperm.counting import methods, plan

PAIRS = (10, 20, 30, 40, 60, 100, 200, 400, 1_000, 3_000, 10_000, 30_000, 100_000)
LARGEST = (1, 3, 12, 60, 300, 1_000, 10_000, 1_000_000)
LONGEST = 2.0  # seconds that an engine may be expected to take here
ENOUGH, SOON = 1.5, 5e-4


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


def estimates(tally: dict[int, int], k: int | None) -> dict[str, float]:
    """Expected seconds of each engine that fits the default memory budget and the patience of this script."""
    costs = {name: plan.engine(name).estimate(tally, k) for name in methods.ENGINES}
    return {
        name: cost.seconds
        for name, cost in costs.items()
        if isinstance(cost, Estimate) and cost.bytes <= Budget().bytes and cost.seconds <= LONGEST
    }


def measured(
    tally: dict[int, int], k: int | None, expected: dict[str, float], choice: str
) -> dict[str, float]:
    """Median seconds of the choice and of every engine that might be the best; all must agree on the count."""
    limit = max(10 * min(expected.values()), expected[choice], 1e-4)
    engines = {name: plan.engine(name) for name, value in expected.items() if value <= limit}
    tasks = {
        name: partial(engine.counts, tally)
        if k is None
        else partial(engine.count_at_most, tally, k)
        for name, engine in engines.items()
    }
    found = {
        name: hash(tuple(task().items())) if k is None else task() for name, task in tasks.items()
    }
    if len(set(found.values())) > 1:
        raise SystemExit(f"engines disagree: {sorted(found)} on {tally}, {k}")
    return measure.median_seconds(tasks, seconds=0.1, most=11)


def report(whole: bool, quick: bool) -> None:
    """Print what each engine wins, the misses, the grid, and the factors of measured to estimated time."""
    rows, ratios, factors = [], [], {name: [] for name in methods.ENGINES}
    wins, notable = Counter(), Counter()
    for name, tally, threshold in shapes(quick):
        _folded, kept, k = (None, tally, None) if whole else plan.folded(tally, threshold)
        if not kept:
            continue
        kept = dict(kept)
        asked = plan.costs(kept, k)
        choice = min(
            (n for n in asked if isinstance(asked[n], Estimate)),
            key=lambda n: asked[n].seconds,
            default="",
        )
        expected = estimates(kept, k)
        if choice not in expected:
            continue
        times = measured(kept, k, expected, choice)
        best = min(times, key=times.__getitem__)
        wins[best] += 1
        others = [value for engine, value in times.items() if engine != best]
        notable[best] += not others or min(others) > ENOUGH * times[best]
        ratio = times[choice] / times[best]
        ratios.append((ratio, times[choice]))
        for engine, value in times.items():
            factors[engine].append(value / expected[engine])
        ran = ", ".join(
            f"{engine} {measure.shown_seconds(value)}" for engine, value in times.items()
        )
        mark = "" if ratio <= ENOUGH else " **miss**"
        rows.append(
            [name, choice, measure.shown_seconds(times[choice]), best, f"{ratio:.2f}{mark}", ran]
        )
    good = sum(ratio <= ENOUGH or seconds < SOON for ratio, seconds in ratios)
    print(f"## {'Whole distributions' if whole else 'Threshold counts'}\n")
    print(
        f"{len(ratios)} shapes; the choice is within {ENOUGH} times of the best, or takes less than half a "
        f"millisecond, in {good} ({100 * good / len(ratios):.1f}%).\n"
    )
    considered = {
        name for name, (_module, one, all_) in methods.ENGINES.items() if (all_ if whole else one)
    }
    won = [
        [name, "yes" if name in considered else "no", wins[name], notable[name]]
        for name in methods.ENGINES
    ]
    print(
        measure.table(["engine", "in auto", "fastest on", f"by more than {ENOUGH} times"], won),
        end="\n\n",
    )
    print(
        measure.table(["shape", "choice", "its time", "best", "ratio", "all that ran"], rows),
        end="\n\n",
    )
    print(
        "Measured over estimated time (bounds only for enumeration and the whole distribution by ntt, which run by name):\n"
    )
    spread = [
        [name, len(values), *(f"{x:.2f}" for x in _deciles(values))]
        for name, values in factors.items()
        if values
    ]
    print(
        measure.table(["engine", "runs", "first decile", "median", "last decile"], spread),
        end="\n\n",
    )


def main(arguments: Sequence[str]) -> None:
    """Print both reports."""
    print("# The choice of the engine\n")
    print(measure.environment() + ".\n")
    for whole in (False, True):
        report(whole, "--quick" in arguments)


def _deciles(values: list[float]) -> tuple[float, float, float]:
    ordered = sorted(values)
    tenth = len(ordered) // 10
    return ordered[tenth], statistics.median(ordered), ordered[-1 - tenth]


if __name__ == "__main__":
    main(sys.argv[1:])
