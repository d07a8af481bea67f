"""Complex numbers of modulus at most 1 in fixed point, every error bounded by an integer.

A number z is kept as two integers (x, y), a unit being 2**-width, with |x + iy - z * 2**width| <= error units. Shifts
round down, by less than sqrt(2) units in the complex plane. So for true values a, b of modulus at most 1 and errors
e, f a product has the error |a'b' - ab| <= |a'| f + |b| e <= e + f + e f 2**-width, and 2 more for its shifts.

Source: spec/tilted-inversion.md.
"""

from __future__ import annotations

from math import isqrt

from ..errors import ExactPermError

TYPE_CHECKING = False
if TYPE_CHECKING:
    Complex = tuple[int, int]

FIRST_TURNS = (4, 5, 6)
"""Lengths of the discrete transforms are one of these times a power of two."""

_CHAIN_ERROR = 9


def product_error(e: int, f: int, width: int) -> int:
    """Error of the product of two numbers with errors e and f."""
    return e + f + (e * f >> width) + 3


class RootsOfUnity:
    """exp(2 pi i n / length) for any integer n, from two tables of about sqrt(length) entries.

    ``length`` is 4, 5 or 6 times 2**halvings; ``error`` bounds the error of every root, in units.
    """

    def __init__(self, first: int, halvings: int, width: int) -> None:
        self.length = first << halvings
        self.width = width
        chain = _half_angles(first, halvings, width)
        bits = (self.length // 2).bit_length()
        while len(chain) < bits:
            (x, y), error = chain[-1]
            chain.append((((x + y) * (x - y) >> width, x * y >> (width - 1)), product_error(error, error, width)))
        self._shift = bits // 2
        self._mask = (1 << self._shift) - 1
        self._low, low_error = _all_products(chain[: self._shift], width)
        self._high, high_error = _all_products(chain[self._shift : bits], width)
        self.error = product_error(low_error, high_error, width)

    def __call__(self, n: int) -> Complex:
        """The root exp(2 pi i n / length) to within ``error`` units."""
        n %= self.length
        below = 2 * n > self.length
        if below:
            n = self.length - n
        a, b = self._low[n & self._mask]
        c, d = self._high[n >> self._shift]
        x, y = a * c - b * d >> self.width, a * d + b * c >> self.width
        return (x, -y) if below else (x, y)


def _half_angles(first: int, halvings: int, width: int) -> list[tuple[Complex, int]]:
    """[exp(2 pi i / (first * 2**h)) for h = halvings, ..., 0], each with its error of at most 9 units.

    The root of a unit number z with |arg z| <= pi/2 is (1 + z) / |1 + z|. An error e of z becomes at most
    2 e / (|1 + z| + |1 + z'|) (Dunkl and Williams), so less than 0.708 e because |1 + z| >= sqrt(2); the modulus
    rounded down adds less than 1 and the divisions less than sqrt(2). From e <= 9: 0.708 * 9 + 2.42 < 9.
    """
    x, y = _first_root(first, width)
    one = 1 << width
    chain = [((x, y), _CHAIN_ERROR)]
    for _ in range(halvings):
        modulus = isqrt((one + x) * (one + x) + y * y)
        x, y = ((one + x) << width) // modulus, (y << width) // modulus
        chain.append(((x, y), _CHAIN_ERROR))
    return chain[::-1]


def _first_root(first: int, width: int) -> Complex:
    """exp(2 pi i / first) to within 3 units, for a quarter, a fifth and a sixth of a turn.

    cos 72 = (sqrt(5) - 1) / 4, sin 72 = sqrt(10 + 2 sqrt(5)) / 4, cos 60 = 1/2, sin 60 = sqrt(3) / 2.
    """
    one = 1 << width
    if first == 4:
        return 0, one
    if first == 6:
        return one >> 1, isqrt(3 * one * one) >> 1
    root5 = isqrt(5 * one * one)
    return (root5 - one) >> 2, isqrt((10 * one + 2 * root5) * one) >> 2


def _all_products(chain: list[tuple[Complex, int]], width: int) -> tuple[list[Complex], int]:
    """Products of every subset of the chain (entry n: the factors of the bits of n), and the largest error."""
    table, error = [(1 << width, 0)], 0
    for (c, d), own in chain:
        table += [(a * c - b * d >> width, a * d + b * c >> width) for a, b in table]
        error = product_error(error, own, width)
    return table, error


def ladder(exponents: list[int]) -> list[list[int]]:
    """For each binary place, highest first, the indices of the exponents that have a one there."""
    places = max(exponents, default=0).bit_length()
    return [[i for i, n in enumerate(exponents) if n >> place & 1] for place in reversed(range(places))]


def power_product(factors: list[Complex], rungs: list[list[int]], width: int) -> Complex:
    """Product of factors[i]**exponents[i] by one chain of squarings (Straus 1964); rungs = ladder(exponents)."""
    x, y = 1 << width, 0
    for rung in rungs:
        x, y = (x + y) * (x - y) >> width, x * y >> (width - 1)
        for i in rung:
            a, b = factors[i]
            x, y = x * a - y * b >> width, x * b + y * a >> width
    return x, y


def power_product_error(errors: list[int], rungs: list[list[int]], width: int) -> int:
    """Error of :func:`power_product` where factor i has the error errors[i]: the same steps, in errors."""
    error = 0
    for rung in rungs:
        error = product_error(error, error, width) if error else 0  # one squared is exact
        for i in rung:
            error = product_error(error, errors[i], width)
    return error


def real_quotient(numerator: Complex, error_n: int, denominator: Complex, error_d: int, width: int) -> tuple[int, int]:
    """The real part of a quotient and the bound of its error.

    Raises ``ExactPermError`` where the denominator may be 0 for its error: then nothing bounds the quotient.

    |n'/d' - n/d| <= |n' - n| / |d'| + |n| |d' - d| / (|d| |d'|), with |n| <= |n'| + error_n and |d| >= |d'| - error_d.
    Moduli are rounded up above and down below the line; 3 units are for the two quotients and the value rounded down.
    """
    (a, b), (x, y) = numerator, denominator
    square = x * x + y * y
    modulus = isqrt(square)
    if error_d >= modulus:
        raise ExactPermError("the denominator of a quotient is not told from 0: more bits are needed")
    size = isqrt(a * a + b * b) + 1 + error_n
    bound = (error_n << width) // modulus + (size * error_d << width) // (modulus * (modulus - error_d)) + 3
    return ((a * x + b * y) << width) // square, bound
