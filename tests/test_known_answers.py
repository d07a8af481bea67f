"""Published and independently confirmed p-values; each says where it comes from and which mistake it catches.

The cases that other implementations get wrong were measured on: the authors' paired-perm-test at
55fb5e3, SciPy 1.17.1, mlxtend 0.25.0, sacrebleu 2.6.0, and R exactRankTests 0.8.35; their exact
values were confirmed by brute force, by a dictionary program over integers, and by FLINT's
polynomials. Scores are decimal texts, read as rationals.
"""

import math
from decimal import Decimal
from fractions import Fraction

import pytest

from complaint import refused
from exactperm.arithmetic.writing import decimal_string
from exactperm.errors import ExactPermError
from exactperm.permutation import permutation_test, sign_flip_test

DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
SLEEP = ["1.2", "2.4", "1.3", "1.3", "0", "1", "1.8", "0.8", "4.6", "1.4"]


def test_fisher_darwin():
    """R. A. Fisher, The Design of Experiments (1935), section 21: 863 of 32,768 at least as large, 28 of them equal."""
    result = sign_flip_test(DARWIN, alternative="greater")
    assert (result.count, result.total, result.statistic) == (863, 32768, 314)
    assert result.point_probability == Fraction(28, 32768)  # a strict inequality would count 835
    assert result.midp == Fraction(849, 32768)
    # Student's sleep data (1908), the ten differences (R: exactRankTests::perm.test gives 0.003906)
    assert sign_flip_test(SLEEP).pvalue == Fraction(4, 1024)


@pytest.mark.parametrize(
    ("d", "pvalue"),
    [
        pytest.param(
            {1: 28, -1: 2}, Fraction(233, 2**28), id="cells below 1e-8 dropped: 8.55e-7, 8.66e-7"
        ),
        pytest.param(
            {1: 37, -1: 3}, Fraction(10701, 2**39), id="cells below 1e-8 dropped: 1.254e-8, 0.0"
        ),
        pytest.param({1: 200}, Fraction(1, 2**199), id="below 1e-8: 0"),
        pytest.param(
            {1: 60, -1: 40, 0: 924},
            Fraction(4507126451608311512292345325, 2**96),
            id="N of 1,024 and more: 0, silently",
        ),
        pytest.param(
            ["0.5", "1.5", "-0.25", "2"], Fraction(1, 4), id="fractions ranked silently: .75"
        ),
        pytest.param(DARWIN, Fraction(863, 16384), id="two-sided Darwin"),
    ],
)
def test_differences(d, pvalue):
    assert sign_flip_test(d).pvalue == pvalue


def test_a_thousand_differences():
    """The authors' code prints 0; the value to six digits, and exactly as a sum of binomials."""
    result = sign_flip_test({1: 700, -1: 300})
    assert decimal_string(result.pvalue, 6) == "1.76657e-37"
    assert result.count == 2 * sum(math.comb(1000, k) for k in range(301))


@pytest.mark.parametrize(
    ("u", "v", "pvalue"),
    [
        pytest.param(".2 .2 .7 .6", ".5 .4 .4 .4", 1, id="a tie lost to floats: .875"),
        pytest.param(
            "20.97 43.6 29.12 55.97 30.09",
            "20.92 43.57 29.11 55.98 30.08",
            Fraction(1, 4),
            id="a tie lost: .125",
        ),
        pytest.param(".8 .4 .7", "1.2 0 .2", Fraction(3, 4), id="a tie lost: .5"),
        pytest.param(
            "1000000 1000000 3", "0 0 1", Fraction(1, 4), id="a false tie by tolerance: .5"
        ),
        pytest.param(
            "3e-9 3e-9 0", "0 1e-9 1e-9", Fraction(1, 2), id="a false tie by tolerance: 1.0"
        ),
        pytest.param("1 2 3", "1 2 3", 1, id="identical systems under a strict inequality: 0.0001"),
    ],
)
def test_columns(u, v, pvalue):
    u, v = u.split(), v.split()
    assert permutation_test(u, v).pvalue == pvalue
    for kind in (float, Decimal, Fraction):
        assert permutation_test(list(map(kind, u)), list(map(kind, v))).pvalue == pvalue


def test_missing_values_are_an_error():
    """Other implementations return p = 0.0, or read beyond their arrays."""
    calls = {
        "u[1] is nan: the value is missing": lambda: permutation_test([1.0, math.nan], [0.0, 1.0]),
        "u has 3 entries and v has 1": lambda: permutation_test([1, 2, 3], [1]),
    }
    refused(ExactPermError, calls)


def test_integers_do_not_wrap_or_lose_digits():
    """int8 differences of 200 wrap around (.5, .625); 2**70 loses digits as a float (1.0)."""
    assert permutation_test([100, 100, 100], [-100, 0, 0]).pvalue == Fraction(1, 4)
    assert permutation_test([2**70, 5, 1], [0, 2, 0]).pvalue == Fraction(1, 4)
