"""Products of polynomials with non-negative integer coefficients: transformed as they are, or packed into integers.

Kronecker substitution: with slots of w bits, wide enough for each coefficient of h = f * g, those
can be read off the product of the integers f(2**w) and g(2**w). With w = 8 the counts of {1: 2, 3:
1}, which are (1 + x)**2 * (1 + x**3), are the slots of 0x010201 * 0x01000001 = 0x010201010201: 1,
2, 1, 1, 2, 1.

For palindromes slots of half the width do, since f(2**w) is also 2**(w n) f(2**-w), the value at
the reciprocal point (Harvey 2009): the lower end of the product then determines coefficient i
modulo 2**w, and the upper end determines it up to an error below 2**w.

Source: Kronecker substitution, Harvey 2009; spec/09-own-theorems.md#own-two-points.
"""

from __future__ import annotations

from collections.abc import Sequence

from .multiply import (
    SHORTEST,
    Layout,
    multiply,
    multiply_seconds,
    round_up,
    shapes,
    transform_seconds,
)
from .slots import byte_length, packed, unpacked
from .transform import Transform, granule

_SLOT, _SLOT_DIGIT = 2e-7, 2e-9
"""Seconds of packing or unpacking a coefficient, and each of its 30-bit digits."""


def convolve(a: Sequence[int], b: Sequence[int]) -> list[int]:
    """Multiply two polynomials, given by their coefficients, constant first, all >= 0 and of any size.

    Returns ``len(a) + len(b) - 1`` coefficients, or none where a factor has none. Equal factors
    share their transform.
    Cost: the cheaper, as estimated, of transforming the coefficients and of one product of packed
    integers, which takes half as long for palindromes.

    >>> convolve([1, 3, 3, 1], [1, 1])
    [1, 4, 6, 4, 1]
    """
    if len(a) < len(b):
        a, b = b, a
    if not b:
        return []
    most_a, most_b = max(a), max(b)
    if not most_a or not most_b:
        return [0] * (len(a) + len(b) - 1)
    if a is not b and a == b:
        b = a
    # A coefficient is a sum of a[i] * b[j] in which every i, and every j, occurs at most once.
    bits = min(
        sum(a).bit_length() + most_b.bit_length(),
        most_a.bit_length() + sum(b).bit_length(),
    )
    mirrored = a == a[::-1] and b == b[::-1]
    if bits * len(b) >= SHORTEST:
        layout = _layout(len(a), len(b), bits, a is b, mirrored)
        if layout is not None:
            return Transform(*layout).product(a, b, multiply)
    return _palindrome(a, b, bits) if mirrored else _packed_product(a, b, bits)


def _packed_product(a: Sequence[int], b: Sequence[int], bits: int) -> list[int]:
    """Return the product, its coefficients below 2**bits, from one product of packed integers."""
    width = byte_length(bits)
    long = packed(a, width)
    product = unpacked(multiply(long, long if a is b else packed(b, width)), width)
    return product + [0] * (len(a) + len(b) - 1 - len(product))


def _palindrome(a: Sequence[int], b: Sequence[int], bits: int) -> list[int]:
    """Return the product of two palindromes, its coefficients below 2**bits, from slots of w >= bits / 2 bits.

    Let x be sum_i h[i] 2**(w i). From below, (x - sum_{j<i} h[j] 2**(w j)) / 2**(w i) = h[i] modulo
    2**w. From above, where h[n-j] = h[j], the same difference has the leading digits h[i] + t with
    the part t of the terms after it. The bound of ``convolve`` is a product of factors below 2**p
    and 2**q, p + q <= 2 w, so h[j] <= (2**w - 1)**2 and

        t <= sum_{m>=1} h[i+m] / 2**(w m) <= (2**w - 1)**2 / (2**w - 1) = 2**w - 1 :

    t is the difference of the two modulo 2**w.
    """
    width = -(-bits // 16)
    shift, mask = 8 * width, (1 << 8 * width) - 1
    long = packed(a, width, 2)
    digits = unpacked(multiply(long, long if a is b else packed(b, width, 2)), width)
    degree = len(a) + len(b) - 2
    digits += [0] * (degree + 2 - len(digits))
    half: list[int] = []
    last, below, above = 0, 0, digits[degree + 1]
    for low, high in zip(digits[: degree // 2 + 1], digits[degree::-1]):
        below = low + (below >> shift) - (last >> shift)
        leading = (above << shift) + high
        above = (leading - below) & mask
        last = leading - above
        half.append(last)
    return half + half[(degree - 1) // 2 :: -1] if degree else half


def _layout(long: int, short: int, bits: int, same: bool, mirrored: bool) -> Layout | None:
    """Return the layout for polynomials with these numbers of coefficients, those of the product below 2**bits.

    ``None`` where the product of the packed integers is estimated to be cheaper.
    """
    slot = bits // 2 if mirrored else bits
    packing = 2 * (long + short) * (_SLOT + bits / 30 * _SLOT_DIGIT)
    plans = []
    for half, tail in shapes(short.bit_length() - 2, (long + short).bit_length()):
        step = half + tail - short + 1
        if step > 0:
            layout = (round_up(bits, granule(half)), half, tail)
            plans.append((transform_seconds(layout, -(-long // step), same), layout))
    seconds, layout = min(plans)
    return layout if seconds < multiply_seconds(slot * long, slot * short, same) + packing else None
