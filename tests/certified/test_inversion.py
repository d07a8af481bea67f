"""One inversion: the exact probability lies inside for any parameters and any end, and every error term is needed."""

from __future__ import annotations

import cmath
import math
import random
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest

import bracket_cases
from bracket_cases import (
    check_spoiled,
    chosen,
    contains,
    enclosed,
    inverted,
    probability,
    random_case,
    with_width,
)
from exactperm.arithmetic.enclosure import ONE
from exactperm.arithmetic.fixedpoint import power_product_error
from exactperm.certified.factors import PairFactors
from exactperm.certified.inversion import Inversion, dyadic
from exactperm.certified.parameters import Choice
from exactperm.certified.scan import SCALE, Settled
from exactperm.record import replaced

CHOICE = Choice(
    shift=0, tilt=0.0, above=0.0, below=0.0, window=8, reach=8, scarcity=1.0, deviation=3.0
)


class TestTheBracketHolds:
    @pytest.mark.slow
    def test_two_thousand_random_cases(self, sampled):
        # Seeds are fixed; the reference is the distribution multiplied out. Catches a wrong sign in
        # the alias bounds (below and above S exchanged), a threshold off by one, a missing factor
        # at L/2, a bound that is a mere guess.
        rng = random.Random(20220516)
        cases = 0
        while cases < sampled(2000):
            tally, counts, ks = random_case(rng)
            for k in ks:
                digits = rng.choice([17, 17, 17, 1, 5, 30])
                bracket = inverted(tally, k, digits)
                exact = probability(counts, k)
                assert contains(bracket, exact), (tally, k, digits)
                assert digits == 1 or bracket.relative_width < 10.0**-digits, (tally, k, digits)
                cases += 1

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("kind", "cases"),
        [("enumerated", 350), ("lattice", 120), ("far_tail", 60), ("perturbed", 100), ("met", 8)],
    )
    def test_any_width_and_any_end(self, kind, cases):
        # Widths from 1e-1 to 1e-17 with the work ended anywhere, on data like doubles as on coarse
        # lattices, with ties at the threshold. The whole run of 20,000 is in benchmarks/bracket.py.
        rng = random.Random(kind)
        modes = set()
        for _ in range(cases):
            name, tally, k, exact = getattr(bracket_cases, kind)(rng)
            digits = rng.choice([1, 1, 2, 2, 3, 17])
            bits = digits * 10 // 3 + 9
            inversion = chosen(tally, k, bits, 3)
            settled = inversion.scan.settle(
                inversion.aim(10.0**-digits), int(10 ** rng.uniform(2.5, 4.2))
            )
            assert contains(inversion.bounds(settled), exact), (
                name,
                tally,
                k,
                digits,
                settled.reached,
            )
            modes.add(settled.reached >= inversion.period // 2)
        assert modes == ({False} if kind in ("perturbed", "met") else {False, True})

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(10))
    def test_whatever_the_parameters(self, seed, sampled):
        # Slopes, lengths, Chernoff slopes, nodes and precision are free: bad ones only widen. With
        # few bits the frequencies left out weigh, with short lengths the aliases: catches a missing
        # bound, or one that relies on a good choice.
        rng = random.Random(seed)
        for _ in range(sampled(300)):
            tally, counts, ks = random_case(rng)
            for k in ks:
                law = PairFactors(sorted(tally.items()))
                check_spoiled(rng, law, k, probability(counts, k))

    @pytest.mark.parametrize("k", [9_000, 9_900, 4_000])
    def test_binomial_tails(self, k):
        # P(X <= k) for 20,000 pairs of difference 1 is a sum of binomials, here by their ratios: p
        # down to 1e-1700.
        pairs = 20_000
        count = math.comb(20_000, k)
        total = 0
        for i in range(k, -1, -1):
            total += count
            count = count * i // (pairs - i + 1)
        bracket = inverted({1: pairs}, k)
        assert contains(bracket, Fraction(total, 2**pairs))
        assert bracket.relative_width < 1e-18

    @pytest.mark.slow
    def test_identical_bits_on_every_platform(self):
        # The digest was the same on CPython 3.9 to 3.13, PyPy 7.3.11 and Pyodide: a parameter that
        # depends on the C library's exponential, on a sum of floats or on the order of a set would
        # change it somewhere.
        assert bracket_cases.digest() == "c12bae44bc669dffc9546ed2748338d7"


