"""Partial sums of binomial coefficients: tallies with one difference, as in the sign test and exact McNemar test.

Neighbouring coefficients have small ratios, C(M, j) = C(M, j-1) (M-j+1) / j. For a block of B of
them after C(M, s)

    C(M, s+B) = C(M, s) p / q,      C(M, s+1) + ... + C(M, s+B) = C(M, s) t / q,

with p / q = (M-s)(M-s-1)...(M-s-B+1) / (s+1)...(s+B), and t / q by Horner's scheme. Taking the
common divisor out of p, q and t halves the work, and then q divides C(M, s): it divides C(M, s) q,
and C(M, s) p and C(M, s) t since the left sides are integers, so it divides their greatest common
divisor, C(M, s) gcd(p, q, t) = C(M, s). One exact division h = C(M, s) / q does for both: they are
p h and t h.

For the part {1: 2} of the tally {1: 2, 3: 1}: C(2, 0) = 1, one block of B = 1 with p = 2, q = 1, t
= 2, h = 1, so C(2, 1) = 2 and #{X <= 1} = 1 + 2 = 3.

Source: spec/09-own-theorems.md#own-binomial.
"""

from __future__ import annotations

import math
from itertools import chain
from operator import mul

from ..budget import Estimate, Progress

_FACTORED = 4096  # pairs from which the prime factors make C(M, k) sooner than math.comb

# Measured on CPython 3.11; a digit is 30 bits.
_SECONDS_START = 1.5e-6
_SECONDS_TERM, _SECONDS_TERM_DIGIT = 1.9e-7, 1.2e-9
# of M, and of M^log2(3), for the first coefficient
_SECONDS_SIEVED, _SECONDS_MULTIPLIED = 4e-8, 2.4e-11
_SECONDS_ROW, _SECONDS_ROW_DIGIT = 4e-7, 7e-9
_BYTES_START = 2_000
_BYTES_ENTRY = 200


def estimate(pairs: int, k: int | None) -> Estimate:
    """Estimate :func:`count_at_most` for 2 k < M and k < 10**9, or the whole row of coefficients for k = None."""
    if k is None:
        digits = pairs / 30 * mean_entropy(0.5)
        seconds = pairs / 2 * (_SECONDS_ROW + digits * _SECONDS_ROW_DIGIT)
        return Estimate(
            seconds=_SECONDS_START + seconds,
            bytes=_BYTES_START + int(pairs * (_BYTES_ENTRY + 2 * digits)),
        )
    if 10 * k < 3 * pairs:
        longest = min(pairs, (k + 1) * pairs.bit_length())
        terms, digits, first, held = k, longest / 30 * mean_entropy(k / pairs), 0.0, longest
    else:
        terms, digits, held = pairs // 2 - k, pairs / 30, 9 * pairs
        first = pairs * _SECONDS_SIEVED + pairs ** math.log2(3) * _SECONDS_MULTIPLIED
    seconds = _SECONDS_START + first + terms * (_SECONDS_TERM + digits * _SECONDS_TERM_DIGIT)
    return Estimate(seconds=seconds, bytes=_BYTES_START + held)


def mean_entropy(p: float) -> float:
    """Return the mean of the binary entropy over 0..p: for large M, that of log2 C(M, j) / M over j <= p M.

    >>> round(mean_entropy(0.5), 4)
    0.7213
    """
    if p < 1e-6:
        # no cancellation; the mean is p log2(1 / p) / 2 + 1.08 p there: less, unless p < 4e-15
        return 25 * p
    q = 1 - p
    integral = (q * q * math.log(q) - p * p * math.log(p)) / 2 + (p * p - q * q + 1) / 4
    return integral / p / math.log(2)


def count_at_most(pairs: int, k: int, *, progress: Progress | None = None) -> int:
    """Count the subsets of at most k out of ``pairs`` pairs: C(M, 0) + ... + C(M, k), for any int k.

    Up to 0.3 M the sum itself, then 2^(M-1) minus the terms up to the middle, past the middle the
    complement.
    Cost: at most 0.3 M terms, each a few digits' share of a product and a division of M-bit
        integers.

    >>> count_at_most(5, 2)
    16
    """
    if k < 0 or k >= pairs:
        return 0 if k < 0 else 1 << pairs
    if 2 * k >= pairs:
        return (1 << pairs) - count_at_most(pairs, pairs - k - 1, progress=progress)
    if 10 * k < 3 * pairs:
        return 1 + _sum_after(pairs, 0, 1, k, progress)[0]
    # The middle C(M, M/2) of an even M belongs to both halves of 2^M.
    middle = pairs // 2
    above, central = _sum_after(pairs, k, binomial(pairs, k), middle, progress)
    return (((1 << pairs) + (central if pairs % 2 == 0 else 0)) >> 1) - above


def _sum_after(
    pairs: int, start: int, first: int, stop: int, progress: Progress | None
) -> tuple[int, int]:
    """Return C(M, start+1) + ... + C(M, stop), and C(M, stop), from ``first`` = C(M, start)."""
    total, block = 0, max(32, math.isqrt(pairs))
    for s in range(start, stop, block):
        end = min(s + block, stop)
        p, q, t = _ratios(pairs, s, end)
        h = first // q  # exact
        first = p * h
        total += t * h
        if progress:
            progress(end - start, stop - start)
    return total, first


def _ratios(pairs: int, start: int, stop: int) -> tuple[int, int, int]:
    """Return p, q and t of the block from start+1 to stop, divided by their common divisor."""
    t, q = 0, 1
    for j in range(stop, start, -1):
        t = (pairs - j + 1) * (q + t)
        q *= j
    p = math.perm(pairs - start, stop - start)
    common = math.gcd(math.gcd(p, q), t)
    return p // common, q // common, t // common


def binomial(pairs: int, k: int) -> int:
    """Return C(M, k) for 0 <= k <= M; for many pairs from its prime factors (Kummer's theorem).

    Kummer's theorem: e is the number of carries when k and M - k are added in base p; for p^2 > M
    at most one, in the last digit, exactly if k mod p > M mod p.

    >>> binomial(10000, 2) == 10000 * 9999 // 2
    True
    """
    if pairs < _FACTORED or 20 * min(k, pairs - k) < pairs:
        return math.comb(pairs, k)
    primes = _primes(pairs)
    small = [p for p in primes if p * p <= pairs]
    large = (p for p in primes[len(small) :] if k % p > pairs % p)
    return _product([p ** _carries(pairs, k, p) for p in small] + list(large))


def _carries(pairs: int, k: int, p: int) -> int:
    """Return the exponent of the prime p in C(M, k) (Legendre: floor(n/p) + floor(n/p^2) + ... in n!)."""
    exponent, power = 0, p
    while power <= pairs:
        exponent += pairs // power - k // power - (pairs - k) // power
        power *= p
    return exponent


def _primes(limit: int) -> list[int]:
    """Return all primes up to limit >= 2, by a sieve of the odd numbers."""
    odd = bytearray([1]) * ((limit + 1) // 2)
    for i in range(1, (math.isqrt(limit) + 1) // 2):
        if odd[i]:
            p = 2 * i + 1
            odd[p * p // 2 :: p] = bytes(len(range(p * p // 2, len(odd), p)))
    odd[0] = 0
    return [2, *(2 * i + 1 for i, is_prime in enumerate(odd) if is_prime)]


def _product(factors: list[int]) -> int:
    """Return the product, multiplying factors of about equal length."""
    factors.sort()
    while len(factors) > 1:
        factors = list(map(mul, factors[::2], chain(factors[1::2], [1])))
    return math.prod(factors)
