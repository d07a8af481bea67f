"""Multiplication of long integers: exact at every size, and at the edges of the bound."""

import random

import pytest

from exactperm.arithmetic import multiply as products
from exactperm.arithmetic.multiply import multiply, square
from products import same, transforms_made

PATTERNS = {
    "ones": lambda bits: 2**bits - 1,
    "one bit": lambda bits: 2 ** (bits - 1),
    "alternating": lambda bits: 2**bits // 3,
    "random": lambda bits: random.Random(bits).getrandbits(bits) | 2 ** (bits - 1),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "bits", [200_001, 131_072, 80_000, 79_999, 50_001, 50_000, 49_999, 1000, 2, 1, 600_000]
)
@pytest.mark.parametrize("pattern", PATTERNS.values(), ids=PATTERNS)
def test_multiply_agrees_with_int_around_the_switch(bits, pattern):
    x = pattern(bits)
    for other in (bits, bits + 1, max(1, bits - 1), bits // 2 + 1, 2 * bits):
        for second in PATTERNS.values() if bits < 100_000 else [pattern]:
            y = second(other)
            assert same(multiply(x, y), x * y), other
    assert same(multiply(-x, x + 1), -x * (x + 1))
    assert same(multiply(x, -x - 1), -x * (x + 1))
    assert same(multiply(-x, -x - 1), x * (x + 1))
    # a factor that is the other, equal to it, or equal but for its sign
    squares = square(x), square(-x), multiply(x, x + 1 - 1), -multiply(x, -x)
    assert same({*squares}, {x * x})


@pytest.mark.slow
@pytest.mark.parametrize("ratio", [3, 10, 37])
def test_long_operand_is_cut_into_slices(ratio):
    x, y = PATTERNS["random"](150_000 * ratio + 13), PATTERNS["ones"](150_000)
    assert same(multiply(x, y), x * y)
    assert same(multiply(y, x), x * y)
    holes = (x >> 600_000 << 600_000) | 1  # a slice of zeros
    assert same(multiply(holes, y), holes * y)


def test_multiply_by_nothing_and_by_units():
    for x in (0, 1, -1, 2**100_000, -(2**100_000) + 1):
        for y in (0, 1, -1, 3**32_000, 5**90_000):  # products of 50,000 bits by int * int, too
            assert same(multiply(x, y), x * y)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("long", "short"), [(900, 900), (901, 777), (5000, 700), (4096, 1024), (20_000, 6001)]
)
def test_every_layout_that_is_weighed_multiplies_the_largest_integers(monkeypatch, long, short):
    """The longer one in as many slices as were estimated; ones alone leave no bit to spare."""
    monkeypatch.setattr(products, "SHORTEST", short)
    monkeypatch.setattr(products, "_KARATSUBA", 1e9)
    weighed = []
    monkeypatch.setattr(products, "transform_seconds", lambda *plan: weighed.append(plan) or 1.0)
    products._plan(long, short, False)
    transformed = transforms_made(monkeypatch)
    x, y = 2**long - 1, 2**short - 1
    assert {slices for _layout, slices, _same in weighed} == {
        2**i for i in range(6) if 2**i * short <= long
    }
    assert all(2 * layout[0] < short for layout, _slices, _same in weighed)
    for chosen in weighed:
        monkeypatch.setattr(
            products,
            "transform_seconds",
            lambda *plan, chosen=chosen: float(plan[:2] != chosen[:2]),
        )
        transformed.clear()
        assert same(multiply(x, y), x * y)
        assert same(multiply(y, -x), -x * y)
        assert {transform.half for transform in transformed} == {chosen[0][1]}
        assert len(transformed) <= 2 * (1 + chosen[1])


@pytest.mark.slow
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
    monkeypatch.setattr(
        products, "transform_seconds", lambda layout, *_: float(layout[1:] != (half, tail))
    )
    _seconds, (bits, *shape), width = products._plan(long, short, False)
    assert shape == [half, tail]
    pieces = -(-short // (8 * width))
    assert (pieces * (256**width - 1) ** 2 <= 2**bits) is True


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


# ---------------------------------------------------------------------------------------- estimates


MEASURED = """
30000 30000 3.04e-4
30000 30000 equal 1.88e-4
1000000 1000 8.2e-4
100000 100000 1.94e-3
100000 100000 equal 1.29e-3
300000 300000 7.4e-3
300000 300000 equal 5.1e-3
1000000 1000000 2.88e-2
1000000 1000000 equal 1.97e-2
1000000 100000 1.36e-2
3000000 100000 3.83e-2
3000000 60000 3.52e-2
10000000 1000000 0.160
10000000 10000000 equal 0.256
30000000 30000000 1.26
"""


@pytest.mark.parametrize("case", MEASURED.split("\n")[1:-1])
def test_estimated_seconds_are_those_that_were_measured(case):
    """Bits, and CPU seconds of products on CPython 3.11: int * int, one transform, and transforms of slices."""
    first, second, *equal, seconds = case.split()
    first, second, equal, seconds = int(first), int(second), bool(equal), float(seconds)
    estimated = products.multiply_seconds(first, second, equal)
    assert seconds / 1.6 < estimated < seconds * 1.6
    assert products.multiply_seconds(second, first, equal) == estimated
    if equal:
        assert estimated < 0.8 * products.multiply_seconds(first, second, False)


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


def test_a_square_is_a_product_of_equal_factors():
    assert [square(x) for x in (0, -3, 7**50)] == [0, 9, 49**50]
