"""The command ``demo``: built-in data with known answers, counted again."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

from .._types import Namespace
from ..arithmetic.writing import decimal_string, probability_text
from ..display import table
from ..files.answer import elapsed
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

OPTIONS = ""
EXAMPLES = "  exactperm demo"


def run(_args: Namespace) -> None:
    """Print the demonstration, line by line as it is counted."""
    for line in lines():
        print(line, flush=True)


def lines() -> Iterator[str]:
    """Yield the demonstration, line by line."""
    yield "Exact paired-permutation tests: which share of the 2^N swaps is at least as extreme as the data?"
    one = sign_flip_test(DARWIN_MAIZE, alternative="greater")
    two = sign_flip_test(DARWIN_MAIZE)
    published = "835 of 32,768 have a larger sum, 28 the same (R. A. Fisher, 1935)"
    rows = ("one-sided", _counted(one)), ("published", published), ("two-sided", _counted(two))
    yield from ("", *table.lines("1. Darwin's 15 pairs of maize plants", rows))
    title = "2. Student's sleep data of 10 patients; decimals are read as written"
    yield from ("", *table.lines(title, [("two-sided", _counted(sign_flip_test(STUDENT_SLEEP)))]))
    rng = random.Random(1)
    old = [int(25 * rng.random()) for _ in range(10_000)]
    new = [score + (rng.random() < 0.21) - (rng.random() < 0.18) for score in old]
    start = time.perf_counter()
    result = permutation_test(new, old)
    seconds = elapsed(time.perf_counter() - start)
    title = f"3. Two simulated systems on 10,000 sentences, {sum(new):,} against {sum(old):,} words right"
    found = f"p = {decimal_string(result.pvalue, 4)}, counted in {seconds}"
    yield from ("", *table.lines(title, [("two-sided", found)]))
    tiny = {"37 x (+1) and 3 x (-1)": {1: 37, -1: 3}, "200 x (+1)": {1: 200}}
    exactly = [probability_text(sign_flip_test(data).pvalue, 6) for data in tiny.values()]
    cells = zip(tiny, exactly, ("1.254e-08 or 0.0", "0.0"))
    header = "data", "exact two-sided p", "float code that drops cells < 1e-8"
    title = "4. Below 1e-8, where programs that drop small probabilities answer 0"
    yield from ("", *table.lines(title, [*cells], header))


def _counted(result: PermutationTestResult) -> str:
    p = probability_text(result.pvalue, 4)
    return f"p = {p}: {result.count:,} of 2^{result.n_units} swaps"
