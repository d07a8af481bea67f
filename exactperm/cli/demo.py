"""The command ``demo``: built-in data with known answers, counted again."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator, Sequence

from .._types import Namespace
from ..arithmetic.writing import probability_text
from ..display import table
from ..files.report import elapsed
from ..null.result import PermutationTestResult
from ..permutation import permutation_test, sign_flip_test

DARWIN_MAIZE = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
"""Height of the crossed plant minus that of the self-fertilised one, in eighths of an inch; 15 pairs.

Darwin's measurements as analysed by R. A. Fisher, The Design of Experiments (1935), section 21: of
the 32,768 sign assignments 835 have a larger sum and 28 the same.
"""

STUDENT_SLEEP = ("1.2", "2.4", "1.3", "1.3", "0", "1", "1.8", "0.8", "4.6", "1.4")
"""Extra hours of sleep, second drug minus first, 10 patients: Student, The Probable Error of a Mean
(1908)."""


def paper_workload(
    n: int, *, seed: int = 2022, factor: float = 0.98
) -> tuple[list[int], list[int]]:
    """Return the numbers of correct tokens of two simulated systems in the same n sentences, as (u, v).

    Lengths are ceil(Normal(12, 10)), drawn again while negative; the rates of the systems
    Normal(0.9543, 0.1116), the second with ``factor`` times that mean, drawn again outside [0, 1];
    a system gets floor(rate * length) tokens right. The same for the same seed on every Python:
    only ``random()`` of the generator is used.
    Source: the simulation of the paper's run-time experiment.

    >>> paper_workload(5)
    ([0, 22, 7, 8, 15], [0, 20, 8, 8, 17])
    """
    rng = random.Random(seed)
    u, v = [], []
    for _ in range(n):
        length = _redrawn(lambda: math.ceil(_normal(rng, 12, 10)), 0, math.inf)
        u.append(math.floor(length * _redrawn(lambda: _normal(rng, 0.9543, 0.1116), 0, 1)))
        v.append(math.floor(length * _redrawn(lambda: _normal(rng, 0.9543 * factor, 0.1116), 0, 1)))
    return u, v


def _normal(rng: random.Random, mean: float, deviation: float) -> float:
    """Return a normal number from two uniform ones (Box and Muller)."""
    radius = math.sqrt(-2 * math.log(1 - rng.random()))
    return mean + deviation * radius * math.cos(2 * math.pi * rng.random())


def _redrawn(draw: Callable[[], float], low: float, high: float) -> float:
    while True:
        value = draw()
        if low <= value <= high:
            return value


OPTIONS = """\
demo:
  --pairs COUNT=10000  number of pairs in the simulated comparison (10000)
"""

EXAMPLES = """\
  exactperm demo
  exactperm demo --pairs 1000"""


def run(args: Namespace) -> None:
    """Print the demonstration, line by line as it is counted."""
    for line in lines(args.pairs):
        print(line, flush=True)


def lines(pairs: int) -> Iterator[str]:
    """Yield the demonstration, line by line; ``pairs`` is the size of the simulated comparison."""
    yield "Exact paired-permutation tests: how many of the 2^N swaps of pairs are at least as extreme as the data?"
    one, two = sign_flip_test(DARWIN_MAIZE, alternative="greater"), sign_flip_test(DARWIN_MAIZE)
    yield from _part(
        "1. Darwin's 15 pairs of maize plants, one-sided",
        *_rows(one, "p-value", "assignments"),
        ("published", "835 of 32,768 have a larger sum, 28 the same (R. A. Fisher, 1935)"),
        ("two-sided", probability_text(two.pvalue)),
    )
    yield from _part(
        "2. Student's sleep data of 10 patients, two-sided; decimals are read as written",
        *_rows(sign_flip_test(STUDENT_SLEEP), "p-value", "assignments"),
    )
    u, v = paper_workload(pairs)
    start = time.perf_counter()
    result = permutation_test(u, v)
    seconds = time.perf_counter() - start
    yield from _part(
        f"3. Two simulated taggers, correct tokens in {pairs:,} sentences, {sum(u):,} against {sum(v):,}, two-sided",
        *_rows(result, "p-value", "log10 p", "statistic", "pairs"),
        ("time", f"{elapsed(seconds)} (engine: {result.method})"),
    )
    tiny = {"37 x (+1) and 3 x (-1)": {1: 37, -1: 3}, "200 x (+1)": {1: 200}}
    floats = "1.254e-08 or 0.0", "0.0"
    exactly = [probability_text(sign_flip_test(data).pvalue, 6) for data in tiny.values()]
    yield from _part(
        "4. Below 1e-8, where programs that drop small probabilities answer 0",
        *zip(tiny, exactly, floats),
        header=("data", "exact two-sided p", "float code that drops cells < 1e-8"),
    )


def _part(title: str, *rows: Sequence[str], header: Sequence[str] = ()) -> Iterator[str]:
    yield ""
    yield from table.lines(title, rows, header)


def _rows(result: PermutationTestResult, *labels: str) -> list[tuple[str, str]]:
    """Return the rows of a result that have these labels."""
    rows = dict(result.rows(words="sum of the differences"))
    return [(label, rows[label]) for label in labels]
