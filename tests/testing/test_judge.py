"""Verdicts: what is right, near enough, another reading or convention, wrong or impossible, and why."""

import math
from fractions import Fraction

import pytest

from exactperm import ExactPermError
from exactperm.testing import vectors
from exactperm.testing.judge import (
    Implementation,
    Tolerance,
    Truth,
    compared,
    exact_words,
    fault,
    judged,
    mistake,
    number,
    ulps_between,
)

ALL = vectors.load()
EXACT = Tolerance.read("exact")


def verdict(name, alternative="two-sided", **reply):
    options = {key: reply.pop(key) for key in ("other", "by", "tolerance") if key in reply}
    return judged(ALL[name], alternative, reply, **options)


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
        ("-Infinity", math.inf),
        (math.inf, math.inf),
    ],
)
def test_numbers_are_read(text, value):
    assert number(text) == value


@pytest.mark.parametrize("text", ["NaN", "nan", "NA", math.nan])
def test_nan_is_read(text):
    assert math.isnan(number(text))


@pytest.mark.parametrize("text", ["0x1.zp3", "five", "", None, [1], True, "1/2^99999999", "1e999999999"])
def test_other_texts_are_refused(text):
    with pytest.raises(ExactPermError):
        number(text)


@pytest.mark.parametrize("text", ["", "ulp", "ulp=-1", "ulp=x", "rel=2", "rel=", "near"])
def test_tolerances_that_are_none(text):
    with pytest.raises(ExactPermError, match="is no tolerance"):
        Tolerance.read(text)


def test_distance_in_units_of_the_last_place():
    assert ulps_between(1.0, math.nextafter(1.0, 2.0) if hasattr(math, "nextafter") else 1.0000000000000002) == 1
    assert ulps_between(0.0, 5e-324) == 1


def test_verdicts_of_right_answers():
    assert verdict("M0001", p="11/512").kind == "exact"
    assert verdict("M0001", p=11 / 512).kind == "exact"
    third = Fraction(1, 3)
    assert compared(Fraction(1 / 3), third, EXACT).kind == "correctly rounded"
    near = Fraction(1 / 3 + 2**-54)
    assert compared(near, third, EXACT) is None
    assert compared(near, third, Tolerance.read("ulp=1")).words == "1 ulp"
    assert compared(third + Fraction(1, 10**12), third, Tolerance.read("rel=1e-9")).words == "within tolerance"
    assert compared(-third, third, Tolerance.read("ulp=4")) is None


def test_below_the_normal_doubles():
    assert verdict("M0008", p=5e-324).kind == "exact"
    assert verdict("M0008", "less", p=5e-324).kind == "wrong"
    assert verdict("M0008", "less", p=0.0).kind == "acceptable"  # 2^-1075 rounds to 0
    assert verdict("M0008", p=0.0).kind == "impossible"
    assert verdict("M0008", "less", log10=-323.6072453387798).kind == "within tolerance"
    assert verdict("M0008", "less", log10=-323.0).kind == "wrong"
    assert verdict("M0008", "less", log10=3.0).kind == "impossible"
    assert verdict("M0008", "less", p=0.0, log10=-323.6072453387798).kind == "within tolerance"
    assert verdict("M0008", "less", p="1/2^1075").kind == "exact"
    assert verdict("M0013", p="2e-331").kind == "wrong"
    subnormal = Fraction(3, 2**1075)
    assert compared(Fraction(1, 2**1074), subnormal, Tolerance.read("rel=1e-9")).words == "1 ulp"


@pytest.mark.parametrize("p", [0, 0.0, -0.1, 1.5, "nan", math.inf])
def test_impossible_answers(p):
    assert verdict("M0001", p=p).kind == "impossible"


def test_the_other_reading_is_no_fault_unless_it_is_not_what_was_declared():
    decimal, binary = ALL["P0201"], ALL["P0202"]
    assert binary.expect["greater"]["p64"] == (0.5).hex()
    for numbers, kind in ((None, "other reading"), ("binary64", "other reading"), ("decimal", "wrong")):
        by = Implementation(numbers=numbers)
        assert judged(decimal, "greater", {"p": 0.5}, other=binary, by=by).kind == kind
    assert judged(decimal, "greater", {"p": 0.625}, other=binary).kind == "exact"
    by = Implementation(numbers="decimal")
    assert judged(binary, "greater", {"p": 0.625}, other=decimal, by=by).kind == "other reading"
    assert judged(decimal, "greater", {"p": 0.25}, other=binary).kind == "wrong"


def test_conventions():
    strict = Implementation(conventions=("strict",))
    assert verdict("P0061", p=0, by=strict).kind == "acceptable"
    assert verdict("P0061", p=0.125, by=strict).kind == "wrong"
    assert verdict("P0061", p=0).kind == "impossible"
    assert verdict("P0016", p=1 / 10001).kind == "acceptable"
    assert verdict("P0016", p=0.5).kind == "wrong"
    assert verdict("W0032", p="nan").kind == "acceptable"
    assert verdict("W0032", error="no data").kind == "acceptable"
    assert verdict("P0016", error="no data").kind == "error"


