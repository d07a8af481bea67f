"""The paper's workload, side by side in one run: time, peak memory, and error against the exact value.

    python benchmarks/headline.py [--quick]

Prints Markdown tables and writes figure-1.svg, the paper's run-time figure (Fig. 1) with the
engines of this package.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import measure
import peers
from exactperm import permutation_test, sign_flip_test
from exactperm.arithmetic.writing import decimal_string
from exactperm.fast import fast_permutation_test
from exactperm.montecarlo.sampling import monte_carlo
from plots import line_plot
from tests.workload import paper_workload

SEED = 2022
SLOW = {  # peers that would take minutes or more beyond this many pairs
    "python-flint, integer polynomials in C": 50_000,
    "float FFT, SciPy": 100_000,
    "published package, FFT (floats)": 50_000,
    "SciPy permutation_test, 9,999 resamples": 10_000,
    "mlxtend, 1,000 rounds": 10_000,
}
Task = Callable[[Sequence[int], Sequence[int]], object]


def exact_test(u: Sequence[int], v: Sequence[int]) -> Fraction:
    """The whole road from two columns to the fraction."""
    return permutation_test(u, v).pvalue


def bracket(u: Sequence[int], v: Sequence[int]) -> float:
    """The certified float path, from two columns to a double."""
    return fast_permutation_test(u, v).pvalue


OURS: dict[str, Task] = {
    "exactperm, exact": exact_test,
    "exactperm, certified float": bracket,
    "plain recurrence, 20 lines": peers.plain_recurrence,
}


def relative_error(value: object, exact: Fraction) -> str:
    """How far off, relative to the exact value; nothing where it is the value."""
    if isinstance(value, Fraction):
        return "exact" if value == exact else "WRONG"
    error = abs(Fraction(str(value)) - exact) / exact
    return decimal_string(error, 2) if error else "0"


def side_by_side(n: int, seconds: float) -> str:
    """One table for one number of pairs."""
    u, v = paper_workload(n, seed=SEED)
    tasks: dict[str, Task] = {
        **OURS,
        **{k: f for k, f in peers.available().items() if n <= SLOW.get(k, n)},
    }
    values = {name: run(u, v) for name, run in tasks.items()}
    exact = values["exactperm, exact"]
    times = measure.median_seconds(
        {name: partial(run, u, v) for name, run in tasks.items()}, seconds=seconds
    )
    base = times["exactperm, exact"]
    rows = []
    for name, run in tasks.items():
        module = "headline" if run.__module__ in ("__main__", "headline") else run.__module__
        memory = measure.peak_mib(
            f"import {module}\nfrom exactperm.cli.demo import paper_workload\nu, v = paper_workload({n}, seed={SEED})\n"
            f"small = paper_workload(50, seed=1)\n{module}.{run.__name__}(*small)",
            f"{module}.{run.__name__}(u, v)",
        )
        shown = decimal_string(values[name], 6)
        rows.append(
            [
                name,
                measure.shown_seconds(times[name]),
                f"{times[name] / base:.3g}",
                "-" if memory is None else f"{memory:.0f}",
                shown,
                relative_error(values[name], exact),
            ]
        )
    header = [
        "",
        "median CPU time",
        "ratio to exact",
        "extra peak MiB",
        "two-sided p",
        "relative error",
    ]
    return f"N = {n:,}:\n\n" + measure.table(header, rows)


def engine_tasks(u: Sequence[int], v: Sequence[int]) -> dict[str, Callable[[], object]]:
    """The exact engines and Monte Carlo on one data set, as in the paper's Fig. 1."""
    tasks: dict[str, Callable[[], object]] = {
        "exact, planner's choice": partial(permutation_test, u, v),
        "certified float": partial(fast_permutation_test, u, v),
        "exact, product tree (Alg. 4)": partial(permutation_test, u, v, method="ntt"),
    }
    if len(u) <= 4000:
        tasks["exact, dictionary program (Alg. 3)"] = partial(permutation_test, u, v, method="dp")
    for samples in (5_000, 10_000, 20_000, 40_000):
        tasks[f"Monte Carlo, K = {samples:,}"] = partial(
            monte_carlo, u, v, _minus, abs, samples, rng=1
        )
    return tasks


def engine_times(sizes: Sequence[int], seconds: float) -> dict[str, list[tuple[float, float]]]:
    """Time against N for each of the tasks."""
    curves: dict[str, list[tuple[float, float]]] = {}
    for n in sizes:
        tasks = engine_tasks(*paper_workload(n, seed=SEED))
        for name, value in measure.median_seconds(tasks, seconds=seconds, most=7).items():
            curves.setdefault(name, []).append((n, value))
    return curves


def many_differences(seconds: float) -> str:
    """Few pairs with many distinct differences, beside the paper's workload of 100,000 pairs."""
    rng = random.Random(SEED)
    tasks = {
        "the workload, N = 100,000": partial(permutation_test, *paper_workload(100_000, seed=SEED))
    }
    for pairs, largest in ((200, 10_000), (1_000, 1_000)):
        d = [rng.choice((-1, 1)) * rng.randint(1, largest) for _ in range(pairs)]
        tasks[f"{pairs:,} pairs, differences up to {largest:,}"] = partial(sign_flip_test, d)
    times = measure.median_seconds(tasks, seconds=seconds)
    base = next(iter(times.values()))
    rows = [
        [name, measure.shown_seconds(value), f"{value / base:.2f}"] for name, value in times.items()
    ]
    return measure.table(["exact test", "median CPU time", "ratio"], rows)


def _minus(a: int, b: int) -> int:
    return a - b


def exponents(curves: dict[str, list[tuple[float, float]]]) -> str:
    """Slope of log time against log N over the upper half of the sizes."""
    rows = []
    for name, points in curves.items():
        (x0, y0), (x1, y1) = points[len(points) // 2 - 1], points[-1]
        slope = math.log(y1 / y0) / math.log(x1 / x0)
        rows.append([name, f"{x0:,} to {x1:,}", measure.shown_seconds(y1), f"{slope:.2f}"])
    return measure.table(["", "N", "time at the last", "exponent"], rows)


def main(arguments: Sequence[str]) -> None:
    """Print everything."""
    quick = "--quick" in arguments
    print("## The paper's workload, side by side\n")
    print(
        measure.environment("numpy", "scipy", "mlxtend", "python-flint", "pairedpermtest") + ".\n"
    )
    for n in (1_000, 10_000) if quick else (1_000, 10_000, 50_000, 100_000):
        print(side_by_side(n, seconds=0.5 if quick else 3.0), end="\n\n", flush=True)
    if not quick:
        print("Few pairs with many distinct differences:\n")
        print(many_differences(seconds=3.0), end="\n\n", flush=True)
    sizes = (500, 1000, 2000) if quick else (500, 1000, 2000, 4000, 6000, 8000, 10_000)
    curves = engine_times(sizes, seconds=0.2 if quick else 1.0)
    print("Growth with N on the same workload:\n")
    print(exponents(curves), end="\n\n")
    picture = line_plot(
        curves,
        title="Time of the paper's test",
        x_label="pairs N",
        y_label="seconds",
        log_x=True,
        log_y=True,
    )
    measure.RESULTS.mkdir(exist_ok=True)
    (measure.RESULTS / "figure-1.svg").write_text(picture, encoding="utf-8")
    print("![time against N](figure-1.svg)\n")


if __name__ == "__main__":
    main(sys.argv[1:])
