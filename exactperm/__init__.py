"""Exact paired-permutation tests, in pure standard-library Python.

How often would the difference between two systems be at least as large as the observed one if their
outputs had been swapped at random, pair by pair? The p-value is a count of swap assignments, hence
an exact fraction.

Test two systems on the same items:
    permutation_test            entries of two systems; the difference or any other statistic
    sign_flip_test              paired differences, or a mapping {difference: number of pairs}
    sign_test, wilcoxon_signed_rank_test, mcnemar_test
                                the classical tests, exact with ties and zeros

Statistics for permutation_test:
    difference, mean_difference, accuracy, f1_difference, precision_difference, recall_difference,
    ratio_difference Statistic                   any other: h of sums of g(u_n, v_n)

Test two systems that ran several times on each item:
    permutation_test_runs       epochs, repeats, raters or seeds; the design says what is exchangeable
    fast_permutation_test_runs  certified bounds of its p-value, in floats, for any scores

Test two unpaired samples, or a sum of steps:
    two_sample_test             difference of means of samples of different items, with strata
    fast_two_sample_test        certified bounds of its p-value, in floats, for any scores
    mann_whitney_test           the same of ranks, exact with ties; van Elteren's test with strata
    sum_test, fast_sum_test     a sum of independent steps with weights: Poisson-binomial, Kendall

Plan a test of gains and losses:
    power, items_needed         exact power of the sign and McNemar tests, and the items that it needs

Decide fast, with certainty:
    fast_permutation_test, fast_sign_flip_test, fast_wilcoxon_signed_rank_test
                                certified bounds of the p-value, in floats, for any scores
    is_significant              whether p <= alpha

Estimate a shift:
    confidence_interval         all shifts that the exact test does not reject, with exact ends
    simultaneous_intervals      the same for all pairs of several systems, at a common level

Prove a p-value to others:
    certify                     a record that verifier.py checks without this package

Compare several systems:
    compare_all                 every pair of systems, adjusted for their number
    adjust_pvalues              Bonferroni, Holm, Hochberg, Hommel, Sidak, Tarone, false discovery rate
    influence                   the p-value without each single pair

Estimate where no exact count is possible:
    monte_carlo_test, sequential_monte_carlo
                                any statistic of two columns, from random swaps
    monte_carlo_estimate, monte_carlo_risk, monte_carlo_risk_bounds, samples_needed
                                the error of such estimates, computed exactly
    bootstrap_interval, paired_bootstrap
                                bootstrap intervals of a score and of a difference

The algorithms of the paper:
    exact_perm_test, exact_perm_test_m, convolve_dp, convolve_ntt, monte_carlo

Check published p-values:
    audit, audit_claim          claims against their data: verdicts with reasons
    Claim                       a printed p-value and all that is stated about it
    read_pvalue                 what a printed p-value can stand for
    attainable                  which p-values exist at all, without the data

Read files:
    read_scores                 scores of systems from CSV, JSON and logs of evaluation tools

Limits, errors and numbers:
    Budget                      limit of seconds and bytes that is checked before any work
    ExactPermError, WrongType, BudgetExceeded
    decimal_string              correctly rounded decimals of an exact number

>>> from exactperm import sign_flip_test
>>> sign_flip_test([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], alternative="greater").pvalue
Fraction(863, 32768)
"""

import sys

if sys.version_info < (3, 9):  # noqa: UP036 (said here, before a module fails on older syntax)
    raise ImportError(
        f"exactperm needs Python 3.9 or later; this is Python {sys.version.split()[0]}"
    )

__version__ = "0.2.0"

# Names load with their module when first used: importing the package itself costs next to nothing.
# Type checkers read the same names in __init__.pyi; a test holds the two together.
_HOMES = {
    "auditing.attainable": ("Attainable", "attainable"),
    "auditing.audit": ("audit", "audit_claim"),
    "auditing.claim": ("Claim",),
    "auditing.finding": ("Finding",),
    "auditing.report": ("AuditReport",),
    "auditing.text": ("PrintedPValue", "read_pvalue"),
    "classical.power": ("items_needed", "power"),
    "files.question": ("Scores", "read_scores"),
    "montecarlo.bootstrap": (
        "BootstrapInterval",
        "PairedBootstrap",
        "bootstrap_interval",
        "paired_bootstrap",
    ),
    "certificates.certify": ("certify",),
    "classical.paired": (
        "fast_wilcoxon_signed_rank_test",
        "mcnemar_test",
        "sign_test",
        "wilcoxon_signed_rank_test",
    ),
    "intervals.confidence": ("ConfidenceInterval", "confidence_interval"),
    "intervals.simultaneous": ("PairInterval", "SimultaneousIntervals", "simultaneous_intervals"),
    "compare": ("Comparison", "Leaderboard", "compare_all"),
    "budget": ("Budget",),
    "counting.dp": ("convolve_dp",),
    "counting.ntt": ("convolve_ntt",),
    "null.distribution": ("NullDistribution",),
    "errors": ("BudgetExceeded", "ExactPermError", "WrongType"),
    "arithmetic.writing": ("decimal_string",),
    "fast": ("Decision", "fast_permutation_test", "fast_sign_flip_test", "is_significant"),
    "classical.influence": ("Influence", "influence"),
    "swaps.metrics": (
        "accuracy",
        "f1_difference",
        "mean_difference",
        "precision_difference",
        "ratio_difference",
        "recall_difference",
    ),
    "montecarlo.sampling": ("MonteCarloResult", "monte_carlo", "monte_carlo_test"),
    "multiplicity": ("AdjustedPValues", "adjust_pvalues"),
    "permutation": ("exact_perm_test", "exact_perm_test_m", "permutation_test", "sign_flip_test"),
    "null.float_result": ("FloatResult",),
    "null.result": ("PermutationTestResult",),
    "samples": (
        "fast_permutation_test_runs",
        "fast_sum_test",
        "fast_two_sample_test",
        "mann_whitney_test",
        "permutation_test_runs",
        "sum_test",
        "two_sample_test",
    ),
    "montecarlo.risk": (
        "MonteCarloEstimate",
        "monte_carlo_estimate",
        "monte_carlo_risk",
        "monte_carlo_risk_bounds",
        "samples_needed",
    ),
    "montecarlo.sequential": ("SequentialResult", "sequential_monte_carlo"),
    "swaps.statistic": ("Statistic", "difference"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)  # noqa: PLE0605 (a list of names all the same)


def __getattr__(name: str) -> object:
    """Return the public name, from its module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    wing = _HOME[name].partition(".")[0]
    try:
        module = import_module(f"{__name__}.{_HOME[name]}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{wing}":
            raise
        raise AttributeError(f"{name}: this copy of exactperm is without {wing}") from None
    value = getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> "list[str]":
    """Return all public names, loaded or not."""
    return sorted({*globals(), *__all__})
