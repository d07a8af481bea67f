"""Certified p-values of real-valued scores beside Monte Carlo, SciPy, float sums and the normal law, in one run.

    python benchmarks/real_scores.py [--quick]

Times are CPU seconds of one process. A bracket is a certificate; Monte Carlo has a standard error,
the others an error that only the bracket knows. All seeds are fixed. Writes ``real-scores.svg``
beside the results.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Sequence

import measure
from exactperm.budget import Budget
from exactperm.classical.paired import fast_wilcoxon_signed_rank_test
from exactperm.errors import BudgetExceeded
from exactperm.fast import decision, fast_sign_flip_test
from exactperm.null.float_result import FloatResult
from exactperm.swaps.canonical import canonical
from exactperm.swaps.effects import flip_effects
from plots import line_plot

KINDS: dict[str, Callable[[random.Random], float]] = {
    "Gauss": lambda rng: rng.gauss(0, 1),
    "Student, 3 degrees": lambda rng: rng.gauss(0, 1) / math.sqrt(rng.gammavariate(1.5, 2 / 3)),
    "half zeros": lambda rng: rng.gauss(0, 1) if rng.random() < 0.5 else 0.0,
    "half of 3 decimals": lambda rng: (
        rng.gauss(0, 1) if rng.random() < 0.5 else round(rng.gauss(0, 1), 3)
    ),
}
# two-sided normal quantiles
MIDDLE = {0.5: 0.6745, 0.05: 1.96, 1e-4: 3.891, 1e-12: 7.131, 1e-31: 11.65}


def scores(kind: str, n: int, p: float, seed: int = 1, decimals: int | None = None) -> list[float]:
    """N differences whose two-sided p-value is near p: signs are turned until the sum is."""
    rng = random.Random(f"{kind} {n} {seed}")
    sizes = [abs(KINDS[kind](rng)) * (0.3 if decimals else 1.0) for _ in range(n)]
    if decimals:
        sizes = [round(x, decimals) for x in sizes]
    wanted, total = MIDDLE[p] * math.sqrt(sum(x * x for x in sizes)), 0.0
    column = []
    for x in sorted(sizes, reverse=True):
        sign = 1 if total < wanted else -1
        column.append(sign * x)
        total += sign * x
    rng.shuffle(column)
    return column


def timed(task: Callable[[], object]) -> tuple[float, object]:
    """CPU seconds of one run, and its result; the better of two runs."""
    times = []
    for _ in range(2):
        start = time.process_time()
        result = task()
        times.append(time.process_time() - start)
    return min(times), result


def bracket(
    column: Sequence[float], digits: int | None, seconds: float = 5.0
) -> tuple[float, FloatResult | None]:
    """CPU seconds and the certified result, or None where no digit is certain."""

    def task() -> FloatResult | None:
        try:
            return fast_sign_flip_test(column, digits=digits, budget=Budget(seconds=seconds))
        except BudgetExceeded:
            return None

    taken, result = timed(task)
    return taken, result  # type: ignore[return-value]


def shown(taken: float, result: FloatResult | None) -> str:
    """One cell."""
    return f"{taken:.2f} s: {result.width:.1e}" if result else f"{taken:.2f} s: refused"


def musts() -> list[list[str]]:
    """The aims of the certified path, each with what it takes here."""
    rows = []
    for name, column, digits in (
        *(
            (f"Gauss, N = {n}, p = .05, width 1e-{d}", scores("Gauss", n, 0.05), d)
            for d in (4, 6)
            for n in (100, 1000, 5000)
        ),
        ("Gauss, N = 1000, p = 1e-31, width 1e-4", scores("Gauss", 1000, 1e-31), 4),
        ("Gauss, N = 50, p = .05, width 1e-4", scores("Gauss", 50, 0.05), 4),
        *(
            (
                f"{d} decimals, N = 1000, correctly rounded",
                scores("Gauss", 1000, 0.05, decimals=d),
                17,
            )
            for d in (5, 6, 7)
        ),
        ("Gauss, N = 100,000, p = .05, width 1e-3", scores("Gauss", 100_000, 0.05), 3),
    ):
        taken, result = bracket(column, digits)
        found = (
            f"{result.width:.1e}{', correctly rounded' if result.correctly_rounded else ''}"
            if result
            else "refused"
        )
        rows.append([name, f"{taken:.3f}", found])
    column = scores("Gauss", 1000, 0.05)
    swaps = canonical(flip_effects(column))
    alpha = flip_effects([fast_sign_flip_test(column).pvalue * 1.01]).observed()[0]
    taken, result = timed(lambda: decision(swaps, alpha, "two-sided"))
    rows.append(["decision, N = 1000, p within 1% of alpha", f"{taken:.3f}", str(bool(result))])
    return rows


def apart() -> list[list[str]]:
    """Data with a few pairs that are conditioned on, and signed ranks: CPU seconds and width, by name."""
    rng = random.Random(5)
    coarse = [round(rng.gauss(0.02, 0.3), 3) for _ in range(1000)]
    giant = [0.4 * sum(map(abs, scores("Gauss", 10_000, 0.05)))]
    ranks = [rng.gauss(0.06, 1) for _ in range(1023)]
    rows = []
    for name, task in (
        *(
            (
                f"3 decimals, N = 1000, and {u} doubles, correctly rounded",
                lambda u=u: fast_sign_flip_test(
                    [*coarse, *(rng.gauss(0, 0.3) for _ in range(u))], digits=17
                ),
            )
            for u in (1, 10)
        ),
        (
            "Gauss, N = 10,000, and one difference of 0.4 of their sum, width 1e-4",
            lambda: fast_sign_flip_test([*scores("Gauss", 10_000, 0.05), *giant], digits=4),
        ),
        (
            "signed ranks, 1,023 distinct, correctly rounded",
            lambda: fast_wilcoxon_signed_rank_test(ranks),
        ),
    ):
        taken, result = timed(task)
        rows.append([name, f"{taken:.3f}", f"{result.width:.1e}"])  # type: ignore[attr-defined]
    return rows


def monte_carlo(column: Sequence[float], seconds: float) -> tuple[float, float] | None:
    """(estimate, relative standard error) of random signs in NumPy for so many seconds; None without NumPy."""
    try:
        import numpy as np
    except ImportError:
        return None
    d = np.abs(np.array(column))
    observed, rng, hits, samples = abs(sum(column)), np.random.default_rng(1), 0, 0
    start = time.process_time()
    while time.process_time() - start < seconds:
        signs = rng.integers(0, 2, size=(max(1, 200_000 // len(d)), len(d)), dtype=np.int8) * 2 - 1
        hits += int((np.abs(signs @ d) >= observed - 1e-9).sum())
        samples += len(signs)
    share = (hits + 1) / (samples + 1)
    return share, math.sqrt(max(1e-300, (1 - share) / (share * samples)))


def scipy_test(column: Sequence[float]) -> tuple[float, float] | None:
    """(CPU seconds, p-value) of SciPy's permutation test with 9,999 samples; None without SciPy."""
    try:
        import numpy as np
        from scipy.stats import permutation_test
    except ImportError:
        return None
    start = time.process_time()
    found = permutation_test(
        (np.array(column),),
        lambda x, axis: x.sum(axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=9999,
        rng=np.random.default_rng(1),
    )
    return time.process_time() - start, float(found.pvalue)


def float_transform(column: Sequence[float], cells: int) -> float | None:
    """Probability from a float FFT of the differences rounded to a grid of so many cells; None without NumPy."""
    try:
        import numpy as np
    except ImportError:
        return None
    d = np.abs(np.array(column))
    span = d.sum()
    steps = np.maximum(0, np.rint(d / span * (cells // 2))).astype(np.int64)
    t = np.arange(cells // 2 + 1) * (2 * np.pi / cells)
    logs = np.zeros(len(t))
    for step in steps:
        logs += np.log(np.maximum(np.abs(np.cos(t * step / 2)), 1e-300))
    signs = np.ones(len(t))
    for step in steps:
        signs *= np.sign(np.cos(t * step / 2))
    law = np.fft.irfft(np.exp(logs) * signs, cells)
    at = round(abs(sum(column)) / span * (cells // 2) / 2)
    centred = np.concatenate([law[-(cells // 2) :], law[: cells // 2]])
    return float(2 * centred[cells // 2 + at :].sum())


def beside(sizes: Sequence[int]) -> list[list[str]]:
    """Each method on the same columns, in one process."""
    rows = []
    for n in sizes:
        for p in (0.05, 1e-4):
            column = scores("Gauss", n, p)
            taken, result = bracket(column, 4)
            assert result is not None
            normal = math.erfc(
                abs(sum(column)) / math.sqrt(sum(x * x for x in column)) / math.sqrt(2)
            )
            sampled, equal = monte_carlo(column, 1.0), monte_carlo(column, max(0.02, taken))
            scipy = scipy_test(column)
            grid = float_transform(column, 1 << 16)
            rows.append(
                [
                    f"{n}, {result.pvalue:.3g}",
                    shown(taken, result),
                    "-" if equal is None else f"{equal[1]:.1e}",
                    "-" if sampled is None else f"{sampled[1]:.1e}",
                    "-"
                    if scipy is None
                    else f"{scipy[0]:.2f} s: {abs(scipy[1] / result.pvalue - 1):.1e}",
                    "-" if grid is None else f"{abs(grid / result.pvalue - 1):.1e}",
                    f"{abs(normal / result.pvalue - 1):.1e}",
                ]
            )
    return rows


def picture(seconds: Sequence[float]) -> str:
    """Certified width against CPU seconds."""
    series = {}
    for n in (60, 100, 300, 1000, 5000):
        column = scores("Gauss", n, 0.05)
        points = []
        for limit in seconds:
            start = time.process_time()
            try:
                result = fast_sign_flip_test(column, digits=12, budget=Budget(seconds=limit))
            except BudgetExceeded:
                continue
            points.append((time.process_time() - start, result.width))
        if len(points) > 1:  # one point alone is no curve
            series[f"N = {n:,}"] = points
    samples = monte_carlo(scores("Gauss", 1000, 0.05), 1.0)
    if samples:
        series["Monte Carlo, N = 1,000"] = [(s, samples[1] / math.sqrt(s)) for s in seconds]
    return line_plot(
        series,
        title="Certified relative width of a p-value near .05, doubles of 16 digits",
        x_label="CPU seconds",
        y_label="relative width, or standard error",
        log_x=True,
        log_y=True,
    )


def main(arguments: Sequence[str]) -> None:
    """Print the tables and write the picture."""
    quick = "--quick" in arguments
    print("## Real-valued scores\n")
    print(measure.environment("numpy", "scipy") + ".\n")
    print(
        measure.table(
            ["aim", "CPU seconds with reading", "relative width reached"], [*musts(), *apart()]
        ),
        end="\n\n",
    )
    header = [
        "N, p",
        "certified, 4 digits",
        "Monte Carlo, equal time",
        "Monte Carlo, 1 s",
        "SciPy, 9,999 samples: error",
        "float FFT on 2^16 cells: error",
        "normal law: error",
    ]
    print(
        measure.table(header, beside((100, 1000) if quick else (50, 100, 1000, 5000))), end="\n\n"
    )
    rows = []
    for kind in KINDS:
        for n in (100, 1000) if quick else (50, 60, 100, 200, 500, 1000, 2000, 5000):
            row = [kind, f"{n:,}"]
            for p in (0.5, 0.05, 1e-4, 1e-12):
                row.append(shown(*bracket(scores(kind, n, p), None, 2.0)))
            rows.append(row)
    print(measure.table(["data", "N", "p = .5", ".05", "1e-4", "1e-12"], rows), end="\n\n")
    print(
        "Cells: CPU seconds and relative width, `digits=None`, a budget of 2 s; width 0 is an exact count."
    )
    measure.RESULTS.mkdir(exist_ok=True)
    limits = (0.02, 0.05, 0.1, 0.3) if quick else (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 3.0)
    (measure.RESULTS / "real-scores.svg").write_text(picture(limits), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
