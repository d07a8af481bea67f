"""Fractions over a power of two, logarithms and common denominators of exact numbers."""

import math
import pickle
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import complaint
from exactperm.arithmetic.rational import common_denominator, common_multiple, dyadic, log10, scaled
from exactperm.errors import BudgetExceeded, ExactPermError


class TestDyadic:
    @given(st.integers(1, 2**200), st.integers(0, 220))
    def test_it_is_the_reduced_fraction(self, numerator, power):
        made, wanted = dyadic(numerator, power), Fraction(numerator, 2**power)
        assert (made.numerator, made.denominator) == (wanted.numerator, wanted.denominator)
        assert hash(made) == hash(wanted)
        assert made + 1 == wanted + 1
        assert pickle.loads(pickle.dumps(made)) == wanted

    def test_a_large_one(self):
        numerator = random.Random(1).getrandbits(5000) << 17
        assert (dyadic(numerator, 6000) == Fraction(numerator, 2**6000)) is True


class TestLogarithm:
    @pytest.mark.parametrize(
        ("value", "logarithm"),
        [
            (1, 0.0),
            (10, 1.0),
            pytest.param(Fraction(1, 10**5000), -5000.0, id="far below the smallest float"),
            pytest.param(10**5000, 5000.0, id="far above the largest float"),
            (Fraction(10**20 - 1, 10**20), -4.342944819032518e-21),
            (Fraction(1, 2), -0.3010299956639812),
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
        assert (
            complaint(ExactPermError, lambda: log10(value))
            == f"log10 needs a positive number, not {value!r}"
        )


class TestCommonDenominator:
    @pytest.mark.slow
    @given(st.lists(st.one_of(st.integers(), st.fractions(max_denominator=60))))
    def test_it_is_the_least(self, numbers):
        scale = common_denominator(numbers, len(numbers))
        assert scale == math.lcm(*[x.denominator for x in numbers])
        assert [scaled(x, scale) for x in numbers] == [x * scale for x in numbers]

    def test_no_bearable_multiple(self):
        told = "1000000 numbers have no common denominator below 2**"
        assert complaint(BudgetExceeded, lambda: common_multiple([3**2000], 10**6)).startswith(told)
