"""Adjusted p-values, the risk of Monte Carlo tests, and sampling with fixed seeds."""

from fractions import Fraction
from random import Random

import exactperm
from tests.fuzz import cases, oracle

METHODS = (
    "bonferroni",
    "holm",
    "sidak",
    "holm-sidak",
    "hochberg",
    "hommel",
    "fdr_bh",
    "fdr_by",
    "tarone",
)
NAMES = {
    "fdr_bh": ("BH", "fdr", "FDR_BH"),
    "fdr_by": ("BY", "fdr_by"),
    "bonferroni": ("bonf", "Bonferroni"),
    "holm": ("holm-bonferroni", "Holm"),
}


def draw_adjustments(rng):
    palette = [cases.probability(rng) for _ in range(rng.randint(1, 5))]
    rows = []
    for _ in range(rng.randint(1, rng.choice((2, 4, 6)))):
        p = rng.choice(palette)
        rows.append((p, p * rng.choice((0, 1, Fraction(1, 2), Fraction(rng.randint(0, 8), 8)))))
    return {
        "rows": rows,
        "method": rng.choice(METHODS),
        "more": rng.choice((None, 0, 1, 2)),
        "alpha": cases.probability(rng),
        "salt": rng.random(),
    }


def check_adjustments(case, held):
    """Adjusted p-values and decisions, by closed testing or the step-up rule itself."""
    rng, method = Random(case["salt"]), case["method"]
    pvalues, least = map(list, zip(*case["rows"]))
    m, more, name = len(pvalues), case["more"], rng.choice((method, *NAMES.get(method, ())))
    options = {"min_attainable": cases.written(rng, least)} if method == "tarone" else {}
    if more is not None and method != "tarone":
        options["n"] = m + more
    ours = exactperm.adjust_pvalues(cases.written(rng, pvalues), name, **options)
    others = [Fraction(1)] * (options.get("n", m) - m)
    want = oracle.adjusted(pvalues + others, method, least)[:m]
    held.same("adjusted", list(ours.adjusted), want)
    for alpha in (case["alpha"], rng.choice(want)):
        spelled = cases.spelled(rng, alpha)
        held.same("reject", list(ours.reject(spelled)), [p <= alpha for p in want])
        held.same(
            "reject strictly", list(ours.reject(spelled, strict=True)), [p < alpha for p in want]
        )


# -------------------------------------------------------------------------------------- Monte Carlo


def draw_risk(rng):
    return {
        "p": cases.probability(rng),
        "alpha": rng.choice(
            (Fraction(1, 20), Fraction(1, 2), Fraction(1, 100), Fraction(rng.randint(1, 29), 30))
        ),
        "K": rng.randint(1, 25),
        "adjusted": rng.random() < 0.5,
        "strict": rng.random() < 0.5,
        "bits": rng.choice((1, 20, 64, 200)),
        "limit": Fraction(rng.randint(8, 48), 100),
        "salt": rng.random(),
    }


def check_risk(case, held):
    """The risk of K samples, its bounds, the distribution of the estimate, and the samples that a risk needs."""
    rng, K, exact = Random(case["salt"]), case["K"], (case["p"], case["alpha"])
    p, alpha = (cases.spelled(rng, x) for x in exact)
    rule = {"adjusted": case["adjusted"], "strict": case["strict"]}
    risk = oracle.risk(*exact, K, *rule.values())
    held.same("risk", exactperm.monte_carlo_risk(p, alpha, K, **rule), risk)
    low, high = exactperm.monte_carlo_risk_bounds(p, alpha, K, bits=case["bits"], **rule)
    held.between("risk bounds", low, risk, high)
    held.true("width", high - low <= Fraction(4, 2 ** case["bits"]), f"{low}, {high}")

    estimate = exactperm.monte_carlo_estimate(p, K, adjusted=case["adjusted"])
    weights = oracle.binomial(K, exact[0])
    values = [Fraction(b + case["adjusted"], K + case["adjusted"]) for b in range(K + 1)]
    b, mean = rng.randint(-1, K + 1), sum(w * x for w, x in zip(weights, values))
    held.same("pmf", estimate.pmf(b), weights[b] if 0 <= b <= K else 0)
    held.same("cdf", estimate.cdf(b), sum(weights[: b + 1]) if b >= 0 else 0)
    held.same("zero", estimate.zero_probability, sum(w for w, x in zip(weights, values) if x == 0))
    held.same("mean", estimate.mean, mean)
    held.same(
        "variance", estimate.variance, sum(w * (x - mean) ** 2 for w, x in zip(weights, values))
    )
    coverage = cases.probability(rng)
    want = oracle.central_interval(exact[0], K, case["adjusted"], coverage) if coverage else None
    if want:
        held.same("interval", estimate.interval(cases.spelled(rng, coverage)), want)
    if not case["adjusted"]:
        error = sum(w * abs(x - exact[0]) for w, x in zip(weights, values))
        held.between(
            "mean error", estimate.mean_error_bounds()[0], error, estimate.mean_error_bounds()[1]
        )
    _check_samples_needed(case, held, rule)


def _check_samples_needed(case, held, rule):
    p, alpha, limit = case["p"], case["alpha"], case["limit"]
    if p == alpha or abs(p - alpha) < Fraction(1, 5):
        return
    needed = exactperm.samples_needed(p, alpha, limit, **rule)
    held.true(
        "one sample less",
        needed == 1 or oracle.risk(p, alpha, needed - 1, *rule.values()) > limit,
        needed,
    )
    for K in range(needed, min(needed + 12, 60)):
        held.true("enough samples", oracle.risk(p, alpha, K, *rule.values()) <= limit, (needed, K))


