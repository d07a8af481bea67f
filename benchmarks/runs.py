"""CPU time of exact tests of several runs on each item: a Markdown table.

    python benchmarks/runs.py [--quick]

Random scores of two systems, both with the same law; two-sided, design "within", from lists to the p-value.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial

import measure
from exactperm import Budget, permutation_test_runs
from exactperm.errors import BudgetExceeded
from exactperm.swaps.runs import exchange
from exactperm.swaps.steps import Steps

LIMIT = Budget(seconds=30)
LAWS: dict[str, Callable[[random.Random], object]] = {
    "0/1": lambda rng: rng.randint(0, 1),
    "1..5": lambda rng: rng.randint(1, 5),
    "0..10": lambda rng: rng.randint(0, 10),
    "0..100": lambda rng: rng.randint(0, 100),
    "doubles": lambda rng: rng.random(),
}
ROWS = (
    ("0/1", 3, 3, (100, 1000, 10_000)),
    ("0/1", 3, 2, (100, 1000, 10_000)),
    ("0/1", 5, 5, (100, 1000, 10_000)),
    ("0/1", 10, 10, (100, 1000)),
    ("1..5", 3, 3, (100, 1000)),
    ("0..10", 3, 3, (100, 1000)),
    ("0..100", 3, 3, (10, 100)),
    ("doubles", 2, 2, (10, 100)),
    ("doubles", 3, 3, (8, 10, 100)),
)


def runs(law: str, m: int, k: int, n: int) -> tuple[list[list[object]], list[list[object]]]:
    """Return m and k runs of two systems on n items; the same on every run of the benchmark."""
    rng = random.Random(f"{law} {m} {k} {n}")
    draw = LAWS[law]
    first, second = [[[draw(rng) for _ in range(size)] for _ in range(n)] for size in (m, k)]
    return first, second


def main() -> None:
    """Print seconds of reading and of the whole test; a refusal for counts above the limit."""
    most = 1000 if "--quick" in sys.argv else 10**6
    print(
        f"# Exact tests of several runs on each item\n\n`python benchmarks/runs.py`, {measure.environment()}\n\n"
        'CPU seconds, two-sided, design "within"; "reading" makes the steps of the items, "all" is the whole test. '
        f"Refused: estimated above {LIMIT.seconds:g} s or 2 GiB.\n"
    )
    rows = []
    for law, m, k, sizes in ROWS:
        for n in (size for size in sizes if size <= most):
            u, v = runs(law, m, k, n)
            swaps = exchange(u, v, "within").swaps
            types = len(swaps.types) if isinstance(swaps, Steps) else 0
            test = partial(permutation_test_runs, u, v, design="within", budget=LIMIT)
            times = {"reading": partial(exchange, u, v, "within")}
            try:
                method = test().method
                times["all"] = test
            except BudgetExceeded:
                method = "refused"
            found = measure.median_seconds(times, seconds=0.5)
            cells = [f"{found[name]:.2g}" if name in found else "-" for name in ("reading", "all")]
            rows.append((law, f"{m}+{k}", f"{n:,}", f"{types:,}", method, *cells))
    print(measure.table(("scores", "runs", "items", "different steps", "engine", "reading", "all"), rows))


if __name__ == "__main__":
    main()
