"""What is wrong with an answer, in words, and what else has its number."""

import math
from fractions import Fraction

from exactperm.testing import vectors
from exactperm.testing.mistakes import coincidences, exact_words, fault
from exactperm.testing.numbers import Truth

ALL = vectors.load()


def test_what_is_said_of_a_fault():
    truth = Truth.of(ALL["P0061"].expect["two-sided"]).p
    assert fault(Fraction(1, 4) + Fraction(1, 2**52), truth).endswith(
        "exact 1/4 = 0.250000, 4 ulp away"
    )
    assert fault(math.inf, truth) == "inf, exact 1/4 = 0.250000"
    assert fault(None, truth) == "its logarithm is not that of 1/4 = 0.250000"
    assert fault(Fraction(-1), truth) == "-1.00000, exact 1/4 = 0.250000"
    assert fault(Fraction(-1), Fraction(-2)) == "-1.00000, exact -2, 0.500000 times the exact value"
    assert fault(Fraction(3), math.inf) == "3.00000, exact inf"
    assert exact_words(Fraction(1, 2**100)) == "a fraction of 100 bits = 7.88861e-31"


def test_every_mistake_of_the_same_number_is_named():
    truth = Truth(p=Fraction(3, 8), atom=Fraction(1, 4), total=8)
    one = Fraction(1, 8)
    for value, words in {
        Fraction(1, 8): ["counting > in place of >="],
        Fraction(1, 4): ["leaving the observed assignment out", "the mid-p value"],
        (Fraction(3, 8) + one) / (1 + one): ["adding one to count and total"],
        Fraction(3, 16): ["halving p"],
        Fraction(3, 4): ["doubling p"],
        Fraction(1, 3): [],
    }.items():
        assert coincidences(value, truth) == words
    assert coincidences(math.nan, truth) == []
    assert coincidences(Fraction(1, 8), Truth(p=Fraction(1, 4))) == ["halving p"]
