"""What a split is expected to cost, and the sums of its rest."""

from __future__ import annotations

from itertools import accumulate

import pytest

from exactperm.counting import recurrence, split
from exactperm.swaps.units import degree
from memory import peak_of

SPLITS = [
    ({1: 336, 2: 160}, {3: 65, 4: 46, 5: 11, 6: 8}),  # a long R, by the recurrence
    ({1: 900, 2: 500}, {5: 30, 9: 20}),  # a short one, packed
    ({1: 30}, {2: 200, 7: 60}),
    ({1: 70, 2: 60, 3: 50, 4: 40}, {11: 20}),
    ({3: 50, 8: 20}, {}),
    ({1: 200, 300: 40, 301: 30}, {2: 40}),  # a W with many last values
    ({1: 30}, {2: 2000}),  # an R with long sums
]
WAYS = [(of_w, of_r, share) for of_w, of_r in SPLITS for share in (0.03, 0.2, 0.49)]


@pytest.mark.parametrize(("of_w", "of_r", "share"), WAYS)
@pytest.mark.parametrize("block", [0, 20])
def test_memory_of_a_split(of_w, of_r, share, block):
    k = int(share * (degree(of_w) + degree(of_r)))
    _seconds, size, _block = split.split_cost(split.part_of(of_w), split.part_of(of_r), k)
    assert isinstance(size, int)
    split.count_at_most(of_w, of_r, k, block)  # what is loaded once is not of this count
    peak = peak_of(lambda: split.count_at_most(of_w, of_r, k, block))
    assert size / 5 < peak + 2000 < 2 * size + 12_000


@pytest.mark.parametrize("k", [100, 500])
def test_blocks_are_folded_where_they_are_asked_for(k, monkeypatch):
    """Below and above the middle of W: two forms of the count."""
    of_w, of_r = {1: 336, 2: 160}, {3: 65, 4: 46, 5: 11, 6: 8}
    plain = split.count_at_most(of_w, of_r, k, 0)
    calls, folded = [], split.folded
    monkeypatch.setattr(split, "folded", lambda *given: calls.append(given) or folded(*given))
    assert hex(split.count_at_most(of_w, of_r, k, 30)) == hex(plain)
    assert {len(weights) for _law, _start, weights in calls[:-1]} == {30}


@pytest.mark.parametrize(
    "tally",
    [{}, {1: 1}, {2: 1}, {1: 2}, {3: 1}, {1: 3, 2: 1}, {1: 60, 3: 4}, {1: 60, 3: 5}, {5: 70}],
)
def test_sums_of_the_rest(tally):
    # Short of the middle, past it, and beyond all of them; packed up to 64 pairs where most of them
    # are wanted.
    reach = degree(tally)
    sums = list(accumulate(recurrence.prefix_counts(tally, reach + 3)))
    for length in {
        *range(min(5, reach)),
        reach // 2,
        reach // 2 + 1,
        reach // 2 + 2,
        *range(reach, reach + 4),
    }:
        assert split._sums(tally, reach, length, lambda units: None) == sums[:length]
