"""Expected values that other projects print in their documentation, to the digits printed."""

import pytest

from exactperm import adjust_pvalues, decimal_string, sign_flip_test, wilcoxon_signed_rank_test

BH = "0.0001 0.0004 0.0019 0.0095 0.0201 0.0278 0.0298 0.0344 0.0459 0.3240 0.4262 0.5719 0.6528 0.7590 1"
FEW = "0.50 0.003 0.32 0.054 0.0003"

ADJUSTED = [
    (
        "SciPy, stats.false_discovery_control, examples (the data of Benjamini and Hochberg 1995)",
        "fdr_bh",
        BH,
        "0.0015 0.003 0.0095 0.035625 0.0603 0.06385714 0.06385714 0.0645 0.0765 0.486 0.58118182 0.714875 0.75323077 "
        "0.81321429 1",
    ),
    ("pingouin, multicomp, examples", "fdr_bh", FEW, "0.5 0.0075 0.4 0.09 0.0015"),
    ("pingouin, multicomp, examples", "holm", FEW, "0.64 0.012 0.64 0.162 0.0015"),
    ("pingouin, multicomp, examples", "bonferroni", FEW, "1 0.015 1 0.27 0.0015"),
]
"""(project and page, method, p-values, adjusted p-values)."""

MAIZE = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
FIRST = ["1.83", "0.50", "1.62", "2.48", "1.68", "1.88", "1.55", "3.06", "1.30"]
SECOND = ["0.878", "0.647", "0.598", "2.05", "1.06", "1.29", "1.06", "3.14", "1.29"]

TESTED = [
    ("SciPy, stats.wilcoxon, examples", MAIZE, [0] * 15, "two-sided", "0.041259765625"),
    ("SciPy, stats.wilcoxon, examples", MAIZE, [0] * 15, "greater", "0.0206298828125"),
    ("R, stats::wilcox.test, examples (Hollander and Wolfe 1973)", FIRST, SECOND, "greater", "0.01953"),
]
"""(project and page, u, v, alternative, p-value of the signed-rank test)."""


def digits(text):
    """The number of significant digits of a decimal."""
    return len(text.replace(".", "").lstrip("0"))


@pytest.mark.parametrize(("source", "method", "given", "printed"), ADJUSTED)
def test_adjusted_p_values(source, method, given, printed):
    for ours, theirs in zip(adjust_pvalues(given.split(), method).adjusted, printed.split()):
        assert float(decimal_string(ours, digits(theirs))) == float(theirs), source


@pytest.mark.parametrize(("source", "u", "v", "alternative", "printed"), TESTED)
def test_signed_ranks(source, u, v, alternative, printed):
    p = wilcoxon_signed_rank_test(u, v, alternative=alternative).pvalue
    assert decimal_string(p, digits(printed)) == printed, source


def test_fisher_1935():
    """The Design of Experiments, section 21: 863 of 32,768 in one tail, and as many in the other."""
    maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert sign_flip_test(maize, alternative="greater").count == 863
    assert sign_flip_test(maize).count == 1726
