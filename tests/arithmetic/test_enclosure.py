"""Enclosures: every operation holds the exact result between its ends, neither a unit further out than it must be."""

from __future__ import annotations

import itertools
import math
import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.enclosure import (
    HALF,
    ONE,
    ZERO,
    Enclosure,
    _atanh,
    _half_logarithm,
    compare,
    enclosed,
    log10_bounds,
    rounded,
)

mantissas = st.integers(0, 2**70)
exponents = st.integers(-150, 30)
enclosures = st.builds(
    lambda a, b, e: Enclosure(min(a, b), max(a, b), e), mantissas, mantissas, exponents
)
positive = st.builds(
    lambda a, b, e: Enclosure(1 + min(a, b), 1 + max(a, b), e), mantissas, mantissas, exponents
)
precisions = st.integers(2, 80)


def holds(enclosure, *values):
    lower, upper = enclosure.ends()
    return all(lower <= value <= upper for value in values)


def rounds(enclosure, low, high):
    """The ends are low and high rounded outward: less than one unit of the mantissa away."""
    lower, upper = enclosure.ends()
    unit = Fraction(2) ** enclosure.exponent
    return lower <= low < lower + unit and upper - unit < high <= upper


def full(enclosure, low, high, bits):
    """A mantissa has the bits that were asked for (one more where it was rounded up to a power of two), or is exact."""
    length = enclosure.upper.bit_length()
    return enclosure.ends() == (low, high) or length == bits or enclosure.upper == 1 << bits


class TestArithmetic:
    @pytest.mark.slow
    @given(enclosures, positive, precisions)
    def test_products_quotients_and_sums_are_rounded_outward_once(self, x, y, bits):
        (a, b), (c, d) = x.ends(), y.ends()
        for result, low, high in (
            (x.times(y, bits), a * c, b * d),
            (y.times(x, bits), a * c, b * d),
            (x.over(y, bits), a / d, b / c),
        ):
            assert rounds(result, low, high)
            assert full(result, low, high, bits)
        assert rounds(x.plus_one(bits), a + 1, b + 1)
        assert x.scaled(-7).ends() == (a / 128, b / 128)

    def test_a_quotient_of_a_short_number_has_all_bits(self):
        # 1/3 in 8 bits is 170 or 171 in units of 2**-9. Catches a lower end with fewer bits than
        # the upper one.
        for numerator, denominator in itertools.product(range(1, 40), repeat=2):
            for bits in (2, 8, 9, 30):
                value = Fraction(numerator, denominator)
                result = enclosed(value, bits)
                assert rounds(result, value, value)
                assert full(result, value, value, bits)

    @pytest.mark.parametrize("exponent", [-12, -2, -1, 0, 1, 2, 12])
    def test_plus_one_at_every_scale(self, exponent):
        for lower, more, bits in itertools.product(
            (0, 1, 5, 2**20 - 1), (0, 1, 2), (2, 3, 10, 11, 12, 40)
        ):
            x = Enclosure(lower, lower + more, exponent)
            low, high = (end + 1 for end in x.ends())
            assert rounds(x.plus_one(bits), low, high)
            if exponent <= 0:
                assert full(x.plus_one(bits), low, high, bits)

    @given(enclosures, st.integers(0, 40), precisions)
    def test_powers_enclose(self, x, n, bits):
        assert holds(x.power(n, bits), *(end**n for end in x.ends()))

    @given(st.integers(1, 2**60), st.integers(0, 300), st.integers(20, 80))
    def test_powers_widen_in_proportion(self, mantissa, n, bits):
        # A product of n factors is rounded less than 2 n times, by at most 2 units of 2**-bits
        # each.
        x = enclosed(Fraction(mantissa, 2**60), bits)
        a, b = x.ends()
        lower, upper = x.power(n, bits).ends()
        assert 1 - lower / upper <= n * (1 - a / b) + Fraction(4 * n, 2**bits)

    @given(enclosures)
    def test_complement_is_exact(self, x):
        small = x.scaled(-110)
        a, b = small.ends()
        assert small.complement().ends() == (1 - b, 1 - a)

    @given(enclosures, st.integers(-60, 200))
    def test_fixed_point(self, x, scale):
        a, b = (end * Fraction(2) ** scale for end in x.ends())
        assert x.fixed(scale) == (math.floor(a), math.ceil(b))

    def test_at_most(self):
        kinds = range(10), range(10), (-3, -1, 0, 2, 300), (-3, -1, 0)
        for lower, more, exponent, power in itertools.product(*kinds):
            x, most = Enclosure(lower, lower + more, exponent), Fraction(2) ** power
            assert x.at_most(power).ends() == tuple(min(end, most) for end in x.ends())
        for lower in (0, 1):  # which is too long to be written out
            assert Enclosure(lower, 1, 10**15).at_most(power).ends() == (lower * most, most)


