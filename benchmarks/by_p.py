"""CPU time by p-value, of scores that differ and are shaped like a bell: ``python benchmarks/by_p.py [--quick]``.

Two systems score the same items, and the second is better by as much as makes p about .5, .05, 1e-3
or 1e-6. Two-sided, from columns to the p-value; runs are exchanged within items. Prints Markdown.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from functools import partial
from statistics import NormalDist, fmean

import measure
from exactperm import (
    Budget,
    fast_permutation_test,
    fast_permutation_test_runs,
    permutation_test,
    permutation_test_runs,
)
from exactperm.errors import BudgetExceeded

LIMIT = Budget(seconds=10)
AIMS = (0.5, 0.05, 1e-3, 1e-6)
Column = list[float] | list[list[float]]


def rating(rng: random.Random, level: float) -> int:
    """A rating 0..10 with mean near the level and standard deviation 2."""
    return min(10, max(0, round(rng.gauss(level, 2))))


def right(rng: random.Random, level: float) -> int:
    """1 where an item is right, which it is with a probability that grows with the level."""
    return int(rng.gauss(0, 1) < level)


def real(rng: random.Random, level: float) -> float:
    """A score with 16 digits."""
    return rng.gauss(level, 1)


SHAPES: tuple[tuple[str, Callable[[random.Random, float], float], int, int, float, float], ...] = (
    # scores, law, items, runs of each system, level of both systems, greatest difference tried
    ("0/1", right, 1000, 1, 0.7, 0.6),
    ("ratings 0..10", rating, 200, 1, 6, 2.5),
    ("ratings 0..10", rating, 1000, 1, 6, 1.2),
    ("ratings 0..10", rating, 10_000, 1, 6, 0.4),
    ("doubles", real, 40, 1, 0, 2.5),
    ("doubles", real, 50, 1, 0, 2.5),
    ("doubles", real, 1000, 1, 0, 0.6),
    ("0/1", right, 1000, 3, 0.7, 0.4),
    ("ratings 0..10", rating, 100, 3, 6, 2.0),
    ("ratings 0..10", rating, 1000, 3, 6, 0.7),
    ("doubles", real, 100, 3, 0, 1.0),
)


def scores(
    law: Callable[[random.Random, float], float], n: int, m: int, levels: tuple[float, float]
) -> tuple[list[list[float]], list[list[float]]]:
    """Runs of both systems, m on each of n items; an item is as hard for one as for the other."""
    rng = random.Random(f"{n} {m}")
    ease = [rng.gauss(0, 0.3) for _ in range(n)]
    first, second = [
        [[law(rng, level + more) for _ in range(m)] for more in ease] for level in levels
    ]
    return first, second


def distance(first: list[list[float]], second: list[list[float]]) -> float:
    """The mean difference of the items' means, in standard errors."""
    differences = [sum(b) - sum(a) for a, b in zip(first, second)]
    middle = fmean(differences)
    square = fmean([(x - middle) ** 2 for x in differences])
    return middle / (square / len(differences)) ** 0.5


def cases(quick: bool) -> Iterator[tuple[str, int, int, float, Column, Column]]:
    """(scores, items, runs, p that is aimed at, both columns)."""
    for name, law, n, m, level, most in SHAPES[: 3 if quick else None]:
        for aim in AIMS:
            wanted = NormalDist().inv_cdf(1 - aim / 2)
            tried = [scores(law, n, m, (level, level + most * i / 30)) for i in range(-5, 31)]
            u, v = min(tried, key=lambda pair: abs(distance(*pair) - wanted))
            if m > 1:
                yield name, n, m, aim, u, v
            else:
                yield name, n, m, aim, [a for (a,) in u], [b for (b,) in v]


def cells(test: Callable[[], object]) -> tuple[str, object]:
    """CPU seconds of a test, or that it is refused, and its result."""
    try:
        found = test()
    except BudgetExceeded:
        return "refused", None
    return measure.shown_seconds(measure.median_seconds({"": test}, seconds=0.2, most=5)[""]), found


def main() -> None:
    """Print the table."""
    rows = []
    for name, n, m, aim, u, v in cases("--quick" in sys.argv):
        exactly: Callable[..., object] = permutation_test
        bracket: Callable[..., object] = fast_permutation_test
        about: dict[str, object] = {"budget": LIMIT}
        if m > 1:
            exactly, bracket = permutation_test_runs, fast_permutation_test_runs
            about["design"] = "within"
        count, found = cells(partial(exactly, u, v, **about))
        digits = {"digits": 3} if name == "doubles" else {}
        enclosed, other = cells(partial(bracket, u, v, **about, **digits))
        best = found or other
        p = "-" if best is None else f"{float(getattr(best, 'pvalue')):.2g}"  # noqa: B009
        engine = "-" if found is None else getattr(found, "method")  # noqa: B009
        rows.append((name, f"{n:,}", f"{m}+{m}", f"{aim:g}", p, engine, count, enclosed))
    print(f"# By p-value\n\n`python benchmarks/by_p.py`, {measure.environment()}\n")
    print(
        "Median CPU time of scores shaped like a bell whose systems differ. Refused: estimated above "
        f"{LIMIT.seconds:g} s or 2 GiB. Certified to 17 digits, or 4 where these take long; of doubles "
        "to a relative width of 1e-3.\n"
    )
    heads = ("scores", "items", "runs", "aim", "p", "engine", "exact", "certified")
    print(measure.table(heads, rows))


if __name__ == "__main__":
    main()
