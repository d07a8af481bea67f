"""Estimates against measurements: seconds and bytes of every engine with a cost model, on 200 random shapes.

    python benchmarks/estimates.py [--quick] [--budgets [FIRST LAST]]

``--budgets`` asks instead whether what users call keeps its budget: one call on each of 300 random shapes under a
random budget, answered or refused. Prints the calls that take more than 1.5 times their budget.

A shape is a tally and a threshold, or the whole distribution. Every engine runs on it if its estimate is within the
patience of this script: CPU seconds, the least of up to five runs, and the peak of traced memory in a run of its own.
Small work is left out: below 10 ms and 1 MiB an estimate may be off by any factor. Prints a table of the engines and
the misses: where measured and estimated differ by more than a factor of two.
"""

from __future__ import annotations

import io
import math
import pkgutil
import random
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from importlib import import_module
from pathlib import Path

import exactperm
import measure
from exactperm.budget import Budget, Estimate
from exactperm.cli.main import main as main_of_commands
from exactperm.counting import methods, plan, plane
from exactperm.errors import BudgetExceeded
from exactperm.swaps.metrics import f1_difference as f1

SHAPES = 200
LONGEST, LARGEST = 0.4, 2**27  # seconds and bytes that an engine may be expected to take here
FACTOR = 2.0
SMALL = {"seconds": 1e-2, "bytes": 2**20}
Case = tuple[str, str, Estimate, Callable[[], object]]


