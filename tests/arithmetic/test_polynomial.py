"""Products of polynomials, transformed or packed, against the definition."""

import random
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactperm.arithmetic import polynomial
from exactperm.arithmetic.polynomial import convolve
from exactperm.arithmetic.transform import Transform
from products import same, schoolbook, transforms_made


def coefficients(bits, count, kind, rng):
    if kind == "largest":
        return [2**bits - 1] * count
    if kind == "binomial":
        return [comb(count - 1, i) << max(0, bits - count) for i in range(count)]
    return [rng.choice([0, rng.getrandbits(bits)]) for _ in range(count)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["largest", "binomial", "random"])
@pytest.mark.parametrize(
    ("first", "second", "bits"),
    [
        (1, 1, 1),
        (5, 3, 1),
        (40, 40, 10),
        (64, 64, 2000),
        (65, 63, 2000),
        (150, 20, 3000),
        (700, 9, 1200),
        (2, 2, 60_000),
    ],
)
def test_convolve_agrees_with_the_definition(first, second, bits, kind):
    """Long and short, packed and transformed; the largest coefficients leave no bit to spare."""
    rng = random.Random(first)
    a, b = coefficients(bits, first, kind, rng), coefficients(bits, second, kind, rng)
    before = a[:], b[:]
    expected = schoolbook(a, b)
    assert same(convolve(a, b), expected)
    assert same(convolve(b, a), expected)
    assert same(convolve(a, a), schoolbook(a, a))
    assert same((a, b), before)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["transforms", "packing"])
@given(
    st.lists(st.integers(0, 2**90), min_size=1, max_size=40),
    st.lists(st.integers(0, 2**60), min_size=1, max_size=12),
    *[st.booleans()] * 2,
)
@settings(max_examples=80, deadline=None)
def test_both_ways_of_convolving_agree_with_the_definition(way, a, b, a_odd, b_odd):
    """Also of palindromes of odd and even length, with zeros inside and outside."""
    mirrored = a + a[: len(a) - a_odd][::-1], b + b[: len(b) - b_odd][::-1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(polynomial, "SHORTEST", 200 if way == "transforms" else 50_000)
        patch.setattr(polynomial, "_SLOT", 1.0)
        for f, g in ((a, b), mirrored):
            assert convolve(tuple(f) if a_odd else f, g) == schoolbook(f, g)
            assert convolve(f, list(f)) == schoolbook(f, f)


@pytest.mark.parametrize("bits", range(1, 40))
def test_largest_palindromes_leave_no_slot_to_spare(bits):
    """All coefficients at their largest: every lower slot overflows into the next, and every upper one too."""
    for count in (1, 2, 3, 8, 16, 17):
        a, b = [2**bits - 1] * count, [2 ** (bits // 3 + 1) - 1] * 16
        assert convolve(a, b) == schoolbook(a, b)
        assert convolve(a, a) == schoolbook(a, a)


@pytest.fixture
def factors(monkeypatch):
    """The factors of all products of integers that a product of polynomials makes."""
    found = []
    monkeypatch.setattr(polynomial, "multiply", lambda x, y: found.append((x, y)) or x * y)
    return found


@pytest.mark.parametrize("mirrored", [True, False])
def test_equal_factors_are_packed_once(factors, mirrored):
    a = [2**50 + i for i in (range(-9, 10) if not mirrored else map(abs, range(-9, 10)))]
    assert convolve(a, list(a)) == schoolbook(a, a)
    ((x, y),) = factors
    assert x is y


def test_equal_factors_are_transformed_once(factors, monkeypatch):
    transformed = transforms_made(monkeypatch)
    a, b = [2**2000 - i for i in range(64)], [2**2000 - 2 * i for i in range(64)]
    for other, times in [(list(a), 1), (b, 2)]:
        transformed.clear(), factors.clear()
        assert same(convolve(a, other), schoolbook(a, other))
        assert len(transformed) == times
        assert len(factors) >= 127  # a product at each root, by the quick multiplication
        assert all((x is y) is (times == 1) for x, y in factors)


@pytest.mark.parametrize(
    ("long", "short"), [(1, 1), (2, 1), (5, 5), (6, 6), (9, 8), (20, 8), (11, 3), (40, 17)]
)
def test_every_layout_that_is_weighed_holds_the_product(monkeypatch, long, short):
    """Transforms at least as long as the shorter factor, of enough bits, in as many slices as the longer one makes."""
    weighed = []
    monkeypatch.setattr(polynomial, "transform_seconds", lambda *plan: weighed.append(plan) or 1.0)
    a, b = [2**9 - 1] * long, [2**8 - 1] * short
    bits = 17 + short.bit_length()
    polynomial._layout(long, short, bits, False, False)
    lengths = {half + tail for (_bits, half, tail), _slices, _same in weighed}
    assert lengths >= {2, 4, 8, 16} & {short, long + short - 1}
    for layout, slices, equal in weighed:
        step = layout[1] + layout[2] - short + 1
        assert (slices - 1) * step < long <= slices * step
        assert type(slices) is int and equal is False
        assert Transform(*layout).product(a, b) == schoolbook(a, b)


MEASURED = """
64 64 4005 0.39
64 64 4005 equal 0.39
64 64 20005 0.62
64 64 805 mirrored 2.0
64 64 806 equal mirrored 2.1
300 300 208 1.7
300 300 808 equal 0.60
300 300 4008 0.47
300 300 4008 equal 0.46
2000 2000 130 4.3
2000 2000 610 mirrored 1.9
2000 30 2004 0.36
300 3 39999 mirrored 1.9
20 20 40004 mirrored 1.8
8 8 100002 mirrored 2.4
2 2 119997 equal mirrored 1.8
"""


@pytest.mark.parametrize("case", MEASURED.split("\n")[1:-1])
def test_polynomials_are_transformed_where_that_was_much_faster(case):
    """Lengths, bits, and CPU seconds of the transforms to those of packed integers, on CPython 3.11."""
    long, short, bits, *kinds, ratio = case.split()
    same, mirrored = ("equal" in kinds), ("mirrored" in kinds)
    layout = polynomial._layout(int(long), int(short), int(bits), same, mirrored)
    assert (layout is not None) is (float(ratio) < 1)


def test_convolve_with_nothing():
    assert convolve([], [1, 2]) == convolve([1, 2], []) == convolve([], []) == []
    assert convolve([0, 0], [1, 2, 3]) == convolve([1, 2, 3], [0, 0]) == [0, 0, 0, 0]
    assert convolve([7], [0, 6, 0]) == [0, 42, 0]
    long, other = 3**20_000, 5**14_000  # few long coefficients are packed, not transformed
    assert convolve([long, 1], [other, 7]) == [long * other, 7 * long + other, 7]


def test_slots_hold_the_largest_coefficient():
    """511 * 255 takes 17 bits, three bytes: in slots of two, those of 16 bits, it would spill into the next."""
    assert convolve([511], [255, 0]) == [511 * 255, 0]
    assert convolve([511, 1], [255, 0]) == [511 * 255, 255, 0]
