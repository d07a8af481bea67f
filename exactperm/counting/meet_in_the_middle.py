"""Meet in the middle: few units with values of any size (Horowitz and Sahni 1974, Schroeppel and Shamir 1981).

The units are dealt to two halves. For every sum b of one half the sums a <= k - b of the other are
counted, both in ascending order of a and k - b. So 2**M assignments cost about 2**(M/2) steps, and
units of s values about s**(M/2). The c pairs of one difference count as c + 1 sums with binomial
weights, and c equal steps as the terms of their power. Sums above k are never listed.

For {1: 2, 3: 1} and k = 1 the halves are {1: 2}, with the sums 0, 1 and the weights 1, 2, and {3:
1}, with the sum 0: for b = 0 the pointer stops after both sums, and the count is 1 + 2 = 3. For two
units of 1 + 2x, a power of three terms, 1 + 4x + 4x^2, the count is 1 + 4 = 5.

Many sums of weight 1 are merged in place of walked through. Then no half is listed whole: the sums
of some of its units are a list, which each sum of the others shifts, and the values 0..k are met
block by block, in slices of the shifted lists. Fields of 64 bits hold 2 a and 2 (k - b) + 1, so
one addition of long integers shifts a slice, and the fields are sorted as floats, whose order is
that of their bits. For {1: 1, 2: 1, 4: 1, 8: 1} and k = 7 the halves {1, 4} and {2, 8} have the
sums a = 0, 1, 4, 5 and b = 0, 2. The sorted fields 0, 2, 8, 10, 11, 15 end in the bits 0, 0, 0, 0,
1, 1: four a lie below each of two k - b, and the count is 8.

Source: Horowitz and Sahni 1974, Schroeppel and Shamir 1981;
spec/09-own-theorems.md#own-meet-in-the-middle, spec/15-runs.md#own-step-recurrence.
"""

from __future__ import annotations

import math
import struct
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import accumulate, islice
from operator import mul

from .._types import Any, Union
from ..arithmetic.compat import bit_count
from ..budget import Estimate, Progress, Unfit
from ..errors import ExactPermError
from ..swaps.units import Step, Units, binomials, choices, pairs_of, steps_of
from .tally import bits_of, reach, sums_up_to, with_unit

_FEW = 1 << 10  # sums that are not worth fields
# sums of a half, about, that are listed with weights where fields could do without
_LISTED = 1 << 22
_MERGED_BITS = 20  # a half lists at most about 2**20 sums for fields,
_SHIFT_BITS = 4  # and is rather a list that is shifted 16 times
_BLOCK = 1 << 14  # sums of a block, about,
_SLICE = 64  # or so many of each slice
_SAMPLED = 32  # sums of each block in the sample that chooses the blocks,
_STRIDE = 40503  # which starts at any place of each list: an odd number, near 2**16 / 1.618
_WIDTH = 1 << 61  # greatest width of a block whose sums are fields of 64 bits
_FIELD, _HALF_FIELD = (1 << 63) - 1, (1 << 62) - 1
_FINITE = (1 << 63) - (1 << 52)  # fields below it are finite floats
_LAST = 0 if sys.byteorder == "little" else 7  # the byte with the last bit of a field
_DIGITS = bytes(b"10"[byte & 1] for byte in range(256))

# Measured on CPython 3.11; digits of 30 bits.
_SECONDS_START = 1.5e-5
_SECONDS_MULTIPLE = 1.2e-6  # of a difference
_SECONDS_SUM = 1.05e-7  # listed, sorted, and passed by a pointer
_SECONDS_WEIGHT = 1.4e-7  # more where sums have weights
_SECONDS_DIGIT = 3e-9
_SECONDS_PRODUCT = 7.5e-10  # a digit times a digit
_SECONDS_FIELD = 4.2e-8  # shifted and counted
_SECONDS_RUN = 6.5e-9  # a field sorted from two runs, or from twice as many
_SECONDS_SLICE = 1.2e-6
_BYTES_START = 3_000
_BYTES_SUM, _BYTES_WEIGHT, _BYTES_DIGIT = 50, 90, 4
_BYTES_FIELD = 60  # of a block
_BYTES_SAMPLE = 70
_MOST_GROUPS = 200
_MOST_ITEMS = 64
_MOST_PAIRS = 1e9
_MOST_STEPS = 1e12


