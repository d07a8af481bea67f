"""The balanced product tree with number-theoretic transforms: the paper's Alg. 4, exact.

The counts are the coefficients of P(x) = prod_t G_t(x)**c_t, of pairs prod_d (1 + x**d)**c_d. A
leaf is the product of the factors of some pairs, by shifts and additions, or a power of another
step. The two lightest polynomials, by length times bits, are multiplied until one is left: the
factors of every product are about equal, and no coefficient is wider than its own subtree needs.

A threshold count leaves out the last product, which takes about half of the time: of two factors A
and B it is the sum of A[i] B(k-i), with B(j) the number of choices of B that sum to at most j.

For {1: 2, 3: 1}, with a leaf for two pairs and one for the third: (1, 2, 1) and (1, 0, 0, 1). Their
product is 1, 2, 1, 1, 2, 1, and for k = 1 the count is A[0] B(1) + A[1] B(0) = 1 + 2 = 3.

Source: Alg. 4, Eq. 9, Theorem 4, Corollary 1; spec/04-convolution.md#alg-4.

Source: spec/09-own-theorems.md#own-tree.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import accumulate

from ..arithmetic.polynomial import convolve
from ..budget import Estimate, Progress, Unfit
from ..swaps.units import Step, Units, degree, one_by_one, pairs_of, steps_of
from .pmfs import convolved
from .tally import bits_of, expanded, ticker, weighted

# Measured on CPython 3.11, in bits of the whole distribution: more than that takes, and about what
# two factors of it take.
_SECONDS_START = 3e-4
_SECONDS_BIT, _SECONDS_HALVES_BIT = 3e-8, 8e-9
_BYTES_START = 10_000
_MOST_BITS = 36

_GROUP = 1000
"""Most pairs of a leaf: up to there, packed shifts and additions beat transforms."""


def convolve_ntt(pmfs: Iterable[Mapping[int, int]]) -> dict[int, int]:
    """Return the distribution of a sum of independent integers, by a tree of exact transforms (``convolve_FFT``).

    ``pmfs`` holds one mapping {value: number of swaps} per pair: ``{3: 1, -3: 1}`` for a pair whose
    effect is 3 as observed and -3 swapped, ``{0: 2}`` for a tie. Values are any ints, counts are
    ints >= 0, mappings have any size. Returns {sum: number of swap assignments}, ascending, zeros
    left out; of no pairs ``{0: 1}``, and nothing where a mapping counts nothing.

    Raises ``WrongType`` or ``ExactPermError`` naming the mapping and the entry that is wrong, and
    ``BudgetExceeded`` where the sums are too far apart: memory grows with the distance of the least
    from the greatest sum, over the common divisor of all distances.
    :func:`~exactperm.counting.dp.convolve_dp` depends on the number of sums alone.
    Cost: log2(N) levels of products with in all as many bits as the result. Equal mappings share
        their work.
    Source: Alg. 4, Thm. 4, with the transform over Z/(2**K + 1) in place of floats;
        spec/04-convolution.md#alg-4.

    >>> convolve_ntt([{3: 1, -3: 1}, {1: 1, -1: 1}, {0: 2}])
    {-4: 2, -2: 2, 2: 2, 4: 2}
    """
    return convolved(pmfs, estimate, counts, "convolve_dp, which keeps only the sums that occur")


def estimate(units: Units, k: int | None) -> Estimate | Unfit:
    """Bound bytes by the bits of the whole distribution, and estimate the seconds of each of them.

    >>> estimate({1: 10**6}, 3).reason
    'would multiply out a distribution of 2**39 bits or more, above its limit of 2**36'
    """
    slots, width = degree(units) + 1, int(bits_of(units)) + 1
    bits = slots * width
    if bits > 1 << _MOST_BITS:
        return Unfit(
            reason=f"would multiply out a distribution of 2**{bits.bit_length() - 1} bits or more, "
            f"above its limit of 2**{_MOST_BITS}"
        )
    size = slots * (width // 8 + 50) * 5
    seconds = _SECONDS_START + bits * (_SECONDS_BIT if k is None else _SECONDS_HALVES_BIT)
    return Estimate(seconds=seconds, bytes=_BYTES_START + size)


def count_at_most(units: Units, k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    Cost: the whole distribution, less its last product.

    >>> count_at_most({1: 2, 3: 1}, 1), count_at_most({((0, 1), (1, 2)): 2}, 1)
    (3, 5)
    """
    *first, second = _factors(units, 2, progress)
    return weighted(first[0] if first else [1], list(accumulate(second)), k)


def counts(units: Units, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending.

    >>> counts({1: 2, 3: 1}), counts({((0, 1), (1, 2)): 2})
    ({0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}, {0: 1, 1: 4, 2: 4})
    """
    (product,) = _factors(units, 1, progress)
    return {x: count for x, count in enumerate(product) if count}


def _factors(units: Units, most: int, progress: Progress | None) -> list[list[int]]:
    """Multiply the leaves up to ``most`` polynomials, at least one, and return their coefficients."""
    leaves = _leaves(units) or [[1]]
    tick = ticker(progress, max(1, len(leaves) - most))
    heap = [(_weight(leaf), i, leaf) for i, leaf in enumerate(leaves)]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) > most:
        _weight_a, _number_a, a = heapq.heappop(heap)
        _weight_b, _number_b, b = heapq.heappop(heap)
        product = convolve(a, b)
        heapq.heappush(heap, (_weight(product), number, product))
        number += 1
        tick(1)
    return [coefficients for _weight, _number, coefficients in heap]


def _leaves(units: Units) -> list[list[int]]:
    """Return the powers of steps, or the product of 1 + x**d for groups of pairs, which are dealt to them in turn."""
    tally = pairs_of(units)
    if tally is None:
        return [_power(step, c) for step, c in steps_of(units).items()]
    pairs = one_by_one(tally)
    parts = -(-len(pairs) // _GROUP)
    return [expanded(Counter(pairs[i::parts])) for i in range(parts)]


def _weight(coefficients: list[int]) -> int:
    return len(coefficients) * max(coefficients).bit_length()


def _power(step: Step, exponent: int) -> list[int]:
    """Return the coefficients of ``exponent`` equal steps."""
    coefficients = [0] * (step[-1][0] + 1)
    for value, weight in step:
        coefficients[value] = weight
    power = coefficients
    for digit in f"{exponent:b}"[1:]:
        power = convolve(power, power)
        if digit == "1":
            power = convolve(power, coefficients)
    return power
