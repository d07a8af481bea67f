"""The certified bracket against exact counts: violations (there must be none), widths, correct rounding, times.

    python benchmarks/bracket.py [--quick]

The inversion itself runs in every case, also where the package would rather count exactly. All
seeds are fixed.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate

import measure

sys.path.insert(0, str(measure.ROOT / "tests"))

import bracket_cases
from exactperm.arithmetic.enclosure import Enclosure, rounded
from exactperm.arithmetic.rational import dyadic
from exactperm.certified.bracket import tail_bracket
from exactperm.certified.factors import PairFactors
from exactperm.certified.inversion import Inversion
from exactperm.certified.parameters import choose
from exactperm.counting import binomial, recurrence
from exactperm.swaps.canonical import Swaps, canonical
from exactperm.swaps.effects import swap_effects
from exactperm.swaps.statistic import difference
from tests.workload import paper_workload

BITS = 17 * 10 // 3 + 9  # what tail_bracket aims at by default


class Report:
    """What was found over many cases: each a bracket and the exact probability."""

    def __init__(self) -> None:
        self.cases = self.violations = self.rounded = 0
        self.worst, self.worst_case = 0.0, ""
        self.least = 0.0  # log10

    def add(self, bracket: Enclosure, exact: Fraction, name: str) -> None:
        """Count one case in."""
        lower, upper = bracket.ends()
        self.cases += 1
        self.violations += not lower <= exact <= upper
        ends = (
            rounded(bracket.lower, bracket.exponent, 0),
            rounded(bracket.upper, bracket.exponent, 0),
        )
        self.rounded += ends[0] == ends[1]
        width = float((upper - lower) / exact)
        if width > self.worst:
            self.worst, self.worst_case = width, name
        self.least = min(self.least, bracket.log10_floats()[0])

    def cells(self) -> list[str]:
        """The row of :data:`HEADER` after its name."""
        share, least = f"{100 * self.rounded / self.cases:.2f}%", f"1e{math.floor(self.least)}"
        return [
            str(self.cases),
            str(self.violations),
            least,
            share,
            f"{self.worst:.2g}",
            self.worst_case,
        ]


HEADER = [
    "",
    "cases",
    "violations",
    "p down to",
    "correctly rounded",
    "worst relative width",
    "where",
]


def inverted(tally: dict[int, int], k: int) -> Enclosure:
    """The inversion for 0 < d <= k < (D - 1) / 2, ascending differences without a common divisor."""
    law = PairFactors(list(tally.items()))
    inversion = Inversion(law, k, BITS, choose(law, k, BITS + 3))
    return inversion.bounds(inversion.scan.settle(inversion.aim(1e-17), 10**8))


def random_tallies(seed: str) -> Iterator[tuple[dict[int, int], list[int]]]:
    """Tallies of every kind with ten thresholds each."""
    rng = random.Random(seed)
    while True:
        largest = rng.choice([1, 2, 3, 5, 12, 40])
        tally: dict[int, int] = {}
        for _ in range(rng.choice([1, 2, 2, 3, 5, 8])):
            d = rng.randint(1, largest)
            tally[d] = tally.get(d, 0) + rng.choice(
                [1, 2, 5, rng.randint(1, 60), rng.randint(1, 300)]
            )
        unit = math.gcd(*tally)
        tally = {d // unit: tally[d] for d in sorted(tally)}
        first, last = max(tally), (sum(d * count for d, count in tally.items()) - 2) // 2
        if first <= last:
            yield tally, [rng.choice([first, last, rng.randint(first, last)]) for _ in range(10)]


def random_cases(cases: int) -> Report:
    """Small tallies, the exact probabilities from one prefix of the distribution each."""
    report = Report()
    for tally, ks in random_tallies("random cases"):
        below = list(accumulate(recurrence.prefix_counts(tally, max(ks))))
        pairs = sum(tally.values())
        for k in ks:
            report.add(inverted(tally, k), dyadic(below[k], pairs), f"{tally}, k = {k}")
            if report.cases == cases:
                return report
    raise AssertionError


# of cases, and how many of 20,000; the second column of numbers is the greatest number of pairs
KINDS = {
    "enumerated": (11_950, 13),
    "enumerated to 22 pairs": (50, 22),
    "lattice": (3_500, None),
    "far_tail": (2_000, None),
    "perturbed": (2_400, None),
    "met": (80, None),
    "met, 36 to 44 pairs": (20, None),
}


def any_end(share: float) -> Iterator[list[str]]:
    """Widths from 1e-1 to 1e-17, work that ends anywhere, lattices as well as doubles: violations by kind."""
    for name, (cases, most) in KINDS.items():
        rng, violations, whole, least = random.Random(name), 0, 0, 0.0
        for _ in range(max(1, int(cases * share))):
            kind = getattr(bracket_cases, name.split(" ")[0].rstrip(","))
            _, tally, k, exact = (
                kind(rng, most) if most else kind(rng, 36, 44) if "44" in name else kind(rng)
            )
            law, digits = PairFactors(list(tally.items())), rng.choice([1, 1, 2, 2, 3, 4, 17])
            bits = digits * 10 // 3 + min(9, 2 + digits)
            inversion = Inversion(law, k, bits, choose(law, k, bits + 3))
            settled = inversion.scan.settle(
                inversion.aim(float(f"1e-{digits}")), int(10 ** rng.uniform(2.5, 4.5))
            )
            lower, upper = inversion.bounds(settled).ends()
            violations += not lower <= exact <= upper
            whole += settled.reached >= inversion.period // 2
            least = min(least, math.log10(exact))
        yield [
            name.replace("_", " "),
            str(max(1, int(cases * share))),
            str(violations),
            str(whole),
            f"{least:.0f}",
        ]


def paper_swaps(n: int, seed: int, factor: float) -> Swaps:
    """The paper's workload in canonical form."""
    u, v = paper_workload(n, seed=seed, factor=factor)
    return canonical(swap_effects(u, v, difference))


