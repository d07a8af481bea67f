"""The certified bracket: the exact probability always lies inside, and every bound under it holds by itself."""

from __future__ import annotations

import cmath
import hashlib
import math
import random
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactperm.bracket import Inversion, _exact_seconds, tail_bracket
from exactperm.counting import plan
from exactperm.counting.cost import Budget, Estimate
from exactperm.damping import Damping, _minus_log, _sine_square
from exactperm.enclosure import HALF, ONE, ZERO, Enclosure, compare, log10_bounds, rounded
from exactperm.errors import BudgetExceeded, ExactPermError
from exactperm.fixedpoint import (
    FIRST_TURNS,
    RootsOfUnity,
    ladder,
    power_product,
    power_product_error,
    real_quotient,
)
from exactperm.tilt import Choice, choose, exponential, log_one_plus


def distribution(tally):
    """All counts, by multiplying out prod (1 + x**d)**c one factor at a time."""
    counts = [1]
    for d, pairs in tally.items():
        for _ in range(pairs):
            counts = [a + b for a, b in zip(counts + [0] * d, [0] * d + counts)]
    return counts


def probability(counts, k):
    return Fraction(sum(counts[: max(0, k + 1)]), sum(counts))


def contains(bracket, value):
    lower, upper = bracket.ends()
    return lower <= value <= upper


def relative_width(bracket, value):
    lower, upper = bracket.ends()
    return (upper - lower) / value


def inverted(tally, k, digits=17):
    """The inversion itself, also where an exact count would be quicker; for 0 < d <= k < (D - 1) / 2."""
    groups = sorted(tally.items())
    bits = digits * 10 // 3 + 9
    return Inversion(groups, k, bits, choose(groups, k, bits + 3)).enclosure(60.0)


def random_case(rng):
    """A tally, its distribution, and thresholds below the middle that no pair exceeds."""
    while True:
        largest = rng.choice([1, 2, 3, 5, 12, 40])
        tally = {}
        for _ in range(rng.choice([1, 2, 2, 3, 5])):
            d = rng.randint(1, largest)
            tally[d] = tally.get(d, 0) + rng.choice([1, 1, 2, 3, 10, rng.randint(1, 40)])
        span, largest = sum(d * c for d, c in tally.items()), max(tally)
        if 2 * largest + 1 < span:
            last = (span - 2) // 2
            ks = {largest, last, rng.randint(largest, last), rng.randint(largest, min(last, largest + 9))}
            return tally, distribution(tally), sorted(ks)


tallies = st.dictionaries(st.integers(1, 25), st.integers(1, 12), max_size=5)

# ------------------------------------------------------------------------------------------ the bracket


