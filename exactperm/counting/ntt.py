"""The balanced product tree with number-theoretic transforms: the paper's Alg. 4, exact.

The counts are the coefficients of P(x) = prod_d (1 + x**d)**c_d. A leaf is one factor in closed
form, a row of binomial coefficients, or a group of factors with few pairs in all. The two lightest
nodes, by length times bits, are multiplied until one is left: the factors of every product are
about equal, and no coefficient is wider than its own subtree needs. Where all exponents of a node
are multiples of a step, only those are kept.

A single count needs no last product: with B'(j) = B[0] + ... + B[j],  #{X <= k} = sum_i A[i] B'(k -
i).

For {1: 2, 3: 1}, with a leaf for each difference: (1, 2, 1) and, with the step 3, (1, 1), or 1, 0,
0, 1. Their product is 1, 2, 1, 1, 2, 1. For k = 1 it is not needed: A = (1, 1) at 0 and 3, B' = (1,
3, 4); only A[0] B'(1) = 3 counts.

Source: Alg. 4, Eq. 9, Theorem 4, Corollary 1; spec/04-convolution.md#alg-4.

Source: spec/09-own-theorems.md#own-tree.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from ..arithmetic.multiply import multiply
from ..arithmetic.polynomial import convolve
from ..arithmetic.quoting import short_integer
from ..budget import Budget, Estimate, Progress, Unfit
from ..errors import BudgetExceeded, Cure
from ..swaps.units import Tally, Units, binomials, degree, pairs_of
from .pmfs import checked_pmfs
from .tally import expanded, ticker

Node = tuple[int, Sequence[int]]  # step, coefficients of x**0, x**step, x**(2 step), ...
Shape = tuple[tuple[int, int], ...]  # (value, number of swaps), ascending from the value 0


# Above what was measured on CPython 3.11; in bits of the whole distribution.
_SECONDS_START = 3e-4
_SECONDS_BIT = 3e-8
_BYTES_START = 10_000
_MOST_BITS = 36

_GROUP = 1000
"""Most pairs of a leaf of several differences: up to there, packed shifts and additions beat
transforms."""


def count_at_most(tally: Tally, k: int, *, progress: Progress | None = None) -> int:
    """Count those of the 2**M subsets of the M pairs whose differences sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1)
    3
    """
    # 1. Leaves. 2. Products up to two factors A and B. 3. The sum of A[i] B'(k - i).
    groups = _groups({d: c for d, c in tally.items() if d <= k})
    tick = ticker(progress, len(groups) + max(0, len(groups) - 2) + 1)
    nodes = _multiplied(_leaves(groups, k, tick), 2, k, tick)
    nodes += [(1, [1])] * (2 - len(nodes))
    (a_step, a), (b_step, b) = sorted(nodes, key=lambda node: len(node[1]))
    below, last = list(accumulate(b)), len(b) - 1
    count = sum(multiply(x, below[min((k - i * a_step) // b_step, last)]) for i, x in enumerate(a))
    tick(1)
    return count


def counts(tally: Tally, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of subsets}, ascending.

    >>> counts({1: 2, 3: 1})
    {0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}
    """
    groups = _groups(tally)
    tick = ticker(progress, 2 * len(groups) - 1)
    return _distribution(_leaves(groups, None, tick), 0, 1, tick)


# ------------------------------------------------------------------------------------------- leaves


def _groups(tally: Tally) -> list[dict[int, int]]:
    """Deal the pairs to one tally per leaf: a difference of many pairs alone, the others evenly to groups."""
    alone = [{d: c} for d, c in tally.items() if c > _GROUP]
    others = {d: c for d, c in tally.items() if c <= _GROUP}
    parts = _parts(sum(others.values()))
    groups: list[dict[int, int]] = [{} for _ in range(parts)]
    turn = 0
    for d, c in others.items():
        for i, group in enumerate(groups):
            share = (c + (i - turn) % parts) // parts
            if share:
                group[d] = share
        turn = (turn - c) % parts
    return alone + groups


