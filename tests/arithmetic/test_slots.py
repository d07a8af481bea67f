"""Packed integers: what goes into slots comes out of them, at every width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactperm.arithmetic.slots import byte_length, packed, unpacked, widened


def trimmed(values):
    """Without zeros at the end."""
    return values[: max((i for i, value in enumerate(values, 1) if value), default=0)]


slots = st.integers(1, 12).flatmap(
    lambda width: st.tuples(st.just(width), st.lists(st.integers(0, 256**width - 1), max_size=40))
)


@pytest.mark.slow
@given(slots, st.integers(1, 4))
def test_values_may_overlap(case, overlap):
    width, values = case
    long = [value**overlap for value in values]
    integer = sum(value << 8 * width * i for i, value in enumerate(long))
    assert packed(long, width, overlap) == integer


@pytest.mark.slow
@given(slots, st.integers(0, 5), st.integers(0, 3))
def test_unpacked_is_what_was_packed_and_widened(case, more, beyond):
    width, values = case
    wide = widened(packed(values, width), len(values) + beyond, width, width + more)
    assert wide == packed(values, width + more)
    assert unpacked(wide, width + more) == trimmed(values)


@pytest.mark.parametrize("width", [1, 7, 8, 9])
def test_many_slots_are_widened_in_blocks(width):
    """More than two blocks of 2,048 slots, with a last one that is not full."""
    values = [256**width - 1 - i % 200 for i in range(5000)]
    narrow = packed(values, width)
    wide = widened(narrow, 5000, width, width + 3)
    assert (unpacked(narrow, width) == unpacked(wide, width + 3) == values) is True


def test_bytes_of_bits():
    assert [byte_length(bits) for bits in (0, 1, 8, 9, 16, 17)] == [0, 1, 1, 2, 2, 3]


def test_nothing():
    assert packed([], 3) == 0
    assert unpacked(0, 3) == []
    assert widened(0, 0, 1, 2) == 0
