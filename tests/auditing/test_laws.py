"""Certified tails of the normal and the t law: known values, closed forms, and the width that is promised."""

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.auditing import laws
from exactperm.auditing.laws import normal_tail


def t_tail(square, n):
    """The tail by the square of t."""
    return laws.t_tail(Fraction(square) / (n + Fraction(square)), n)


# Published to 20 digits: tables of the normal integral (Abramowitz and Stegun, tables 26.1 and
# 26.2).
KNOWN_NORMAL = {
    0: "0.5",
    1: "0.15865525393145705141",
    2: "0.022750131948179207200",
    5: "2.86651571879193911674e-7",
}


def narrow(enclosure):
    low, high = enclosure.ends()
    return (high - low) * 2**60 <= low


@pytest.mark.parametrize(("z", "digits"), KNOWN_NORMAL.items())
def test_known_values_of_the_normal_tail(z, digits):
    low, high = normal_tail(z * z).ends()
    assert all(abs(Fraction(digits) / end - 1) < Fraction(1, 10**18) for end in (low, high))


@pytest.mark.slow
@given(st.fractions(0, 900))
def test_the_normal_tail_is_near_erfc_and_narrow(square):
    enclosure = normal_tail(square)
    assert narrow(enclosure)
    about = math.erfc(math.sqrt(square / 2)) / 2
    # erfc(sqrt) loses up to 3 digits of 16
    assert abs(float(enclosure.ends()[0]) - about) <= 1e-12 * about


def test_both_expansions_of_the_normal_tail_agree(monkeypatch):
    for square in (Fraction(50), Fraction(127, 2), Fraction(81, 4)):
        find = normal_tail.__wrapped__  # what is kept is not asked
        by_series = find(square)
        with monkeypatch.context() as patch:
            patch.setattr("exactperm.auditing.laws._SERIES_BELOW", 0)
            by_fraction = find(square)
        assert by_series.ends()[0] <= by_fraction.ends()[1]
        assert by_fraction.ends()[0] <= by_series.ends()[1]
        assert narrow(by_fraction)


@pytest.mark.slow
@given(st.fractions(0, 10**6))
def test_one_degree_of_freedom_is_the_arctangent(square):
    low, high = t_tail(square, 1).ends()
    t = math.sqrt(square)
    about = math.atan2(1, t) / math.pi if t else 0.5
    assert abs(float(low) - about) <= 1e-14 * about
    assert (high - low) * 2**60 <= low


@pytest.mark.slow
@given(st.fractions(0, 10**6))
def test_two_degrees_of_freedom_have_a_closed_form(square):
    """P(T >= t) = (1 - t / sqrt(2 + t**2)) / 2: its square root is rational to check."""
    low, high = t_tail(square, 2).ends()
    share = square / (2 + square)
    assert (1 - 2 * high) <= 0 or (1 - 2 * high) ** 2 <= share
    assert share <= (1 - 2 * low) ** 2
    assert narrow(t_tail(square, 2))


@pytest.mark.slow
@given(st.integers(1, 60), st.fractions(0, 400))
def test_tails_fall_with_t_and_with_the_degrees_of_freedom(n, square):
    assert t_tail(square + 1, n).ends()[0] < t_tail(square, n).ends()[1]
    if square > 4:
        assert t_tail(square, n + 1).ends()[0] < t_tail(square, n).ends()[1]
        assert normal_tail(square).ends()[0] < t_tail(square, n).ends()[1]


# Critical values to 10 digits (any table of Student's t): P(T >= t) is the given level.
@pytest.mark.parametrize(
    "row",
    ["1 12.70620474 0.025", "9 2.262157163 0.025", "10 1.812461123 0.05", "30 2.749995654 0.005"],
)
def test_critical_values_of_t(row):
    df, t, level = row.split()
    n = int(df)
    low, _high = t_tail(Fraction(t) ** 2, n).ends()
    assert abs(low / Fraction(level) - 1) < Fraction(1, 10**8)
    assert narrow(t_tail(Fraction(t) ** 2, n))


def test_far_tails_keep_their_digits():
    assert narrow(t_tail(10**6, 40))
    assert narrow(t_tail(Fraction(10**9), 7))
    assert narrow(normal_tail(10**5))
    assert t_tail(0, 5).ends() == (Fraction(1, 2), Fraction(1, 2)) or t_tail(0, 4).ends()[
        1
    ] == Fraction(1, 2)


@pytest.mark.parametrize("n", [1, 2, 999, 1000])
def test_tails_of_students_t_beyond_all_floats(n):
    """With 1 degree of freedom P(T > t) is about 1 / (pi t); with more it is less."""
    low, high = t_tail(10**4000, n).ends()
    assert low == 0
    assert high < Fraction(1, 2**3990)
    low, high = t_tail(10**1000, 1).ends()
    assert Fraction(1, 4 * 10**500) < low <= high < Fraction(1, 3 * 10**500)
