"""Kronecker packing: many non-negative integers in one, each in a slot of its own, the first in the lowest slot.

With slots of one byte [1, 2, 3] becomes 0x030201. Shifts, sums and products of packed integers then
act on all slots at once in C, and are exact as long as no slot overflows.

Source: spec/09-own-theorems.md#own-kronecker.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

_BLOCK = 2048
"""Slots that are widened at a time: they stay in the processor's cache."""


def byte_length(bits: int) -> int:
    """Return the number of bytes that hold ``bits`` bits."""
    return -(-bits // 8)


def packed(values: Sequence[int], width: int, overlap: int = 1) -> int:
    """Return the sum of values[i] * 256**(width * i), for values from 0 to below 256**(width * overlap).

    >>> hex(packed([1, 2, 0x333], 1, 2))
    '0x3330201'
    """
    return sum(
        _joined(values[i::overlap], width * overlap) << (8 * width * i) for i in range(overlap)
    )


def _joined(values: Sequence[int], width: int) -> int:
    return int.from_bytes(b"".join([value.to_bytes(width, "little") for value in values]), "little")


def unpacked(x: int, width: int) -> list[int]:
    """Return the integers in the slots of x >= 0, each of ``width`` bytes, without zeros at the end.

    >>> unpacked(0x30201, 1)
    [1, 2, 3]
    """
    slots = -(-x.bit_length() // (8 * width))
    data = x.to_bytes(slots * width, "little")
    if width <= 8:
        return list(struct.unpack(f"<{slots}Q", _spread(data, width, 8)))
    return [int.from_bytes(slot, "little") for (slot,) in struct.iter_unpack(f"{width}s", data)]


def widened(x: int, slots: int, width: int, wider: int) -> int:
    """Return x, of at most ``slots`` slots of ``width`` bytes, with slots of ``wider`` >= ``width`` bytes.

    >>> hex(widened(0x30201, 3, 1, 2))
    '0x300020001'
    """
    return int.from_bytes(_spread(x.to_bytes(slots * width, "little"), width, wider), "little")


def _spread(data: bytes, width: int, wider: int) -> bytes:
    step = _BLOCK * width
    return b"".join(
        [_spread_block(data[i : i + step], width, wider) for i in range(0, len(data), step)]
    )


def _spread_block(block: bytes, width: int, wider: int) -> bytearray:
    """Copy byte j of every slot at once."""
    spread = bytearray(len(block) // width * wider)
    for j in range(width):
        spread[j::wider] = block[j::width]
    return spread
