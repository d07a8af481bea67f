"""Exact numbers as text, on every interpreter."""

import re
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from complaint import complaint
from exactperm.arithmetic.quoting import short_text
from exactperm.arithmetic.reading import exact
from exactperm.arithmetic.writing import (
    decimal_string,
    exact_text,
    fraction_text,
    integer_text,
    number_text,
    parse_exact,
    plain,
    probability_text,
    readable,
    value_text,
)
from exactperm.errors import ExactPermError, WrongType

HUGE = 7**30000  # 25,353 digits: beyond every interpreter's digits limit


denominators = st.one_of(
    st.integers(1, 10**9),
    st.integers(0, 400).map(lambda power: 2**power),
    st.integers(0, 9).map(lambda power: 10**power),
)


class TestWriting:
    @given(st.integers(), st.integers(0, 3000))
    def test_integer_text(self, n, power):
        n = n * 10**power + 1
        assert integer_text(n) == str(n)

    @pytest.mark.parametrize(
        ("value", "digits", "text"),
        [
            (0, 3, "0.00"),
            (Fraction(-2, 3), 3, "-0.667"),
            (Fraction(25, 1000), 1, "0.02"),  # a tie: to even
            (Fraction(35, 1000), 1, "0.04"),
            (Fraction(9996, 10000), 3, "1.00"),  # carries into a new digit
            (123456, 6, "123456"),
            (1234567, 6, "1.23457e+06"),
            (10, 1, "1e+01"),
            (Fraction(1, 10**5), 2, "0.000010"),
            (Fraction(1, 10**6), 2, "1.0e-06"),
            ("0.5", 2, "0.50"),
        ],
    )
    def test_decimal_string(self, value, digits, text):
        assert decimal_string(value, digits) == text

    @given(st.integers().filter(bool), denominators, st.integers(1, 20))
    def test_decimal_string_is_correctly_rounded(self, numerator, denominator, digits):
        value = Fraction(numerator, denominator)
        text = decimal_string(value, digits)
        unit = Fraction(10) ** ((Decimal(numerator) / denominator).adjusted() - digits + 1)
        assert exact(text) == round(value / unit) * unit  # half to even
        assert len(text.partition("e")[0].lstrip("-0.").replace(".", "")) == digits
        assert ("e" in text) is not (-5 <= Decimal(text).adjusted() < digits)

    @pytest.mark.parametrize("digits", [0, -1, 10**6 + 1, 10**7, True, 1.5, None])
    def test_decimal_string_has_a_bearable_number_of_digits(self, digits):
        kind = ExactPermError if type(digits) is int else WrongType
        told = f"digits is {digits}: it must be "
        assert complaint(kind, lambda: decimal_string(1, digits)).startswith(told)

    @given(st.fractions(), st.integers(-(10**3999), 10**3999))
    def test_text_goes_both_ways(self, value, long):
        for number in (value, value.numerator, long):
            assert parse_exact(exact_text(number)) == number
        assert parse_exact(str(long)) == long

    def test_text_is_decimal_up_to_six_hundred_digits(self):
        assert exact_text(10**590) == str(10**590)
        for n in (10**601, -HUGE):
            assert exact_text(n) == hex(n)
            assert exact_text(Fraction(n, 3)) == f"{n:#x}/0x3"
        assert exact_text(Fraction(3, HUGE)) == f"0x3/{HUGE:#x}"
        assert (parse_exact(exact_text(Fraction(HUGE, 2))) == Fraction(HUGE, 2)) is True
        assert type(parse_exact("6/3")) is int

    @pytest.mark.parametrize(
        "value",
        [
            *("", "/", "1/0", "x", "1/2/3", "0.5", "0x", "-", "+1", " 1", "1_0", "0b1", "0X1"),
            *("1/-2", "1/0x0", "0x1F", "1" * 4001, "٣", 1, None, b"1", 0.5),
        ],
        ids=short_text,
    )
    def test_parse_refuses_anything_else(self, value):
        kind = ExactPermError if isinstance(value, str) else WrongType
        told = f"{short_text(value)} is not the text of an exact number"
        assert complaint(kind, lambda: parse_exact(value)) == told

    @pytest.mark.parametrize(
        ("value", "number", "short"),
        [
            (Fraction(-1, 4), "-0.25", "-0.25"),
            (Fraction(1, 3), "1/3", "0.3333333333"),
            (Fraction(1, 10**30), "0." + "0" * 29 + "1", "1.000000000e-30"),
            (Fraction(1, 10**31), f"1/1{'0' * 31}", "1.000000000e-31"),
            (2**200, str(2**200), "1.606938044e+60"),
            (0, "0", "0"),
            (Fraction(2**200 - 1, 2), f"{2**199 - 1}.5", "8.034690221e+59"),
            (Fraction(2**200 + 1, 2), f"{2**200 + 1}/2", "8.034690221e+59"),
        ],
    )
    def test_numbers_for_people(self, value, number, short):
        assert (number_text(value), readable(value)) == (number, short)
        assert exact(number_text(value)) == value

    @pytest.mark.slow
    @given(st.fractions(max_denominator=10**9), st.integers(-(10**9), 10**9), st.integers(0, 30))
    def test_number_text_reads_back(self, value, digits, places):
        decimal = Fraction(digits, 10**places)
        assert [exact(number_text(x)) for x in (value, decimal)] == [value, decimal]
        assert re.fullmatch(r"-?\d+(\.\d*[1-9])?", number_text(decimal))

    def test_fractions_for_people(self):
        """A power of two is written as one from 2^30 on, digits are left out from 2^79 on."""
        assert fraction_text(Fraction(1, 2**29)) == "1/536870912"
        assert fraction_text(Fraction(1, 2**30)) == "1/2^30"
        assert fraction_text(Fraction(2**79 - 1, 2**90)) == f"{2**79 - 1}/2^90"
        assert fraction_text(Fraction(2**79 + 1, 2**90)) == "604462...353089 (24 digits)/2^90"


