"""CPU time of the mean over tasks of the means over items (``tasks=``), beside the plain mean: a Markdown table.

    python benchmarks/tasks.py [--quick]

0/1 scores of two systems that differ on 30% of the items; certified to 4 digits at least, from the
columns to the p-value. "with reading" is ``exactperm test FILE --tasks task --method certified`` in
this process.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import tempfile
from functools import partial
from pathlib import Path

import measure
from exactperm import fast_permutation_test
from exactperm.cli import main as cli

SIZES = ((5, 500), (20, 4_000), (57, 17_724))


def scores(number: int, n: int) -> tuple[list[int], list[int], list[str]]:
    """Return columns of 0 and 1 and their task labels, of tasks of different sizes; the same on every run."""
    rng = random.Random(n)
    sizes = [1 + n * (i + number) * 2 // (3 * number * number) for i in range(number)]
    sizes[-1] += n - sum(sizes)
    tasks = [f"task {i}" for i, size in enumerate(sizes) for _ in range(size)]
    u = [int(rng.random() < 0.6) for _ in tasks]
    return u, [int(rng.random() < 0.58) if rng.random() < 0.3 else x for x in u], tasks


def command(path: Path) -> None:
    """Test the columns of a file."""
    with contextlib.redirect_stdout(io.StringIO()):
        cli.main(
            ["test", str(path), "--columns", "u,v", "--tasks", "task", "--method", "certified"]
        )


def main() -> None:
    """Print the table."""
    print("| tasks | items | plain mean, s | mean over tasks, s | with reading, s | p | digits |")
    print("|---|---|---|---|---|---|---|")
    for number, n in SIZES[: 2 if "--quick" in sys.argv else None]:
        u, v, tasks = scores(number, n)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "scores.csv"
            rows = (f"{task},{a},{b}\n" for task, a, b in zip(tasks, u, v))
            path.write_text("task,u,v\n" + "".join(rows), encoding="utf-8")
            seconds = measure.median_seconds(
                {
                    "plain": partial(fast_permutation_test, u, v),
                    "tasks": partial(fast_permutation_test, u, v, tasks=tasks),
                    "file": partial(command, path),
                }
            )
        result = fast_permutation_test(u, v, tasks=tasks)
        times = " | ".join(f"{seconds[name]:.2g}" for name in ("plain", "tasks", "file"))
        print(
            f"| {number} | {n:,} | {times} | {result.pvalue:.3g} | {result.digits_certain} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
