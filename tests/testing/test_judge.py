"""Verdicts: what is right, near enough, another reading or convention, wrong or impossible, and why."""

import json
from fractions import Fraction

import pytest

from exactperm.testing import vectors
from exactperm.testing.judge import Implementation, compared, judged

ALL = vectors.load()
EXACT = Fraction(0)
STRICT = Implementation(conventions=("strict",))

VERDICTS = """
M0001 two-sided | {"p": "11/512"} | exact
M0001 two-sided | {"p": 0.021484375} | exact
M0001 two-sided | {"p": 0} | impossible
M0001 two-sided | {"p": 0.0} | impossible
M0001 two-sided | {"p": -0.1} | impossible
M0001 two-sided | {"p": 1.5} | impossible
M0001 two-sided | {"p": "nan"} | impossible
M0001 two-sided | {"p": Infinity} | impossible
M0001 two-sided | {"p": "1e400"} | impossible
M0001 two-sided | {"p": "1e400/3"} | error
M0001 two-sided | {"p": [1e400]} | error
M0001 two-sided | {"p": true} | error
M0001 two-sided | {"p": {}} | error
M0001 two-sided | {"p": "1e999999999"} | error
M0001 two-sided | {"p": -Infinity} | impossible
M0001 two-sided | {"log10": "1e400"} | impossible
M0001 two-sided | {"log10": "NaN"} | impossible
M0001 two-sided | {"log10": -Infinity} | impossible
M0001 two-sided | {"log10": [-2]} | error
C0003 two-sided | {"p": ["1e400", 4]} | wrong
A0005 | {"p": ["1e400", 0.05]} | impossible
M0001 two-sided | {"error": "no"} | error
M0001 two-sided | {"skipped": "slow"} | skipped
M0001 two-sided | {} | error | no number: the answer has neither p nor log10
M0001 two-sided | {"p": "five"} | error
M0008 two-sided | {"p": 5e-324} | exact
M0008 two-sided | {"p": 0.0} | impossible
M0008 less | {"p": 5e-324} | wrong
M0008 less | {"p": 0.0} | acceptable | 0 is the nearest double; log10 or text would tell more
M0008 less | {"log10": -323.6072453387798} | within tolerance
M0008 less | {"log10": -323.0} | wrong
M0008 less | {"log10": 3.0} | impossible
M0008 less | {"p": 0.0, "log10": -323.6072453387798} | within tolerance
M0008 less | {"p": "1/2^1075"} | exact
M0013 two-sided | {"p": "2e-331"} | wrong
P0061 two-sided | {"p": 0} | impossible
P0016 two-sided | {"p": "1/10001"} | acceptable
P0016 two-sided | {"p": 0.5} | wrong
P0016 two-sided | {"error": "no data"} | error
W0032 two-sided | {"p": "nan"} | acceptable
W0032 two-sided | {"error": "no data"} | acceptable
P0351 two-sided | {"error": "NaN"} | refused
P0351 two-sided | {"p": "NaN"} | acceptable
P0351 two-sided | {"p": 0.5} | wrong
P0351 greater | {"p": 0.5} | acceptable | pairs with NaN are left out, as in R
P0354 two-sided | {"p": 1} | acceptable
A0023 | {"error": "above 1"} | refused
A0023 | {"p": [0.4, 1]} | acceptable
A0005 | {"p": "0.02"} | error | p must be a list
A0005 | {"p": [0.02]} | wrong
A0005 | {"p": [0.02, null]} | error
A0005 | {"p": ["1/50", 0.05]} | correctly rounded
A0005 | {"p": [0.01, 0.05]} | wrong | p[0]: 0.0100000, exact 1/50 = 0.0200000
A0005 | {"p": [0, 0.05]} | impossible
A0005 | {"p": [-0.02, 0.05]} | impossible
A0005 | {"p": ["nan", 0.05]} | impossible
A0016 | {"p": [0, 1, 1]} | exact
C0003 greater | {"p": [1.5, Infinity]} | exact
C0003 greater | {"p": [1.5, "Inf"]} | exact
C0003 greater | {"p": [-1.5, Infinity]} | wrong
C0003 greater | {"p": ["nan", Infinity]} | impossible
C0003 less | {"p": ["-inf", "4"]} | exact
C0003 less | {"p": ["inf", "4"]} | wrong | p[0]: inf, exact -inf
C0003 two-sided | {"p": [[1], 6]} | error | p[0] must be a number
C0020 two-sided | {"p": [0.03333333333333333, 1.4666666666666666]} | correctly rounded
C0030 two-sided | {"error": "no data"} | refused
C0030 two-sided | {"p": [1, 2]} | wrong
N0001 | {"p": [[-3.0, 1], [3.0, 1]]} | exact
N0001 | {"p": [[-3, 1], [3, 2]]} | wrong | p[1][1]: 2.00000, exact 1.00000
N0001 | {"p": [[3, 2]]} | wrong | p has 1 entries, 2 are right
N0001 | {"p": [-3, 3]} | error | p[0] must be a list
N0001 | {"p": [[-3, [1]], [3, 1]]} | error | p[0][1] must be a number
N0001 | {"p": 3} | error | p must be a list
"""
"""Record and alternative, a reply, the verdict, and its words where they matter."""


