"""Complex numbers of modulus at most 1 in fixed point, every error bounded by an integer.

A number z is kept as two integers (x, y), a unit being 2**-width, with |x + iy - z * 2**width| <=
error units. Shifts round down, by less than sqrt(2) units in the complex plane. So for true values
a, b of modulus at most 1 and errors e, f a product has the error |a'b' - ab| <= |a'| f + |b| e <= e
+ f + e f 2**-width, and 2 more for its shifts.

Source: spec/note.md#note-arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isqrt

from ..errors import ExactPermError

Complex = tuple[int, int]


_GUARD = 16
_TAYLOR_ERROR = 1 << 12
_GRID_BITS = 10
LONGEST_TABLE = 1 << 24
"""Roots of unity of longer lengths come from a Taylor polynomial, of shorter ones from two tables
of their own."""


def product_error(e: int, f: int, width: int) -> int:
    """Bound the error of the product of two numbers with errors e and f."""
    return e + f + (e * f >> width) + 3


def roots_of_unity(length: int, width: int) -> RootsOfUnity | FineRoots:
    """Return the function n -> exp(2 pi i n / length) with a bound ``error`` of its error, for any length."""
    return RootsOfUnity(length, width) if length <= LONGEST_TABLE else FineRoots(length, width)


class RootsOfUnity:
    """exp(2 pi i n / length) for any integer n, from two tables of about sqrt(length) entries.

    ``error`` bounds the error of every root, in units.
    """

    def __init__(self, length: int, width: int) -> None:
        self.length = length
        self.width = width
        bits = (length // 2).bit_length()
        chain = _doubled_angles(length, bits, width)
        self._shift = bits // 2
        self._mask = (1 << self._shift) - 1
        self._low, low_error = _all_products(chain[: self._shift], width)
        self._high, high_error = _all_products(chain[self._shift :], width)
        self.error = product_error(low_error, high_error, width)

    def __call__(self, n: int) -> Complex:
        """Return the root exp(2 pi i n / length) to within ``error`` units."""
        return self.several((n,))[0]

    def several(self, indices: Iterable[int]) -> list[Complex]:
        """Return the roots of all these n."""
        length, width, low, high, shift, mask = (
            self.length,
            self.width,
            self._low,
            self._high,
            self._shift,
            self._mask,
        )
        roots = []
        for n in indices:
            n %= length
            if below := 2 * n > length:
                n = length - n
            a, b = low[n & mask]
            c, d = high[n >> shift]
            y = a * d + b * c >> width
            roots.append((a * c - b * d >> width, -y if below else y))
        return roots


class FineRoots:
    """exp(2 pi i n / length) for any integer n and length, from a table of 2**10 roots and a Taylor polynomial.

    The turn n / length is rounded down to 2**-places, ``places`` = width + 4, which moves the root
    by 2 pi 2**-places at most, less than half a unit. The table decides 10 bits, and the rest is an
    angle theta < 2 pi 2**-10 < 2**-7.
    """

    def __init__(self, length: int, width: int) -> None:
        self.length = length
        self.width = width
        self._places = width + 4
        self._rest = self._places - _GRID_BITS
        self._two_pi = two_pi(width + 8)
        grid = RootsOfUnity(1 << _GRID_BITS, width)
        self._grid = list(map(grid, range(1 << _GRID_BITS)))
        self._cosine, self._sine = _coefficients(0, width), _coefficients(1, width)
        # The turn counts 0.4 units, theta 1.1, the polynomials 4 and 1.1 (the sine's error is
        # multiplied by theta).
        self.error = product_error(grid.error, 6, width)

    def __call__(self, n: int) -> Complex:
        """Return the root exp(2 pi i n / length) to within ``error`` units."""
        return self.several((n,))[0]

    def several(self, indices: Iterable[int]) -> list[Complex]:
        """Return the roots of all these n."""
        length, width, places, rest, circle = (
            self.length,
            self.width,
            self._places,
            self._rest,
            self._two_pi,
        )
        (cosine, *cosines), (sine, *sines), grid = self._cosine, self._sine, self._grid
        mask, scale = (1 << rest) - 1, places + 8
        roots = []
        for n in indices:
            turn = (n % length << places) // length
            theta = (turn & mask) * circle >> scale
            square = theta * theta >> width
            c, s = cosine, sine
            for coefficient in cosines:
                c = coefficient - (c * square >> width)
            for coefficient in sines:
                s = coefficient - (s * square >> width)
            s = s * theta >> width
            a, b = grid[turn >> rest]
            roots.append((a * c - b * s >> width, a * s + b * c >> width))
        return roots


def _coefficients(first: int, width: int) -> list[int]:
    """Return 1/i! in units for i = first, first + 2, ..., the last first: signs alternate in Horner's scheme.

    For theta < 2**-7 as many as reach terms below one unit. A step of the scheme adds less than 3
    units, one of them for theta**2, and shrinks the error before by 2**-14. So the value is off by
    less than 4 units.
    """
    series, factorial, i = list[int](), 1, first
    while not series or (1 << width) // factorial >> 7 * i:
        series.append((1 << width) // factorial)
        factorial *= (i + 1) * (i + 2)
        i += 2
    return series[::-1]


def two_pi(scale: int) -> int:
    """Return 2 pi * 2**scale to within 2 units, by Machin's formula 2 pi = 32 atan(1/5) - 8 atan(1/239).

    A series of t terms is off by t + 1 units at most, so 40 (t + 1) fine units stay below one unit
    for t < 10**8.
    """
    fine = scale + 2 * _GUARD
    return (32 * _atan_of_reciprocal(5, fine) - 8 * _atan_of_reciprocal(239, fine)) >> 2 * _GUARD


def _atan_of_reciprocal(n: int, scale: int) -> int:
    """Return atan(1/n) * 2**scale, each term of the series rounded down, those left out below one unit."""
    power, total, odd = (1 << scale) // n, 0, 1
    while power:
        total += power // odd if odd & 2 == 0 else -(power // odd)
        power //= n * n
        odd += 2
    return total


def _doubled_angles(length: int, count: int, width: int) -> list[tuple[Complex, int]]:
    """Return [exp(2 pi i 2**h / length) for h < count], each with its error of at most 2 units.

    The first is the Taylor series with guard bits, the others its squares. An error e grows to
    2 e + e**2 2**-width + 2 with each, so e + 3 less than doubles about ``count`` times: from
    ``_TAYLOR_ERROR`` fine units to less than half a coarse one, as 2**count <= length. Rounding
    down to coarse units adds sqrt(2).
    """
    guard = length.bit_length() + _GUARD
    fine = width + guard
    x, y = _taylor(two_pi(fine) // length, fine)
    chain = []
    for _ in range(count):
        chain.append(((x >> guard, y >> guard), 2))
        x, y = (x + y) * (x - y) >> fine, x * y >> (fine - 1)
    return chain


def _taylor(theta: int, width: int) -> Complex:
    """Return (cos, sin) of an angle theta <= pi, to within ``_TAYLOR_ERROR`` units for up to some 3000 bits.

    Each term adds at most 2 units of its own and 2 of theta. The i-th of these errors reaches the
    sum multiplied by sum_m theta**m i! / (i + m)!, which is at most e**theta < 24 for i < 6 and at
    most 2 beyond.
    """
    parts, term, i = [0, 0, 0, 0], 1 << width, 0
    while term:
        parts[i & 3] += term
        i += 1
        term = (term * theta >> width) // i
    return parts[0] - parts[2], parts[1] - parts[3]


def _all_products(chain: list[tuple[Complex, int]], width: int) -> tuple[list[Complex], int]:
    """Return the products of all subsets of the chain (entry n: factors of the bits of n), and the largest error."""
    table, error = [(1 << width, 0)], 0
    for (c, d), own in chain:
        table += [(a * c - b * d >> width, a * d + b * c >> width) for a, b in table]
        error = product_error(error, own, width)
    return table, error


def ladder(exponents: list[int]) -> Sequence[Sequence[int]]:
    """Return for each binary place, highest first, the indices of the exponents that have a one there."""
    places = max(exponents, default=0).bit_length()
    if places == 1 == min(exponents):
        return [range(len(exponents))]
    return [
        [i for i, n in enumerate(exponents) if n >> place & 1] for place in reversed(range(places))
    ]


def power_product(
    factors: Iterable[Complex], rungs: Sequence[Sequence[int]], width: int
) -> Complex:
    """Multiply factors[i]**exponents[i] by one chain of squarings (Straus 1964); rungs = ladder(exponents).

    Where all exponents are 1, the factors may come one by one.
    """
    x, y = 1 << width, 0
    for rung in rungs:
        x, y = (x + y) * (x - y) >> width, x * y >> (width - 1)
        for a, b in map(factors.__getitem__, rung) if isinstance(factors, list) else factors:
            x, y = x * a - y * b >> width, x * b + y * a >> width
    return x, y


def power_product_error(errors: list[int], rungs: Sequence[Sequence[int]], width: int) -> int:
    """Bound the error of :func:`power_product` where factor i has the error errors[i]: the same steps, in errors."""
    error = 0
    for rung in rungs:
        error = product_error(error, error, width) if error else 0  # one squared is exact
        for i in rung:
            error = product_error(error, errors[i], width)
    return error


def real_quotient(
    numerator: Complex, error_n: int, denominator: Complex, error_d: int, width: int
) -> tuple[int, int]:
    """Return the real part of a quotient and a bound of its error.

    Raises ``ExactPermError`` where the denominator may be 0 for its error: then nothing bounds the
    quotient.

    |n'/d' - n/d| <= |n' - n| / |d'| + |n| |d' - d| / (|d| |d'|), with |n| <= |n'| + error_n and |d| >= |d'| - error_d.
    Moduli are rounded up above and down below the line; 3 units are for the two quotients and the
    value rounded down.
    """
    (a, b), (x, y) = numerator, denominator
    square = x * x + y * y
    modulus = isqrt(square)
    if error_d >= modulus:
        raise ExactPermError(
            "the denominator of a quotient cannot be told from 0: more bits are needed"
        )
    size = isqrt(a * a + b * b) + 1 + error_n
    bound = (
        (error_n << width) // modulus
        + (size * error_d << width) // (modulus * (modulus - error_d))
        + 3
    )
    return ((a * x + b * y) << width) // square, bound
