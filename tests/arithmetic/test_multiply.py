"""The transform over Z/(2**K + 1) and the products made of it: exact at every size, and at the edges of the bound."""

import random
from math import comb
from operator import mul

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactperm.arithmetic import multiply as products
from exactperm.arithmetic import polynomial
from exactperm.arithmetic import transform as transforms
from exactperm.arithmetic.multiply import multiply, square
from exactperm.arithmetic.polynomial import convolve
from exactperm.arithmetic.transform import Transform, granule

SHAPES = [(half, tail) for half in (1, 2, 4, 8, 16, 32) for tail in (0, 1, 2, 4, 8, 16, 32) if tail <= half]


def schoolbook(a, b):
    """The product of two polynomials by its definition."""
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return product


def wrapped(a, half, tail):
    """The polynomial modulo (x**half + 1) * (x**tail - 1), or modulo x**half + 1, by long division."""
    a = list(a)
    while len(a) > half + tail:
        top = a.pop()
        # x**(half + tail) = x**half - x**tail + 1, or -1 without the second factor
        end = len(a)
        if tail:
            a[end - tail] += top
            a[end - half] -= top
            a[end - half - tail] += top
        else:
            a[end - half] -= top
    return a


def product_by(transform, a, b):
    return transform.inverse(transform.pointwise(transform.forward(a), transform.forward(b), mul))


def bits_for(half, multiple):
    return granule(half) * multiple


@pytest.mark.parametrize(("half", "tail"), SHAPES)
@pytest.mark.parametrize("multiple", [1, 2, 3, 16])
def test_products_modulo_the_polynomial_and_the_number_agree_with_their_definition(half, tail, multiple):
    """Operands that fill the transform, so that everything wraps around, with negacyclic and cyclic parts."""
    rng = random.Random(half * 1000 + tail * 10 + multiple)
    bits = bits_for(half, multiple)
    transform = Transform(bits, half, tail)
    length = half + tail
    a, b = ([rng.randrange(2**bits + 1) for _ in range(length)] for _ in range(2))
    a[0] = 2**bits  # the one residue that needs a bit more
    before = a[:], b[:]
    expected = [x % (2**bits + 1) for x in wrapped(schoolbook(a, b), half, tail)]
    assert product_by(transform, a, b) == expected
    assert (a, b) == before


@pytest.mark.parametrize(("half", "tail"), SHAPES)
def test_inverse_undoes_forward_at_every_number_of_coefficients(half, tail):
    bits = bits_for(half, 3)
    transform = Transform(bits, half, tail)
    for count in range(1, half + tail + 1):
        values = [(2**bits - 7 * i) % (2**bits + 1) for i in range(count)]
        assert transform.inverse(transform.forward(values)) == values + [0] * (half + tail - count)


@pytest.mark.parametrize("bits", [12, 24, 6144])
def test_products_at_the_roots_by_thirds(monkeypatch, bits):
    """Residues of any sign, up to twice the modulus, and at the ends of their thirds; squares share their parts."""
    monkeypatch.setattr(transforms, "_THIRDS", 12)
    assert transforms.by_thirds(bits) and not transforms.by_thirds(bits + 1) and not transforms.by_thirds(9)
    rng = random.Random(bits)
    third, modulus = bits // 3, 2**bits + 1
    edges = [0, 1, 2**third, 2**third - 1, 2 ** (2 * third), 2 ** (2 * third) - 1, 2**bits - 1, 2**bits, 2 * modulus]
    values = edges + [-x for x in edges] + [rng.randrange(-modulus, modulus) for _ in range(20)]
    transform = Transform(bits, 4, 0)
    for x in values:
        found = transform.pointwise([x] * len(values), values, mul)
        assert all((z - x * y) % modulus == 0 for y, z in zip(values, found))
    assert all(abs(z) < 2 ** (bits + 4) for z in found)
    a = [2**bits - i for i in range(4)]
    expected = [x % modulus for x in wrapped(schoolbook(a, a), 4, 0)]
    residues = transform.forward(a)
    assert transform.inverse(transform.pointwise(residues, residues, mul)) == expected


@pytest.mark.parametrize("half", [8, 16, 32])
def test_square_root_of_two_serves_odd_multiples_of_half_the_granule(half):
    """K = half / 2 times an odd number: the last level needs roots that are no powers of two."""
    bits = half // 2 * 5
    assert bits % half and bits % granule(half) == 0
    a = [2**bits - i for i in range(half)]
    expected = [x % (2**bits + 1) for x in wrapped(schoolbook(a, a), half, 0)]
    assert product_by(Transform(bits, half, 0), a, a) == expected