def _parts(pairs: int) -> int:
    """Return the number of groups: a power of two, so that their tree is balanced, and at least two."""
    return min(pairs, 2 << ((pairs - 1) // (2 * _GROUP)).bit_length())


def _leaves(
    tallies: list[dict[int, int]], most: int | None, tick: Callable[[int], None]
) -> Iterator[Node]:
    for group in tallies:
        step = math.gcd(*group)
        coefficients = _leaf({d // step: c for d, c in group.items()})
        yield step, _up_to(coefficients, step, most)
        tick(1)


def _leaf(group: Tally) -> list[int]:
    """Return the coefficients of prod_d (1 + x**d)**c_d."""
    return binomials(group[1], group[1]) if list(group) == [1] else expanded(group)


# ----------------------------------------------------------------------------------------- products


def _multiplied(
    nodes: Iterable[Node], left: int, most: int | None, tick: Callable[[int], None]
) -> list[Node]:
    """Return up to ``left`` nodes with the same product as all ``nodes``, without the powers of x above ``most``."""
    heap = [
        (_weight(coefficients), i, step, coefficients)
        for i, (step, coefficients) in enumerate(nodes)
    ]
    heapq.heapify(heap)
    number = len(heap)
    while len(heap) > left:
        _weight_a, _number_a, a_step, a = heapq.heappop(heap)
        _weight_b, _number_b, b_step, b = heapq.heappop(heap)
        step = math.gcd(a_step, b_step)
        product = _up_to(
            convolve(_spread(a, a_step // step), _spread(b, b_step // step)), step, most
        )
        heapq.heappush(heap, (_weight(product), number, step, product))
        number += 1
        tick(1)
    return [(step, coefficients) for _weight, _number, step, coefficients in heap]


def _weight(coefficients: Sequence[int]) -> int:
    return len(coefficients) * max(coefficients).bit_length()


def _spread(coefficients: Sequence[int], factor: int) -> Sequence[int]:
    """Return the coefficients of p(x**factor) from those of p(x)."""
    if factor == 1:
        return coefficients
    spread = [0] * ((len(coefficients) - 1) * factor + 1)
    spread[::factor] = coefficients
    return spread


def _up_to(coefficients: list[int], step: int, most: int | None) -> list[int]:
    return coefficients if most is None else coefficients[: most // step + 1]


def _distribution(
    nodes: Iterable[Node], low: int, scale: int, tick: Callable[[int], None]
) -> dict[int, int]:
    """Return {low + exponent: scale * coefficient} of the product of the nodes, ascending, zeros left out."""
    ((step, coefficients),) = _multiplied(nodes, 1, None, tick) or [(1, [1])]
    return {low + i * step: multiply(n, scale) for i, n in enumerate(coefficients) if n}


# ----------------------------------------------------------------------------------------- mappings


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
    low = sum(map(min, checked))
    scales = Counter(math.gcd(*pmf.values()) for pmf in checked)
    shapes = Counter(map(_shape, checked))
    shapes.pop(((0, 1),), None)
    _check_size(shapes)
    swaps = {shape[1][0]: c for shape, c in shapes.items() if _is_swap(shape)}
    unseen = ticker(None, 0)
    nodes = list(_leaves(_groups(swaps), None, unseen))
    nodes += [_power(shape, c) for shape, c in shapes.items() if not _is_swap(shape)]
    scale = math.prod(n**c for n, c in scales.items())
    return _distribution(nodes, low, scale, unseen)


def _shape(pmf: Mapping[int, int]) -> Shape:
    """Return the mapping moved to begin at 0, its counts divided by their common divisor."""
    start, common = min(pmf), math.gcd(*pmf.values())
    return tuple((value - start, pmf[value] // common) for value in sorted(pmf))


def _is_swap(shape: Shape) -> bool:
    """Return whether the mapping is 1 + x**d."""
    return len(shape) == 2 and shape[0][1] == shape[1][1]


def _power(shape: Shape, exponent: int) -> Node:
    """Return the node of ``exponent`` equal mappings."""
    step = math.gcd(*(value for value, _n in shape))
    coefficients = [0] * (shape[-1][0] // step + 1)
    for value, n in shape:
        coefficients[value // step] = n
    power = coefficients
    for digit in f"{exponent:b}"[1:]:
        power = convolve(power, power)
        if digit == "1":
            power = convolve(power, coefficients)
    return step, power


def _check_size(shapes: Mapping[Shape, int]) -> None:
    """Raise ``BudgetExceeded`` where the product of the mappings has too many coefficients to be held."""
    step = math.gcd(*(value for shape in shapes for value, _n in shape)) or 1
    slots = sum(c * shape[-1][0] for shape, c in shapes.items()) // step + 1
    bits = sum(c * sum(n for _value, n in shape).bit_length() for shape, c in shapes.items())
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


# ----------------------------------------------------------------------------------------- estimate


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
    return Estimate(
        seconds=_SECONDS_START + bits * _SECONDS_BIT, bytes=_BYTES_START + _bytes(slots, pairs)
    )