class TestTheBracketHolds:
    def test_two_thousand_random_cases(self):
        # Seeds are fixed; the reference is the distribution multiplied out. Catches a wrong sign in the alias bounds
        # (below and above S exchanged), a threshold off by one, a missing factor at L/2, a bound that is a mere guess.
        rng = random.Random(20220516)
        cases = 0
        while cases < 2000:
            tally, counts, ks = random_case(rng)
            for k in ks:
                digits = rng.choice([17, 17, 17, 1, 5, 30])
                bracket, exact = inverted(tally, k, digits), probability(counts, k)
                assert contains(bracket, exact), (tally, k, digits)
                assert relative_width(bracket, exact) < Fraction(1, 10**digits), (tally, k, digits)
                cases += 1

    @given(tallies, st.data(), st.sampled_from([1, 17, 50]))
    def test_any_tally_and_threshold(self, tally, data, digits):
        counts = distribution(tally)
        k = data.draw(st.integers(-2, len(counts) + 1))
        assert contains(tail_bracket(tally, k, digits), probability(counts, k))

    @given(st.integers(0, 10**6), st.data())
    def test_whatever_the_parameters(self, seed, data):
        # Tilt, lengths, Chernoff tilts and precision are free: bad ones only widen. With few bits the frequencies left
        # out weigh, with short lengths the aliases: catches a missing bound, or one that relies on a good choice.
        tally, counts, ks = random_case(random.Random(seed))
        tilts = st.floats(1e-300, 1.0) | st.floats(0.5, 1.0) | st.sampled_from([1.0, 1.0 - 2.0**-53, 2.0**-200])
        choice = Choice(
            tilt=data.draw(tilts | st.floats(1.0, 1e6)),
            above=data.draw(st.floats(1e-300, 1e6)),
            below=data.draw(tilts | st.floats(1.0, 1e6)),
            window=data.draw(st.integers(0, 60)),
            reach=data.draw(st.integers(-5, 60) | st.just(10**6)),
            scarcity=data.draw(st.floats(1.0, 1e6) | st.just(1.0)),
        )
        bits = data.draw(st.integers(1, 30))
        for k in ks:
            assert contains(Inversion(sorted(tally.items()), k, bits, choice).enclosure(60.0), probability(counts, k))

    @pytest.mark.parametrize("tilt", [1.0 + 2.0**-52, 1.5, 1e6])
    def test_a_tilt_above_one_is_one(self, tilt):
        # Weights r**m that grow break every bound on what is left out: catches a tilt that is taken as it comes.
        groups = [(1, 40), (2, 9), (5, 3)]
        choice = Choice(tilt, above=2 * tilt, below=0.5, window=12, reach=12, scarcity=1.0)
        bracket = Inversion(groups, 20, 60, choice).enclosure(60.0)
        assert bracket == Inversion(groups, 20, 60, choice._replace(tilt=1.0)).enclosure(60.0)
        assert contains(bracket, probability(distribution(dict(groups)), 20))

    @pytest.mark.parametrize(("tilt", "above"), [(1.0, 1e9), (0.5, 1e9), (0.1, 0.6)])
    @pytest.mark.parametrize("tally", [{1: 25}, {1: 12, 2: 7}], ids=str)
    def test_aliases(self, tally, tilt, above):
        # All lengths and windows of a short support, with Chernoff tilts for which the bound is nearly the probability
        # of one end of the support: catches an alias bound that starts one point late or is left out.
        counts = distribution(tally)
        groups, span = sorted(tally.items()), len(counts) - 1
        for k in range(max(tally), (span - 1) // 2):
            exact = probability(counts, k)
            for window in range(1, k + 2):
                for reach in (0, 3, 6, 8, 12, 20):
                    choice = Choice(tilt, above=above, below=1e-12, window=window, reach=reach, scarcity=1.0)
                    assert contains(Inversion(groups, k, 60, choice).enclosure(60.0), exact), (k, window, reach)

    @pytest.mark.parametrize(
        ("precision", "bits"), [("skip_bits", 1), ("skip_bits", 3), ("skip_bits", 6), ("width", 22), ("width", 30)]
    )
    def test_one_coarse_step(self, precision, bits):
        # Frequencies left out from few bits on, or the sum rounded to few bits, and all else precise, so that this
        # shows: catches a missing bound of what is left out, and rounding errors that are not counted.
        rng = random.Random(bits)
        for _ in range(60):
            tally, counts, ks = random_case(rng)
            for k in ks:
                inversion = Inversion(sorted(tally.items()), k, 60, choose(sorted(tally.items()), k, 60))
                setattr(inversion, precision, bits)
                assert contains(inversion.enclosure(60.0), probability(counts, k)), (tally, k)

    @pytest.mark.parametrize("k", [9_000, 9_900, 4_000])
    def test_binomial_tails(self, k):
        # P(X <= k) for 20,000 pairs of difference 1 is a sum of binomials, here by their ratios: p down to 1e-1700.
        pairs, count, total = 20_000, math.comb(20_000, k), 0
        for i in range(k, -1, -1):
            total += count
            count = count * i // (pairs - i + 1)
        bracket = inverted({1: pairs}, k)
        exact = Fraction(total, 2**pairs)
        assert contains(bracket, exact)
        assert relative_width(bracket, exact) < Fraction(1, 10**18)

    def test_more_digits_lie_inside(self):
        tally = {1: 4000, 2: 900, 7: 20}
        wide, narrow = tail_bracket(tally, 2500, 17), tail_bracket(tally, 2500, 50)
        (a, d), (b, c) = wide.ends(), narrow.ends()
        assert a <= b <= c <= d
        assert c - b < b / 10**50


class TestHardShapes:
    @pytest.mark.parametrize(
        ("tally", "ks"),
        [
            pytest.param({4: 30, 8: 9, 20: 2}, (60, 99, 120), id="common divisor"),
            pytest.param({2: 60, 4: 30, 6: 10, 7: 1}, (60, 99, 153), id="all even but one"),
            pytest.param({6: 40, 12: 20, 9: 1, 10: 1}, (100, 200, 240), id="multiples of six but two"),
            pytest.param({1: 200, 2: 30, 1000: 1}, (90, 130, 1100), id="one giant"),
            pytest.param({1: 30, 2: 30, 900: 3, 901: 2}, (2000, 2250), id="bimodal"),
            pytest.param({3: 1, 5: 1}, (0, 2, 3, 4, 5, 7, 8), id="two pairs"),
            pytest.param({7: 1}, (-1, 0, 6, 7), id="one pair"),
            pytest.param({1: 1, 2: 1, 4: 1, 8: 1, 16: 1}, range(-1, 33), id="powers of two"),
        ],
    )
    def test_against_the_distribution(self, tally, ks):
        counts = distribution(tally)
        for k in ks:
            exact = probability(counts, k)
            assert contains(tail_bracket(tally, k), exact)
            kept = {d: c for d, c in tally.items() if d <= k}
            span = sum(d * c for d, c in kept.items())
            if kept and 2 * k + 1 < span:  # the inversion by itself, with pairs beyond the threshold left out
                left_out = sum(tally.values()) - sum(kept.values())
                assert contains(inverted(kept, k).scaled(-left_out), exact)

    def test_without_pairs_x_is_zero(self):
        assert [tail_bracket({}, k) for k in (-1, 0, 1)] == [ZERO, ONE, ONE]

    def test_ends_and_middle_are_exact(self):
        n = 5001
        assert tail_bracket({1: n}, n) == ONE
        assert tail_bracket({1: n}, -1) == ZERO
        assert tail_bracket({1: n}, n // 2).ends() == HALF.ends()
        assert tail_bracket({1: 5000}, 0).ends() == (Fraction(1, 2**5000),) * 2
        lower, upper = tail_bracket({1: 5000}, 4999).ends()
        assert lower == upper
        assert 1 - lower == Fraction(1, 2**5000)

    def test_a_giant_beyond_the_threshold_costs_nothing(self):
        # 10**9 must stay out of X <= 1800, and by symmetry in X > 10**9: both are the bracket without it, halved.
        small = {1: 3000, 2: 500}
        giant = {**small, 10**9: 1}
        assert tail_bracket(giant, 1800) == tail_bracket(small, 1800).scaled(-1)
        assert tail_bracket(giant, 10**9 + 4000 - 1801) == tail_bracket(small, 1800).scaled(-1).complement()

    def test_identical_bits_on_every_platform(self):
        # The digest was the same on CPython 3.9 to 3.13 and PyPy: a parameter that depends on the C library's
        # exponential, or on the order of a set, would change it somewhere.
        rng, text = random.Random(7), []
        for _ in range(40):
            tally = {rng.randint(1, 30): rng.randint(1, rng.choice([50, 5000])) for _ in range(rng.randint(1, 6))}
            span = sum(d * c for d, c in tally.items())
            k, digits = int(span * rng.choice([0.3, 0.45, 0.49, 0.5])), rng.choice([17, 40])
            groups = sorted(tally.items())
            bits = digits * 10 // 3 + 9
            text.append(" ".join(map(hex, Inversion(groups, k, bits, choose(groups, k, bits)).enclosure(60.0))))
        digest = hashlib.sha256("\n".join(text).encode()).hexdigest()
        assert digest[:32] == "cdaf5f940370cb3651a18906a1af6c83"

    @pytest.mark.parametrize("seconds", [1.0e-3, 0.123, 4.44e4])
    def test_last_digits_of_an_estimate_decide_nothing(self, seconds, monkeypatch):
        # Logarithms and sums of floats differ between platforms by some 1e-15: all of these are one estimate.
        seen = set()
        for factor in (1.0, 1 - 1e-12, 1 + 1e-12, 1 + 1e-3):
            estimates = {"one": seconds * factor, "slower": 7 * seconds * factor}
            engines = {
                name: SimpleNamespace(estimate=lambda _tally, _k, cost=cost: Estimate(seconds=cost, bytes=2))
                for name, cost in estimates.items()
            }
            monkeypatch.setattr(plan, "ENGINES", engines)
            seen.add(_exact_seconds({1: 9}, 3, Budget()))
        assert len(seen) == 1
        assert _exact_seconds({1: 9}, 3, Budget(bytes=1)) == math.inf


class TestRefusals:
    def test_a_long_support_with_few_small_pairs(self):
        rng = random.Random(1)
        tally = {rng.randint(1, 10**7): 1 for _ in range(400)}
        with pytest.raises(BudgetExceeded, match=r"400 pairs with 400 distinct differences.*about .* s") as caught:
            tail_bracket(tally, 8 * 10**8, budget=Budget(seconds=0.2))
        assert caught.value.seconds > 0.2

    def test_before_any_work_where_the_least_is_too_long(self):
        with pytest.raises(BudgetExceeded) as caught:
            tail_bracket({1: 30_000, 2: 3000}, 17_500, budget=Budget(seconds=1e-4))
        assert 1e-4 < caught.value.seconds < 1

    def test_the_limit_changes_nothing_but_whether(self):
        # Each limit of work either refuses, quoting more than the limit, or finds the same frequencies.
        rng = random.Random(2)
        groups = sorted({rng.randint(1, 400): 1 for _ in range(300)}.items())
        k = sum(d for d, _ in groups) * 2 // 5
        inversion = Inversion(groups, k, 40, choose(groups, k, 40))
        everything, answers = inversion.frequencies(10**9), []
        for limit in (2**n for n in range(10, 26, 3)):
            try:
                answers.append(inversion.frequencies(limit) == everything)
            except BudgetExceeded as refused:
                assert refused.seconds > limit * 0.5e-6
                answers.append(None)
        assert set(answers) == {None, True}
        assert answers == sorted(answers, key=bool)

    def test_sums_beyond_every_float(self):
        tally = {2**600 + 2**n: 1 for n in range(120)}
        with pytest.raises(BudgetExceeded, match="too long") as caught:
            tail_bracket(tally, 40 * 2**600)
        assert caught.value.seconds is None

    def test_gives_way_to_an_exact_count(self):
        # 120 pairs do not damp the frequencies of a support of 100,000 sums; counting takes less.
        rng = random.Random(3)
        tally = {}
        for _ in range(120):
            d = rng.randint(1, 1700)
            tally[d] = tally.get(d, 0) + 1
        bracket = tail_bracket(tally, 45_000)
        assert bracket.lower == bracket.upper
        counts = 1
        for d, pairs in tally.items():
            for _ in range(pairs):
                counts += counts << d * 128
        slots = (counts & ((1 << 45_001 * 128) - 1)).to_bytes(45_001 * 16, "little")
        total = sum(int.from_bytes(slots[i : i + 16], "little") for i in range(0, len(slots), 16))
        assert bracket.ends()[0] == Fraction(total, 2**120)


# ------------------------------------------------------------------------------------------ its parts


class TestFixedPoint:
    @pytest.mark.parametrize("first", FIRST_TURNS)
    @pytest.mark.parametrize("halvings", [1, 2, 5, 9])
    def test_roots_of_unity(self, first, halvings):
        # Against themselves in twice the width: the difference of the two is within the sum of their errors.
        rough, fine = RootsOfUnity(first, halvings, 40), RootsOfUnity(first, halvings, 90)
        slack = rough.error + (fine.error >> 50) + 1
        for n in range(-3, rough.length + 3):
            (a, b), (c, d) = rough(n), fine(n)
            assert (a - (c >> 50)) ** 2 + (b - (d >> 50)) ** 2 <= (slack + 2) ** 2
            angle = cmath.exp(2j * math.pi * n / rough.length)
            assert abs(complex(a, b) / 2**40 - angle) < (rough.error + 1) / 2**40

    @given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 6.3), st.integers(0, 40)), max_size=5))
    def test_powers(self, factors):
        # Against exact rational complex arithmetic on the same mantissas: rounding stays within the error bound.
        width = 30
        numbers = [(int(s * math.cos(t) * 2**width), int(s * math.sin(t) * 2**width)) for s, t, _ in factors]
        exponents = [n for _, _, n in factors]
        rungs = ladder(exponents)
        x, y = power_product(numbers, rungs, width)
        exact_x, exact_y = Fraction(1), Fraction(0)
        for (a, b), n in zip(numbers, exponents):
            for _ in range(n):
                exact_x, exact_y = exact_x * a - exact_y * b, exact_x * b + exact_y * a
        scale = 2 ** (width * sum(exponents))
        error = power_product_error([1] * len(numbers), rungs, width)  # the mantissas may exceed modulus 1 by one unit
        off_x, off_y = x - exact_x * 2**width / scale, y - exact_y * 2**width / scale
        assert off_x**2 + off_y**2 <= error**2

    @given(st.tuples(*[st.floats(-1, 1)] * 4), st.integers(0, 100), st.integers(0, 100))
    def test_quotients(self, parts, error_n, error_d):
        # Every truth that the errors allow stays within the bound: tried at the corners, in rationals.
        width, (a, b, x, y) = 30, parts
        n, d = (int(a * 2**29), int(b * 2**29)), (int(x * 2**30), int(y * 2**30))
        if d[0] ** 2 + d[1] ** 2 > 10**8:
            value, bound = real_quotient(n, error_n, d, error_d, width)
            for turn in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                for other in ((0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)):
                    p, q = n[0] + turn[0] * error_n, n[1] + turn[1] * error_n
                    s, t = d[0] + other[0] * error_d, d[1] + other[1] * error_d
                    assert abs(Fraction((p * s + q * t) << width, s * s + t * t) - value) <= bound

    def test_a_denominator_that_may_be_zero(self):
        # |3 + 4i| = 5: an error of 4 leaves it at least 1, one of 5 leaves nothing. Catches a negative bound.
        value, bound = real_quotient((100, 0), 0, (3, 4), 4, 10)
        assert abs(Fraction(100 << 10, 3) - value) <= bound  # 3 is a denominator that an error of 4 allows
        for error in (5, 6, 10**9):
            with pytest.raises(ExactPermError, match="told from 0"):
                real_quotient((100, 0), 0, (3, 4), error, 10)


