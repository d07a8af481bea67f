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
from collections.abc import Callable, Iterator
from functools import reduce
from itertools import accumulate, chain, islice, repeat
from operator import add, mul, sub

from .._types import Any, Executor
from ..arithmetic.slots import byte_length, unpacked, widened
from ..budget import Estimate, Progress, Unfit, answers
from ..swaps.units import Step, Tally, Units, choices, degree, is_symmetric, pairs_of, steps_of
from .tally import bits_of, distribution, reach, seconds_of_weights, sums_up_to, ticker

PackedUnit = tuple[int, int, list[tuple[int, list[int]]]]
"""Reach, sum of the weights, and [(weight, its values), ...] of a step; of a pair no values."""

# slots first hold the counts of this many pairs, or steps, then of half as many again each time
_FIRST_PAIRS, _FIRST_STEPS = 64, 4

# Measured on CPython 3.11.
_SECONDS_START = 2e-5
_SECONDS_TERM = 3.5e-7  # of a unit: a pair has two
_SECONDS_BYTE, _SECONDS_STEP_BYTE = 1.6e-10, 5e-10  # of a term of a pair, of a step
_CACHED_BYTES = 2**24  # beyond, a byte costs about twice as much
_SHARE, _SHARE_OF_FEW = 0.5, 0.75  # the mean length of the packed integer, of the last one
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
    """Estimate seconds and bytes from the slots of a half, their bytes, and the terms that shift them.

    Both halves are taken for equal: half of the units, with half of the degree.
    """
    parts = 1 if k is None else 2
    number = sum(units.values())
    length = _length(degree(units) // parts, k, is_symmetric(units))
    if max(length, number) > _MOST_SLOTS:
        return Unfit(reason=_TOO_LONG)
    slots = length + 1.0
    tally = pairs_of(units)
    if tally is None:
        few, filled, bits = _FIRST_STEPS, slots, bits_of(units) / parts
        terms = sum(len(step) * c for step, c in steps_of(units).items()) / parts
        byte = _SECONDS_STEP_BYTE + 8 * seconds_of_weights(units)
    else:
        few, filled = _FIRST_PAIRS, min(slots, sums_up_to(tally, length * parts) ** (1 / parts))
        bits = _bits_of_pairs(number / parts, _fitting(tally, length * parts) / parts)
        terms, byte = 2 * number / parts, _SECONDS_BYTE
    width = math.ceil((bits + 1) / 8)
    packed = slots * width
    share = _SHARE if number > few * parts else _SHARE_OF_FEW
    byte *= share * (1 + min(1.0, packed / _CACHED_BYTES))
    seconds = terms * (_SECONDS_TERM + packed * byte)
    seconds += slots * _SECONDS_SLOT + packed * _SECONDS_SLOT_BYTE
    # First the packed integer, its shift and their sum; then its bytes beside the list.
    integers = slots * 8 + filled * (_BYTES_INT + 1.1 * width)
    if k is None:
        seconds += 2 * filled * _SECONDS_ENTRY
        peak = max(3.3 * packed, integers + max(packed, filled * 2 * _BYTES_ENTRY))
    else:
        product = _SECONDS_SUM + width * (_SECONDS_SUM_BYTE + width * _SECONDS_SUM_SQUARE)
        seconds = 2 * seconds + slots * product
        peak = integers + max(3.3 * packed, packed + integers, 2 * integers)
    return Estimate(seconds=_SECONDS_START + seconds, bytes=_BYTES_START + int(peak))


def _fitting(tally: Tally, length: int) -> int:
    """Return the most pairs whose differences sum to at most ``length``."""
    found = 0
    for d, c in tally.items():
        fit = min(c, length // d)
        found += fit
        length -= fit * d
    return found


def _bits_of_pairs(pairs: float, most: float) -> float:
    """Return the logarithm to base 2 of the largest count of subsets of at most ``most`` of the pairs."""
    size = min(most, pairs / 2)
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
    symmetric, number = is_symmetric(units), sum(units.values())
    tick = ticker(progress, number + 1)
    small, large = sorted(_halves(units), key=degree)
    tasks = [(half, _length(degree(half), k, symmetric)) for half in (small, large)]
    packed: Iterator[tuple[int, int]] = (_packed_counts(*task, tick) for task in tasks)
    if executor is not None:
        packed = answers(_packed_half, tasks, executor)
    # No name holds the first half, packed or not, while the second is built: memory that is freed
    # in between is taken again. The highest slot, P[0] > 0, is the last one.
    first, second = [unpacked(*next(packed))[::-1] for _half in tasks]
    if executor is not None:
        tick(number)
    weights = _weights(second, large, k, degree(small) if symmetric else None)
    last = len(first) - 1
    below: int = sum(map(mul, islice(first, last), weights))
    end = first[last] * next(weights)
    tick(1)
    return below + (end // 2 if symmetric and 2 * last == degree(small) else end)


def _weights(low: list[int], units: Units, k: int, mirror: int | None) -> Iterator[int]:
    """Yield W[i] = B(k-i), or B(k-i) + B(k-mirror+i), for counts B[0], B[1], ... up to k, or the middle of a palindrome."""
    top, total = degree(units), choices(units)

    def at_most(j: int) -> int:
        """Return B[0] + ... + B[j], from the shorter side."""
        return (
            sum(low[: j + 1])
            if 2 * j < top or len(low) > j
            else total - sum(low[: max(0, top - j)])
        )

    whole = low[: k + 1]
    whole += low[max(0, top - k) : max(0, top - len(low) + 1)][::-1]
    whole += repeat(0, k + 1 - len(whole))
    if mirror is None:
        return accumulate(reversed(whole), sub, initial=at_most(k))
    start = k - mirror + 1
    rises = chain(repeat(0, min(max(0, -start), k + 1)), islice(whole, max(0, start), None))
    initial = at_most(k) + (at_most(start - 1) if start > 0 else 0)
    return accumulate(map(sub, rises, reversed(whole)), initial=initial)


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


def _ascending(units: Units) -> list[tuple[int | Step, int]]:
    """Return the units with their numbers, from the smallest reach to the largest."""
    if pairs_of(units) is not None:
        return list(units.items())
    return sorted(units.items(), key=lambda entry: reach(entry[0]))


def _halves(units: Units) -> tuple[Units, Units]:
    """Deal the units in turn to two halves, from the smallest reach to the largest."""
    halves: tuple[dict[Any, int], dict[Any, int]] = ({}, {})
    turn = 0
    for unit, c in _ascending(units):
        for half, share in ((halves[turn], c - c // 2), (halves[1 - turn], c // 2)):
            if share:
                half[unit] = share
        turn = (turn + c) % 2
    return halves


def _packed_half(half: tuple[Units, int]) -> tuple[int, int]:
    """Return :func:`_packed_counts` for units and a length: the task of an executor, without progress."""
    return _packed_counts(*half, ticker(None, 0))


def _packed_counts(units: Units, length: int, tick: Callable[[int], None]) -> tuple[int, int]:
    """Return P[0], P[1], ... of the product, packed, up to ``length`` or the last term, and a slot's bytes.

    P[0] is in the highest slot, so that a shift to the right drops the terms beyond ``length``.
    Small units come first, so that the integer stays short for long.
    """
    tally = pairs_of(units)
    most = None if tally is None else _fitting(tally, length)
    many = [factor for unit, c in _ascending(units) for factor in [_factor(unit)] * c]
    packed, top, width, start = 1, 0, 1, 0
    for room, wider in _widths(many, most):
        packed, width = widened(packed, top + 1, width, wider), wider
        for far, _whole, terms in islice(many, start, room):
            grown = min(top + far, length) - top
            if terms:
                packed = _product(packed, terms, 8 * width, grown)
            else:
                up, down = 8 * width * grown, 8 * width * (far - grown)
                # Nearly always one of the two is nothing, and shifting by nothing would copy.
                packed = (packed << up if up else packed) + (packed >> down if down else packed)
            top += grown
            tick(1)
        start = room
    return packed, width


def _product(packed: int, terms: list[tuple[int, list[int]]], bits: int, grown: int) -> int:
    """Return the product with a step: its terms of one weight are shifted and added, then multiplied by it."""
    parts = []
    for weight, values in terms:
        part = 0
        for value in values:
            move = bits * (grown - value)
            shifted = packed << move if move > 0 else packed >> -move if move else packed
            part = part + shifted if part else shifted  # adding to 0 would copy
        parts.append(part if weight == 1 else part * weight)
    return reduce(add, parts)


def _factor(unit: int | Step) -> PackedUnit:
    if isinstance(unit, int):
        return unit, 2, []
    values: dict[int, list[int]] = {}
    for value, weight in unit:
        values.setdefault(weight, []).append(value)
    return reach(unit), sum([weight for _value, weight in unit]), list(values.items())


def _widths(many: list[PackedUnit], most: int | None) -> Iterator[tuple[int, int]]:
    """Yield numbers of units, growing to all of them, and the bytes of a slot for the counts of so many.

    Of pairs, ``most`` is the greatest number that has a sum within the length.
    """
    room, whole = 0, 1
    while room < len(many):
        start = room
        room = min(len(many), max(_FIRST_STEPS if most is None else _FIRST_PAIRS, room + room // 2))
        if most is None:
            whole *= math.prod([factor[1] for factor in many[start:room]])
            yield room, byte_length(whole.bit_length())
        else:
            yield room, _slot_bytes(room, most)


def _slot_bytes(pairs: int, most: int) -> int:
    """Return the bytes of the largest number of subsets of ``pairs`` pairs with one sum, of at most ``most`` pairs."""
    return byte_length(math.comb(pairs, min(most, pairs // 2)).bit_length())
