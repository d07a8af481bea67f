"""Certified brackets of F1 and ratios: time, memory, and whether they hold exact p-values.

    python benchmarks/f1_brackets.py [--quick]

Prints Markdown. The exact count runs up to 1,000 sentences; its estimate stands for it beyond.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from functools import partial

import measure
from exactperm import Budget, fast_permutation_test, permutation_test
from exactperm.certified.joint_bracket import region_tail
from exactperm.certified.search import NO_COUNT, Meter, narrowed
from exactperm.counting import plane
from exactperm.null.brackets import least_bracket
from exactperm.null.joint import JointTails
from exactperm.null.region import region
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.lattice import lattice
from exactperm.swaps.metrics import (
    f1_difference,
    precision_difference,
    ratio_difference,
    recall_difference,
)
from f1 import Entries, sentences

STATISTICS = (f1_difference, precision_difference, recall_difference, ratio_difference)
AMPLE = Budget(seconds=600)
MOST_EXACT = 1_000


def times(sizes: Sequence[int], seconds: float) -> list[list[str]]:
    """One row for each number of sentences: reading, the bracket of 6 and of 17 digits, the exact count, memory."""
    rows = []
    for n in sizes:
        u, v = sentences(n)
        tails = JointTails(swaps=lattice(swap_effects(u, v, f1_difference)), rule=f1_difference)
        tasks = {"read": partial(swap_effects, u, v, f1_difference)}
        for digits in (6, 17):
            tasks[str(digits)] = partial(least_bracket, tails, "two-sided", digits, AMPLE)
        if n <= MOST_EXACT:
            tasks["exact"] = partial(permutation_test, u, v, statistic=f1_difference)
        found = measure.median_seconds(tasks, seconds=seconds)
        setup = f"from f1_brackets import *; u, v = sentences({n})"
        extra = measure.peak_mib(
            setup, "fast_permutation_test(u, v, statistic=f1_difference, digits=6, budget=AMPLE)"
        )
        estimate = plane.estimate(tails.best.tally, False)
        low, high = fast_permutation_test(
            u, v, statistic=f1_difference, digits=6, budget=AMPLE
        ).decimal_bracket()
        rows.append(
            [
                f"{n:,}",
                str(len(tails.tally)),
                *(measure.shown_seconds(found[name]) for name in ("read", "6", "17")),
                measure.shown_seconds(found["exact"])
                if "exact" in found
                else f"about {estimate.seconds:,.0f} s",
                "-" if extra is None else f"{extra:.0f} MiB",
                f"{low} to {high}",
            ]
        )
    return rows


def changed(u: Entries, v: Entries, share: float, rng: random.Random) -> Entries:
    """The second column with the first one's entries in a share of the rows, which moves p from 1 to 0 and back."""
    return [b if rng.random() < share else (max(0, b[0] - 1), b[1] + 1) for _, b in zip(u, v)]


def held(sets: int, sizes: tuple[int, int]) -> list[list[str]]:
    """One row for each statistic: data sets, brackets that miss the exact p-value, the least p, the widest bracket."""
    rows = []
    for statistic in STATISTICS:
        missed, least, widest = 0, 1.0, 0.0
        rng = random.Random(7)
        for i in range(sets):
            u, v = sentences(rng.randint(*sizes), seed=i)
            v = changed(u, v, rng.choice([0.4, 0.8, 0.9, 0.97, 1.0]), rng)
            if statistic is ratio_difference:
                u, v = [(a, a + b + 1) for a, b in u], [(a, a + b + 1) for a, b in v]
            upper = rng.random() < 0.5
            exact = permutation_test(
                u, v, statistic=statistic, alternative="greater" if upper else "less"
            )
            tails = JointTails(swaps=lattice(swap_effects(u, v, statistic)), rule=statistic)
            regions = [
                region(one, statistic, (exact.statistic, upper, False)) for one in tails.coordinates
            ]
            tail = region_tail(lambda: regions, NO_COUNT, Meter(AMPLE))  # noqa: B023
            found = narrowed(tail, 6)
            low, high = found.ends()
            missed += not low <= exact.pvalue <= high
            least, widest = min(least, float(exact.pvalue)), max(widest, found.relative_width)
        rows.append([statistic.name, str(sets), str(missed), f"{least:.0e}", f"{widest:.1e}"])
    return rows


def main(arguments: Sequence[str]) -> None:
    """Print the tables."""
    quick = "--quick" in arguments
    print("## Certified brackets of F1\n")
    print(f"Two-sided, sentence-like counts. {measure.environment()}.\n")
    header = [
        "N",
        "distinct effects",
        "reading",
        "6 digits",
        "17 digits",
        "exact count",
        "memory",
        "p, 6 digits",
    ]
    sizes = (300, 1_000, 3_000) if quick else (300, 1_000, 3_000, 10_000, 100_000)
    print(measure.table(header, times(sizes, 0.3 if quick else 2.0)), end="\n\n")
    header = [
        "random data of 300 to 1,000",
        "data sets",
        "brackets that miss",
        "p down to",
        "widest",
    ]
    print(measure.table(header, held(4 if quick else 50, (300, 400) if quick else (300, 1_000))))


if __name__ == "__main__":
    main(sys.argv[1:])
