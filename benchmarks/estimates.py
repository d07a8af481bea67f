"""Estimates against measurements: seconds and bytes of every engine with a cost model, on 200 random shapes.

    python benchmarks/estimates.py [--quick]

A shape is a tally and a threshold, or the whole distribution. Every engine runs on it if its
estimate is within the patience of this script: CPU seconds, the least of up to five runs, and the
peak of traced memory in a run of its own. Small work is left out: below 10 ms and 1 MiB an estimate
may be off by any factor. Prints a table of the engines and the misses: where measured and estimated
differ by more than a factor of two.
"""

from __future__ import annotations

import math
import random
import sys
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import measure
from exactperm.budget import Estimate
from exactperm.counting import methods, plan, plane

SHAPES = 200
LONGEST, LARGEST = 0.4, 2**27  # seconds and bytes that an engine may be expected to take here
FACTOR = 2.0
SMALL = {"seconds": 1e-2, "bytes": 2**20}
Case = tuple[str, str, Estimate, Callable[[], object]]


def differences(rng: random.Random) -> list[int]:
    """The differences of some pairs: even, skewed, few distinct ones, a cluster, ones and a large one, or equal."""
    pairs, largest = int(10 ** rng.uniform(0.8, 4)), int(10 ** rng.uniform(0, 6))
    few = [rng.randint(1, largest) for _ in range(rng.randint(2, 6))]
    return rng.choice(
        [
            lambda: [rng.randint(1, largest) for _ in range(pairs)],
            lambda: [int(largest ** rng.random() ** 3) for _ in range(pairs)],
            lambda: [rng.choice(few) for _ in range(pairs)],
            lambda: [rng.randint(largest, largest + largest // 10) for _ in range(pairs)],
            lambda: [1] * pairs + [largest] * rng.randint(1, 3),
            lambda: [1] * (10 * pairs),
        ]
    )()


def shapes(number: int) -> Iterator[tuple[dict[int, int], int | None]]:
    """Tallies without a common divisor, each with a threshold that it folds to, or None for the whole distribution."""
    for seed in range(number):
        rng = random.Random(seed)
        drawn = differences(rng)
        tally = dict(sorted(Counter(d // math.gcd(*drawn) for d in drawn).items()))
        if rng.random() < 0.35:
            yield tally, None
            continue
        span, deviations = sum(d * c for d, c in tally.items()), rng.uniform(0, 6)
        deviation = math.sqrt(sum(d * d * c for d, c in tally.items())) / 2
        _whole, kept, k = plan.folded(tally, max(0, int(span / 2 - deviations * deviation) - 1))
        if kept:
            yield dict(kept), k


def plane_cases(number: int) -> Iterator[Case]:
    """Two-dimensional shapes: whole distributions and counts over half of the plane."""
    for seed in range(number):
        rng = random.Random(f"plane {seed}")
        units, widest = int(10 ** rng.uniform(1, 2.7)), rng.randint(1, 12)
        deltas = Counter()
        for _ in range(units):
            a = rng.randint(0, widest)
            deltas[a, rng.randint(-widest, widest) if a else rng.randint(1, widest)] += 1
        tally, whole = dict(deltas), rng.random() < 0.5
        around = plane.box(tally)
        region = [(1 << around.height // 2) - 1] * (around.right + 1)
        name = f"{units} units in two dimensions, {'whole' if whole else 'count'}"
        yield (
            "plane",
            name,
            plane.estimate(tally, whole),
            (lambda tally=tally: dict(plane.items(tally)))
            if whole
            else (lambda tally=tally, region=region: plane.count_points(tally, region)),
        )


def cases(number: int) -> Iterator[Case]:
    """(engine, shape, its estimate, what to run) within the patience of this script."""
    for tally, k in shapes(number):
        name = f"{sum(tally.values()):,} pairs, {len(tally):,} differences up to {max(tally):,}, "
        name += "whole" if k is None else f"k = {k:,}"
        for method, (_module, one, whole) in methods.ENGINES.items():
            engine = plan.engine(method)
            if whole if k is None else one:
                cost = engine.estimate(tally, k)
                run = (
                    (lambda e=engine, t=tally: e.counts(t))
                    if k is None
                    else (lambda e=engine, t=tally, k=k: e.count_at_most(t, k))
                )
                yield method, name, cost, run
    yield from plane_cases(number // 5)


def seconds_of(run: Callable[[], object]) -> float:
    """CPU seconds, the least of up to five runs or of half a second."""
    times = []
    while len(times) < 5 and sum(times) < 0.5:
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def bytes_of(run: Callable[[], object]) -> int:
    """The most bytes in use while it runs, its result included."""
    tracemalloc.start()
    _kept = run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main(arguments: Sequence[str]) -> None:
    """Print the factors of every engine, and the misses."""
    number = 40 if "--quick" in arguments else SHAPES
    ratios: dict[tuple[str, str], list[float]] = {}
    misses = []
    for engine, shape, cost, run in cases(number):
        if not isinstance(cost, Estimate) or cost.seconds > LONGEST or cost.bytes > LARGEST:
            continue
        for what, measured in (("seconds", seconds_of(run)), ("bytes", bytes_of(run))):
            expected = getattr(cost, what)
            if max(measured, expected) < SMALL[what]:
                continue
            ratio = measured / expected
            ratios.setdefault((engine, what), []).append(ratio)
            if not 1 / FACTOR <= ratio <= FACTOR:
                misses.append(
                    [engine, shape, what, f"{measured:.3g}", f"{expected:.3g}", f"{ratio:.2f}"]
                )
    rows = []
    for (engine, what), values in sorted(ratios.items()):
        values.sort()
        middle = values[len(values) // 2]
        rows.append(
            [engine, what, len(values), *(f"{x:.2f}" for x in (values[0], middle, values[-1]))]
        )
    print("## Estimates against measurements\n")
    print(measure.environment() + ".\n")
    print(f"{number} random shapes; work of at least 10 ms or 1 MiB; measured / estimated.\n")
    print(measure.table(["engine", "of", "runs", "least", "median", "most"], rows), end="\n\n")
    print(f"Off by more than a factor of {FACTOR:.0f}: {len(misses)}.")
    if misses:
        print()
        print(measure.table(["engine", "shape", "of", "measured", "estimated", "ratio"], misses))


if __name__ == "__main__":
    main(sys.argv[1:])