# ---------------------------------------------------------------------------------------- its terms


def any_inversion(rng, bits=40):
    """An inversion of a short support with parameters taken at random, and its distribution q to 60 digits."""
    tally, counts, ks = random_case(rng)
    while len(counts) > 200:
        tally, counts, ks = random_case(rng)
    k = rng.choice(ks)
    tilt = rng.choice([0.0, 0.25, 0.75, 0.0625, 2.0**-20, 5.0])
    choice = Choice(
        shift=0,
        tilt=tilt,
        above=tilt - rng.choice([0.0, 0.25, 0.5, 20.0]),
        below=tilt + rng.choice([0.0, 0.25, 0.5, 20.0]),
        window=rng.randint(1, 40),
        reach=rng.randint(0, 40),
        scarcity=1.0,
        deviation=1.0,
    )
    inversion = Inversion(PairFactors(sorted(tally.items())), k, bits, choice)
    weights = [count * power(choice.tilt, x) for x, count in enumerate(counts)]
    total = sum(weights)
    return inversion, choice, [weight / total for weight in weights]


def groups_of(inversion):
    law = inversion.tilted.law
    return list(zip(law.differences, law.counts))


def power(slope, x):
    """exp(-slope x) as a fraction, to 60 digits."""
    with localcontext() as context:
        context.prec = 70
        return Fraction((-Decimal(slope) * x).exp())


def trigonometric(y, n, lam, period, above):
    """M(y), or m(y), of Theorem 1 in floats, from its basis: values and slopes at the nodes."""
    jump = 1 / (1 - math.exp(-lam * period)) if lam else 0.5
    scale = 1.0 if lam else 0.0

    def fejer(z):
        s = math.sin(math.pi * z / period)
        return 1.0 if abs(s) < 1e-12 else (math.sin(math.pi * n * z / period) / (n * s)) ** 2

    def sloped(z):
        s = math.sin(math.pi * z / period)
        if abs(s) < 1e-12:
            return 0.0
        wave = math.sin(math.pi * n * z / period) ** 2
        return period / (math.pi * n * n) * wave * math.cos(math.pi * z / period) / s

    nodes = [i * period / n for i in range(n)]
    values = [jump * math.exp(-lam * x) if scale else 0.5 - x / period for x in nodes]
    slopes = [-lam * value if scale else -1 / period for value in values]
    slopes[0] = -sum(slopes[1:])
    values[0] -= 0 if above else 1
    return sum(v * fejer(y - x) + w * sloped(y - x) for x, v, w in zip(nodes, values, slopes))


