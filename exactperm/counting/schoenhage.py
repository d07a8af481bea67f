"""Exact products of long integers and of polynomials with non-negative integer coefficients.

Schoenhage and Strassen (1971): cut both integers into pieces, read the pieces as coefficients of polynomials, multiply
these by transforms over Z/(2**K + 1) (:mod:`exactperm.counting.ring`), and add the overlapping coefficients up. It is
exact because no coefficient of the product exceeds 2**K: with s pieces of m bits in the shorter operand,

    s * (2**m - 1)**2 < 2**(2 m + ceil(log2 s)) <= 2**K .

Polynomials go the same way without cutting; or each is packed into one integer, a slot for each coefficient of the
product (Kronecker substitution), where the product of two integers is cheaper.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import add

from exactperm.counting.ring import Transform, granule

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Optional, Tuple

    Layout = Tuple[int, int, int]  # bits, half and tail of a Transform
    Plan = Tuple[float, Optional[Layout], int]  # seconds, the layout (None: int * int), bytes of a piece

# Measured on CPython 3.11, in seconds; a digit is 30 bits of an integer.
_KARATSUBA = 4.9e-9  # int * int of equal lengths, times digits**log2(3)
_SQUARE_SHARE = 0.67  # of the same for x * x
_BUTTERFLY, _BUTTERFLY_DIGIT = 2.0e-7, 4.6e-9
_COEFFICIENT, _COEFFICIENT_DIGIT = 6e-7, 2e-8  # cutting, reducing and joining
_LONG, _LONG_POWER = 6.6e-9, 1.1  # own product of n bits: _LONG * n**_LONG_POWER
_SLOT, _SLOT_DIGIT = 2e-7, 2e-9  # packing and unpacking
_SHORTEST = 50_000  # bits: below, int * int is the fastest and no plan is made


def multiply(x: int, y: int) -> int:
    """The product of two integers of any signs and sizes: equal to ``x * y``, faster from about 10**5 bits on.

    Equal operands share their transform. Cost: about n log n operations on words for n bits, and n**1.29 for the
    products at the roots; 20 times less than ``x * y`` at 3 * 10**7 bits. Source: Schoenhage and Strassen 1971.

    >>> multiply(-(3**200_000), 3**200_000) == -(9**200_000)
    True
    """
    if min(x.bit_length(), y.bit_length()) < _SHORTEST:
        return x * y
    long, short = abs(x), abs(y)
    if long < short:
        long, short = short, long
    same = long == short
    plan = _integer_plan(long.bit_length(), short.bit_length(), same)
    product = _carry_out(plan, long, long if same else short)
    return product if (x < 0) == (y < 0) else -product


def square(x: int) -> int:
    """``x * x`` with one transform for both factors.

    >>> square(-(7**100_000)) == 49**100_000
    True
    """
    return multiply(x, x)


def convolve(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """The coefficients of the product of two polynomials, given by theirs, constant first, all >= 0 and of any size.

    Returns ``len(a) + len(b) - 1`` coefficients, none where a factor has none. Equal factors share their transform.
    Cost: the cheaper, as estimated, of transforming the coefficients and of one product of packed integers.

    >>> convolve([1, 3, 3, 1], [1, 1])
    [1, 4, 6, 4, 1]
    """
    if len(a) < len(b):
        a, b = b, a
    if not b:
        return []
    length, most_a, most_b = len(a) + len(b) - 1, max(a), max(b)
    if not most_a or not most_b:
        return [0] * length
    # A coefficient is a sum of a[i] * b[j] in which every i, and every j, occurs at most once.
    bits = min(
        sum(a).bit_length() + most_b.bit_length(),
        most_a.bit_length() + sum(b).bit_length(),
    )
    width = _bytes(bits)
    if a is not b and a == b:
        b = a
    if 8 * width * len(b) >= _SHORTEST:
        layout = _convolution_layout(len(a), len(b), bits, a is b)
        if layout is not None:
            return _convolve_by_transforms(a, b, layout)
    long = _packed(a, width)
    short = long if a is b else _packed(b, width)
    return _unpacked(multiply(long, short), width, length)


def _carry_out(plan: Plan, long: int, short: int) -> int:
    """``long * short``, both >= 0, as the plan of their lengths says."""
    _seconds, layout, width = plan
    if layout is None:
        return long * short
    first = _unpacked(long, width, -(-_bytes(long.bit_length()) // width))
    second = first if short is long else _unpacked(short, width, -(-_bytes(short.bit_length()) // width))
    coefficients = _convolve_by_transforms(first, second, layout)
    # Each is shorter than three pieces, so every third one goes into one string of bytes.
    return sum(_packed(coefficients[i::3], 3 * width) << (8 * width * i) for i in range(3))


def _convolve_by_transforms(a: Sequence[int], b: Sequence[int], layout: Layout) -> list[int]:
    """The product of two polynomials, the first one in slices whose products with the second fit the transform."""
    transform = Transform(*layout)
    values = transform.forward(b)
    step = transform.half + transform.tail - len(b) + 1
    product = [0] * (len(a) + len(b) - 1)
    for start in range(0, len(a), step):
        whole = a is b and len(a) <= step
        others = values if whole else transform.forward(a[start : start + step])
        part = transform.inverse(transform.pointwise(others, values, multiply))
        place = slice(start, start + len(part))
        product[place] = map(add, product[place], part)
    return product


def _packed(values: Sequence[int], width: int) -> int:
    """The sum of values[i] * 2**(8 * width * i), for values from 0 to below 2**(8 * width)."""
    return int.from_bytes(b"".join([value.to_bytes(width, "little") for value in values]), "little")


def _unpacked(x: int, width: int, count: int) -> list[int]:
    """The ``count`` values that ``_packed`` put into x."""
    data = x.to_bytes(width * count, "little")
    return [int.from_bytes(data[i : i + width], "little") for i in range(0, width * count, width)]


# ---------------------------------------------------------------------------------------------- plans


def _convolution_layout(long: int, short: int, bits: int, same: bool) -> Layout | None:
    """The layout for polynomials with these numbers of coefficients, those of the product below 2**bits.

    ``None`` where the product of the packed integers is estimated to be cheaper.
    """
    width = _bytes(bits)
    packed = _integer_plan(8 * width * long, 8 * width * short, same)[0]
    packed += 2 * (long + short) * (_SLOT + width / 3.75 * _SLOT_DIGIT)
    plans = []
    for half in _powers(short.bit_length() - 2, (long + short).bit_length()):
        for tail in _tails(half):
            step = half + tail - short + 1
            if step > 0:
                layout = (_round_up(bits, granule(half)), half, tail)
                plans.append((_seconds(layout, -(-long // step), same), layout))
    seconds, layout = min(plans)
    return layout if seconds < packed else None


def _integer_plan(long: int, short: int, same: bool) -> Plan:
    """The cheapest way to multiply integers of these numbers of bits, the longer one in up to long / short slices.

    2**j pieces need about 2 * (long + short) / 2**j bits, and a multiple of 2**j / 4: the best j is near the middle.
    """
    native = _karatsuba(short) * (_SQUARE_SHARE if same else 1) * -(-long // short)
    plans: list[Plan] = [(native, None, 0)]
    slices = 1
    while slices * short <= long and short >= _SHORTEST:
        total = -(-long // slices) + short
        middle = total.bit_length() // 2
        for half in _powers(middle - 4, middle + 2):
            for tail in _tails(half):
                # Then the pieces of a slice and of the shorter operand are at most length + 1 together.
                width = -(-total // (8 * (half + tail - 1)))
                room = (-(-short // (8 * width)) - 1).bit_length()
                bits = _round_up(16 * width + room, granule(half))
                if 2 * bits < short:  # so that the products at the roots, which come here again, do get shorter
                    layout = (bits, half, tail)
                    plans.append((_seconds(layout, slices, same), layout, (bits - room) // 16))
        slices *= 2
    return min(plans)


def _seconds(layout: Layout, slices: int, same: bool) -> float:
    """Estimated time of so many products by one transform each; one factor is the same in all."""
    bits, half, tail = layout
    length, digits = half + tail, bits / 30
    equal = same and slices == 1
    transforms = 1 + slices * (1 if equal else 2)
    butterflies = length * math.log2(half) / 2
    product = min(_karatsuba(bits), _LONG * bits**_LONG_POWER) * (_SQUARE_SHARE if equal else 1)
    return transforms * butterflies * (_BUTTERFLY + digits * _BUTTERFLY_DIGIT) + slices * length * (
        _COEFFICIENT + digits * _COEFFICIENT_DIGIT + product
    )


def _karatsuba(bits: int) -> float:
    return _KARATSUBA * (bits / 30) ** 1.585


def _powers(first: int, last: int) -> list[int]:
    """The powers of two with these exponents, from 2 on."""
    return [1 << exponent for exponent in range(max(first, 1), last + 1)]


def _tails(half: int) -> list[int]:
    return [0] + [half >> i for i in range(4) if half >> i]


def _bytes(bits: int) -> int:
    return -(-bits // 8)


def _round_up(bits: int, unit: int) -> int:
    return -(-bits // unit) * unit
