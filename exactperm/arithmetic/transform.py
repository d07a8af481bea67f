"""The number-theoretic transform over the ring Z/(2**K + 1), where powers of two are roots of unity.

There 2**K = -1, so 2 has order 2K, and r = 2**(3K/4) - 2**(K/4), whose square is 2 (4 divides K),
has order 4K. Every root of unity that the transform needs is a power of r: multiplying by it is a
shift, and a reduction is ``(x & (2**K - 1)) - (x >> K)``. There are no primes to search and no
modular products inside the transform.

For example with K = 8, modulo 257: 2**8 = -1, r = 2**6 - 2**2 = 60, and 60**2 = 3600 = 14 * 257 +
2.

Source: Schoenhage and Strassen 1971; spec/09-own-theorems.md#own-transform.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import cycle, repeat
from operator import add, mul, sub

Twiddle = tuple[int, int, int]


_THIRDS = 6000
"""Bits from which four products of a third of the length beat one by Karatsuba's method, with all
their additions."""


def granule(half: int) -> int:
    """Return what ``bits`` of a :class:`Transform` must be a multiple of; ``half`` is a power of two.

    Of the 4 * bits powers of r one must have the order 2 * half: 2 * half divides 4 * bits, and 4
    divides bits.
    """
    return max(half // 2, 4)


def by_thirds(bits: int) -> bool:
    """Return whether products modulo 2**bits + 1 are made of four of a third of the length."""
    return bits % 3 == 0 and bits >= _THIRDS


class Transform:
    """Products of polynomials modulo (x**half + 1) * (x**tail - 1), coefficients modulo 2**bits + 1.

    Preconditions: ``half`` is a power of two, ``tail`` is zero (the factor is left out) or a power
    of two up to ``half``, ``bits`` is a multiple of :func:`granule` (half), of half / 2 and of 4.
    Halving the nodes needs the first two, the roots of unity the third. A product of polynomials
    comes out exactly when it has at most ``length = half + tail`` coefficients, all from 0 to
    2**bits.

    A polynomial modulo x**2h - s**2 is known by its residues modulo x**h - s and x**h + s. In the
    tree of these nodes, from x**n - 1 down, node v of a level has s = 2**(bits * rev(v)), where rev
    mirrors the binary digits of v at the point (rev(1) = 1/2, rev(2) = 1/4, rev(3) = 3/4): one
    table of shifts serves all levels. Of the two factors, x**tail - 1 is a node 0 and x**half + 1 a
    node 1.

    Between the steps values are any representatives: a level adds about one bit to the longest of
    them, and only the last step of the inverse reduces them fully.

    >>> transform = Transform(bits=8, half=2, tail=1)
    >>> transform.product([3, 5], [2, 7])
    [6, 31, 35]
    """

    def __init__(self, bits: int, half: int, tail: int) -> None:
        self.bits, self.half, self.tail = bits, half, tail
        self.mask, self.modulus = (1 << bits) - 1, (1 << bits) + 1
        self._twiddles = _twiddles(bits, half)
        self._inverse_twiddles = _mirrored(self._twiddles, bits)

    def forward(self, values: Sequence[int]) -> list[int]:
        """Return the values at all roots of the polynomial with these 1 to ``length`` coefficients, constant first."""
        half = self.half
        low, high = list(values[:half]), values[half:]
        low[: len(high)] = map(sub, low, high)  # x**half = -1
        residues = self._split(low, half, 1)
        if self.tail:
            residues += self._split(_folded(values, self.tail), self.tail, 0)
        return residues

    def pointwise(
        self, residues: Sequence[int], others: Sequence[int], multiply: Callable[[int, int], int]
    ) -> list[int]:
        """Return the values of a product of two polynomials at the roots, from those of its factors."""
        mask, bits = self.mask, self.bits
        if by_thirds(bits):
            products = map(
                _product_by_thirds, residues, others, repeat(bits // 3), repeat(multiply)
            )
        else:
            products = map(multiply, residues, others)
        return [(x & mask) - (x >> bits) for x in products]

    def inverse(self, residues: Sequence[int]) -> list[int]:
        """Return the ``length`` coefficients, from 0 to 2**bits, of the polynomial with these values at the roots."""
        half, tail, modulus = self.half, self.tail, self.modulus
        low = self._merge(residues[:half], half, 1)
        if not tail:
            return [x % modulus for x in low]
        # The polynomial is low + (x**half + 1) q with q of length tail, and x**half = 1 modulo
        # x**tail - 1.
        twice = map(sub, self._merge(residues[half:], tail, 0), _folded(low, tail))
        high = [(x if x % 2 == 0 else x + modulus) // 2 % modulus for x in twice]
        low[:tail] = map(add, low, high)
        return [x % modulus for x in low] + high

    def product(
        self, a: Sequence[int], b: Sequence[int], multiply: Callable[[int, int], int] = mul
    ) -> list[int]:
        """Multiply two polynomials, a of any length, in slices whose products with b fit the transform.

        Its coefficients, those of the slices' products too, are from 0 to 2**bits, and b has at
        most ``length``. ``multiply`` multiplies two integers of about ``bits`` bits.
        """
        values = self.forward(b)
        step = self.half + self.tail - len(b) + 1
        product = [0] * (len(a) + len(b) - 1)
        for start in range(0, len(a), step):
            whole = a is b and len(a) <= step
            others = values if whole else self.forward(a[start : start + step])
            part = self.inverse(self.pointwise(others, values, multiply))
            place = slice(start, start + len(part))
            product[place] = map(add, product[place], part)
        return product

    def _split(self, values: list[int], length: int, node: int) -> list[int]:
        """Return the values at the roots of a node of a polynomial modulo that node, x**length - s**2.

        With n nodes in a level, coefficient i of its node v stands at place i * n + v: the upper
        halves of all nodes are the upper half of the list. Zeros at the end are left out until they
        mix with others.
        """
        half, nodes = length // 2, 1
        while nodes < length:
            low, high = values[:half], values[half:]
            turned = self._turned(high, self._twiddles, nodes, node)
            count = 2 * len(high)
            values = low + low
            values[:count:2] = map(add, low, turned)
            values[1:count:2] = map(sub, low, turned)
            values[count::2] = values[count + 1 :: 2] = low[len(high) :]
            nodes *= 2
        return values

    def _merge(self, values: Sequence[int], length: int, node: int) -> list[int]:
        """Invert ``_split``, with 1/2 for each level put off to the end: 2**-levels = -(2**(bits - levels))."""
        nodes, levels = length, 0
        while nodes > 1:
            nodes //= 2
            levels += 1
            first, second = values[::2], values[1::2]
            # (first - second) / s, where 1 / s = -(2**bits) / s
            high = self._turned(list(map(sub, second, first)), self._inverse_twiddles, nodes, node)
            values = list(map(add, first, second)) + high
        mask, rest = (1 << levels) - 1, self.bits - levels
        return [(x >> levels) - ((x & mask) << rest) for x in values]

    def _turned(
        self, values: list[int], twiddles: list[Twiddle], nodes: int, node: int
    ) -> list[int]:
        """Multiply the upper halves of a level by the roots s of its nodes, partly reduced.

        x * 2**s = (x mod 2**(K-s)) * 2**s - floor(x / 2**(K-s)) modulo 2**K + 1.
        """
        if 2 * nodes * node == self.half and self.bits % self.half:
            values = self._times_root(values)
        level = cycle(twiddles[node * nodes : (node + 1) * nodes])
        return [
            ((x & mask) << shift) - (x >> rest) for x, (mask, shift, rest) in zip(values, level)
        ]

    def _times_root(self, values: list[int]) -> list[int]:
        """Multiply the values by r = 2**(K/4) * (2**(K/2) - 1), the square root of 2, partly reduced."""
        half, quarter, rest = self.bits // 2, self.bits // 4, self.bits // 4 * 3
        mask = (1 << rest) - 1
        return [((y & mask) << quarter) - (y >> rest) for y in [(x << half) - x for x in values]]


def _product_by_thirds(x: int, y: int, third: int, multiply: Callable[[int, int], int]) -> int:
    """Multiply modulo 2**(3 third) + 1, by polynomials in t = 2**third, where t**3 + 1 = (t + 1) * (t**2 - t + 1).

    Modulo t + 1 that is one product; modulo t**2 - t + 1 it takes three: (a + b t) * (c + d t) = p
    + q t with p = a c - b d and q = (a + b) * (c + d) - a c. The whole is p + q t + e * (t**2 - t +
    1), where t = -1 determines e.
    """
    first = _in_thirds(x, third)
    second = first if x is y else _in_thirds(y, third)
    ends, tops, sums, alternating = map(multiply, first, second)
    p, q = ends - tops, sums - ends
    e = (alternating - p + q) // 3
    return ((((e << third) + q - e) << third) + p) + e


def _in_thirds(x: int, third: int) -> tuple[int, int, int, int]:
    """Return a, b, a + b of x = x0 + x1 t + x2 t**2 = a + b t modulo t**2 - t + 1, and the value of x at t = -1."""
    mask = (1 << third) - 1
    low, middle, high = x & mask, x >> third & mask, x >> 2 * third
    return low - high, middle + high, low + middle, low - middle + high


def _folded(values: Sequence[int], length: int) -> list[int]:
    """Return the polynomial modulo x**length - 1."""
    folded = list(values[:length])
    for start in range(length, len(values), length):
        piece = values[start : start + length]
        folded[: len(piece)] = map(add, folded, piece)
    return folded


def _twiddles(bits: int, half: int) -> list[Twiddle]:
    """Return (2**(bits - shift) - 1, shift, bits - shift), shift = floor(bits * rev(v)), for the nodes v < half.

    Only where ``bits`` is an odd multiple of half / 2, and only for v >= half / 2, is bits * rev(v)
    not an integer: there r is left over.
    """
    doubled, step = [0], bits
    while len(doubled) < half:
        doubled += [shift + step for shift in doubled]
        step //= 2
    return [((1 << (bits - twice // 2)) - 1, twice // 2, bits - twice // 2) for twice in doubled]


def _mirrored(twiddles: list[Twiddle], bits: int) -> list[Twiddle]:
    """Return the same for the shifts floor(bits - bits * rev(v)), which reverses the order between powers of two."""
    mirrored, size = [(0, bits, 0)], 1
    while size < len(twiddles):
        mirrored += reversed(twiddles[size : 2 * size])
        size *= 2
    return mirrored
