"""Verdicts: what is right, near enough, another reading or convention, wrong or impossible, and why."""

import math
from fractions import Fraction

import pytest

from exactperm.testing import vectors
from exactperm.testing.judge import Implementation, compared, judged

ALL = vectors.load()
EXACT = Fraction(0)


def verdict(name, alternative="two-sided", **reply):
    options = {key: reply.pop(key) for key in ("other", "by", "tolerance") if key in reply}
    return judged(ALL[name], alternative, reply, **options)


def test_verdicts_of_right_answers():
    assert verdict("M0001", p="11/512").kind == "exact"
    assert verdict("M0001", p=11 / 512).kind == "exact"
    third = Fraction(1, 3)
    assert compared(Fraction(1 / 3), third, EXACT).kind == "correctly rounded"
    near = Fraction(1 / 3 + 2**-54)
    assert compared(near, third, EXACT) is None
    assert compared(near, third).kind == "within tolerance"
    assert compared(third + Fraction(1, 10**8), third) is None
    assert compared(-third, third, Fraction(1)) is None


def test_below_the_normal_doubles():
    assert verdict("M0008", p=5e-324).kind == "exact"
    assert verdict("M0008", "less", p=5e-324).kind == "wrong"
    assert verdict("M0008", "less", p=0.0).kind == "acceptable"  # 2^-1075 rounds to 0
    assert verdict("M0008", p=0.0).kind == "impossible"
    assert verdict("M0008", "less", log10=-323.6072453387798).kind == "within tolerance"
    assert verdict("M0008", "less", log10=-323.0).kind == "wrong"
    assert verdict("M0008", "less", log10=3.0).kind == "impossible"
    assert verdict("M0008", "less", p=0.0, log10=-323.6072453387798).kind == "within tolerance"
    assert verdict("M0008", "less", p=f"1/{2**1075}").kind == "exact"
    assert verdict("M0013", p="2e-331").kind == "wrong"
    subnormal = Fraction(3, 2**1075)
    assert compared(Fraction(1, 2**1074), subnormal).kind == "within tolerance"


@pytest.mark.parametrize("p", [0, 0.0, -0.1, 1.5, "nan", math.inf])
def test_impossible_answers(p):
    assert verdict("M0001", p=p).kind == "impossible"


def test_the_other_reading_is_no_fault_unless_it_is_not_what_was_declared():
    decimal, binary = ALL["P0201"], ALL["P0202"]
    assert binary.expect["greater"]["p64"] == (0.5).hex()
    for numbers, kind in (
        (None, "other reading"),
        ("binary64", "other reading"),
        ("decimal", "wrong"),
    ):
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


def test_lists_of_numbers_of_any_sign_and_of_rows():
    assert ALL["C0003"].expect["greater"] == ["3/2", "Infinity"]
    assert verdict("C0003", "greater", p=[1.5, math.inf]).kind == "exact"
    assert verdict("C0003", "greater", p=[1.5, "Inf"]).kind == "exact"
    assert verdict("C0003", "less", p=["-inf", "4"]).kind == "exact"
    assert verdict("C0003", "less", p=["inf", "4"]).detail == "p[0]: inf, exact -inf"
    assert verdict("C0003", "greater", p=[-1.5, math.inf]).kind == "wrong"
    assert verdict("C0003", "greater", p=["nan", math.inf]).kind == "impossible"
    assert verdict("C0020", p=[1 / 30, 22 / 15]).kind == "correctly rounded"
    assert verdict("C0030", error="no data").kind == "refused"
    assert verdict("C0030", p=[1, 2]).kind == "wrong"
    assert ALL["N0001"].expect == {"rows": [["-3", "1"], ["3", "1"]]}
    assert verdict("N0001", None, p=[[-3.0, 1], [3.0, 1]]).kind == "exact"
    assert verdict("N0001", None, p=[[-3, 1], [3, 2]]).detail == "p[1][1]: 2.00000, exact 1.00000"
    assert verdict("N0001", None, p=[[3, 2]]).detail == "p has 1 rows, 2 are right"
    assert verdict("N0001", None, p=[-3, 3]).detail == "p[0] must be a list of 2 numbers"
    assert verdict("N0001", None, p=[[-3, [1]], [3, 1]]).detail == "p[0][1] must be a number"
    assert verdict("C0003", p=[[1], 6]).detail == "p[0] must be a number"
    assert verdict("N0001", None, p=3).detail == "p must be a list of rows"


def test_lists_in_the_other_reading():
    decimal, binary = ALL["N0009"], ALL["N0010"]
    rows = binary.expect["rows"]
    for numbers, kind in ((None, "other reading"), ("decimal", "wrong")):
        assert (
            judged(
                decimal, None, {"p": rows}, other=binary, by=Implementation(numbers=numbers)
            ).kind
            == kind
        )
    assert judged(decimal, None, {"p": rows[1:]}, other=binary).kind == "wrong"


def test_the_worst_of_a_list_decides():
    assert verdict("A0005", None, p=["1/50", 0.05]).kind == "correctly rounded"
    found = verdict("A0005", None, p=[0.01, 0.05])
    assert (found.kind, found.detail) == (
        "wrong",
        "p[0]: 0.0100000, exact 1/50 = 0.0200000",
    )
    assert verdict("A0005", None, p=[0, 0.05]).kind == "impossible"
    assert verdict("A0005", None, p=[-0.02, 0.05]).kind == "impossible"
    assert verdict("A0005", None, p=["nan", 0.05]).kind == "impossible"
    assert verdict("A0016", None, p=[0, 1, 1]).kind == "exact"
