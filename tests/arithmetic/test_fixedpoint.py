"""Fixed point: every result lies within its error of the truth, and every error covers the derivation's."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.fixedpoint import (
    LONGEST_TABLE,
    FineRoots,
    RootsOfUnity,
    _doubled_angles,
    ladder,
    power_product,
    power_product_error,
    real_quotient,
    roots_of_unity,
)
from exactperm.errors import ExactPermError

FINE = 200
ROOT2 = Fraction(math.isqrt(2 << 2 * FINE) + 1, 1 << FINE)  # from above


def times(first, second):
    """The product of two complex numbers."""
    (a, b), (x, y) = first, second
    return a * x - b * y, a * y + b * x


def fine_product(first, second):
    """That of two in units of 2**-FINE."""
    x, y = times(first, second)
    return x >> FINE, y >> FINE


def fine_root(length):
    """exp(2 pi i / length) in units of 2**-FINE, within 1000 of them: pi by Machin's formula, then the series."""
    one = 1 << FINE

    def arctan_of_reciprocal(n):
        return sum((-1) ** i * (one // ((2 * i + 1) * n ** (2 * i + 1))) for i in range(FINE))

    angle = 2 * 4 * (4 * arctan_of_reciprocal(5) - arctan_of_reciprocal(239)) // length
    x = y = 0
    a, b, i = one, 0, 0
    while a or b:
        x, y, i = x + a, y + b, i + 1
        a, b = -b * angle // (i << FINE), a * angle // (i << FINE)
        a, b = (0 if a == -1 else a), (0 if b == -1 else b)
    return x, y


def fine_roots(length):
    """All roots of unity of one length, within 2**-150."""
    root = fine_root(length)
    roots = [(1 << FINE, 0)]
    for _ in range(length - 1):
        roots.append(fine_product(roots[-1], root))
    return roots


def within(number, width, truth, units):
    """Whether a number is within so many units of a truth known to 2**-150."""
    (x, y), (a, b) = number, truth
    unit = 1 << (FINE - width)
    off = (x - Fraction(a, unit)) ** 2 + (y - Fraction(b, unit)) ** 2
    return off <= (units + Fraction(1, 1 << (150 - width))) ** 2


class TestProducts:
    @pytest.mark.slow
    @given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 6.3), st.integers(0, 40)), max_size=5))
    def test_powers(self, factors):
        # Against exact rational complex arithmetic on the same mantissas: rounding stays within the
        # error bound.
        width = 30
        numbers = [
            (int(s * math.cos(t) * 2**width), int(s * math.sin(t) * 2**width))
            for s, t, _ in factors
        ]
        exponents = [n for _, _, n in factors]
        rungs = ladder(exponents)
        x, y = power_product(numbers, rungs, width)
        exact = 1 << width, 0
        for number, n in zip(numbers, exponents):
            for _ in range(n):
                exact = times(exact, number)
        scale = 2 ** (width * sum(exponents))
        # the mantissas may exceed modulus 1 by one unit
        error = power_product_error([1] * len(numbers), rungs, width)
        assert (x * scale - exact[0]) ** 2 + (y * scale - exact[1]) ** 2 <= (error * scale) ** 2

    @pytest.mark.slow
    @given(
        st.lists(st.tuples(st.integers(0, 30), st.integers(0, 70)), min_size=1, max_size=4),
        st.integers(2, 12),
    )
    def test_the_error_of_powers(self, factors, width):
        # The same steps as the products themselves, one after the other, each with the error of its
        # derivation.
        errors, exponents = [error for error, _ in factors], [n for _, n in factors]
        least = Fraction(0)
        for place in reversed(range(max(exponents).bit_length())):
            if least:
                least = 2 * least + least**2 / 2**width + ROOT2
            for error, n in factors:
                if n >> place & 1:
                    least += error + least * error / 2**width + ROOT2
        assert power_product_error(errors, ladder(exponents), width) >= least

    def test_exact_factors_of_ones(self):
        # Squaring one is exact; each later step costs at most 3 units. 5 = 101 in binary: two
        # squarings count.
        for exponent, units in ((0, 0), (1, 3), (2, 9), (4, 21), (5, 24)):
            assert power_product_error([0], ladder([exponent]), 40) == units


