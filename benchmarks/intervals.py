"""How long exact confidence intervals take, and what they reach: ``python benchmarks/intervals.py [--quick]``.

Both ends of a 95% interval, in CPU seconds of one run each; then all pairs of systems. Prints
Markdown.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterator

import measure
from exactperm import confidence_interval, simultaneous_intervals

SEED = 1
FEW = (20, 30, 36, 42, 50, 60, 80, 120, 200, 500)


def data() -> Iterator[tuple[str, list[float]]]:
    """Name and differences of each case."""
    rng = random.Random(SEED)
    yield "20 doubles", [rng.gauss(0.3, 1) for _ in range(20)]
    yield "1,000 of 3 decimals", [round(rng.gauss(0.02, 0.3), 3) for _ in range(1000)]
    yield "1,000 doubles", [rng.gauss(0.02, 0.3) for _ in range(1000)]
    yield "30,000 doubles", [rng.gauss(0.02, 0.3) for _ in range(30_000)]
    yield "200,000 integers of -2 to 2", [rng.randint(-2, 2) for _ in range(200_000)]
    yield "10,000 integers of -5 to 5", [rng.randint(-5, 5) for _ in range(10_000)]


def row(name: str, d: list[float], precision: str | None) -> tuple[str, ...]:
    """Name, precision, CPU time, and how closely the wider end is enclosed."""
    start = time.process_time()
    interval = confidence_interval(d, precision=precision)
    seconds = time.process_time() - start
    widest = float(max(interval.widths)) * len(d) ** 0.5 / statistics.stdev(d)
    reached = "exact" if interval.exact else f"within {widest:.1g} standard errors"
    return name, precision or "default", measure.shown_seconds(seconds), reached


def together(systems: int, precision: str) -> tuple[str, ...]:
    """Systems, intervals, precision and CPU time of all pairs, 200 pairs of scores with 2 decimals."""
    rng = random.Random(SEED)
    scores = {
        str(i): [round(rng.gauss(0.5 + 0.005 * i, 0.2), 2) for _ in range(200)]
        for i in range(systems)
    }
    start = time.process_time()
    intervals = simultaneous_intervals(scores, precision=precision)
    return (
        str(systems),
        str(len(intervals)),
        precision,
        measure.shown_seconds(time.process_time() - start),
    )


def main() -> None:
    """Print the tables."""
    quick, rng = "--quick" in sys.argv, random.Random(SEED)
    cases = [(name, d) for name, d in data() if not quick or len(d) not in (1000, 30_000)]
    few = [
        (f"{n} doubles", [rng.gauss(0.3, 1) for _ in range(n)]) for n in FEW[: 3 if quick else None]
    ]
    rows = [row(*case, precision) for case in cases for precision in (None, "0.001")]
    print(
        f"# Exact confidence intervals\n\n`python benchmarks/intervals.py`, {measure.environment()}\n"
    )
    print(measure.table(("differences", "precision", "CPU time", "both ends"), rows))
    print("\nFew doubles (normal):\n")
    print(
        measure.table(
            ("differences", "precision", "CPU time", "both ends"),
            [row(*case, None) for case in few],
        )
    )
    print(
        "\nAll pairs of systems, 200 pairs of scores with 2 decimals, to 0.01 standard errors (the default) or 0.001:\n"
    )
    sizes = [(5, "0.01")] if quick else [(5, "0.01"), (5, "0.001"), (20, "0.01")]
    print(
        measure.table(
            ("systems", "intervals", "precision", "CPU time"), [together(*size) for size in sizes]
        )
    )


if __name__ == "__main__":
    main()
