"""Two coordinates: the leave-one-out recurrence along x, with each row of y packed in one integer.

With (a, b) the deltas and c_ab the number of units with each, the numbers of assignments are the
coefficients of P(x, y) = prod (1 + x^a y^b)^c_ab. Row i of a polynomial is its coefficient of x^i,
a polynomial in y. As in one dimension, let Q_ab = P / (1 + x^a y^b), the counts with one such unit
left out; from x dP/dx,

    Q_ab[i] = P[i] - y^b Q_ab[i-a],      i P[i] = sum over a > 0 of c_ab a y^b Q_ab[i-a],      P[0] = prod over a = 0.

A row is one integer, whose slot j is the coefficient of y^(bottom_i + j). The offset bottom_i is
the least y of row i, which may be negative, so that rows are no wider than what they hold. Row i -
a of Q_ab has the offset bottom_(i-a), and y^b Q_ab[i-a] has its slot j at y = b + bottom_(i-a) + j:
in row i that is slot j + s with s = b + bottom_(i-a) - bottom_i. So multiplying by y^b is a shift
by s slots, to the left for s >= 0. For s < 0 it is to the right, and the lowest -s slots, which it
drops, are 0: they would belong to sums of row i below its least y, and y^b Q_ab[i-a] counts
assignments that P[i] counts too. Since bottom_i is the least y of P[i], no exponent in a row is
negative.

Nothing borrows, carries or leaves a remainder: all slots of P, of Q_ab and of y^b Q_ab[i-a] lie
between 0 and the slot of P[i], since each Q_ab counts assignments; the partial sums of i P[i] lie
between 0 and i P[i]; and division by i is exact in every slot, so the quotient of the packed
integers is the packed quotient. With M units and i <= A/2 a slot of M + bits(A/2) bits is enough.
P[A-i] is P[i] reversed (exchange every subset for its complement), so rows above A/2 are never
made.

On the line y = 0 the tally {1: 2, 3: 1} is {(1, 0): 2, (3, 0): 1}: rows 1, 2, 1 of one slot each,
then their mirror image. With {(1, -1): 2, (3, 1): 1} the rows 0, 1, 2 have the offsets 0, -1, -2;
from row 0 to row 1 the shift is s = -1 + 0 - (-1) = 0, and row 1 is 2 in slot 0, at y = -1.

A count over a region needs far less. Split P = W R, W the few frequent deltas, R the many rare
ones. Then

    sum over z in the region of P[z] = sum over z of W[z] g_R[z],     g_R[z] = sum over r of R[r] [z + r in the region].

g_R is made from the indicator of the region one unit of R at a time, g'[z] = g[z] + g[z + (a, b)]:
shifts and additions of packed rows whose slots hold 2^k after k units, tens of bits where those of
P hold hundreds. Only the few deltas of W go through the recurrence. By symmetry the indicator may
be replaced by the mean of itself and of its mirror image, which makes g_R symmetric about the
middle of W, so that half of the rows of either are enough.

Source: spec/09-own-theorems.md#own-plane.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import mul

from ..arithmetic.slots import byte_length, unpacked, widened
from ..budget import Estimate, Progress
from ..record import Record
from .tally import ticker

Delta = tuple[int, ...]
"""(a, b): what a unit adds to x and y; a > 0, or a = 0 and b > 0."""
Deltas = Mapping[Delta, int]
_Size = tuple[int, int, int, int, int]
"""Of a product of factors: units, terms of its recurrence, rows that these keep, right, height."""


# Measured on CPython 3.11; bytes are those of the packed rows, of which a 30-bit digit of an
# integer holds 3.75.
_SECONDS_START = 4e-5
_SECONDS_TERM = 6e-7
_SECONDS_TERM_BYTE = 7.5e-10
_SECONDS_DIVIDED_BYTE = 1.1e-9
_SECONDS_SUM = 1.3e-7
_SECONDS_SUM_BYTE = 3.2e-10
_SECONDS_ROW = 3e-6
_SECONDS_REGION = 8e-9
_SECONDS_PRODUCT = 3e-7
_SECONDS_PRODUCT_BYTE = 2e-11
_SECONDS_SLOT, _SECONDS_POINT = 1.5e-7, 3e-7
_BYTES_START = 10_000
_BYTES_POINT = 160
_BYTES_ROW = 100  # of g_R, besides its slots

ENDLESS = 10**60
"""Numbers of rows and points stop here in estimates: no budget admits more, and floats hold their
products."""

_STEP = 4  # bytes by which the slots of g_R grow
_ASCII_TO_BIT = bytes(48) + b"\x00\x01" + bytes(206)


class Extent(Record):
    """The rectangle that holds all sums: x in 0..right, y in bottom..bottom + height - 1."""

    right: int
    bottom: int
    height: int


def box(tally: Deltas) -> Extent:
    """Return the smallest rectangle that holds all sums of a tally {(a, b): number of units} with a >= 0.

    >>> box({(1, -2): 3, (2, 1): 1})
    Extent(right=5, bottom=-6, height=8)
    """
    bottom = sum(min(0, b) * count for (_a, b), count in tally.items())
    top = sum(max(0, b) * count for (_a, b), count in tally.items())
    return Extent(
        right=sum(a * count for (a, _b), count in tally.items()),
        bottom=bottom,
        height=top - bottom + 1,
    )


def points(tally: Deltas) -> int:
    """Return the number of points of the :func:`box`."""
    around = box(tally)
    return (around.right + 1) * around.height


def attainable(tally: Deltas) -> list[int]:
    """Return the attainable points: for each x one integer whose bit j stands for y = bottom + j.

    One bit per point, all rows in one integer; c equal units take about log2(c) shifts, of 1, 2, 4,
    ... and the rest.

    >>> attainable({(1, 0): 1, (0, 2): 1})
    [5, 5]
    """
    around = box(tally)
    stride = -(-around.height // 8) * 8
    reached = 1 << -around.bottom
    for (a, b), count in tally.items():
        shift = a * stride + b
        step = 1
        while count:
            step = min(step, count)
            reached |= reached << step * shift
            count -= step
            step *= 2
    raw = reached.to_bytes((around.right + 1) * stride // 8, "little")
    return [
        int.from_bytes(raw[i : i + stride // 8], "little") for i in range(0, len(raw), stride // 8)
    ]


def items(tally: Deltas, *, progress: Progress | None = None) -> Iterator[tuple[Delta, int]]:
    """Yield the whole distribution: ((x, y), number of subsets), each point once, in no particular order.

    >>> sorted(items({(1, 0): 2, (0, 1): 1}))
    [((0, 0), 1), ((0, 1), 1), ((1, 0), 2), ((1, 1), 2), ((2, 0), 1), ((2, 1), 1)]
    """
    around = box(tally)
    right, both = around.right, 2 * around.bottom + around.height - 1
    slot = slot_bytes(tally)
    tick = ticker(progress, right // 2 + 1)
    for x, (bottom, row) in enumerate(half_rows(tally)):
        for y, count in enumerate(unpacked(row, slot), bottom):
            if count:
                yield (x, y), count
                if 2 * x < right:
                    yield (right - x, both - y), count
        tick(1)


def slot_bytes(tally: Deltas) -> int:
    """Return the bytes of a slot that holds every number of the recurrence, at most (A/2) 2^M."""
    half = box(tally).right // 2
    return byte_length(sum(tally.values()) + max(1, half.bit_length()))


def half_rows(tally: Deltas) -> Iterator[tuple[int, int]]:
    """Yield rows 0..A//2 of P by the recurrence: (least y, packed counts), in slots of :func:`slot_bytes`."""
    around, width = box(tally), 8 * slot_bytes(tally)
    bottoms = [around.bottom + max(0, (row & -row).bit_length() - 1) for row in attainable(tally)]
    row = 1
    for (a, b), count in tally.items():
        if a == 0:
            for _ in range(count):
                row += row << b * width
    yield bottoms[0], row
    # The last a rows of each Q_ab; zero before row 0.
    terms = [
        (a, b, a * count, deque([0] * (a - 1) + [row])) for (a, b), count in tally.items() if a
    ]
    for i in range(1, around.right // 2 + 1):
        total = 0
        shifted = []
        for a, b, weight, rows in terms:
            before = rows.popleft()
            if before:
                # Slots below bottoms[i] are empty: y^b Q_ab[i-a] holds nothing that P[i] does not.
                shift = (b + bottoms[i - a] - bottoms[i]) * width
                before = before << shift if shift >= 0 else before >> -shift
                total += weight * before
            shifted.append(before)
        row = total // i
        for (_a, _b, _weight, rows), before in zip(terms, shifted):
            rows.append(row - before)
        yield bottoms[i], row


def count_points(tally: Deltas, region: Sequence[int], *, progress: Progress | None = None) -> int:
    """Count the subsets whose sum lies in a region.

    ``region`` has one integer for each x in 0..right of the :func:`box`; bit j stands for y =
    bottom + j, and bits of points that nothing reaches do not matter.

    >>> count_points({(1, 0): 2, (0, 1): 1}, [0b00, 0b10, 0b11])
    4
    """
    frequent, rare = _split(tally)
    around = box(frequent)
    half = around.right // 2
    units = sorted(rare, key=lambda delta: delta[0] + abs(delta[1]), reverse=True)
    need = half + 1 + sum(a for a, _b in units)
    tick = ticker(progress, len(units) + half + 1)
    weights = _weights(_symmetric(region, box(tally).height, need), box(tally), units, tick)
    slot = slot_bytes(frequent)
    total = 0
    for x, (bottom, row) in enumerate(half_rows(frequent)):
        values = unpacked(row, slot)
        start = bottom - weights.bottom
        part = sum(
            map(mul, values, unpacked(weights.rows[x], weights.slot)[start : start + len(values)])
        )
        # g_R was made from twice the mean; rows above the middle are as much again, the middle is
        # its own image.
        total += part // 2 if 2 * x == around.right else part
        tick(1)
    return total


def _split(tally: Deltas) -> tuple[dict[Delta, int], list[Delta]]:
    """Return W, the frequent deltas with their numbers, and R, the units of the others one by one."""
    _seconds, _bytes, cut = min(_split_costs(tally))
    order = _rarest_first(tally)
    return {d: tally[d] for d in order[cut:]}, [d for d in order[:cut] for _ in range(tally[d])]


def _rarest_first(tally: Deltas) -> list[Delta]:
    """Sort the deltas as R takes them: rare ones first, and of equally many units long ones, which shrink W most."""
    return sorted(tally, key=lambda delta: (tally[delta], -delta[0] - abs(delta[1])))


class _Weights(Record):
    """Packed rows 0, 1, ... of g_R; slot 0 of each stands for y = bottom."""

    rows: list[int]
    bottom: int
    slot: int


def _symmetric(region: Sequence[int], height: int, need: int) -> list[int]:
    """Return the first rows of the sum of the indicator and its mirror image, packed with one byte per point."""
    packed = []
    for row, image in zip(region[:need], reversed(region)):
        # Binary text has the highest y first, like a big-endian number; reversed it is the mirror
        # image.
        digits = f"{row:0{height}b}".encode().translate(_ASCII_TO_BIT)
        mirror = f"{image:0{height}b}".encode().translate(_ASCII_TO_BIT)[::-1]
        packed.append(int.from_bytes(digits, "big") + int.from_bytes(mirror, "big"))
    return packed


def _weights(
    rows: list[int], around: Extent, units: list[Delta], tick: Callable[[int], None]
) -> _Weights:
    """Make g_R from rows with one byte per point: g'[z] = g[z] + g[z + (a, b)] for each unit (a, b) of R.

    After k units a slot holds at most 2 * 2^k. Points within the unit's reach of the far edge lose
    their meaning: they lie outside of what W reaches, so b > 0 costs the highest b points, b < 0
    the lowest.
    """
    slot, bottom, height = 1, around.bottom, around.height
    for k, (a, b) in enumerate(units, 1):
        if k + 2 > 8 * slot:
            wider = slot - slot % _STEP + _STEP
            mask = (1 << 8 * slot * height) - 1
            rows, slot = [widened(row & mask, height, slot, wider) for row in rows], wider
        shift = 8 * slot * abs(b)
        if b >= 0:
            rows = [row + (other >> shift) for row, other in zip(rows, rows[a:])]
        else:
            rows = [(row >> shift) + other for row, other in zip(rows, rows[a:])]
            bottom -= b
        height -= abs(b)
        tick(1)
    return _Weights(rows=rows, bottom=bottom, slot=slot)


# --------------------------------------------------------------------------------------------- cost


def estimate(tally: Deltas, whole: bool) -> Estimate:
    """Estimate :func:`count_points`, or the ``whole`` distribution, from the rectangle of all sums."""
    if not whole:
        seconds, size, _cut = min(_split_costs(tally))
        return Estimate(seconds=seconds, bytes=int(size))
    seconds, size = _recurrence_cost(_sizes(tally)[-1])
    slots = min(points(tally), ENDLESS)
    reached = min(slots, math.prod(count + 1 for count in tally.values()))
    kept = reached * (_BYTES_POINT + slot_bytes(tally))
    return Estimate(
        seconds=seconds + slots * _SECONDS_SLOT + reached * _SECONDS_POINT, bytes=int(size) + kept
    )


def _sizes(tally: Deltas) -> list[_Size]:
    """Return the sizes of R where it takes none, one, two, ..., all of the deltas."""
    sizes: list[_Size] = [(0, 0, 0, 0, 0)]
    for a, b in _rarest_first(tally):
        count = tally[a, b]
        units, terms, kept, right, height = sizes[-1]
        grown = (
            units + count,
            terms + (a > 0),
            kept + a,
            right + a * count,
            height + abs(b) * count,
        )
        sizes.append(tuple(min(x, ENDLESS) for x in grown))  # type: ignore[arg-type]
    return sizes


def _split_costs(tally: Deltas) -> Iterator[tuple[float, float, int]]:
    """Yield (seconds, bytes, number of deltas in R) of a count, for every split of the deltas into R and W."""
    sizes = _sizes(tally)
    for cut, rare in enumerate(sizes):
        units, terms, kept, right, height = [x - y for x, y in zip(sizes[-1], rare)]
        frequent = (units, terms, kept, right, height)
        recurrence, weights = _recurrence_cost(frequent), _weights_cost(frequent, rare)
        yield recurrence[0] + weights[0], recurrence[1] + weights[1], cut


def _recurrence_cost(size: _Size) -> tuple[float, float]:
    """Estimate half of the rows: a shift, product, sum and difference for every term, and one division each."""
    units, terms, kept, right, height = size
    row = (height + 1) * (units + right.bit_length() + 8) / 8
    one = terms * (_SECONDS_TERM + row * _SECONDS_TERM_BYTE) + row * _SECONDS_DIVIDED_BYTE
    return _SECONDS_START + (right / 2 + 1) * one, _BYTES_START + (kept + terms + 10) * row


def _weights_cost(frequent: _Size, rare: _Size) -> tuple[float, float]:
    """Estimate a shift and a sum of all rows for every unit of R, then a product for each point of W."""
    units, _terms, _kept, right, height = frequent
    taken, _terms, _kept, lost_right, lost_height = rare
    rows = right / 2 + 1
    seconds = (
        rows
        * (height + 1)
        * (_SECONDS_PRODUCT + (units / 8) * (taken + 60) * _SECONDS_PRODUCT_BYTE)
    )
    seconds += (rows + lost_right) * (_SECONDS_ROW + (height + 1 + lost_height) * _SECONDS_REGION)
    row = (height + 1 + lost_height / 2) * (taken / 16 + 3)
    seconds += taken * (rows + lost_right / 2) * (_SECONDS_SUM + row * _SECONDS_SUM_BYTE)
    reached = (right + 1 + lost_right) * (height + 1 + lost_height)
    return seconds, (rows + lost_right / 2) * (3.4 * row + _BYTES_ROW) + 4 * (
        height + 1
    ) * units / 8 + reached / 2
