"""CPU time of exact and of certified tests of several runs on each item: Markdown tables.

    python benchmarks/runs.py [--quick]

Random scores of two systems, both with the same law; two-sided, design "within", from lists to the
p-value.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from functools import partial

import measure
import tasks
from exactperm import (
    Budget,
    fast_permutation_test,
    fast_permutation_test_runs,
    permutation_test_runs,
)
from exactperm.errors import BudgetExceeded
from exactperm.swaps.canonical import Swaps
from exactperm.swaps.runs import exchange

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
CERTIFIED = (  # scores, runs, items, digits, seconds that were wanted
    ("0/1", 3, 3, 10_000, None, 0.1),
    ("0/1", 3, 2, 10_000, None, None),
    ("1..5", 3, 3, 1000, None, 0.15),
    ("0..10", 3, 3, 1000, None, 0.2),
    ("doubles", 2, 2, 100, 3, None),
    ("doubles", 2, 2, 1000, 3, 0.5),
    ("doubles", 3, 3, 300, 3, None),
    ("doubles", 3, 3, 1000, 3, 2.0),
)


def runs(law: str, m: int, k: int, n: int) -> tuple[list[list[object]], list[list[object]]]:
    """Return m and k runs of two systems on n items; the same on every run of the benchmark."""
    rng = random.Random(f"{law} {m} {k} {n}")
    draw = LAWS[law]
    first, second = [[[draw(rng) for _ in range(size)] for _ in range(n)] for size in (m, k)]
    return first, second


def main() -> None:
    """Print both tables."""
    exact()
    certified()


def exact() -> None:
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
            types = len(swaps.tally) if isinstance(swaps, Swaps) else 0
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
    print(
        measure.table(
            ("scores", "runs", "items", "different steps", "engine", "reading", "all"), rows
        )
    )


def certified() -> None:
    """Print seconds of certified brackets, beside those of the exact test, and those that were wanted."""
    print(
        "\n## Certified brackets\n\n`fast_permutation_test_runs`, CPU seconds from lists to the bracket; to a "
        'relative width of 1e-3 where "digits" is 3, else to 17 digits, or 4 where these take long. '
        '"exact" as above, in the same run. The last row is '
        "`fast_permutation_test` of the mean over 57 tasks, one run each.\n"
    )
    rows = []
    for law, m, k, n, digits, wanted in CERTIFIED[: 3 if "--quick" in sys.argv else None]:
        u, v = runs(law, m, k, n)
        test = partial(
            fast_permutation_test_runs, u, v, design="within", digits=digits, budget=LIMIT
        )
        times = {
            "certified": test,
            "exact": partial(permutation_test_runs, u, v, design="within", budget=LIMIT),
        }
        if law == "doubles":
            del times["exact"]
        rows.append((law, f"{m}+{k}", f"{n:,}", *compared(times, wanted, digits)))
    u, v, labels = tasks.scores(57, 17_724)
    times = {"certified": partial(fast_permutation_test, u, v, tasks=labels)}
    rows.append(("0/1, 57 tasks", "1+1", f"{len(u):,}", *compared(times, None, None)))
    heads = (
        "scores",
        "runs",
        "items",
        "digits",
        "certified",
        "wanted",
        "missed",
        "relative width",
        "exact",
    )
    print(measure.table(heads, rows))


def compared(
    times: dict[str, Callable[[], object]], wanted: float | None, digits: int | None
) -> list[str]:
    """Return the cells of a row: digits, seconds, those that were wanted, whether they were missed, and the width."""
    found = measure.median_seconds(times, seconds=1.5)
    seconds, width = found["certified"], times["certified"]().bracket.relative_width
    missed = "-" if wanted is None else "yes" if seconds > wanted else "no"
    aim = "-" if wanted is None else f"{wanted:g}"
    other = f"{found['exact']:.2g}" if "exact" in found else "-"
    return [str(digits or "-"), f"{seconds:.2g}", aim, missed, f"{width:.0e}", other]


if __name__ == "__main__":
    main()
