"""Numbers of answers, tolerances, and distances."""

import math
from fractions import Fraction

import pytest

from exactperm import ExactPermError
from exactperm.testing.numbers import Tolerance, number, ulps_between


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("3/8", Fraction(3, 8)),
        ("1/2^199", Fraction(1, 2**199)),
        ("0x1.8p-3", Fraction(3, 16)),
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
    "text", ["0x1.zp3", "five", "", None, [1], True, "1/2^99999999", "1e999999999"]
)
def test_other_texts_are_refused(text):
    with pytest.raises(ExactPermError):
        number(text)


@pytest.mark.parametrize("text", ["", "ulp", "ulp=-1", "ulp=x", "rel=2", "rel=", "near"])
def test_tolerances_that_are_none(text):
    with pytest.raises(ExactPermError, match="is no tolerance"):
        Tolerance.read(text)


def test_distance_in_units_of_the_last_place():
    assert (
        ulps_between(
            1.0, math.nextafter(1.0, 2.0) if hasattr(math, "nextafter") else 1.0000000000000002
        )
        == 1
    )
    assert ulps_between(0.0, 5e-324) == 1