def differences(rng: random.Random) -> list[int]:
    """The differences of some pairs: even, skewed, few distinct ones, a cluster, ones and a large one, or equal."""
    pairs, largest = int(10 ** rng.uniform(0.8, 4)), int(10 ** rng.uniform(0, 6))
    few = [rng.randint(1, largest) for _ in range(rng.randint(2, 6))]
    return rng.choice(
        [
            lambda: [rng.randint(1, largest) for _ in range(pairs)],
            lambda: [int(largest ** rng.random() ** 3) for _ in range(pairs)],
            lambda: [rng.choice(few) for _ in range(pairs)],
            lambda: [rng.randint(largest, largest + largest // 10) for _ in range(pairs)],
            lambda: [1] * pairs + [largest] * rng.randint(1, 3),
            lambda: [1] * (10 * pairs),
        ]
    )()


def shapes(number: int) -> Iterator[tuple[dict[int, int], int | None]]:
    """Tallies without a common divisor, each with a threshold that it folds to, or None for the whole distribution."""
    for seed in range(number):
        rng = random.Random(seed)
        drawn = differences(rng)
        tally = dict(sorted(Counter(d // math.gcd(*drawn) for d in drawn).items()))
        if rng.random() < 0.35:
            yield tally, None
            continue
        span, deviations = sum(d * c for d, c in tally.items()), rng.uniform(0, 6)
        deviation = math.sqrt(sum(d * d * c for d, c in tally.items())) / 2
        _whole, kept, k = plan.reduced(tally, max(0, int(span / 2 - deviations * deviation) - 1))
        if kept:
            yield dict(kept), k


def plane_cases(number: int) -> Iterator[Case]:
    """Two-dimensional shapes: whole distributions and counts over half of the plane."""
    for seed in range(number):
        rng = random.Random(f"plane {seed}")
        units, widest = int(10 ** rng.uniform(1, 2.7)), rng.randint(1, 12)
        deltas = Counter()
        for _ in range(units):
            a = rng.randint(0, widest)
            deltas[a, rng.randint(-widest, widest) if a else rng.randint(1, widest)] += 1
        tally, whole = dict(deltas), rng.random() < 0.5
        around = plane.box(tally)
        region = [(1 << around.height // 2) - 1] * (around.right + 1)
        name = f"{units} units in two dimensions, {'whole' if whole else 'count'}"
        yield (
            "plane",
            name,
            plane.estimate(tally, whole),
            (lambda tally=tally: dict(plane.items(tally)))
            if whole
            else (lambda tally=tally, region=region: plane.count_points(tally, region)),
        )


def cases(number: int) -> Iterator[Case]:
    """(engine, shape, its estimate, what to run) within the patience of this script."""
    for tally, k in shapes(number):
        name = f"{sum(tally.values()):,} pairs, {len(tally):,} differences up to {max(tally):,}, "
        name += "whole" if k is None else f"k = {k:,}"
        for method, (_module, one, whole) in methods.ENGINES.items():
            engine = plan.engine(method)
            if whole if k is None else one:
                cost = engine.estimate(tally, k)
                run = (
                    (lambda e=engine, t=tally: e.counts(t))
                    if k is None
                    else (lambda e=engine, t=tally, k=k: e.count_at_most(t, k))
                )
                yield method, name, cost, run
    yield from plane_cases(number // 5)


def scores(rng: random.Random, pairs: int) -> list[object]:
    """Scores of one system: doubles, decimals, small integers, near-lattice numbers, skewed or geometric ones."""
    places = rng.randint(1, 6)
    return rng.choice(
        [
            lambda: [rng.gauss(0.1, 1) for _ in range(pairs)],
            lambda: [round(rng.gauss(0.1, 1), places) for _ in range(pairs)],
            lambda: [rng.randint(0, 10) for _ in range(pairs)],
            lambda: [f"{rng.choice((1, -1)) * rng.randint(1, 5)}.{rng.randint(0, 10**6):012d}" for _ in range(pairs)],
            lambda: [rng.gauss(0, 1) ** 9 for _ in range(pairs)],
            lambda: [2.0 ** (i % 200) for i in range(pairs)],
        ]
    )()


def budget_case(seed: int) -> tuple[str, float, Budget, Callable[[], object]]:
    """(name, number of budgets that it may take, its budget, what to run) of one random call."""
    rng = random.Random(f"budget {seed}")
    budget = Budget(seconds=rng.choice((0.1, 0.3, 1.0)), bytes=rng.choice((2**25, 2**28, 2**31)))
    few, many = int(10 ** rng.uniform(0.8, 2.2)), int(10 ** rng.uniform(0.8, 4.3))
    u, zeros, d = scores(rng, many), [0] * many, scores(rng, few)
    tables = {str(i): scores(rng, few) for i in range(rng.randint(3, 8))}
    pairs = len(tables) * (len(tables) - 1) // 2
    entries = [[(rng.randint(0, 6), rng.randint(0, 3)) for _ in range(many)] for _ in range(2)]
    alternative = rng.choice(("two-sided", "greater", "less"))
    options = {"alternative": alternative, "budget": budget}
    groups = rng.choice((None, [rng.randrange(1 + many // 3) for _ in u]))
    calls: dict[str, tuple[int, Callable[[], object]]] = {
        "permutation_test": (1, lambda: exactperm.permutation_test(u, zeros, groups=groups, **options)),
        "fast_permutation_test": (1, lambda: exactperm.fast_permutation_test(u, zeros, groups=groups, **options)),
        "permutation_test, F1": (1, lambda: exactperm.permutation_test(*entries, statistic=f1, **options)),
        "fast_permutation_test, F1": (1, lambda: exactperm.fast_permutation_test(*entries, statistic=f1, **options)),
        "fast_permutation_test_runs": (
            1,
            lambda: exactperm.fast_permutation_test_runs(
                list(zip(u, zeros, reversed(u))), list(zip(zeros, u)), design="within", **options
            ),
        ),
        "sign_flip_test": (1, lambda: exactperm.sign_flip_test(d, **options)),
        "fast_sign_flip_test": (1, lambda: exactperm.fast_sign_flip_test(d, digits=rng.randint(2, 12), **options)),
        "confidence_interval": (1, lambda: exactperm.confidence_interval(u, groups=groups, **options)),
        "confidence_interval, few": (1, lambda: exactperm.confidence_interval(d, **options)),
        "simultaneous_intervals": (pairs, lambda: exactperm.simultaneous_intervals(tables, budget=budget)),
        "compare_all": (1, lambda: exactperm.compare_all(tables, budget=budget)),
        "compare_all, certified": (1, lambda: exactperm.compare_all(tables, method="certified", budget=budget)),
        "influence": (1, lambda: exactperm.influence(d, [0] * few, budget=budget)),
        "is_significant": (1, lambda: exactperm.is_significant(u, zeros, "0.05", **options)),
        "is_significant, few": (1, lambda: exactperm.is_significant(d, [0] * few, "0.05", **options)),
        "wilcoxon_signed_rank_test": (1, lambda: exactperm.wilcoxon_signed_rank_test(u, **options)),
        "fast_wilcoxon_signed_rank_test": (1, lambda: exactperm.fast_wilcoxon_signed_rank_test(u, **options)),
        "monte_carlo_test": (1, lambda: exactperm.monte_carlo_test(u, zeros, K=10 ** rng.randint(2, 5), **options)),
        "monte_carlo_risk_bounds": (
            1,
            lambda: exactperm.monte_carlo_risk_bounds("0.049", "0.05", 10 ** rng.randint(3, 9), budget=budget),
        ),
        "audit_claim": (
            1,
            lambda: exactperm.audit_claim({"test": "sign", "n": many, "wins": many // 3, "p": 0.04}, budget=budget),
        ),
    }
    for words in COMMANDS:
        calls[f"exactperm {' '.join(words)}"] = 1, partial(command, words, d, budget, alternative)
    name = list(calls)[seed % len(calls)]
    number, run = calls[name]
    is_few = "few" in name or name in _FEW_CALLS or name.startswith("exactperm")
    pairs_of = few if is_few else many
    return f"{name}, {pairs_of:,} pairs", number, budget, run


def command(words: Sequence[str], u: Sequence[object], budget: Budget, alternative: str) -> None:
    """Run the command line on a file of these scores; a refusal of it raises ``BudgetExceeded``."""
    limits = ["--max-seconds", str(budget.seconds), "--max-memory", f"{int(budget.bytes) >> 20}M"]
    limits += ["--alternative", alternative]
    told = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, redirect_stdout(io.StringIO()), redirect_stderr(told):
        path = Path(folder) / "scores.csv"
        rng = random.Random(len(u))
        rows = (f"{x},{rng.random():.3f},{rng.randint(0, 3)}\n" for x in u)
        path.write_text("A,B,C\n" + "".join(rows), encoding="utf-8")
        chosen = [] if words[0] == "compare" else ["--columns", "A,B"]
        status = main_of_commands([*words, str(path), *chosen, *limits])
    if status:
        raise BudgetExceeded(told.getvalue().partition("error: ")[2].partition("\n")[0] or told.getvalue())


COMMANDS = (
    ("test",),
    ("test", "--method", "certified"),
    ("test", "--method", "exact"),
    ("interval",),
    ("compare",),
    ("dist",),
)
"""Commands that count, each on a file of two or three columns."""

_FEW_CALLS = "sign_flip_test", "fast_sign_flip_test", "simultaneous_intervals", "compare_all", "influence"


def budgets(first: int, last: int) -> None:
    """Print how far the calls of these seeds use their budgets, and those that use more than 1.5 of it.

    Seconds are those of a quiet machine: a short loop before and after each call tells how much slower this one is.
    """
    for module in pkgutil.walk_packages(exactperm.__path__, "exactperm."):
        if not module.name.endswith("__main__"):
            import_module(module.name)  # loading is in no budget
    answered = refused = 0
    quiet = min(pace() for _ in range(50))
    worst, over, low = [], [], []
    for seed in range(first, last):
        name, number, budget, run = budget_case(seed)
        before, said = pace(), "answered"
        start = time.process_time()
        try:
            run()
            answered += 1
        except exactperm.BudgetExceeded as refusal:
            refused, said = refused + 1, refusal.needs.words() if refusal.needs else str(refusal)[:60]
            if refusal.needs and budget.admits(refusal.needs):
                low.append([seed, name, budget.words(), said])
        seconds = time.process_time() - start
        seconds /= max(1.0, (before + pace()) / 2 / quiet)
        size = bytes_of(lambda run=run: suppressed(run)) if seconds < 0.3 else 0
        share = max(seconds / budget.seconds / number, size / budget.bytes)
        worst.append(share)
        if share > 1.5:
            over.append([seed, name, f"{seconds:.2f} s", f"{size >> 20} MiB", budget.words(), f"{share:.2f}", said])
    worst.sort()
    print("## Budgets\n")
    print(f"{measure.environment()}; calls {first} to {last - 1}, {answered} answered, {refused} refused.\n")
    over.sort()
    print(f"CPU or bytes over the budget: median {worst[len(worst) // 2]:.2f}, most {worst[-1]:.2f}.")
    print(f"Above 1.5: {len(over)}.\n")
    if over:
        print(measure.table(["call", "shape", "took", "at", "budget", "times", "said"], over), end="\n\n")
    print(f"Refusals whose estimate is within the budget: {len(low)}.\n")
    if low:
        print(measure.table(["call", "shape", "budget", "said"], low))


def pace() -> float:
    """CPU seconds of a loop that always does the same."""
    start = time.process_time()
    sum(i * i for i in range(60_000))
    return time.process_time() - start


def suppressed(run: Callable[[], object]) -> None:
    """Run what may be refused."""
    with suppress(exactperm.BudgetExceeded):
        run()


def seconds_of(run: Callable[[], object]) -> float:
    """CPU seconds, the least of up to five runs or of half a second."""
    times = []
    while len(times) < 5 and sum(times) < 0.5:
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def bytes_of(run: Callable[[], object]) -> int:
    """The most bytes in use while it runs, its result included."""
    tracemalloc.start()
    _kept = run()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main(arguments: Sequence[str]) -> None:
    """Print the factors of every engine, and the misses."""
    if "--budgets" in arguments:
        first, last = map(int, arguments[1:3]) if len(arguments) == 3 else (0, 300)
        budgets(first, last)
        return
    number = 40 if "--quick" in arguments else SHAPES
    ratios: dict[tuple[str, str], list[float]] = {}
    misses = []
    for engine, shape, cost, run in cases(number):
        if not isinstance(cost, Estimate) or cost.seconds > LONGEST or cost.bytes > LARGEST:
            continue
        for what, measured in (("seconds", seconds_of(run)), ("bytes", bytes_of(run))):
            expected = getattr(cost, what)
            if max(measured, expected) < SMALL[what]:
                continue
            ratio = measured / expected
            ratios.setdefault((engine, what), []).append(ratio)
            if not 1 / FACTOR <= ratio <= FACTOR:
                misses.append([engine, shape, what, f"{measured:.3g}", f"{expected:.3g}", f"{ratio:.2f}"])
    rows = []
    for (engine, what), values in sorted(ratios.items()):
        values.sort()
        middle = values[len(values) // 2]
        rows.append([engine, what, len(values), *(f"{x:.2f}" for x in (values[0], middle, values[-1]))])
    print("## Estimates against measurements\n")
    print(measure.environment() + ".\n")
    print(f"{number} random shapes; work of at least 10 ms or 1 MiB; measured / estimated.\n")
    print(measure.table(["engine", "of", "runs", "least", "median", "most"], rows), end="\n\n")
    print(f"Off by more than a factor of {FACTOR:.0f}: {len(misses)}.")
    if misses:
        print()
        print(measure.table(["engine", "shape", "of", "measured", "estimated", "ratio"], misses))


if __name__ == "__main__":
    main(sys.argv[1:])
