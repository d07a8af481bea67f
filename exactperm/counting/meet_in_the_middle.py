"""Meet in the middle: few units with values of any size (Horowitz and Sahni 1974, Schroeppel and Shamir 1981).

The units are dealt to two halves. For every sum b of one half the sums a <= k - b of the other are
counted, both in ascending order of a and k - b. So 2**M assignments cost about 2**(M/2) steps, and
units of s values about s**(M/2). The c pairs of one difference count as c + 1 sums with binomial
weights, and c equal steps as the terms of their power. A long half is never listed whole: the sums
of some of its units are a list, which each sum of the others shifts, and the values 0..k are met
block by block, in slices of the shifted lists. Sums above k are never listed.

For {1: 2, 3: 1} and k = 1 the halves are {1: 2}, with the sums 0, 1 and the weights 1, 2, and {3:
1}, with the sum 0: for b = 0 the pointer stops after both sums, and the count is 1 + 2 = 3. For two
units of 1 + 2x, a power of three terms, 1 + 4x + 4x^2, the count is 1 + 4 = 5.

Many sums of weight 1 are merged in place of walked through. Fields of 64 bits hold 2 a and 2 (k -
b) + 1, so one addition of long integers shifts a slice, and the fields are sorted as floats, whose
order is that of their bits. For {1: 1, 2: 1, 4: 1, 8: 1} and k = 7 the halves {1, 4} and {2, 8}
have the sums a = 0, 1, 4, 5 and b = 0, 2. The sorted fields 0, 2, 8, 10, 11, 15 end in the bits 0,
0, 0, 0, 1, 1: four a lie below each of two k - b, and the count is 8.

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

from .._types import Any
from ..arithmetic.compat import bit_count
from ..budget import Estimate, Progress, Unfit
from ..errors import ExactPermError
from ..swaps.units import Step, Units, choices, pairs_of, steps_of
from .tally import bits_of, sums_up_to, with_unit

_FEW = 1 << 10  # sums that are not worth fields
_WALKED_BITS = 22  # a half lists at most about 2**22 sums one by one,
_MERGED_BITS = 20  # and 2**20 in fields,
_SHIFT_BITS = 4  # where it is rather a list that is shifted 16 times
_BLOCK = 1 << 14  # sums of a block, about,
_SLICE = 64  # or so many of each slice
_SAMPLED = 32  # sums of each block in the sample that chooses the blocks,
_STRIDE = 40503  # which starts at any place of each list: an odd number, near 2**16 / 1.618
_WIDTH = 1 << 61  # greatest width of a block whose sums are fields of 64 bits
_FIELD = (1 << 63) - 1
_FINITE = (1 << 63) - (1 << 52)  # fields below it are finite floats
_LAST = 0 if sys.byteorder == "little" else 7  # the byte with the last bit of a field
_DIGITS = bytes(b"10"[byte & 1] for byte in range(256))

# Measured on CPython 3.11; digits of 30 bits.
_SECONDS_START = 1.5e-5
_SECONDS_MULTIPLE = 1.2e-6  # of a difference
_SECONDS_SUM = 7e-8  # listed and sorted
_SECONDS_STEP = 3.5e-8  # a move of one of the two pointers
_SECONDS_WEIGHT = 7e-8  # more where sums have weights: listed, and for each step of the pointer
_SECONDS_DIGIT = 1e-9
_SECONDS_PRODUCT = 7.5e-10  # a digit times a digit
_SECONDS_FIELD = 4.2e-8  # shifted and counted
_SECONDS_RUN = 6.5e-9  # a field sorted from two runs, or from twice as many
_SECONDS_SLICE = 1.2e-6
_SECONDS_BYTE = 1e-9  # of fresh memory
_BYTES_START = 3_000
_BYTES_SUM = 48  # before its digits
_BYTES_WEIGHT = 90
_BYTES_FIELD = 60  # of a block
_BYTES_SAMPLE = 70
_MOST_GROUPS = 200
_MOST_ITEMS = 64
_MOST_PAIRS = 1e9
_MOST_STEPS = 1e12


Sums = tuple[list[int], list[int]]
"""Sums, ascending, and their weights."""
HalfUnits = dict[Any, int]
"""Some of the units, in their form."""


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
    met = [sums_up_to({**others, **listed}, k) for listed, others in halves]
    steps, weighted = sum(met), bits > 1
    if steps > _MOST_STEPS:
        return Unfit(reason=f"would take more than {_MOST_STEPS:.0e} steps through sorted sums")
    digits = (k.bit_length() + weighted * (bits - 1)) / 30
    seconds, memory = _meeting(
        steps, sum(sums_up_to(others, k) for _, others in halves), k, bits, digits
    )
    tally = pairs_of(units)
    if tally is None:
        multiples = sum([_sums_of(unit, c) - 1 for unit, c in units.items()])
    else:
        multiples = sum([min(c, k // d) for d, c in tally.items()])
    seconds += _SECONDS_START + multiples * _SECONDS_MULTIPLE
    for listed, _others in halves:
        sums, long = sums_up_to(listed, k), (k.bit_length() + weighted * bits_of(listed)) / 30
        seconds += sums * (_SECONDS_SUM + weighted * _SECONDS_WEIGHT + 2 * long * _SECONDS_DIGIT)
        memory += sums * (_BYTES_SUM + weighted * _BYTES_WEIGHT + (1 + weighted) * 4 * long)
    if weighted:  # each entry of the second half is multiplied with a sum of the first
        first, second = [bits_of(listed) + bits_of(others) for listed, others in halves]
        seconds += met[1] * _SECONDS_PRODUCT * first * second / 900
    return Estimate(seconds=seconds + memory * _SECONDS_BYTE, bytes=_BYTES_START + int(memory))


def _meeting(steps: float, shifts: float, k: int, bits: int, digits: float) -> tuple[float, float]:
    """Estimate seconds and bytes of the blocks, for so many sums of both halves in so many shifted lists."""
    # equal sums share a block
    size = max(float(_BLOCK), _SLICE * shifts, 4 * steps / min(k + 1, _WIDTH))
    blocks = steps / size if steps > 2 * size else 1.0
    block, slices = steps / blocks, shifts * blocks
    memory = _SAMPLED * blocks * _BYTES_SAMPLE if blocks > 1 else 0.0
    if bits == 1:
        seconds = (
            steps * (_SECONDS_FIELD + math.log2(shifts) * _SECONDS_RUN) + slices * _SECONDS_SLICE
        )
        return seconds, memory + block * _BYTES_FIELD
    weighted = bits > 1
    seconds = steps * (_SECONDS_STEP + weighted * _SECONDS_WEIGHT / 2 + digits * _SECONDS_DIGIT)
    if shifts > 2:
        seconds += steps * (_SECONDS_SUM + weighted * _SECONDS_WEIGHT) + slices * _SECONDS_SLICE
        memory += block * (_BYTES_SUM + weighted * _BYTES_WEIGHT + (1 + weighted) * 4 * digits)
    return seconds, memory


def count_at_most(units: Units, k: int, *, progress: Progress | None = None) -> int:
    """Count the choices whose values sum to at most k.

    >>> count_at_most({1: 2, 3: 1}, 1), count_at_most({((0, 1), (1, 2)): 2}, 1)
    (3, 5)
    """
    # 1. List the sums of both halves, ascending. Of short ones that is all, and the sums of one are
    # met by the other's.
    halves, bits = _plan(units, k)
    if bits != 1 and not any(others for _, others in halves):
        first, second = [_parted(_sums(listed, k, bits), bits) for listed, _ in halves]
        total, _ = _walked(first, second, k, 0)
        if progress:
            progress(1, 1)
        return total
    # 2. Else choose blocks of values up to k, each by its end.
    up, down = _Half(*halves[0], k, bits), _Half(*halves[1], k, bits, falling=True)
    ends = _ends(up, down, k)
    # 3. In each block of values count the sums a up to each k - b: all in the blocks before, and
    # some of its own.
    total = below = 0
    for done, end in enumerate(ends, 1):
        if bits == 1:
            fields = (
                up.fields(end, _FINITE - 2 * end - 1),
                down.fields(k + 1 - end, _FINITE + 2 * (k - end) + 2),
            )
            more, below = _merged(*fields, below)
        else:
            more, below = _walked(up.block(end), down.block(k + 1 - end), k, below)
        total += more
        if progress:
            progress(done, len(ends))
    return total


def counts(units: Units, *, progress: Progress | None = None) -> dict[int, int]:
    """Raise ``ExactPermError``: this engine has no whole distribution."""
    raise ExactPermError("meet in the middle counts up to one sum, not the whole distribution")


def _plan(units: Units, k: int) -> tuple[list[tuple[HalfUnits, HalfUnits]], int]:
    """Deal the units to halves with about equally many sums, each (what makes its list, what shifts it).

    Returned with the bits of the weights of sums: 1 where fields are merged, else 0 for weights
    that all are 1.
    """
    halves: tuple[HalfUnits, HalfUnits] = ({}, {})
    lengths = [1, 1]
    items: list[tuple[int | Step, int]] = list(units.items())
    for unit, c in sorted(items, key=lambda entry: -_sums_of(*entry)):
        shorter = lengths[1] < lengths[0]
        halves[shorter][unit] = c
        lengths[shorter] *= _sums_of(unit, c)
    bits, most, less = 0, _WALKED_BITS, 0
    if max(units.values(), default=1) > 1 or not _even(units):
        pairs = pairs_of(units) is not None  # too many to write 2**pairs down
        bits = sum(units.values()) + 1 if pairs else choices(units).bit_length()
    elif sum(lengths) >= _FEW and k // _WIDTH <= sum(lengths) // _BLOCK:
        bits, most, less = 1, _MERGED_BITS, _SHIFT_BITS
    return [
        _divided(half, min(most, length.bit_length() - 1 - less), length)
        for half, length in zip(halves, lengths)
    ], bits


def _divided(half: HalfUnits, bits: int, length: int) -> tuple[HalfUnits, HalfUnits]:
    """Divide a half of so many sums: the largest units shift a list of at most 2**bits sums of the others."""
    others: HalfUnits = {}
    most = 1 << max(bits, 0)
    if length > most:
        half = dict(sorted(half.items(), key=lambda entry: _reach(entry[0])))
    while length > most and len(half) > 1:
        unit, c = half.popitem()
        others[unit] = c
        length //= _sums_of(unit, c)
    return half, others


def _sums_of(unit: int | Step, c: int) -> int:
    """Return the number of sums of c equal units, at most."""
    return c + 1 if isinstance(unit, int) else math.comb(c + len(unit) - 1, c)


def _reach(unit: int | Step) -> int:
    """Return the greatest value of a unit."""
    return unit if isinstance(unit, int) else unit[-1][0]


def _even(units: Units) -> bool:
    """Return whether all weights are 1."""
    return pairs_of(units) is not None or all(
        weight == 1 for step in steps_of(units) for _value, weight in step
    )


def _terms(unit: int | Step, c: int, k: int) -> Iterable[tuple[int, int]]:
    """Return (value, weight) of the sums up to k of c equal units."""
    if c == 1:
        return ((0, 1), (unit, 1)) if isinstance(unit, int) else unit
    if isinstance(unit, int):
        weights = accumulate(
            range(min(c, k // unit)), lambda x, j: x * (c - j) // (j + 1), initial=1
        )
        return ((j * unit, weight) for j, weight in enumerate(weights))
    power = {0: 1}
    for _ in range(c):
        power = with_unit(power, unit, k)
    return power.items()


class _Half:
    """The sums of a half up to k: a list, ascending, and the sums of other pairs, by which the list is shifted.

    An entry of the list is sum * 2**bits + weight; the weight is the number of subsets with this
    sum. Blocks of values are taken from the least sum up, or, where they are ``falling``, from the
    greatest down.
    """

    def __init__(
        self, listed: Units, others: Units, k: int, bits: int, *, falling: bool = False
    ) -> None:
        self.bits, self.mask, self._falling = bits, (1 << bits) - 1, falling
        self.entries = _sums(listed, k, bits)
        further = _sums(others, k, bits)
        self.shifts = [entry >> bits << bits for entry in further]
        self._weights = [entry & self.mask for entry in further]
        self._cuts = self._below(k + 1 if falling else 0)
        self._fields = (
            _fields(self.entries[::-1] if falling else self.entries) if bits == 1 else b""
        )

    def _below(self, limit: int) -> list[int]:
        """Return for each shift the number of entries whose shifted sum is below the limit."""
        limit <<= self.bits
        return [bisect_left(self.entries, limit - shift) for shift in self.shifts]

    def _until(self, limit: int) -> Iterator[tuple[int, int]]:
        """Return for each shift the slice of the entries that are next, up or down to the limit."""
        before, self._cuts = self._cuts, self._below(limit)
        return zip(self._cuts, before) if self._falling else zip(before, self._cuts)

    def sample(self, step: int) -> Iterator[int]:
        """Yield one of about ``step`` sums of all shifted lists, from everywhere in them."""
        for n, shift in enumerate(self.shifts):
            yield from [
                entry + shift >> self.bits for entry in self.entries[n * _STRIDE % step :: step]
            ]

    def block(self, limit: int) -> Sums:
        """Return the sums that are next, up or down to the limit, ascending, and their weights."""
        found = list[int]()
        for (i, j), shift, weight in zip(self._until(limit), self.shifts, self._weights):
            if weight > 1:
                found += [e + shift + (e & self.mask) * (weight - 1) for e in self.entries[i:j]]
            else:
                found += [e + shift for e in self.entries[i:j]]
        found.sort()
        return _parted(found, self.bits)

    def fields(self, limit: int, constant: int) -> bytes:
        """Return constant + entry, or constant - entry where they are falling, modulo 2**63 of the entries next."""
        order, length, guard = sys.byteorder, len(self.entries), 0
        slices, shifts = self._until(limit), self.shifts
        if self._falling:  # a field does not borrow from the next one
            slices, shifts, guard = (
                ((length - j, length - i) for i, j in slices),
                [-x for x in shifts],
                1 << 63,
            )
        entries, moves = [], []
        for (i, j), shift in zip(slices, shifts):
            entries.append(self._fields[8 * i : 8 * j])
            moves.append(((constant + shift & _FIELD) | guard).to_bytes(8, order) * (j - i))
        listed, moved = (
            int.from_bytes(b"".join(entries), order),
            int.from_bytes(b"".join(moves), order),
        )
        size = sum(map(len, entries))
        fields = moved - listed if self._falling else moved + listed
        return (fields & _field_mask(size.bit_length())).to_bytes(size, order)


def _fields(entries: list[int]) -> bytes:
    """Write entries modulo 2**63 to fields of 64 bits."""
    if max(entries[0], entries[-1]) > _FIELD:
        entries = [entry & _FIELD for entry in entries]
    return struct.pack(f"{len(entries)}Q", *entries)


def _ends(first: _Half, second: _Half, k: int) -> list[int]:
    """Choose blocks of the values 0..k with about equally many sums a and k - b, and return their ends."""
    shifts = len(first.shifts) + len(second.shifts)
    number = len(first.shifts) * len(first.entries) + len(second.shifts) * len(second.entries)
    size = max(_BLOCK, _SLICE * shifts)
    ends = {k + 1}
    if shifts > 2 and number > 2 * size:
        step = size // _SAMPLED
        sample = [*first.sample(step), *(k - b for b in second.sample(step))]
        ends.update(sorted(value for value in sample if 0 < value <= k)[::_SAMPLED])
    if first.bits == 1:
        ends.update(range(_WIDTH, k + 1, _WIDTH))
    return sorted(ends)


def _merged(fields: bytes, others: bytes, below: int) -> tuple[int, int]:
    """Count as :func:`_walked`, for weights of 1: sort fields, and read the order from their last bits.

    The fields are 2 a and 2 (k - b) + 1, moved by one even number to the bits of positive finite
    floats. They are sorted as floats, whose order is that of their bits.
    """
    a, b = len(fields) // 8, len(others) // 8
    total = below * b
    if a and b:
        values = memoryview(fields + others).cast("d").tolist()
        values.sort()
        last = struct.pack(f"{a + b}d", *values)[_LAST::8]
        total += _places(int(last.translate(_DIGITS), 2), a + b) - a * (a - 1) // 2
    return total, below + a


def _walked(first: Sums, second: Sums, k: int, below: int) -> tuple[int, int]:
    """Return the number of a + b <= k for the sums b of a block, and of the sums a up to the end of the block.

    ``below`` is the number of the sums a before the block.
    """
    (sums, numbers), (others, weights) = first, second
    length = len(sums)
    sums.append(k + 1)  # where the pointer stops
    ranks = ranks_below(sums, reversed(others), k)
    if not numbers and not weights:
        return below * len(others) + sum(ranks), below + length
    before = list(accumulate(numbers, initial=below))
    return sum(map(mul, map(before.__getitem__, ranks), reversed(weights))), before[-1]


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


def _sums(units: Units, k: int, bits: int) -> list[int]:
    """Return sum * 2**bits + number of choices with it, for the sums up to k, ascending.

    Adding value * 2**bits leaves the number alone. Sorting merges ascending runs in linear time.
    """
    mask = (1 << bits) - 1
    limit = (k << bits) + mask
    found = [min(bits, 1)]
    for unit, c in units.items():
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


def _parted(entries: list[int], bits: int) -> Sums:
    """Return the sums and the weights of entries; no weights where all are 1."""
    if not bits:
        return entries, []
    mask = (1 << bits) - 1
    return [entry >> bits for entry in entries], [entry & mask for entry in entries]


def ranks_below(ascending: list[int], descending: Iterator[int], k: int) -> Iterator[int]:
    """Yield, for each b of ``descending``, the number of entries <= k - b of ``ascending``, whose last is above k."""
    rank = 0
    for b in descending:
        limit = k - b
        while ascending[rank] <= limit:
            rank += 1
        yield rank
