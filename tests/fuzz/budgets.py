"""Large inputs under a tight budget: an answer or a refusal, soon. For runs on demand: here CPU time decides."""

import time
from fractions import Fraction
from random import Random

import exactperm

SECONDS = 5
"""CPU time for reading and refusing; a refusal is meant to take a fiftieth of that."""

SHAPES = {
    "powers": lambda rng, i: rng.choice((-1, 1)) * 2**i,
    "thirds": lambda rng, i: rng.choice((-1, 1)) * 3 ** (i // 2),
    "distinct": lambda rng, _: rng.getrandbits(60) - 2**59,
    "fractions": lambda rng, i: Fraction(rng.randint(-9, 9), 2 * i + 1),
    "floats": lambda rng, _: rng.random(),
    "ones": lambda rng, i: 1 if i else 10**200,
    "steps": lambda _, i: i,
    "few": lambda rng, _: rng.choice((0, 1, 7, 10**6)),
}
CALLS = {
    "sign_flip_test": exactperm.sign_flip_test,
    "one engine": lambda d, **options: exactperm.sign_flip_test(d, method="meet-in-the-middle", **options),
    "distribution": lambda d, **options: exactperm.sign_flip_test(d, **options).null_distribution,
    "fast": lambda d, **options: exactperm.fast_permutation_test(d, [0] * len(d), **options),
    "decision": lambda d, **options: exactperm.is_significant(d, [0] * len(d), "0.05", **options),
    "influence": lambda d, **options: exactperm.influence(d, [0] * len(d), **options).pvalues,
    "wilcoxon": lambda d, **options: exactperm.wilcoxon_signed_rank_test(d, [0] * len(d), **options),
    "f1": lambda d, **options: exactperm.permutation_test(
        [(abs(x), 1) for x in d], [(1, abs(x)) for x in d], statistic=exactperm.f1_difference, **options
    ),
    "two sums": lambda d, **options: exactperm.exact_perm_test_m(
        list(map(Fraction, map(str, d))),
        [1] * len(d),
        (lambda a, b: a - b, lambda a, b: a * a - b),
        lambda x, y: x + y,
        **options,
    ),
    "leaderboard": lambda d, **options: exactperm.compare_all({"a": d, "b": d[::-1], "c": [0] * len(d)}, **options),
}


def draw_budgets(rng):
    return {
        "shape": rng.choice(list(SHAPES)),
        "call": rng.choice(list(CALLS)),
        "n": int(10 ** rng.uniform(1, 3.5)),
        "seconds": rng.choice((1e-6, 1e-3, 0.1)),
        "bytes": rng.choice((1, 2**20, 2**28)),
        "salt": rng.random(),
    }


def check_budgets(case, held):
    """A call under a budget returns, or refuses, within some seconds of CPU time."""
    rng = Random(case["salt"])
    d = [SHAPES[case["shape"]](rng, i) for i in range(case["n"])]
    start = time.process_time()
    try:
        CALLS[case["call"]](d, budget=exactperm.Budget(seconds=case["seconds"], bytes=case["bytes"]))
    except exactperm.BudgetExceeded:
        held.refused += 1
    except exactperm.ExactPermError as error:  # no engine fits at any budget
        held.true("refusal", "no exact count" in str(error) or "engine" in str(error), error)
        held.refused += 1
    spent = time.process_time() - start
    held.true("in time", spent < SECONDS, f"{spent:.1f} s")
