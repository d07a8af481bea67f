"""The recurrence: the split forms against the plain one, sums of binomial numbers, and estimates against the clock.

    python benchmarks/recurrence.py [--quick]

The workload is that of the paper's experiment: lengths Normal(12, 10), rates Normal(0.9543,
0.1116), the second system's mean 2% lower. With python-flint in the environment, its integers stand
beside the binomial sums.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

import measure
from exactperm import permutation_test
from exactperm.budget import Estimate
from exactperm.counting import plan, recurrence
from exactperm.counting.tally import folded
from exactperm.null.alternative import fold
from exactperm.swaps.canonical import canonical
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.statistic import difference
from tests import workload

try:
    from flint import fmpz
except ImportError:
    fmpz = None

PAIRS = (1_000, 10_000, 30_000, 100_000)
SHARES = (0.001, 0.05, 0.2, 0.299, 0.301, 0.4, 0.49)  # of M, as thresholds of the binomial sums
MIDDLE = 0.455  # the usual threshold of the workload, as a share of D


def paper_workload(pairs: int, seed: int) -> dict[int, int]:
    """The tally of the differences of ``pairs`` sentences."""
    rng = random.Random(seed)

    def drawn(mean: float, deviation: float, low: float, high: float) -> float:
        while True:
            value = rng.gauss(mean, deviation)
            if low <= value <= high:
                return value

    differences = []
    for _ in range(pairs):
        tokens = math.ceil(drawn(12, 10, 0, math.inf))
        first, second = (
            math.floor(drawn(mean, 0.1116, 0, 1) * tokens) for mean in (0.9543, 0.9543 * 0.98)
        )
        differences.append(abs(first - second))
    return {d: c for d, c in sorted(Counter(differences).items()) if d}


def span(tally: dict[int, int]) -> int:
    """The sum of all differences."""
    return sum(d * c for d, c in tally.items())


def plain(tally: dict[int, int], k: int) -> int:
    """The count by the plain recurrence."""
    return sum(recurrence.prefix_counts(tally, k))


def against_plain(sizes: Sequence[int]) -> Iterator[list[str]]:
    """Rows N, plain, split, their ratio, extra memory of the split."""
    for pairs in sizes:
        tally = paper_workload(pairs, 1)
        k = int(MIDDLE * span(tally))
        times = measure.median_seconds(
            {
                "plain": partial(plain, tally, k),
                "split": partial(recurrence.count_at_most, tally, k),
            }
        )
        peak = measure.peak_mib(
            "from exactperm.counting.recurrence import count_at_most",
            f"count_at_most({tally!r}, {k})",
        )
        shown = [measure.shown_seconds(times[name]) for name in ("plain", "split")]
        memory = "-" if peak is None else f"{peak:.1f} MiB"
        yield [f"{pairs:,}", *shown, f"{times['split'] / times['plain']:.2f}", memory]


def by_flint(pairs: int, k: int) -> int:
    """The same sum term by term in FLINT's integers, from the shorter side."""
    low = 0 if 2 * k < pairs - 2 * k else k
    high = k if low == 0 else pairs // 2
    term = fmpz.bin_uiui(pairs, low)
    total = term
    for j in range(low + 1, high + 1):
        term = term * (pairs - j + 1) // j
        total += term
    if low == 0:
        return int(total)
    half = int(fmpz(2) ** pairs) + (int(term) if pairs % 2 == 0 else 0)
    return half // 2 - int(total) + int(fmpz.bin_uiui(pairs, k))


def one_difference(pairs: int, shares: Sequence[float]) -> Iterator[list[str]]:
    """Rows M, k, time, time of FLINT."""
    for share in shares:
        k = int(share * pairs)
        tasks = {"own": partial(recurrence.count_at_most, {1: pairs}, k)}
        if fmpz:
            tasks["flint"] = partial(by_flint, pairs, k)
            if tasks["own"]() != tasks["flint"]():
                raise SystemExit(f"FLINT counts otherwise for M = {pairs}, k = {k}")
        times = measure.median_seconds(tasks, most=5)
        yield [
            f"{pairs:,}",
            f"{k:,}",
            *(measure.shown_seconds(times.get(name)) for name in ("own", "flint")),
        ]


