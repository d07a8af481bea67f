"""Budgets against measurements: whether what users call keeps its budget.

    python benchmarks/budgets.py [--quick] [FIRST LAST]

One call on each of 300 random shapes under a random budget of 0.1 to 1 s and 32 MiB to 2 GiB,
answered or refused: tests of differences, F1 and runs, exact and certified, intervals, tables,
sampling, audits, and commands on files of up to 158 rows. Prints the calls that take more than 1.5
times their budget. CPU seconds are divided by the slowdown of a short loop, and bytes are traced
for calls of less than 0.3 s.
"""

from __future__ import annotations

import io
import pkgutil
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import partial
from importlib import import_module
from pathlib import Path

import estimates
import exactperm
import measure
from exactperm.budget import Budget
from exactperm.cli.main import main as main_of_commands
from exactperm.errors import BudgetExceeded
from exactperm.swaps.metrics import f1_difference as f1


def scores(rng: random.Random, pairs: int) -> list[object]:
    """Scores of one system: doubles, decimals, small integers, near-lattice numbers, skewed or geometric ones."""
    places = rng.randint(1, 6)
    return rng.choice(
        [
            lambda: [rng.gauss(0.1, 1) for _ in range(pairs)],
            lambda: [round(rng.gauss(0.1, 1), places) for _ in range(pairs)],
            lambda: [rng.randint(0, 10) for _ in range(pairs)],
            lambda: [
                f"{rng.choice((1, -1)) * rng.randint(1, 5)}.{rng.randint(0, 10**6):012d}"
                for _ in range(pairs)
            ],
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
        "permutation_test": (
            1,
            lambda: exactperm.permutation_test(u, zeros, groups=groups, **options),
        ),
        "fast_permutation_test": (
            1,
            lambda: exactperm.fast_permutation_test(u, zeros, groups=groups, **options),
        ),
        "permutation_test, F1": (
            1,
            lambda: exactperm.permutation_test(*entries, statistic=f1, **options),
        ),
        "fast_permutation_test, F1": (
            1,
            lambda: exactperm.fast_permutation_test(*entries, statistic=f1, **options),
        ),
        "fast_permutation_test_runs": (
            1,
            lambda: exactperm.fast_permutation_test_runs(
                list(zip(u, zeros, reversed(u))), list(zip(zeros, u)), design="within", **options
            ),
        ),
        "sign_flip_test": (1, lambda: exactperm.sign_flip_test(d, **options)),
        "fast_sign_flip_test": (
            1,
            lambda: exactperm.fast_sign_flip_test(d, digits=rng.randint(2, 12), **options),
        ),
        "confidence_interval": (
            1,
            lambda: exactperm.confidence_interval(u, groups=groups, **options),
        ),
        "confidence_interval, few": (1, lambda: exactperm.confidence_interval(d, **options)),
        "simultaneous_intervals": (
            pairs,
            lambda: exactperm.simultaneous_intervals(tables, budget=budget),
        ),
        "compare_all": (1, lambda: exactperm.compare_all(tables, budget=budget)),
        "compare_all, certified": (
            1,
            lambda: exactperm.compare_all(tables, method="certified", budget=budget),
        ),
        "influence": (1, lambda: exactperm.influence(d, [0] * few, budget=budget)),
        "is_significant": (1, lambda: exactperm.is_significant(u, zeros, "0.05", **options)),
        "is_significant, few": (
            1,
            lambda: exactperm.is_significant(d, [0] * few, "0.05", **options),
        ),
        "wilcoxon_signed_rank_test": (1, lambda: exactperm.wilcoxon_signed_rank_test(u, **options)),
        "fast_wilcoxon_signed_rank_test": (
            1,
            lambda: exactperm.fast_wilcoxon_signed_rank_test(u, **options),
        ),
        "monte_carlo_test": (
            1,
            lambda: exactperm.monte_carlo_test(u, zeros, K=10 ** rng.randint(2, 5), **options),
        ),
        "monte_carlo_risk_bounds": (
            1,
            lambda: exactperm.monte_carlo_risk_bounds(
                "0.049", "0.05", 10 ** rng.randint(3, 9), budget=budget
            ),
        ),
        "audit_claim": (
            1,
            lambda: exactperm.audit_claim(
                {"test": "sign", "n": many, "wins": many // 3, "p": 0.04}, budget=budget
            ),
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
    with (
        tempfile.TemporaryDirectory() as folder,
        redirect_stdout(io.StringIO()),
        redirect_stderr(told),
    ):
        path = Path(folder) / "scores.csv"
        rng = random.Random(len(u))
        rows = (f"{x},{rng.random():.3f},{rng.randint(0, 3)}\n" for x in u)
        path.write_text("A,B,C\n" + "".join(rows), encoding="utf-8")
        chosen = [] if words[0] == "compare" else ["--columns", "A,B"]
        status = main_of_commands([*words, str(path), *chosen, *limits])
    if status:
        raise BudgetExceeded(
            told.getvalue().partition("error: ")[2].partition("\n")[0] or told.getvalue()
        )


COMMANDS = (
    ("test",),
    ("test", "--method", "certified"),
    ("test", "--method", "exact"),
    ("interval",),
    ("compare",),
    ("dist",),
)
"""Commands that count, each on a file of two or three columns."""

_FEW_CALLS = (
    "sign_flip_test",
    "fast_sign_flip_test",
    "simultaneous_intervals",
    "compare_all",
    "influence",
)


def budgets(first: int, last: int) -> None:
    """Print how far the calls of these seeds use their budgets, and those that use more than 1.5 of it.

    Seconds are those of a quiet machine: a short loop before and after each call tells how much
    slower this one is.
    """
    for module in pkgutil.walk_packages(exactperm.__path__, "exactperm."):
        if not module.name.endswith("__main__"):
            import_module(module.name)  # loading is in no budget
    answered = refused = 0
    quiet = min(measure.pace() for _ in range(50))
    worst, over, low = [], [], []
    for seed in range(first, last):
        name, number, budget, run = budget_case(seed)
        before, said = measure.pace(), "answered"
        start = time.process_time()
        try:
            run()
            answered += 1
        except exactperm.BudgetExceeded as refusal:
            refused, said = (
                refused + 1,
                refusal.needs.words() if refusal.needs else str(refusal)[:60],
            )
            if refusal.needs and budget.admits(refusal.needs):
                low.append([seed, name, budget.words(), said])
        seconds = time.process_time() - start
        seconds /= max(1.0, (before + measure.pace()) / 2 / quiet)
        size = estimates.bytes_of(lambda run=run: suppressed(run)) if seconds < 0.3 else 0
        share = max(seconds / budget.seconds / number, size / budget.bytes)
        worst.append(share)
        if share > 1.5:
            over.append(
                [
                    seed,
                    name,
                    f"{seconds:.2f} s",
                    f"{size >> 20} MiB",
                    budget.words(),
                    f"{share:.2f}",
                    said,
                ]
            )
    worst.sort()
    print("## Budgets\n")
    print(
        f"{measure.environment()}; calls {first} to {last - 1}, {answered} answered, {refused} refused.\n"
    )
    over.sort()
    print(
        f"CPU or bytes over the budget: median {worst[len(worst) // 2]:.2f}, most {worst[-1]:.2f}."
    )
    print(f"Above 1.5: {len(over)}.\n")
    if over:
        print(
            measure.table(["call", "shape", "took", "at", "budget", "times", "said"], over),
            end="\n\n",
        )
    print(f"Refusals whose estimate is within the budget: {len(low)}.\n")
    if low:
        print(measure.table(["call", "shape", "budget", "said"], low))


def suppressed(run: Callable[[], object]) -> None:
    """Run what may be refused."""
    with suppress(exactperm.BudgetExceeded):
        run()


def main(arguments: Sequence[str]) -> None:
    """Sweep the calls of 300 seeds, of 20 in a quick run, or of those named."""
    named = [int(word) for word in arguments if not word.startswith("-")]
    budgets(*(named or (0, 20 if "--quick" in arguments else 300)))


if __name__ == "__main__":
    main(sys.argv[1:])
