"""Bounds of the characteristic function over rectangles of frequencies: never below the truth."""

from __future__ import annotations

import cmath
import math
import random
from fractions import Fraction

import pytest

from exactperm.arithmetic.enclosure import enclosed
from exactperm.certified.damping import enough, strength_of
from exactperm.certified.joint_damping import SCALE, JointDamping, TooMany


def tilted(groups, powers):
    """Groups with the strengths of their powers, whatever tilt brought these about."""
    return [(*group, strength_of(enclosed(x, 80))) for group, x in zip(groups, powers)]


def setting(seed, most=40):
    """(groups, floats of exp(-|tilt delta|), periods, damping) at random."""
    rng = random.Random(seed)
    groups = []
    powers = []
    for _ in range(rng.randint(2, 6)):
        groups.append((rng.randint(-3, 3), rng.randint(-3, 3), rng.randint(1, most)))
        powers.append(rng.choice([Fraction(1), Fraction(rng.randint(1, 99), 100)]))
    periods = 2 * rng.randint(0, 12) + 1, 2 * rng.randint(0, 12) + 1
    shares = [float(x / (1 + x)) for x in powers]
    weights = [(p * (1 - p) * c, a, b) for p, (a, b, c) in zip(shares, groups)]
    spread = [math.sqrt(sum(w * z[i] * z[i] for w, *z in weights)) or 0.1 for i in (0, 1)]
    damping = JointDamping(tilted(groups, powers), periods, spread)
    return groups, shares, periods, damping


def size(groups, shares, periods, j, k):
    """|phi(j, k)|."""
    product = 1.0
    for (a, b, count), p in zip(groups, shares):
        turn = a * j / periods[0] + b * k / periods[1]
        product *= abs(1 - p + p * cmath.exp(2j * math.pi * turn)) ** count
    return product


@pytest.mark.parametrize("seed", range(60))
def test_negligible_means_small(seed):
    groups, shares, periods, damping = setting(seed)
    rng = random.Random(seed)
    for _ in range(40):
        j0 = rng.randint(-12, 12)
        k0 = rng.randint(0, 12)
        j1 = j0 + rng.choice([0, 0, 1, 4])
        k1 = k0 + rng.choice([0, 0, 1, 4])
        bits = rng.randint(1, 30)
        if damping.negligible((j0, j1, k0, k1), enough(bits)):
            for j in range(j0, j1 + 1):
                for k in range(k0, k1 + 1):
                    assert size(groups, shares, periods, j, k) <= 2.0**-bits * (1 + 1e-9)


def test_most_of_what_is_small_is_found_so():
    found = small = 0
    for seed in range(40):
        groups, shares, periods, damping = setting(seed)
        for j in range(periods[0] // 2 + 1):
            for k in range(periods[1] // 2 + 1):
                if size(groups, shares, periods, j, k) < 2.0**-12:
                    small += 1
                    found += damping.negligible((j, j, k, k), enough(10))
    assert found > 0.97 * small > 500


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("bits", [1, 6, 20])
def test_every_frequency_is_found_or_charged(seed, bits):
    # The half plane k > 0, or k = 0 < j: what is not found adds at most ``skipped``, which is at
    # most 2**-bits each.
    groups, shares, periods, damping = setting(seed)
    half = periods[0] // 2
    top = periods[1] // 2

    def coefficient(k):
        return 9 - min(k, 8)

    found = damping.settle(bits, coefficient, 10**5)
    everything = {(j, k) for k in range(1, top + 1) for j in range(-half, half + 1)} | {
        (j, 0) for j in range(1, half + 1)
    }
    chosen = [(j, k) for k, places in found.rows.items() for j in places]
    assert len(chosen) == len(set(chosen))
    assert set(chosen) <= everything
    missed = everything - set(chosen)
    assert (
        sum(coefficient(k) * size(groups, shares, periods, j, k) for j, k in missed)
        <= found.skipped / 2**SCALE
    )
    assert found.skipped / 2**SCALE <= 2.0**-bits * len(missed)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_left_out_is_added_up(seed, monkeypatch):
    # Each rectangle adds its number of frequencies times the coefficient times the bound that was
    # proved.
    bits_of = {enough(b): b for b in range(200)}
    tried = []

    def proved(_self, box, needed):
        j0, j1, k0, k1 = box
        number = (j1 - j0 + 1) * (k1 - k0 + 1)
        tried.append((number, k0, bits_of[needed]) if number <= 6 else (0, 0, 0))
        return number <= 6

    monkeypatch.setattr(JointDamping, "negligible", proved)
    _, _, _, damping = setting(seed)
    damping._turns = 1e9, 1e9
    damping.periods = (11, 13)
    found = damping.settle(9, lambda k: 20 - k, 10**4)
    exact = sum(Fraction(number * (20 - k), 1 << bits) for number, k, bits in tried)
    assert exact <= Fraction(found.skipped, 1 << SCALE) <= exact + Fraction(len(tried), 1 << SCALE)
    assert exact <= Fraction(len(tried), 1 << 9)


def test_the_normal_model_keeps_the_middle():
    damping = JointDamping(tilted([(1, 0, 50), (0, 1, 50)], [1, 1]), (41, 41), (3.5, 3.5))
    found = damping.settle(10, lambda _k: 1, 10**4).rows
    assert (1 in found[1]) and 20 not in found.get(20, [])


def test_too_many():
    _, _, _, damping = setting(4)
    damping.periods = (2001, 2001)
    with pytest.raises(TooMany):
        damping.settle(5, lambda _k: 1, 3)


def test_hopeless_rectangles_are_given_up():
    groups = [(1, i - 100, 1) for i in range(200)]
    damping = JointDamping(tilted(groups, [1] * 200), (10**6 + 1, 10**6 + 1), (7.0, 1000.0))
    assert not damping.negligible((1, 2, 1, 1), enough(30))
