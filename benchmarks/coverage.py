"""How often intervals for a shift cover it, and how long they are: the exact one, Student's t, the bootstrap.

    python benchmarks/coverage.py [--quick]

Samples of N = 10 differences with the true shift 0. The errors are normal, Cauchy (symmetric, no
mean) and exponential minus their mean 1 (not symmetric: no theorem covers the exact interval there;
the shift is the mean). Levels of 95%. The bootstrap is the percentile interval of the lecture, with
1,000 resamples. Prints Markdown.
"""

from __future__ import annotations

import math
import random
import statistics
import sys
from collections.abc import Callable
from fractions import Fraction

import measure
from exactperm import bootstrap_interval, confidence_interval

SEED, N, RESAMPLES = 17, 10, 1000
T_QUANTILE = 2.2621571628  # 97.5% of Student's law with 9 degrees of freedom
ERRORS: dict[str, Callable[[random.Random], float]] = {
    "normal": lambda rng: rng.gauss(0, 1),
    "Cauchy": lambda rng: math.tan(math.pi * (rng.random() - 0.5)),
    "exponential, centred": lambda rng: rng.expovariate(1) - 1,
}


def exact_interval(d: list[float], _rng: random.Random) -> tuple[float, float]:
    """Ends of the exact interval, which are rationals: a double next to each is enough here."""
    interval = confidence_interval(d)
    assert interval.exact
    assert interval.lower is not None
    assert interval.upper is not None
    return float(interval.lower[0]), float(interval.upper[0])


def t_interval(d: list[float], _rng: random.Random) -> tuple[float, float]:
    """Ends of Student's interval."""
    middle, half = statistics.fmean(d), T_QUANTILE * statistics.stdev(d) / math.sqrt(N)
    return middle - half, middle + half


def percentile_interval(d: list[float], rng: random.Random) -> tuple[float, float]:
    """Ends of the bootstrap interval."""
    interval = bootstrap_interval(d, RESAMPLES, rng=rng)
    return float(interval.lower), float(interval.upper)


INTERVALS = {"exact": exact_interval, "Student's t": t_interval, "bootstrap": percentile_interval}


def main() -> None:
    """Print coverage with its standard error, and the median length, for each law of errors."""
    samples = 200 if "--quick" in sys.argv else 3000
    nominal = 1 - Fraction(math.floor(Fraction(5, 100) * 2 ** (N - 1)), 2 ** (N - 1))
    print(
        f"# Coverage of intervals at N = {N}\n\n`python benchmarks/coverage.py`, {measure.environment()}\n\n"
        f"{samples:,} samples for each law, seed {SEED}; the same samples for all intervals. For continuous symmetric "
        f"errors the exact interval covers with probability {nominal} = {float(nominal):.2%}.\n"
    )
    rows = []
    for law, error in ERRORS.items():
        rng = random.Random(f"{SEED} {law}")
        data = [[round(error(rng), 4) for _ in range(N)] for _ in range(samples)]
        for name, interval in INTERVALS.items():
            ends = [interval(d, rng) for d in data]
            covered = sum(low <= 0 <= high for low, high in ends) / samples
            deviation = math.sqrt(covered * (1 - covered) / samples)
            length = statistics.median(high - low for low, high in ends)
            rows.append((law, name, f"{covered:.1%}", f"{deviation:.1%}", f"{length:.2f}"))
    print(
        measure.table(("errors", "interval", "covers 0", "standard error", "median length"), rows)
    )


if __name__ == "__main__":
    main()
