"""Steps: the choices of an item by their definition, in canonical form, within a budget."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, gcd, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

import runs_by_definition as definition
from exactperm.budget import Budget
from exactperm.errors import BudgetExceeded
from exactperm.swaps import draws
from exactperm.swaps.canonical import Swaps
from exactperm.swaps.draws import canonical_items, subset_sums
from exactperm.swaps.effects import Flips
from exactperm.swaps.runs import exchange
from exactperm.swaps.units import choices, mirrored

runs = st.lists(st.integers(0, 6), min_size=2, max_size=9).map(sorted)
item = st.tuples(
    st.lists(st.integers(-2, 3), min_size=1, max_size=3),
    st.lists(st.integers(-2, 3), min_size=1, max_size=2),
)


@pytest.mark.slow
@given(runs, st.data())
def test_choices_by_definition(values, data):
    m = data.draw(st.integers(1, len(values) - 1))
    chosen = Counter(map(sum, combinations(values, m)))
    assert subset_sums(tuple(values), m) == chosen
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(draws, "_FEW_CHOICES", 0)
        assert dict(subset_sums(tuple(values), m)) == dict(chosen)


def test_equal_runs_are_taken_together():
    zeros, ones, m = 400, 300, 350
    found = subset_sums((0,) * zeros + (1,) * ones, m)
    assert found == {i: comb(ones, i) * comb(zeros, m - i) for i in range(301)}
    assert sum(found.values()) == comb(700, m)
    assert subset_sums((0,) * 10**6 + (1,), 1) == {0: 10**6, 1: 1}
    assert exchange([range(9)], [range(9, 18)], "within").swaps.total == comb(18, 9)


@pytest.mark.slow
@given(st.lists(item, min_size=1, max_size=4))
def test_the_form_is_canonical(items):
    u, v = zip(*items)
    found = exchange(u, v, "within").swaps
    if isinstance(found, Flips):
        return
    assert found.total == prod(comb(len(a) + len(b), len(a)) for a, b in items)
    assert found.common * choices(found.tally) == found.total
    assert list(found.tally) == sorted(found.tally)
    assert gcd(*(value for step in found.tally for value, _weight in step)) == bool(found.tally)
    for step in found.tally:
        values, weights = zip(*step)
        assert len(step) > 1 and values[0] == 0 and gcd(*weights) == 1
        assert list(values) == sorted(set(values))
    assert found.n_units == len(items)
    every = definition.values(items, "within")
    assert (found.value(0), found.value(found.span)) == (min(every), max(every))
    assert found.value(found.observed) == definition.statistic(items)
    again = exchange([row[::-1] for row in u[::-1]], [row[::-1] for row in v[::-1]], "within").swaps
    assert again == found


def test_mirrored_steps_are_those_of_the_other_order():
    u, v = [[1, 0, 2], [4, 1]], [[0], [1]]
    found, other = exchange(u, v, "within").swaps, exchange(v, u, "within").swaps
    assert other.tally == mirrored(found.tally)
    assert (other.low, other.observed) == (-found.value(found.span), found.span - found.observed)
    assert mirrored(mirrored(found.tally)) == found.tally
    assert not found.symmetric
    assert exchange([[1, 0], [3, 1]], [[0, 5], [1, 1]], "within").swaps.symmetric


def test_all_tied_items_have_no_step():
    found = exchange([[1, 1], [2]], [[1], [2, 2]], "within").swaps
    assert found == Swaps(tally={}, ties=2, low=0, unit=1, observed=0, tied=9)
    assert (found.total, found.common, found.span) == (9, 9, 0)


def test_a_pair_among_items_of_more_runs_is_the_step_of_a_pair():
    found = canonical_items({(1, 1, (0, 5)): 1}, 5, 1)
    assert found.tally == {((0, 1), (1, 1)): 1}
    assert (found.low, found.unit, found.value(found.observed)) == (-5, 10, 5)
    assert canonical_items({(1, 1, (0, 5)): 2}, 0, 3).low == Fraction(-10, 3)


class TestRefusals:
    """Sums that would take too long are refused before any is made, and the item is named."""

    @pytest.mark.parametrize(
        ("u", "v", "about", "told"),
        [
            ([[0, 1] * 250_000], [[0, 1] * 250_000], {}, "500000 of the 1000000 runs of u"),
            ([[*range(20_000)]], [[*range(20_000)]], {}, "20000 of the 40000 runs of u"),
            (
                [[10**i for i in range(20)]],
                [[3**i for i in range(20)]],
                {"design": "systems"},
                "20 of the 40 runs of the systems, as means over items",
            ),
            (
                [[i * i for i in range(12)]],
                [[i**3 for i in range(12)]],
                {"budget": Budget(seconds=1e-3)},
                "12 of the 24",
            ),
            (
                [[1, 2], [i**3 for i in range(100)]],
                [[1], [i**5 for i in range(100)]],
                {},
                r"sums of 100 of the 200 runs of u\[1\] and v\[1\]",
            ),
            ([range(15)], [range(15, 30)], {"budget": Budget(bytes=10)}, "15 of the 30"),
        ],
    )
    def test_before_any_work(self, u, v, about, told):
        with pytest.raises(BudgetExceeded, match=told):
            exchange(u, v, **{"design": "within", **about})
