"""Terms in pieces against the recurrence that keeps them all, and against the dynamic program."""

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counting.test_every_engine import steps
from exactperm.counting import dp, recurrence, terms
from exactperm.swaps.units import degree


def sent(pieces, *sizes):
    """What a way yields in pieces of these sizes, in one list."""
    next(pieces)
    return list(chain.from_iterable(map(pieces.send, sizes)))


@given(steps(items=3), st.integers(0, 9))
def test_both_ways_of_the_recurrence(types, first):
    whole, span = dp.counts(types), degree(types)
    expected = [whole.get(x, 0) for x in range(span + 4)]
    for way in (terms._neighbours, terms._left_out):
        assert sent(way(types), first, 0, span + 4 - first % (span + 4))[: span + 4] == expected


@pytest.mark.parametrize("tally", [{1: 5, 2: 4, 3: 3, 4: 2}, {1: 5, 2: 4, 3: 3, 5: 2}, {9: 1}, {}])
def test_terms_in_pieces_of_any_size(tally):
    whole = recurrence.prefix_counts(tally, 2000)
    counts = terms.Terms(tally, lambda size: None)
    pieces = [counts.take(size) for size in (1, 2, 3, 5, 0, 30)]
    order = sum(tally)
    assert list(counts.last)[:order] == whole[40 - order + 1 : 41][::-1]
    pieces.extend(counts.pieces(1960))
    assert list(chain.from_iterable(pieces)) == whole
    assert max(map(len, pieces)) <= terms.PIECE


@pytest.mark.parametrize(
    ("units", "way"),
    [
        ({1: 1, 2: 1, 3: 1, 4: 1}, "_first_four"),
        ({1: 1, 2: 1, 3: 1, 5: 1}, "_left_out_of_pairs"),
        ({((0, 1), (1, 3), (2, 1)): 30}, "_neighbours"),
        ({((0, 1), (40, 3)): 3, ((0, 2), (30, 1)): 2}, "_left_out"),
    ],
)
def test_the_shortest_way_is_taken(units, way):
    """Few short types by one equation, many or sparse ones by leaving out one of each."""
    assert terms._shortest(units).__name__ == way
    whole = dp.counts(units)
    found = sent(getattr(terms, way)(units), 1, 4, 0, 600)
    assert {x: n for x, n in enumerate(found) if n} == {x: n for x, n in whole.items() if x < 605}


def test_the_equation_of_binomial_coefficients():
    # n C(c, n) = (c + 1 - n) C(c, n-1).
    assert terms.equation({1: 9}) == [(10, 1)]
