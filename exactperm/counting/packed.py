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
from collections.abc import Callable, Iterator
from itertools import accumulate, islice, repeat
from operator import mul, sub

from .._types import Any, Executor
from ..arithmetic.slots import byte_length, unpacked, widened
from ..budget import Estimate, Progress, Unfit, answers
from ..swaps.units import Step, Units, choices, degree, is_symmetric, one_by_one, pairs_of, steps_of
from .tally import bits_of, distribution, sums_up_to, ticker

PackedUnit = tuple[int, int, list[tuple[int, list[int]]]]
"""Reach, sum of the weights, and [(weight, its values), ...] of a step; of a pair no values."""

# slots first hold the counts of this many pairs, or steps, then of half as many again each time
_FIRST_PAIRS, _FIRST_STEPS = 64, 4

# Measured on CPython 3.11.
_SECONDS_START = 2e-5
_SECONDS_TERM = 3.5e-7  # of a unit: a pair has two
_SECONDS_BYTE = 1.6e-10  # of a term: a pair is shifted and added
_SECONDS_STEP_BYTE = 4e-10  # of a term of a step
_SECONDS_DIGIT = 1.5e-10  # a byte that is multiplied by a digit of 30 bits
_CACHED_BYTES = 2**24  # beyond, a byte costs about twice as much
_SECONDS_RESPACED = 1.5e-9  # a byte of the wider slots
_SECONDS_SLOT, _SECONDS_SLOT_BYTE = 3.5e-8, 1.4e-9  # unpacked
# a term of the sum: itself, its bytes, its bytes squared
_SECONDS_SUM, _SECONDS_SUM_BYTE, _SECONDS_SUM_SQUARE = 1.05e-7, 1.5e-9, 6e-11
_SECONDS_ENTRY = 1.4e-7  # of the result of counts
_BYTES_START = 4_000
_BYTES_INT = 32  # before the digits
_BYTES_ENTRY = 115
_MOST_SLOTS = 10**11
_TOO_LONG = f"would pack more than {_MOST_SLOTS:.0e} counts into one integer, or shift it as often"


