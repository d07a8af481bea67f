"""Numbers of answers, tolerances, and distances."""

import math
from fractions import Fraction

import pytest

from exactperm import ExactPermError
from exactperm.testing.numbers import double, fault, number


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/8", Fraction(3, 8)),
        ("1/2^199", Fraction(1, 2**199)),
        ("0x1.8p-3", Fraction(3, 16)),
        ("-0x3/0x8", Fraction(-3, 8)),
        (f"0x1/{2**9000:#x}", Fraction(1, 2**9000)),
        (" 0.375 ", Fraction(3, 8)),
        ("1e-400", Fraction(1, 10**400)),
        (0.1, Fraction(0.1)),
        (1, 1),
        ("inf", math.inf),
        ("-Infinity", -math.inf),
        (math.inf, math.inf),
    ],
)
def test_numbers_are_read(text, value):
    assert number(text) == value


@pytest.mark.parametrize("text", ["NaN", "nan", "NA", math.nan])
def test_nan_is_read(text):
    assert math.isnan(number(text))


@pytest.mark.parametrize(
    "text",
    [
        "0x1.zp3",
        "0x1/0x0",
        "0x1/z",
        "0x" + "1" * 10**5,
        "five",
        "",
        None,
        [1],
        True,
        "1/2^99999999",
        "1e999999999",
    ],
)
def test_other_texts_are_refused(text):
    with pytest.raises(ExactPermError):
        number(text)


def test_values_beyond_the_doubles_have_words():
    assert double(Fraction(-(10**400))) == -math.inf
    assert fault(Fraction(10**400), Fraction(1, 4)) == "1.00000e+400, exact 1/4 = 0.250000"
    assert fault(Fraction(1, 8), Fraction(1, 2**100)).startswith("0.125000, exact 7.88861e-31")
    assert fault(math.nan, Fraction(7)) == "nan, exact 7"