class TestReading:
    @given(st.integers(-(2**80), 2**80), st.integers(-1200, 100))
    def test_rounding_to_floats(self, mantissa, exponent):
        self.check(mantissa, exponent)

    @pytest.mark.parametrize(
        "exponent", [-1140, *range(-1130, -1120), *range(-1077, -1071), -1022, -60, -1, 0, 1, 60]
    )
    def test_rounding_at_ties_and_among_subnormal_floats(self, exponent):
        # One more than, one less than, and half-way between neighbours of 52, 53 and 54 bits.
        near = [2**n + i for n in (0, 1, 3, 51, 52, 53, 54, 55) for i in range(-5, 6)]
        for mantissa in {*near, *(-m for m in near)}:
            self.check(mantissa, exponent)

    @staticmethod
    def check(mantissa, exponent):
        value = Fraction(mantissa) * Fraction(2) ** exponent
        low, near, high = (rounded(mantissa, exponent, direction) for direction in (-1, 0, 1))
        assert near == value.numerator / value.denominator  # division of integers rounds correctly
        assert Fraction(low) <= value <= Fraction(high)
        assert high == (low if value == Fraction(low) else math.nextafter(low, math.inf))

    def test_floats_of_the_very_small(self):
        assert Enclosure(3, 5, -(10**12)).floats() == (0.0, 5e-324)
        assert rounded(2**70, -(10**12), 0) == 0.0
        assert (rounded(-3, -(10**12), -1), rounded(-3, -(10**12), 1)) == (-5e-324, 0.0)

    def test_compare_makes_no_long_shift(self):
        # 2**(10**15) would not fit any memory.
        assert compare(3, -(10**15), Fraction(1, 3)) == -1
        assert compare(3, 10**15, Fraction(1, 3)) == 1
        assert compare(0, 10**15, Fraction(1, 3)) == -1

    def test_repr_is_short(self):
        text = "Enclosure(lower=7, upper=100000...000000 (5001 digits), exponent=-3)"
        assert repr(Enclosure(7, 10**5000, -3)) == text

    @pytest.mark.slow
    @given(mantissas, exponents, st.fractions(min_value=Fraction(1, 10**30), max_value=1))
    def test_compare(self, mantissa, exponent, fraction):
        value = Fraction(mantissa) * Fraction(2) ** exponent
        sign = (value > fraction) - (value < fraction)
        assert compare(mantissa, exponent, fraction) == sign
        assert compare(value.numerator, 0, fraction * value.denominator) == sign


def decimal_of(mantissa, exponent):
    """mantissa * 2**exponent to 1000 digits."""
    context = Context(prec=1000)
    return context.multiply(Decimal(mantissa), context.power(Decimal(2), exponent))


def atanh_truth(z):
    """Bounds of atanh(z) for 0 <= z <= 1/3, from the series in units of 2**-300: the rest is below its last term."""
    one = 1 << 300
    power, square = z.numerator * one // z.denominator, z * z
    total, odd = 0, 1
    while power:
        total += power // odd
        power = power * square.numerator // square.denominator
        odd += 2
    return Fraction(total, one), Fraction(total + 3 * odd, one)


