"""Factors of a generating function from rough powers: every factor lies within the error that is stated with it."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from exactperm.arithmetic.enclosure import Enclosure
from exactperm.certified import factors
from exactperm.certified.factors import PairFactors, UnitFactors
from exactperm.certified.powers import Kept

QUARTERS = [(1, 0), (0, 1), (-1, 0), (0, -1)]
WIDTH = 60


def powers(rng, bits):
    """A random decreasing function of x in place of the exponential: (its values, enclosures with so many bits)."""
    known = {0: Fraction(1)}

    def truth(x):
        return known.setdefault(x, Fraction(rng.randint(1, 1 << 80), 1 << 80))

    def exp(x):
        scaled = truth(x) * (1 << bits)
        return Enclosure(int(scaled), -int(-scaled // 1), -bits)

    return truth, exp


@pytest.mark.parametrize("bits", [20, 40, 90])
@pytest.mark.parametrize("seed", range(8))
def test_factors_are_within_their_errors(seed, bits):
    # Roots of four quarters of a turn are exact; only the rounding of the powers and of the factors
    # is left.
    rng = random.Random(seed)
    truth, exp = powers(rng, bits)
    groups = [
        (
            tuple(
                (a, rng.randint(1, 99))
                for a in [0, *sorted(rng.sample(range(1, 40), rng.randint(1, 6)))]
            ),
            1,
        )
        for _ in range(4)
    ]
    tilt = UnitFactors(dict(groups)).tilted(exp, bits)
    errors, make = tilt.factors(0, WIDTH)
    at = {a: rng.choice(QUARTERS) for step, _ in groups for a, _ in step}
    found = make(lambda exponents: [(x << WIDTH, y << WIDTH) for x, y in map(at.get, exponents)])
    for (step, _), error, (x, y) in zip(groups, errors, found):
        weights = {a: g * truth(a) for a, g in step}
        whole = sum(weights.values())
        for value, axis in ((x, 0), (y, 1)):
            exact = sum(w * (at[a][axis] if a else 1 - axis) for a, w in weights.items()) / whole
            assert abs(value - exact * (1 << WIDTH)) <= error
    assert bits < WIDTH or max(errors) < 20


@pytest.mark.parametrize("seed", range(5))
def test_an_error_of_the_roots_is_carried(seed):
    rng = random.Random(seed)
    truth, exp = powers(rng, 90)
    groups = [(((0, 3), (2, 1), (7, 5)), 2)]
    errors, make = UnitFactors(dict(groups)).tilted(exp, 90).factors(1 << 40, WIDTH)
    weights = {a: g * truth(a) for a, g in groups[0][0]}
    ((x, _y),) = make(lambda exponents: [((1 << WIDTH) - (1 << 40), 0) for _ in exponents])
    lost = (1 - weights[0] / sum(weights.values())) * (1 << 40)
    assert lost - 20 <= (1 << WIDTH) - x <= errors[0] <= lost + 20


def test_kept_enclosures_are_what_they_were():
    values = [Enclosure(3, 5, -4), Enclosure(1, 1, 0)]
    assert [list(Kept(values)), len(Kept(values))] == [values, 2]


def test_pairs_of_one_each_are_made_in_pieces(monkeypatch):
    _truth, exp = powers(random.Random(2), 90)
    tilt = PairFactors([(d, 1) for d in range(1, 6)]).tilted(exp, 90)

    def made():
        _errors, make = tilt.factors(0, WIDTH)
        return list(make(lambda exponents: [(d << 50, 0) for d in exponents]))

    whole = made()
    monkeypatch.setattr(factors, "_PIECE", 2)
    assert made() == whole
