"""All benchmarks: ``python benchmarks/run.py [--quick]``.

Prints their Markdown and keeps it, with the pictures, in ``benchmarks/results/``. Peers are measured where their
libraries are installed (``pip install -e .[bench]``). A full run takes about an hour, a quick one some minutes.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import measure

PARTS = (
    "startup",
    "headline",
    "recurrence",
    "few_pairs",
    "multiplication",
    "planner",
    "estimates",
    "bracket",
    "real_scores",
    "f1",
    "leaderboard",
    "cluster",
    "monte_carlo_error",
    "coverage",
)


def main(arguments: Sequence[str]) -> None:
    """Run every part in a process of its own, one after the other."""
    measure.RESULTS.mkdir(exist_ok=True)
    for name in PARTS:
        command = [sys.executable, str(measure.ROOT / "benchmarks" / f"{name}.py"), *arguments]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False, cwd=measure.ROOT / "benchmarks")
        if done.returncode:
            sys.exit(f"{name} failed with status {done.returncode}")
        print(done.stdout, flush=True)
        (measure.RESULTS / f"{name.replace('_', '-')}.md").write_text(done.stdout, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
