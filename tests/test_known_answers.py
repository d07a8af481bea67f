"""Published p-values; the vectors of tests/testing have those that other implementations get wrong."""

import math
from fractions import Fraction

from complaint import refused
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


def test_missing_values_are_an_error():
    """Other implementations return p = 0.0, or read beyond their arrays."""
    calls = {
        "u[1] is nan: the value is missing": lambda: permutation_test([1.0, math.nan], [0.0, 1.0]),
        "u has 3 entries and v has 1": lambda: permutation_test([1, 2, 3], [1]),
    }
    refused(ExactPermError, calls)
