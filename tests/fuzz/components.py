"""Statistics of several sums: ratios, accuracy, means, any g and h; and the classical tests."""

import operator
from collections import Counter
from fractions import Fraction
from math import comb
from random import Random

import exactperm
from tests.fuzz import cases, oracle
from tests.fuzz.oracle import ALTERNATIVES, Null
from tests.fuzz.sums import same_result

# --------------------------------------------------------------------------------- ready statistics


def draw_ratios(rng):
    n = rng.randint(1, rng.choice((3, 6)))
    name = rng.choice((*oracle.PAIRED, "accuracy", "mean_difference"))
    draw = rng.choice(
        (
            lambda: rng.randint(0, 3),
            lambda: rng.choice((0, 0, 1)),
            lambda: Fraction(rng.randint(0, 6), 4),
        )
    )
    if name == "accuracy":
        draw_row = lambda: tuple(rng.choice("NVA") for _ in range(3))  # noqa: E731
    elif name == "mean_difference":
        draw_row = lambda: (draw(), draw())  # noqa: E731
    else:
        draw_row = lambda: ((draw(), draw()), (draw(), draw()))  # noqa: E731
    labels = cases.labels(rng, n)
    return {
        "rows": [(draw_row(), label) for label in labels or [None] * n],
        "grouped": labels is not None,
        "name": name,
        "alternative": rng.choice(ALTERNATIVES),
        "salt": rng.random(),
    }


def check_ratios(case, held):
    """F1, precision, recall, ratios, accuracy and means against the enumeration of all swaps."""
    rng, name, alternative = Random(case["salt"]), case["name"], case["alternative"]
    rows, labels = zip(*case["rows"])
    options = {"groups": cases.written_labels(rng, labels)} if case["grouped"] else {}
    labels = labels if case["grouped"] else None
    statistic = getattr(exactperm, name)
    if name == "accuracy":
        gold, *columns = zip(*rows)
        statistic = exactperm.accuracy(gold)
        right = [tuple(Fraction(got == want, len(gold)) for got in pair) for want, *pair in rows]
        observed, null = oracle.enumerated(right, oracle.total_difference, labels)
    elif name == "mean_difference":
        columns = [cases.written(rng, column) for column in zip(*rows)]
        means = [tuple(Fraction(x) / len(rows) for x in row) for row in rows]
        observed, null = oracle.enumerated(means, oracle.total_difference, labels)
    else:
        columns = [
            [(cases.spelled(rng, x), cases.spelled(rng, y)) for x, y in column]
            for column in zip(*rows)
        ]
        observed, null = oracle.enumerated(rows, oracle.PAIRED[name], labels)
    try:
        result = exactperm.permutation_test(
            *columns, statistic=statistic, alternative=alternative, **options
        )
    except exactperm.ExactPermError as error:
        held.true(
            "refusal",
            name == "ratio_difference" and "over 0" in str(error) and _undefined(rows, labels),
            error,
        )
        held.refused += 1
        return
    if name == "ratio_difference" and _undefined(rows, labels):
        return
    same_result(held, result, observed, null, alternative)
    held.same("distribution", dict(result.null_distribution.items()), null.counts)


def _undefined(rows, labels):
    """Whether some assignment gives a system a positive sum over 0."""
    for columns in oracle.assignments(rows, labels):
        for column in columns:
            above, below = map(sum, zip(*column))
            if above and not below:
                return True
    return False


# -------------------------------------------------------------------------------------- any g and h


def _first(a, b):
    return a[0] - b[0]


def _larger(a, b):
    return max(a[0] - b[1], 0)


def _product(a, b):
    return a[0] * b[1]


def _second(a, _b):
    return a[1]


def _third(a, b):
    return Fraction(a[1] - b[0], 3)


COMPONENTS = (_first, _larger, _product, _second, _third)
COMBINE = (
    lambda *sums: sums[0],
    lambda *sums: sum(sums),
    lambda *sums: max(sums) - min(sums) + abs(sums[0]),
    lambda *sums: sums[0] * sums[-1] - len(sums),
    lambda *sums: Fraction(sums[0], 1 + sums[-1] ** 2),
)


def draw_components(rng):
    palette = rng.choice((range(3), range(-2, 3), range(10**9, 10**9 + 3)))
    entry = lambda: (rng.choice(palette), rng.choice(palette))  # noqa: E731
    return {
        "rows": [(entry(), entry()) for _ in range(rng.randint(1, 5))],
        "components": [rng.randrange(len(COMPONENTS)) for _ in range(rng.randint(1, 3))],
        "combine": rng.randrange(len(COMBINE)),
        "alternative": rng.choice(ALTERNATIVES),
    }


def check_components(case, held):
    """The paper's algorithms for one and several components, and the same as a statistic."""
    rows, alternative = case["rows"], case["alternative"]
    gs, h = [COMPONENTS[i] for i in case["components"]], COMBINE[case["combine"]]

    def value(u, v):
        return h(*(sum(map(g, u, v)) for g in gs))

    observed, null = oracle.enumerated(rows, value)
    u, v = zip(*rows)
    if len(gs) == 1:
        held.same(
            "one component",
            exactperm.exact_perm_test(u, v, gs[0], h),
            null.pvalue(observed, "greater"),
        )
    held.same(
        "components", exactperm.exact_perm_test_m(u, v, gs, h), null.pvalue(observed, "greater")
    )
    result = exactperm.permutation_test(
        u, v, statistic=exactperm.Statistic(gs, h), alternative=alternative
    )
    same_result(held, result, observed, null, alternative)


# ---------------------------------------------------------------------------------- classical tests


def draw_classical(rng):
    return {
        "rows": cases.pairs(rng, rng.randint(1, 7)),
        "test": rng.choice(("sign", "mcnemar", "wilcoxon", "wilcoxon")),
        "zero_method": rng.choice(("wilcox", "pratt", "zsplit")),
        "alternative": rng.choice(ALTERNATIVES),
        "counts": (rng.randint(0, 12), rng.randint(0, 12)),
        "salt": rng.random(),
    }


def check_classical(case, held):
    """The sign test, McNemar's and Wilcoxon's, against their own definitions."""
    rng, rows, alternative = Random(case["salt"]), case["rows"], case["alternative"]
    u, v = (cases.written(rng, column) for column in zip(*rows))
    if case["test"] == "sign":
        signs = oracle.signs(rows)
        result = exactperm.sign_test(u, v, alternative=alternative)
        observed, null = sum(signs), Null(oracle.signed_sums(signs))
    elif case["test"] == "mcnemar":
        b, c = case["counts"]
        result = exactperm.mcnemar_test(b, c, alternative=alternative)
        observed, null = b - c, Null({2 * k - b - c: comb(b + c, k) for k in range(b + c + 1)})
    else:
        units = oracle.wilcoxon_units(rows, case["zero_method"])
        result = exactperm.wilcoxon_signed_rank_test(
            u, v, zero_method=case["zero_method"], alternative=alternative
        )
        observed = sum(stay for stay, _ in units)
        null = Null(oracle.convolved([Counter(unit) for unit in units]))
    same_result(held, result, observed, null, alternative)
    if case["test"] == "sign" and alternative == "two-sided":
        wins = [(max(s, 0), max(-s, 0)) for s in oracle.signs(rows)]
        b, c = (sum(map(operator.itemgetter(i), wins)) for i in (0, 1))
        held.same("McNemar's", result.pvalue, exactperm.mcnemar_test(b, c).pvalue)