# ----------------------------------------------------------------------------------------- sampling


def draw_sampling(rng):
    return {
        "rows": cases.pairs(rng, rng.randint(1, 4)),
        "K": rng.randint(1, 40),
        "seed": rng.randint(-5, 2**70),
        "alpha": Fraction(rng.randint(1, 9), 10),
        "epsilon": Fraction(rng.randint(1, 49), 100),
        "k": rng.randint(1, 20),
        "confidence": Fraction(rng.randint(1, 99), 100),
        "salt": rng.random(),
    }


def check_sampling(case, held):
    """Random swaps and resamples with a fixed seed: they repeat, and stay within what exact bounds allow."""
    rng, rows, K, seed = Random(case["salt"]), case["rows"], case["K"], case["seed"]
    u, v = map(list, zip(*rows))
    observed, null = oracle.enumerated(rows, oracle.total_difference)
    p = null.pvalue(observed, "greater")
    plain = exactperm.monte_carlo(u, v, lambda a, b: a - b, lambda x: x, K, rng=seed)
    held.same(
        "again",
        exactperm.monte_carlo(u, v, lambda a, b: a - b, lambda x: x, K, rng=Random(seed)),
        plain,
    )
    adjusted = exactperm.monte_carlo(
        u, v, lambda a, b: a - b, lambda x: x, K, rng=seed, adjusted=True
    )
    held.same("adjusted", adjusted, Fraction(plain * K + 1, K + 1))
    held.true("certain", p < 1 or plain == 1)
    result = exactperm.monte_carlo_test(
        u, v, oracle.total_difference, K, alternative="greater", rng=seed
    )
    held.same("observed", (result.statistic, result.samples), (observed, K))
    held.true("certain", p < 1 or result.pvalue == 1)
    _check_sequential(case, held, p)
    _check_bootstrap(case, held, rng)


def _check_sequential(case, held, p):
    u, v = map(list, zip(*case["rows"]))
    alpha, epsilon, k = case["alpha"], case["epsilon"], case["k"]
    options = {
        "epsilon": epsilon,
        "k": k,
        "max_samples": 30,
        "rng": case["seed"],
        "alternative": "greater",
    }
    result = exactperm.sequential_monte_carlo(u, v, oracle.total_difference, alpha, **options)
    try:
        lower, upper = boundaries(alpha, epsilon, k, result.samples)
    except Tie:
        return
    if result.significant is None:
        held.true("undecided", result.samples == 30 and lower < result.count < upper, result)
    else:
        held.true(
            "decided",
            result.count <= lower if result.significant else result.count >= upper,
            result,
        )
    held.true(
        "certain", p < 1 or (result.count == result.samples and not result.significant), result
    )


class Tie(Exception):
    """A sum of probabilities meets its limit exactly: fixed point, rounded up, decides otherwise than fractions."""


def _at_most(x, limit):
    if x == limit:
        raise Tie
    return x < limit


def boundaries(alpha, epsilon, k, samples):
    """(L_n, U_n) after so many samples, from the definition in exact fractions."""
    alive, above, below = {0: Fraction(1)}, Fraction(0), Fraction(0)
    for n in range(1, samples + 1):
        after = {}
        for x, w in alive.items():
            after[x] = after.get(x, 0) + w * (1 - alpha)
            after[x + 1] = after.get(x + 1, 0) + w * alpha
        allowed = epsilon * Fraction(n, n + k)
        upper = min(
            j
            for j in range(n + 2)
            if _at_most(above + sum(w for x, w in after.items() if x >= j), allowed)
        )
        lower = max(
            j
            for j in range(-1, n + 1)
            if _at_most(below + sum(w for x, w in after.items() if x <= j), allowed)
        )
        above += sum(w for x, w in after.items() if x >= upper)
        below += sum(w for x, w in after.items() if x <= lower)
        alive = {x: w for x, w in after.items() if lower < x < upper}
    return lower, upper


def _check_bootstrap(case, held, rng):
    scores, K, seed = [u for u, _ in case["rows"]], case["K"], case["seed"]
    options = {"rng": seed, "confidence": cases.spelled(rng, case["confidence"])}
    interval = exactperm.bootstrap_interval(cases.written(rng, scores), K, **options)
    mirrored = exactperm.bootstrap_interval([-x for x in scores], K, **options)
    means = {Fraction(sum(choice)) / len(scores) for choice in _draws(scores)}
    held.true(
        "ends",
        {interval.lower, interval.upper} <= means and interval.lower <= interval.upper,
        interval,
    )
    held.same("mirrored", (-mirrored.upper, -mirrored.lower), (interval.lower, interval.upper))
    held.same("mean", interval.statistic, Fraction(sum(scores)) / len(scores))
    u, v = zip(*case["rows"])
    paired = exactperm.paired_bootstrap(cases.written(rng, u), cases.written(rng, v), K, rng=seed)
    differences = [a - b for a, b in case["rows"]]
    held.same("difference", paired.difference, Fraction(sum(differences)) / len(u))
    held.true("never", min(differences) <= 0 or paired.count == 0, paired)
    held.true("always", max(differences) > 0 or paired.count == K, paired)


def _draws(scores):
    draws = [()]
    for _ in scores:
        draws = [(*draw, x) for draw in draws for x in scores]
    return draws
