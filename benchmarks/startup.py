"""What it costs to start: whole processes, from launch to exit. ``python benchmarks/startup.py``."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Sequence

import measure

TEST = "from exactperm import permutation_test as t; t([3, 1, 2] * 300, [1, 1, 2] * 300).pvalue"
CODES = {
    "nothing": "pass",
    "import fractions": "import fractions",
    "import exactperm": "import exactperm",
    "a first exact test of 900 pairs": TEST,
    "import numpy": "import numpy",
    "import scipy.stats": "import scipy.stats",
}


def main(arguments: Sequence[str]) -> None:
    """Print the table."""
    rounds = 5 if "--quick" in arguments else 31
    times: dict[str, list[float]] = {name: [] for name in CODES}
    for _ in range(rounds):
        for name, code in CODES.items():
            command = [sys.executable, "-c", code]
            times[name].append(
                measure.wall_seconds(
                    lambda c=command: subprocess.run(c, cwd=measure.ROOT, capture_output=True, check=False)
                )
            )
    base = statistics.median(times["import fractions"])
    print("## Starting\n")
    print(measure.environment("numpy", "scipy") + f"; medians of {rounds} processes each, interleaved.\n")
    rows = []
    for name, values in times.items():
        middle = statistics.median(values)
        rows.append([name, measure.shown_seconds(middle), f"{middle / base:.2f}"])
    print(measure.table(["process", "time", "ratio to import fractions"], rows), end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
