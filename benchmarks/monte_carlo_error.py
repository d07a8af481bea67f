"""What Monte Carlo would have printed: its error and its wrong decisions, computed instead of simulated.

    python benchmarks/monte_carlo_error.py [--quick]

The draft measured the error by running Monte Carlo 25 times for each size and number of samples
(Tab. 2 and Fig. 3), and read from the noise that 20,000 samples are the minimum. With the exact p
of each pair of systems at hand, the mean error is a formula and the risk of a wrong decision a
binomial tail. Prints Markdown, writes two SVG pictures.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Iterable
from fractions import Fraction

import measure
from exactperm.arithmetic.writing import decimal_string
from exactperm.errors import BudgetExceeded
from exactperm.montecarlo.risk import monte_carlo_estimate, monte_carlo_risk_bounds, samples_needed
from exactperm.montecarlo.sampling import monte_carlo
from exactperm.permutation import permutation_test
from plots import line_plot
from tests.workload import paper_workload

FACTORS = {250: 0.95, 500: 0.96, 1000: 0.97, 2000: 0.98, 4000: 0.985, 8000: 0.99}
"""The draft's Tab. 2: the second system's mean accuracy is this share of the first one's."""

DRAFT_MEANS = {250: 0.0512, 500: 0.0189, 1000: 0.0153, 2000: 0.0202, 4000: 0.0170, 8000: 0.0360}
ALPHA = Fraction(1, 20)
SAMPLES = (500, 1000, 2000, 5000, 10_000, 20_000, 40_000, 80_000)
TYPICAL = (
    "0.000001",
    "0.0001",
    "0.001",
    "0.01",
    "0.03",
    "0.04",
    "0.045",
    "0.049",
    "0.05",
    "0.051",
    "0.06",
    "0.1",
)
LEAST_SHOWN = 1e-5  # of a risk in the picture


def exact_pvalues(n: int, seeds: Iterable[int]) -> list[Fraction]:
    """Exact two-sided p-values of simulated pairs of systems."""
    return [
        permutation_test(*paper_workload(n, seed=seed, factor=FACTORS[n])).pvalue for seed in seeds
    ]


def mean_relative_error(p: Fraction, K: int) -> float:
    """The mean of |b / K - p| / p over all runs of K samples."""
    return float(monte_carlo_estimate(p, K, adjusted=False).mean_error_bounds()[0] / p)


def risk(p: Fraction, K: int) -> Fraction:
    """The probability that a run of K samples decides wrongly at 0.05, to 19 digits."""
    return monte_carlo_risk_bounds(p, ALPHA, K, adjusted=False)[0]


def needed(p: Fraction) -> float:
    """The samples from which on a wrong decision has a probability of at most 1%."""
    try:
        return samples_needed(p, ALPHA, "0.01", adjusted=False) or math.inf
    except BudgetExceeded:  # above some five million
        return math.inf


def tab_2(pvalues: dict[int, list[Fraction]]) -> str:
    """The p-values of the draft's experiment, exact, beside those it prints."""
    rows = []
    for n, exact in pvalues.items():
        floats = list(map(float, exact))
        rejected = sum(p <= ALPHA for p in exact)
        spread = f"{statistics.mean(floats):.4f} ({statistics.stdev(floats):.4f})"
        rows.append((n, FACTORS[n], spread, DRAFT_MEANS[n], f"{statistics.median(floats):.4f}", f"{min(floats):.1e}",
                     f"{rejected} of {len(exact)}"))  # fmt: skip
    head = (
        "N",
        "factor",
        "mean p (deviation)",
        "mean p, draft",
        "median p",
        "least p",
        "p <= 0.05",
    )
    return measure.table(head, rows)


def fig_3(pvalues: dict[int, list[Fraction]]) -> tuple[str, str]:
    """Mean relative error against K: a table of the medians over the pairs of systems, a picture of the means."""
    errors = {
        n: {K: [mean_relative_error(p, K) for p in exact] for K in SAMPLES}
        for n, exact in pvalues.items()
    }
    rows = [
        (n, *(f"{statistics.median(by_k[K]):.3f}" for K in SAMPLES)) for n, by_k in errors.items()
    ]
    curves = {
        f"N = {n:,}": [(K, statistics.mean(by_k[K])) for K in SAMPLES] for n, by_k in errors.items()
    }
    picture = line_plot(
        curves,
        title="Mean relative error of a Monte Carlo p-value",
        x_label="samples K",
        y_label="mean of |estimate \N{MINUS SIGN} p| / p",
        log_x=True,
        log_y=True,
    )
    return measure.table(("N", *(f"K = {K:,}" for K in SAMPLES)), rows), picture