@pytest.mark.parametrize(("half", "tail"), [(8, 0), (8, 2), (8, 8), (32, 4)])
def test_largest_coefficients_are_exact_with_minimal_bits_and_wrong_with_fewer(half, tail):
    """s coefficients of m bits, all ones: the largest of the product is s * (2**m - 1)**2, below 2**(2 m + log2 s)."""
    long = short = (half + tail + 1) // 2
    room = (short - 1).bit_length()
    m = (bits_for(half, 4) - room) // 2
    a = [2**m - 1] * long
    b = [2**m - 1] * short
    expected = schoolbook(a, b)
    assert expected[short - 1].bit_length() == 2 * m + room or short & (short - 1)
    padded = expected + [0] * (half + tail - len(expected))
    assert product_by(Transform(bits_for(half, 4), half, tail), a, b) == padded
    assert product_by(Transform(bits_for(half, 3), half, tail), a, b) != padded


def test_coefficient_of_exactly_two_to_the_bits_is_kept():
    """2**K = -1 is a residue of its own, not the zero of a ring modulo 2**K."""
    assert product_by(Transform(8, 2, 1), [16, 0], [16, 1]) == [256, 16, 0]
    assert product_by(Transform(8, 2, 1), [16, 0], [16 * 16 + 1 - 16, 1]) == [16 * 241 % 257, 16, 0]


