"""The comparison for tests says what is wrong."""

import math
from fractions import Fraction

import pytest

from exactperm import ExactPermError, fast_permutation_test, sign_flip_test
from exactperm.testing.matching import assert_matches

RESULT = sign_flip_test([6, 8, 14, -16, 23])


def test_right_answers_pass():
    assert_matches(RESULT.pvalue, RESULT)
    assert_matches(float(RESULT.pvalue), RESULT)
    assert_matches("1/3", Fraction(1, 3))
    assert_matches(1 / 3, Fraction(1, 3))
    assert_matches(1 / 3 + 2**-54, Fraction(1, 3), ulp=1)
    assert_matches(0.25, "1/4")
    assert_matches(0.3333, Fraction(1, 3), rel="1e-3")
    assert_matches(0.5, fast_permutation_test([3, 1], [0, 0]))


@pytest.mark.parametrize(
    ("got", "words"),
    [
        (10**400, "exact"),
        (0.123, "times the exact value$"),
        (math.nan, "nan, exact"),
        (0.0, "0.00000, exact"),
    ],
)
def test_wrong_answers_are_explained(got, words):
    with pytest.raises(AssertionError, match=words):
        assert_matches(got, RESULT, ulp=4)


def test_no_more_than_one_tolerance():
    with pytest.raises(ExactPermError, match="not both"):
        assert_matches(1, RESULT, ulp=1, rel=1e-9)


def test_one_unit_is_too_many_without_a_tolerance():
    with pytest.raises(AssertionError, match="1 ulp away"):
        assert_matches(1 / 3 + 2**-54, Fraction(1, 3))