def by_pvalue() -> tuple[str, str]:
    """What K = 20,000 samples print for a given exact p, and the risk of a wrong decision against K."""
    rows = []
    for text in TYPICAL:
        p = Fraction(text)
        estimate = monte_carlo_estimate(p, 20_000, adjusted=False)
        low, high = map(float, estimate.interval())
        count = needed(p)
        shares = [decimal_string(x, 2) for x in (estimate.zero_probability, risk(p, 20_000))]
        samples = "no number" if count == math.inf else f"{count:,}"
        rows.append(
            (
                text,
                f"{mean_relative_error(p, 20_000):.3f}",
                f"{low:g} to {high:g}",
                *shares,
                samples,
            )
        )
    head = (
        "exact p",
        "relative error",
        "95% of runs print",
        "P(prints 0)",
        "P(wrong at 0.05)",
        "samples for 1% risk",
    )
    grid = [round(20 * 10 ** (i / 6)) * 10 for i in range(20)]
    curves = {
        f"p = {text}": [
            (K, x) for K in grid if (x := float(risk(Fraction(text), K))) >= LEAST_SHOWN
        ]
        for text in ("0.03", "0.04", "0.045", "0.048", "0.049", "0.05", "0.052", "0.06")
    }
    picture = line_plot(
        curves,
        title="Risk that Monte Carlo decides wrongly at 0.05",
        x_label="samples K",
        y_label="risk",
        log_x=True,
        log_y=True,
    )
    return measure.table(head, rows), picture


def claims(pvalues: dict[int, list[Fraction]]) -> str:
    """How often a 1% risk takes more samples than 20,000, or than L N."""
    rows = []
    for n, exact in pvalues.items():
        longest = max(map(max, paper_workload(n, seed=0)))
        counts = [needed(p) for p in exact]
        above = [
            f"{sum(x > most for x in counts)} of {len(counts)}" for most in (20_000, longest * n)
        ]
        rows.append(
            (n, longest * n, f"{statistics.median(counts):,.0f}", f"{max(counts):,.0f}", *above)
        )
    return measure.table(
        ("N", "L N", "median", "greatest", "need K > 20,000", "need K > L N"), rows
    )


def crossover() -> str:
    """How many samples fit in the time of the exact test, and what they are worth at p = 0.045."""
    rows = []
    for n in (*FACTORS, 10_000):
        u, v = paper_workload(n)
        tasks = {
            "exact": lambda u=u, v=v: permutation_test(u, v),
            "sampled": lambda u=u, v=v: monte_carlo(u, v, lambda a, b: a - b, abs, 5000, rng=1),
        }
        times = measure.median_seconds(tasks, seconds=0.5)
        K = max(1, round(5000 * times["exact"] / times["sampled"]))
        worth = [
            f"{float(value(Fraction('0.045'), K)):.2f}" for value in (mean_relative_error, risk)
        ]
        spent = [measure.shown_seconds(x) for x in (times["exact"], times["sampled"] / 5000)]
        rows.append((n, *spent, f"{K:,}", *worth))
    head = (
        "N",
        "exact test",
        "one sample",
        "samples in its time",
        "their relative error",
        "their risk at 0.05",
    )
    return measure.table(head, rows)


def main(arguments: list[str]) -> None:
    """Print the tables and write the pictures."""
    pvalues = {n: exact_pvalues(n, range(5 if "--quick" in arguments else 25)) for n in FACTORS}
    fig_3_table, fig_3_picture = fig_3(pvalues)
    p_table, p_picture = by_pvalue()
    measure.RESULTS.mkdir(exist_ok=True)
    (measure.RESULTS / "monte-carlo-error.svg").write_text(fig_3_picture, encoding="utf-8")
    (measure.RESULTS / "monte-carlo-risk.svg").write_text(p_picture, encoding="utf-8")
    print(TEXT.format(
        environment=measure.environment(), tab_2=tab_2(pvalues), fig_3=fig_3_table, by_pvalue=p_table,
        claims=claims(pvalues), crossover=crossover(),
    ))  # fmt: skip


TEXT = """\
# Monte Carlo against the exact p, without simulation

{environment}

## The p-values of the draft's experiment (its Tab. 2)

Pairs of systems from the paper's workload with the draft's factors, two-sided. The draft drew five pairs for each K;
with deviations larger than the means, agreement to within a factor of two is all there can be.

{tab_2}

## Mean relative error (its Fig. 3)

De Moivre's formula for the mean of |b / K - p|, divided by p; the median over the pairs of systems.

{fig_3}

![mean relative error against K](monte-carlo-error.svg)

The picture shows means over the pairs, as the draft does. They fall slowly, since they are led by the smallest p:
where K p is far below 1, nearly every run prints 0, a relative error of 1, and a rare one prints 1 / K, an error above
10, which the draft leaves out. For one p the error falls as 1 / sqrt(K p) throughout. No K is special, 20,000 included:
what looked like a limit there was the noise of 25 runs.

## What 20,000 samples print

{by_pvalue}

![risk against K](monte-carlo-risk.svg)

The number that suffices depends on the distance of p from alpha alone: some dozens at p = 0.001, a quarter of a million
at 0.049, and none at alpha itself, where the risk stays 1/2.

## "20,000 is the minimum" and "K > L N"

Samples from which on a wrong decision at 0.05 has a probability of at most 1%, for the pairs of systems above; L is the
greatest number of correct tokens in a sentence.

{claims}

Neither is a rule: most pairs need a few dozen samples, the few with p next to 0.05 any number, and N and L play no
part. But who knows which case it is knows p already.

## The crossover

Samples that this package's own Monte Carlo draws in the time of its exact test (the fastest way known here: one count
of random bits for each distinct difference), and what they are worth where p = 0.045.

{crossover}
"""

if __name__ == "__main__":
    main(sys.argv[1:])