@pytest.mark.parametrize(("half", "tail"), [(1, 0), (2, 1), (4, 0), (4, 4), (8, 2)])
def test_products_in_slices(monkeypatch, half, tail):
    """Every length of b, down to slices of one coefficient, and lengths of a around one, two and three slices."""
    rng = random.Random(half + tail)
    transform, transformed = Transform(32, half, tail), []
    forward = Transform.forward
    monkeypatch.setattr(Transform, "forward", lambda *args: transformed.append(None) or forward(*args))
    for short in range(1, half + tail + 1):
        step = half + tail - short + 1  # coefficients of a slice whose product just fits
        b = [rng.randrange(1, 2**10) for _ in range(short)]
        for long in {1, step - 1, step, step + 1, 2 * step, 3 * step - 1} - {0}:
            a = [rng.randrange(1, 2**10) for _ in range(long)]
            transformed.clear()
            assert transform.product(a, b) == schoolbook(a, b)
            assert len(transformed) == 1 + -(-long // step)
        transformed.clear()
        assert transform.product(b, b) == schoolbook(b, b)
        assert len(transformed) == (1 if short <= step else 1 + -(-short // step))


def test_a_square_by_thirds_takes_its_parts_once(monkeypatch):
    parts = []
    in_thirds = transforms._in_thirds
    monkeypatch.setattr(transforms, "_in_thirds", lambda *args: parts.append(args) or in_thirds(*args))
    x, modulus = 2**5000 + 3, 2**9000 + 1
    assert transforms._product_by_thirds(x, x, 3000, mul) % modulus == x * x % modulus
    assert len(parts) == 1


# ---------------------------------------------------------------------------------------------- integers


PATTERNS = {
    "ones": lambda bits: 2**bits - 1,
    "one bit": lambda bits: 2 ** (bits - 1),
    "alternating": lambda bits: 2**bits // 3,
    "random": lambda bits: random.Random(bits).getrandbits(bits) | 2 ** (bits - 1),
}


def same(x, y):
    """Equality without the decimal text of huge numbers in a failure."""
    return x == y


@pytest.mark.parametrize("bits", [1, 2, 1000, 49_999, 50_000, 50_001, 79_999, 80_000, 131_072, 200_001, 600_000])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_multiply_agrees_with_int_around_the_switch(bits, pattern):
    x = PATTERNS[pattern](bits)
    for other in (bits, bits + 1, max(1, bits - 1), bits // 2 + 1, 2 * bits):
        for second in PATTERNS.values() if bits < 100_000 else [PATTERNS[pattern]]:
            y = second(other)
            assert same(multiply(x, y), x * y), other
    assert same(multiply(-x, x + 1), -x * (x + 1))
    assert same(multiply(x, -x - 1), -x * (x + 1))
    assert same(multiply(-x, -x - 1), x * (x + 1))


@pytest.mark.parametrize("pattern", PATTERNS)
def test_square_agrees_with_int(pattern):
    for bits in (1, 5000, 90_000, 140_000, 400_000):
        x = PATTERNS[pattern](bits)
        for value in (x, -x):
            assert same(square(value), value * value), bits
        assert same(multiply(x, -x), -x * x), bits
        copy = x + 1
        assert same(multiply(x, copy - 1), x * x), bits


@pytest.mark.parametrize("ratio", [3, 10, 37])
def test_long_operand_is_cut_into_slices(ratio):
    x, y = PATTERNS["random"](150_000 * ratio + 13), PATTERNS["ones"](150_000)
    assert same(multiply(x, y), x * y)
    assert same(multiply(y, x), x * y)
    holes = (x >> 600_000 << 600_000) | 1  # a slice of zeros
    assert same(multiply(holes, y), holes * y)


def test_multiply_by_nothing_and_by_units():
    for x in (0, 1, -1, 2**100_000, -(2**100_000) + 1):
        for y in (0, 1, -1):
            assert same(multiply(x, y), x * y)


@given(st.integers(400, 6000), st.integers(400, 6000), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_short_operands_agree_with_int_too(first, second, rng):
    """Every layout is exact, also far below the sizes at which the transforms are worth it."""
    x, y = rng.choice([rng.getrandbits(first), 2**first - 1]), rng.choice([rng.getrandbits(second), 2**second - 1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(products, "SHORTEST", 400)
        patch.setattr(products, "_KARATSUBA", 1.0)
        assert multiply(x, y) == x * y
        assert square(x) == x * x


@pytest.mark.parametrize(("long", "short"), [(900, 900), (901, 777), (5000, 700), (4096, 1024), (20_000, 6001)])
def test_every_layout_that_is_weighed_multiplies_the_largest_integers(monkeypatch, long, short):
    """The longer one in as many slices as were estimated; ones alone leave no bit to spare."""
    monkeypatch.setattr(products, "SHORTEST", short)
    monkeypatch.setattr(products, "_KARATSUBA", 1e9)
    weighed, transformed = [], []
    monkeypatch.setattr(products, "transform_seconds", lambda *plan: weighed.append(plan) or 1.0)
    products._plan(long, short, False)
    forward = Transform.forward
    monkeypatch.setattr(Transform, "forward", lambda *args: transformed.append(args) or forward(*args))
    x, y = 2**long - 1, 2**short - 1
    assert {slices for _layout, slices, _same in weighed} == {2**i for i in range(6) if 2**i * short <= long}
    assert all(2 * layout[0] < short for layout, _slices, _same in weighed)
    for chosen in weighed:
        monkeypatch.setattr(products, "transform_seconds", lambda *plan: float(plan[:2] != chosen[:2]))  # noqa: B023
        transformed.clear()
        assert same(multiply(x, y), x * y)
        assert same(multiply(y, -x), -x * y)
        assert {transform.half for transform, _values in transformed} == {chosen[0][1]}
        assert len(transformed) <= 2 * (1 + chosen[1])


def test_no_coefficient_outgrows_the_transform(monkeypatch):
    """With s pieces of m bits, all ones: s * (2**m - 1)**2 up to 2**K, and the pieces of a slice fit beside them."""
    rng, weighed = random.Random(4), {}

    def draw(*plan):
        seconds = rng.random()
        weighed[seconds] = plan
        return seconds

    monkeypatch.setattr(products, "SHORTEST", 400)
    monkeypatch.setattr(products, "_KARATSUBA", 1e9)
    monkeypatch.setattr(products, "transform_seconds", draw)
    for _ in range(600):
        weighed.clear()
        short = rng.randrange(400, 9000)
        long = rng.randrange(short, 9 * short)
        seconds, layout, width = products._plan(long, short, False)
        chosen, slices, _same = weighed[seconds]
        assert chosen == layout
        bits, half, tail = layout
        pieces = -(-short // (8 * width))
        assert pieces * (256**width - 1) ** 2 <= 2**bits
        assert slices * (half + tail - pieces + 1) >= -(-long // (8 * width))


def test_room_for_the_sum_of_many_pieces(monkeypatch):
    """2**16 + 1 pieces of 4095 bytes: K = 2**16 would be one bit too narrow, the next possible one is twice as much.

    Below, the unit of K is too coarse to miss by one bit.
    """
    half, tail = 2**17, 2**14
    short = 8 * 4095 * (2**16 + 1)
    long = 8 * 4095 * (half + tail - 1) - short
    monkeypatch.setattr(products, "transform_seconds", lambda layout, *_: float(layout[1:] != (half, tail)))
    _seconds, (bits, *shape), width = products._plan(long, short, False)
    assert shape == [half, tail]
    pieces = -(-short // (8 * width))
    assert (pieces * (256**width - 1) ** 2 <= 2**bits) is True


def test_shapes_of_transforms():
    """Both are powers of two; there is no tail, or one between an eighth of the half and all of it."""
    powers = [2**i for i in range(10)]
    for first, last in [(-3, 1), (1, 4), (2, 2), (5, 8)]:
        expected = {
            (h, t)
            for h in powers[max(first, 1) : last + 1]
            for t in [0, *powers]
            if t in range(-(-h // 8), h + 1) or not t
        }
        assert set(products.shapes(first, last)) == expected


def test_products_at_the_roots_are_made_in_the_same_way(monkeypatch):
    inner = []
    monkeypatch.setattr(products, "multiply", lambda x, y: inner.append((x, y)) or x * y)
    x, y = 3**200_000, 5**130_000
    assert same(multiply(x, y), x * y)
    assert len(inner) > 60
    assert all(max(a.bit_length(), b.bit_length()) < 40_000 for a, b in inner)
    inner.clear()
    assert same(multiply(x, -x), -x * x)
    assert all(a is b for a, b in inner)


def test_the_plan_knows_of_equal_operands(monkeypatch):
    plans = []
    monkeypatch.setattr(products, "_plan", lambda *args: plans.append(args) or (0.0, None, 0))
    x, y = 2**60_000, 2**59_999 + 1
    assert same((multiply(x, y), multiply(y, -x), multiply(-x, x)), (x * y, -x * y, -x * x))
    assert plans == [(60_001, 60_000, False), (60_001, 60_000, False), (60_001, 60_001, True)]


# ---------------------------------------------------------------------------------------------- polynomials


def coefficients(bits, count, kind, rng):
    if kind == "largest":
        return [2**bits - 1] * count
    if kind == "binomial":
        return [comb(count - 1, i) << max(0, bits - count) for i in range(count)]
    return [rng.choice([0, rng.getrandbits(bits)]) for _ in range(count)]


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


@pytest.mark.parametrize("way", ["transforms", "packing"])
@given(
    st.lists(st.integers(0, 2**90), min_size=1, max_size=40),
    st.lists(st.integers(0, 2**60), min_size=1, max_size=12),
    st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_both_ways_of_convolving_agree_with_the_definition(way, a, b, tuples):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(polynomial, "SHORTEST", 200 if way == "transforms" else 50_000)
        patch.setattr(polynomial, "_SLOT", 1.0)
        assert convolve(tuple(a) if tuples else a, b) == schoolbook(a, b)
        assert convolve(a, list(a)) == schoolbook(a, a)


@given(
    st.lists(st.integers(0, 2**70), min_size=1, max_size=12),
    st.lists(st.integers(0, 2**40), min_size=1, max_size=12),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=150, deadline=None)
def test_palindromes_agree_with_the_definition(a, b, a_odd, b_odd):
    """Of odd and even length, with zeros inside and outside, and one much wider than the other."""
    a, b = a + a[: len(a) - a_odd][::-1], b + b[: len(b) - b_odd][::-1]
    assert convolve(a, b) == schoolbook(a, b)
    assert convolve(a, a) == schoolbook(a, a)


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


def test_palindromes_are_packed_at_half_the_width(factors):
    values = [2**100 - 1 - i * i for i in range(20)]
    palindrome = values + values[::-1]
    for a, b, share in [(palindrome, palindrome[5:-5], 0.5), (palindrome, values, 1), (values, palindrome, 1)]:
        factors.clear()
        assert convolve(a, b) == schoolbook(a, b)
        ((x, y),) = factors
        slots = 205 * share * (len(a) + len(b))  # twice 100 bits, and room for the sum of 20 or 30
        assert slots * 0.9 < x.bit_length() + y.bit_length() < slots * 1.1


@pytest.mark.parametrize("mirrored", [True, False])
def test_equal_factors_are_packed_once(factors, mirrored):
    a = [2**50 + i for i in (range(-9, 10) if not mirrored else map(abs, range(-9, 10)))]
    assert convolve(a, list(a)) == schoolbook(a, a)
    ((x, y),) = factors
    assert x is y


def test_equal_factors_are_transformed_once(factors, monkeypatch):
    transformed = []
    forward = Transform.forward
    monkeypatch.setattr(Transform, "forward", lambda *args: transformed.append(None) or forward(*args))
    a, b = [2**2000 - i for i in range(64)], [2**2000 - 2 * i for i in range(64)]
    for other, times in [(list(a), 1), (b, 2)]:
        transformed.clear(), factors.clear()
        assert same(convolve(a, other), schoolbook(a, other))
        assert len(transformed) == times
        assert len(factors) >= 127  # a product at each root, by the quick multiplication
        assert all((x is y) is (times == 1) for x, y in factors)


def test_the_way_is_chosen_for_the_factors_as_they_are(monkeypatch):
    asked = []
    monkeypatch.setattr(polynomial, "_layout", lambda *args: asked.append(args))
    a, b = [2**2000 + abs(i) for i in range(-20, 21)], [2**2000 + i for i in range(30)]
    for first, second in [(a, list(a)), (b, list(b)), (b, a), (a, a[1:-1])]:
        assert same(convolve(first, second), schoolbook(first, second))
    sizes = [(41, 41), (30, 30), (41, 30), (41, 39)]
    assert [plan[:2] for plan in asked] == sizes
    assert all(0 <= bits - 4000 - short.bit_length() < 4 for _long, short, bits, *_ in asked)
    assert [plan[3:] for plan in asked] == [(True, True), (True, False), (False, False), (False, True)]


@pytest.mark.parametrize(("long", "short"), [(1, 1), (2, 1), (5, 5), (6, 6), (9, 8), (20, 8), (11, 3), (40, 17)])
def test_every_layout_that_is_weighed_holds_the_product(monkeypatch, long, short):
    """Transforms at least as long as the shorter factor, of enough bits, in as many slices as the longer one makes."""
    weighed = []
    monkeypatch.setattr(polynomial, "transform_seconds", lambda *plan: weighed.append(plan) or 1.0)
    a, b = [2**9 - 1] * long, [2**8 - 1] * short
    bits = 17 + short.bit_length()
    polynomial._layout(long, short, bits, False, False)
    assert {half + tail for (_bits, half, tail), _slices, _same in weighed} >= {2, 4, 8, 16} & {short, long + short - 1}
    for layout, slices, equal in weighed:
        step = layout[1] + layout[2] - short + 1
        assert (slices - 1) * step < long <= slices * step
        assert type(slices) is int and equal is False
        assert Transform(*layout).product(a, b) == schoolbook(a, b)


@pytest.mark.parametrize(
    ("lengths", "bits", "equal", "mirrored", "ratio"),
    [
        ((64, 64), 4005, False, False, 0.39),
        ((64, 64), 4005, True, False, 0.39),
        ((64, 64), 20_005, False, False, 0.62),
        ((64, 64), 805, False, True, 2.0),
        ((64, 64), 806, True, True, 2.1),
        ((300, 300), 208, False, False, 1.7),
        ((300, 300), 808, True, False, 0.60),
        ((300, 300), 4008, False, False, 0.47),
        ((300, 300), 4008, True, False, 0.46),
        ((2000, 2000), 130, False, False, 4.3),
        ((2000, 2000), 610, False, True, 1.9),
        ((2000, 30), 2004, False, False, 0.36),
        ((300, 3), 39_999, False, True, 1.9),
        ((20, 20), 40_004, False, True, 1.8),
        ((8, 8), 100_002, False, True, 2.4),
        ((2, 2), 119_997, True, True, 1.8),
    ],
)
def test_polynomials_are_transformed_where_that_was_much_faster(lengths, bits, equal, mirrored, ratio):
    """``ratio``: CPU seconds of the transforms to those of packed integers, as measured on CPython 3.11."""
    assert (polynomial._layout(*lengths, bits, equal, mirrored) is not None) is (ratio < 1)


def test_convolve_with_nothing():
    assert convolve([], [1, 2]) == convolve([1, 2], []) == convolve([], []) == []
    assert convolve([0, 0], [1, 2, 3]) == convolve([1, 2, 3], [0, 0]) == [0, 0, 0, 0]
    assert convolve([7], [0, 6, 0]) == [0, 42, 0]


def test_granule_admits_the_roots_that_the_levels_need():
    """2**granule = -1 and r = sqrt(2) needs 4 | K; half = 64 needs roots of order 128 among the 4 K powers of r."""
    for half in (1, 2, 4, 8, 64, 1024):
        assert granule(half) % 4 == 0 and 4 * granule(half) % (2 * half) == 0
    assert transforms.granule(1024) == 512


# ---------------------------------------------------------------------------------------------- estimates


@pytest.mark.parametrize(
    ("first", "second", "equal", "seconds"),
    [
        (30_000, 30_000, False, 3.04e-4),
        (30_000, 30_000, True, 1.88e-4),
        (1_000_000, 1000, False, 8.2e-4),
        (100_000, 100_000, False, 1.94e-3),
        (100_000, 100_000, True, 1.29e-3),
        (300_000, 300_000, False, 7.4e-3),
        (300_000, 300_000, True, 5.1e-3),
        (1_000_000, 1_000_000, False, 2.88e-2),
        (1_000_000, 1_000_000, True, 1.97e-2),
        (1_000_000, 100_000, False, 1.36e-2),
        (3_000_000, 100_000, False, 3.83e-2),
        (3_000_000, 60_000, False, 3.52e-2),
        (10_000_000, 1_000_000, False, 0.160),
        (10_000_000, 10_000_000, True, 0.256),
        (30_000_000, 30_000_000, False, 1.26),
    ],
)
def test_estimated_seconds_are_those_that_were_measured(first, second, equal, seconds):
    """CPU seconds of products on CPython 3.11: int * int, one transform, and transforms of slices."""
    assert seconds / 1.6 < products.multiply_seconds(first, second, equal) < seconds * 1.6
    assert products.multiply_seconds(first, second, equal) == products.multiply_seconds(second, first, equal)
    if equal:
        assert products.multiply_seconds(first, second, True) < 0.8 * products.multiply_seconds(first, second, False)


@pytest.mark.parametrize(
    ("bits", "seconds"),
    [
        (1024, 1.2e-6),
        (4096, 1.16e-5),
        (6144, 2.0e-5),
        (9000, 3.2e-5),
        (12_288, 5.4e-5),
        (30_000, 2.1e-4),
        (60_000, 6.2e-4),
    ],
)
def test_seconds_of_a_product_at_a_root_are_those_that_were_measured(bits, seconds):
    """On CPython 3.11: int * int below 6000 bits, then four of a third."""
    assert seconds / 1.2 < products._root_product(bits) < seconds * 1.2


@pytest.fixture
def nothing_costs(monkeypatch):
    for name in ("_BUTTERFLY", "_BUTTERFLY_DIGIT", "_COEFFICIENT", "_COEFFICIENT_DIGIT", "_KARATSUBA", "_LONG"):
        monkeypatch.setattr(products, name, 0)


@pytest.mark.usefixtures("nothing_costs")
@pytest.mark.parametrize("half", [2, 16, 64])
def test_estimates_count_the_butterflies(monkeypatch, half):
    """Of every transform as many; a product takes those of both factors and of itself, equal factors share one."""
    butterflies = []
    turned = Transform._turned
    monkeypatch.setattr(Transform, "_turned", lambda *args: butterflies.extend(args[1]) or turned(*args))
    transform = Transform(64, half, 0)
    transform.inverse(transform.forward([7] * half))
    one = len(butterflies) / 2
    monkeypatch.setattr(products, "_BUTTERFLY", 1)
    for slices, equal, times in [(1, True, 2), (1, False, 3), (3, False, 7), (3, True, 7)]:
        assert products.transform_seconds((64, half, 0), slices, equal) == times * one


@pytest.mark.usefixtures("nothing_costs")
@pytest.mark.parametrize(("half", "tail"), [(2, 1), (16, 0), (64, 64)])
def test_estimates_count_the_products_at_the_roots(monkeypatch, half, tail):
    made = []
    Transform(64, half, tail).product([3], [5], lambda x, y: made.append(x) or x * y)
    monkeypatch.setattr(products, "_KARATSUBA", 1)
    monkeypatch.setattr(products, "_LONG", 1)
    for slices in (1, 3):
        whole = slices * len(made) * products._root_product(64)
        assert products.transform_seconds((64, half, tail), slices, False) == pytest.approx(whole, rel=1e-12)
    squares = products._SQUARE_SHARE * len(made) * products._root_product(64)
    assert products.transform_seconds((64, half, tail), 1, True) == pytest.approx(squares, rel=1e-12)


@pytest.mark.parametrize("slices", [1, 2, 7])
def test_equal_factors_share_a_transform_only_where_it_is_the_only_one(slices):
    """Cut into slices, the factors of each product differ."""
    layout = (4096, 512, 128)
    apart, equal = (products.transform_seconds(layout, slices, same) for same in (False, True))
    assert equal < apart if slices == 1 else equal == apart
