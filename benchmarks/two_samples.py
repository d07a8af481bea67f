"""Two unpaired samples beside coin, the R package: ``python benchmarks/two_samples.py [--quick]``.

CPU seconds of two-sided exact tests, from the scores to the p-value. R runs each test several times
in one process, whose start does not count. Without R, or without coin in it, its cells are empty.
Then large samples and real scores, certified, beside SciPy's resampling. Prints Markdown.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial

import measure
from exactperm import fast_two_sample_test, mann_whitney_test, two_sample_test
from exactperm.errors import BudgetExceeded

SCRIPT = """
suppressPackageStartupMessages(library(coin))
x <- c({x}); y <- c({y})
d <- data.frame(score = c(x, y), group = factor(rep(c("x", "y"), c(length(x), length(y)))))
test <- function() pvalue({test}(score ~ group, data = d, distribution = exact("shift")))
p <- test()
times <- replicate({times}, sum(system.time(test(), gcFirst = FALSE)[1:2]))
cat(sprintf("%.17g %.6g\\n", p, median(times)))
"""
TESTS = {
    "scores": (two_sample_test, "oneway_test"),
    "ranks": (mann_whitney_test, "wilcox_test"),
}


def cases(quick: bool) -> Iterator[tuple[str, int, int, list[int], list[int]]]:
    """(kind of test, size of each sample, greatest score, both samples)."""
    for kind, n, most in (
        ("scores", 20, 10),
        ("scores", 50, 10),
        ("scores", 50, 100),
        ("scores", 50, 1000),
        ("scores", 100, 100),
        ("ranks", 50, 100),
        ("ranks", 100, 100),
        ("ranks", 100, 10**6),
    )[: 3 if quick else None]:
        rng = random.Random(f"{kind} {n} {most}")
        x, y = [[rng.randint(0, most) for _ in range(n)] for _ in range(2)]
        yield kind, n, most, x, [min(most, b + most // 8) for b in y]


def coin(program: str, test: str, x: list[int], y: list[int]) -> tuple[float, float] | None:
    """The p-value and the CPU seconds of coin's shift algorithm; None without it."""
    columns = {"x": ", ".join(map(str, x)), "y": ", ".join(map(str, y))}
    script = SCRIPT.format(test=test, times=5, **columns)
    done = subprocess.run([program, "-e", script], capture_output=True, text=True, check=False)
    if done.returncode:
        return None
    p, seconds = map(float, done.stdout.split()[-2:])
    return p, seconds


def certified_cases(quick: bool) -> Iterator[tuple[str, list[float], list[float]]]:
    """(name, both samples): ratings and normal scores, of equal laws or a shift apart."""
    for n, most, shift in (
        (50, None, 0.3),
        (100, None, 0.9),
        (300, None, 0.1),
        (1000, 5, 0.0),
        (1000, None, 0.1),
    )[: 2 if quick else None]:
        rng = random.Random(f"{n} {most}")
        x, y = [
            [rng.gauss(0, 1) if most is None else rng.randint(0, most) for _ in range(n)]
            for _ in range(2)
        ]
        kind = f"0..{most}" if most else f"normal, {shift} apart"
        yield f"{n}+{n} | {kind}", [a + shift for a in x], y


def resampled(x: list[float], y: list[float]) -> float | None:
    """SciPy's p-value of 9,999 resamples, or None without it."""
    try:
        from scipy.stats import permutation_test
    except ImportError:
        return None
    import numpy as np

    found = permutation_test(
        (np.array(x), np.array(y)),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        random_state=1,
    )
    return float(found.pvalue)


def certified() -> list[tuple[str, ...]]:
    """Rows of certified tests: CPU of a single run of each program."""
    rows = []
    for name, x, y in certified_cases("--quick" in sys.argv):
        result = fast_two_sample_test(x, y)
        seconds = measure.cpu_seconds(partial(fast_two_sample_test, x, y))
        other = resampled(x, y)
        taken = measure.cpu_seconds(partial(resampled, x, y)) if other else None
        rows.append(
            (
                *name.split(" | "),
                f"{result.pvalue:.4g}",
                f"{result.width:.0e}",
                measure.shown_seconds(seconds),
                measure.shown_seconds(taken),
                f"{other:.4g}" if other else "-",
            )
        )
    return rows


def seconds_of(test: Callable[[], object]) -> str | float:
    """CPU seconds, or the word for a refusal."""
    try:
        test()
    except BudgetExceeded:
        return "refused"
    return measure.median_seconds({"": test}, seconds=1, most=9)[""]


def main() -> None:
    """Print the table."""
    rows, program = [], shutil.which("Rscript")
    for kind, n, most, x, y in cases("--quick" in sys.argv):
        ours, theirs = TESTS[kind]
        test = partial(ours, x, y)
        seconds = seconds_of(test)
        peer = coin(program, theirs, x, y) if program else None
        shown = seconds if isinstance(seconds, str) else measure.shown_seconds(seconds)
        other = "-" if peer is None else measure.shown_seconds(peer[1])
        timed = peer is not None and not isinstance(seconds, str)
        ratio = f"{seconds / max(peer[1], 1e-3):.2f}" if timed else "-"  # type: ignore[operator,index]
        p = "-" if isinstance(seconds, str) else f"{float(test().pvalue):.3g}"
        same = "-" if peer is None or p == "-" else f"{abs(peer[0] / float(test().pvalue) - 1):.0e}"
        rows.append((kind, f"{n}+{n}", f"0..{most}", p, shown, other, ratio, same))
    print(f"# Two samples\n\n`python benchmarks/two_samples.py`, {measure.environment()}\n")
    print(
        "Median CPU time of exact two-sided tests; coin with its shift algorithm (its clock has steps of a "
        "millisecond), and the relative difference of its p-value.\n"
    )
    heads = ("test", "sizes", "scores", "p", "exactperm", "coin", "exactperm / coin", "difference")
    print(measure.table(heads, rows))
    print(
        "\nTwo-sided tests that no count answers in 5 s: the certified bracket and its relative width, beside "
        "SciPy's `permutation_test` with 9,999 resamples. CPU time of one run.\n"
    )
    heads = ("sizes", "scores", "p", "width", "exactperm", "SciPy", "its p")
    print(measure.table(heads, certified()))


if __name__ == "__main__":
    main()