HalfUnits = list[tuple[Union[int, Step], int]]
"""Some of the units, pairs or steps, with their numbers."""


def estimate(units: Units, k: int | None) -> Estimate | Unfit:
    """Estimate seconds and bytes from the approximate number of sums up to k of each half."""
    if k is None:
        return Unfit(reason="counts up to one sum and has no whole distribution")
    pairs, number = pairs_of(units) is not None, sum(units.values())
    if len(units) > _MOST_GROUPS or number > (_MOST_PAIRS if pairs else _MOST_ITEMS):
        return Unfit(
            reason=f"is for at most {_MOST_GROUPS} different differences and {_MOST_PAIRS:.0e} pairs"
            if pairs
            else f"is for at most {_MOST_ITEMS} items"
        )
    halves, bits = _plan(units, k)
    sums = [_kept(half, k) for half in halves]
    if sum(sums) > _MOST_STEPS:
        return Unfit(reason=f"would take more than {_MOST_STEPS:.0e} steps through sorted sums")
    if bits is None:
        seconds, memory = _cost_of_fields(halves, sums, k)
    else:
        multiples = sum(
            [min(c, k // x) if isinstance(x, int) else _sums_of(x, c) for x, c in units.items()]
        )
        digits, weighted = (k.bit_length() + bits) / 30, bits > 0
        each = _SECONDS_SUM + weighted * _SECONDS_WEIGHT + digits * _SECONDS_DIGIT
        if weighted:  # each entry of the second half is multiplied with a sum of the first
            each += (
                math.prod([bits_of(_counted(half)) / 30 for half in halves]) / 2 * _SECONDS_PRODUCT
            )
        seconds = multiples * _SECONDS_MULTIPLE + sum(sums) * each
        memory = sum(sums) * (_BYTES_SUM + weighted * _BYTES_WEIGHT + 2 * digits * _BYTES_DIGIT)
    return Estimate(seconds=_SECONDS_START + seconds, bytes=_BYTES_START + int(memory))


def _kept(half: HalfUnits, k: int) -> float:
    """Estimate the number of sums up to k of a half, where each unit of it has all of its own."""
    units = _counted(half)
    share = sums_up_to(units, k) / math.prod(map(_sums_of, units, units.values()))
    return max(1.0, share * _number(half))


def _counted(half: HalfUnits) -> Units:
    units: dict[Any, int] = {}
    for unit, c in half:
        units[unit] = units.get(unit, 0) + c
    return units


def _cost_of_fields(halves: list[HalfUnits], sums: list[float], k: int) -> tuple[float, float]:
    """Estimate seconds and bytes of blocks of merged fields."""
    steps = sum(sums)
    listed, shifts = [
        sum([_kept(part, k) for part in parts]) for parts in zip(*map(_divided, halves))
    ]
    blocks = max(1.0, steps / max(_BLOCK, _SLICE * shifts), k / _WIDTH)
    each = _SECONDS_FIELD + math.log2(shifts) * _SECONDS_RUN
    seconds = listed * _SECONDS_SUM + steps * each + shifts * blocks * _SECONDS_SLICE
    memory = listed * (_BYTES_SUM + 8) + blocks * _SAMPLED * _BYTES_SAMPLE
    return seconds, memory + steps / blocks * _BYTES_FIELD


def count_at_most(units: Units, k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1), count_at_most({((0, 1), (1, 2)): 2}, 1)
    (3, 5)
    """
    halves, bits = _plan(units, k)
    if bits is None:
        return _merged_in_blocks(halves, k, progress)
    first, others = [_sums(half, k, bits) for half in halves]
    if bits:
        mask = (1 << bits) - 1
        before = list(accumulate([entry & mask for entry in first], initial=0))
        weights = [entry & mask for entry in reversed(others)]
        first, others = [[entry >> bits for entry in entries] for entries in (first, others)]
    first.append(k + 1)  # where the pointer stops
    ranks = ranks_below(first, reversed(others), k)
    total: int = sum(map(mul, map(before.__getitem__, ranks), weights)) if bits else sum(ranks)
    if progress:
        progress(1, 1)
    return total


def _merged_in_blocks(halves: list[HalfUnits], k: int, progress: Progress | None) -> int:
    """Count the pairs of sums a <= v, with v = k - b, block by block of values from 0 to k.

    Of each v these are all a in the blocks before, and some of its own.
    """
    (listed, further), (others, more) = map(_divided, halves)
    first = _Shifted(_sums(listed, k, 0), _sums(further, k, 0))
    falling = _sums(others, k, 0)
    top = falling[-1]
    rising = [top - b for b in reversed(falling)]
    second = _Shifted(rising, [k - top - b for b in _sums(more, k, 0)])
    total = below = 0
    ends = _ends(first, second, k)
    for done, end in enumerate(ends, 1):
        more_pairs, below = _merged(first.fields(end, 0), second.fields(end, 1), below)
        total += more_pairs
        if progress:
            progress(done, len(ends))
    return total


def counts(units: Units, *, progress: Progress | None = None) -> dict[int, int]:
    """Raise ``ExactPermError``: this engine has no whole distribution."""
    raise ExactPermError("meet in the middle counts up to one sum, not the whole distribution")


def _plan(units: Units, k: int) -> tuple[list[HalfUnits], int | None]:
    """Deal the units to halves with about equally many sums; return also the bits of the weights of sums.

    They are 0 where all weights are 1, and None where many sums of weight 1 are merged as fields:
    then also of equal units each has its own sums.
    """
    halves, number = _dealt(list(units.items())), sum(units.values())
    even = pairs_of(units) is not None or all(
        weight == 1 for step in steps_of(units) for _value, weight in step
    )
    alone = len(units) == number
    if even and number <= _MOST_ITEMS and sum(map(_number, halves)) >= (_FEW if alone else _LISTED):
        each = [(unit, 1) for unit, c in units.items() for _ in range(c)]
        single = halves if alone else _dealt(each)
        if k // _WIDTH <= sum(map(_number, single)) // _BLOCK:
            return single, None
    if even and alone:
        return halves, 0
    # 2**pairs may be too long to be written down.
    return halves, number + 1 if pairs_of(units) is not None else choices(units).bit_length()


def _dealt(units: HalfUnits) -> list[HalfUnits]:
    halves: list[HalfUnits] = [[], []]
    lengths = [1, 1]
    for unit, c in sorted(units, key=lambda entry: -_sums_of(*entry)):
        shorter = lengths[1] < lengths[0]
        halves[shorter].append((unit, c))
        lengths[shorter] *= _sums_of(unit, c)
    return halves


def _divided(half: HalfUnits) -> tuple[HalfUnits, HalfUnits]:
    """Divide a half for fields: units that make a list of at most 2**20 sums, and the largest, which shift it."""
    length = _number(half)
    most = 1 << max(0, min(_MERGED_BITS, length.bit_length() - 1 - _SHIFT_BITS))
    half = sorted(half, key=lambda entry: reach(entry[0]))
    taken = len(half)
    while length > most and taken > 1:
        taken -= 1
        length //= _sums_of(*half[taken])
    return half[:taken], half[taken:]


def _number(half: HalfUnits) -> int:
    """Return the number of sums of a half, at most."""
    return math.prod([_sums_of(unit, c) for unit, c in half])


def _sums_of(unit: int | Step, c: int) -> int:
    """Return the number of sums of c equal units, at most."""
    return c + 1 if isinstance(unit, int) else math.comb(c + len(unit) - 1, c)


def _terms(unit: int | Step, c: int, k: int) -> Iterable[tuple[int, int]]:
    """Return (value, weight) of the sums up to k of c equal units."""
    if c == 1:
        return ((0, 1), (unit, 1)) if isinstance(unit, int) else unit
    if isinstance(unit, int):
        return ((j * unit, weight) for j, weight in enumerate(binomials(c, k // unit)))
    power = {0: 1}
    for _ in range(c):
        power = with_unit(power, unit, k)
    return power.items()


class _Shifted:
    """Values entry + shift, for every entry of an ascending list and every shift, taken from 0 up in blocks."""

    def __init__(self, entries: list[int], shifts: list[int]) -> None:
        self.entries, self.shifts = entries, shifts
        self._cuts = self._below(0)
        if entries[-1] > _HALF_FIELD:
            entries = [entry & _HALF_FIELD for entry in entries]
        fields = struct.pack(f"{len(entries)}Q", *entries)
        doubled = int.from_bytes(fields, sys.byteorder) << 1
        self._fields = doubled.to_bytes(len(fields), sys.byteorder)

    def _below(self, limit: int) -> list[int]:
        """Return for each shift the number of entries that it brings below the limit."""
        return [bisect_left(self.entries, limit - shift) for shift in self.shifts]

    def sample(self, step: int) -> Iterator[int]:
        """Yield one of about ``step`` values, from everywhere in the shifted lists."""
        for n, shift in enumerate(self.shifts):
            yield from [entry + shift for entry in self.entries[n * _STRIDE % step :: step]]

    def fields(self, end: int, last: int) -> bytes:
        """Return fields 2 (value - end) + last + _FINITE, modulo 2**63, of the values next, below the end."""
        before, self._cuts = self._cuts, self._below(end)
        entries, moves = [], []
        for i, j, shift in zip(before, self._cuts, self.shifts):
            move = 2 * (shift - end) + last + _FINITE & _FIELD
            entries.append(self._fields[8 * i : 8 * j])
            moves.append(move.to_bytes(8, sys.byteorder) * (j - i))
        listed = b"".join(entries)
        moved = sum(int.from_bytes(part, sys.byteorder) for part in (listed, b"".join(moves)))
        moved &= _field_mask(len(listed).bit_length())
        return moved.to_bytes(len(listed), sys.byteorder)


def _ends(first: _Shifted, second: _Shifted, k: int) -> list[int]:
    """Choose blocks of the values 0..k, with about equally many of both halves, and return their ends."""
    halves = first, second
    shifts = sum([len(half.shifts) for half in halves])
    number = sum([len(half.shifts) * len(half.entries) for half in halves])
    size = max(_BLOCK, _SLICE * shifts)
    ends = {k + 1, *range(_WIDTH, k + 1, _WIDTH)}
    if number > 2 * size:
        sample = [value for half in halves for value in half.sample(size // _SAMPLED)]
        ends.update(sorted([value for value in sample if 0 < value <= k])[::_SAMPLED])
    return sorted(ends)


def _merged(fields: bytes, others: bytes, below: int) -> tuple[int, int]:
    """Count a <= v for the a and v of a block and ``below`` sums a before it; return also those up to its end.

    The fields are 2 a and 2 v + 1, moved by one even number to the bits of positive finite floats.
    They are sorted as floats, whose order is that of their bits.
    """
    a, b = len(fields) // 8, len(others) // 8
    total = below * b
    if a and b:
        values = memoryview(fields + others).cast("d").tolist()
        values.sort()
        last = struct.pack(f"{a + b}d", *values)[_LAST::8]
        total += _places(int(last.translate(_DIGITS), 2), a + b) - a * (a - 1) // 2
    return total, below + a


def _places(number: int, bits: int) -> int:
    """Return the sum of the places of the ones of a number with so many bits."""
    masks = _place_masks((bits - 1).bit_length())
    return sum(bit_count(number & mask) << i for i, mask in enumerate(masks))


@lru_cache(8)
def _place_masks(bits: int) -> list[int]:
    """Return, for i < bits, the number whose ones have the places below 2**bits with the bit i."""
    full = (1 << (1 << bits)) - 1
    return [full // ((1 << (1 << i)) + 1) << (1 << i) for i in range(bits)]


@lru_cache(8)
def _field_mask(bits: int) -> int:
    """Return 63 ones in each field of 64 bits, in 2**bits bytes."""
    return int.from_bytes(
        _FIELD.to_bytes(8, sys.byteorder) * (1 << max(0, bits - 3)), sys.byteorder
    )


def _sums(half: HalfUnits, k: int, bits: int) -> list[int]:
    """Return sum * 2**bits + number of choices with it, for the sums up to k, ascending; for 0 bits sums alone.

    Adding value * 2**bits leaves the number alone. Sorting merges ascending runs in linear time.
    """
    mask = (1 << bits) - 1
    limit = (k << bits) + mask
    found = [min(bits, 1)]
    for unit, c in half:
        grown: list[int] = []
        for value, weight in _terms(unit, c, k):
            step = value << bits
            kept = islice(found, bisect_right(found, limit - step))
            if weight == 1:
                grown += [e + step for e in kept] if value else kept
            else:
                grown += [e + step + (e & mask) * (weight - 1) for e in kept]
        grown.sort()
        found = grown
    return found


def ranks_below(ascending: list[int], descending: Iterator[int], k: int) -> Iterator[int]:
    """Yield, for each b of ``descending``, the number of entries <= k - b of ``ascending``, whose last is above k."""
    rank = 0
    for b in descending:
        limit = k - b
        while ascending[rank] <= limit:
            rank += 1
        yield rank
