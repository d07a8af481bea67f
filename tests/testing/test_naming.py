"""Names that are true or silent: a formula is named only where it gives every answer to a call."""

import math
from fractions import Fraction

import pytest

from exactperm.testing import naming
from tests.factory import asking
from tests.factory.mistakes import MISTAKES

NAMES = {
    "strict": "counts > in place of >=",
    "mid-p": "answers the mid-p value",
    "no-observed": "leaves the observed assignment out of the count",
    "add-one": "adds one to count and total",
    "half-p": "halves p",
    "double-p": "doubles p",
    "complement": "answers 1 - p",
    "exchanged-tails": "exchanges greater and less",
    "no-abs": "answers the upper tail as two-sided",
    "twice-greater": "doubles the upper tail for two-sided",
    "uncapped": "doubles the smaller tail without capping",
    "single-precision": "rounds p to single precision",
    "one-minus-cdf": "subtracts the distribution function from 1 in doubles",
}
"""The name of each mistake that has one."""

PATTERNS = ["S00[0-4]*", "M00*", "W00[01]*", "W007[34]", "H00[0-2]*"]
SMALL = [*PATTERNS, *("G00[01]*", "T00[01]*", "P00[0-2]*", "P033*", "R000*", "F000*", "E000*")]


def named(function, **options):
    return asking.report(function, PATTERNS, **options).named


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("numbers", ["decimal", None])
def test_a_mistake_has_its_own_name_whatever_it_declares(name, numbers):
    found = named(MISTAKES[name], numbers=numbers, read="decimal")
    told = {words for names in found.values() for words in names}
    assert told == {NAMES[name]}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted({*MISTAKES} - {*NAMES}))
def test_no_other_mistake_of_the_list_has_a_wrong_name(name):
    """Their answers are those of no formula, or of one that means the same on these records."""
    wrong = MISTAKES[name]
    found = asking.report(lambda q: wrong(q) if q.call in wrong.calls else None, SMALL).named
    assert {words for names in found.values() for words in names} <= SAME.get(name, set())


SAME: dict[str, set[str]] = {}
"""The same answers by other words."""


def doubles(number):
    """A program whose p-values are doubles: a function of the right one."""
    return lambda q: number(asking.right(q))


SILENT = {
    "max(p, 2^-52)": doubles(lambda p: max(float(p), 2.0**-52)),
    "0 below 1e-12": doubles(lambda p: float(p) if p > 1e-12 else 0.0),
    "never below 1e-16": doubles(lambda p: max(float(p), 1e-16)),
    "p squared": doubles(lambda p: p * p),
    "p (1 + 3e-7)": doubles(lambda p: p * (1 + Fraction(3, 10**7))),
    "five decimals": doubles(lambda p: round(float(p), 5)),
    "three digits": doubles(lambda p: Fraction(f"{float(p):.3g}")),
    "a half whatever the data": doubles(lambda _p: 0.5),
    "NaN below 1e-9": doubles(lambda p: p if p > 1e-9 else math.nan),
    "strict, but right where p is above 1/2": lambda q: (
        asking.right(q) if asking.right(q) > Fraction(1, 2) else MISTAKES["strict"](q)
    ),
}
"""Wrong programs whose answers no formula gives."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SILENT)
def test_other_programs_have_no_name(name):
    found = asking.report(SILENT[name], PATTERNS)
    assert found.faults
    assert found.named == {}


@pytest.mark.slow
def test_a_binomial_distribution_function_that_underflows_has_no_name():
    """Twice the smaller tail in doubles is 0 for M0008 alone."""

    def doubled(q):
        p = asking.right(q)
        return 0.0 if q.alternative == "two-sided" and p < Fraction(1, 2**1073) else p

    assert asking.report(doubled, ["M00*"]).named == {}


@pytest.mark.slow
def test_central_mid_p_values_are_a_convention():
    def central(q):
        sides = [asking.right(q.other(side)) for side in ("greater", "less")]
        return min(Fraction(1), 2 * min(sides)) if q.alternative == "two-sided" else asking.right(q)

    found = asking.report(central, ["H00*"])
    assert (found.named, found.faults) == ({}, [])
    assert found.kinds["acceptable"] >= 6


def test_too_few_answers_name_nothing():
    assert asking.report(MISTAKES["no-abs"], ["S0001"]).named == {}


def test_formulas_of_a_truth():
    """Each formula by hand: p = 3/8 and 7/8 with a tie of 1/4 of 8, two-sided 6/8."""

    def truth(p):
        return naming.Truth(p=p, atom=Fraction(1, 4), total=8)

    sides = {"greater": Fraction(3, 8), "less": Fraction(7, 8), "two-sided": Fraction(3, 4)}
    truths = {side: truth(p) for side, p in sides.items()}
    found = {
        side: [
            words for words, gives in naming.FORMULAS.items() if gives(Fraction(n, 8), truths, side)
        ]
        for side, n in (("greater", 1), ("less", 3), ("two-sided", 2))
    }
    assert found["greater"] == ["counts > in place of >="]
    assert found["less"] == ["exchanges greater and less"]
    assert found["two-sided"] == ["answers 1 - p"]
    assert naming.FORMULAS["doubles the upper tail for two-sided"](
        Fraction(3, 8), truths, "greater"
    )
    assert naming.FORMULAS["doubles the upper tail for two-sided"](
        Fraction(3, 4), truths, "two-sided"
    )
    third = dict.fromkeys(sides, truth(Fraction(1, 3)))
    single = Fraction(11184811, 2**25)
    assert naming.FORMULAS["rounds p to single precision"](single, third, "less")
    tiny = dict.fromkeys(sides, truth(Fraction(1, 2**60)))
    assert naming.FORMULAS[naming.ONE_MINUS_CDF](Fraction(-1, 2**52), tiny, "less")
    assert not naming.FORMULAS[naming.ONE_MINUS_CDF](Fraction(1, 2**54), tiny, "less")
    wrong = [(Fraction(-1, 2**52), True, [tiny], "less")] * 3
    assert naming.named(wrong) == []
    assert naming.named([*wrong, (math.nan, True, [tiny], "less")]) == []
