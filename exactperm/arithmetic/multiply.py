"""Multiplication of long integers by number-theoretic transforms (Schoenhage and Strassen 1971).

Cut both integers into pieces, read the pieces as coefficients of polynomials, multiply these by
transforms over Z/(2**K + 1) (:mod:`exactperm.arithmetic.transform`), and add up the overlapping
coefficients. With pieces of 4 bits 0x21 * 0x43 is (1 + 2 x) * (3 + 4 x) = 3 + 10 x + 8 x**2 at x =
16: 3 + 160 + 2048 = 0x8a3.

The product is exact because no coefficient exceeds 2**K: with s pieces of m bits in the shorter
operand,

    s * (2**m - 1)**2 < 2**(2 m + ceil(log2 s)) <= 2**K .

Source: Schoenhage and Strassen 1971; spec/09-own-theorems.md#own-schoenhage.
"""

from __future__ import annotations

import math

from .._types import Optional
from .slots import packed, unpacked
from .transform import Transform, by_thirds, granule

Layout = tuple[int, int, int]  # bits, half and tail of a Transform
# seconds, the layout (None: int * int), bytes of a piece
Price = tuple[float, Optional[Layout], int]


SHORTEST = 50_000
"""Bits of the shorter operand below which int * int is always the fastest."""

# Measured on CPython 3.11, in seconds; a digit is 30 bits of an integer.
_KARATSUBA = 4.9e-9  # int * int of equal lengths, times digits**log2(3)
_SQUARE_SHARE = 0.67  # of the same for x * x
_BUTTERFLY, _BUTTERFLY_DIGIT = 2.0e-7, 4.6e-9
_COEFFICIENT, _COEFFICIENT_DIGIT = 6e-7, 2e-8  # cutting, reducing and joining
_THIRDS, _THIRDS_DIGIT = 1.5e-6, 1.2e-8  # a product made of four of a third, apart from those
_LONG, _LONG_POWER = 6.6e-9, 1.1  # own product of n bits: _LONG * n**_LONG_POWER


def multiply(x: int, y: int) -> int:
    """Multiply two integers of any signs and sizes: equal to ``x * y``, faster from about 10**5 bits on.

    Equal operands share their transform. Cost: about n log n operations on words for n bits, and
    n**1.29 for the products at the roots; some 15 times less than ``x * y`` at 3 * 10**7 bits.
    Source: Schoenhage and Strassen 1971.

    >>> multiply(-(3**200_000), 3**200_000) == -(9**200_000)
    True
    """
    if min(x.bit_length(), y.bit_length()) < SHORTEST:
        return x * y
    long, short = abs(x), abs(y)
    if long < short:
        long, short = short, long
    same = long == short
    _seconds, layout, width = _plan(long.bit_length(), short.bit_length(), same)
    if layout is None:
        return x * y
    # 1. Cut into pieces. 2. Multiply as polynomials. 3. Add up, each coefficient being shorter than
    # three pieces.
    first = unpacked(long, width)
    coefficients = Transform(*layout).product(
        first, first if same else unpacked(short, width), multiply
    )
    product = packed(coefficients, width, 3)
    return product if (x < 0) == (y < 0) else -product


def square(x: int) -> int:
    """Return ``x * x``, with one transform for both factors.

    >>> square(-(7**100_000)) == 49**100_000
    True
    """
    return multiply(x, x)


# -------------------------------------------------------------------------------------------- plans


def multiply_seconds(first: int, second: int, same: bool) -> float:
    """Estimate the seconds of :func:`multiply` for operands of these numbers of bits."""
    return _plan(max(first, second), min(first, second), same)[0]


def _plan(long: int, short: int, same: bool) -> Price:
    """Return the cheapest way to multiply integers of these numbers of bits, the longer in up to long / short slices.

    2**j pieces need about 2 * (long + short) / 2**j bits, and a multiple of 2**j / 4: the best j is
    near the middle.
    """
    native = _karatsuba(short) * (_SQUARE_SHARE if same else 1) * -(-long // short)
    plans: list[Price] = [(native, None, 0)]
    slices = 1
    while slices * short <= long and short >= SHORTEST:
        total = -(-long // slices) + short
        middle = total.bit_length() // 2
        for half, tail in shapes(middle - 4, middle + 2):
            # Then the pieces of a slice and of the shorter operand are at most length + 1 together.
            width = -(-total // (8 * (half + tail - 1)))
            room = (-(-short // (8 * width)) - 1).bit_length()
            bits = round_up(16 * width + room, granule(half))
            # so that the products at the roots, which come here again, do get shorter
            if 2 * bits < short:
                layout = (bits, half, tail)
                plans.append((transform_seconds(layout, slices, same), layout, (bits - room) // 16))
        slices *= 2
    return min(plans)


def transform_seconds(layout: Layout, slices: int, same: bool) -> float:
    """Estimate the seconds of ``slices`` products by one transform, with one factor the same in all."""
    bits, half, tail = layout
    length, digits = half + tail, bits / 30
    equal = same and slices == 1
    transforms = 1 + slices * (1 if equal else 2)
    butterflies = length * math.log2(half) / 2
    product = _root_product(bits) * (_SQUARE_SHARE if equal else 1)
    return transforms * butterflies * (_BUTTERFLY + digits * _BUTTERFLY_DIGIT) + slices * length * (
        _COEFFICIENT + digits * _COEFFICIENT_DIGIT + product
    )


def _root_product(bits: int) -> float:
    if by_thirds(bits):
        return 4 * _root_product(bits // 3) + _THIRDS + bits / 30 * _THIRDS_DIGIT
    return min(_karatsuba(bits), _LONG * math.pow(bits, _LONG_POWER))


def shapes(first: int, last: int) -> list[tuple[int, int]]:
    """Return all (half, tail) with half = 2**first, ..., 2**last, at least 2, and tail 0 or at least half / 8."""
    halves = [1 << exponent for exponent in range(max(first, 1), last + 1)]
    return [(half, tail) for half in halves for tail in (0, half >> 3, half >> 2, half >> 1, half)]


def round_up(bits: int, unit: int) -> int:
    """Return the least multiple of ``unit`` that is not below ``bits``."""
    return -(-bits // unit) * unit


def _karatsuba(bits: int) -> float:
    return _KARATSUBA * math.pow(bits / 30, 1.585)