class TestTerms:
    def test_a_reach_below_zero_is_none(self):
        assert Inversion(PairFactors([(1, 40)]), 12, 40, replaced(CHOICE, reach=-3)).period == 8

    @pytest.mark.parametrize("seed", range(60))
    def test_aliases_are_chernoff_bounds(self, seed):
        # Each is at least the Chernoff factor itself, which is at least the tail of q, and hardly
        # more.
        inversion, choice, q = any_inversion(random.Random(seed))
        k = inversion.place.k
        period = inversion.period
        window = inversion.place.length
        unit = 2**inversion.width

        def chernoff(other, x):
            ratio = Fraction(1)
            for d, pairs in groups_of(inversion):
                ratio *= ((1 + power(other, d)) / (1 + power(choice.tilt, d))) ** pairs
            return min(Fraction(1), ratio * power(choice.tilt - other, x))

        damped = power(choice.tilt, window)
        start = k + period - window + 1
        least = chernoff(choice.above, start) if start < len(q) else 0
        least += chernoff(choice.below, k - period) if k >= period else 0
        most = damped * chernoff(choice.below, k - window) if k >= window else 0
        assert least >= sum(q[start:]) + sum(q[: max(0, k - period + 1)])
        assert most >= damped * sum(q[: max(0, k - window + 1)])
        for derived, found in zip((least, most), inversion.bracket.aliases):
            room = derived * (1 + Fraction(1, 2**40)) + Fraction(2, unit) if derived else 0
            assert derived * (1 - Fraction(1, 10**50)) <= Fraction(found, unit) <= room

    @pytest.mark.parametrize("seed", range(60))
    def test_the_sum_on_the_lattice_is_that_of_the_aliased_distribution(self, seed):
        # With all frequencies: L S' = L sum_{m < w} r**m q_L(k - m), q_L being q folded to a
        # circle.
        rng = random.Random(seed)
        inversion, choice, q = any_inversion(rng)
        inversion = with_width(inversion, rng.choice([inversion.width, 30, 40]))
        period = inversion.period
        folded = [sum(q[x::period]) for x in range(period)]
        exact = period * sum(
            power(choice.tilt, m) * folded[(inversion.place.k - m) % period]
            for m in range(inversion.place.length)
        )
        low, high = inversion.bracket.sums.bounds(period, list(range(1, period // 2 + 1)))
        assert Fraction(low, 2**inversion.width) <= exact <= Fraction(high, 2**inversion.width)
        assert high - low < 2 ** (inversion.width - 10)

    @pytest.mark.parametrize("seed", range(60))
    def test_the_sums_are_those_of_majorant_and_minorant(self, seed):
        # n E_q M and n E_q m from the values of Theorem 1's polynomials, whose coefficients do not
        # enter: the bounds enclose them in 30 bits, where a rounding that is not counted shows, and
        # hardly more.
        rng = random.Random(seed)
        inversion, choice, q = any_inversion(rng)
        inversion = with_width(inversion, rng.choice([30, 36]))
        period = inversion.period
        k = inversion.place.k
        window = inversion.place.length
        lam = choice.tilt
        n = rng.randint(1, 9)
        damp = math.exp(-lam * window)
        ends = []
        for above in (False, True):
            ends.append(
                n
                * math.fsum(
                    float(weight)
                    * (
                        trigonometric(k - x, n, lam, period, above)
                        - damp * trigonometric(k - x - window, n, lam, period, not above)
                        + (0.0 if lam else window / period)
                    )
                    for x, weight in enumerate(q)
                )
            )
        if n == period:
            return
        low, high = inversion.bracket.sums.bounds(n, list(range(1, n)))
        unit = 2.0**-inversion.width
        room = 2.0**-14
        assert ends[0] - room <= low * unit <= ends[0] + 1e-12
        assert ends[1] - 1e-12 <= high * unit <= ends[1] + room

    @pytest.mark.parametrize("seed", range(40))
    def test_all_bounds_meet_in_the_end(self, seed, monkeypatch):
        # F (low / n - below - skipped) and F (high / n + above + skipped) for any sums, aliases and
        # skipped terms, at most 3 units further out. Catches a bound that is forgotten or too small
        # by a unit.
        rng = random.Random(seed)
        inversion, choice, _ = any_inversion(rng)
        n = rng.randint(1, max(1, inversion.period // 2))
        factor = Fraction(1)
        unit = 2**inversion.width
        for d, pairs in groups_of(inversion):
            factor *= ((1 + power(choice.tilt, d)) / 2) ** pairs
        factor /= power(choice.tilt, inversion.place.k)
        low = int(n * unit * min(1, Fraction(1, 4) / factor)) + rng.randint(0, 9)
        high, below, above, skipped = (
            low + rng.randint(0, 99),
            *(rng.randint(0, 99) for _ in range(3)),
        )
        inversion.bracket.sums.bounds = lambda _n, _frequencies: (low, high)
        inversion.bracket.aliases = (below, above)
        inversion.bracket.left_out = lambda _n, amount: amount
        lower, upper = inversion.bounds(
            Settled(found=[], reached=n - 1, skipped=skipped, work=0)
        ).ends()
        first = factor * (Fraction(low, n) - below - skipped) / unit
        last = factor * (Fraction(high, n) + above + skipped) / unit
        room = 3 * factor / unit + last / 2**45
        assert first - room <= lower <= max(0, first)
        assert min(last, Fraction(1, 2)) <= upper <= min(last + room, Fraction(1, 2))

    @pytest.mark.parametrize("seed", range(40))
    def test_what_is_left_out_is_bounded_by_the_coefficients(self, seed):
        # (1 + exp(-lambda w)) exp(x / 2) / (pi j) is at least |C_j| of Theorem 1 for both
        # polynomials and all nodes, and at least |K| / L on the lattice; the bound adds up twice
        # that, and hardly more.
        rng = random.Random(seed)
        inversion, choice, _ = any_inversion(rng)
        period = inversion.period
        lam = choice.tilt
        damp = math.exp(-lam * inversion.place.length)
        for n in {rng.randint(2, 40), rng.randint(2, 400)}:
            x = lam * period / n
            ratio = x / -math.expm1(-x) if x else 1.0
            most = (1 + damp) * math.exp(x / 2) / math.pi
            for j in range(1, n):
                node = cmath.exp(-2j * math.pi * j / n)
                value = 1 / (1 - math.exp(-x) * node)
                slope = ratio * math.exp(-x) * (1 - node) * value / (2j * math.pi * n)
                fejer = (1 - j / n) / n
                c = fejer * value + slope
                turn = damp * cmath.exp(-2j * math.pi * j * inversion.place.length / period)
                for coefficient in (c - turn * (c - fejer), (c - fejer) - turn * c):
                    assert abs(coefficient) <= most / j * (1 + 1e-9)
            found = inversion.bracket.left_out(n, 1 << SCALE - 3) / 2**inversion.width
            assert 2 * most / 8 <= found <= 2 * most / 8 * 1.0001 + 2.0**-30
        for j in range(1, period // 2 + 1):
            t = 2j * math.pi * j / period
            kernel = abs(1 - damp * cmath.exp(t * inversion.place.length)) / abs(
                1 - math.exp(-lam) * cmath.exp(t)
            )
            assert kernel / period <= (1 + damp) * math.exp(lam / 2) / (math.pi * j) + 1e-12

    @pytest.mark.parametrize("seed", range(40))
    def test_errors_of_the_factors(self, seed, monkeypatch):
        # 1 + p' (z - 1) with p' <= p <= 1/2, read back by z = i: e/2 for an error e of z, 2 (p -
        # p'), and the shifts.
        rng = random.Random(seed)
        inversion, choice, _ = any_inversion(rng)
        inversion = with_width(inversion, rng.choice([14, 22, 30]))
        e = rng.randint(1, 100)
        seen = []
        unit = 1 << inversion.width
        inversion.phi.turn = Turn(inversion.width, e)

        def watched(errors, rungs, width):
            seen.extend(errors)
            return power_product_error(errors, rungs, width)

        monkeypatch.setattr("exactperm.certified.sums.power_product_error", watched)
        monkeypatch.setattr(
            "exactperm.certified.sums.power_product", lambda factors, _rungs, _width: factors
        )
        factors = inversion.phi(1)
        for (d, _), error, (x, share) in zip(groups_of(inversion), seen, factors):
            weight = power(choice.tilt, d)
            low = unit * weight / (1 + weight) - share
            assert x == unit - share
            assert 0 <= low < 3
            assert (
                Fraction(e, 2) + 2 * low + Fraction(1415, 1000)
                <= error
                <= Fraction(e + 1, 2) + 2 * (low + 4) + 2
            )


class Turn:
    """A quarter of a turn in place of every root of unity, with an error to choose."""

    def __init__(self, width, error):
        self.width = width
        self.error = error

    def __call__(self, _n):
        return 0, 1 << self.width

    def several(self, indices):
        return list(map(self, indices))


class TestChoices:
    def test_the_gap_is_measured(self):
        rng = random.Random(1)
        groups = [(d, 1) for d in sorted(rng.randint(1, 10**9) for _ in range(60))]
        k = sum(d for d, _ in groups) * 2 // 5
        inversion = chosen(groups, k, 30)
        before = inversion.nodes(1e-4)
        width = enclosed(inversion, 1 / 16).relative_width
        assert 0.2 / 16 < width < 1 / 16
        assert 0.3 < inversion.nodes(1e-4) / before < 3
        assert enclosed(inversion, 1e-3).relative_width < 1e-3

    def test_the_whole_lattice_is_aimed_at_where_it_is_less(self):
        inversion = Inversion(PairFactors([(1, 40)]), 12, 40, CHOICE)
        assert inversion.aim(1e-3).top == inversion.period // 2
        assert (
            Inversion(PairFactors([(1, 40)]), 12, 40, replaced(CHOICE, window=1, reach=0))
            .aim(0.5)
            .top
            == 1
        )


def test_a_bound_that_divides_by_what_may_be_zero_is_one():
    inversion, choice, _q = any_inversion(random.Random(1))
    bound = inversion.tilted.chernoff(dyadic(choice.tilt + 20.0, 0))
    assert bound(1).lower > 0
    assert bound(10**9) == ONE
    assert bound(10**60) == ONE  # the exponential is below its error
