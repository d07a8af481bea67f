"""F1 with sentence-like counts: time, memory and growth of the exact two-sided test in two dimensions.

    python benchmarks/f1.py [--quick]

Prints Markdown. The other roads to the same count: h called on every point (any h), and a
dictionary over the points.
"""

from __future__ import annotations

import math
import random
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial

import measure
from exactperm.arithmetic.rational import dyadic
from exactperm.arithmetic.writing import decimal_string
from exactperm.counting import plane
from exactperm.null.joint import joint, tails
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.lattice import Lattice, lattice
from exactperm.swaps.metrics import f1_difference

SEED = 1
SIZES = (40, 80, 100, 300, 1_000)
MOST = {"h on every point": 1_000, "dictionary": 100}
PUBLISHED = {40: (13, 1.8), 80: (64, 9.6)}
"""N: seconds and GiB of the authors' code (55fb5e3) for counts up to 5, measured once on a machine
of two cores."""

Entries = list[tuple[int, int]]


def sentences(n: int, seed: int = SEED) -> tuple[Entries, Entries]:
    """True positives and incorrect predictions of two simulated systems in the same n sentences.

    Lengths are ceil(Normal(12, 10)), drawn again while negative; rates Normal(0.9543, 0.1116),
    drawn again outside [0, 1], with 0.98 times that mean for the second system. True positives are
    floor(rate * length), incorrect ones length - floor(another rate * length), so that neither
    tells the other and the swaps have rank 2.
    """
    rng = random.Random(seed)
    rows: tuple[Entries, Entries] = ([], [])
    for _ in range(n):
        length = next(x for x in draws(lambda: math.ceil(rng.gauss(12, 10))) if x >= 0)
        for row, factor in zip(rows, (1, 0.98)):
            rates = (
                x for x in draws(lambda f=factor: rng.gauss(0.9543 * f, 0.1116)) if 0 <= x <= 1
            )
            row.append(
                (math.floor(next(rates) * length), length - math.floor(next(rates) * length))
            )
    return rows


def draws(draw: Callable[[], float]) -> Iterator[float]:
    while True:
        yield draw()


def small_counts(n: int) -> tuple[Entries, Entries]:
    """Counts from 0 to 5, all equally likely: the shape of the published measurement."""
    rng = random.Random(SEED)
    first, second = ([(rng.randint(0, 5), rng.randint(0, 5)) for _ in range(n)] for _ in range(2))
    return first, second


def swaps_of(u: Entries, v: Entries) -> Lattice:
    return lattice(swap_effects(u, v, f1_difference))


def count(u: Entries, v: Entries) -> int:
    """The whole road from two columns to the count."""
    return tails(swaps_of(u, v), f1_difference).extreme_count("two-sided")[0]


def every_point(u: Entries, v: Entries, method: str = "recurrence") -> int:
    """The paper's Alg. 5 for any h, here the absolute difference: h is called on the sums of every point."""
    swaps = swaps_of(u, v)
    observed = abs(f1_difference.combine(*swaps.sums(swaps.observed)))
    points, _method = joint(swaps, method=method)
    return sum(number for sums, number in points if abs(f1_difference.combine(*sums)) >= observed)


def traced_mib(task: Callable[[], object]) -> float:
    """The peak of what Python allocates during a task."""
    tracemalloc.start()
    task()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def growth(sizes: tuple[int, ...], seconds: float) -> str:
    """One row for each N: the exponent is log(time ratio) / log(N ratio) against the row before."""
    rows = []
    before: tuple[int, float] | None = None
    for n in sizes:
        u, v = sentences(n)
        tasks = {"": partial(count, u, v), "h on every point": partial(every_point, u, v)}
        tasks["dictionary"] = partial(every_point, u, v, "dp")
        tasks = {name: task for name, task in tasks.items() if n <= MOST.get(name, n)}
        numbers = {task() for task in tasks.values()}
        times = measure.median_seconds(tasks, seconds=seconds)
        tally = swaps_of(u, v).tally
        exponent = (
            "-"
            if before is None
            else f"{math.log(times[''] / before[1]) / math.log(n / before[0]):.2f}"
        )
        before = (n, times[""])
        rows.append(
            [
                f"{n:,}",
                f"{plane.points(tally):,}",
                len(tally),
                measure.shown_seconds(times[""]),
                exponent,
                f"{traced_mib(tasks['']):.2g}",
                *(measure.shown_seconds(times.get(name)) for name in MOST),
                decimal_string(dyadic(numbers.pop(), n), 6) if len(numbers) == 1 else "DIFFERENT",
            ]
        )
    header = [
        "N",
        "points",
        "distinct deltas",
        "median time",
        "exponent",
        "peak MiB",
        *MOST,
        "two-sided p",
    ]
    return measure.table(header, rows)


def against_published(seconds: float) -> str:
    rows = []
    for n, (their_seconds, gib) in PUBLISHED.items():
        time = measure.median_seconds({"": partial(count, *small_counts(n))}, seconds=seconds)[""]
        shown = measure.shown_seconds(time)
        rows.append(
            [n, shown, f"{their_seconds} s, {gib} GiB, floats", f"{their_seconds / time:,.0f}"]
        )
    return measure.table(["N", "median time", "published code, measured once", "ratio"], rows)


def main() -> None:
    quick = "--quick" in sys.argv
    print(f"{measure.environment()}\n")
    print(
        f"Sentence-like counts:\n\n{growth(SIZES[:-1] if quick else SIZES, 0.2 if quick else 2)}\n"
    )
    print(f"Counts up to 5:\n\n{against_published(0.2 if quick else 2)}")


if __name__ == "__main__":
    main()