def estimate(units: Units, k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the bytes that each unit adds and from the number of unpacked slots.

    Both halves are taken for equal: half of the units, with half of the degree.
    """
    number, parts = sum(units.values()), 1 if k is None else 2
    length = _length(degree(units) // parts, k, is_symmetric(units))
    if max(length, number) > _MOST_SLOTS:
        return Unfit(reason=_TOO_LONG)
    building, width = _build_cost(units, parts, length)
    slots = length + 1.0
    filled = slots
    if pairs_of(units) is not None:
        filled = min(slots, sums_up_to(units, length * parts) ** (1 / parts))
    seconds = _SECONDS_START + parts * building
    seconds += parts * slots * (_SECONDS_SLOT + width * _SECONDS_SLOT_BYTE)
    # First the packed integer, its shift and their sum; then its bytes beside the list; then
    # window or result.
    packed = slots * 1.1 * width
    integers = slots * 8 + filled * (_BYTES_INT + 1.1 * width)
    if k is None:
        seconds += 2 * filled * _SECONDS_ENTRY
        peak = max(3 * packed, packed + integers, integers + filled * 2 * _BYTES_ENTRY)
    else:
        product = _SECONDS_SUM + width * (_SECONDS_SUM_BYTE + width * _SECONDS_SUM_SQUARE)
        seconds += slots * product
        peak = integers + max(3 * packed, packed + integers, integers + slots * 26)
    return Estimate(seconds=seconds, bytes=_BYTES_START + int(peak))


def _build_cost(units: Units, parts: int, length: int) -> tuple[float, int]:
    """Estimate the seconds of :func:`_packed_counts` of one of equal parts of the units, and the last bytes of a slot."""
    pairs = pairs_of(units) is not None
    types = _by_reach(units)
    upto = list(accumulate([c for _step, c in types]))
    reaches = list(accumulate([step[-1][0] * c for step, c in types]))

    def reached(n: int) -> int:
        """Return the sum of the reaches of the n smallest units of a part."""
        i = bisect_right(upto, n * parts)
        missing = upto[i] - n * parts
        return (reaches[i] - missing * types[i][0][-1][0]) // parts

    number = -(-sum(units.values()) // parts)
    most = upto[max(0, bisect_right(reaches, length * parts) - 1)] // parts if types else 0
    bits = bits_of(units) / max(1, sum(units.values()))
    terms, each = _mean_terms(units)
    seconds, start, width = 0.0, 0, 1
    for room in _rooms(number, _FIRST_PAIRS if pairs else _FIRST_STEPS):
        width = math.ceil(((_log_comb(room, most) if pairs else room * bits) + 1) / 8)
        if start:
            seconds += min(length, reached(start)) * width * _SECONDS_RESPACED
        size = (min(length, reached((start + room) // 2)) + 1) * width
        slow = 1 + min(1.0, size / _CACHED_BYTES)
        seconds += (room - start) * (terms * _SECONDS_TERM + size * each * slow)
        start = room
    return seconds, width


def _mean_terms(units: Units) -> tuple[float, float]:
    """Return the mean number of terms of a unit, and the seconds of a byte that it is multiplied with."""
    if pairs_of(units) is not None:
        return 2.0, 2 * _SECONDS_BYTE
    terms = digits = 0
    for step, c in steps_of(units).items():
        terms += c * len(step)
        weights = {weight for _value, weight in step if weight > 1}
        digits += c * sum([-(-weight.bit_length() // 30) for weight in weights])
    number = sum(units.values())
    return terms / number, (terms * _SECONDS_STEP_BYTE + digits * _SECONDS_DIGIT) / number


def _log_comb(pairs: int, most: int) -> float:
    """Return the logarithm to base 2 of the largest count of subsets of at most ``most`` of the pairs."""
    size = min(most, pairs // 2)
    found = math.lgamma(pairs + 1) - math.lgamma(size + 1) - math.lgamma(pairs - size + 1)
    return found / math.log(2)


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
    dealt = sorted(_halves(units), key=degree)
    halves = [(half, _length(degree(half), k, symmetric)) for half in dealt]
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
    top = degree(units)
    tick = ticker(progress, sum(units.values()) + 1)
    length = _length(top, None, is_symmetric(units))
    low = unpacked(*_packed_counts(units, length, tick))[::-1]
    tick(1)
    return distribution(low, top)


def _length(top: int, k: int | None, symmetric: bool) -> int:
    """Return the last sum whose count is packed: at most k, and of a palindrome of degree ``top`` its middle."""
    last = top // 2 if symmetric else top
    return last if k is None else min(k, last)


def _by_reach(units: Units) -> list[tuple[Step, int]]:
    """Return the types of units with their numbers, from the smallest reach to the largest."""
    types = list(steps_of(units).items())
    if pairs_of(units) is None:
        types.sort(key=lambda entry: entry[0][-1][0])
    return types


def _halves(units: Units) -> tuple[Units, Units]:
    """Deal the units in turn to two halves, from the smallest reach to the largest."""
    halves: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
    turn = 0
    for unit, c in units.items() if pairs_of(units) is not None else _by_reach(units):
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
    if tally is None:
        many = [_by_weight(step) for step, c in _by_reach(units) for _ in range(c)]
    else:
        many = [(d, 2, []) for d in one_by_one(tally) if d <= length]
    packed, top, width, start = 1, 0, 1, 0
    for room, wider in _widths(many, length, tally is not None):
        packed, width = widened(packed, top + 1, width, wider), wider
        for reach, _whole, shifts in islice(many, start, room):
            grown = min(top + reach, length) - top
            if shifts:
                packed = _product(packed, shifts, 8 * width, grown)
            else:
                up, down = 8 * width * grown, 8 * width * (reach - grown)
                # Nearly always one of the two is nothing, and shifting by nothing would copy.
                packed = (packed << up if up else packed) + (packed >> down if down else packed)
            top += grown
            tick(1)
        start = room
    tick(sum(units.values()) - len(many))
    return packed, width


def _product(packed: int, shifts: list[tuple[int, list[int]]], bits: int, grown: int) -> int:
    """Return the product with a step: its terms of one weight are shifted and added, then multiplied by it."""
    total = 0
    for weight, values in shifts:
        part = 0
        for value in values:
            move = bits * (grown - value)
            part += packed << move if move > 0 else packed >> -move
        total += part if weight == 1 else part * weight
    return total


def _by_weight(step: Step) -> PackedUnit:
    """Return reach, sum of the weights, and [(weight, its values), ...] of a step."""
    values: dict[int, list[int]] = {}
    for value, weight in step:
        values.setdefault(weight, []).append(value)
    return step[-1][0], sum([weight for _value, weight in step]), list(values.items())


def _widths(many: list[PackedUnit], length: int, pairs: bool) -> Iterator[tuple[int, int]]:
    """Yield numbers of units, growing to all of them, and the bytes of a slot for the counts of so many."""
    if pairs:
        most = bisect_right(list(accumulate([reach for reach, _whole, _shifts in many])), length)
        for room in _rooms(len(many), _FIRST_PAIRS):
            yield room, _slot_bytes(room, most)
        return
    choices_so_far, start = 1, 0
    for room in _rooms(len(many), _FIRST_STEPS):
        choices_so_far *= math.prod([whole for _reach, whole, _shifts in many[start:room]])
        yield room, byte_length(choices_so_far.bit_length())
        start = room


def _rooms(number: int, first: int) -> Iterator[int]:
    """Yield ``first``, half as many again, and so on up to the number."""
    room = 0
    while room < number:
        room = min(number, max(first, room + room // 2))
        yield room


def _slot_bytes(pairs: int, most: int) -> int:
    """Return the bytes of the largest number of subsets of ``pairs`` pairs with one sum, of at most ``most`` pairs."""
    return byte_length(math.comb(pairs, min(most, pairs // 2)).bit_length())