class TestLogarithms:
    @given(st.integers(1, 2**200), st.integers(-3000, 300))
    def test_logarithms(self, mantissa, exponent):
        self.check(mantissa, exponent)

    @pytest.mark.parametrize("bits", [1, 2, 20, 127, 128, 129, 300])
    def test_logarithms_next_to_one(self, bits):
        # log10(1 + x) is about x / ln 10: the relative error must not grow.
        for off in (-3, -2, -1, 1, 2, 3):
            if bits > 2 or off > 0:
                self.check(2**bits + off, -bits)

    def check(self, mantissa, exponent):
        """The decimal module rounds logarithms correctly."""
        value, context = decimal_of(mantissa, exponent), Context(prec=80)
        log10, half = Fraction(context.log10(value)), Fraction(context.ln(value)) / 2
        self.check_bounds(log10_bounds(mantissa, exponent), log10, abs(log10) / 10**78)
        self.check_bounds(_half_logarithm(mantissa, exponent), half, abs(half) / 10**78)

    @staticmethod
    def check_bounds(bounds, truth, slack):
        low, high, scale = bounds
        assert Fraction(low, 2**scale) - slack <= truth <= Fraction(high, 2**scale) + slack
        assert (high - low) * 2**100 <= max(abs(low), abs(high))

    def test_atanh(self):
        # The error is at most 3 units for each power of z that is at least one unit, and 3 for all
        # the others.
        short = {Fraction(n, d) for d in range(3, 30) for n in range(d // 3 + 1)}
        for z in (*short, Fraction(1, 10**6)):
            low, high = atanh_truth(z)
            for scale in (1, 2, 3, 4, 5, 8, 13, 32, 64, 160):
                value, error = _atanh(z.numerator, z.denominator, scale)
                assert value <= high * 2**scale
                assert low * 2**scale <= value + error
                terms = next(i for i in itertools.count() if z ** (2 * i + 1) * 2**scale < 1)
                assert error <= (3 * terms + 3 if z else 0)

    @pytest.mark.parametrize("exponent", [-(10**15), -(10**9), -(10**6), 10**12])
    def test_log10_far_away(self, exponent):
        # log10 2 = 0.301029995663981195213738894724493026768189881462108541310427461127...
        for mantissa in (1, 3, 5, 1023):
            log2 = Fraction(301029995663981195213738894724493026768189881462108541310427, 10**60)
            truth = exponent * log2 + Fraction(Context(prec=60).log10(Decimal(mantissa)))
            self.check_bounds(log10_bounds(mantissa, exponent), truth, Fraction(1, 10**44))

    def test_log10_floats_next_to_one(self):
        # log10(1 - x) = -x / ln 10 - ...: catches a logarithm that is 0 where p is nearly 1.
        truth = Fraction(43429448190325182765112891891660508, 10**35) / 2**200  # 1 / ln 10
        for sign in (-1, 1):
            low, high = enclosed(2**200 + sign, 201).scaled(-200).log10_floats()
            assert Fraction(low) < sign * truth < Fraction(high)
            assert high == math.nextafter(low, math.inf)
        assert ONE.log10_floats() == (0.0, 0.0)
        _, high = Enclosure(1, 1, -10).log10_floats()
        assert Enclosure(0, 1, -10).log10_floats() == (-math.inf, high)


def rounded_outward(value, digits):
    return [Context(digits, rounding).plus(value) for rounding in (ROUND_FLOOR, ROUND_CEILING)]


class TestDecimals:
    @given(st.integers(0, 2**100), st.integers(-300, 20), st.integers(1, 50))
    def test_decimals(self, mantissa, exponent, digits):
        # The texts are those of the decimal module, rounded down and up, or one unit of the last
        # digit further out.
        texts = Enclosure(mantissa, mantissa, exponent).decimals(digits)
        exact = decimal_of(mantissa, exponent)
        for text, expected in zip(texts, rounded_outward(exact, digits)):
            assert abs(Decimal(text) - expected) <= abs(expected) * Decimal(10) ** (1 - digits)
        assert Decimal(texts[0]) <= exact <= Decimal(texts[1])

    def test_short_numbers_are_rounded_exactly(self):
        # Their powers of ten are short enough to be exact: so are the texts. Catches a digit too
        # many at powers of ten.
        values = [
            (m, e)
            for m in (1, 3, 5, 7, 10, 99, 100, 101, 999, 1000, 2**20 - 1)
            for e in (-20, -7, -1, 0, 1, 9)
        ]
        for (mantissa, exponent), digits in itertools.product(values, (1, 2, 3, 4, 12)):
            ends = rounded_outward(decimal_of(mantissa, exponent), digits)
            texts = Enclosure(mantissa, mantissa, exponent).decimals(digits)
            # Decimal writes powers of ten below 10 in one digit
            short = [re.sub(r"([+-])0(\d)$", r"\1\2", text) for text in texts]
            assert short == [f"{end:.{digits - 1}e}" for end in ends]

    def test_known_texts(self):
        assert ZERO.decimals(3) == ("0", "0")
        assert Enclosure(1, 1000, 0).decimals(3) == ("1.00e+00", "1.00e+03")
        assert HALF.decimals(50) == (f"5.{'0' * 49}e-01",) * 2

    def test_decimals_far_away(self):
        # -10**9 log10 2 = -301029995.66398119521373889472..., and 10**0.33601880478626... =
        # 2.16779...
        low, high = Enclosure(1, 1, -(10**9)).decimals(4)
        assert (low, high) == ("2.167e-301029996", "2.168e-301029996")


def test_width_of_what_is_known_and_of_what_is_not():
    assert Enclosure(5, 5, 9).relative_width == 0
    assert Enclosure(0, 5, 9).relative_width == math.inf
