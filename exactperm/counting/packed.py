"""Dynamic programming on packed integers, in two halves: few units with many distinct values.

Kronecker substitution keeps all counts of a polynomial in one integer, with a slot of w bytes for
each coefficient. Multiplying by 1 + x**d is then a shift and an addition of that integer, and for a
step one product with each weight, one shift and one addition for each term. The units are dealt to
two halves A and B whose product is never multiplied out (the split-up algorithm of van de Wiel
2001). With B(j) the number of choices of B that sum to at most j,

    #{X <= k} = sum_i A[i] B(k-i).

Where every unit is its own mirror image, as all pairs are, A is a palindrome of degree DA, and so

    #{X <= k} = sum_{i < DA/2} A[i] W[i] + (A[DA/2] W[DA/2] / 2 for even DA),
    W[i] = B(k-i) + B(k-DA+i),    W[i+1] - W[i] = B[k-DA+i+1] - B[k-i].

So is B, and of both halves only the lower half of the slots is ever built.

For the tally {1: 2, 3: 1} the halves are {1: 1} and {1: 1, 3: 1}: A = 1 + x, B = 1 + x + x^3 + x^4,
and for k = 1 #{X <= 1} = A[0] W[0] = B(1) + B(0) = 2 + 1 = 3, with B(1) and B(0) from the lower
slots of B, 1, 1, 0. For two units of 1 + 2x each half is 1, 2, and #{X <= 1} = 1 B(1) + 2 B(0) = 3
+ 2 = 5.

Slots cannot overflow. No count exceeds the number of all choices so far. Of pairs the bound is
sharper: of the subsets of n pairs with a common sum none contains another, and if they have at most
s pairs each, there are at most max_{j <= s} C(n, j) = C(n, min(s, n//2)) of them (Sperner 1928,
with the inequality of Lubell, Yamamoto and Meshalkin).

Source: Kronecker substitution, van de Wiel 2001; spec/09-own-theorems.md#own-two-halves, spec/15-runs.md#own-step-recurrence.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate, islice, repeat
from operator import mul, sub

from .._types import Any, Executor
from ..arithmetic.slots import byte_length, unpacked, widened
from ..budget import Estimate, Progress, Unfit, answers
from ..swaps.units import Step, Tally, Units, choices, degree, is_symmetric, pairs_of, steps_of
from .tally import coarse, distribution, sums_up_to, ticker

# slots first hold the counts of this many pairs, or steps, then of half as many again each time
_FIRST_PAIRS, _FIRST_STEPS = 64, 4

# Measured on CPython 3.11.
_SECONDS_START = 2e-5
_SECONDS_PAIR = 7e-7
_SECONDS_STEP = 3e-10  # a byte that is shifted and added
_SECONDS_TERM, _SECONDS_TERM_STEP = 4e-7, 4e-10  # a term of a step, a byte of it
_SECONDS_DIGIT = 1.5e-10  # a byte that is multiplied by a digit of 30 bits
_CACHED_BYTES = 2**24  # beyond, a byte costs about twice as much
_SECONDS_RESPACED = 1.5e-9  # a byte of the wider slots
_SECONDS_UNPACKED = (3.5e-8, 1.4e-9)  # a slot, and each of its bytes
# a term of the sum: itself, its bytes, its bytes squared
_SECONDS_WEIGHTED = (1.05e-7, 1.5e-9, 6e-11)
_SECONDS_ENTRY = 1.4e-7  # of the result of counts
_BYTES_START = 4_000
_BYTES_INT = 32  # before the digits
_BYTES_ENTRY = 115
_MOST_SLOTS = 10**11
_TOO_LONG = f"would pack more than {_MOST_SLOTS:.0e} counts into one integer, or shift it as often"


def estimate(units: Units, k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the bytes that each unit adds and from the number of unpacked slots."""
    # n distinct units have a sum of n^2 / 2 or more, if pairs; one half of a count reaches (D - max
    # d) / 2 > k / 2.
    if (len(units) if k is None else k) > 4 * _MOST_SLOTS:
        return Unfit(reason=_TOO_LONG)
    symmetric = is_symmetric(units)
    tally = pairs_of(units)
    if tally is not None:
        units = coarse(tally)
    parts = [units] if k is None else sorted(_halves(units), key=degree)
    lengths = [_length(part, k, symmetric) for part in parts]
    if max(*lengths, sum(units.values())) > _MOST_SLOTS:
        return Unfit(reason=_TOO_LONG)
    seconds, kept, peak = _SECONDS_START, 0.0, 0.0
    for part, length in zip(parts, lengths):
        building, slots, width = _build_cost(part, length)
        pairs = pairs_of(part)
        filled = slots if pairs is None else min(slots, sums_up_to(pairs, length))
        seconds += building + slots * _polynomial(_SECONDS_UNPACKED, width)
        if k is None:
            seconds += 2 * filled * _SECONDS_ENTRY
        elif part is parts[0]:
            seconds += slots * _polynomial(_SECONDS_WEIGHTED, width)
        # First the packed integer, its shift and their sum; then its bytes beside the list; then
        # window or result.
        packed, integers = slots * 1.1 * width, slots * 8 + filled * (_BYTES_INT + 1.1 * width)
        beside = filled * 2 * _BYTES_ENTRY if k is None else slots * 26
        peak = max(peak, kept + 3 * packed, kept + packed + integers, kept + integers + beside)
        kept += integers
    return Estimate(seconds=seconds, bytes=_BYTES_START + int(peak))


