"""What levels are worth: sizes of tests of 0/1 scores, coverage of shift intervals, and Shaffer's adjustment.

    python benchmarks/levels.py [--quick]

Sizes are exact, for each probability q of a discordant item on a grid. Coverage of the mean
difference is exact but for outcomes of a total probability below 1e-6, which count as not covered.
The family-wise error rates are simulated, from three outputs A, B and C = A + 1 modulo 3, where (A,
B) and (B, C) are exchangeable and (A, C) is not. Prints Markdown.
"""

from __future__ import annotations

import math
import random
import sys
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate

import measure
from exactperm import adjust_pvalues, sign_flip_test

SEED, ITEMS = 20, 400
SIZES = (10, 20, 30, 50, 100, 200, 300)
GRID = 200
LEVELS = (Fraction(1, 20), Fraction(1, 100))
SHIFTS = (Fraction(1, 20), Fraction(1, 5))
RATES = tuple(Fraction(i, 100) for i in (0, 1, 2, 5, 10, 20, 30, 40))
LIMITS = (10, 30, 60, 100)
MISSED = 1e-6


@lru_cache(None)
def rejected(n: int, level: Fraction, *, mid: bool) -> Fraction:
    """Probability that McNemar's two-sided test rejects with n discordant items, each a fair coin."""
    mass, below = 0, 0
    for k in range((n + 1) // 2):  # k < n - k
        here = math.comb(n, k)
        if 2 * below + (here if mid else 2 * here) <= level * 2**n:
            mass += 2 * here
        below += here
    return Fraction(mass, 2**n)


def size(pairs: int, level: Fraction, q: Fraction, *, mid: bool) -> Fraction:
    """Probability to reject among ``pairs`` items, each discordant with probability q."""
    i, rest = q.numerator, q.denominator - q.numerator
    terms = (
        math.comb(pairs, n) * i**n * rest ** (pairs - n) * rejected(n, level, mid=mid)
        for n in range(pairs + 1)
    )
    return sum(terms, start=Fraction(0)) / q.denominator**pairs


def sizes(ns: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Rows of the greatest sizes over q, with the q where they are."""
    for pairs in ns:
        row = [str(pairs)]
        for level in LEVELS:
            for mid in (False, True):
                worst, q = max(
                    (size(pairs, level, Fraction(i, GRID), mid=mid), i) for i in range(GRID + 1)
                )
                row.append(f"{float(worst):.2%} (q = {q / GRID:.3g})")
        yield tuple(row)


@lru_cache(None)
def covers(
    pairs: int, wins: int, losses: int, shift: Fraction, alternative: str = "two-sided"
) -> bool:
    """Return whether the 95% interval of the shift holds it: p > 5% for the differences minus the shift."""
    differences: dict[Fraction, int] = {}
    for d, count in ((1 - shift, wins), (-1 - shift, losses), (-shift, pairs - wins - losses)):
        differences[d] = differences.get(d, 0) + count
    return sign_flip_test(
        {d: count for d, count in differences.items() if count}, alternative=alternative
    ).pvalue > Fraction(1, 20)


def coverage(pairs: int, shift: Fraction, rate: Fraction, alternative: str = "two-sided") -> float:
    """Probability that the interval covers the mean difference, from losses with ``rate`` and wins with shift more."""
    log = [0.0, *accumulate(math.log(i) for i in range(1, pairs + 1))]
    p = [float(rate + shift), float(rate), float(1 - 2 * rate - shift)]
    outcomes = []
    for wins in range(pairs + 1):
        for losses in range(pairs + 1 - wins):
            counts = wins, losses, pairs - wins - losses
            if all(share > 0 or count == 0 for share, count in zip(p, counts)):
                logs = sum(c * math.log(share) - log[c] for share, c in zip(p, counts) if c)
                outcomes.append((math.exp(log[pairs] + logs), wins, losses))
    covered = seen = 0.0
    for mass, wins, losses in sorted(outcomes, reverse=True):
        covered += mass * covers(pairs, wins, losses, shift, alternative)
        seen += mass
        if seen > 1 - MISSED:
            break
    return covered


def coverages(ns: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Rows of the least coverage over the rate of losses, for each mean difference, and of that without rare losses."""
    for pairs in ns:
        row = [str(pairs)]
        for shift in SHIFTS:
            found = [
                (coverage(pairs, shift, rate), float(rate))
                for rate in RATES
                if 2 * rate + shift <= 1
            ]
            for worst, rate in (min(found), min(pair for pair in found if pair[1] >= 0.1)):
                row.append(f"{worst:.1%} ({rate:.2f})")
        yield tuple(row)


def missed(ns: tuple[int, ...]) -> Iterator[tuple[str, ...]]:
    """Rows of how often the upper limit is below the mean difference, at most over the rates of losses."""
    for pairs in ns:
        row = [str(pairs)]
        for shift in (Fraction(1, 20), Fraction(1, 10), Fraction(1, 5)):
            rates = [rate for rate in RATES if 2 * rate + shift <= 1]
            least, rate = min((coverage(pairs, shift, rate, "less"), float(rate)) for rate in rates)
            row.append(f"{1 - least:.1%} ({rate:.2f})")
        yield tuple(row)


def family(runs: int) -> tuple[int, int, int]:
    """Number of runs in which Shaffer, Holm, and the test of (A, C) alone reject: the first two a true hypothesis."""
    rng = random.Random(SEED)
    shaffer = holm = false = 0
    alpha = Fraction(1, 20)
    for _ in range(runs):
        signs = [[0, 0], [0, 0], [0, 0]]  # of (A, B), (B, C), (A, C)
        for outcome, count in Counter(rng.choices(range(9), k=ITEMS)).items():
            a, b = divmod(outcome, 3)
            c = (a + 1) % 3
            for tally, (x, y) in zip(signs, ((a, b), (b, c), (a, c))):
                if x != y:
                    tally[x < y] += count
        p = [two_sided(*tally) for tally in signs]
        # Two of the three means would be equal: after a rejection of the smallest at a third, the
        # others at the level.
        first = min(range(3), key=p.__getitem__)
        steps = {i: (3 if i == first else 1) * p[i] for i in range(3)}
        shaffer += 3 * p[first] <= alpha and min(steps[0], steps[1]) <= alpha
        holm += min(adjust_pvalues(p, "holm").adjusted[:2]) <= alpha
        false += p[2] <= alpha
    return shaffer, holm, false


@lru_cache(None)
def two_sided(wins: int, losses: int) -> Fraction:
    """p-value of the sign test."""
    n, k = wins + losses, min(wins, losses)
    return min(Fraction(1), Fraction(2 * sum(math.comb(n, i) for i in range(k + 1)), 2**n))


def main() -> None:
    """Print the four tables."""
    quick = "--quick" in sys.argv
    ns, runs = (SIZES[:4], 2000) if quick else (SIZES, 20_000)
    print(f"# Levels\n\n`python benchmarks/levels.py`, {measure.environment()}\n")
    print(
        "## The size of tests of 0/1 scores\n\nThe greatest probability to reject a true hypothesis at 5% and at 1%, "
        f"over q = 0, 1/{GRID}, ..., 1, two-sided.\n"
    )
    print(measure.table(("N", "p, 5%", "mid-p, 5%", "p, 1%", "mid-p, 1%"), sizes(ns)))
    rates = ", ".join(f"{float(rate):g}" for rate in RATES)
    print(
        "\n## Coverage of the mean difference of 0/1 scores by the 95% shift interval\n\n"
        f"The least over the rates {rates} of losses (in brackets), and over those from 0.1 on. "
        "At a mean difference of 0 the coverage is 1 minus the size above.\n"
    )
    header = [f"{kind}, {float(shift):g}" for shift in SHIFTS for kind in ("least", "from 0.1 on")]
    print(measure.table(("N", *header), coverages(ns)))
    print(
        "\n## How often an upper 95% limit is below the mean difference of 0/1 scores\n\n"
        "One-sided tests at 5%, inverted; at the worst of the same rates of losses (in brackets).\n"
    )
    print(measure.table(("N", "0.05", "0.1", "0.2"), missed(LIMITS[:2] if quick else LIMITS)))
    shaffer, holm, false = family(runs)
    error = math.sqrt(shaffer * (runs - shaffer) / runs**3)
    print(
        "\n## Family-wise error rates with two true hypotheses of three\n\n"
        f"{runs:,} runs of {ITEMS} items, seed {SEED}, sign tests, level 5%, standard error at most {error:.2%}. "
        f"The false hypothesis is rejected in {false / runs:.1%}.\n"
    )
    rows = [(name, f"{count / runs:.1%}") for name, count in (("Shaffer", shaffer), ("Holm", holm))]
    print(measure.table(("adjustment", "rejects a true one"), rows))


if __name__ == "__main__":
    main()
