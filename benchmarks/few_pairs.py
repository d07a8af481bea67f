"""Predicted and measured cost of the engines for few pairs: a Markdown table.

    python benchmarks/few_pairs.py [--quick] [--most SECONDS] [ENGINE ...]

Each row is one engine on one shape of data and one threshold: "middle" just below D/2 (p near 1),
"tail" at D/8, "all" the whole distribution. Seconds are the best CPU time of three runs (one, where
a run takes longer than a second); memory is the peak that ``tracemalloc`` sees in a run of its own.
Rows whose estimate is above the limit, and engines that do not apply, are left out.
"""

from __future__ import annotations

import argparse
import random
import time
import tracemalloc
from collections import Counter
from functools import partial
from typing import Callable

import map as workloads
import measure
from exactperm import fast_permutation_test
from exactperm.budget import Estimate
from exactperm.counting import dp, enumeration, meet_in_the_middle, packed
from exactperm.null.alternative import fold
from exactperm.swaps.canonical import canonical
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.statistic import difference

ENGINES = {
    "enumeration": enumeration,
    "dp": dp,
    "packed": packed,
    "meet-in-the-middle": meet_in_the_middle,
}
SIZES = (40, 44, 46, 48, 50, 52, 54, 56, 60, 64, 70, 80, 100)
COUNTED = 60.0  # seconds of the longest count that is run
DIGITS = 3, 4, 6, 8
UNIFORM = (
    *(
        (5, 10),
        (12, 100),
        (16, 10**9),
        (20, 10),
        (20, 10**300),
        (30, 10**4),
        (30, 10**15),
        (40, 10**6),
        (40, 10**15),
    ),
    *(
        (44, 10**15),
        (46, 10**15),
        (60, 10**5),
        (100, 10),
        (100, 10**2),
        (100, 10**4),
        (200, 10**4),
        (300, 10**2),
    ),
    *((300, 10**4), (1000, 10), (1000, 10**2), (1000, 10**3), (3000, 10)),
)


def tally_of(differences: list[int]) -> dict[int, int]:
    return dict(sorted(Counter(differences).items()))


def shapes() -> dict[str, dict[int, int]]:
    """Name -> tally; the same ones on every run."""
    found = {}
    for pairs, largest in UNIFORM:
        rng = random.Random(pairs * 1_000_003 + largest)
        bound = str(largest) if largest <= 1000 else f"10^{len(str(largest)) - 1}"
        found[f"{pairs} pairs, d <= {bound}"] = tally_of(
            [rng.randint(1, largest) for _ in range(pairs)]
        )
    found["1000 pairs, d = 1"] = {1: 1000}
    found["300 pairs of 1, 3 of 20000"] = {1: 300, 20_000: 3}
    found["12 huge differences, 4 pairs each"] = {10**30 + 7**d: 4 for d in range(12)}
    found["30 pairs of 1, 20 huge ones"] = {1: 30, **{10**30 + 7**d: 1 for d in range(20)}}
    return found


def thresholds(tally: dict[int, int]) -> dict[str, int | None]:
    reach = sum(d * c for d, c in tally.items())
    return {"middle": (reach - 1) // 2, "tail": reach // 8, "all": None}


def seconds_of(call: Callable[[], object]) -> float:
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        call()
        best = min(best, time.process_time() - start)
        if best > 1:
            break
    return best


def peak_of(call: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def row(tally: dict[int, int], k: int | None, engine: str) -> str:
    module = ENGINES[engine]
    cost: Estimate = module.estimate(tally, k)
    call = partial(module.counts, tally) if k is None else partial(module.count_at_most, tally, k)
    seconds, peak = seconds_of(call), peak_of(call)
    times = f"{cost.seconds:.3g} | {seconds:.3g} | {cost.seconds / seconds:.2f}"
    memory = f"{cost.bytes / 2**20:.3g} | {peak / 2**20:.3g} | {cost.bytes / peak:.2f}"
    return f"{engine} | {times} | {memory} |"


def brackets(sizes: tuple[int, ...]) -> None:
    """Print what doubles cost where neither the count nor the bracket is quick: seconds by pairs and digits."""
    print("\n## Doubles: count or bracket\n")
    print(
        "CPU seconds of the exact count, and of `fast_permutation_test` by the digits asked for, under its default of "
        "5 s, with the relative width where that is missed; 0 is the exact count. Seconds are divided by the slowdown "
        "of a short loop, since the machine did other work.\n"
    )
    print(
        "A count takes 2^(N/2), a bracket 1/width, and less with more pairs. No mix of a table and an inversion beats "
        "the better of both: conditioning on the pairs of a table smooths nothing, so the inversion of the others "
        "needs the same frequencies up to 1/width. And the fewer pairs are left to it, the less they damp, and the "
        "more of these frequencies must be evaluated.\n"
    )
    print(
        "| pairs | exact count, estimate | exact count |"
        + "".join(f" {digits} digits |" for digits in DIGITS)
    )
    print("|---|---|---|" + "---|" * len(DIGITS))
    seconds_of_quiet = measure.quiet_clock()
    for pairs in sizes:
        u, v = workloads.columns("doubles", pairs)
        swaps = canonical(swap_effects(u, v, difference))
        k, _factor = fold("two-sided", swaps.observed, swaps.span)
        cost = meet_in_the_middle.estimate(swaps.tally, k)
        cells = ["-", "-"]
        if isinstance(cost, Estimate):
            cells[0] = f"{cost.seconds:.2g} s"
            if cost.seconds <= COUNTED:
                seconds, _count = seconds_of_quiet(
                    partial(meet_in_the_middle.count_at_most, swaps.tally, k)
                )
                cells[1] = f"{seconds:.2g} s"
        for digits in DIGITS:
            seconds, found = seconds_of_quiet(partial(fast_permutation_test, u, v, digits=digits))
            width, told = found.bracket.relative_width, f"{seconds:.2f}"
            cells.append(
                told
                if width <= 10.0**-digits and width
                else f"{told} ({width:.0e})".replace("0e+00", "0")
            )
        print(f"| {pairs} | {' | '.join(cells)} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "engines", nargs="*", metavar="ENGINE", help=f"some of {', '.join(ENGINES)}; all if none"
    )
    parser.add_argument("--quick", action="store_true", help="the same as --most 0.05")
    parser.add_argument(
        "--most", type=float, default=5.0, metavar="SECONDS", help="largest estimate that is run"
    )
    options = parser.parse_args()
    most = 0.05 if options.quick else options.most
    print("| pairs | threshold | engine | s predicted | s | ratio | MiB predicted | MiB | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for shape, tally in shapes().items():
        for threshold, k in thresholds(tally).items():
            for engine in options.engines or ENGINES:
                cost = ENGINES[engine].estimate(tally, k)
                if isinstance(cost, Estimate) and cost.seconds <= most and cost.bytes <= 2**31:
                    print(f"| {shape} | {threshold} | {row(tally, k, engine)}", flush=True)
    if not options.engines:
        brackets((44, 60) if options.quick else SIZES)


if __name__ == "__main__":
    main()