def data_sets(sets: int) -> list[tuple[str, Report]]:
    """The paper's workload with systems from equal to far apart, by size."""
    rng = random.Random("data sets")
    reports = {name: Report() for name in ("N 30 to 300", "N 300 to 3,000", "N 3,000 to 10,000")}
    for seed in range(sets):
        n = round(30 * (10_000 / 30) ** rng.random())
        swaps = paper_swaps(n, seed, 1 - 0.15 * rng.random() ** 2)
        k = min(swaps.observed, swaps.span - swaps.observed)
        if max(swaps.tally) <= k < swaps.span // 2 - 1:
            exact = dyadic(recurrence.count_at_most(swaps.tally, k), sum(swaps.tally.values()))
            name = list(reports)[(n > 300) + (n > 3000)]
            reports[name].add(
                inverted(dict(swaps.tally), k), exact, f"N = {n}, p = {float(exact):.2g}"
            )
    return list(reports.items())


def binomial_tails(pairs: int) -> Report:
    """One magnitude, where the exact tail is a sum of binomials: from p about 1/2 to the far end."""
    report = Report()
    for deviations in (0.1, 1, 3, 10, 30, 100, 300, 600, 900, 990):
        k = round(pairs / 2 - deviations * math.sqrt(pairs) / 2)
        if k > 0:
            exact = dyadic(binomial.count_at_most(pairs, k), pairs)
            report.add(inverted({1: pairs}, k), exact, f"{deviations} standard deviations")
    return report


def times(sizes: Sequence[int], seconds: float) -> list[list[str]]:
    """Median time of a bracket after tallying, for 17 and 50 digits, on the paper's workload."""
    rows = []
    for n in sizes:
        swaps = paper_swaps(n, 2022, 0.98)
        tally, k = swaps.tally, min(swaps.observed, swaps.span - swaps.observed)
        tasks = {str(digits): partial(tail_bracket, tally, k, digits) for digits in (17, 50)}
        found = measure.median_seconds(tasks, seconds=seconds)
        low, high = tail_bracket(tally, k).decimals(20)
        cells = [measure.shown_seconds(found[digits]) for digits in tasks]
        rows.append([f"{n:,}", str(len(tally)), *cells, f"{low} to {high}"])
    return rows


def main(arguments: Sequence[str]) -> None:
    """Print the tables."""
    quick = "--quick" in arguments
    print("## The certified bracket\n")
    print(measure.environment() + ".\n")
    rows = [["random tallies", *random_cases(1_000 if quick else 20_000).cells()]]
    rows += [[name, *report.cells()] for name, report in data_sets(50 if quick else 500)]
    rows += [["one magnitude, N = 10^6", *binomial_tails(10_000 if quick else 10**6).cells()]]
    print(measure.table(HEADER, rows), end="\n\n")
    ends = [
        "widths and ends of any size",
        "cases",
        "violations",
        "whole lattice",
        "log10 p down to",
    ]
    print(measure.table(ends, any_end(0.02 if quick else 1.0)), end="\n\n")
    header = ["N", "distinct differences", "17 digits", "50 digits", "P(X <= k), 20 digits"]
    sizes = (1_000, 10_000) if quick else (1_000, 10_000, 100_000, 1_000_000)
    print(measure.table(header, times(sizes, 0.3 if quick else 1.0)))


if __name__ == "__main__":
    main(sys.argv[1:])