def count_at_most(
    units: Units, k: int, *, progress: Progress | None = None, executor: Executor | None = None
) -> int:
    """Count the choices whose values sum to at most k.

    An ``executor`` builds the two halves, each from its units, which takes nearly all of the time
    of a long count.
    Cost: for each pair a shift and an addition of an integer of up to min(k, D/4) slots of about
        M/16 bytes; for a step as many for each term, and for each weight a product.

    >>> count_at_most({1: 2, 3: 1}, 1), count_at_most({((0, 1), (1, 2)): 2}, 1)
    (3, 5)
    """
    symmetric = is_symmetric(units)
    tick = ticker(progress, sum(units.values()) + 1)
    packed: Iterator[tuple[int, int]]
    halves = [(half, _length(half, k, symmetric)) for half in sorted(_halves(units), key=degree)]
    if executor is None:
        packed = (_packed_counts(half, length, tick) for half, length in halves)
    else:
        packed = answers(_packed_half, halves, executor)
    # The highest slot of each, P[0] > 0, is the last one unpacked.
    small, large = [unpacked(*next(packed))[::-1] for _half in halves]
    if executor is not None:
        tick(sum(units.values()))
    if symmetric:
        first, second = halves[0][0], halves[1][0]
        count = _met(_LowCounts(first, small), _LowCounts(second, large), k)
    else:
        below = list(accumulate(large))
        below += repeat(below[-1], k + 1 - len(below))
        count = sum(map(mul, small, reversed(below)))
    tick(1)
    return count


