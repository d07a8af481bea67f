"""One threshold count from P = W R: W (few frequent differences) by the recurrence, R folded into small weights.

W has the degree DW and the few most frequent differences, R has the degree DR and the other MR
pairs. The sums r(j) = R[0] + ... + R[j] are short numbers, so each long number W[m] takes few
operations:

    #{X <= k} = sum_m W[m] r(k-m),    where r(j) = 2^MR from j = DR on.                                              (1)

From k = DW/2 on it is shorter to count what lies between the two tails: by symmetry 2 #{X <= k} =
2^M - #{k < X < D-k}, and with j = m - (k-DR+1) and r(i) + r(DR-1-i) = 2^MR, the symmetry of R,

    #{k < X < D-k} = sum_m W[m] V[m],    V[m] = r(D-k-1-m) - r(k-m) = r(j) - r(j - (D-2k-1)),   r = 0 below 0.      (2)

V[DW-m] = V[m], as W and R are palindromes: the terms with m < DW/2 count twice, the middle one of
an even DW once.

For {1: 2, 3: 1} with W = (1 + x)^2 = 1, 2, 1 and R = 1 + x^3, so r = 1, 1, 1, 2, 2, ...: DW = 2, DR
= 3, and k = 1 is DW/2. By (2) V[0] = r(3) - r(1) = 1 and V[1] = r(2) - r(0) = 0, so #{1 < X < 4} =
2 V[0] W[0] + V[1] W[1] = 2, and #{X <= 1} = (2^3 - 2) / 2 = 3. By (1), W[0] r(1) + W[1] r(0) = 1 +
2 = 3.

The dot product takes one long product for every term. In blocks it takes a few for every block: W
satisfies a linear equation in few neighbouring terms (:func:`~exactperm.counting.terms.equation`), which folds the weights of
a block, all of them short numbers, into a combination of the last terms before it (:func:`folded`).

Source: spec/09-own-theorems.md#own-blocks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate, chain, repeat
from operator import add, mul, sub

from ..budget import Estimate, Progress
from ..swaps.units import Tally, degree
from . import binomial
from .tally import expanded, ticker
from .terms import PIECE, Equation, Terms, equation

Part = tuple[list[int], int, int, float]
"""Differences of W or R, number of pairs, degree, and at most so many sums."""

_SIZES = (1, 2, 4, 6, 10, 20, 50, 150)  # numbers of differences that are tried for W

# Measured on CPython 3.11; a digit is 30 bits. A term of the recurrence is divided once, a step is
# one of its differences: a difference of two counts, a product with a short number, and their sum.
_SECONDS_START = 1.2e-5
_SECONDS_TERM, _SECONDS_TERM_DIGIT = 1.2e-7, 4.2e-9
_SECONDS_STEP, _SECONDS_STEP_DIGIT = 1.2e-7, 2.3e-9
_SECONDS_UNROLLED = 6e-8  # a step of the first four differences
# a pair of a packed R, and each of the counts it goes into
_SECONDS_PACKED, _SECONDS_PACKED_SLOT = 1.5e-7, 6e-10
_SECONDS_WEIGHT, _SECONDS_WEIGHT_DIGIT = 1.5e-7, 3e-9  # summing up R and taking differences
# of the dot product; a digit times a digit
_SECONDS_PRODUCT, _SECONDS_PRODUCT_DIGITS = 1e-7, 0.75e-9
_SECONDS_FOLD, _SECONDS_FOLD_DIGIT = 1.3e-7, 1.7e-9  # one coefficient of a combination
_SECONDS_DIVISION_DIGITS = 1.3e-9
_MODEST_BYTES = 2**28  # a split that needs more is taken only if all do
_BYTES_START = 5_000
_BYTES_SLOT, _BYTES_INT = 8, 36  # an entry of a list that is 0, and another one before its digits
_BYTES_DIGIT = 4.3


def count_at_most(
    frequent: Tally, rest: Tally, k: int, block: int, *, progress: Progress | None = None
) -> int:
    """Count #{X <= k}, 0 <= k < D - k, with W from the tally ``frequent`` and R from ``rest``, which may be empty.

    ``block`` is the number of terms of the dot product that are folded at a time, 0 for none.

    >>> count_at_most({1: 2}, {3: 1}, 1, 0)
    3
    """
    degree_w, degree_r = degree(frequent), degree(rest)
    start, stop, length = _ranges(degree_w, degree_r, k)
    tick = ticker(progress, min(length, degree_r // 2 + 1) + stop)
    sums = _sums(rest, degree_r, length, tick)
    counts = Terms(frequent, tick)
    if 2 * k < degree_w:  # equation (1)
        flat: int = sum(sum(piece) for piece in counts.pieces(start))
        return (flat << sum(rest.values())) + _dot(frequent, counts, sums[::-1], block)
    # Equation (2): the terms below the middle of W twice, a middle term once.
    weights = _window(sums, start - (k - degree_r + 1), degree_w + degree_r - 2 * k - 1)
    for _skipped in counts.pieces(start):
        pass
    middle = weights[degree_w // 2 - start :] if degree_w % 2 == 0 else []
    between: int = 2 * _dot(frequent, counts, weights[: len(weights) - len(middle)], block)
    between += sum(map(mul, middle, counts.take(len(middle))))
    return ((1 << sum(frequent.values()) + sum(rest.values())) - between) >> 1


class Split(Estimate):
    """Estimate of a count, with its W and R as tallies and the number of terms in a block (0: no blocks)."""

    frequent: Tally
    rest: Tally
    block: int


def cheapest(tally: Tally, k: int) -> Split:
    """Return the split with the least estimated time, of those that put the most frequent differences into W.

    >>> cheapest({1: 300, 2: 200, 3: 1}, 300).rest
    {3: 1}
    """
    order = sorted(tally, key=tally.__getitem__, reverse=True)
    numbers = [tally[d] for d in order]
    columns = numbers, map(mul, order, numbers), [math.log(c + 1) for c in numbers]
    pairs, degrees, logarithms = [list(accumulate(column, initial=0)) for column in columns]

    def part(start: int, stop: int) -> Part:
        sums = math.exp(min(99.0, logarithms[stop] - logarithms[start]))
        return order[start:stop], pairs[stop] - pairs[start], degrees[stop] - degrees[start], sums

    whole, tried = len(order), []
    for size in [size for size in _SIZES if size < whole] + [whole]:
        tried.append((*split_cost(part(0, size), part(size, whole), k), size))
    seconds, memory, block, size = min(tried, key=lambda cost: (cost[1] > _MODEST_BYTES, cost))
    frequent, rest = [{d: tally[d] for d in sorted(half)} for half in (order[:size], order[size:])]
    count = partial(count_at_most, frequent, rest, k, block)
    return Split(
        seconds=seconds, bytes=memory, frequent=frequent, rest=rest, block=block, _count=count
    )


def split_cost(of_w: Part, of_r: Part, k: int) -> tuple[float, int, int]:
    """Estimate seconds and bytes of a split, and return the best block."""
    (in_w, _pairs, degree_w, _sums), (_in_r, pairs_r, degree_r, _sums_r) = of_w, of_r
    start, stop, length = _ranges(degree_w, degree_r, k)
    seconds, size, long, filled = recurrence_cost(of_w, stop)
    short = min(pairs_r, length * pairs_r.bit_length()) / 30
    if length:
        few = pairs_r <= 8  # CPython shares the integers up to 2^8
        held = 2.2 * length * ((_BYTES_SLOT if few else _BYTES_INT) + short * _BYTES_DIGIT)
        if _is_packed(pairs_r, degree_r, length):
            seconds += pairs_r * (_SECONDS_PACKED + degree_r * _SECONDS_PACKED_SLOT)
            held = max(held, 2.2 * _BYTES_SLOT * degree_r)  # expanded, before there are weights
        else:
            more, kept, *_ = recurrence_cost(of_r, min(length, degree_r // 2 + 1))
            seconds, size = seconds + more, size + kept
        seconds += length * (_SECONDS_WEIGHT + short * _SECONDS_WEIGHT_DIGIT)
        size += held
    product = long * (short + 1) * _SECONDS_PRODUCT_DIGITS
    block, term = 0, _SECONDS_PRODUCT + filled * product
    # A term of a block adds log2(n) bits to the denominator. What grows with the block, products of
    # a weight with the denominator and of combinations with n, is weighed against the long products
    # at its end.
    order, digits = sum(in_w), stop.bit_length() / 30
    if order * _SECONDS_FOLD < term:
        growing = digits / 2 * (short * _SECONDS_PRODUCT_DIGITS + order * _SECONDS_FOLD_DIGIT)
        best = math.isqrt(int(order * product / growing)) + 4
        fixed = order * (_SECONDS_FOLD + short * _SECONDS_FOLD_DIGIT)
        fixed += digits * long * (order * _SECONDS_PRODUCT_DIGITS + _SECONDS_DIVISION_DIGITS)
        in_blocks = fixed + best * growing + order * product / best
        if in_blocks < term:
            block, term = best, in_blocks
    seconds += _SECONDS_START + (stop - start) * term
    return seconds, _BYTES_START + int(size + PIECE * long * _BYTES_DIGIT), block


def part_of(tally: Tally) -> Part:
    """Return all pairs of a tally as a part.

    >>> part_of({1: 2, 3: 1})[:3]
    ([1, 3], 3, 5)
    """
    sums = math.exp(min(99.0, sum([math.log(c + 1) for c in tally.values()])))
    return list(tally), sum(tally.values()), degree(tally), sums


def recurrence_cost(part: Part, length: int) -> tuple[float, float, float, float]:
    """Estimate ``length`` terms of the recurrence, none kept.

    Return seconds, bytes, the digits of the longest term, and the share of terms that are not 0.
    """
    differences, pairs, top, sums = part
    filled = min(1.0, sums / (top + 1))
    # The mean length of P[n], n <= length, as a share of M bits: the exponent was fitted to several
    # differences.
    share = binomial.mean_entropy(min(0.5, length / max(1, top))) ** 0.85
    whole = min(pairs, length * pairs.bit_length()) / 30
    digits = whole * share * filled
    near = [d for d in differences if d < length]
    steps = (length * len(near) - sum(near)) * (1 + filled) / 2  # zeros take half the time
    first_four = len(differences) == 4 and set(differences) == {1, 2, 3, 4}
    each = _SECONDS_UNROLLED if first_four else _SECONDS_STEP
    seconds = length * (_SECONDS_TERM + digits * _SECONDS_TERM_DIGIT)
    seconds += steps * (each + digits * _SECONDS_STEP_DIGIT)
    kept = min(sum(differences), length) + sum(near)
    size = kept * (_BYTES_SLOT + filled * (_BYTES_INT - _BYTES_SLOT) + digits * _BYTES_DIGIT)
    return seconds, size, whole * 1.2 * share**0.7, filled


def _ranges(degree_w: int, degree_r: int, k: int) -> tuple[int, int, int]:
    """Return start and stop of m in (1) or (2), and the number of r(j) that these need."""
    offset = k - degree_r + 1
    start, stop = max(0, offset), min(k, degree_w // 2) + 1
    return start, stop, stop - (start if 2 * k < degree_w else offset)


def _sums(tally: Tally, degree: int, length: int, tick: Callable[[int], None]) -> list[int]:
    """Return [r(0), ..., r(length-1)], above the middle from r(j) = 2^MR - r(degree-1-j)."""
    half = min(length, degree // 2 + 1)
    if _is_packed(sum(tally.values()), degree, length):
        made = [expanded(tally)[:half]]
        tick(half)
    else:
        made = list(Terms(tally, tick).pieces(half))
    sums: list[int] = list(accumulate(chain.from_iterable(made)))
    total = 1 << sum(tally.values())
    mirrored = sums[max(0, degree - length) : max(0, degree - len(sums))]
    sums += map(sub, repeat(total), reversed(mirrored))
    return sums + [total] * (length - len(sums))


def _is_packed(pairs: int, degree: int, length: int) -> bool:
    """Return whether R has at most 64 pairs, whose counts fit 64 bits, and most of its terms are needed."""
    return pairs <= 64 and length > degree // 2


def _window(sums: list[int], start: int, gap: int) -> list[int]:
    """Return the differences r(j) - r(j-gap) from j = start on."""
    alone = max(0, gap - start)
    return sums[start : start + alone] + list(
        map(sub, sums[start + alone :], sums[max(0, start - gap) :])
    )


def _dot(tally: Tally, counts: Terms, coefficients: list[int], block: int) -> int:
    """Return the sum of the coefficients times the next counts."""
    if not block:
        later = iter(coefficients)
        return sum(sum(map(mul, piece, later)) for piece in counts.pieces(len(coefficients)))
    law = equation(tally)
    head = [] if counts.made else coefficients[:1]  # the equation begins with n = 1
    total: int = sum(map(mul, head, counts.take(len(head))))
    for i in range(len(head), len(coefficients), block):
        piece = coefficients[i : i + block]
        combination, denominator = folded(law, counts.made, piece)
        total += sum(map(mul, combination, counts.last)) // denominator
        counts.take(len(piece))
    return total


def folded(law: Equation, start: int, coefficients: Sequence[int]) -> tuple[list[int], int]:
    """Return (c, K): sum_i coefficients[i] W[start+i] = (c_0 W[start-1] + ... + c_(r-1) W[start-r]) / K, for start > 0.

    Clenshaw's summation: from the last term down, each W[n] is replaced by its equation. K is the
    product of the n met, so that everything stays an integer, and the division in the end is exact.
    """
    combination, denominator = [0] * len(law), 1
    number = start + len(coefficients) - 1
    factors = [u - number * v for u, v in law]
    steps = [v for _u, v in law]
    for n, weight in zip(range(number, 0, -1), reversed(coefficients)):
        first, *others = combination
        first += denominator * weight
        combination = [n * c + f * first for c, f in zip((*others, 0), factors)]
        denominator *= n
        factors = list(map(add, factors, steps))
    return combination, denominator