class TestDamping:
    @given(st.randoms(use_true_random=False), st.integers(1, 30))
    def test_negligible_means_small(self, rng, bits):
        # |phi| in floats is right to 1e-12 here; the bound must hold at every frequency of the interval.
        groups = sorted({rng.randint(1, 30): rng.randint(1, 30) for _ in range(4)}.items())
        tilt = rng.choice([1.0, 0.75, 0.5])
        powers = [Enclosure(int(tilt * 4) ** d, int(tilt * 4) ** d, -2 * d) for d, _ in groups]
        length = rng.choice([8, 64, 320, 1536])
        damping = Damping(groups, powers, length, bits)
        for _ in range(40):
            a = rng.randint(1, length // 2)
            b = min(length // 2, a + rng.choice([0, 1, 2, 5, 40]))
            if damping.negligible(a, b):
                for j in range(a, b + 1):
                    size = 1.0
                    for d, pairs in groups:
                        p = tilt**d / (1 + tilt**d)
                        size *= abs(1 - p + p * cmath.exp(2j * math.pi * d * j / length)) ** pairs
                    assert size <= 2.0**-bits + 1e-12

    def test_something_is_negligible(self):
        damping = Damping([(1, 1000)], [ONE], 512, 60)
        assert damping.negligible(damping.surely_needed() + 30, 256)
        assert not damping.negligible(1, 256)

    @given(st.integers(0, 2**31))
    def test_sine_from_below(self, v):
        assert 0 <= _sine_square(v) / 2**32 <= math.sin(math.pi * v / 2**32) ** 2 + 1e-15

    @given(st.integers(0, 2**32 - 1))
    def test_logarithm_from_below(self, y):
        truth = -math.log1p(-y / 2**32)
        assert truth - 0.08 <= _minus_log(y) / 2**32 <= truth + 1e-14


class TestChoice:
    @given(st.floats(-800, 800))
    def test_exponential(self, x):
        clamped = max(-700.0, min(700.0, x))
        assert abs(exponential(x) / math.exp(clamped) - 1) < 1e-10

    @given(st.floats(0, 1))
    def test_logarithm(self, x):
        assert abs(log_one_plus(x) - math.log1p(x)) <= 1e-8 * x

    def test_a_saddle_too_far_away(self):
        # One step of the search lowers the mean by a factor of e at most: it ends after 100, short of the saddle.
        choice = choose([(1, 10**45)], 1, 60)
        assert 1e-45 < choice.tilt < 1e-43


# ------------------------------------------------------------------------------------------ enclosures

mantissas = st.integers(0, 2**70)
exponents = st.integers(-150, 30)
positive = st.builds(lambda a, b, e: Enclosure(1 + min(a, b), 1 + max(a, b), e), mantissas, mantissas, exponents)
precisions = st.integers(2, 80)


def inside(enclosure, *values):
    lower, upper = enclosure.ends()
    return all(lower <= value <= upper for value in values)


class TestEnclosure:
    @given(positive, positive, precisions)
    def test_arithmetic_encloses(self, x, y, bits):
        (a, b), (c, d) = x.ends(), y.ends()
        assert inside(x.times(y, bits), a * c, b * d)
        assert inside(x.over(y, bits), a / d, b / c)
        assert inside(x.plus_one(bits), a + 1, b + 1)
        assert inside(x.scaled(-7), a / 128, b / 128)

    @given(positive, st.integers(0, 40), precisions)
    def test_powers_enclose(self, x, n, bits):
        assert inside(x.power(n, bits), *(end**n for end in x.ends()))

    @given(positive)
    def test_complement(self, x):
        small = x.scaled(-110)
        a, b = small.ends()
        assert small.complement().ends() == (1 - b, 1 - a)

    def test_complement_of_the_very_small(self):
        # Exact would take 10**9 bits; nobody can read the difference from 1.
        lower, upper = Enclosure(3, 5, -(10**9)).complement().ends()
        assert lower == 1 - Fraction(1, 2**65536)
        assert upper == 1

    def test_at_most_half(self):
        assert Enclosure(1, 9, -3).at_most_half().ends() == (Fraction(1, 8), Fraction(1, 2))
        assert Enclosure(0, 9, 300).at_most_half().ends() == (0, Fraction(1, 2))

    @given(st.integers(-(2**80), 2**80), st.integers(-1200, 100))
    def test_rounding_to_floats(self, mantissa, exponent):
        value = Fraction(mantissa) * Fraction(2) ** exponent
        low, near, high = (rounded(mantissa, exponent, direction) for direction in (-1, 0, 1))
        assert near == value.numerator / value.denominator  # division of integers rounds correctly
        assert Fraction(low) <= value <= Fraction(high)
        assert high == low or (high == math.nextafter(low, math.inf) and Fraction(low) < value < Fraction(high))

    def test_floats_of_the_very_small(self):
        assert Enclosure(3, 5, -(10**12)).floats() == (0.0, 5e-324)
        assert rounded(1, -1075, 0) == 0.0  # half of the smallest float: ties to even
        assert rounded(3, -1076, 0) == 5e-324

    @given(st.integers(1, 2**200), st.integers(-3000, 300))
    def test_log10(self, mantissa, exponent):
        # Against the decimal module, whose logarithm is correctly rounded to 60 digits.
        context = Context(prec=900, Emax=10**6, Emin=-(10**6))
        value = context.multiply(Decimal(mantissa), context.power(Decimal(2), exponent))
        truth = Context(prec=60, Emax=10**6, Emin=-(10**6)).log10(value)
        low, high, scale = log10_bounds(mantissa, exponent)
        slack = abs(Fraction(truth)) / 10**58
        assert Fraction(low, 2**scale) - slack <= Fraction(truth) <= Fraction(high, 2**scale) + slack
        assert (high - low) * 2**90 <= max(abs(low), abs(high))

    def test_log10_next_to_one(self):
        # log10(1 - x) = -x / ln 10 - ...: catches a logarithm that is 0 where p is nearly 1.
        below = Enclosure(2**200 - 1, 2**200 - 1, -200).log10_floats()
        above = Enclosure(2**200 + 1, 2**200 + 1, -200).log10_floats()
        truth = Fraction(43429448190325182765112891891660508, 10**35) / 2**200  # 1 / ln 10
        for sign, (low, high) in ((-1, below), (1, above)):
            assert Fraction(low) < sign * truth < Fraction(high)
            assert high == math.nextafter(low, math.inf)
        assert ONE.log10_floats() == (0.0, 0.0)
        assert Enclosure(0, 1, -10).log10_floats()[0] == -math.inf

    @given(st.integers(0, 2**100), st.integers(-300, 20), st.integers(1, 50))
    def test_decimals(self, mantissa, exponent, digits):
        # Short powers of ten are exact, so the texts are those of the decimal module, rounded down and up.
        texts = Enclosure(mantissa, mantissa, exponent).decimals(digits)
        exact = Context(prec=1000).multiply(Decimal(mantissa), Context(prec=1000).power(Decimal(2), exponent))
        for text, rounding in zip(texts, (ROUND_FLOOR, ROUND_CEILING)):
            expected = Context(prec=digits, rounding=rounding).plus(exact)
            assert abs(Decimal(text) - expected) <= abs(expected) * Decimal(10) ** (1 - digits)
        assert Decimal(texts[0]) <= exact <= Decimal(texts[1])

    def test_decimals_far_away(self):
        # -10**9 log10 2 = -301029995.66398119521373889472..., and 10**0.33601880478626... = 2.16779...
        low, high = Enclosure(1, 1, -(10**9)).decimals(4)
        assert (low, high) == ("2.167e-301029996", "2.168e-301029996")

    @given(mantissas, exponents, st.fractions(min_value=Fraction(1, 10**30), max_value=1))
    def test_compare(self, mantissa, exponent, fraction):
        fraction = fraction or Fraction(1)
        value = Fraction(mantissa) * Fraction(2) ** exponent
        assert compare(mantissa, exponent, fraction) == (value > fraction) - (value < fraction)
        assert compare(value.numerator, 0, fraction * value.denominator) == (value > fraction) - (value < fraction)

    def test_repr_is_short(self):
        assert repr(Enclosure(10**5000, 10**5000, -3)).startswith("Enclosure(lower=100000...000000 (5001 digits)")


@settings(max_examples=20)
@given(st.integers(2, 10**6))
def test_the_transform_is_long_enough(points):
    """The least of 4, 5, 6 times a power of two, at least 2, that holds the points."""
    groups = [(1, 2 * points + 10)]
    inversion = Inversion(groups, points, 20, Choice(1.0, 1.0, 1.0, points, 0, 1.0))
    sizes = [first << h for first in FIRST_TURNS for h in range(1, 22)]
    assert inversion.length == min(size for size in sizes if size >= inversion.window)
