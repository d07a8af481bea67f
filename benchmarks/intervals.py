"""How long exact confidence intervals take, and what they reach: ``python benchmarks/intervals.py [--quick]``.

Both ends of a 95% interval, in CPU seconds of one run each. Prints Markdown.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Iterator

import measure
from exactperm import confidence_interval

SEED = 1


def data() -> Iterator[tuple[str, list[float]]]:
    """Name and differences of each case."""
    rng = random.Random(SEED)
    yield "20 doubles", [rng.gauss(0.3, 1) for _ in range(20)]
    yield "1,000 of 3 decimals", [round(rng.gauss(0.02, 0.3), 3) for _ in range(1000)]
    yield "1,000 doubles", [rng.gauss(0.02, 0.3) for _ in range(1000)]
    yield "30,000 doubles", [rng.gauss(0.02, 0.3) for _ in range(30_000)]
    yield "200,000 integers of -2 to 2", [rng.randint(-2, 2) for _ in range(200_000)]
    yield "10,000 integers of -5 to 5", [rng.randint(-5, 5) for _ in range(10_000)]


def main() -> None:
    """Print the table."""
    rows = []
    for name, d in data():
        if "--quick" in sys.argv and len(d) in (1000, 30_000):
            continue
        error = statistics.stdev(d) / len(d) ** 0.5
        for precision in (None, "0.001"):
            start = time.process_time()
            interval = confidence_interval(d, precision=precision)
            seconds = time.process_time() - start
            widest = float(max(interval.widths)) / error
            reached = "exact" if interval.exact else f"within {widest:.1g} standard errors"
            rows.append((name, precision or "default", measure.shown_seconds(seconds), reached))
    print(f"# Exact confidence intervals\n\n`python benchmarks/intervals.py`, {measure.environment()}\n")
    print(measure.table(("differences", "precision", "CPU time", "both ends"), rows))


if __name__ == "__main__":
    main()
