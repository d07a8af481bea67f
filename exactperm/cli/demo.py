"""The command ``demo``: built-in data with known answers, counted again."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from fractions import Fraction

from ..arithmetic.writing import decimal_string, fraction_text, integer_text
from ..files.report import elapsed
from ..permutation import permutation_test, sign_flip_test
from . import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from .options import Groups

DARWIN_MAIZE = (49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48)
"""Height of the crossed plant minus that of the self-fertilised one, in eighths of an inch; 15 pairs.

Darwin's measurements as analysed by R. A. Fisher, The Design of Experiments (1935), section 21: of the 32,768 sign
assignments 835 have a larger sum and 28 the same.
"""

STUDENT_SLEEP = ("1.2", "2.4", "1.3", "1.3", "0", "1", "1.8", "0.8", "4.6", "1.4")
"""Extra hours of sleep, second drug minus first, 10 patients: Student, The Probable Error of a Mean (1908)."""


def paper_workload(n: int, *, seed: int = 2022, factor: float = 0.98) -> tuple[list[int], list[int]]:
    """Return the numbers of correct tokens of two simulated systems in the same n sentences, as (u, v).

    Lengths are ceil(Normal(12, 10)), drawn again while negative; the rates of the systems Normal(0.9543, 0.1116), the
    second with ``factor`` times that mean, drawn again outside [0, 1]; a system gets floor(rate * length) tokens right.
    The same for the same seed on every Python: only ``random()`` of the generator is used.
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


def add_options(group: Groups) -> None:
    """Add the options of the command."""
    group("demo").add_argument(
        "--pairs",
        type=values.pairs,
        default=10_000,
        metavar="N",
        help="number of pairs in the simulated comparison (10000)",
    )


def run(args: Namespace) -> None:
    """Print the demonstration, line by line as it is counted."""
    for line in lines(args.pairs):
        print(line, flush=True)


def lines(pairs: int) -> Iterator[str]:
    """Yield the demonstration, line by line; ``pairs`` is the size of the simulated comparison."""
    yield "Exact paired-permutation tests: how many of the 2^N swaps of pairs are at least as extreme as the data?"
    yield from _fisher()
    yield from _student()
    yield from _simulated(pairs)
    yield from _tiny()


def _fisher() -> Iterator[str]:
    start = time.perf_counter()
    one = sign_flip_test(DARWIN_MAIZE, alternative="greater")
    two = sign_flip_test(DARWIN_MAIZE)
    seconds = time.perf_counter() - start
    equal = int(one.point_probability * one.total)
    yield ""
    yield f"1. Darwin's 15 pairs of maize plants, counted by R. A. Fisher in 1935     ({elapsed(seconds)})"
    yield f"   observed sum {one.statistic}; of {one.total} sign assignments {one.count} reach it or more:"
    yield f"   {one.count - equal} have a larger sum, {equal} the same"
    yield f"   one-sided p = {fraction_text(one.pvalue)} = {decimal_string(one.pvalue, 10)}, as Fisher published it"
    yield f"   two-sided p = {two.count}/{two.total} = {decimal_string(two.pvalue, 10)}"


def _student() -> Iterator[str]:
    start = time.perf_counter()
    result = sign_flip_test(STUDENT_SLEEP)
    seconds = time.perf_counter() - start
    yield ""
    yield f"2. Student's sleep data, 10 patients, decimals read as written             ({elapsed(seconds)})"
    yield f"   two-sided p = {result.count}/{result.total} = {decimal_string(result.pvalue, 10)}"


def _simulated(pairs: int) -> Iterator[str]:
    u, v = paper_workload(pairs)
    start = time.perf_counter()
    result = permutation_test(u, v)
    seconds = time.perf_counter() - start
    digits = len(integer_text(result.count))
    yield ""
    yield f"3. Two simulated taggers, correct tokens in {pairs:,} sentences: {sum(u):,} against {sum(v):,}"
    yield f"   2^{result.n_units} assignments, counted exactly in {elapsed(seconds)} (engine: {result.method})"
    yield f"   p = {fraction_text(result.pvalue)}"
    yield f"     = {decimal_string(result.pvalue, 30)}, log10 p = {result.log10_pvalue:.6f}"
    yield f"   the count of assignments behind it has {digits:,} decimal digits"


def _tiny() -> Iterator[str]:
    yield ""
    yield "4. Below 1e-8, where programs that drop small probabilities answer 0"
    yield "   data                       exact two-sided p                       float code that drops cells < 1e-8"
    mixed = sign_flip_test({1: 37, -1: 3}).pvalue
    yield f"   37 x (+1) and 3 x (-1)     {_valued(mixed):<40}1.254e-08 or 0.0"
    ones = sign_flip_test({1: 200}).pvalue
    yield f"   200 x (+1)                 {_valued(ones):<40}0.0"


def _valued(p: Fraction) -> str:
    return f"{fraction_text(p)} = {decimal_string(p, 6)}"
