"""Exact paired-permutation tests, in pure standard-library Python.

How often would the difference between two systems be at least as large as the one seen, had their outputs been swapped
at random, pair by pair? The answer here is a count of swap assignments, hence an exact fraction.

>>> from exactperm import sign_flip_test
>>> sign_flip_test([49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48], alternative="greater").pvalue
Fraction(863, 32768)
"""

__version__ = "0.1.0"

# Names load with their module when first used: importing the package itself costs next to nothing. Type checkers read
# the same names in __init__.pyi; a test holds the two together.
_HOMES = {
    "montecarlo.bootstrap": ("bootstrap_interval", "paired_bootstrap"),
    "classical": ("mcnemar_test", "sign_test", "wilcoxon_signed_rank_test"),
    "compare": ("compare_all",),
    "budget": ("Budget",),
    "counting.dp": ("convolve_dp",),
    "counting.ntt": ("convolve_ntt",),
    "null.distribution": ("NullDistribution",),
    "errors": ("BudgetExceeded", "ExactPermError", "WrongType"),
    "arithmetic.writing": ("decimal_string",),
    "fast": ("Decision", "FloatResult", "fast_permutation_test", "is_significant"),
    "leave_one_out": ("influence",),
    "swaps.metrics": (
        "accuracy",
        "f1_difference",
        "mean_difference",
        "precision_difference",
        "ratio_difference",
        "recall_difference",
    ),
    "montecarlo.sampling": ("monte_carlo", "monte_carlo_test"),
    "multiplicity": ("adjust_pvalues",),
    "permutation": ("exact_perm_test", "exact_perm_test_m", "permutation_test", "sign_flip_test"),
    "null.result": ("PermutationTestResult",),
    "montecarlo.risk": ("monte_carlo_estimate", "monte_carlo_risk", "monte_carlo_risk_bounds", "samples_needed"),
    "montecarlo.sequential": ("sequential_monte_carlo",),
    "swaps.statistic": ("Statistic", "difference"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)  # noqa: PLE0605 (a list of names all the same)


def __getattr__(name: str) -> object:
    """The public name, from its module."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> "list[str]":
    """All public names, loaded or not."""
    return sorted({*globals(), *__all__})
