"""Packed integers in two halves, for items whose values have weights: many different steps of moderate values.

The items are dealt to two halves. One long integer has a slot for each sum of a half, wide enough
for the number of its choices; an item multiplies it by its polynomial, term by term: a product with
the weight, a shift by the value. With the counts A and B of the halves, #{X <= k} = sum_i A[i]
(B[0] + ... + B[k-i]).

For two items of 1 + 2x and k = 1 each half is 1, 2: 1 (1 + 2) + 2 (1) = 5.

Source: spec/15-runs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import accumulate, repeat
from operator import mul

from ..arithmetic.slots import unpacked
from ..budget import Estimate, Progress, Unfit
from ..swaps.steps import Step, choices, degree
from .step_recurrence import bits_of, seconds_of_weights
from .tally import ticker

_MOST_SLOTS = 10**8
_MOST_ITEMS = 10**6

# Measured on CPython 3.11; digits of 30 bits.
# a term of an item, a byte of its product
_SECONDS_START, _SECONDS_TERM, _SECONDS_BYTE = 2e-5, 4e-7, 6e-10
# a slot is unpacked and multiplied; a digit times a digit
_SECONDS_SLOT, _SECONDS_PRODUCT = 3e-7, 1e-9
_BYTES_START, _BYTES_SLOT = 5_000, 80


def estimate(types: Mapping[Step, int], k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the lengths of the halves after each type."""
    span = degree(types)
    last = span if k is None else k
    if last > _MOST_SLOTS or sum(types.values()) > _MOST_ITEMS:
        return Unfit(
            reason=f"would keep more than {_MOST_SLOTS:.0e} sums, or multiply {_MOST_ITEMS:.0e} items"
        )
    seconds, memory, widths = _SECONDS_START, 0.0, []
    for half in (types,) if k is None else _deal(types):
        bits = bits_of(half)
        width, reach = bits // 8 + 1, 0
        for step, number in half.items():
            middle = min(reach + number * step[-1][0] // 2, last) + 1
            each = middle * width * (_SECONDS_BYTE + 8 * seconds_of_weights({step: 1}))
            seconds += number * len(step) * (_SECONDS_TERM + each)
            reach += number * step[-1][0]
        slots = min(reach, last) + 1
        seconds += slots * _SECONDS_SLOT
        memory += slots * (2 * width + _BYTES_SLOT + width) + 2 * slots * width
        widths.append(bits / 30)
    if k is not None:
        seconds += (last + 1) * widths[0] * widths[1] * _SECONDS_PRODUCT
    return Estimate(seconds=seconds, bytes=int(_BYTES_START + memory))


def count_at_most(types: Mapping[Step, int], k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    >>> count_at_most({((0, 1), (1, 2)): 2}, 1)
    5
    """
    tick = ticker(progress, sum(types.values()))
    first, second = [_expanded(half, k, tick) for half in _deal(types)]
    below = list(accumulate(second[: k + 1]))
    below += repeat(below[-1], k + 1 - len(below))
    return sum(map(mul, first[: k + 1], reversed(below)))


def counts(types: Mapping[Step, int], *, progress: Progress | None = None) -> dict[int, int]:
    """Return the whole distribution {sum: number of choices}, ascending, zeros left out.

    >>> counts({((0, 1), (1, 2)): 2})
    {0: 1, 1: 4, 2: 4}
    """
    tick = ticker(progress, sum(types.values()))
    return {n: count for n, count in enumerate(_expanded(types, degree(types), tick)) if count}


def _deal(types: Mapping[Step, int]) -> tuple[dict[Step, int], dict[Step, int]]:
    """Deal the items to two halves of about the same reach."""
    halves: tuple[dict[Step, int], dict[Step, int]] = ({}, {})
    reach = [0, 0]
    for step, number in sorted(types.items(), key=lambda entry: -entry[0][-1][0]):
        shorter = reach[1] < reach[0]
        for half, some in ((shorter, (number + 1) // 2), (not shorter, number // 2)):
            if some:
                halves[half][step] = some
                reach[half] += some * step[-1][0]
    return halves


def _expanded(types: Mapping[Step, int], k: int, tick: Callable[[int], None]) -> list[int]:
    """Return the numbers of choices with the sums 0, ..., k or the greatest one."""
    width = choices(types).bit_length() // 8 + 1
    bits = 8 * width
    mask = (1 << bits * (k + 1)) - 1 if degree(types) > k else -1
    packed, reach = 1, 0
    for step, number in types.items():
        terms = [(value * bits, weight) for value, weight in step if value <= k]
        for _ in range(number):
            packed = sum(
                (packed * weight if weight > 1 else packed) << shift for shift, weight in terms
            )
            reach += step[-1][0]
            if reach > k:
                packed &= mask
            tick(1)
    return unpacked(packed, width)