def shapes(quick: bool) -> Iterator[tuple[str, dict[int, int]]]:
    """Tallies from few to many differences."""
    for pairs in (10, 100, 300, 1_000, 3_000, 10_000) + (() if quick else (30_000, 100_000)):
        yield f"workload, N = {pairs:,}", paper_workload(pairs, 2)
    yield "differences 1 and 2", {1: 4_000, 2: 3_000}
    yield "differences 3, 7 and 11", {3: 900, 7: 800, 11: 700}
    yield "one difference, M = 30,000", {1: 30_000}
    for distinct, pairs in ((30, 3_000), (100, 300), (100, 2_000), (300, 600), (1_000, 1_000)):
        rng = random.Random(distinct)
        drawn = Counter(rng.randint(1, distinct) for _ in range(pairs))
        yield f"even up to {distinct:,}, {pairs:,} pairs", dict(sorted(drawn.items()))


def against_estimate(quick: bool) -> Iterator[list[str]]:
    """Rows shape, threshold, expected, measured, measured / expected; also for whole distributions."""
    for name, tally in shapes(quick):
        for share in (0.05, 0.3, MIDDLE, 0.4999, None):
            k = None if share is None else int(share * span(tally))
            cost = recurrence.estimate(tally, k)
            if (
                not isinstance(cost, Estimate)
                or cost.seconds > (1 if quick else 8)
                or cost.bytes > 2**30
            ):
                continue
            task = (
                partial(recurrence.counts, tally)
                if k is None
                else partial(recurrence.count_at_most, tally, k)
            )
            seconds = measure.median_seconds({"own": task}, seconds=0.3)["own"]
            shown = [measure.shown_seconds(value) for value in (cost.seconds, seconds)]
            yield [name, "all" if k is None else f"{k:,}", *shown, f"{seconds / cost.seconds:.2f}"]


def scores(kind: str, pairs: int) -> tuple[list[int], list[int]]:
    """Two columns of the paper's workload, or of even scores 0/1 or 0..10."""
    if kind == "workload":
        return workload.paper_workload(pairs)
    rng, most = random.Random(pairs), 1 if kind == "0/1" else 10
    return [rng.randint(0, most) for _ in range(pairs)], [
        rng.randint(0, most) for _ in range(pairs)
    ]


def small_tests(sizes: Sequence[int]) -> Iterator[list[str]]:
    """Rows scores, N, CPU time of a test, and the shares of its stages."""
    for kind, pairs in ((kind, pairs) for kind in ("0/1", "0..10", "workload") for pairs in sizes):
        u, v = scores(kind, pairs)
        effects = swap_effects(u, v, difference)
        swaps = canonical(effects)
        k, _factor = fold("two-sided", swaps.observed, swaps.span)
        _whole, kept, near = folded(swaps.tally, k)
        costs = plan.costs(kept, near)
        tasks = {
            "all": partial(permutation_test, u, v),
            "reading": partial(swap_effects, u, v, difference),
            "form": partial(canonical, effects),
            "planning": partial(plan.costs, kept, near),
            "count": partial(plan.counted, kept, near, costs, str),
        }
        times = measure.median_seconds(tasks, seconds=0.5)
        shares = [
            f"{100 * times[stage] / times['all']:.0f}%"
            for stage in ("reading", "form", "planning", "count")
        ]
        yield [kind, f"{pairs:,}", measure.shown_seconds(times["all"]), *shares]


def main(arguments: Sequence[str]) -> None:
    """Print the three tables."""
    quick = "--quick" in arguments
    print(measure.environment("python-flint"))
    print(
        "\nThe paper's workload, one threshold count: the plain recurrence and the split forms.\n"
    )
    print(
        measure.table(
            ["N", "plain", "split", "ratio", "memory"], against_plain(PAIRS[:2] if quick else PAIRS)
        )
    )
    print("\nOne difference: the sum of the binomial numbers C(M, 0), ..., C(M, k).\n")
    rows = [*one_difference(10_000, (0.2, 0.4)), *one_difference(100_000, SHARES)]
    if not quick:
        rows += one_difference(1_000_000, (0.05, 0.299, 0.301, 0.49))
    print(measure.table(["M", "k", "own", "FLINT, term by term"], rows))
    print(
        "\nWhere the time of one exact test goes; what is missing to 100% is the call, its checks and its result.\n"
    )
    header = ["scores", "N", "test", "reading", "canonical form", "planning", "count"]
    print(measure.table(header, small_tests((20, 100, 300, 1_000))))
    print("\nEstimates.\n")
    print(measure.table(["shape", "k", "expected", "measured", "ratio"], against_estimate(quick)))


if __name__ == "__main__":
    main(sys.argv[1:])