def test_refusals():
    assert verdict("P0351", error="NaN").kind == "refused"
    assert verdict("P0351", p="NaN").kind == "acceptable"
    assert verdict("P0351", p=0.5).kind == "wrong"
    assert verdict("P0351", "greater", p=0.5).detail == "pairs with NaN are left out, as in R"
    assert verdict("P0354", p=1).kind == "acceptable"
    assert verdict("A0023", None, error="above 1").kind == "refused"
    assert verdict("A0023", None, p=[0.4, 1]).kind == "acceptable"
    assert verdict("M0001", error="no").kind == "error"
    assert verdict("M0001", skipped="slow").kind == "skipped"


def test_answers_that_are_none():
    assert verdict("M0001").detail.startswith("no number: the answer has neither")
    assert verdict("M0001", p="five").kind == "error"
    assert verdict("A0005", None, p="0.02").detail == "p must be a list of 2 numbers"
    assert verdict("A0005", None, p=[0.02]).kind == "error"
    assert verdict("A0005", None, p=[0.02, None]).kind == "error"


def test_the_worst_of_a_list_decides():
    assert verdict("A0005", None, p=["1/50", 0.05]).kind == "correctly rounded"
    found = verdict("A0005", None, p=[0.01, 0.05])
    assert (found.kind, found.detail) == (
        "wrong",
        "p[0]: 0.0100000, exact 1/50 = 0.0200000, 0.500000 times the exact value",
    )
    assert verdict("A0005", None, p=[0, 0.05]).kind == "impossible"
    assert verdict("A0016", None, p=[0, 1, 1]).kind == "exact"


def test_what_is_said_of_a_fault():
    truth = Truth.of(ALL["P0061"].expect["two-sided"])
    assert fault(Fraction(1, 4) + Fraction(1, 2**52), truth).endswith("exact 1/4 = 0.250000, 4 ulp away")
    assert fault(math.inf, truth) == "inf, exact 1/4 = 0.250000"
    assert fault(None, truth) == "its logarithm is not that of 1/4 = 0.250000"
    assert fault(Fraction(-1), truth) == "-1.00000, exact 1/4 = 0.250000"
    assert exact_words(Fraction(1, 2**100)) == "a fraction of 100 bits = 7.88861e-31"


LIKELY = {
    ("P0061", "two-sided", "0"): "counts > in place of >=: the observed assignment and its ties are missing",
    ("P0064", "greater", "2/8"): "leaves the observed assignment out of the count",
    ("P0081", "greater", "more"): "adds one to count and total of a full enumeration",
    ("P0081", "greater", "out"): "leaves the observed assignment out of count and total",
    ("P0067", "greater", "mid"): "is the mid-p value",
    ("P0061", "greater", "1"): "is the p-value of less",
    ("P0067", "greater", "two"): "is the two-sided p-value",
    ("P0067", "two-sided", "less"): "is the lower tail only",
    ("P0062", "two-sided", "1.25"): "doubles the smaller tail without capping at 1",
    ("P0293", "two-sided", "0.0"): "counts > in place of >=: the observed assignment and its ties are missing",
    ("P0047", "two-sided", "0.0501"): "rounds p to 4 decimals",
    ("P0031", "two-sided", "0.4"): "",
}


def test_likely_mistakes_in_words():
    for (name, alternative, answer), words in LIKELY.items():
        vector = ALL[name]
        truth = Truth.of(vector.expect[alternative])
        one = Fraction(1, 2**truth.bits)
        special = {
            "more": (truth.p + one) / (1 + one),
            "out": (truth.p - one) / (1 - one),
            "mid": truth.p - truth.atom / 2,
            "two": 2 * truth.p,
            "less": Truth.of(vector.expect["less"]).p,
        }
        value = special.get(answer) or number(answer)
        assert mistake(value, truth, vector, alternative) == words, (name, answer)
    assert mistake(math.nan, truth) == "is no number"
    assert mistake(Fraction(1, 3), Truth.of(ALL["M0012"].expect["greater"])).startswith("is no multiple of 1 / 2^n")
    assert mistake(Fraction(3, 16), Truth.of(ALL["M0001"].expect["greater"])) == ""
    assert mistake(Fraction(0), Truth(p=Fraction(1, 2**1074))) == "drops small probabilities, or underflows"
    assert mistake(Fraction(0), Truth(p=Fraction(1, 10**9))) == "rounds p to 4 decimals"
    assert mistake(Fraction(1, 8), Truth(p=Fraction(1, 4))) == "is half of the p-value"
