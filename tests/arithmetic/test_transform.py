"""The transform over Z/(2**K + 1): exact at every size, and at the edges of its preconditions."""

import random
from operator import mul

import pytest

from exactperm.arithmetic import transform as transforms
from exactperm.arithmetic.transform import Transform, granule
from products import schoolbook, transforms_made

SHAPES = [
    (half, tail)
    for half in (1, 2, 4, 8, 16, 32)
    for tail in (0, 1, 2, 4, 8, 16, 32)
    if tail <= half
]


def wrapped(a, half, tail):
    """The polynomial modulo (x**half + 1) * (x**tail - 1), or modulo x**half + 1, by long division."""
    a = list(a)
    while len(a) > half + tail:
        top = a.pop()
        # x**(half + tail) = x**half - x**tail + 1, or -1 without the second factor
        end = len(a)
        a[end - half] -= top
        if tail:
            a[end - tail] += top
            a[end - half - tail] += top
    return a


def product_by(transform, a, b):
    return transform.inverse(transform.pointwise(transform.forward(a), transform.forward(b), mul))


def by_definition(transform, a, b):
    product = wrapped(schoolbook(a, b), transform.half, transform.tail)
    return [x % (2**transform.bits + 1) for x in product]


@pytest.mark.parametrize(("half", "tail"), SHAPES)
@pytest.mark.parametrize("multiple", [1, 2, 3, 16])
def test_products_modulo_the_polynomial_and_the_number_agree_with_their_definition(
    half, tail, multiple
):
    """Operands that fill the transform, so that everything wraps around, with negacyclic and cyclic parts."""
    rng = random.Random(half * 1000 + tail * 10 + multiple)
    bits = granule(half) * multiple
    transform = Transform(bits, half, tail)
    length = half + tail
    a, b = ([rng.randrange(2**bits + 1) for _ in range(length)] for _ in range(2))
    a[0] = 2**bits  # the one residue that needs a bit more
    before = a[:], b[:]
    assert product_by(transform, a, b) == by_definition(transform, a, b)
    assert (a, b) == before


@pytest.mark.parametrize(("half", "tail"), SHAPES)
def test_inverse_undoes_forward_at_every_number_of_coefficients(half, tail):
    bits = granule(half) * 3
    transform = Transform(bits, half, tail)
    for count in range(1, half + tail + 1):
        values = [(2**bits - 7 * i) % (2**bits + 1) for i in range(count)]
        assert transform.inverse(transform.forward(values)) == values + [0] * (half + tail - count)


@pytest.mark.slow
@pytest.mark.parametrize("bits", [12, 24, 6144])
def test_products_at_the_roots_by_thirds(monkeypatch, bits):
    """Residues of any sign, up to twice the modulus, and at the ends of their thirds; squares share their parts."""
    monkeypatch.setattr(transforms, "_THIRDS", 12)
    assert [*map(transforms.by_thirds, (bits, bits + 1, 9))] == [True, False, False]
    rng = random.Random(bits)
    third, modulus = bits // 3, 2**bits + 1
    edges = [2 ** (i * third) - j for i in range(4) for j in (0, 1)] + [2 * modulus]
    values = edges + [-x for x in edges] + [rng.randrange(-modulus, modulus) for _ in range(20)]
    transform = Transform(bits, 4, 0)
    for x in values:
        found = transform.pointwise([x] * len(values), values, mul)
        assert all((z - x * y) % modulus == 0 for y, z in zip(values, found))
    assert all(abs(z) < 2 ** (bits + 4) for z in found)
    a = [2**bits - i for i in range(4)]
    residues = transform.forward(a)
    found = transform.inverse(transform.pointwise(residues, residues, mul))
    assert found == by_definition(transform, a, a)


@pytest.mark.parametrize("half", [8, 16, 32])
def test_square_root_of_two_serves_odd_multiples_of_half_the_granule(half):
    """K = half / 2 times an odd number: the last level needs roots that are no powers of two."""
    bits = half // 2 * 5
    assert bits % half and bits % granule(half) == 0
    a = [2**bits - i for i in range(half)]
    transform = Transform(bits, half, 0)
    assert product_by(transform, a, a) == by_definition(transform, a, a)


@pytest.mark.parametrize(("half", "tail"), [(8, 0), (8, 2), (8, 8), (32, 4)])
def test_largest_coefficients_are_exact_with_minimal_bits_and_wrong_with_fewer(half, tail):
    """s coefficients of m bits, all ones: the largest of the product is s * (2**m - 1)**2, below 2**(2 m + log2 s)."""
    long = short = (half + tail + 1) // 2
    room = (short - 1).bit_length()
    bits = granule(half) * 4
    m = (bits - room) // 2
    a = [2**m - 1] * long
    b = [2**m - 1] * short
    expected = schoolbook(a, b)
    assert expected[short - 1].bit_length() == 2 * m + room or short & (short - 1)
    padded = expected + [0] * (half + tail - len(expected))
    assert product_by(Transform(bits, half, tail), a, b) == padded
    assert product_by(Transform(bits - granule(half), half, tail), a, b) != padded


def test_coefficient_of_exactly_two_to_the_bits_is_kept():
    """2**K = -1 is a residue of its own, not the zero of a ring modulo 2**K."""
    assert product_by(Transform(8, 2, 1), [16, 0], [16, 1]) == [256, 16, 0]
    assert product_by(Transform(8, 2, 1), [16, 0], [16 * 16 + 1 - 16, 1]) == [16 * 241 % 257, 16, 0]


@pytest.mark.parametrize(("half", "tail"), [(1, 0), (2, 1), (4, 0), (4, 4), (8, 2)])
def test_products_in_slices(monkeypatch, half, tail):
    """Every length of b, down to slices of one coefficient, and lengths of a around one, two and three slices."""
    rng = random.Random(half + tail)
    transform, transformed = Transform(32, half, tail), transforms_made(monkeypatch)
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


def test_granule_admits_the_roots_that_the_levels_need():
    """2**granule = -1 and r = sqrt(2) needs 4 | K; half = 64 needs roots of order 128 among the 4 K powers of r."""
    for half in (1, 2, 4, 8, 64, 1024):
        assert granule(half) % 4 == 0 and 4 * granule(half) % (2 * half) == 0
    assert transforms.granule(1024) == 512