def _met(first: _LowCounts, second: _LowCounts, k: int) -> int:
    """Count the choices of two halves, both palindromes, whose values sum to at most k."""
    last = len(first.low) - 1
    rises = second.between(k - first.degree + 1, k - first.degree + 1 + last)
    falls = second.between(k - last + 1, k + 1)[::-1]
    weights = accumulate(
        map(sub, rises, falls), initial=second.at_most(k) + second.at_most(k - first.degree)
    )
    below: int = sum(map(mul, islice(first.low, last), weights))
    end: int = first.low[last] * next(weights)
    return below + (end // 2 if 2 * last == first.degree else end)


def counts(units: Units, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending; of a palindrome the lower half is packed.

    >>> counts({1: 2, 3: 1}), counts({((0, 1), (1, 2)): 2})
    ({0: 1, 1: 2, 2: 1, 3: 1, 4: 2, 5: 1}, {0: 1, 1: 4, 2: 4})
    """
    symmetric, top = is_symmetric(units), degree(units)
    tick = ticker(progress, sum(units.values()) + 1)
    low = unpacked(*_packed_counts(units, _length(units, top, symmetric), tick))[::-1]
    tick(1)
    return distribution(low, top)


def _length(units: Units, k: int | None, symmetric: bool) -> int:
    """Return the last sum whose count is packed: at most k, and of a palindrome its middle."""
    top = degree(units) // (2 if symmetric else 1)
    return top if k is None else min(k, top)


def _by_reach(steps: Mapping[Step, int]) -> list[tuple[Any, int]]:
    return sorted(steps.items(), key=lambda entry: entry[0][-1][0])


def _halves(units: Units) -> tuple[Units, Units]:
    """Deal the units in turn to two halves, from the smallest reach to the largest."""
    halves: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
    turn = 0
    for unit, c in units.items() if pairs_of(units) else _by_reach(steps_of(units)):
        for half, share in ((halves[turn], c - c // 2), (halves[1 - turn], c // 2)):
            if share:
                half[unit] = share
        turn = (turn + c) % 2
    return halves


class _LowCounts:
    """The counts of units that are their own mirror images, of which the first, at most P[0], ..., P[D/2], are kept."""

    def __init__(self, units: Units, low: list[int]) -> None:
        self.degree = degree(units)
        self.total = choices(units)
        self.low = low

    def between(self, start: int, stop: int) -> list[int]:
        """Return [P[start], ..., P[stop-1]]: zeros outside 0..D, P[j] = P[D-j] above the middle."""
        middle = min(max(self.degree // 2 + 1, start), stop)
        above = self._window(self.degree + 1 - stop, self.degree + 1 - middle)
        return self._window(start, middle) + above[::-1]

    def _window(self, start: int, stop: int) -> list[int]:
        inside = self.low[max(start, 0) : max(stop, 0)]
        before = max(0, min(stop, 0) - start)
        return [0] * before + inside + [0] * (stop - start - before - len(inside))

    def at_most(self, j: int) -> int:
        """Return P[0] + ... + P[j], from the shorter side."""
        if 2 * j < self.degree:
            return sum(self.low[: max(0, j + 1)])
        return self.total - sum(self.low[: max(0, self.degree - j)])


def _packed_half(half: tuple[Units, int]) -> tuple[int, int]:
    """Return :func:`_packed_counts` for units and a length: the task of an executor, without progress."""
    return _packed_counts(*half, ticker(None, 0))


def _packed_counts(units: Units, length: int, tick: Callable[[int], None]) -> tuple[int, int]:
    """Return P[0], P[1], ... of the product, packed, up to ``length`` or the last term, and a slot's bytes.

    P[0] is in the highest slot, so that a shift to the right drops the terms beyond ``length``.
    Small units come first, so that the integer stays short for long.
    """
    tally = pairs_of(units)
    return (
        _packed_steps(steps_of(units), length, tick)
        if tally is None
        else _packed_pairs(tally, length, tick)
    )


def _packed_pairs(tally: Tally, length: int, tick: Callable[[int], None]) -> tuple[int, int]:
    """Return :func:`_packed_counts` of pairs: a shift and an addition each."""
    pairs = [d for d, c in tally.items() if d <= length for _ in range(c)]
    most = bisect_right(list(accumulate(pairs)), length)
    room = min(len(pairs), _FIRST_PAIRS)
    packed, top, width = 1, 0, _slot_bytes(room, most)
    for n, d in enumerate(pairs, 1):
        if n > room:
            room = min(len(pairs), room + room // 2)
            wider = _slot_bytes(room, most)
            packed, width = widened(packed, top + 1, width, wider), wider
        grown = min(top + d, length) - top
        up, down = 8 * width * grown, 8 * width * (d - grown)
        # Nearly always one of the two is nothing, and shifting by nothing would copy.
        packed = (packed << up if up else packed) + (packed >> down if down else packed)
        top += grown
        tick(1)
    tick(sum(tally.values()) - len(pairs))
    return packed, width


def _packed_steps(
    steps: Mapping[Step, int], length: int, tick: Callable[[int], None]
) -> tuple[int, int]:
    """Return :func:`_packed_counts` of steps: terms of one weight are shifted and added, then multiplied by it."""
    units = [(*_by_weight(step), c) for step, c in _by_reach(steps)]
    wholes = [whole for _reach, whole, _shifts, c in units for _ in range(c)]
    packed, top, done, room, width = 1, 0, 0, 0, 1
    for reach, _whole, shifts, c in units:
        for _ in range(c):
            if done == room:
                room = min(len(wholes), max(_FIRST_STEPS, room + room // 2))
                wider = byte_length(math.prod(wholes[:room]).bit_length())
                packed, width = widened(packed, top + 1, width, wider), wider
            grown = min(top + reach, length) - top
            bits, total = 8 * width, 0
            for weight, values in shifts:
                part = 0
                for value in values:
                    move = bits * (grown - value)
                    part += packed << move if move > 0 else packed >> -move
                total += part if weight == 1 else part * weight
            packed = total
            top, done = top + grown, done + 1
            tick(1)
    return packed, width


def _by_weight(step: Step) -> tuple[int, int, list[tuple[int, list[int]]]]:
    """Return reach, sum of the weights, and [(weight, its values), ...] of a step."""
    values: dict[int, list[int]] = {}
    for value, weight in step:
        values.setdefault(weight, []).append(value)
    return step[-1][0], sum([weight for _value, weight in step]), list(values.items())


def _slot_bytes(pairs: int, most: int) -> int:
    """Return the bytes of the largest number of subsets of ``pairs`` pairs with one sum, of at most ``most`` pairs."""
    return byte_length(math.comb(pairs, min(most, pairs // 2)).bit_length())


def _build_cost(units: Units, length: int) -> tuple[float, float, int]:
    """Estimate the seconds, slots and bytes of a slot of :func:`_packed_counts`."""
    tally = pairs_of(units)
    if tally is None:
        return _steps_cost(steps_of(units), length)
    kept = [(d, c) for d, c in tally.items() if d <= length]
    reaches = list(accumulate((d * c for d, c in kept), initial=0))
    within = bisect_right(reaches, length) - 1
    most = sum(c for _, c in kept[:within])
    if within < len(kept):
        most += (length - reaches[within]) // kept[within][0]
    total = sum(c for _, c in kept)
    room = min(total, _FIRST_PAIRS)
    width = _slot_bytes_about(room, most)
    seconds, pairs, reach = 0.0, 0, 0
    for d, c in kept:
        while c:
            if pairs == room:
                room = min(total, room + room // 2)
                width = _slot_bytes_about(room, most)
                seconds += min(length, reach) * width * _SECONDS_RESPACED
            some = min(c, room - pairs)
            size = (min(length, reach + some * d // 2) + 1) * width
            seconds += some * (
                _SECONDS_PAIR + size * _SECONDS_STEP * (1 + min(1.0, size / _CACHED_BYTES))
            )
            pairs, reach, c = pairs + some, reach + some * d, c - some
    return seconds, min(length, reach) + 1, width


def _steps_cost(steps: Mapping[Step, int], length: int) -> tuple[float, float, int]:
    """Estimate as :func:`_build_cost` for steps, whose slots are a quarter wider than their choices, in the mean."""
    seconds, reach, bits = 0.0, 0, 0.0
    for step, c in _by_reach(steps):
        weights = [weight for _value, weight in step]
        more, far = c * math.log2(sum(weights)), c * step[-1][0]
        size = (min(length, reach + far // 2) + 1) * (1 + (bits + more / 2) / 7)
        digits = sum([-(-weight.bit_length() // 30) for weight in {*weights} - {1}])
        each = (
            len(step) * _SECONDS_TERM_STEP * (1 + min(1.0, size / _CACHED_BYTES))
            + digits * _SECONDS_DIGIT
        )
        seconds += c * (len(step) * _SECONDS_TERM + size * each)
        reach, bits = reach + far, bits + more
    width = byte_length(int(bits) + 1)
    return (
        seconds + 2 * min(length, reach) * width * _SECONDS_RESPACED,
        min(length, reach) + 1,
        width,
    )


def _slot_bytes_about(pairs: int, most: int) -> int:
    """:func:`_slot_bytes` by logarithms of factorials."""
    size = min(most, pairs // 2)
    logarithm = math.lgamma(pairs + 1) - math.lgamma(size + 1) - math.lgamma(pairs - size + 1)
    return math.ceil((logarithm / math.log(2) + 1) / 8)


def _polynomial(coefficients: tuple[float, ...], x: float) -> float:
    return math.fsum(a * x**i for i, a in enumerate(coefficients))
