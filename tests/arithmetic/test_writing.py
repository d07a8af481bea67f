"""Exact numbers as text, on every interpreter."""

import math
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
from exactperm.arithmetic.rational import log10
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


class TestWriting:
    @given(st.integers(), st.integers(0, 3000))
    def test_integer_text(self, n, power):
        n = n * 10**power + 1
        digits = integer_text(n)
        value = 0
        for start in range(0, len(digits.lstrip("-")), 1000):
            piece = digits.lstrip("-")[start : start + 1000]
            value = value * 10 ** len(piece) + int(piece)
        assert (value if n >= 0 else -value) == n

    @pytest.mark.parametrize(
        ("value", "digits", "text"),
        [
            (Fraction(863, 32768), 6, "0.0263367"),
            (Fraction(1, 2**199), 6, "1.24460e-60"),
            (1, 4, "1.000"),
            (0, 3, "0.00"),
            (Fraction(1, 3), 1, "0.3"),
            (Fraction(-2, 3), 3, "-0.667"),
            (Fraction(25, 1000), 1, "0.02"),  # a tie: to even
            (Fraction(35, 1000), 1, "0.04"),
            (Fraction(9996, 10000), 3, "1.00"),  # carries into a new digit
            (123456, 6, "123456"),
            (123456, 3, "1.23e+05"),
            (1234567, 6, "1.23457e+06"),
            (1, 1, "1"),
            (10, 1, "1e+01"),
            (Fraction(123456, 100), 5, "1234.6"),
            (Fraction(1, 10**5), 2, "0.000010"),
            (Fraction(1, 10**6), 2, "1.0e-06"),
            (Fraction(1, 10**100), 1, "1e-100"),
            ("0.5", 2, "0.50"),
        ],
    )
    def test_decimal_string(self, value, digits, text):
        assert decimal_string(value, digits) == text

    @pytest.mark.slow
    @given(st.fractions(), st.integers(1, 40))
    def test_decimal_string_is_correctly_rounded(self, value, digits):
        text = decimal_string(value, digits)
        written = exact(text)
        if value == 0:
            assert written == 0
            return
        exponent = math.floor(log10(abs(Fraction(written))) + 1e-9)
        assert abs(written - value) * 2 <= Fraction(10) ** (exponent - digits + 1)

    @given(st.integers(1, 10**30), st.integers(0, 400))
    def test_decimal_string_agrees_with_decimal(self, numerator, power):
        value = Fraction(numerator, 2**power)
        # 28 digits, then rounded: agrees unless at a tie
        wanted = f"{Decimal(numerator) / 2 ** Decimal(power):.16e}"
        assert exact(decimal_string(value, 17)) == exact(wanted)

    @pytest.mark.parametrize("digits", [0, -1, 10**6 + 1, 10**7])
    def test_decimal_string_has_a_bearable_number_of_digits(self, digits):
        message = f"digits is {digits}: it must be between 1 and 1000000"
        assert complaint(ExactPermError, lambda: decimal_string(1, digits)) == message

    @pytest.mark.parametrize("digits", [True, 1.5, None])
    def test_decimal_string_needs_an_int(self, digits):
        assert (
            complaint(WrongType, lambda: decimal_string(1, digits))
            == f"digits is {digits}: it must be an int"
        )

    @pytest.mark.slow
    @given(st.fractions())
    def test_text_goes_both_ways(self, value):
        assert parse_exact(exact_text(value)) == value
        assert parse_exact(exact_text(value.numerator)) == value.numerator

    def test_text_is_decimal_up_to_six_hundred_digits(self):
        assert exact_text(10**590) == str(10**590)
        for n in (10**601, -HUGE):
            assert exact_text(n) == hex(n)
            assert exact_text(Fraction(n, 3)) == f"{n:#x}/0x3"
        assert exact_text(Fraction(3, HUGE)) == f"0x3/{HUGE:#x}"
        assert (parse_exact(exact_text(Fraction(HUGE, 2))) == Fraction(HUGE, 2)) is True
        assert type(parse_exact("6/3")) is int

    @pytest.mark.parametrize("text", ["", "/", "1/0", "x", "1/2/3", "0.5", "0x", "-"])
    def test_parse_refuses_anything_else(self, text):
        message = f"{text!r} is not the text of an exact number"
        assert complaint(ExactPermError, lambda: parse_exact(text)) == message

    @pytest.mark.parametrize(
        ("value", "number", "short"),
        [
            (Fraction(157, 50), "3.14", "3.14"),
            (-7, "-7", "-7"),
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
    @given(st.fractions(min_value=-(10**12), max_value=10**12, max_denominator=10**9))
    def test_number_text_reads_back(self, value):
        assert exact(number_text(value)) == value

    @given(st.integers(-(10**9), 10**9), st.integers(0, 30))
    def test_terminating_numbers_are_decimals(self, digits, places):
        assert re.fullmatch(r"-?\d+(\.\d*[1-9])?", number_text(Fraction(digits, 10**places)))

    def test_fractions_for_people(self):
        """A power of two is written as one from 2^30 on, digits are left out from 2^79 on."""
        assert fraction_text(Fraction(1, 2**29)) == "1/536870912"
        assert fraction_text(Fraction(1, 2**30)) == "1/2^30"
        assert fraction_text(Fraction(2**79 - 1, 2**90)) == f"{2**79 - 1}/2^90"
        assert fraction_text(Fraction(2**79 + 1, 2**90)) == "604462...353089 (24 digits)/2^90"
        assert fraction_text(Fraction(863, 32768)) == "863/32768"
        assert fraction_text(Fraction(1)) == "1"
        assert fraction_text(Fraction(10701, 2**39)) == "10701/2^39"
        assert fraction_text(Fraction(3**100, 2**200)) == "515377...522001 (48 digits)/2^200"


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
