"""The balanced product tree with number-theoretic transforms: the paper's Alg. 4, exact.

The counts are the coefficients of P(x) = prod_d (1 + x**d)**c_d. A leaf is the product of the
factors of some pairs, by shifts and additions. The two lightest polynomials, by length times bits,
are multiplied until one is left: the factors of every product are about equal, and no coefficient
is wider than its own subtree needs.

For {1: 2, 3: 1}, with a leaf for two pairs and one for the third: (1, 2, 1) and (1, 0, 0, 1). Their
product is 1, 2, 1, 1, 2, 1, and for k = 1 the count is 1 + 2 = 3.

Source: Alg. 4, Eq. 9, Theorem 4, Corollary 1; spec/04-convolution.md#alg-4.

Source: spec/09-own-theorems.md#own-tree.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

from ..arithmetic.multiply import multiply
from ..arithmetic.polynomial import convolve
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Progress, Unfit
from ..errors import BudgetExceeded, Cure
from ..swaps.units import Tally, Units, degree, one_by_one, pairs_of
from .pmfs import checked_pmfs
from .tally import distribution, expanded, ticker

Shape = tuple[tuple[int, int], ...]  # (value, number of swaps), ascending from the value 0

# Above what was measured on CPython 3.11; in bits of the whole distribution.
_SECONDS_START = 3e-4
_SECONDS_BIT = 3e-8
_BYTES_START = 10_000
_MOST_BITS = 36

_GROUP = 1000
"""Most pairs of a leaf: up to there, packed shifts and additions beat transforms."""


def count_at_most(tally: Tally, k: int, *, progress: Progress | None = None) -> int:
    """Count those of the 2**M subsets of the M pairs whose differences sum to at most k.

    Cost: the whole distribution of the differences up to k.

    >>> count_at_most({1: 2, 3: 1}, 1)
    3
    """
    return sum(_coefficients({d: c for d, c in tally.items() if d <= k}, progress)[: k + 1])


def counts(tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of subsets}, ascending.

    >>> counts({1: 2, 3: 1})
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    return distribution(_coefficients(tally, progress), degree(tally))


def _coefficients(tally: Tally, progress: Progress | None) -> list[int]:
    leaves = _leaves(tally)
    return _product(leaves, ticker(progress, len(leaves) - 1))


def _leaves(tally: Tally) -> list[list[int]]:
    """Return the product of 1 + x**d for each group of pairs, which are dealt to them in turn."""
    pairs = one_by_one(tally)
    parts = -(-len(pairs) // _GROUP)
    return [expanded(Counter(pairs[i::parts])) for i in range(parts)]


def _product(factors: Iterable[list[int]], tick: Callable[[int], None]) -> list[int]:
    """Return the coefficients of the product of polynomials."""
    heap = [(_weight(factor), i, factor) for i, factor in enumerate(factors)]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) > 1:
        _weight_a, _number_a, a = heapq.heappop(heap)
        _weight_b, _number_b, b = heapq.heappop(heap)
        product = convolve(a, b)
        heapq.heappush(heap, (_weight(product), number, product))
        number += 1
        tick(1)
    return heap[0][2] if heap else [1]


def _weight(coefficients: list[int]) -> int:
    return len(coefficients) * max(coefficients).bit_length()


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
    checked = checked_pmfs(pmfs)
    if not all(checked):
        return {}
    lows = list(map(min, checked))
    step = math.gcd(*[value - low for pmf, low in zip(checked, lows) for value in pmf]) or 1
    shapes = Counter(_shape(pmf, low, step) for pmf, low in zip(checked, lows))
    _check_size(shapes)
    pairs = {shape[1][0]: c for shape, c in shapes.items() if _is_pair(shape)}
    others = [_power(shape, c) for shape, c in shapes.items() if not _is_pair(shape)]
    found = _product(_leaves(pairs) + others, ticker(None, 0))
    scale, low = math.prod([math.gcd(*pmf.values()) for pmf in checked]), sum(lows)
    return {low + i * step: multiply(n, scale) for i, n in enumerate(found) if n}


def _shape(pmf: Mapping[int, int], low: int, step: int) -> Shape:
    """Return the mapping moved to begin at 0, in steps, its counts divided by their common divisor."""
    common = math.gcd(*pmf.values())
    return tuple([((value - low) // step, pmf[value] // common) for value in sorted(pmf)])


def _is_pair(shape: Shape) -> bool:
    """Return whether the mapping is 1 + x**d."""
    return len(shape) == 2 and shape[0][1] == shape[1][1]


def _power(shape: Shape, exponent: int) -> list[int]:
    """Return the coefficients of ``exponent`` equal mappings."""
    coefficients = [0] * (shape[-1][0] + 1)
    for value, n in shape:
        coefficients[value] = n
    power = coefficients
    for digit in f"{exponent:b}"[1:]:
        power = convolve(power, power)
        if digit == "1":
            power = convolve(power, coefficients)
    return power


def _check_size(shapes: Mapping[Shape, int]) -> None:
    """Raise ``BudgetExceeded`` where the product of the mappings has too many coefficients to be held."""
    slots = sum([c * shape[-1][0] for shape, c in shapes.items()]) + 1
    bits = sum([c * sum([n for _value, n in shape]).bit_length() for shape, c in shapes.items()])
    size = _bytes(slots, bits)
    if size > Budget().bytes:
        raise BudgetExceeded(
            f"convolve_ntt of {sum(shapes.values())} mappings, whose sums lie among {short_integer(slots)} equally "
            "spaced ones,",
            Estimate(seconds=0, bytes=size),
            Budget(),
            cure=Cure(words="convolve_dp, which keeps only the sums that occur"),
        )


def _bytes(slots: int, bits: int) -> int:
    """Return the peak memory of a product with so many coefficients of so many bits."""
    return slots * (bits // 8 + 50) * 5


def estimate(units: Units, k: int | None) -> Estimate | Unfit:
    """Bound seconds and bytes by the bits of the whole distribution: the engine runs by name only.

    >>> estimate({1: 10**6}, 3).reason
    'would multiply out a distribution of 2**39 bits or more, above its limit of 2**36'
    """
    if pairs_of(units) is None:
        return Unfit(reason="counts pairs only")
    slots, pairs = degree(units) + 1, sum(units.values())
    bits = slots * pairs
    if bits > 1 << _MOST_BITS:
        return Unfit(
            reason=f"would multiply out a distribution of 2**{bits.bit_length() - 1} bits or more, "
            f"above its limit of 2**{_MOST_BITS}"
        )
    seconds = _SECONDS_START + bits * _SECONDS_BIT
    return Estimate(seconds=seconds, bytes=_BYTES_START + _bytes(slots, pairs))