class TestRootsOfUnity:
    @pytest.mark.parametrize("length", [1, 2, 3, 4, 5, 7, 12, 30, 97, 256])
    def test_every_root(self, length):
        truths = fine_roots(length)
        for width in (12, 40, 41, 90):
            for roots in (RootsOfUnity(length, width), FineRoots(length, width)):
                assert roots.length == length
                found = roots.several(range(-3, length + 3))
                assert found == [roots(n) for n in range(-3, length + 3)]
                for n, root in enumerate(found, -3):
                    assert within(root, width, truths[n % length], roots.error)
                assert roots(7 * length + 1) == roots(1)
                assert within(roots(0), width, truths[0], 2 * isinstance(roots, FineRoots))
            for n in range(1, length // 2):  # the terms of n and -n are added as twice a real part
                x, y = RootsOfUnity(length, width)(n)
                assert RootsOfUnity(length, width)(-n) == (x, -y)

    @pytest.mark.slow
    @pytest.mark.parametrize("length", [10**9 + 7, 3**40, 10**30, 2**61 + 1])
    def test_long_lengths(self, length):
        # exp(2 pi i n / length) for n = 1, 2, 4, ... by squaring a fine root, within 2**-150 for up
        # to 30 squarings.
        x, y = fine_root(length)
        for power in range(30):
            for width in (30, 61, 100):
                roots = FineRoots(length, width)
                assert within(roots(1 << power), width, (x, y), roots.error)
                assert within(roots(-(1 << power)), width, (x, -y), roots.error)
            x, y = fine_product((x, y), (x, y))

    @pytest.mark.slow
    @pytest.mark.parametrize("width", [30, 31, 33, 34])
    def test_fine_roots_need_their_errors(self, width):
        # With a table that is rounded right, what is left is the error of the turn and the
        # polynomials: more than the 3 units of a product and the half unit of the table, at most
        # the 6 that are added to them.
        worst, shift = 0.0, FINE - width
        for length in (97, 1009, 4099):
            roots, truths = FineRoots(length, width), fine_roots(length)
            roots._grid = [
                tuple(part + (1 << shift - 1) >> shift for part in root)
                for root in fine_roots(1 << 10)
            ]
            for n, (x, y) in enumerate(truths):
                a, b = (part - Fraction(true, 1 << shift) for part, true in zip(roots(n), (x, y)))
                worst = max(worst, math.hypot(a, b))
        allowed = roots.error - RootsOfUnity(1 << 10, width).error
        assert 3.8 < worst <= allowed + 0.75

    def test_the_kind_follows_the_length(self):
        assert isinstance(roots_of_unity(LONGEST_TABLE, 20), RootsOfUnity)
        assert isinstance(roots_of_unity(LONGEST_TABLE + 1, 20), FineRoots)

    @pytest.mark.parametrize("length", [2, 3, 5, 64, 1000, 10**6])
    def test_doubled_angles_stay_within_two_units(self, length):
        count = (length // 2).bit_length()
        for width in (8, 9, 13, 30, 61):
            chain = _doubled_angles(length, count, width)
            assert [error for _, error in chain] == [2] * count
            root = fine_root(length)
            for number, error in chain:
                assert within(number, width, root, error)
                root = fine_product(root, root)


def corners(number, error):
    """A number, and those at its distance of the error in the four directions."""
    x, y = number
    return [(x, y), (x + error, y), (x - error, y), (x, y + error), (x, y - error)]


class TestQuotients:
    @given(st.tuples(*[st.floats(-1, 1)] * 4), st.integers(0, 100), st.integers(0, 100))
    def test_every_truth_that_the_errors_allow(self, parts, error_n, error_d):
        # Every truth that the errors allow stays within the bound: tried at the corners, in
        # rationals.
        width, (a, b, x, y) = 30, parts
        n, d = (int(a * 2**29), int(b * 2**29)), (int(x * 2**30), int(y * 2**30))
        if d[0] ** 2 + d[1] ** 2 > 10**8:
            value, bound = real_quotient(n, error_n, d, error_d, width)
            for (p, q), (s, t) in product(corners(n, error_n), corners(d, error_d)):
                assert abs(Fraction((p * s + q * t) << width, s * s + t * t) - value) <= bound

    def test_a_modulus_between_integers_is_rounded_down(self):
        # |5 + 5i| = 7.07: taken as 7. Catches a modulus that is too large, and so a bound that is
        # too small.
        _, bound = real_quotient((0, 0), 70, (5, 5), 6, 20)
        assert bound >= (70 + Fraction(70 * 6, 1)) / 7 * 2**20

    def test_a_denominator_that_may_be_zero(self):
        # |3 + 4i| = 5: an error of 4 leaves it at least 1, one of 5 leaves nothing. Catches a
        # negative bound.
        value, bound = real_quotient((100, 0), 0, (3, 4), 4, 10)
        # 3 is a denominator that an error of 4 allows
        assert abs(Fraction(100 << 10, 3) - value) <= bound
        for error in (5, 6, 10**9):
            with pytest.raises(ExactPermError, match="denominator of a quotient"):
                real_quotient((100, 0), 0, (3, 4), error, 10)
