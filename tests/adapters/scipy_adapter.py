"""SciPy: permutation_test, wilcoxon, mannwhitneyu, binomtest and false_discovery_control."""

import numpy
import scipy
from scipy import stats

ABOUT = {
    "implementation": {"name": "SciPy", "version": scipy.__version__, "language": "Python"},
    "calls": [
        *("paired-permutation", "sign-flip", "wilcoxon", "mann-whitney"),
        *("sign", "mcnemar", "adjust"),
    ],
    "numbers": "binary64",
}
MOST = 14
"""Pairs up to which all swaps are enumerated."""

METHODS = {"fdr_bh": "bh", "fdr_by": "by"}


def answer(call, given, alternative):
    if call == "adjust":
        if given["method"] not in METHODS:
            raise NotImplementedError(f"no {given['method']}")
        return stats.false_discovery_control(
            [float(p) for p in given["pvalues"]], method=METHODS[given["method"]]
        )
    if call in ("sign", "mcnemar"):
        return binomial(call, given, alternative)
    if call == "sign-flip":
        u = [float(x) for x in given["d"]]
        return permutation(u, None, alternative)
    if "groups" in given:
        raise NotImplementedError("no groups")
    u, v = ([float(x) for x in given[name]] for name in "uv")
    if call == "mann-whitney":
        return unpaired(u, v, given, alternative)
    if call == "paired-permutation":
        return permutation(u, v, alternative)
    ties = len({abs(a - b) for a, b in zip(u, v)}) < len(u) or any(a == b for a, b in zip(u, v))
    if ties and len(u) > 13:
        raise NotImplementedError("asymptotic with ties, by default")
    zeros = given["zero_method"]
    method = "exact" if zeros == "zsplit" or not ties else "auto"
    return stats.wilcoxon(u, v, zero_method=zeros, alternative=alternative, method=method).pvalue


def unpaired(u, v, given, alternative):
    if len({*u, *v}) < len(u) + len(v) or "strata" in given:
        raise NotImplementedError("not exact with ties, as documented; no strata")
    return stats.mannwhitneyu(u, v, alternative=alternative, method="exact").pvalue


def binomial(call, given, alternative):
    if call == "sign":
        u, v = ([float(x) for x in given[name]] for name in "uv")
        b, c = sum(a > b for a, b in zip(u, v)), sum(a < b for a, b in zip(u, v))
    else:
        b, c = int(given["b"]), int(given["c"])
    return stats.binomtest(b, b + c, alternative=alternative).pvalue


def permutation(u, v, alternative):
    if len(u) > MOST:
        raise NotImplementedError(f"{len(u)} pairs")
    if v is None:
        return stats.permutation_test(
            (u,),
            numpy.sum,
            permutation_type="samples",
            alternative=alternative,
            n_resamples=2**MOST,
        ).pvalue
    return stats.permutation_test(
        (u, v),
        lambda a, b, axis: numpy.sum(a - b, axis=axis),
        permutation_type="samples",
        alternative=alternative,
        n_resamples=2**MOST,
        vectorized=True,
    ).pvalue