_LOW_LIMIT = """
import json, pickle, sys
from fractions import Fraction
import exactperm
from exactperm.arithmetic.reading import exact
from exactperm.arithmetic.writing import parse_exact
from exactperm.arithmetic.writing import decimal_string, exact_text, integer_text

assert sys.get_int_max_str_digits() == 640
long = "7" * 4000
seven = 7 * (10**4000 - 1) // 9
assert exact(long) == seven and exact("-" + long[1:]) == -(seven // 10)
assert exact(long[:1999] + "/" + long[:2000]) == Fraction(seven // 10**2001, seven // 10**2000)
assert exact("0." + long[2:]) == Fraction(seven // 100, 10**3998)
if sys.implementation.name != "pypy":  # its decimals, written in Python, need the digits themselves
    assert exact(__import__("decimal").Decimal(long)) == seven
assert exact("1e4000") == 10**4000 and exact(1e300) == 10**300
for value in (seven, -seven, Fraction(seven, 2**9000), 10**700, 7**9000):
    assert parse_exact(json.loads(json.dumps(exact_text(value)))) == value
assert integer_text(seven) == long and len(decimal_string(Fraction(1, 3), 5000)) == 5002
for bad in ("1e" + long[5:], "1e-" + long[5:], long + "7", "x" + long[2:]):
    try:
        exact(bad)
    except exactperm.ExactPermError:
        continue
    raise AssertionError(bad)

result = exactperm.sign_flip_test({1: 3000, -1: 2900})
again = type(result).from_dict(json.loads(json.dumps(result.to_dict())))
assert again == result and pickle.loads(pickle.dumps(result)) == result
assert "PermutationTestResult(" in repr(result) and "digits" in repr(result)
repr(result.null_distribution)
big = exactperm.permutation_test([10**900, 1], [0, 10**900 - 3])
assert type(big).from_dict(json.loads(json.dumps(big.to_dict()))) == big
try:
    exactperm.permutation_test(["1e700", "x"], [1, 2])
except exactperm.ExactPermError as error:
    assert str(error).startswith("u[1] is 'x'")
"""


@pytest.mark.skipif(
    not hasattr(sys, "get_int_max_str_digits"), reason="this interpreter has no digits limit"
)
def test_a_host_with_the_lowest_digits_limit():
    """640 digits, the least that CPython admits, for reading, writing, records and messages."""
    command = [sys.executable, "-X", "int_max_str_digits=640", "-c", _LOW_LIMIT]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("decimal", "text"),
    [
        ("7.39e-02", "0.0739"),
        ("7.39e-05", "0.0000739"),
        ("7.39e-06", "7.39e-06"),
        ("2.0e+03", "2.0e+03"),
        ("0.5", "0.5"),
        ("5e-01", "0.5"),
        ("0", "0"),
    ],
)
def test_decimals_without_powers_of_ten(decimal, text):
    assert plain(decimal) == text
    assert Fraction(text) == Fraction(decimal)


def test_fractions_beside_their_decimals():
    assert probability_text(Fraction(1)) == "1.000000000, exactly 1"
    assert probability_text(Fraction(3**30, 2**200), 3) == f"1.28e-46, exactly {3**30}/2^200"
    assert probability_text(Fraction(3**60, 2**200), 3) == "2.64e-32"
    assert [value_text(x) for x in (7, Fraction(1, 4), Fraction(1, 3))] == [
        "7",
        "0.25",
        "0.3333333333 = 1/3",
    ]
