"""Fractions over a power of two, logarithms and common denominators of exact numbers."""

import math
import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.rational import common_multiple, dyadic, log10
from exactperm.errors import BudgetExceeded, ExactPermError


class TestDyadic:
    @given(st.integers(1, 2**200), st.integers(0, 220))
    def test_it_is_the_reduced_fraction(self, numerator, power):
        made, wanted = dyadic(numerator, power), Fraction(numerator, 2**power)
        assert (made.numerator, made.denominator) == (wanted.numerator, wanted.denominator)
        assert hash(made) == hash(wanted)
        assert made + 1 == wanted + 1
        assert pickle.loads(pickle.dumps(made)) == wanted


class TestLogarithm:
    @pytest.mark.parametrize(
        ("value", "logarithm"),
        [
            (10, 1.0),
            pytest.param(Fraction(1, 10**5000), -5000.0, id="far below the smallest float"),
            pytest.param(10**5000, 5000.0, id="far above the largest float"),
            (Fraction(10**20 - 1, 10**20), -4.342944819032518e-21),
        ],
    )
    def test_known_values(self, value, logarithm):
        assert math.isclose(log10(value), logarithm, rel_tol=4e-16)

    @pytest.mark.parametrize("value", [2, Fraction(1, 2)])
    def test_at_the_ends_of_what_is_next_to_one(self, value):
        assert log10(value) == math.log10(value)

    @given(st.integers(-20000, 20000))
    def test_powers_of_two(self, power):
        assert math.isclose(
            log10(Fraction(2) ** power), power * 0.30102999566398119521, rel_tol=4e-16
        )

    @pytest.mark.parametrize("value", [0, -1, Fraction(-1, 3)])
    def test_needs_a_positive_number(self, value):
        with pytest.raises(ExactPermError, match="log10 needs a positive number"):
            log10(value)


class TestCommonDenominator:
    """That it is the least is shown where columns are scaled."""

    def test_no_bearable_multiple(self):
        with pytest.raises(BudgetExceeded, match="1000000 numbers have no common denominator"):
            common_multiple([3**2000], 10**6)
