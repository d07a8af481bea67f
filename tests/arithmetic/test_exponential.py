"""exp(-z) and (1 - exp(-z)) / z: every enclosure holds the truth, to 100 digits, and is as narrow as promised."""

from __future__ import annotations

import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

from exactperm.arithmetic.exponential import Exponential

SLACK = Fraction(1, 10**95)


def truth(z):
    """exp(-z) as a fraction, to 200 digits: 1 - exp(-z) has 100 for all z > 0 that are tried."""
    with localcontext() as context:
        context.prec = 200
        return Fraction((-Decimal(z.numerator) / z.denominator).exp())


def arguments(places):
    """Integers from 0 to thousands of units, next to borders of the tables and of the series, and at random."""
    rng, one = random.Random(places), 1 << places
    borders = [one >> 14, one >> 7, one // 4, 693147 * one // 10**6, one, 50 * one, 3000 * one]
    yield from (0, 1, 2, 3)
    yield from (border + i for border in borders for i in (-2, -1, 0, 1))
    for _ in range(150):
        z = rng.choice([1, 30, 5000, 2.0 ** -rng.randint(1, 60)]) * rng.random()
        yield int(z * 2**40) << places >> 40


@pytest.mark.parametrize("bits", [10, 53, 64, 120, 200])
def test_it_encloses(bits):
    exponential = Exponential(bits)
    one = 1 << exponential.places
    for x in arguments(exponential.places):
        low, high = exponential(x).ends()
        least, most = truth(Fraction(x + 1, one)), truth(Fraction(x, one))
        assert low <= least * (1 + SLACK), x
        assert most * (1 - SLACK) <= high, x
        assert (high - low) * 2**bits <= low, x
        for width in (bits // 2, bits):
            low, high = exponential.fixed(x, width)
            assert low <= most * 2**width <= high <= low + 2
        low, high = exponential.mean(x).ends()
        for power, z in ((most, Fraction(x, one)), (least, Fraction(x + 1, one))):
            mean = (1 - power) / z if z else 1
            assert low - SLACK <= mean <= high + SLACK, x
        assert high <= 1
        assert (high - low) * 2**bits <= 1


def test_a_lower_end_is_never_below_zero():
    # Of an argument so long that its rounding is more than its mantissa.
    exponential = Exponential(4)
    assert exponential(1 << 2 * exponential.places).lower == 0
    assert exponential.fixed(1 << 2 * exponential.places, 4)[0] == 0
