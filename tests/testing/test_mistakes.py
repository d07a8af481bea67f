"""What is wrong with an answer, in words, and the mistake that explains it."""

import math
from fractions import Fraction

from exactperm.testing import vectors
from exactperm.testing.mistakes import exact_words, fault, mistake
from exactperm.testing.numbers import Truth, number

ALL = vectors.load()


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