@pytest.mark.parametrize("row", VERDICTS.strip().splitlines())
def test_verdicts(row):
    question, reply, kind, *words = row.split(" | ")
    name, _, alternative = question.partition(" ")
    found = judged(ALL[name], alternative or None, json.loads(reply))
    assert (found.kind, words) == (kind, [found.detail] if words else [])


def test_nearness():
    third = Fraction(1, 3)
    near = Fraction(1 / 3 + 2**-54)
    for value, right, tolerance, kind in (
        (Fraction(1 / 3), third, EXACT, "correctly rounded"),
        (near, third, EXACT, None),
        (near, third, Fraction(1, 10**9), "within tolerance"),
        (third + Fraction(1, 10**8), third, Fraction(1, 10**9), None),
        (-third, third, Fraction(1), None),
        (Fraction(1, 2**1074), Fraction(3, 2**1075), Fraction(1, 10**9), "within tolerance"),
    ):
        found = compared(value, right, tolerance)
        assert (found and found.kind) == kind


def test_a_count_of_any_length_is_impossible():
    """The number of assignments in place of a p-value, beyond the largest double."""
    for count in (10**400, 3**900, -(7**700)):
        found = judged(ALL["M0008"], "two-sided", {"p": f"{count:#x}/0x1"})
        assert found.kind == "impossible"


def test_the_strict_convention_is_for_who_declares_it():
    kinds = [judged(ALL["P0061"], "two-sided", {"p": p}, by=STRICT).kind for p in (0, 0.125)]
    assert kinds == ["acceptable", "wrong"]


def test_the_other_reading_is_no_fault_unless_it_is_not_what_was_declared():
    rows = ALL["N0010"].expect["rows"]
    half = (0.5).hex()
    assert ALL["P0202"].expect["greater"]["p64"] == half
    for record, other, side, p, numbers, kind in (
        ("P0201", "P0202", "greater", 0.5, None, "other reading"),
        ("P0201", "P0202", "greater", 0.5, "binary64", "other reading"),
        ("P0201", "P0202", "greater", 0.5, "decimal", "wrong"),
        ("P0201", "P0202", "greater", 0.625, None, "exact"),
        ("P0201", "P0202", "greater", 0.25, None, "wrong"),
        ("P0202", "P0201", "greater", 0.625, "decimal", "other reading"),
        ("N0009", "N0010", None, rows, None, "other reading"),
        ("N0009", "N0010", None, rows, "decimal", "wrong"),
        ("N0009", "N0010", None, rows[1:], None, "wrong"),
    ):
        by = Implementation(numbers=numbers)
        assert judged(ALL[record], side, {"p": p}, other=ALL[other], by=by).kind == kind
