"""Statements of the note that no other test covers: the width of a bracket, and the error of a numerator."""

from __future__ import annotations

import cmath
import math
import random
from fractions import Fraction

import pytest

from bracket_cases import chosen, contains, probability, random_case, with_width
from exactperm.certified.factors import PairFactors
from exactperm.certified.inversion import Inversion
from exactperm.certified.parameters import Choice
from exactperm.certified.scan import Settled


class TestWidth:
    @pytest.mark.parametrize("seed", range(60))
    def test_between_the_two_bounds(self, seed):
        # Theorem 7 and Proposition 9, with all frequencies below n: at most F ((1 + exp(-lambda w))
        # A / n + aliases), at least P(X = k). Catches a gap that is too small or too large by a
        # factor, and a tie that is decided.
        rng = random.Random(seed)
        tally, counts, ks = random_case(rng)
        k = rng.choice(ks)
        inversion = chosen(tally, k, 60)
        period = inversion.period
        tilt = math.ldexp(
            *map(int, (inversion.tilted.exp.slope[0], -inversion.tilted.exp.slope[1]))
        )
        n = rng.randint(1, max(1, period // 2))
        bracket = inversion.bounds(
            Settled(found=list(range(1, n)), reached=n - 1, skipped=0, work=0)
        )
        low, high = bracket.ends()
        assert contains(bracket, probability(counts, k))
        weights = [count * math.exp(-tilt * x) for x, count in enumerate(counts)]
        growth = math.fsum(weights)
        factor = growth * math.exp(tilt * k) / sum(counts)
        sizes = []
        for j in range(1, n):
            root, value = cmath.exp(2j * math.pi * j / period), 0j
            for weight in reversed(weights):
                value = value * root + weight
            sizes.append(abs(value) / growth)
        gap = (1 + math.exp(-tilt * inversion.place.length)) * (1 + 2 * math.fsum(sizes)) / n
        aliases = sum(inversion.bracket.aliases) / 2**inversion.width
        assert high - low <= Fraction(factor * (gap + aliases) * (1 + 1e-9))
        assert high - low >= Fraction(counts[k], sum(counts)) * (1 - Fraction(1, 10**9))


@pytest.mark.parametrize("tilt", [0.0, 0.125, 1.0])
@pytest.mark.parametrize("offset", [(900, 900), (-900, 900), (0, -1200)])
def test_errors_of_the_numerators(tilt, offset, monkeypatch):
    # (A - B) W at 20 bits with A = 1, B = -exp(-2 lambda), and nodes that are off by a thousand
    # units: W is off by some two hundred, which only its own error covers. The denominator is
    # passed on, so its error does not help.
    width = 20
    n = 5
    seen = []
    choice = Choice(
        shift=0, tilt=tilt, above=tilt, below=tilt, window=2, reach=2, scarcity=1.0, deviation=1.0
    )
    inversion = Inversion(PairFactors([(1, 20)]), 8, 40, choice)
    assert (inversion.period, inversion.place.length, inversion.place.k) == (4, 2, 8)
    inversion = with_width(inversion, width)
    one = 1 << width

    class Nodes:
        error = math.isqrt(sum(x * x for x in offset)) + 2

        def __call__(self, j):
            root = cmath.exp(2j * math.pi * j / n)
            return round(root.real * one) + offset[0], round(root.imag * one) + offset[1]

    def captured(numerator, error, *_rest):
        seen.append((numerator, error))
        return 0, 0

    monkeypatch.setattr("exactperm.certified.sums.roots_of_unity", lambda _length, _width: Nodes())
    monkeypatch.setattr("exactperm.certified.sums.real_quotient", captured)
    inversion.phi._made = (lambda _j: (one, 0), 0)
    inversion.bracket.sums.bounds(n, [1, 3])
    x = tilt * 4 / n
    gain = math.exp(-x) / (2 * math.pi) * (x / -math.expm1(-x) if x else 1.0)
    assert len(seen) == 2
    for j, ((p, q), error) in zip((1, 3), seen):
        truth = (1 + math.exp(-2 * tilt)) * (
            1 - j / n + 1j * gain * (1 - cmath.exp(2j * math.pi * j / n))
        )
        assert abs(complex(p, q) - one * truth) <= error
        assert abs(complex(p, q) - one * truth) > 60
        assert error < 20_000
