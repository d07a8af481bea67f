"""Terms in pieces against the recurrence that keeps them all."""

from itertools import chain

import pytest

from exactperm.counting import recurrence, terms


@pytest.mark.parametrize("tally", [{1: 5, 2: 4, 3: 3, 4: 2}, {1: 5, 2: 4, 3: 3, 5: 2}, {9: 1}, {}])
def test_terms_in_pieces_of_any_size(tally):
    whole = recurrence.prefix_counts(tally, 2000)
    counts = terms.terms(tally, lambda size: None)
    pieces = [counts.take(size) for size in (1, 2, 3, 5, 0, 30)]
    order = sum(tally)
    assert list(counts.last)[:order] == whole[40 - order + 1 : 41][::-1]
    pieces.extend(counts.pieces(1960))
    assert list(chain.from_iterable(pieces)) == whole
    assert max(map(len, pieces)) <= terms.PIECE


def test_unrolled_terms_are_used_for_their_own_differences_only():
    assert isinstance(terms.terms({1: 1, 2: 1, 3: 1, 4: 1}, id), terms.FirstFour)
    assert not isinstance(terms.terms({1: 1, 2: 1, 3: 1, 5: 1}, id), terms.FirstFour)
